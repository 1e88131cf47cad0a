"""Cards of the last hand that still lie at a seat, or are in a player's hand, are not dealt in the next hand."""

import pytest

from controller import commands
from controller.hand.showdown import cards_of
from controller.places import Zone
from controller.table.events import Alarmed
from controller.table.inputs import CountedIn
from controller.table.phases import Phase
from tests.controller.engine.played import Played, dealt, hole

SEATS = 3


def ended(*, lying: tuple[str, ...] = (), took: tuple[str, ...] = ()) -> Played:
    """Seat 2 won a hand before the flop; of its cards `lying` lie there still and `took` are in its hand."""
    table = dealt(SEATS)
    table.fold(1)
    table.say(2, "raise_to", 400)
    table.fold(3)
    table.deal(2, *lying)
    assert table.hand.phase is Phase.PAYING
    assert all(table.state.places[card].zone is Zone.IN_HAND for card in took)
    return table


def alarmed(table: Played) -> list[str]:
    """Alarms about cards."""
    return [event.key for event in table.log if isinstance(event, Alarmed) and event.key != "payout"]


@pytest.mark.parametrize("picked_up", ["before the deal", "after the first card", "after the deal", "never"])
def test_a_card_of_the_last_hand_that_lies_at_a_seat_is_not_dealt_in_the_next(picked_up: str) -> None:
    table = ended(lying=("Ks",))
    table.tell(commands.NextHand())
    cards = ["Ks"]
    for moment, card in (("before the deal", "4d"), ("after the first card", "9h"), ("after the deal", "")):
        cards = [one for one in cards if moment != picked_up or one != "Ks"]
        table.deal(2, *cards)
        if card:
            cards.append(card)
            table.deal(2, *cards)

    assert set(cards_of(table.state, 2)) == {"4d", "9h"}
    assert alarmed(table) == []


def test_a_card_that_was_picked_up_and_laid_down_again_is_still_none_of_the_next_hand() -> None:
    table = ended(lying=("Ks",))
    table.tell(commands.NextHand())
    table.deal(2, "Ks", "4d")
    table.deal(2, "4d")
    table.deal(2, "4d", "Ks", "9h")

    assert set(cards_of(table.state, 2)) == {"4d", "9h"}
    assert alarmed(table) == []


def test_a_card_that_a_player_held_when_the_hand_began_is_not_his_third() -> None:
    table = ended(took=("Ks",))
    table.tell(commands.NextHand())
    table.deal(2, "Ks", "4d", "9h")

    assert set(cards_of(table.state, 2)) == {"4d", "9h"}
    assert alarmed(table) == []


def test_the_same_card_dealt_to_the_same_seat_again_is_one_of_its_two() -> None:
    table = ended(took=("Ks",))
    table.tell(commands.NextHand())
    table.deal(2, "Ks", "4d")

    assert set(cards_of(table.state, 2)) == {"Ks", "4d"}


def test_a_third_card_is_named_whatever_lay_there_before() -> None:
    table = ended(lying=("Ks",))
    table.tell(commands.NextHand())
    table.deal(2, "Ks", "4d", "9h")
    table.deal(2, "Ks", "4d", "9h", "2s")

    assert alarmed(table) == ["too_many_cards"]


def test_a_card_that_was_seen_elsewhere_is_one_like_any_other() -> None:
    table = ended(lying=("Ks", "Kh"))
    table.deal(2)
    table.muck("Ks")
    table.tell(commands.NextHand())
    table.deal(2, "Ks", "Kh", "4d")
    table.deal(2, "Ks", "Kh", "4d", "9h")

    assert alarmed(table) == ["too_many_cards"]


def test_a_card_of_the_last_hand_in_the_muck_is_nobodys_fold() -> None:
    table = ended(lying=("Ks",))
    table.tell(commands.NextHand())
    for seat, cards in {1: ("2c", "3c"), 2: ("4d", "9h"), 3: ("5c", "6c")}.items():
        table.deal(seat, *cards, *(["Ks"] if seat == 2 else []))
    assert table.hand.phase is Phase.BETTING
    table.muck("Ks")

    assert not table.player(2).folded
    table.muck("4d", "9h")
    assert table.player(2).folded


def test_cards_that_lie_there_when_the_service_starts_are_not_dealt_for_certain() -> None:
    table = Played(SEATS, button=1)
    table.give(CountedIn(0, {**table.state.places, "Ks": hole(2)}))
    table.tell(commands.NextHand())
    table.deal(2, "Ks", "4d", "9h")

    assert set(cards_of(table.state, 2)) == {"4d", "9h"}
    assert alarmed(table) == []


def test_a_card_of_the_last_hands_deck_is_no_twin_of_one_of_the_next() -> None:
    table = ended(lying=("Ks",))
    table.tell(commands.NextHand())
    for seat, cards in {1: ("blue:2c", "blue:3c"), 2: ("blue:4d", "blue:9h"), 3: ("blue:Ks", "blue:6c")}.items():
        table.deal(seat, *cards, *(["Ks"] if seat == 2 else []))

    assert table.hand.phase is Phase.BETTING
    assert alarmed(table) == []
