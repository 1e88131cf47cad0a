"""The bytes of R200, M100, QM100, YRM100 and JRD-4035 modules, both directions.

    BB | type | command | length | parameters | sum | 7E        one framing of the M100 manuals
    AA | type | command | length | parameters | sum | DD        the other, of the R200 user protocol 2.3.3
     1     1        1        2       length       1    1

Type 00 is a command, 01 its answer, 02 a notice; the sum is that of type to parameters, modulo 256. The markers occur
inside EPCs: a frame is taken by its length, its sum and its end byte, all three. Sources: UHF Lite manual (M100), R200
user protocol 2.3.3; frames of both are in `tests/data/frames.json`.
"""

import re
from binascii import crc_hqx
from functools import lru_cache
from struct import Struct
from typing import Literal
from zlib import adler32

from firmware_bridge.errors import FrameError
from firmware_bridge.events import Sighting, Value
from firmware_bridge.wire.checksums import GENIBUS_REST, crc16_genibus, sum8
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.scanner import OVERSIZE, REFUSED, UNKNOWN, Scanner, remember_all

Framing = Literal["bb", "aa"]
MARKS: dict[Framing, tuple[int, int]] = {"bb": (0xBB, 0x7E), "aa": (0xAA, 0xDD)}
FRAMINGS: dict[int, Framing] = {0xBB: "bb", 0xAA: "aa"}
COMMAND, ANSWER, NOTICE = 0x00, 0x01, 0x02
VERSION, SINGLE_POLL, MULTI_POLL, STOP = 0x03, 0x22, 0x27, 0x28
REGION, SELECT, SELECT_MODE, GET_QUERY, SET_QUERY = 0x07, 0x0C, 0x12, 0x0D, 0x0E
CHANNEL, HOPPING, GET_POWER, SET_POWER = 0xAB, 0xAD, 0xB7, 0xB6
SET_DEMODULATOR, GET_DEMODULATOR, ERROR = 0xF0, 0xF1, 0xFF
NO_TAG = 0x15
LONGEST = 255  # parameters: the longest notice has 67, and nothing longer is ever asked for
AROUND = 7  # bytes of a frame that are not parameters
NOTICE_SIZES = range(AROUND + 5, AROUND + 68)  # RSSI, PC, EPC of up to 31 words, CRC
MOST_AT_ONCE = 32  # notices that are looked at in one go
REGIONS = {"cn900": 1, "us": 2, "eu": 3, "cn800": 4, "kr": 6}
ERRORS = {
    0x09: "read failed: no tag, or a wrong memory bank",
    0x10: "write failed",
    0x12: "kill failed",
    0x13: "lock failed",
    NO_TAG: "no tag in this round, or its CRC was wrong",
    0x16: "access failed: wrong access password",
    0x17: "the module does not know this command, or not these parameters",
    0x20: "no free channel for frequency hopping",
}


class Frame(Value, frozen=True):
    """Any good frame but a tag notice."""

    framing: Framing
    type: int
    command: int
    parameters: bytes

    @property
    def error(self) -> int | None:
        """The code of an error frame (type 01, command FF)."""
        is_error = self.type == ANSWER and self.command == ERROR and self.parameters
        return self.parameters[0] if is_error else None


class Notice(Value, frozen=True):
    """A tag was read in the round that goes on."""

    framing: Framing
    sighting: Sighting


def pack(framing: Framing, kind: int, command: int, parameters: bytes = b"") -> bytes:
    if len(parameters) > LONGEST:
        raise FrameError(f"{len(parameters)} parameter bytes are more than {LONGEST}")
    first, last = MARKS[framing]
    inner = bytes((kind, command)) + len(parameters).to_bytes(2) + parameters
    return bytes((first,)) + inner + bytes((sum8(inner), last))


@lru_cache(maxsize=64)  # a driver sends the same few for ever
def command(framing: Framing, code: int, parameters: bytes = b"") -> bytes:
    """A frame from the host."""
    return pack(framing, COMMAND, code, parameters)


def answer(framing: Framing, code: int, parameters: bytes = b"\0") -> bytes:
    """A frame from the module: the answer to command `code`; a single 00 means done."""
    return pack(framing, ANSWER, code, parameters)


def error(framing: Framing, code: int) -> bytes:
    return pack(framing, ANSWER, ERROR, bytes((code,)))


