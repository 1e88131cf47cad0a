"""The bytes of the NXP PN532 on its high speed UART, both directions (UM0701-02, 6.2.1; 7.3.5 and 7.3.13 for targets).

    00 00 FF | LEN | LCS | TFI  data... | DCS | 00              TFI D4 from the host, D5 from the chip
    00 00 FF | FF FF | LENM LENL | LCS | TFI  data... | DCS | 00                          more than 255 bytes
    00 00 FF | 00 FF | 00   ACK       00 00 FF | FF 00 | 00   NACK       TFI 7F: the error frame

LEN counts TFI and data; LEN + LCS is 0, TFI + data + DCS is 0, both modulo 256. Any number of zeros may come before
`00 FF`, so that is the head; the 00 behind is part of the frame. The answer to command c has the code c + 1.
"""

from functools import lru_cache

from firmware_bridge.errors import FrameError
from firmware_bridge.events import Value
from firmware_bridge.wire.checksums import complement8, sum8
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.scanner import OVERSIZE, REFUSED, UNKNOWN, Scanner, remember

ACK = bytes.fromhex("0000FF00FF00")  # from the host it aborts the running command
NACK = bytes.fromhex("0000FFFF0000")  # asks for the last response again
SYNTAX_ERROR = bytes.fromhex("0000FF01FF7F8100")
HOST, CHIP, ERROR = 0xD4, 0xD5, 0x7F
DIAGNOSE, FIRMWARE, SAM, RF, DATA_EXCHANGE, DESELECT, LIST, AUTO_POLL = 0, 0x02, 0x14, 0x32, 0x40, 0x44, 0x4A, 0x60
SAM_NORMAL = b"\x01"
FIELD_OFF = b"\x01\x00"  # item 1
FINITE_RETRIES = b"\x05\x01\x00\x01"  # item 5; by default the chip waits for a card for ever
TWO_TYPE_A = b"\x02\x00"  # at most two targets, 106 kbit/s type A
LONGEST = 265  # TFI and 264 bytes of data
UID_SIZES = (4, 7, 10)
LISTS = (LIST + 1, AUTO_POLL + 1)  # codes of the responses that list cards
HAS_ATS = 0x20  # in SEL_RES: the card speaks ISO14443-4
TYPE_A_KINDS = (0x00, 0x10, 0x20)  # of InAutoPoll: generic 106 kbit/s A, MIFARE, ISO14443-4A


class Acknowledged(Value, frozen=True):
    """ACK, or with `again` NACK."""

    again: bool = False


class Frame(Value, frozen=True):
    """A command (TFI D4), a response (D5) or the error frame (7F, code 0)."""

    tfi: int
    code: int
    data: bytes


class Target(Value, frozen=True):
    uid: str  # upper-case hex
    sens_res: int = 0x0004
    sel_res: int = 0x08
    ats: bytes = b""  # with its length byte


class Listed(Value, frozen=True):
    """Response to InListPassiveTarget or InAutoPoll: the cards of one poll."""

    targets: tuple[Target, ...]


AnyFrame = Acknowledged | Frame | Listed


def pack(tfi: int, code: int, data: bytes = b"") -> bytes:
    inner = bytes((tfi, code)) + data
    if len(inner) > LONGEST:
        raise FrameError(f"{len(data)} data bytes are more than the {LONGEST - 2} of a PN532 frame")
    size = bytes((len(inner),)) if len(inner) < 256 else b"\xff\xff" + len(inner).to_bytes(2)
    lcs = complement8(size[-2:]) if len(size) > 1 else complement8(size)
    return b"\0\0\xff" + size + bytes((lcs,)) + inner + bytes((complement8(inner), 0))


@lru_cache(maxsize=64)  # a driver sends the same few for ever
def command(code: int, data: bytes = b"") -> bytes:
    """A frame from the host."""
    return pack(HOST, code, data)


def response(code: int, data: bytes = b"") -> bytes:
    """A frame from the chip: the response to command `code`."""
    return pack(CHIP, code + 1, data)


def listed(targets: tuple[Target, ...]) -> bytes:
    """The chip's response to InListPassiveTarget."""
    return response(LIST, bytes((len(targets),)) + b"".join(bytes((n,)) + _coded(t) for n, t in enumerate(targets, 1)))


def wake_up(frame: bytes, zeros: int = 12) -> bytes:
    """A frame behind the bytes that wake the chip from its sleep, in one write: the zeros are a long preamble."""
    return b"\x55\x55" + bytes(zeros) + frame


