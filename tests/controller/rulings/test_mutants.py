"""The cases notice every change of the rules that changes what the rules do."""

import json
import subprocess
import sys

import pytest

from tests.controller.rulings.cases import DATA

# Changes after which the rules do the same: shortcuts for speed, and numbers that cannot come up.
SAME_RULES = {
    "blinds: flipped: class Missed(Value, frozen=True):",
    "blinds: flipped: class Places(Value, frozen=True):",
    "corrections: Gt to GtE: if said > right:",  # where both are the same, so is the answer
    "forced_bets: flipped: class Faced(Value, frozen=True):",
    "posting: flipped: class Entry(Value, frozen=True):",
    "posting: flipped: class Posting(Value, frozen=True):",
    # fixed limit asks for no big blind
    'structures: 0 plus 1: return Structure("FL", street_bet=opening_bet(limits, 0, big=big), raises_made=raises_made)',
    "structures: flipped: class Limits(Value, frozen=True):",
    "kills: flipped: class Legs(Value, frozen=True):",
    "facts: flipped: class Facts(msgspec.Struct, frozen=True):",
    "facts: if True: later = sum(map(sum, push.motions[1:])) if len(push.motions) > 1 else 0",
    "facts: Gt to GtE: later = sum(map(sum, push.motions[1:])) if len(push.motions) > 1 else 0",
    "facts: if True: kept=without(situation.prior_chips, push.pulled_back) if push.pulled_back else situation.prior_chips,",
    "facts: if True: new=tuple(chip for chip in first if chip >= profile.min_chip) if profile.min_chip else first,",
    "judged_chips: flipped: class Judged(msgspec.Struct, frozen=True):",
    "judged_chips: 0 plus 1: equal = judged.chips.count(judged.chips[0]) == len(judged.chips)",
    "limits: 0 plus 1: return level + bet if 0 < 2 * over < bet else situation.current_bet + bet",
}


@pytest.mark.proof
def test_no_change_of_the_rules_goes_unnoticed() -> None:
    command = [sys.executable, "-m", "tests.controller.rulings.mutants"]

    done = subprocess.run(command, capture_output=True, check=True, cwd=DATA.parents[1])

    report = json.loads(done.stdout)
    assert report["changes"] > 800
    assert set(report["unnoticed"]) - SAME_RULES == set()
