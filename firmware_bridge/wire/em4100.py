"""The bytes of 125 kHz readers that print EM4100 tags: RDM6300, ID-12LA, ID-20LA, EM-18. They only talk.

    STX | ten hex digits | two hex digits | ETX              RDM6300
    STX | ten hex digits | two hex digits | CR | LF | ETX    ID-12LA, ID-20LA
          ten hex digits | two hex digits                    EM-18: told apart by the silence around it

The last two digits are the exclusive or of all **five** bytes before them (over four, as some code does, good tags
fail). The digits are upper-case, so a flipped bit never turns one into another unseen.
"""

import re
from functools import reduce
from operator import xor

from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.scanner import remember

PATIENCE_NS = 40_000_000  # a byte takes 1 ms, a USB adapter holds bytes back for 16; tags are repeated no faster
DIGITS = 12
MOST_BARE = 4 * DIGITS  # digits without markers that came in one go: more is no reader
STX = b"\x02"
_FRAME = re.compile(rb"\x02([0-9A-F]{12})(?:\r\n)?\x03")
# At the end: what may become a frame, or digits without markers that are not the rest of one.
_WAITS = re.compile(rb"(?:\x02[0-9A-F]{0,12}\r?\n?|(?<![\x02\r\n0-9A-F])[0-9A-F\r\n]+)\Z")


def pack(digits: str, *, end: bytes = b"\x03", begin: bytes = STX) -> bytes:
    """A frame as a reader sends it; `digits`: ten, version byte first."""
    return begin + f"{digits}{_check(bytes.fromhex(digits)):02X}".encode() + end


class Cutter:
    """Tags of ten digits out of the stream. Keeps the beginning of a frame, or up to 48 digits, and no more."""

    def __init__(self) -> None:
        self._rest = b""
        self._last_ns = 0
        self._overrun = False  # what comes next without a pause goes on with digits that were given up
        self._known: dict[bytes, str] = {}  # reads of one frame: a tag that lies there comes again and again

    def feed(self, data: bytes, at_ns: int) -> list[str | Rejected]:
        found = self.expire(at_ns)
        self._last_ns = at_ns
        if not self._rest and not self._overrun and data in self._known:
            found.append(self._known[data])
            return found
        alone = data
        data, at = self._rest + data, 0
        for match in _FRAME.finditer(data):
            self._reject(data[at : match.start()], found)
            found.append(_checked(match[1], match[0]))
            at = match.end()
        self._keep(data[at:], found, goes_on=at == 0)
        if len(alone) == at == len(data) and len(found) == 1 and isinstance(found[0], str):
            remember(self._known, alone, found[0])
        return found

    def stale_at_ns(self) -> int | None:
        return self._last_ns + PATIENCE_NS if self._rest or self._overrun else None

    def expire(self, at_ns: int) -> list[str | Rejected]:
        return self.finish() if at_ns - self._last_ns >= PATIENCE_NS else []

    def finish(self) -> list[str | Rejected]:
        """A pause: digits without markers end here, and half a frame is none."""
        found: list[str | Rejected] = []
        rest, self._rest, self._overrun = self._rest, b"", False
        if rest.startswith(STX):
            self._reject(rest, found)
        else:
            for run in rest.split():
                _bare(run, found)
        return found

    def _keep(self, tail: bytes, found: list[str | Rejected], *, goes_on: bool) -> None:
        waits = _WAITS.search(tail)
        begin = waits.start() if waits else len(tail)
        overrun = self._overrun and goes_on and begin == 0 and not tail.startswith(STX)
        self._overrun = begin < len(tail) and (overrun or len(tail) - begin > MOST_BARE)
        if self._overrun:
            begin = len(tail)
        self._reject(tail[:begin], found)
        self._rest = tail[begin:]

    def _reject(self, raw: bytes, found: list[str | Rejected]) -> None:
        if raw.strip():
            found.append(Rejected("length" if raw.startswith(STX) else "noise", raw))


def _bare(run: bytes, found: list[str | Rejected]) -> None:
    """Frames of twelve digits one behind the other: good ones from the front, then from the back, the rest is none."""
    begin, end = 0, len(run)
    while end - begin >= DIGITS and _is_good(run[begin : begin + DIGITS]):
        found.append(run[begin : begin + DIGITS - 2].decode())
        begin += DIGITS
    while end - begin >= DIGITS and _is_good(run[end - DIGITS : end]):
        found.append(run[end - DIGITS : end - 2].decode())
        end -= DIGITS
    if begin < end:
        found.append(Rejected("checksum" if end - begin == DIGITS else "length", run[begin:end]))


def _checked(digits: bytes, raw: bytes) -> str | Rejected:
    return digits[:-2].decode() if _is_good(digits) else Rejected("checksum", raw)


def _is_good(digits: bytes) -> bool:
    return _check(bytes.fromhex(digits.decode())) == 0


def _check(data: bytes) -> int:
    return reduce(xor, data)
