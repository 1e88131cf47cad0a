"""Who acts by a motion, and what comes before what: the order in which open moves reach the engine. Pure.

Places are counted clockwise from the seat to act, so the smallest number is ruled first. One thing turns that order
round: a player who owes nothing, and acts clearly later than one behind him bet, has checked without a sign, and now
answers that bet. The dealer acts by a sweep and by cards of the middle; his acts have no seat.
"""

from collections.abc import Iterable
from functools import cmp_to_key
from typing import NamedTuple

from msgspec.structs import replace

from controller.commands import Confirm, Say
from controller.engine.engine import Engine
from controller.hand.betting import must_act
from controller.places import Motion, Moved, Zone
from controller.table import inputs
from controller.table.events import Asked, Refused
from controller.table.phases import Phase
from controller.table.state import State
from firmware_bridge.events import Value

BETTING = frozenset({Phase.POSTING, Phase.DEALING, Phase.BETTING})
APART_NS = 500_000_000  # a lone chip may be missed in the round that says it had not come: so much later is later
RESTED_NS = 1_000_000_000  # so long, at most, a card lies in the muck before it is known to rest there
_AT_ONCE = frozenset({"check", "tap", "bet"})  # words of a player who faces no bet: said late, they still come first
_OWN = frozenset({Zone.TRAY, Zone.HELD})
_MIDDLE = frozenset({Zone.SPOT, Zone.POT})


class Act(NamedTuple):
    """Something that a player did, for the order of play."""

    seat: int
    at_ns: int  # of chips: when the first was seen
    clear_ns: int  # up to when it is known that he had not done it
    brings: bool = False  # chips that come forward: a bet that others answer
    apart_ns: int = APART_NS  # how much later than another act it must be to be called later


class Waiting(Value, frozen=True):
    """An input that may not be handed to the engine yet, and the seat that acts by it (None: the dealer)."""

    seat: int | None
    given: inputs.Input

    @property
    def is_push(self) -> bool:
        """Chips of a player."""
        return self.seat is not None and isinstance(self.given, inputs.MotionSeen)

    @property
    def act(self) -> "Act | None":
        """Who acts by it and when; None: the dealer."""
        given = self.given
        if self.seat is None:
            return None
        if isinstance(given, inputs.MotionSeen):
            return act_of(self.seat, given.motion)
        said = given.command if isinstance(given, inputs.Told) else None
        at_once = isinstance(said, Say) and said.word.kind in _AT_ONCE
        clear_ns = 0 if at_once else given.at_ns - (0 if said else RESTED_NS)
        return Act(self.seat, given.at_ns, clear_ns)

    @property
    def items(self) -> frozenset[str]:
        given = self.given
        return frozenset(m.item for m in given.motion.moves) if isinstance(given, inputs.MotionSeen) else frozenset()

    @property
    def mucked(self) -> tuple[str, ...]:
        given = self.given
        return given.cards if isinstance(given, inputs.CardsRested) and given.place.zone is Zone.MUCK else ()


def push_seat(motion: Motion) -> int | None:
    """The seat whose bet spot a motion feeds, whose chips it takes back, or that splashes the pot; None: the dealer."""
    for move in motion.moves:
        if move.target.zone is Zone.SPOT:
            return move.target.seat
    for move in motion.moves:
        if _is_taken_back(move) or _is_splashed(move):
            return move.origin.seat
    return None


def brings(motion: Motion) -> bool:
    """Whether a player's chips come forward: only that is an act by which an earlier push ends; change is none."""
    return any(
        _is_splashed(move) or (move.target.zone is Zone.SPOT and move.origin.zone not in _MIDDLE)
        for move in motion.moves
    )


def _is_taken_back(move: Moved) -> bool:
    return move.origin.zone is Zone.SPOT and move.target.zone in _OWN


def _is_splashed(move: Moved) -> bool:
    return move.origin.zone in _OWN and move.target.zone is Zone.POT


