"""The bytes of ThingMagic / JADAK M5e, M6e, M7e modules and Silion clones, both directions.

    FF | length | code | data | CRC                from the host; length: that of the data
    FF | length | code | status | data | CRC       from the module; status: two bytes, 0000 is good
     1     1       1       2              2

The CRC is the register of CRC-16/CCITT fed without the sixteen zero bits that usually follow, over length to data, high
byte first. No byte is escaped and FF is frequent, so a frame is taken by its length and its CRC. Both directions begin
alike: what is good as a frame of the host is one (an echo, a recording of both), and says nothing about tags.

Tags come in records: metadata by flags, then the length of PC, EPC and tag CRC **in bits**. An EPC may be empty. Frames
are in `tests/data/frames.json`; their meaning follows public dumps and the vendor's published interface.
"""

from binascii import crc_hqx
from typing import Any

from firmware_bridge.errors import FrameError
from firmware_bridge.events import Sighting, Value
from firmware_bridge.wire.checksums import crc16_genibus, is_crc16_genibus
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.scanner import OVERSIZE, REFUSED, UNKNOWN, Scanner

HEAD = 0xFF
VERSION, BOOT, BAUD, LOADER = 0x03, 0x04, 0x06, 0x09
READ_SINGLE, SEARCH, GET_BUFFER, CLEAR_BUFFER, CONTINUOUS = 0x21, 0x22, 0x29, 0x2A, 0x2F
ANTENNAS, POWER, PROTOCOL, REGION, OPTION, GEN2_OPTION = 0x91, 0x92, 0x93, 0x97, 0x9A, 0x9B
AROUND_COMMAND, AROUND_ANSWER = 5, 7
CODES = (
    0x0,
    0x1,
    0x2,
    0x3,
    0x6,
    0x7,
    0x9,
    0xC,
)  # upper halves of all codes that exist: a CRC alone passes one in 65536
LONGEST = 250  # bytes of data: all that a module takes or gives

# Data of commands, each as published or as the vendor's interface has it.
STOP = bytes.fromhex("0000 02")
STREAM = bytes.fromhex("0000 01 22 0000 05 07 22 10 001B 03E8 01FF")
GEN2 = bytes.fromhex("0005")
READ_FILTER_OFF = bytes.fromhex("01 0C 00")  # else a tag is told once, and then no more while it lies there
SEARCH_FLAGS = bytes.fromhex("00 0013")  # no select; antennas of the list, and as many tags as there are

READS, RSSI, ANTENNA, FREQUENCY, TIME, PHASE, AIR, DATA, PINS = (1 << n for n in range(9))
METADATA = READS | RSSI | ANTENNA | AIR  # what is asked for; 22 bytes a tag where all would be 33
ALL_METADATA = 0x1FF

OK, NO_TAGS = 0x0000, 0x0400
UNKNOWN_COMMAND, NOT_IMPLEMENTED, NO_REGION = 0x0101, 0x0102, 0x010B
NO_PROTOCOL, WRONG_PROTOCOL, NO_FREQUENCY = 0x0401, 0x0402, 0x0500
NO_ANTENNA, HOT, RETURN_LOSS, WRONG_ANTENNA = 0x0503, 0x0504, 0x0505, 0x0507
BUFFER_END, BUFFER_FULL = 0x0600, 0x0601
ERRORS = {
    0x0100: "the module got a command of the wrong length",
    UNKNOWN_COMMAND: "the module does not know this command, or is still in its boot loader",
    NOT_IMPLEMENTED: "this module cannot do this",
    0x0103: "more power than the module can give: lower power_dbm",
    0x0105: "a parameter that the module does not take",
    0x0106: "less power than the module can give: raise power_dbm",
    0x0109: "this firmware cannot do this",
    NO_REGION: "no region, or one that the module does not know: set the option region",
    NO_TAGS: "no tag found",
    NO_PROTOCOL: "no air protocol is set: the module has lost its settings",
    WRONG_PROTOCOL: "the module does not know this air protocol",
    0x0405: "the radio was switched off",
    NO_FREQUENCY: "no frequency that is allowed here: set the option region",
    0x0501: "all channels are occupied by others",
    0x0502: "the transmitter was on already",
    NO_ANTENNA: "no antenna on this port",
    HOT: "too hot: the module sends less, or not at all, until it has cooled",
    RETURN_LOSS: "the antenna sends the power back: loose, broken, or of another frequency",
    WRONG_ANTENNA: "the module has no port of this number",
    BUFFER_END: "fewer tags in the buffer than the module said",
    BUFFER_FULL: "more tags than the buffer of the module holds",
    0x7F00: "the module's firmware has failed",
}
REGIONS = {
    "us": 0x01,
    "eu": 0x02,
    "kr": 0x03,
    "in": 0x04,
    "jp": 0x05,
    "cn": 0x06,
    "eu3": 0x08,
    "kr2": 0x09,
    "au": 0x0B,
    "nz": 0x0C,
    "us2": 0x0D,
    "open": 0xFF,
}


