"""Drivers that are given again what they were given: bytes, time-outs, focus and questions of a recording."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from controller.core import build
from controller.recording.file import Header, Line
from firmware_bridge.bridge import ReaderSetup
from firmware_bridge.drivers import catalog
from firmware_bridge.drivers.base import Driver
from firmware_bridge.events import Out, ReaderEvent, ReaderFault, ReaderLost, ScanRound

GAP = None  # here the port itself may have told something: a loss, or that its driver failed
MOST_TICKS = 10_000  # between two lines without recorded times: more means a driver that is due for ever

Found = ReaderEvent | None


class RecordedPort:
    """One port of a recording. `exact`: the driver's calls were recorded, so its timers are not worked out here."""

    def __init__(self, driver: Driver, *, exact: bool) -> None:
        self._driver, self._exact = driver, exact
        self._started = False
        self._last_ns = 0
        self._sent: deque[bytes] = deque()  # by the driver now, not yet compared

    def take(self, line: Line) -> list[Found]:
        """Events that follow from one line, and GAP where the port had its say."""
        self._last_ns = line.t
        try:
            return list(self._given(line))
        except Exception:  # a driver that failed was recorded as a fault of its port, and is started again
            self._sent.clear()
            return [GAP]

    def end(self) -> list[Found]:
        """What is pending when the recording ends with the line still open: rounds that are not over."""
        return list(self._driver.flush(self._last_ns).events) if self._started else []

    def differs(self, line: Line) -> tuple[str, str] | None:
        """What was sent and what is sent now, in hex, where a tx line is not as the driver has it."""
        if not self._exact or line.tx is None:
            return None
        now = self._sent.popleft().hex() if self._sent else "nothing"
        return None if now == line.tx.lower() else (line.tx, now)

    def _given(self, line: Line) -> Iterator[Found]:
        if not self._exact:
            yield from self._let_pass(line.t)
        match line:
            case Line(rx=str(data)):
                yield from self._out(self._driver.receive(bytes.fromhex(data), line.t))
            case Line(focus=tuple(antennas)):
                self._driver.focus(antennas)
            case Line(ask=dict(wanted)):
                self._driver.ask(wanted)
            case Line(call="start"):
                yield from self._start(line.t)
            case Line(call="tick"):
                yield from self._out(self._driver.tick(line.t))
            case Line(call="end"):
                self._started = False
                self._sent.clear()
                yield from self._driver.flush(line.t).events
                yield GAP

    def _let_pass(self, to_ns: int) -> Iterator[Found]:
        """Timers of the driver, where nobody recorded them."""
        if not self._started:
            yield from self._start(to_ns)
        for _ in range(MOST_TICKS):
            due_ns = self._driver.wake_at_ns()
            if due_ns is None or due_ns > to_ns:
                return
            yield from self._out(self._driver.tick(due_ns))

    def _start(self, at_ns: int) -> Iterator[Found]:
        self._started = True
        self._sent.clear()
        yield from self._out(self._driver.start(at_ns))

    def _out(self, out: Out) -> Iterator[Found]:
        self._sent += out.send
        yield from out.events


class Heard:
    """What a port's driver says now, waiting to be matched with what the port said when it was recorded."""

    def __init__(self) -> None:
        self._waiting: deque[Found] = deque([GAP])  # a port that cannot be opened speaks before its driver does

    def add(self, found: Iterable[Found]) -> None:
        for event in found:
            if event is not GAP or not self._waiting or self._waiting[-1] is not GAP:
                self._waiting.append(event)

    def first(self) -> ReaderEvent | None:
        return next((event for event in self._waiting if event is not GAP), None)

    def matches(self, recorded: ReaderEvent) -> bool:
        """Whether the driver says the same now, or the port said it alone; then it is taken off."""
        waiting = self._waiting
        if waiting and waiting[0] is GAP:
            alone = by_port(recorded) and not (len(waiting) > 1 and waiting[1] == recorded)
            if alone:
                return True
            waiting.popleft()
        if waiting and waiting[0] == recorded:
            waiting.popleft()
            return True
        return False

    def due(self, to_ns: int) -> Iterator[ReaderEvent]:
        """Where the driver says something else now: all that it has said by then."""
        while self._waiting and ((event := self._waiting[0]) is GAP or time_of(event) <= to_ns):
            self._waiting.popleft()
            if event is not GAP:
                yield event


def by_port(event: ReaderEvent) -> bool:
    """Whether a port may say it, without its driver."""
    return isinstance(event, ReaderLost) or (isinstance(event, ReaderFault) and event.code == "driver")


def time_of(event: ReaderEvent) -> int:
    return event.ended_ns if isinstance(event, ScanRound) else event.at_ns


def setups(header: Header) -> dict[str, ReaderSetup]:
    """The readers of the recorded table, by port."""
    return {setup.id: setup for setup in build.readers(header.table)}


def port_of(
    setup: ReaderSetup, header: Header, driver: str | None = None, options: Mapping[str, str] | None = None
) -> RecordedPort:
    """A port with the driver that it had, or with another; options of the table count for its own driver alone."""
    name = driver or setup.driver
    known = setup.options if name == setup.driver else {}
    made = catalog.make(name, setup.id, setup.antennas, {**known, **(options or {})})
    return RecordedPort(made, exact="calls" in header.holds)
