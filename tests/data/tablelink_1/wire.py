"""The bytes of tablelink, both directions: frozen frames, `pack` and `unpack`, and the cutter of a stream.

`firmware_bridge/protocol.md` draws every byte. On the wire a frame is `00 COBS(packet) 00`, and a packet is

    version  type  sequence  body...  CRC-16/CCITT-FALSE, high byte first
"""

import struct
from functools import lru_cache
from struct import Struct

from firmware_bridge.errors import FrameError
from firmware_bridge.events import Reason, Sighting, Value
from firmware_bridge.wire.checksums import crc16_ccitt_false
from firmware_bridge.wire.rejected import Rejected

VERSION = 1
MAX_PACKET = 4095  # up to here CRC-16 with 0x1021 finds any three wrong bits (32,767 bits, its period)
MAX_WIRE = MAX_PACKET + MAX_PACKET // 254 + 1  # COBS adds one byte in 254 at most
MAX_TAG = 62  # the longest EPC (Gen2: 31 words)
LONG_RUN = 254  # bytes behind the longest code of COBS
CODES = tuple(bytes((size + 1,)) for size in range(LONG_RUN))
SMALLEST = 5  # header and CRC
NO_RSSI = -128

_HELLO = Struct(">IHB")  # boot id, heartbeat ms, antennas
_SNAPSHOT = Struct(">BHHHBB")  # antenna, round, age ms, length ms, flags, tags
_HEARTBEAT = Struct(">IBH")  # boot id, heard, rejected
_COMPLETE, _WITH_RSSI = 1, 2


class AntennaLimit(Value, frozen=True):
    number: int  # 1-255, the reader's own
    tags: int  # most that one round can hold; 0: not stated


class Hello(Value, frozen=True):
    """Reader to host: who I am. Sent after a reset and when asked."""

    boot_id: int  # 32 bits, another one after each reset
    heartbeat_ms: int
    antennas: tuple[AntennaLimit, ...]
    firmware: str


class Snapshot(Value, frozen=True):
    """Reader to host: all that one antenna saw in one round."""

    antenna: int
    round: int  # counts the rounds of this antenna, modulo 65536
    age_ms: int  # from the end of the round until this frame is out
    length_ms: int  # from its begin to its end
    complete: bool
    sightings: tuple[Sighting, ...]


class Heartbeat(Value, frozen=True):
    """Reader to host: alive, and what of yours arrived."""

    boot_id: int
    heard: int  # sequence of the last good frame from the host
    rejected: int  # frames from the host that were damaged, since boot, modulo 65536


class Fault(Value, frozen=True):
    """Reader to host: something is wrong with an antenna, or with the reader (antenna 0)."""

    antenna: int
    code: int
    text: str


class Start(Value, frozen=True):
    """Host to reader: say hello, forget the focus, and scan."""


class Focus(Value, frozen=True):
    """Host to reader: scan these first, in turn; () scans all alike. Stands until the next focus or start."""

    antennas: tuple[int, ...]


class Unknown(Value, frozen=True):
    """A good frame of another version, or of a type that this version does not know: skipped, but counted."""

    version: int
    type: int


Frame = Hello | Snapshot | Heartbeat | Fault | Start | Focus | Unknown
Numbered = tuple[int, Frame]  # a frame and its sequence number
HELLO, SNAPSHOT, HEARTBEAT, FAULT, START, FOCUS = 0x01, 0x02, 0x03, 0x04, 0x81, 0x82


def pack(frame: Frame, sequence: int) -> bytes:
    """One frame as it goes on the wire, delimiters included. `FrameError` where the wire cannot carry it."""
    kind, body = _body(frame)
    packet = bytes((VERSION, kind, sequence & 0xFF)) + body
    packet += crc16_ccitt_false(packet).to_bytes(2)
    if len(packet) > MAX_PACKET:
        raise FrameError(f"a packet of {len(packet)} bytes is longer than {MAX_PACKET}: send fewer tags")
    return b"\0" + stuff(packet) + b"\0"


def unpack(packet: bytes) -> Numbered | Reason:
    """Sequence and frame of one packet (COBS already undone), or why it is none."""
    if len(packet) < SMALLEST:
        return "length"
    if crc16_ccitt_false(packet):
        return "checksum"
    version, kind, sequence = packet[0], packet[1], packet[2]
    frame = _frame(version, kind, packet[3:-2])
    return frame if isinstance(frame, str) else (sequence, frame)


