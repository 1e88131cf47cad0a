"""What happens at a table, handed to the engine in the order of play: the part of the core that nobody speaks to.

What tracking tells becomes `Waiting`; `holding.py` names what of it may go on, `worlds.py` whether it is ruled alike
wherever the open items lie, and the engine decides what it means. Every hand-over may free the next.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from controller.core import cards, holding, known, reopened, worlds
from controller.core.asking import Asking
from controller.core.holding import Look, pushes_of, waiting_pushes
from controller.core.known import Known
from controller.core.reader_states import ReaderState
from controller.core.seen import Behind
from controller.core.waiting import Waiting
from controller.core.words import Words
from controller.core.worlds import World
from controller.engine.engine import Engine
from controller.engine.order import may_push
from controller.moves.acts import Pushed, act_by
from controller.places import BANK, POT, Motion, Moved, Zone
from controller.table import inputs
from controller.table.balance import is_square
from controller.table.events import Event, HandStarted, Supposed
from controller.table.phases import NO_HAND, Phase
from controller.table.state import State
from controller.tracking import events as tracking
from controller.tracking.tracker import Tracker

ANSWERS = 4  # of the quiet time: the least that it takes to see a bet and to lay chips (assumed: 0.4 s of 1.5)


def _is_of_a_place(event: tracking.TrackingEvent) -> bool:
    return isinstance(event, tracking.PlaceKnown)


class InOrder(ABC):
    """State of the table, and what moved or rested there and is still open or waits."""

    def __init__(self, engine: Engine, tracker: Tracker, state: State, readers: Iterable[str] = (), n: int = 0) -> None:
        """`n`: the last public event of the journal that `state` comes from."""
        self._engine = engine
        self._tracker = tracker
        self._state = state
        self._version = 0
        self._known = Known(readers=dict.fromkeys(readers, ReaderState()))
        self._open: dict[int, Motion] = {}
        self._coming: tuple[Motion, ...] = ()  # as pushes look that are half read: to be shown, never to be ruled on
        self._waiting: list[Waiting] = []
        self._words = Words(engine, state, n)
        self._first_ns: dict[int, int] = {}  # by seat: when the first chip of its last push was seen
        self._watchers = tracker.layout.readers()
        self._behind: Behind | None = None  # the game, when it was looked at last
        self._short = cards.Short(tracker.layout.hold_ms * 1_000_000)
        self._asking = Asking(engine, tracker)
        self._closed: set[int] = set()  # motions that this input has closed: what was told of them before is old

    @abstractmethod
    def _say_kept(self) -> list[Event]:
        """Words that were kept and fit now are said."""

    # ------------------------------------------------------------------ tracking
    def _tracked(self, found: Sequence[tracking.TrackingEvent]) -> list[Event]:
        """A place that is known again counts from the end on: what lay there unseen is told in the same breath."""
        events: list[Event] = []
        for event in sorted(found, key=_is_of_a_place) if len(found) > 1 else found:
            self._version += 1
            events += self._one_tracked(event)
        return events

    def _one_tracked(self, event: tracking.TrackingEvent) -> list[Event]:
        match event:
            case tracking.MotionChanged():
                return self._motion(event)
            case tracking.MotionWithdrawn():
                self._close(event.number)
            case tracking.CardsRested():
                return self._cards(event)
            case tracking.ButtonRested():
                return self._hand_on(inputs.ButtonRested(event.at_ns, event.seat))
            case tracking.Coming(pushes=pushes):
                self._coming = pushes
            case tracking.CountedIn():
                self._known = known.told(self._known, event)
                return self._hand_on(inputs.CountedIn(event.at_ns, self._tracker.places()))
            case _:
                self._known = known.told(self._known, event)
                self._asking.twice = self._known.twice
        return []

    def _motion(self, event: tracking.MotionChanged) -> list[Event]:
        motion, act = event.motion, act_by(self._state, event.motion)
        if act is not None and act.brings:
            self._first_ns[act.seat] = motion.first_ns
        if motion.settled:
            self._close(motion.number)
            return self._wait(Waiting(inputs.MotionSeen(event.at_ns, motion), act), motion, event.at_ns)
        if motion.number in self._closed:
            return []
        self._open[motion.number] = motion
        if self._asking.answers(Waiting(inputs.MotionSeen(event.at_ns, motion), act), self._waiting):
            return self._settle([motion.number], event.at_ns)
        return self._settle(holding.ended_by(self._look(), act, motion), event.at_ns)

    def _wait(self, one: Waiting, motion: Motion, at_ns: int) -> list[Event]:
        """A settled motion waits. Chips that were open and are read now join a push, or come before what is asked."""
        if self._asking.join(one, self._waiting):
            return self._release()
        if self._asking.came_before(one):
            self._asking.question = None
            return [*self._hand_on(inputs.Sure(at_ns)), *self._hand_on(one.given), *self._release()]
        self._waiting.append(one)
        return self._settle(holding.ended_by(self._look(), one.act, motion) if self._open else [], at_ns)

    def _arriving(self) -> bool:
        """Whether chips that answer what is open are just being read."""
        if not (self._open and self._waiting):
            return False
        open_ = [Waiting(inputs.MotionSeen(0, motion), act_by(self._state, motion)) for motion in self._open.values()]
        return any(self._asking.answers(one, self._waiting) for one in open_)

    def _close(self, number: int) -> None:
        self._open.pop(number, None)
        self._closed.add(number)

    def _cards(self, event: tracking.CardsRested) -> list[Event]:
        match event.place.zone:
            case Zone.MUCK:
                lying = [card for waiting in self._waiting for card in waiting.mucked]
                part, whole = cards.mucked(self._state, event.cards, lying)
                given = inputs.CardsRested(event.at_ns, event.place, (*self._state.muck, *part))
                return [*(self._hand_on(given) if part else ()), *self._rested(event, whole)]
            case Zone.BOARD:
                kept, others = cards.apart(self._state, event.cards)
                events = self._hand_on(inputs.CardsRested(event.at_ns, event.place, (*self._state.board, *kept)))
                return events if others == self._on_board() else [*events, *self._rested(event, {None: others})]
            case _:
                return self._hand_on(inputs.CardsRested(event.at_ns, event.place, event.cards))

    def _rested(self, event: tracking.CardsRested, mine: Mapping[int | None, tuple[str, ...]]) -> list[Event]:
        ended: list[int] = []
        for seat, its in mine.items():
            self._waiting.append(Waiting.rested(inputs.CardsRested(event.at_ns, event.place, its), seat))
            ended += holding.pushes_by(self._look(), seat)
            ended += holding.pushes_before(self._look(), seat, event.at_ns) if seat is not None else ()
        return self._settle(ended, event.at_ns)

    def _on_board(self) -> tuple[str, ...]:
        """Cards of the board as it was last told."""
        told = [waiting.board for waiting in self._waiting if waiting.board is not None]
        return told[-1] if told else tuple(sorted(self._state.board))

    # ------------------------------------------------------------------ order
    def _open_pushes(self) -> list[Pushed]:
        return pushes_of(self._state, self._open.values()) if self._open else []

    def _pushes(self) -> list[Pushed]:
        """All that are not ruled: settled ones that wait, and open ones."""
        return [*waiting_pushes(self._waiting), *self._open_pushes()]

    def _looks(self) -> list[Pushed]:
        """Pushes as they look now, with what is half read of them."""
        if not self._coming:
            return self._pushes()
        half = {motion.number: motion for motion in self._coming if motion.number}
        shown = [half.pop(number, motion) for number, motion in self._open.items()]
        shown += [motion for motion in self._coming if not motion.number]
        return [*waiting_pushes(self._waiting), *pushes_of(self._state, shown)]

    def _look(self, *more: Waiting) -> Look:
        waiting, unknown = [*self._waiting, *more], self._known.not_trusted()
        answer_ns = self._tracker.layout.quiet_ms * 1_000_000 // ANSWERS
        return Look(self._state, self._open_pushes(), waiting, unknown, self._tracker.half_read, answer_ns)

    def _settle(self, numbers: list[int], at_ns: int) -> list[Event]:
        """End open motions because somebody acted; those with an undecided chip end when it is decided."""
        events: list[Event] = []
        for number in numbers:
            if number in self._open:
                events += self._tracked(self._tracker.end(number, at_ns))
        return events + self._release()

    def _release(self) -> list[Event]:
        """Hand on what may be handed on now, in turn order; every hand-over may free the next."""
        events = self._say_kept()
        if self._arriving():
            return events
        if (sure := self._asking.again(self._state, self._waiting)) is not None:
            events += self._hand_on(sure)
        while self._waiting and not self._words.late:
            free = holding.next_free(self._engine, self._look())
            if free is None:
                break
            found = self._asking.verdict(self._state, free)
            if found.asks and not self._asking.is_due(free, found):
                break
            if found.asks and found.rules is None:
                events += self._hand_on(self._asking.ask(free, found))
                break
            if found.asks and found.rules is not None:
                left = worlds.doubts(found, found.rules)
                events += self._hand_on_world(free, found.rules, self._tracker.now_ns, left)
            else:
                events += self._hand_on_waiting(free, worlds.doubts(found))
            events += self._say_kept()
        return events

    def _hand_on_waiting(self, waiting: Waiting, doubts: tuple[Supposed, ...] = ()) -> list[Event]:
        self._waiting.remove(waiting)
        self._asking.handed_on(waiting)
        given = waiting.given
        if isinstance(given, inputs.MotionSeen):
            self._tracker.forget(given.motion.number)
            given = replace(given, doubts=doubts)
        if isinstance(given, inputs.CardsRested):
            lying = self._state.muck if given.place.zone is Zone.MUCK else cards.only_read(self._state)
            given = replace(given, cards=tuple(sorted({*lying, *given.cards})))
        return self._hand_on(given)

    def _hand_on_world(self, one: Waiting, world: World, at_ns: int, doubts: tuple[Supposed, ...] = ()) -> list[Event]:
        """What waits, as it is in this world."""
        self._waiting.remove(one)
        self._asking.handed_on(one)
        if isinstance(one.given, inputs.MotionSeen):
            self._tracker.forget(one.given.motion.number)
        events: list[Event] = []
        for given in world.given:
            is_act = isinstance(given, inputs.MotionSeen) and given is world.given[-1]
            events += self._hand_on(replace(given, doubts=doubts) if is_act else given)
        for move in world.moves:
            events += self._tracked(self._tracker.lies(move.item, move.target, at_ns))
        return events

    def _let_go(self, at_ns: int) -> list[Event]:
        """The accounting of a hand's end: no ruling rests any more on chips that nobody sees on their spots."""
        return [*self._from_spots(at_ns), *self._to_float(at_ns)]

    def _to_float(self, at_ns: int) -> list[Event]:
        """What the pot does not show any more when all are paid went to the dealer's float, which no antenna sees."""
        gone = [item for item, place in self._known.unaccounted if place == POT]
        if not gone or self._tracker.layout.has(Zone.BANK) or not is_square(self._state):
            return []
        return self._lie(tuple(Moved(item, POT, BANK) for item in gone), at_ns)

    def _lie(self, moves: tuple[Moved, ...], at_ns: int) -> list[Event]:
        """Facts that no antenna told."""
        events = self._hand_on(inputs.MotionSeen(at_ns, reopened.motion_of(moves))) if moves else []
        for move in moves:
            events += self._tracked(self._tracker.lies(move.item, move.target, at_ns))
        return events

    def _from_spots(self, at_ns: int) -> list[Event]:
        hand = self._state.hand
        unseen = any(place.zone is Zone.SPOT for _, place in self._known.unaccounted)
        if not unseen or (hand is not None and hand.phase not in (*NO_HAND, Phase.PAYING)):
            return []
        return self._tracked(self._tracker.let_go(at_ns))

    # ------------------------------------------------------------------ engine
    def _hand_on(self, given: inputs.Input) -> list[Event]:
        hand, (self._state, events) = self._state.hand, self._engine.step(self._state, given)
        self._words.note(events, self._state)
        if [event for event in events if isinstance(event, HandStarted)]:
            waiting = [one.given.motion.number for one in self._waiting if isinstance(one.given, inputs.MotionSeen)]
            self._tracker.new_hand(waiting)
        if self._state.hand is not hand:
            self._tracker.expect(may_push(self._state))
        return list(events)

    def _emit(self, event: Event) -> list[Event]:
        """An event of our own: the state counts it, as the journal will."""
        self._state = self._engine.evolve(self._state, event)
        self._words.note([event], self._state)
        return [event]
