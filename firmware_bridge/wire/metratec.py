r"""The lines of Metratec readers that speak ASCII (QuasarMX, DeskID ISO, UM15, Dwarf15), both directions.

    INV\r                       from the host: take an inventory
    E0040150954F02B1\r          a tag, most significant byte first
    ARP 02\r                    the antenna of the tags before it, where that is switched on
    IVF 01\r                    the inventory is finished, with so many tags
    OK!\r  UCO\r  BRA\r         done; an error of three letters; continuous mode has ended

In CRC mode a line ends with a space and four hex digits, the CRC-16/MCRF4XX of all before them, that space included:
`OK! 9356`. A line feed behind the carriage return comes from some firmware and means nothing. Source: the vendor's
protocol guide for ISO 15693 and its public library; lines are in `tests/data/frames.json`.
"""

import re
from itertools import takewhile
from typing import Final

from firmware_bridge.events import Sighting, Value
from firmware_bridge.wire.checksums import crc16_mcrf4xx
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.scanner import LONGEST_READ, MOST_READS, PATIENCE_NS, remember

LONG, SHORT = 21, 5  # bytes of a tag's line with a CRC, and of the CRC and its blank
LONGEST = 96  # bytes of a line: the longest answers are a name and a revision
COMMANDS = ("INV", "CNR", "BRK", "SAP", "WAK", "COF", "CON", "RST", "MOD", "SRI", "HBT", "REV", "SET", "EOF", "STB")
ERRORS = {
    "BOF": "the reader's buffer is full: some tags of this round are missing",
    "CCE": "the CRC of a command arrived wrong, or was missing in CRC mode",
    "CER": "the answer of a tag had a wrong CRC: two tags too close, or noise",
    "CRT": "the reader waited in vain for the rest of a command",
    "EDX": "a decimal number was expected",
    "EHX": "a hex number was expected",
    "EHF": "the reader's hardware has failed",
    "NOR": "a number is out of its range",
    "NOS": "this reader does not support that",
    "NRF": "the field is off",
    "NSS": "no standard is selected",
    "TCE": "communication with a tag failed",
    "TNR": "the tag does not answer",
    "TOE": "the tag did not answer in time",
    "UCO": "the reader does not know this command",
    "UER": "an error inside the reader",
    "UPA": "the reader does not know this parameter",
    "WMO": "the reader is in another mode",
}
RADIO = ("CER", "TCE", "TNR", "TOE")  # of the air, not of the reader
FORGOTTEN = ("NRF", "NSS", "WMO")  # what the reader was told when it was set up is gone
QUIET = ("HBT", "SRT", "GMO", "DNS")  # heartbeat, start, good morning (woken), did not sleep
_ALONE: Final = re.compile(r"([0-9A-F]{16})|(ARP|IVF) (\d{2,3})")
_AT_THE_END: Final = re.compile(rb"(?:[0-9A-F]{16}|(?:ARP|IVF) \d{2,3}|OK!|[A-Z]{3}) [0-9A-F]{4}$")
_CHECKED: Final = re.compile(rb" [0-9A-F]{4}$")
_PLAIN_RUN: Final = re.compile(rb"(?:\n?[0-9A-F]{16}\r){1,64}")
_CHECKED_RUN: Final = re.compile(rb"(?:\n?[0-9A-F]{16} [0-9A-F]{4}\r){1,64}")


class Tags(Value, frozen=True):
    """Lines of tags, one behind the other. `checked`: each had a CRC, and it was right; the same below."""

    sightings: tuple[Sighting, ...]
    checked: bool = False


class Report(Value, frozen=True):
    """ARP, the antenna of the tags before it, or IVF, the number of tags of a finished inventory."""

    word: str
    number: int
    checked: bool = False


class Text(Value, frozen=True):
    """Any other line."""

    text: str
    checked: bool = False


AnyLine = Tags | Report | Text


def line(text: str, *, crc: bool = False) -> bytes:
    """A line of either side."""
    raw = text.encode("ascii")
    if crc:
        raw += b" "
        raw += f"{crc16_mcrf4xx(raw):04X}".encode()
    return raw + b"\r"


def inventory(tags: tuple[str, ...], antenna: int | None = None, *, crc: bool = False) -> bytes:
    """A reader's answer to INV."""
    report = [] if antenna is None else [f"ARP {antenna:02d}"]
    return b"".join(line(text, crc=crc) for text in (*tags, *report, f"IVF {len(tags):02d}"))


