"""The state of the table: facts (places), and what was decided (table, hand). No clock value, no timer.

Undo restores table and hand, never places. Everything here is frozen; `evolve` makes the next state of the last.

The chips on a spot are *counted* (judged, posted, or given as change in this round), *stale* (left from an earlier
round, to be swept), or neither: those wait. `given` says what a seat really put into the middle, `committed` what the
rules say it put in; the difference is change due or missing (`controller/table/balance.py`).
"""

from typing import Literal

import msgspec

from controller.games.game import Game, Street
from controller.places import Place
from controller.rulings.blinds import Missed
from controller.rulings.structures import Limits
from controller.rulings.values import Action, AnteBy, Word
from controller.table.events import Asked, PostDue, PotAmount, PushHeld, PutInDoubt, Ruled, Share
from controller.table.keys import AlarmName
from controller.table.phases import Phase
from firmware_bridge.events import Value


class Seat(Value, frozen=True):
    """One chair between hands: the ledger's stack."""

    stack: int = 0
    playing: bool = False  # has chips and does not sit out
    name: str = ""
    bought: int = 0  # bought during the hand, counted when it ends
    missed_small: bool = False  # a blind passed him while he sat out
    missed_big: bool = False


class Table(Value, frozen=True):
    seats: tuple[Seat, ...]  # seats[0] is seat 1
    button: int | None = None
    button_placed: bool = False  # a person put it there for the next hand: it does not move on once more
    small_place: int | None = None  # where the small blind was in the last hand, be the chair empty
    big_place: int | None = None  # and the big blind
    small_blind: int = 0
    big_blind: int = 0
    ante: int = 0
    ante_by: AnteBy = "none"
    rock: int | None = None  # who holds the rock, where the house has one
    leg: int | None = None  # who has one leg up towards a kill: he won the last pot
    killer: int | None = None  # who kills the next hand
    hand_number: int = 0
    paused: bool = False

    @property
    def owed_blinds(self) -> tuple[Missed, ...]:
        """Blinds that were missed and not yet made up for."""
        return tuple(
            [
                Missed(number, seat.missed_small, seat.missed_big)
                for number, seat in enumerate(self.seats, 1)
                if seat.missed_small or seat.missed_big
            ]
        )


class InHand(Value, frozen=True):
    """One player of the hand."""

    seat: int
    start_stack: int
    base: int = 0  # `State.given` of the seat when the hand began, less what lay in front then
    carry: int = 0  # due to him from the hand before, or missing (negative)
    bet: int = 0  # recognised total of this round
    committed: int = 0  # everything he put in during the hand, this round and antes included
    dead: int = 0  # part of it that counts for no level of the pots: an ante paid for the table
    posted: int = 0  # part of it that he had to put in: blinds, antes, straddles
    won: int = 0
    uncalled: int = 0  # what went back to him because nobody called it, taken or not
    folded: bool = False
    out_of_turn: bool = False  # his fold of this round was, and the turn has not passed him since
    barred: bool = False  # he checked out of turn and may not bet or raise at his next action
    last_acted: int | None = None  # his total at his last action of this round; None: not yet
    action: Action | Literal[""] = ""  # his last one of this round
    inferred: bool = False  # nobody said that action
    full_raises: int = 0  # `Hand.full_raises` when he last acted
    counted: tuple[str, ...] = ()  # chips of this round that were judged or posted, until they leave the spot
    stale: tuple[str, ...] = ()  # chips of earlier rounds, not yet swept when this one began
    pulled: tuple[str, ...] = ()  # counted chips that he took back in his turn
    doubt: PutInDoubt | None = None  # about his chips that are not judged yet
    drew: int = 0  # cards that he changed or threw away last
    drew_row: int = 0  # before the betting of this street; 0: never
    discarded: int = 0  # of them, those that were seen in the muck
    tabled: bool = False
    shown: tuple[str, ...] = ()  # his tabled cards, as far as they were read

    @property
    def stack(self) -> int:
        """Value behind, by the rules."""
        return self.start_stack - self.committed

    @property
    def doubtful(self) -> bool:
        """Whether only a person may agree to a ruling on his chips, whatever they are taken for."""
        return self.doubt is not None and bool(self.doubt.missed or self.doubt.changed)

    @property
    def all_in(self) -> bool:
        return not self.folded and self.committed >= self.start_stack


