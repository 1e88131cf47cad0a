"""The bytes of Chafon's length-first readers (UHFReader18, RRU9803M, 288M, 86, UR series), both directions.

    length | address | command | data... | CRC                   from the host
    length | address | command | status | data... | CRC          from the reader
       1        1         1        1                2

The length counts what follows it; the CRC is CRC-16/MCRF4XX over all before it, low byte first; address FF is that of
any reader. The answer to an inventory comes in two layouts, and the frame does not say which:

    layout 18:    number | (size, EPC)...                          UHFReader18, CF-RU5102
    layout 288:   antenna bit | number | (size, EPC, RSSI)...      288M, 86, CF-MU904, UR

Both are tried, and one that uses up the data exactly is possible. Frames that begin with CF are another language of the
same brand (`chafon_cf_frames`), and are read as well. Sources: public captures and code of owners; frames are in
`tests/data/frames.json`.
"""

import re
from typing import Literal

from firmware_bridge.errors import FrameError
from firmware_bridge.events import Sighting, Value
from firmware_bridge.wire import chafon_cf as cf
from firmware_bridge.wire.chafon_cf import CfFrame, CfTag
from firmware_bridge.wire.checksums import crc16_mcrf4xx, is_crc16_mcrf4xx
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.scanner import Scanner

Layout = Literal["auto", "18", "288"]
EVERYBODY = 0xFF
INVENTORY, ONE_TAG, INFORMATION, SCAN_TIME, BAUD = 0x01, 0x0F, 0x21, 0x25, 0x28
POWER, SET_MODE, GET_MODE, NEW_MODE, REPORT = 0x2F, 0x35, 0x36, 0x76, 0xEE
ANSWER_MODE = bytes.fromhex("00 02 04 02 06 00")  # of SET_MODE: all six bytes are needed
OK, DONE, ELAPSED, TO_BE_CONTINUED, BUFFER_FULL = 0x00, 0x01, 0x02, 0x03, 0x04
ANTENNA_ERROR, NO_TAG, WRONG_LENGTH, ILLEGAL, WRONG_PARAMETER = 0xF8, 0xFB, 0xFD, 0xFE, 0xFF
WITH_TAGS = (OK, DONE, ELAPSED, TO_BE_CONTINUED, BUFFER_FULL)
SHORTEST, LONGEST = 5, 256
RSSI_OFFSET = 129  # as R2000 modules count; no manual gives the scale, and comparing antennas needs none
LAYOUTS: dict[int, Layout] = {  # type of the reader, as it tells it
    0x03: "18",
    0x08: "18",
    0x09: "18",
    0x0C: "288",
    0x0F: "288",
    0x10: "288",
    0x16: "288",
    0x20: "288",
    0x86: "288",
    0x8B: "288",
}
ERRORS = {
    ELAPSED: "the scan time ended before all tags were read: raise scan_ms",
    BUFFER_FULL: "the reader's buffer is full: some tags of this round are missing",
    ANTENNA_ERROR: "antenna error: check its plug and cable",
    0xF9: "the command could not be carried out",
    0xFA: "a tag is there, and the exchange with it failed",
    NO_TAG: "no tag",
    0xFC: "the tag answered with an error",
    WRONG_LENGTH: "the length of the command is wrong for this reader",
    ILLEGAL: "illegal command, or its CRC arrived wrong",
    WRONG_PARAMETER: "a parameter is wrong for this reader",
}


class Frame(Value, frozen=True):
    """Any good frame but an inventory's answer; `status` None: from the host."""

    address: int
    command: int
    status: int | None
    data: bytes = b""


class Inventory(Value, frozen=True):
    """A part of an inventory's answer, read in each layout in which it can be read."""

    status: int
    by_18: tuple[Sighting, ...] | None = None
    by_288: tuple[Sighting, ...] | None = None
    antenna: int = 0  # of layout 288


AnyFrame = Frame | Inventory | CfFrame | CfTag


def pack(address: int, inner: bytes) -> bytes:
    """A frame of what follows the address. `FrameError`: longer than its length can say."""
    if len(inner) + 4 > LONGEST:
        raise FrameError(f"{len(inner)} bytes are more than a frame of this reader holds")
    body = bytes((len(inner) + 3, address)) + inner
    return body + crc16_mcrf4xx(body).to_bytes(2, "little")


