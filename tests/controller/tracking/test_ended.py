"""Motions behind which somebody acted: they need no quiet, but a chip that may still come is waited for."""

from tests.controller.tracking.test_motions import Table, chip, held, settled


def test_a_push_behind_which_the_next_player_acts_ends_without_its_quiet_time() -> None:
    table = Table(quiet_ms=60_000).count_in()
    table.push(1, 0)
    table.run(9)
    [motion] = table.tracker.open_motions()

    [ended] = settled(table.tracker.end(motion.number, table.ns))

    assert ended.doubtful == ()


def test_it_waits_for_a_chip_that_left_the_tray_and_is_nowhere_yet() -> None:
    table = Table(quiet_ms=1000, hold_ms=30_000).count_in()
    table.push(1, 0)
    table.move([chip(1, 1)], held(1))
    table.run(7)
    [motion] = table.tracker.open_motions()

    assert settled(table.tracker.end(motion.number, table.ns)) == []

    table.push(1, 1)
    said = table.run(9)
    [ended] = settled(said)
    assert {move.item for move in ended.moves} == {chip(1, 0), chip(1, 1)}


def test_it_waits_no_longer_than_the_hold_and_names_the_chip() -> None:
    table = Table(quiet_ms=1000, hold_ms=3000).count_in()
    table.push(1, 0)
    table.move([chip(1, 1)], held(1))
    table.run(7)
    [motion] = table.tracker.open_motions()
    said = [*table.tracker.end(motion.number, table.ns), *table.run(40)]

    [ended] = [one for one in settled(said) if one.number == motion.number]

    assert [one.item for one in ended.perhaps] == [chip(1, 1)]
