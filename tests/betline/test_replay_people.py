"""`betline replay --dealer human --radio MODEL`: people who do not wait for the table, and what is counted of it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest

from controller.commands import Pause, Resume
from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from controller.places import BANK, Place
from controller.registry.registry import DECK
from simulator import acts
from simulator.director import script_of
from simulator.evenings import Evening
from simulator.felt import Felt
from simulator.models.named import NAMES, described, models_of
from simulator.players import Dice, Style
from simulator.radio import Noise
from simulator.rehearsal.hands import Job, outcome_of, play
from simulator.rehearsal.human import HumanTable, Trouble
from simulator.rehearsal.readers import ThroughReaders
from simulator.rehearsal.report import Tally, quantiles
from simulator.rehearsal.verdict import Verdict
from simulator.script import Script

ROOT = Path(__file__).parents[2]
EVENING = ROOT / "simulator" / "evening.phhs"
HANDS = [one for one in history.read(EVENING) if isinstance(one, RecordedHand)]
USUAL = Noise(miss=0.05, stray=0.01)


def replay(*words: object) -> tuple[int, str, str]:
    command = [sys.executable, "-c", "from betline.main import main; main()", "replay", str(EVENING), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=300)
    return done.returncode, done.stdout, done.stderr


def played(number: int, *models: str, seed: int = 1, noise: Noise = USUAL) -> Verdict:
    table = ThroughReaders(noise, models_of(models), "human")
    found = outcome_of(Job(HANDS[number], f"{seed}:{number}", noise), table)
    assert isinstance(found, Verdict)
    return found


@pytest.mark.parametrize("number", [1, 2, 4])
def test_hands_are_exact_with_a_dealer_who_does_not_wait(number: int) -> None:
    found = played(number)
    assert (found.mismatch, found.wrong_rulings, found.doubted_wrong, found.stuck) == (None, 0, 0, False)
    assert found.final_ms
    assert len(found.provisional_ms) == len(found.final_ms)
    assert all(first <= final for first, final in zip(found.provisional_ms, found.final_ms, strict=True))


def test_the_same_seed_gives_the_same_hand_and_another_seed_another() -> None:
    words = ("blind:share=0.1", "between", "hand", "late-bytes")
    assert _timeless(played(3, *words, seed=2)) == _timeless(played(3, *words, seed=2))
    assert played(3, *words, seed=2).final_ms != played(3, *words, seed=3).final_ms


def _timeless(verdict: Verdict) -> tuple[object, ...]:
    return (verdict.final_ms, verdict.rounds_to_final, verdict.alarms, verdict.mismatch, verdict.table_ms)


def test_what_no_antenna_reads_the_dealer_says_in_words_and_the_hand_goes_on() -> None:
    """No chip is ever read on a spot: every bet is the dealer's word, five seconds after it."""
    found = played(1, "blind:share=1,seconds=600", noise=Noise())
    assert found.corrections > 0
    assert not found.stuck


class Mute(HumanTable):
    """A dealer who sees what is wrong, and says nothing."""

    def _mend(self, found: Trouble) -> None:
        pass


def test_a_hand_that_nobody_helps_is_stuck_after_a_minute() -> None:
    """Of tags that are all dead nothing comes to the table but words, and the players are far ahead of it."""
    dice = Dice("1")
    table = Mute(script_of(HANDS[1], dice, Style()), Noise(seed=1), models_of(["dead:share=1,seconds=60"]), dice)
    table.count_in()
    found = table.play()
    assert found.stuck
    assert found.mismatch is not None
    assert found.mismatch.why.startswith("stuck: ")
    assert 60_000 < found.table_ms < 200_000


# ---------------------------------------------------------------- an evening
def test_an_evening_is_one_table_whose_chips_go_on_from_hand_to_hand() -> None:
    chips = Evening(HANDS[:12])
    lies: dict[str, Place] = {}
    for number, hand in enumerate(HANDS[:12]):
        script = chips.script(hand, Dice(str(number)), Style())
        felt = Felt(script.layout.values, lies or dict.fromkeys(script.layout.values, BANK) | dict.fromkeys(DECK, BANK))
        for cue in script.buys:
            felt.move(cue.act.moves)  # and each chip lies where its move begins
        assert felt.at == script.layout.lies
        for seat in range(1, chips.seats + 1):
            assert felt.worth(acts.tray(seat)) == script.setting.stacks.get(seat, 0)
            assert len(felt.on(acts.tray(seat))) <= 60
        lies = script.end
    assert script.setting.seats == chips.seats


def test_chips_that_were_given_back_are_given_out_last() -> None:
    """No antenna sees the bank: a chip that was somebody's a moment ago seems to go from player to player."""
    chips, before = Evening(HANDS[:12]), set[str]()
    for hand in HANDS[:12]:
        script = chips.script(hand, Dice("1"), Style())
        bought = {move.item for cue in script.buys for move in cue.act.moves if move.origin == BANK}
        assert not bought & before
        before = {move.item for cue in script.buys for move in cue.act.moves if move.target == BANK}


