"""Not known is never empty: lost, silent, failed and overfull antennas; counting in; foreign tags; restart."""

import pytest

from controller.errors import ConfigError
from controller.places import BANK, BOARD, POT, Place, Zone
from controller.registry.registry import Item, Registry
from controller.tracking.events import CountedIn, ForeignTags, PlaceKnown, SeenTwice
from controller.tracking.layout import Antenna, Layout
from controller.tracking.tracker import Tracker
from firmware_bridge.events import ReaderFault, ReaderLost, ReaderUp
from tests.controller.tracking.toy_table import Table, chip, held, hole, motions, moves, settled, spot, tray


def known(events: list[object]) -> list[tuple[Place, bool, str]]:
    return [(event.place, event.known, event.why) for event in events if isinstance(event, PlaceKnown)]


# ------------------------------------------------------------ readers


def test_a_lost_reader_makes_its_places_unknown_and_no_others() -> None:
    table = Table(seats=1).count_in()

    said = table.tracker.take(ReaderLost("seats", table.ns, "unplugged"))

    assert known(said) == [(tray(1), False, "lost"), (spot(1), False, "lost")]


def test_a_reader_that_comes_back_is_known_after_enough_complete_rounds() -> None:
    table = Table(seats=1, steps=3).count_in()
    table.tracker.take(ReaderLost("seats", table.ns, "unplugged"))
    said = table.tracker.take(ReaderUp("seats", table.ns, "tablelink 1.0"))
    assert {why for _, _, why in known(said)} == {"counting"}
    table.run(2)

    said = table.run(1)

    assert known(said) == [(tray(1), True, "ok"), (spot(1), True, "ok")]


def test_a_reader_that_says_again_who_it_is_is_no_news_and_another_one_counts_anew() -> None:
    table = Table(seats=1).count_in()
    table.tracker.take(ReaderUp("seats", table.ns, "boot 1"))

    assert known(table.tracker.take(ReaderUp("seats", table.ns, "boot 1"))) == []
    assert (tray(1), False, "counting") in known(table.tracker.take(ReaderUp("seats", table.ns, "boot 2")))


def test_a_fault_now_and_then_does_not_keep_a_chip_from_being_decided() -> None:
    table = Table(seats=1).count_in()
    table.push(1, 0)
    for _ in range(6):
        table.tracker.take(ReaderFault("seats", table.ns, "syntax", "the chip did not understand the last command"))
        table.run(1)

    assert table.tracker.places()[chip(1, 0)] == spot(1)


def test_a_lost_reader_moves_no_chip() -> None:
    table = Table().count_in()
    before = table.tracker.places()
    table.tracker.take(ReaderLost("seats", table.ns, "unplugged"))
    table.dead.add("seats")
    table.run(100)
    table.dead.clear()
    table.run(20)

    assert table.tracker.places() == before
    assert not motions(table.said)


def test_steps_half_done_when_a_reader_is_lost_are_dropped() -> None:
    table = Table().count_in()
    table.push(1, 0)
    for _ in range(3):
        table.scan(spot(1))
        table.scan(tray(1))
    table.scan(spot(1))
    table.tracker.take(ReaderLost("seats", table.ns, "unplugged"))
    for _ in range(4):  # counted anew
        table.scan(tray(1))
    assert table.tracker.places()[chip(1, 0)] == tray(1)
    for _ in range(4):
        table.scan(spot(1))
        table.scan(tray(1))

    assert table.tracker.places()[chip(1, 0)] == spot(1)


def test_a_silent_reader_is_told_by_time_alone() -> None:
    table = Table(seats=1).count_in()
    table.dead.add("middle")

    said = table.run(29)
    assert known(said) == []
    said = table.run(6)

    assert known(said) == [(POT, False, "silent")]


def test_silence_is_relative_to_the_usual_gap_of_a_slow_antenna() -> None:
    table = Table(seats=1).count_in()
    for _ in range(30):
        table.scan(POT, ms=2000)
        table.tracker.tick(table.ns)

    said = table._keep(table.tracker.tick(table.ns + 10 * 10**9))

    assert (POT, False, "silent") not in known(said)


def test_a_fault_makes_places_unknown_until_rounds_come() -> None:
    table = Table(seats=1).count_in()
    said = table.tracker.take(ReaderFault("middle", table.ns, "hal", "the antenna is not connected"))
    assert known(said) == [(POT, False, "fault")]

    assert (POT, True, "ok") in known(table.run(4))


def test_rounds_that_are_never_complete_are_silence() -> None:
    table = Table(seats=1).count_in()

    said = table.run(40, incomplete=[spot(1)])

    assert known(said) == [(spot(1), False, "silent")]


