"""An A0 reader with up to eight antennas: inventories of one antenna, sweeps over several, tags as it reads them.

Times: a round without a tag takes 20 ms, each tag 8 ms more. A tag that is taken away before its slot is not read. In
any session but S0 a tag that was read rests for a second, as Gen2 allows: it is there and does not answer. Power and
region are in flash; the chosen antenna is lost with the power. A port without an antenna gives error 22.
"""

from collections import deque

from firmware_bridge.wire import invelion as wire
from firmware_bridge.wire.invelion import Frame
from simulator.radio import Radio

MS = 1_000_000
EMPTY_ROUND_NS, TAG_NS = 20 * MS, 8 * MS
REST_NS = 1000 * MS
FIRMWARE = bytes((8, 2))


class Invelion:
    """`address`: its own; `plain`: firmware that knows no inventory but the plainest; `speed`: faster than life."""

    def __init__(self, reader: str, radio: Radio, *, address: int = 1, plain: bool = False, speed: float = 1.0) -> None:
        self.reader = reader
        self.power = bytes((30,))  # one byte for all antennas, or one for each
        self.region = wire.REGIONS["us"]
        self.writes = 0  # of the flash
        self.deaf = False  # stuck: errors only, until it is reset
        self._radio, self._address, self._plain, self._speed = radio, address, plain, speed
        self._ports = radio.field.numbers(reader) or (1,)
        self._scanner = wire.scanner()
        self._rests: dict[str, int] = {}  # tag: until when
        self.power_cut()

    def power_cut(self) -> None:
        """What is not in flash is gone; it is up again at once."""
        self._antenna = 1
        self._coming: deque[tuple[int, int, str, bytes]] = deque()  # when, antenna, tag ("": none), bytes
        self._told = 0  # reports of this command

    def wake_at_ns(self) -> int | None:
        return self._coming[0][0] if self._coming else None

    def receive(self, data: bytes, at_ns: int) -> bytes:
        out = b""
        scanned = self._scanner.feed(data, at_ns)
        for item in scanned:
            if isinstance(item, Frame):
                out += self._obey(item.command, item.data, at_ns)
        return out

    def tick(self, at_ns: int) -> bytes:
        out = b""
        while self._coming and self._coming[0][0] <= at_ns:
            _, antenna, tag, data = self._coming.popleft()
            if tag and not self._is_heard(tag, antenna):
                continue
            self._told += bool(tag)
            out += data or self._end(antenna)
        return out

    def _say(self, code: int, data: bytes) -> bytes:
        return wire.pack(code, data, self._address)

    def _obey(self, code: int, data: bytes, at_ns: int) -> bytes:
        if code == wire.RESET:
            self.power_cut()
            self.deaf = False
            return b""
        if self.deaf:
            return self._say(code, bytes((0x53,)))
        match code:
            case wire.VERSION:
                return self._say(code, FIRMWARE)
            case wire.ANTENNA if len(data) == 1:
                self._antenna = data[0] + 1
                return self._say(code, bytes((wire.SUCCESS if self._antenna <= 8 else 0x47,)))
            case wire.REAL_TIME | wire.SESSION if data:
                return self._inventory(code, data, at_ns)
            case wire.SWEEP if not self._plain:
                return self._sweep(data, at_ns)
            case _:
                return self._setting(code, data)

    def _setting(self, code: int, data: bytes) -> bytes:
        match code:
            case wire.GET_POWER:
                return self._say(code, self.power)
            case wire.GET_REGION:
                return self._say(code, self.region)
            case wire.SET_POWER if data:
                self.power = data
            case wire.SET_REGION if data:
                self.region = data
            case _:
                return b""
        self.writes += 1
        return self._say(code, bytes((wire.SUCCESS,)))

    def _inventory(self, code: int, data: bytes, at_ns: int) -> bytes:
        if code == wire.SESSION and self._plain:
            return b""
        self._coming.clear()
        self._told = 0
        if self._antenna not in self._ports:
            return self._say(code, bytes((wire.NO_ANTENNA,)))
        session = data[0] if code == wire.SESSION else 0
        end_ns = self._round(code, self._antenna, session, at_ns)
        self._coming.append((end_ns, self._antenna, "", b""))
        self._last = code
        return b""

    def _sweep(self, data: bytes, at_ns: int) -> bytes:
        self._coming.clear()
        self._told, self._last = 0, wire.SWEEP
        out = b""
        for first, stay in zip(data[:-2:2], data[1:-2:2], strict=True):
            antenna = first + 1
            if first == wire.SKIP or not stay:
                continue
            if antenna in self._ports:
                at_ns = self._round(wire.SWEEP, antenna, 0, at_ns)
            else:
                out += self._say(wire.SWEEP, bytes((first, wire.NO_ANTENNA)))
        self._coming.append((at_ns + MS, 0, "", b""))
        return out

    def _round(self, code: int, number: int, session: int, at_ns: int) -> int:
        """Put what one antenna will hear in the queue; when its round is over."""
        antenna = (self.reader, number)
        heard = self._radio.scan(antenna, self._radio.field.on(antenna))
        pace = self._radio.pace(antenna) / self._speed
        at_ns += int(EMPTY_ROUND_NS * pace)
        for tag in heard.own + heard.stray:
            if self._rests.get(tag, 0) > at_ns:
                continue
            if session:
                self._rests[tag] = at_ns + REST_NS
            rssi = self._radio.rssi_dbm(stray=tag in heard.stray)
            report = wire.tag(bytes.fromhex(tag), rssi, number, code, self._address)
            self._coming.append((at_ns, number, tag, report))
            at_ns += int(TAG_NS * pace)
        return at_ns

    def _end(self, antenna: int) -> bytes:
        return wire.end(self._told, antenna or 1, self._last, self._address)

    def _is_heard(self, tag: str, number: int) -> bool:
        antenna, field = (self.reader, number), self._radio.field
        return tag in field.on(antenna) or any(tag in field.on(close) for close in field.near(antenna))
