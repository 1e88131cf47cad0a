"""A FEIG OBID i-scan reader: inventories by standard or advanced frames, quiet tags, a multiplexer, more data.

A tag that an inventory has told stays quiet until the field goes off: by an RF reset, or because the multiplexer
switches to another antenna. A standard frame holds 24 tags, the rest is fetched with MORE. A broken request gets no
answer. Times are those of ISO 15693 (16 slots at 26.48 kbit/s): an empty inventory takes 60 ms, each tag 7.5 ms more.
"""

from firmware_bridge.drivers.feig import mux_command
from firmware_bridge.wire import feig as wire
from firmware_bridge.wire.feig import Frame, Inventory
from simulator.radio import Radio

MS = 1_000_000
EMPTY_NS, TAG_NS = 60 * MS, 7_500_000
ANSWER_NS, FIELD_OFF_NS = 2 * MS, 15 * MS
IDENTITY = bytes.fromhex("0305 00 00 4A 0008")  # software 3.05, type 4A
SIMPLE = (wire.DETECT, wire.RESET, wire.WRITE_CONFIG)


class Feig:
    """`mux`: the driver's option; `advanced_only`: as LR readers, deaf to standard frames; `speed`: for demos."""

    def __init__(
        self, reader: str, radio: Radio, *, mux: str = "", advanced_only: bool = False, speed: float = 1.0
    ) -> None:
        self.reader = reader
        self.broken_status: int | None = None  # what every inventory answers until a CPU reset
        numbers = radio.field.numbers(reader) or (1,)
        self._channels = {mux_command(mux, number): number for number in numbers} if mux else {}
        self._antenna = numbers[0]
        self._radio, self._speed, self._advanced_only = radio, speed, advanced_only
        self._scanner = wire.scanner()
        self._quiet: set[str] = set()
        self._rest: tuple[str, ...] = ()  # read, and not told yet
        self._running: Frame | None = None
        self._due_ns = 0
        self._at_begin: tuple[str, ...] = ()

    def power_cut(self) -> None:
        """Off and on again: everything that it kept is gone, and what it was about to say too."""
        self._running = None
        self._rest = ()
        self._quiet.clear()
        self._scanner = wire.scanner()
        self._antenna = min(self._channels.values(), default=self._antenna)

    def wake_at_ns(self) -> int | None:
        return self._due_ns if self._running else None

    def receive(self, data: bytes, at_ns: int) -> bytes:
        for item in self._scanner.feed(data, at_ns):
            frame = _as_command(item) if isinstance(item, Frame | Inventory) else None
            if frame is not None and (frame.advanced or not self._advanced_only):
                self._begin(frame, at_ns)
        return b""

    def _begin(self, frame: Frame, at_ns: int) -> None:
        self._running = frame
        self._due_ns = at_ns + int(ANSWER_NS / self._speed)
        if frame.control == wire.RF_RESET:
            self._due_ns += int(FIELD_OFF_NS / self._speed)
        elif frame.control == wire.HOST_COMMAND and not self._fetches(frame):
            antenna = (self.reader, self._antenna)
            self._at_begin = self._radio.field.on(antenna)
            plain_ns = EMPTY_NS + TAG_NS * len(self._at_begin)
            self._due_ns = at_ns + int(plain_ns * self._radio.pace(antenna) / self._speed)

    def _fetches(self, frame: Frame) -> bool:
        return frame.data[1:2] == wire.MORE

    def tick(self, at_ns: int) -> bytes:
        running = self._running
        if running is None or at_ns < self._due_ns:
            return b""
        self._running = None
        status, data = self._answer(running)
        return wire.answer(running.control, status, data, advanced=running.advanced)

    def _answer(self, frame: Frame) -> tuple[int, bytes]:
        if frame.control == wire.RESET:
            self.power_cut()
            self.broken_status = None
        if frame.control == wire.RF_RESET:
            self._quiet.clear()
        if frame.control in (*SIMPLE, wire.RF_RESET):
            return wire.OK, b""
        if frame.control == wire.VERSION:
            return wire.OK, IDENTITY
        if frame.control == wire.HOST_COMMAND and frame.data[:1] == wire.INVENTORY:
            return self._inventory(frame)
        return self._switch(bytes((frame.control,)) + frame.data)

    def _switch(self, body: bytes) -> tuple[int, bytes]:
        if body not in self._channels:
            return 0x80, b""
        self._antenna = self._channels[body]
        self._quiet.clear()
        return wire.OK, b""

    def _inventory(self, frame: Frame) -> tuple[int, bytes]:
        if self.broken_status is not None:
            return self.broken_status, b""
        if not self._fetches(frame):
            heard = self._radio.scan((self.reader, self._antenna), self._at_begin)
            self._rest = tuple(t for t in heard.own + heard.stray if len(t) == 16 and t not in self._quiet)
            self._quiet.update(self._rest)
        if not self._rest:
            return wire.NO_TRANSPONDER, b""
        most = 255 if frame.advanced else wire.MOST_SETS
        told, self._rest = self._rest[:most], self._rest[most:]
        return (wire.MORE_DATA if self._rest else wire.OK), wire.tag_sets(told)


def _as_command(item: Frame | Inventory) -> Frame | None:
    """A frame for any reader; with an address of its own a virtual reader does not bother."""
    return item if isinstance(item, Frame) and item.status is None and item.address == wire.EVERYBODY else None
