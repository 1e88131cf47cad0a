"""Moves that belong together: grouping, quiet time, doubt, second trips, and how motions end."""

import pytest

from controller.places import BANK, POT, Place, Zone
from controller.tracking.layout import Antenna, Layout
from controller.tracking.tracker import Tracker
from firmware_bridge.events import ReaderLost
from tests.controller.tracking.toy_table import MS, Table, chip, held, motions, moves, settled, spot, tray, withdrawn


def pushed(seat: int, *numbers: int) -> set[tuple[str, Place, Place]]:
    return {(chip(seat, number), tray(seat), spot(seat)) for number in numbers}


PUSHED_OR_SPLASHED = [pytest.param(spot(1), id="pushed"), pytest.param(POT, id="splashed")]


# ------------------------------------------------------------ one push


def test_a_push_is_one_motion_repeated_with_its_number_and_settled_once() -> None:
    table = Table().count_in()
    table.push(1, 0, 1, 2)

    said = table.run_until_quiet()

    assert {motion.number for motion in motions(said)} == {1}
    assert [motion.settled for motion in motions(said)] == [False, True]
    assert moves(motions(said)[-1]) == pushed(1, 0, 1, 2)


def test_a_push_settles_no_sooner_than_the_quiet_time_after_its_last_chip() -> None:
    table = Table(quiet_ms=1500).count_in()
    table.push(1, 0)
    table.run(8)
    table.push(1, 1)
    began = table.ns

    said = table.run_until_quiet()

    [motion] = settled(said)
    settled_ns = next(e.at_ns for e in said if getattr(e, "motion", None) == motion)
    assert moves(motion) == pushed(1, 0, 1)
    assert began <= motion.last_ns <= began + 100 * MS
    assert motion.last_ns + 1500 * MS <= settled_ns <= motion.last_ns + 1700 * MS


def test_chips_after_a_settled_push_are_a_new_motion() -> None:
    table = Table().count_in()
    table.push(1, 0)
    table.run_until_quiet()
    table.push(1, 1)
    table.run_until_quiet()

    assert [moves(motion) for motion in settled(table.said)] == [pushed(1, 0), pushed(1, 1)]


def test_two_seats_push_in_two_motions() -> None:
    table = Table().count_in()
    table.push(1, 0)
    table.push(2, 0)

    table.run_until_quiet()

    assert sorted(map(str, (moves(m) for m in settled(table.said)))) == sorted(map(str, (pushed(1, 0), pushed(2, 0))))


def test_the_times_of_a_motion_are_first_sightings_at_the_target() -> None:
    table = Table().count_in()
    began = table.ns
    table.push(1, 0)
    table.run(5)
    later = table.ns
    table.push(1, 1)

    [motion] = settled(table.run_until_quiet())

    assert began < motion.first_ns < began + 100 * MS
    assert later < motion.last_ns < later + 100 * MS


# ------------------------------------------------------------ taken back


def test_a_push_taken_back_whole_is_withdrawn() -> None:
    table = Table().count_in()
    names = table.push(1, 0, 1)
    table.run(8)
    assert table.tracker.open_motions()
    table.move(names, tray(1))

    said = table.run_until_quiet()

    assert withdrawn(said) == [1]
    assert not settled(table.said)


def test_chips_cut_out_and_taken_back_are_not_part_of_the_push() -> None:
    table = Table().count_in()
    table.push(1, *range(10))
    table.run(8)
    table.move([chip(1, number) for number in range(4, 10)], tray(1))

    table.run_until_quiet()

    [motion] = settled(table.said)
    assert moves(motion) == pushed(1, 0, 1, 2, 3)
    assert motion.doubtful == ()


def test_chips_taken_back_out_of_a_push_that_had_lain_quietly_are_named() -> None:
    """It was no cutting out: in front of a person's eyes that push was made. A chip in the hand had kept it open."""
    table = Table().count_in()
    table.push(1, *range(4))
    table.move([chip(1, 9)], held(1))
    table.run(30)
    assert table.tracker.open_motions()
    table.move([chip(1, 2), chip(1, 3)], tray(1))
    table.run(8)
    table.move([chip(1, 9)], tray(1))

    motion = settled(table.run_until_quiet())[-1]

    assert moves(motion) == pushed(1, 0, 1)
    assert motion.doubtful == (chip(1, 2), chip(1, 3))


