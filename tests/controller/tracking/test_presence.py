"""Where each item lies: the sequential test, in steps."""

import math

import pytest

from controller.places import BANK, POT, Place, Zone
from controller.tracking import hypotheses
from controller.tracking.events import SeenTwice, Unaccounted
from firmware_bridge.events import BadFrame, ScanRound, Sighting
from tests.controller.tracking.toy_table import MS, Table, chip, held, motions, moves, settled, spot, tray

ONE = chip(1, 0)


def place_of(table: Table, name: str = ONE) -> Place:
    return table.tracker.places()[name]


def step(table: Table, here: Place, away: Place) -> None:
    table.scan(here)
    table.scan(away)


@pytest.mark.parametrize("steps", [2, 3, 4, 5])
def test_a_move_is_decided_at_m_steps_and_not_before(steps: int) -> None:
    table = Table(steps=steps).count_in()
    table.push(1, 0)

    for _ in range(steps - 1):
        step(table, spot(1), tray(1))
        assert place_of(table) == tray(1)
    step(table, spot(1), tray(1))

    assert place_of(table) == spot(1)


def test_extra_rounds_of_the_faster_antenna_in_a_step_do_not_count() -> None:
    table = Table().count_in()
    table.push(1, 0)

    for _ in range(3):
        for _ in range(8):
            table.scan(spot(1))
        table.scan(tray(1))
    assert place_of(table) == tray(1)
    for _ in range(8):
        table.scan(spot(1))
    assert place_of(table) == tray(1)
    table.scan(tray(1))

    assert place_of(table) == spot(1)


def test_a_step_on_the_own_antenna_takes_one_back_and_one_more_is_needed_behind_it() -> None:
    table = Table().count_in()
    for _ in range(20):  # at rest and read by both or by its own: no debt is built up
        table.dbm[ONE, spot(1)] = -60
        step(table, spot(1), tray(1))
        table.dbm.clear()
        step(table, spot(1), tray(1))
    table.push(1, 0)
    for _ in range(3):
        step(table, spot(1), tray(1))
    table.move([ONE], tray(1))
    step(table, spot(1), tray(1))
    table.push(1, 0)
    for _ in range(2):
        step(table, spot(1), tray(1))
        assert place_of(table) == tray(1)
    step(table, spot(1), tray(1))

    assert place_of(table) == spot(1)


def test_absences_of_an_incomplete_round_do_not_count() -> None:
    table = Table().count_in()
    table.push(1, 0)

    table.run(20, incomplete=[tray(1)])

    assert place_of(table) == tray(1)


def test_sightings_of_an_incomplete_round_count() -> None:
    table = Table().count_in()
    table.push(1, 0)

    table.run(5, incomplete=[spot(1)])

    assert place_of(table) == spot(1)


def test_an_incomplete_round_that_does_not_show_a_chip_takes_no_evidence_back() -> None:
    table = Table(without=[Zone.TRAY]).count_in()
    for _ in range(4):
        table.push(1, 0)
        table.scan(spot(1))
        table.move([ONE], held(1))
        for _ in range(5):
            table.scan(spot(1), complete=False)

    assert place_of(table) == spot(1)


def test_a_step_that_shows_a_chip_on_neither_antenna_says_nothing() -> None:
    table = Table().count_in()
    table.push(1, 0)
    for _ in range(3):
        step(table, spot(1), tray(1))
    table.move([ONE], held(1))
    for _ in range(2):
        step(table, spot(1), tray(1))
    table.push(1, 0)
    step(table, spot(1), tray(1))

    assert place_of(table) == spot(1)


def test_a_chip_that_its_antenna_has_not_shown_for_the_run_is_judged_by_the_other_alone() -> None:
    """So stray readings, two rounds in five, of a chip in the shadow on its tray never add up to a move."""
    table = Table(hold_ms=10**6).count_in()
    table.move([ONE], held(1))
    for _ in range(7):
        table.scan(tray(1))
    for cycle in range(60):
        table.move([ONE], spot(1) if cycle % 5 == 0 else held(1))
        step(table, spot(1), tray(1))

    assert place_of(table) == tray(1)


