"""A recording plays to the same wherever it is played: nothing depends on the order in which Python keeps a set."""

import os
import subprocess
import sys


def motions(hash_seed: int) -> list[str]:
    """What one and the same play gives under a hash seed of Python."""
    return subprocess.run(
        [sys.executable, "-m", "tests.controller.core.two_chips_at_once"],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()


def test_motions_have_the_same_numbers_under_every_hash_seed() -> None:
    first, *others = [motions(seed) for seed in (1, 2, 5)]
    assert len(first) == 2
    assert others == [first, first]
