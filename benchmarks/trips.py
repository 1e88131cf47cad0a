"""How far a push and a word travel: calls and changes of file from what comes in to the ruling.

Counted on the real objects by the interpreter's own profiler, so the figures are the same on every machine. A call is a
function of ours that begins, or goes on where it had yielded. A change of file is a call in another file than the call
before it; those that lead to a file seen before are ways back.
"""

import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median
from types import FrameType
from typing import NamedTuple, TypeVar

from benchmarks.rows import Row, Size, Tell, at_most
from controller import commands, spoken
from controller.core import build
from controller.places import Place, Zone
from controller.registry.registry import DECK
from controller.rulings.rules import Rules
from controller.table.events import Event, Ruled
from controller.table.setup import House, Stakes
from firmware_bridge.events import ScanRound, Sighting
from simulator.tables import config_of, registry_of

GROUP = "trips"
ROOT = Path(__file__).parent.parent
OURS = tuple(str(ROOT / package) for package in ("controller", "firmware_bridge"))
SEATS = 3
CHIPS = {25: 8, 50: 8, 100: 10, 500: 6, 1000: 4}  # of each seat
MS = 1_000_000
CYCLE_NS, ROUND_NS = 100 * MS, 2 * MS  # every antenna has a round in each cycle
CYCLES = 16  # of a push that settles
MOST_CYCLES = 200
T = TypeVar("T")


class Trip(NamedTuple):
    calls: int
    files: int
    changes: int
    back: int  # of the changes


def walked(call: Callable[[], T]) -> tuple[Trip, T]:
    """The trip of one call, and what it gave."""
    files: list[str] = []

    def see(frame: FrameType, what: str, _argument: object) -> None:
        if what == "call" and frame.f_code.co_filename.startswith(OURS):
            files.append(frame.f_code.co_filename)

    sys.setprofile(see)
    try:
        given = call()
    finally:
        sys.setprofile(None)
    stays = len(files[:1]) + sum(one != other for one, other in pairwise(files))
    return Trip(len(files), len({*files}), stays, stays - len({*files})), given


def rows(_size: Size, tell: Tell) -> Iterator[Row]:
    tell("a push settles")
    rounds = _Table().settling_push()
    final = next(trip for trip, events in rounds if any(isinstance(event, Ruled) for event in events))
    quiet = Trip(*(int(median(figures)) for figures in zip(*(trip for trip, _ in rounds[: _rounds()]), strict=True)))
    tell("a word is said")
    yield from _rows("the round that makes a push final, to its ruling", final, 190, 66)
    yield from _rows("a quiet round while a push settles", quiet, 74, 17)
    yield from _rows('the word "1 raise to 600", to its ruling', _Table().said("1 raise to 600"), 133, 62)


def _rounds() -> int:
    return CYCLES * len(config_of(SEATS, Stakes(), House()).antenna)


def _rows(what: str, trip: Trip, calls: int, changes: int) -> Iterator[Row]:
    yield Row(
        group=GROUP,
        what=f"calls: {what}",
        unit="calls",
        ours=trip.calls,
        aim=at_most(calls),
        note=f"in {trip.files} files",
    )
    yield Row(
        group=GROUP,
        what=f"changes of file: {what}",
        unit="changes",
        ours=trip.changes,
        aim=at_most(changes),
        note=f"{trip.back} of them back to a file that was left before",
    )


class _Table:
    """Three seats; the blinds are posted, the cards dealt, seat 1 is to act."""

    def __init__(self) -> None:
        self.config = config_of(SEATS, Stakes(blinds=(50, 100)), House(confirm="never"))
        values = {
            f"s{seat}-{value}-{number}": value
            for seat in range(1, SEATS + 1)
            for value, many in CHIPS.items()
            for number in range(many)
        }
        self.where = {name: Place(Zone.TRAY, int(name[1])) for name in values}
        self.registry = registry_of(values, DECK)
        self.core = build.core(self.config, self.registry, Rules.named("TDA2024"))
        self.ns = 1
        self.until(lambda: self.core.state.counted_in)
        for command in (commands.SetButton(1), commands.NextHand()):
            self.core.command(command, "dealer", self.ns)
        self.push(2, 50)
        self.push(3, 100)
        self.until(lambda: self.core.state.hand is not None and not self.core.state.hand.posts_due)
        for seat in range(1, SEATS + 1):
            self.where |= dict.fromkeys(DECK[2 * seat : 2 * seat + 2], Place(Zone.HOLE, seat))
        self.until(lambda: self.core.state.hand is not None and self.core.state.hand.phase == "betting")

    def push(self, seat: int, *values: int) -> None:
        for value in values:
            tray, mine = Place(Zone.TRAY, seat), f"s{seat}-{value}-"
            chip = next(name for name, lies in self.where.items() if lies == tray and name.startswith(mine))
            self.where[chip] = Place(Zone.SPOT, seat)

    def until(self, wanted: Callable[[], bool]) -> None:
        for _ in range(MOST_CYCLES):
            if wanted():
                return
            self.cycle(self.core.take)
        raise AssertionError("the table never came to it")

    def cycle(self, take: Callable[[ScanRound], object]) -> None:
        began_ns = self.ns
        for antenna in self.config.antenna:
            place = Place(antenna.place, antenna.seat)
            seen = tuple(Sighting(self.registry.items[n].tag) for n, lies in self.where.items() if lies == place)
            started_ns, self.ns = self.ns, self.ns + ROUND_NS
            take(ScanRound(antenna.reader, antenna.number, started_ns, self.ns, complete=True, sightings=seen))
        self.ns = began_ns + CYCLE_NS
        self.core.tick(self.ns)

    def settling_push(self) -> list[tuple[Trip, list[Event]]]:
        """Every round from the first that may see the chips to that of the ruling."""
        found: list[tuple[Trip, list[Event]]] = []
        self.push(1, 500, 100)
        while not any(isinstance(event, Ruled) for _, events in found for event in events):
            assert len(found) < MOST_CYCLES * len(self.config.antenna), "the push was never ruled on"
            self.cycle(lambda event: found.append(walked(lambda: self.core.take(event))))
        return found

    def said(self, words: str) -> Trip:
        trip, events = walked(lambda: self.core.command(spoken.parse([words]), "dealer", self.ns))
        assert any(isinstance(event, Ruled) for event in events), f"{words}: {events}"
        return trip
