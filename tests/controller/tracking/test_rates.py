"""The limit m from measured rates, beside the published table, a simulation, and readers with known noise."""

import random
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.places import Place, Zone
from controller.registry.registry import Item, Registry
from controller.tracking import hypotheses
from controller.tracking import layout as layouts
from controller.tracking.layout import Layout
from controller.tracking.rates import (
    MOST_STEPS,
    TAG_ROUNDS,
    Measured,
    Noise,
    Survey,
    bound,
    false_move_rounds,
    steps_for,
    steps_of,
)
from controller.tracking.tracker import Tracker
from firmware_bridge.events import ScanRound, Sighting

# At most one false move in 1,000 hours of 600 chips at 10 rounds a second: m by (p, q). Computed, with the counter held at 0.
PUBLISHED = {
    (0.01, 0.001): 3,
    (0.01, 0.01): 3,
    (0.01, 0.05): 4,
    (0.05, 0.001): 3,
    (0.05, 0.01): 4,
    (0.05, 0.05): 5,
    (0.1, 0.001): 3,
    (0.1, 0.01): 4,
    (0.1, 0.05): 5,
    (0.2, 0.001): 3,
    (0.2, 0.01): 4,
    (0.2, 0.05): 6,
}


@pytest.mark.parametrize(("rates", "steps"), PUBLISHED.items())
def test_m_is_that_of_the_published_table(rates: tuple[float, float], steps: int) -> None:
    assert steps_for(Noise(*rates)) == steps


def walked(noise: Noise, steps: int, rounds: int) -> float:
    """Rounds to a false move by the table's own tracker: chips lie still in a tray, a spot hears them astray."""
    draw = random.Random(7).random
    leave = min(1 - noise.miss, 1 / noise.burst)
    enter = leave * noise.miss / (1 - noise.miss)
    names = {f"c{number}": tag for number, tag in enumerate(CHIPS)}
    places = (Place(Zone.TRAY, 1), Place(Zone.SPOT, 1))
    layout = Layout(tuple(layouts.Antenna("r", number, place) for number, place in enumerate(places, 1)), steps=steps)
    tracker = Tracker(Registry(Item(name, tag, "chip", 100) for name, tag in names.items()), layout)
    tracker.restore(dict.fromkeys(names, places[0]))
    tracker._fitness.look_ns = 10**18  # nobody judges the antennas
    dark, moves, before = dict.fromkeys(CHIPS, False), 0, tracker.places()
    for number in range(rounds):
        dark = {tag: draw() >= leave if was else draw() < enter for tag, was in dark.items()}
        quiet = number < steps  # both antennas must be known first
        tracker.take(scan(1, 2 * number, [tag for tag in CHIPS if quiet or not dark[tag]]))
        tracker.take(scan(2, 2 * number + 1, [tag for tag in CHIPS if not quiet and draw() < noise.stray]))
        now = tracker.places()
        moves += sum(now[name] == places[1] != before[name] for name in names)
        before = now
    return rounds * len(names) / moves


@pytest.mark.parametrize(("noise", "steps"), [(Noise(0.2, 0.1), 2), (Noise(0.1, 0.1, 5), 3), (Noise(0.3, 0.15, 8), 4)])
def test_the_formula_tells_how_often_the_tables_own_counter_moves_a_chip_falsely(
    noise: Noise, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counter that remembers no returns; the tracker remembers them, and moves a still chip more rarely."""
    monkeypatch.setattr(hypotheses, "RETURNS_NS", -1)
    assert walked(noise, steps, 6000) == pytest.approx(false_move_rounds(noise, steps), rel=0.35)


def test_misses_in_bursts_need_a_higher_m_than_their_share_says() -> None:
    """A tag in shadow leaves a neighbour's strays unanswered, until six rounds without any sighting count against."""
    assert [steps_for(Noise(0.05, 0.01, burst)) for burst in (1, 2, 5, 20)] == [4, 5, 5, 5]
    assert [steps_for(Noise(0.2, 0.05, burst)) for burst in (1, 2, 5, 20)] == [6, 7, 8, 8]


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.floats(0.01, 0.3), st.floats(0.001, 0.1), st.floats(1, 20), st.integers(2, 8), st.floats(1.0, 3.0))
def test_more_strays_never_last_longer_and_a_higher_m_never_shorter(
    miss: float, stray: float, burst: float, steps: int, worse: float
) -> None:
    lasts = false_move_rounds(Noise(miss, stray, burst), steps)
    assert lasts > 0
    assert false_move_rounds(Noise(miss, stray, burst), steps + 1) > lasts
    assert false_move_rounds(Noise(miss, min(0.5, stray * worse), burst), steps) <= lasts * 1.0001


