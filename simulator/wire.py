"""Drivers and virtual readers joined in memory, in virtual time: real bytes, no port, no thread, no waiting.

Everything happens at the instant at which it is due, bytes arrive when they are sent, and the same calls give the same
events; so hundreds of hands run through real frames in seconds. `damage` stands for what a line does to bytes.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping

from firmware_bridge.bridge import by_reader, of_reader
from firmware_bridge.drivers.base import Driver
from firmware_bridge.events import Out, ReaderEvent, ReaderLost, Wanted
from simulator.field import Antenna
from simulator.readers.base import VirtualReader

MOST_TURNS = 10_000  # at one instant: more means that the two ends keep each other busy for ever
NEVER_NS = 1 << 62


class Wire:
    """One driver and one reader, connected at `at_ns`."""

    def __init__(
        self,
        driver: Driver,
        virtual: VirtualReader,
        reader: str = "reader",
        at_ns: int = 0,
        damage: Callable[[bytes], bytes] | None = None,
    ) -> None:
        self.driver, self.virtual, self.reader = driver, virtual, reader
        self.now_ns = at_ns
        self._damage = damage
        self._turns = 0  # so many at this instant
        self._plugged = False
        self._events: list[ReaderEvent] = []
        self._to_reader: deque[bytes] = deque()
        self.plug(at_ns)

    def plug(self, at_ns: int) -> None:
        """Connect: the driver sets its reader up, as after every reconnect. Events come with the next `advance`."""
        self.now_ns = max(self.now_ns, at_ns)
        self._plugged = True
        self._take(self.driver.start(self.now_ns))
        self._carry()

    def unplug(self, at_ns: int, why: str = "unplugged") -> list[ReaderEvent]:
        """Cut the cable, as a port would tell it: what was pending, then the loss. The reader goes on scanning."""
        events = self.advance(at_ns)
        self._plugged = False
        self._to_reader.clear()
        return [*events, *self.driver.flush(at_ns).events, ReaderLost(self.reader, at_ns, why)]

    def focus(self, antennas: tuple[int, ...]) -> None:
        self.driver.focus(antennas)

    def ask(self, wanted: Wanted) -> None:
        self.driver.ask(wanted)

    def due_ns(self) -> int:
        """When something happens next, NEVER_NS if nothing does; never before now."""
        wakes = (self.virtual.wake_at_ns(), self.driver.wake_at_ns() if self._plugged else None)
        return max(self.now_ns, min((wake for wake in wakes if wake is not None), default=NEVER_NS))

    def advance(self, to_ns: int) -> list[ReaderEvent]:
        """Everything that happens up to and at `to_ns`."""
        while (due_ns := self.due_ns()) <= to_ns:
            self.turn(due_ns)
        self.now_ns = max(self.now_ns, to_ns)
        return self.events()

    def turn(self, at_ns: int) -> None:
        """What is due at one instant: first the reader, then the driver."""
        self._turns = self._turns + 1 if at_ns == self.now_ns else 0
        assert self._turns < MOST_TURNS, f"{self.reader}: driver and reader keep each other busy at {at_ns} ns"
        self.now_ns = at_ns
        wake = self.virtual.wake_at_ns()
        if wake is not None and wake <= at_ns:
            self._to_host(self.virtual.tick(at_ns))
            self._carry()
        if self._plugged:
            wake = self.driver.wake_at_ns()
            if wake is not None and wake <= at_ns:
                self._take(self.driver.tick(at_ns))
                self._carry()

    def events(self) -> list[ReaderEvent]:
        """Events that happened since the last look."""
        events, self._events = self._events, []
        return events

    def _carry(self) -> None:
        while self._to_reader:
            self._to_host(self.virtual.receive(self._to_reader.popleft(), self.now_ns))

    def _to_host(self, data: bytes) -> None:
        if data and self._plugged:
            data = self._damage(data) if self._damage else data
            self._take(self.driver.receive(data, self.now_ns))

    def _take(self, out: Out) -> None:
        self._events += out.events
        self._to_reader += out.send


class Wires:
    """All readers of a table in one virtual time. `step` stops at the next events: focus and questions follow."""

    def __init__(self, wires: Iterable[Wire]) -> None:
        self.wires = {wire.reader: wire for wire in wires}
        self._due = {reader: wire.due_ns() for reader, wire in self.wires.items()}
        self._wanted: tuple[Antenna, ...] = ()
        self._focus: Mapping[str, tuple[int, ...]] = {}
        self._asked: Mapping[Antenna, tuple[str, ...]] = {}
        self.now_ns = max((wire.now_ns for wire in self.wires.values()), default=0)

    def focus(self, antennas: Iterable[Antenna]) -> None:
        """Scan these first; every reader without one of them scans all alike."""
        asked = tuple(antennas)
        if asked == self._wanted:
            return
        self._wanted, wanted = asked, by_reader(asked)
        for reader, wire in self.wires.items():
            if wanted.get(reader, ()) != self._focus.get(reader, ()):
                wire.focus(wanted.get(reader, ()))
                self._due[reader] = wire.due_ns()
        self._focus = wanted

    def ask(self, wanted: Mapping[Antenna, tuple[str, ...]]) -> None:
        """Ask for these tags by address, where a reader can; nothing else any more."""
        if wanted == self._asked:
            return
        before, self._asked = self._asked, dict(wanted)
        for reader, wire in self.wires.items():
            mine = of_reader(wanted, reader)
            if mine != of_reader(before, reader):
                wire.ask(mine)
                self._due[reader] = wire.due_ns()

    def advance(self, to_ns: int) -> list[ReaderEvent]:
        """Events of all readers up to and at `to_ns`, in the order in which they happened."""
        events: list[ReaderEvent] = []
        while self.now_ns < to_ns or (self._due and min(self._due.values()) <= to_ns):
            events += self.step(to_ns)
        return events

    def step(self, limit_ns: int) -> list[ReaderEvent]:
        """Events of the next instant that has any; [] when there are none up to `limit_ns`."""
        while self._due:
            reader = min(self._due, key=self._due.__getitem__)
            at_ns = self._due[reader]
            if at_ns > limit_ns:
                break
            wire = self.wires[reader]
            self.now_ns = max(self.now_ns, at_ns)
            wire.turn(self.now_ns)
            self._due[reader] = wire.due_ns()
            if events := wire.events():
                return events
        self.now_ns = max(self.now_ns, limit_ns)
        return []
