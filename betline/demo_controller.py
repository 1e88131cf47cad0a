"""The controller of the demo: the real service in a process of its own, which also reports what it does.

The people of the demo need to know what a dealer sees on the screen and a little more: whether the antennas have shown
what was just moved. So events and rounds come back through a pipe, after each commit.
"""

import multiprocessing
import signal
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from controller.config import Config
from controller.engine.events import Event
from controller.service import Service
from firmware_bridge.errors import BetlineError
from firmware_bridge.events import ReaderEvent, ScanRound, Value

Antenna = tuple[str, int]


class Report(Value, frozen=True):
    """What the controller did since the last report."""

    events: tuple[Event, ...] = ()
    rounds: tuple[tuple[str, int, int], ...] = ()  # complete ones: reader, antenna, began_ns
    settling: bool = False
    ready: bool = False
    failed: str = ""


class _Reporter:
    """Sends reports; the pipe is a local socket with room for many."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._rounds: list[tuple[str, int, int]] = []
        self._settling = False

    def took(self, event: ReaderEvent) -> None:
        if isinstance(event, ScanRound) and event.complete:
            self._rounds.append((event.reader, event.antenna, event.began_ns))

    def committed(self, events: Sequence[Event], *, settling: bool) -> None:
        if events or self._rounds or settling != self._settling:
            self._settling = settling
            rounds, self._rounds = self._rounds, []
            self.send(Report(tuple(events), tuple(rounds), settling))

    def send(self, report: Report) -> None:
        try:
            self._pipe.send_bytes(msgspec.msgpack.encode(report))
        except OSError:
            return  # the demo ended: the service is told to stop by signal


def serve(config: bytes, config_file: str, pipe: Connection) -> None:
    """Entry of the process."""
    reporter = _Reporter(pipe)
    service = Service(msgspec.msgpack.decode(config, type=Config), Path(config_file), reporter)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the demo, which ends us
    signal.signal(signal.SIGTERM, lambda *_: service.stop())
    threading.Thread(target=_tell_ready, args=(service, reporter), daemon=True).start()
    try:
        service.run()
    except BetlineError as error:
        reporter.send(Report(failed=str(error)))


def _tell_ready(service: Service, reporter: _Reporter) -> None:
    service.ready.wait()
    reporter.send(Report(ready=True))


class Controller:
    """The other side of the pipe: starts the process, reads its reports."""

    def __init__(self, config: Config, config_file: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe(duplex=False)
        self._process = context.Process(
            target=serve, args=(msgspec.msgpack.encode(config), str(config_file), theirs), daemon=True
        )
        self._process.start()
        theirs.close()

    def report(self, timeout_s: float) -> Report | None:
        """The next report; None when there is none in time. BetlineError when the controller has ended."""
        try:
            if not self.pipe.poll(timeout_s):
                return None
            report = msgspec.msgpack.decode(self.pipe.recv_bytes(), type=Report)
        except (EOFError, OSError) as error:
            raise BetlineError("the controller has ended: see its message above") from error
        if report.failed:
            raise BetlineError(report.failed)
        return report

    def stop(self) -> None:
        self._process.terminate()
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()
        self.pipe.close()
