"""What is on its way to the broker: public events in order, and the latest of every retained topic. Pure.

The MQTT client's own queue is never used: it lives in RAM, drops the newest when full, and replays stale states one by
one after a reconnect. So events come from the journal, at most `SIZE` un-acknowledged; state is a set of dirty topics.
"""

from collections import deque
from collections.abc import Iterable

SIZE = 20  # un-acknowledged at once: Mosquitto's own limit, and little to repeat after a loss
SUSPICION = 2  # connections lost with the same event on its way before events go one by one
PATIENCE = 5  # connections lost with the same event on its way before it is taken for the cause


class Window:
    """Events by public number, sent in order, kept until acknowledged."""

    def __init__(self, done: int = 0) -> None:
        self._waiting: deque[int] = deque()
        self._payloads: dict[int, bytes] = {}
        self._sent: list[int] = []  # in order, not acknowledged
        self._acked: set[int] = set()  # acknowledged before an older one
        self.done = done  # everything up to this number is acknowledged
        self._suspect = (0, 0)  # number, losses

    @property
    def room(self) -> int:
        """How many more events may be handed over now."""
        return max(0, SIZE - len(self._payloads))

    @property
    def last(self) -> int:
        """The highest number that was handed over."""
        return max(self._payloads, default=self.done)

    def offer(self, events: Iterable[tuple[int, bytes]]) -> None:
        """Events in order; a number that was handed over already is not taken twice."""
        for n, payload in events:
            if n > self.last:
                self._payloads[n] = payload
                self._waiting.append(n)

    def take(self) -> tuple[int, bytes] | None:
        """The next event to send; one at a time while some event is suspected, to find which."""
        if not self._waiting or (self._sent and self._suspect[1] >= SUSPICION):
            return None
        n = self._waiting.popleft()
        self._sent.append(n)
        return n, self._payloads[n]

    def ack(self, n: int) -> bool:
        """The broker has this event; True when `done` moved on."""
        if n not in self._sent:
            return False
        self._acked.add(n)
        moved = False
        while self._sent and self._sent[0] in self._acked:
            self.done = self._sent.pop(0)
            self._acked.discard(self.done)
            del self._payloads[self.done]
            moved = True
        if self.done >= self._suspect[0]:
            self._suspect = (0, 0)
        return moved

    def lost(self) -> int | None:
        """The connection is gone: all that is not acknowledged is sent again, in order.

        Returns the number of an event that seems to be the cause: it was on its way at `PATIENCE` losses in turn.
        """
        head = self._sent[0] if self._sent else 0
        losses = self._suspect[1] + 1 if head and head == self._suspect[0] else 1
        self._suspect = (head, losses if head else 0)
        self._waiting.extendleft(reversed(self._sent))
        self._sent.clear()
        self._acked.clear()
        return head if head and losses >= PATIENCE else None

    def replace(self, n: int, payload: bytes) -> None:
        """Send this instead: the event itself brings connections down."""
        if n in self._payloads:
            self._payloads[n] = payload
            self._suspect = (0, 0)


class Retained:
    """The latest payload of every retained topic; only what the broker does not have yet is sent."""

    def __init__(self) -> None:
        self._wanted: dict[str, bytes] = {}
        self._known: dict[str, bytes] = {}  # acknowledged
        self._flying: dict[str, bytes] = {}  # on its way

    def want(self, topic: str, payload: bytes) -> None:
        self._wanted[topic] = payload

    def take(self) -> tuple[str, bytes] | None:
        """The next topic whose latest payload the broker lacks; one at a time of each."""
        for topic, payload in self._wanted.items():
            if topic not in self._flying and self._known.get(topic) != payload:
                self._flying[topic] = payload
                return topic, payload
        return None

    @property
    def flying(self) -> int:
        return len(self._flying)

    def ack(self, topic: str) -> None:
        payload = self._flying.pop(topic, None)
        if payload is not None:
            self._known[topic] = payload

    def forget(self) -> None:
        """Nobody can be sure what the broker has: everything is sent again."""
        self._known.clear()
        self._flying.clear()
