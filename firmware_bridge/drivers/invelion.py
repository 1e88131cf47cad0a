"""Driver of the A0 family: Invelion, IND903, YR8900 and sisters, one to eight antennas, EPC Gen2, 115200 8N1.

On `Dialogue`: the reader is polled. A round: choose the antenna, take its inventory; tags come as they are read, then
the end, which names the antenna and how many reports there were: fewer than that and the round is not complete. With
`sweep` one command visits up to four antennas (eight with `ports = 8`), and its end is the end of a round of each.

Power and region are in the reader's flash, which wears: they are read first and written only where they differ. The
chosen antenna is lost with the power, so reports and ends of another antenna than the chosen one choose it anew.
"""

from typing import Annotated, Literal

from msgspec import Meta

from firmware_bridge.drivers.dialogue import MS, TRIES, Dialogue, Gathered, Request
from firmware_bridge.drivers.options import Ms, SwitchedOptions
from firmware_bridge.errors import OptionError
from firmware_bridge.events import ScanRound
from firmware_bridge.wire import invelion as wire
from firmware_bridge.wire.invelion import AnyFrame, End, Frame, Tag
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.scanner import Scanner

LONGEST_ROUND_NS = 10_000 * MS  # reports that never end are of somebody else's inventory
RESET_MS = 700  # a reader that resets says nothing, and then needs a moment
RADIO = (wire.NO_ANTENNA, 0x31, 0x36, 0x47, 0x54, 0xEE)  # the air and the antennas: a reset mends none of these


class InvelionOptions(SwitchedOptions, frozen=True):
    address: Annotated[int, Meta(ge=0, le=255)] = wire.EVERYBODY
    ports: Literal[1, 4, 8] = 4
    sweep: bool = False  # one command for several antennas
    region: Literal["keep", "us", "eu", "cn"] = "keep"
    power_dbm: Annotated[int, Meta(ge=0, le=33)] | None = None  # None: as it is
    inventory: Literal["session", "real-time"] = "session"  # real-time: the reader's own session, for old firmware
    session: Annotated[int, Meta(ge=0, le=3)] = 0  # S0: every tag answers in every round
    rounds: Annotated[int, Meta(ge=1, le=100)] = 1  # inventory rounds of the reader that make one of ours
    count: bool = True  # an end that counts more reports than came makes its round not complete
    answer_ms: Ms = 300
    inventory_ms: Ms = 2000  # the longest pause in an inventory


