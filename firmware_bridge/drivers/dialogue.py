"""What drivers of readers that only speak when spoken to have in common: one request, its answer, the next request.

    setting up ----all answered----> polling ----three rounds unanswered----> lost ----a second later----> setting up
                                     polling ----many errors in turn----> setting up, behind a reset

While polling, one antenna after the other has its round, in the order of a scan plan; a round is a few requests (switch
the multiplexer, reset the field, take the inventory), of which the last one begins the interval. A round that was cut
is told as not complete. Before an unanswered round is tried again there is a pause, in which a late answer goes to
nobody: it must never count for another antenna. A family adds its requests, its frames and what they mean.
"""

from collections import deque
from collections.abc import Iterable
from typing import Annotated, Generic, Protocol, TypeVar

from msgspec import Meta

from firmware_bridge.drivers.options import LineOptions
from firmware_bridge.events import (
    Out,
    ReaderEvent,
    ReaderFault,
    ReaderLost,
    ReaderUp,
    ScanRound,
    Sighting,
    Value,
)
from firmware_bridge.scan_plan import LARGE_SHARE, SMALL_SHARE, ScanPlan
from firmware_bridge.wire.rejected import Rejected

F = TypeVar("F")
MS = 1_000_000
TRIES = 3  # of a request or a round before the reader counts as lost
PAUSE_NS = 100 * MS  # after an error
LATE_NS = 200 * MS  # before a second try: a late answer comes in meanwhile
DAMAGED_NS = 100 * MS  # a damaged answer was the answer: wait no longer than this for the rest of it
REST_NS = 1000 * MS  # before a reader that fell silent is set up again
MOST_TROUBLES = 10  # errors in turn before the reader is reset
MOST_TAGS = 1024  # of one round

Numbers = Annotated[str, Meta(pattern=r"^(\d{1,3}(,\d{1,3})*)?$")]


class PolledOptions(LineOptions, frozen=True):
    """`often`: antennas with few tags (bet spots, cards), as in "2,4": they are scanned four times as often."""

    often: Numbers = ""


class Request(Value, frozen=True):
    """`body` is framed when it is sent; `begins`: the interval of the round begins with it."""

    body: bytes
    name: str  # as a person would call it
    wait_ms: int
    begins: bool = False
    required: bool = True  # False: while setting up, a reader that does not answer it is no lost reader


class Gathered:
    """One round in the making."""

    def __init__(self, antenna: int, began_ns: int | None) -> None:
        self.antenna = antenna
        self.began_ns = began_ns  # None: not asked for yet
        self.sightings: dict[str, Sighting] = {}
        self.damaged = False

    def add(self, sightings: Iterable[Sighting]) -> None:
        """Of a tag that was read twice the stronger counts. One without an EPC cannot be told from another: none."""
        gathered = self.sightings
        for sighting in sightings:
            known = gathered.setdefault(sighting.tag, sighting)
            if known is not sighting and (known.rssi_dbm or 0) < (sighting.rssi_dbm or 0):
                gathered[sighting.tag] = sighting
        gathered.pop("", None)


class Cutter(Protocol[F]):
    """Frames out of a stream: a `Scanner`, or a cutter of lines."""

    def feed(self, data: bytes, at_ns: int) -> list[F | Rejected]: ...
    def expire(self, at_ns: int) -> list[F | Rejected]: ...
    def finish(self) -> list[F | Rejected]: ...
    def stale_at_ns(self) -> int | None: ...