def test_a_stray_reading_of_a_chip_that_its_tray_shows_moves_nothing() -> None:
    table = Table().count_in()
    for _ in range(50):
        table.dbm[ONE, spot(1)] = -60
        table.scan(spot(1))
        table.dbm.clear()
        table.scan(tray(1))

    assert place_of(table) == tray(1)
    assert not motions(table.said)


def test_a_chip_on_two_antennas_stays_where_it_was_and_is_named() -> None:
    table = Table(seats=1).count_in()
    table.dbm[ONE, spot(1)] = -60
    table.run(10)
    assert place_of(table) == tray(1)
    assert table.said[-1] == SeenTwice(table.said[-1].at_ns, ((ONE, (spot(1), tray(1))),))

    table.dbm.clear()
    table.run(10)

    assert table.said[-1] == SeenTwice(table.said[-1].at_ns, ())
    assert not motions(table.said)


def test_a_chip_between_two_spots_is_decided_to_neither() -> None:
    table = Table(seats=2).count_in()
    table.move([ONE], held(1))
    table.dbm = {(ONE, spot(1)): -60, (ONE, spot(2)): -60}

    table.run(60)

    assert place_of(table) == tray(1)
    assert any(isinstance(e, SeenTwice) and e.items[0][0] == ONE for e in table.said)
    assert not motions(table.said)


def test_signal_strength_chooses_between_neighbours() -> None:
    table = Table(seats=2).count_in()
    table.move([ONE], held(1))
    table.dbm = {(ONE, tray(1)): -70, (ONE, spot(1)): -50, (ONE, spot(2)): -62}

    table.run(5)

    assert place_of(table) == spot(1)
    assert not any(isinstance(e, SeenTwice) for e in table.said)


def test_a_slightly_weaker_signal_is_no_neighbour() -> None:
    table = Table(seats=1).count_in()
    table.dbm = {(ONE, tray(1)): -55, (ONE, spot(1)): -50}

    table.run(20)

    assert place_of(table) == tray(1)


def test_a_chip_from_the_bank_is_decided_by_its_new_antenna_alone() -> None:
    table = Table(without=[Zone.TRAY]).count_in()
    table.push(1, 0)

    for _ in range(3):
        table.scan(spot(1))
    assert place_of(table) == BANK
    table.scan(spot(1))

    assert place_of(table) == spot(1)


def test_alone_a_miss_takes_half_a_sighting_back() -> None:
    table = Table(without=[Zone.TRAY]).count_in()
    for there in (True, True, True, False, False, True):
        table.move([ONE], spot(1) if there else held(1))
        table.scan(spot(1))
    assert place_of(table) == BANK

    table.move([ONE], spot(1))
    table.scan(spot(1))

    assert place_of(table) == spot(1)


def test_absence_alone_makes_a_chip_of_a_tray_held_after_a_long_run_and_the_hold_time() -> None:
    table = Table(hold_ms=4000).count_in()
    table.move([ONE], held(1))

    table.run(38)
    assert place_of(table) == tray(1)
    table.run(4)

    assert place_of(table) == held(1)
    [fact] = settled(table.said)
    assert moves(fact) == {(ONE, tray(1), held(1))}


def test_few_rounds_in_a_long_time_make_nobody_held() -> None:
    table = Table(hold_ms=4000).count_in()
    table.move([ONE], held(1))

    for _ in range(23):
        table.scan(tray(1), ms=800)
    assert place_of(table) == tray(1)
    table.scan(tray(1), ms=800)

    assert place_of(table) == held(1)


def test_a_chip_unseen_for_the_run_is_named_unaccounted_until_it_is_seen() -> None:
    table = Table().count_in()
    table.move([ONE], held(1))
    said = table.run(12)
    assert [e.items for e in said if isinstance(e, Unaccounted)] == [((ONE, tray(1)),)]

    table.move([ONE], tray(1))
    said = table.run(8)

    assert [e.items for e in said if isinstance(e, Unaccounted)] == [()]
    assert not motions(table.said)


