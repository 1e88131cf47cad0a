"""No hole card is ever public because an antenna elsewhere read it: cards moved about at random, over many seeds."""

import random
from collections.abc import Iterator

import msgspec
import pytest

from controller import commands
from controller.picture import picture
from controller.places import BOARD, MUCK, Place
from controller.publish.public import public_fields
from controller.table.events import Event, HandsShown, HandStarted
from controller.table.inputs import CardsRested
from controller.table.state import Hand
from tests.controller.core_table import FLOP, HANDS, CoreTable, dealt, hole
from tests.controller.engine.played import Played
from tests.controller.engine.played import dealt as dealt_to_engine

SEATS = (1, 2, 3)
DECK = (*FLOP, "3d", "7h", "4c", "4d", "6c", "9d")
WORDS = {"As"}  # faces that are words too


def words_of(value: object) -> Iterator[str]:
    """Every string of a payload, whole, and every word of a sentence."""
    if isinstance(value, str):
        yield value
        yield from {word.strip('.,:;()"') for word in value.split()} - WORDS if " " in value else ()
    elif isinstance(value, dict):
        for one in value.values():
            yield from words_of(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from words_of(one)


def leaked(public: object, events: list[Event]) -> set[str]:
    """Cards dealt to a seat that did not show them, in what the public hears."""
    shown = {event.seat for event in events if isinstance(event, HandsShown)}
    secret = {card for seat in SEATS if seat not in shown for card in HANDS[seat]}
    return secret & set(words_of(public))


def heard(events: list[Event]) -> list[object]:
    return [msgspec.to_builtins(public_fields(event)) for event in events]


def pictured(table: CoreTable) -> object:
    public, _ = picture.pictures(table.core.seen(), picture.Outside("t", "e", 1))
    return msgspec.to_builtins(public)


def anywhere(dice: random.Random, card: str) -> Place:
    places = [BOARD, BOARD, MUCK, *map(hole, SEATS)]
    home = next((hole(seat) for seat in SEATS if card in HANDS[seat]), BOARD)
    return dice.choice([*places, home, home, home])


def keys(hand: Hand) -> list[commands.Command]:
    """Of the dealer; the first act stays, for before it a whole hand of other cards is a new deal."""
    acted = hand.street or len(hand.rulings) > 1
    return [commands.NextStreet(), commands.Confirm(), *([commands.Undo(), commands.Redo()] if acted else [])]


def act(table: CoreTable, dice: random.Random) -> None:
    """Somebody acts, or the dealer presses a key."""
    match dice.randrange(6):
        case 0 | 1 | 2:
            table.say(None, dice.choice(["check", "call", "check"]))  # type: ignore[arg-type]
        case 3 | 4:
            table.tell(dice.choice(keys(table.hand)))
        case _:
            table.sweep()


@pytest.mark.parametrize("seed", range(24))
def test_no_hole_card_is_public_unless_its_player_showed_it(seed: int) -> None:
    dice, table = random.Random(seed), dealt()
    table.say(1, "call")
    for _ in range(30):
        card = dice.choice([*[card for seat in SEATS for card in HANDS[seat]], *DECK])
        table.move((card,), anywhere(dice, card))
        if dice.random() < 0.5:
            act(table, dice)
        table.run(dice.choice([200, 800, 2500, 6000]))
        if any(isinstance(event, HandStarted) for event in table.log):
            break
        assert leaked(heard(table.log), table.log) == set()
        assert leaked(pictured(table), table.log) == set()


def rested(table: Played, dice: random.Random, lying: dict[str, Place]) -> None:
    card = dice.choice([*[card for seat in SEATS for card in HANDS[seat]], *DECK])
    lying[card] = anywhere(dice, card)
    for place in (*map(hole, SEATS), BOARD, MUCK):
        cards = tuple(sorted(card for card, where in lying.items() if where == place))
        table.give(CardsRested(0, place, cards))


@pytest.mark.parametrize("seed", range(150))
def test_nor_by_any_order_of_cards_at_rest(seed: int) -> None:
    dice, table = random.Random(seed), dealt_to_engine(3)
    table.say(1, "call")
    lying = {card: hole(seat) for seat in SEATS for card in HANDS[seat]}
    for _ in range(60):
        rested(table, dice, lying)
        word = dice.choice(["check", "call", "check", "fold"])
        if dice.random() < 0.4 and not (word == "fold" and dice.random() < 0.8):
            table.say(None, word)  # type: ignore[arg-type]
        if dice.random() < 0.1:
            table.tell(dice.choice(keys(table.hand)))
        if sum(isinstance(event, HandStarted) for event in table.log) > 1:
            break
        assert leaked(heard(table.log), table.log) == set()


@pytest.mark.parametrize("seed", range(60))
def test_nor_where_its_own_antenna_never_reads_a_hole_card(seed: int) -> None:
    """No key is pressed: what a person calls a card of the board is one."""
    dice, table = random.Random(seed), Played(3)
    table.tell(commands.NextHand())
    for post in table.hand.posts_due:
        table.push(post.seat, post.amount)
    unread, other = dice.sample(HANDS[1], 2)
    for seat, cards in {1: (other,), 2: HANDS[2], 3: HANDS[3]}.items():
        table.give(CardsRested(0, hole(seat), cards))
    table.tell(commands.NextStreet())
    lying: set[str] = set()
    for _ in range(60):
        lying ^= {dice.choice([unread, *DECK])}
        table.give(CardsRested(0, BOARD, tuple(sorted(lying))))
        if dice.random() < 0.4:
            table.say(None, dice.choice(["check", "call", "check"]))  # type: ignore[arg-type]
        assert leaked(heard(table.log), table.log) == set()
