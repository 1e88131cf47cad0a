"""Unknown is never empty: what a place that is not known holds back, and what goes on without it."""

import pytest

from controller import commands
from controller.core.reader_states import FAULT_SHOWN_NS
from controller.picture import notices
from controller.places import Place, Zone
from controller.table.events import PlacesCounted, Ruled
from controller.table.setup import House
from controller.tracking.events import PlaceKnown
from firmware_bridge.events import BadFrame, ReaderFault, ReaderLost, ReaderUp
from tests.controller.core.test_order import flop
from tests.controller.core_table import FLOP, SPOTS_ONLY, CoreTable, chip, counted, dealt, spot, tray

FOREIGN = "E0049999AAAA0001"


def unknown(table: CoreTable, place: Place, *, known: bool = False) -> None:
    told = PlaceKnown(table.ns, place, known, "ok" if known else "silent")
    table._keep([*table.core._tracked([told]), *table.core._release()])


# ---------------------------------------------------------------- whose push waits
def test_a_push_of_a_seat_whose_tray_is_not_known_waits_until_it_is() -> None:
    table = dealt()
    table.push(1, 500, 100)
    table.run(700)
    unknown(table, tray(1))
    table.run(3000)
    assert table.rulings() == []
    assert table.core.previews()[0].ruling is not None, "it is shown all the same"
    unknown(table, tray(1), known=True)
    assert table.rulings() == [(1, "raise", 600)]


def test_a_push_whose_reader_is_lost_and_found_again_is_ruled_then() -> None:
    table = dealt()
    table.push(1, 500, 100)
    table.run(700)
    table.lose(1)
    table.run(4000)
    assert table.rulings() == []
    table.find(1)
    table.still()
    assert table.rulings() == [(1, "raise", 600)]


def test_another_seats_lost_reader_holds_back_nothing() -> None:
    table = dealt(4)
    table.lose(2)
    table.push(4, 100)
    table.still()
    table.push(1, 500)
    table.still()
    assert table.rulings() == [(4, "call", 100), (1, "call", 100)]


def test_a_pot_that_is_not_known_holds_back_no_ruling() -> None:
    table = dealt()
    unknown(table, Place(Zone.POT))
    table.push(1, 100)
    table.still()
    assert table.rulings() == [(1, "call", 100)]


def test_the_word_of_a_dealer_rules_without_the_antennas_of_the_seat() -> None:
    table = dealt()
    table.lose(1)
    table.say(1, "raise_to", 600)
    assert table.rulings() == [(1, "raise", 600)]


def test_a_fold_needs_no_chip_antenna() -> None:
    table = dealt()
    unknown(table, spot(1))
    table.muck(1)
    table.run(800)
    assert table.rulings() == [(1, "fold", 0)]


# ---------------------------------------------------------------- inferred checks
def test_no_check_is_inferred_from_a_spot_that_is_not_known() -> None:
    """Seat 2 may have bet: its reader says nothing. What seat 3 does waits."""
    table = flop()
    table.lose(2)
    table.push(3, 500)
    table.run(3000)
    assert table.rulings() == []
    assert table.core.seen().held_up in (((3, spot(2)),), ((3, tray(2)),))
    table.find(2)
    table.still()
    assert table.rulings() == [(2, "check", 0), (3, "bet", 500)]


def test_chips_that_lay_there_unseen_come_first_when_the_reader_is_back() -> None:
    table = flop()
    table.lose(2)
    table.push(2, 100)
    table.push(3, 500)
    table.run(3000)
    table.find(2)
    table.still()
    assert table.rulings() == [(2, "bet", 100), (3, "call", 100)]


def test_a_board_card_infers_no_check_from_a_spot_that_is_not_known() -> None:
    table = flop()
    table.say(2, "check")
    table.lose(3)
    table.board("3d")
    table.run(3000)
    assert table.hand.row.name == "flop"
    assert [seat for seat, _ in table.core.seen().held_up] == [None]
    table.find(3)
    table.still()
    assert table.hand.row.name == "turn"
    assert not table.alarms()


def test_a_seat_that_has_acted_already_holds_back_no_board_card() -> None:
    table = flop()
    table.say(2, "check")
    table.lose(2)
    table.board("3d")
    table.run(800)
    assert table.hand.row.name == "turn"


