"""The interface of a driver: bytes and time in, events and bytes out. No I/O, no clock, no thread.

Time is monotonic nanoseconds of this boot, given by the port thread that read the bytes. A driver keeps what it needs
between calls and nothing else; the port calls `start` after every (re)connect, `receive` for every chunk that was read,
and `tick` at or after `wake_at_ns`.
"""

from typing import Protocol

from firmware_bridge.events import Out, PortSettings


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

    def flush(self, at_ns: int) -> Out:
        """End of input: give what is pending, with `complete=False`."""
