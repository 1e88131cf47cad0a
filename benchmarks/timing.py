"""How things are timed: CPU time of this process, sides in turn, medians.

CPU time and not the clock on the wall: other programs on the same machine take turns, but not our processor time. Sides
take turns so that a machine that slows down slows both; the first turn of each warms up and does not count.
"""

import statistics
import time
from collections.abc import Callable, Mapping
from typing import TypeVar

T = TypeVar("T")


def cpu_s(call: Callable[[], object]) -> float:
    """User and system time that one call takes."""
    began = time.process_time()
    call()
    return time.process_time() - began


def interleaved(sides: Mapping[str, Callable[[], object]], repetitions: int) -> dict[str, float]:
    """Median CPU seconds of one call of each side."""
    taken: dict[str, list[float]] = {name: [] for name in sides}
    for repetition in range(repetitions + 1):
        for name, call in sides.items():
            seconds = cpu_s(call)
            if repetition or not repetitions:
                taken[name].append(seconds)
    return {name: statistics.median(found) for name, found in taken.items()}


def percentile(figures: list[float], share: float) -> float:
    """The figure that so large a share of all does not exceed; of a few figures the largest."""
    ordered = sorted(figures)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