def test_a_dealer_says_what_was_done_where_no_antenna_tells() -> None:
    table = flop()
    table.lose(2)
    table.push(3, 500)
    table.run(3000)
    table.say(2, "check")
    assert table.rulings() == [(2, "check", 0), (3, "bet", 500)]


def test_a_seats_button_infers_no_check_from_a_spot_that_is_not_known() -> None:
    table = flop()
    table.lose(2)
    table.run(300)
    table.say(3, "bet", 500, by="seat")
    assert table.rulings() == []
    table.tell(commands.Confirm())
    assert table.rulings() == [(2, "check", 0), (3, "bet", 500)]


# ---------------------------------------------------------------- confirm
def test_confirm_takes_a_push_as_it_is_shown_although_its_tray_is_not_known() -> None:
    table = dealt()
    table.push(1, 500, 100)
    table.run(700)
    unknown(table, tray(1))
    table.run(3000)
    table.tell(commands.Confirm())
    assert table.refused() is None
    assert table.rulings() == [(1, "raise", 600)]


def test_confirm_closes_an_open_push_although_its_tray_is_not_known() -> None:
    table = dealt()
    table.push(1, 500, 100)
    table.run(1000)
    unknown(table, tray(1))
    assert table.core.open
    table.tell(commands.Confirm())
    assert table.rulings() == [(1, "raise", 600)]


def test_confirm_infers_the_check_of_a_spot_that_is_not_known() -> None:
    table = flop()
    table.lose(2)
    table.push(3, 500)
    table.run(3000)
    table.tell(commands.Confirm())
    assert table.rulings() == [(2, "check", 0), (3, "bet", 500)]


def test_confirm_closes_a_push_that_waits_for_a_doubtful_chip_and_agrees_to_it() -> None:
    """Who agrees to a push as it is shown, before the table asks where its chips lie, has answered that."""
    table = dealt(house=House(confirm="fragile"))
    names = table.push(1, 500, 100)
    table.hidden.add(names[1])
    table.run(3500)
    assert table.rulings() == []
    table.tell(commands.Confirm())
    assert table.rulings() == [(1, "call", 100)]
    assert table.asked() is None


def test_confirm_waits_for_a_chip_that_is_being_read() -> None:
    table = dealt()
    table.push(1, 500)
    table.run(800)
    table.push(1, 100)
    table.run(100)
    before = table.core.state
    table.tell(commands.Confirm())
    assert table.refused() == "undecided_chips"
    assert (table.core.state.hand, table.core.state.places) == (before.hand, before.places)
    table.still()
    assert table.rulings() == [(1, "raise", 600)]


def test_confirm_answers_the_open_question_before_it_ends_another_push() -> None:
    table = dealt(house=House(confirm="always"))
    table.push(1, 500)
    table.still()
    table.push(2, 25)
    table.run(700)
    assert table.core.open
    table.tell(commands.Confirm())
    assert table.rulings() == [(1, "call", 100)]
    assert table.core.open


# ---------------------------------------------------------------- counting in
def test_no_hand_before_every_tray_was_counted() -> None:
    table = CoreTable()
    table.run(200)
    table.tell(commands.NextHand())
    assert table.refused() == "counting_in"
    table.until(lambda: table.core.known.counted)
    table.tell(commands.SetButton(1))
    table.tell(commands.NextHand())
    assert table.refused() is None
    assert table.hand.number == 1


def test_a_key_ends_counting_in_where_a_reader_does_not_answer() -> None:
    table = CoreTable()
    table.dead.add("seat3")
    table.run(2000)
    table.tell(commands.NextHand())
    assert table.refused() == "counting_in", "it may still come up"
    table.run(2000)
    assert not table.core.known.counted
    table.tell(commands.SetButton(1))
    table.tell(commands.NextHand())
    assert table.refused() is None
    assert table.core.known.counted
    assert [player.seat for player in table.hand.players] == [2, 1]
    table.dead.clear()
    table.run(3000)
    assert table.core.state.places[chip(3, 100, 0)] == tray(3)


