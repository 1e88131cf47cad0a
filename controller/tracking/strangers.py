"""Foreign tags: in no registry (or withdrawn), but so like this table's that a chip may be missing from it.

A tag looks like this table's when its length is one of the registry's and it begins alike: the manufacturer's byte of a
UID of 7 or 8 bytes (ISO/IEC 7816-6), the first two bytes of an EPC. A UID of 4 bytes has no such byte: length decides.
On the board any tag counts: a card of a maker's that the table does not know would leave its street unread.
"""

from collections.abc import Iterable

from controller.places import Place, Zone
from controller.registry.registry import Registry
from controller.tracking.events import ForeignTags

ROUNDS = 2  # a tag that was read once may be a passing sleeve or a wrong bit
GONE_ROUNDS = 6  # complete rounds without it


class Stranger:
    __slots__ = ("misses", "rounds")

    def __init__(self) -> None:
        self.rounds = 0
        self.misses = 0


class Strangers:
    """Foreign tags by place."""

    def __init__(self, registry: Registry) -> None:
        self._families = {_family(item.tag) for item in registry.items.values()}
        self._ignored = {item.tag for item in registry.items.values() if item.state == "ignore"}
        self._seen: dict[Place, dict[str, Stranger]] = {}
        self._told: dict[Place, int] = {}

    @property
    def ignored(self) -> frozenset[str]:
        """Tags that somebody called no chips."""
        return frozenset(self._ignored)

    def look(self, place: Place, unknown: Iterable[str], complete: bool, now_ns: int) -> list[ForeignTags]:
        """Take the unknown tags of one round."""
        seen = self._seen.get(place)
        if not unknown and not seen:
            return []
        seen = self._seen.setdefault(place, {})
        alike = place.zone is Zone.BOARD
        here = {tag for tag in unknown if tag not in self._ignored and (alike or _family(tag) in self._families)}
        for tag in here:
            stranger = seen.setdefault(tag, Stranger())
            stranger.rounds += 1
            stranger.misses = 0
        if complete:
            for tag in seen.keys() - here:
                seen[tag].misses += 1
                if seen[tag].misses >= GONE_ROUNDS:
                    del seen[tag]
        return self._tell(place, now_ns)

    def ignore(self, place: Place) -> None:
        """The foreign tags that lie there are no chips: never count them again."""
        self._ignored.update(self._seen.pop(place, {}))
        self._told.pop(place, None)

    def _tell(self, place: Place, now_ns: int) -> list[ForeignTags]:
        count = sum(stranger.rounds >= ROUNDS for stranger in self._seen[place].values())
        if count == self._told.get(place, 0):
            return []
        self._told[place] = count
        return [ForeignTags(now_ns, place, count)]


def _family(tag: str) -> tuple[int, str]:
    size = len(tag) // 2
    return size, "" if size <= 4 else tag[:2] if size <= 8 else tag[:4]
