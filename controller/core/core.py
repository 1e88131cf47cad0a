"""The table's core: tracking and engine joined, without I/O, clock or thread.

Reader events and commands go in; engine events come out, in the order in which they must be journaled. Between the two
lies one question: *when* may a settled motion, or cards at rest, be handed to the engine? The way is one: what happened
becomes `Waiting`, `holding.py` names what of that may go on, and the engine decides what it means.

* Pushes are ruled in turn order. While the push of a seat is open, what comes from seats behind it (chips, words,
  mucked cards), the sweep of its chips and the next board card wait. If nothing of the open push is undecided, an act
  of the next player in turn, of the dealer who sweeps, or a board card settles it.
* A push of a seat whose spot or tray is not known now, or on whose spot an unknown tag lies, waits, and so does what
  would infer that seat's check: unknown is never empty. Rulings that do not depend on it go on. The dealer's Confirm
  overrides it; so does "not a chip" for the tag.
* A question stops the game: what other seats do, and the next card, waits for its answer; but an act by which its
  player agrees (`controller/engine/agreement.py`) goes on.
* A seat button counts as said with the chips until half a second after the first sighting of the push.
* Everything else is handed on at once. What is refused changes nothing, the open pushes included.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from controller import commands
from controller.core import cards, holding, known, worlds
from controller.core.asking import Asking
from controller.core.holding import Look, pushes_of, waiting_pushes
from controller.core.known import Known
from controller.core.reader_states import ReaderState
from controller.core.seen import Preview, Seen, options_of, previews
from controller.core.waiting import Waiting
from controller.core.words import Words
from controller.core.worlds import World
from controller.engine.engine import Engine
from controller.engine.order import is_before, spoken_late
from controller.engine.turns import speaker
from controller.moves.acts import Pushed, act_by
from controller.places import Motion, Place, Zone
from controller.table import inputs
from controller.table.events import Event, HandStarted, Refused, Supposed
from controller.table.state import State
from controller.tracking import events as tracking
from controller.tracking.tracker import Tracker
from firmware_bridge.events import ReaderEvent

CoreRefusal = Literal[
    "undecided_chips", "counting_in", "nothing_foreign", "word_timed_out", "word_over"
]  # besides the engine's RefusalKey
_OF_TURN = frozenset({"out_of_turn", "betting_open"})  # refusals that a chip which is half read may change


def _is_of_a_place(event: tracking.TrackingEvent) -> bool:
    return isinstance(event, tracking.PlaceKnown)


class Core:
    """State of the table and everything that is still open; `take`, `command` and `tick` give the new events."""

    def __init__(self, engine: Engine, tracker: Tracker, state: State, readers: Iterable[str] = (), n: int = 0) -> None:
        """`n`: the last public event of the journal that `state` comes from."""
        self._engine = engine
        self._tracker = tracker
        self._state = state
        self._version = 0
        self._known = Known(readers=dict.fromkeys(readers, ReaderState()))
        self._open: dict[int, Motion] = {}
        self._waiting: list[Waiting] = []
        self._words = Words(engine, state, n)
        self._first_ns: dict[int, int] = {}  # by seat: when the first chip of its last push was seen
        self._watchers = tracker.layout.readers()
        self._short = cards.Short(tracker.layout.hold_ms * 1_000_000)
        self._asking = Asking(engine, tracker)
        self._closed: set[int] = set()  # motions that this input has closed: what was told of them before is old

    # ------------------------------------------------------------------ inputs
    def take(self, event: ReaderEvent) -> list[Event]:
        """One event of a reader."""
        self._heard(event)
        self._closed.clear()
        return [*self._tracked(self._tracker.take(event)), *self._release()]

    def tick(self, at_ns: int) -> list[Event]:
        """Timers that are due at `at_ns`: quiet time, hold time, silent readers, kept words."""
        self._closed.clear()
        events = [*self._tracked(self._tracker.tick(at_ns)), *self._release()]
        self._version += self._short.look(self._state, at_ns)
        for kept in self._words.timed_out(at_ns):
            events += self._refuse("word_timed_out", kept.seat)
        return events

    def wake_at_ns(self) -> int | None:
        return min(
            (due for due in (self._tracker.wake_at_ns(), self._words.wake_at_ns()) if due is not None), default=None
        )

    def command(self, command: commands.Command, by: commands.By, at_ns: int, n: int | None = None) -> list[Event]:
        """What a person says who saw the snapshot `n`. What is not legal now gives `Refused` and changes nothing."""
        self._version += 1
        self._closed.clear()
        return [*self._told(inputs.Told(at_ns, command, by, n)), *self._release()]

    # ------------------------------------------------------------------ what is shown
    def previews(self) -> list[Preview]:
        """Pushes that are not final with their provisional rulings, the seat to act first."""
        return previews(self._engine, self._state, self._pushes(), self._known.not_trusted())

    def seen(self) -> Seen:
        """All that people may see of the table now."""
        return Seen(
            self._state,
            self._engine.setting,
            options_of(self._engine, self._state),
            self._known,
            tuple(self.previews()),
            tuple((waiting.seat, place) for waiting, place in self._not_known()),
            self._words.kept,
            self._words.late,
            self._watchers,
            street_waits=self._short.waits and cards.is_short(self._state),
        )

    @property
    def settling(self) -> bool:
        """Whether any push is open or waits: a dealer holds the next card back until it is not."""
        return bool(self._waiting or self._open_pushes())

    def focus(self) -> tuple[tuple[str, int], ...]:
        """(reader, antenna) to scan first; () scans all alike."""
        return self._tracker.wanted()

    @property
    def state(self) -> State:
        return self._state

    @property
    def known(self) -> Known:
        """What of the table is known now."""
        return self._known

    @property
    def version(self) -> int:
        """Grows whenever something that people see may have changed."""
        return self._version

    @property
    def words(self) -> Words:
        """Words that are kept or asked about, and the number of the last public event."""
        return self._words

    @property
    def open(self) -> Mapping[int, Motion]:
        """Motions that are not final, by number."""
        return self._open

    @property
    def waiting(self) -> Sequence[Waiting]:
        """What happened and waits to be ruled on, in the order in which it happened."""
        return self._waiting

    def first_ns(self, seat: int) -> int:
        """When the first chip of a seat's last push was seen; 0: it made none."""
        return self._first_ns.get(seat, 0)

    def places(self) -> Mapping[str, Place]:
        """Where each item lies, as tracking decided; the state follows with the rulings."""
        return self._tracker.places()

    @property
    def steps(self) -> int:
        """The m of the sequential test, as the antennas need it now."""
        return self._tracker.steps

    @property
    def ignored(self) -> frozenset[str]:
        """Tags that are no chips: somebody said so."""
        return self._tracker.ignored

    def _not_known(self) -> list[tuple[Waiting, Place]]:
        """What waits for nothing but a place that is not known, and that place."""
        return holding.held_up(self._engine, self._look())

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
            case tracking.CountedIn():
                self._known = known.told(self._known, event)
                return self._hand_on(inputs.CountedIn(event.at_ns, self._tracker.places()))
            case _:
                self._known = known.told(self._known, event)
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

    def _look(self, *more: Waiting) -> Look:
        waiting, unknown = [*self._waiting, *more], self._known.not_trusted()
        return Look(self._state, self._open_pushes(), waiting, unknown, self._tracker.half_read)

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
        given = waiting.given
        if isinstance(given, inputs.MotionSeen):
            self._tracker.forget(given.motion.number)
            given = replace(given, doubts=doubts)
        if isinstance(given, inputs.CardsRested):
            lying = self._state.muck if given.place.zone is Zone.MUCK else cards.only_read(self._state)
            given = replace(given, cards=tuple(sorted({*lying, *given.cards})))
        return self._hand_on(given)

    def _answered(self, told: inputs.Told) -> list[Event]:
        """Somebody said where the chips lie: that is a fact, and what waited for it goes on."""
        events = self._hand_on(told)
        answer = self._asking.answered(events)
        if answer is None:
            return events
        return events + self._hand_on_world(*answer, told.at_ns)

    def _hand_on_world(self, one: Waiting, world: World, at_ns: int, doubts: tuple[Supposed, ...] = ()) -> list[Event]:
        """What waits, as it is in this world."""
        self._waiting.remove(one)
        events: list[Event] = []
        for given in world.given:
            is_act = isinstance(given, inputs.MotionSeen) and given is world.given[-1]
            events += self._hand_on(replace(given, doubts=doubts) if is_act else given)
        for move in world.moves:
            events += self._tracked(self._tracker.lies(move.item, move.target, at_ns))
        return events

    # ------------------------------------------------------------------ people
    def _told(self, told: inputs.Told) -> list[Event]:
        meant = self._words.heard(self._state, told)
        if not isinstance(meant, inputs.Told):
            return [] if meant is None else self._emit(meant)
        told = meant
        match told.command:
            case commands.Confirm():
                return self._confirm(told)
            case commands.Answer():
                return self._answered(told)
            case commands.NotAChip():
                return self._not_a_chip(told.command)
            case commands.Say():
                return self._say(told, told.command)
            case commands.NextStreet():
                return self._in_order(None, told)
            case commands.NextHand() if not self._known.counted:
                return self._end_counting(told)
            case _:
                return self._hand_on(told)

    def _say_kept(self) -> list[Event]:
        """Kept words that fit now."""
        events: list[Event] = []
        for kept in self._words.take_kept(self._state):
            over = self._words.is_over(kept)
            events += self._refuse("word_over", kept.seat) if over else self._told(kept.told)
        return events

    def _say(self, told: inputs.Told, said: commands.Say) -> list[Event]:
        seat = said.seat if said.seat is not None else speaker(self._state)
        if seat is None:
            return self._hand_on(told)
        told = replace(told, command=replace(said, seat=seat))  # whoever is to act when it is handed on
        if told.by == "seat":
            first_ns = min((p.act.at_ns for p in self._pushes() if p.act.seat == seat and p.act.brings), default=None)
            told = replace(told, command=spoken_late(said, told.at_ns, first_ns))
        return self._in_order(seat, told)

    def _in_order(self, seat: int | None, told: inputs.Told) -> list[Event]:
        """A word, or the key of the next street: behind the pushes that come first, which it ends if it may."""
        one = Waiting.said(told, seat)
        still = not (self._open or self._waiting) and holding.next_free(self._engine, self._look(one)) is one
        if still and self._engine.may(self._state, told) is None:
            return self._hand_on(told)
        foreseen = holding.foreseen(self._engine, self._state, self._pushes(), one)
        refused = self._engine.may(foreseen, told)
        if refused is not None and not (
            refused.why in _OF_TURN and holding.is_reading(self._engine, self._look(), one)
        ):
            kept = seat is not None and self._words.keep(told, seat, refused, foreseen)
            return [] if kept else self._emit(refused)
        look = self._look()
        ended = holding.pushes_by(look, None) if seat is None else holding.pushes_before(look, seat, told.at_ns)
        self._waiting.append(one)
        return self._settle(ended, told.at_ns)

    def _confirm(self, told: inputs.Told) -> list[Event]:
        """Answers the open question; else the first push that is not final ends, and what is asked of it is agreed to.

        It overrides a chip that is doubtful and a place that is not known, but no chip that is half decided: that
        takes a moment at most.
        """
        asked = self._state.hand is not None and self._state.hand.question is not None
        held = min((w for w, _ in self._not_known()), key=lambda one: holding.priority(self._state, one), default=None)
        opened = next(iter(self._engine.in_order(self._state, self._open_pushes())), None)
        if asked or (held is None and opened is None):
            return self._end_counting(told) if not asked and not self._known.counted else self._hand_on(told)
        if opened is not None and (held is None or is_before(self._state, opened.act.seat, held.seat or 0)):
            return self._confirm_open(opened, told)
        assert held is not None
        return self._confirm_asked(held.seat, self._hand_on_waiting(held), told)

    def _confirm_open(self, push: Pushed, told: inputs.Told) -> list[Event]:
        seat, number = push.act.seat, push.motion.number
        self._asking.agree(number)
        events = [*self._tracked(self._tracker.settle(number, told.at_ns)), *self._release()]
        if number in self._open:
            return self._refuse("undecided_chips", seat)
        for waiting in [waiting for waiting, _ in self._not_known() if waiting.seat == seat]:
            events += self._hand_on_waiting(waiting)
        return self._confirm_asked(seat, events, told)

    def _confirm_asked(self, seat: int | None, events: list[Event], told: inputs.Told) -> list[Event]:
        """Whoever confirms a push has agreed to its ruling as well."""
        question = None if self._state.hand is None else self._state.hand.question
        if question is not None and question.why == "confirm" and question.seat == seat:
            events += self._hand_on(told)
        return events

    def _end_counting(self, told: inputs.Told) -> list[Event]:
        """A key ends counting in where all that is missing cannot be counted now; else it refuses, or it is no news."""
        missing = self._tracker.uncounted()
        if not missing or any(place not in self._known.unknown for place in missing):
            return self._refuse("counting_in")
        events = self._tracked(self._tracker.end_counting(told.at_ns))
        return events + self._hand_on(told) if isinstance(told.command, commands.NextHand) else events

    def _not_a_chip(self, command: commands.NotAChip) -> list[Event]:
        foreign = self._known.foreign
        place = next((place for place in foreign if (place.zone, place.seat) == (command.zone, command.seat)), None)
        if place is None:
            return self._refuse("nothing_foreign", command.seat)
        self._known = known.ignoring(self._known, place)
        self._tracker.ignore_foreign(place)
        return []

    # ------------------------------------------------------------------ engine
    def _hand_on(self, given: inputs.Input) -> list[Event]:
        self._state, events = self._engine.step(self._state, given)
        self._words.note(events, self._state)
        if [event for event in events if isinstance(event, HandStarted)]:
            self._tracker.clear_muck()
        return list(events)

    def _refuse(self, why: CoreRefusal, seat: int | None = None) -> list[Event]:
        return self._emit(Refused(why, seat))

    def _emit(self, event: Event) -> list[Event]:
        """An event of our own: the state counts it, as the journal will."""
        self._state = self._engine.evolve(self._state, event)
        self._words.note([event], self._state)
        return [event]

    def _heard(self, event: ReaderEvent) -> None:
        now = known.heard(self._known, event)
        if now is not self._known:
            self._known = now
            self._version += 1
