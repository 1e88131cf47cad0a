"""The readers of a table on their own, recorded: opens them, shows what they say, counts."""

import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.status import Status

from controller.config.config import Config
from controller.core import build
from controller.errors import RecordingError
from controller.recording.file import Header
from controller.recording.recorder import Recorder
from firmware_bridge.bridge import Bridge
from firmware_bridge.events import ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound
from firmware_bridge.port import Tap, Way


class Live:
    """All ports open, and the recorder before them, until the `with` ends."""

    def __init__(self, config: Config, recorder: Recorder, header: Header, *, with_bytes: bool) -> None:
        self._recorder, self._header = recorder, header
        self._tap = recorder.tap if with_bytes else None
        self._news: queue.SimpleQueue[str] = queue.SimpleQueue()
        readers = [reader.id for reader in config.reader]
        self._rounds = dict.fromkeys(readers, 0)  # counted by each port's own thread
        self._received = dict.fromkeys(readers, 0)  # bytes, likewise
        self._stopping = threading.Event()
        self._began = time.monotonic()
        self._bridge = Bridge(build.readers(config), self._put, self._tapped)
        self._console = Console(stderr=True, highlight=False, markup=False)

    def __enter__(self) -> Self:
        self._recorder.begin(self._header)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self._stopping.set())
        self._bridge.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bridge.close()
        self._recorder.close()

    def until_stopped(self, look_s: float) -> None:
        """Show what readers say until a signal comes; RecordingError where nothing can be written any more."""
        if not self._console.is_terminal:
            print(f"betline: recording to {self._recorder.path}; Ctrl-C ends it", file=sys.stderr, flush=True)
            self._watch(look_s, lambda _: None)
            return
        with Status(self._line(), console=self._console) as status:
            self._watch(look_s, status.update)

    def _watch(self, look_s: float, show: Callable[[str], None]) -> None:
        while not self._stopping.wait(look_s):
            if self._recorder.failed:
                raise RecordingError(self._recorder.failed)
            self._tell_news()
            show(self._line())
        self._tell_news()

    def _tell_news(self) -> None:
        while not self._news.empty():
            self._console.print(self._news.get())

    def _line(self) -> str:
        return f"recording to {self._recorder.path}: {self._figures()}; Ctrl-C ends it"

    def summary(self) -> str:
        return f"{self._recorder.path}: {self._figures()}"

    def _figures(self) -> str:
        seconds = time.monotonic() - self._began
        rounds, received = sum(self._rounds.values()), sum(self._received.values())
        lost = f", {self._recorder.lost} lines lost" if self._recorder.lost else ""
        return f"{seconds:.0f} s, {len(self._rounds)} readers, {rounds} rounds, {received} bytes received{lost}"

    # ------------------------------------------------------------------ from the ports' threads
    def _put(self, event: ReaderEvent) -> None:
        self._recorder.took(event)
        match event:
            case ScanRound():
                self._rounds[event.reader] += 1
            case ReaderUp():
                self._news.put(f"{event.reader}: {event.identity}")
            case ReaderLost():
                self._news.put(f"{event.reader}: lost: {event.why}")
            case ReaderFault():
                self._news.put(f"{event.reader}: {event.meaning}")
            case _:
                pass

    def _tapped(self, reader: str) -> Tap:
        tap = self._tap(reader) if self._tap else None

        def note(at_ns: int, way: Way, data: bytes) -> None:
            if way == "rx":
                self._received[reader] += len(data)
            if tap is not None:
                tap(at_ns, way, data)

        return note
