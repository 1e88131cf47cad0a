"""Local feeds: two Unix sockets that show the table, in full, on each change, at most 20 times a second.

The public socket only shows; the dealer's shows more and takes commands. A thread of its own serves all clients and
never waits for one: a reader that is slow misses snapshots and gets the latest when it is ready, one that takes
nothing for `STALLED_S` is let go. The core hands over snapshots (`show`) and answers commands; nothing here blocks it.

While the core lives (`beat`) the last snapshot is told again where nothing changed, so that every client hears a line
at least every two seconds: who hears nothing for five looks at a table that hangs, and must say so.
"""

import contextlib
import errno
import os
import selectors
import socket
import threading
import time
from collections import deque
from pathlib import Path

from controller.authority.gate import Gate
from controller.authority.roles import Refused, Trust, heard_as
from controller.errors import FeedError
from controller.publish import lines
from controller.publish.requests import Handler, Reply
from controller.snapshot import DealerSnapshot, Snapshot

INTERVAL_S = 0.05  # 20 a second: more than a screen draws
BEAT_S = 0.8  # after so long without a change the snapshot is told again; with the core's idle turns (1 s): within 2 s
STALLED_S = 10.0  # a reader that took nothing for so long is dead
MAX_CLIENTS = 64
MAX_WAITING = 256 * 1024  # bytes of unread answers: who sends commands and reads nothing is let go
MAX_ASKED = 32  # commands of one client under way at once
MODES: dict[lines.View, int] = {"public": 0o666, "dealer": 0o660}
_CHUNK = 65536


class _Client:
    def __init__(self, connection: socket.socket, view: lines.View, now: float) -> None:
        self.connection = connection
        self.view = view
        self.received = lines.LineBuffer()
        self.waiting = bytearray(lines.hello(view))
        self.shown = 0  # version of the last snapshot that it was sent
        self.moved = now  # when it last took something, or got something to take
        self.asked = 0  # commands that the core has not answered yet

    def queue(self, data: bytes) -> None:
        if not self.waiting:
            self.moved = time.monotonic()
        self.waiting += data


