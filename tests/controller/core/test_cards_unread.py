"""Cards that their own antenna never read, and cards gathered over the muck: ruled right, asked, or a wait by name."""

import pytest

from controller import commands
from controller.picture.picture import Outside, pictures
from controller.places import BOARD, MUCK
from tests.controller.core.card_scenes import bets_in, boards, checked, flop, told
from tests.controller.core.test_cards_secret import heard, words_of
from tests.controller.core_table import FLOP, HANDS, RIVER, TURN, CoreTable, counted, dealt

NEW_HANDS = {1: ("Js", "Jh"), 2: ("Ts", "Th"), 3: ("9s", "9h")}


# ---------------------------------------------------------------- a hole card that its own antenna never read
def one_unread() -> CoreTable:
    """The second card of seat 1 is never read at its place; the dealer's key opened the betting, and all called."""
    table = counted(3)
    table.tell(commands.NextHand())
    for post in table.hand.posts_due:
        table.push(post.seat, post.amount)
    table.still()
    table.deal(1, "As")
    table.deal(2, *HANDS[2])
    table.deal(3, *HANDS[3])
    table.run(3000)
    table.tell(commands.NextStreet())
    bets_in(table)
    return table


def is_public(table: CoreTable, card: str) -> bool:
    shown, _ = pictures(table.core.seen(), Outside("t", "e", 1))
    return card in {*words_of([heard(table.log), shown.board, [one.text["en"] for one in shown.notices]])}


def test_a_hole_card_over_the_board_makes_no_flop_of_two_cards() -> None:
    table = one_unread()
    table.board("2c", "5d")
    table.run(3000)
    table.move(("Ah",), BOARD)
    table.run(5000)
    assert (table.hand.phase, boards(table)) == ("street_card", [])
    assert "board_or_hole" in told(table)
    assert not is_public(table, "Ah")


@pytest.mark.parametrize("first", ["hole card", "turn"])
def test_a_hole_card_over_the_board_is_no_turn_and_is_never_public_by_a_key(first: str) -> None:
    table = one_unread()
    table.board(*FLOP)
    table.run(4000)
    table.tell(commands.NextStreet())
    assert table.hand.board == FLOP
    checked(table)
    for card in ("Ah", TURN) if first == "hole card" else (TURN, "Ah"):
        table.move((card,), BOARD)
        table.run(2500)
    assert boards(table)[-1] == FLOP
    assert not is_public(table, "Ah")
    table.tell(commands.NextStreet())
    table.run(3000)
    assert (table.hand.street, table.hand.board_count) == (2, 4)
    assert not is_public(table, "Ah")
    table.deal(1, "Ah")
    table.run(4000)
    assert told(table) == {"board_unclear"}
    table.tell(commands.Confirm())
    assert (table.hand.board, table.alarms()) == ((*FLOP, TURN), set())
    assert not is_public(table, "Ah")


def test_a_hole_card_that_its_own_antenna_reads_after_all_opens_the_street_that_waited() -> None:
    table = one_unread()
    table.board(*FLOP)
    table.run(4000)
    assert told(table) >= {"board_or_hole"}
    table.deal(1, "Ah")
    table.run(4000)
    assert (table.hand.row.name, table.hand.board, table.alarms()) == ("flop", FLOP, set())


def test_where_not_one_hole_card_was_read_streets_open_by_their_cards() -> None:
    """As at a table without hole antennas: a key has opened the betting."""
    table = counted(3)
    table.tell(commands.NextHand())
    for post in table.hand.posts_due:
        table.push(post.seat, post.amount)
    table.still()
    table.tell(commands.NextStreet())
    bets_in(table)
    table.board(*FLOP)
    table.run(4000)
    assert (table.hand.board, table.alarms()) == (FLOP, set())


def test_where_every_hole_card_was_read_no_street_waits() -> None:
    table = flop()
    assert (table.hand.board, table.alarms()) == (FLOP, set())


