"""A table for tests of the core: chips and cards lie on antennas, a clock is turned by hand, rounds go into the core.

Every 100 ms each antenna that answers has one round. The tracker is the real one, so are rules and engine.
"""

from collections.abc import Callable, Iterable

from controller import commands
from controller.config.config import Config
from controller.core import build
from controller.core.core import Core
from controller.places import BANK, BOARD, MUCK, POT, Place, Zone
from controller.registry.registry import DECK
from controller.rulings.rules import Rules
from controller.rulings.values import Word, WordForm, WordKind
from controller.table.events import Asked, Event, Refused, Ruled
from controller.table.setup import House, Stakes
from controller.table.state import Hand, State
from firmware_bridge.events import ReaderEvent, ReaderLost, ReaderUp, ScanRound, Sighting
from simulator.tables import EVERY_ZONE, config_of, registry_of

MS = 1_000_000
CYCLE_MS = 100
CHIPS = {25: 8, 50: 8, 100: 10, 500: 6, 1000: 4}  # of each seat
SPOTS_ONLY = frozenset({Zone.SPOT})


def spot(seat: int) -> Place:
    return Place(Zone.SPOT, seat)


def tray(seat: int) -> Place:
    return Place(Zone.TRAY, seat)


def hole(seat: int) -> Place:
    return Place(Zone.HOLE, seat)


def chip(seat: int, value: int, number: int) -> str:
    return f"s{seat}-{value}-{number}"


