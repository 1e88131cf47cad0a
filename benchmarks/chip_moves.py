"""Chips moved by the thousand over the antennas of three seats and a pot, and what the sequential test makes of it.

Presence alone: no bytes, no motions, no rules; so a million moves take minutes. Every cycle the seats push chips, the
dealer sweeps them, and the pot goes back to the trays. A chip that is carried is heard by half of the scans that it
comes or goes in; then all antennas scan in turn until every chip is decided to lie where it lies.

False is every decision that puts a chip where it does not lie. A chip in shadow for so long that it is said to be in a
hand is counted by itself: bursts of misses do that, and its next sighting ends it.
"""

import random
from collections import Counter
from collections.abc import Iterable

from controller.places import POT, Place, Zone
from controller.registry.registry import Item, Registry
from controller.tracking.evidence import Decided, Field
from controller.tracking.layout import Antenna, Layout
from controller.tracking.presence import Presence
from firmware_bridge.events import ScanRound, Sighting, Value
from simulator import field as felt
from simulator.radio import Noise, Radio
from simulator.tables import tag_of

SEATS, CHIPS = 3, 40  # of each seat
MOST_PUSHED = 20
ROUND_NS = 20_000_000
PATIENCE = 400  # steps for one move: bursts may hide a chip for long


class Moves(Value, frozen=True):
    """What happened to so many chips that were moved."""

    moved: int
    false: int  # decisions that put a chip where it did not lie
    held: int  # chips in long shadow that were said to be in a hand
    late: int  # chips that were not decided within `PATIENCE` steps
    steps: Counter[int]  # of all antennas, from the move to the decision

    @property
    def mean(self) -> float:
        return sum(steps * count for steps, count in self.steps.items()) / max(1, self.steps.total())

    def within(self, share: float) -> int:
        """Steps within which such a share was decided."""
        left = share * self.steps.total()
        for steps, count in sorted(self.steps.items()):
            left -= count
            if left <= 0:
                return steps
        return 0


class Table:
    """Three seats with tray and spot, and a pot: one reader that scans one antenna after the other."""

    def __init__(self, noise: Noise, steps: int) -> None:
        places = [Place(zone, seat) for seat in range(1, SEATS + 1) for zone in (Zone.TRAY, Zone.SPOT)] + [POT]
        antennas = {("r", number): place for number, place in enumerate(places, 1)}
        self.field = felt.Field(antennas, near=_near(antennas))
        self.radio = Radio(self.field, noise)
        layout = Layout(tuple(Antenna("r", n, place, 250) for (_, n), place in antennas.items()), steps=steps)
        items = [Item(name, tag_of(name), "chip", 100) for seat in range(SEATS) for name in _names(seat + 1)]
        self.presence = Presence(Registry(items), layout)
        self.draw = random.Random(noise.seed)
        self.now_ns = 0
        self.false = self.held = 0
        self.due: dict[str, int] = {}  # chips that were moved, and how many steps ago
        self.decided: Counter[int] = Counter()
        for known in self.presence.fields:
            known.live = True
        for seat in range(1, SEATS + 1):
            home = Place(Zone.TRAY, seat)
            self.field.lay(map(tag_of, _names(seat)), home)
            for name in _names(seat):
                self.presence.put(self.presence.tracks[tag_of(name)], home)

    def move(self, tags: Iterable[str], target: Place) -> int:
        """Carry chips while every antenna is scanned once; then scan until all lie where they lie."""
        moving = tuple(tags)
        before = {known: self.field.on(("r", known.antenna.number)) for known in self.presence.fields}
        self.field.lay(moving, target)
        self.due.update(dict.fromkeys(moving, 0))
        for known, lying in before.items():
            self._scan(known, lying)
        for _ in range(PATIENCE):
            if not self.due:
                break
            self.due = {tag: steps + 1 for tag, steps in self.due.items()}
            for known in self.presence.fields:
                self._scan(known, self.field.on(("r", known.antenna.number)))
        return len(moving)

    def _scan(self, known: Field, at_begin: tuple[str, ...]) -> None:
        antenna = ("r", known.antenna.number)
        heard = self.radio.scan(antenna, at_begin)
        shown = (*heard.own, *heard.stray)
        began_ns, self.now_ns = self.now_ns, self.now_ns + ROUND_NS
        scan = ScanRound(*antenna, began_ns, self.now_ns, heard.complete, tuple(map(Sighting, shown)))
        found, _ = self.presence.look(known, scan, set(shown), heard.complete)
        for one in found:
            self._judge(one)

    def _judge(self, one: Decided) -> None:
        tag = one.track.tag
        if one.track.place.zone is Zone.IN_HAND:
            self.held += 1
        elif one.track.place != self.field.where(tag):
            self.false += 1
        elif tag in self.due:
            self.decided[self.due.pop(tag)] += 1


def moved(moves: int, noise: Noise, steps: int) -> Moves:
    """At least so many chips, each moved once in every cycle's push, sweep and payment."""
    table, done, late = Table(noise, steps), 0, 0
    while done < moves:
        done += _pushes(table)
        done += table.move(_on(table, Zone.SPOT), POT)
        done += _payment(table)
        late += len(table.due)
        table.due.clear()
    return Moves(done, table.false, table.held, late, table.decided)


def _pushes(table: Table) -> int:
    done = 0
    for seat in range(1, SEATS + 1):
        lying = table.field.on(("r", 2 * seat - 1))
        if lying:
            count = min(len(lying), table.draw.randint(1, MOST_PUSHED))
            done += table.move(table.draw.sample(lying, count), Place(Zone.SPOT, seat))
    return done


def _payment(table: Table) -> int:
    """Every winner is paid in chips until none is left, so that no tray runs dry."""
    pot, done = list(_on(table, Zone.POT)), 0
    table.draw.shuffle(pot)
    for seat in range(1, SEATS + 1):
        room = CHIPS - len(table.field.on(("r", 2 * seat - 1)))
        if pot and room > 0:
            done += table.move(pot[:room], Place(Zone.TRAY, seat))
            del pot[:room]
    return done


def _on(table: Table, zone: Zone) -> tuple[str, ...]:
    return tuple(
        tag for antenna, place in table.field.antennas.items() if place.zone is zone for tag in table.field.on(antenna)
    )


def _near(antennas: dict[felt.Antenna, Place]) -> dict[felt.Antenna, tuple[felt.Antenna, ...]]:
    """The neighbours that seats have, and the pot: it hears the spots, and they hear it."""
    near = felt.neighbours(antennas)
    pot = next(antenna for antenna, place in antennas.items() if place == POT)
    spots = tuple(antenna for antenna, place in antennas.items() if place.zone is Zone.SPOT)
    return {**near, pot: spots, **{spot: (*near[spot], pot) for spot in spots}}


def _names(seat: int) -> list[str]:
    return [f"s{seat}-{number}" for number in range(CHIPS)]
