"""Driver of R200, M100, QM100, YRM100 and JRD-4035 modules: EPC Gen2 over 115200 8N1, one antenna a module.

On `Dialogue`: the module is polled. Setting up: stop (it may still be polling for a host that died; the first bytes
after sleep only wake it), version (in both framings in turn, until one is answered), region, power, query. A module
loses its settings with its power and says nothing about it, so a poll without an answer is followed by all of them.

Polling: one poll at a time. Its tags come as notices without an end mark, so the round ends when nothing came for
`quiet_ms`; a round without any tag ends at once, with the error frame 15. Damaged bytes make a round not complete: a
tag may have been in them.
"""

from typing import Annotated, Literal

from msgspec import Meta

from firmware_bridge.drivers.dialogue import MOST_TROUBLES, MS, Dialogue, Request
from firmware_bridge.drivers.options import LineOptions, Ms
from firmware_bridge.events import Sighting
from firmware_bridge.wire import m100 as wire
from firmware_bridge.wire.m100 import AnyFrame, Frame, Framing, Notice
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.scanner import Scanner

LONGEST_ROUND_NS = 5000 * MS  # a module that never falls quiet polls for somebody else: stop it


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


class M100(Dialogue[AnyFrame]):
    family = "M100"
    keeps_settings = False

    def __init__(self, reader: str, antennas: tuple[int, ...], options: M100Options) -> None:
        self._options, self.quiet_ms = options, options.quiet_ms
        self._framing: Framing = "aa" if options.framing == "aa" else "bb"
        super().__init__(reader, antennas, options)

    def _begin(self) -> None:
        super()._begin()
        self._empty = 0  # inventory rounds of this round that ended without a tag

    def _new_cutter(self) -> Scanner[AnyFrame]:
        return wire.scanner(epc_crc=self._options.epc_crc)

    # ------------------------------------------------------------ what goes out

    def _steps(self, *, stuck: bool) -> list[Request]:
        """Nothing resets a module that is stuck: it is stopped, as any other."""
        del stuck
        options, wait_ms = self._options, self._options.answer_ms
        steps = [
            Request(bytes((wire.STOP,)), "stop", wait_ms, required=False, tries=1),
            Request(bytes((wire.VERSION, 0)), "version", wait_ms),
        ]
        if options.region != "keep":
            steps.append(Request(bytes((wire.REGION, wire.REGIONS[options.region])), "region", wait_ms))
        if options.power_dbm is not None:
            power = (options.power_dbm * 100).to_bytes(2)
            steps.append(Request(bytes((wire.SET_POWER, *power)), "power", wait_ms))
        query = wire.query(options.q, options.session)
        return [*steps, Request(bytes((wire.SET_QUERY, *query)), "query", wait_ms)]

    def _round_of(self, antenna: int) -> list[Request]:
        del antenna
        options = self._options
        self._empty = 0
        body = bytes((wire.SINGLE_POLL,))
        if options.rounds > 1:
            body = bytes((wire.MULTI_POLL, *wire.multi_poll(options.rounds)))
        return [Request(body, "poll", options.answer_ms, begins=True)]

    def _framed(self, request: Request) -> bytes:
        return wire.command(self._framing, request.body[0], request.body[1:])

    def _unanswered(self, request: Request) -> None:
        """The version is asked for in the other framing next."""
        if request.body[0] == wire.VERSION and self._options.framing == "auto" and not self._up:
            self._framing = "aa" if self._framing == "bb" else "bb"

    # ------------------------------------------------------------ what comes in

    def _take(self, found: list[AnyFrame | Rejected], at_ns: int) -> None:
        """Notices come in runs: each run is taken at once."""
        run: list[Sighting] = []
        for item in found:
            if isinstance(item, Notice):
                run.append(item.sighting)
                framing = item.framing
                continue
            if run:
                self._noticed(framing, run, at_ns)
                run = []
            super()._take([item], at_ns)
        if run:
            self._noticed(framing, run, at_ns)

    def _take_frame(self, frame: AnyFrame, at_ns: int) -> None:
        if isinstance(frame, Frame):
            self._hear(frame.framing)
            self._frame(frame, at_ns)

    def _hear(self, framing: Framing) -> None:
        if self._options.framing == "auto":
            self._framing = framing

    def _noticed(self, framing: Framing, seen: list[Sighting], at_ns: int) -> None:
        self._hear(framing)
        if not self._expected():
            self._unasked(tuple(seen), at_ns)
            return
        self._heard(seen, at_ns)
        self._goes_on(at_ns)

    def _frame(self, frame: Frame, at_ns: int) -> None:
        if frame.error == wire.NO_TAG:
            self._no_tag(at_ns)
        elif frame.error is not None:
            self._error(frame.error, at_ns)
        elif frame.type == wire.ANSWER:
            self._answer(frame, at_ns)

    def _no_tag(self, at_ns: int) -> None:
        """A round of the module is over. Behind tags it ends their round; it is no second, empty one."""
        if not self._expected():
            return
        self._empty += 1
        self._heard((), at_ns)
        self._goes_on(at_ns)
        if self._empty >= self._options.rounds:
            self._empty = 0
            self._finished(at_ns)

    def _error(self, code: int, at_ns: int) -> None:
        meaning = wire.ERRORS.get(code, "the module reports an error that its manual does not name")
        if self._polling:
            self._cut(at_ns)  # an error without tags is no round
        self._trouble(at_ns, f"{code:02X}", meaning, asked=self._asked is not None)

    def _answer(self, frame: Frame, at_ns: int) -> None:
        if frame.command == wire.VERSION:
            self._is_up(frame.parameters[1:].decode("ascii", "replace").strip("\0 ") or self.family, at_ns)
        if not self._polling and self._waits_for(frame.command):
            self._answered(at_ns)

    # ------------------------------------------------------------ how a round goes on, and how it ends

    def _goes_on(self, at_ns: int) -> None:
        """The module polls: that it has tags or none is an answer."""
        if self._polling and self._round is not None:
            self._in_vain = self._troubles = 0
            self._wait_on(at_ns)
            self._due_ns = min(self._due_ns or at_ns, (self._round.began_ns or at_ns) + LONGEST_ROUND_NS)

    def _quiet(self, at_ns: int) -> None:
        """The round is over, or it was cut because it never ends."""
        gathered = self._round
        if gathered is None or at_ns - (gathered.began_ns or 0) < LONGEST_ROUND_NS:
            super()._quiet(at_ns)
            return
        self._close(at_ns, complete=False)
        self._back_to_steps()
        self._ask(at_ns)

    def _stuck(self, at_ns: int) -> None:
        self._fault(at_ns, "stuck", f"{MOST_TROUBLES} errors in turn: the module is set up again")
        self._troubles = 0
        self._back_to_steps()
