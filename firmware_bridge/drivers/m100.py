"""Driver of R200, M100, QM100, YRM100 and JRD-4035 modules: EPC Gen2 over 115200 8N1, one antenna a module.

    setting up ----all answered----> polling ----a poll unanswered, or ten errors in turn----> setting up
    setting up ----the version not told in three tries, or three set-ups in vain----> lost ----a second later----> again

Setting up: stop (the module may still be polling for a host that died; the first bytes after sleep only wake it),
version (in both framings in turn, until one is answered), region, power, query. A module loses its settings with its
power and says nothing about it, so a poll without an answer is followed by all of them.

Polling: one poll at a time. Its tags come as notices without an end mark, so the round ends when nothing came for
`quiet_ms`; a round without any tag ends at once, with the error frame 15. Damaged bytes make a round not complete: a
tag may have been in them.
"""

from typing import Annotated, Literal

from msgspec import Meta

from firmware_bridge.drivers.options import LineOptions, Ms
from firmware_bridge.events import Out, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound, Sighting
from firmware_bridge.wire import m100 as wire
from firmware_bridge.wire.m100 import AnyFrame, Frame, Framing, Notice
from firmware_bridge.wire.rejected import Rejected

MS = 1_000_000
TRIES = 3  # of a command before the module counts as lost
PAUSE_NS = 100 * MS  # after an error, and before the setting up of a module that fell silent it is ten times as long
LONGEST_ROUND_NS = 5000 * MS  # a module that never falls quiet polls for somebody else: stop it
MOST_TAGS = 1024  # of one round
MOST_TROUBLES = 10  # errors in turn before the module is set up anew


class M100Options(LineOptions, frozen=True):
    framing: Literal["auto", "bb", "aa"] = "auto"
    region: Literal["keep", "cn900", "us", "eu", "cn800", "kr"] = "keep"
    power_dbm: Annotated[int, Meta(ge=0, le=33)] | None = None  # None: as it is
    q: Annotated[int, Meta(ge=0, le=15)] = 4  # 2^q slots a round: 4 for up to 20 tags, 6 for a tray
    session: Annotated[int, Meta(ge=0, le=3)] = 0  # S0: every tag answers in every round
    rounds: Annotated[int, Meta(ge=1, le=100)] = 1  # inventory rounds of the module that make one of ours
    epc_crc: bool = True  # check the tag's own CRC-16; some firmware leaves it out
    quiet_ms: Ms = 40  # longer than any gap inside a round: 16 slots of 2 ms, and a USB adapter's 16 ms kept short
    answer_ms: Ms = 300


class Gathered:
    """One round in the making."""

    def __init__(self, began_ns: int | None) -> None:
        self.began_ns = began_ns  # None: nobody asked for it; its first tag begins it
        self.last_ns = began_ns or 0
        self.sightings: dict[str, Sighting] = {}
        self.empty = 0  # inventory rounds that ended without a tag
        self.damaged = False


