"""Driver of ThingMagic / JADAK M5e, M6e, M6e Nano (SparkFun), M7e and Silion modules: EPC Gen2, 115200 8N1.

On `Dialogue`: the module is polled. A round: clear the buffer; choose one antenna; search for `search_ms` into the
buffer; fetch all that it holds. The end of the search is told, so a round is whole and of one antenna. Reading on and
on (streaming) tells no end of a round, and over several antennas not even which of them was looked at: it is stopped
where a dead host left it on, never used.

All settings are lost with the power. So a round that got no answer, or an answer that only a module without settings
gives, is followed by the whole setting up: stop, version, boot the firmware (Silion modules wait in their boot loader),
region, protocol, read filter, power, session. Rounds that fail in turn make the module boot anew.
"""

from typing import Annotated, Literal

from msgspec import Meta

from firmware_bridge.drivers.dialogue import (
    MOST_TAGS,
    MOST_TROUBLES,
    PAUSE_NS,
    REST_NS,
    TRIES,
    Dialogue,
    Gathered,
    Request,
)
from firmware_bridge.drivers.options import Ms, SwitchedOptions
from firmware_bridge.errors import OptionError
from firmware_bridge.wire import thingmagic as wire
from firmware_bridge.wire.scanner import Scanner
from firmware_bridge.wire.thingmagic import Answer, AnyFrame, Tags

MOST_PORTS = 15  # a tag names its port in half a byte; modules have up to four, and more behind a multiplexer
BOOT_MS = 1000  # from the boot loader to the firmware; 650 ms by public code
RADIO = (wire.NO_ANTENNA, wire.HOT, wire.RETURN_LOSS, wire.WRONG_ANTENNA, 0x0501)  # a reset mends none of these
FORGOTTEN = (wire.UNKNOWN_COMMAND, wire.NO_REGION, wire.NO_PROTOCOL, wire.NO_FREQUENCY)  # answers to a search
OPTIONAL = (wire.BOOT, wire.LOADER, wire.CONTINUOUS, wire.OPTION, wire.GEN2_OPTION)  # not every module knows these
REFUSALS = (0x0100, wire.UNKNOWN_COMMAND, wire.NOT_IMPLEMENTED, 0x0105, 0x0109)


class ThingMagicOptions(SwitchedOptions, frozen=True):
    region: Literal["keep", "us", "eu", "kr", "in", "jp", "cn", "eu3", "kr2", "au", "nz", "us2", "open"] = "keep"
    power_dbm: Annotated[int, Meta(ge=0, le=33)] | None = None  # None: the module's own, often the most it can
    search_ms: Annotated[int, Meta(ge=20, le=5000)] = 200  # 150 tags a second: 20 chips; for a tray of 60 take 500
    session: Annotated[int, Meta(ge=0, le=3)] = 0  # S0: every tag answers in every round
    q: Annotated[int, Meta(ge=0, le=15)] | None = None  # 2^q slots; None: the module adapts it
    epc_crc: bool = True  # check the tag's own CRC-16; false for an M5e, which leaves out what it covers
    answer_ms: Ms = 300


