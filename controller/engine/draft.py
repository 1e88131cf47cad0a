"""The events of one input while they are decided: each is applied at once, so that the next sees its result."""

from collections.abc import Mapping

from msgspec.structs import replace

from controller.games.catalog import played
from controller.games.game import Game
from controller.rulings.rules import Rules
from controller.rulings.values import Reading
from controller.table.events import Alarmed, Decision, Event, Refused, Supposed
from controller.table.evolve import evolve
from controller.table.keys import AlarmName, RefusalKey
from controller.table.phases import NO_HAND, OPEN, Phase
from controller.table.setup import House, Sensors, Stakes
from controller.table.state import Hand, InHand, State


def refused(why: RefusalKey, seat: int | None = None, **numbers: int) -> Refused:
    """An input is not legal now, for a reason of the list."""
    return Refused(why, seat, numbers)


class Setting:
    """What does not change while a table plays: chip values, rules, house habits, antennas."""

    def __init__(
        self, values: Mapping[str, int], rules: Rules, house: House, sensors: Sensors, stakes: Stakes | None = None
    ) -> None:
        self.values = values
        self.rules = rules
        self.house = house
        self.sensors = sensors
        self.stakes = stakes or Stakes()
        self.smallest = min(values.values(), default=1)

    @property
    def played(self) -> Game:
        """What the next hand is a hand of."""
        return played(self.stakes.variant)[0]


class Draft:
    """State and events so far. `emit` is the only way to change anything."""

    __slots__ = ("doubts", "events", "hand", "has_head", "named", "phase", "running", "setting", "state")

    hand: Hand  # the hand that is played; only where there is one

    def __init__(self, setting: Setting, state: State) -> None:
        self.setting = setting
        self.events: list[Event] = []
        self.has_head = False
        self.doubts: tuple[Supposed, ...] = ()  # of the chips that this input brings
        self.named: Reading | None = None  # what a person says that they are
        self.state = state
        self._apply(None)

    def _apply(self, event: Event | None) -> None:
        if event is not None:
            self.state = evolve(self.state, event)
        state = self.state
        if state.hand is not None:
            self.hand = state.hand
            self.phase = state.hand.phase
        else:
            self.phase = Phase.BETWEEN_HANDS if state.counted_in else Phase.COUNTING_IN
        self.running = self.phase not in NO_HAND  # a hand is being played; paying belongs to it

    def emit(self, event: Event) -> None:
        if not self.has_head and isinstance(event, Decision):
            event = replace(event, head=True)
            self.has_head = True
        self.events.append(event)
        self._apply(event)

    def next_cause(self) -> None:
        """What follows has a cause of its own: undo takes it back alone."""
        self.has_head = False

    def refuse(self, why: RefusalKey, seat: int | None = None, **numbers: int) -> None:
        self.emit(refused(why, seat, **numbers))

    def alarm(self, key: AlarmName, seat: int | None = None, amount: int | None = None) -> None:
        self.emit(Alarmed(key, seat, amount))

    # ------------------------------------------------------------------ short ways to the state
    @property
    def open(self) -> bool:
        """Betting is open, or the first action opens it."""
        return self.phase in OPEN

    def player(self, seat: int | None) -> InHand | None:
        return None if self.state.hand is None else self.state.hand.player(seat)
