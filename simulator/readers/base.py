"""The other end of the wire: the same bytes, seen from the reader."""

from typing import Protocol


class VirtualReader(Protocol):
    def receive(self, data: bytes, at_ns: int) -> bytes:
        """Take bytes from the host; give the bytes that the reader sends at once."""

    def tick(self, at_ns: int) -> bytes:
        """What the reader sends by itself at `at_ns`: finished rounds, heartbeats."""

    def wake_at_ns(self) -> int | None:
        """When `tick` is due next; None: it only answers."""
