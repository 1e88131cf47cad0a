"""The table's core: tracking and engine joined, without I/O, clock or thread.

Reader events and commands go in; engine events come out, in the order in which they must be journaled. Between the two
lies one question: *when* may a settled motion, or cards at rest, be handed to the engine?

* A push of a seat whose spot or tray is not known now waits: unknown is never empty. The dealer's Confirm overrides it.
* Pushes are ruled in turn order. While the push of a seat is open, what comes from seats behind it (chips, words,
  mucked cards), the sweep of its chips and the next board card wait. If nothing of the open push is undecided, an act
  of the next player in turn, of the dealer who sweeps, or a board card settles it.
* A seat button counts as said with the chips until `BUTTON_GRACE_MS` after the first sighting of the push.
* Everything else is handed on at once.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from controller import commands
from controller.engine import inputs
from controller.engine.engine import Engine
from controller.engine.events import Asked, Event, HandStarted, Refused
from controller.engine.state import Phase, State
from controller.places import Motion, Place, Zone
from controller.rulings.values import Ruling
from controller.tracking import events as tracking
from controller.tracking.tracker import Tracker
from firmware_bridge.events import BadFrame, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound, Value

BUTTON_GRACE_MS = 500  # a player presses "raise" while the chips already slide: design, section 2
_MS = 1_000_000


class ReaderState(Value, frozen=True):
    """Health of one reader, as people need it."""

    state: Literal["starting", "up", "lost", "fault"]
    why: str = ""
    bad_frames: int = 0


class Waiting(Value, frozen=True):
    """An input that may not be handed to the engine yet, and the seat that acts by it (None: the dealer)."""

    seat: int | None
    given: inputs.Input


class Preview(Value, frozen=True):
    """A push that still settles, and what it would mean."""

    seat: int
    motion: Motion
    ruling: Ruling | None


class Core:
    """State of the table and everything that is still open; `take`, `command` and `tick` give the new events."""

    def __init__(self, engine: Engine, tracker: Tracker, state: State) -> None:
        self.engine = engine
        self.tracker = tracker
        self.state = state
        self.version = 0  # grows whenever something that people see may have changed
        self.counted = False  # since this start every tray was counted
        self.open: dict[int, Motion] = {}
        self.waiting: list[Waiting] = []
        self.unknown: dict[Place, str] = {}
        self.foreign: dict[Place, int] = {}
        self.unaccounted: tuple[tuple[str, Place], ...] = ()
        self.twice: tuple[tuple[str, tuple[Place, ...]], ...] = ()
        self.readers: dict[str, ReaderState] = {}

    # ------------------------------------------------------------------ inputs
    def take(self, event: ReaderEvent) -> list[Event]:
        """One event of a reader."""
        self._note_reader(event)
        return self._tracked(self.tracker.take(event))

    def tick(self, at_ns: int) -> list[Event]:
        """Timers that are due at `at_ns`: quiet time, hold time, silent readers."""
        return self._tracked(self.tracker.tick(at_ns))

    def wake_at_ns(self) -> int | None:
        return self.tracker.wake_at_ns()

    def command(self, command: commands.Command, by: commands.By, at_ns: int) -> list[Event]:
        """What a person says. A command that is not legal now gives `Refused` and changes nothing."""
        self.version += 1
        match command:
            case commands.Confirm():
                return self._confirm(by, at_ns)
            case commands.NotAChip():
                return self._not_a_chip(command)
            case commands.Say():
                return self._say(command, by, at_ns)
            case _:
                return list(self._hand_on(inputs.Told(at_ns, command, by)))

    # ------------------------------------------------------------------ what is shown
    def previews(self) -> list[Preview]:
        """Open pushes with their provisional rulings, the seat to act first."""
        shown = []
        for motion in self.open.values():
            seat = self._acting(motion)
            if seat is not None:
                shown.append(Preview(seat, motion, self.engine.preview(self.state, motion)))
        return sorted(shown, key=lambda preview: self._turn(preview.seat))

    @property
    def settling(self) -> bool:
        """Whether any push is open or waits: a dealer holds the next card back until it is not."""
        return bool(self.waiting) or any(True for _ in self._open_pushes())

    def focus(self) -> tuple[tuple[str, int], ...]:
        """(reader, antenna) to scan first; () scans all alike."""
        return self.tracker.wanted()

    def blocked(self, seat: int) -> tuple[Place, ...]:
        """Places of a seat that cannot be trusted now: they hold back its rulings and no others."""
        return tuple(p for p in self.unknown if p.seat == seat and p.zone in {Zone.SPOT, Zone.TRAY})

    # ------------------------------------------------------------------ tracking
    def _tracked(self, found: Iterable[tracking.TrackingEvent]) -> list[Event]:
        events: list[Event] = []
        for event in found:
            self.version += 1
            events += self._one_tracked(event)
        return events

    def _one_tracked(self, event: tracking.TrackingEvent) -> list[Event]:
        match event:
            case tracking.MotionChanged():
                return self._motion(event)
            case tracking.MotionWithdrawn():
                self.open.pop(event.number, None)
                return self._release()
            case tracking.CardsRested():
                return self._cards(event)
            case tracking.ButtonRested():
                return list(self._hand_on(inputs.ButtonRested(event.at_ns, event.seat)))
            case tracking.CountedIn():
                self.counted = True
                return list(self._hand_on(inputs.CountedIn(event.at_ns, self.tracker.places())))
            case tracking.PlaceKnown():
                return self._known(event)
            case tracking.ForeignTags():
                self.foreign.pop(event.place, None)
                if event.count:
                    self.foreign[event.place] = event.count
                return []
            case tracking.Unaccounted():
                self.unaccounted = event.items
                return []
            case tracking.SeenTwice():
                self.twice = event.items
                return []

    def _motion(self, event: tracking.MotionChanged) -> list[Event]:
        motion = event.motion
        if not motion.settled:
            self.open[motion.number] = motion
            seat = self._acting(motion)
            return self._settle(self._swept_pushes(motion) if seat is None else self._pushes_before(seat), event.at_ns)
        self.open.pop(motion.number, None)
        self.waiting.append(Waiting(self._acting(motion), inputs.MotionSeen(event.at_ns, motion)))
        return self._release()

    def _cards(self, event: tracking.CardsRested) -> list[Event]:
        given = inputs.CardsRested(event.at_ns, event.place, event.cards)
        if event.place.zone is Zone.HOLE:
            return list(self._hand_on(given))
        seat = self._mucking_seat(event) if event.place.zone is Zone.MUCK else None
        self.waiting.append(Waiting(seat, given))
        all_open = [number for number, _ in self._open_pushes()]
        return self._settle(all_open if seat is None else self._pushes_before(seat), event.at_ns)

    def _mucking_seat(self, event: tracking.CardsRested) -> int | None:
        """Whose cards came to the muck; None where they were seen at no seat."""
        places = self.state.places
        seats = {places[card].seat for card in event.cards if card in places and places[card].zone in _WITH_SEAT}
        return next(iter(seats)) if len(seats) == 1 else None

    def _known(self, event: tracking.PlaceKnown) -> list[Event]:
        if event.known:
            self.unknown.pop(event.place, None)
            return self._release()
        self.unknown[event.place] = event.why
        return []

    # ------------------------------------------------------------------ order
    def _pushes_before(self, seat: int) -> list[int]:
        """Open pushes that end because the player at `seat` acts: he is the next in turn behind them."""
        return [number for number, other in self._open_pushes() if self._next_in_turn(other) == seat]

    def _swept_pushes(self, motion: Motion) -> list[int]:
        """Open pushes whose chips the dealer sweeps."""
        swept = {move.origin.seat for move in motion.moves if move.origin.zone is Zone.SPOT}
        return [number for number, seat in self._open_pushes() if seat in swept]

    def _next_in_turn(self, seat: int) -> int | None:
        hand = self.state.hand
        if hand is None:
            return None
        able = [p.seat for p in hand.players if p.seat != seat and not p.folded and not p.all_in]
        return min(able, key=lambda other: (other - seat) % len(self.state.table.seats), default=None)

    def _settle(self, numbers: list[int], at_ns: int) -> list[Event]:
        events: list[Event] = []
        for number in numbers:
            if number in self.open:
                events += self._tracked(self.tracker.settle(number, at_ns))
        return events + self._release()

    def _release(self) -> list[Event]:
        """Hand on what may be handed on now, in turn order; every hand-over may free the next."""
        events: list[Event] = []
        while (free := self._next_free()) is not None:
            self.waiting.remove(free)
            events += self._hand_on(free.given)
        return events

    def _next_free(self) -> Waiting | None:
        free = [w for w in self.waiting if not self._held_back(w)]
        if not free:
            return None
        return min(free, key=lambda w: -1 if w.seat is None else self._turn(w.seat))

    def _held_back(self, waiting: Waiting) -> bool:
        if self._follows_another(waiting):
            return True
        pushes = [seat for _, seat in self._open_pushes()]
        if isinstance(waiting.given, inputs.MotionSeen) and waiting.seat is None:
            return bool(self._swept_pushes(waiting.given.motion))
        if waiting.seat is None:
            return bool(pushes or any(_is_push(other) for other in self.waiting))
        if _is_push(waiting) and self.blocked(waiting.seat):
            return True
        if any(_is_push(w) and w is not waiting and self._before(w.seat, waiting.seat) for w in self.waiting):
            return True
        return any(self._before(seat, waiting.seat) for seat in pushes)

    def _follows_another(self, waiting: Waiting) -> bool:
        """Whether an earlier input that still waits moves one of the same chips: the moves of a chip stay in order."""
        items = _items(waiting)
        for earlier in self.waiting:
            if earlier is waiting:
                break
            if not items.isdisjoint(_items(earlier)):
                return True
        return False

    def _before(self, one: int | None, other: int) -> bool:
        return one is not None and self._turn(one) < self._turn(other)

    def _open_pushes(self) -> Iterator[tuple[int, int]]:
        for number, motion in self.open.items():
            seat = self._acting(motion)
            if seat is not None:
                yield number, seat

    def _acting(self, motion: Motion) -> int | None:
        """The seat that acts by a motion; None where the dealer moves chips: also bets of a round that is over."""
        seat, hand = push_seat(motion), self.state.hand
        if seat is None or any(move.target.zone is Zone.SPOT for move in motion.moves):
            return seat
        if hand is None or hand.phase not in _BETTING:
            return None
        stale = {chip for player in hand.players if player.seat == seat for chip in player.stale}
        return seat if any(move.item not in stale for move in motion.moves) else None

    def _turn(self, seat: int) -> int:
        """Places from the seat to act, clockwise; all alike where nobody has to act."""
        hand = self.state.hand
        if hand is None or hand.to_act is None:
            return 0
        return (seat - hand.to_act) % len(self.state.table.seats)

    # ------------------------------------------------------------------ people
    def _confirm(self, by: commands.By, at_ns: int) -> list[Event]:
        """Settle what is open for the seat to act; then agree to what the engine asks."""
        number = next((p.motion.number for p in self.previews()), None)
        if number is None and not self._blocked_waiting():
            return list(self._hand_on(inputs.Told(at_ns, commands.Confirm(), by)))
        events = self._blocked_handed_on() if number is None else self._settle([number], at_ns)
        if number is not None and number in self.open:
            return [*events, Refused("undecided_chips", self._acting(self.open[number]))]
        if events and isinstance(events[-1], Asked) and events[-1].why == "confirm":
            events += self._hand_on(inputs.Told(at_ns, commands.Confirm(), by))
        return events

    def _blocked_waiting(self) -> Waiting | None:
        return next((w for w in self.waiting if w.seat is not None and self.blocked(w.seat)), None)

    def _blocked_handed_on(self) -> list[Event]:
        blocked = self._blocked_waiting()
        assert blocked is not None
        self.waiting.remove(blocked)
        return [*self._hand_on(blocked.given), *self._release()]

    def _say(self, command: commands.Say, by: commands.By, at_ns: int) -> list[Event]:
        hand = self.state.hand
        seat = command.seat if command.seat is not None else (hand.to_act if hand else None)
        events: list[Event] = []
        if seat is not None:
            events += self._settle(self._pushes_before(seat), at_ns)
            if by == "seat" and self._too_late(seat, at_ns):
                word = msgspec.structs.replace(command.word, form="after_chips")
                command = msgspec.structs.replace(command, word=word)
        told = inputs.Told(at_ns, command, by)
        if seat is not None and self._behind_a_push(seat):
            self.waiting.append(Waiting(seat, told))
            return events
        return [*events, *self._hand_on(told), *self._release()]

    def _behind_a_push(self, seat: int) -> bool:
        """Whether a push that comes before this seat in turn is still open or waits: a word then waits behind it."""
        waiting = [w.seat for w in self.waiting if _is_push(w)]
        return any(self._before(other, seat) for other in (*waiting, *(s for _, s in self._open_pushes())))

    def _too_late(self, seat: int, at_ns: int) -> bool:
        first = [motion.first_ns for motion in self.open.values() if self._acting(motion) == seat]
        return bool(first) and at_ns - min(first) > BUTTON_GRACE_MS * _MS

    def _not_a_chip(self, command: commands.NotAChip) -> list[Event]:
        place = Place(Zone(command.zone), command.seat)
        if place not in self.foreign:
            return [Refused("no_foreign_tag", command.seat)]
        del self.foreign[place]
        self.tracker.ignore_foreign(place)
        return self._release()

    # ------------------------------------------------------------------ engine
    def _hand_on(self, given: inputs.Input) -> Iterator[Event]:
        self.state, events = self.engine.step(self.state, given)
        for event in events:
            if isinstance(event, HandStarted):
                self.tracker.clear_muck()
            yield event

    def _note_reader(self, event: ReaderEvent) -> None:
        old = self.readers.get(event.reader, ReaderState("starting"))
        match event:
            case ReaderUp():
                new = ReaderState("up", "", old.bad_frames)
            case ReaderLost(why=why):
                new = ReaderState("lost", why, old.bad_frames)
            case ReaderFault(meaning=meaning):
                new = ReaderState("fault", meaning, old.bad_frames)
            case BadFrame():
                new = msgspec.structs.replace(old, bad_frames=old.bad_frames + 1)
            case ScanRound():
                new = old if old.state == "up" else ReaderState("up", "", old.bad_frames)
        if new != self.readers.get(event.reader):
            self.readers[event.reader] = new
            self.version += 1


_BETTING = frozenset({Phase.POSTING, Phase.DEALING, Phase.BETTING})
_WITH_SEAT = frozenset({Zone.HOLE, Zone.HELD})


def push_seat(motion: Motion) -> int | None:
    """The seat whose bet spot a motion feeds or whose chips it takes back; None for sweeps, payouts and cards."""
    for move in motion.moves:
        if move.target.zone is Zone.SPOT:
            return move.target.seat
    for move in motion.moves:
        if move.origin.zone is Zone.SPOT and move.target.zone in {Zone.TRAY, Zone.HELD}:
            return move.origin.seat
    return None


def _is_push(waiting: Waiting) -> bool:
    return waiting.seat is not None and isinstance(waiting.given, inputs.MotionSeen)


def _items(waiting: Waiting) -> frozenset[str]:
    given = waiting.given
    return frozenset(move.item for move in given.motion.moves) if isinstance(given, inputs.MotionSeen) else frozenset()
