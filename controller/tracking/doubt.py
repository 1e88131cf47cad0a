"""What could still belong to an open motion: the worlds that tracking leaves open, and how likely each is.

A push is its decided chips, and perhaps others: chips half seen at its target; chips of its seat that left the tray, or
were in the hand before, and may lie there unread; chips of the spot that may have been pulled back under it. Each has a
chance (`chances.py`), and for each it is known whether something is due that will tell: a round that a shadow does not
outlast, or, for a chip that left the tray with the push, its player's hand. While that is so the motion stays open, no
longer than `hold_ms` behind its last chip; then it is settled, and what is open goes with it.

Absence is no move: a chip that its spot does not show any more lies there, perhaps unread. A chip that was taken back
after the motion had lain quietly (it should have been ruled on long before) is named: whether it counts is for a person
to say. An antenna of that seat which is silent holds the motion until it is heard again, or a person settles it.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from controller.places import POT, Motion, Moved, Perhaps, Place, Zone
from controller.tracking import chances
from controller.tracking.evidence import OUTLASTING, Field, Miss, Test, Track, may_come, shadow_rounds
from controller.tracking.hypotheses import SEVERAL, may_lie_between
from controller.tracking.layout import Layout
from controller.tracking.presence import Presence

STILL_THERE = 2  # complete rounds of the tray: one may be a stray reading
Key = tuple[str, Place | None]


ON_ITS_WAY = 0.02  # chance that a chip taken up with the push is of it, though nothing shows it
AMID_SHADOWS = 0.002  # a chip that its tray missed as if it were gone was taken up, though some shadow may last so long
NAMED = 0.005  # whoever looks at the open motion is told of it
TOGETHER = 2  # chips of a push that are missed in the same round
MOST_QUIET = 2  # times the quiet time of the table
SMALL = 0.00001  # below, a world is not spoken of at all
BETWEEN = 0.5  # chance that a chip which two places show is of this one
LIKELY = 0.001  # less than this no motion waits for, and nobody is told of


class Doubt(NamedTuple):
    blocks: bool  # the motion cannot settle by itself now
    names: tuple[str, ...]  # items to name


class Flow:
    """One open motion: net moves with the time of each item's first sighting at its target."""

    __slots__ = (
        "_quiet_ns",
        "arrived",
        "behind",
        "clear",
        "ended_ns",
        "first_ns",
        "key",
        "last_ns",
        "later",
        "moves",
        "number",
        "seat",
        "taken",
        "told",
        "touched_ns",
    )

    def __init__(self, number: int, key: Key, quiet_ns: int) -> None:
        self._quiet_ns = quiet_ns
        self.number = number
        self.key = key
        self.moves: dict[str, Moved] = {}
        self.arrived: dict[str, int] = {}
        self.clear: dict[str, int] = {}  # up to when its target was seen without it
        self.later: set[str] = set()  # items of a second trip
        self.taken: set[str] = set()  # chips taken back after it had lain there quietly: a push to a person's eye
        self.first_ns = 0
        self.last_ns = 0
        self.touched_ns = 0  # when an item last went back
        self.ended_ns: int | None = None  # when somebody acted behind it: it needs no quiet any more
        self.behind: dict[str, int] = {}  # chips, by rounds begun later that showed them on the tray still
        self.told: Motion | None = None
        self.seat: int | None = None  # whose chips this motion brings forward, to its spot or the pot; None: no bet

    def _bets(self) -> int | None:
        what, place = self.key
        if what != "front" or place is None:
            return None
        forward = any(move.target == place or move.target.zone is Zone.POT for move in self.moves.values())
        return place.seat if forward else None

    def add(self, move: Moved, first_ns: int, clear_ns: int) -> None:
        self.moves[move.item] = move
        self.taken.discard(move.item)
        self.arrived[move.item] = first_ns
        self.clear[move.item] = clear_ns
        self._reckon()

    def remove(self, name: str, at_ns: int) -> None:
        del self.moves[name], self.arrived[name], self.clear[name]
        self.later.discard(name)
        self.touched_ns = at_ns
        self._reckon()

    def take_back(self, name: str, first_ns: int, at_ns: int) -> None:
        """A chip went back, first seen where it was at `first_ns`; cut out at once, it never counted."""
        if self.seat is not None and first_ns >= max(self.arrived.values()) + self._quiet_ns:
            self.taken.add(name)
        self.remove(name, at_ns)

    def is_behind(self, tag: str) -> bool:
        """Whether a chip can only be of the next push: the tray still showed it when the next player had acted."""
        return self.behind.get(tag, 0) >= STILL_THERE

    def motion(self, doubtful: tuple[str, ...], perhaps: tuple[Perhaps, ...] = (), *, settled: bool) -> Motion:
        moves = sorted(self.moves.values(), key=lambda move: (self.arrived[move.item], move.item))
        return Motion(
            self.number,
            tuple(moves),
            self.first_ns,
            self.last_ns,
            bool(self.later),
            doubtful,
            settled=settled,
            clear_ns=min(self.clear.values(), default=0),
            perhaps=perhaps,
            second=self._second(),
        )

    def _second(self) -> tuple[str, ...]:
        """Chips that would have been a push of their own, had the table not been slow to decide on the rest."""
        if not self.later:
            return ()
        first_ns = max((ns for name, ns in self.arrived.items() if name not in self.later), default=0)
        return tuple(
            sorted(name for name in self.later if first_ns and self.arrived[name] >= first_ns + self._quiet_ns)
        )

    @property
    def quiet_ns(self) -> int:
        """How long it must be quiet: chips that are counted out one by one are waited for as long as they take.

        One gap may be a chip that was read late; two are a habit.
        """
        times = sorted(self.arrived.values())
        gaps = sorted(later - before for before, later in itertools.pairwise(times))
        return max(self._quiet_ns, min(MOST_QUIET * self._quiet_ns, 2 * gaps[-2] if len(gaps) > 1 else 0))

    def _reckon(self) -> None:
        self.seat = self._bets()
        seen = [ns for name, ns in self.arrived.items() if self.moves[name].target.zone is not Zone.IN_HAND]
        self.first_ns = min(seen or self.arrived.values(), default=self.touched_ns)
        self.last_ns = max(self.touched_ns, *self.arrived.values()) if self.arrived else self.touched_ns


