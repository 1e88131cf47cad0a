"""Where each item lies: one sequential test per item and candidate antenna, counted in steps.

Theory. A scan misses a tag that is there (p, about 0.05) and reads one that is not (q, about 0.01). For "on B"
against "on A" one round of each antenna has the log likelihood ratio +L (seen on B only), -L (on A only) or 0, so
Wald's test is a counter that decides at +m and is held at 0 for an item at rest (m = 4: one false move of 600 chips
in 600,000 hours at p = 0.05, q = 0.01, computed). A *step* is one complete round of each antenna of the pair. Of the
faster antenna the latest round of the step counts, its further rounds do not. A question is decided at the m of when it
came up, however m changes meanwhile.

A move that is *expected* (chips between tray and spot of a seat that may push now: who may, the core says) is no rare
thing, and needs no 30 nats: five eighths of m, or half of it beside other chips that have just come. For these the
faster antenna's further rounds of a step count half a step each, and a round of the tray that missed a chip before its
spot showed it counts as well. At m = 4, p = 0.05 and q = 0.01 that is one false chip in about 10,000,000 passes over a
tray of forty, and in about 100,000 pushes beside which one would have come (computed).

With one antenna only (the item comes from the bank or a hand, or its own antenna tells nothing) the ratio is about
+4.5 for a sighting and -2.3 for a miss: +2 and -1 in half steps, decided at 2m (error 1e-8 at p = 0.1, q = 0.01,
computed).

A reader that is asked for single items (`questions.py`) gives rounds for these alone: of each end they are halves of
steps as others are.

Absence alone moves nothing to another antenna: an item that was missed `ABSENT_RUN` times in a row is unaccounted
for, and after a run that no burst of misses explains, and `hold_ms`, a chip of a tray is held by its seat. A chip of a
spot stays there, unread, where pot and trays would show it elsewhere, until a hand's end (`let_go`). All scores here
are in half steps.

Cost: an item that lies still and is seen costs nothing by itself; sets are compared, only differences are walked.
"""

from collections.abc import Iterable

from controller.places import Place, Zone
from controller.registry.registry import Registry
from controller.tracking import hypotheses, questions
from controller.tracking.evidence import (
    ABSENT_RUN,
    HALF,
    LIFTED,
    LONG_RUN,
    SPOT_RUN,
    UNFIT_STEPS,
    WHOLE,
    Decided,
    Field,
    Miss,
    Shadows,
    Test,
    Track,
    absent_run,
    gone_to,
    rival,
    stronger,
)
from controller.tracking.hypotheses import SEVERAL
from controller.tracking.layout import Layout
from firmware_bridge.events import ScanRound, Sighting

PASSED = 2  # steps in the pot that tell of a bet, now nowhere, that it was swept and changed into chips of the case
BURSTY = 2  # misses in a row, on average: a tag in shadow stays there
SHADOW = 1  # misses in a row that may be a tag gone elsewhere, where they come in bursts
MOST_MORE = 2  # rounds of the faster antenna that count beside the last one of a step
MOST_BOTH = 12  # steps until an item that two antennas showed may be moved by the other one alone
HOME_ALONE = 3  # of these steps, for each in which its own antenna shows it alone
STEP_NS = 10_000_000_000  # halves of a step further apart than this do not tell of the same moment


