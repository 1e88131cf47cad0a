"""All real hands, through the engine, and three hundred of them through readers without and with noise."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HANDS = Path(os.environ.get("BETLINE_HANDS", ROOT.parent / "shared" / "hands"))
PLURIBUS = HANDS / "pluribus-3000.phhs.gz"
pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(not HANDS.is_dir(), reason=f"no recorded hands at {HANDS}: set BETLINE_HANDS"),
]


def report(*words: object) -> dict[str, object]:
    command = [sys.executable, "-c", "from betline.main import main; main()", "replay", *map(str, words), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_hand_is_exact_through_the_engine_but_three_recorded_in_half_chips(seed: int) -> None:
    found = report(PLURIBUS, "--seed", seed)
    assert found["mismatches"] == []
    assert (found["hands"], found["exact"], found["wrong_rulings"]) == (3000, 2997, 0)
    skipped = found["skipped"]
    assert isinstance(skipped, list)
    assert all(one["why"].startswith("recorded in half chips") for one in skipped)


@pytest.mark.parametrize(
    "noise", [(), ("--miss", 0.05, "--stray", 0.01), ("--burst", 5)], ids=["no noise", "misses and strays", "bursts"]
)
def test_three_hundred_hands_are_exact_through_readers(noise: tuple[object, ...]) -> None:
    found = report(PLURIBUS, "--through", "readers", "--limit", 300, *noise)
    assert found["mismatches"] == []
    assert (found["hands"], found["exact"], found["wrong_rulings"]) == (300, 299, 0)