class Doubts:
    """Judges open motions against the evidence."""

    def __init__(self, presence: Presence, layout: Layout, key_to: Callable[[str, Place], Key]) -> None:
        self.hold_ns = layout.hold_ms * 1_000_000
        self._quiet_ns = layout.quiet_ms * 1_000_000
        self._key_to = key_to
        self._tracks = presence.tracks
        self._fields: dict[Place, list[Field]] = {}
        for field in presence.fields:
            self._fields.setdefault(field.place, []).append(field)
        self._held: dict[int | None, dict[str, Track]] = {}  # by seat: chips that no antenna shows

    def vanished(self, track: Track) -> None:
        """No antenna shows this chip any more: it is with the seat that had it last."""
        self._held.setdefault(track.place.seat, {})[track.tag] = track

    def candidates(self, place: Place) -> bool:
        return any(test.score or test.latest for test in self.tests(place))

    def tests(self, place: Place) -> Iterator[Test]:
        return (test for field in self._fields.get(place, ()) for test in field.tests.values())

    def undecided(self, flow: Flow, at_ns: int) -> bool:
        """Whether a chip is half decided to belong to it; one that stays so longer than a hold is only named."""
        return any(may_come(test) and at_ns - test.first_ns < self.hold_ns for test in self._tests(flow))

    def watched(self, flow: Flow) -> bool:
        """Whether the antennas of the seat that bets are heard: behind one that is silent anything may lie."""
        return all(field.live for field in self._own(flow))

    def watched_ns(self, flow: Flow, at_ns: int) -> int:
        """Up to when it is known that nothing came: in front of a seat, the end of the spot's last complete round."""
        what, place = flow.key
        if what != "front" or place is None:
            return at_ns
        watched = {place, *(move.target for move in flow.moves.values() if move.target.zone is Zone.POT)}
        return min((field.ended_ns for field in self._all(watched)), default=at_ns)

    def of(self, flow: Flow, at_ns: int) -> Doubt:
        """Whether it must wait, and what to name."""
        names = {*flow.taken, *self._lay_there(flow)}
        blocks = any(not field.live or field.began_ns <= flow.last_ns for field in self._own(flow))
        for test in self._tests(flow):
            blocks = blocks or may_come(test)
        perhaps = self.perhaps(flow, at_ns)
        blocks = blocks or any(one.coming for one in perhaps) or self._others_left(flow, at_ns)
        blocks = blocks or (at_ns < flow.last_ns + self.hold_ns and self._lifted(flow))
        names.update(one.item for one in perhaps if one.chance >= NAMED)
        return Doubt(blocks, tuple(sorted(names)))

    # ------------------------------------------------------------ chips that may belong to it
    def perhaps(self, flow: Flow, at_ns: int) -> list[Perhaps]:
        """Every chip that may belong to a push, or have been taken back under it, each with its chance."""
        what, place = flow.key
        if flow.seat is None or what != "front" or place is None:
            return []
        found: list[Perhaps] = []
        for track in self._candidates(flow, place):
            one = self._unread(track, flow, place, at_ns)
            if one is not None and (one.chance >= SMALL or one.coming):
                found.append(one)
        return [*found, *self._pulled(flow, place, at_ns)]

    def unseen(self, place: Place, at_ns: int) -> tuple[Perhaps, ...]:
        """Chips that may lie on a spot unread although no motion is open there, each with its chance."""
        found: list[Perhaps] = []
        for track in self._unread_at(place, {}):
            test = next((test for test in track.tests if test.target.place == place), None)
            miss = None if track.home is None else track.home.missing.get(track.tag)
            since_ns, in_tray = _last_shown_ns(track, miss, at_ns), _in_tray(track, miss)
            target = self._fields[place][0] if test is None else test.target
            before = chances.LEFT_WITH if test is not None and _showed(test) else chances.KEPT
            leaves = chances.LEAVES if track.home is None else chances.LEAVES_UNSEEN
            hits, rounds = _evidence(test, target.rounds_since(since_ns))
            chance = _between(test, chances.came(chances.Before(before, in_tray, leaves), hits, rounds, target.ear()))
            if chance >= SMALL:
                coming = test is not None and may_come(test) and bool(test.score or test.latest)
                first_ns = test.born_ns if test is not None and test.shown else since_ns
                found.append(Perhaps(track.name, track.place, place, chance, coming, first_ns))
        return tuple(found)

    def _candidates(self, flow: Flow, place: Place) -> list[Track]:
        """Chips half seen there, and chips of the seat that neither its tray nor another antenna shows."""
        return self._unread_at(place, {test.track.tag: test.track for test in self._tests(flow)})

    def _unread_at(self, place: Place, found: dict[str, Track]) -> list[Track]:
        found.update((test.track.tag, test.track) for test in self.tests(place) if _showed(test))
        trays = self._all([Place(Zone.TRAY, place.seat)])
        for field in trays:
            found.update((tag, self._tracks[tag]) for tag in (*field.missing, *field.returned))
        held = self._held.get(place.seat, {})
        for tag in [tag for tag, track in held.items() if track.home is not None]:
            del held[tag]
        if trays:  # else nobody knows which chips are in the hand
            found.update(held)
        return [track for track in found.values() if track.kind == "chip"]

    def _unread(self, track: Track, flow: Flow, place: Place, at_ns: int) -> Perhaps | None:
        """A chip that may lie before the seat although nothing shows it there for certain."""
        if flow.is_behind(track.tag) or track.name in flow.moves:
            return None
        test = next((test for test in track.tests if test.target.place in (place, POT)), None)
        home = track.home
        miss = None if home is None else home.missing.get(track.tag) or home.returned.get(track.tag)
        moving = test is not None and may_come(test) and bool(test.score or test.latest)
        showed = test is not None and _showed(test) and test.seen_ns >= flow.first_ns - self.hold_ns
        since_ns = _last_shown_ns(track, miss, at_ns)
        late = test is None or test.born_ns > flow.last_ns + self._quiet_ns
        if since_ns > flow.last_ns and (late or not (moving or showed)):
            return None  # it was shown elsewhere, behind all that came
        target = self._front(flow, place) if test is None else test.target
        in_tray = _in_tray(track, miss)
        before = chances.LEFT_WITH if showed else self._before(flow, since_ns, in_tray)
        taken_up = before == chances.LEFT_WITH and in_tray < AMID_SHADOWS
        rounds = target.rounds_since(max(since_ns, flow.first_ns - self._quiet_ns))
        chance = _between(test, chances.came(chances.Before(before, in_tray), *_evidence(test, rounds), target.ear()))
        if moving or taken_up:
            chance = max(chance, ON_ITS_WAY)
        coming = moving or taken_up
        if chance >= LIKELY and not coming:
            coming = in_tray >= OUTLASTING or chances.shadow(rounds, target.ear()) > target.ear().blind
        coming = coming and at_ns < flow.last_ns + self.hold_ns
        return Perhaps(track.name, track.place, target.place, chance, coming)

    def _front(self, flow: Flow, place: Place) -> Field:
        """Where the chips of this motion come forward."""
        targets = {move.target for move in flow.moves.values()}
        return self._fields[place if place in targets or POT not in self._fields else POT][0]

    def _before(self, flow: Flow, since_ns: int, in_tray: float) -> float:
        """How likely a chip is of the push, by when it was shown last; out of a shadow it may have left at any time."""
        if in_tray >= OUTLASTING or flow.first_ns - self.hold_ns <= since_ns <= flow.last_ns:
            return chances.LEFT_WITH
        from_hand = any(move.origin.zone is Zone.IN_HAND for move in flow.moves.values())
        return chances.FROM_HAND if from_hand else chances.KEPT

    def _pulled(self, flow: Flow, place: Place, at_ns: int) -> Iterator[Perhaps]:
        """Chips of the spot that it has not shown since the last chip came: covered, or pulled back under it.

        One that it showed behind the last arrival, but not when it had been quiet, may have been taken back.
        """
        hand = Place(Zone.IN_HAND, place.seat)
        for field in self._all([place]):
            for tag, miss in (*field.missing.items(), *field.returned.items()):
                track = self._tracks[tag]
                went = miss.run >= SEVERAL and miss.seen_ns < flow.last_ns + self._quiet_ns
                elsewhere = any(test.score or test.latest for test in track.tests)
                if track.kind == "chip" and not elsewhere and (miss.seen_ns <= flow.last_ns or went):
                    chance = chances.went(miss.run, field.ear())
                    coming = miss.run < shadow_rounds(field) or chance >= LIKELY
                    yield Perhaps(track.name, place, hand, chance, coming and at_ns < flow.last_ns + self.hold_ns)

    # ------------------------------------------------------------ its antennas
    def _tests(self, flow: Flow) -> Iterator[Test]:
        """Undecided chips that would join this motion."""
        for place in self._targets(flow):
            for field in self._fields.get(place, ()):
                for test in field.tests.values():
                    may_join = (test.score or test.latest) and not flow.is_behind(test.track.tag)
                    if may_join and self._key_to(test.track.name, place) == flow.key:
                        yield test

    def _targets(self, flow: Flow) -> Iterable[Place]:
        what, place = flow.key
        if what == "front" and place is not None:
            return place, Place(Zone.TRAY, place.seat), POT
        return {move.target for move in flow.moves.values()}

    def _own(self, flow: Flow) -> list[Field]:
        """Antennas of the seat that bets."""
        return [] if flow.seat is None else self._all([Place(Zone.SPOT, flow.seat), Place(Zone.TRAY, flow.seat)])

    def _all(self, places: Iterable[Place]) -> list[Field]:
        return [field for place in places for field in self._fields.get(place, ())]

    def _lifted(self, flow: Flow) -> bool:
        """Whether several of its chips went together in the last round: cut out, and on their way back, most likely."""
        fields = self._own(flow)[:1] if flow.seat is not None else []
        gone = [tag for field in fields for tag in field.missing if self._tracks[tag].name in flow.moves]
        return len(gone) >= TOGETHER

    def _others_left(self, flow: Flow, at_ns: int) -> bool:
        """Whether chips of other antennas that its items came from may be among those that moved."""
        if at_ns >= flow.last_ns + self.hold_ns:
            return False
        own = self._own(flow)
        for field in self._all({move.origin for move in flow.moves.values()}):
            if field in own:
                continue
            left = (miss for tag, miss in field.missing.items() if self._tracks[tag].kind == "chip")
            if not field.live or field.began_ns <= flow.last_ns:
                return True
            if any(flow.first_ns - self.hold_ns <= miss.seen_ns <= flow.last_ns for miss in left):
                return True
        return False

    def _lay_there(self, flow: Flow) -> Iterator[str]:
        """Chips that lay with the push for as long as makes a push final, and were back before anything was decided."""
        _, place = flow.key
        fields = self._fields.get(place, ()) if flow.seat is not None and place is not None else ()
        visits = [visit for field in fields for visit in field.visits.items()]
        visits += [
            (tag, (test.first_ns, test.seen_ns))
            for field in fields
            for tag, test in field.tests.items()
            if test.hits > 1 and not test.score and not may_come(test)  # gone, and to be dropped with the next round
        ]
        for tag, (first_ns, seen_ns) in visits:
            name, with_it = self._tracks[tag].name, first_ns >= flow.first_ns - self._quiet_ns
            if with_it and seen_ns - first_ns >= self._quiet_ns and name not in flow.moves:
                yield name


