"""Events of readers on their way to the core: one that floods waits, alone.

A reader that spouts garbage at full speed makes hundreds of thousands of events a second, more than the core takes. Its
port's thread then stands still until the core has caught up: its bytes pile up in the kernel, which drops them, and
neither memory nor the delay of the other readers and of commands grows.
"""

from collections import defaultdict
from collections.abc import Callable

from firmware_bridge.events import ReaderEvent

MOST_WAITING = 512  # events of one reader: more than a round of every antenna, and milliseconds of work
PAUSE_S = 0.002


class Intake:
    """`put` is for the threads of the ports, `took` for the core's. No lock: each counter has one writer.

    `pause` waits so many seconds, and tells whether the table ends.
    """

    def __init__(self, queue_put: Callable[[ReaderEvent], None], pause: Callable[[float], bool]) -> None:
        self._put = queue_put
        self._pause = pause
        self._given: defaultdict[str, int] = defaultdict(int)
        self._taken: defaultdict[str, int] = defaultdict(int)

    def put(self, event: ReaderEvent) -> None:
        """Hand an event on; returns when no more than `MOST_WAITING` of its reader wait, or the table ends."""
        self._given[event.reader] += 1
        self._put(event)
        while self.waiting(event.reader) > MOST_WAITING and not self._pause(PAUSE_S):
            pass

    def took(self, event: ReaderEvent) -> None:
        self._taken[event.reader] += 1

    def waiting(self, reader: str) -> int:
        """Events of this reader that the core has not taken."""
        return self._given[reader] - self._taken[reader]