def test_a_buried_chip_of_the_pot_stays_in_the_pot() -> None:
    table = Table().count_in()
    table.move([ONE], POT)
    table.run_until_quiet()
    table.move([ONE], held(1))

    table.run(200)

    assert place_of(table) == POT


def test_with_trays_missing_a_chip_that_left_the_pot_is_held_by_nobody_known() -> None:
    table = Table(without=[Zone.TRAY]).count_in()
    table.move([ONE], POT)
    table.run_until_quiet()
    table.move([ONE], held(1))

    table.run(60)

    assert place_of(table) == Place(Zone.IN_HAND)


def test_a_chip_of_a_lost_tray_can_still_come_to_a_spot() -> None:
    table = Table(seats=2).count_in()
    table.push(1, 0)
    for field in table.tracker._presence.fields:
        field.live = field.place != tray(1)  # as health would have it

    for _ in range(4):
        table.scan(spot(1))

    assert place_of(table) == spot(1)


def test_halves_of_a_step_from_different_times_are_dropped() -> None:
    table = Table(steps=1).count_in()
    for _ in range(60):  # a slow table: eleven seconds are no silence here
        for antenna in table.layout.antennas:
            table.scan(antenna.place, ms=300)
    table.push(1, 0)
    table.scan(spot(1))
    table.ns += 11_000 * MS

    table.scan(tray(1))
    assert place_of(table) == tray(1)
    table.scan(spot(1))

    assert place_of(table) == spot(1)


def test_the_delay_is_that_of_walds_test() -> None:
    """Mean steps m / (1 - p - q): 4.44 at m = 4, p = 0.1, q = 0."""
    table = Table(seats=1, chips=60).count_in()
    table.miss = 0.1
    table.push(1, *range(60))
    delays: dict[str, int] = {}
    for number in range(1, 40):
        step(table, spot(1), tray(1))
        delays.update((c, number) for c, lies in table.tracker.places().items() if lies == spot(1) and c not in delays)
    assert len(delays) == 60

    assert math.isclose(sum(delays.values()) / 60, 4 / 0.9, rel_tol=0.08)


def test_false_moves_of_still_chips_are_as_rare_as_the_theory_says_and_not_rarer_by_luck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """m = 2, p = 0.3, q = 0.1: mean time to a false move 1/u + (1/u)(1 + d/u) steps, u = pq, d = (1-p)(1-q), for a
    spot four times as fast as its tray. The counter alone, which remembers no returns: with them they are rarer."""
    monkeypatch.setattr(hypotheses, "RETURNS_NS", -1)
    table = Table(seats=1, chips=60, without=[Zone.HOLE, Zone.BOARD, Zone.MUCK, Zone.POT], steps=2, hold_ms=10**7)
    table.count_in()
    table.miss, table.stray = 0.3, 0.1
    table.tracker._fitness.look_ns = 10**18  # nobody judges the antennas
    cycles, false = 1500, 0
    for _ in range(cycles):
        for _ in range(4):
            table.scan(spot(1))
        table.scan(tray(1))
        for number in range(60):
            track = table.tracker._tracks[chip(1, number)]
            if track.place == spot(1):
                false += 1
                table.tracker._presence.put(track, tray(1))
    up, down = 0.3 * 0.1, 0.7 * 0.9
    expected = 60 * cycles / (2 / up + down / up**2)

    assert 0.6 * expected < false < 1.4 * expected


def test_bad_rounds_change_nothing_and_end_nothing() -> None:
    """Unknown antennas and readers, times that run backwards, a tag many times in one round."""
    table = Table().count_in()
    before = table.tracker.places()
    good = table.shown(table.layout.antennas[0])

    for event in (
        ScanRound("nobody", 1, 0, 0, True, good),
        ScanRound("seats", 99, 0, 0, True, good),
        ScanRound("seats", 1, 500, 100, True, good),
        ScanRound("seats", 1, -5, -1, True, good * 3),
        ScanRound("seats", 1, 0, 10**18, True, (*good, Sighting(""), Sighting("zz"))),
        BadFrame("seats", 0, "noise", b"\x00"),
    ):
        table.tracker.take(event)

    assert table.tracker.places() == before
    assert not motions(table.said)
