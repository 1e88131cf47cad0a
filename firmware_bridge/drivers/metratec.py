"""Driver of Metratec readers that speak ASCII (QuasarMX, DeskID ISO, UM15, Dwarf15), ISO 15693, 115200 8N1.

On `Dialogue`: the reader is polled. Setting up ends a continuous mode that may be running, wakes the reader, switches
CRC mode on (a text line has no other protection), chooses the standard and switches the field on. A round is one
inventory, behind a change of the antenna where there are several; its last line counts the tags, and the count is
checked. All of this the reader forgets with its power: then it answers without CRC, or that its field is off, and is
set up again at once.
"""

from typing import Annotated, Literal

from msgspec import Meta

from firmware_bridge.drivers.dialogue import MS, Dialogue, Request
from firmware_bridge.drivers.options import Ms, SwitchedOptions
from firmware_bridge.events import Sighting
from firmware_bridge.wire import metratec as wire
from firmware_bridge.wire.metratec import AnyLine, Lines, Report, Tags, Text
from firmware_bridge.wire.rejected import Rejected

FORGET_AGAIN_NS = 5000 * MS  # a reader that forgets more often is in trouble
OPTIONAL = ("REV", "MOD", "SAP", "SET")  # a reader may not know them; what does not matter is passed over


class MetratecOptions(SwitchedOptions, frozen=True):
    """`port_offset`: added to an antenna's number in commands; -1 for a reader that counts its ports from 0."""

    crc: bool = True
    mode: Literal["156", "keep"] = "156"
    modulation: Literal[10, 100] = 100  # percent, of the field
    power_mw: Annotated[int, Meta(ge=0, le=8000)] | None = None  # None: as it is
    port_offset: Annotated[int, Meta(ge=-1, le=1)] = 0
    answer_ms: Ms = 500
    inventory_ms: Ms = 1500  # the longest inventory: 60 tags take 0.5 to 1 s