def test_confirm_ends_counting_in_too_after_a_restart_in_a_hand() -> None:
    before = dealt()
    table = CoreTable(state=before.core.state)
    table.where = dict(before.where)
    table.dead.add("seat3")
    table.run(5000)
    assert not table.core.known.counted
    table.tell(commands.Confirm())
    assert table.core.known.counted
    assert [event.differences for event in table.last if isinstance(event, PlacesCounted)] == [()]
    table.push(1, 100)
    table.still()
    assert table.rulings() == [(1, "call", 100)]


def test_spots_are_counted_where_there_are_no_trays() -> None:
    table = CoreTable(zones=SPOTS_ONLY)
    table.run(200)
    table.tell(commands.NextHand())
    assert table.refused() == "counting_in"
    table.until(lambda: table.core.known.counted)


# ---------------------------------------------------------------- restart
def test_what_was_moved_during_a_restart_is_listed_and_can_be_accepted() -> None:
    before = dealt()
    before.push(1, 100)
    before.still()
    table = CoreTable(state=before.core.state)
    table.where = dict(before.where)
    moved = table.chips(tray(2), 500)
    table.move(moved, Place(Zone.POT))
    table.until(lambda: table.core.known.counted)
    assert list(table.core.state.differences) == moved
    assert table.hand.to_act == 2, "the hand goes on"
    table.tell(commands.AcceptDifferences())
    assert table.core.state.differences == ()
    table.tell(commands.AcceptDifferences())
    assert table.refused() == "no_differences"


def test_after_a_restart_cards_that_lie_in_the_muck_stay_there() -> None:
    before = dealt(4)
    before.muck(4)
    before.run(1000)
    assert before.rulings() == [(4, "fold", 0)]
    table = CoreTable(4, state=before.core.state)
    table.where = dict(before.where)
    table.hidden = {"Js"}  # other cards lie over it
    table.until(lambda: table.core.known.counted, 3000)
    table.muck(1)
    table.run(1000)
    assert table.rulings() == [(1, "fold", 0)]
    assert {"Js", "Jh", "As", "Ah"} <= set(table.core.state.muck)


def test_after_a_restart_the_next_board_card_opens_the_next_street() -> None:
    before = flop()
    table = CoreTable(state=before.core.state)
    table.where = dict(before.where)
    table.until(lambda: table.core.known.counted)
    assert table.core.state.differences == ()
    for seat in (2, 3, 1):
        table.say(seat, "check")
    table.board("3d")
    table.run(1000)
    assert table.hand.row.name == "turn"
    assert set(table.core.state.board) == {*FLOP, "3d"}
    assert not table.alarms()


def test_after_a_restart_a_card_taken_up_is_no_fold() -> None:
    before = dealt()
    table = CoreTable(state=before.core.state)
    table.where = dict(before.where)
    table.until(lambda: table.core.known.counted)
    table.move(["As"], Place(Zone.IN_HAND, 1))
    table.run(5000)
    assert table.core.state.places["As"] == Place(Zone.IN_HAND, 1)
    assert table.rulings() == []


# ---------------------------------------------------------------- foreign tags
def test_not_a_chip_ignores_a_tag_for_good() -> None:
    table = counted()
    table.where[FOREIGN] = spot(2)
    table.run(500)
    assert table.core.known.foreign == {spot(2): 1}
    table.tell(commands.NotAChip("spot", 2))
    assert table.refused() is None
    table.run(1000)
    table.move([FOREIGN], spot(1))
    table.run(1000)
    assert table.core.known.foreign == {}
    assert FOREIGN in table.core.ignored


def test_a_push_with_an_unknown_tag_on_its_spot_waits_and_is_not_ruled_without_it() -> None:
    """It may be a chip that nobody enrolled: 500 and 100 facing 100 is a raise, 500 alone a call."""
    table = dealt()
    table.push(1, 500)
    table.where[FOREIGN] = spot(1)
    table.run(6000)
    assert table.rulings() == []
    assert [seat for seat, _ in table.core.seen().held_up] == [1]
    assert any(one.key == "push_waits_for_tag" and one.seat == 1 for one in notices.of(table.core.seen())[0])


