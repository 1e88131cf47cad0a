"""Where each item lies: one sequential test per item and candidate antenna, counted in steps.

Theory. A scan misses a tag that is there (p, about 0.05) and reads one that is not (q, about 0.01). For "on B"
against "on A" one round of each antenna has the log likelihood ratio +L (seen on B only), -L (on A only) or 0, so
Wald's test is a counter that decides at +m and is held at 0 for an item at rest (m = 4: one false move of 600 chips
in 600,000 hours at p = 0.05, q = 0.01, computed). A *step* is one complete round of each antenna of the pair. Of the
faster antenna the latest round of the step counts, its extra rounds do not.

With one antenna only (the item comes from the bank or a hand, or its own antenna tells nothing) the ratio is about
+4.5 for a sighting and -2.3 for a miss: +2 and -1 in half steps, decided at 2m (error 1e-8 at p = 0.1, q = 0.01,
computed).

Absence alone moves nothing to another antenna: an item that was missed `ABSENT_RUN` times in a row is unaccounted
for, and after a run that no burst of misses explains, and `hold_ms`, it is held by the seat it was last with. All
scores here are in half steps.

Cost: an item that lies still and is seen costs nothing by itself; sets are compared, only differences are walked.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from controller.places import BANK, Place, Zone
from controller.registry import Kind, Registry
from controller.tracking.layout import Antenna, Layout
from firmware_bridge.events import ScanRound, Sighting

WHOLE, HALF = 2, 1  # a step on B only, a miss on B alone
ABSENT_RUN = 6  # misses in a row that chance explains once in a million at p = 0.1 (computed)
LONG_RUN = 4 * ABSENT_RUN  # of these 0.6 % are a burst of misses (mean 5 rounds): no fact is made of less
SPOT_RUN = 8 * ABSENT_RUN  # a bet that vanished although the pot would show it: mean burst of 5 rounds leaves 5e-5
PASSED = 2  # steps in the pot that tell of a bet, now nowhere, that it was swept and changed into chips of the case
RSSI_MARGIN_DB = 6  # a neighbour this much weaker is a neighbour: twice the distance costs 6 dB or more in free space
STEP_NS = 10_000_000_000  # halves of a step further apart than this do not tell of the same moment

CHIP_ZONES = frozenset({Zone.TRAY, Zone.SPOT, Zone.POT, Zone.BANK})
CARD_ZONES = frozenset({Zone.HOLE, Zone.BOARD, Zone.MUCK})
BUTTON_ZONES = frozenset({Zone.SPOT, Zone.BUTTON})
ZONES_OF: Mapping[Kind, frozenset[Zone]] = {
    "chip": CHIP_ZONES,
    "marker": CHIP_ZONES,
    "card": CARD_ZONES,
    "button": BUTTON_ZONES,
}


class Miss:
    """An item that its antenna did not show in its last complete round."""

    __slots__ = ("run", "seen_ns")

    def __init__(self, seen_ns: int) -> None:
        self.run = 1
        self.seen_ns = seen_ns  # start of the last round that showed it


class Track:
    """What is known of one item."""

    __slots__ = ("home", "kind", "left_ns", "name", "passed", "pinned", "place", "tag", "tests")

    def __init__(self, name: str, tag: str, kind: Kind) -> None:
        self.name = name
        self.tag = tag
        self.kind = kind
        self.place = BANK
        self.home: Field | None = None  # the antenna that it was decided on
        self.pinned = kind == "button"  # stays where it was until it is seen elsewhere
        self.left_ns = 0  # of a held item: when its antenna last showed it
        self.tests: list[Test] = []
        self.passed: Test | None = None  # of a bet that left its spot: the pot showed it in `PASSED` steps


class Test:
    """One item against one candidate antenna."""

    __slots__ = (
        "away",
        "away_dbm",
        "away_ns",
        "both",
        "dbm",
        "first_ns",
        "here",
        "here_ns",
        "hits",
        "latest",
        "score",
        "seen_ns",
        "target",
        "track",
    )

    def __init__(self, track: Track, target: "Field") -> None:
        self.track = track
        self.target = target
        self.score = 0  # half steps, never below 0
        self.both = 0  # steps in which both antennas showed it
        self.hits = 0
        self.latest = False  # the target's latest round showed it
        self.first_ns = 0  # end of the first round of this run of evidence
        self.seen_ns = 0  # start of the latest round that showed it
        self.here: bool | None = None  # the open step: what the target said
        self.here_ns = 0
        self.dbm: int | None = None
        self.away: bool | None = None  # the open step: what the item's own antenna said
        self.away_ns = 0
        self.away_dbm: int | None = None


class Field:
    """One antenna and what is expected on it."""

    __slots__ = (
        "absent_run",
        "antenna",
        "began_ns",
        "ended_ns",
        "expected",
        "hits",
        "kinds",
        "leaving",
        "live",
        "longest",
        "misses",
        "missing",
        "place",
        "rounds",
        "strays",
        "tests",
    )

    def __init__(self, antenna: Antenna, absent_run: int | None) -> None:
        self.antenna = antenna
        self.place = antenna.place
        self.kinds = frozenset(kind for kind, zones in ZONES_OF.items() if antenna.place.zone in zones)
        self.absent_run = absent_run  # None: absence never ends its place
        self.live = False  # complete rounds are coming; kept by health
        self.began_ns = self.ended_ns = 0  # of the last complete round
        self.rounds = 0  # complete ones
        self.expected: set[str] = set()
        self.missing: dict[str, Miss] = {}  # expected and not in the last complete round
        self.tests: dict[str, Test] = {}  # candidates for this antenna
        self.leaving: dict[str, Track] = {}  # items of this antenna that are candidates elsewhere
        self.hits = 0
        self.misses = 0
        self.longest = 0  # run of misses of an item that came back
        self.strays = 0


class Decided(NamedTuple):
    track: Track
    origin: Place
    first_ns: int  # first sighting at the new place; of a vanished item: when it was last seen
    was_gone: bool  # nobody saw it at the new place: it is held


class Presence:
    """All items and antennas of a table; `look` takes one round and says what it decided."""

    def __init__(self, registry: Registry, layout: Layout) -> None:
        self.fields = tuple(Field(a, _absent_run(a.place.zone, layout)) for a in layout.antennas)
        self.tracks = {
            tag: Track(item.name, tag, item.kind) for tag, item in registry.by_tag.items() if item.state == "in"
        }
        self.twice: dict[str, Track] = {}  # items that two antennas show at once
        self._decide_at = WHOLE * layout.steps
        self._steps = layout.steps
        self._hold_ns = layout.hold_ms * 1_000_000
        self._done: list[Test] = []

    def put(self, track: Track, place: Place) -> None:
        """Take a place as given, without evidence: what the journal says after a restart."""
        home = next((field for field in self.fields if field.place == place and track.kind in field.kinds), None)
        self._move(track, home, place)

    def look(self, field: Field, scan: ScanRound, seen: set[str], complete: bool) -> tuple[list[Decided], list[str]]:
        """Take one round. Gives what was decided, and the tags that no item in play has."""
        decided = self._absences(field, scan, seen) if complete else self._shown_again(field, seen)
        strangers = self._candidates(field, seen)
        if field.tests or field.leaving:
            dbm = _strengths(scan.sightings)
            self._hear_here(field, scan, seen, dbm, complete)
            self._hear_away(field, scan, seen, dbm, complete)
            if self._done:
                decided += [self._arrive(test) for test in self._first_of_each()]
        if complete:
            field.began_ns, field.ended_ns = scan.began_ns, scan.ended_ns
            field.rounds += 1
        return decided, strangers

    def forget(self, field: Field) -> None:
        """An antenna was lost or reset: what was half said about it is not said."""
        for test in list(field.tests.values()):
            self._drop(test)
        self.interrupt(field)
        for miss in field.missing.values():
            miss.run = 0

    def interrupt(self, field: Field) -> None:
        """An antenna failed for a moment: the open halves of its steps do not count, whole steps do."""
        for test in field.tests.values():
            test.here = None
        for track in field.leaving.values():
            for test in track.tests:
                test.away = None

    # ------------------------------------------------------------ one round

    def _shown_again(self, field: Field, seen: set[str]) -> list[Decided]:
        for tag in [tag for tag in field.missing if tag in seen]:
            run = field.missing.pop(tag).run
            self.tracks[tag].passed = None
            field.misses += run
            field.longest = max(field.longest, run)
        return []

    def _absences(self, field: Field, scan: ScanRound, seen: set[str]) -> list[Decided]:
        missing, gone = field.missing, []
        if missing:
            self._shown_again(field, seen)
        missed = field.expected - seen
        field.hits += len(field.expected) - len(missed)
        for tag in missed:
            miss = missing.get(tag)
            if miss is None:
                missing[tag] = Miss(field.began_ns)
                continue
            miss.run += 1
            if miss.run >= ABSENT_RUN:
                gone.append((tag, miss))
        return [d for tag, miss in gone if (d := self._vanish(field, tag, miss, scan.ended_ns)) is not None]

    def _vanish(self, field: Field, tag: str, miss: Miss, now_ns: int) -> Decided | None:
        """An item that its antenna has not shown for long: held, or swept, or nothing that can be said."""
        track, passed = self.tracks[tag], self.tracks[tag].passed
        if passed is None and (field.absent_run is None or miss.run < field.absent_run):
            return None
        if track.pinned or now_ns - miss.seen_ns < self._hold_ns or any(test.latest for test in track.tests):
            return None
        origin = track.place
        if passed is not None:
            self._move(track, passed.target, passed.target.place)
            passed.target.missing[tag] = Miss(passed.seen_ns)
            return Decided(track, origin, passed.first_ns, was_gone=False)
        self._move(track, None, _gone_to(field.place))
        track.left_ns = miss.seen_ns
        return Decided(track, origin, miss.seen_ns, was_gone=True)

    def _candidates(self, field: Field, seen: set[str]) -> list[str]:
        strangers = []
        for tag in seen - field.expected:
            track = self.tracks.get(tag)
            if track is None:
                strangers.append(tag)
            elif track.kind in field.kinds and tag not in field.tests:
                test = Test(track, field)
                field.tests[tag] = test
                track.tests.append(test)
                if track.home is not None:
                    track.home.leaving[tag] = track
        return strangers

    def _hear_here(self, field: Field, scan: ScanRound, seen: set[str], dbm: dict[str, int], complete: bool) -> None:
        """What this round says about the items that may have come to this antenna."""
        dropped = []
        for tag, test in field.tests.items():
            here = tag in seen
            if here:
                if not test.score and not test.latest:
                    test.first_ns = scan.ended_ns
                test.hits += 1
                test.seen_ns = scan.began_ns
                test.dbm = dbm.get(tag)
            elif not complete:
                continue
            test.here, test.here_ns, test.latest = here, scan.ended_ns, here
            home = test.track.home
            if home is None or not home.live:
                self._alone(test)
            elif test.away is not None:
                self._step(test, home)
            if not (here or test.score or test.both):
                dropped.append(test)
        for test in dropped:
            field.strays += test.hits
            self._drop(test)

    def _hear_away(self, field: Field, scan: ScanRound, seen: set[str], dbm: dict[str, int], complete: bool) -> None:
        """What this round says about this antenna's own items that are candidates elsewhere."""
        for tag, track in field.leaving.items():
            shown = tag in seen
            if not (shown or complete):
                continue
            for test in track.tests:
                if not field.live:
                    self._score(test, -WHOLE if shown else 0, both=False)
                    continue
                test.away, test.away_ns, test.away_dbm = shown, scan.ended_ns, dbm.get(tag)
                if test.here is not None:
                    self._step(test, field)

    # ------------------------------------------------------------ the test

    def _step(self, test: Test, home: Field) -> None:
        """One step is whole: a complete round of each antenna of the pair."""
        here, away = test.here, test.away
        if abs(test.here_ns - test.away_ns) > STEP_NS:
            if test.here_ns < test.away_ns:
                test.here = None
            else:
                test.away = None
            return
        test.here = test.away = None
        if here and away:
            nearer = _stronger(test.dbm, test.away_dbm)
            self._score(test, WHOLE * nearer, both=not nearer)
        elif here:
            rival = _rival(test)
            self._score(test, 0 if rival else WHOLE, both=rival)
        elif away:
            self._score(test, -WHOLE, both=False)
        else:
            miss = home.missing.get(test.track.tag)
            alone = miss is not None and miss.run >= ABSENT_RUN
            self._score(test, -HALF if alone else 0, both=False)

    def _alone(self, test: Test) -> None:
        """The item has no other antenna that tells: this one is judged by itself."""
        here, test.here, test.away = test.here, None, None
        rival = bool(here) and _rival(test)
        self._score(test, 0 if rival else WHOLE if here else -HALF, both=rival)

    def _score(self, test: Test, change: int, *, both: bool) -> None:
        test.score = max(0, test.score + change)
        if test.score >= self._decide_at:
            self._done.append(test)
        elif test.score >= WHOLE * PASSED and test.target.place.zone is Zone.POT:
            home = test.track.home
            if home is not None and home.place.zone is Zone.SPOT:
                test.track.passed = test
        if both:
            test.both = min(test.both + 1, self._steps)
            if test.both == self._steps:
                self.twice[test.track.tag] = test.track
        elif test.both:
            test.both -= 1
            if not any(other.both for other in test.track.tests):
                self.twice.pop(test.track.tag, None)

    # ------------------------------------------------------------ decisions

    def _first_of_each(self) -> Iterable[Test]:
        tests = {test.track.tag: test for test in reversed(self._done)}
        self._done.clear()
        return tests.values()

    def _arrive(self, test: Test) -> Decided:
        track, origin, target = test.track, test.track.place, test.target
        place = Place(Zone.BUTTON, target.place.seat) if track.kind == "button" else target.place
        shown = test.latest
        self._move(track, target, place)
        if not shown:
            target.missing[track.tag] = Miss(test.seen_ns)
        return Decided(track, origin, test.first_ns, was_gone=False)

    def _move(self, track: Track, home: Field | None, place: Place) -> None:
        for test in list(track.tests):
            self._drop(test)
        if track.home is not None:
            track.home.expected.discard(track.tag)
            track.home.missing.pop(track.tag, None)
        track.home, track.place, track.passed = home, place, None
        if home is not None:
            home.expected.add(track.tag)

    def _drop(self, test: Test) -> None:
        track = test.track
        track.tests.remove(test)
        del test.target.tests[track.tag]
        if not track.tests and track.home is not None:
            track.home.leaving.pop(track.tag, None)
        if not any(other.both for other in track.tests):
            self.twice.pop(track.tag, None)