class Metratec(Dialogue[AnyLine]):
    family = "Metratec"

    def __init__(self, reader: str, antennas: tuple[int, ...], options: MetratecOptions) -> None:
        self._options = options
        super().__init__(reader, antennas, options)

    def _begin(self) -> None:
        super()._begin()
        self._forget()
        self._forgiven_ns = 0

    def _new_cutter(self) -> Lines:
        return Lines()

    def _forget(self) -> None:
        """The mode of the line is not known any more."""
        self._crc = False  # commands carry a CRC
        self._must_check = False  # and so do answers
        self._count = 0  # tags of this inventory
        self._reported: int | None = None  # its antenna

    # ------------------------------------------------------------ what goes out

    def _steps(self, *, stuck: bool) -> list[Request]:
        self._forget()
        options = self._options
        texts = ["BRK", *(["RST"] if stuck else []), "CON" if options.crc else "COF", "REV"]
        texts += ["MOD 156"] if options.mode == "156" else []
        texts += [f"SET PWR {options.power_mw}"] if options.power_mw is not None else []
        texts += [f"SRI SS {options.modulation}"]
        texts += ["SAP ARP ON"] if len(self._antennas) > 1 else []
        return [self._request(text, required=text[:3] not in (*OPTIONAL, "COF", "RST")) for text in texts]

    def _request(self, text: str, *, required: bool = True) -> Request:
        return Request(text.encode(), text, self._options.answer_ms, required=required)

    def _round_of(self, antenna: int) -> list[Request]:
        self._count, self._reported = 0, None
        inventory = Request(b"INV", "INV", self._options.inventory_ms, begins=True)
        if len(self._antennas) == 1:
            return [inventory]
        return [self._request(f"SAP MAN {antenna + self._options.port_offset}"), inventory]

    def _framed(self, request: Request) -> bytes:
        return wire.line(request.body.decode(), crc=self._crc)

    def _unanswered(self, request: Request) -> None:
        """It may be asleep; and of its line's mode nothing is sure: the other one is tried."""
        asleep = request.body == b"BRK"
        if not asleep or self._tries > 1:
            self._crc, self._must_check = not self._crc, False
        if asleep:
            self._send.append(wire.line("WAK", crc=self._crc))

    def _hint(self) -> str:
        return ": power and baud rate (115200), or a newer reader with the AT protocol, which is another language"

    # ------------------------------------------------------------ what comes in

    def _take_frame(self, frame: AnyLine, at_ns: int) -> None:
        if isinstance(frame, Text) and frame.text.split(" ")[0] in wire.COMMANDS:
            return  # the host's own, echoed
        if frame.checked and not self._must_check:
            self._latch(at_ns)
        if self._must_check and not frame.checked:
            self._unchecked(frame, at_ns)
            return
        match frame:
            case Tags(seen):
                self._tags(seen, at_ns)
            case Report("ARP", number):
                self._reported = number - self._options.port_offset
            case Report(_, number):
                self._finished_with(number, at_ns)
            case Text(text):
                self._text(text, at_ns)

    def _latch(self, at_ns: int) -> None:
        """CRC mode is on. Tags before this line had no CRC: their lines were damaged, and name nobody."""
        self._must_check = True
        gathered = self._round
        if gathered is not None and gathered.sightings:
            for tag in gathered.sightings:
                self._rejected(Rejected("checksum", wire.line(tag)), at_ns)
            gathered.sightings.clear()
            gathered.damaged = True

    def _unchecked(self, frame: AnyLine, at_ns: int) -> None:
        """A line without CRC in CRC mode: damaged, unless it is the voice of a reader that has forgotten the mode."""
        if self._polling and isinstance(frame, Text) and frame.text in (*wire.ERRORS, "SRT"):
            self._forgot(frame.text, at_ns)
        else:
            for raw in _raws(frame):
                self._rejected(Rejected("checksum", raw), at_ns)

    def _forgot(self, word: str, at_ns: int) -> None:
        if at_ns < self._forgiven_ns:  # it was set up a moment ago, in vain
            self._trouble(at_ns, word, wire.ERRORS.get(word, word), asked=True)
            return
        self._forgiven_ns = at_ns + FORGET_AGAIN_NS
        self._cut(at_ns)
        why = "the reader has forgotten its settings, as after a power cut: it is set up again"
        self._fault(at_ns, word, why)
        self._set_up(at_ns, stuck=False)

    def _tags(self, seen: tuple[Sighting, ...], at_ns: int) -> None:
        if not self._expected():
            self._unasked(seen, at_ns)
            return
        self._count += len(seen)
        self._heard(seen, at_ns)
        self._wait_on(at_ns)

    def _finished_with(self, number: int, at_ns: int) -> None:
        if not self._expected():
            return
        count, reported = self._count, self._reported
        self._count, self._reported = 0, None
        if self._round is None:
            self._heard((), at_ns, reported)
        gathered = self._round
        if gathered is None:
            return
        if reported not in (None, gathered.antenna):
            if self._polling and len(self._antennas) > 1:
                self._elsewhere(reported, at_ns)
                return
            if not self._polling:
                gathered.antenna = reported
        gathered.damaged = gathered.damaged or number != count
        self._finished(at_ns)

    def _elsewhere(self, antenna: int | None, at_ns: int) -> None:
        """The tags are of another antenna than the one asked for: the multiplexer did not switch."""
        gathered = self._round
        if gathered is None:
            return
        asked = gathered.antenna
        self._unasked(tuple(gathered.sightings.values()), at_ns, antenna)
        gathered.sightings.clear()
        why = f"antenna {asked} was asked for, and the reader reports antenna {antenna}: see option port_offset"
        self._trouble(at_ns, "antenna", why, asked=True)

    def _text(self, text: str, at_ns: int) -> None:
        word = text[:3]
        asked = None if self._asked is None else self._asked.body.decode()
        if text == "GMO" and asked == "BRK" and self._asked is not None:
            self._say(self._asked, at_ns)  # it slept through it
        if word in wire.QUIET:
            return
        if text == "BRA" and asked != "BRK":
            self._cut(at_ns)
        elif word in wire.ERRORS and len(text) == 3:
            self._error(text, asked, at_ns)
        elif asked is not None and not self._polling and _answers(asked, text):
            self._done(asked, text, at_ns)
        elif text == "OK!" and self._polling and asked is not None and asked != "INV":
            self._answered(at_ns)
        elif text not in ("OK!", "BRA", "NCM"):
            self._rejected(Rejected("noise", text.encode()), at_ns)

    def _done(self, asked: str, text: str, at_ns: int) -> None:
        """A step of the setting up has its answer."""
        if asked == "REV":
            self._is_up(" ".join(text.split()), at_ns)
        elif asked in ("CON", "COF"):
            self._crc = self._must_check = asked == "CON"
        elif asked == "RST":
            self._forget()
        self._answered(at_ns)

    def _error(self, word: str, asked: str | None, at_ns: int) -> None:
        if asked is not None and not self._polling:
            self._refused(word, asked, at_ns)
        elif asked is not None and word in wire.FORGOTTEN:
            self._forgot(word, at_ns)
        else:
            self._trouble(at_ns, word, wire.ERRORS[word], asked=asked is not None, radio=word in wire.RADIO)

    def _refused(self, word: str, asked: str, at_ns: int) -> None:
        """While setting up."""
        if word == "CCE" and not self._crc and self._asked is not None:
            self._crc, self._tries = True, 0  # it is in CRC mode already
            self._say(self._asked, at_ns)
        elif asked[:3] in OPTIONAL and word in ("UCO", "NOS"):
            self._answered(at_ns)
        else:
            self._trouble(at_ns, word, wire.ERRORS[word], asked=True)


def _answers(asked: str, text: str) -> bool:
    if asked == "BRK":
        return text in ("BRA", "NCM")
    return text != "OK!" if asked == "REV" else text == "OK!"


def _raws(frame: AnyLine) -> list[bytes]:
    """Its lines, as they may have come."""
    match frame:
        case Tags(sightings):
            return [sighting.tag.encode() for sighting in sightings]
        case Report():
            return [f"{frame.word} {frame.number:02d}".encode()]
        case Text():
            return [frame.text.encode()]
