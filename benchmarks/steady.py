"""A microcontroller that sends the rounds of all its antennas ten times a second, whatever lies on them.

The virtual reader of the simulator is as slow as its radio: a tray of 60 chips gives it two rounds a second. This one
is as fast as the largest table that was promised, and its beat is known to the millisecond, so that whoever moves a
chip knows which round will decide it.
"""

from collections.abc import Callable

from firmware_bridge.events import Sighting
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.tablelink import AntennaLimit, Cutter, Frame, Heartbeat, Hello, Snapshot, Start, pack
from simulator.radio import Radio

MS = 1_000_000
BEAT_MS = 100
BOOT_ID = 0xBEA7
HEARTBEAT_BEATS = 10


class Steady:
    """`offset_ms`: where in a beat its rounds end; `sent`: told the time of each write of rounds."""

    def __init__(self, reader: str, radio: Radio, offset_ms: int = 0, sent: Callable[[], None] = lambda: None) -> None:
        self._reader, self._radio, self._sent = reader, radio, sent
        self._offset_ns = offset_ms * MS
        self._numbers = radio.field.numbers(reader)
        self._cutter = Cutter()
        self._sequence = self._beats = 0
        self._heard = 0xFF
        self._due_ns: int | None = None

    def wake_at_ns(self) -> int | None:
        return self._due_ns

    def receive(self, data: bytes, at_ns: int) -> bytes:
        """Says hello to whoever starts it; from then on it beats. A focus is heard and changes nothing."""
        out = b""
        for item in self._cutter.feed(data):
            if not isinstance(item, Rejected):
                self._heard = item[0]
                if isinstance(item[1], Start):
                    self._due_ns = self._due_ns or at_ns + BEAT_MS * MS + self._offset_ns
                    out += self._say(self._hello())
        return out

    def tick(self, at_ns: int) -> bytes:
        if self._due_ns is None or at_ns < self._due_ns:
            return b""
        self._due_ns += BEAT_MS * MS
        out = b"".join(self._say(self._round(number)) for number in self._numbers)
        self._beats += 1
        if self._beats % HEARTBEAT_BEATS == 0:
            out += self._say(Heartbeat(BOOT_ID, self._heard, 0))
        self._sent()
        return out

    def _hello(self) -> Hello:
        return Hello(BOOT_ID, BEAT_MS * HEARTBEAT_BEATS, tuple(AntennaLimit(n, 255) for n in self._numbers), "steady 1")

    def _round(self, number: int) -> Snapshot:
        antenna = (self._reader, number)
        heard = self._radio.scan(antenna, self._radio.field.on(antenna))
        seen = tuple(Sighting(tag) for tag in heard.own + heard.stray)
        return Snapshot(number, self._beats, 0, BEAT_MS, complete=True, sightings=seen)

    def _say(self, frame: Frame) -> bytes:
        data = pack(frame, self._sequence)
        self._sequence = (self._sequence + 1) & 0xFF
        return data