@pytest.mark.parametrize("dealer", ["oracle", "human"])
def test_hands_of_an_evening_are_exact_at_one_table(dealer: Literal["oracle", "human"]) -> None:
    found = list(play([EVENING], "readers", 4, 1, USUAL, dealer=dealer, evening=True))
    assert [one.mismatch if isinstance(one, Verdict) else one for one in found] == [None] * 4


def test_a_hand_that_is_stuck_is_a_misdeal_and_the_evening_goes_on() -> None:
    class MuteAtFirst(HumanTable):
        hands_begun = 0

        def begin(self, script: Script) -> None:
            super().begin(script)
            self.hands_begun += 1

        def _mend(self, found: Trouble) -> None:
            if self.hands_begun > 1:
                super()._mend(found)

    chips = Evening(HANDS[:2])
    dice = Dice("1")
    first = chips.script(HANDS[0], dice, Style())
    table = MuteAtFirst(first, Noise(seed=1), (), dice)
    table.count_in()
    table.command(Pause())  # and nobody goes on
    assert table.play().stuck
    table.command(Resume())
    table.begin(chips.script(HANDS[1], dice, Style()))
    table.prepare(first.end)
    assert table.play().mismatch is None


# ---------------------------------------------------------------- what is counted
def test_the_summary_has_what_scripts_rely_on() -> None:
    status, out, error = replay("--through", "readers", "--dealer", "human", "--limit", 2, "--miss", 0.05, "--json")
    assert (status, error) == (0, "")
    found = json.loads(out)
    numbers = "wrong_rulings doubted_wrong reopened asked needless agreed corrections stuck"
    assert all(isinstance(found[key], int) for key in numbers.split())
    for key in ("provisional_s", "final_s"):
        assert set(found[key]) == {"p50", "p90"}
        assert 0 < found[key]["p50"] <= found[key]["p90"]
    assert found["provisional_s"]["p50"] <= found["final_s"]["p50"]
    assert found["questions_per_hour"] >= 0


def test_the_summary_in_words_says_the_same() -> None:
    _, out, _ = replay("--through", "readers", "--dealer", "human", "--limit", 1)
    for words in ("questions an hour", "the dealer: ", "stuck hands: 0", "from chips at rest to the final ruling: "):
        assert words in out


def test_through_the_engine_alone_nothing_takes_time() -> None:
    _, out, _ = replay("--limit", 1, "--json")
    found = json.loads(out)
    assert found["questions_per_hour"] is None
    assert found["final_s"] == {"p50": None, "p90": None}


def test_half_and_nine_tenths_of_the_times() -> None:
    assert quantiles(range(100, 1100, 100)) == {"p50": 0.5, "p90": 0.9}
    assert quantiles([700]) == {"p50": 0.7, "p90": 0.7}


def test_questions_an_hour_are_those_of_the_tables_time() -> None:
    tally = Tally()
    for asked in (1, 2):
        tally.add(Verdict(0, 0, asked, (), None, table_ms=600_000))
    assert tally.questions_per_hour == 9.0


def test_help_names_every_model_and_both_dealers() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from betline.main import main; main()", "replay", "--help"],
        capture_output=True, text=True, cwd=ROOT, check=False, timeout=60, env={"COLUMNS": "400", "PATH": ""},
    )  # fmt: skip
    for word in ("between:share=0.25", "cut-out:chips=6,seconds=1.2", "all-mild", "oracle", "human"):
        assert word in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--through", "readers", "--radio", "blnd"), "betline: --radio blnd: no such model: one of blind, "),
        (("--through", "readers", "--radio", "blind:share=2"), "share: give a number from 0 to 1"),
        (("--radio", "blind"), "--radio, --dealer and --evening are for tables with readers: add --through readers"),
        (("--dealer", "human"), "--radio, --dealer and --evening are for tables with readers: add --through readers"),
        (("--evening",), "--radio, --dealer and --evening are for tables with readers: add --through readers"),
        (("--dealer", "robot"), "oracle"),
    ],
)
def test_errors_are_short_and_say_the_cure(words: tuple[object, ...], says: str) -> None:
    status, out, error = replay(*words)
    assert status != 0
    assert out == ""
    assert says in error
    assert "Traceback" not in error


def test_hardware_md_explains_every_model_with_its_defaults() -> None:
    page = (ROOT / "hardware.md").read_text()
    for model in described().split():
        assert f"| `{model}` |" in page


# ---------------------------------------------------------------- every model
MOST_WRONG = {"detuned": 2, "between": 1, "dribble": 2}  # rulings of ten hands, and no more; of all others none


@pytest.mark.parametrize("model", ["usual", *NAMES])
def test_ten_hands_of_each_model_are_ruled_rightly_or_asked_about(model: str) -> None:
    """With the usual noise besides, and a dealer who does not wait; nobody is stuck."""
    tally = Tally()
    models = models_of([] if model == "usual" else [model])
    for outcome in play([EVENING], "readers", 10, 1, USUAL, models=models, dealer="human"):
        tally.add(outcome)
    assert tally.stuck == 0
    assert tally.wrong_rulings <= MOST_WRONG.get(model, 0), [mismatch.why for mismatch in tally.mismatches]
