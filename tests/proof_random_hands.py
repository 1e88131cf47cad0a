"""Random hands of every game end with the same stacks through our engine as with PokerKit: twenty thousand of them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from proofs.oracle_games import CODES

ROOT = Path(__file__).parents[1]
HANDS = 320  # of each code
pytestmark = pytest.mark.proof


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, words)], capture_output=True, text=True, cwd=ROOT, check=False, timeout=3600
    )


@pytest.mark.parametrize("code", CODES)
def test_random_hands_end_with_the_stacks_that_pokerkit_has(code: str, tmp_path: Path) -> None:
    made = run("-m", "proofs.random_hands", code, HANDS, "--seed", 20)
    path = tmp_path / "hands.phhs"
    path.write_text(made.stdout)
    played = run("-c", "from betline.main import main; main()", "replay", path, "--json")
    assert played.stderr == ""
    found = json.loads(played.stdout)
    assert (found["mismatches"], found["skipped"], found["hands"]) == ([], [], HANDS)