class Feeds:
    """Both sockets. `start` opens them, `stop` ends the thread and removes them."""

    def __init__(
        self, public: Path, dealer: Path, handler: Handler, *, trust: Trust = "owner", gate: Gate | None = None
    ) -> None:
        """`trust`: the role of whoever may open the dealer's socket and signs nothing."""
        self._paths: dict[lines.View, Path] = {"public": public, "dealer": dealer}
        self._handler = handler
        self._trust = trust
        self._gate = gate or Gate("")
        self._selector = selectors.DefaultSelector()
        self._wakes: tuple[socket.socket, socket.socket] | None = None  # out, in
        self._listening: dict[socket.socket, tuple[lines.View, Path, int]] = {}
        self._clients: set[_Client] = set()
        self._lock = threading.Lock()
        self._answers: deque[tuple[_Client, str, str | None]] = deque()
        self._latest: tuple[Snapshot, DealerSnapshot] | None = None
        self._version = 0
        self._told_at = time.monotonic()  # when the core last gave something to tell
        self._encoded: dict[lines.View, tuple[int, bytes]] = {}
        self._sent_at = -INTERVAL_S
        self._stopping = False
        self._thread = threading.Thread(target=self._serve, name="feeds", daemon=True)

    # ------------------------------------------------------------------ for the core
    def start(self) -> None:
        """Open both sockets; FeedError where one is in use or its folder is missing."""
        self._wakes = socket.socketpair()
        self._wakes[0].setblocking(False)
        self._selector.register(self._wakes[0], selectors.EVENT_READ, self._wakes[0])
        try:
            for view, path in self._paths.items():
                listening = _listen(path, MODES[view])
                self._listening[listening] = (view, path, path.stat().st_ino)
                self._selector.register(listening, selectors.EVENT_READ)
        except FeedError:
            self._close()
            raise
        self._thread.start()

    def show(self, public: Snapshot, dealer: DealerSnapshot) -> None:
        """The table as it is now. Never blocks; only the latest is kept."""
        assert type(public) is Snapshot, "the dealer's snapshot may not go to the public"
        with self._lock:
            self._latest = (public, dealer)
        self._tell()

    def beat(self) -> None:
        """The core lives. Only its thread calls this, at least every second: a core that hangs falls silent here."""
        if self._latest is not None and time.monotonic() - self._told_at >= BEAT_S:
            self._tell()

    def _tell(self) -> None:
        with self._lock:
            self._version += 1
            self._told_at = time.monotonic()
        self._wake()

    @property
    def alive(self) -> bool:
        """False when the thread has ended by a fault of ours."""
        return self._thread.is_alive()

    def stop(self, timeout_s: float = 1.0) -> None:
        self._stopping = True
        self._wake()
        if self._thread.ident is not None:
            self._thread.join(timeout_s)

    def _wake(self) -> None:
        if self._wakes is not None:
            with contextlib.suppress(OSError):  # full: it wakes anyway; closed: it has ended
                self._wakes[1].send(b"x", socket.MSG_DONTWAIT)

    # ------------------------------------------------------------------ the thread
    def _serve(self) -> None:
        try:
            while not self._stopping:
                for key, mask in self._selector.select(self._timeout()):
                    self._ready(key, mask)
                self._collect_answers()
                self._show_latest()
                self._drop_stalled()
        finally:
            self._close()

    def _timeout(self) -> float | None:
        now = time.monotonic()
        due = [client.moved + STALLED_S for client in self._clients if client.waiting]
        if any(client.shown != self._version and not client.waiting for client in self._clients):
            due.append(self._sent_at + INTERVAL_S)
        return max(0.0, min(due) - now) if due else None

    def _ready(self, key: selectors.SelectorKey, mask: int) -> None:
        if isinstance(key.data, socket.socket):
            with contextlib.suppress(BlockingIOError):
                key.data.recv(_CHUNK)
        elif isinstance(key.data, _Client):
            if mask & selectors.EVENT_READ:
                self._receive(key.data)
            if mask & selectors.EVENT_WRITE:
                self._send(key.data)
        elif isinstance(key.fileobj, socket.socket):
            self._accept(key.fileobj)

    def _accept(self, listening: socket.socket) -> None:
        try:
            connection, _ = listening.accept()
        except OSError as error:
            if error.errno in {errno.EMFILE, errno.ENFILE, errno.ENOMEM}:
                time.sleep(INTERVAL_S)  # it stays ready: do not spin until a descriptor is free
            return
        if len(self._clients) >= MAX_CLIENTS:
            connection.close()
            return
        connection.setblocking(False)
        view, _, _ = self._listening[listening]
        client = _Client(connection, view, time.monotonic())
        self._clients.add(client)
        self._selector.register(connection, selectors.EVENT_READ, client)
        if self._latest is not None:
            self._queue_snapshot(client)
        self._send(client)

    def _receive(self, client: _Client) -> None:
        try:
            chunk = client.connection.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self._drop(client)
            return
        for line in client.received.feed(chunk):
            told = lines.read(line, client.view)
            if isinstance(told, lines.Fault):
                client.queue(lines.answer(told.id, told.error))
            elif told is not None and client.asked >= MAX_ASKED:
                client.queue(lines.answer(told.id, f"more than {MAX_ASKED} commands at once: wait for answers"))
            elif told is not None:
                self._hand_on(client, told)
        self._send(client)

    def _hand_on(self, client: _Client, told: lines.CommandLine) -> None:
        judged = lines.judged(told, self._trust, self._gate, time.time())
        if isinstance(judged, Refused):
            client.queue(lines.answer(told.id, judged.why))
            return
        client.asked += 1
        self._handler(judged.command, heard_as(judged.grant, told.by), self._reply(client, told.id), told.n)

    def _reply(self, client: _Client, identity: str) -> Reply:
        def reply(error: str | None) -> None:
            self._answers.append((client, identity, error))
            self._wake()

        return reply

    def _collect_answers(self) -> None:
        while self._answers:
            client, identity, error = self._answers.popleft()
            client.asked -= 1
            client.queue(lines.answer(identity, error))
            self._send(client)

    def _show_latest(self) -> None:
        """A snapshot for everybody who has read all he was sent; the others get a later one."""
        now = time.monotonic()
        if now < self._sent_at + INTERVAL_S:
            return
        for client in [c for c in self._clients if c.shown != self._version and not c.waiting]:
            self._sent_at = now
            self._queue_snapshot(client)
            self._send(client)

    def _queue_snapshot(self, client: _Client) -> None:
        with self._lock:
            latest, version = self._latest, self._version
        if latest is None:
            return
        known = self._encoded.get(client.view)
        if known is None or known[0] != version:
            known = version, lines.snapshot(latest[0] if client.view == "public" else latest[1])
            self._encoded[client.view] = known
        client.queue(known[1])
        client.shown = version

    def _send(self, client: _Client) -> None:
        if client not in self._clients:
            return
        if client.waiting:
            try:
                taken = client.connection.send(client.waiting)
            except BlockingIOError:
                taken = 0
            except OSError:
                self._drop(client)
                return
            if taken:
                del client.waiting[:taken]
                client.moved = time.monotonic()
        writing = selectors.EVENT_WRITE if client.waiting else 0
        self._selector.modify(client.connection, selectors.EVENT_READ | writing, client)

    def _drop_stalled(self) -> None:
        now = time.monotonic()
        for client in [c for c in self._clients if c.waiting]:
            if now - client.moved > STALLED_S or len(client.waiting) > MAX_WAITING:
                self._drop(client)

    def _drop(self, client: _Client) -> None:
        if client in self._clients:
            self._clients.discard(client)
            self._selector.unregister(client.connection)
            client.connection.close()

    def _close(self) -> None:
        for client in list(self._clients):
            self._drop(client)
        for listening, (_, path, inode) in self._listening.items():
            listening.close()
            with contextlib.suppress(OSError):
                if path.stat().st_ino == inode:  # not one that somebody else has put there since
                    path.unlink()
        self._listening.clear()
        self._selector.close()
        for end in self._wakes or ():
            end.close()


