"""The controller of the demo: the real service in a process of its own, which also reports what it does.

The people of the demo need to know what a dealer sees on the screen and a little more: whether the antennas have shown
what was just moved. So events and what lies where come back through a pipe, after each commit.
"""

import multiprocessing
import select
import signal
import threading
from collections import deque
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from controller.config.config import Config
from controller.core.core import Core
from controller.places import Place, Zone
from controller.recording.recorder import Recorder
from controller.service.service import Service
from controller.table.events import Event, Ruled
from firmware_bridge.errors import BetlineError
from firmware_bridge.events import ReaderEvent, ScanRound, Value

Antenna = tuple[str, int]
ROUNDS_KEPT = 1000  # of each spot: a push that waits for a dealer may take many


class Report(Value, frozen=True):
    """What the controller did since the last report."""

    events: tuple[Event, ...] = ()
    lies: tuple[tuple[str, Place], ...] = ()  # items that tracking decided to lie elsewhere than before
    finals: tuple[int, ...] = ()  # per ruling on chips: rounds of the spot since the first of them was seen
    settling: bool = False
    ready: bool = False
    failed: str = ""


class Reporter:
    """An observer of the service that sends reports; called in the core thread."""

    def __init__(self, pipe: Connection, spots: dict[Antenna, int]) -> None:
        self._pipe = pipe
        self._spots = spots
        self._ended: dict[int, deque[int]] = {seat: deque(maxlen=ROUNDS_KEPT) for seat in spots.values()}
        self._lies: dict[str, Place] = {}
        self._settling = False

    def took(self, event: ReaderEvent) -> None:
        if isinstance(event, ScanRound) and (seat := self._spots.get((event.reader, event.antenna))) is not None:
            self._ended[seat].append(event.ended_ns)

    def committed(self, events: Sequence[Event], core: Core) -> None:
        lies, settling = self._moved(core), core.settling
        if events or lies or settling != self._settling:
            self._settling = settling
            ruled = [event.seat for event in events if isinstance(event, Ruled) and event.chips]
            self.send(Report(tuple(events), lies, tuple(self._rounds(core, seat) for seat in ruled), settling))

    def _moved(self, core: Core) -> tuple[tuple[str, Place], ...]:
        places = core.places()
        moved = tuple((item, place) for item, place in places.items() if self._lies.get(item) != place)
        self._lies.update(moved)
        return moved

    def _rounds(self, core: Core, seat: int) -> int:
        first_ns = core.first_ns(seat)
        return sum(ended_ns >= first_ns for ended_ns in self._ended.get(seat, ()))

    def send(self, report: Report) -> None:
        try:
            self._pipe.send_bytes(msgspec.msgpack.encode(report))
        except OSError:
            return  # the demo ended, and ends the service


def spots_of(config: Config) -> dict[Antenna, int]:
    spots = (antenna for antenna in config.antenna if antenna.place is Zone.SPOT)
    return {(spot.reader, spot.number): spot.seat for spot in spots if spot.seat is not None}


def serve(config: bytes, config_file: str, pipe: Connection, record: str) -> None:
    """Entry of the process; `record`: a file that bytes, inputs and events are written to, "" for none."""
    loaded = msgspec.msgpack.decode(config, type=Config)
    reporter = Reporter(pipe, spots_of(loaded))
    recorder = Recorder(Path(record)) if record else None
    service = Service(loaded, Path(config_file), reporter, recorder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the demo, which ends us
    signal.signal(signal.SIGTERM, lambda *_: service.stop())
    for target in (_tell_ready, _end_with_the_demo):
        threading.Thread(target=target, args=(service, reporter, pipe), daemon=True).start()
    try:
        service.run()
    except BetlineError as error:
        reporter.send(Report(failed=str(error)))


def _tell_ready(service: Service, reporter: Reporter, _pipe: Connection) -> None:
    service.ready.wait()
    reporter.send(Report(ready=True))


def _end_with_the_demo(service: Service, _reporter: Reporter, pipe: Connection) -> None:
    """A demo that was killed closes its end of the pipe: nobody is left to play for."""
    closed = select.poll()
    closed.register(pipe.fileno(), 0)  # errors are always told
    closed.poll()
    service.stop()


class Controller:
    """The other side of the pipe: starts the process, reads its reports."""

    def __init__(self, config: Config, config_file: Path, record: Path | None = None) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe(duplex=False)
        given = msgspec.msgpack.encode(config), str(config_file), theirs, str(record or "")
        self._process = context.Process(target=serve, args=given, daemon=True)
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
            self._process.join()
        self.pipe.close()
