"""Thousands of simulated chip moves, with presence alone: the quick version of the proof, and that it can fail."""

import pytest

from benchmarks.chip_moves import moved
from controller.tracking import noise as tracking
from controller.tracking.rates import false_move_rounds
from simulator.radio import Noise


@pytest.mark.parametrize("noise", [Noise(), Noise(0.05, 0.01, seed=1), Noise(0.1, 0.01, seed=2)], ids=str)
def test_chips_that_are_pushed_swept_and_paid_are_where_they_lie_and_nowhere_else(noise: Noise) -> None:
    found = moved(4000, noise, steps=4)
    assert (found.false, found.held, found.late) == (0, 0, 0)
    assert found.steps.total() == found.moved >= 4000
    wald = 4 / (1 - noise.miss - noise.stray)
    assert wald <= found.mean <= 1.15 * wald, "the round in which it was carried comes before"


def test_false_moves_are_found_where_m_is_too_low() -> None:
    noise = Noise(0.2, 0.1, seed=3)
    assert false_move_rounds(tracking.Noise(noise.miss, noise.stray), 1) < 100
    assert moved(500, noise, steps=1).false > 20


def test_a_chip_in_long_shadow_is_counted_as_held_and_not_as_moved() -> None:
    found = moved(3000, Noise(0.1, 0.0, burst=20, seed=5), steps=4)
    assert (found.false, found.held > 0) == (0, True)