def acting(state: State, motion: Motion) -> int | None:
    """The seat that acts by a motion; None where the dealer moves chips: also bets of a round that is over."""
    seat, hand = push_seat(motion), state.hand
    if seat is None or any(move.target.zone is Zone.SPOT for move in motion.moves):
        return seat
    if hand is None or hand.phase not in BETTING:
        return None
    stale = {chip for player in hand.players if player.seat == seat for chip in player.stale}
    return seat if any(move.item not in stale for move in motion.moves) else None


def turn(state: State, seat: int) -> int:
    """Places from the seat to act, clockwise; all alike where nobody has to act."""
    hand = state.hand
    if hand is None or hand.to_act is None:
        return 0
    return (seat - hand.to_act) % len(state.table.seats)


def is_before(state: State, one: int, other: int) -> bool:
    return turn(state, one) < turn(state, other)


class Order(NamedTuple):
    """What comes before what in one state."""

    engine: Engine
    state: State

    def is_before(self, one: Act, other: Act) -> bool:
        if is_before(self.state, one.seat, other.seat):
            return not self._has_checked(one, other)
        return self._has_checked(other, one)

    def _has_checked(self, late: Act, bet: Act) -> bool:
        """Whether a player whose turn came first let it pass, and answers what came behind him."""
        later = bet.brings and bet.at_ns + late.apart_ns < late.clear_ns
        return later and late.seat in self.engine.would_check(self.state, bet.seat)

    def sorted(self, pushes: Iterable[tuple[int, Motion]]) -> list[tuple[int, Motion]]:
        def compare(one: tuple[int, Motion], other: tuple[int, Motion]) -> int:
            first, second = act_of(*one), act_of(*other)
            return -1 if self.is_before(first, second) else 1 if self.is_before(second, first) else 0

        return sorted(pushes, key=cmp_to_key(compare))


def act_of(seat: int, motion: Motion) -> Act:
    """Of several chips not all are missed in a round where nothing was seen: it tells that they had not come."""
    apart_ns = 0 if len(motion.moves) > 1 else APART_NS
    return Act(seat, motion.first_ns, motion.clear_ns, brings(motion), apart_ns)


def still_to_act(state: State, seat: int) -> bool:
    """Whether a player has a turn left in this round; what he pushes without one answers the next card."""
    hand = state.hand
    if hand is None or hand.phase not in BETTING:
        return False
    player = hand.player(seat)
    return player is not None and must_act(hand, player)


def next_in_turn(state: State, seat: int) -> int | None:
    """Who may act next behind a seat."""
    hand = state.hand
    if hand is None:
        return None
    able = [p.seat for p in hand.players if p.seat != seat and not p.folded and not p.all_in]
    return min(able, key=lambda other: (other - seat) % len(state.table.seats), default=None)


def priority(state: State, waiting: Waiting) -> tuple[int, bool]:
    """What is handed on first: the dealer's acts, then by turn; a player's words before his chips, which they name."""
    at = -1 if waiting.seat is None else turn(state, waiting.seat)
    return at, not isinstance(waiting.given, inputs.Told)


def question_of(state: State) -> Asked | None:
    """What the table waits for an answer to."""
    return state.hand.question if state.hand is not None else None


def agrees(state: State, seat: int | None) -> bool:
    """Whether an act of this seat is the agreement that a question waits for: he is the next in turn."""
    question = question_of(state)
    if question is None or question.seat is None or question.why != "confirm" or question.doubtful:
        return False
    return seat not in {None, question.seat} and next_in_turn(state, question.seat) == seat


def refusal(
    engine: Engine, state: State, pushes: Iterable[tuple[int, Motion]], seat: int | None, told: inputs.Told
) -> Refused | None:
    """Why a word would be refused, were these pushes ruled before it as they are shown; None: it would not."""
    for _, motion in Order(engine, state).sorted(pushes):
        state, _ = engine.step(state, inputs.MotionSeen(told.at_ns, motion))
    if agrees(state, seat):
        state, _ = engine.step(state, replace(told, command=Confirm()))
    return next((event for event in engine.decide(state, told) if isinstance(event, Refused)), None)
