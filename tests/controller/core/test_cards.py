"""A card keeps its hand: what lies on an antenna that is not its own is named, and nothing is ruled by it."""

import pytest

from controller import commands
from controller.places import BANK, BOARD, MUCK, Zone
from controller.table.events import HandsShown
from tests.controller.core.card_scenes import bets_in, boards, checked, flop
from tests.controller.core_table import FLOP, HANDS, RIVER, TURN, CoreTable, dealt, hole


# ---------------------------------------------------------------- a hole card over another antenna
def test_a_hole_card_that_the_boards_antenna_reads_opens_no_street_and_is_named() -> None:
    table = flop()
    table.log.clear()
    table.move((HANDS[2][0],), BOARD)
    table.run(2500)
    assert table.alarms() == {"card_on_board"}
    table.move(HANDS[2], hole(2))
    table.run(3000)

    assert (table.hand.row.name, table.hand.board) == ("flop", FLOP)
    assert table.rulings() == []
    assert boards(table) == []
    assert table.alarms() == set()


def test_a_hole_card_over_the_board_ends_no_push_as_the_dealers_card_does() -> None:
    table = flop()
    table.log.clear()
    table.push(2, 500)
    table.run(800)
    table.move((HANDS[3][0],), BOARD)
    table.run(600)
    assert table.rulings() == []
    table.push(2, 100)
    table.still()

    assert table.rulings() == [(2, "bet", 600)]


def test_both_hole_cards_over_the_board_are_asked_about_only_as_long_as_they_are_there() -> None:
    table = flop()
    table.log.clear()
    table.move(HANDS[2], BOARD)
    table.run(1500)
    assert table.asked() is not None
    table.move(HANDS[2], hole(2))
    table.run(1500)

    assert table.asked() is None
    assert table.rulings() == []


def test_hole_cards_of_who_is_not_to_act_are_named_and_nothing_is_asked() -> None:
    table = flop()
    table.move(HANDS[3], BOARD)
    table.run(5000)

    assert table.asked() is None
    assert table.alarms() == {"card_on_board"}
    table.say(2, "check")
    table.run(500)
    assert table.asked() is not None
    assert table.asked().seat == 3


def test_one_card_over_the_muck_for_a_moment_is_no_fold() -> None:
    table = flop()
    table.log.clear()
    table.move((HANDS[2][0],), MUCK)
    table.run(2000)
    assert table.alarms() == {"card_in_muck"}
    table.move(HANDS[2], hole(2))
    table.run(2000)

    assert table.rulings() == []
    assert table.alarms() == set()


def test_one_card_over_the_muck_and_later_the_other_is_no_fold() -> None:
    table = flop()
    table.log.clear()
    for card in HANDS[2]:
        table.move((card,), MUCK)
        table.run(2000)
        table.move((card,), hole(2))
        table.run(2000)

    assert table.rulings() == []
    assert table.alarms() == set()


def test_a_hand_that_comes_to_the_muck_card_by_card_is_folded_with_the_second() -> None:
    table = flop()
    table.log.clear()
    table.move((HANDS[2][0],), MUCK)
    table.run(1500)
    table.move((HANDS[2][1],), MUCK)
    table.run(1500)

    assert table.rulings() == [(2, "fold", 0)]
    assert table.alarms() == set()


def test_one_card_in_the_muck_whose_fellow_is_never_read_again_is_asked_about() -> None:
    table = flop()
    table.log.clear()
    table.hidden.add(HANDS[2][1])
    table.muck(2)
    table.run(6000)

    assert table.rulings() == []
    assert table.asked() is not None
    table.tell(commands.Confirm())
    assert table.rulings() == [(2, "fold", 0)]


def test_a_card_read_at_another_seat_stays_with_its_own() -> None:
    table = flop()
    table.log.clear()
    table.move((HANDS[3][0],), hole(2))
    table.run(2500)
    assert table.alarms() == {"card_moved"}
    assert set(table.core.state.cards[1]) == set(HANDS[2])
    table.move((HANDS[3][0],), hole(3))
    table.run(2500)

    assert table.alarms() == set()
    assert set(table.core.state.cards[2]) == set(HANDS[3])
    assert table.rulings() == []


def test_a_hand_is_tabled_whole_though_one_card_of_it_was_read_elsewhere() -> None:
    table = flop()
    table.move((HANDS[3][0],), hole(2))
    table.run(2500)
    for seat in (2, 3):
        table.say(seat, "all_in")
    table.say(1, "fold")
    table.run(500)

    shown = {event.seat: set(event.cards) for event in table.log if isinstance(event, HandsShown)}
    assert shown == {2: set(HANDS[2]), 3: set(HANDS[3])}


