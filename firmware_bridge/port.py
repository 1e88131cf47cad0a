"""One serial port and the driver behind it: a thread that stamps, reads, writes and reconnects. Knows no protocol.

The thread gives every event of the driver to `put`, in order, and nothing else leaves it. `ReaderUp` comes from the
driver, when the reader has said who it is; `ReaderLost` comes from here whenever the line goes, and again when the
reason changes (unplugged, then no permission).

Traps of pyserial 3.5 and of serial lines, and what is done here about each:

* `read(n)` waits for n bytes or the time-out, `readline` reads byte by byte: wait on the descriptor, then take what is
  there with one `os.read`; where a URL has no descriptor, `read(in_waiting or 1)`.
* Bytes that came before a hang-up in the same `read(n)` are lost: `os.read` gives them first and the hang-up next.
* `is_open` stays true after unplugging: it is never asked. A hang-up shows as no data although poll said ready.
* The calls raise OSError, termios.error (no OSError!), TypeError or ValueError for one and the same unplugged cable:
  all are caught at the line, and only there, and become one reason.
* `close` from another thread breaks a pending read, `cancel_read` ends the next read instead: the port's own thread
  alone touches the line; others wake it through a pipe.
* `exclusive=True` is an advisory lock that other programs may ignore: TIOCEXCL is set as well, and given back.
* `open` throws pending input away: the driver's `start` asks the reader for everything anew.
* `set_low_latency_mode` raises where the adapter has no such knob: it is asked for and never needed.
* A write to a line that takes no bytes blocks for ever: it has a time-out, after which the line counts as lost. Over
  rfc2217 pyserial refuses write time-outs, so there TCP's own limit counts.
* Opening raises DTR and RTS, closing drops them, and many boards reset on that edge: `dtr` and `rts` of the driver's
  settings are set before opening; where DTR is not forced low it stays up at closing (no HUPCL), so that a restart of
  the service does not reset the reader.
* An adapter comes back under another name: reopen by the configured name (best: /dev/serial/by-id), with back-off.
"""

import contextlib
import fcntl
import os
import select
import socket
import termios
import threading
import time
import traceback
from collections.abc import Callable
from typing import Literal

import msgspec
import serial

from firmware_bridge.drivers.base import Driver
from firmware_bridge.events import Out, PortSettings, ReaderEvent, ReaderFault, ReaderLost, Wanted
from firmware_bridge.port_cures import explain

# All that a driver is given, so that a recording can give it again: when, what, and the bytes as read or written.
# start, tick and end (flush) have none; focus has the antennas, one byte each; ask has JSON: tags by antenna.
Way = Literal["rx", "tx", "start", "tick", "focus", "ask", "end"]
Tap = Callable[[int, Way, bytes], None]

CHUNK = 65536  # one read takes all that is there; 10 us a read whatever its size (measured on a pty)
WRITE_TIMEOUT_S = 0.5  # a command is some tens of bytes: 3 ms at 115200 baud
BLIND_WAIT_S = 0.02  # how long a line without descriptor (rfc2217) waits in one read
FIRST_BACKOFF_S, LAST_BACKOFF_S = 0.1, 2.0  # an adapter needs about a second to enumerate
IDLE_S = 60.0  # a wait without anything due; bytes, focus and close end it at once
SOON_S = 0.001  # after a tick: a driver that is due again at once may not spin
LINE_TROUBLES = (OSError, termios.error, TypeError, ValueError, RuntimeError)  # all that pyserial raises


class LineLostError(Exception):
    """The line is gone or was never there: one line with its cure. Never seen outside this module."""


class HangUpError(OSError):
    """Ready to read and nothing there: unplugged, or another program took the bytes."""


