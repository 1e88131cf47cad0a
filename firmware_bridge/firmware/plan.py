"""Which antenna a radio scans next, where one radio serves several: the host's scan plan, in whole numbers.

Small antennas get four scans for each one of a large one. With a focus those antennas are scanned in turn, as often as
they are named, and after each pass over them one of the others.
"""

SMALL_TAGS = 30
SMALL_STRIDE, LARGE_STRIDE = 1, 4


class Plan:
    """`antennas`: (number, tags of a round) of one radio."""

    def __init__(self, antennas: "list[tuple[int, int]]") -> None:
        self._numbers = [number for number, _ in antennas]
        self._strides = [SMALL_STRIDE if tags <= SMALL_TAGS else LARGE_STRIDE for _, tags in antennas]
        self._due = list(self._strides)
        self._focus: list[int] = []  # places in the lists above
        self._next = 0  # in the pass over the focus; behind its end, one of the others is due

    def focus(self, numbers: "bytearray | bytes") -> None:
        wanted = [self._numbers.index(number) for number in numbers if number in self._numbers]
        if wanted != self._focus:
            self._focus, self._next = wanted, 0

    def next(self) -> int:
        """The number of the antenna to scan now."""
        if self._next >= len(self._focus):
            self._next = 0
            other = self._by_share()
            if other >= 0:
                return self._numbers[other]
        at = self._focus[self._next]
        self._next += 1
        self._due[at] = self._now() + self._strides[at]
        return self._numbers[at]

    def _by_share(self) -> int:
        """Of those without focus, the one furthest behind its share; -1: there is none."""
        best = -1
        for at in range(len(self._due)):
            if at not in self._focus and (best < 0 or self._due[at] < self._due[best]):
                best = at
        if best >= 0:
            self._due[best] += self._strides[best]
            self._settle()
        return best

    def _settle(self) -> None:
        """Only differences count: without this the numbers would grow for ever."""
        least = min(self._due)
        if least > 1000:
            for at in range(len(self._due)):
                self._due[at] -= least

    def _now(self) -> int:
        found = -1
        for at in range(len(self._due)):
            if at not in self._focus and (found < 0 or self._due[at] < found):
                found = self._due[at]
        return max(found, 0)
