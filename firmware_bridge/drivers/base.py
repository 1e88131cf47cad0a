"""The interface of a driver: bytes and time in, events and bytes out. No I/O, no clock, no thread.

Time is monotonic nanoseconds of this boot, given by the port thread that read the bytes. A driver keeps what it needs
between calls and nothing else; the port calls `start` after every (re)connect, `receive` for every chunk that was read,
and `tick` at or after `wake_at_ns`.

Most drivers are built on `Dialogue` (the reader is asked, then it answers) or `Timed` (it speaks by itself).
"""

from typing import Protocol, TypeVar

from firmware_bridge.events import Out, PortSettings, ReaderEvent, ReaderFault, Wanted
from firmware_bridge.wire.rejected import Rejected

F = TypeVar("F")


class Driver(Protocol):
    settings: PortSettings

    def start(self, at_ns: int) -> Out:
        """Forget what was pending and set the reader up; also called after every reconnect."""

    def receive(self, data: bytes, at_ns: int) -> Out:
        """Take one chunk as it was read at `at_ns`; a chunk may hold half a frame, or many."""

    def tick(self, at_ns: int) -> Out:
        """Time-outs and polls that are due at `at_ns`; calling it too early does nothing."""

    def wake_at_ns(self) -> int | None:
        """When `tick` is due next; None: only bytes matter."""

    def focus(self, antennas: tuple[int, ...]) -> None:
        """Scan these first, in turn; () scans all alike. Takes effect with the next poll."""

    def ask(self, wanted: Wanted) -> None:
        """Ask for these tags by address, again and again until something else is wanted; {} ends it.

        Nothing changes where the reader cannot.
        """

    def flush(self, at_ns: int) -> Out:
        """End of input: give what is pending, with `complete=False`."""


class Cutter(Protocol[F]):
    """Frames or lines out of a stream: a `Scanner`, or a cutter of the family's own."""

    def feed(self, data: bytes, at_ns: int) -> list[F | Rejected]: ...
    def expire(self, at_ns: int) -> list[F | Rejected]: ...
    def finish(self) -> list[F | Rejected]: ...
    def stale_at_ns(self) -> int | None: ...


class Outgoing:
    """What one call of a driver has to tell and to write, until the call is over."""

    def __init__(self, reader: str, settings: PortSettings) -> None:
        self.settings = settings
        self._reader = reader
        self._events: list[ReaderEvent] = []
        self._send: list[bytes] = []

    def ask(self, wanted: Wanted) -> None:
        """Most readers only tell whole rounds."""

    def _fault(self, at_ns: int, code: str, meaning: str) -> None:
        self._events.append(ReaderFault(self._reader, at_ns, code, meaning))

    def _out(self) -> Out:
        if not self._events and not self._send:
            return _NOTHING
        out = Out(tuple(self._events), tuple(self._send))
        self._events, self._send = [], []
        return out


_NOTHING = Out()