def check_place(path: Path) -> None:
    """FeedError where no socket can be opened at this path, as far as can be seen without opening it."""
    if not path.parent.is_dir():
        raise FeedError(f"{path}: the folder {path.parent} is missing: make its folder, or change [sockets]")
    if path.exists() and not path.is_socket():
        raise FeedError(f"{path}: there is a file of another kind: move it, or change [sockets]")


def _listen(path: Path, mode: int) -> socket.socket:
    """A listening socket at this path; one left behind by a dead process is replaced."""
    check_place(path)
    _remove_stale(path)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mask = os.umask(0o177)  # nobody else may connect before the mode is set
    try:
        listening.bind(os.fspath(path))
        path.chmod(mode)
        listening.listen(16)
    except OSError as error:
        listening.close()
        raise FeedError(f"{path}: {error.strerror or error}: make its folder, or change [sockets]") from error
    finally:
        os.umask(mask)
    listening.setblocking(False)
    return listening


def _remove_stale(path: Path) -> None:
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
        trial.settimeout(1.0)
        try:
            trial.connect(os.fspath(path))
        except (ConnectionRefusedError, FileNotFoundError):
            with contextlib.suppress(OSError):
                path.unlink()
            return
        except OSError as error:
            raise FeedError(f"{path}: {error.strerror or error}: remove it, or change [sockets]") from error
    raise FeedError(f"{path}: another betline serves this socket: end that one first, or change [sockets]")