def test_chips_that_lay_there_as_long_but_were_never_decided_are_named() -> None:
    table = Table(steps=20).count_in()
    table.push(1, 0)
    table.run(15)
    table.push(1, 1, 2)
    table.run(17)
    table.move([chip(1, 1), chip(1, 2)], tray(1))

    [motion] = settled(table.run_until_quiet())

    assert moves(motion) == pushed(1, 0)
    assert motion.doubtful == (chip(1, 1), chip(1, 2))


def test_behind_a_silent_antenna_no_push_ends_because_somebody_acted() -> None:
    """Unknown is never empty: chips that came while nothing was heard are of it."""
    table = Table().count_in()
    table.push(1, 0, 1)
    table.run(8)
    [motion] = table.tracker.open_motions()
    table.dead.add("seats")
    table.push(1, 2)
    table.run(120)
    table.tracker.end(motion.number, table.ns)
    table.run(30)
    assert not settled(table.said)
    table.dead.clear()

    [motion] = settled(table.run_until_quiet())

    assert moves(motion) == pushed(1, 0, 1, 2)


def test_a_chip_that_tray_and_spot_showed_by_turns_holds_the_push_while_neither_does() -> None:
    table = Table().count_in()
    table.dbm[chip(1, 1), tray(1)] = -60
    table.push(1, 0, 1)
    table.run(13)
    del table.dbm[chip(1, 1), tray(1)]
    table.move([chip(1, 1)], held(1))
    table.run(20)
    assert not settled(table.said)
    table.move([chip(1, 1)], spot(1))

    [motion] = settled(table.run_until_quiet())

    assert moves(motion) == pushed(1, 0, 1)


def test_tda_46_prior_chips_pulled_back_are_seen_together_with_the_push() -> None:
    table = Table().count_in()
    prior = table.push(1, 0)
    table.run_until_quiet()
    table.move(prior, tray(1))
    table.push(1, 1, 2)

    [motion] = settled(table.run_until_quiet())

    assert moves(motion) == pushed(1, 1, 2) | {(chip(1, 0), spot(1), tray(1))}


def test_a_chip_pulled_back_is_of_the_push_behind_which_somebody_acted() -> None:
    """TDA 2024 46: the tray shows it again, and that is why; it is no chip of the next push."""
    table = Table(steps=6).count_in()
    prior = table.push(1, 0, 1)
    table.run_until_quiet()
    table.move(prior, tray(1))
    table.dbm[prior[1], spot(1)] = -60  # its spot shows it for a while all the same
    table.push(1, 2, 3)
    table.run(5)
    del table.dbm[prior[1], spot(1)]
    table.run(3)
    [motion] = table.tracker.open_motions()
    table.tracker.end(motion.number, table.ns)

    [motion] = settled(table.run_until_quiet())

    assert moves(motion) == pushed(1, 2, 3) | {(name, spot(1), tray(1)) for name in prior}


def test_tda_46_prior_chips_that_may_have_been_pulled_back_into_the_hand_go_open_with_the_push() -> None:
    """Absence is no move: the spot does not show the chip, which lies there unread or is in the hand."""
    table = Table().count_in()
    prior = table.push(1, 0)
    table.run_until_quiet()
    table.move(prior, held(1))
    table.push(1, 1, 2)
    table.run(30)
    [open_motion] = table.tracker.open_motions()
    assert open_motion.doubtful == (chip(1, 0),)

    [motion] = settled(table.run_until_quiet())

    assert moves(motion) == pushed(1, 1, 2)
    [perhaps] = motion.perhaps
    assert (perhaps.item, perhaps.origin, perhaps.target) == (chip(1, 0), spot(1), held(1))
    assert perhaps.chance > 0.5


