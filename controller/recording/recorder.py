"""A recorder beside a running table: whoever tells it something never waits, a thread of its own writes.

Lines wait in memory for at most `WRITE_S`, and at most `MOST_LINES` of them: a disk that is too slow for longer costs
lines, and then a line says how many. A disk that is full ends the recording and never the table.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import msgspec

from controller.commands import By, Command
from controller.config.config import Config
from controller.errors import RecordingError
from controller.recording.file import FORMAT, SUFFIX, Given, Header, Kind, Line, Tick, Writer
from controller.registry.registry import Item
from controller.rulings.switches import Profile
from controller.table.events import Event
from controller.table.inputs import Told
from controller.table.state import State
from firmware_bridge.events import ReaderEvent, Wanted
from firmware_bridge.files import check_file
from firmware_bridge.port import Tap, Way

WRITE_S = 0.5  # a kill costs no more than what came in so long
MOST_LINES = 50_000  # about a minute of a big table; some 20 MB
_LOG = logging.getLogger("betline")


def header_of(
    config: Config,
    items: Sequence[Item],
    holds: Sequence[Kind],
    profile: Profile | None = None,
    state: State | None = None,
    *,
    n: int = 0,
) -> Header:
    """The header of a recording that begins now."""
    began = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Header(FORMAT, version("betline"), config, began, tuple(holds), tuple(items), profile, state, n=n)


def file_for(path: Path, table: str) -> Path:
    """The file to write: the one given or, in a folder, one with the table's name and the time."""
    if not path.is_dir():
        check_file(path, RecordingError)
        return path
    return path / f"{table}-{datetime.now(UTC).strftime('%Y%m%d-%H%M%S')}{SUFFIX}"


class Recorder:
    """Takes what happens at a table, from any thread, and writes it. `begin` it before, `close` it after everything.

    `disguise` is asked for every line before it is written: another line, or None for nothing.
    """

    def __init__(self, path: Path, disguise: Callable[[Line], Line | None] | None = None) -> None:
        self.path = path
        self.lost = 0  # lines for which there was no room
        self.failed = ""  # why nothing is written any more
        self._disguise = disguise
        self._writer: Writer | None = None
        self._lock = threading.Lock()  # held for an append, never for a write
        self._waiting: deque[Line] = deque()
        self._writing = 0  # lines that are on their way to the disk
        self._untold = 0  # lost lines that no line tells of yet
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)

    def begin(self, header: Header) -> None:
        """Make the file; RecordingError where that cannot be."""
        self.path = file_for(self.path, header.table.table.name)
        try:
            self._writer = Writer(self.path, header)
        except OSError as error:
            raise RecordingError(f"{self.path}: {error.strerror or error}: choose another place") from error
        self._thread.start()

    def close(self) -> None:
        """Write what waits, and the end mark."""
        self._ending.set()
        if self._thread.ident is not None:
            self._thread.join()
        if self.lost:
            _LOG.warning("%s: %d lines are missing: the disk was too slow or full", self.path, self.lost)

    # ------------------------------------------------------------------ from any thread
    def tap(self, port: str) -> Tap:
        """A listener for one port: all that its driver is given, and what is sent to its reader."""

        def note(at_ns: int, way: Way, data: bytes) -> None:
            match way:
                case "rx":
                    line = Line(at_ns, port, rx=data.hex())
                case "tx":
                    line = Line(at_ns, port, tx=data.hex())
                case "focus":
                    line = Line(at_ns, port, focus=tuple(data))
                case "ask":
                    line = Line(at_ns, port, ask=msgspec.json.decode(data, type=Wanted))
                case _:
                    line = Line(at_ns, port, call=way)
            self._note(line)

        return note

    def took(self, event: ReaderEvent) -> None:
        """The core took an event of a reader."""
        self._given(time.monotonic_ns(), event)

    def told(self, command: Command, by: By, at_ns: int, n: int | None = None) -> None:
        """The core took a command; `n` as in `Core.command`."""
        self._given(at_ns, Told(at_ns, command, by, n))

    def ticked(self, at_ns: int) -> None:
        """A timer of the core was due."""
        self._given(at_ns, Tick(at_ns))

    def committed(self, events: Sequence[Event]) -> None:
        """The core decided these."""
        at_ns = time.monotonic_ns() if events else 0
        for event in events:
            self._note(Line(at_ns, event=event))

    def _given(self, at_ns: int, given: Given) -> None:
        self._note(Line(at_ns, given=given))

    def _note(self, line: Line) -> None:
        with self._lock:
            if self.failed or len(self._waiting) >= MOST_LINES:
                self.lost += 1
                self._untold += 1
                return
            if self._untold:
                self._waiting.append(Line(line.t, dropped=self._untold))
                self._untold = 0
            self._waiting.append(line)

    # ------------------------------------------------------------------ the writing thread
    def _run(self) -> None:
        writer = self._writer
        assert writer is not None
        try:
            while not self._ending.wait(WRITE_S):
                self._write(writer)
            self._write(writer)
            self._tell_lost(writer)
            writer.close()
        except Exception as error:  # noqa: BLE001  -- whatever it is, the table goes on and hears of it
            self._give_up(writer, error)

    def _write(self, writer: Writer) -> None:
        with self._lock:
            lines, self._waiting = self._waiting, deque()
        self._writing = len(lines)
        if self._disguise is None:
            writer.write(lines)
        else:
            writer.write(line for line in map(self._disguise, lines) if line is not None)
        writer.flush()
        self._writing = 0

    def _tell_lost(self, writer: Writer) -> None:
        if self._untold:
            writer.write([Line(time.monotonic_ns(), dropped=self._untold)])

    def _give_up(self, writer: Writer, error: Exception) -> None:
        why = error.strerror if isinstance(error, OSError) else error
        with self._lock:
            self.failed = f"{self.path}: {why}: the recording ends here; make room, then start it again"
            self.lost += len(self._waiting) + self._writing
            self._waiting.clear()
        _LOG.error("%s", self.failed)
        writer.abandon()
