"""What happened, in the past tense. The journal keeps these and nothing else; replay never judges again.

`evolve(state, event)` holds no rules, so an event carries every result that a rule produced: `Ruled` the whole ruling,
`BetsSwept` the pots, `PotAwarded` the amounts. `state.seq` counts events; `of` in a correction is such a number.
Hole cards and item names stand only in events that `is_public` refuses.
"""

from typing import Literal

import msgspec

from controller.commands import By
from controller.places import Moved, Place
from controller.rulings.values import Reading, Ruling, Word
from firmware_bridge.events import Value

PostKind = Literal["small_blind", "big_blind", "ante", "straddle", "dead", "live"]


class Player(Value, frozen=True):
    """A seat that is dealt in, with its stack at the start of the hand."""

    seat: int
    stack: int


class PostDue(Value, frozen=True):
    seat: int
    kind: PostKind
    amount: int  # what is really due: never more than the stack
    nominal: int  # the full blind or ante


class PotAmount(Value, frozen=True):
    amount: int
    seats: tuple[int, ...]  # who may win it


class Share(Value, frozen=True):
    seat: int
    amount: int


class ItemsMoved(Value, frozen=True, tag="items_moved"):
    """Facts: where items lie now, and what the move was taken to mean (`controller/moves`, table A)."""

    moves: tuple[Moved, ...]
    meaning: str


class HandStarted(Value, frozen=True, tag="hand_started"):
    number: int
    button: int
    players: tuple[Player, ...]  # in order from the seat left of the button
    posts: tuple[PostDue, ...]
    min_bet: int  # the big blind


class Posted(Value, frozen=True, tag="posted"):
    seat: int
    kind: PostKind
    amount: int
    all_in: bool


class DealingEnded(Value, frozen=True, tag="dealing_ended"):
    """Betting is open preflop; the seat to act."""

    to_act: int | None


class Ruled(Value, frozen=True, tag="ruled"):
    """A push, a word or both became an action. `reading` is what counts: `ruling.chosen`, or the floor's answer."""

    seat: int
    reading: Reading
    ruling: Ruling
    chips: tuple[str, ...]  # the items it was judged on; () for a word
    word: Word | None = None
    inferred: bool = False  # a check or fold that nobody said
    by: Literal["chips", "word", "cards", "confirm", "answer", "inferred"] = "chips"


class TurnPassed(Value, frozen=True, tag="turn"):
    to: int | None  # None: nobody has to act


class PushHeld(Value, frozen=True, tag="held"):
    """Chips out of turn: held back until the turn reaches the seat (TDA 53), or until they are released."""

    seat: int
    chips: tuple[str, ...]


class PushReleased(Value, frozen=True, tag="released"):
    seat: int
    why: str


class Asked(Value, frozen=True, tag="asked"):
    """The table stops and asks the floor or, with `why` "confirm", only the dealer's agreement."""

    id: int
    seat: int | None
    ruling: Ruling
    chips: tuple[str, ...]
    why: str
    word: Word | None = None


class Answered(Value, frozen=True, tag="answered"):
    id: int
    reading: Reading | None
    by: By


class Overruled(Value, frozen=True, tag="overruled"):
    of: int
    seat: int
    reading: Reading
    by: By


class Undone(Value, frozen=True, tag="undone"):
    """Table and hand are again as they were before event `of`; places stay: the chips still lie there."""

    of: int
    by: By


class BettingClosed(Value, frozen=True, tag="betting_closed"):
    street: str


class UncalledReturned(Value, frozen=True, tag="uncalled"):
    seat: int
    amount: int


class BetsSwept(Value, frozen=True, tag="swept"):
    pots: tuple[PotAmount, ...]


class StreetOpened(Value, frozen=True, tag="street"):
    street: str
    board: tuple[str, ...]  # what was read; shorter than the street where cards are unknown
    to_act: int | None


class HandsShown(Value, frozen=True, tag="shown"):
    seat: int
    cards: tuple[str, ...]


class PotAwarded(Value, frozen=True, tag="awarded"):
    pot: int  # 0 is the main pot
    shares: tuple[Share, ...]
    why: str  # "best_hand", "last_player", "dealer"


class PotPaid(Value, frozen=True, tag="paid"):
    seat: int
    amount: int


class HandEnded(Value, frozen=True, tag="hand_ended"):
    number: int
    stacks: tuple[Share, ...]


class Misdealt(Value, frozen=True, tag="misdealt"):
    number: int


class SeatChanged(Value, frozen=True, tag="seat"):
    seat: int
    stack: int
    playing: bool
    name: str = ""


class ButtonMoved(Value, frozen=True, tag="button"):
    seat: int


class LevelChanged(Value, frozen=True, tag="level"):
    small: int
    big: int
    ante: int


class PlacesCounted(Value, frozen=True, tag="counted"):
    """Facts from the count-in: every item and its place. `differences` names items that the journal had elsewhere."""

    places: dict[str, Place]
    differences: tuple[str, ...] = ()


class DifferencesAccepted(Value, frozen=True, tag="accepted"):
    by: By


class Refused(Value, frozen=True, tag="refused"):
    """An input that is not legal now; nothing else changed."""

    why: str  # key of a text
    seat: int | None = None
    numbers: dict[str, int] = msgspec.field(default_factory=dict)


class Alarmed(Value, frozen=True, tag="alarmed"):
    key: str  # kind of alarm, key of a text
    seat: int | None = None
    amount: int | None = None
    items: tuple[str, ...] = ()


class Cleared(Value, frozen=True, tag="cleared"):
    key: str
    seat: int | None = None


class Paused(Value, frozen=True, tag="paused"):
    by: By


class Resumed(Value, frozen=True, tag="resumed"):
    by: By


Event = (
    ItemsMoved
    | HandStarted
    | Posted
    | DealingEnded
    | Ruled
    | TurnPassed
    | PushHeld
    | PushReleased
    | Asked
    | Answered
    | Overruled
    | Undone
    | BettingClosed
    | UncalledReturned
    | BetsSwept
    | StreetOpened
    | HandsShown
    | PotAwarded
    | PotPaid
    | HandEnded
    | Misdealt
    | SeatChanged
    | ButtonMoved
    | LevelChanged
    | PlacesCounted
    | DifferencesAccepted
    | Refused
    | Alarmed
    | Cleared
    | Paused
    | Resumed
)