class Invelion(Dialogue[AnyFrame]):
    family = "A0 reader"

    def __init__(self, reader: str, antennas: tuple[int, ...], options: InvelionOptions) -> None:
        for antenna in antennas:
            if not 1 <= antenna <= options.ports:
                raise OptionError(
                    f"{reader}: antenna {antenna} is none of 1 to {options.ports}: see the option 'ports'"
                )
        self._options = options
        super().__init__(reader, antennas, options)

    def _begin(self) -> None:
        super()._begin()
        self._chosen: int | None = None  # the antenna that the reader uses; None: not known
        self._reports = 0  # of tags in this round
        self._others: dict[int, Gathered] = {}  # what the rest of a sweep hears, by antenna
        self._missing: set[int] = set()  # antennas of the sweep that the reader does not find
        self._plainly = False  # it knows no inventory but the plainest
        self._ahead: int | None = None  # the antenna that the plan named already, for the next sweep

    def _new_cutter(self) -> Scanner[AnyFrame]:
        return wire.scanner()

    # ------------------------------------------------------------ what goes out

    def _steps(self, *, stuck: bool) -> list[Request]:
        self._chosen, self._plainly, options = None, False, self._options
        reset = Request(bytes((wire.RESET,)), "reset", RESET_MS, required=False)
        return [
            *([reset] if stuck else []),
            self._plain(wire.VERSION, "firmware version"),
            *([] if options.region == "keep" else [self._plain(wire.GET_REGION, "region")]),
            *([] if options.power_dbm is None else [self._plain(wire.GET_POWER, "power")]),
        ]

    def _plain(self, code: int, name: str, data: bytes = b"") -> Request:
        return Request(bytes((code,)) + data, name, self._options.answer_ms)

    def _round_of(self, antenna: int) -> list[Request]:
        self._reports, self._others = 0, {}
        self._missing.clear()
        if self._options.sweep and not self._plainly:
            return [self._sweep(antenna)]
        choose = self._plain(wire.ANTENNA, "antenna", wire.select(antenna))
        return [*([] if antenna == self._chosen else [choose]), self._inventory()]

    def _inventory(self) -> Request:
        rounds = self._options.rounds
        if self._plainly or self._options.inventory == "real-time":
            return self._begins(wire.REAL_TIME, bytes((rounds,)))
        return self._begins(wire.SESSION, wire.session(self._options.session, rounds))

    def _begins(self, code: int, data: bytes) -> Request:
        return Request(bytes((code,)) + data, "inventory", self._options.inventory_ms, begins=True)

    def _sweep(self, first: int) -> Request:
        """As many antennas as the plan names before it comes to one again, and the command has room for."""
        ports = max(self._options.ports, wire.PORTS)
        antennas = [first]
        while len(antennas) < min(ports, len(self._antennas)):
            antenna = self._next_antenna()
            if antenna in antennas:
                self._ahead = antenna
                break
            antennas.append(antenna)
        self._others = {antenna: Gathered(antenna, None) for antenna in antennas[1:]}
        return self._begins(wire.SWEEP, wire.sweep(tuple(antennas), self._options.rounds, ports))

    def _next_antenna(self) -> int:
        ahead, self._ahead = self._ahead, None
        return ahead or self._planned()

    def _framed(self, request: Request) -> bytes:
        return wire.pack(request.body[0], request.body[1:], self._options.address)

    def _hint(self) -> str:
        return ": power, baud rate (38400 or 115200), address"

    # ------------------------------------------------------------ what comes in

    def _take(self, found: list[AnyFrame | Rejected], at_ns: int) -> None:
        """Tags come in runs: each run of one antenna is taken at once."""
        run: list[Tag] = []
        for item in found:
            if isinstance(item, Tag) and (not run or item.antenna == run[0].antenna):
                run.append(item)
                continue
            if run:
                self._tags(run, at_ns)
                run = []
            if isinstance(item, Tag):
                run.append(item)
            else:
                super()._take([item], at_ns)
        if run:
            self._tags(run, at_ns)

    def _take_frame(self, frame: AnyFrame, at_ns: int) -> None:
        match frame:
            case Tag():
                self._tags([frame], at_ns)
            case End():
                self._end(frame, at_ns)
            case _ if frame.error is not None:
                self._error(frame, frame.error, at_ns)
            case _:
                self._answer(frame, at_ns)

    def _tags(self, run: list[Tag], at_ns: int) -> None:
        """Reports of one antenna: of this round, where they answer the command that was sent."""
        antenna = run[0].antenna
        if not self._polling:
            self._heard(tuple([tag.sighting for tag in run]), at_ns, antenna)
            return
        seen = tuple([tag.sighting for tag in run if self._waits_for(tag.command)])
        if not seen or self._round is None:
            return
        if at_ns - (self._round.began_ns or 0) < LONGEST_ROUND_NS:
            self._wait_on(at_ns)
        self._reports += len(seen)
        other = self._others.get(antenna)
        if other is not None:
            other.add(seen)
        elif antenna == self._round.antenna:
            self._heard(seen, at_ns)
        else:
            self._wrong_antenna()

    def _wrong_antenna(self) -> None:
        """The reader has forgotten which antenna was chosen: nothing is known of the one that was meant."""
        self._chosen = None
        if self._round is not None:
            self._round.damaged = True

    def _end(self, end: End, at_ns: int) -> None:
        if not self._polling:
            self._end_unasked(end, at_ns)
        elif self._waits_for(end.command) and self._round is not None:
            if self._options.count and end.total > self._reports:
                self._round.damaged = True
            if end.antenna not in (None, self._round.antenna):
                self._wrong_antenna()
            self._finished(at_ns)

    def _end_unasked(self, end: End, at_ns: int) -> None:
        """The rest of a round that somebody else began: its beginning is not known."""
        if self._round is None:
            self._round = Gathered(end.antenna or self._antennas[0], at_ns)
        self._round.damaged = True
        self._finished(at_ns)

    def _error(self, frame: Frame, code: int, at_ns: int) -> None:
        meaning = wire.ERRORS[code]
        waited_for = self._waits_for(frame.command)
        if len(frame.data) == 2:  # of one antenna of a sweep, which goes on
            self._fault(at_ns, f"{code:02X}", f"antenna {frame.data[0] + 1}: {meaning}")
            self._missing.add(frame.data[0] + 1)
            return
        if waited_for and frame.command in (*wire.INVENTORIES, wire.ANTENNA):
            self._chosen = None
        self._trouble(at_ns, f"{code:02X}", self._at_antenna() + meaning, asked=waited_for, radio=code in RADIO)

    def _at_antenna(self) -> str:
        one = self._polling and self._round is not None and not self._others
        return f"antenna {self._round.antenna}: " if one and self._round is not None else ""

    def _answer(self, frame: Frame, at_ns: int) -> None:
        if not self._waits_for(frame.command) or not _is_answer(frame):
            return
        options = self._options
        if frame.command == wire.VERSION:
            self._is_up(_identity(frame.data), at_ns)
        elif frame.command == wire.ANTENNA and self._round is not None:
            self._chosen = self._round.antenna
        elif frame.command == wire.GET_REGION and frame.data != wire.REGIONS.get(options.region):
            self._queue.appendleft(self._plain(wire.SET_REGION, "set region", wire.REGIONS[options.region]))
        elif frame.command == wire.GET_POWER and set(frame.data) != {options.power_dbm}:
            self._queue.appendleft(self._plain(wire.SET_POWER, "set power", bytes((options.power_dbm or 0,))))
        self._answered(at_ns)

    # ------------------------------------------------------------ rounds of several antennas at once

    def _ask(self, at_ns: int) -> None:
        super()._ask(at_ns)
        if self._asked is not None and self._asked.begins and self._round is not None:
            for other in self._others.values():
                other.began_ns = self._round.began_ns

    def _cut(self, at_ns: int) -> None:
        if any(other.sightings for other in self._others.values()):
            self._close(at_ns, complete=False)
        super()._cut(at_ns)
        self._others = {}

    def _close(self, at_ns: int, *, complete: bool) -> None:
        """The round of one antenna, or of all of a sweep: damage on the line may have been of any of them."""
        first = self._round.antenna if self._round else None
        others, self._others = self._others, {}
        super()._close(at_ns, complete=complete and first not in self._missing)
        for antenna, other in others.items():
            began_ns = at_ns if other.began_ns is None else other.began_ns
            whole = complete and antenna not in self._missing
            seen = tuple(other.sightings.values())
            self._events.append(ScanRound(self._reader, antenna, began_ns, at_ns, whole, seen))

    # ------------------------------------------------------------ a reader that does not answer

    def _round_unanswered(self, asked: Request, at_ns: int) -> None:
        """Perhaps it had no power for a moment, and uses its first antenna again; perhaps it is of an older make."""
        self._chosen = None
        if self._in_vain == TRIES - 1 and asked.begins and not self._plainly and asked.body[0] != wire.REAL_TIME:
            self._plainly, self._in_vain = True, 0
            why = f"no answer to command {asked.body[0]:02X}: the plain inventory is tried, in the reader's own session"
            self._fault(at_ns, "no_inventory", why)
        super()._round_unanswered(asked, at_ns)


def _is_answer(frame: Frame) -> bool:
    """And no echo of a command, as a two-wire line gives it."""
    if frame.command in wire.INVENTORIES:
        return False
    setting = frame.command in (wire.ANTENNA, wire.SET_POWER, wire.SET_REGION)
    return frame.data == bytes((wire.SUCCESS,)) if setting else bool(frame.data)


def _identity(data: bytes) -> str:
    return f"A0 reader, firmware {data[0]}.{data[1]}" if len(data) >= 2 else Invelion.family
