"""Recordings (`.betrec`): gzip of JSON lines, all that a table was told and what it made of it. docs/recording.md.

    {"betrec": 2, "version": "0.1.0", "table": {...}, "began": "2026-05-01T19:30:00Z", ...}     the header
    {"t": 81, "port": "west", "call": "start"}     a driver was called: start, tick, end
    {"t": 82, "port": "west", "tx": "0203"}        bytes to a reader, as they were written
    {"t": 93, "port": "west", "rx": "BB0222..."}   bytes of a reader, as one read gave them
    {"t": 94, "port": "west", "focus": [2, 1]}     antennas that the driver shall scan first
    {"t": 94, "port": "west", "ask": {"1": ["E004.."]}}     tags that the driver shall ask for, by antenna
    {"t": 95, "in": {"type": "round", ...}}        the core took it: a reader's event, a command, a timer
    {"t": 96, "event": {"type": "ruled", ...}}     the core decided it
    {"t": 97, "dropped": 12}                       the disk was too slow: so many lines are missing here

Lines stand in the order in which they happened for each port and for the core; `t` is monotonic of the boot. Whoever
records is killed now and then, so a file that stops in the middle is read up to its last whole line.
"""

import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, Self

import msgspec

from controller.config.before import as_now
from controller.config.config import Config
from controller.errors import ConfigError, RecordingError
from controller.registry.registry import Item
from controller.rulings.switches import Profile
from controller.table import version_1
from controller.table.events import Event
from controller.table.inputs import Told
from controller.table.state import State
from firmware_bridge.events import ReaderEvent, Value, Wanted
from firmware_bridge.files import check_file

FORMAT = 2
READ = (1, FORMAT)  # 1: events and states as `controller/table/version_1.py` says
SUFFIX = ".betrec"
GZIP = 31  # zlib's window bits for a gzip stream
CHUNK = 1 << 16  # bytes of one read
PIECE = 1 << 20  # most that one step unpacks, whatever the file claims
LONGEST_LINE = 1 << 24  # the header of a large table that was restarted in a hand has some hundred kilobytes
LEAST_ZEROS = 64  # at the end: no data, for an end mark has seven at most
_NEWLINE = b"\n"

Kind = Literal["bytes", "calls", "rounds", "ticks", "events"]


class Tick(Value, frozen=True, tag="tick"):
    """A timer of the core was due."""

    at_ns: int


Given = ReaderEvent | Told | Tick


class Line(Value, frozen=True, omit_defaults=True):
    """One line; which field is set says what it is."""

    t: int  # ns, monotonic of the boot that recorded
    port: str = ""  # [[reader]] id, with rx, tx, call, focus and ask
    rx: str | None = None  # hex
    tx: str | None = None
    call: Literal["start", "tick", "end"] | None = None
    focus: tuple[int, ...] | None = None
    ask: Wanted | None = None
    given: Given | None = msgspec.field(default=None, name="in")
    event: Event | None = None
    dropped: int = 0


class Header(Value, frozen=True, omit_defaults=True):
    """The first line: all that is needed to play the rest on another machine."""

    betrec: int
    version: str  # of the betline that recorded
    table: Config  # as table.toml says it
    began: str  # UTC by the clock of the machine, which may be wrong; "" in anonymised ones
    holds: tuple[Kind, ...] = ("bytes", "events")  # what the lines hold; calls: exact times of the drivers
    items: tuple[Item, ...] = ()  # the registry, ignored tags included
    profile: Profile | None = None  # of a house's own file; None: the one of the package that `table` names
    state: State | None = None  # where the journal had left the table; None: a fresh one
    anonymised: bool = False
    n: int = 0  # of the last public event before it


def _header(text: bytes, version: int) -> Header:
    """A header of any version that is read, as it is written now."""
    header = msgspec.json.decode(text, type=dict[str, Any])
    if version == 1 and isinstance(header.get("state"), dict):
        header["state"] = version_1.state_as_now(header["state"])
    if isinstance(header.get("table"), dict):
        header["table"] = as_now(header["table"])
    return msgspec.convert(header, Header)


class _Mark(msgspec.Struct):
    """As much of a header as every version has."""

    betrec: int
    version: str = "unknown"


# ---------------------------------------------------------------- pure: values to lines and back
def encode(value: Line | Header) -> bytes:
    """One line, with its end."""
    return msgspec.json.encode(value) + _NEWLINE


