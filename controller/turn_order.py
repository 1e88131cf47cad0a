"""Who acts by a motion, and what comes before what: the order in which open moves reach the engine. Pure.

Places are counted clockwise from the seat to act, so the smallest number is ruled first. The dealer acts by a sweep and
by cards of the middle; his acts have no seat.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from controller.commands import Confirm
from controller.engine import inputs
from controller.engine.engine import Engine
from controller.engine.events import Asked, Refused
from controller.engine.state import Phase, State
from controller.places import Motion, Moved, Zone
from firmware_bridge.events import Value

BETTING = frozenset({Phase.POSTING, Phase.DEALING, Phase.BETTING})
_OWN = frozenset({Zone.TRAY, Zone.HELD})
_MIDDLE = frozenset({Zone.SPOT, Zone.POT})


class Waiting(Value, frozen=True):
    """An input that may not be handed to the engine yet, and the seat that acts by it (None: the dealer)."""

    seat: int | None
    given: inputs.Input

    @property
    def is_push(self) -> bool:
        """Chips of a player."""
        return self.seat is not None and isinstance(self.given, inputs.MotionSeen)

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
    first = state
    for _, motion in sorted(pushes, key=lambda push: turn(first, push[0])):
        state, _ = engine.step(state, inputs.MotionSeen(told.at_ns, motion))
    if agrees(state, seat):
        state, _ = engine.step(state, replace(told, command=Confirm()))
    return next((event for event in engine.decide(state, told) if isinstance(event, Refused)), None)
