"""One seat whose board runs the firmware: how soon a push is decided and final where chips are asked for by address.

The same pushes with questions and by rounds alone, on a PN5180 each for tray and spot, in virtual time: times on air
are those of the standard, a transaction is 100 us, and a chip misses its share of requests, each by itself.
Decided is the first picture of the motion that has every chip; final a settled motion. Wrong is one that is not the
chips that were pushed.
"""

import random
from collections.abc import Callable, Iterator
from statistics import median

from benchmarks.rows import Row, Size, Tell
from benchmarks.timing import percentile
from controller.places import Motion, Place, Zone
from controller.registry.registry import Item, Registry
from controller.tracking.events import CountedIn, MotionChanged, TrackingEvent
from controller.tracking.layout import Antenna, Layout
from controller.tracking.tracker import Tracker
from firmware_bridge.drivers import catalog
from firmware_bridge.events import Value
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers.base import VirtualReader
from simulator.readers.flashed import Flashed
from simulator.tables import SEAT_ZONES, tag_of
from simulator.wire import Wire, Wires

GROUP = "asked"
TRAY, SPOT = Place(Zone.TRAY, 1), Place(Zone.SPOT, 1)
ANTENNAS = {("seat", 1): TRAY, ("seat", 2): SPOT}
SETTINGS = ((40, 0.05, 1), (60, 0.05, 4), (60, 0.3, 1), (60, 0.3, 4))  # chips of the tray, misses, chips pushed
A_ROW = 4  # pushes for each repetition of the size
S = 1_000_000_000
PATIENCE_NS, PAUSE_NS = 12 * S, 8 * S
Made = Callable[[Radio], VirtualReader]


class Push(Value, frozen=True):
    """Seconds since the chips lay still; None: it did not happen."""

    decided: float | None
    final: float | None
    wrong: bool


def flashed(radio: Radio) -> VirtualReader:
    return Flashed("seat", radio)


class Seat:
    """`asks`: whether the board is asked; its player may push now."""

    def __init__(self, chips: int, miss: float, seed: int, *, asks: bool, made: Made = flashed) -> None:
        self.field = Field(ANTENNAS, {one: SEAT_ZONES[place.zone] for one, place in ANTENNAS.items()})
        driver = catalog.make("tablelink", "seat", (1, 2))
        self.wires = Wires([Wire(driver, made(Radio(self.field, Noise(miss, seed=seed))), "seat")])
        self.names = {tag_of(f"c{n}"): f"c{n}" for n in range(chips)}
        antennas = tuple(Antenna(*one, place, SEAT_ZONES[place.zone]) for one, place in ANTENNAS.items())
        items = (Item(name, tag, "chip", 100) for tag, name in self.names.items())
        self.tracker = Tracker(Registry(items), Layout(antennas, adapts=True))
        self.tracker.expect([1])
        self.asks, self.draw = asks, random.Random(seed)
        self.told: list[tuple[int, TrackingEvent]] = []
        self.field.lay(self.names, TRAY)
        self.run(60 * S, lambda: any(isinstance(event, CountedIn) for _, event in self.told))

    def run(self, for_ns: int, until: Callable[[], bool] = lambda: False) -> None:
        end_ns = self.wires.now_ns + for_ns
        while self.wires.now_ns < end_ns and not until():
            wake_ns = max(self.tracker.wake_at_ns() or end_ns, self.wires.now_ns + 1)
            events = self.wires.step(min(end_ns, wake_ns))
            for event in events:
                self._note(self.tracker.take(event))
            self._note(self.tracker.tick(self.wires.now_ns))
            if self.asks:
                self.wires.ask(self.tracker.questions(()))

    def _note(self, events: list[TrackingEvent]) -> None:
        self.told += [(self.wires.now_ns, event) for event in events]

    def push(self, count: int) -> Push:
        """Chips of the tray are laid on the spot at any moment, and put back when that is final."""
        tags = self.draw.sample(sorted(self.names), count)
        self.run(int(self.draw.uniform(0, 2) * S))
        self.told.clear()
        since_ns = self.wires.now_ns
        self.field.lay(tags, SPOT)
        self.run(PATIENCE_NS, lambda: any(motion.settled for _, motion in self._forward()))
        pushed, found = {self.names[tag] for tag in tags}, self._forward()
        whole = next((at for at, motion in found if pushed <= _items(motion)), None)
        final = next(((at, motion) for at, motion in found if motion.settled), None)
        self.field.lay(tags, TRAY)
        self.run(PAUSE_NS)
        return Push(
            None if whole is None else (whole - since_ns) / S,
            None if final is None else (final[0] - since_ns) / S,
            wrong=final is None or _items(final[1]) != pushed,
        )

    def _forward(self) -> list[tuple[int, Motion]]:
        motions = [(at, event.motion) for at, event in self.told if isinstance(event, MotionChanged)]
        return [(at, motion) for at, motion in motions if _items(motion)]


def _items(motion: Motion) -> set[str]:
    return {move.item for move in motion.moves if move.target == SPOT}


def pushes(chips: int, miss: float, count: int, number: int, *, asks: bool, seats: int = 1) -> list[Push]:
    """`number` pushes of `count` chips at each of so many seats."""
    made = [Seat(chips, miss, seed, asks=asks) for seed in range(seats)]
    return [seat.push(count) for seat in made for _ in range(number)]


def rows(size: Size, tell: Tell) -> Iterator[Row]:
    for chips, miss, count in SETTINGS:
        what = f"{count} of {chips} chips pushed, {miss:.0%} of requests missed"
        tell(what)
        ours, theirs = (pushes(chips, miss, count, A_ROW, asks=asks, seats=size.repetitions) for asks in (True, False))
        yield _row(f"{what}: decided", [one.decided for one in ours], [one.decided for one in theirs], "")
        wrong = sum(one.wrong for one in ours), sum(one.wrong for one in theirs)
        note = "wrong: {} asked, {} by rounds".format(*wrong)
        yield _row(f"{what}: final", [one.final for one in ours], [one.final for one in theirs], note)


def _row(what: str, ours: list[float | None], theirs: list[float | None], note: str) -> Row:
    asked, rounds = ([PATIENCE_NS / S if one is None else one for one in side] for side in (ours, theirs))
    spread = f"{len(asked)} pushes; nine in ten {percentile(asked, 0.9):.2f}, by rounds {percentile(rounds, 0.9):.2f}"
    return Row(
        group=GROUP,
        what=what,
        unit="s",
        ours=round(median(asked), 2),
        peer="by rounds alone",
        theirs=round(median(rounds), 2),
        note="; ".join(filter(None, (spread, note))),
    )