class Lines:
    """Lines out of a stream. In CRC mode the good end of a line is found behind noise that has no end of its own."""

    def __init__(self) -> None:
        self._rest = b""
        self._last_ns = 0
        self._known: dict[bytes, bool] = {}  # lines of tags with a CRC, and whether it is right
        self._reads: dict[bytes, list[AnyLine | Rejected]] = {}  # of whole lines, from end to end

    def feed(self, data: bytes, at_ns: int) -> list[AnyLine | Rejected]:
        if not self._rest:
            again = self._reads.get(data)
            if again is not None:
                return again.copy()
        found = self.expire(at_ns)
        self._last_ns = at_ns
        whole, data = not self._rest, self._rest + data
        at = 0
        while (end := data.find(b"\r", at)) >= 0:
            at = self._run(data, at, found) or self._line(data, at, end, found)
        rest = data[at:]
        if len(rest) > 2 * LONGEST:
            found.append(Rejected("oversize", rest[:-LONGEST]))
            rest = rest[-LONGEST:]
        if whole and not rest and len(data) <= LONGEST_READ:
            remember(self._reads, data, found.copy(), MOST_READS)
        self._rest = rest
        return found

    def stale_at_ns(self) -> int | None:
        return self._last_ns + PATIENCE_NS if self._rest.strip(b"\n") else None

    def expire(self, at_ns: int) -> list[AnyLine | Rejected]:
        """A line that does not go on is none: the next one must not be joined to it."""
        return self.finish() if self._rest and at_ns - self._last_ns >= PATIENCE_NS else []

    def finish(self) -> list[AnyLine | Rejected]:
        rest, self._rest = self._rest.strip(b"\n"), b""
        return [Rejected("length", rest)] if rest else []

    def _run(self, data: bytes, at: int, found: list[AnyLine | Rejected]) -> int:
        """Good lines of tags that come in numbers, taken at once; where they end, 0 if there is none here."""
        run = _PLAIN_RUN.match(data, at)
        if run is not None:
            tags = run[0].decode("ascii").replace("\n", "").split("\r")
            found.append(Tags(tuple([Sighting(tag) for tag in tags[:-1]])))
            return run.end()
        run = _CHECKED_RUN.match(data, at)
        lines = [] if run is None else list(takewhile(self._is_good, run[0].split(b"\r")[:-1]))
        if not lines:
            return 0
        found.append(Tags(tuple([Sighting(line[-LONG:-SHORT].decode("ascii")) for line in lines]), checked=True))
        return at + sum(map(len, lines)) + len(lines)

    def _is_good(self, line: bytes) -> bool:
        """Whether a tag's CRC is right. Chips lie still: the same lines come again and again."""
        good = self._known.get(line)
        if good is None:
            good = crc16_mcrf4xx(line[-LONG:-4]) == int(line[-4:], 16)
            remember(self._known, line, good)
        return good

    def _line(self, data: bytes, at: int, end: int, found: list[AnyLine | Rejected]) -> int:
        """One line of any kind; where it ends."""
        text = data[at:end].lstrip(b"\n")
        if text:
            read, noise = _read(text)
            if noise:
                found.append(Rejected("noise", noise))
            found.append(read)
        return end + 1


def _read(raw: bytes) -> tuple[AnyLine | Rejected, bytes]:
    """What a line says, and the noise before it."""
    if _CHECKED.search(raw):
        if crc16_mcrf4xx(raw[:-4]) == int(raw[-4:], 16):
            return _said(raw[:-5], checked=True), b""
        for begin in range(max(1, len(raw) - LONGEST), len(raw) - 7):
            tail = raw[begin:]
            if _AT_THE_END.match(tail) and crc16_mcrf4xx(tail[:-4]) == int(tail[-4:], 16):
                return _said(tail[:-5], checked=True), raw[:begin]
    return _said(raw, checked=False), b""


def _said(raw: bytes, *, checked: bool) -> AnyLine | Rejected:
    if len(raw) > LONGEST:
        return Rejected("oversize", raw)
    if not raw.isascii() or not (text := raw.decode("ascii")).isprintable():
        return Rejected("noise", raw)
    alone = _ALONE.fullmatch(text)
    if alone is None:
        return Text(text, checked)
    tag, word, number = alone.groups()
    return Tags((Sighting(tag),), checked) if tag else Report(word, int(number), checked)
