"""What happened, in the past tense. The journal keeps these and nothing else; replay never judges again.

`evolve(state, event)` holds no rules, so an event carries every result that a rule produced: `Ruled` the whole ruling
and the round after it, `BetsSwept` the pots, `PotAwarded` the amounts. Fields that may be None only because version 1
of the journal had no such field are worked out when its rows are read (`controller/journal/version_1.py`). `state.seq`
counts events; `of` in a correction is such a number.
Hole cards stand only in events that `is_public` refuses, and in `HandsShown`; names of chips in public events are
stripped by whoever publishes them.
"""

from typing import Literal

import msgspec

from controller.commands import By
from controller.games.game import Game
from controller.places import Moved, Place
from controller.rulings.blinds import Missed
from controller.rulings.forced_bets import Faced
from controller.rulings.rounds import BettingRound
from controller.rulings.structures import Limits
from controller.rulings.turn import ActKind
from controller.rulings.values import Reading, Ruling, Word
from controller.table.amounts import Part as Part  # noqa: PLC0414  -- of events here
from controller.table.amounts import PotAmount as PotAmount  # noqa: PLC0414  -- the same
from controller.table.amounts import Share as Share  # noqa: PLC0414  -- the same
from controller.table.dealing_events import Drew as Drew  # noqa: PLC0414  -- of this union too
from controller.table.dealing_events import OpenerSeen as OpenerSeen  # noqa: PLC0414  -- the same
from controller.table.dealing_events import TurnedUp as TurnedUp  # noqa: PLC0414  -- the same
from controller.table.decision import Decision as Decision  # noqa: PLC0414  -- the base of many here
from controller.table.keys import AlarmName, AwardKey, ReleaseKey
from controller.table.meanings import Meaning
from controller.table.phases import Phase
from firmware_bridge.events import Value

# "out_of_turn": chips put in out of turn that stay in the pot although the action changed.
PostKind = Literal["small_blind", "big_blind", "ante", "straddle", "kill", "dead", "live", "out_of_turn"]


class Player(Value, frozen=True):
    """A seat that is dealt in, with its stack at the start of the hand."""

    seat: int
    stack: int
    in_front: int = 0  # value that lay on its spot already
    carry: int = 0  # still due to it from the hand before; negative: still missing from it


class PostDue(Value, frozen=True):
    seat: int
    kind: PostKind
    amount: int  # what is really due: never more than the stack
    nominal: int  # the full blind or ante


class Supposed(Value, frozen=True):
    """One world that the antennas leave open: where items would lie, and what would be ruled of the act in question."""

    moves: tuple[Moved, ...] = ()  # items that would lie elsewhere than they were seen; (): none
    reading: Reading | None = None  # None: nothing would be ruled
    chance: float = 0.0
    values: tuple[int, ...] = ()  # of the chips that move, in their order: what the public hears of them


class ItemsMoved(Value, frozen=True, tag="items_moved"):
    """Facts: where items lie now, and what the move was taken to mean (`controller/moves/meaning.py`)."""

    moves: tuple[Moved, ...]
    meaning: Meaning
    flows: tuple[Share, ...] = ()  # net value that a seat gave to the middle (spots and pot), or took from it (minus)
    counted: bool = False  # the chips that came to a spot so wait for no ruling
    pulled: bool = False  # chips that had counted were taken back, and the next ruling must know of them
    loose: int = 0  # cards in the muck that belong to no seat seen, and are no burn
    keeps: bool = False  # only read there: cards of a seat, of the board or of the muck stay what they were


class HandStarted(Decision, frozen=True, tag="hand_started"):
    number: int
    button: int
    players: tuple[Player, ...]  # in order from the seat left of the button
    posts: tuple[PostDue, ...]
    min_bet: int  # smallest bet: the big blind, or what a kill makes of it
    price: int = 0  # what all face; 0: the big blind
    big: int | None = None  # seat of the big blind; None: the second from the button on, heads-up the first
    small_place: int | None = None  # where the small blind belongs, be the chair empty
    missed: tuple[Missed, ...] = ()  # blinds that passed those who sit out
    limits: Limits = Limits()
    small_blind: int = 0  # the full one, whoever posts how much of it
    big_blind: int = 0  # the same; 0: min_bet
    game: Game | None = None  # what is played, whole; None: as `controller/journal/version_1.py` says
    killed: bool = False  # who was to kill this hand does
    blinds_in: int = 0  # what both blinds really come to
    postflop_min: int = 0  # smallest bet of later streets where it is not that of the limits; 0: it is
    owed: tuple[Missed, ...] = ()  # blinds that seats owe from now on


