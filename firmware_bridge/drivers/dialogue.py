"""What drivers of readers that only speak when spoken to have in common: one request, its answer, the next request.

    setting up ----all answered----> polling ----three rounds unanswered----> lost ----a second later----> setting up
                                     polling ----many errors in turn----> setting up, behind a reset
                                     polling ----a round unanswered, and settings go with the power----> setting up

While polling, one antenna after the other has its round, in the order of a scan plan; a round is a few requests (switch
the multiplexer, reset the field, take the inventory), of which the last one begins the interval. It ends when the
reader says so or, where it never does, when nothing more came for a while. A round that was cut is told as not
complete. Before an unanswered round is tried again there is a pause, in which a late answer goes to nobody: it must
never count for another antenna. A family adds its requests, its frames and what they mean.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from firmware_bridge.drivers.base import Cutter, Outgoing
from firmware_bridge.drivers.options import LineOptions, SwitchedOptions
from firmware_bridge.events import Out, ReaderLost, ReaderUp, ScanRound, Sighting, Value
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


class Request(Value, frozen=True):
    """`body` is framed when it is sent; `begins`: the interval of the round begins with it."""

    body: bytes
    name: str  # as a person would call it
    wait_ms: int
    begins: bool = False
    required: bool = True  # False: while setting up, a reader that does not answer it is no lost reader
    tries: int = TRIES  # while setting up


class Gathered:
    """One round in the making."""

    def __init__(self, antenna: int, began_ns: int | None) -> None:
        self.antenna = antenna
        self.began_ns = began_ns  # None: not asked for yet
        self.heard_ns: int | None = None  # its last part; where quiet ends a round it ends with that
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


class Dialogue(Outgoing, Generic[F]):
    """A driver of one reader with one antenna, or with several if its options say how it switches between them."""

    family = "reader"  # its identity, where it does not tell one
    quiet_ms = 0  # where no mark ends a round: behind its tags it is over when nothing came for so long
    keeps_settings = True  # False: they go with its power, so an unanswered round is followed by the whole setting up

    def __init__(self, reader: str, antennas: tuple[int, ...], options: LineOptions) -> None:
        super().__init__(reader, options.settings)
        self._antennas = antennas or (1,)
        often: set[int] = set()
        if isinstance(options, SwitchedOptions):
            often = {int(number) for number in options.often.split(",") if number}
        else:
            self._antennas = self._antennas[:1]
        self._shares = {n: SMALL_SHARE if n in often else LARGE_SHARE for n in self._antennas}
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

    def _between(self) -> list[Request]:
        """Requests between two rounds, tried as often as those of the setting up."""
        return []

    # ------------------------------------------------------------ the interface of a driver

    def _begin(self) -> None:
        self._cutter = self._new_cutter()
        self._plan = ScanPlan(self._shares)
        self._queue: deque[Request] = deque()
        self._asked: Request | None = None  # waits for its answer; None: a pause
        self._due_ns: int | None = None
        self._polling = False
        self._round: Gathered | None = None
        self._tries = 0  # of the request that waits
        self._in_vain = self._troubles = 0  # in turn: rounds without an answer, and errors
        self._told_lost = self._up = False

    def start(self, at_ns: int) -> Out:
        self._begin()
        self._set_up(at_ns, stuck=False)
        return self._out()

    def receive(self, data: bytes, at_ns: int) -> Out:
        self._take(self._cutter.feed(data, at_ns), at_ns)
        return self._out()

    def tick(self, at_ns: int) -> Out:
        expired = self._cutter.expire(at_ns)
        if expired:
            self._take(expired, at_ns)
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
        gathered = self._round
        if gathered is None and not self._polling:  # a round that nobody asked for may begin with it
            gathered = self._round = Gathered(self._antennas[0], at_ns)
        if gathered is not None and gathered.began_ns is not None:
            gathered.damaged = True
        if self._asked is not None and self._due_ns is not None and item.reason != "noise" and not self.quiet_ms:
            self._due_ns = min(self._due_ns, at_ns + DAMAGED_NS)

    def _is_up(self, identity: str, at_ns: int) -> None:
        if not self._up:
            self._up, self._told_lost = True, False
            self._events.append(ReaderUp(self._reader, at_ns, identity))

    def _waits_for(self, code: int) -> bool:
        """Whether the request that waits begins with this byte."""
        return self._asked is not None and self._asked.body[0] == code

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

    def _heard(self, sightings: Sequence[Sighting], at_ns: int, antenna: int | None = None) -> None:
        """Tags of the round that goes on; those of another antenna are told apart from it."""
        gathered = self._round
        if gathered is not None and antenna is not None and antenna != gathered.antenna:
            if self._polling:
                self._unasked(tuple(sightings), at_ns, antenna)
                return
            if gathered.sightings:
                self._cut(at_ns)
                gathered = None
            else:  # nothing but damage so far, of whichever antenna
                gathered.antenna = antenna
        if gathered is None:
            gathered = self._round = Gathered(self._antennas[0] if antenna is None else antenna, at_ns)
        gathered.add(sightings)
        gathered.heard_ns = at_ns
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
            self._next_round(at_ns)

    def _next_round(self, at_ns: int) -> None:
        """This one was told, whole or not."""
        self._in_vain = self._troubles = 0
        self._queue = deque(self._between())
        self._polling = not self._queue
        self._answered(at_ns)

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
        self._pause(at_ns, PAUSE_NS)
        if self._troubles >= MOST_TROUBLES:
            self._stuck(at_ns)

    def _stuck(self, at_ns: int) -> None:
        self._fault(at_ns, "stuck", f"{MOST_TROUBLES} errors in turn: the reader is reset and set up again")
        self._set_up(at_ns, stuck=True)

    # ------------------------------------------------------------ what goes out, and time

    def _set_up(self, at_ns: int, *, stuck: bool) -> None:
        """As if the reader were new: it is told as up again."""
        self._up = False
        self._in_vain = self._troubles = 0
        self._back_to_steps(stuck=stuck)
        self._ask(at_ns)

    def _back_to_steps(self, *, stuck: bool = False) -> None:
        self._polling = False
        self._tries = 0
        self._queue = deque(self._steps(stuck=stuck))

    def _answered(self, at_ns: int) -> None:
        """The request that waits has its answer."""
        self._tries = 0
        self._ask_next(at_ns)

    def _ask_next(self, at_ns: int) -> None:
        """At once, unless a family gives its reader a rest before each request."""
        self._ask(at_ns)

    def _ask(self, at_ns: int) -> None:
        """Send the next request; behind the last one, begin a round of the next antenna."""
        if not self._queue:
            if self._round is not None:
                self._cut(at_ns)
            self._polling = True
            self._is_up(self.family, at_ns)
            self._restart(self._planned())
        self._say(self._queue.popleft(), at_ns)

    def _planned(self) -> int:
        antenna = self._plan.next() if len(self._antennas) > 1 else None
        return self._antennas[0] if antenna is None else antenna

    def _restart(self, antenna: int) -> None:
        self._round = Gathered(antenna, None)
        self._queue = deque(self._round_of(antenna))

    def _say(self, request: Request, at_ns: int) -> None:
        if request.begins and self._round is not None and self._round.began_ns is None:
            self._round.began_ns = at_ns
        self._asked = request
        self._tries += 1
        self._send.append(self._framed(request))
        self._due_ns = at_ns + request.wait_ms * MS

    def _wait_on(self, at_ns: int) -> None:
        """A part of the answer came: the rest has as much time again, or as much as makes it quiet behind tags."""
        if self._asked is not None:
            self._due_ns = at_ns + (self.quiet_ms if self._may_be_over() else self._asked.wait_ms) * MS

    def _may_be_over(self) -> bool:
        """Whether quiet from now on would end the round."""
        return self.quiet_ms > 0 and self._polling and self._round is not None and bool(self._round.sightings)

    def _pause(self, at_ns: int, pause_ns: int) -> None:
        self._asked = None
        self._due_ns = at_ns + pause_ns

    def _overdue(self, at_ns: int) -> None:
        asked = self._asked
        if asked is None:
            self._ask(at_ns)
            return
        quiet = self._may_be_over()
        self._take(self._cutter.finish(), at_ns)  # what waits half read will not come any more, and may hide the answer
        if self._asked is not asked:
            return
        if quiet:
            self._quiet(at_ns)
        elif (self._due_ns or 0) <= at_ns:
            self._no_answer(asked, at_ns)

    def _quiet(self, at_ns: int) -> None:
        """The round has tags, and nothing more came."""
        self._finished(at_ns)

    def _no_answer(self, asked: Request, at_ns: int) -> None:
        if self._polling:
            self._round_unanswered(asked, at_ns)
        else:
            self._try_again(asked, at_ns)

    def _try_again(self, asked: Request, at_ns: int) -> None:
        if self._tries < asked.tries:
            self._unanswered(asked)
            self._queue.appendleft(asked)
            self._ask_next(at_ns)
        elif asked.required:
            self._lose(asked, at_ns)
        else:
            self._answered(at_ns)

    def _round_unanswered(self, asked: Request, at_ns: int) -> None:
        antenna = self._round.antenna if self._round else self._antennas[0]
        self._in_vain += 1
        if self._in_vain >= TRIES:
            self._lose(asked, at_ns)
        elif self.keeps_settings:
            self._cut(at_ns)
            self._restart(antenna)
            self._pause(at_ns, LATE_NS)
        else:  # with one antenna, a late answer can only be of this round
            self._back_to_steps()
            self._ask_next(at_ns)

    def _lose(self, asked: Request, at_ns: int) -> None:
        self._cut(at_ns)
        if not self._told_lost:
            why = f"the reader has not answered '{asked.name}' {TRIES} times"
            self._events.append(ReaderLost(self._reader, at_ns, why + self._hint()))
        self._told_lost, self._up = True, False
        self._in_vain = self._troubles = 0
        self._back_to_steps()
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
        ended_ns = gathered.heard_ns if self.quiet_ms and gathered.heard_ns else at_ns
        seen = tuple(gathered.sightings.values())
        self._events.append(ScanRound(self._reader, gathered.antenna, began_ns, ended_ns, complete, seen))