class ThingMagic(Dialogue[AnyFrame]):
    family = "ThingMagic"

    def __init__(self, reader: str, antennas: tuple[int, ...], options: ThingMagicOptions) -> None:
        for antenna in antennas:
            if not 1 <= antenna <= MOST_PORTS:
                raise OptionError(f"{reader}: antenna {antenna} is none of 1 to {MOST_PORTS}: use the port's number")
        self._options = options
        super().__init__(reader, antennas, options)

    def _begin(self) -> None:
        super()._begin()
        self._chosen: int | None = None  # antenna in the module's list; None: not known
        self._left = 0  # tags in the buffer that were not fetched yet
        self._set_ups = 0  # since the last whole round

    def _new_cutter(self) -> Scanner[AnyFrame]:
        return wire.scanner(epc_crc=self._options.epc_crc)

    # ------------------------------------------------------------ what goes out

    def _steps(self, *, stuck: bool) -> list[Request]:
        self._chosen = None
        options = self._options
        return [
            self._ask_for(wire.CONTINUOUS, "stop", wire.STOP, required=False),
            *([self._ask_for(wire.LOADER, "reset", required=False)] if stuck else []),
            self._ask_for(wire.VERSION, "version"),
            self._ask_for(wire.BOOT, "boot", required=False, wait_ms=BOOT_MS),
            *([] if options.region == "keep" else [self._region(options.region)]),
            self._ask_for(wire.PROTOCOL, "protocol", wire.GEN2),
            self._ask_for(wire.OPTION, "read filter", wire.READ_FILTER_OFF, required=False),
            *([] if options.power_dbm is None else [self._power(options.power_dbm)]),
            self._ask_for(wire.GEN2_OPTION, "session", bytes((5, 0x00, options.session)), required=False),
            self._ask_for(wire.GEN2_OPTION, "slots", _slots(options.q), required=False),
        ]

    def _ask_for(
        self, code: int, name: str, data: bytes = b"", *, required: bool = True, wait_ms: int | None = None
    ) -> Request:
        return Request(bytes((code,)) + data, name, wait_ms or self._options.answer_ms, required=required)

    def _region(self, name: str) -> Request:
        return self._ask_for(wire.REGION, "region", bytes((wire.REGIONS[name],)))

    def _power(self, dbm: int) -> Request:
        return self._ask_for(wire.POWER, "power", (dbm * 100).to_bytes(2))

    def _round_of(self, antenna: int) -> list[Request]:
        search_ms = self._options.search_ms
        chosen = [self._ask_for(wire.ANTENNAS, "antenna", wire.antenna_list(antenna))]
        return [
            self._ask_for(wire.CLEAR_BUFFER, "clear buffer"),
            *([] if antenna == self._chosen else chosen),
            Request(
                bytes((wire.SEARCH,)) + wire.search(search_ms),
                "search",
                search_ms + self._options.answer_ms,
                begins=True,
            ),
        ]

    def _framed(self, request: Request) -> bytes:
        return wire.command(request.body[0], request.body[1:])

    def _hint(self) -> str:
        return ": power (0.7 A at 5 V, thin leads lose it), baud rate, wiring"

    # ------------------------------------------------------------ what comes in

    def _take_frame(self, frame: AnyFrame, at_ns: int) -> None:
        match frame:
            case Tags(streamed=True):
                self._stream(frame, at_ns)
            case Tags():
                self._fetched(frame, at_ns)
            case Answer(status=wire.OK):
                self._good(frame, at_ns)
            case Answer():
                self._bad(frame, at_ns)
            case _:
                pass  # of the host: an echo

    def _good(self, answer: Answer, at_ns: int) -> None:
        if not self._waits_for(answer.code):
            return
        if answer.code == wire.SEARCH and self._polling:
            self._searched(wire.count_of(answer.data), at_ns)
            return
        if answer.code == wire.VERSION:
            self._is_up(_identity(answer.data), at_ns)
        elif answer.code == wire.ANTENNAS and self._round is not None:
            self._chosen = self._round.antenna
        self._answered(at_ns)

    def _searched(self, count: int | None, at_ns: int) -> None:
        """The search is over and the buffer holds so many tags; None: nobody knows."""
        self._left = MOST_TAGS if count is None else min(count, MOST_TAGS)
        if not self._left:
            self._whole(at_ns)
            return
        self._queue.append(self._ask_for(wire.GET_BUFFER, "fetch", wire.get_buffer()))
        self._answered(at_ns)

    def _fetched(self, tags: Tags, at_ns: int) -> None:
        if not self._polling:
            self._listen(tags, at_ns)
        elif self._waits_for(wire.GET_BUFFER) and self._round is not None:
            antenna = self._round.antenna
            here = tuple(seen.sighting for seen in tags.seen if seen.antenna in (antenna, 0))
            self._round.damaged |= len(here) < len(tags.seen)
            self._left -= len(tags.seen)
            self._heard(here, at_ns)
            self._fetch_on(at_ns, more=bool(tags.seen))

    def _fetch_on(self, at_ns: int, *, more: bool) -> None:
        if self._round is not None and self._left > 0 and not more:
            self._round.damaged = True  # the module counted more than it gives
        if self._left > 0 and more:
            self._queue.append(self._ask_for(wire.GET_BUFFER, "fetch", wire.get_buffer()))
            self._answered(at_ns)
        else:
            self._whole(at_ns)

    def _whole(self, at_ns: int) -> None:
        self._set_ups = 0
        self._finished(at_ns)

    def _listen(self, tags: Tags, at_ns: int) -> None:
        """Tags that nobody asked for, before the module is set up: told as a round that is not complete."""
        for seen in tags.seen:
            if self._round is not None and self._round.antenna != seen.antenna:
                self._cut(at_ns)
            self._heard((seen.sighting,), at_ns, seen.antenna or self._antennas[0])

    def _stream(self, tags: Tags, at_ns: int) -> None:
        if not self._polling:
            self._listen(tags, at_ns)
            return
        self._set_up_again(at_ns)  # it still reads for somebody else, and searches for nobody
        self._listen(tags, at_ns)

    def _bad(self, answer: Answer, at_ns: int) -> None:
        code, status = answer.code, answer.status
        if status == wire.NO_TAGS and code in (wire.SEARCH, wire.READ_SINGLE):
            self._no_tags(at_ns)
        elif status == wire.BUFFER_FULL and self._polling and self._waits_for(wire.SEARCH) and self._round is not None:
            self._fault(at_ns, f"{status:04X}", wire.ERRORS[status])
            self._round.damaged = True
            self._searched(None, at_ns)
        elif status in (wire.BUFFER_END, wire.NO_TAGS) and self._waits_for(wire.GET_BUFFER):
            self._fetch_on(at_ns, more=False)
        elif code in OPTIONAL and status in REFUSALS and self._waits_for(code):
            self._answered(at_ns)  # an application that runs does not know "boot"
        else:
            self._error(code, status, at_ns)

    def _error(self, code: int, status: int, at_ns: int) -> None:
        meaning = wire.ERRORS.get(status, "the module reports an error that nobody has named")
        asked = self._waits_for(code)
        if asked and self._polling and status in FORGOTTEN:
            self._fault(at_ns, f"{status:04X}", meaning)
            self._set_up_again(at_ns)
        else:
            self._trouble(at_ns, f"{status:04X}", meaning, asked=asked, radio=status in RADIO)

    def _no_tags(self, at_ns: int) -> None:
        if self._polling and self._waits_for(wire.SEARCH):
            self._whole(at_ns)
        elif not self._polling:
            if self._round is None:
                self._round = Gathered(self._antennas[0], at_ns)
            self._round.damaged = True  # of which antennas is not known
            self._finished(at_ns)

    # ------------------------------------------------------------ a module that lost its settings

    def _round_unanswered(self, asked: Request, at_ns: int) -> None:
        """Perhaps it had no power for a moment, and has no settings any more."""
        del asked
        self._set_up_again(at_ns)

    def _set_up_again(self, at_ns: int) -> None:
        """All settings anew: soon for the first time, then at leisure; behind a reset if that does not help."""
        self._close(at_ns, complete=False)
        self._up = False
        self._set_ups += 1
        stuck = self._set_ups % MOST_TROUBLES == TRIES
        if stuck:
            self._fault(at_ns, "stuck", f"{TRIES} rounds in turn failed: the module boots anew")
        self._back_to_steps(stuck=stuck)
        self._pause(at_ns, PAUSE_NS if self._set_ups == 1 else REST_NS)


def _slots(q: int | None) -> bytes:
    return bytes((5, 0x12, 0)) if q is None else bytes((5, 0x12, 1, q))


def _identity(data: bytes) -> str:
    """Boot loader, hardware, date and version of the firmware, protocols: four bytes each."""
    if len(data) < 16:
        return ThingMagic.family
    hardware, date, version = (data[at : at + 4].hex(".").upper() for at in (4, 8, 12))
    return f"ThingMagic hardware {hardware}, firmware {version} of {date}"
