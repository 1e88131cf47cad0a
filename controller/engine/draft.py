"""The events of one input while they are decided: each is applied at once, so that the next sees its result."""

from collections.abc import Mapping

from msgspec.structs import replace

from controller.engine.events import Alarmed, Decision, Event, Refused
from controller.engine.evolve import evolve
from controller.engine.keys import AlarmName, RefusalKey
from controller.engine.setup import House, Sensors
from controller.engine.state import Hand, InHand, Phase, State
from controller.hand.betting import player_at
from controller.hand.phases import OPEN
from controller.rulings.rules import Rules


class Setting:
    """What does not change while a table plays: chip values, rules, house habits, antennas."""

    def __init__(self, values: Mapping[str, int], rules: Rules, house: House, sensors: Sensors) -> None:
        self.values = values
        self.rules = rules
        self.house = house
        self.sensors = sensors
        self.smallest = min(values.values(), default=1)


class Draft:
    """State and events so far. `emit` is the only way to change anything."""

    __slots__ = ("events", "has_head", "setting", "state")

    def __init__(self, setting: Setting, state: State) -> None:
        self.setting = setting
        self.state = state
        self.events: list[Event] = []
        self.has_head = False

    def emit(self, event: Event) -> None:
        if not self.has_head and isinstance(event, Decision):
            event = replace(event, head=True)
            self.has_head = True
        self.state = evolve(self.state, event)
        self.events.append(event)

    def refuse(self, why: RefusalKey, seat: int | None = None, **numbers: int) -> None:
        self.emit(Refused(why, seat, numbers))

    def alarm(self, key: AlarmName, seat: int | None = None, amount: int | None = None) -> None:
        self.emit(Alarmed(key, seat, amount))

    # ------------------------------------------------------------------ short ways to the state
    @property
    def hand(self) -> Hand:
        """The hand that is played; only where there is one."""
        assert self.state.hand is not None
        return self.state.hand

    @property
    def phase(self) -> Phase:
        if self.state.hand is None:
            return Phase.BETWEEN_HANDS if self.state.counted_in else Phase.COUNTING_IN
        return self.state.hand.phase

    @property
    def running(self) -> bool:
        """A hand is being played; paying belongs to it."""
        return self.state.hand is not None and self.state.hand.phase is not Phase.BETWEEN_HANDS

    @property
    def open(self) -> bool:
        """Betting is open, or the first action opens it."""
        return self.phase in OPEN

    def player(self, seat: int | None) -> InHand | None:
        return None if self.state.hand is None else player_at(self.state.hand, seat)
