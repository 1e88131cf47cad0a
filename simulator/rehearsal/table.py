"""A table that scripts are played at: hands move tags, virtual readers send bytes, drivers decode, tracking decides.

Everything between the chip and the ruling is the real thing but the air: the radio is simulated, with its noise and
its models, and time is virtual. Who deals, and what he knows, the dealers say (`oracle.py`, `human.py`).
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from controller.commands import By, Command, Misdeal, NextHand, SetBlinds, SetButton, SetStack
from controller.config.config import Config, ReadingSection
from controller.core import build
from controller.core.core import Core
from controller.moves.acts import push_seat
from controller.places import BANK, Place, Zone
from controller.registry.registry import DECK, Registry
from controller.rulings.rules import Rules
from controller.table.events import Asked, Event, Overruled, Refused, Ruled
from controller.table.phases import NO_HAND, PAYING
from controller.table.setup import House
from controller.table.state import Seat, State
from controller.tracking.events import MotionChanged, TrackingEvent
from controller.tracking.layout import Layout
from controller.tracking.tracker import Tracker
from firmware_bridge.drivers import catalog as drivers
from firmware_bridge.events import ReaderEvent, ScanRound
from simulator import acts
from simulator.acts import Cue
from simulator.field import field_of
from simulator.models import people
from simulator.models.models import Model
from simulator.models.radio import ModelledRadio
from simulator.models.wires import with_few_readers, with_late_bytes
from simulator.performance import Performance
from simulator.players import Dice
from simulator.radio import Noise, Radio
from simulator.readers import catalog as readers
from simulator.rehearsal.account import Account
from simulator.rehearsal.engine import TimedEngine, baseline, stakes_of
from simulator.rehearsal.latency import Latency
from simulator.rehearsal.verdict import Verdict, Witness
from simulator.script import Script
from simulator.tables import config_of, registry_of
from simulator.wire import NEVER_NS, Wire, Wires

MS = 1_000_000
LOOK_MS = 250  # how often a waiting dealer looks at the screen
COUNT_IN_MS = 120_000  # a table whose antennas are not counted in by then never will be
SHUFFLE_MS = 15_000  # between two hands
BUY_MS = 30_000  # the same for what is bought between two hands
OWN_STEPS = ReadingSection(steps="auto")  # the table measures its antennas and chooses m itself
STILL = (acts.Say, acts.Key, acts.Muck)  # acts that bring no chips to rest
UNWATCHED = frozenset({BANK})


def uncounted(script: Script) -> State:
    """The table before anything was seen: counting in fills the stacks."""
    state = baseline(script)
    seats = tuple(Seat(name=seat.name) for seat in state.table.seats)
    return replace(state, places={}, counted_in=False, table=replace(state.table, seats=seats))


class WatchedTracker(Tracker):
    """Notes when the chips of each seat's last push were first seen."""

    def __init__(self, registry: Registry, layout: Layout) -> None:
        super().__init__(registry, layout)
        self.first_ns: dict[int | None, int] = {}

    def take(self, event: ReaderEvent) -> list[TrackingEvent]:
        return self._noted(super().take(event))

    def tick(self, at_ns: int) -> list[TrackingEvent]:
        return self._noted(super().tick(at_ns))

    def settle(self, number: int, at_ns: int) -> list[TrackingEvent]:
        return self._noted(super().settle(number, at_ns))

    def _noted(self, events: list[TrackingEvent]) -> list[TrackingEvent]:
        for event in events:
            if isinstance(event, MotionChanged):
                self.first_ns[push_seat(event.motion)] = event.motion.first_ns
        return events