def decode_header(text: bytes, source: str) -> Header:
    """The first line; `source` is what errors call the file."""
    try:
        mark = msgspec.json.decode(text, type=_Mark)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecordingError(f"{source}: is no recording: its first line names no betrec version") from error
    if mark.betrec not in READ:
        raise RecordingError(f"{source}: recording of format {mark.betrec}, this betline reads {FORMAT}: update it")
    try:
        return _header(text, mark.betrec)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ConfigError) as error:
        raise RecordingError(
            f"{source}, line 1: {error}: made by betline {mark.version}, use that version or a newer one"
        ) from error


_line_decoder = msgspec.json.Decoder(Line)


def decode_line(text: bytes, where: str) -> Line:
    """A line behind the header; `where` is what errors call it."""
    try:
        line = _line_decoder.decode(text)
        for data in (line.rx, line.tx):
            bytes.fromhex(data or "")
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise RecordingError(f"{where}: is no line of a recording: {error}") from error
    return line


# ---------------------------------------------------------------- files
class Writer:
    """A new file, for the eyes of its owner: it shows hole cards. What was flushed survives a kill.

    OSError where the disk takes nothing more; `abandon` it then.
    """

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self._pack = zlib.compressobj(wbits=GZIP)
        try:
            self._fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        except FileExistsError as error:
            raise RecordingError(f"{path}: is there already: take another name") from error
        except OSError as error:
            raise RecordingError(f"{path}: {error.strerror or error}: choose another place") from error
        self._put(self._pack.compress(encode(header)))
        self.flush()

    def write(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self._put(self._pack.compress(encode(line)))

    def flush(self) -> None:
        """Everything so far can be read from now on."""
        self._put(self._pack.flush(zlib.Z_SYNC_FLUSH))

    def close(self) -> None:
        self._put(self._pack.flush(zlib.Z_FINISH))
        os.fsync(self._fd)
        os.close(self._fd)

    def abandon(self) -> None:
        """Without an end mark: what was written stays, and is read as far as it goes."""
        os.close(self._fd)

    def _put(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._fd, data) :]


class Recording:
    """A file to be read: `header` first, then `lines()` once. Use it with `with`.

    `torn` is set when the lines are read and the file stops without its end mark.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.torn = False
        check_file(path, RecordingError)
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise RecordingError(f"{path}: {error.strerror or error}: check the path") from error
        self._texts = self._whole_lines()
        try:
            self.header = decode_header(self._first(), str(path))
        except RecordingError:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def lines(self) -> Iterator[Line]:
        """Every line behind the header, in order."""
        for number, text in enumerate(self._texts, 2):
            yield decode_line(text, f"{self.path}, line {number}")

    def _first(self) -> bytes:
        first = next(self._texts, None)
        if first is None:
            raise RecordingError(f"{self.path}: stops before its first line is whole: nothing of it can be used")
        return first

    def _whole_lines(self) -> Iterator[bytes]:
        rest, number = b"", 0
        for piece in self._unpacked():
            *whole, rest = (rest + piece).split(_NEWLINE)
            number += len(whole)
            yield from whole
            if len(rest) > LONGEST_LINE:
                raise RecordingError(f"{self.path}, line {number + 1}: longer than {LONGEST_LINE} bytes: no recording")
        self.torn = self.torn or bool(rest)

    def _unpacked(self) -> Iterator[bytes]:
        unpack = zlib.decompressobj(wbits=GZIP)
        for chunk in self._chunks():
            waiting = chunk
            while waiting and not unpack.eof:
                try:
                    piece = unpack.decompress(waiting, PIECE)
                except zlib.error as error:
                    raise RecordingError(f"{self.path}: damaged ({error}): copy it again from its source") from error
                waiting = unpack.unconsumed_tail
                yield piece
            if unpack.eof and (waiting or unpack.unused_data):
                raise RecordingError(f"{self.path}: something follows its end: copy it again from its source")
        yield unpack.flush()
        self.torn = not unpack.eof

    def _chunks(self) -> Iterator[bytes]:
        """The file without the blocks of zeros that a power cut leaves at its end."""
        first, zeros = True, 0
        while chunk := self._file.read(CHUNK):
            if first and not chunk.startswith(b"\x1f\x8b"):
                raise RecordingError(f"{self.path}: is no recording: they are gzip, this is not")
            first = False
            body = chunk.rstrip(b"\0")
            if body:
                yield bytes(min(zeros, CHUNK)) + body
                zeros = 0
            zeros += len(chunk) - len(body)
        if first:
            raise RecordingError(f"{self.path}: is empty: nothing was recorded")
        if zeros < LEAST_ZEROS:
            yield bytes(zeros)