class Grammar:
    idle = b"\0\x55"
    shared = 1  # noise can look like a frame that ends with the first zeros of a good one

    def find(self, data: bytes, begin: int) -> int:
        found = data.find(b"\0\xff", begin)
        half = len(data) - 1
        return half if found < 0 and half >= begin and not data[half] else found

    def size(self, data: bytes, begin: int) -> int:
        if len(data) < begin + 4:
            return UNKNOWN
        length, lcs = data[begin + 2], data[begin + 3]
        if not length + lcs & 0xFF:
            return length + 6 if length else REFUSED
        if length == lcs == 0xFF:
            return _extended_size(data[begin + 2 : begin + 7])
        return 5 if length + lcs == 0xFF and not (length and lcs) else REFUSED

    def read(self, raw: bytes) -> AnyFrame | Rejected:
        if raw[-1]:
            return Rejected("marker", raw)
        if len(raw) == 5:
            return Acknowledged(again=raw[2] == 0xFF)
        begin = 7 if raw[2] == raw[3] == 0xFF else 4
        if sum8(raw[begin:-1]):
            return Rejected("checksum", raw)
        tfi, code = raw[begin], raw[begin + 1]
        if tfi == ERROR:
            return Frame(ERROR, 0, raw[begin + 1 : -2])
        if tfi not in (HOST, CHIP) or len(raw) < begin + 4:
            return Rejected("value", raw)
        if tfi == CHIP and code in LISTS:
            return _listed(code, raw[begin + 2 : -2]) or Rejected("value", raw)
        return Frame(tfi, code, raw[begin + 2 : -2])

    def take(self, data: bytes, begin: int, known: dict[bytes, AnyFrame], found: list[AnyFrame | Rejected]) -> int:
        """Known and good new frames, each behind a preamble of one byte more than its head."""
        at, last, recall = begin, len(data) - 6, known.get
        while at <= last and not data[at]:
            size = data[at + 3]
            raw = data[at + 1 : at + size + 7] if size else data[at + 1 : at + 6]  # an ACK has no length
            frame = recall(raw)
            if frame is None:
                read = self.read(raw) if raw[:2] == b"\0\xff" and self.size(raw, 0) == len(raw) else None
                if read is None or isinstance(read, Rejected):
                    break
                frame = read
                remember(known, raw, frame)
            found.append(frame)
            at += 1 + len(raw)
        return at


def scanner() -> Scanner[AnyFrame]:
    return Scanner(Grammar())


def _extended_size(head: bytes) -> int:
    if len(head) < 5:
        return UNKNOWN
    length = int.from_bytes(head[2:4])
    if not length or sum8(head[2:5]):
        return REFUSED
    return length + 9 if length <= LONGEST else OVERSIZE


def _listed(code: int, data: bytes) -> Listed | None:
    """The cards of a response; None where it cannot be one."""
    try:
        return Listed(_list_targets(data) if code == LIST + 1 else _poll_targets(data))
    except (IndexError, ValueError):
        return None


def _list_targets(data: bytes) -> tuple[Target, ...]:
    found, at = [], 1
    for _ in range(data[0]):
        target, at = _target(data, at + 1)  # behind the target's number
        found.append(target)
    if at != len(data):
        raise ValueError(at)
    return tuple(found)


def _poll_targets(data: bytes) -> tuple[Target, ...]:
    """Each target is its type, its length, and the same data as in a list; other types than A have no UID of a card."""
    found, at = [], 1
    for _ in range(data[0]):
        kind, end = data[at], at + 2 + data[at + 1]
        if kind in TYPE_A_KINDS:
            target, after = _target(data[:end], at + 3)
            if after != end:
                raise ValueError(at)
            found.append(target)
        at = end
    if at != len(data):
        raise ValueError(at)
    return tuple(found)


def _target(data: bytes, at: int) -> tuple[Target, int]:
    """The target whose SENS_RES is at `at`, and where it ends. ValueError or IndexError: it cannot be one."""
    sel_res, size = data[at + 2], data[at + 3]
    end = at + 4 + size
    if size not in UID_SIZES or end > len(data):
        raise ValueError(at)
    uid, sens_res = data[at + 4 : end].hex().upper(), data[at] << 8 | data[at + 1]
    if not sel_res & HAS_ATS:
        return Target(uid, sens_res, sel_res), end
    after = end + data[end]
    if after > len(data) or after == end:
        raise ValueError(at)
    return Target(uid, sens_res, sel_res, data[end:after]), after


def _coded(target: Target) -> bytes:
    uid = bytes.fromhex(target.uid)
    if len(uid) not in UID_SIZES or bool(target.sel_res & HAS_ATS) != bool(target.ats):
        raise FrameError(f"{target} cannot be sent: a UID has 4, 7 or 10 bytes, an ATS goes with bit 20 of SEL_RES")
    return target.sens_res.to_bytes(2) + bytes((target.sel_res, len(uid))) + uid + target.ats