@pytest.mark.parametrize("card", [HANDS[2][0], "4c"], ids=["folded", "burnt"])
def test_a_card_of_the_muck_that_is_read_on_the_board_is_no_card_of_it(card: str) -> None:
    table = flop()
    table.muck(2)
    table.run(2000)
    table.say(3, "check")
    table.say(1, "check")
    table.run(500)
    table.move((card,), BOARD)
    table.run(5000)
    assert (table.hand.row.name, table.hand.board) == ("flop", FLOP)
    assert table.alarms() == {"muck_card_read"}
    table.board(TURN)
    table.run(4000)
    assert table.hand.board == (*FLOP, TURN)
    table.move((card,), MUCK)
    table.run(2000)
    assert table.alarms() == set()


def test_folded_cards_that_slide_over_the_board_into_the_muck_are_a_fold() -> None:
    table = flop()
    table.log.clear()
    table.move(HANDS[2], BOARD)
    table.run(800)
    table.muck(2)
    table.run(2000)

    assert table.rulings() == [(2, "fold", 0)]
    assert (table.hand.row.name, table.alarms(), table.asked()) == ("flop", set(), None)


# ---------------------------------------------------------------- folded cards that stop on the board
def folded_on_board() -> CoreTable:
    """Seat 4 is to act first, and threw its cards onto the board's antenna."""
    table = dealt(4)
    table.move(HANDS[4], BOARD)
    table.run(4000)
    return table


def test_a_hand_that_stops_on_the_boards_antenna_is_asked_about() -> None:
    table = folded_on_board()
    assert table.asked() is not None
    assert (table.asked().seat, table.asked().why) == (4, "cards")
    assert table.alarms() == {"card_on_board"}
    table.tell(commands.Confirm())

    assert table.rulings() == [(4, "fold", 0)]
    assert table.hand.to_act == 1


def test_who_is_asked_about_may_still_act() -> None:
    table = folded_on_board()
    table.push(4, 100)
    table.still()

    assert table.rulings() == [(4, "call", 100)]


def test_a_word_answers_for_who_is_asked_about() -> None:
    for word, action in (("fold", "fold"), ("call", "call")):
        table = folded_on_board()
        table.say(4, word)  # type: ignore[arg-type]
        assert [ruling[1] for ruling in table.rulings()] == [action]


def test_what_others_do_meanwhile_waits_for_the_answer_and_comes_in_order() -> None:
    table = folded_on_board()
    table.push(1, 100)
    table.run(3000)
    table.push(2, 50)
    table.run(3000)
    assert table.rulings() == []
    table.tell(commands.Confirm())
    table.still()

    assert table.rulings() == [(4, "fold", 0), (1, "call", 100), (2, "call", 100)]


def test_the_flop_beside_folded_cards_opens_and_so_do_turn_and_river() -> None:
    table = folded_on_board()
    table.tell(commands.Confirm())
    bets_in(table)
    table.board(*FLOP)
    table.run(4000)
    assert table.hand.board == FLOP
    for count, card in enumerate((TURN, RIVER), 4):
        checked(table)
        table.board(card)
        table.run(4000)
        assert (table.hand.board_count, table.hand.board[-1]) == (count, card)

    assert table.alarms() == {"card_on_board"}


def test_undo_goes_back_beyond_the_question() -> None:
    table = dealt(4)
    table.say(4, "raise_to", 300)
    table.move(HANDS[1], BOARD)
    table.run(3000)
    assert table.asked() is not None
    table.tell(commands.Undo())
    assert table.asked() is None
    table.tell(commands.Undo())

    assert table.hand.to_act == 4
    assert table.hand.current_bet == 100


def test_cards_left_on_the_board_are_none_of_the_next_hands_board() -> None:
    table = folded_on_board()
    for seat in (4, 1, 2):
        table.say(seat, "fold")
    table.sweep()
    table.run(2000)
    table.move([card for card, lies in table.where.items() if lies.zone is Zone.HOLE], BANK)
    table.run(6000)
    table.tell(commands.NextHand())
    for seat, cards in {1: ("2h", "3h"), 2: ("4h", "6h"), 3: ("8h", "9h"), 4: ("Td", "Tc")}.items():
        table.deal(seat, *cards)
    table.run(3000)
    assert table.hand.phase == "betting"
    for _ in range(4):
        table.say(None, "all_in")
    table.board(*FLOP)
    table.run(5000)

    assert table.hand.board == FLOP


# ---------------------------------------------------------------- passing
def test_cards_that_pass_over_antennas_on_their_way_change_nothing() -> None:
    table = flop()
    table.log.clear()
    for place in (hole(2), BOARD, hole(1), MUCK):
        table.move((HANDS[3][0],), place)
        table.run(200)
    table.move((HANDS[3][0],), hole(3))
    table.run(3000)

    assert (table.rulings(), boards(table), table.alarms(), table.asked()) == ([], [], set(), None)
    assert set(table.core.state.cards[2]) == set(HANDS[3])