class M100:
    """One module with one antenna."""

    def __init__(self, reader: str, antennas: tuple[int, ...], options: M100Options) -> None:
        self.settings = options.settings
        self._reader, self._options = reader, options
        self._antenna = antennas[0] if antennas else 1
        self._steps = _steps(options)
        self._framing: Framing = "aa" if options.framing == "aa" else "bb"
        self._events: list[ReaderEvent] = []
        self._send: list[bytes] = []
        self._begin()

    def _begin(self) -> None:
        self._scanner = wire.scanner(epc_crc=self._options.epc_crc)
        self._round = Gathered(None)
        self._step = 0  # of setting up; len(steps): polling
        self._tries = 0
        self._in_vain = 0  # polls in turn that got no answer, with a setting up behind each
        self._troubles = 0  # errors in turn
        self._due_ns: int | None = None  # when the answer is overdue, the round quiet, or the pause over
        self._waiting = False  # for an answer; False: pausing
        self._told_lost = self._up = False

    def start(self, at_ns: int) -> Out:
        self._begin()
        self._ask(at_ns)
        return self._out()

    def receive(self, data: bytes, at_ns: int) -> Out:
        self._take(self._scanner.feed(data, at_ns), at_ns)
        return self._out()

    def tick(self, at_ns: int) -> Out:
        self._take(self._scanner.expire(at_ns), at_ns)
        if self._due_ns is not None and at_ns >= self._due_ns:
            self._overdue(at_ns)
        return self._out()

    def wake_at_ns(self) -> int | None:
        stale_ns = self._scanner.stale_at_ns()
        if stale_ns is None or self._due_ns is None:
            return stale_ns if self._due_ns is None else self._due_ns
        return min(stale_ns, self._due_ns)

    def focus(self, antennas: tuple[int, ...]) -> None:
        """Nothing to choose: one antenna, always scanned."""

    def flush(self, at_ns: int) -> Out:
        self._take(self._scanner.finish(), at_ns)
        if self._round.sightings:
            self._close(complete=False)
        return self._out()

    # ------------------------------------------------------------ what comes in

    def _take(self, found: list[AnyFrame | Rejected], at_ns: int) -> None:
        """Notices come in runs: each is put in its place, and what follows from them is done once a run."""
        sightings = self._round.sightings
        notice: Notice | None = None
        for item in found:
            if isinstance(item, Notice):
                notice, sighting = item, item.sighting
                known = sightings.setdefault(sighting.tag, sighting)
                if known is not sighting and (known.rssi_dbm or 0) < (sighting.rssi_dbm or 0):
                    sightings[sighting.tag] = sighting
                continue
            if notice is not None:
                self._noticed(notice, at_ns)
            self._other(item, at_ns)
            sightings, notice = self._round.sightings, None
        if notice is not None:
            self._noticed(notice, at_ns)

    def _noticed(self, notice: Notice, at_ns: int) -> None:
        gathered = self._round
        gathered.sightings.pop("", None)  # a tag without an EPC cannot be told from another
        gathered.last_ns = at_ns
        if gathered.began_ns is None:
            gathered.began_ns = at_ns
        self._hear(notice.framing)
        if self._polling():
            self._tries = self._in_vain = self._troubles = 0
            self._due_ns = min(at_ns + self._options.quiet_ms * MS, gathered.began_ns + LONGEST_ROUND_NS)
        if len(gathered.sightings) >= MOST_TAGS:
            self._close(complete=False)
            self._round.damaged = True  # what follows is the rest of a round

    def _other(self, item: Frame | Rejected, at_ns: int) -> None:
        if isinstance(item, Rejected):
            self._round.damaged = True
            self._events.append(item.as_event(self._reader, at_ns))
            return
        self._hear(item.framing)
        if item.type != wire.COMMAND:
            self._frame(item, at_ns)

    def _hear(self, framing: Framing) -> None:
        if self._options.framing == "auto":
            self._framing = framing

    def _frame(self, frame: Frame, at_ns: int) -> None:
        if frame.error == wire.NO_TAG:
            self._no_tag(at_ns)
        elif frame.error is not None:
            self._error(frame.error, at_ns)
        elif frame.type == wire.ANSWER:
            self._answer(frame, at_ns)

    def _no_tag(self, at_ns: int) -> None:
        """A round of the module is over. Behind tags it ends their round; it is no second, empty one."""
        gathered, options = self._round, self._options
        gathered.empty += 1
        gathered.last_ns = at_ns
        polling = self._polling()
        if polling:
            self._tries = self._in_vain = self._troubles = 0
            self._due_ns = at_ns + (options.quiet_ms if gathered.sightings else options.answer_ms) * MS
        if gathered.empty >= options.rounds:
            self._close(complete=not gathered.damaged)
            if polling:
                self._ask(at_ns)

    def _error(self, code: int, at_ns: int) -> None:
        meaning = wire.ERRORS.get(code, "the module reports an error that its manual does not name")
        self._events.append(ReaderFault(self._reader, at_ns, f"{code:02X}", meaning))
        if self._polling():
            self._troubles += 1
            self._pause(at_ns, PAUSE_NS)
            if self._troubles >= MOST_TROUBLES:
                self._stuck(at_ns)
        elif self._waiting:
            self._next_step(at_ns)

    def _stuck(self, at_ns: int) -> None:
        why = f"{MOST_TROUBLES} errors in turn: the module is set up again"
        self._events.append(ReaderFault(self._reader, at_ns, "stuck", why))
        self._step = self._tries = self._troubles = 0

    def _answer(self, frame: Frame, at_ns: int) -> None:
        if frame.command == wire.VERSION and not self._up:
            self._up, self._told_lost = True, False
            identity = frame.parameters[1:].decode("ascii", "replace").strip("\0 ") or "M100"
            self._events.append(ReaderUp(self._reader, at_ns, identity))
        if self._waiting and not self._polling() and frame.command == self._steps[self._step][0]:
            self._next_step(at_ns)

    # ------------------------------------------------------------ what goes out, and time

    def _polling(self) -> bool:
        return self._step == len(self._steps)

    def _next_step(self, at_ns: int) -> None:
        self._step += 1
        self._tries = 0
        self._ask(at_ns)

    def _ask(self, at_ns: int) -> None:
        """Send the command of this step, or a poll, and wait for its answer."""
        code, parameters = _poll(self._options.rounds) if self._polling() else self._steps[self._step]
        if self._polling():
            if self._round.sightings:
                self._close(complete=False)  # read before we asked, or cut by an error
            self._round = Gathered(at_ns)
        self._send.append(wire.command(self._framing, code, parameters))
        self._tries += 1
        self._waiting = True
        self._due_ns = at_ns + self._options.answer_ms * MS

    def _pause(self, at_ns: int, pause_ns: int) -> None:
        self._waiting = False
        self._due_ns = at_ns + pause_ns

    def _overdue(self, at_ns: int) -> None:
        if not self._waiting:
            self._ask(at_ns)
        elif self._polling() and self._round.sightings:
            self._quiet(at_ns)
        elif self._polling():
            self._unanswered(at_ns)
        elif self._tries >= TRIES:
            self._lose(at_ns)
        elif self._steps_on():
            self._next_step(at_ns)
        else:
            self._ask(at_ns)

    def _unanswered(self, at_ns: int) -> None:
        """A poll got no answer: perhaps the module had no power for a moment."""
        self._in_vain += 1
        self._step = self._tries = 0
        if self._in_vain >= TRIES:
            self._lose(at_ns)
        else:
            self._ask(at_ns)

    def _steps_on(self) -> bool:
        """`stop` need not be answered; the version is asked for in the other framing next."""
        code = self._steps[self._step][0]
        if code == wire.VERSION and self._options.framing == "auto" and not self._up:
            self._framing = "aa" if self._framing == "bb" else "bb"
        return code == wire.STOP

    def _quiet(self, at_ns: int) -> None:
        """The rest of a frame that has not come by now will not come: what it swallowed belongs to this round."""
        self._take(self._scanner.finish(), at_ns)
        if not self._round.sightings:
            return  # an end of the round was in it
        endless = at_ns - (self._round.began_ns or 0) >= LONGEST_ROUND_NS
        self._close(complete=not self._round.damaged and not endless)
        if endless:
            self._step = self._tries = 0
        self._ask(at_ns)

    def _lose(self, at_ns: int) -> None:
        if not self._told_lost:
            why = f"the module has not answered {TRIES} times"
            self._events.append(ReaderLost(self._reader, at_ns, why))
        self._told_lost, self._up = True, False
        self._step = self._tries = self._in_vain = 0
        self._pause(at_ns, 10 * PAUSE_NS)

    def _close(self, *, complete: bool) -> None:
        gathered, self._round = self._round, Gathered(None)
        began_ns = gathered.last_ns if gathered.began_ns is None else gathered.began_ns
        seen = tuple(gathered.sightings.values())
        self._events.append(ScanRound(self._reader, self._antenna, began_ns, gathered.last_ns, complete, seen))

    def _out(self) -> Out:
        if not self._events and not self._send:
            return _NOTHING
        out = Out(tuple(self._events), tuple(self._send))
        self._events, self._send = [], []
        return out


def _steps(options: M100Options) -> tuple[tuple[int, bytes], ...]:
    steps = [(wire.STOP, b""), (wire.VERSION, b"\0")]
    if options.region != "keep":
        steps.append((wire.REGION, bytes((wire.REGIONS[options.region],))))
    if options.power_dbm is not None:
        steps.append((wire.SET_POWER, (options.power_dbm * 100).to_bytes(2)))
    return (*steps, (wire.SET_QUERY, wire.query(options.q, options.session)))


def _poll(rounds: int) -> tuple[int, bytes]:
    return (wire.SINGLE_POLL, b"") if rounds == 1 else (wire.MULTI_POLL, wire.multi_poll(rounds))


_NOTHING = Out()
