"""Moves that belong together: one push, one sweep, one payout. Open until nothing is undecided and it is quiet.

A motion holds net moves: from where the core knows an item to lie, to where it was decided to lie now. A chip that
goes back leaves its motion, so chips cut out and taken back never count; a motion without moves is withdrawn. A chip
that goes on to a third place closes the motion it was in first, so no push is lost under a quick sweep.

Which moves make one motion:

* *front* of a seat: all that comes to its spot, or from its tray or hand to the pot (splashed), and what goes from its
  spot back to its tray; with a pot antenna also what left the spot for a hand. So prior chips pulled back are seen
  together with the push (TDA 46), and chips thrown half on the spot and half into the pot are one push.
* *gone* of a seat: what left its spot and is nowhere, at a table without pot antenna: a sweep, or a hand.
* *sweep*: from any spot to the pot.
* any other: one motion per target place. Between a tray and its seat's hand: a fact, settled at once.

What it knows of doubt is in `doubt.py`.
"""

from collections.abc import Collection, Iterable, Mapping

from msgspec.structs import replace

from controller.places import BANK, Motion, Moved, Perhaps, Place, Zone
from controller.tracking.doubt import Doubt, Doubts
from controller.tracking.events import MotionChanged, MotionWithdrawn, TrackingEvent
from controller.tracking.evidence import Decided, Field
from controller.tracking.flow import Flow, Key
from controller.tracking.layout import Layout
from controller.tracking.presence import Presence
from controller.tracking.trips import Trips
from firmware_bridge.events import ScanRound


