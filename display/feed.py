"""Reads the table's Unix socket in a thread of its own, for ever: the latest snapshot, and since when it is old.

A lost table is no error here: the last snapshot stays, marked with the time of the loss, and the thread tries again
with growing pauses. A table that lives says something at least every two seconds, so one that says nothing for
`SILENT_S` hangs: its picture is old as well, and the seconds are counted. Commands go out on the same socket; the
table's refusals come back as `refusal`.
"""

import contextlib
import itertools
import socket
import threading
import time

import msgspec

from controller.commands import Command
from controller.snapshot import DealerSnapshot
from display.errors import FeedError
from display.feed_lines import Hello, Reply, Snap, Splitter, Strange, command_line, read
from display.parts import Link

PAUSES_S = (0.1, 0.25, 0.5, 1.0, 2.0)  # between tries to connect; the last one again and again
PATIENCE_S = 1.0  # of one call on the socket: a table that takes no commands for so long is not there
SILENT_S = 5.0  # nothing for so long: the table hangs
CHUNK = 65536
CLOCK = "%H:%M:%S"


class Heard(msgspec.Struct, frozen=True):
    """What the screen knows of the table now."""

    link: Link
    snapshot: DealerSnapshot | None = None


class Feed:
    """One socket of a table. `start`, then `latest` as often as one likes, then `stop`."""

    def __init__(self, path: str, silent_s: float = SILENT_S) -> None:
        self._heard = Heard(Link("waiting", path=path))
        self._path = path
        self._silent_s = silent_s
        self._last_s = 0.0  # monotonic, of the last line
        self._last_clock = ""
        self._changed = threading.Event()
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._connection: socket.socket | None = None
        self._numbers = itertools.count(1)
        self._thread = threading.Thread(target=self._live, name="feed", daemon=True)

    # ------------------------------------------------------------ for the screen
    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        with self._lock, contextlib.suppress(OSError):
            if self._connection is not None:
                self._connection.shutdown(socket.SHUT_RDWR)
        if self._thread.ident is not None:
            self._thread.join(timeout=2 * PATIENCE_S)

    def latest(self) -> Heard:
        return self._heard

    def wait(self, timeout_s: float) -> bool:
        """Until something new was heard, or the time is over."""
        changed = self._changed.wait(timeout_s)
        self._changed.clear()
        return changed

    def send(self, command: Command, n: int | None = None, role: str = "") -> bool:
        """Tell the table something, to the snapshot `n`, for somebody of a role; False where it is not there."""
        line = command_line(str(next(self._numbers)), command, n, role)
        with self._lock:
            if self._connection is None or self._heard.link.state != "live":
                return False
            try:
                self._connection.sendall(line)
            except OSError:
                return False
        return True

    def first(self, timeout_s: float) -> Heard:
        """The first snapshot, for a picture; FeedError where none comes in time."""
        until = time.monotonic() + timeout_s
        while self._heard.snapshot is None and self._heard.link.state != "mismatch":
            left = until - time.monotonic()
            if left <= 0:
                raise FeedError(f"{self._path}: no table answers there: start betline run, or name the --socket")
            self.wait(left)
        return self._heard

    # ------------------------------------------------------------ the thread
    def _live(self) -> None:
        tries = 0
        while not self._stopping.is_set():
            connection = self._connect()
            if connection is not None:
                tries = 0 if self._listen(connection) else tries
                self._lost()
            self._stopping.wait(PAUSES_S[min(tries, len(PAUSES_S) - 1)])
            tries += 1

    def _connect(self) -> socket.socket | None:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(min(PATIENCE_S, self._silent_s))
        try:
            connection.connect(self._path)
        except OSError as error:
            connection.close()
            self._set(msgspec.structs.replace(self._heard.link, why=error.strerror or str(error)), self._heard.snapshot)
            return None
        with self._lock:
            self._connection = connection
        self._note_line()
        return connection

    def _listen(self, connection: socket.socket) -> bool:
        """Hear until the other side is gone; whether it ever said something that could be read."""
        splitter = Splitter()
        understood = False
        with connection:
            while chunk := self._receive(connection):
                for line in splitter.feed(chunk):
                    self._note_line()
                    understood = self._hear(line) or understood
        return understood

    def _receive(self, connection: socket.socket) -> bytes:
        while not self._stopping.is_set():
            try:
                return connection.recv(CHUNK)
            except TimeoutError:
                self._note_silence()
            except OSError:
                break
        return b""

    def _note_line(self) -> None:
        self._last_s, self._last_clock = time.monotonic(), time.strftime(CLOCK)

    def _note_silence(self) -> None:
        silent_s, link = time.monotonic() - self._last_s, self._heard.link
        if silent_s >= self._silent_s and link.state in ("live", "silent"):
            silent = msgspec.structs.replace(link, state="silent", since=self._last_clock, silent_s=int(silent_s))
            self._set(silent, self._heard.snapshot)

    def _hear(self, line: bytes | None) -> bool:
        """Take one line in; whether it could be read."""
        heard, told = self._heard, read(line)
        match told:
            case Hello():  # what is shown stays old until the first snapshot
                self._set(msgspec.structs.replace(heard.link, commands=told.view == "dealer"), heard.snapshot)
            case Snap():
                self._set(
                    msgspec.structs.replace(heard.link, state="live", since="", why="", silent_s=0), told.snapshot
                )
            case Reply():
                self._set(msgspec.structs.replace(heard.link, refusal=told.error), heard.snapshot)
            case Strange():
                self._set(Link("mismatch", path=self._path, why=told.why), heard.snapshot)
        return not isinstance(told, Strange)

    def _lost(self) -> None:
        with self._lock:
            self._connection = None
        heard = self._heard
        if heard.link.state in ("live", "silent"):
            self._set(Link("lost", time.strftime(CLOCK), self._path), heard.snapshot)

    def _set(self, link: Link, snapshot: DealerSnapshot | None) -> None:
        heard = Heard(link, snapshot)
        if heard != self._heard:
            self._heard = heard
            self._changed.set()
