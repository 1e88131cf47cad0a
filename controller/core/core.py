"""The table's core: tracking and engine joined, without I/O, clock or thread.

Reader events and commands go in; engine events come out, in the order in which they must be journaled. Between the two
lies one question: *when* may a settled motion, or cards at rest, be handed to the engine?

* Pushes are ruled in turn order. While the push of a seat is open, what comes from seats behind it (chips, words,
  mucked cards), the sweep of its chips and the next board card wait. If nothing of the open push is undecided, an act
  of the next player in turn, of the dealer who sweeps, or a board card settles it.
* A push of a seat whose spot or tray is not known now, or on whose spot an unknown tag lies, waits, and so does what
  would infer that seat's check: unknown is never empty. Rulings that do not depend on it go on. The dealer's Confirm
  overrides it; so does "not a chip" for the tag.
* A question stops the game: what other seats do, and the next card, waits for its answer. Only where nothing but the
  dealer's agreement is asked, an act of the next player is that agreement.
* A seat button counts as said with the chips until `BUTTON_GRACE_MS` after the first sighting of the push.
* Everything else is handed on at once. What is refused changes nothing, the open pushes included.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from controller import commands
from controller.core import known
from controller.core.holding import Holding, Push, blocked, open_pushes, swept_pushes, waiting_pushes
from controller.core.known import Known
from controller.core.reader_states import ReaderState
from controller.core.seen import Preview, Seen, options_of
from controller.core.turn_order import (
    Order,
    Waiting,
    act_of,
    acting,
    agrees,
    brings,
    is_before,
    next_in_turn,
    priority,
    question_of,
    refusal,
    still_to_act,
)
from controller.engine.engine import Engine
from controller.places import Motion, Place, Zone
from controller.table import inputs
from controller.table.events import Event, HandStarted, Refused
from controller.table.state import State
from controller.tracking import events as tracking
from controller.tracking.tracker import Tracker
from firmware_bridge.events import ReaderEvent

BUTTON_GRACE_MS = 500  # a player presses "raise" while the chips already slide: design, section 2
CoreRefusal = Literal["undecided_chips", "counting_in", "nothing_foreign"]  # besides the engine's RefusalKey
_MS = 1_000_000
_OF_TURN = frozenset({"out_of_turn", "betting_open"})  # refusals that a chip which is half read may change
_WITH_SEAT = frozenset({Zone.HOLE, Zone.HELD})


class Core:
    """State of the table and everything that is still open; `take`, `command` and `tick` give the new events."""

    def __init__(self, engine: Engine, tracker: Tracker, state: State, readers: Iterable[str] = ()) -> None:
        self._engine = engine
        self._tracker = tracker
        self._state = state
        self._version = 0
        self._known = Known(readers=dict.fromkeys(readers, ReaderState()))
        self._open: dict[int, Motion] = {}
        self._waiting: list[Waiting] = []
        self._first_ns: dict[int, int] = {}  # by seat: when the first chip of its last push was seen
        self._watchers = tracker.layout.readers()
        self._closed: set[int] = set()  # motions that this input has closed: what was told of them before is old

    # ------------------------------------------------------------------ inputs
    def take(self, event: ReaderEvent) -> list[Event]:
        """One event of a reader."""
        self._heard(event)
        self._closed.clear()
        return [*self._tracked(self._tracker.take(event)), *self._release()]

    def tick(self, at_ns: int) -> list[Event]:
        """Timers that are due at `at_ns`: quiet time, hold time, silent readers."""
        self._closed.clear()
        return [*self._tracked(self._tracker.tick(at_ns)), *self._release()]

    def wake_at_ns(self) -> int | None:
        return self._tracker.wake_at_ns()

    def command(self, command: commands.Command, by: commands.By, at_ns: int) -> list[Event]:
        """What a person says. A command that is not legal now gives `Refused` and changes nothing."""
        self._version += 1
        self._closed.clear()
        return [*self._told(inputs.Told(at_ns, command, by)), *self._release()]

    # ------------------------------------------------------------------ what is shown
    def previews(self) -> list[Preview]:
        """Pushes that are not final with their provisional rulings, the seat to act first."""
        order = Order(self._engine, self._state)
        pushes, shown = order.sorted(self._pushes()), list[Preview]()
        doubted = self._known.not_trusted()
        for at, (seat, motion) in enumerate(pushes):
            answers = any(is_before(self._state, seat, first[0]) for first in pushes[:at])
            ruling = None if answers else self._engine.preview(self._state, motion)
            shown.append(Preview(seat, motion, ruling, blocked(doubted, seat)))
        return shown

    def seen(self) -> Seen:
        """All that people may see of the table now."""
        return Seen(
            self._state,
            self._engine.setting,
            options_of(self._engine, self._state),
            self._known,
            tuple(self.previews()),
            tuple((waiting.seat, place) for waiting, place in self._not_known()),
            self._watchers,
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
        holding = self._holding()
        order = [waiting for waiting in self._waiting if not holding.is_early(waiting)]
        return [(waiting, places[0]) for waiting in order if (places := holding.missing(waiting))]

    # ------------------------------------------------------------------ tracking
    def _tracked(self, found: Iterable[tracking.TrackingEvent]) -> list[Event]:
        """A place that is known again counts from the end on: what lay there unseen is told in the same breath."""
        events: list[Event] = []
        for event in sorted(found, key=lambda event: isinstance(event, tracking.PlaceKnown)):
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
        motion, seat = event.motion, acting(self._state, event.motion)
        if seat is not None and brings(motion):
            self._first_ns[seat] = motion.first_ns
        if motion.settled:
            self._close(motion.number)
            self._waiting.append(Waiting(seat, inputs.MotionSeen(event.at_ns, motion)))
            return self._settle(self._ended_by(motion), event.at_ns)
        if motion.number in self._closed:
            return []
        self._open[motion.number] = motion
        return self._settle(self._ended_by(motion), event.at_ns)

    def _close(self, number: int) -> None:
        self._open.pop(number, None)
        self._closed.add(number)

    def _cards(self, event: tracking.CardsRested) -> list[Event]:
        if event.place.zone is Zone.HOLE:
            return self._hand_on(inputs.CardsRested(event.at_ns, event.place, event.cards))
        mine = self._mucked(event) if event.place.zone is Zone.MUCK else {None: event.cards}
        ended: list[int] = []
        for seat, cards in mine.items():
            self._waiting.append(Waiting(seat, inputs.CardsRested(event.at_ns, event.place, cards)))
            ended += [m.number for pushing, m in self._open_pushes() if self._comes_first(pushing, seat)]
            ended += self._pushes_before(seat, event.at_ns) if seat is not None else ()
        return self._settle(ended, event.at_ns)

    def _comes_first(self, pushing: int, seat: int | None) -> bool:
        """Whether a push ends because this seat throws its hand away, or (None) the dealer deals the next card."""
        return pushing == seat if seat is not None else still_to_act(self._state, pushing)

    def _mucked(self, event: tracking.CardsRested) -> dict[int | None, tuple[str, ...]]:
        """Cards that are new in the muck, by the seat that had them; None: those seen at no seat."""
        old = {*self._state.muck, *(card for w in self._waiting for card in w.mucked)}
        found: dict[int | None, tuple[str, ...]] = {}
        for card in event.cards:
            if card not in old:
                place = self._state.places.get(card)
                seat = place.seat if place is not None and place.zone in _WITH_SEAT else None
                found[seat] = (*found.get(seat, ()), card)
        return found

    # ------------------------------------------------------------------ order
    def _open_pushes(self) -> list[Push]:
        return open_pushes(self._state, list(self._open.values()))

    def _pushes(self) -> list[Push]:
        """All that are not ruled: settled ones that wait, and open ones."""
        return [*waiting_pushes(self._waiting), *self._open_pushes()]

    def _holding(self) -> Holding:
        waiting, half_read = self._waiting, self._tracker.half_read
        return Holding(self._engine, self._state, self._open_pushes(), waiting, self._known.not_trusted(), half_read)

    def _ended_by(self, motion: Motion) -> list[int]:
        """Open pushes that end because of this open motion: the next player acts, or the dealer sweeps their chips."""
        seat = acting(self._state, motion)
        if seat is None:
            return [push.number for _, push in swept_pushes(self._open_pushes(), motion)]
        return self._pushes_before(seat, motion.first_ns) if brings(motion) else []

    def _pushes_before(self, seat: int, at_ns: int) -> list[int]:
        """Open pushes that end because the player at `seat` acts at `at_ns`, behind their last chip."""
        pushes = self._open_pushes()
        return [m.number for s, m in pushes if next_in_turn(self._state, s) == seat and m.last_ns < at_ns]

    def _settle(self, numbers: list[int], at_ns: int) -> list[Event]:
        """End open motions because somebody acted; those with an undecided chip end when it is decided."""
        events: list[Event] = []
        for number in numbers:
            if number in self._open:
                events += self._tracked(self._tracker.end(number, at_ns))
        return events + self._release()

    def _release(self) -> list[Event]:
        """Hand on what may be handed on now, in turn order; every hand-over may free the next."""
        events: list[Event] = []
        while self._waiting:
            holding = self._holding()
            free = [waiting for waiting in self._waiting if not holding.holds(waiting)]
            if not free:
                break
            events += self._hand_on_waiting(min(free, key=lambda waiting: priority(self._state, waiting)))
        return events

    def _hand_on_waiting(self, waiting: Waiting) -> list[Event]:
        """A word or a fold of the next player in turn agrees to a ruling that waits for nothing but agreement."""
        self._waiting.remove(waiting)
        given, events = waiting.given, list[Event]()
        if not isinstance(given, inputs.MotionSeen) and agrees(self._state, waiting.seat):
            by = given.by if isinstance(given, inputs.Told) else "seat"
            events += self._hand_on(inputs.Told(given.at_ns, commands.Confirm(), by))
        if isinstance(given, inputs.CardsRested) and given.place.zone is Zone.MUCK:
            given = replace(given, cards=tuple(sorted({*self._state.muck, *given.cards})))
        return events + self._hand_on(given)

    # ------------------------------------------------------------------ people
    def _told(self, told: inputs.Told) -> list[Event]:
        match told.command:
            case commands.Confirm():
                return self._confirm(told)
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

    def _say(self, told: inputs.Told, said: commands.Say) -> list[Event]:
        hand = self._state.hand
        seat = said.seat if said.seat is not None else (hand.to_act if hand else None)
        if seat is None:
            return self._hand_on(told)
        if told.by == "seat" and self._is_late(seat, told.at_ns):
            late = replace(said, word=replace(said.word, form="after_chips"))
            told = replace(told, command=late)
        return self._in_order(seat, told)

    def _in_order(self, seat: int | None, told: inputs.Told) -> list[Event]:
        """A word, or the key of the next street: behind the pushes that come first, which it ends if it may."""
        refused, waiting = self._foreseen(seat, told), Waiting(seat, told)
        if refused is not None and not (refused.why in _OF_TURN and self._holding().is_reading(waiting)):
            return self._emit(refused)
        dealt = [motion.number for pushing, motion in self._open_pushes() if self._comes_first(pushing, None)]
        self._waiting.append(waiting)
        return self._settle(dealt if seat is None else self._pushes_before(seat, told.at_ns), told.at_ns)

    def _foreseen(self, seat: int | None, told: inputs.Told) -> Refused | None:
        """Why a word would be refused if the pushes before it were ruled as they are shown; None: it would not."""
        act, order, pushes = Waiting(seat, told).act, Order(self._engine, self._state), self._pushes()
        if act is None:
            first = [push for push in pushes if still_to_act(self._state, push[0])]
        else:
            first = [push for push in pushes if order.is_before(act_of(*push), act)]
        return refusal(self._engine, self._state, first, seat, told)

    def _is_late(self, seat: int, at_ns: int) -> bool:
        """Whether a seat's button was pressed behind its chips."""
        first = min((push.first_ns for s, push in self._pushes() if s == seat and brings(push)), default=at_ns)
        return at_ns - first > BUTTON_GRACE_MS * _MS

    def _confirm(self, told: inputs.Told) -> list[Event]:
        """Answers the open question; else the first push that is not final ends, and what is asked of it is agreed to.

        It overrides a chip that is doubtful and a place that is not known, but no chip that is half decided: that
        takes a moment at most.
        """
        asked = question_of(self._state) is not None
        held = min((w for w, _ in self._not_known()), key=lambda one: priority(self._state, one), default=None)
        opened = next(iter(Order(self._engine, self._state).sorted(self._open_pushes())), None)
        if asked or (held is None and opened is None):
            return self._end_counting(told) if not asked and not self._known.counted else self._hand_on(told)
        if opened is not None and (held is None or is_before(self._state, opened[0], held.seat or 0)):
            return self._confirm_open(*opened, told)
        assert held is not None
        return self._confirm_asked(held.seat, self._hand_on_waiting(held), told)

    def _confirm_open(self, seat: int, motion: Motion, told: inputs.Told) -> list[Event]:
        events = [*self._tracked(self._tracker.settle(motion.number, told.at_ns)), *self._release()]
        if motion.number in self._open:
            return self._refuse("undecided_chips", seat)
        for waiting in [waiting for waiting, _ in self._not_known() if waiting.seat == seat]:
            events += self._hand_on_waiting(waiting)
        return self._confirm_asked(seat, events, told)

    def _confirm_asked(self, seat: int | None, events: list[Event], told: inputs.Told) -> list[Event]:
        """Whoever confirms a push has agreed to its ruling as well."""
        question = question_of(self._state)
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
        if any(isinstance(event, HandStarted) for event in events):
            self._tracker.clear_muck()
        return list(events)

    def _refuse(self, why: CoreRefusal, seat: int | None = None) -> list[Event]:
        return self._emit(Refused(why, seat))

    def _emit(self, event: Event) -> list[Event]:
        """An event of our own: the state counts it, as the journal will."""
        self._state = self._engine.evolve(self._state, event)
        return [event]

    def _heard(self, event: ReaderEvent) -> None:
        now = known.heard(self._known, event)
        if now is not self._known:
            self._known = now
            self._version += 1
