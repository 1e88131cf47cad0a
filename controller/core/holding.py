"""Whether something that happened must wait, and for what: the four reasons. Pure.

order      chips move on in the order in which they moved; a push that comes first in turn is not final
reading    a chip that would come first in turn is half read
question   the table waits for an answer
unknown    a ruling would rest on a place that is not known now: unknown is never empty
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from controller.core.turn_order import Act, Order, Waiting, act_of, acting, agrees, question_of, still_to_act
from controller.engine.engine import Engine
from controller.places import Motion, Place, Zone
from controller.table import inputs
from controller.table.events import Ruled
from controller.table.state import State

Push = tuple[int, Motion]  # the seat that acts by it


def open_pushes(state: State, motions: Sequence[Motion]) -> list[Push]:
    return [(seat, motion) for motion in motions if (seat := acting(state, motion)) is not None]


def waiting_pushes(waiting: Sequence[Waiting]) -> list[Push]:
    """Pushes that are settled, and wait."""
    return [(w.seat, w.given.motion) for w in waiting if w.seat and isinstance(w.given, inputs.MotionSeen)]


def swept_pushes(pushes: Sequence[Push], motion: Motion) -> list[Push]:
    """Pushes whose chips a motion takes away."""
    swept = {move.origin.seat for move in motion.moves if move.origin.zone is Zone.SPOT}
    return [(seat, push) for seat, push in pushes if seat in swept]


def blocked(unknown: Mapping[Place, str], seat: int) -> tuple[Place, ...]:
    """Places of a seat that cannot be trusted now: they hold back its rulings and no others."""
    return tuple(place for place in unknown if place.seat == seat and place.zone in {Zone.SPOT, Zone.TRAY})


class Holding(NamedTuple):
    """All that it takes to say whether an input must wait."""

    engine: Engine
    state: State
    open: Sequence[Push]
    waiting: Sequence[Waiting]
    unknown: Mapping[Place, str]
    half_read: Callable[[int], int | None]  # by seat: since when a chip of it is half read

    def holds(self, one: Waiting) -> bool:
        return self.is_early(one) or bool(self.missing(one))

    def is_early(self, one: Waiting) -> bool:
        """Whether it would wait although every place were known."""
        return self._follows_another(one) or self._is_behind(one) or self._is_asked(one) or self.is_reading(one)

    def missing(self, one: Waiting) -> tuple[Place, ...]:
        """Places that are not known and that its ruling would rest on: the seat's own, or one whose check it infers.

        What a dealer says is said by somebody who sees the table.
        """
        if not self.unknown or (isinstance(one.given, inputs.Told) and one.given.by != "seat"):
            return ()
        if one.is_push and one.seat is not None and (own := blocked(self.unknown, one.seat)):
            return own
        events = self.engine.decide(self.state, one.given)
        inferred = [event.seat for event in events if isinstance(event, Ruled) and event.inferred]
        return tuple(place for seat in inferred for place in blocked(self.unknown, seat))

    def _follows_another(self, one: Waiting) -> bool:
        """Whether an earlier input that still waits moves one of the same chips."""
        for earlier in self.waiting:
            if earlier is one:
                break
            if not one.items.isdisjoint(earlier.items):
                return True
        return False

    def _is_behind(self, one: Waiting) -> bool:
        pushes = [*self.open, *waiting_pushes(self.waiting)]
        if one.seat is None:
            given = one.given
            if isinstance(given, inputs.MotionSeen):
                return bool(swept_pushes(self.open, given.motion))
            return any(still_to_act(self.state, seat) for seat, _ in pushes)
        if isinstance(one.given, inputs.CardsRested) and any(seat == one.seat for seat, _ in pushes):
            return True  # he throws his hand away behind his own chips
        return any(self._is_before(act_of(*push), one) for push in pushes)

    def _is_asked(self, one: Waiting) -> bool:
        question, given = question_of(self.state), one.given
        if question is None or isinstance(given, inputs.Told):
            return False
        if one.seat == question.seat:  # a hand thrown away behind chips that wait for agreement: the chips come first
            return question.why == "confirm" and isinstance(given, inputs.CardsRested)
        if not isinstance(given, inputs.MotionSeen):
            return not agrees(self.state, one.seat)
        if one.seat is None:
            return any(move.origin.zone is Zone.SPOT for move in given.motion.moves)
        return question.why != "confirm" or question.doubtful

    def is_reading(self, one: Waiting) -> bool:
        """Whether a chip of a seat that comes first may just be coming; it takes a moment at most."""
        hand = self.state.hand
        if hand is None or hand.to_act is None or (one.seat is None and isinstance(one.given, inputs.MotionSeen)):
            return False
        halves = ((p.seat, since_ns) for p in hand.players if (since_ns := self.half_read(p.seat)) is not None)
        return any(self._is_before(Act(seat, since_ns, 0, brings=True), one) for seat, since_ns in halves)

    def _is_before(self, act: Act, one: Waiting) -> bool:
        if one.act is None:
            return still_to_act(self.state, act.seat)
        return Order(self.engine, self.state).is_before(act, one.act)
