"""Change as chips: which chips of a heap make an amount. Pure.

Heaps are stacks of (denomination, count), the largest first, as people see them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import accumulate
from math import gcd

from controller.snapshot import Stack

MOST_TRIES = 2000  # steps of the search: denominations that divide each other need a few, odd ones never more


def stack_of(chips: Iterable[str], values: Mapping[str, int]) -> Stack:
    """Chips by denomination, largest first; items without a value are none."""
    counts = Counter(values[chip] for chip in chips if chip in values)
    return tuple(sorted(counts.items(), reverse=True))


def enough_of(amount: int, values: Iterable[int]) -> Stack:
    """A float that has every denomination in any number that an amount can need."""
    return tuple((value, amount // value) for value in sorted(set(values), reverse=True) if value <= amount)


def change_from(amount: int, chips: Stack) -> Stack | None:
    """The fewest chips of a heap that make an amount exactly, large ones first; None where none do."""
    return _Search(chips).best(amount)


class _Search:
    """Branch and bound over the denominations, the largest first."""

    def __init__(self, chips: Stack) -> None:
        self._chips = chips
        backwards = chips[::-1]
        self._units = list(accumulate((value for value, _ in backwards), gcd))[::-1]  # of what is left from here on
        self._totals = list(accumulate(value * count for value, count in backwards))[::-1]
        self._tries = 0
        self._found: Stack | None = None
        self._count = 0  # chips of it

    def best(self, amount: int) -> Stack | None:
        self._try(0, amount, (), 0)
        return self._found

    def _try(self, index: int, amount: int, taken: Stack, count: int) -> None:
        self._tries += 1
        if amount == 0:
            if self._found is None or count < self._count:
                self._found, self._count = taken, count
            return
        if index == len(self._chips) or amount % self._units[index] or amount > self._totals[index]:
            return
        value, lying = self._chips[index]
        least = -(-amount // value)  # no fewer chips can make it
        if self._found is not None and count + least >= self._count:
            return
        for number in range(min(lying, amount // value), -1, -1):
            if self._tries > MOST_TRIES:
                return
            more: Stack = ((value, number),) if number else ()
            self._try(index + 1, amount - number * value, (*taken, *more), count + number)