class Port:
    """A reader on a port: `start` it, `focus` it, `close` it; events come through `put` from the port's thread."""

    def __init__(
        self, reader: str, url: str, driver: Driver, put: Callable[[ReaderEvent], None], tap: Tap | None = None
    ) -> None:
        self.reader, self.url = reader, url
        self.was_open = False  # at least once: a first loss without it is a port that cannot be opened
        self.driver, self._put, self._tap = driver, put, tap
        self._focus: tuple[int, ...] = ()
        self._focused: tuple[int, ...] = ()  # what the driver was told last
        self._wanted: Wanted = {}
        self._asked: Wanted = {}  # what the driver was told last
        self._stopping = threading.Event()
        self._pipe_lock = threading.Lock()
        self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread = threading.Thread(target=self._run, name=f"port-{reader}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def focus(self, antennas: tuple[int, ...]) -> None:
        """Ask the reader to scan these first, in turn; any thread may call it."""
        if antennas != self._focus:
            self._focus = antennas
            self._wake()

    def ask(self, wanted: Wanted) -> None:
        """Ask the reader for these tags by address, if it can, and for no others; any thread may call it."""
        if wanted != self._wanted:
            self._wanted = wanted
            self._wake()

    def end(self) -> None:
        """Ask the thread to end, without waiting for it."""
        self._stopping.set()
        self._wake()

    def close(self, timeout_s: float = 1.0) -> bool:
        """End the thread and give the port back; False if a connection in the making keeps it a little longer."""
        self.end()
        if self._thread.ident is None:
            self._close_pipe()
            return True
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _wake(self) -> None:
        with self._pipe_lock, contextlib.suppress(BlockingIOError):  # full: it wakes anyway
            if self._wake_write >= 0:
                os.write(self._wake_write, b"!")

    def _close_pipe(self) -> None:
        with self._pipe_lock:
            for end in (self._wake_read, self._wake_write):
                if end >= 0:
                    os.close(end)
            self._wake_read = self._wake_write = -1

    def _run(self) -> None:
        try:
            self._reconnect_until_closed()
        finally:
            self._close_pipe()

    def _reconnect_until_closed(self) -> None:
        told = ""
        backoff_s = FIRST_BACKOFF_S
        while not self._stopping.is_set():
            session = _Session(self._tap)
            why = self._connect_and_serve(session)
            if session.heard:
                told, backoff_s = "", FIRST_BACKOFF_S
            if why != told and not self._stopping.is_set():
                self._put(ReaderLost(self.reader, time.monotonic_ns(), why))
                told = why
            self._stopping.wait(backoff_s)
            backoff_s = min(backoff_s * 2, LAST_BACKOFF_S)

    def _connect_and_serve(self, session: "_Session") -> str:
        """Serve the line until it is lost; the reason."""
        try:
            return self._until_lost(session)
        except Exception as error:  # noqa: BLE001  -- a fault of one driver must not end the other readers
            return self._driver_failed(error)
        finally:
            session.close()

    def _until_lost(self, session: "_Session") -> str:
        try:
            session.open(self.url, self.driver.settings, self._wake_read)
        except LineLostError as lost:
            return str(lost)
        self.was_open = True
        try:
            self._serve(session)
        except LineLostError as lost:
            now_ns = time.monotonic_ns()
            self._note(now_ns, "end")
            for event in self.driver.flush(now_ns).events:
                self._put(event)
            return str(lost)
        return ""

    def _serve(self, session: "_Session") -> None:
        driver = self.driver
        now_ns = time.monotonic_ns()
        self._note(now_ns, "start")
        self._handle(session, driver.start(now_ns))
        self._focused, self._asked = (), {}
        wait_s = 0.0
        while not self._stopping.is_set():
            data = session.read(wait_s)
            now_ns = time.monotonic_ns()
            if data:
                self._note(now_ns, "rx", data)
                self._handle(session, driver.receive(data, now_ns))
            self._pass_on(now_ns)
            due_ns = driver.wake_at_ns()
            least_s = 0.0
            if due_ns is not None and due_ns <= now_ns:
                self._note(now_ns, "tick")
                self._handle(session, driver.tick(now_ns))
                due_ns, least_s = driver.wake_at_ns(), SOON_S
            wait_s = IDLE_S if due_ns is None else max(least_s, (due_ns - now_ns) / 1e9)

    def _pass_on(self, now_ns: int) -> None:
        """What others want of the reader now."""
        if self._focus != self._focused:
            self._focused = self._focus
            self._note(now_ns, "focus", bytes(self._focused))
            self.driver.focus(self._focused)
        if self._wanted != self._asked:
            self._asked = self._wanted
            self._note(now_ns, "ask", msgspec.json.encode(self._asked))
            self.driver.ask(self._asked)

    def _note(self, at_ns: int, way: Way, data: bytes = b"") -> None:
        """Before the driver is called: what makes a driver fail must be on record."""
        if self._tap:
            self._tap(at_ns, way, data)

    def _handle(self, session: "_Session", out: Out) -> None:
        for event in out.events:
            self._put(event)
        for chunk in out.send:
            session.write(chunk)

    def _driver_failed(self, error: Exception) -> str:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{os.path.basename(place.filename)}:{place.lineno}"  # noqa: PTH119  -- a name, not a file
        meaning = f"{type(error).__name__}: {error} ({where})"
        self._put(ReaderFault(self.reader, time.monotonic_ns(), "driver", meaning))
        return f"{self.url}: the driver failed and is started again: please report {meaning}"


class _Session:
    """One open line, from opening to loss. Every trouble of it is a `LineLostError`."""

    def __init__(self, tap: Tap | None) -> None:
        self.heard = False  # at least one byte came: the reader lives
        self._tap = tap
        self._url = ""
        self._wake_fd = -1
        self._line: serial.Serial | None = None
        self._fd: int | None = None
        self._peer: socket.socket | None = None
        self._poll = select.poll()

    def open(self, url: str, settings: PortSettings, wake_fd: int) -> None:
        self._url, self._wake_fd = url, wake_fd
        try:
            self._line = _opened(url, settings)
            self._fd = _descriptor(self._line)
            self._peer = getattr(self._line, "_socket", None)  # of pyserial's network lines
            if self._fd is not None:
                self._poll.register(self._fd, select.POLLIN)
                self._poll.register(wake_fd, select.POLLIN)
        except LINE_TROUBLES as error:
            raise LineLostError(explain(url, error)) from error

    def read(self, timeout_s: float) -> bytes:
        """All bytes that are there; waits for the first, for a wake-up, or for the time-out."""
        try:
            data = self._read_blind() if self._fd is None else self._read_polled(self._fd, timeout_s)
        except LINE_TROUBLES as error:
            raise LineLostError(explain(self._url, error, was_open=True)) from error
        if data:
            self.heard = True
            if self._peer is not None:
                _acknowledge(self._peer)
        return data

    def _read_polled(self, fd: int, timeout_s: float) -> bytes:
        data = b""
        for ready, _ in self._poll.poll(max(0.0, timeout_s) * 1000):
            if ready == self._wake_fd:
                _drain(self._wake_fd)
            else:
                data = _read_some(fd)
        return data

    def _read_blind(self) -> bytes:
        assert self._line is not None
        _drain(self._wake_fd)
        return bytes(self._line.read(self._line.in_waiting or 1))

    def write(self, data: bytes) -> None:
        assert self._line is not None
        if self._tap:
            self._tap(time.monotonic_ns(), "tx", data)
        try:
            self._line.write(data)
        except serial.SerialTimeoutException as error:
            raise LineLostError(f"{self._url}: the reader takes no bytes: switch it off and on") from error
        except LINE_TROUBLES as error:
            raise LineLostError(explain(self._url, error, was_open=True)) from error

    def close(self) -> None:
        line, self._line = self._line, None
        if line is None:
            return
        with contextlib.suppress(*LINE_TROUBLES):
            if self._fd is not None:
                fcntl.ioctl(line.fileno(), termios.TIOCNXCL)
        with contextlib.suppress(*LINE_TROUBLES):
            line.close()


def _opened(url: str, settings: PortSettings) -> serial.Serial:
    line = serial.serial_for_url(
        url,
        do_not_open=True,
        baudrate=settings.baud,
        parity=settings.parity,
        timeout=BLIND_WAIT_S,
        write_timeout=None if url.startswith("rfc2217://") else WRITE_TIMEOUT_S,
        exclusive=True,
    )
    if settings.dtr is not None:
        line.dtr = settings.dtr
    if settings.rts is not None:
        line.rts = settings.rts
    line.open()
    if "://" not in url:
        _settle(line, keep_dtr=settings.dtr is not False)
    return line


def _acknowledge(peer: socket.socket) -> None:
    """At once, and not 40 ms later: a serial server that waits for it (Nagle's rule) holds the next bytes back so long.

    A reader whose rounds end by silence would end them there. Linux forgets the option, so it is set behind every read.
    """
    with contextlib.suppress(*LINE_TROUBLES, AttributeError):
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


def _settle(line: serial.Serial, *, keep_dtr: bool) -> None:
    """What pyserial does not do at opening; none of it is worth losing the line for."""
    fd = line.fileno()
    with contextlib.suppress(*LINE_TROUBLES):
        fcntl.ioctl(fd, termios.TIOCEXCL)
    with contextlib.suppress(*LINE_TROUBLES):
        line.set_low_latency_mode(True)
    if keep_dtr:
        with contextlib.suppress(*LINE_TROUBLES):
            mode = termios.tcgetattr(fd)
            mode[2] &= ~termios.HUPCL
            termios.tcsetattr(fd, termios.TCSANOW, mode)


def _descriptor(line: serial.Serial) -> int | None:
    try:
        return line.fileno()
    except OSError:  # io.UnsupportedOperation: rfc2217 and loop have none
        return None


def _read_some(fd: int) -> bytes:
    try:
        data = os.read(fd, CHUNK)
    except BlockingIOError:
        return b""
    if not data:
        raise HangUpError
    return data


def _drain(fd: int) -> None:
    with contextlib.suppress(BlockingIOError):
        while os.read(fd, CHUNK):
            pass