class Cutter:
    """A stream of bytes to frames. Holds one unfinished frame at most; joins in at the first delimiter."""

    def __init__(self) -> None:
        self._rest = b""
        self._in_step = False  # False: no delimiter seen yet, or an endless frame is being skipped

    def feed(self, data: bytes) -> list[Numbered | Rejected]:
        parts = (self._rest + data).split(b"\0")
        self._rest = parts.pop()
        found: list[Numbered | Rejected] = []
        for part in parts:
            if not self._in_step:
                self._in_step = True
                if part:
                    found.append(Rejected("noise", part))
            elif part:
                found.append(_cut(part))
        if len(self._rest) > MAX_WIRE:
            found.append(Rejected("oversize", self._rest))
            self._rest, self._in_step = b"", False
        return found

    def finish(self) -> list[Numbered | Rejected]:
        """Nothing more comes: an unfinished frame is refused."""
        rest, in_step = self._rest, self._in_step
        self._rest, self._in_step = b"", False
        return [Rejected("length" if in_step else "noise", rest)] if rest else []


def _cut(part: bytes) -> Numbered | Rejected:
    packet = unstuff(part)
    if packet is None:
        return Rejected("marker", part)
    found = unpack(packet)
    return Rejected(found, part) if isinstance(found, str) else found


def stuff(packet: bytes) -> bytes:
    """COBS: no zero is left in it (Cheshire and Baker, 1999).

    A run of bytes without a zero goes behind a code that counts it; code 255 is for 254 bytes with no zero behind them.
    Split and slice: a byte at a time it takes thirteen times as long for a tray of 60 tags.
    """
    pieces: list[bytes] = []
    for run in packet.split(b"\0"):
        begin, last = 0, len(run) - LONG_RUN
        while begin <= last:
            pieces += (b"\xff", run[begin : begin + LONG_RUN])
            begin += LONG_RUN
        pieces += (CODES[len(run) - begin], run[begin:])
    if run and not pieces[-1]:  # a long run at the very end needs no code for what is not there
        del pieces[-2:]
    return b"".join(pieces)


def unstuff(part: bytes) -> bytes | None:
    """COBS undone; None where a code points behind the end."""
    pieces = []
    at, end = 0, len(part)
    while at < end:
        code = part[at]
        begin, at = at + 1, at + code
        if at > end:
            return None
        pieces.append(part[begin:at])
        if code < 255 and at < end:
            pieces.append(b"\0")
    return b"".join(pieces)


def _body(frame: Frame) -> tuple[int, bytes]:
    match frame:
        case Hello(boot_id, heartbeat_ms, antennas, firmware):
            head = _fixed(_HELLO, boot_id, heartbeat_ms, len(antennas))
            return HELLO, head + b"".join(bytes((_antenna(a.number), _byte(a.tags))) for a in antennas) + _text(
                firmware
            )
        case Snapshot():
            return SNAPSHOT, _snapshot(frame)
        case Heartbeat(boot_id, heard, rejected):
            return HEARTBEAT, _fixed(_HEARTBEAT, boot_id, heard, rejected & 0xFFFF)
        case Fault(antenna, code, text):
            return FAULT, bytes((_byte(antenna), _byte(code))) + _text(text)
        case Start():
            return START, b""
        case Focus(antennas):
            return FOCUS, bytes((_byte(len(antennas)), *map(_antenna, antennas)))
        case Unknown(version, kind):
            raise FrameError(f"type {kind:02X} of version {version} is not known here and cannot be packed")


def _frame(version: int, kind: int, body: bytes) -> Frame | Reason:
    if version != VERSION:
        return Unknown(version, kind)
    match kind:
        case 0x02:
            return _read_snapshot(body)
        case 0x01:
            return _read_hello(body)
        case 0x03:
            return Heartbeat(*_HEARTBEAT.unpack(body)) if len(body) == _HEARTBEAT.size else "value"
        case 0x04:
            return Fault(body[0], body[1], _plain(body[3:])) if _is_text(body, 2) else "value"
        case 0x81:
            return "value" if body else Start()
        case 0x82:
            return Focus(tuple(body[1:])) if body and body[0] == len(body) - 1 and 0 not in body[1:] else "value"
        case _:
            return Unknown(version, kind)