def test_change_taken_is_a_motion_from_the_spot_to_the_tray() -> None:
    table = Table().count_in()
    table.push(1, 0, 1)
    table.run_until_quiet()
    table.move([chip(1, 1)], tray(1))

    [motion] = settled(table.run_until_quiet())

    assert moves(motion) == {(chip(1, 1), spot(1), tray(1))}


def test_chips_missing_from_the_tray_are_no_doubt_about_change_taken() -> None:
    table = Table().count_in()
    table.push(1, 0, 1)
    table.run_until_quiet()
    table.move([chip(1, 1)], tray(1))
    table.move([chip(1, 5)], held(1))

    [motion] = settled(table.run(20))

    assert moves(motion) == {(chip(1, 1), spot(1), tray(1))}
    assert motion.doubtful == ()


# ------------------------------------------------------------ doubt


@pytest.mark.parametrize("forward", PUSHED_OR_SPLASHED)
def test_a_chip_that_left_the_tray_with_the_push_and_is_nowhere_keeps_it_open_for_a_hold_and_goes_open_with_it(
    forward: Place,
) -> None:
    table = Table(hold_ms=4000).count_in()
    table.move([chip(1, 0)], forward)
    table.move([chip(1, 1)], held(1))

    said = table.run(35)
    assert {motion.number for motion in settled(said)}.isdisjoint({1})
    [motion] = table.tracker.open_motions()
    assert motion.doubtful == (chip(1, 1),)

    push = next(motion for motion in settled(table.run(10)) if motion.number == 1)
    assert [(one.item, one.target) for one in push.perhaps] == [(chip(1, 1), forward)]
    assert push.perhaps[0].chance > 0.005
    table.run(20)
    assert table.tracker.places()[chip(1, 1)] == held(1)


@pytest.mark.parametrize("forward", PUSHED_OR_SPLASHED)
def test_the_doubtful_chip_back_on_its_tray_settles_the_push(forward: Place) -> None:
    table = Table().count_in()
    table.move([chip(1, 0)], forward)
    table.move([chip(1, 1)], held(1))
    table.run(30)
    table.move([chip(1, 1)], tray(1))

    said = table.run_until_quiet()

    push = next(m for m in settled(said) if m.number == 1)
    assert push.doubtful == ()
    assert moves(push) == {(chip(1, 0), tray(1), forward)}


@pytest.mark.parametrize("forward", PUSHED_OR_SPLASHED)
def test_the_doubtful_chip_seen_late_on_the_spot_is_part_of_the_push(forward: Place) -> None:
    table = Table().count_in()
    table.move([chip(1, 0)], forward)
    table.move([chip(1, 1)], held(1))
    table.run(30)
    table.move([chip(1, 1)], forward)

    said = table.run_until_quiet()

    push = next(m for m in settled(said) if m.number == 1)
    assert {move.item for move in push.moves} == {chip(1, 0), chip(1, 1)}


@pytest.mark.parametrize("forward", PUSHED_OR_SPLASHED)
def test_a_chip_that_left_with_the_push_and_showed_for_a_moment_after_its_last_arrival_keeps_it_open(
    forward: Place,
) -> None:
    table = Table(hold_ms=4000).count_in()
    table.move([chip(1, 0), chip(1, 1)], forward)
    table.run(3)
    table.move([chip(1, 1)], held(1))

    said = table.run(35)

    assert settled(said) == []
    [motion] = table.tracker.open_motions()
    assert motion.doubtful == (chip(1, 1),)
    assert moves(motion) == {(chip(1, 0), tray(1), forward)}


def test_chips_held_before_the_push_began_block_nothing() -> None:
    table = Table(hold_ms=4000).count_in()
    table.move([chip(1, 5), chip(1, 6)], held(1))
    table.run(60)
    table.push(1, 0)

    said = table.run(30)

    assert [moves(motion) for motion in settled(said)] == [pushed(1, 0)]
    assert settled(said)[0].doubtful == ()


