"""Stud: up cards by the order of their arrival, who opens by them, the bring-in, and the common card.

Robert's Rules of Poker, seven-card stud. A down card is never public, however late it is read.
"""

import pytest

from controller import commands
from controller.places import BOARD
from controller.publish.public import public_fields
from controller.table.events import HandsShown, PotAwarded, StreetOpened, TurnedUp
from controller.table.setup import Stakes
from controller.table.state import State
from tests.controller.engine.played import Played, dealt

STUD = Stakes("F7S", blinds=(25, 100), ante=25, ante_by="each", big_bet=200)
RAZZ = Stakes("FR", blinds=(25, 100), ante=25, ante_by="each", big_bet=200)
# Seats act from 2 on: the button is at seat 1. First two down, the third up.
CARDS = {2: ["Ah", "Kd", "7c"], 3: ["9s", "9h", "2d"], 1: ["Qc", "Jc", "Td"]}
ORDER = (2, 3, 1)


def begun(game: Stakes = STUD) -> Played:
    table = Played(3, button=1, game=game)
    table.tell(commands.NextHand())
    for seat in ORDER:
        table.push(seat, 25)
    return table


def give(table: Played, seat: int, card: str) -> None:
    """One more card at a seat."""
    table.deal(seat, *table.state.cards[seat - 1], card)


def third_street(game: Stakes = STUD) -> Played:
    table = begun(game)
    for number in range(3):
        for seat in ORDER:
            give(table, seat, CARDS[seat][number])
    return table


def told(table: Played) -> str:
    """All that the public heard of."""
    return repr([public_fields(event, 1) for event in table.log])


def test_the_third_card_of_each_seat_lies_up_and_the_lowest_brings_it_in() -> None:
    table = third_street()
    assert table.state.up == {2: ("7c",), 3: ("2d",), 1: ("Td",)}
    assert (table.hand.phase, table.hand.to_act, table.hand.current_bet) == ("betting", 3, 25)


def test_in_razz_the_highest_up_card_brings_it_in() -> None:
    assert third_street(RAZZ).hand.to_act == 1


def test_down_cards_are_told_to_nobody() -> None:
    heard = told(third_street())
    assert all(card not in heard for cards in CARDS.values() for card in cards[:2])
    assert all(cards[2] in heard for cards in CARDS.values())


def test_one_large_chip_is_the_bring_in_and_several_complete() -> None:
    """A single oversized chip without a word is a call (TDA 2024 44); the completion is a bet of 100."""
    table = third_street()
    table.push(3, 500)
    assert (table.reading().action, table.reading().total_to, table.reading().change_due) == ("call", 25, 475)
    table = third_street()
    table.push(3, 50, 50)
    assert (table.reading().action, table.reading().total_to, table.hand.current_bet) == ("raise", 100, 100)


@pytest.mark.parametrize("bring_in", [25, 50, 75])
def test_a_bring_in_however_large_is_completed_to_the_bet(bring_in: int) -> None:
    """Robert's Rules, seven-card stud 3: the rule of half a bet is for all-ins."""
    table = third_street(Stakes("F7S", blinds=(bring_in, 100), ante=25, ante_by="each", big_bet=200))
    options = table.engine.options(table.state)
    assert options is not None
    assert (options.min_raise_to, options.max_raise_to) == (100, 100)


def unread_until_the_up_cards() -> Played:
    """The second down card of seat 2 is read behind its third: by then it would look like the up card."""
    table = begun()
    for number in range(3):
        for seat in ORDER:
            if (seat, number) != (2, 1):
                give(table, seat, CARDS[seat][number])
    give(table, 2, "Kd")
    return table


def test_a_down_card_that_is_read_late_is_not_shown() -> None:
    table = unread_until_the_up_cards()
    assert 2 not in {seat for seat, cards in table.state.up.items() if cards}
    assert "Kd" not in told(table)
    assert table.hand.phase == "dealing"


def test_where_up_cards_are_not_known_nobody_opens_by_position() -> None:
    table = unread_until_the_up_cards()
    table.tell(commands.NextStreet())
    assert table.refused() == "who_opens"
    table.tell(commands.Opens(3))
    assert (table.hand.phase, table.hand.to_act) == ("betting", 3)