class Motions:
    """All open motions of a table. `decided` takes facts, `review` gives what is to be told."""

    def __init__(self, presence: Presence, layout: Layout) -> None:
        self._pot = layout.has(Zone.POT)
        self._quiet_ns = layout.quiet_ms * 1_000_000
        self._known: dict[str, Place] = {}  # where the core knows each chip; not listed: in the bank
        self._open: dict[Key, Flow] = {}
        self._flow_of: dict[str, Flow] = {}
        self._settled: dict[int, Flow] = {}  # motions that were told with chips that may belong to them
        self._facts: list[tuple[int, Moved]] = []
        self._trips: dict[int, Trips] = {}
        self._doubts = Doubts(presence, layout, self._key_to)
        self._number = 0
        self._out: list[TrackingEvent] = []

    def know(self, name: str, place: Place) -> None:
        """A fact that needs no motion: counting in, or the journal."""
        self._known[name] = place

    def decided(self, decided: Decided, at_ns: int) -> None:
        """A chip was decided to lie elsewhere than before."""
        track = decided.track
        name, place = track.name, track.place
        if decided.was_gone:
            self._doubts.vanished(track)
        flow = self._flow_of.get(name)
        if flow is not None and _goes_on(flow.moves[name], place):
            self._close(flow, at_ns)
        elif flow is not None:
            del self._flow_of[name]
            flow.take_back(name, decided.first_ns if decided.left_ns is None else decided.left_ns, at_ns)
        origin = self._known.get(name, BANK)
        if place == origin:
            return
        move = Moved(name, origin, place)
        if _is_fact(origin, place):
            self._known[name] = place
            self._facts.append((decided.first_ns, move))
        else:
            self._join(self._flow_for(track.tag, self._key(origin, place), at_ns), move, decided)

    def tray_round(self, field: Field, scan: ScanRound, seen: set[str]) -> None:
        """One complete round of a tray: evidence of second trips, while something happens on its seat's spot."""
        seat = field.place.seat
        if seat is None:
            return
        flow = self._open.get(("front", Place(Zone.SPOT, seat)))
        if flow is not None and flow.ended_ns is not None and scan.began_ns > flow.ended_ns:
            flow.tray_round(seen & field.expected)  # what came back from the spot is no chip of the next push
        if ("front", Place(Zone.SPOT, seat)) in self._open or self._doubts.candidates(Place(Zone.SPOT, seat)):
            self._trips.setdefault(seat, Trips()).round(scan.began_ns, scan.ended_ns, seen)
        else:
            self._trips.pop(seat, None)

    def review(self, at_ns: int) -> list[TrackingEvent]:
        """What changed: facts, motions that changed, came to nothing, or settled."""
        for flow in tuple(self._open.values()):
            if not flow.moves:
                self._withdraw(flow, at_ns)
                continue
            doubt = self._doubts.of(flow, at_ns)
            if self._is_over(flow, doubt, at_ns):
                self._close(flow, at_ns)
            else:
                self._tell(flow, flow.motion(doubt.names, settled=False), at_ns)
        if self._facts:
            self._tell_facts(at_ns)
        out, self._out = self._out, []
        return out

    def _is_over(self, flow: Flow, doubt: Doubt, at_ns: int) -> bool:
        """Quiet for long enough, or somebody acted behind it, and nothing is due that tells more of it.

        A silent antenna of that seat is waited for until it is heard again, or a person settles the motion; all else
        no longer than `hold_ms`.
        """
        quiet = flow.ended_ns is not None or self._doubts.watched_ns(flow, at_ns) >= flow.last_ns + flow.quiet_ns
        held_long = at_ns >= flow.last_ns + self._doubts.hold_ns and not self._doubts.undecided(flow, at_ns)
        return quiet and (not doubt.blocks or (held_long and self._doubts.watched(flow)))

    def end(self, number: int, at_ns: int) -> list[TrackingEvent]:
        """The next player or the dealer acted: an open motion ends as soon as nothing of it is undecided."""
        for flow in self._open.values():
            if flow.number == number and flow.ended_ns is None:
                flow.ended_ns = at_ns
        return self.review(at_ns)

    def perhaps(self, number: int, at_ns: int) -> tuple[Perhaps, ...]:
        """What may still belong to a motion that is settled, by what was read until now."""
        flow = self._settled.get(number)
        return () if flow is None else tuple(self._doubts.perhaps(flow, at_ns))

    def forget(self, number: int) -> None:
        """A settled motion was ruled on."""
        self._settled.pop(number, None)

    def forget_all_but(self, numbers: Collection[int]) -> None:
        """Only these settled motions may still be asked about."""
        self._settled = {number: flow for number, flow in self._settled.items() if number in numbers}

    def unseen(self, seat: int, at_ns: int) -> tuple[Perhaps, ...]:
        """Chips of a seat that may lie before it unread, though no motion brought them."""
        return self._doubts.unseen(Place(Zone.SPOT, seat), at_ns)

    def settle(self, number: int, at_ns: int) -> list[TrackingEvent]:
        """A person closes an open motion now; nothing while a chip of it is undecided."""
        flow = next((flow for flow in self._open.values() if flow.number == number), None)
        if flow is None or not flow.moves or self._doubts.undecided(flow, at_ns):
            return []
        self._close(flow, at_ns)
        return self.review(at_ns)

    def open_motions(self, at_ns: int) -> tuple[Motion, ...]:
        flows = (flow for flow in self._open.values() if flow.moves)
        return tuple(flow.motion(self._doubts.of(flow, at_ns).names, settled=False) for flow in flows)

    def coming(self, expected: Collection[int | None]) -> tuple[Motion, ...]:
        """Pushes of seats that may push now, with what is half read of them; none that is all decided."""
        found = []
        for place, tests in self._doubts.half_read(expected):
            flow = self._open.get(("front", place))
            half = {test.track.name: test.born_ns for test in tests if test.track.name not in self._flow_of}
            if half:
                found.append(self._as_it_looks(flow, place, half))
        return tuple(found)

    def _as_it_looks(self, flow: Flow | None, place: Place, half: Mapping[str, int]) -> Motion:
        names = tuple(sorted(half))
        moves = tuple(Moved(name, self._known.get(name, BANK), place) for name in names)
        if flow is None or not flow.moves:
            return Motion(0, moves, min(half.values()), max(half.values()), False, names, settled=False)
        told = flow.motion((), settled=False)
        return replace(told, moves=(*told.moves, *moves), doubtful=names)

    def seats(self) -> Iterable[int]:
        """Seats in front of which something is open."""
        return [place.seat for what, place in self._open if what in ("front", "gone") and place and place.seat]

    def wake_at_ns(self, now_ns: int) -> int | None:
        hold_ns = self._doubts.hold_ns
        waits = (at for f in self._open.values() for w in (f.quiet_ns, hold_ns) if (at := f.last_ns + w) > now_ns)
        return min(waits, default=None)

    # ------------------------------------------------------------ moves

    def _key_to(self, name: str, place: Place) -> Key:
        return self._key(self._known.get(name, BANK), place)

    def _key(self, origin: Place, target: Place) -> Key:
        """Which motion a move belongs to."""
        if target.zone is Zone.SPOT:
            return "front", target
        if target.zone is Zone.POT and origin.zone is Zone.SPOT:
            return "sweep", None
        if target.zone is Zone.POT and origin.zone in (Zone.TRAY, Zone.IN_HAND) and origin.seat is not None:
            return "front", Place(Zone.SPOT, origin.seat)
        if origin.zone is Zone.SPOT and target.zone is Zone.IN_HAND:
            return ("front" if self._pot else "gone"), origin
        if origin.zone is Zone.SPOT and target == Place(Zone.TRAY, origin.seat):
            return "front", origin
        return "to", target

    def _flow(self, key: Key) -> Flow:
        flow = self._open.get(key)
        if flow is None:
            flow = self._open[key] = Flow(self._next_number(), key, self._quiet_ns)
        return flow

    def _flow_for(self, tag: str, key: Key, at_ns: int) -> Flow:
        """The open motion that a chip joins; one behind which somebody acted takes no chip of the next push."""
        flow = self._flow(key)
        if flow.is_behind(tag) and flow.moves:
            self._close(flow, at_ns)
            flow = self._flow(key)
        return flow

    def _join(self, flow: Flow, move: Moved, decided: Decided) -> None:
        self._flow_of[move.item] = flow
        flow.add(move, decided)
        seat = move.target.seat
        if move.target.zone is not Zone.SPOT or seat is None:
            return
        trips = self._trips.get(seat)
        if trips is not None:
            trips.open(decided.first_ns)
            if move.origin.seat == seat and trips.later(decided.track.tag, decided.first_ns):
                flow.later.add(move.item)

    # ------------------------------------------------------------ ends

    def _close(self, flow: Flow, at_ns: int) -> None:
        """Settled: what may belong to it goes with it; a half decided chip of a second trip is of the next push."""
        next_push = self._of_the_next(flow)
        perhaps = tuple(one for one in self._doubts.perhaps(flow, at_ns) if one.item not in next_push)
        open_ = {one.item for one in perhaps}
        doubtful = tuple(name for name in self._doubts.of(flow, at_ns).names if name not in {*next_push, *open_})
        self._out.append(MotionChanged(at_ns, flow.motion(doubtful, perhaps, settled=True)))
        if perhaps:
            self._settled[flow.number] = flow
        for name, move in flow.moves.items():
            self._known[name] = move.target
            del self._flow_of[name]
        self._end(flow)

    def _of_the_next(self, flow: Flow) -> set[str]:
        """Half decided chips of a second trip to the tray: no doubt of a push behind which somebody acted."""
        trips = self._trips.get(flow.seat) if flow.ended_ns is not None and flow.seat is not None else None
        if trips is None:
            return set()
        tests = self._doubts.tests(Place(Zone.SPOT, flow.seat))
        return {test.track.name for test in tests if trips.later(test.track.tag, test.first_ns)}

    def _withdraw(self, flow: Flow, at_ns: int) -> None:
        if flow.told is not None:
            self._out.append(MotionWithdrawn(at_ns, flow.number))
        self._end(flow)

    def _end(self, flow: Flow) -> None:
        del self._open[flow.key]
        what, place = flow.key
        if what == "front" and place is not None and place.seat is not None:
            self._trips.pop(place.seat, None)

    def _tell(self, flow: Flow, motion: Motion, at_ns: int) -> None:
        if motion != flow.told:
            flow.told = motion
            self._out.append(MotionChanged(at_ns, motion))

    def _tell_facts(self, at_ns: int) -> None:
        by_seat: dict[int | None, list[tuple[int, Moved]]] = {}
        for first_ns, move in self._facts:
            by_seat.setdefault(move.target.seat, []).append((first_ns, move))
        self._facts.clear()
        for facts in by_seat.values():
            times = [first_ns for first_ns, _ in facts]
            moves = tuple(move for _, move in facts)
            motion = Motion(self._next_number(), moves, min(times), max(times), False, (), settled=True)
            self._out.append(MotionChanged(at_ns, motion))

    def _next_number(self) -> int:
        self._number += 1
        return self._number


def _is_fact(origin: Place, target: Place) -> bool:
    return origin.seat == target.seat and {origin.zone, target.zone} == {Zone.TRAY, Zone.IN_HAND}


def _goes_on(move: Moved, place: Place) -> bool:
    """Whether a chip of an open motion went on to a third place: somebody took that motion as done."""
    if place == move.origin or move.target.zone is Zone.IN_HAND:
        return False
    back = move.target.zone is Zone.SPOT and place.seat == move.target.seat and place.zone in (Zone.TRAY, Zone.IN_HAND)
    return not back