class Table:
    """Antennas, core and hands of one table, opened with its first script. A dealer is made of it."""

    def __init__(self, script: Script, noise: Noise, models: tuple[Model, ...], dice: Dice) -> None:
        config = config_of(script.setting.seats, stakes_of(script), House())
        config = with_few_readers(replace(config, reading=OWN_STEPS), models)
        registry = self.registry = registry_of(script.layout.values, DECK)
        field = field_of(config)
        radio = ModelledRadio(field, noise, models, lambda: self.wires.now_ns)
        self.models = models
        self.wires = _wired(config, radio, models)
        tags = {name: item.tag for name, item in registry.items.items()}
        dribble_ms = people.dribble_ms(models)
        self.hands = Performance(field, tags, dice, dribble_ms=dribble_ms, began=radio.began)
        self.engine = TimedEngine(registry.values, Rules.named("TDA2024"), config.house, config.sensors, config.game)
        self.tracker = WatchedTracker(registry, build.layout(config))
        self.core = Core(self.engine, self.tracker, uncounted(script))
        self.values = registry.values
        self.spots = {(a.reader, a.number): a.seat for a in config.antenna if a.place is Zone.SPOT}
        self.seen_rounds: dict[int | None, list[int]] = {}  # by seat: when rounds of its spot ended
        self.now_ns = 0
        self._looked_at = -1  # version of the core whose previews were looked at
        self.begin(script)

    def begin(self, script: Script) -> None:
        """The next hand: what is noted is noted for it."""
        self.script = script
        self.witness, self.account = Witness(script), Account(script)
        self.latency = Latency(self.account)
        self.rounds: list[int] = []
        self.began_ns, self.spent_ns = self.now_ns, self.engine.spent_ns
        self.acted = 0  # decisions that players have begun to express
        self.board = 0  # cards dealt to the board so far
        self.moved: dict[str, Place] = {}  # chips, and where they were laid, until the table says so

    # ------------------------------------------------------------------ for the dealer to say
    def ready(self, cue: Cue) -> bool:
        """Wait as long as people wait before this act; False: the hand cannot go on."""
        raise NotImplementedError

    def look(self) -> None:
        """A look at the screen, and perhaps a key."""
        raise NotImplementedError

    def look_ns(self) -> int | None:
        """When he looks next, whatever happens."""
        raise NotImplementedError

    def finish(self) -> Verdict:
        """Behind the last act: what became of the hand."""
        raise NotImplementedError

    # ------------------------------------------------------------------ time
    def count_in(self) -> None:
        """Everything on its place; the dealer begins when the screen shows what everybody has."""
        self.hands.lay_out(self.script.layout.lies)
        while not self.all_counted() and self.now_ns < COUNT_IN_MS * MS:
            self.run_to(self.now_ns + LOOK_MS * MS)

    def prepare(self, lying: Mapping[str, Place] | None) -> None:
        """Between two hands of an evening: chips are bought and given back, the button goes on.

        `lying`: where everything lies, if the hand before was given up and its table cleared. Chips that go into the
        bank no antenna sees there: when the table had its time, the dealer says what the stacks are.
        """
        self.close_hand()
        if lying is not None:
            self.hands.advance(NEVER_NS)
            self.hands.lay_out(lying)
        for cue in self.script.buys:
            self.run_to(self.now_ns + cue.pause_ms * MS)
            self.act(cue)
        setting, table = self.script.setting, self.core.state.table
        self.command(SetButton(setting.button))
        if (table.small_blind, table.big_blind, table.ante) != (*setting.blinds, setting.ante):
            self.command(SetBlinds(*setting.blinds, setting.ante))
        self.run_to(self.now_ns + SHUFFLE_MS * MS)
        until_ns = self.now_ns + BUY_MS * MS
        while not self.all_counted() and self.now_ns < until_ns:
            self.run_to(self.now_ns + LOOK_MS * MS)
        self.say_stacks()

    def say_stacks(self) -> None:
        """What the table holds otherwise than people do."""
        for seat, chair in enumerate(self.core.state.table.seats, 1):
            stack = self.script.setting.stacks.get(seat, 0)
            if chair.stack != stack:
                self.command(SetStack(seat, stack))

    def close_hand(self) -> None:
        """A hand that is not over for the table: what is paid is taken as paid, all else is given up."""
        hand = self.core.state.hand
        if hand is not None and hand.phase is PAYING:
            self.command(NextHand())
        if hand is not None and hand.phase not in NO_HAND:
            self.command(Misdeal())

    def all_counted(self) -> bool:
        """A chip in shadow may come late."""
        stacks = {seat: chair.stack for seat, chair in enumerate(self.core.state.table.seats, 1) if chair.stack}
        return self.core.state.counted_in and stacks == self.script.setting.stacks

    def play(self) -> Verdict:
        """The script, from its first cue to its last."""
        self.began_ns = self.now_ns
        for cue in self.script.cues:
            if not self.perform(cue):
                break
        return self.noted(self.finish())

    def noted(self, verdict: Verdict) -> Verdict:
        """The same, with all that was measured."""
        return replace(
            verdict,
            rounds_to_final=tuple(self.rounds),
            engine_ns=self.engine.spent_ns - self.spent_ns,
            needless=self.account.needless,
            provisional_ms=self.latency.provisional_ms(),
            final_ms=self.latency.final_ms(),
            table_ms=(self.now_ns - self.began_ns) // MS,
        )

    def perform(self, cue: Cue) -> bool:
        self.run_to(self.now_ns + cue.pause_ms * MS)
        if not self.ready(cue):
            return False
        self.act(cue)
        self.remember(cue)
        return True

    def act(self, cue: Cue) -> None:
        """Hands make it, until its last item lies still."""
        end_ns, spoken = self.hands.begin(cue.act, self.now_ns)
        if spoken is not None:
            self.command(spoken.command, spoken.by)
        self.run_to(end_ns)

    def remember(self, cue: Cue) -> None:
        """What the table should soon show of this act."""
        if cue.decision is not None:
            self.acted = cue.decision + 1
            if not isinstance(cue.act, STILL):
                self.latency.rested(cue.decision, self.now_ns)
        if isinstance(cue.act, acts.DealBoard):
            self.board += len(cue.act.cards)
        for move in cue.act.moves:
            if move.item in self.values:
                self.moved[move.item] = move.target

    def run_to(self, to_ns: int) -> None:
        """Let time pass: rounds end, hands move, timers of the table fall due, the dealer looks."""
        while self.now_ns < to_ns:
            due = (to_ns, self.hands.due_ns(), self.core.wake_at_ns(), self.look_ns())
            stop_ns = max(self.now_ns, min(one for one in due if one is not None))
            events = self.wires.step(stop_ns)
            self.now_ns = self.wires.now_ns
            self.hands.advance(self.now_ns)
            for event in events:
                self.note(event)
                self.saw(self.core.take(event))
            wake = self.core.wake_at_ns()
            if wake is not None and wake <= self.now_ns:
                self.saw(self.core.tick(self.now_ns))
            self.look_at_previews()
            self.look()
            self.wires.focus(self.core.focus())
            self.wires.ask(self.core.questions())

    # ------------------------------------------------------------------ what is seen
    def command(self, command: Command, by: By = "dealer") -> Sequence[Event]:
        events = self.core.command(command, by, self.now_ns)
        self.saw(events)
        return events

    @property
    def question(self) -> Asked | None:
        return None if self.core.state.hand is None else self.core.state.hand.question

    def unseen(self) -> bool:
        """Chips that were moved and that the screen still shows where they were."""
        places = self.core.state.places
        seen = [item for item, place in self.moved.items() if place in UNWATCHED or places.get(item) == place]
        for item in seen:
            del self.moved[item]
        return bool(self.moved)

    def look_at_previews(self) -> None:
        if self.core.version != self._looked_at:
            self._looked_at = self.core.version
            self.latency.shown(self.core.previews(), self.now_ns)

    def note(self, event: ReaderEvent) -> None:
        if isinstance(event, ScanRound) and (event.reader, event.antenna) in self.spots:
            self.seen_rounds.setdefault(self.spots[event.reader, event.antenna], []).append(event.ended_ns)

    def saw(self, events: Sequence[Event]) -> None:
        if not events:
            return
        for event in events:
            if isinstance(event, Ruled) and event.chips and event.seat in self.tracker.first_ns:
                first_ns = self.tracker.first_ns[event.seat]
                self.rounds.append(sum(ended >= first_ns for ended in self.seen_rounds.get(event.seat, ())))
        self.witness.see(events)
        by_hand = any(isinstance(event, Overruled) for event in events)
        decided = [event for event in events if not isinstance(event, Refused)]  # refusals have no number
        for number, event in enumerate(decided, self.core.state.seq - len(decided)):
            self.timed(event)
            self.account.see(event, number, follows=by_hand)

    def timed(self, event: Event) -> None:
        decision = self.account.expected(event.seat) if isinstance(event, Ruled) and event.chips else None
        if decision is not None:
            self.latency.ruled(decision, self.now_ns)


def _wired(config: Config, radio: Radio, models: tuple[Model, ...]) -> Wires:
    """A driver and a virtual reader for every [[reader]], joined in memory."""
    return Wires(
        Wire(
            drivers.make(reader.driver, reader.id, reader.antennas, reader.options),
            with_late_bytes(
                readers.make(reader.driver, reader.id, radio, reader.options), reader.id, models, radio.noise.seed
            ),
            reader.id,
        )
        for reader in build.readers(config)
    )
