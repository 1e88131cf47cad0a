"""One open motion: the net moves of a push, a sweep or a payout, and when each item of it left and came.

Times in nanoseconds of the table's clock. What may still belong to it, `doubt.py` says.
"""

import itertools
from collections.abc import Iterable

from controller.places import Motion, Moved, Perhaps, Place, Zone
from controller.tracking.evidence import Decided, Track

STILL_THERE = 2  # complete rounds of the tray: one may be a stray reading
MOST_QUIET = 2  # times the quiet time of the table
Key = tuple[str, Place | None]


class Flow:
    """One open motion: net moves with the time of each item's first sighting at its target."""

    __slots__ = (
        "_quiet_ns",
        "arrived",
        "behind",
        "clear",
        "ended_ns",
        "first_ns",
        "key",
        "last_ns",
        "later",
        "left",
        "moves",
        "number",
        "rounds_behind",
        "seat",
        "stayed",
        "taken",
        "told",
        "touched_ns",
        "tracks",
    )

    def __init__(self, number: int, key: Key, quiet_ns: int) -> None:
        self._quiet_ns = quiet_ns
        self.number = number
        self.key = key
        self.moves: dict[str, Moved] = {}
        self.arrived: dict[str, int] = {}
        self.tracks: dict[str, Track] = {}
        self.left: dict[str, int] = {}  # when the place that it came from showed it last
        self.clear: dict[str, int] = {}  # up to when its target was seen without it
        self.later: set[str] = set()  # items of a second trip
        self.taken: set[str] = set()  # chips taken back after it had lain there quietly: a push to a person's eye
        self.first_ns = 0
        self.last_ns = 0
        self.touched_ns = 0  # when an item last went back
        self.ended_ns: int | None = None  # when somebody acted behind it: it needs no quiet any more
        self.behind: dict[str, int] = {}  # chips, by rounds begun later that showed them on the tray still
        self.rounds_behind = 0
        self.stayed: set[str] = set()  # chips that were there in half of these
        self.told: Motion | None = None
        self.seat: int | None = None  # whose chips this motion brings forward, to its spot or the pot; None: no bet

    def _bets(self) -> int | None:
        what, place = self.key
        if what != "front" or place is None:
            return None
        forward = any(move.target == place or move.target.zone is Zone.POT for move in self.moves.values())
        return place.seat if forward else None

    def add(self, move: Moved, decided: Decided) -> None:
        first_ns, clear_ns = decided.first_ns, decided.clear_ns
        self.moves[move.item] = move
        self.tracks[move.item] = decided.track
        self.left[move.item] = first_ns if decided.left_ns is None else decided.left_ns
        self.taken.discard(move.item)
        self.arrived[move.item] = first_ns
        self.clear[move.item] = clear_ns
        self._reckon()

    def remove(self, name: str, at_ns: int) -> None:
        for kept in (self.moves, self.arrived, self.clear, self.left, self.tracks):
            del kept[name]
        self.later.discard(name)
        self.touched_ns = at_ns
        self._reckon()

    def take_back(self, name: str, left_ns: int, at_ns: int) -> None:
        """A chip went back, last seen where it was laid at `left_ns`; cut out at once, it never counted."""
        if self.seat is not None and left_ns >= max(self.arrived.values()) + self._quiet_ns:
            self.taken.add(name)
        self.remove(name, at_ns)

    def is_behind(self, tag: str) -> bool:
        """Whether a chip can only be of the next push: the tray still showed it when the next player had acted."""
        return tag in self.stayed

    def tray_round(self, shown: Iterable[str]) -> None:
        """A complete round of the tray after the next player had acted; `shown`: chips that it expects."""
        self.rounds_behind += 1
        for tag in shown:
            self.behind[tag] = self.behind.get(tag, 0) + 1
            if self.behind[tag] >= max(STILL_THERE, self.rounds_behind / 2):
                self.stayed.add(tag)

    def motion(self, doubtful: tuple[str, ...], perhaps: tuple[Perhaps, ...] = (), *, settled: bool) -> Motion:
        moves = sorted(self.moves.values(), key=lambda move: (self.arrived[move.item], move.item))
        return Motion(
            self.number,
            tuple(moves),
            self.first_ns,
            self.last_ns,
            bool(self.later),
            doubtful,
            settled=settled,
            clear_ns=min(self.clear.values(), default=0),
            perhaps=perhaps,
            second=self._second(),
        )

    def _second(self) -> tuple[str, ...]:
        """Chips that would have been a push of their own, had the table not been slow to decide on the rest.

        One that left its tray sooner lay there unread.
        """
        if not self.later:
            return ()
        first_ns = max((ns for name, ns in self.arrived.items() if name not in self.later), default=0)
        own_ns, left_ns = first_ns + self._quiet_ns, first_ns + self._quiet_ns // 2
        alone = [name for name in self.later if self.arrived[name] >= own_ns and self.left[name] >= left_ns]
        return tuple(sorted(alone)) if first_ns else ()

    @property
    def quiet_ns(self) -> int:
        """How long it must be quiet: chips that are counted out one by one are waited for as long as they take.

        One gap may be a chip that was read late; two are a habit.
        """
        times = sorted(self.arrived.values())
        gaps = sorted(later - before for before, later in itertools.pairwise(times))
        return max(self._quiet_ns, min(MOST_QUIET * self._quiet_ns, 2 * gaps[-2] if len(gaps) > 1 else 0))

    def _reckon(self) -> None:
        self.seat = self._bets()
        seen = [ns for name, ns in self.arrived.items() if self.moves[name].target.zone is not Zone.IN_HAND]
        self.first_ns = min(seen or self.arrived.values(), default=self.touched_ns)
        self.last_ns = max(self.touched_ns, *self.arrived.values()) if self.arrived else self.touched_ns
