"""Chips in shadow: what one sighting tells, and that a young clock makes none of them doubtful."""

from controller.places import Zone
from tests.controller.tracking.toy_table import Table, chip, held, settled, tray

CHIPS_ONLY = (Zone.HOLE, Zone.BOARD, Zone.MUCK, Zone.POT)


def counted() -> Table:
    return Table(seats=1, chips=6, without=CHIPS_ONLY, hold_ms=2000, quiet_ms=300).count_in()


def pushed_but_one_in_shadow(table: Table) -> None:
    """Two chips are pushed; the spot shows one of them, the tray neither."""
    table.push(1, 0)
    table.move([chip(1, 1)], held(1))
    table.run(8)


def shown_by_the_tray(table: Table, name: str) -> None:
    """One cycle in which the tray hears a chip, astray or not."""
    table.dbm[name, tray(1)] = None  # type: ignore[assignment]  -- heard without a strength
    table.run(1)
    del table.dbm[name, tray(1)]


def test_a_stray_sighting_of_a_chip_in_shadow_ends_no_doubt() -> None:
    """Read astray by the tray, once in many rounds: the chip may still be part of the push."""
    table = counted()
    pushed_but_one_in_shadow(table)
    shown_by_the_tray(table, chip(1, 1))

    assert settled(table.run(8)) == []
    [motion] = [motion for motion in settled(table.run(20)) if motion.perhaps]
    assert [one.item for one in motion.perhaps] == [chip(1, 1)]


def test_a_chip_that_was_read_astray_and_is_found_on_the_spot_is_of_the_push() -> None:
    table = counted()
    pushed_but_one_in_shadow(table)
    shown_by_the_tray(table, chip(1, 1))
    table.run(4)
    table.push(1, 1)

    assert [len(motion.moves) for motion in settled(table.run(20))] == [2]


def test_a_second_sighting_by_the_tray_ends_the_doubt() -> None:
    table = counted()
    pushed_but_one_in_shadow(table)
    shown_by_the_tray(table, chip(1, 1))
    table.run(2)
    assert settled(table.said) == []
    shown_by_the_tray(table, chip(1, 1))
    table.run(4)

    assert [len(motion.moves) for motion in settled(table.said)] == [1]


def test_a_single_miss_of_a_tray_that_misses_singly_is_no_shadow() -> None:
    table = counted()
    for number in range(6):  # misses that stand alone are the habit of this tray
        table.move([chip(1, number)], held(1))
        table.run(1)
        table.move([chip(1, number)], tray(1))
        table.run(2)
    table.push(1, 0)
    table.move([chip(1, 1)], held(1))
    table.run(1)
    table.move([chip(1, 1)], tray(1))
    table.run(1)

    assert not table.tracker._presence.fields[0].returned


def test_a_push_right_after_the_clock_began_is_final_in_time() -> None:
    """Chips of the tray that are missed now and then were never glimpsed before: not at the beginning of time either."""
    table = Table(seats=1, chips=60, without=CHIPS_ONLY, hold_ms=10**6, quiet_ms=300).count_in()
    assert table.ns < 10**9
    table.push(1, 0)
    table.run(4)
    table.miss = 0.2

    assert settled(table.run_until_quiet())


# ------------------------------------------------------------ without trays


def without_trays() -> Table:
    return Table(seats=1, chips=6, without=(*CHIPS_ONLY, Zone.TRAY), hold_ms=2000, quiet_ms=300).count_in()


def test_without_trays_a_chip_that_the_spot_showed_twice_and_lost_is_waited_for() -> None:
    """Three sightings of four that decide, then shadow: too little to count it, too much to rule without it."""
    table = without_trays()
    table.push(1, 0, 1)
    table.run(3)
    table.move([chip(1, 1)], held(1))
    table.run(14)
    assert [motion.doubtful for motion in table.tracker.open_motions()] == [(chip(1, 1),)]
    table.push(1, 1)

    assert [len(motion.moves) for motion in settled(table.run(20))] == [2]


def test_without_trays_a_chip_cut_out_and_taken_back_holds_the_push_up_for_the_hold_time_only() -> None:
    table = without_trays()
    table.push(1, 0, 1)
    table.run(3)
    table.move([chip(1, 1)], held(1))
    assert settled(table.run(16)) == []

    assert [len(motion.moves) for motion in settled(table.run(6))] == [1]


def test_without_trays_one_passing_sighting_holds_nothing_up() -> None:
    table = without_trays()
    table.push(1, 0, 1)
    table.run(1)
    table.move([chip(1, 1)], held(1))

    assert [len(motion.moves) for motion in settled(table.run(8))] == [1]


def test_a_chip_taken_back_into_the_shadow_of_its_tray_keeps_the_push_open() -> None:
    """It lay long enough to be decided; the spot shows it no more, the tray not yet."""
    table = Table(seats=1, chips=6, without=CHIPS_ONLY, quiet_ms=1000).count_in()
    table.push(1, 0, 1)
    table.run(6)
    table.move([chip(1, 1)], held(1))
    assert settled(table.run(12)) == []
    table.move([chip(1, 1)], tray(1))

    assert [len(motion.moves) for motion in settled(table.run(20))][-1:] == [1]