class Hand(Value, frozen=True):
    number: int
    phase: Phase
    game: Game
    street: int  # row of `game.streets`
    button: int
    players: tuple[InHand, ...]  # from the seat left of the button
    min_bet: int  # smallest bet of this round
    postflop_min: int = 0  # of later rounds of a straddled hand; 0: as the limits have it
    opens_at: int | None = None  # stud: who opens the round that is to come, once that is known
    opens_after: int | None = None  # preflop the seat behind this one acts first: the big blind, or who straddled last
    straddles: int = 0
    posted_small: int = 0  # the full small blind, whoever posted how much of it
    posted_big: int = 0  # the full big blind, whatever was straddled
    blinds_in: int = 0  # what both blinds really come to
    limits: Limits = Limits()
    players_at_start: int = 0  # of this round
    killer: int | None = None  # who kills this hand
    places_before: tuple[int | None, int | None] = (None, None)  # blinds of the hand before: a misdeal goes back there
    missed_before: tuple[Missed, ...] = ()
    posts_due: tuple[PostDue, ...] = ()
    to_act: int | None = None
    current_bet: int = 0
    last_full_raise: int = 0
    opener: int | None = None  # who made the first bet of the round (None: nobody, or only blinds)
    opening_bet: int = 0  # total of the first bet of the round, preflop of the first raise
    raises: int = 0  # bets and raises of this round
    full_raises: int = 0  # those that were full
    board: tuple[str, ...] = ()
    board_count: int = 0  # cards dealt, read or not
    pots: tuple[PotAmount, ...] = ()  # swept so far, lowest first
    word: tuple[int, Word] | None = None  # a seat's word that waits for its chips
    question: Asked | None = None
    held: tuple[PushHeld, ...] = ()
    loose: int = 0  # cards in the muck that belong to no seat seen, and are no burn
    rulings: tuple[int, ...] = ()  # event numbers of this round's rulings, in order: details in `State.rulings`
    last_ruled: Ruled | None = None
    last_ruled_seq: int | None = None
    inferred_seq: int | None = None  # the first check that was inferred from the last cause
    awards: tuple[tuple[int, tuple[Share, ...]], ...] = ()  # pot number and its shares
    owed: tuple[Share, ...] = ()  # won and not yet seen paid

    @property
    def row(self) -> Street:
        """The street that is played."""
        return self.game.streets[self.street]

    @property
    def hole_cards(self) -> int:
        """How many cards a seat has by now, or is being dealt; a common card is one less."""
        return self.game.cards_by(self.street) - self.common

    @property
    def common(self) -> int:
        """Cards of the players that lie on the board, for all (stud, where the deck runs out)."""
        return max(0, self.board_count - self.row.board_so_far)

    @property
    def is_void(self) -> bool:
        """Whether it was a misdeal: nothing of it is left but who sat in it."""
        return not self.posted_big

    def player(self, seat: int | None) -> InHand | None:
        """Who plays this hand from that seat; None: nobody."""
        for player in self.players:
            if player.seat == seat:
                return player
        return None


class Checkpoint(Value, frozen=True):
    """What undo restores: the decided values before event `seq`."""

    seq: int
    table: Table
    hand: Hand | None
    before_ruling: "Checkpoint | None" = None  # never deeper than one


class RuledBefore(Value, frozen=True):
    """A ruling of this hand, and the hand before it: where a correction of it starts again."""

    seq: int
    event: Ruled
    hand: Hand


class AlarmKey(Value, frozen=True):
    key: AlarmName
    seat: int | None = None
    amount: int | None = None


class State(Value, frozen=True):
    places: dict[str, Place]  # facts: never undone; so are the next seven
    table: Table
    hand: Hand | None = None  # stays after its end, until the next begins
    spots: tuple[tuple[str, ...], ...] = ()  # by seat: items on its spot, in the order in which they came
    cards: tuple[tuple[str, ...], ...] = ()  # by seat: hole cards that lie there, or were taken up from there
    board: tuple[str, ...] = ()  # cards that rest on the board now
    muck: tuple[str, ...] = ()
    old_cards: tuple[str, ...] = ()  # hole and board cards that have lain there since the last hand
    # Cards and the seat that had them in its hand when nobody could say any more whether they are in the deck again: at
    # that seat they count only as far as cards that were dealt to it for certain are missing.
    perhaps_old: dict[str, int] = msgspec.field(default_factory=dict)
    up: dict[int, tuple[str, ...]] = msgspec.field(default_factory=dict)  # stud: by seat, cards that lie face up
    up_unclear: tuple[int, ...] = ()  # seats of which a card may be an up card or a down card
    given: tuple[int, ...] = ()  # by seat: value put into the middle since ever, less what came back
    seq: int = 0  # events so far
    counted_in: bool = False  # the antennas have shown once what lies where
    past: tuple[Checkpoint, ...] = ()
    future: tuple[Checkpoint, ...] = ()
    before_ruling: Checkpoint | None = None  # where an overruling of the last ruling starts again; a street ends it
    rulings: tuple[RuledBefore, ...] = ()  # of this hand; those that count are named in `Hand.rulings`
    alarms: tuple[AlarmKey, ...] = ()
    differences: tuple[str, ...] = ()  # after a restart: items that lie elsewhere than the journal says