class Command(Value, frozen=True):
    """A frame from the host."""

    code: int
    data: bytes


class Answer(Value, frozen=True):
    """Any good frame from the module but tags."""

    code: int
    status: int
    data: bytes


class Seen(Value, frozen=True):
    antenna: int  # 0: the module did not tell
    sighting: Sighting


class Tags(Value, frozen=True):
    """Records of tags: one that was streamed as it was read, or some of the buffer."""

    streamed: bool
    seen: tuple[Seen, ...]


AnyFrame = Command | Answer | Tags


def command(code: int, data: bytes = b"") -> bytes:
    """A frame from the host."""
    return _pack(len(data), bytes((code,)) + data)


def answer(code: int, data: bytes = b"", status: int = OK) -> bytes:
    """A frame from the module."""
    return _pack(len(data), bytes((code,)) + status.to_bytes(2) + data)


def search(milliseconds: int) -> bytes:
    """Data of SEARCH: read into the buffer for so long, with the antennas of the list."""
    return SEARCH_FLAGS + milliseconds.to_bytes(2)


def get_buffer(metadata: int = METADATA) -> bytes:
    """Data of GET_BUFFER: the next records, each once."""
    return metadata.to_bytes(2) + b"\0"


def antenna_list(*antennas: int) -> bytes:
    """Data of ANTENNAS: ports in the order of their search, each sends and receives."""
    return b"\2" + bytes(port for antenna in antennas for port in (antenna, antenna))