def test_chips_held_long_before_at_a_slow_table_block_nothing_though_too_few_rounds_call_them_held() -> None:
    table = Table(seats=1, hold_ms=3000).count_in()
    table.move([chip(1, 5)], held(1))
    for _ in range(5):
        table.scan(tray(1), ms=900)
        table.scan(spot(1), ms=100)
    assert table.tracker.places()[chip(1, 5)] == tray(1)
    table.push(1, 0)

    assert [moves(motion) for motion in settled(table.run(18))] == [pushed(1, 0)]


def shadowy() -> Table:
    """The tray of seat 1 misses chips one by one, five rounds in a row: that is how long its shadows are."""
    table = Table(hold_ms=1000, quiet_ms=300).count_in()
    for number in range(2, 10):
        table.move([chip(1, number)], held(1))
        table.run(5)
        table.move([chip(1, number)], tray(1))
        table.run(2)
    return table


def test_a_chip_missed_long_before_the_push_by_a_tray_that_misses_singly_holds_nothing_up() -> None:
    table = Table(hold_ms=1000, quiet_ms=300).count_in()
    table.move([chip(1, 1)], held(1))
    table.run(12)
    table.push(1, 0)

    [motion] = settled(table.run(10))
    assert all(one.chance < 0.005 for one in motion.perhaps)


def test_a_shadow_ends_and_the_push_that_it_held_is_settled_without_that_chip() -> None:
    table = shadowy()
    table.move([chip(1, 1)], held(1))
    table.run(8)
    table.push(1, 0)
    table.run(8)
    table.move([chip(1, 1)], tray(1))

    [motion] = settled(table.run_until_quiet())

    assert moves(motion) == pushed(1, 0)
    assert motion.doubtful == ()


def test_a_push_waits_while_the_reader_of_its_tray_alone_is_lost() -> None:
    table = Table(seats=1)
    table.layout = Layout((Antenna("trays", 1, tray(1)), *table.layout.antennas[1:]))
    table.tracker = Tracker(table.registry, table.layout)
    table.count_in()
    table.push(1, 0)
    table.run(6)
    table.tracker.take(ReaderLost("trays", table.ns, "unplugged"))
    table.dead.add("trays")
    assert not settled(table.run(100))
    table.dead.clear()

    assert [moves(motion) for motion in settled(table.run(10))] == [pushed(1, 0)]


def test_chips_pushed_from_the_hand_come_from_the_hand() -> None:
    table = Table().count_in()
    table.move([chip(1, 5)], held(1))
    table.run(60)
    table.push(1, 5)

    [motion] = settled(table.run_until_quiet())

    assert moves(motion) == {(chip(1, 5), held(1), spot(1))}


def test_a_motion_is_not_settled_while_the_reader_of_its_seat_is_lost() -> None:
    table = Table(seats=1).count_in()
    table.push(1, 0)
    table.run(8)
    table.dead.add("seats")
    assert not settled(table.run(60))

    table.dead.clear()
    assert settled(table.run_until_quiet())


# ------------------------------------------------------------ settled by somebody


def test_a_person_settles_an_open_motion_with_its_doubt_listed() -> None:
    table = Table().count_in()
    table.push(1, 0)
    table.move([chip(1, 1)], held(1))
    table.run(20)
    [motion] = table.tracker.open_motions()

    said = table.tracker.settle(motion.number, table.ns)

    assert [[one.item for one in m.perhaps] for m in settled(said)] == [[chip(1, 1)]]
    assert not table.tracker.open_motions()


def test_settling_is_refused_while_a_chip_is_undecided() -> None:
    table = Table().count_in()
    table.push(1, 0)
    table.run(8)
    table.push(1, 1)
    table.run(2)

    assert table.tracker.settle(1, table.ns) == []
    table.run(4)
    assert settled(table.tracker.settle(1, table.ns))


def test_settling_what_is_not_open_gives_nothing() -> None:
    table = Table().count_in()

    assert table.tracker.settle(7, table.ns) == []


# ------------------------------------------------------------ second trips


