"""An M6e with one antenna or several: searches into its buffer, gives it in parts, streams when told to, forgets all.

Without power it forgets region, protocol, antennas, read filter and buffer. A Silion clone wakes in its boot loader,
which knows only "version" and "boot". Times: a search takes what was asked for, whatever lies there; a streamed record
comes every 4 ms (47 bytes at 115200 baud), "no tag" once a second. The read filter tells a tag of a stream only once.
"""

from firmware_bridge.wire import thingmagic as wire
from firmware_bridge.wire.thingmagic import Command
from simulator.radio import Radio

MS = 1_000_000
STREAM_NS, KEEP_ALIVE_NS = 4 * MS, 1000 * MS
PART = 10  # records of one answer
BUFFER = 48  # tags: what a Nano holds
IDENTITY = bytes.fromhex("07102300 01000003 20141007 01070209 00000010")
SETTERS = (wire.REGION, wire.PROTOCOL, wire.POWER, wire.OPTION, wire.GEN2_OPTION)


class ThingMagic:
    """`loader`: wakes in its boot loader, as Silion modules do; `saved`: region and protocol are in its flash."""

    def __init__(
        self, reader: str, radio: Radio, *, loader: bool = False, saved: bool = False, speed: float = 1.0
    ) -> None:
        self.reader = reader
        self._radio, self._speed, self._loader, self._saved = radio, speed, loader, saved
        self._ports = radio.field.numbers(reader) or (1,)
        self._scanner = wire.scanner()
        self.hot = False  # throttled by its temperature: it searches for nobody
        self.deaf = False  # stuck: it answers settings and no search, until it boots
        self.power_cut()

    def power_cut(self) -> None:
        """All settings are gone; it is up again at once."""
        self._in_loader = self._loader
        flash = {(wire.REGION, 0): b"\2", (wire.PROTOCOL, 0): wire.GEN2} if self._saved else {}
        self.settings: dict[tuple[int, int], bytes] = flash  # (command, key): the last value
        self._antenna = self._ports[0]
        self._buffer: list[bytes] = []
        self._streaming: set[str] | None = None  # tags told already; None: it does not stream
        self._due_ns: int | None = None

    def wake_at_ns(self) -> int | None:
        return self._due_ns

    def receive(self, data: bytes, at_ns: int) -> bytes:
        out = b""
        for item in self._scanner.feed(data, at_ns):
            if isinstance(item, Command):
                out += self._obey(item.code, item.data, at_ns)
        return out

    def tick(self, at_ns: int) -> bytes:
        if self._due_ns is None or at_ns < self._due_ns:
            return b""
        if self._streaming is not None:
            return self._stream(self._streaming, at_ns)
        self._due_ns = None
        found = self._scan()
        self._buffer += found[: BUFFER - len(self._buffer)]
        full = len(found) > BUFFER
        return wire.answer(wire.SEARCH, status=wire.BUFFER_FULL) if full else wire.searched(len(self._buffer))

    def _obey(self, code: int, data: bytes, at_ns: int) -> bytes:
        match code:
            case wire.VERSION:
                return wire.answer(code, IDENTITY)
            case wire.BOOT if self._in_loader:
                self._in_loader = False
                return wire.answer(code, IDENTITY)
            case wire.LOADER if not self._in_loader:
                self.power_cut()
                self.deaf = False
                self._in_loader = True
                return wire.answer(code)
            case _ if self._in_loader or code == wire.BOOT:
                return wire.answer(code, status=wire.UNKNOWN_COMMAND)
            case wire.CONTINUOUS:
                return self._continuous(data, at_ns)
            case wire.SEARCH:
                return self._search(data, at_ns)
            case _:
                return self._plain(code, data)

    def _plain(self, code: int, data: bytes) -> bytes:
        if code == wire.ANTENNAS and len(data) == 3:
            if data[1] not in self._ports:
                return wire.answer(code, status=wire.WRONG_ANTENNA)
            self._antenna = data[1]
            return wire.answer(code)
        if code == wire.CLEAR_BUFFER:
            self._buffer = []
            return wire.answer(code)
        if code == wire.GET_BUFFER and len(data) == 3:
            part, self._buffer = self._buffer[:PART], self._buffer[PART:]
            return wire.buffered(part)
        if code in SETTERS and data:
            self.settings[code, data[1] if code in (wire.OPTION, wire.GEN2_OPTION) else 0] = data
            return wire.answer(code)
        return wire.answer(code, status=wire.UNKNOWN_COMMAND)

    def _search(self, data: bytes, at_ns: int) -> bytes:
        refused = self._refused()
        if refused:
            return wire.answer(wire.SEARCH, status=refused)
        if not self.deaf and self._streaming is None:
            self._due_ns = at_ns + int(int.from_bytes(data[3:5]) * MS / self._speed)
        return b""

    def _refused(self) -> int:
        if self.hot:
            return wire.HOT
        if (wire.REGION, 0) not in self.settings:
            return wire.NO_REGION
        return 0 if (wire.PROTOCOL, 0) in self.settings else wire.NO_PROTOCOL

    def _continuous(self, data: bytes, at_ns: int) -> bytes:
        if data[2:3] == b"\2":
            self._streaming = self._due_ns = None
            return wire.answer(wire.CONTINUOUS, b"\2")
        self._streaming, self._due_ns = set(), at_ns
        return wire.answer(wire.CONTINUOUS, b"\1")

    def _stream(self, told: set[str], at_ns: int) -> bytes:
        tags = self._radio.field.on((self.reader, self._antenna))
        filtered = self.settings.get((wire.OPTION, 0x0C), b"\1\x0c\1")[2]
        fresh = [tag for tag in tags if tag not in told]
        self._due_ns = at_ns + (STREAM_NS if fresh else KEEP_ALIVE_NS)
        if not fresh:
            told.clear() if not filtered else None
            return wire.answer(wire.SEARCH, status=wire.NO_TAGS)
        told.add(fresh[0])
        epc = bytes.fromhex(fresh[0])
        return wire.streamed(wire.record(epc, -50, self._antenna, wire.ALL_METADATA))

    def _scan(self) -> list[bytes]:
        antenna = (self.reader, self._antenna)
        heard = self._radio.scan(antenna, self._radio.field.on(antenna))
        strong = [(tag, self._radio.rssi_dbm(stray=False)) for tag in heard.own]
        weak = [(tag, self._radio.rssi_dbm(stray=True)) for tag in heard.stray]
        return [wire.record(bytes.fromhex(tag), rssi, self._antenna) for tag, rssi in strong + weak]
