"""A toy table: things lie on antennas, a seeded radio reads them, a clock that tests turn by hand."""

import random
from collections.abc import Iterable

from controller.places import BOARD, MUCK, POT, Motion, Place, Zone
from controller.registry.registry import DECK, Item, Registry
from controller.tracking.events import CountedIn, MotionChanged, MotionWithdrawn, TrackingEvent
from controller.tracking.layout import Antenna, Layout
from controller.tracking.tracker import Tracker
from firmware_bridge.events import ScanRound, Sighting

MS = 1_000_000
CYCLE_NS = 100 * MS  # every antenna once


def tray(seat: int) -> Place:
    return Place(Zone.TRAY, seat)


def spot(seat: int) -> Place:
    return Place(Zone.SPOT, seat)


def hole(seat: int) -> Place:
    return Place(Zone.HOLE, seat)


def held(seat: int) -> Place:
    return Place(Zone.IN_HAND, seat)


def chip(seat: int, number: int) -> str:
    return f"s{seat}-{number:02d}"


class Table:
    """Seats with chips, antennas in three readers (seats, middle, cards), and what the tracker said."""

    def __init__(
        self,
        seats: int = 2,
        chips: int = 10,
        without: Iterable[Zone] = (),
        miss: float = 0.0,
        stray: float = 0.0,
        burst: float = 1.0,
        seed: int = 1,
        **settings: int,
    ) -> None:
        self.random = random.Random(seed)
        self.miss, self.stray, self.burst = miss, stray, burst
        self.ns = 0
        self.said: list[TrackingEvent] = []
        self.where: dict[str, Place] = {}
        self.dbm: dict[tuple[str, Place], int] = {}  # strength at a place, also where a thing does not lie
        self.dead: set[str] = set()  # readers that say nothing
        self.shadowed: set[str] = set()
        self.without = set(without)
        self.layout = Layout(self._antennas(seats), **settings)
        self.registry = Registry(self._items(seats, chips))
        self.tracker = Tracker(self.registry, self.layout)
        self.tags = {item.name: item.tag for item in self.registry.items.values()}
        self.neighbours = self._neighbours()

    def _antennas(self, seats: int) -> tuple[Antenna, ...]:
        places = [place(seat) for seat in range(1, seats + 1) for place in (tray, spot)]
        places += [POT, *(hole(seat) for seat in range(1, seats + 1)), BOARD, MUCK]
        kept = [place for place in places if place.zone not in self.without]
        reader = {Zone.TRAY: "seats", Zone.SPOT: "seats", Zone.POT: "middle"}
        return tuple(Antenna(reader.get(p.zone, "cards"), n, p) for n, p in enumerate(kept, 1))

    def _items(self, seats: int, chips: int) -> list[Item]:
        items = [Item(card, f"04CA{n:010X}", "card", 0, "red") for n, card in enumerate(DECK)]
        items.append(Item("button", "04B00000000000", "button"))
        for seat in range(1, seats + 1):
            for number in range(chips):
                name = chip(seat, number)
                items.append(Item(name, f"04{seat:02X}{number:010X}", "chip", 100))
                self.where[name] = tray(seat) if Zone.TRAY not in self.without else held(seat)
        return items

    def _neighbours(self) -> dict[Place, list[Place]]:
        places = [antenna.place for antenna in self.layout.antennas]
        return {one: [two for two in places[max(0, i - 2) : i + 3] if two != one] for i, one in enumerate(places)}

    # ------------------------------------------------------------ acts

    def move(self, names: Iterable[str], place: Place) -> None:
        self.where.update(dict.fromkeys(names, place))

    def push(self, seat: int, *numbers: int) -> list[str]:
        names = [chip(seat, number) for number in numbers]
        self.move(names, spot(seat))
        return names

    # ------------------------------------------------------------ the radio

    def shown(self, antenna: Antenna) -> tuple[Sighting, ...]:
        place = antenna.place
        near = self.neighbours[place]
        found = []
        for name, lies in self.where.items():
            if (name, place) in self.dbm:
                read = True
            elif lies == place:
                read = not self._missed(name)
            else:
                read = self.stray > 0 and lies in near and self.random.random() < self.stray
            if read:
                found.append(Sighting(self.tags.get(name, name), self.dbm.get((name, place))))
        return tuple(found)

    def _missed(self, name: str) -> bool:
        """Independent misses or, by Gilbert's model, in bursts of mean length `burst`; `miss` of all in the long run."""
        if self.burst <= 1 or not self.miss:
            return self.random.random() < self.miss
        leave = 1 / self.burst
        enter = leave * self.miss / (1 - self.miss)
        if self.random.random() < (1 - leave if name in self.shadowed else enter):
            self.shadowed.add(name)
        else:
            self.shadowed.discard(name)
        return name in self.shadowed

    def scan(self, place: Place, *, complete: bool = True, ms: int = 3) -> list[TrackingEvent]:
        """One round of one antenna now."""
        return self.scan_antenna(next(a for a in self.layout.antennas if a.place == place), complete, ms)

    def scan_antenna(self, antenna: Antenna, complete: bool, ms: int) -> list[TrackingEvent]:
        began, self.ns = self.ns, self.ns + ms * MS
        if antenna.reader in self.dead:
            return []
        event = ScanRound(antenna.reader, antenna.number, began, self.ns, complete, self.shown(antenna))
        return self._keep(self.tracker.take(event))

    def run(self, cycles: int, *, incomplete: Iterable[Place] = ()) -> list[TrackingEvent]:
        """Whole cycles: every antenna one round."""
        said: list[TrackingEvent] = []
        for _ in range(cycles):
            start = self.ns
            for antenna in self.layout.antennas:
                said += self.scan_antenna(antenna, antenna.place not in incomplete, 2)
            self.ns = max(self.ns, start + CYCLE_NS)
            said += self._keep(self.tracker.tick(self.ns))
        return said

    def run_until_quiet(self, most: int = 400) -> list[TrackingEvent]:
        """Until no motion is open for a while."""
        said: list[TrackingEvent] = []
        still = 0
        for _ in range(most):
            said += self.run(1)
            still = 0 if self.tracker.open_motions() or self.tracker.wanted() else still + 1
            if still == 10:
                return said
        raise AssertionError(f"still open: {self.tracker.open_motions()}")

    def count_in(self) -> "Table":
        for _ in range(320):
            if any(isinstance(event, CountedIn) for event in self.run(1)):
                return self
        raise AssertionError("never counted in")

    def _keep(self, events: list[TrackingEvent]) -> list[TrackingEvent]:
        self.said += events
        return events


def motions(events: Iterable[TrackingEvent]) -> list[Motion]:
    return [event.motion for event in events if isinstance(event, MotionChanged)]


def settled(events: Iterable[TrackingEvent]) -> list[Motion]:
    return [motion for motion in motions(events) if motion.settled]


def withdrawn(events: Iterable[TrackingEvent]) -> list[int]:
    return [event.number for event in events if isinstance(event, MotionWithdrawn)]


def moves(motion: Motion) -> set[tuple[str, Place, Place]]:
    return {(move.item, move.origin, move.target) for move in motion.moves}