class Posted(Decision, frozen=True, tag="posted"):
    seat: int
    kind: PostKind
    amount: int
    all_in: bool
    faced: Faced | None = None  # a straddle: what all face from now on
    bet: int = 0  # part of the amount that counts for his bet of the round
    dead: int = 0  # part that counts for no level of the pots
    forced: int = 0  # part that he had to put in
    phase: Phase | None = None  # of the hand from now on


class DealingEnded(Decision, frozen=True, tag="dealing_ended"):
    """Betting is open on the first street; the seat to act."""

    to_act: int | None
    faced: Faced | None = None  # stud: the bring-in, which the first to act owes


class Ruled(Decision, frozen=True, tag="ruled"):
    """A push, a word or both became an action. `reading` is what counts: `ruling.chosen`, or the floor's answer."""

    seat: int
    reading: Reading
    ruling: Ruling
    chips: tuple[str, ...]  # the items it was judged on; () for a word
    word: Word | None = None
    inferred: bool = False  # a check or fold that nobody said
    by: Literal["chips", "word", "cards", "confirm", "answer", "inferred", "out_of_turn", "bets"] = "chips"
    round: BettingRound | None = None  # after it
    folds: bool = False
    out_of_turn: bool = False  # a fold before his turn
    doubts: tuple[Supposed, ...] = ()  # worlds, too unlikely to be asked about, in which it would be another


class Said(Decision, frozen=True, tag="said"):
    """A word that waits for its chips: "raise" without an amount."""

    seat: int
    word: Word
    by: By


class TurnPassed(Decision, frozen=True, tag="turn"):
    to: int | None  # None: nobody has to act


class PushHeld(Decision, frozen=True, tag="held"):
    """Chips or a word out of turn: held back until the turn reaches the seat (TDA 53), or until they are released."""

    seat: int
    chips: tuple[str, ...]  # all that this seat has waiting
    facing: int = 0  # the bet when they came
    early: bool = False  # betting was closed: they wait for the next street
    act: ActKind = "call"  # what they would have been in turn
    total: int = 0  # and the total of the round that they would have made
    word: Word | None = None
    binding: bool = False  # substantial action followed: they bind whatever the skipped player does (TDA 2024 53-B)
    sleeper: bool = False  # a straddle that counts only if nobody calls or raises before it


class PutInDoubt(Value, frozen=True, tag="in_doubt"):
    """What is not certain of the chips that lie unjudged before a seat, until they are ruled on by a person."""

    seat: int
    missed: tuple[str, ...] = ()  # chips that may belong to them, not read for certain
    second: tuple[str, ...] = ()  # chips among them that came by a second trip: one push, or a string bet
    changed: bool = False  # chips came or went while a question about them stood


class PushReleased(Decision, frozen=True, tag="released"):
    seat: int
    why: ReleaseKey
    may_raise: bool = True  # False: who checked out of turn may only call or fold now


class Asked(Decision, frozen=True, tag="asked"):
    """The table stops and asks the floor or, with `why` "confirm", only the dealer's agreement.

    With `why` "worlds" it asks where items lie: `worlds` says it for each outcome, the likeliest first, and the chips
    stay unruled until somebody answers or the antennas do.
    """

    id: int
    seat: int | None
    ruling: Ruling
    chips: tuple[str, ...]
    why: str
    word: Word | None = None
    doubtful: bool = False  # chips are still undecided: only a person may agree, or these chips that come
    undecided: tuple[str, ...] = ()
    worlds: tuple[Supposed, ...] = ()


class Answered(Decision, frozen=True, tag="answered"):
    id: int
    reading: Reading | None
    by: By
    world: int | None = None  # of `Asked.worlds`, from 1: so it lies; None: nobody said, or the antennas did


class Overruled(Decision, frozen=True, tag="overruled"):
    of: int
    seat: int
    reading: Reading
    by: By
    round: BettingRound | None = None  # the last three as in `Ruled`
    folds: bool = False
    out_of_turn: bool = False


class RoundRestarted(Decision, frozen=True, tag="round_restarted"):
    """The betting of this street is as it was before the ruling `of`, its first; what follows is ruled anew."""

    of: int | None  # None: nothing was ruled in it
    by: By


class Undone(Value, frozen=True, tag="undone"):
    """Table and hand are again as they were before event `of`; places stay: the chips still lie there.

    Redo is the undo of an undo: `of` is then the number of that `Undone`.
    """

    of: int
    by: By


class BettingClosed(Decision, frozen=True, tag="betting_closed"):
    street: str


class UncalledReturned(Decision, frozen=True, tag="uncalled"):
    seat: int
    amount: int
    bet: int | None = None  # part of it that was his bet of the round; the rest is an ante that nobody could match


class BetsSwept(Decision, frozen=True, tag="swept"):
    pots: tuple[PotAmount, ...]
    phase: Phase | None = None  # of the hand from now on


