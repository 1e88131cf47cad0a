"""Which antenna a radio scans next: bet spots often, trays seldom, and what the table looks at now before all others.

A plan is for a reader whose radio serves several antennas, one at a time. Without a focus, each antenna gets its share
of the scans (stride scheduling: the antenna that is furthest behind its share is next, so shares are exact and nobody
starves). With a focus, those antennas are scanned in turn, in the order given and as often as they are named, and after
each pass over them one of the others. Pure: it scans nothing and reads no clock.
"""

from collections.abc import Mapping

SMALL_TAGS = 30  # bet spots, cards, board: at most so many tags; a round takes 0.3 s at most
SMALL_SHARE, LARGE_SHARE = 4, 1  # a tray of 60 takes about 0.5 s: 1-2 rounds a second are all that its radio can do


def shares_of(limits: Mapping[int, int]) -> dict[int, int]:
    """Shares by how many tags an antenna is made for: antennas for few tags are bet spots and cards, and quick."""
    return {antenna: SMALL_SHARE if tags <= SMALL_TAGS else LARGE_SHARE for antenna, tags in limits.items()}


class ScanPlan:
    """The order of scans of one reader. `shares`: scans of each antenna in relation to the others, at least 1."""

    def __init__(self, shares: Mapping[int, int]) -> None:
        self._strides = {antenna: 1 / share for antenna, share in shares.items()}
        self._due = dict(self._strides)  # the least is next; grows by the stride with each scan
        self._focus: tuple[int, ...] = ()
        self._pass: list[int] = []  # what is left of the pass over the focused antennas

    def focus(self, antennas: tuple[int, ...]) -> None:
        """Scan these first, in turn, one named twice twice a pass; unknown ones are skipped. () scans all alike."""
        wanted = tuple(antenna for antenna in antennas if antenna in self._strides)
        if wanted != self._focus:
            self._focus = wanted
            self._pass = list(wanted)

    def next(self, busy: frozenset[int] = frozenset()) -> int | None:
        """The antenna to scan now. `busy`: being scanned by another radio of the reader; None: there is no other."""
        for _ in ("the rest of this pass", "the next, where there are no others"):
            while self._pass:
                antenna = self._pass.pop(0)
                if antenna not in busy:
                    self._due[antenna] = self._now() + self._strides[antenna]
                    return antenna
            self._pass = list(self._focus)
            other = self._next_by_share(busy | set(self._focus))
            if other is not None:
                return other
        return None

    def _next_by_share(self, but: frozenset[int]) -> int | None:
        free = [antenna for antenna in self._due if antenna not in but]
        if not free:
            return None
        antenna = min(free, key=self._due.__getitem__)
        self._due[antenna] += self._strides[antenna]
        return antenna

    def _now(self) -> float:
        """How far the antennas without focus are: a focus neither saves up scans for later nor leaves arrears."""
        return min((due for antenna, due in self._due.items() if antenna not in self._focus), default=0.0)
