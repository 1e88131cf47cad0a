"""What people are asked of where chips lie, and what they answered: the act that waits for it, and facts of the hand.

A question stands until somebody answers it, or the antennas do: chips that were open and are read now join the push, or
come before it; chips that their tray shows again are open no more. An answer is a fact until the hand ends.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from controller.core import worlds
from controller.core.waiting import Waiting
from controller.core.worlds import Fact, Twice, Verdict, View, World
from controller.engine.engine import Engine
from controller.places import Moved, Zone
from controller.table import inputs
from controller.table.choices import doubt_named
from controller.table.events import Answered, Event, Overruled
from controller.table.state import State
from controller.tracking.tracker import Tracker


class Question(NamedTuple):
    """What people are asked, and the act that waits for it."""

    one: Waiting
    found: Verdict


class Asking:
    """The open question of where chips lie, and what is known of it."""

    def __init__(self, engine: Engine, tracker: Tracker) -> None:
        self._engine = engine
        self._tracker = tracker
        self._hold_ns = tracker.layout.hold_ms * 1_000_000
        self._facts: frozenset[Fact] = frozenset()
        self._hand = 0  # that they are of
        self._last_ns: dict[int, int] = {}  # by seat: when the last chip of its last push was seen
        self._agreed = 0  # the motion that a person has called right as it was shown
        self.question: Question | None = None
        self.twice: Twice = ()  # items that several places show at once

    def verdict(self, state: State, one: Waiting) -> Verdict:
        """Whether what waits would be ruled alike in every world that is open, or somebody has agreed to it."""
        number = state.hand.number if state.hand is not None else 0
        if number != self._hand:
            self._facts, self._hand = frozenset(), number
        tracker, facts = self._tracker, self._facts
        view = View(self._engine, state, tracker, facts, self._last_ns, self._hold_ns, self.twice)
        found = worlds.verdict(view, one)
        agreed = isinstance(one.given, inputs.MotionSeen) and one.given.motion.number == self._agreed != 0
        return found._replace(asks=False) if agreed else found

    def is_due(self, one: Waiting, found: Verdict) -> bool:
        """Whether people are to be asked now: nothing that tells is due, or it was waited for long enough."""
        return not found.coming or self._tracker.now_ns >= one.given.at_ns + self._hold_ns

    def handed_on(self, one: Waiting) -> None:
        """The engine has it."""
        if one.seat is not None and isinstance(one.given, inputs.MotionSeen):
            self._last_ns[one.seat] = one.given.motion.last_ns

    def agree(self, number: int) -> None:
        """A person calls a motion right as it is shown; 0: none."""
        self._agreed = number

    def ask(self, one: Waiting, found: Verdict) -> inputs.Unsure:
        """People are asked where the chips lie; the act waits, and the game with it."""
        assert one.seat is not None
        assert isinstance(one.given, inputs.MotionSeen)
        found = worlds.spoken_of(found, self._engine.setting.house.ask_above)
        self.question = Question(one, found)
        chips = tuple([move.item for move in one.given.motion.moves if move.target.zone is not Zone.IN_HAND])
        return inputs.Unsure(one.given.at_ns, one.seat, chips, found.shown)

    def again(self, state: State, waiting: Sequence[Waiting]) -> inputs.Sure | None:
        """Whether the antennas have answered, or answer otherwise than people were asked.

        What people undid, and what a pause put away, is not asked any more.
        """
        asked = self.question
        if asked is None:
            return None
        question = None if state.hand is None else state.hand.question
        if question is None or question.why != "worlds" or asked.one not in waiting:
            self.question = None
            return None
        found = self.verdict(state, asked.one)
        if found.asks and found.rules is None and found.shown[0].reading in [one.reading for one in asked.found.shown]:
            return None
        self.question = None
        return inputs.Sure(asked.one.given.at_ns)

    def answered(self, events: Iterable[Event]) -> tuple[Waiting, World] | None:
        """The act that waited, and the world that a person named; None: nobody answered."""
        asked = self.question
        answer = next((event for event in events if isinstance(event, Answered)), None)
        if asked is None or answer is None:
            return None
        self.question = None
        at = answer.world
        if at is None:
            assert isinstance(asked.one.given, inputs.MotionSeen)
            return asked.one, World((), (replace(asked.one.given, named=answer.reading),), 0.0)
        self._facts |= {(move.item, move.target) for one in asked.found.worlds for move in one.moves}
        return asked.one, asked.found.worlds[at - 1]

    def chose(self, state: State, reading: int | None, events: Iterable[Event]) -> tuple[Moved, ...]:
        """Where chips lie by somebody who overruled a ruling by the number of its doubt; `state`: before he did."""
        chosen = next((event for event in events if isinstance(event, Overruled)), None)
        if chosen is None:
            return ()
        ruled = next((kept.event for kept in state.rulings if kept.seq == chosen.of), None)
        doubt = None if ruled is None else doubt_named(ruled, reading)
        moves = () if doubt is None else doubt.moves
        self._facts |= {(move.item, move.target) for move in moves}
        return moves

    # ------------------------------------------------------------ chips that answer by themselves
    def answers(self, one: Waiting, waiting: Iterable[Waiting]) -> bool:
        """Whether chips are read now that may have lain there unread when a push came that waits."""
        return self.came_before(one) or any(self._is_of(one, other) for other in waiting)

    def came_before(self, one: Waiting) -> bool:
        """Whether the open question has them there before the act that it is about."""
        return self.question is not None and lay_before(one, self.question.found)

    def join(self, one: Waiting, waiting: list[Waiting]) -> bool:
        """Chips that were open and are read now join the push that waits; whether there is one."""
        for at, other in enumerate(waiting):
            if self._is_of(one, other):
                waiting[at] = joined(other, one)
                if self.question is not None and self.question.one is other:
                    self.question = Question(waiting[at], self.question.found)
                return True
        return False

    def _is_of(self, late: Waiting, first: Waiting) -> bool:
        """Whether it is of a push that waits: its rest, or, where people are asked if that is one motion, its next."""
        if is_rest_of(late, first):
            return True
        asked = self.question
        return asked is not None and asked.one is first and is_next_of(late, first, asked.found, self._hold_ns)


def is_next_of(late: Waiting, first: Waiting, found: Verdict, hold_ns: int) -> bool:
    """Whether chips come as soon behind chips of which it is asked whether they are of the push before them."""
    if late.seat != first.seat or not (late.is_push and first.is_push):
        return False
    assert isinstance(late.given, inputs.MotionSeen)
    assert isinstance(first.given, inputs.MotionSeen)
    late_ns, first_ns = late.given.motion.first_ns, first.given.motion.last_ns
    one_motion = any(len(world.given) > 1 and not world.moves for world in found.worlds)
    return one_motion and first_ns < late_ns <= first_ns + hold_ns and not late.given.motion.later_trip


def is_rest_of(late: Waiting, first: Waiting) -> bool:
    """Whether chips that were read now are of a push that waits, and may have lain there unread."""
    if late.seat != first.seat or not (late.is_push and first.is_push):
        return False
    assert isinstance(first.given, inputs.MotionSeen)
    return late.items <= {p.item for p in first.given.motion.perhaps if p.target.zone is not Zone.IN_HAND}


def lay_before(late: Waiting, found: Verdict) -> bool:
    """Whether these are the chips that a world has there before the act in question."""
    of_worlds = [{move.item for move in world.moves} for world in found.worlds if len(world.given) > 1 and world.moves]
    return any(bool(late.items) and late.items <= items for items in of_worlds)


def joined(first: Waiting, late: Waiting) -> Waiting:
    """Both as one motion."""
    assert isinstance(first.given, inputs.MotionSeen)
    assert isinstance(late.given, inputs.MotionSeen)
    one, other = first.given.motion, late.given.motion
    moves = {move.item: move for move in (*one.moves, *other.moves)}
    whole = replace(one, moves=tuple(moves.values()), last_ns=max(one.last_ns, other.last_ns))
    return replace(first, given=replace(first.given, motion=whole))