def test_an_antenna_with_more_tags_than_it_reads_well_is_not_known() -> None:
    table = Table(seats=1, chips=61)
    table.move([chip(1, 60)], held(1))
    table.count_in()
    table.move([chip(1, 60)], tray(1))
    assert known(table.run(3)) == [(tray(1), False, "overfull")]
    table.move([chip(1, 60)], held(1))

    assert known(table.run(6)) == [(tray(1), True, "ok")]


def test_on_an_overfull_tray_absences_do_not_count() -> None:
    table = Table(seats=1, chips=62)
    table.move([chip(1, 60), chip(1, 61)], held(1))
    table.count_in()
    table.move([chip(1, 60), chip(1, 61)], tray(1))
    table.run(10)
    table.move([chip(1, 0)], held(1))
    table.run(100)

    assert table.tracker.places()[chip(1, 0)] == tray(1)


# ------------------------------------------------------------ counting in


def test_counted_in_after_enough_complete_rounds_of_every_tray_and_nothing_is_a_motion_before() -> None:
    table = Table(seats=2)
    said = table.run(3)
    assert not any(isinstance(event, CountedIn) for event in said)
    said = table.run(2)

    assert sum(isinstance(event, CountedIn) for event in said) == 1
    assert not motions(table.said)
    assert all(table.tracker.places()[name] == lies for name, lies in table.where.items())


def test_without_trays_every_spot_is_counted_in() -> None:
    table = Table(seats=2, without=[Zone.TRAY])
    for _ in range(10):
        table.scan(spot(1))
    assert not any(isinstance(event, CountedIn) for event in table.said)
    for _ in range(4):
        table.scan(spot(2))

    assert any(isinstance(event, CountedIn) for event in table.said)


@pytest.mark.parametrize("seed", range(8))
def test_counting_in_waits_out_the_shadows_of_a_noisy_table(seed: int) -> None:
    """Misses in bursts of five rounds: a chip may be hidden from the start, and is no purchase later."""
    table = Table(seats=4, chips=30, miss=0.05, stray=0.01, burst=5, seed=seed, without=[Zone.HOLE]).count_in()
    table.run(60)

    assert not [move for motion in motions(table.said) for move in motion.moves if move.origin == BANK]


def test_stray_readings_of_chips_that_their_trays_show_do_not_prolong_the_counting() -> None:
    table = Table(seats=8, chips=60, miss=0.05, stray=0.01, without=[Zone.HOLE])
    began = table.ns
    table.count_in()

    assert table.ns - began < 6 * 10**9


def test_counting_in_ends_after_thirty_seconds_at_the_latest() -> None:
    table = Table(seats=1, chips=3)
    began = table.ns
    for cycle in range(400):  # somebody plays with a chip all the time
        table.move([chip(1, 0)], tray(1) if cycle % 20 else held(1))
        table.run(1)
        if any(isinstance(event, CountedIn) for event in table.said):
            break

    assert table.ns - began <= 30.2 * 10**9


def test_a_dead_tray_keeps_the_table_counting() -> None:
    table = Table(seats=1)
    table.dead.add("seats")

    assert not any(isinstance(event, CountedIn) for event in table.run(60))


def test_counting_in_waits_for_a_chip_that_is_half_seen() -> None:
    table = Table(seats=1, chips=3)
    table.move([chip(1, 2)], held(1))
    table.run(3)
    table.move([chip(1, 2)], tray(1))
    table.run(20)

    assert any(isinstance(event, CountedIn) for event in table.said)
    assert table.tracker.places()[chip(1, 2)] == tray(1)
    assert not motions(table.said)


def test_chips_seen_nowhere_are_in_the_bank() -> None:
    table = Table(seats=1, chips=3)
    table.move([chip(1, 2)], held(1))
    table.count_in()

    assert table.tracker.places()[chip(1, 2)] == BANK


# ------------------------------------------------------------ restart


def test_after_a_restart_chips_in_hands_are_known_and_nothing_is_bought_in() -> None:
    table = Table(seats=1, chips=3)
    table.tracker.restore({chip(1, 0): tray(1), chip(1, 1): spot(1), chip(1, 2): held(1), "no such": tray(1)})
    table.move([chip(1, 1)], spot(1))
    table.move([chip(1, 2)], held(1))
    table.count_in()
    table.run(20)
    assert table.tracker.places()[chip(1, 2)] == held(1)
    table.push(1, 2)
    table.run_until_quiet()

    assert [moves(motion) for motion in settled(table.said)] == [{(chip(1, 2), held(1), spot(1))}]


