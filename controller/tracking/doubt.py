"""What could still belong to an open motion: chips half seen at its target, and chips that left its sources unseen.

A chip that was taken back after the motion had lain quietly (it should have been ruled on long before) is named and
holds nothing up: whether it counts is for a person to say. A chip of a source is no doubt when a complete round that
began after the motion's last arrival showed it there, or when it was gone for `hold_ms` before the motion began (held
before the push: it blocks nothing) and for more rounds than a shadow lasts on that antenna, as far as was measured. In
front of a seat the doubt stays until the chip is seen or somebody settles the motion; elsewhere nothing binding depends
on it, and it ends after `hold_ms`.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from controller.places import POT, Motion, Moved, Place, Zone
from controller.tracking.evidence import ABSENT_RUN, Field, Test, Track, may_come, shadow_rounds
from controller.tracking.layout import Layout
from controller.tracking.presence import SEVERAL, Presence

STILL_THERE = 2  # complete rounds of the tray: one may be a stray reading
Key = tuple[str, Place | None]


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

    def motion(self, doubtful: tuple[str, ...], *, settled: bool) -> Motion:
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
        self._held: dict[int | None, dict[str, Track]] = {}  # by seat: chips whose tray stopped showing them

    def left_tray(self, track: Track) -> None:
        self._held.setdefault(track.place.seat, {})[track.tag] = track

    def candidates(self, place: Place) -> bool:
        return any(field.tests for field in self._fields.get(place, ()))

    def tests(self, place: Place) -> Iterator[Test]:
        return (test for field in self._fields.get(place, ()) for test in field.tests.values())

    def undecided(self, flow: Flow, at_ns: int) -> bool:
        """Whether a chip is half decided to belong to it; one that stays so longer than a hold is only named."""
        return any(may_come(test) and at_ns - test.first_ns < self.hold_ns for test in self._tests(flow))

    def watched(self, flow: Flow) -> bool:
        """Whether the antennas of the seat that bets are heard: behind one that is silent anything may lie."""
        own, _ = self._sources(flow)
        return all(field.live for field in own)

    def watched_ns(self, flow: Flow, at_ns: int) -> int:
        """Up to when it is known that nothing came: in front of a seat, the end of the spot's last complete round."""
        what, place = flow.key
        if what != "front" or place is None:
            return at_ns
        watched = {place, *(move.target for move in flow.moves.values() if move.target.zone is Zone.POT)}
        return min((field.ended_ns for field in self._all(watched)), default=at_ns)

    def of(self, flow: Flow, at_ns: int) -> Doubt:
        names = set(flow.taken)
        blocks = False
        for test in self._tests(flow):
            blocks = blocks or may_come(test)
            if test.score:
                names.add(test.track.name)
        own, others = self._sources(flow)
        for field in own:
            blocks |= self._unseen(field, flow, names)
        blocks |= self._in_hand(flow, names)
        names.update(self._lay_there(flow))
        blocks |= self._shown_and_lost(flow, at_ns, names)
        if at_ns < flow.last_ns + self.hold_ns:
            for field in others:
                blocks |= self._unseen(field, flow, names)
        return Doubt(blocks, tuple(sorted(names)))

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

    def _sources(self, flow: Flow) -> tuple[list[Field], list[Field]]:
        """Antennas of the seat that bets, and other antennas that its items came from."""
        mine = set() if flow.seat is None else {Place(Zone.SPOT, flow.seat), Place(Zone.TRAY, flow.seat)}
        rest = {move.origin for move in flow.moves.values()} - mine
        return self._all(mine), self._all(rest)

    def _all(self, places: Iterable[Place]) -> list[Field]:
        return [field for place in places for field in self._fields.get(place, ())]

    def _unseen(self, field: Field, flow: Flow, names: set[str]) -> bool:
        """Whether chips of this antenna may be among those that moved; those missed often enough are named.

        A chip that the spot showed behind the last arrival, but not when it had been quiet, may have been taken back.
        """
        blocks = not field.live or field.began_ns <= flow.last_ns
        for tag, miss in (*field.missing.items(), *field.returned.items()):
            track = self._tracks[tag]
            left_with = flow.first_ns - self.hold_ns <= miss.seen_ns <= flow.last_ns
            if flow.is_behind(tag):
                continue
            lately = field.place.zone is Zone.SPOT and miss.seen_ns < flow.last_ns + self._quiet_ns
            went = lately and miss.run >= SEVERAL
            before = field.place == Place(Zone.TRAY, flow.seat) and miss.seen_ns <= flow.last_ns
            shadowed = before and miss.run < shadow_rounds(field)
            if track.kind == "chip" and (left_with or went or shadowed or self._glimpsed(track, flow)):
                blocks = True
                if miss.run >= ABSENT_RUN:
                    names.add(track.name)
        return blocks

    def _in_hand(self, flow: Flow, names: set[str]) -> bool:
        """Chips that left the seat's tray within the motion and are held."""
        held = self._held.get(flow.seat)
        if flow.seat is None or not held:
            return False
        for tag in [tag for tag, track in held.items() if track.home is not None]:
            del held[tag]
        found = [track for track in held.values() if self._left_within(track, flow)]
        names.update(track.name for track in found)
        return bool(found)

    def _shown_and_lost(self, flow: Flow, at_ns: int, names: set[str]) -> bool:
        """Chips of no antenna that the spot showed with this motion: in shadow there, or cut out and taken back."""
        _, place = flow.key
        fields = self._fields.get(place, ()) if flow.seat is not None and place is not None else ()
        since_ns = max(flow.first_ns, at_ns) - self.hold_ns
        lost = [tag for field in fields for tag, seen_ns in field.lost.items() if seen_ns > since_ns]
        found = [track.name for tag in lost if (track := self._tracks[tag]).home is None]
        names.update(found)
        return bool(found)

    def _lay_there(self, flow: Flow) -> Iterator[str]:
        """Chips that lay with the push for as long as makes a push final, and were back before anything was decided."""
        _, place = flow.key
        fields = self._fields.get(place, ()) if flow.seat is not None and place is not None else ()
        visits = [visit for field in fields for visit in field.visits.items()]
        visits += [
            (tag, (test.first_ns, test.seen_ns))
            for field in fields
            for tag, test in field.tests.items()
            if test.hits > 1 and not test.score  # gone, and to be dropped with the spot's next round
        ]
        for tag, (first_ns, seen_ns) in visits:
            name, with_it = self._tracks[tag].name, first_ns >= flow.first_ns - self._quiet_ns
            if with_it and seen_ns - first_ns >= self._quiet_ns and name not in flow.moves:
                yield name

    def _left_within(self, track: Track, flow: Flow) -> bool:
        trays = (test for test in track.tests if test.target.place.zone is Zone.TRAY and test.hits > 1)  # no stray
        seen_ns = max((test.seen_ns for test in trays), default=0)
        left_with = flow.first_ns - self.hold_ns <= max(track.left_ns, seen_ns) <= flow.last_ns
        return not flow.is_behind(track.tag) and (left_with or self._glimpsed(track, flow))

    def _glimpsed(self, track: Track, flow: Flow) -> bool:
        """Whether spot or pot showed it for a moment, no earlier than the chips of the seat that bets could come.

        Also where its tray and the spot have shown it by turns, so that nothing is decided, and neither shows it now.
        """
        if flow.seat is None:
            return False
        since_ns = flow.first_ns - self.hold_ns
        front = (Place(Zone.SPOT, flow.seat), POT)
        return track.glimpsed_ns >= since_ns or any(
            test.seen_ns >= since_ns for test in track.tests if test.target.place in front
        )