def test_a_second_trip_is_known_by_two_rounds_of_the_tray_begun_after_the_first_chip_lay_on_the_spot() -> None:
    table = Table().count_in()
    table.push(1, 0)
    table.run(4)
    table.push(1, 1)

    [motion] = settled(table.run_until_quiet())

    assert motion.later_trip
    assert motion.second == ()
    assert moves(motion) == pushed(1, 0, 1)


def test_a_second_trip_behind_a_push_that_had_lain_quietly_is_told_apart() -> None:
    """A chip in the hand had kept the motion open for longer than a push takes to be final."""
    table = Table().count_in()
    table.push(1, 0)
    table.move([chip(1, 9)], held(1))
    table.run(30)
    table.push(1, 1, 2)
    table.run(10)
    table.move([chip(1, 9)], tray(1))

    motion = settled(table.run_until_quiet())[-1]

    assert motion.second == (chip(1, 1), chip(1, 2))
    assert moves(motion) == pushed(1, 0, 1, 2)


def test_one_round_of_the_tray_is_no_evidence_of_a_second_trip() -> None:
    table = Table().count_in()
    table.push(1, 0)
    table.run(2)  # the tray is scanned first: one round began after the first chip was seen
    table.push(1, 1)

    [motion] = settled(table.run_until_quiet())

    assert not motion.later_trip


def test_chips_of_one_push_that_are_seen_late_are_no_second_trip() -> None:
    """Arrival times never make a string bet."""
    table = Table(hold_ms=4000).count_in()
    table.push(1, 0)
    table.move([chip(1, 1)], held(1))  # under the other: unseen for two seconds
    table.run(20)
    table.push(1, 1)

    [motion] = settled(table.run_until_quiet())

    assert not motion.later_trip


def test_a_chip_that_its_tray_reads_on_the_spot_is_no_second_trip() -> None:
    table = Table(seats=1).count_in()
    names = table.push(1, 0, 1)
    table.dbm = dict.fromkeys(((name, tray(1)) for name in names), -60)
    table.run(10)
    table.dbm.clear()

    [motion] = settled(table.run_until_quiet())

    assert not motion.later_trip


def test_without_a_tray_antenna_nothing_is_a_second_trip() -> None:
    table = Table(without=[Zone.TRAY]).count_in()
    table.push(1, 0)
    table.run(8)
    table.push(1, 1)

    [motion] = settled(table.run_until_quiet())

    assert len(motion.moves) == 2
    assert not motion.later_trip


def test_tray_rounds_before_the_push_are_no_evidence_though_a_chip_was_read_on_both_before() -> None:
    table = Table().count_in()
    table.dbm[chip(1, 9), spot(1)] = -60
    table.run(8)
    table.push(1, 7, 8)
    table.run(8)
    table.dbm.clear()

    [motion] = settled(table.run_until_quiet())

    assert moves(motion) == pushed(1, 7, 8)
    assert not motion.later_trip


# ------------------------------------------------------------ other motions


def test_a_sweep_of_all_spots_is_one_motion_to_the_pot() -> None:
    table = Table().count_in()
    bets = [*table.push(1, 0, 1), *table.push(2, 0)]
    table.run_until_quiet()
    table.move(bets, POT)

    [motion] = settled(table.run_until_quiet())

    assert {(move.item, move.target) for move in motion.moves} == {(name, POT) for name in bets}
    assert {move.origin for move in motion.moves} == {spot(1), spot(2)}


def test_chips_thrown_half_on_the_spot_and_half_into_the_pot_are_one_push() -> None:
    table = Table().count_in()
    table.push(1, 0)
    table.run(5)
    table.move([chip(1, 1)], POT)

    [motion] = settled(table.run_until_quiet())

    assert moves(motion) == pushed(1, 0) | {(chip(1, 1), tray(1), POT)}


def test_chips_thrown_into_the_pot_from_tray_and_hand_are_one_push() -> None:
    table = Table().count_in()
    table.move([chip(1, 1)], held(1))
    table.run(100)
    table.move([chip(1, 0), chip(1, 1)], POT)

    [motion] = [motion for motion in settled(table.run_until_quiet()) if motion.number != 1]

    assert moves(motion) == {(chip(1, 0), tray(1), POT), (chip(1, 1), held(1), POT)}


