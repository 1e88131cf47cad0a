"""A table for tests: chips by value and seat, pushed, taken and swept by words that read like the felt."""

from collections.abc import Iterable

from controller import commands
from controller.engine.engine import Engine
from controller.places import BANK, BOARD, MUCK, POT, Motion, Moved, Place, Zone
from controller.rulings.rules import Rules
from controller.rulings.values import Reading, Word, WordForm, WordKind
from controller.table.balance import balance, front
from controller.table.events import Asked, Event, Refused, Ruled
from controller.table.inputs import CardsRested, CountedIn, Input, MotionSeen, Told
from controller.table.setup import House, Sensors, Stakes
from controller.table.state import Hand, InHand, State

DENOMINATIONS = (25, 50, 100, 500, 1000, 5000)
EACH = 20  # chips of each kind that a seat has
STACK = 10_000


def full(seats: int) -> Sensors:
    """Every antenna kind."""
    all_seats = frozenset(range(1, seats + 1))
    return Sensors(trays=all_seats, holes=all_seats, pot=True, muck=True, board=True)


def tray(seat: int) -> Place:
    return Place(Zone.TRAY, seat)


def spot(seat: int) -> Place:
    return Place(Zone.SPOT, seat)


def hole(seat: int) -> Place:
    return Place(Zone.HOLE, seat)


def held(seat: int) -> Place:
    return Place(Zone.IN_HAND, seat)


def chip(seat: int, value: int, number: int) -> str:
    return f"s{seat}-{value}-{number:02}"