def _showed(test: Test) -> bool:
    """Whether a chip that nothing else shows was read there more than once."""
    return test.shown > 1 and may_come(test)


def _last_shown_ns(track: Track, miss: Miss | None, at_ns: int) -> int:
    """When its own antenna, or a tray, showed it last."""
    if track.home is not None:
        return at_ns if miss is None else miss.seen_ns
    trays = (test for test in track.tests if test.target.place.zone is Zone.TRAY and test.hits > 1)  # no stray
    return max(track.left_ns, *(test.seen_ns for test in trays), track.left_ns)


def _in_tray(track: Track, miss: Miss | None) -> float:
    """How likely its own antenna would have missed it as it did if it lay there still."""
    if track.home is None:
        return 0.0
    if miss is None:
        return 1.0
    if not miss.alone:
        return chances.shadow(miss.run, track.home.ear())
    rounds = track.home.rounds_since(miss.seen_ns)
    return min(1.0, chances.there(1, rounds, track.home.ear()) / chances.astray(1, rounds))


def _evidence(test: Test | None, rounds: int) -> tuple[int, int]:
    """Sightings and rounds since its own antenna showed it last."""
    return (0, rounds) if test is None else (test.alone, max(rounds, test.alone_rounds, test.alone))


def _between(test: Test | None, chance: float) -> float:
    """No more than even, where another place shows it as well."""
    return min(chance, BETWEEN) if test is not None and may_lie_between(test) else chance
