"""Driver of FEIG OBID i-scan HF readers (MR, PR, LR and OEM sisters), ISO 15693, 38400 **8E1**.

On `Dialogue`: the reader is polled. A round: switch the multiplexer, where there is one; switch the field off for a
moment; take the inventory, and fetch the rest while the reader has more than a frame holds. The field must go off
first, because an inventory leaves every tag it has read silent: without that, a chip is reported once and then never
again while it lies there.

Nothing that a round needs is kept in the reader, so a reader that lost its power goes on where it is. The command of
the multiplexer is an option: FEIG's manuals give it to their customers, and no frame of it is public.
"""

from typing import Annotated, Literal

from msgspec import Meta

from firmware_bridge.drivers.dialogue import Dialogue, Request
from firmware_bridge.drivers.options import Ms, SwitchedOptions
from firmware_bridge.errors import OptionError
from firmware_bridge.events import PortSettings
from firmware_bridge.wire import feig as wire
from firmware_bridge.wire.feig import AnyFrame, Frame, Inventory
from firmware_bridge.wire.scanner import Scanner

MOST_PARTS = 64  # of one inventory: more means that the reader never comes to an end
RADIO = (wire.TAG_CRC, wire.RF_ERROR, 0x84, wire.TAG_ERROR)  # errors of the air, not of the reader
Template = Annotated[str, Meta(pattern=r"^([0-9A-Fa-f]{2}|\{n\}|\{n-1\}|\{bit\}| )*$")]


class FeigOptions(SwitchedOptions, frozen=True):
    """`mux`: control byte and data that switch a multiplexer, in hex; needed for more than one antenna.

    In it {n} is the antenna's number, {n-1} the number counted from 0, {bit} one bit an antenna.
    """

    baud: Annotated[int, Meta(ge=300, le=4_000_000)] = 38400
    parity: Literal["N", "E", "O"] = "E"
    address: Annotated[int, Meta(ge=0, le=255)] = wire.EVERYBODY
    frame: Literal["auto", "standard", "advanced"] = "auto"
    mux: Template = ""
    rf_reset: bool = True  # false only where the reader itself wakes quiet tags (CFG5, ONT off)
    answer_ms: Ms = 300
    inventory_ms: Ms = 1500  # the longest inventory: 60 tags take 0.5 to 1 s

    @property
    def settings(self) -> PortSettings:
        return PortSettings(self.baud, self.parity, self.dtr, self.rts)


class Feig(Dialogue[AnyFrame]):
    family = "OBID i-scan"

    def __init__(self, reader: str, antennas: tuple[int, ...], options: FeigOptions) -> None:
        if len(antennas) > 1 and not options.mux:
            raise OptionError(
                f"{reader}: {len(antennas)} antennas on a feig reader need option 'mux', the command that switches its "
                "multiplexer: see docs/readers/feig.md"
            )
        self._options = options
        self._advanced = options.frame == "advanced"
        self._parts = 0
        super().__init__(reader, antennas, options)

    def _new_cutter(self) -> Scanner[AnyFrame]:
        return wire.scanner()

    # ------------------------------------------------------------ what goes out

    def _steps(self, *, stuck: bool) -> list[Request]:
        wait_ms = self._options.answer_ms
        reset = Request(bytes((wire.RESET,)), "CPU reset", wait_ms, required=False)
        return [
            *([reset] if stuck else []),
            Request(bytes((wire.DETECT, 0)), "baud-rate detection", wait_ms),
            Request(bytes((wire.VERSION,)), "software version", wait_ms, required=False),
        ]

    def _round_of(self, antenna: int) -> list[Request]:
        options, found = self._options, []
        if options.mux:
            found.append(Request(mux_command(options.mux, antenna), "multiplexer", options.answer_ms))
        if options.rf_reset:
            found.append(Request(bytes((wire.RF_RESET,)), "RF reset", options.answer_ms))
        self._parts = 0
        return [*found, self._inventory_request(wire.FRESH)]

    def _inventory_request(self, mode: bytes) -> Request:
        body = bytes((wire.HOST_COMMAND,)) + wire.INVENTORY + mode
        return Request(body, "inventory", self._options.inventory_ms, begins=True)

    def _framed(self, request: Request) -> bytes:
        return wire.pack(self._options.address, request.body, advanced=self._advanced)

    def _unanswered(self, request: Request) -> None:
        """Some readers know their commands in the advanced frame only."""
        if self._options.frame == "auto" and request.body[0] == wire.DETECT:
            self._advanced = not self._advanced

    def _hint(self) -> str:
        return ": power, 8E1 and baud rate (a Pi's mini-UART has no parity bit), or its scan mode, which answers nobody"

    # ------------------------------------------------------------ what comes in

    def _take_frame(self, frame: AnyFrame, at_ns: int) -> None:
        if isinstance(frame, Inventory):
            self._inventory(frame, at_ns)
        elif frame.status is not None:
            self._answer(frame, frame.status, at_ns)

    def _inventory(self, told: Inventory, at_ns: int) -> None:
        if not self._expected():
            self._unasked(told.sightings, at_ns)
            return
        self._heard(told.sightings, at_ns)
        if told.status != wire.MORE_DATA:
            self._finished(at_ns)
            return
        self._parts += 1
        if self._polling and self._parts < MOST_PARTS:
            self._say(self._inventory_request(wire.MORE), at_ns)
        elif self._polling:
            self._trouble(at_ns, "94", "the reader never comes to the end of an inventory", asked=True)

    def _answer(self, frame: Frame, status: int, at_ns: int) -> None:
        waited_for = self._waits_for(frame.control)
        if status != wire.OK:
            meaning = wire.ERRORS.get(status, "the reader reports an error that its manual does not name")
            self._trouble(at_ns, f"{status:02X}", meaning, asked=waited_for, radio=status in RADIO)
            return
        if frame.control == wire.VERSION:
            self._is_up(_identity(frame.data), at_ns)
        if self._asked is not None and waited_for and not self._asked.begins:
            self._advanced = frame.advanced if self._options.frame == "auto" else self._advanced
            self._answered(at_ns)


def mux_command(template: str, antenna: int) -> bytes:
    """Control byte and data of the multiplexer's command for one antenna."""
    numbers = {"{n}": antenna, "{n-1}": antenna - 1, "{bit}": 1 << (antenna - 1) & 0xFF}
    for name, number in numbers.items():
        template = template.replace(name, f"{number & 0xFF:02X}")
    return bytes.fromhex(template)


def _identity(data: bytes) -> str:
    """Software version, and the type of the reader: software (2), development (1), hardware (1), type (1)."""
    if len(data) < 5:
        return Feig.family
    return f"OBID i-scan type {data[4]:02X}, software {data[0]:02X}.{data[1]:02X}"
