"""What drivers of readers that only talk have in common: nobody asks them, and nothing tells the end of a round.

    nothing heard ----anything read----> alive        (nothing heard for SILENT_NS: told as lost, once)

While nothing was heard, nothing is known: the reader may have no power, or the wrong baud rate. From the first good
line on a round is what came within `round_ms`, and silence then means that nothing lies there. That a reader died since
cannot be told from an empty antenna: therefore such readers are refused for trays, where a wrong "gone" costs a ruling.
Most of them say a tag again and again while it lies there; of one that says it once, absence is never told.
"""

from typing import Generic, TypeVar

from firmware_bridge.drivers.base import Cutter, Outgoing
from firmware_bridge.drivers.options import LineOptions, Ms
from firmware_bridge.events import Out, ReaderLost, ReaderUp, ScanRound, Sighting
from firmware_bridge.wire.rejected import Rejected

F = TypeVar("F")
MS = 1_000_000
SILENT_NS = 3000 * MS  # nothing at all since the port was opened: a board that DTR has reset needs two seconds to speak
MOST_TAGS = 64  # of one antenna in one round


class TimedOptions(LineOptions, frozen=True):
    round_ms: Ms = 500  # longer than the time between two reports of a tag that lies still
    repeats: bool = True  # false: it says a tag once, when it comes; then only presence is told, never absence
    trust_silence: bool = False  # true: silence means empty from the start, before anything was heard


class Timed(Outgoing, Generic[F]):
    """A reader that talks by itself. A family adds its cutter and what it finds."""

    ends_rounds = False  # nothing on its wire says that a round is over
    family = "reader"

    def __init__(self, reader: str, antennas: tuple[int, ...], options: TimedOptions) -> None:
        super().__init__(reader, options.settings)
        self._timing = options
        self._configured = antennas
        self._begin(0)

    # ------------------------------------------------------------ what a family adds

    def _new_cutter(self) -> Cutter[F]:
        raise NotImplementedError

    def _take_item(self, item: F, at_ns: int) -> None:
        raise NotImplementedError

    def _at_end(self, at_ns: int) -> None:
        """The input ends: what a family still holds back."""

    # ------------------------------------------------------------ the interface of a driver

    def _begin(self, at_ns: int) -> None:
        self._cutter = self._new_cutter()
        self._rounds: dict[int, dict[str, Sighting]] = {antenna: {} for antenna in self._configured}
        self._damaged = self._alive = self._told_silent = False
        self._started_ns = self._began_ns = at_ns
        self._due_ns = at_ns + self._timing.round_ms * MS

    def start(self, at_ns: int) -> Out:
        self._begin(at_ns)
        if self._timing.trust_silence:
            self._is_alive(self.family, at_ns)
        return self._out()

    def receive(self, data: bytes, at_ns: int) -> Out:
        """What was read late has waited in a buffer: it belongs to the round that is over with it, not to the next."""
        self._take(self._cutter.feed(data, at_ns), at_ns)
        if at_ns >= self._due_ns:
            self._end_round(at_ns)
        return self._out()

    def tick(self, at_ns: int) -> Out:
        self._take(self._cutter.expire(at_ns), at_ns)
        if at_ns >= self._due_ns:
            self._end_round(at_ns)
        return self._out()

    def wake_at_ns(self) -> int | None:
        stale_ns = self._cutter.stale_at_ns()
        return self._due_ns if stale_ns is None else min(stale_ns, self._due_ns)

    def focus(self, antennas: tuple[int, ...]) -> None:
        """Nothing to choose: the reader scans as it likes."""

    def flush(self, at_ns: int) -> Out:
        self._take(self._cutter.finish(), at_ns)
        self._at_end(at_ns)
        for antenna, seen in self._rounds.items():
            if seen:
                self._tell(antenna, at_ns, complete=False)
        return self._out()

    # ------------------------------------------------------------ rounds

    def _take(self, found: list[F | Rejected], at_ns: int) -> None:
        for item in found:
            if isinstance(item, Rejected):
                self._damaged = True
                self._events.append(item.as_event(self._reader, at_ns))
            else:
                self._take_item(item, at_ns)

    def _is_alive(self, identity: str, at_ns: int) -> None:
        """The reader works. What was before its first word is not known: the round begins with it."""
        if self._alive:
            return
        self._alive = True
        self._began_ns, self._due_ns = at_ns, at_ns + self._timing.round_ms * MS
        self._events.append(ReaderUp(self._reader, at_ns, identity))

    def _see(self, antenna: int, tag: str, at_ns: int) -> None:
        if antenna not in self._rounds:
            self._rounds[antenna] = {}
            if self._configured:
                why = f"the reader reports antenna {antenna}, and no [[antenna]] of it is so numbered"
                self._fault(at_ns, "no_antenna", why)
        seen = self._rounds[antenna]
        seen[tag] = seen.get(tag) or Sighting(tag)
        if len(seen) >= MOST_TAGS:
            self._damaged = True  # for the others too: this is no reader of cards
            self._tell(antenna, at_ns, complete=False)

    def _end_round(self, at_ns: int) -> None:
        if self._alive:
            for antenna, seen in self._rounds.items():
                if seen or self._timing.repeats:
                    self._tell(antenna, at_ns, complete=self._timing.repeats and not self._damaged)
        elif not self._told_silent and at_ns - self._started_ns >= SILENT_NS:
            self._told_silent = True
            why = "nothing was heard of the reader: lay a tag on it, or check power, baud rate and wiring"
            self._events.append(ReaderLost(self._reader, at_ns, why))
        self._damaged = False
        self._began_ns, self._due_ns = at_ns, at_ns + self._timing.round_ms * MS

    def _tell(self, antenna: int, at_ns: int, *, complete: bool) -> None:
        seen = tuple(self._rounds[antenna].values())
        self._rounds[antenna] = {}
        self._events.append(ScanRound(self._reader, antenna, self._began_ns, at_ns, complete, seen))