class CoreTable:
    """A table of `seats`, its core, and every event that came out of it."""

    def __init__(
        self,
        seats: int = 3,
        *,
        zones: Iterable[Zone] = EVERY_ZONE,
        house: House | None = None,
        game: Stakes | None = None,
        state: State | None = None,
        rules: Rules | None = None,
        in_float: int = 0,
    ) -> None:
        """`in_float`: so many chips of 100 are the dealer's, for change."""
        self.seats = seats
        zones = frozenset(zones)
        house = house or House(confirm="never", **({} if Zone.HOLE in zones else {"hand_start": "say"}))  # type: ignore[arg-type]
        self.config: Config = config_of(seats, game or Stakes(blinds=(50, 100)), house, zones)
        home = Zone.TRAY if Zone.TRAY in zones else Zone.IN_HAND
        self.values = {
            chip(seat, value, n): value
            for seat in range(1, seats + 1)
            for value, many in CHIPS.items()
            for n in range(many)
        }
        self.where: dict[str, Place] = {name: Place(home, int(name[1])) for name in self.values}
        self.values |= {f"float-100-{n}": 100 for n in range(in_float)}
        self.where |= {name: BANK for name in self.values if name not in self.where}
        self.where |= dict.fromkeys(DECK, BANK)
        self.registry = registry_of(self.values, DECK)
        self.core: Core = build.core(self.config, self.registry, rules or Rules.named("TDA2024"), state)
        self.ns = 1
        self.log: list[Event] = []
        self.last: list[Event] = []  # of the last act or run
        self.dead: set[str] = set()  # readers that say nothing
        self.hidden: set[str] = set()  # items that no antenna reads although they lie there

    # ------------------------------------------------------------------ time
    def run(self, ms: int = CYCLE_MS) -> list[Event]:
        """Let time pass; every antenna has a round each `CYCLE_MS`."""
        self.last = []
        for _ in range(ms // CYCLE_MS):
            start = self.ns
            for antenna in self.config.antenna:
                if antenna.reader not in self.dead:
                    self._scan(antenna.reader, antenna.number, Place(antenna.place, antenna.seat))
            self.ns = start + CYCLE_MS * MS
            self._keep(self.core.tick(self.ns))
        return self.last

    def until(self, wanted: Callable[[], object], most_ms: int = 20_000) -> list[Event]:
        events: list[Event] = []
        for _ in range(most_ms // CYCLE_MS):
            if wanted():
                break
            events += self.run()
        assert wanted(), f"did not come within {most_ms} ms: {events}"
        self.last = events
        return events

    def still(self) -> list[Event]:
        """Until every push is final."""
        self.run(600)
        return self.until(lambda: not self.core.settling)

    def _scan(self, reader: str, number: int, place: Place) -> None:
        began = self.ns
        self.ns += 2 * MS
        tags = [name for name, lies in self.where.items() if lies == place and name not in self.hidden]
        items = self.registry.items
        seen = tuple(Sighting(items[name].tag if name in items else name) for name in tags)
        self.take(ScanRound(reader, number, began, self.ns, complete=True, sightings=seen))

    def take(self, event: ReaderEvent) -> list[Event]:
        return self._keep(self.core.take(event))

    def _keep(self, events: list[Event]) -> list[Event]:
        self.log += events
        self.last += events
        return events

    # ------------------------------------------------------------------ people
    def tell(self, command: commands.Command, by: commands.By = "dealer") -> list[Event]:
        self.last = []
        return self._keep(self.core.command(command, by, self.ns))

    def say(
        self,
        seat: int | None,
        kind: WordKind,
        amount: int | None = None,
        by: commands.By = "dealer",
        form: WordForm = "before_chips",
    ) -> list[Event]:
        return self.tell(commands.Say(seat, Word(kind, amount, form)), by)

    def chips(self, place: Place, *values: int) -> list[str]:
        found: list[str] = []
        for value in values:
            found.append(
                next(n for n, w in self.where.items() if w == place and self.values.get(n) == value and n not in found)
            )
        return found

    def move(self, names: Iterable[str], place: Place) -> None:
        self.where.update(dict.fromkeys(names, place))

    def push(self, seat: int, *values: int) -> list[str]:
        names = self.chips(self.home(seat), *values)
        self.move(names, spot(seat))
        return names

    def home(self, seat: int) -> Place:
        return tray(seat) if seat in self.config.sensors.trays else Place(Zone.IN_HAND, seat)

    def take_back(self, seat: int, *values: int) -> None:
        self.move(self.chips(spot(seat), *values), self.home(seat))

    def sweep(self, *seats: int) -> None:
        for seat in seats or range(1, self.seats + 1):
            self.move([name for name, lies in self.where.items() if lies == spot(seat)], POT)

    def deal(self, seat: int, *cards: str) -> None:
        self.move(cards, hole(seat))

    def board(self, *cards: str) -> None:
        self.move(cards, BOARD)

    def muck(self, seat: int) -> None:
        self.move(HANDS[seat], MUCK)

    # ------------------------------------------------------------------ readers
    def lose(self, seat: int) -> None:
        """The reader of a seat is unplugged."""
        self.dead.add(f"seat{seat}")
        self.take(ReaderLost(f"seat{seat}", self.ns, "unplugged"))

    def find(self, seat: int) -> None:
        self.dead.discard(f"seat{seat}")
        self.take(ReaderUp(f"seat{seat}", self.ns, "the same"))

    # ------------------------------------------------------------------ what came of it
    @property
    def hand(self) -> Hand:
        assert self.core.state.hand is not None
        return self.core.state.hand

    def rulings(self) -> list[tuple[int, str, int]]:
        """Seat, action and total of every ruling so far."""
        return [(e.seat, e.reading.action, e.reading.total_to) for e in self.log if isinstance(e, Ruled)]

    def refused(self) -> str | None:
        return next((event.why for event in self.last if isinstance(event, Refused)), None)

    def asked(self) -> Asked | None:
        return self.hand.question

    def alarms(self) -> set[str]:
        return {alarm.key for alarm in self.core.state.alarms}


HANDS = {1: ("As", "Ah"), 2: ("Ks", "Kh"), 3: ("Qs", "Qh"), 4: ("Js", "Jh"), 5: ("Ts", "Th"), 6: ("9s", "9h")}
FLOP, TURN, RIVER = ("2c", "5d", "8c"), "3d", "7h"


def counted(seats: int = 3, *, kind: type[CoreTable] = CoreTable, **options: object) -> CoreTable:
    """Counted in, the button at seat 1; without trays every seat has 10,000 in the ledger."""
    table = kind(seats, **options)  # type: ignore[arg-type]
    table.until(lambda: table.core.known.counted)
    for seat in range(1, seats + 1):
        if seat not in table.config.sensors.trays:
            table.tell(commands.SetStack(seat, 10_000))
    table.tell(commands.SetButton(1))
    return table


def dealt(seats: int = 3, **options: object) -> CoreTable:
    """Blinds posted and cards dealt: betting is open, seat 4 to act (seat 1 of three)."""
    table = counted(seats, **options)
    table.tell(commands.NextHand())
    for post in table.hand.posts_due:
        table.push(post.seat, post.amount)
    table.still()
    for seat in table.config.sensors.holes:
        table.deal(seat, *HANDS[seat])
    if not table.config.sensors.holes:
        table.tell(commands.NextStreet())
    table.until(lambda: table.hand.phase == "betting")
    table.log.clear()
    return table
