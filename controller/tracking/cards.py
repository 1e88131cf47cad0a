"""Cards at rest: the whole set on each hole, board and muck antenna, told when nothing about it is undecided.

Cards that come from one place come together: what has come waits for those of the same origin that are half decided,
so two folds in a row do not wait for each other.

The muck latches: its antenna reads only the top cards, so a card that rested there stays named until the next hand, or
until another antenna shows it.

A card of a hand that comes to the muck alone waits as long as a hold for the others of that hand, where these are not
read before their player.

On the board nothing new is told while a card that lay there is not read: the new one may lie in its place. After a hold
it is told without the one that is not read, which is told again when it is.
"""

from typing import NamedTuple

from controller.places import Place, Zone
from controller.tracking.events import CardsRested
from controller.tracking.evidence import Decided, Field, Track

HIDDEN_RUN = 2  # misses in a row of a card of the board: a new one waits until it is read again, or known to be gone


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
        self._in_hand: dict[int, set[str]] = {}  # cards by the seat that took them up
        self._names: dict[str, str] = {}  # names by tag, of cards that were decided here

    def know(self, track: Track) -> None:
        """A card lies there by the journal: it was told before the restart."""
        place = track.place
        if track.kind != "card" or place not in self._lying:
            return
        self._lying[place][track.name] = Arrival(place.seat, 0)
        self._names[track.tag] = track.name
        self._told[place] = tuple(sorted(self._lying[place]))
        if place.zone is Zone.MUCK:
            track.pinned = True
            self._mucked[track.name] = track

    def decided(self, decided: Decided, at_ns: int) -> None:
        track, origin = decided.track, decided.origin
        if origin in self._lying and not (origin.zone is Zone.MUCK and decided.was_gone):
            self._lying[origin].pop(track.name, None)
            self._changed.add(origin)
        if track.place in self._lying:
            self._lying[track.place][track.name] = Arrival(origin.seat, at_ns)
            self._names[track.tag] = track.name
            self._changed.add(track.place)
        for held in self._in_hand.values():
            held.discard(track.name)
        if track.place.zone is Zone.IN_HAND and track.place.seat is not None:
            self._in_hand.setdefault(track.place.seat, set()).add(track.name)
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
        waiting = self._before_others(place, now_ns)
        half = {test.track.place.seat for field in self._fields[place] for test in field.tests.values() if test.score}
        if not half:
            return waiting
        told = set(self._told[place])
        lying = self._lying[place].items()
        return waiting | {n for n, a in lying if n not in told and a.seat in half and now_ns < a.at_ns + self._hold_ns}

    def _before_others(self, place: Place, now_ns: int) -> set[str]:
        match place.zone:
            case Zone.BOARD:
                return self._hidden(place, now_ns)
            case Zone.MUCK:
                return self._before_its_fellow(place, now_ns)
            case _:
                return set()

    def _before_its_fellow(self, place: Place, now_ns: int) -> set[str]:
        """Cards of a hand that came without others of it, which may be on their way: those lie unread, or nowhere."""
        told = set(self._told[place])
        came = {n: a for n, a in self._lying[place].items() if n not in told and now_ns < a.at_ns + self._hold_ns}
        return {name for name, arrival in came.items() if arrival.seat is not None and self._is_lifted(arrival.seat)}

    def _is_lifted(self, seat: int) -> bool:
        """Whether a card of a seat is in its player's hand, or is just being taken up."""
        home = Place(Zone.HOLE, seat)
        missing = [tag for field in self._fields.get(home, ()) for tag in field.missing]
        return bool(self._in_hand.get(seat)) or any(self._names.get(tag) in self._lying[home] for tag in missing)

    def _hidden(self, place: Place, now_ns: int) -> set[str]:
        """Cards that came while one that lay there is not read, for as long as a hold; from then on the unread one."""
        lying, told = self._lying[place], set(self._told[place])
        runs = [(tag, miss.run) for field in self._fields[place] for tag, miss in field.missing.items()]
        unread = {self._names[tag] for tag, run in runs if run >= HIDDEN_RUN and self._names.get(tag) in lying}
        came = lying.keys() - told - unread
        if not unread or not came:
            return unread - told
        late = now_ns >= max(lying[name].at_ns for name in came) + self._hold_ns
        return unread if late else came | (unread - told)