def record(epc: bytes, rssi_dbm: int = -60, antenna: int = 1, metadata: int = METADATA) -> bytes:
    """One tag as the module tells it, with those of the metadata that the flags name."""
    coded = (len(epc) // 2 << 11).to_bytes(2) + epc
    told = {
        READS: b"\1",
        RSSI: max(-128, min(127, rssi_dbm)).to_bytes(1, signed=True),
        ANTENNA: bytes((antenna << 4 | antenna,)),
        FREQUENCY: (902_750).to_bytes(3),
        TIME: bytes(4),
        PHASE: bytes(2),
        AIR: b"\5",
        DATA: bytes(2),
        PINS: b"\0",
    }
    head = b"".join(data for flag, data in told.items() if metadata & flag)
    return head + (8 * (len(coded) + 2)).to_bytes(2) + coded + crc16_genibus(coded).to_bytes(2)


def buffered(records: list[bytes], metadata: int = METADATA) -> bytes:
    """Answer to GET_BUFFER."""
    return answer(GET_BUFFER, metadata.to_bytes(2) + bytes((0, len(records))) + b"".join(records))


def streamed(told: bytes) -> bytes:
    """A record as it comes while the module reads on and on; with all metadata."""
    return answer(SEARCH, bytes.fromhex("10 001B 01FF 01") + told)


def searched(count: int) -> bytes:
    """Answer to SEARCH: so many tags are in the buffer."""
    return answer(SEARCH, SEARCH_FLAGS + count.to_bytes(4)) if count else answer(SEARCH, status=NO_TAGS)


def count_of(data: bytes) -> int | None:
    """How many tags an answer to SEARCH counts: one byte or four, behind the flags and maybe a byte more."""
    match len(data):
        case 1 | 4 | 5:
            return data[-1]
        case 7 | 8:
            return int.from_bytes(data[-4:])
        case _:
            return None


def is_good(frame: bytes) -> bool:
    """Whether the CRC of a frame of either direction is right.

    A register that starts with 1D0F gives after n bytes what one that starts with FFFF gives after n + 2 less the
    exclusive or of the last two (measured on every frame known and on random ones).
    """
    return crc_hqx(frame[1:-4], 0x1D0F) ^ int.from_bytes(frame[-4:-2]) == int.from_bytes(frame[-2:])


def _is_there(data: bytes, begin: int, size: int) -> bool:
    return len(data) >= begin + size and is_good(data[begin : begin + size])


class Grammar:
    """`epc_crc`: the tag's own CRC-16 must be right too; an M5e leaves out the PC that it covers."""

    idle = b""
    shared = 0

    def __init__(self, *, epc_crc: bool = True) -> None:
        self._epc_crc = epc_crc

    def find(self, data: bytes, begin: int) -> int:
        return data.find(HEAD, begin)

    def size(self, data: bytes, begin: int) -> int:
        if len(data) < begin + 3:
            return UNKNOWN
        if data[begin + 2] >> 4 not in CODES:
            return REFUSED
        if data[begin + 1] > LONGEST:
            return OVERSIZE
        size = data[begin + 1] + AROUND_ANSWER
        of_host = _is_there(data, begin, size - 2) and not _is_there(data, begin, size)
        return size - 2 if of_host else size

    def read(self, raw: bytes) -> AnyFrame | Rejected:
        if not is_good(raw):
            return Rejected("checksum", raw)
        if len(raw) == raw[1] + AROUND_COMMAND:
            return Command(raw[2], raw[3:-2])
        status, data = int.from_bytes(raw[3:5]), raw[5:-2]
        tags: Tags | None = None
        if status == OK and raw[2] == SEARCH and len(data) > 6 and data[0] & 0x10 and data[5] == 1:
            tags = self._records(data[6:], int.from_bytes(data[3:5]), 1, streamed=True)
        elif status == OK and raw[2] == GET_BUFFER and len(data) >= 4:
            tags = self._records(data[4:], int.from_bytes(data[:2]), data[3], streamed=False)
        else:
            return Answer(raw[2], status, data)
        return Rejected("value", raw) if tags is None else tags

    def take(self, data: bytes, begin: int, known: dict[bytes, AnyFrame], found: list[Any]) -> int:
        at, last = begin, len(data) - AROUND_ANSWER
        while at <= last:
            end = at + AROUND_ANSWER + data[at + 1]
            frame = known.get(data[at:end])
            if frame is None:
                break
            found.append(frame)
            at = end
        return at

    def _records(self, data: bytes, metadata: int, count: int, *, streamed: bool) -> Tags | None:
        """None: they do not fill the frame, or a tag's own CRC is wrong."""
        seen, at = [], 0
        for _ in range(count):
            at, told, coded = _record(data, at, metadata)
            if len(coded) < 4 or (self._epc_crc and not is_crc16_genibus(coded)):
                return None
            rssi, antenna = told
            seen.append(Seen(antenna, Sighting(coded[2:-2].hex().upper(), rssi)))
        return Tags(streamed, tuple(seen)) if at == len(data) else None


_SIZES = {READS: 1, RSSI: 1, ANTENNA: 1, FREQUENCY: 3, TIME: 4, PHASE: 2, AIR: 1, DATA: 2, PINS: 1}


def _record(data: bytes, at: int, metadata: int) -> tuple[int, tuple[int | None, int], bytes]:
    """Where it ends, its RSSI and antenna, and PC, EPC and CRC; b"" if it is cut."""
    rssi: int | None = None
    antenna = 0
    for flag, size in _SIZES.items():
        if not metadata & flag:
            continue
        field = data[at : at + size]
        at += size
        if flag == RSSI:
            rssi = int.from_bytes(field, signed=True)
        elif flag == ANTENNA and field:
            antenna = field[0] >> 4
        elif flag == DATA:
            at += (int.from_bytes(field) + 7) // 8
    end = at + 2 + (int.from_bytes(data[at : at + 2]) + 7) // 8
    return end, (rssi, antenna), data[at + 2 : end] if end <= len(data) else b""


def scanner(*, epc_crc: bool = True) -> Scanner[AnyFrame]:
    return Scanner(Grammar(epc_crc=epc_crc))


def _pack(length: int, inner: bytes) -> bytes:
    if length > LONGEST:
        raise FrameError(f"{length} bytes of data are more than {LONGEST}")
    inner = bytes((length,)) + inner
    register = crc_hqx(inner[:-2], 0x1D0F) ^ int.from_bytes(inner[-2:])
    return bytes((HEAD,)) + inner + register.to_bytes(2)
