"""The benchmark of settling: its theory, its naive rule, and that both sides judge the same pushes."""

import pytest

from benchmarks.rows import TINY
from benchmarks.settling import MOST_STEPS, NOISES, Settled, expected, identical, rows, settled
from controller.tracking.noise import Noise

A, B, BOTH = frozenset("A"), frozenset("B"), frozenset("AB")


@pytest.mark.parametrize(
    ("miss", "stray", "steps", "chips", "rounds"),
    [(0.01, 0.001, 3, 1, 3.0), (0.1, 0.01, 4, 1, 4.5), (0.2, 0.05, 6, 1, 8.0), (0.05, 0.01, 3, 20, 4.4)],
)
def test_theory_is_that_of_the_published_table(
    miss: float, stray: float, steps: int, chips: int, rounds: float
) -> None:
    """Mean delays of counters held at 0, published to one decimal; of twenty chips together at m = 3."""
    assert expected(Noise(miss, stray), steps, chips) == pytest.approx(rounds, abs=0.06)


def test_bursts_make_the_last_of_many_chips_later() -> None:
    single, bursts = (expected(Noise(0.1, 0.01, burst), 4, 20) for burst in (1, 5))
    assert bursts > 1.5 * single


def test_the_naive_rule_takes_the_first_set_that_repeats() -> None:
    scans = [A, BOTH, B, B, BOTH, BOTH, BOTH]
    assert identical(2, 2, scans) == Settled(4, wrong=True)
    assert identical(3, 2, scans) == Settled(7, wrong=False)
    assert identical(4, 2, scans) == Settled(MOST_STEPS, wrong=False)


def test_ours_is_never_wrong_where_two_identical_scans_often_are() -> None:
    noise = NOISES[2]
    assert (noise.miss, noise.burst) == (0.1, 5)
    ours, naive = settled(noise, 5, 60, steps=5)
    assert not any(push.wrong for push in ours)
    assert sum(push.wrong for push in naive[2]) > 10


def test_a_push_in_independent_noise_is_final_as_soon_as_theory_says() -> None:
    ours, _ = settled(NOISES[0], 5, 60, steps=4)
    assert sum(push.rounds for push in ours) / 60 <= 1.3 * expected(Noise(0.05, 0.01), 4, 5)


def test_every_row_names_its_theory_and_its_peers() -> None:
    found = list(rows(TINY, lambda _: None))
    assert len(found) == 12
    assert all("theory" in row.note and "4 identical" in row.note and row.ours for row in found)
