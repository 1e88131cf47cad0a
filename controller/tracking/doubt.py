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

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from controller.places import POT, Perhaps, Place, Zone
from controller.tracking import chances
from controller.tracking.evidence import (
    OUTLASTING,
    Field,
    Miss,
    Test,
    Track,
    may_come,
    shadow_rounds,
)
from controller.tracking.flow import Flow, Key
from controller.tracking.hypotheses import SEVERAL, is_credible, is_push, may_lie_between, wavered
from controller.tracking.layout import Layout
from controller.tracking.presence import Presence

ON_ITS_WAY = 0.02  # chance that a chip taken up with the push is of it, though nothing shows it
AMID_SHADOWS = 0.002  # a chip that its tray missed as if it were gone was taken up, though some shadow may last so long
GONE = 0.999999  # the same of one that was decided to be back since its motion settled
BACK = 0.98  # the same of a chip that its spot does not show any more, and its tray shows step after step
NAMED = 0.005  # whoever looks at the open motion is told of it
TOGETHER = 2  # chips of a push that are missed in the same round
SMALL = 0.00001  # below, a world is not spoken of at all
BETWEEN = 0.5  # chance that a chip which two places show is of this one
TIMES = 3  # that its tray and its spot showed it by turns: no strays; of fewer it is waited for more
LIKELY = 0.001  # less than this no motion waits for, and nobody is told of


class Doubt(NamedTuple):
    blocks: bool  # the motion cannot settle by itself now
    names: tuple[str, ...]  # items to name


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
        self._spots = [field for field in presence.fields if field.place.zone is Zone.SPOT]
        self._held: dict[int | None, dict[str, Track]] = {}  # by seat: chips that no antenna shows

    def vanished(self, track: Track) -> None:
        """No antenna shows this chip any more: it is with the seat that had it last."""
        self._held.setdefault(track.place.seat, {})[track.tag] = track

    def candidates(self, place: Place) -> bool:
        return any(test.score or test.latest for test in self.tests(place))

    def tests(self, place: Place) -> Iterator[Test]:
        return (test for field in self._fields.get(place, ()) for test in field.tests.values())

    def half_read(self, expected: Collection[int | None]) -> Iterator[tuple[Place, list[Test]]]:
        """By spot: chips that its player pushes, most likely, and that are not decided yet."""
        for field in self._spots:
            if field.tests and field.place.seat in expected:
                yield field.place, [t for t in field.tests.values() if is_credible(t) and is_push(t, expected)]

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
        found = {one.item: one for one in self._wavering(flow, place, at_ns)}
        for track in self._candidates(flow, place):
            one = self._unread(track, flow, place, at_ns)
            if one is None or (one.chance < SMALL and not one.coming):
                continue
            if one.item not in found or one.chance > found[one.item].chance:
                found[one.item] = one
        return [*found.values(), *self._pulled(flow, place, at_ns)]

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
            hits, rounds = _evidence(test, target.rounds_since(since_ns, track.tag))
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
        rounds = target.rounds_since(max(since_ns, flow.first_ns - self._quiet_ns), track.tag)
        chance = _between(test, chances.came(chances.Before(before, in_tray), *_evidence(test, rounds), target.ear()))
        if moving or taken_up:
            chance = max(chance, ON_ITS_WAY)
        coming = moving or taken_up
        if chance >= LIKELY and not coming:
            coming = in_tray >= OUTLASTING or chances.shadow(rounds, target.ear()) > target.ear().blind
        coming = coming and at_ns < flow.last_ns + self.hold_ns
        return Perhaps(track.name, track.place, target.place, chance, coming)

    def _wavering(self, flow: Flow, place: Place, at_ns: int) -> Iterator[Perhaps]:
        """Chips that its tray and its spot have shown by turns since the push began."""
        tray, since_ns = Place(Zone.TRAY, place.seat), flow.first_ns - self._quiet_ns
        for field in self._all([place]):
            for track in field.wavering.values():
                times = wavered(track, field, since_ns)
                if times and track.place == tray and track.name not in flow.moves:
                    chance = BETWEEN if times >= TIMES else LIKELY
                    yield Perhaps(track.name, tray, place, chance, at_ns < flow.last_ns + self.hold_ns)

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
        hand, tray = Place(Zone.IN_HAND, place.seat), Place(Zone.TRAY, place.seat)
        back: set[str] = set()
        for track in flow.tracks.values():
            chance = self._is_back(track, flow, tray)
            if chance and flow.moves[track.name].target in (place, POT):
                back.add(track.name)
                yield Perhaps(track.name, place, hand, chance, at_ns < flow.last_ns + self.hold_ns)
        for field in self._all([place]):
            for tag, miss in (*field.missing.items(), *field.returned.items()):
                track = self._tracks[tag]
                if track.name in back:
                    continue
                run = field.rounds_since(miss.seen_ns, tag) - 1 if miss.alone else miss.run + miss.asked
                went = run >= SEVERAL and miss.seen_ns < flow.last_ns + self._quiet_ns
                elsewhere = {test.target.place for test in track.tests if test.score or test.latest} - {tray}
                if track.kind == "chip" and not elsewhere and (miss.seen_ns <= flow.last_ns or went):
                    chance = max(self._is_back(track, flow, tray), chances.went(run, field.ear()))
                    coming = run < shadow_rounds(field) or chance >= LIKELY
                    yield Perhaps(track.name, place, hand, chance, coming and at_ns < flow.last_ns + self.hold_ns)

    def _is_back(self, track: Track, flow: Flow, tray: Place) -> float:
        """How likely a chip of the spot was taken back before it had been quiet, by what its tray shows."""
        if track.place in (tray, Place(Zone.IN_HAND, tray.seat)):
            return GONE if track.left_ns < flow.last_ns + self._quiet_ns else 0.0
        tests = [test for test in track.tests if test.target.place == tray and test.score >= test.limit // 2]
        tests = [test for test in tests if test.first_ns < flow.last_ns + 2 * self._quiet_ns]
        if not tests:
            return 0.0
        both = any(test.alone < test.shown or test.both for test in tests)  # its spot showed it again meanwhile
        return BETWEEN if both else BACK

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
        """Whether chips of it went and are on their way back: in no shadow yet, or shown elsewhere."""
        own = self._own(flow)
        fields = own[:1]
        missed = [(f, m, self._tracks[tag]) for f in fields for tag, m in (*f.missing.items(), *f.returned.items())]
        gone = [one for one in missed if one[2].name in flow.moves]
        if len(gone) >= TOGETHER or len(own) == 1:  # without a tray nothing would show it elsewhere
            return len(gone) >= TOGETHER
        return any(
            miss.run + miss.asked <= max(SEVERAL, shadow_rounds(field))
            or any(test.score or test.latest for test in track.tests)
            for field, miss, track in gone
        )

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
        return chances.shadow(miss.run + miss.asked, track.home.ear())
    rounds = track.home.rounds_since(miss.seen_ns, track.tag)
    return min(1.0, chances.there(1, rounds, track.home.ear()) / chances.astray(1, rounds))


def _evidence(test: Test | None, rounds: int) -> tuple[int, int]:
    """Sightings and rounds since its own antenna showed it last."""
    return (0, rounds) if test is None else (test.alone, max(rounds, test.alone_rounds, test.alone))


def _between(test: Test | None, chance: float) -> float:
    """No more than even, where another place shows it as well."""
    return min(chance, BETWEEN) if test is not None and may_lie_between(test) else chance