def _read_hello(body: bytes) -> Hello | Reason:
    if len(body) < _HELLO.size:
        return "value"
    boot_id, heartbeat_ms, count = _HELLO.unpack_from(body)
    text_at = _HELLO.size + 2 * count
    numbers, limits = body[_HELLO.size : text_at : 2], body[_HELLO.size + 1 : text_at : 2]
    if not _is_text(body, text_at) or 0 in numbers or len(set(numbers)) != count:
        return "value"
    return Hello(boot_id, heartbeat_ms, tuple(map(AntennaLimit, numbers, limits)), _plain(body[text_at + 1 :]))


def _read_snapshot(body: bytes) -> Snapshot | Reason:
    if len(body) < _SNAPSHOT.size:
        return "value"
    antenna, number, age_ms, length_ms, flags, count = _SNAPSHOT.unpack_from(body)
    sightings = _read_tags(body[_SNAPSHOT.size :], count, with_rssi=bool(flags & _WITH_RSSI))
    if sightings is None or not antenna:
        return "value"
    return Snapshot(antenna, number, age_ms, length_ms, bool(flags & _COMPLETE), sightings)


@lru_cache(maxsize=256)  # chips lie still: the same block comes round after round
def _read_tags(block: bytes, count: int, *, with_rssi: bool) -> tuple[Sighting, ...] | None:
    found: dict[str, Sighting] = {}
    read = _read_tag_and_rssi if with_rssi else _read_tag
    at, last = 0, len(block)
    for _ in range(count):
        size = block[at] if at < last else 0
        end = at + 1 + size + with_rssi
        if not 0 < size <= MAX_TAG or end > last:
            return None
        sighting = read(block[at + 1 : end])
        found[sighting.tag] = sighting
        at = end
    return tuple(found.values()) if at == last else None


@lru_cache(maxsize=4096)  # some of them are missed: other blocks, of the same chips
def _read_tag(raw: bytes) -> Sighting:
    return Sighting(raw.hex().upper())


@lru_cache(maxsize=4096)
def _read_tag_and_rssi(raw: bytes) -> Sighting:
    return Sighting(raw[:-1].hex().upper(), _signed(raw[-1]))


def _snapshot(frame: Snapshot) -> bytes:
    with_rssi = any(seen.rssi_dbm is not None for seen in frame.sightings)
    flags = (_COMPLETE if frame.complete else 0) | (_WITH_RSSI if with_rssi else 0)
    head = _fixed(
        _SNAPSHOT,
        _antenna(frame.antenna),
        frame.round & 0xFFFF,
        min(frame.age_ms, 0xFFFF),
        min(frame.length_ms, 0xFFFF),
        flags,
        len(frame.sightings),
    )
    if not with_rssi:
        return head + b"".join([_tag(seen.tag) for seen in frame.sightings])
    return head + b"".join([_tag(seen.tag) + _strength(seen.rssi_dbm) for seen in frame.sightings])


@lru_cache(maxsize=4096)  # a virtual reader sends the same chips for ever
def _tag(digits: str) -> bytes:
    try:
        tag = bytes.fromhex(digits)
    except ValueError:
        tag = b""
    if not 0 < len(tag) <= MAX_TAG:
        raise FrameError(f"tag {digits!r} cannot be sent: 1 to {MAX_TAG} bytes in hex are needed")
    return bytes((len(tag),)) + tag


def _strength(rssi_dbm: int | None) -> bytes:
    return (NO_RSSI if rssi_dbm is None else max(-127, min(127, rssi_dbm))).to_bytes(1, signed=True)


def _signed(byte: int) -> int | None:
    rssi = byte - 256 if byte > 127 else byte
    return None if rssi == NO_RSSI else rssi


def _fixed(layout: Struct, *fields: int) -> bytes:
    try:
        return layout.pack(*fields)
    except struct.error as error:
        raise FrameError(f"{fields} do not fit the frame: {error}") from error


def _antenna(number: int) -> int:
    if not 1 <= number <= 255:
        raise FrameError(f"antenna {number} cannot be sent: antennas are 1 to 255")
    return number


def _byte(number: int) -> int:
    if not 0 <= number <= 255:
        raise FrameError(f"{number} cannot be sent: it must fit one byte, 0 to 255")
    return number


def _text(text: str) -> bytes:
    """Length and UTF-8, cut at 255 bytes without breaking a letter."""
    data = text.encode()[:255].decode(errors="ignore").encode()
    return bytes((len(data),)) + data


def _is_text(body: bytes, at: int) -> bool:
    return at < len(body) == at + 1 + body[at]


def _plain(data: bytes) -> str:
    return data.decode(errors="replace")
