"""Rulings in noise: never a wrong one inside what an antenna may do; outside it is unfit, named, and its seat waits."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.commands import Confirm
from controller.picture import notices
from controller.places import Place, Zone
from simulator.radio import Noise
from tests.controller.core_table import spot, tray
from tests.controller.noisy_play import VALUES, Act, evenings, everywhere, played
from tests.controller.noisy_table import NoisyTable, noisy

INSIDE = [Noise(0.05, 0.01), Noise(0.1, 0.01), Noise(0.1, 0.01, 5), Noise(0.2, 0.05), Noise(0.2, 0.01, 5)]
RUNS = 1000  # of the proof, for each noise
S = 1000


def like(noise: Noise, seed: int) -> Noise:
    return Noise(noise.miss, noise.stray, noise.burst, seed)


# ---------------------------------------------------------------- inside
@pytest.mark.parametrize("noise", INSIDE, ids=str)
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(evening=evenings, seed=st.integers(0, 10**6))
def test_inside_the_limits_no_sequence_of_acts_is_ruled_wrong(evening: list[Act], seed: int, noise: Noise) -> None:
    outcome = played(evening, everywhere(like(noise, seed)))
    assert not outcome.wrong, outcome
    assert outcome.ruled == outcome.meant or outcome.waits


@pytest.mark.proof
@pytest.mark.parametrize("noise", INSIDE, ids=str)
def test_thousands_of_evenings_and_no_wrong_ruling(noise: Noise) -> None:
    """Seeded; some may wait for a dealer, none may be ruled otherwise than at a table that hears everything."""
    draw = random.Random(2026)
    waits = rulings = 0
    for seed in range(RUNS):
        evening = [some_act(draw) for _ in range(draw.randint(1, 6))]
        outcome = played(evening, everywhere(like(noise, seed)))
        assert not outcome.wrong, (seed, evening, outcome)
        waits += outcome.waits
        rulings += len(outcome.ruled)
    assert rulings > 2 * RUNS
    assert waits <= RUNS // 100


def some_act(draw: random.Random) -> Act:
    chips, more = ([draw.choice(VALUES) for _ in range(draw.randint(1, 5))] for _ in range(2))
    gap = draw.choice((100, 300, 600))
    acts: tuple[Act, ...] = (
        ("push", chips),
        ("push", more),
        ("in parts", chips, gap, more),
        ("cut out", chips, gap, draw.choice(VALUES)),
        ("play with", chips, gap, more),
        ("both", chips, gap, more),
        ("fold",),
        ("check",),
    )
    return draw.choice(acts)


# ---------------------------------------------------------------- outside
def unfit_seat(noise: Noise, *places: Place) -> NoisyTable:
    """Seat 1 is to act, and what its antennas do has been measured for two minutes."""
    table = noisy()
    table.hear(Noise(0.05, 0.01, seed=noise.seed))
    table.hear(noise, *places)
    table.run(120 * S)
    return table


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("noise", [Noise(0.4, 0.01), Noise(0.6, 0.01, 5)], ids=str)
def test_outside_the_limits_the_antenna_is_unfit_and_the_ruling_waits_for_the_dealer(noise: Noise, seed: int) -> None:
    table = unfit_seat(like(noise, seed), tray(1))
    assert table.core.known.unknown == {tray(1): "deaf"}
    table.push(1, 500, 100)
    table.run(30 * S)
    assert table.rulings() == []
    assert [waiting for waiting in table.core.previews() if waiting.seat == 1], "it is shown all the same"

    table.hear(Noise(seed=seed), spot(1))
    table.run(5 * S)
    table.tell(Confirm())

    assert table.rulings() == [(1, "raise", 600)]


def test_an_unfit_antenna_is_named_with_its_cure_on_every_screen() -> None:
    table = unfit_seat(Noise(0.5, 0.01, seed=1), tray(1))
    for named in (True, False):
        told = [notice.text["en"] for notice in notices.of(table.core.seen())[named]]
        assert any("misses too much" in text and "tray 1" in text and "calibrate" in text for text in told)


def test_a_shouting_spot_holds_its_own_seat_back_and_no_other() -> None:
    """The spot of seat 2 hears trays and spots around it in a third of its rounds."""
    table = unfit_seat(Noise(0.05, 0.33, seed=2), spot(2))
    assert table.core.known.unknown == {spot(2): "shouting"}
    table.push(1, 500)
    table.run(20 * S)
    assert table.rulings() == [(1, "call", 100)]
    table.push(2, 500)
    table.run(30 * S)

    assert [seat for seat, _, _ in table.rulings()] == [1]


def test_a_shouting_spot_brings_no_chip_to_a_seat_that_pushed_none() -> None:
    table = unfit_seat(Noise(0.05, 0.33, seed=3), spot(2))
    table.run(120 * S)
    assert not [name for name, place in table.core.places().items() if place == spot(2) != table.where[name]]


def test_an_antenna_that_was_mended_is_trusted_again_and_the_ruling_comes() -> None:
    table = unfit_seat(Noise(0.5, 0.01, seed=4), tray(1))
    table.push(1, 500, 100)
    table.run(20 * S)
    assert table.rulings() == []
    table.hear(Noise(0.05, 0.01, seed=5), tray(1))
    table.until(lambda: not table.core.known.unknown, 60 * S)
    table.until(lambda: not table.core.settling, 60 * S)

    assert table.rulings() == [(1, "raise", 600)]


def test_a_tray_whose_cable_is_cut_moves_no_chip_and_its_seat_waits() -> None:
    table = noisy()
    table.hear(Noise(0.05, 0.01, seed=6))
    table.hear(Noise(1.0, 0.0, seed=6), tray(1))
    table.run(30 * S)
    assert table.core.known.unknown == {tray(1): "blank"}
    assert all(
        place.zone is not Zone.IN_HAND for name, place in table.core.state.places.items() if name in table.values
    )
    table.push(1, 500, 100)
    table.run(20 * S)

    assert table.rulings() == []