@pytest.mark.parametrize("cure", [commands.NotAChip("spot", 1), commands.Confirm()], ids=["not a chip", "confirm"])
def test_what_people_say_of_an_unknown_tag_lets_the_push_go_on(cure: commands.Command) -> None:
    table = dealt()
    table.push(1, 500)
    table.where[FOREIGN] = spot(1)
    table.run(6000)
    table.tell(cure)
    assert table.rulings() == [(1, "call", 100)]


def test_an_unknown_tag_that_is_taken_away_lets_the_push_go_on() -> None:
    table = dealt()
    table.push(1, 500)
    table.where[FOREIGN] = spot(1)
    table.run(6000)
    del table.where[FOREIGN]
    table.run(2000)
    assert table.rulings() == [(1, "call", 100)]


def test_an_unknown_tag_elsewhere_holds_nobody_up() -> None:
    table = dealt()
    table.where[FOREIGN] = tray(1)
    table.where["E0049999AAAA0002"] = spot(3)
    table.push(1, 500)
    table.run(3000)
    assert table.rulings() == [(1, "call", 100)]


def test_no_check_is_inferred_of_a_seat_where_only_an_unknown_tag_lies() -> None:
    table = flop()
    table.where[FOREIGN] = spot(2)
    table.run(500)
    table.push(3, 500)
    table.run(6000)
    assert table.rulings() == []
    table.tell(commands.NotAChip("spot", 2))
    assert table.rulings() == [(2, "check", 0), (3, "bet", 500)]


def test_not_a_chip_where_none_is_foreign_is_refused() -> None:
    table = counted()
    for zone, seat in (("spot", 2), ("nonsense", None), ("tray", 99), ("", -1)):
        assert table.tell(commands.NotAChip(zone, seat)), "a refusal, and no error"
        assert table.refused() == "nothing_foreign"


# ---------------------------------------------------------------- readers
def test_readers_are_starting_until_they_were_heard() -> None:
    table = CoreTable()
    assert {state.state for state in table.core.known.readers.values()} == {"starting"}
    assert set(table.core.known.readers) == {"seat1", "seat2", "seat3", "middle"}
    table.run(100)
    assert {state.state for state in table.core.known.readers.values()} == {"up"}


def test_a_lost_reader_says_why_until_it_is_heard_again() -> None:
    table = counted()
    version = table.core.version
    table.take(ReaderLost("seat1", table.ns, "/dev/ttyUSB0: unplugged"))
    assert table.core.known.readers["seat1"].state == "lost"
    assert table.core.known.readers["seat1"].why == "/dev/ttyUSB0: unplugged"
    assert table.core.version > version
    table.take(ReaderUp("seat1", table.ns, "boot 2"))
    assert table.core.known.readers["seat1"].state == "up"


def test_a_fault_stays_readable_although_rounds_go_on() -> None:
    table = counted()
    told = table.ns
    table.take(ReaderFault("seat1", told, "antenna", "antenna 2: no load"))
    table.run(1000)
    assert (table.core.known.readers["seat1"].state, table.core.known.readers["seat1"].why) == (
        "fault",
        "antenna 2: no load",
    )
    table.run(FAULT_SHOWN_NS // 1_000_000 + 100)
    assert table.core.known.readers["seat1"].state == "up"


def test_bad_frames_are_counted_and_end_nothing() -> None:
    table = dealt()
    for _ in range(3):
        table.take(BadFrame("seat1", table.ns, "checksum", b"\x00"))
    table.push(1, 100)
    table.still()
    assert table.core.known.readers["seat1"].bad_frames == 3
    assert table.core.known.readers["seat1"].state == "up"
    assert table.rulings() == [(1, "call", 100)]


def test_a_reader_that_is_lost_in_a_hand_does_not_end_it() -> None:
    table = dealt()
    for seat in (1, 2, 3):
        table.lose(seat)
    table.run(4000)
    for seat, word in ((1, "call"), (2, "call"), (3, "check")):
        table.say(seat, word)  # type: ignore[arg-type]
    table.board(*FLOP)
    table.run(800)
    assert table.hand.row.name == "flop"
    assert [event.reading.action for event in table.log if isinstance(event, Ruled)] == ["call", "call", "check"]
