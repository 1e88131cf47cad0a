"""Moves that are expected now: who may push needs less evidence, is seen sooner, and takes back what he cut out."""

import pytest

from controller.places import POT, Place
from controller.tracking.events import Coming
from tests.controller.tracking.toy_table import Table, chip, motions, moves, settled, spot, tray

ONE = chip(1, 0)


def place_of(table: Table, name: str = ONE) -> Place:
    return table.tracker.places()[name]


def expecting(*seats: int, **settings: int) -> Table:
    table = Table(**settings).count_in()
    table.tracker.expect(seats)
    return table


def passes(table: Table, number: int) -> None:
    for _ in range(number):
        table.scan(spot(1))
        table.scan(tray(1))


# ---------------------------------------------------------------- less evidence
@pytest.mark.parametrize(("steps", "needed"), [(2, 2), (4, 3), (8, 5)])
def test_a_push_of_who_may_push_is_decided_at_five_eighths_of_m(steps: int, needed: int) -> None:
    table = expecting(1, steps=steps)
    table.push(1, 0)
    passes(table, needed - 1)
    assert place_of(table) == tray(1)
    passes(table, 1)
    assert place_of(table) == spot(1)


def test_of_nobody_else_and_nowhere_else_it_is_decided_sooner() -> None:
    table = expecting(2)
    table.push(1, 0)
    table.move([chip(2, 1)], spot(1))
    passes(table, 3)
    assert place_of(table) == tray(1)
    for _ in range(4):
        table.scan(spot(1))
        table.scan(tray(2))
    assert place_of(table, chip(2, 1)) == tray(2)


def test_further_rounds_of_the_spot_count_half_a_step_each_and_two_of_them_at_most() -> None:
    table = expecting(1)
    table.push(1, 0)
    for _ in range(9):
        table.scan(spot(1))
    table.scan(tray(1))
    assert place_of(table) == tray(1), "a step and two halves are less than five halves"
    table.scan(spot(1))
    table.scan(tray(1))
    assert place_of(table) == spot(1)


def test_further_rounds_beside_a_tray_that_shows_the_chip_are_worth_nothing() -> None:
    """A chip at the tray's front edge is read by both, round by round: it lies between them."""
    table = expecting(1)
    table.dbm[ONE, spot(1)] = table.dbm[ONE, tray(1)] = -60
    for _ in range(40):
        table.scan(spot(1))
        table.scan(spot(1))
        table.scan(tray(1))
    assert place_of(table) == tray(1)


def test_a_round_of_the_tray_without_the_chip_before_the_spot_shows_it_is_half_of_its_first_step() -> None:
    table = expecting(1)
    table.move([ONE], POT)  # in the air
    table.scan(tray(1))
    table.push(1, 0)
    table.scan(spot(1))
    passes(table, 1)
    assert place_of(table) == tray(1)
    passes(table, 1)
    assert place_of(table) == spot(1)


# ---------------------------------------------------------------- seen sooner
def test_what_is_half_read_is_told_as_coming_and_then_as_a_motion() -> None:
    table = expecting(1)
    table.push(1, 0, 1)
    table.scan(spot(1))
    assert not [event for event in table.said if isinstance(event, Coming)], "one sighting may be a stray one"
    table.scan(spot(1))
    [coming] = [event for event in table.said if isinstance(event, Coming)]
    [push] = coming.pushes
    assert (push.number, {move.item for move in push.moves}) == (0, {chip(1, 0), chip(1, 1)})
    assert push.doubtful == (chip(1, 0), chip(1, 1))
    assert not push.settled
    passes(table, 3)
    assert [event.pushes for event in table.said if isinstance(event, Coming)][-1] == ()
    assert len(table.tracker.open_motions()[0].moves) == 2


def test_a_chip_that_comes_to_an_open_push_is_told_with_it() -> None:
    table = expecting(1)
    table.push(1, 0)
    passes(table, 3)
    table.push(1, 1)
    table.scan(spot(1))
    table.scan(spot(1))
    [push] = [event for event in table.said if isinstance(event, Coming)][-1].pushes
    assert (push.number, len(push.moves), push.doubtful) == (table.tracker.open_motions()[0].number, 2, (chip(1, 1),))


def test_of_seats_that_may_not_push_nothing_is_told_as_coming() -> None:
    table = expecting(2)
    table.push(1, 0)
    passes(table, 3)
    assert not [event for event in table.said if isinstance(event, Coming)]


# ---------------------------------------------------------------- cut out, and taken back
def test_chips_cut_out_and_taken_back_within_the_quiet_time_are_no_part_of_the_push_and_name_nobody() -> None:
    """Laid down with the push, and in the tray again when the tray shows them: they left their spot in time."""
    table = expecting(1, quiet_ms=1500)
    table.push(1, 0, 1, 2)
    table.run(12)
    table.move([chip(1, 1), chip(1, 2)], tray(1))
    table.run(40)
    [motion] = settled(table.said)
    assert moves(motion) == {(ONE, tray(1), spot(1))}
    assert motion.doubtful == ()


def test_a_push_waits_for_the_tray_to_show_what_its_spot_has_lost() -> None:
    """One chip of it is gone when it has been quiet: the tray is asked before it is final."""
    table = expecting(1, quiet_ms=1500)
    table.push(1, 0, 1)
    table.run(13)
    table.move([chip(1, 1)], tray(1))
    table.run(30)
    [motion] = settled(table.said)
    assert moves(motion) == {(ONE, tray(1), spot(1))}


def test_a_chip_that_goes_to_and_fro_quicker_than_a_hand_is_moved_no_more() -> None:
    """Decided on the spot, in the tray, and on the spot again within seconds: it lies between, and no push stays open for it."""
    table = expecting(1)
    for place in (spot(1), tray(1)) * 6:
        table.move([ONE], place)
        passes(table, 5)
    moved = [motion for motion in motions(table.said) if ONE in {move.item for move in motion.moves}]
    places = [place_of(table)]
    table.move([ONE], spot(1) if places == [tray(1)] else tray(1))
    passes(table, 5)
    assert [place_of(table)] == places
    assert moved
