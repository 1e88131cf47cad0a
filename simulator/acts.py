"""What people do at a table, in terms of items, places and seats. An act says nothing of what it means.

Every act gives the `moves` it makes, in the order in which hands make them, and whether it is heard instead: words,
knocks and keys move nothing.
"""

from typing import Literal

from controller.commands import Command
from controller.places import BANK, BOARD, MUCK, POT, Moved, Place, Zone
from controller.rulings.values import Word
from firmware_bridge.events import Value

Names = tuple[str, ...]  # items, by their names in the registry


def spot(seat: int) -> Place:
    return Place(Zone.SPOT, seat)


def tray(seat: int) -> Place:
    return Place(Zone.TRAY, seat)


def held(seat: int) -> Place:
    return Place(Zone.IN_HAND, seat)


def hole(seat: int) -> Place:
    return Place(Zone.HOLE, seat)


def carry(items: Names, origin: Place, target: Place) -> tuple[Moved, ...]:
    return tuple(Moved(item, origin, target) for item in items)


# ---------------------------------------------------------------- players
class Post(Value, frozen=True, tag="post"):
    """Blind, ante or both, put in front before the cards."""

    seat: int
    chips: Names

    @property
    def moves(self) -> tuple[Moved, ...]:
        return carry(self.chips, tray(self.seat), spot(self.seat))


class PushChips(Value, frozen=True, tag="push"):
    """Chips moved forward in one motion."""

    seat: int
    chips: Names

    @property
    def moves(self) -> tuple[Moved, ...]:
        return carry(self.chips, tray(self.seat), spot(self.seat))


class Splash(Value, frozen=True, tag="splash"):
    """Chips thrown straight into the pot."""

    seat: int
    chips: Names

    @property
    def moves(self) -> tuple[Moved, ...]:
        return carry(self.chips, tray(self.seat), POT)


class PullBack(Value, frozen=True, tag="pull_back"):
    """Own chips of this round taken back, to push others instead."""

    seat: int
    chips: Names

    @property
    def moves(self) -> tuple[Moved, ...]:
        return carry(self.chips, spot(self.seat), tray(self.seat))


class TakeChange(Value, frozen=True, tag="take_change"):
    """Own chips that lie in front and are too many, taken back."""

    seat: int
    chips: Names

    @property
    def moves(self) -> tuple[Moved, ...]:
        return carry(self.chips, spot(self.seat), tray(self.seat))


class Riffle(Value, frozen=True, tag="riffle"):
    """Chips taken into the hand, played with, and put back: it means nothing."""

    seat: int
    chips: Names

    @property
    def moves(self) -> tuple[Moved, ...]:
        return carry(self.chips, tray(self.seat), held(self.seat)) + carry(self.chips, held(self.seat), tray(self.seat))


class Muck(Value, frozen=True, tag="muck"):
    """A hand thrown away: a fold, or at showdown a hand that is not shown."""

    seat: int
    cards: Names

    @property
    def moves(self) -> tuple[Moved, ...]:
        return carry(self.cards, hole(self.seat), MUCK)


class Discard(Value, frozen=True, tag="discard"):
    """Cards thrown away for others, or as the game has it: no fold."""

    seat: int
    cards: Names

    @property
    def moves(self) -> tuple[Moved, ...]:
        return carry(self.cards, hole(self.seat), MUCK)


class Say(Value, frozen=True, tag="say"):
    """Words, or a knock on the table for a check; they reach the table through the dealer's keys or a seat's button."""

    seat: int
    word: Word
    heard: Literal["dealer", "seat"] = "dealer"

    @property
    def moves(self) -> tuple[Moved, ...]:
        return ()


# ---------------------------------------------------------------- the dealer
class DealHole(Value, frozen=True, tag="deal_hole"):
    seat: int
    card: str

    @property
    def moves(self) -> tuple[Moved, ...]:
        return carry((self.card,), BANK, hole(self.seat))


class Burn(Value, frozen=True, tag="burn"):
    card: str

    @property
    def moves(self) -> tuple[Moved, ...]:
        return carry((self.card,), BANK, MUCK)


class Reshuffle(Value, frozen=True, tag="reshuffle"):
    """The deck has run out: the muck is shuffled and dealt on."""

    cards: Names

    @property
    def moves(self) -> tuple[Moved, ...]:
        return carry(self.cards, MUCK, BANK)


class DealBoard(Value, frozen=True, tag="deal_board"):
    cards: Names

    @property
    def moves(self) -> tuple[Moved, ...]:
        return carry(self.cards, BANK, BOARD)


class MakeChange(Value, frozen=True, tag="make_change"):
    """Chips swapped between places at equal value, or change paid out: whatever the dealer's hands do for it."""

    moves: tuple[Moved, ...]


class Sweep(Value, frozen=True, tag="sweep"):
    """Chips in front, by seat, brought into the pot."""

    fronts: tuple[tuple[int, Names], ...]

    @property
    def moves(self) -> tuple[Moved, ...]:
        return tuple(move for seat, chips in self.fronts for move in carry(chips, spot(seat), POT))


class Pay(Value, frozen=True, tag="pay"):
    """Chips of the pot pushed to who won them."""

    seat: int
    chips: Names

    @property
    def moves(self) -> tuple[Moved, ...]:
        return carry(self.chips, POT, tray(self.seat))


class Gather(Value, frozen=True, tag="gather"):
    """All cards back into the deck."""

    moves: tuple[Moved, ...]


class Key(Value, frozen=True, tag="key"):
    """A key of the dealer's."""

    command: Command

    @property
    def moves(self) -> tuple[Moved, ...]:
        return ()


Act = (
    Post
    | PushChips
    | Splash
    | PullBack
    | TakeChange
    | Riffle
    | Muck
    | Discard
    | Say
    | DealHole
    | Burn
    | Reshuffle
    | DealBoard
    | MakeChange
    | Sweep
    | Pay
    | Gather
    | Key
)


class Cue(Value, frozen=True):
    """An act, and how long after the act before it hands begin to make it."""

    pause_ms: int
    act: Act
    decision: int | None = None  # which decision of the hand it expresses, from 0
    at_once: bool = False  # hands go on with it whatever the table shows meanwhile