def test_a_chip_of_a_seat_that_the_pot_shows_once_is_half_read_of_that_seat_and_no_other() -> None:
    table = Table().count_in()
    table.move([chip(1, 0)], POT)
    table.scan(POT)
    table.scan(tray(1))
    table.scan(POT)

    assert [seat for seat in (1, 2) if table.tracker.half_read(seat) is not None] == [1]


def test_one_sighting_on_the_spot_is_half_read_where_the_tray_has_lost_the_chip() -> None:
    table = Table().count_in()
    table.scan(tray(1))
    table.push(1, 0)
    table.scan(tray(1))
    table.scan(spot(1))

    assert table.tracker.half_read(1) == table.ns


def test_one_sighting_on_the_spot_is_a_stray_where_the_tray_shows_the_chip() -> None:
    table = Table(hold_ms=4000).count_in()
    table.dbm[chip(1, 0), spot(1)] = -60
    table.scan(spot(1))
    del table.dbm[chip(1, 0), spot(1)]

    assert table.tracker.half_read(1) is None


def test_a_splash_into_the_pot_is_a_motion_of_its_own_beside_a_sweep() -> None:
    table = Table().count_in()
    bet = table.push(1, 0)
    table.run_until_quiet()
    table.move([*bet, chip(2, 3)], POT)

    done = settled(table.run_until_quiet())

    assert sorted(str(moves(m)) for m in done) == sorted(
        [str({(chip(1, 0), spot(1), POT)}), str({(chip(2, 3), tray(2), POT)})]
    )


def test_a_pot_paid_to_two_trays_is_a_motion_a_tray() -> None:
    table = Table().count_in()
    table.move([chip(1, 0), chip(1, 1), chip(2, 0)], POT)
    table.run_until_quiet()
    table.move([chip(1, 0), chip(2, 0)], tray(1))
    table.move([chip(1, 1)], tray(2))

    done = settled(table.run_until_quiet())

    assert sorted(len(motion.moves) for motion in done) == [1, 2]
    assert all(move.origin == POT for motion in done for move in motion.moves)


def test_a_quick_sweep_settles_the_push_under_it_first() -> None:
    table = Table(quiet_ms=5000).count_in()
    names = table.push(1, 0, 1)
    table.run(6)
    table.move(names, POT)

    first, second = settled(table.run_until_quiet())

    assert moves(first) == pushed(1, 0, 1)
    assert moves(second) == {(name, spot(1), POT) for name in names}


def test_chips_passed_between_trays_are_a_motion_to_the_tray() -> None:
    table = Table().count_in()
    table.move([chip(1, 0)], tray(2))

    [motion] = settled(table.run_until_quiet())

    assert moves(motion) == {(chip(1, 0), tray(1), tray(2))}


def test_chips_riffled_in_the_hand_are_facts_without_quiet_time() -> None:
    table = Table().count_in()
    table.move([chip(1, 0), chip(1, 1)], held(1))
    out = settled(table.run(60))
    table.move([chip(1, 0), chip(1, 1)], tray(1))
    back = settled(table.run(6))

    assert [moves(m) for m in out] == [{(chip(1, n), tray(1), held(1)) for n in (0, 1)}]
    assert [moves(m) for m in back] == [{(chip(1, n), held(1), tray(1)) for n in (0, 1)}]
    assert not table.tracker.open_motions()


def test_bought_chips_come_from_the_bank() -> None:
    table = Table(chips=11)
    table.move([chip(1, 10)], BANK)
    table.count_in()
    table.move([chip(1, 10)], tray(1))

    [motion] = settled(table.run_until_quiet())

    assert moves(motion) == {(chip(1, 10), BANK, tray(1))}


def test_a_bet_seen_in_the_pot_for_two_steps_and_then_nowhere_was_swept() -> None:
    """Changed by the dealer into chips of the case before it was decided to lie in the pot."""
    table = Table().count_in()
    bets = table.push(1, 0, 1)
    table.run_until_quiet()
    table.move(bets, POT)
    table.run(3)
    table.move(bets[:1], BANK)

    done = settled(table.run(60))

    assert [moves(motion) for motion in done] == [{(name, spot(1), POT) for name in bets}]