class Dialogue(Generic[F]):
    """A driver of one reader with one antenna or several on a multiplexer."""

    family = "reader"  # its identity, where it does not tell one

    def __init__(self, reader: str, antennas: tuple[int, ...], options: PolledOptions) -> None:
        self.settings = options.settings
        self._reader = reader
        self._antennas = antennas or (1,)
        often = {int(number) for number in options.often.split(",") if number}
        self._shares = {n: SMALL_SHARE if n in often else LARGE_SHARE for n in self._antennas}
        self._events: list[ReaderEvent] = []
        self._send: list[bytes] = []
        self._begin()

    # ------------------------------------------------------------ what a family adds

    def _new_cutter(self) -> Cutter[F]:
        raise NotImplementedError

    def _steps(self, *, stuck: bool) -> list[Request]:
        """Requests that set the reader up; `stuck`: it answered nothing but errors and must be reset first."""
        raise NotImplementedError

    def _round_of(self, antenna: int) -> list[Request]:
        raise NotImplementedError

    def _framed(self, request: Request) -> bytes:
        raise NotImplementedError

    def _take_frame(self, frame: F, at_ns: int) -> None:
        raise NotImplementedError

    def _unanswered(self, request: Request) -> None:
        """A request of the setting up got no answer and is about to be sent again."""

    # ------------------------------------------------------------ the interface of a driver

    def _begin(self) -> None:
        self._cutter = self._new_cutter()
        self._plan = ScanPlan(self._shares)
        self._queue: deque[Request] = deque()
        self._asked: Request | None = None  # waits for its answer; None: a pause
        self._due_ns: int | None = None
        self._polling = False
        self._round: Gathered | None = None
        self._tries = self._troubles = 0
        self._told_lost = self._up = False

    def start(self, at_ns: int) -> Out:
        self._begin()
        self._set_up(at_ns, stuck=False)
        return self._out()

    def receive(self, data: bytes, at_ns: int) -> Out:
        self._take(self._cutter.feed(data, at_ns), at_ns)
        return self._out()

    def tick(self, at_ns: int) -> Out:
        self._take(self._cutter.expire(at_ns), at_ns)
        if self._due_ns is not None and at_ns >= self._due_ns:
            self._overdue(at_ns)
        return self._out()

    def wake_at_ns(self) -> int | None:
        stale_ns = self._cutter.stale_at_ns()
        if stale_ns is None or self._due_ns is None:
            return stale_ns if self._due_ns is None else self._due_ns
        return min(stale_ns, self._due_ns)

    def focus(self, antennas: tuple[int, ...]) -> None:
        self._plan.focus(antennas)

    def flush(self, at_ns: int) -> Out:
        self._take(self._cutter.finish(), at_ns)
        self._cut(at_ns)
        return self._out()

    # ------------------------------------------------------------ what comes in

    def _take(self, found: list[F | Rejected], at_ns: int) -> None:
        for item in found:
            if isinstance(item, Rejected):
                self._rejected(item, at_ns)
            else:
                self._take_frame(item, at_ns)

    def _rejected(self, item: Rejected, at_ns: int) -> None:
        self._events.append(item.as_event(self._reader, at_ns))
        if self._round is not None and self._round.began_ns is not None:
            self._round.damaged = True
        if self._asked is not None and self._due_ns is not None and item.reason != "noise":
            self._due_ns = min(self._due_ns, at_ns + DAMAGED_NS)

    def _is_up(self, identity: str, at_ns: int) -> None:
        if not self._up:
            self._up, self._told_lost = True, False
            self._events.append(ReaderUp(self._reader, at_ns, identity))

    def _expected(self) -> bool:
        """Whether an inventory that comes now is the one asked for; before polling, only one antenna needs no name."""
        if self._polling:
            return self._asked is not None and self._asked.begins
        return len(self._antennas) == 1

    def _unasked(self, sightings: tuple[Sighting, ...], at_ns: int, antenna: int | None = None) -> None:
        """Tags that nobody waits for: of the antenna that they name, of the only one, or of none that can be told."""
        if antenna is None and len(self._antennas) == 1:
            antenna = self._antennas[0]
        if antenna is not None and sightings:
            self._events.append(ScanRound(self._reader, antenna, at_ns, at_ns, False, sightings))

    def _heard(self, sightings: tuple[Sighting, ...], at_ns: int, antenna: int | None = None) -> None:
        """Tags of the round that goes on; those of another antenna are told apart from it."""
        gathered = self._round
        if gathered is not None and antenna not in (None, gathered.antenna):
            if self._polling:
                self._unasked(sightings, at_ns, antenna)
                return
            self._cut(at_ns)
            gathered = None
        if gathered is None:
            gathered = self._round = Gathered(self._antennas[0] if antenna is None else antenna, at_ns)
        gathered.add(sightings)
        if len(gathered.sightings) >= MOST_TAGS:
            self._close(at_ns, complete=False)
            self._round = Gathered(gathered.antenna, at_ns)  # what follows is the rest of a round
            self._round.damaged = True

    def _finished(self, at_ns: int) -> None:
        """The reader has told all tags of this round."""
        if self._round is None:
            self._round = Gathered(self._antennas[0], at_ns)
        self._close(at_ns, complete=not self._round.damaged)
        if self._polling:
            self._tries = self._troubles = 0
            self._queue.clear()
            self._ask(at_ns)

    def _fault(self, at_ns: int, code: str, meaning: str) -> None:
        self._events.append(ReaderFault(self._reader, at_ns, code, meaning))

    def _trouble(self, at_ns: int, code: str, meaning: str, *, asked: bool, radio: bool = False) -> None:
        """The reader reports an error. `asked`: as its answer; `radio`: the air is to blame, a reset mends nothing."""
        self._fault(at_ns, code, meaning)
        if asked and self._polling:
            self._cut_by_error(at_ns, counts=not radio)
        elif asked:
            self._answered(at_ns)

    def _cut_by_error(self, at_ns: int, *, counts: bool) -> None:
        self._close(at_ns, complete=False)
        self._queue.clear()
        self._troubles += counts
        if self._troubles < MOST_TROUBLES:
            self._pause(at_ns, PAUSE_NS)
            return
        self._fault(at_ns, "stuck", f"{MOST_TROUBLES} errors in turn: the reader is reset and set up again")
        self._set_up(at_ns, stuck=True)

    # ------------------------------------------------------------ what goes out, and time

    def _set_up(self, at_ns: int, *, stuck: bool) -> None:
        self._polling = self._up = False
        self._tries = self._troubles = 0
        self._queue = deque(self._steps(stuck=stuck))
        self._ask(at_ns)

    def _answered(self, at_ns: int) -> None:
        """The request that waits has its answer."""
        if not self._polling:
            self._tries = 0
        self._asked = None
        self._ask(at_ns)

    def _ask(self, at_ns: int) -> None:
        """Send the next request; behind the last one, begin a round of the next antenna."""
        if not self._queue:
            self._cut(at_ns)
            antenna = self._plan.next()
            self._polling = True
            self._is_up(self.family, at_ns)
            self._restart(self._antennas[0] if antenna is None else antenna)
        self._say(self._queue.popleft(), at_ns)

    def _restart(self, antenna: int) -> None:
        self._round = Gathered(antenna, None)
        self._queue = deque(self._round_of(antenna))

    def _say(self, request: Request, at_ns: int) -> None:
        if request.begins and self._round is not None and self._round.began_ns is None:
            self._round.began_ns = at_ns
        self._asked = request
        self._tries += 0 if self._polling else 1
        self._send.append(self._framed(request))
        self._due_ns = at_ns + request.wait_ms * MS

    def _wait_on(self, at_ns: int) -> None:
        """A part of the answer came: the rest has as much time again."""
        if self._asked is not None:
            self._due_ns = at_ns + self._asked.wait_ms * MS

    def _pause(self, at_ns: int, pause_ns: int) -> None:
        self._asked = None
        self._due_ns = at_ns + pause_ns

    def _overdue(self, at_ns: int) -> None:
        asked = self._asked
        if asked is not None:  # what waits half read will not come any more, and may hide the answer
            self._take(self._cutter.finish(), at_ns)
            if self._asked is not asked or (self._due_ns or 0) > at_ns:
                return
        if asked is None:
            self._ask(at_ns)
        elif self._polling:
            self._round_unanswered(asked, at_ns)
        elif self._tries < TRIES:
            self._unanswered(asked)
            self._say(asked, at_ns)
        elif asked.required:
            self._lose(asked, at_ns)
        else:
            self._answered(at_ns)

    def _round_unanswered(self, asked: Request, at_ns: int) -> None:
        antenna = self._round.antenna if self._round else self._antennas[0]
        self._cut(at_ns)
        self._tries += 1
        if self._tries >= TRIES:
            self._lose(asked, at_ns)
            return
        self._restart(antenna)
        self._pause(at_ns, LATE_NS)

    def _lose(self, asked: Request, at_ns: int) -> None:
        if not self._told_lost:
            why = f"the reader has not answered '{asked.name}' {TRIES} times"
            self._events.append(ReaderLost(self._reader, at_ns, why + self._hint()))
        self._told_lost, self._up, self._polling = True, False, False
        self._tries = self._troubles = 0
        self._round = None
        self._queue = deque(self._steps(stuck=False))
        self._pause(at_ns, REST_NS)

    def _hint(self) -> str:
        """What a person may look at when the reader is silent."""
        return ""

    def _cut(self, at_ns: int) -> None:
        """The round that goes on ends here: its sightings count, its absences do not."""
        if self._round is not None and self._round.sightings:
            self._close(at_ns, complete=False)
        self._round = None

    def _close(self, at_ns: int, *, complete: bool) -> None:
        gathered, self._round = self._round, None
        if gathered is None:
            return
        began_ns = at_ns if gathered.began_ns is None else gathered.began_ns
        seen = tuple(gathered.sightings.values())
        self._events.append(ScanRound(self._reader, gathered.antenna, began_ns, at_ns, complete, seen))

    def _out(self) -> Out:
        if not self._events and not self._send:
            return _NOTHING
        out = Out(tuple(self._events), tuple(self._send))
        self._events, self._send = [], []
        return out


_NOTHING = Out()
