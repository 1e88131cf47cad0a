"""Lines of sketches that print UIDs as text: an Arduino or ESP32 with MFRC522, PN532 or PN5180. They only talk.

    Card UID: DE AD BE EF          a label and hex, with blanks, colons, hyphens or 0x between, or nothing
    0| 0424 0F59                   a reader's number, a bar and hex; blanks mean nothing
    Reader 1: Card UID: 04 24 ..   both
    DEADBEEF                       hex alone

A line counts when it is whole and its UID is one that exists: 4, 7 or 10 bytes (ISO/IEC 14443), 8 bytes (ISO 15693, of
which some libraries print the last byte first: it is turned round when E0 stands at the wrong end). A single digit for
a whole byte is ambiguous, and refused. All other text (banners, SAK, types) says only that the board is alive.
There is no checksum: a damaged digit may name another tag, which then belongs to nobody and is seen once.
"""

import re
from functools import lru_cache
from typing import Literal

from firmware_bridge.events import Value
from firmware_bridge.wire.rejected import Rejected

PATIENCE_NS = 1_000_000_000  # a line may be printed in pieces
LONGEST = 256  # bytes of a line
KEPT = 128  # of a line that is too long: a UID may stand at its end
CARD_BYTES, ISO15693_BYTES = (4, 7, 10), 8
CASCADE = "88"  # never the first byte of a UID of 4 bytes: it says that three of them belong to a longer one

_COLOURS = re.compile(rb"\x1b\[[0-9;]*m")
_UNPRINTABLE = re.compile(rb"[^\x20-\x7e\t]")
_NUMBER = re.compile(rb"(?i)(?:\b(?:reader|antenna)\s*#?\s*(\d{1,3})\s*[:|]|(?<![0-9a-z])(\d{1,3})\s*\|)")
_LABEL = re.compile(rb"(?i)(?:uid|(?<![a-z])(?:tag|card|chip|id|hex|value))(?:\s+is)?(?![a-z])")
_HEX = re.compile(rb"[\s:=>'\"(\[#-]*((?:0[xX])?[0-9A-Fa-f]+(?:[ \t:.,-]*(?:0[xX])?[0-9A-Fa-f]+)*)")
_BYTES = re.compile(rb"(?:0[xX])?([0-9A-Fa-f]+)")
# Behind the hex: the end, or other words. A damaged digit is no word, so it never makes a long UID a short one.
_BEHIND = re.compile(rb"[\s'\")\];,.|]*(?:(?<=[\s'\")\];,.|])[(\[]?[A-Za-z]{3}.*)?\Z", re.DOTALL)


class Line(Value, frozen=True):
    """One line of text."""

    text: str
    uid: str = ""  # "": it names none
    antenna: int | None = None
    has_begin: bool = True  # False: nothing shows that its beginning was not cut off


class Cutter:
    """Lines out of a stream. Keeps one unfinished line, up to 256 bytes."""

    def __init__(self) -> None:
        self._rest = b""
        self._last_ns = 0

    def feed(self, data: bytes, at_ns: int) -> list[Line | Rejected]:
        found = self.expire(at_ns)
        self._last_ns = at_ns
        *lines, rest = re.split(rb"[\r\n]+", self._rest + data)
        for line in lines:
            _line(line, found)
        if len(rest) > LONGEST:
            found.append(Rejected("oversize", rest[:-KEPT]))
            rest = rest[-KEPT:]
        self._rest = rest
        return found

    def stale_at_ns(self) -> int | None:
        return self._last_ns + PATIENCE_NS if self._rest else None

    def expire(self, at_ns: int) -> list[Line | Rejected]:
        return self.finish() if self._rest and at_ns - self._last_ns >= PATIENCE_NS else []

    def finish(self) -> list[Line | Rejected]:
        """A line without its end may be half of one: it is none."""
        rest, self._rest = self._rest, b""
        return [Rejected("length", rest)] if rest.strip() else []


def _line(raw: bytes, found: list[Line | Rejected]) -> None:
    plain = _COLOURS.sub(b"", raw)
    if not plain.strip():
        return
    line = read(plain)
    if _UNPRINTABLE.search(plain):
        found.append(Rejected("noise", raw))
        if isinstance(line, Line) and not line.uid:
            return  # noise that looks like text does not say that a board is alive
    if isinstance(line, Line) or line.reason != "noise":
        found.append(line)


@lru_cache(maxsize=256)  # cards lie still: the same lines come again and again
def read(plain: bytes) -> Line | Rejected:
    """A line without its end: with a UID, or why what looks like one is none, or other text."""
    number, label = None, None
    for match in _NUMBER.finditer(plain):
        number = match
    for match in _LABEL.finditer(plain):
        label = match
    begin = max((match.end() for match in (number, label) if match), default=0)
    text = plain.decode("ascii", "replace").strip()
    hex_part = _HEX.match(plain, begin)
    parts = _BYTES.findall(hex_part[1]) if hex_part else []
    if not hex_part or not _is_meant(parts):
        return Line(text)
    if not _BEHIND.match(plain, hex_part.end()):
        return Rejected("value", plain) if begin else Line(text)
    if begin == 0 and plain[hex_part.end() :].strip():
        return Line(text)  # prose that begins with hex
    antenna = int(number[1] or number[2]) if number else None
    return _checked(plain, parts, Line(text, "", antenna, begin > 0))


def _is_meant(parts: list[bytes]) -> bool:
    """Whether hex is there to name a tag: several bytes of it. "Tag added" and "id 5" are words and a number."""
    return len(parts) > 1 or len(parts[0]) >= 6


def _checked(plain: bytes, parts: list[bytes], line: Line) -> Line | Rejected:
    uid = b"".join(parts).decode().upper()
    if any(len(part) % 2 for part in parts) or len(uid) // 2 not in (*CARD_BYTES, ISO15693_BYTES):
        return Rejected("length", plain)
    why = _cannot_be(uid, line.antenna)
    if why is not None:
        return Rejected(why, plain)
    return Line(line.text, _first_byte_first(uid), line.antenna, line.has_begin)


def _cannot_be(uid: str, antenna: int | None) -> Literal["value"] | None:
    """No tag: a chip that answered nothing, the first part of a longer UID, or an antenna that cannot be."""
    empty = set(uid) in ({"0"}, {"F"})
    cascade = len(uid) == 8 and uid.startswith(CASCADE)
    return "value" if empty or cascade or (antenna or 0) > 255 else None


def _first_byte_first(uid: str) -> str:
    if len(uid) == 2 * ISO15693_BYTES and uid.endswith("E0") and not uid.startswith("E0"):
        return bytes.fromhex(uid)[::-1].hex().upper()
    return uid
