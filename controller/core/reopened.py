"""A doubt about another seat's chips that was ruled over, and its chips are read now: they lay there then, or come now.

It is another order of play: whose push was ruled on acted behind them. So what happened is told to the engine anew, for
as long as nothing was ruled behind that push. Pure.
"""

from typing import NamedTuple

from controller import commands
from controller.core.waiting import Waiting
from controller.places import Motion, Moved, Place, Zone
from controller.rulings.values import Reading
from controller.table import inputs
from controller.table.events import Ruled, Supposed
from controller.table.state import State

IN_TURN = 0.3  # he is to act, and may well act with chips that he had in his hand
NOT_IN_TURN = 0.95  # nobody brings chips to his spot then


class Before(NamedTuple):
    """The chips in question, what happened in their order of play, and how likely that is."""

    moves: tuple[Moved, ...]
    given: tuple[inputs.Input, ...]
    chance: float


def lay_before(state: State, one: Waiting) -> Before | None:
    """The order of play in which these chips lay there before the last ruling, which doubted just that."""
    hand, given = state.hand, one.given
    last = None if hand is None else hand.last_ruled
    if hand is None or last is None or one.seat in (None, last.seat) or not isinstance(given, inputs.MotionSeen):
        return None
    if last.by != "chips" or last.word is not None or not _is_last(state):
        return None
    doubt = _doubt(last, given.motion, Place(Zone.SPOT, one.seat))
    if doubt is None or doubt.reading is None:
        return None
    chance = IN_TURN if hand.to_act == one.seat else NOT_IN_TURN
    return Before(doubt.moves, _anew(state, last, doubt.reading, given), chance)


def _is_last(state: State) -> bool:
    """Nothing that undo knows came behind the ruling."""
    hand = state.hand
    return hand is not None and bool(state.past) and state.past[-1].seq <= (hand.last_ruled_seq or 0)


def _doubt(ruled: Ruled, motion: Motion, spot: Place) -> Supposed | None:
    """The doubt of that ruling whose chips come to this spot now."""
    came = {move.item for move in motion.moves if move.target == spot}
    for doubt in ruled.doubts:
        items = {move.item for move in doubt.moves}
        if items and items <= came and all(move.target == spot for move in doubt.moves):
            return doubt
    return None


def _anew(state: State, ruled: Ruled, reading: Reading, given: inputs.MotionSeen) -> tuple[inputs.Input, ...]:
    """His ruling as it would have been, and his chips behind those that lay there: out of turn, or in it."""
    at_ns, hand = given.at_ns, state.hand
    then = commands.Overrule(None, reading.action, reading.total_to, of=None if hand is None else hand.last_ruled_seq)
    spot, held = Place(Zone.SPOT, ruled.seat), Place(Zone.IN_HAND, ruled.seat)
    back = tuple(Moved(chip, spot, held) for chip in ruled.chips)
    again = tuple(Moved(chip, held, spot) for chip in ruled.chips)
    return (
        inputs.Told(at_ns, then, "dealer"),
        inputs.MotionSeen(at_ns, motion_of(back)),
        given,
        inputs.MotionSeen(at_ns, motion_of(again)),
    )


def motion_of(moves: tuple[Moved, ...]) -> Motion:
    """Moves that no antenna told."""
    return Motion(0, moves, 0, 0, later_trip=False, doubtful=(), settled=True)