def test_the_hand_of_a_seat_that_folded_is_no_unread_one() -> None:
    table = flop()
    table.muck(2)
    table.run(3000)
    table.say(3, "check")
    table.say(1, "check")
    table.board(TURN)
    table.run(4000)
    assert (table.hand.board, table.alarms()) == ((*FLOP, TURN), set())


# ---------------------------------------------------------------- a turn that is never read
def turn_by_key() -> CoreTable:
    """The turn is laid and never read: a key opens it; all check, and the river is laid."""
    table = flop()
    checked(table)
    table.hidden.add(TURN)
    table.board(TURN)
    table.run(3000)
    table.tell(commands.NextStreet())
    assert (table.hand.board, table.hand.board_count) == (FLOP, 4)
    checked(table)
    table.board(RIVER)
    table.run(5000)
    return table


def test_the_river_behind_an_unread_turn_is_a_wait_with_its_keys() -> None:
    table = turn_by_key()
    assert (table.hand.street, table.hand.board) == (2, FLOP)
    assert "board_unclear" in told(table)


def test_the_key_of_the_next_street_makes_it_the_river() -> None:
    table = turn_by_key()
    table.tell(commands.NextStreet())
    table.run(3000)
    assert (table.hand.street, table.hand.board, table.hand.board_count) == (3, (*FLOP, RIVER), 5)
    table.hidden.clear()
    table.run(5000)
    assert ({*table.hand.board}, table.alarms()) == ({*FLOP, TURN, RIVER}, set())


def test_confirm_makes_it_the_turn_that_was_not_read() -> None:
    table = turn_by_key()
    table.tell(commands.Confirm())
    table.run(2000)
    assert (table.hand.street, table.hand.board, table.hand.board_count) == (2, (*FLOP, RIVER), 4)


# ---------------------------------------------------------------- gathered over the muck
def test_cards_gathered_over_the_muck_before_the_deal_is_over_fold_nobody() -> None:
    table = counted(3)
    table.tell(commands.NextHand())
    for post in table.hand.posts_due:
        table.push(post.seat, post.amount)
    table.still()
    table.deal(1, *HANDS[1])
    table.deal(2, HANDS[2][0])
    table.deal(3, HANDS[3][0])
    table.run(3000)
    table.move((*HANDS[1], HANDS[2][0], HANDS[3][0]), MUCK)
    table.run(6000)
    assert (table.hand.phase, table.rulings()) == ("dealing", [])
    assert "gathered" in told(table)
    for seat, cards in NEW_HANDS.items():
        table.deal(seat, *cards)
    table.run(6000)
    assert (table.hand.phase, table.hand.to_act, table.alarms()) == ("betting", 1, set())
    assert [{*cards} for cards in table.core.state.cards] == [{*cards} for cards in NEW_HANDS.values()]


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1)], ids=str)
@pytest.mark.parametrize("gap_ms", [0, 700])
def test_hands_gathered_over_the_muck_before_anybody_acted_are_named_and_the_key_gives_all_back(
    order: tuple[int, ...], gap_ms: int
) -> None:
    table = dealt()
    stacks = [seat.stack for seat in table.core.state.table.seats]
    for seat in order:
        table.muck(seat)
        table.run(gap_ms)
    table.run(6000)
    assert table.hand.phase == "paying"
    assert "walk_or_misdeal" in told(table)
    table.tell(commands.Misdeal())
    assert (table.hand.phase, [seat.stack for seat in table.core.state.table.seats]) == ("between_hands", stacks)
    assert "walk_or_misdeal" not in told(table)


def test_a_walk_whose_winner_keeps_his_cards_is_not_spoken_of() -> None:
    table = dealt()
    for seat in (1, 2):
        table.muck(seat)
        table.run(3000)
    assert table.hand.phase == "paying"
    assert "walk_or_misdeal" not in told(table)
