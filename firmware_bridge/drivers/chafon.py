"""Driver of Chafon's length-first UHF readers (UHFReader18, CF-RU5102, 288M, CF-MU904, UR series), 57600 8N1.

On `Dialogue`: the reader is polled. Its type is asked first: it tells in which of two layouts tags come, and whether
the reader switches antennas itself. A round is one inventory: the reader says nothing until its scan time is over, then
sends parts ("to be continued") and a last one. A reader in scan mode reports by itself and may obey nothing else: it is
switched to answer mode. Scan time and power are kept in the reader's EEPROM, and set only where they differ.
"""

from typing import Annotated, Literal

from msgspec import Meta

from firmware_bridge.drivers.dialogue import MS, Dialogue, Request
from firmware_bridge.drivers.options import Ms, SwitchedOptions
from firmware_bridge.events import Sighting
from firmware_bridge.wire import chafon as wire
from firmware_bridge.wire.chafon import AnyFrame, Frame, Inventory, Layout
from firmware_bridge.wire.chafon_cf import NO_TAG, CfFrame, CfTag
from firmware_bridge.wire.scanner import Scanner

UNIT_MS = 100  # of a scan time
MODE_AGAIN_NS = 2000 * MS  # between two attempts to end scan mode
REFUSALS = (wire.WRONG_LENGTH, wire.ILLEGAL, wire.WRONG_PARAMETER)


class ChafonOptions(SwitchedOptions, frozen=True):
    """`elapsed_complete`: a round that the scan time ended counts as complete, for firmware that ends all rounds so."""

    baud: Annotated[int, Meta(ge=300, le=4_000_000)] = 57600
    address: Annotated[int, Meta(ge=0, le=255)] = wire.EVERYBODY
    layout: Layout = "auto"
    inventory: Literal["auto", "plain", "full"] = "auto"  # full: with Q, session and antenna, for the newer readers
    scan_ms: Annotated[int, Meta(ge=300, le=25_500)] = 300  # in steps of 100
    power_dbm: Annotated[int, Meta(ge=0, le=33)] | None = None  # None: as it is
    q: Annotated[int, Meta(ge=0, le=15)] = 4
    session: Annotated[int, Meta(ge=0, le=3)] = 0  # S0: every tag answers in every round
    elapsed_complete: bool = False
    answer_ms: Ms = 500