def test_what_never_misses_never_moves_falsely_and_what_never_reads_always() -> None:
    assert false_move_rounds(Noise(0, 0.1), 2) == inf
    assert false_move_rounds(Noise(0.1, 0), 2) == inf
    assert false_move_rounds(Noise(1, 0.1), 2) == 0


def test_the_worst_antenna_sets_the_limit_of_the_table() -> None:
    assert steps_of([Noise(0.01, 0.001), Noise(0.2, 0.05), Noise(0.05, 0.01)]) == 6
    assert steps_of([]) == 2
    hopeless = Noise(0.5, 0.4, 20)
    assert false_move_rounds(hopeless, MOST_STEPS) < TAG_ROUNDS
    assert steps_of([Noise(0.01, 0.001), hopeless]) is None


def test_few_rounds_prove_little() -> None:
    """95 %: no miss in 60 rounds may still be 4.3 %; in 6,000 rounds 0.05 %."""
    assert bound(0, 60) == pytest.approx(0.043, abs=0.001)
    assert bound(0, 6000) == pytest.approx(0.00045, abs=0.0001)
    assert bound(50, 1000) > 0.05
    assert bound(0, 0) == 1.0


# ---------------------------------------------------------------- measuring
A, B, C = ("r", 1), ("r", 2), ("r", 3)
CHIPS = [f"E00401000000{number:04X}" for number in range(20)]


def scan(antenna: int, number: int, tags: list[str], *, complete: bool = True) -> ScanRound:
    began = number * 200_000_000
    return ScanRound("r", antenna, began, began + 100_000_000, complete, tuple(map(Sighting, tags)))


def surveyed(miss: float, stray: float, rounds: int = 400, burst: float = 1.0) -> Survey:
    """20 chips on antenna 1; antenna 2 is empty and hears them astray."""
    draw = random.Random(3).random
    survey = Survey([A, B, C])
    leave = min(1 - miss, 1 / burst)
    enter = leave * miss / (1 - miss)
    dark = dict.fromkeys(CHIPS, False)
    for number in range(rounds):
        dark = {tag: draw() >= leave if was else draw() < enter for tag, was in dark.items()}
        survey.take(scan(1, number, [tag for tag in CHIPS if not dark[tag]]))
        survey.take(scan(2, number, [tag for tag in CHIPS if draw() < stray]))
    return survey


@pytest.mark.parametrize(("miss", "stray"), [(0.02, 0.005), (0.1, 0.02), (0.25, 0.05)])
def test_measured_rates_are_those_of_the_radio(miss: float, stray: float) -> None:
    found = surveyed(miss, stray).measured()
    assert found[A].lying == tuple(CHIPS)
    assert found[A].miss == pytest.approx(miss, rel=0.15)
    assert found[B].stray == pytest.approx(stray, rel=0.2)
    assert found[B].lying == ()
    assert found[B].loudest == A
    assert found[A].noise.miss >= miss
    assert found[A].a_second == pytest.approx(5, rel=0.01)
    assert found[A].unfit == (miss > 0.2)


def test_bursts_are_measured_as_bursts() -> None:
    found = surveyed(0.05, 0.0, rounds=1500, burst=5).measured()[A]
    assert found.burst == pytest.approx(5, rel=0.15)
    assert found.longest > 10
    assert surveyed(0.05, 0.0).measured()[A].burst == pytest.approx(1 / 0.95, rel=0.1)


def test_an_antenna_without_a_round_measured_nothing() -> None:
    assert surveyed(0.05, 0.01).measured()[C] == Measured(C, loudest=None)


def test_incomplete_rounds_are_counted_and_judge_nothing() -> None:
    survey = Survey()
    survey.take(scan(1, 0, CHIPS))
    for number in range(1, 5):
        survey.take(scan(1, number, [], complete=False))
    found = survey.measured()[A]
    assert (found.rounds, found.incomplete, found.misses) == (1, 4, 0)


def test_a_tag_lies_where_it_is_read_most_and_nowhere_if_two_read_it_alike() -> None:
    survey = Survey()
    for number in range(20):
        survey.take(scan(1, number, ["AA", "BB"] if number % 5 else ["BB"]))
        survey.take(scan(2, number, ["AA"] if number % 5 == 0 else []))
        survey.take(scan(3, number, ["CC"] if number % 4 == 0 else []))
    assert survey.homes() == {"AA": A, "BB": A, "CC": C}
    assert survey.measured()[B].heard == {"AA": 0.2}


def test_a_chip_first_seen_late_was_missed_before() -> None:
    survey = Survey()
    for number in range(10):
        survey.take(scan(1, number, ["AA"] if number >= 3 else []))
    found = survey.measured()[A]
    assert (found.hits, found.misses, found.bursts, found.longest) == (7, 3, 1, 3)
