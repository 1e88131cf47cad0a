"""What a benchmark prints: rows of figures, ours beside a peer's, with the aim and whether it is met."""

from collections.abc import Callable
from typing import Literal

from firmware_bridge.events import Value

Better = Literal["less", "more"]
Tell = Callable[[str], None]  # what is being measured now, for whoever watches


class Aim(Value, frozen=True):
    """A bound for our own figure or for the ratio to the peer."""

    of: Literal["ours", "ratio"]
    bound: Literal["least", "most"]
    figure: float

    def met_by(self, figure: float) -> bool:
        return figure >= self.figure if self.bound == "least" else figure <= self.figure


class Row(Value, frozen=True, kw_only=True):
    """One line of the table. A row without a figure says in its note why it has none."""

    group: str
    what: str
    unit: str = ""
    better: Better = "less"
    ours: float | None = None
    peer: str = ""
    theirs: float | None = None
    aim: Aim | None = None
    note: str = ""
    failed: bool = False  # the benchmark itself, by a fault of ours

    @property
    def ratio(self) -> float | None:
        """How many times better ours is; below 1 the peer is better. None: nothing to compare."""
        if not self.ours or not self.theirs:
            return None
        return self.theirs / self.ours if self.better == "less" else self.ours / self.theirs

    @property
    def met(self) -> bool | None:
        figure = None if self.aim is None else self.ratio if self.aim.of == "ratio" else self.ours
        return None if self.aim is None or figure is None else self.aim.met_by(figure)


class Size(Value, frozen=True, kw_only=True):
    """How much is measured. A tiny run shows that the benchmarks work; its figures mean nothing."""

    repetitions: int  # of each side, interleaved; the median counts
    rounds: int  # of one reader, a repetition
    hands: int
    simulated_s: float  # of the big table
    pushes: int  # at the table that runs
    starts: int  # of processes
    watch_s: float  # of a process that runs


FULL = Size(repetitions=15, rounds=300, hands=100, simulated_s=40, pushes=40, starts=3, watch_s=4)
TINY = Size(repetitions=1, rounds=3, hands=2, simulated_s=2, pushes=2, starts=1, watch_s=0.5)


def times(least: float) -> Aim:
    """At least so many times as good as the peer."""
    return Aim("ratio", "least", least)


def at_most(most: float) -> Aim:
    """Our own figure, in the row's unit."""
    return Aim("ours", "most", most)
