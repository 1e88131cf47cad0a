"""The bytes of FEIG OBID i-scan readers (ISO 15693), both directions.

    length | address | control | status | data... | CRC            a standard frame; the host's has no status
    02 | length hi lo | address | control | status | data... | CRC      an advanced frame, for long answers
       1         2         1         1         1                2

The length is that of the whole frame, itself included, so 02 is no length of a standard frame and the first byte tells
the two apart. The CRC is CRC-16/MCRF4XX over all before it, low byte first. Address FF is that of any reader, and no
reader answers with it. Sources: manuals MR200 H40801-5e and MR/PR/PRH101 H60301-3e, LRU3000 for the advanced frame;
frames of both are in `tests/data/frames.json`.
"""

import re

from firmware_bridge.errors import FrameError
from firmware_bridge.events import Sighting, Value
from firmware_bridge.wire.checksums import crc16_mcrf4xx, is_crc16_mcrf4xx
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.scanner import OVERSIZE, REFUSED, UNKNOWN, Scanner

STX = 0x02
EVERYBODY = 0xFF
DETECT, RESET, VERSION, RF_RESET, WRITE_CONFIG, HOST_COMMAND = 0x52, 0x63, 0x65, 0x69, 0x81, 0xB0
INVENTORY = b"\x01"
FRESH, MORE = b"\x00", b"\x80"  # MODE of an inventory: begin anew, or fetch what did not fit
ISO15693 = 0x03
OK, NO_TRANSPONDER, TAG_CRC, RF_ERROR, MORE_DATA, TAG_ERROR = 0x00, 0x01, 0x02, 0x83, 0x94, 0x95
WITH_DATA = (OK, RF_ERROR, 0x84, 0x93, MORE_DATA, TAG_ERROR)  # MR200 p. 85: data follow no other status
SHORTEST, LONGEST_STANDARD, LONGEST = 5, 255, 2600  # an inventory of 255 tags has 2559 bytes
SET = 10  # bytes of a tag: type, DSFID, UID
MOST_SETS = (LONGEST_STANDARD - 7) // SET  # 24 tags in a standard frame
ERRORS = {
    NO_TRANSPONDER: "no transponder answered",
    TAG_CRC: "the answer of a transponder had a wrong CRC: two tags too close, or noise",
    0x03: "write failed",
    0x04: "address beyond the memory of the transponder",
    0x05: "the transponder does not know this command",
    0x10: "the reader's EEPROM has failed",
    0x11: "a parameter is out of its range",
    0x80: "the reader does not know this command",
    0x81: "the length of the command is wrong for this reader",
    0x82: "this command is not available in the reader's present mode: switch scan mode off",
    RF_ERROR: "radio communication with the transponder broke off",
    0x84: "the reader warns of its antenna or of noise",
    0x93: "the reader's buffer is full",
    MORE_DATA: "more data wait in the reader",
    TAG_ERROR: "the transponder answered with an error",
}


class Frame(Value, frozen=True):
    """A frame of the reader (with a status), or of the host (status None)."""

    advanced: bool
    address: int
    control: int
    status: int | None
    data: bytes = b""


class Inventory(Value, frozen=True):
    """Answer to an inventory: tags that were read, and whether the reader has more of them."""

    status: int
    sightings: tuple[Sighting, ...] = ()


AnyFrame = Frame | Inventory


def pack(address: int, inner: bytes, *, advanced: bool = False) -> bytes:
    """A frame of what follows the address. `FrameError`: longer than the frame can be."""
    size = len(inner) + (6 if advanced else 4)
    if size > (LONGEST if advanced else LONGEST_STANDARD):
        raise FrameError(f"{size} bytes are more than an OBID frame of this kind holds")
    head = bytes((STX,)) + size.to_bytes(2) if advanced else bytes((size,))
    body = head + bytes((address,)) + inner
    return body + crc16_mcrf4xx(body).to_bytes(2, "little")


def command(control: int, data: bytes = b"", address: int = EVERYBODY, *, advanced: bool = False) -> bytes:
    """A frame from the host."""
    return pack(address, bytes((control,)) + data, advanced=advanced)


def answer(control: int, status: int = OK, data: bytes = b"", address: int = 0, *, advanced: bool = False) -> bytes:
    """A frame from the reader."""
    return pack(address, bytes((control, status)) + data, advanced=advanced)


def tag_sets(uids: tuple[str, ...]) -> bytes:
    """Data of an inventory's answer: the number of tags, then type, DSFID and UID of each."""
    return bytes((len(uids),)) + b"".join(bytes((ISO15693, 0)) + bytes.fromhex(uid) for uid in uids)


class Grammar:
    idle = b""
    shared = 0
    _head = re.compile(rb"[^\x00\x01\x03\x04]")

    def find(self, data: bytes, begin: int) -> int:
        found = self._head.search(data, begin)
        return found.start() if found else -1

    def size(self, data: bytes, begin: int) -> int:
        if data[begin] != STX:
            return data[begin]
        if len(data) - begin < 3:
            return UNKNOWN
        size = int.from_bytes(data[begin + 1 : begin + 3])
        if size < SHORTEST + 2:
            return REFUSED
        return size if size <= LONGEST else OVERSIZE

    def read(self, raw: bytes) -> AnyFrame | Rejected:
        if not is_crc16_mcrf4xx(raw):
            return Rejected("checksum", raw)
        advanced = raw[0] == STX
        inner = raw[3:-2] if advanced else raw[1:-2]
        address, control, rest = inner[0], inner[1], inner[2:]
        if address == EVERYBODY or not rest:
            return Frame(advanced, address, control, None, rest)
        frame = Frame(advanced, address, control, rest[0], rest[1:])
        return _inventory(frame, raw) if control == HOST_COMMAND else frame

    def take(self, data: bytes, begin: int, known: dict[bytes, AnyFrame], found: list[AnyFrame | Rejected]) -> int:
        at, last = begin, len(data) - SHORTEST
        while at <= last:
            end = at + (data[at] if data[at] != STX else int.from_bytes(data[at + 1 : at + 3]))
            frame = known.get(data[at:end])
            if frame is None:
                break
            found.append(frame)
            at = end
        return at


def scanner() -> Scanner[AnyFrame]:
    return Scanner(Grammar())


def _inventory(frame: Frame, raw: bytes) -> AnyFrame | Rejected:
    """What control B0 tells: tags, none, or an error. Status 01 with data is the host's own inventory, echoed."""
    status = OK if frame.status is None else frame.status
    if status not in WITH_DATA and frame.data:
        return Frame(frame.advanced, frame.address, frame.control, None, bytes((status,)) + frame.data)
    if status == NO_TRANSPONDER:
        return Inventory(status)
    if status not in (OK, MORE_DATA):
        return frame
    data = frame.data
    if not data or len(data) != 1 + data[0] * SET or any(kind != ISO15693 for kind in data[1::SET]):
        return Rejected("value", raw)
    uids = (data[at : at + 8] for at in range(3, len(data), SET))
    return Inventory(status, tuple(Sighting(uid.hex().upper()) for uid in uids))