class StreetOpened(Decision, frozen=True, tag="street"):
    street: str  # its name
    board: tuple[str, ...]  # what was read; shorter than the street where cards are unknown
    to_act: int | None
    min_bet: int = 0  # smallest bet of the street
    row: int = 0  # the street in the game's rows
    board_count: int = 0  # cards dealt, read or not
    players: int = 0  # who are still in
    phase: Phase | None = None  # of the hand from now on


class BoardChanged(Value, frozen=True, tag="board"):
    """A fact about the streets that are open: another card lies in the place of one, or one was read late."""

    board: tuple[str, ...]  # as in `StreetOpened`


class HandsShown(Decision, frozen=True, tag="shown"):
    seat: int
    cards: tuple[str, ...]


class Mucked(Decision, frozen=True, tag="mucked"):
    """At the showdown a player gave up his hand unseen."""

    seat: int


class PotAwarded(Decision, frozen=True, tag="awarded"):
    pot: int  # 0 is the main pot
    shares: tuple[Share, ...]
    why: AwardKey
    phase: Phase | None = None  # of the hand from now on
    parts: tuple[Part, ...] = ()  # where several hands or boards share it


class PotPaid(Value, frozen=True, tag="paid"):
    seat: int
    amount: int


class HandEnded(Decision, frozen=True, tag="hand_ended"):
    number: int
    stacks: tuple[Share, ...]
    rock: int | None = None  # who holds the rock from now on; None: as before
    leg: int | None = None  # who has one leg up towards a kill; 0: nobody; None: as before
    killer: int | None = None  # who must kill the next hand; None: nobody more than before
    busted: tuple[int, ...] = ()  # seats that have no chips left, and play no more


class Misdealt(Decision, frozen=True, tag="misdealt"):
    """All chips go back: nobody put anything in, and blinds are owed as before."""

    number: int
    stacks: tuple[Share, ...] | None = None  # of all seats, with what was bought meanwhile
    owed: tuple[Missed, ...] = ()  # blinds that seats owe
    small_place: int | None = None  # where the blinds were before
    big_place: int | None = None
    killer: int | None = None  # who kills the next hand


class SeatChanged(Decision, frozen=True, tag="seat"):
    seat: int
    stack: int
    playing: bool
    name: str = ""
    bought: int = 0  # chips bought in a hand: they count from the next one on


class ButtonMoved(Decision, frozen=True, tag="button"):
    seat: int


class KillTold(Decision, frozen=True, tag="kill"):
    """The next hand is killed by this seat."""

    seat: int


class LevelChanged(Decision, frozen=True, tag="level"):
    small: int
    big: int
    ante: int


class PlacesCounted(Value, frozen=True, tag="counted"):
    """Facts from the count-in: every item and its place. `differences` names items that the journal had elsewhere."""

    places: dict[str, Place]
    differences: tuple[str, ...] = ()
    flows: tuple[Share, ...] = ()  # as in ItemsMoved, for what moved unseen


class DifferencesAccepted(Value, frozen=True, tag="accepted"):
    by: By


class Refused(Value, frozen=True, tag="refused"):
    """An input that is not legal now; nothing else changed."""

    why: str  # key of a text
    seat: int | None = None
    numbers: dict[str, int] = msgspec.field(default_factory=dict)


class Alarmed(Value, frozen=True, tag="alarmed"):
    key: AlarmName
    seat: int | None = None
    amount: int | None = None
    items: tuple[str, ...] = ()


class Cleared(Value, frozen=True, tag="cleared"):
    key: AlarmName
    seat: int | None = None


class Paused(Decision, frozen=True, tag="paused"):
    by: By


class Resumed(Decision, frozen=True, tag="resumed"):
    by: By


Event = (
    ItemsMoved
    | HandStarted
    | Posted
    | DealingEnded
    | TurnedUp
    | OpenerSeen
    | Drew
    | Ruled
    | Said
    | TurnPassed
    | PushHeld
    | PutInDoubt
    | PushReleased
    | Asked
    | Answered
    | Overruled
    | RoundRestarted
    | Undone
    | BettingClosed
    | UncalledReturned
    | BetsSwept
    | StreetOpened
    | BoardChanged
    | HandsShown
    | Mucked
    | PotAwarded
    | PotPaid
    | HandEnded
    | Misdealt
    | SeatChanged
    | ButtonMoved
    | KillTold
    | LevelChanged
    | PlacesCounted
    | DifferencesAccepted
    | Refused
    | Alarmed
    | Cleared
    | Paused
    | Resumed
)

PRIVATE = (ItemsMoved, PlacesCounted, DifferencesAccepted, Refused)  # facts by name, and what changed nothing


def is_public(event: Event) -> bool:
    """May everybody hear of it? Facts about items may not: they name hole cards that nobody tabled."""
    return not isinstance(event, PRIVATE)
