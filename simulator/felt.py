"""Where every chip and card of the simulated table really lies. Nothing appears here and nothing vanishes."""

from collections.abc import Iterable, Mapping

from controller.places import Moved, Place
from simulator.chips import Counts


class Felt:
    def __init__(self, values: Mapping[str, int], lies: Mapping[str, Place]) -> None:
        self._values = values
        self.at: dict[str, Place] = {}
        self._on: dict[Place, dict[str, None]] = {}
        for item, place in lies.items():
            self._put(item, place)

    def move(self, moves: Iterable[Moved]) -> None:
        """Make moves; an item that does not lie where its move begins is a mistake of ours."""
        for move in moves:
            assert self.at[move.item] == move.origin, f"{move.item} lies on {self.at[move.item]}, not on {move.origin}"
            del self._on[move.origin][move.item]
            self._put(move.item, move.target)

    def _put(self, item: str, place: Place) -> None:
        self.at[item] = place
        self._on.setdefault(place, {})[item] = None

    def on(self, place: Place) -> tuple[str, ...]:
        """Everything that lies there, in the order in which it came."""
        return tuple(self._on.get(place, ()))

    def chips(self, place: Place) -> Counts:
        counts: Counts = {}
        for item in self._on.get(place, ()):
            value = self._values.get(item)
            if value:
                counts[value] = counts.get(value, 0) + 1
        return counts

    def value(self, item: str) -> int:
        return self._values.get(item, 0)

    def worth(self, place: Place) -> int:
        return sum(self._values.get(item, 0) for item in self._on.get(place, ()))

    def pick(self, place: Place, wanted: Mapping[int, int]) -> tuple[str, ...]:
        """Names of chips there, so many of each denomination."""
        names = self.among(self._on.get(place, ()), wanted)
        assert len(names) == sum(wanted.values()), f"not all of {wanted} lie on {place}"
        return names

    def among(self, names: Iterable[str], wanted: Mapping[int, int]) -> tuple[str, ...]:
        """Of these chips so many of each denomination, the first ones first."""
        left, found = dict(wanted), []
        for name in names:
            value = self._values.get(name, 0)
            if left.get(value, 0):
                left[value] -= 1
                found.append(name)
        return tuple(found)