def notice(framing: Framing, epc: bytes, rssi_dbm: int = -60) -> bytes:
    """A tag notice as the module sends it; an EPC has a whole number of 16-bit words, 31 at most."""
    if len(epc) % 2 or len(epc) > 62:
        raise FrameError(f"EPC {epc.hex().upper()} must have whole words of 16 bits, 31 at most")
    coded = (len(epc) // 2 << 11).to_bytes(2) + epc  # PC: its upper five bits are the length in words
    rssi = max(-128, min(127, rssi_dbm)).to_bytes(1, signed=True)
    return pack(framing, NOTICE, SINGLE_POLL, rssi + coded + crc16_genibus(coded).to_bytes(2))


def query(q: int = 4, session: int = 0) -> bytes:
    """Parameters of SET_QUERY: DR 8, Miller 1, pilot tone, select all, target A (the firmware knows no other DR or M).

    Bits: 12 pilot tone, 9-8 session, 6-3 Q; a round has 2^Q slots.
    """
    return (0x1000 | session << 8 | q << 3).to_bytes(2)


def multi_poll(rounds: int) -> bytes:
    """Parameters of MULTI_POLL: this many rounds, 0 to 65535."""
    return b"\x22" + rounds.to_bytes(2)


AnyFrame = Frame | Notice


class Shape:
    """A notice of one size: RSSI, PC, EPC, CRC. The EPC is what lies between PC and CRC, whatever PC says."""

    def __init__(self, framing: Framing, size: int) -> None:
        self.framing, self.size = framing, size
        self.end = MARKS[framing][1]
        self.outer = Struct(f">x{size - 3}sBB")  # what is summed, the sum, the end byte
        self.inner = Struct(f">5xb{size - 8}s2x")  # RSSI, what the tag's own CRC is of


# By the head of the notice: marker, type, command, length. 96 bits are usual, and an EPC of none is possible.
SHAPES = {
    bytes((first, NOTICE, SINGLE_POLL, 0, size - AROUND)): Shape(framing, size)
    for first, framing in FRAMINGS.items()
    for size in NOTICE_SIZES
}


class Grammar:
    """`epc_crc`: the tag's own CRC-16 must be right too, 16 bits of certainty beside the 8 of the sum."""

    idle = b""
    shared = 0
    _head = re.compile(rb"[\xaa\xbb]")

    def __init__(self, *, epc_crc: bool = True) -> None:
        self._epc_crc = epc_crc

    def find(self, data: bytes, begin: int) -> int:
        if begin < len(data) and data[begin] in FRAMINGS:
            return begin
        found = self._head.search(data, begin)
        return found.start() if found else -1

    def size(self, data: bytes, begin: int) -> int:
        head = data[begin + 1 : begin + 5]
        if len(head) < 4:
            return REFUSED if head and head[0] > NOTICE else UNKNOWN
        if head[0] > NOTICE:
            return REFUSED
        return OVERSIZE if head[2] else head[3] + AROUND

    def read(self, raw: bytes) -> AnyFrame | Rejected:
        framing = FRAMINGS[raw[0]]
        if raw[-1] != MARKS[framing][1]:
            return Rejected("marker", raw)
        if sum8(raw[1:-2]) != raw[-2]:
            return Rejected("checksum", raw)
        if raw[1] != NOTICE or raw[2] != SINGLE_POLL:
            return Frame(framing, raw[1], raw[2], raw[5:-2])
        notices = self._notices(raw, 0)
        return notices[0] if notices else Rejected("checksum" if len(raw) in NOTICE_SIZES else "value", raw)

    def take(self, data: bytes, begin: int, known: dict[bytes, AnyFrame], found: list[AnyFrame | Rejected]) -> int:
        """Known frames, and good notices of tags that are new: all that comes in numbers, without a search."""
        at, last, recall = begin, len(data) - AROUND, known.get
        while at <= last:
            size = AROUND + data[at + 4]
            frame = recall(data[at : at + size])
            if frame is not None:
                found.append(frame)
                at += size
                continue
            notices = self._notices(data, at)
            if not notices:
                break
            found += notices
            behind = at + size * len(notices)
            remember_all(known, [data[begin : begin + size] for begin in range(at, behind, size)], notices)
            at = behind
        return at

    def _notices(self, data: bytes, begin: int) -> list[Notice]:
        """Good notices from `begin` on, of one size and one right behind the other.

        The checks are `sum8` and `is_crc16_genibus`, written out: this is where tags come in numbers.
        """
        found: list[Notice] = []
        first = data[begin : begin + 5]
        shape = SHAPES.get(first)
        if shape is None or begin + shape.size > len(data):
            return found
        size, end = shape.size, begin + shape.size
        most = min(len(data), begin + MOST_AT_ONCE * size) - size
        while end <= most and data[end : end + 5] == first:
            end += size
        block = data[begin:end]
        text, must_match = block.hex().upper(), self._epc_crc
        at, digits = 2 * 8, 2 * (size - 12)  # of the EPC in the text
        outer, inner = shape.outer.iter_unpack(block), shape.inner.iter_unpack(block)
        for (summed, total, mark), (rssi_dbm, coded) in zip(outer, inner, strict=True):
            if mark != shape.end or adler32(summed, 0) & 0xFF != total:
                break
            if must_match and crc_hqx(coded, 0xFFFF) != GENIBUS_REST:
                break
            found.append(Notice(shape.framing, Sighting(text[at : at + digits], rssi_dbm)))
            at += 2 * size
        return found


def scanner(*, epc_crc: bool = True) -> Scanner[AnyFrame]:
    return Scanner(Grammar(epc_crc=epc_crc))
