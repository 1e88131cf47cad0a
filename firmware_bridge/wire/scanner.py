"""Frames with a head and a length out of a stream: find the head, slice the frame, check it, go on behind it.

A grammar knows one protocol; the scanner knows how to lose nothing:

* a frame that fails its check is reported whole, and the search goes on **one byte** behind its head, so that a good
  frame which a wrong length had swallowed is found;
* a frame that is not all there waits, but no longer than `PATIENCE_NS` without a new byte: then its head was noise;
* what lies between frames is reported as noise, and nothing is reported twice.

One unfinished frame is kept at most, and a grammar refuses lengths beyond its longest frame.

Chips and cards lie still, so the same frames come again and again: what was read once is known by its exact bytes, and
a run of known frames is taken in one go (`Grammar.take`), at a third of the cost; and a whole read that came before,
as a reader without signal strengths gives it again and again, is known as a whole.
"""

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from firmware_bridge.events import Reason
from firmware_bridge.wire.rejected import Rejected

F = TypeVar("F")
F_co = TypeVar("F_co", covariant=True)
PATIENCE_NS = (
    100_000_000  # a USB adapter may hold bytes back for 16 ms (FTDI's default), a loaded Pi for somewhat longer
)
UNKNOWN = 0  # the length has not come yet
REFUSED = -1  # no frame begins here
OVERSIZE = -2  # a head, and a length beyond the longest frame
MOST_KNOWN = 2048  # frames: 60 tags at 30 strengths; then all are read anew
MOST_READS, LONGEST_READ = 64, 1024  # whole reads that are known, and bytes of the longest of them


class Grammar(Protocol[F_co]):
    idle: bytes  # bytes that may lie between frames and are no noise
    shared: int  # bytes at the end of a frame that may be the head of the next as well

    def find(self, data: bytes, begin: int) -> int:
        """Where the next head, or the half of one at the end, lies at or behind `begin`; -1: nowhere."""

    def size(self, data: bytes, begin: int) -> int:
        """Bytes of the frame whose head lies at `begin`, UNKNOWN, REFUSED or OVERSIZE."""

    def read(self, raw: bytes) -> F_co | Rejected:
        """The frame, or why it is none."""

    def take(self, data: bytes, begin: int, known: dict[bytes, Any], found: list[Any]) -> int:
        """Add the frames from `begin` on that are known, one right behind the other, and tell where they end.

        A grammar may read a frame here that it does not know yet, if it is good, and `remember` it.
        """


class Scanner(Generic[F]):
    def __init__(self, grammar: Grammar[F]) -> None:
        self._grammar = grammar
        self._known: dict[bytes, F] = {}
        self._reads: dict[bytes, list[F | Rejected]] = {}  # good frames and nothing else, from end to end
        self._rest = b""  # begins with the head of an unfinished frame
        self._told = 0  # bytes at the front of the rest that were reported already
        self._last_ns = 0

    def feed(self, data: bytes, at_ns: int) -> list[F | Rejected]:
        if self._rest:
            return self._feed_on(data, at_ns)
        again = self._reads.get(data)
        if again is not None:
            return again.copy()
        found: list[F | Rejected] = []
        self._last_ns = at_ns
        at = self._grammar.take(data, 0, self._known, found)
        if at < len(data):
            self._scan(data, at, found, final=False)
        elif at <= LONGEST_READ:
            remember(self._reads, data, found.copy(), MOST_READS)
        return found

    def _feed_on(self, data: bytes, at_ns: int) -> list[F | Rejected]:
        """Behind an unfinished frame."""
        found = self.expire(at_ns)
        data = self._rest + data
        self._last_ns = at_ns
        at = self._grammar.take(data, 0, self._known, found) if not self._told else 0
        self._rest = b""
        if at < len(data):
            self._scan(data, at, found, final=False)
        return found

    @property
    def waits(self) -> bool:
        """Whether an unfinished frame waits for the rest of it."""
        return bool(self._rest)

    def stale_at_ns(self) -> int | None:
        """When what waits has waited long enough; None: nothing waits, or nothing that would be missed."""
        return self._last_ns + PATIENCE_NS if self._rest.strip(self._grammar.idle) else None

    def expire(self, at_ns: int) -> list[F | Rejected]:
        """Give up what has waited too long."""
        return self.finish() if self._rest and at_ns - self._last_ns >= PATIENCE_NS else []

    def finish(self) -> list[F | Rejected]:
        """Nothing more comes: what waits is no frame, though good ones may lie inside."""
        found: list[F | Rejected] = []
        self._scan(self._rest, 0, found, final=True)
        return found

    def _scan(self, data: bytes, taken: int, found: list[F | Rejected], *, final: bool) -> None:
        grammar, length = self._grammar, len(data)
        at, told = max(0, taken - grammar.shared), max(taken, self._told)  # search from `at`; before `told` all is told
        skipped: Reason = "noise"
        good = taken  # where the last good frame ends
        while (begin := grammar.find(data, at)) >= 0:
            size = grammar.size(data, begin)
            end = begin + size
            if size == UNKNOWN or end > length:
                if not final:
                    break
                size, skipped = REFUSED, "length"
            if size < 0:
                at = begin + 1
                skipped = "oversize" if size == OVERSIZE else skipped
                continue
            frame = self._read(data[begin:end])
            refused = isinstance(frame, Rejected)
            if refused and begin < told:
                at = begin + 1
                continue  # a head inside a frame that was refused already
            if begin > told:
                self._skip(skipped, data[told:begin], found)
            found.append(frame)
            if refused:
                at = begin + 1
            else:
                good = end = grammar.take(data, end, self._known, found)
                at = end - grammar.shared
            told, skipped = max(told, end), "noise"
        waits = length if begin < 0 or good == length else begin
        self._skip(skipped, data[told:waits], found)
        self._rest, self._told = data[waits:], max(0, told - waits)

    def _read(self, raw: bytes) -> F | Rejected:
        frame = self._grammar.read(raw)
        if not isinstance(frame, Rejected):
            remember(self._known, raw, frame)
        return frame

    def _skip(self, reason: Reason, raw: bytes, found: list[F | Rejected]) -> None:
        if raw.strip(self._grammar.idle):
            found.append(Rejected(reason, raw))


def remember(known: dict[bytes, F], raw: bytes, frame: F, most: int = MOST_KNOWN) -> None:
    """Know a frame by its bytes from now on; of too many all are forgotten."""
    if len(known) >= most:
        known.clear()
    known[raw] = frame


def remember_all(known: dict[bytes, F], raws: Sequence[bytes], frames: Sequence[F]) -> None:
    if len(known) + len(raws) > MOST_KNOWN:
        known.clear()
    known.update(zip(raws, frames, strict=True))
