"""The state of the table: facts (places), and what was decided (table, hand). No clock value, no timer.

Undo restores table and hand, never places. Everything here is frozen; `evolve` makes the next state of the last.
"""

from enum import StrEnum
from typing import Literal

from controller.engine.events import Asked, PostDue, PotAmount, Ruled, Share
from controller.places import Place
from firmware_bridge.events import Value


class Phase(StrEnum):
    """Phases of a hand as the sensors see it: the table stands in `controller/hand/phases.py`."""

    COUNTING_IN = "counting_in"
    BETWEEN_HANDS = "between_hands"
    POSTING = "posting"
    DEALING = "dealing"
    BETTING = "betting"
    SWEEPING = "sweeping"
    STREET_CARD = "street_card"
    SHOWDOWN = "showdown"
    PAYING = "paying"


class Seat(Value, frozen=True):
    """One chair between hands: the ledger's stack."""

    stack: int = 0
    playing: bool = False
    name: str = ""


class Table(Value, frozen=True):
    seats: tuple[Seat, ...]  # seats[0] is seat 1
    button: int | None = None
    small_blind: int = 0
    big_blind: int = 0
    ante: int = 0
    ante_by: Literal["none", "each", "big_blind", "button"] = "none"
    hand_number: int = 0
    paused: bool = False


class InHand(Value, frozen=True):
    """One player of the hand."""

    seat: int
    start_stack: int
    bet: int = 0  # recognised total of this round
    committed: int = 0  # everything he put in during the hand, this round included
    folded: bool = False
    all_in: bool = False
    last_acted: int | None = None  # his total at his last action of this round; None: not yet
    swept: int = 0  # part of this round's bet that is already in the pot
    shown: tuple[str, ...] | None = None
    tabled: bool = False

    @property
    def stack(self) -> int:
        """Value behind, by the rules."""
        return self.start_stack - self.committed


class HeldPush(Value, frozen=True):
    """Chips out of turn, waiting."""

    seat: int
    chips: tuple[str, ...]


class Hand(Value, frozen=True):
    number: int
    phase: Phase
    street: Literal["preflop", "flop", "turn", "river"]
    button: int
    players: tuple[InHand, ...]  # from the seat left of the button
    min_bet: int
    posts_due: tuple[PostDue, ...] = ()
    to_act: int | None = None
    current_bet: int = 0
    last_full_raise: int = 0
    opener: int | None = None  # who made the first bet of the round (None: nobody, or only blinds)
    raises: int = 0  # bets and raises of this round
    antes: int = 0  # dead money of this hand that is not part of any bet
    board: tuple[str, ...] = ()
    board_count: int = 0  # cards dealt, read or not
    pots: tuple[PotAmount, ...] = ()  # swept so far, lowest first
    question: Asked | None = None
    held: tuple[HeldPush, ...] = ()
    last_ruled: Ruled | None = None
    last_ruled_seq: int | None = None
    awards: tuple[tuple[int, tuple[Share, ...]], ...] = ()  # pot number and its shares
    owed: tuple[Share, ...] = ()  # awarded and not yet seen paid


class Checkpoint(Value, frozen=True):
    """What undo restores: the decided values before event `seq`."""

    seq: int
    table: Table
    hand: Hand | None


class AlarmKey(Value, frozen=True):
    key: str
    seat: int | None = None


class State(Value, frozen=True):
    places: dict[str, Place]  # facts: never undone
    table: Table
    hand: Hand | None = None
    seq: int = 0  # events so far
    past: tuple[Checkpoint, ...] = ()
    future: tuple[Checkpoint, ...] = ()
    alarms: tuple[AlarmKey, ...] = ()
    differences: tuple[str, ...] = ()  # after a restart: items that lie elsewhere than the journal says