class Played:
    """One table and what happened at it."""

    def __init__(
        self,
        seats: int = 3,
        *,
        stacks: Iterable[int] | None = None,
        game: Stakes | None = None,
        house: House | None = None,
        sensors: Sensors | None = None,
        profile: str = "TDA2024",
        button: int | None = None,
    ) -> None:
        self.seats = seats
        kinds = [
            (seat, value, number) for seat in range(1, seats + 1) for value in DENOMINATIONS for number in range(EACH)
        ]
        values = {chip(*kind): kind[1] for kind in kinds} | {
            f"bank-{v}-{n:02}": v for v in DENOMINATIONS for n in range(EACH)
        }
        self.sensors = full(seats) if sensors is None else sensors
        self.game = game or Stakes(blinds=(50, 100))
        self.engine = Engine(values, Rules.named(profile), house or House(confirm="never"), self.sensors, self.game)
        self.values = values
        self.state: State = self.engine.initial(seats, self.game)
        self.log: list[Event] = []
        self.last: tuple[Event, ...] = ()
        self.number = 0
        self.give(
            CountedIn(
                0,
                {
                    name: BANK if name.startswith("bank") else self.home(int(name[1 : name.index("-")]))
                    for name in values
                },
            )
        )
        for seat, stack in enumerate(stacks or [STACK] * seats, 1):
            self.tell(commands.SetStack(seat, stack))
        if button is not None:
            self.tell(commands.SetButton(button))

    def home(self, seat: int) -> Place:
        return tray(seat) if seat in self.sensors.trays else held(seat)

    # ------------------------------------------------------------------ inputs
    def give(self, given: Input) -> tuple[Event, ...]:
        self.state, self.last = self.engine.step(self.state, given)
        self.log += self.last
        return self.last

    def tell(self, command: commands.Command, by: commands.By = "dealer") -> tuple[Event, ...]:
        return self.give(Told(0, command, by))

    def say(
        self,
        seat: int | None,
        kind: WordKind,
        amount: int | None = None,
        form: WordForm = "before_chips",
        by: commands.By = "dealer",
    ) -> tuple[Event, ...]:
        return self.tell(commands.Say(seat, Word(kind, amount, form)), by)

    def motion(
        self, *moves: Moved, later: bool = False, doubtful: tuple[str, ...] = (), second: tuple[str, ...] = ()
    ) -> Motion:
        self.number += 1
        return Motion(self.number, moves, 0, 0, later or bool(second), doubtful, settled=True, second=second)

    def move(self, *moves: Moved, later: bool = False, doubtful: tuple[str, ...] = ()) -> tuple[Event, ...]:
        return self.give(MotionSeen(0, self.motion(*moves, later=later, doubtful=doubtful)))

    # ------------------------------------------------------------------ hands
    def chips(self, place: Place, *wanted: int) -> list[str]:
        """Names of chips of these values that lie at a place."""
        lying = [name for name, where in self.state.places.items() if where == place]
        found = []
        for value in wanted:
            name = next(name for name in lying if self.values.get(name) == value and name not in found)
            found.append(name)
        return found

    def lying(self, place: Place) -> list[int]:
        """Values of the chips at a place."""
        return [
            self.values[name] for name, where in self.state.places.items() if where == place and name in self.values
        ]

    def carry(self, origin: Place, target: Place, *wanted: int) -> list[Moved]:
        return [Moved(name, origin, target) for name in self.chips(origin, *wanted)]

    def push(self, seat: int, *wanted: int, later: bool = False, doubtful: tuple[str, ...] = ()) -> tuple[Event, ...]:
        return self.move(*self.carry(self.home(seat), spot(seat), *wanted), later=later, doubtful=doubtful)

    def take_back(self, seat: int, *wanted: int) -> tuple[Event, ...]:
        return self.move(*self.carry(spot(seat), self.home(seat), *wanted))

    def sweep(self, *seats: int) -> tuple[Event, ...]:
        moves = [
            Moved(name, spot(seat), POT)
            for seat in seats or range(1, self.seats + 1)
            for name in self.state.spots[seat - 1]
        ]
        return self.move(*moves)

    def deal(self, seat: int, *cards: str) -> tuple[Event, ...]:
        return self.give(CardsRested(0, hole(seat), tuple(sorted(cards))))

    def board(self, *cards: str) -> tuple[Event, ...]:
        return self.give(CardsRested(0, BOARD, tuple(sorted(cards))))

    def muck(self, *cards: str) -> tuple[Event, ...]:
        return self.give(CardsRested(0, MUCK, tuple(sorted({*self.state.muck, *cards}))))

    def fold(self, seat: int) -> tuple[Event, ...]:
        return self.muck(*self.state.cards[seat - 1])

    # ------------------------------------------------------------------ what came of it
    @property
    def hand(self) -> Hand:
        assert self.state.hand is not None
        return self.state.hand

    def player(self, seat: int) -> InHand:
        return next(player for player in self.hand.players if player.seat == seat)

    def reading(self) -> Reading:
        """The last ruling of the last input."""
        return [event for event in self.last if isinstance(event, Ruled)][-1].reading

    def of(self, kind: type) -> list[Event]:
        """Events of this kind among the last."""
        return [event for event in self.last if isinstance(event, kind)]

    def refused(self) -> str | None:
        return next((event.why for event in self.last if isinstance(event, Refused)), None)

    def asked(self) -> Asked | None:
        return next((event for event in self.last if isinstance(event, Asked)), None)

    def balance(self, seat: int) -> int:
        return balance(self.state, seat, self.values)

    def front(self, seat: int) -> int:
        return front(self.state, seat, self.values)

    def stacks(self) -> list[int]:
        return [seat.stack for seat in self.state.table.seats]

    def alarms(self) -> set[tuple[str, int | None]]:
        return {(alarm.key, alarm.seat) for alarm in self.state.alarms}


CARDS = {1: ("As", "Ah"), 2: ("Ks", "Kh"), 3: ("Qs", "Qh"), 4: ("Js", "Jh"), 5: ("Ts", "Th"), 6: ("9s", "9h")}
FLOP, TURN, RIVER = ("2c", "5d", "8c"), "3d", "7h"


def dealt(seats: int = 3, **options: object) -> Played:
    """Blinds posted, cards dealt, button at seat 1: preflop betting is open."""
    table = Played(seats, button=1, **options)  # type: ignore[arg-type]
    table.tell(commands.NextHand())
    for post in table.hand.posts_due:
        table.push(post.seat, post.amount)
    for seat in table.sensors.holes:
        table.deal(seat, *CARDS[seat])
    return table