def places_shown(track: Track) -> tuple[Place, ...]:
    """The places that show an item step after step, where it is more than one antenna."""
    places = {test.target.place for test in track.tests if test.both}
    if track.home is not None:
        places.add(track.home.place)
    return tuple(sorted(places, key=lambda place: (place.zone, place.seat or 0)))


def _rival(test: Test) -> bool:
    """Whether an antenna of another place shows the item as well, and no weaker."""
    return any(
        other.latest and other.target.place != test.target.place and _stronger(test.dbm, other.dbm) <= 0
        for other in test.track.tests
    )


def _stronger(one: int | None, other: int | None) -> int:
    """+1 or -1 where one reading is stronger by a margin, else 0."""
    if one is None or other is None or abs(one - other) < RSSI_MARGIN_DB:
        return 0
    return 1 if one > other else -1


def _strengths(sightings: tuple[Sighting, ...]) -> dict[str, int]:
    if not sightings or sightings[0].rssi_dbm is None:
        return {}
    return {s.tag: s.rssi_dbm for s in sightings if s.rssi_dbm is not None}


def _absent_run(zone: Zone, layout: Layout) -> int | None:
    """Misses in a row (and hold_ms) after which an item is on no antenna; None: it stays where it was."""
    match zone:
        case Zone.TRAY | Zone.BOARD:
            return LONG_RUN
        case Zone.SPOT:
            return SPOT_RUN if layout.has(Zone.POT) else ABSENT_RUN
        case Zone.POT:
            return None if layout.every_seat_has_tray() else ABSENT_RUN
        case _:
            return ABSENT_RUN


def _gone_to(place: Place) -> Place:
    """Where an item is that left an antenna and came to no other."""
    if place.zone in (Zone.BANK, Zone.BOARD, Zone.MUCK):
        return BANK
    return Place(Zone.HELD, place.seat)
