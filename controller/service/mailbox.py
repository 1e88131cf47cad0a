"""What is on its way to the core's thread: events of readers, commands of people, and calls to look up."""

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator

from controller.commands import By, Command
from controller.publish.requests import Reply
from controller.service.intake import Intake
from firmware_bridge.events import ReaderEvent, Value

MOST_AT_ONCE = 512  # items of one batch: bounds the time to the first commit under load


class Sent(Value, frozen=True):
    """A command on its way to the core."""

    at_ns: int
    command: Command
    by: By
    reply: Callable[[str | None], None]
    n: int | None = None  # of the snapshot that its speaker saw


class Mailbox:
    """Any thread may put something in, and none waits, but one whose reader floods; `batch` is for the core's alone."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[ReaderEvent | Sent | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._intake = Intake(self._queue.put, self._stopping.wait)

    def put(self, event: ReaderEvent) -> None:
        """An event, from the thread of its port."""
        self._intake.put(event)

    def tell(self, command: Command, by: By, reply: Reply, n: int | None = None, /) -> None:
        """A command, and how its answer goes back."""
        self._queue.put(Sent(time.monotonic_ns(), command, by, reply, n))

    def wake(self) -> None:
        """Something outside has changed."""
        self._queue.put(None)

    def stop(self) -> None:
        self._stopping.set()
        self._queue.put(None)

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def batch(self, patience_s: float) -> Iterator[ReaderEvent | Sent]:
        """What waits, in order; waits so long for the first of it."""
        with contextlib.suppress(queue.Empty):
            for taken in range(MOST_AT_ONCE):
                item = self._queue.get(block=not taken, timeout=patience_s)
                if item is None:
                    continue
                if not isinstance(item, Sent):
                    self._intake.took(item)
                yield item
