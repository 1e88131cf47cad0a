"""The door of tracking: scan rounds in, motions and resting cards out. Knows no turn and no poker.

Time comes with events and with `tick`; it never runs backwards here, whatever the events say.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import assert_never

from controller.errors import ConfigError
from controller.places import BANK, Motion, Perhaps, Place, Zone
from controller.registry.registry import Registry
from controller.tracking import attention, questions
from controller.tracking.cards import Cards
from controller.tracking.events import ButtonRested, Coming, CountedIn, SeenTwice, TrackingEvent, Unaccounted
from controller.tracking.evidence import (
    ABSENT_RUN,
    Decided,
    Field,
    Test,
    Track,
    may_come,
    places_shown,
)
from controller.tracking.fitness import Fitness
from controller.tracking.health import Health
from controller.tracking.layout import Layout
from controller.tracking.motions import Motions
from controller.tracking.presence import Presence
from controller.tracking.strangers import Strangers
from firmware_bridge.events import BadFrame, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound, Value

COUNT_NS = 30_000_000_000  # counting in waits no longer for items in the shadow


class Rate(Value, frozen=True):
    """What an antenna did with items that lay still since the start: the estimates of p and q come from these."""

    reader: str
    number: int
    place: Place
    rounds: int  # complete ones
    hits: int  # expected and shown
    misses: int  # expected, not shown, shown again later
    strays: int  # shown, and decided to lie elsewhere


class Tracker:
    """Everything that lies on a table, from the rounds of all its readers."""

    def __init__(self, registry: Registry, layout: Layout) -> None:
        self._layout = layout
        self._now_ns = 0
        self._presence = Presence(registry, layout)
        fields = self._presence.fields
        self._fields = {(field.antenna.reader, field.antenna.number): field for field in fields}
        if len(self._fields) != len(fields):
            raise ConfigError(
                "table.toml: two [[antenna]] have the same reader and number: give each a number of its own"
            )
        self._tracks: dict[str, Track] = {track.name: track for track in self._presence.tracks.values()}
        self._spots = tuple(field for field in fields if field.place.zone is Zone.SPOT)
        self._out_of_play = tuple(name for name in registry.items if name not in self._tracks)
        self._health = Health(fields, layout.steps)
        self._fitness = Fitness(fields, layout)
        self._strangers = Strangers(registry)
        self._cards = Cards(fields, layout.hold_ms * 1_000_000)
        self._motions = Motions(self._presence, layout)
        self._counting = True
        self._began_ns = 0  # counting in: the first event
        self._news_at = 0  # counting in: rounds when something was last half seen
        self._missed: tuple[tuple[str, Place], ...] = ()
        self._coming: tuple[Motion, ...] = ()
        self._twice: tuple[tuple[str, tuple[Place, ...]], ...] = ()

    # ------------------------------------------------------------ what readers and time say

    def take(self, event: ReaderEvent) -> list[TrackingEvent]:
        """Take one event of a reader; gives what follows from it, in order."""
        match event:
            case ScanRound():
                return self._round(event)
            case ReaderUp():
                return self._reset(self._health.up(event.reader, event.identity), event.at_ns)
            case ReaderLost():
                return self._reset(self._health.reader(event.reader, "lost"), event.at_ns)
            case ReaderFault():
                for field in self._health.reader(event.reader, "fault"):
                    self._presence.interrupt(field)
                return self._review(event.at_ns)
            case BadFrame():
                return self._review(event.at_ns)
            case _:
                assert_never(event)

    def tick(self, at_ns: int) -> list[TrackingEvent]:
        """Let time pass: quiet, hold, and readers that fell silent."""
        return self._review(at_ns)

    def wake_at_ns(self) -> int | None:
        """When `tick` is due next."""
        motions = self._motions.wake_at_ns(self._now_ns)
        return self._health.look_ns if motions is None else min(motions, self._health.look_ns)

    @property
    def layout(self) -> Layout:
        """Which antenna of which reader looks where."""
        return self._layout

    @property
    def now_ns(self) -> int:
        """The latest time that events or ticks told."""
        return self._now_ns

    # ------------------------------------------------------------ what people and the core say

    def settle(self, number: int, at_ns: int) -> list[TrackingEvent]:
        """A person closes an open motion; nothing while a chip of it is undecided."""
        self._now_ns = max(self._now_ns, at_ns)
        return self._motions.settle(number, self._now_ns)

    def end(self, number: int, at_ns: int) -> list[TrackingEvent]:
        """The next player, or the dealer with a card or a sweep, acted: the motion needs no quiet any more.

        It ends as soon as nothing of it is undecided; for a chip that left the tray and is nowhere it waits `hold_ms`.
        """
        self._now_ns = max(self._now_ns, at_ns)
        return self._motions.end(number, self._now_ns)

    def lies(self, name: str, place: Place, at_ns: int) -> list[TrackingEvent]:
        """Somebody says where an item lies: it is there until an antenna elsewhere shows it."""
        self._now_ns = max(self._now_ns, at_ns)
        track = self._tracks.get(name)
        if track is None:
            return []
        if place.zone is Zone.SPOT and track.place != place:
            for field in self._presence.fields:
                field.blinded += field.place == place
        self._presence.put(track, place)
        self._motions.know(name, place)
        return self._review(self._now_ns)

    def let_go(self, at_ns: int) -> list[TrackingEvent]:
        """A hand is over: chips that their spots have not shown for long are with their seats, or in the pot."""
        self._now_ns = max(self._now_ns, at_ns)
        gone, out = self._presence.let_go(self._now_ns), list[TrackingEvent]()
        for one in gone:
            self._decided(one, self._now_ns, out)
        return out + self._review(self._now_ns) if gone else []

    def forget(self, number: int) -> None:
        """A settled motion was ruled on: what may have belonged to it is no question any more."""
        self._motions.forget(number)

    def perhaps(self, number: int) -> tuple[Perhaps, ...]:
        """What may still belong to a settled motion, by what was read until now."""
        return self._motions.perhaps(number, self._now_ns)

    def unseen(self, seat: int) -> tuple[Perhaps, ...]:
        """Chips of a seat that may lie on its spot unread, though no motion brought them."""
        return self._motions.unseen(seat, self._now_ns)

    def lifted(self, seat: int) -> bool:
        """Whether cards that lay on a hole antenna are not shown there now, or lie elsewhere since."""
        fields = [field for field in self._presence.fields if field.place == Place(Zone.HOLE, seat)]
        return any(field.missing or not field.expected for field in fields)

    def restore(self, places: Mapping[str, Place]) -> None:
        """Where everything lay, by the journal; before the first event. Names that are not in play are passed over."""
        for name, place in places.items():
            track = self._tracks.get(name)
            if track is not None:
                self._presence.put(track, place)
                self._motions.know(name, place)
                self._cards.know(track)

    def ignore_foreign(self, place: Place) -> None:
        """Somebody said "not a chip": the foreign tags there never count again."""
        self._strangers.ignore(place)

    def uncounted(self) -> tuple[Place, ...]:
        """Places that counting in still waits for, because they had too few complete rounds; () afterwards."""
        if not self._counting:
            return ()
        return tuple(field.place for field in self._must_count() if field.rounds < self._layout.steps)

    def end_counting(self, at_ns: int) -> list[TrackingEvent]:
        """A person ends counting in: what was not seen by now is where the journal has it, or in the bank."""
        self._now_ns = max(self._now_ns, at_ns)
        if not self._counting:
            return []
        self._counting = False
        return [CountedIn(self._now_ns), *self._review(self._now_ns)]

    def expect(self, seats: Iterable[int]) -> None:
        """These seats may push chips now: their moves from the tray to the spot are nothing rare."""
        self._presence.expected = frozenset(seats)

    def new_hand(self, waiting: Collection[int]) -> None:
        """The next hand begins: cards in the muck are old, and only motions that wait may still be asked about."""
        self._cards.clear_muck()
        self._motions.forget_all_but(waiting)

    # ------------------------------------------------------------ what others may ask

    def open_motions(self) -> tuple[Motion, ...]:
        return self._motions.open_motions(self._now_ns)

    def places(self) -> dict[str, Place]:
        """Where every registered item was last decided to lie; never seen, or not in play: the bank."""
        places = {name: track.place for name, track in self._tracks.items()}
        places.update(dict.fromkeys(self._out_of_play, BANK))
        return places

    def wanted(self) -> tuple[tuple[str, int], ...]:
        """Antennas to scan first (reader, antenna); (): all alike."""
        return attention.wanted(self._presence.fields, self._spots, self._motions.seats())

    def questions(self, waiting: Iterable[int]) -> Mapping[tuple[str, int], tuple[str, ...]]:
        """Tags to ask for by address (reader, antenna): of seats with something open, and of those that wait for it."""
        return questions.wanted(self._presence.fields, self._presence.tracks, {*waiting, *self._motions.seats()})

    def half_read(self, seat: int) -> int | None:
        """Since when a chip may just be coming to a seat's spot, or from the seat into the pot; None: there is none.

        One sighting is enough where its own antenna lost it. One that stays half decided longer than a hold is none.
        """
        since_ns = self._now_ns - self._layout.hold_ms * 1_000_000
        spot = Place(Zone.SPOT, seat)
        found: list[int] = []
        for field in self._presence.fields:
            if field.tests and (field.place == spot or field.place.zone is Zone.POT):
                tests = [test for test in field.tests.values() if test.first_ns > since_ns]
                halves = [test for test in tests if (test.score or test.latest) and may_come(test)]
                found += [test.first_ns for test in halves if _comes_from(test, seat)]
        return min(found, default=None)

    def rates(self) -> tuple[Rate, ...]:
        return tuple(
            Rate(f.antenna.reader, f.antenna.number, f.place, f.rounds, f.hits, f.misses, f.strays)
            for f in self._presence.fields
        )

    @property
    def steps(self) -> int:
        """The m of the sequential test, for questions that come up from now on."""
        return self._presence.steps

    @property
    def ignored(self) -> frozenset[str]:
        """Tags that were called no chips, the registry's own included: keep them, and they are ignored for good."""
        return self._strangers.ignored

    # ------------------------------------------------------------ inside

    def _round(self, scan: ScanRound) -> list[TrackingEvent]:
        field = self._fields.get((scan.reader, scan.antenna))
        if field is None:
            return self._review(scan.ended_ns)
        seen = {sighting.tag for sighting in scan.sightings}
        overfull = len(seen) > field.antenna.capacity
        complete = scan.complete and not overfull
        self._health.round(field, scan.ended_ns, complete, overfull)
        decided, unknown = self._presence.look(field, scan, seen, complete)
        out: list[TrackingEvent] = []
        for one in decided:
            self._decided(one, scan.ended_ns, out)
        if complete and field.place.zone is Zone.TRAY:
            self._motions.tray_round(field, scan, seen)
        out += self._strangers.look(field.place, unknown, complete, scan.ended_ns)
        return out + self._review(scan.ended_ns)

    def _decided(self, decided: Decided, at_ns: int, out: list[TrackingEvent]) -> None:
        track = decided.track
        match track.kind:
            case "card":
                self._cards.decided(decided, at_ns)
            case "button":
                if track.place.seat is not None and track.place != decided.origin:
                    out.append(ButtonRested(at_ns, track.place.seat))
            case "marker":
                pass
            case "chip":
                if self._counting:
                    self._motions.know(track.name, track.place)
                else:
                    self._motions.decided(decided, at_ns)
            case _:
                assert_never(track.kind)

    def _reset(self, fields: tuple[Field, ...], at_ns: int) -> list[TrackingEvent]:
        for field in fields:
            self._presence.forget(field)
        return self._review(at_ns)

    def _review(self, at_ns: int) -> list[TrackingEvent]:
        """Everything that time or a decision may have changed."""
        now_ns = max(self._now_ns, at_ns)
        if not self._now_ns:
            self._began_ns = now_ns
        self._now_ns = now_ns
        out: list[TrackingEvent] = []
        if now_ns >= self._health.look_ns:
            for field in self._health.silent(now_ns):
                self._presence.forget(field)
            self._judge(now_ns)
            self._tell_missed(now_ns, out)
        out += self._health.told(now_ns)
        if self._counting and self._counted():
            self._counting = False
            out.append(CountedIn(now_ns))
        self._tell_twice(now_ns, out)
        out += self._cards.told(now_ns)
        out += self._motions.review(now_ns)
        self._tell_coming(now_ns, out)
        return out

    def _tell_coming(self, now_ns: int, out: list[TrackingEvent]) -> None:
        """Of seats that may push now what their spots show, long before it is decided."""
        coming = self._motions.coming(self._presence.expected) if self._presence.expected else ()
        if coming != self._coming:
            self._coming = coming
            out.append(Coming(now_ns, coming))

    def _judge(self, now_ns: int) -> None:
        """Antennas that turned bad, or good again; and, where nothing moves, the m of what comes up from now on."""
        for judged in self._fitness.look(now_ns):
            self._health.judge(judged.field)
            self._presence.interrupt(judged.field)
            self._presence.relimit(judged.field)
        if not (self._counting or self._motions.open_motions(now_ns)):
            self._presence.steps = self._fitness.next_steps(now_ns)

    def _counted(self) -> bool:
        """Whether trays (without them: spots) and all other antennas that answer had enough complete rounds.

        A chip may lie in the shadow of another all that time. So nothing new must have come for twice as long as the
        longest shadow that was seen so far, but no longer than `COUNT_NS` in all.
        """
        steps, counted = self._layout.steps, self._must_count()
        answering = [f for f in self._presence.fields if f.rounds or f in counted]
        fewest = min((field.rounds for field in answering), default=0)
        if any(test.score and _is_news(test.track) for field in answering for test in field.tests.values()):
            self._news_at = fewest
        if fewest < steps:
            return False
        longest = max(self._longest_shadow(field) for field in answering)
        return fewest > self._news_at + 2 * longest or self._now_ns >= self._began_ns + COUNT_NS

    def _longest_shadow(self, field: Field) -> int:
        """In rounds. A card under others in the muck is in none: only the top ones can be read there."""
        tracks = self._presence.tracks
        return max((m.run for tag, m in field.missing.items() if not tracks[tag].pinned), default=field.longest)

    def _must_count(self) -> list[Field]:
        """Every tray; without trays every spot."""
        fields = self._presence.fields
        return [f for f in fields if f.place.zone is Zone.TRAY] or [f for f in fields if f.place.zone is Zone.SPOT]

    def _tell_missed(self, now_ns: int, out: list[TrackingEvent]) -> None:
        tracks = self._presence.tracks
        missed = sorted(
            (track.name, track.place)
            for field in self._presence.fields
            if field.live
            for tag, miss in field.missing.items()
            if miss.run >= ABSENT_RUN and (track := tracks[tag]).kind == "chip"
        )
        if (items := tuple(missed)) != self._missed:
            self._missed = items
            out.append(Unaccounted(now_ns, items))

    def _tell_twice(self, now_ns: int, out: list[TrackingEvent]) -> None:
        if not (self._presence.twice or self._twice):
            return
        shown = ((track.name, places_shown(track)) for track in self._presence.twice.values())
        items = tuple(sorted((name, places) for name, places in shown if len(places) > 1))
        if items != self._twice:
            self._twice = items
            out.append(SeenTwice(now_ns, items))


def _comes_from(test: Test, seat: int) -> bool:
    """Whether an item on its way forward would be a bet of this seat: any on its spot, its own in the pot."""
    place = test.track.place
    return test.target.place.zone is Zone.SPOT or (place.seat == seat and place.zone in (Zone.TRAY, Zone.IN_HAND))


def _is_news(track: Track) -> bool:
    """Whether half a decision about an item is more than a stray reading: no antenna of its own shows it."""
    miss = None if track.home is None else track.home.missing.get(track.tag)
    return track.home is None or (miss is not None and miss.run >= ABSENT_RUN)
