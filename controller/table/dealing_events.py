"""Events of cards that players get and change in a hand: stud's up cards, draws and discards."""

from typing import Literal

from controller.table.decision import Decision
from firmware_bridge.events import Value


class TurnedUp(Value, frozen=True, tag="turned_up"):
    """A fact of stud: the cards of a seat that lie face up, in the order in which they came. They are public."""

    seat: int
    cards: tuple[str, ...]
    clear: bool = True  # False: one of its cards may be an up card or a down card


class OpenerSeen(Decision, frozen=True, tag="opener"):
    """Who opens the round of a stud street: by the up cards, or as a person has said."""

    seat: int
    by: Literal["cards", "dealer"] = "cards"


class Drew(Decision, frozen=True, tag="drew"):
    """A player changes so many cards, or throws them away; 0: he stands pat. Told again as more of them are seen."""

    seat: int
    cards: int
    seen: int = 0  # of them, those that were seen in the muck
    row: int = 0  # before the betting of this street
