"""A million chips moved over simulated antennas, and not one false move."""

import time

import pytest

from benchmarks.chip_moves import moved
from controller.tracking import noise as tracking
from controller.tracking.rates import steps_for
from simulator.radio import Noise

USUAL = Noise(miss=0.05, stray=0.01, seed=2026)


@pytest.mark.proof
def test_a_million_chip_moves_at_five_percent_misses_and_one_percent_strays_and_no_false_move(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """At the m of that noise, over three seats and a pot."""
    began_s = time.perf_counter()
    steps = steps_for(tracking.Noise(USUAL.miss, USUAL.stray))
    assert steps is not None
    found = moved(1_000_000, USUAL, steps)
    with capsys.disabled():
        took_s = time.perf_counter() - began_s
        print(f"\n{found.moved:,} chip moves, m = {steps}: {found.false} false, {found.held} held, {found.late} late;")
        print(f"decided after {found.mean:.2f} steps, 99 % within {found.within(0.99)}; {took_s:.0f} s")
    assert (found.false, found.held, found.late) == (0, 0, 0)
    assert found.moved >= 1_000_000


@pytest.mark.proof
@pytest.mark.parametrize(
    "noise",
    [Noise(0.1, 0.01, seed=1), Noise(0.1, 0.01, 5, seed=2), Noise(0.2, 0.05, seed=3), Noise(0.2, 0.01, 5, seed=4)],
)
def test_no_false_move_in_other_noise_at_the_m_that_it_needs(noise: Noise) -> None:
    steps = steps_for(tracking.Noise(noise.miss, noise.stray, noise.burst))
    assert steps is not None
    found = moved(100_000, noise, steps)
    assert (found.false, found.late) == (0, 0)
