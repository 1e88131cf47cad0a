"""What readers say to a person's tool, which may look away for minutes: bounded, and what is told once is kept.

`betline run` holds a reader up instead (controller/service/intake.py), because there each round may matter.
"""

import queue
from collections.abc import Callable

from firmware_bridge.events import BadFrame, ReaderEvent, ScanRound

MOST = 5_000  # rounds and damaged frames that wait: minutes of a quiet table, milliseconds of a reader gone mad


class Listener:
    """A queue between the threads of ports and one reader of it."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()

    def put(self, event: ReaderEvent) -> None:
        """Never waits: beyond `MOST` a round or a damaged frame is passed over, there come more."""
        if self._queue.qsize() < MOST or not isinstance(event, ScanRound | BadFrame):
            self._queue.put(event)

    def get(self, timeout_s: float) -> ReaderEvent | None:
        """The next event; None when there is none for so long."""
        try:
            return self._queue.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def forget(self, look: Callable[[ReaderEvent], object] = lambda _: None) -> None:
        """Pass over what waits now, after a look at each; what comes meanwhile stays."""
        for _ in range(self._queue.qsize()):
            look(self._queue.get())
