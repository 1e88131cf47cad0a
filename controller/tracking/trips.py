"""Evidence of a second trip to the tray: rounds of a tray that began after the push's first chip was seen on the spot.

A chip is of a later trip only if two such rounds showed it on the tray before it was first seen on the spot. Arrival
times never count: with bursts of misses gaps in time accuse 3 to 12 % of honest pushes, this 0.02 % (computed).
"""

KEPT = 64  # rounds kept while nothing is decided: many times the steps of any test


class Trips:
    """One seat's tray while chips may be on their way to its spot."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, set[str]]] = []  # began, ended, shown
        self._first_ns: int | None = None
        self._once: set[str] = set()
        self._twice: dict[str, int] = {}  # chip, and the end of its second round

    def round(self, began_ns: int, ended_ns: int, seen: set[str]) -> None:
        if self._first_ns is None:
            self._waiting.append((began_ns, ended_ns, seen))
            del self._waiting[:-KEPT]
        elif began_ns > self._first_ns:
            again = self._once & seen
            self._twice.update((tag, ended_ns) for tag in again - self._twice.keys())
            self._once |= seen

    def open(self, first_ns: int) -> None:
        """The push is real: its first chip was seen at `first_ns`."""
        if self._first_ns is None:
            self._first_ns = first_ns
            for began_ns, ended_ns, seen in self._waiting:
                self.round(began_ns, ended_ns, seen)
            self._waiting.clear()

    def later(self, tag: str, first_ns: int) -> bool:
        """Whether a chip first seen on the spot at `first_ns` had stayed on the tray when the push began."""
        return self._twice.get(tag, first_ns + 1) <= first_ns
