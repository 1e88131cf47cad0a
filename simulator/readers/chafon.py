"""A length-first Chafon UHF reader: silent until its scan time is over, then tags in parts, in its type's layout.

Type 09 is a UHFReader18 with one antenna, 0C a 288M with four. Each tag takes 8 ms of the scan time; what does not fit
is left out, and the last part then says that the time ended. A part holds at most 12 tags. In scan mode it pushes a
report five times a second and obeys nothing but the change of its mode.
"""

from firmware_bridge.wire import chafon as wire
from firmware_bridge.wire.chafon import Frame
from firmware_bridge.wire.rejected import Rejected
from simulator.radio import Radio

MS = 1_000_000
UNIT_NS = 100 * MS
TAG_NS = 8 * MS
ANSWER_NS = 5 * MS
REPORT_NS = 200 * MS
MOST_OF_A_PART = 12
REPORTED = bytes.fromhex("2000708C2B380B2D00000000")  # as captured from a device in scan mode
QUERY_SIZE = 9


class Chafon:
    """`kind`: type of the reader; `scanning`: in scan mode; `speed`: faster than life, for demos."""

    def __init__(
        self, reader: str, radio: Radio, *, kind: int = 0x09, scanning: bool = False, speed: float = 1.0
    ) -> None:
        self.reader, self.kind, self.scanning = reader, kind, scanning
        self.scan_units, self.power_dbm, self.writes = 10, 26, 0
        self.broken_status: int | None = None  # what every inventory answers
        self._numbers = radio.field.numbers(reader) or (1,)
        self._radio, self._speed = radio, speed
        self._scanner = wire.scanner()
        self._running: Frame | None = None
        self._due_ns = 0
        self._began: tuple[str, ...] = ()

    @property
    def _new(self) -> bool:
        return wire.LAYOUTS[self.kind] == "288"

    def power_cut(self) -> None:
        """Off and on again: what it was about to say is gone, its settings are in its EEPROM."""
        self._running = None
        self._scanner = wire.scanner()

    def wake_at_ns(self) -> int | None:
        return self._due_ns if self._running or self.scanning else None

    def receive(self, data: bytes, at_ns: int) -> bytes:
        out = b""
        for item in self._scanner.feed(data, at_ns):
            if isinstance(item, Rejected):
                out += wire.answer(item.raw[2], wire.ILLEGAL) if len(item.raw) > 4 else b""
            elif isinstance(item, Frame) and item.status is None and item.address == wire.EVERYBODY:
                self._begin(item, at_ns)
        return out

    def _begin(self, frame: Frame, at_ns: int) -> None:
        if self.scanning and frame.command not in (wire.SET_MODE, wire.NEW_MODE):
            return
        self._running = frame
        self._due_ns = at_ns + int(ANSWER_NS / self._speed)
        if frame.command == wire.INVENTORY and self._fits(frame) and self._port(frame) in self._numbers:
            antenna = (self.reader, self._port(frame))
            self._began = self._radio.field.on(antenna)
            self._due_ns = at_ns + int(self._window_ns(frame) * self._radio.pace(antenna) / self._speed)

    def _fits(self, frame: Frame) -> bool:
        return len(frame.data) == (QUERY_SIZE if self._new else 0)

    def _port(self, frame: Frame) -> int:
        return frame.data[-2] - 0x7F if self._new else self._numbers[0]

    def _window_ns(self, frame: Frame) -> int:
        return (frame.data[-1] if self._new else self.scan_units) * UNIT_NS

    def tick(self, at_ns: int) -> bytes:
        if at_ns < self._due_ns:
            return b""
        running, self._running = self._running, None
        if running is not None:
            return self._answer(running)
        if self.scanning:
            self._due_ns = at_ns + REPORT_NS
            return wire.answer(wire.REPORT, wire.OK, REPORTED)
        return b""

    def _answer(self, frame: Frame) -> bytes:
        match frame.command, frame.data:
            case wire.INVENTORY, _:
                return self._inventory(frame)
            case wire.INFORMATION, b"":
                data = bytes((5, 2, self.kind, 2, 0x31, 0x80, self.power_dbm, self.scan_units))
                return wire.answer(wire.INFORMATION, wire.OK, data)
            case (wire.SET_MODE, data) if not self._new and len(data) == len(wire.ANSWER_MODE):
                self.scanning = data != wire.ANSWER_MODE
            case (wire.NEW_MODE, data) if self._new and len(data) == 1:
                self.scanning = data[0] != 0
            case (wire.SCAN_TIME, data) if len(data) == 1 and data[0] >= 3:
                self.scan_units = data[0]
                self.writes += 1
            case (wire.POWER, data) if len(data) == 1:
                self.power_dbm = data[0]
                self.writes += 1
            case (wire.GET_MODE, b""):
                return wire.answer(wire.GET_MODE, wire.OK, wire.ANSWER_MODE)
            case (wire.BAUD, _):
                pass
            case (wire.SET_MODE | wire.NEW_MODE | wire.SCAN_TIME | wire.POWER, _):
                return wire.answer(frame.command, wire.WRONG_LENGTH)
            case _:
                return wire.answer(frame.command, wire.ILLEGAL)
        return wire.answer(frame.command)

    def _inventory(self, frame: Frame) -> bytes:
        if self.broken_status is not None:
            return wire.answer(wire.INVENTORY, self.broken_status)
        if not self._fits(frame):
            return wire.answer(wire.INVENTORY, wire.WRONG_LENGTH)
        port = self._port(frame)
        if port not in self._numbers:
            return wire.answer(wire.INVENTORY, wire.ANTENNA_ERROR)
        heard = self._radio.scan((self.reader, port), self._began)
        tags = [(tag, self._radio.rssi_dbm(stray=False)) for tag in heard.own]
        tags += [(tag, self._radio.rssi_dbm(stray=True)) for tag in heard.stray]
        most = self._window_ns(frame) // TAG_NS
        last = wire.DONE if len(tags) <= most and heard.complete else wire.ELAPSED
        return self._parts(tags[:most], port, last) if tags else wire.answer(wire.INVENTORY, wire.NO_TAG)

    def _parts(self, tags: list[tuple[str, int]], port: int, last: int) -> bytes:
        out = b""
        for begin in range(0, len(tags), MOST_OF_A_PART):
            part = tuple(tags[begin : begin + MOST_OF_A_PART])
            status = last if begin + MOST_OF_A_PART >= len(tags) else wire.TO_BE_CONTINUED
            data = wire.tags_288(part, port) if self._new else wire.tags_18(tuple(tag for tag, _ in part))
            out += wire.answer(wire.INVENTORY, status, data)
        return out