def test_a_bet_in_a_hand_over_the_pot_for_one_round_was_not_swept() -> None:
    table = Table().count_in()
    bets = table.push(1, 0)
    table.run_until_quiet()
    table.move(bets, POT)
    table.run(1)
    table.move(bets, held(1))
    table.run(30)
    assert table.tracker.places()[chip(1, 0)] == spot(1)

    assert settled(table.run(60)) == [], "it lies there unread, or is in the hand: absence is no move"


def test_a_bet_is_not_swept_by_time_alone_after_it_was_seen_in_the_pot() -> None:
    table = Table().count_in()
    bets = table.push(1, 0)
    table.run_until_quiet()
    table.move(bets, POT)
    table.run(3)
    table.move(bets, BANK)
    for _ in range(2):  # few rounds in a long time
        table.scan(spot(1), ms=2500)
        table.scan(POT)

    assert table.tracker.places()[chip(1, 0)] == spot(1)


# ------------------------------------------------------------ poorer tables


def test_without_trays_a_push_comes_from_the_bank_and_later_from_the_hand() -> None:
    table = Table(without=[Zone.TRAY, Zone.POT]).count_in()
    name = chip(1, 0)
    table.push(1, 0)
    [first] = settled(table.run_until_quiet())
    table.move([name], held(1))
    [gone] = settled(table.run(60))
    table.push(1, 0)
    [again] = settled(table.run_until_quiet())

    assert moves(first) == {(name, BANK, spot(1))}
    assert moves(gone) == {(name, spot(1), held(1))}
    assert moves(again) == {(name, held(1), spot(1))}


def test_without_pot_antenna_swept_chips_are_no_part_of_the_next_push() -> None:
    table = Table(without=[Zone.POT]).count_in()
    table.push(1, 0)
    table.run_until_quiet()
    table.move([chip(1, 0)], held(1))
    table.run(20)
    table.push(1, 1)

    done = settled(table.run_until_quiet())

    assert {str(moves(m)) for m in done} == {str({(chip(1, 0), spot(1), held(1))}), str(pushed(1, 1))}


@pytest.mark.parametrize("gone", [(), (Zone.POT,), (Zone.TRAY,), (Zone.TRAY, Zone.POT)])
def test_every_item_is_in_exactly_one_place_whatever_antennas_are_missing(gone: tuple[Zone, ...]) -> None:
    table = Table(without=gone).count_in()
    table.push(1, 0, 1)
    table.run_until_quiet()
    table.move([chip(1, 0)], POT)
    table.run(80)

    assert table.tracker.places().keys() == table.registry.items.keys()


# ------------------------------------------------------------ what to scan first


def test_spot_and_tray_of_a_seat_with_an_open_motion_are_wanted() -> None:
    table = Table().count_in()
    assert table.tracker.wanted() == ()
    table.push(2, 0)
    table.run(2)

    assert table.tracker.wanted() == (("seats", 4), ("seats", 3), ("seats", 4)), "the spot twice a pass"
    table.run_until_quiet()
    assert table.tracker.wanted() == ()


def test_the_tracker_wakes_when_the_quiet_time_is_over() -> None:
    table = Table(quiet_ms=550).count_in()
    table.push(1, 0)
    table.run(5)
    table.scan(tray(1))
    [motion] = table.tracker.open_motions()

    assert table.tracker.wake_at_ns() == motion.last_ns + 550 * MS


def test_a_motion_settles_when_time_passes_after_a_round_that_showed_nothing_new() -> None:
    table = Table(without=[Zone.TRAY]).count_in()
    table.push(1, 0)
    table.run(5)
    table.move([chip(1, 0)], POT)
    table.run(5)
    [sweep] = table.tracker.open_motions()

    assert not settled(table.tracker.tick(sweep.last_ns + 1499 * MS))
    assert settled(table.tracker.tick(sweep.last_ns + 1500 * MS))