def test_after_a_restart_the_antennas_are_right_where_they_differ() -> None:
    table = Table(seats=2, chips=2)
    table.tracker.restore(dict.fromkeys(table.where, tray(1)))
    table.count_in()
    table.run(20)

    assert {name: table.tracker.places()[name] for name in table.where} == table.where
    assert not motions(table.said)


# ------------------------------------------------------------ foreign tags


def foreign(table: Table) -> list[tuple[Place, int]]:
    return [(event.place, event.count) for event in table.said if isinstance(event, ForeignTags)]


def test_a_tag_like_this_tables_read_in_two_rounds_is_foreign_until_it_is_gone() -> None:
    table = Table(seats=1).count_in()
    table.where["04FFFFFFFFFFFF"] = spot(1)
    table.run(1)
    assert foreign(table) == []
    table.run(1)
    assert foreign(table) == [(spot(1), 1)]
    del table.where["04FFFFFFFFFFFF"]
    table.run(10)

    assert foreign(table) == [(spot(1), 1), (spot(1), 0)]


@pytest.mark.parametrize("tag", ["E0FFFFFFFFFFFF", "04FFFFFF", "E2801170000002", "NO HEX", ""])
def test_tags_that_look_otherwise_are_passed_over(tag: str) -> None:
    table = Table(seats=1).count_in()
    table.where[tag] = spot(1)
    table.run(10)

    assert foreign(table) == []


def test_on_the_board_any_unknown_tag_may_be_a_card() -> None:
    table = Table(seats=1).count_in()
    table.where["E2801170000002"] = BOARD
    table.run(10)
    assert foreign(table) == [(BOARD, 1)]
    table.tracker.ignore_foreign(BOARD)
    table.run(10)

    assert foreign(table) == [(BOARD, 1)]


def test_not_a_chip_is_ignored_for_good() -> None:
    table = Table(seats=1).count_in()
    table.where["04FFFFFFFFFFFF"] = spot(1)
    table.run(5)
    table.tracker.ignore_foreign(spot(1))
    table.run(20)
    table.where["04FFFFFFFFFFFF"] = tray(1)
    table.run(20)

    assert foreign(table) == [(spot(1), 1)]
    assert table.tracker.ignored == {"04FFFFFFFFFFFF"}


def test_withdrawn_chips_count_as_foreign_and_ignored_ones_do_not() -> None:
    items = [
        Item("old", "04000000000001", "chip", 5, "", "withdrawn"),
        Item("pass", "04000000000002", "chip", 5, "", "ignore"),
        Item("good", "04000000000003", "chip", 5),
    ]
    table = Table(seats=1)
    table.tracker = Tracker(Registry(items), table.layout)
    table.where = {item.tag: spot(1) for item in items}
    table.run(10)

    assert foreign(table) == [(spot(1), 1)]
    assert table.tracker.places() == {"old": BANK, "pass": BANK, "good": spot(1)}


# ------------------------------------------------------------ the rest


def test_still_chips_give_the_rates_of_each_antenna() -> None:
    table = Table(seats=2, chips=30, miss=0.08, stray=0.02, without=[Zone.HOLE, Zone.BOARD, Zone.MUCK])
    table.count_in()
    table.run(500)

    rates = {rate.place: rate for rate in table.tracker.rates()}
    one = rates[tray(1)]
    assert 0.06 < one.misses / (one.hits + one.misses) < 0.10
    assert 0.015 < rates[spot(1)].strays / (60 * rates[spot(1)].rounds) < 0.025
    assert rates[POT].hits == 0


def test_two_antennas_of_one_number_are_refused() -> None:
    twice = (Antenna("a", 1, tray(1)), Antenna("a", 1, spot(1)))

    with pytest.raises(ConfigError, match="same reader and number"):
        Tracker(Registry([]), Layout(twice))


def test_a_place_with_two_antennas_is_one_place() -> None:
    antennas = (Antenna("seats", 1, tray(1)), Antenna("seats", 2, spot(1)), Antenna("seats", 3, hole(1)))
    table = Table(seats=1)
    table.layout = Layout((*antennas, Antenna("seats", 4, tray(1))))
    table.tracker = Tracker(table.registry, table.layout)
    table.neighbours = {antenna.place: [] for antenna in table.layout.antennas}
    table.miss = 0.2
    table.run(200)

    assert table.tracker.places()[chip(1, 0)] == tray(1)
    assert not any(isinstance(event, SeenTwice) and event.items for event in table.said)
    assert not motions(table.said)
    assert any(isinstance(event, CountedIn) for event in table.said)
