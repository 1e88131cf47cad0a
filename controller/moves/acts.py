"""Who acts by a motion, and when: what a player does with his chips, before anybody says what it means.

The dealer acts by a sweep, by change and by what he pays; his acts have no seat.
"""

from typing import NamedTuple

from controller.places import Motion, Moved, Zone
from controller.table.phases import OPEN
from controller.table.state import State

APART_NS = 500_000_000  # a lone chip may be missed in the round that says it had not come: so much later is later
SPOT, POT = Zone.SPOT, Zone.POT
OWN, MIDDLE = (Zone.TRAY, Zone.IN_HAND), (SPOT, POT)


class Act(NamedTuple):
    """Something that a player did, for the order of play."""

    seat: int
    at_ns: int  # of chips: when the first was seen
    clear_ns: int  # up to when it is known that he had not done it
    brings: bool = False  # chips that come forward: a bet that others answer
    apart_ns: int = APART_NS  # how much later than another act it must be to be called later


class Pushed(NamedTuple):
    """Chips of a player that are not ruled on yet."""

    act: Act
    motion: Motion


def act_by(state: State, motion: Motion) -> Act | None:
    """What a player does by a motion; None: the dealer moves chips, also bets of a round that is over.

    Of several chips not all are missed in a round where nothing was seen: it tells that they had not come.
    """
    fed = _fed_seat(motion)
    seat = _own_seat(motion) if fed is None else fed
    if seat is None or not (fed is not None or _is_of_this_round(state, seat, motion)):
        return None
    apart_ns = 0 if len(motion.moves) > 1 else APART_NS
    return Act(seat, motion.first_ns, motion.clear_ns, _brings(motion), apart_ns)


def push_seat(motion: Motion) -> int | None:
    """The seat whose bet spot a motion feeds, whose chips it takes back, or that splashes the pot; None: the dealer."""
    fed = _fed_seat(motion)
    return _own_seat(motion) if fed is None else fed


def _fed_seat(motion: Motion) -> int | None:
    for move in motion.moves:
        if move.target.zone is SPOT:
            return move.target.seat
    return None


def _own_seat(motion: Motion) -> int | None:
    for move in motion.moves:
        if _is_taken_back(move) or _is_splashed(move):
            return move.origin.seat
    return None


def swept_seats(motion: Motion) -> frozenset[int | None]:
    """Seats before whom a motion takes chips away."""
    return frozenset([move.origin.seat for move in motion.moves if move.origin.zone is SPOT])


def _brings(motion: Motion) -> bool:
    """Whether a player's chips come forward: only that is an act by which an earlier push ends; change is none."""
    for move in motion.moves:
        if move.target.zone is SPOT and move.origin.zone not in MIDDLE:
            return True
        if _is_splashed(move):
            return True
    return False


def _is_of_this_round(state: State, seat: int, motion: Motion) -> bool:
    hand = state.hand
    if hand is None or hand.phase not in OPEN:
        return False
    stale = {chip for player in hand.players if player.seat == seat for chip in player.stale}
    return any(move.item not in stale for move in motion.moves)


def _is_taken_back(move: Moved) -> bool:
    return move.origin.zone is SPOT and move.target.zone in OWN


def _is_splashed(move: Moved) -> bool:
    return move.origin.zone in OWN and move.target.zone is POT