def test_a_person_may_name_the_up_card_instead() -> None:
    table = unread_until_the_up_cards()
    table.tell(commands.UpCards(2, ("7c",)))
    assert (table.hand.phase, table.hand.to_act, table.state.up[2]) == ("betting", 3, ("7c",))


@pytest.mark.parametrize(
    "cards",
    [(), ("zz",), ("7c", "7d"), ("7c", "7c"), ("Kx",), ("9s",), ("\U0001f0a1",)],
    ids=["none", "no card", "too many", "twice", "no suit", "another player's", "a picture"],
)
def test_what_cannot_lie_up_is_refused_and_changes_nothing(cards: tuple[str, ...]) -> None:
    """A command may come from a socket as well, where nobody has looked at its words."""
    table = unread_until_the_up_cards()
    before = table.state.up
    table.tell(commands.UpCards(2, cards))
    assert table.refused() == "bad_cards"
    assert (table.state.up, table.hand.phase) == (before, "dealing")


def fourth_street() -> Played:
    table = third_street()
    table.push(3, 25)
    table.push(1, 25)
    table.push(2, 25)
    for seat, card in ((2, "7d"), (3, "Ac"), (1, "Kc")):
        give(table, seat, card)
    return table


def test_the_next_cards_open_the_street_and_the_best_hand_that_shows_acts_first() -> None:
    table = fourth_street()
    assert (table.hand.row.name, table.hand.phase, table.hand.to_act) == ("fourth", "betting", 2)
    assert table.state.up == {2: ("7c", "7d"), 3: ("2d", "Ac"), 1: ("Td", "Kc")}


def test_a_card_that_comes_while_somebody_owes_is_no_up_card() -> None:
    table = third_street()
    table.push(3, 25)
    give(table, 2, "7d")
    assert (table.hand.row.name, table.state.up[2]) == ("third", ("7c",))
    assert ("too_many_cards", 2) in table.alarms()


def on_seventh(table: Played) -> None:
    """Checks to the sixth street, cards and all."""
    for cards in (("3c", "3d", "3h"), ("4c", "4d", "4h")):
        for _ in ORDER:
            table.say(None, "check")
        for seat, card in zip(ORDER, cards, strict=True):
            give(table, seat, card)
    for _ in ORDER:
        table.say(None, "check")


def test_the_last_card_lies_down_and_is_told_to_nobody() -> None:
    table = fourth_street()
    on_seventh(table)
    for seat, card in zip(ORDER, ("5c", "5d", "5h"), strict=True):
        give(table, seat, card)
    assert (table.hand.row.name, len(table.state.up[2])) == ("seventh", 4)
    assert not any(card in told(table) for card in ("5c", "5d", "5h"))


def test_a_common_card_is_everybodys_last() -> None:
    """Robert's Rules: where too few cards are left one is dealt for all."""
    table = fourth_street()
    on_seventh(table)
    table.board("5s")
    [opened] = table.of(StreetOpened)
    assert isinstance(opened, StreetOpened)
    assert (opened.street, opened.board, table.hand.common, table.hand.hole_cards) == ("seventh", ("5s",), 1, 6)
    for _ in ORDER:
        table.say(None, "check")
    table.tell(commands.Show(None))
    assert [len(event.cards) for event in table.of(HandsShown) if isinstance(event, HandsShown)] == [6, 6, 6]
    [award] = table.of(PotAwarded)
    assert isinstance(award, PotAwarded)
    assert [share.seat for share in award.shares] == [3]  # ace to five, with the common card


def test_up_cards_are_facts_that_undo_leaves_alone() -> None:
    table = third_street()
    before = table.state.up
    table.push(3, 25)
    table.tell(commands.Undo())
    assert table.state.up == before
    assert table.hand.to_act == 3


def test_the_next_hand_begins_without_up_cards() -> None:
    table = third_street()
    for _ in range(2):
        table.say(None, "fold")
    state: State = table.state
    assert state.up
    table.tell(commands.NextHand())
    assert table.state.up == {}
    assert not table.of(TurnedUp)


def test_holdem_turns_no_card_up() -> None:
    table = dealt(3)
    table.tell(commands.UpCards(2, ("Kd",)))
    assert table.refused() == "no_up_cards"
    table.tell(commands.Opens(2))
    assert table.refused() == "no_opener_asked"
    assert not table.lying(BOARD)
