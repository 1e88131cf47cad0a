"""Virtual readers on real pseudo-terminals: whoever opens the path with pyserial finds a reader behind it.

One thread serves all of them in real time. A path is a link in a folder, so a reader can be unplugged and plugged in
again as another device under the same name. A reader scans whether or not anybody listens; what it says to nobody is
gone, and what a host does not take in time is dropped by whole writes, as a serial port drops it.
"""

import contextlib
import os
import queue
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from simulator.readers.base import VirtualReader

BUFFER = 65536  # bytes that wait for a slow host: six seconds at 115200 baud
LOOK_S = 0.02  # how often a terminal without a host is looked at: the kernel wakes nobody when one opens it
IDLE_S = 1.0


class Hands(Protocol):
    """Who moves things in front of the readers (`simulator/performance.py`)."""

    def due_ns(self) -> int | None: ...
    def advance(self, to_ns: int) -> None: ...


class Terminal:
    """One reader and the pseudo-terminal in front of it. Only the thread of its `Terminals` touches it."""

    def __init__(self, virtual: VirtualReader, link: Path) -> None:
        self.virtual, self.link = virtual, link
        self.master = -1  # unplugged
        self.has_host = False
        self.waiting = b""  # for the host to take it

    def plug(self) -> None:
        if self.master >= 0:
            return
        self.master, slave = os.openpty()
        os.set_blocking(self.master, False)
        tty.setraw(slave)
        fresh = self.link.with_name(f".{self.link.name}.new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(slave))
        fresh.rename(self.link)
        os.close(slave)

    def unplug(self) -> None:
        if self.master < 0:
            return
        self.link.unlink(missing_ok=True)
        os.close(self.master)
        self.master, self.has_host, self.waiting = -1, False, b""

    def look(self) -> None:
        """Is there a host? Closing tells itself (EIO), opening does not."""
        if self.master >= 0 and not self.has_host:
            poll = select.poll()
            poll.register(self.master, select.POLLIN)
            self.has_host = not any(events & select.POLLHUP for _, events in poll.poll(0))

    def read(self, at_ns: int) -> None:
        try:
            data = os.read(self.master, 4096)
        except BlockingIOError:
            return
        except OSError:  # EIO: the host has closed the port
            self.has_host, self.waiting = False, b""
            return
        self.say(self.virtual.receive(data, at_ns))

    def tick(self, at_ns: int) -> None:
        due_ns = self.virtual.wake_at_ns()
        if due_ns is not None and due_ns <= at_ns:
            self.say(self.virtual.tick(at_ns))

    def say(self, data: bytes) -> None:
        if self.has_host and data and len(self.waiting) + len(data) <= BUFFER:
            self.waiting += data
            self.write()

    def write(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self.waiting = self.waiting[os.write(self.master, self.waiting) :]


class Terminals:
    """Pseudo-terminals for virtual readers, as links in `folder`. Use it with `with`, or `start` and `close` it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._terminals: dict[str, Terminal] = {}
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._hands: Hands | None = None
        self._stopping = False
        self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread = threading.Thread(target=self._run, name="terminals", daemon=True)

    def add(self, reader: str, virtual: VirtualReader) -> str:
        """Plug a reader in; the path to open."""
        terminal = Terminal(virtual, self._folder / reader)

        def plug() -> None:
            terminal.plug()
            self._terminals[reader] = terminal

        self.do(plug)
        return str(terminal.link)

    def plug(self, reader: str) -> None:
        """Plug it in again: another device under the same path."""
        self.do(self._terminals[reader].plug)

    def unplug(self, reader: str) -> None:
        """Pull the plug: the host's port hangs up and the path is gone. The reader itself goes on."""
        self.do(self._terminals[reader].unplug)

    def attend(self, hands: Hands) -> None:
        """Let hands move things in this thread: a busy machine delays what they do and what readers see alike.

        From then on whoever owns them touches them through `do`.
        """

        def come() -> None:
            self._hands = hands

        self.do(come)

    def do(self, call: Callable[[], None]) -> None:
        """Run something between two turns of the thread, and wait for it: readers may only be touched there."""
        if not self._thread.is_alive():
            call()
            return
        done = threading.Event()

        def run() -> None:
            try:
                call()
            finally:
                done.set()

        self._calls.put(run)
        os.write(self._wake_write, b"!")
        while not done.wait(IDLE_S) and self._thread.is_alive():
            pass

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the thread and unplug everything."""
        self.do(self._stop)
        if self._thread.ident is not None:
            self._thread.join()
        for terminal in self._terminals.values():
            terminal.unplug()
        for end in (self._wake_read, self._wake_write):
            os.close(end)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _stop(self) -> None:
        self._stopping = True

    def _run(self) -> None:
        while not self._stopping:
            now_ns = time.monotonic_ns()
            if self._hands is not None:
                self._hands.advance(now_ns)
            for terminal in self._terminals.values():
                terminal.look()
                terminal.tick(now_ns)
            self._wait(time.monotonic_ns())

    def _wait(self, now_ns: int) -> None:
        """Until the next thing is due, a host says something or takes something, or a call is to be made."""
        poll = select.poll()
        poll.register(self._wake_read, select.POLLIN)
        by_fd = {terminal.master: terminal for terminal in self._terminals.values() if terminal.has_host}
        for fd, terminal in by_fd.items():
            poll.register(fd, select.POLLIN | (select.POLLOUT if terminal.waiting else 0))
        for fd, events in poll.poll(self._timeout_s(now_ns) * 1000):
            if fd == self._wake_read:
                self._make_calls()
                return  # a call may have unplugged what was ready
            if events & select.POLLOUT:
                by_fd[fd].write()
            if events & ~select.POLLOUT:
                by_fd[fd].read(time.monotonic_ns())

    def _timeout_s(self, now_ns: int) -> float:
        lonely = any(terminal.master >= 0 and not terminal.has_host for terminal in self._terminals.values())
        least_s = LOOK_S if lonely else IDLE_S
        dues = [terminal.virtual.wake_at_ns() for terminal in self._terminals.values()]
        if self._hands is not None:
            dues.append(self._hands.due_ns())
        return min([least_s, *(max(0.0, (due_ns - now_ns) / 1e9) for due_ns in dues if due_ns is not None)])

    def _make_calls(self) -> None:
        os.read(self._wake_read, 4096)
        with contextlib.suppress(queue.Empty):
            while True:
                self._calls.get_nowait()()
