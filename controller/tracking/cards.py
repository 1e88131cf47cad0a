"""Cards at rest: the whole set on each hole, board and muck antenna, told when nothing about it is undecided.

Cards that come from one place come together: what has come waits for those of the same origin that are half decided,
so two folds in a row do not wait for each other.

The muck latches: its antenna reads only the top cards, so a card that rested there stays named until the next hand.
"""

from typing import NamedTuple

from controller.places import Place, Zone
from controller.tracking.events import CardsRested
from controller.tracking.evidence import Decided, Field, Track


class Arrival(NamedTuple):
    seat: int | None  # of the place that it came from
    at_ns: int


class Cards:
    """What rests where."""

    def __init__(self, fields: tuple[Field, ...], hold_ns: int) -> None:
        self._hold_ns = hold_ns
        self._fields: dict[Place, list[Field]] = {}
        for field in fields:
            if "card" in field.kinds:
                self._fields.setdefault(field.place, []).append(field)
        self._lying: dict[Place, dict[str, Arrival]] = {place: {} for place in self._fields}
        self._mucked: dict[str, Track] = {}
        self._told: dict[Place, tuple[str, ...]] = dict.fromkeys(self._fields, ())
        self._changed: set[Place] = set()

    def know(self, track: Track) -> None:
        """A card lies there by the journal: it was told before the restart."""
        place = track.place
        if track.kind != "card" or place not in self._lying:
            return
        self._lying[place][track.name] = Arrival(place.seat, 0)
        self._told[place] = tuple(sorted(self._lying[place]))
        if place.zone is Zone.MUCK:
            track.pinned = True
            self._mucked[track.name] = track

    def decided(self, decided: Decided, at_ns: int) -> None:
        track, origin = decided.track, decided.origin
        if origin in self._lying and origin.zone is not Zone.MUCK:
            self._lying[origin].pop(track.name, None)
            self._changed.add(origin)
        if track.place in self._lying:
            self._lying[track.place][track.name] = Arrival(origin.seat, at_ns)
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
        out = []
        for place in sorted(self._changed, key=lambda p: (p.zone, p.seat or 0)):
            waiting = self._waiting(place, now_ns)
            if not waiting:
                self._changed.discard(place)
            cards = tuple(sorted(name for name in self._lying[place] if name not in waiting))
            if cards != self._told[place]:
                self._told[place] = cards
                out.append(CardsRested(now_ns, place, cards))
        return out

    def _waiting(self, place: Place, now_ns: int) -> set[str]:
        """Cards that came and are not told, while others of their origin are half decided; no longer than a hold."""
        half = {test.track.place.seat for field in self._fields[place] for test in field.tests.values() if test.score}
        if not half:
            return set()
        told = set(self._told[place])
        lying = self._lying[place].items()
        return {n for n, a in lying if n not in told and a.seat in half and now_ns < a.at_ns + self._hold_ns}