class Presence:
    """All items and antennas of a table; `look` takes one round and says what it decided."""

    def __init__(self, registry: Registry, layout: Layout) -> None:
        shadows = Shadows()
        self.fields = tuple(Field(a, absent_run(a.place.zone, layout), shadows) for a in layout.antennas)
        self.tracks = {
            tag: Track(item.name, tag, item.kind) for tag, item in registry.by_tag.items() if item.state == "in"
        }
        self.twice: dict[str, Track] = {}  # items that two antennas show at once
        self.steps = layout.steps  # m of questions that come up from now on
        self._steps = layout.steps
        self._hold_ns = layout.hold_ms * 1_000_000
        self._done: list[Test] = []
        self.expected: frozenset[int | None] = frozenset()  # seats that may push now

    def put(self, track: Track, place: Place) -> None:
        """Take a place as given, without evidence: what the journal says after a restart."""
        home = next((field for field in self.fields if field.place == place and track.kind in field.kinds), None)
        self._move(track, home, place)

    def look(self, field: Field, scan: ScanRound, seen: set[str], complete: bool) -> tuple[list[Decided], list[str]]:
        """Take one round. Gives what was decided, and the tags that no item in play has."""
        decided = self._absences(field, scan, seen) if complete else self._shown_again(field, seen)
        if scan.absent:
            questions.in_vain(field, scan)
        strangers = self._candidates(field, seen)
        if field.tests or field.leaving:
            dbm = _strengths(scan.sightings)
            self._hear_here(field, scan, seen, dbm, complete)
            self._hear_away(field, scan, seen, dbm, complete)
            if self._done:
                decided += [self._arrive(test) for test in self._first_of_each()]
        if complete:
            field.began_ns, field.ended_ns = scan.began_ns, scan.ended_ns
            field.begins.append(scan.began_ns)
            field.rounds += 1
            field.blank = 0 if seen else field.blank + 1
        return decided, strangers

    def forget(self, field: Field) -> None:
        """An antenna was lost or reset: what was half said about it is not said."""
        for test in list(field.tests.values()):
            self._drop(test)
        self.interrupt(field)
        for miss in field.missing.values():
            miss.run = 0

    def relimit(self, field: Field) -> None:
        """An antenna can be trusted no more, or again: so can what it says of open questions."""
        for test in field.tests.values():
            test.limit = self._limit(field)

    def _limit(self, field: Field) -> int:
        return WHOLE * (UNFIT_STEPS if field.unfit else self.steps)

    def interrupt(self, field: Field) -> None:
        """An antenna failed for a moment: the open halves of its steps do not count, whole steps do."""
        for test in field.tests.values():
            test.here = None
        for track in field.leaving.values():
            for test in track.tests:
                test.away = None

    # ------------------------------------------------------------ one round

    def _shown_again(self, field: Field, seen: set[str]) -> list[Decided]:
        """One sighting after misses may be a stray of an item in shadow elsewhere: a second says it lies here."""
        runs: list[int] = []
        dark = SHADOW if field.misses >= BURSTY * field.runs else SEVERAL
        for tag in [tag for tag in field.missing if tag in seen]:
            miss = field.missing.pop(tag)
            runs.append(miss.run)
            if miss.run > SEVERAL or (miss.run >= dark and not miss.alone):
                field.returned[tag] = miss
            else:
                self._lies(tag)
        for run in filter(None, runs):
            field.longest = max(field.longest, run)
            if run < LIFTED or runs.count(run) < LIFTED:
                field.misses += run
                field.runs += 1
                field.shadows.misses += run
                field.shadows.runs += 1
                field.blinded += run >= LONG_RUN and field.place.zone is Zone.SPOT
        return []

    def _lies(self, tag: str) -> None:
        """Its antenna shows it: what was half seen of it elsewhere is forgotten."""
        self.tracks[tag].passed = None

    def _absences(self, field: Field, scan: ScanRound, seen: set[str]) -> list[Decided]:
        missing, gone = field.missing, []
        returned, field.returned = field.returned, {}
        if missing:
            self._shown_again(field, seen)
        missed = sorted(field.expected - seen)  # in an order of its own, so that a recording plays to the same
        for tag in returned.keys() & seen & field.expected:
            self._lies(tag)
        field.hits += len(field.expected) - len(missed)
        for tag in missed:
            miss = missing.get(tag)
            if miss is None:
                before = returned.get(tag)
                missing[tag] = Miss(before.seen_ns, alone=True) if before else Miss(field.began_ns)
                continue
            miss.run += 1
            if miss.asked and questions.told_before(field, tag, scan):
                miss.asked -= 1
            if miss.run >= ABSENT_RUN:
                gone.append((tag, miss))
        return [d for tag, miss in gone if (d := self._vanish(field, tag, miss, scan.ended_ns)) is not None]

    def _vanish(self, field: Field, tag: str, miss: Miss, now_ns: int) -> Decided | None:
        """An item that its antenna has not shown for long: held, or swept, or nothing that can be said."""
        track, passed = self.tracks[tag], self.tracks[tag].passed
        if passed is None and (field.absent_run is None or miss.run < field.absent_run):
            return None
        if not self._is_gone(field, track, miss, now_ns):
            return None
        origin = track.place
        if passed is not None:
            self._move(track, passed.target, passed.target.place)
            passed.target.missing[tag] = Miss(passed.seen_ns)
            return Decided(track, origin, passed.first_ns, was_gone=False)
        return self._let_go(field, track, miss)

    def _is_gone(self, field: Field, track: Track, miss: Miss, now_ns: int) -> bool:
        """Whether neither its antenna nor another has shown it for a hold; nothing is said by one that is unfit."""
        if field.unfit or track.pinned or now_ns - miss.seen_ns < self._hold_ns:
            return False
        return not any(test.latest or test.score for test in track.tests)

    def _let_go(self, field: Field, track: Track, miss: Miss) -> Decided:
        origin = track.place
        self._move(track, None, gone_to(field.place))
        track.left_ns = miss.seen_ns
        return Decided(track, origin, miss.seen_ns, was_gone=True)

    def let_go(self, now_ns: int) -> list[Decided]:
        """Somebody knows that no ruling rests any more on chips that their spots have not shown for long: they left."""
        gone = [
            (field, self.tracks[tag], miss)
            for field in self.fields
            if field.place.zone is Zone.SPOT and field.live
            for tag, miss in field.missing.items()
            if miss.run >= SPOT_RUN and self._is_gone(field, self.tracks[tag], miss, now_ns)
        ]
        return [self._let_go(*one) for one in gone]

    def _candidates(self, field: Field, seen: set[str]) -> list[str]:
        strangers = []
        for tag in sorted(seen - field.expected):
            track = self.tracks.get(tag)
            if track is None:
                strangers.append(tag)
            elif track.kind in field.kinds and tag not in field.tests:
                test = Test(track, field, self._limit(field))
                field.tests[tag] = test
                track.tests.append(test)
                home = track.home
                if home is not None:
                    home.leaving[tag] = track
                    if home.live and tag in home.missing and hypotheses.is_players(test, self.expected):
                        test.away, test.away_ns = False, home.ended_ns
        return strangers

    def _hear_here(self, field: Field, scan: ScanRound, seen: set[str], dbm: dict[str, int], complete: bool) -> None:
        """What this round says about the items that may have come to this antenna."""
        dropped = []
        for tag, test in field.tests.items():
            here = tag in seen
            if here:
                if not test.score and not test.latest:
                    test.first_ns, test.clear_ns = scan.ended_ns, field.ended_ns
                if not test.shown:
                    test.born_ns = scan.ended_ns
                test.hits += 1
                test.shown += 1
                test.alone += 1
                test.idle = 0
                test.seen_ns = scan.began_ns
                test.dbm = dbm.get(tag)
            elif not questions.is_absence(field, tag, scan, complete=complete):
                continue
            else:
                test.idle += 1
            test.rounds += 1
            test.alone_rounds += 1
            if test.here is not None and hypotheses.is_players(test, self.expected):
                test.more += 1 if test.here else -1
            test.here, test.here_ns, test.latest = here, scan.ended_ns, here
            home = test.track.home
            if home is None or not home.live:
                self._alone(test)
            elif test.away is not None:
                self._step(test, home)
            if not (here or test.score or test.both or hypotheses.may_be_dim(test)):
                dropped.append(test)
        for test in dropped:
            hypotheses.visit(test)
            _astray(test, test.hits)
            self._drop(test)

    def _hear_away(self, field: Field, scan: ScanRound, seen: set[str], dbm: dict[str, int], complete: bool) -> None:
        """What this round says about this antenna's own items that are candidates elsewhere."""
        for tag, track in field.leaving.items():
            shown = tag in seen
            if not (shown or questions.is_absence(field, tag, scan, complete=complete)):
                continue
            for test in track.tests:
                if shown:
                    test.alone = test.alone_rounds = 0
                if not field.live:
                    self._score(test, -WHOLE if shown else 0, both=False)
                    continue
                test.away, test.away_ns, test.away_dbm = shown, scan.ended_ns, dbm.get(tag)
                if test.here is not None:
                    self._step(test, field)

    # ------------------------------------------------------------ the test

    def _step(self, test: Test, home: Field) -> None:
        """One step is whole: a complete round of each antenna of the pair."""
        here, away, more = test.here, test.away, max(-MOST_MORE, min(MOST_MORE, test.more))
        if abs(test.here_ns - test.away_ns) > STEP_NS:
            if test.here_ns < test.away_ns:
                test.here = None
            else:
                test.away = None
            return
        test.here = test.away = None
        test.more = 0
        contested = bool(here) and rival(test)
        test.step_ns = max(test.here_ns, test.away_ns)
        if here and away:
            nearer = stronger(test.dbm, test.away_dbm)
            if not nearer:
                _astray(test, 1)
            self._score(test, WHOLE * nearer, both=not nearer)
        elif here:
            self._score(test, 0 if contested or test.both > 1 else WHOLE + HALF * more, both=contested)
        elif away:
            self._score(test, -WHOLE, both=False)
        else:
            miss = home.missing.get(test.track.tag)
            alone = miss is not None and miss.run >= ABSENT_RUN
            self._score(test, HALF * more - (HALF if alone else 0), both=False)

    def _alone(self, test: Test) -> None:
        """The item has no other antenna that tells: this one is judged by itself."""
        here, test.here, test.away, test.more = test.here, None, None, 0
        contested = bool(here) and rival(test)
        test.step_ns = test.here_ns
        self._score(test, 0 if contested else WHOLE if here else -HALF, both=contested)

    def _score(self, test: Test, change: int, *, both: bool) -> None:
        if test.score >= WHOLE and (both or change <= -WHOLE):
            hypotheses.came_back(test)
        test.score = min(2 * test.limit + 3 * WHOLE * hypotheses.MOST_RETURNS, max(0, test.score + change))
        if test.score >= hypotheses.needed(test, self.expected) or hypotheses.is_dim(test):
            if hypotheses.may_lie_between(test) or hypotheses.goes_to_and_fro(test):
                both = True
            else:
                self._done.append(test)
        elif test.score >= WHOLE * PASSED and test.target.place.zone is Zone.POT:
            home = test.track.home
            if home is not None and home.place.zone is Zone.SPOT:
                test.track.passed = test
        if both:
            test.both = min(test.both + 1, MOST_BOTH)
            if test.both == self._steps:
                self.twice[test.track.tag] = test.track
        elif test.both:
            test.both = max(0, test.both - (HOME_ALONE if change < 0 else 1))
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
        shown, first_ns = test.latest, test.first_ns if test.score >= test.limit else test.born_ns
        home = track.home
        miss = None if home is None else home.missing.get(track.tag) or home.returned.get(track.tag)
        left_ns = first_ns if miss is None else min(first_ns, miss.seen_ns)
        hypotheses.turned(test)
        target.landed += 1
        target.landed_ns = first_ns
        self._move(track, target, place)
        track.left_ns = left_ns
        if not shown:
            target.missing[track.tag] = Miss(test.seen_ns)
        return Decided(track, origin, first_ns, was_gone=False, clear_ns=min(first_ns, test.clear_ns), left_ns=left_ns)

    def _move(self, track: Track, home: Field | None, place: Place) -> None:
        for test in list(track.tests):
            if home is None and track.kind == "chip":
                test.score = 0  # what was seen of it stays known, and decides nothing by itself
            else:
                self._drop(test)
        if track.home is not None:
            track.home.leaving.pop(track.tag, None)
            track.home.expected.discard(track.tag)
            track.home.missing.pop(track.tag, None)
            track.home.returned.pop(track.tag, None)
        track.home, track.place, track.passed, track.returns = home, place, None, 0
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


def _strengths(sightings: tuple[Sighting, ...]) -> dict[str, int]:
    if not sightings or sightings[0].rssi_dbm is None:
        return {}
    return {s.tag: s.rssi_dbm for s in sightings if s.rssi_dbm is not None}


def _astray(test: Test, sightings: int) -> None:
    """Its target heard an item that lies elsewhere."""
    field, home = test.target, test.track.home
    test.hits -= sightings
    field.strays += sightings
    if home is not None and sightings:
        tags = field.heard.setdefault(home, {})
        tags[test.track.tag] = tags.get(test.track.tag, 0) + sightings
