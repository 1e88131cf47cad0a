"""A script through readers: hands move tags, virtual readers send bytes, drivers decode, tracking decides.

Everything between the chip and the ruling is the real thing but the air: the radio is simulated, with its noise, and
time is virtual. A dealer watches the table: he holds up the next card or the sweep while something is undecided, agrees
where the table asks for agreement and shows what was meant, and else says what was meant.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from controller.commands import Confirm
from controller.config.config import Config, ReadingSection
from controller.core import build
from controller.core.core import Core
from controller.moves.acts import push_seat
from controller.places import BANK, Place, Zone
from controller.registry.registry import DECK, Registry
from controller.rulings.rules import Rules
from controller.table.events import Event, Ruled
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
from simulator.performance import Performance
from simulator.players import Dice
from simulator.radio import Noise, Radio
from simulator.readers import catalog as readers
from simulator.rehearsal.engine import TimedEngine, answer, baseline, stakes_of
from simulator.rehearsal.verdict import Verdict, Witness, same
from simulator.script import Script
from simulator.tables import config_of, registry_of
from simulator.wire import Wire, Wires

MS = 1_000_000
READ_SCREEN_MS = 1200  # from a question on the screen to the dealer's key
LOOK_MS = 250  # how often a waiting dealer looks at the screen
PATIENCE_MS = 30_000  # how long he holds the game up for what is undecided
COUNT_IN_MS = 120_000  # a table whose antennas are not counted in by then never will be
LAST_LOOK_MS = 8_000  # after the last act
OWN_STEPS = ReadingSection(steps="auto")  # the table measures its antennas and chooses m itself
UNWATCHED = frozenset({BANK})
DEALERS_ACTS = (acts.Say, acts.Burn, acts.DealBoard, acts.Sweep, acts.MakeChange, acts.Pay, acts.Key, acts.Gather)


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


class ThroughReaders:
    """Plays scripts, each at a table of its own: fresh antennas, fresh baseline."""

    def __init__(self, noise: Noise) -> None:
        self.noise = noise

    def play(self, script: Script, dice: Dice) -> Verdict:
        table = _Table(script, replace(self.noise, seed=dice.getrandbits(32)), dice)
        table.play()
        return replace(table.witness.verdict(), rounds_to_final=tuple(table.rounds), engine_ns=table.engine.spent_ns)


class _Table:
    def __init__(self, script: Script, noise: Noise, dice: Dice) -> None:
        setting = script.setting
        config = replace(config_of(setting.seats, stakes_of(script), House()), reading=OWN_STEPS)
        registry = registry_of(script.layout.values, DECK)
        field = field_of(config)
        self.script = script
        self.witness = Witness(script)
        self.wires = _wired(config, Radio(field, noise))
        self.hands = Performance(field, {name: item.tag for name, item in registry.items.items()}, dice)
        self.engine = TimedEngine(registry.values, Rules.named("TDA2024"), config.house, config.sensors, config.game)
        self.tracker = WatchedTracker(registry, build.layout(config))
        self.core = Core(self.engine, self.tracker, uncounted(script))
        self.spots = {(a.reader, a.number): a.seat for a in config.antenna if a.place is Zone.SPOT}
        self.seen_rounds: dict[int | None, list[int]] = {}  # by seat: when rounds of its spot ended
        self.rounds: list[int] = []
        self.acted = 0  # decisions that players have expressed so far
        self.board = 0  # cards dealt to the board so far
        self.moved: dict[str, Place] = {}  # chips, and where they were laid, until the table says so
        self.now_ns = 0
        self.asked_ns: int | None = None  # since when a question stands on the screen

    # ------------------------------------------------------------------ time
    def play(self) -> None:
        self.hands.lay_out(self.script.layout.lies)
        while not self._all_counted() and self.now_ns < COUNT_IN_MS * MS:
            self.run_to(self.now_ns + LOOK_MS * MS)
        for cue in self.script.cues:
            self.perform(cue)
            self.remember(cue)
        self.run_to(self.now_ns + LAST_LOOK_MS * MS)

    def _all_counted(self) -> bool:
        """The dealer begins when the screen shows what everybody has; a chip in shadow may come late."""
        stacks = {seat: chair.stack for seat, chair in enumerate(self.core.state.table.seats, 1) if chair.stack}
        return self.core.state.counted_in and stacks == self.script.setting.stacks

    def perform(self, cue: Cue) -> None:
        self.run_to(self.now_ns + cue.pause_ms * MS)
        self.wait(everything=isinstance(cue.act, DEALERS_ACTS))
        end_ns, spoken = self.hands.begin(cue.act, self.now_ns)
        if spoken is not None:
            self.saw(self.core.command(spoken.command, spoken.by, self.now_ns))
        self.run_to(end_ns)

    def remember(self, cue: Cue) -> None:
        """What the table should soon show of this act."""
        if cue.decision is not None:
            self.acted = cue.decision + 1
        if isinstance(cue.act, acts.DealBoard):
            self.board += len(cue.act.cards)
        for move in cue.act.moves:
            if move.item in self.script.layout.values:
                self.moved[move.item] = move.target

    def run_to(self, to_ns: int) -> None:
        """Let time pass: rounds end, hands move, timers of the table fall due, questions are answered."""
        while self.now_ns < to_ns:
            due = (to_ns, self.hands.due_ns(), self.core.wake_at_ns(), self._answers_ns())
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
            self.answer()
            self.wires.focus(self.core.focus())

    # ------------------------------------------------------------------ the dealer's eyes
    def wait(self, *, everything: bool) -> None:
        """While a question stands nobody acts; cards and sweeps wait for all that is undecided."""
        until_ns = self.now_ns + PATIENCE_MS * MS
        while self.now_ns < until_ns and (self._question() or (everything and self._undecided())):
            self.run_to(self.now_ns + LOOK_MS * MS)
        if everything and self._undecided():
            self._settle()

    def _undecided(self) -> bool:
        """Somebody acted, and the screen does not say so yet; or it shows something that still settles."""
        hand = self.core.state.hand
        unread = hand is not None and hand.board_count < self.board
        unruled = len(self.witness.rulings) < self.acted
        return unread or unruled or self._unseen() or bool(self.core.open or self.core.waiting)

    def _unseen(self) -> bool:
        """Chips that were moved and that the screen still shows where they were."""
        places = self.core.state.places
        seen = [item for item, place in self.moved.items() if place in UNWATCHED or places.get(item) == place]
        for item in seen:
            del self.moved[item]
        return bool(self.moved)

    def _settle(self) -> None:
        """Patience is at its end: agree to what is shown, if that is what was meant."""
        preview = next(iter(self.core.previews()), None)
        shown = preview.ruling.chosen if preview is not None and preview.ruling is not None else None
        meant = self.witness.expected(preview.seat) if preview is not None else None
        if preview is not None and shown is not None and meant is not None and same(meant, preview.seat, shown):
            self.witness.asked += 1
            self.saw(self.core.command(Confirm(), "dealer", self.now_ns))

    def _question(self) -> bool:
        return self.core.state.hand is not None and self.core.state.hand.question is not None

    def _answers_ns(self) -> int | None:
        return None if self.asked_ns is None else self.asked_ns + READ_SCREEN_MS * MS

    def answer(self) -> None:
        hand = self.core.state.hand
        question = hand.question if hand is not None else None
        if question is None:
            self.asked_ns = None
        elif self.asked_ns is None:
            self.asked_ns = self.now_ns
        elif self.now_ns >= self.asked_ns + READ_SCREEN_MS * MS:
            self.asked_ns = None
            meant = self.witness.expected(question.seat)
            self.saw(self.core.command(answer(question, meant), "dealer", self.now_ns))

    # ------------------------------------------------------------------ what is noted
    def note(self, event: ReaderEvent) -> None:
        if isinstance(event, ScanRound) and (event.reader, event.antenna) in self.spots:
            self.seen_rounds.setdefault(self.spots[event.reader, event.antenna], []).append(event.ended_ns)

    def saw(self, events: Iterable[Event]) -> None:
        events = list(events)
        self.witness.see(events)
        for event in events:
            if isinstance(event, Ruled) and event.chips and event.seat in self.tracker.first_ns:
                first_ns = self.tracker.first_ns[event.seat]
                self.rounds.append(sum(ended >= first_ns for ended in self.seen_rounds.get(event.seat, ())))


def _wired(config: Config, radio: Radio) -> Wires:
    """A driver and a virtual reader for every [[reader]], joined in memory."""
    return Wires(
        Wire(
            drivers.make(reader.driver, reader.id, reader.antennas, reader.options),
            readers.make(reader.driver, reader.id, radio, reader.options),
            reader.id,
        )
        for reader in build.readers(config)
    )
