"""Which turn each snapshot of late showed, by the snapshot's number. Plain memory, bounded by count."""

from collections import deque
from collections.abc import Iterable

from controller.engine.turns import Turn, turn_of
from controller.table.events import Event, is_public
from controller.table.state import State

MOST_TURNS = 4096  # distinct turns: at four a minute a whole night


class Turns:
    """The number is that of the last public event which a snapshot includes, as the journal counts them."""

    def __init__(self, state: State, n: int) -> None:
        self._n = n
        self._past: deque[tuple[int, Turn]] = deque([(n, turn_of(state))], MOST_TURNS)

    @property
    def n(self) -> int:
        """Of a snapshot that is made now."""
        return self._n

    @property
    def now(self) -> Turn:
        return self._past[-1][1]

    def note(self, events: Iterable[Event], state: State) -> None:
        """What was decided, and the state behind it."""
        n = self._n + sum([is_public(event) for event in events])
        if n == self._n:
            return
        self._n = n
        turn = turn_of(state)
        if turn != self.now:
            self._past.append((n, turn))

    def at(self, n: int) -> Turn | None:
        """The turn that the snapshot of this number showed; None: it is forgotten, or there was none."""
        if n > self._n:
            return None
        return next((turn for since, turn in reversed(self._past) if since <= n), None)
