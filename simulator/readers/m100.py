"""An R200 or M100 module with one antenna: answers commands, polls once or many times, reports tags as it reads them.

Times: an inventory round without a tag takes 15 ms, each tag 8 ms more (its slot, and 24 bytes at 115200 baud). A tag
that is taken away before its slot is not read. A round of tags has no end mark; a round without any gives error 15. The
module answers in one of its two framings only, and asleep it takes the first bytes for nothing but a wake-up.
"""

from collections import deque

from firmware_bridge.wire import m100 as wire
from firmware_bridge.wire.m100 import Frame, Framing
from simulator.radio import Radio

MS = 1_000_000
EMPTY_ROUND_NS = 15 * MS
TAG_NS = 8 * MS
BOOT_NS = 100 * MS  # from power to the first command that it hears
ENDLESS = 1 << 30  # rounds of a multi poll with count 0, as public code uses it: until it is stopped
NAMES = {0: b"M100 V1.00", 1: b"V2.3.3", 2: b"betline virtual"}  # hardware, software, maker
SETTINGS = {  # command that reads: what it reads, until it is set
    wire.GET_QUERY: bytes((0x10, 0x20)),
    wire.GET_POWER: (2000).to_bytes(2),
    wire.GET_DEMODULATOR: bytes((3, 6, 0x01, 0xB0)),
}
SETTERS = {wire.SET_QUERY: wire.GET_QUERY, wire.SET_POWER: wire.GET_POWER, wire.SET_DEMODULATOR: wire.GET_DEMODULATOR}
TAKEN = (wire.REGION, wire.SELECT, wire.SELECT_MODE, wire.CHANNEL, wire.HOPPING)  # and answered with "done"


class M100:
    """`framing`: the one it speaks; `asleep`: its first command only wakes it; `speed`: faster than life, for demos."""

    def __init__(
        self, reader: str, radio: Radio, *, framing: Framing = "bb", asleep: bool = False, speed: float = 1.0
    ) -> None:
        self.reader = reader
        self.broken_error: int | None = None  # what every poll answers until the module is stopped
        self.settings = dict(SETTINGS)
        numbers = radio.field.numbers(reader)
        self._antenna = (reader, numbers[0] if numbers else 1)
        self._radio, self._framing, self._asleep, self._speed = radio, framing, asleep, speed
        self._scanner = wire.scanner()
        self._off = False
        self._deaf_until_ns = 0
        self._rounds_left = 0
        self._coming: deque[tuple[int, str, bytes]] = deque()  # when, whose notice ("": the end of the round), bytes

    def power_cut(self) -> None:
        """Off and on again: its settings are gone, and what it was about to say; the next command finds it booting."""
        self._off = True
        self.settings = dict(SETTINGS)
        self._rounds_left = 0
        self._coming.clear()
        self._scanner = wire.scanner()

    def wake_at_ns(self) -> int | None:
        return self._coming[0][0] if self._coming else None

    def receive(self, data: bytes, at_ns: int) -> bytes:
        if self._off:
            self._off, self._deaf_until_ns = False, at_ns + BOOT_NS
        if self._asleep or at_ns < self._deaf_until_ns:
            self._asleep = False
            return b""
        out = b""
        for item in self._scanner.feed(data, at_ns):
            if isinstance(item, Frame) and item.type == wire.COMMAND and item.framing == self._framing:
                out += self._obey(item, at_ns)
        return out

    def tick(self, at_ns: int) -> bytes:
        out = b""
        while self._coming and self._coming[0][0] <= at_ns:
            _, tag, data = self._coming.popleft()
            if not tag or tag in self._radio.field.on(self._antenna) or self._is_stray(tag):
                out += data
            if not self._coming:
                self._next_round(at_ns)
        return out

    def _obey(self, frame: Frame, at_ns: int) -> bytes:
        code, parameters = frame.command, frame.parameters
        if code in (wire.SINGLE_POLL, wire.MULTI_POLL) and self.broken_error is not None:
            return wire.error(self._framing, self.broken_error)
        if code == wire.SINGLE_POLL:
            return self._poll(1, at_ns)
        if code == wire.MULTI_POLL and len(parameters) == 3:
            return self._poll(int.from_bytes(parameters[1:]) or ENDLESS, at_ns)
        if code == wire.STOP:
            self._rounds_left, self.broken_error = 0, None
            self._coming.clear()
            return wire.answer(self._framing, wire.STOP)
        return self._setting(code, parameters)

    def _setting(self, code: int, parameters: bytes) -> bytes:
        if code == wire.VERSION and parameters[:1] in (b"\0", b"\1", b"\2"):
            return wire.answer(self._framing, code, parameters[:1] + NAMES[parameters[0]])
        if code in self.settings:
            return wire.answer(self._framing, code, self.settings[code])
        if code in SETTERS and len(parameters) == len(SETTINGS[SETTERS[code]]):
            self.settings[SETTERS[code]] = parameters
            return wire.answer(self._framing, code)
        return wire.answer(self._framing, code) if code in TAKEN else wire.error(self._framing, 0x17)

    def _poll(self, rounds: int, at_ns: int) -> bytes:
        self._coming.clear()
        self._rounds_left = rounds
        self._next_round(at_ns)
        return b""

    def _next_round(self, at_ns: int) -> None:
        if not self._rounds_left:
            return
        self._rounds_left -= 1
        heard = self._radio.scan(self._antenna, self._radio.field.on(self._antenna))
        pace = self._radio.pace(self._antenna) / self._speed
        slot_ns = at_ns + int(EMPTY_ROUND_NS * pace)
        if not heard.own and not heard.stray:
            self._coming.append((slot_ns, "", wire.error(self._framing, wire.NO_TAG)))
            return
        for tag in heard.own + heard.stray:
            rssi = self._radio.rssi_dbm(stray=tag in heard.stray)
            self._coming.append((slot_ns, tag, wire.notice(self._framing, bytes.fromhex(tag), rssi)))
            slot_ns += int(TAG_NS * pace)
        self._coming.append((slot_ns, "", b""))

    def _is_stray(self, tag: str) -> bool:
        return any(tag in self._radio.field.on(close) for close in self._radio.field.near(self._antenna))
