"""Zones, items and motions: the facts about where everything lies. Knows no turn and no poker.

An item is named by the registry ("r100-017", "As"); a tag never gets this far.
"""

from enum import StrEnum

from firmware_bridge.events import Value


class Zone(StrEnum):
    TRAY = "tray"
    SPOT = "spot"
    IN_HAND = "held"  # on no antenna, last with this seat: in the hand, on the rail, or unseen
    HOLE = "hole"
    BOARD = "board"
    MUCK = "muck"  # latching: a card seen here stays here until the next hand
    POT = "pot"
    BANK = "bank"  # not in play: case, dealer's float, other denominations; cards: the deck
    BUTTON = "button"


class Place(Value, frozen=True):
    zone: Zone
    seat: int | None = None  # 1-based; None for zones that belong to no seat


BANK = Place(Zone.BANK)
POT = Place(Zone.POT)
BOARD = Place(Zone.BOARD)
MUCK = Place(Zone.MUCK)


class Moved(Value, frozen=True):
    item: str  # registry name ("r100-017", "As"), never a tag
    origin: Place
    target: Place


class Perhaps(Value, frozen=True):
    """An item that no antenna shows for certain, and one place where it may lie. It counts where it is known to lie."""

    item: str
    origin: Place  # where it is known to lie
    target: Place  # where it may lie
    chance: float  # that it does, by all that was read so far
    coming: bool = False  # what would tell is due
    since_ns: int = 0  # when it was seen there first; unread: when it was seen where it was last


class Motion(Value, frozen=True):
    """Items that changed place together: one push, one sweep, one payout.

    While it is open the tracker repeats it with the same number; `settled` closes it.
    """

    number: int
    moves: tuple[Moved, ...]
    first_ns: int  # first sighting of its first item at the target
    last_ns: int
    later_trip: bool  # evidence of a second trip to the tray (string bet)
    doubtful: tuple[str, ...]  # items that could still belong to it
    settled: bool
    clear_ns: int = 0  # up to when complete rounds showed that none of it had come yet; 0: nobody was looking
    perhaps: tuple[Perhaps, ...] = ()  # when it is settled: items that may belong to it, or not
    second: tuple[str, ...] = ()  # of a second trip, when the rest had lain there for as long as makes a push final
