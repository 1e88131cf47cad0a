"""A table in real time: hands that move while the clock runs, for the demo.

`Theatre` waits where `simulator/performance.py` only counts: it lets pauses pass, moves tags while virtual readers on
another thread scan them, and gives back what people say. Whoever runs it decides when to go on: between two cues the
stage is still.

The hands may belong to another thread (`Terminals.attend`); then `do` makes calls there.
"""

import time
from collections.abc import Callable

from simulator.acts import Act, Cue
from simulator.performance import Performance, Spoken

MS = 1_000_000


class Theatre:
    """`speed`: how much faster than life pauses pass; the performance has a speed of its own for hands."""

    def __init__(
        self,
        performance: Performance,
        speed: float = 1.0,
        clock: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
        do: Callable[[Callable[[], None]], None] = lambda call: call(),
    ) -> None:
        self._performance = performance
        self._speed = speed
        self._clock = clock
        self._sleep = sleep
        self._do = do

    def pause(self, ms: int) -> None:
        """Let so much of the table's time pass."""
        self._sleep_until(self._clock() + int(ms * MS / self._speed))

    def perform(self, cue: Cue, say: Callable[[Spoken], None]) -> None:
        """The pause before an act, what is said with it, and the act until its last item lies still."""
        self.pause(cue.pause_ms)
        end_ns, spoken = self._begin(cue.act)
        if spoken is not None:
            say(spoken)
        while (due_ns := self._advanced()) is not None and due_ns <= end_ns:
            self._sleep_until(due_ns)

    def _begin(self, act: Act) -> tuple[int, Spoken | None]:
        begun: list[tuple[int, Spoken | None]] = []
        self._do(lambda: begun.append(self._performance.begin(act, self._clock())))
        return begun[0]

    def _advanced(self) -> int | None:
        """Everything that is due is done; when something is due next."""
        due: list[int | None] = []

        def advance() -> None:
            self._performance.advance(self._clock())
            due.append(self._performance.due_ns())

        self._do(advance)
        return due[0]

    def _sleep_until(self, at_ns: int) -> None:
        left_ns = at_ns - self._clock()
        if left_ns > 0:
            self._sleep(left_ns / 1e9)
