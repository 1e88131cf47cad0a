"""Cards at rest: the whole set on each hole, board and muck antenna, told when nothing about it is undecided.

The muck latches: its antenna reads only the top cards, so a card that rested there stays named until the next hand.
"""

from controller.places import Place, Zone
from controller.tracking.events import CardsRested
from controller.tracking.presence import Decided, Field, Track


class Cards:
    """What rests where."""

    def __init__(self, fields: tuple[Field, ...]) -> None:
        self._fields: dict[Place, list[Field]] = {}
        for field in fields:
            if "card" in field.kinds:
                self._fields.setdefault(field.place, []).append(field)
        self._lying: dict[Place, set[str]] = {place: set() for place in self._fields}
        self._mucked: dict[str, Track] = {}
        self._told: dict[Place, tuple[str, ...]] = dict.fromkeys(self._fields, ())
        self._changed: set[Place] = set()

    def decided(self, decided: Decided) -> None:
        track, origin = decided.track, decided.origin
        if origin in self._lying and origin.zone is not Zone.MUCK:
            self._lying[origin].discard(track.name)
            self._changed.add(origin)
        if track.place in self._lying:
            self._lying[track.place].add(track.name)
            self._changed.add(track.place)
        track.pinned = track.place.zone is Zone.MUCK
        if track.pinned:
            self._mucked[track.name] = track

    def clear_muck(self) -> None:
        """The next hand: cards that still lie there are old, and count again only when they come again."""
        for track in self._mucked.values():
            track.pinned = False
        self._mucked.clear()
        for place, names in self._lying.items():
            if place.zone is Zone.MUCK:
                names.clear()
                self._told[place] = ()
                self._changed.discard(place)

    def told(self, now_ns: int) -> list[CardsRested]:
        """Sets that changed and are decided."""
        if not self._changed:
            return []
        ready = [place for place in self._changed if not self._undecided(place)]
        self._changed.difference_update(ready)
        out = []
        for place in sorted(ready, key=lambda p: (p.zone, p.seat or 0)):
            cards = tuple(sorted(self._lying[place]))
            if cards != self._told[place]:
                self._told[place] = cards
                out.append(CardsRested(now_ns, place, cards))
        return out

    def _undecided(self, place: Place) -> bool:
        return any(test.score for field in self._fields[place] for test in field.tests.values())
