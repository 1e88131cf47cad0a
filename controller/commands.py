"""What a person may tell the table: types only, for the screen, a page, a button, MQTT and the command line.

A command says what somebody wants; the engine decides whether it is legal now (`Refused` changes nothing).
"""

from typing import Literal

from controller.rulings.values import Word as Word  # noqa: PLC0414  -- a screen takes it from here
from controller.rulings.values import WordKind as WordKind  # noqa: PLC0414  -- the same
from firmware_bridge.events import Value

By = Literal["dealer", "seat", "mqtt", "web", "say", "start", "table"]  # "table": the antennas have answered
OUTSIDE: frozenset[By] = frozenset({"mqtt", "web"})  # whoever speaks so may not see the table


class Say(Value, frozen=True, tag="say"):
    """A spoken word or gesture: "seat 4 raise to 600"."""

    seat: int | None  # None: the seat whose turn it is
    word: Word


class NextHand(Value, frozen=True, tag="next"):
    pass


class NextStreet(Value, frozen=True, tag="street"):
    """The next street is open although its cards were not read."""


class Confirm(Value, frozen=True, tag="confirm"):
    """What is shown is right: settles the open push, or agrees to the one ruling that is asked about."""


class Undo(Value, frozen=True, tag="undo"):
    pass


class Redo(Value, frozen=True, tag="redo"):
    pass


class Overrule(Value, frozen=True, tag="overrule"):
    """Another reading for a ruling: its number in the list shown (1-based), or an amount.

    The last ruling, or with `seat` the last one of that seat in this round, or with `of` the one of that event number.
    Where others have acted since, only the amount of a bet or a call can be put right, until the next card.
    """

    reading: int | None = None
    action: str | None = None
    total_to: int | None = None
    seat: int | None = None
    of: int | None = None


class Answer(Value, frozen=True, tag="answer"):
    """The floor's answer to the open question: a reading of the list shown (1-based), or an amount."""

    question: int | None = None  # id; None: the only open one
    reading: int | None = None
    action: str | None = None
    total_to: int | None = None


class Show(Value, frozen=True, tag="show"):
    seat: int | None  # None: all who are still in


class Award(Value, frozen=True, tag="award"):
    """Who wins a pot, where cards were not read; pots are numbered from 0 (main)."""

    pot: int
    seats: tuple[int, ...]
    other_half: tuple[int, ...] = ()  # who has the second hand of a game that splits; (): `seats` have both


class Opens(Value, frozen=True, tag="opens"):
    """Stud: who opens the next round, where up cards were not read."""

    seat: int


class UpCards(Value, frozen=True, tag="up"):
    """Stud: the cards of a seat that lie face up, all of them, in the order in which they were dealt."""

    seat: int
    cards: tuple[str, ...]


class SeatIn(Value, frozen=True, tag="seat_in"):
    seat: int
    name: str = ""


class SeatOut(Value, frozen=True, tag="seat_out"):
    seat: int


class SetStack(Value, frozen=True, tag="stack"):
    seat: int
    stack: int


class SetButton(Value, frozen=True, tag="set_button"):
    seat: int


class SetBlinds(Value, frozen=True, tag="blinds"):
    small: int
    big: int
    ante: int = 0


class BetOf(Value, frozen=True):
    """What a seat has put in for this round, or that it folded."""

    seat: int
    total: int | None = None  # None: all that it has; of a fold nothing is said
    folds: bool = False


class SetBets(Value, frozen=True, tag="bets"):
    """All bets of this round at once, for repair; seats that are not named stay as they stand.

    A seat may be named again for each time that it bet: 1:500 2:1000 1:1500.
    """

    bets: tuple[BetOf, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(bet.seat for bet in self.bets)


class Kill(Value, frozen=True, tag="kill"):
    """The next hand is killed by this seat: it posts the kill blind, and the bets are raised."""

    seat: int


class Misdeal(Value, frozen=True, tag="misdeal"):
    pass


class NotAChip(Value, frozen=True, tag="not_a_chip"):
    """The foreign tags at this place are no chips: ignore them for good."""

    zone: str
    seat: int | None = None


class OutOfTurn(Value, frozen=True, tag="out_of_turn"):
    """The last inferred check was none: the player behind it acted out of turn.

    With a seat and a word: what that seat said out of turn. It waits, as chips out of turn do.
    """

    seat: int | None = None
    word: Word | None = None


class AcceptDifferences(Value, frozen=True, tag="accept"):
    """After a restart: the antennas are right where they differ from the journal."""


class Pause(Value, frozen=True, tag="pause"):
    pass


class Resume(Value, frozen=True, tag="resume"):
    pass


Command = (
    Say
    | NextHand
    | NextStreet
    | Confirm
    | Undo
    | Redo
    | Overrule
    | Answer
    | Show
    | Award
    | Opens
    | UpCards
    | SeatIn
    | SeatOut
    | SetStack
    | SetButton
    | SetBlinds
    | SetBets
    | Kill
    | Misdeal
    | NotAChip
    | OutOfTurn
    | AcceptDifferences
    | Pause
    | Resume
)