def command(code: int, data: bytes = b"", address: int = EVERYBODY) -> bytes:
    """A frame from the host."""
    return pack(address, bytes((code,)) + data)


def answer(code: int, status: int = OK, data: bytes = b"", address: int = 0) -> bytes:
    """A frame from the reader."""
    return pack(address, bytes((code, status)) + data)


def tags_18(epcs: tuple[str, ...]) -> bytes:
    """Data of an inventory's answer in layout 18."""
    return bytes((len(epcs),)) + b"".join(bytes((len(epc) // 2,)) + bytes.fromhex(epc) for epc in epcs)


def tags_288(epcs: tuple[tuple[str, int], ...], antenna: int = 1) -> bytes:
    """Data of an inventory's answer in layout 288: EPCs with their strength in dBm."""
    coded = (bytes((len(e) // 2,)) + bytes.fromhex(e) + bytes((dbm + RSSI_OFFSET,)) for e, dbm in epcs)
    return bytes((1 << (antenna - 1), len(epcs))) + b"".join(coded)


def query(antenna: int, q: int, session: int, scan_units: int) -> bytes:
    """Parameters of the newer inventory: Q, session, no mask (bank, address, length 0), target A, antenna, time."""
    return bytes((q, session, 1, 0, 0, 0, 0, 0x80 + antenna - 1, scan_units))


class Grammar:
    """`layout`: the only one that is accepted, or "auto" for both."""

    idle = b""
    shared = 0
    _head = re.compile(rb"[^\x00-\x03]")

    def __init__(self, layout: Layout = "auto") -> None:
        self._layout = layout

    def find(self, data: bytes, begin: int) -> int:
        found = self._head.search(data, begin)
        return found.start() if found else -1

    def size(self, data: bytes, begin: int) -> int:
        return cf.size(data, begin) if cf.is_head(data, begin) else data[begin] + 1

    def read(self, raw: bytes) -> AnyFrame | Rejected:
        if cf.is_head(raw, 0):
            return cf.read(raw)
        if not is_crc16_mcrf4xx(raw):
            return Rejected("checksum", raw)
        address, code, rest = raw[1], raw[2], raw[3:-2]
        if address == EVERYBODY or not rest:
            return Frame(address, code, None, rest)
        if code == INVENTORY:
            return self._inventory(rest[0], rest[1:], raw)
        return Frame(address, code, rest[0], rest[1:])

    def _inventory(self, status: int, data: bytes, raw: bytes) -> AnyFrame | Rejected:
        if status not in WITH_TAGS or not data:
            return Inventory(status) if not data else Frame(raw[1], INVENTORY, None, raw[3:-2])
        by_18 = _tags(data, 0) if self._layout != "288" else None
        antenna = data[0].bit_length()
        one_bit = data[0] == 1 << antenna >> 1 and len(data) > 1
        by_288 = _tags(data[1:], 1) if one_bit and self._layout != "18" else None
        if by_18 is not None or by_288 is not None:
            return Inventory(status, by_18, by_288, antenna if by_288 is not None else 0)
        host = len(data) >= 8 and data[-2] in range(0x80, 0x88)
        return Frame(raw[1], INVENTORY, None, raw[3:-2]) if host else Rejected("value", raw)

    def take(self, data: bytes, begin: int, known: dict[bytes, AnyFrame], found: list[AnyFrame | Rejected]) -> int:
        at, last = begin, len(data) - SHORTEST
        while at <= last:
            end = at + (data[at] + 1 if data[at] != cf.HEAD else data[at + 4] + cf.AROUND)
            frame = known.get(data[at:end])
            if frame is None:
                break
            found.append(frame)
            at = end
        return at


def scanner(layout: Layout = "auto") -> Scanner[AnyFrame]:
    return Scanner(Grammar(layout))


def _tags(data: bytes, behind: int) -> tuple[Sighting, ...] | None:
    """Tags with so many bytes of strength `behind` each; None: the data cannot be read so."""
    found, at, end = [], 1, len(data)
    for _ in range(data[0]):
        if at >= end:
            return None
        epc = data[at + 1 : at + 1 + data[at]]
        at += 1 + data[at] + behind
        if at > end:
            return None
        found.append(Sighting(epc.hex().upper(), data[at - 1] - RSSI_OFFSET if behind else None))
    return tuple(found) if at == end else None
