"""What tablelink learned later: asking for tags by address, the health of a radio, what a reader can, and its upkeep.

Types of their own, so that a reader or a host that does not know them skips them. `firmware_bridge/protocol.md` draws
every byte; framing and the first types are in `tablelink.py`.
"""

import struct
from struct import Struct

from firmware_bridge.errors import FrameError
from firmware_bridge.events import Value

ANSWERS, HEALTH, CAN, ASK, MAINTAIN = 0x05, 0x06, 0x07, 0x83, 0x84
MOST_ASKED = 60  # tags of one `ask`: a reader need not keep more
MAX_TAG = 62
_ANSWERS = Struct(">BHHB")  # antenna, age ms, length ms, tags
_HEALTH = Struct(">BHHHHHHB")
_HOT = 1


class Answers(Value, frozen=True):
    """Reader to host: the tags of one `ask`, and which of them answered. Absence here is counted, not concluded."""

    antenna: int
    age_ms: int
    length_ms: int
    present: tuple[str, ...]
    absent: tuple[str, ...]


class Health(Value, frozen=True):
    """Reader to host: how the radio of an antenna fares. Counters since boot, modulo 65536."""

    antenna: int
    collisions: int  # slots in which more than one tag spoke
    noise: int  # what could not be told apart even by all bits
    retries: int  # tags that were asked twice
    lost: int  # transactions with the chip that ended in vain
    level: int  # of the receiver's gain control, on the chip's own scale; not dBm
    worst_us: int  # slowest transaction with the chip since the last `health`
    hot: bool


class Can(Value, frozen=True):
    """Reader to host, behind `hello`: the types that it knows. Who never says so knows 01 to 04, 81 and 82."""

    types: tuple[int, ...]


class Ask(Value, frozen=True):
    """Host to reader: are these tags on this antenna? A new one takes the place of one that waits."""

    antenna: int
    tags: tuple[str, ...]


class Maintain(Value, frozen=True):
    """Host to reader: fields off, and leave the loop; 0: to its prompt, 1: to its bootloader."""

    mode: int


Later = Answers | Health | Can | Ask | Maintain


def body_of(frame: Later) -> tuple[int, bytes]:
    """Type and body. `FrameError` where the wire cannot carry it."""
    try:
        return _body(frame)
    except (struct.error, ValueError) as error:
        raise FrameError(f"{frame} does not fit its frame: {error}") from error


def _body(frame: Later) -> tuple[int, bytes]:
    match frame:
        case Answers(antenna, age_ms, length_ms, present, absent):
            ages = min(age_ms, 0xFFFF), min(length_ms, 0xFFFF)
            tags = [_tag(tag) + b"\1" for tag in present] + [_tag(tag) + b"\0" for tag in absent]
            return ANSWERS, _ANSWERS.pack(antenna, *ages, len(tags)) + b"".join(tags)
        case Health(antenna, collisions, noise, retries, lost, level, worst_us, hot):
            counts = [count & 0xFFFF for count in (collisions, noise, retries, lost)]
            return HEALTH, _HEALTH.pack(antenna, *counts, level, min(worst_us, 0xFFFF), _HOT if hot else 0)
        case Can(types):
            return CAN, bytes((len(types), *types))
        case Ask(antenna, tags):
            if len(tags) > MOST_ASKED:
                raise FrameError(f"{len(tags)} tags cannot be asked for at once: {MOST_ASKED} at most")
            return ASK, bytes((antenna, len(tags))) + b"".join(map(_tag, tags))
        case Maintain(mode):
            return MAINTAIN, bytes((mode,))


def read(kind: int, body: bytes) -> Later | None:
    """The frame of a type of this file; None: its body cannot be."""
    match kind:
        case 0x05:
            return _read_answers(body)
        case 0x06 if len(body) == _HEALTH.size:
            antenna, collisions, noise, retries, lost, level, worst_us, flags = _HEALTH.unpack(body)
            return Health(antenna, collisions, noise, retries, lost, level, worst_us, bool(flags & _HOT))
        case 0x07 if body and body[0] == len(body) - 1:
            return Can(tuple(body[1:]))
        case 0x83:
            tags = _read_tags(body[2:], body[1], 0) if len(body) >= 2 and body[0] else None
            return None if tags is None else Ask(body[0], tuple(tag for tag, _ in tags))
        case 0x84 if len(body) == 1:
            return Maintain(body[0])
        case _:
            return None


def _read_answers(body: bytes) -> Answers | None:
    if len(body) < _ANSWERS.size or not body[0]:
        return None
    antenna, age_ms, length_ms, count = _ANSWERS.unpack_from(body)
    tags = _read_tags(body[_ANSWERS.size :], count, 1)
    if tags is None:
        return None
    present, absent = (tuple(tag for tag, here in tags if bool(here) is wanted) for wanted in (True, False))
    return Answers(antenna, age_ms, length_ms, present, absent)


def _read_tags(block: bytes, count: int, more: int) -> list[tuple[str, int]] | None:
    """So many tags, each with what stands in the `more` bytes behind it; None: that is not what the block holds."""
    found, at = [], 0
    for _ in range(count):
        size = block[at] if at < len(block) else 0
        end = at + 1 + size
        if not 0 < size <= MAX_TAG or end + more > len(block):
            return None
        found.append((block[at + 1 : end].hex().upper(), block[end] if more else 0))
        at = end + more
    return found if at == len(block) else None


def _tag(digits: str) -> bytes:
    tag = bytes.fromhex(digits)
    if not 0 < len(tag) <= MAX_TAG:
        raise FrameError(f"tag {digits!r} cannot be sent: 1 to {MAX_TAG} bytes in hex are needed")
    return bytes((len(tag),)) + tag