class Chafon(Dialogue[AnyFrame]):
    family = "UHFReader18"

    def __init__(self, reader: str, antennas: tuple[int, ...], options: ChafonOptions) -> None:
        self._options = options
        self._scan_units = -(-options.scan_ms // UNIT_MS)
        super().__init__(reader, antennas, options)

    def _begin(self) -> None:
        super()._begin()
        self._layout: Layout = self._options.layout
        self._full = self._options.inventory == "full"
        self._mode_again_ns = 0
        self._other_language = False

    def _new_cutter(self) -> Scanner[AnyFrame]:
        return wire.scanner(self._options.layout)

    # ------------------------------------------------------------ what goes out

    def _steps(self, *, stuck: bool) -> list[Request]:
        """There is no command that resets these readers: one that is stuck is asked anew who it is."""
        del stuck
        return [Request(bytes((wire.INFORMATION,)), "reader information", self._options.answer_ms)]

    def _settings_of(self, power: int, scan_units: int) -> list[Request]:
        """Requests for what the reader has otherwise: each write wears its EEPROM."""
        found, wanted = [], self._options.power_dbm
        if scan_units != self._scan_units and not self._full:
            body = bytes((wire.SCAN_TIME, self._scan_units))
            found.append(Request(body, "scan time", self._options.answer_ms, required=False))
        if wanted is not None and wanted != power:
            found.append(Request(bytes((wire.POWER, wanted)), "power", self._options.answer_ms, required=False))
        return found

    def _round_of(self, antenna: int) -> list[Request]:
        options = self._options
        body = bytes((wire.INVENTORY,))
        if self._full:
            body += wire.query(antenna, options.q, options.session, self._scan_units)
        return [Request(body, "inventory", self._scan_units * UNIT_MS + options.answer_ms, begins=True)]

    def _framed(self, request: Request) -> bytes:
        return wire.pack(self._options.address, request.body)

    def _hint(self) -> str:
        if self._other_language:
            return ": it speaks Chafon's CF language, in which it is listened to, and not driven"
        return ": power, baud rate (57600 unless it was changed), or scan mode"

    # ------------------------------------------------------------ what comes in

    def _take_frame(self, frame: AnyFrame, at_ns: int) -> None:
        if isinstance(frame, CfFrame | CfTag):
            self._overheard(frame, at_ns)
        elif isinstance(frame, Inventory):
            self._inventory(frame, at_ns)
        elif frame.command == wire.REPORT:
            self._leave_scan_mode(at_ns)
        elif frame.status is not None:
            self._answer(frame, frame.status, at_ns)

    def _overheard(self, frame: CfFrame | CfTag, at_ns: int) -> None:
        """A reader that speaks the other language is listened to, not driven: where its rounds end is not known."""
        if isinstance(frame, CfTag):
            self._heard((frame.sighting,), at_ns, frame.antenna)
        elif frame.command == wire.INVENTORY and frame.status == NO_TAG:
            if self._expected():
                self._finished(at_ns)
            self._cut(at_ns)
        self._other_language = True

    def _inventory(self, told: Inventory, at_ns: int) -> None:
        seen, antenna = self._read(told)
        status = told.status
        if not self._expected():
            self._unasked(seen, at_ns, antenna)
        elif status in wire.WITH_TAGS or status == wire.NO_TAG:
            self._heard(seen, at_ns, antenna)
            self._part(status, at_ns)
        else:
            self._refused(status, at_ns)

    def _read(self, told: Inventory) -> tuple[tuple[Sighting, ...], int | None]:
        """Tags and antenna, in the layout of this reader where both are possible."""
        if told.by_288 is None or (told.by_18 is not None and self._layout != "288"):
            self._layout = self._layout if told.by_18 is None else "18"
            return told.by_18 or (), None
        self._layout = "288"
        return told.by_288, told.antenna

    def _part(self, status: int, at_ns: int) -> None:
        if status == wire.TO_BE_CONTINUED:
            self._wait_on(at_ns)
            return
        cut = status == wire.BUFFER_FULL or (status == wire.ELAPSED and not self._options.elapsed_complete)
        cut = cut or (len(self._antennas) > 1 and not self._full)  # of which antenna, nobody knows
        if status == wire.BUFFER_FULL:
            self._fault(at_ns, "04", wire.ERRORS[status])
        if cut and self._round is not None:
            self._round.damaged = True
        self._finished(at_ns)

    def _refused(self, status: int, at_ns: int) -> None:
        """Old readers do not know the parameters of an inventory, new ones may not do without."""
        if self._polling and status in REFUSALS and self._options.inventory == "auto":
            self._full = not self._full
        self._error(status, at_ns, asked=self._polling)

    def _error(self, status: int, at_ns: int, *, asked: bool) -> None:
        meaning = wire.ERRORS.get(status, "the reader reports an error that its manual does not name")
        self._trouble(at_ns, f"{status:02X}", meaning, asked=asked, radio=status in (0xFA, 0xFC))

    def _answer(self, frame: Frame, status: int, at_ns: int) -> None:
        asked = self._waits_for(frame.command)
        if status != wire.OK:
            if asked or status in wire.ERRORS:  # else it is the host's own command, echoed: no reader answers so
                self._error(status, at_ns, asked=asked)
            return
        if frame.command == wire.INFORMATION and len(frame.data) >= 8:
            self._identify(frame.data, at_ns, asked=asked)
        if asked and not self._polling:
            self._answered(at_ns)

    def _identify(self, data: bytes, at_ns: int, *, asked: bool) -> None:
        """Version (2), type, protocols, frequencies (2), power, scan time."""
        layout = wire.LAYOUTS.get(data[2], self._layout)
        if self._options.layout == "auto":
            self._layout = layout
        if self._options.inventory == "auto":
            self._full = layout == "288"
        if len(self._antennas) > 1 and not self._full:
            why = "this type of reader does not switch antennas by command: configure one antenna"
            self._fault(at_ns, "no_antenna", why)
        self._is_up(f"Chafon type {data[2]:02X}, firmware {data[0]}.{data[1]}", at_ns)
        if asked:
            self._queue.extend(self._settings_of(data[6], data[7]))

    def _leave_scan_mode(self, at_ns: int) -> None:
        """A report of its own accord: its layout differs from model to model, so its tags are not read."""
        if at_ns < self._mode_again_ns:
            return
        self._mode_again_ns = at_ns + MODE_AGAIN_NS
        self._fault(at_ns, "EE", "the reader is in scan mode and reports by itself: it is switched to answer mode")
        new = self._layout == "288"
        body = bytes((wire.NEW_MODE, 0)) if new else bytes((wire.SET_MODE,)) + wire.ANSWER_MODE
        self._send.append(wire.pack(self._options.address, body))
