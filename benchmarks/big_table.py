"""The big table: ten seats, 33 antennas, 997 tags and more, ten rounds a second of each, while a hand is played.

It is played once with a dealer who waits until the table has decided, and everything that comes in is written down:
bytes with their times, what was said, timers. Whoever measures plays that again, so nothing of the simulation is
measured, and every repetition does the same.
"""

from collections.abc import Iterable
from functools import partial
from typing import Literal

from msgspec.structs import replace

from benchmarks.steady import Steady
from controller.commands import Command
from controller.config.config import Config
from controller.core import build
from controller.core.core import Core
from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from controller.places import Place, Zone
from controller.registry.registry import DECK, Item, Registry
from controller.rulings.rules import Rules
from controller.table.events import Event
from controller.table.setup import House, Stakes
from firmware_bridge.drivers import catalog
from firmware_bridge.events import Value
from simulator.acts import Cue
from simulator.director import script_of
from simulator.field import Field, field_of
from simulator.performance import Performance
from simulator.players import Dice, Style
from simulator.radio import Noise, Radio
from simulator.rehearsal.engine import answer, baseline
from simulator.rehearsal.verdict import Witness
from simulator.script import Script
from simulator.tables import config_of, registry_of, tag_of
from simulator.wire import Wire, Wires

MS = 1_000_000
SEATS = 10
HEAPS = {Zone.TRAY: 60, Zone.SPOT: 20, Zone.POT: 150}  # tags of each before the cards are dealt
MOST_TAGS = 250  # of an antenna: a winner's tray grows
OTHERS = 47  # tags beside those heaps: as many as hole cards, board and a full muck
LOOK_MS = 250  # how often a waiting dealer looks
PATIENCE_MS = 20_000
COUNT_IN_MS = 60_000
HAND = """
variant = "NT"
antes = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
blinds_or_straddles = [100, 200, 0, 0, 0, 0, 0, 0, 0, 0]
min_bet = 200
starting_stacks = [20000, 20000, 20000, 20000, 20000, 20000, 20000, 20000, 20000, 20000]
actions = [
  "d dh p1 2c7d", "d dh p2 8h8s", "d dh p3 AcKd", "d dh p4 QhQs", "d dh p5 3d9c",
  "d dh p6 JhTh", "d dh p7 4s2h", "d dh p8 AsJs", "d dh p9 5c2d", "d dh p10 6h7h",
  "p3 cbr 600", "p4 cc", "p5 f", "p6 cc", "p7 f", "p8 cc", "p9 f", "p10 cc", "p1 cc", "p2 cc",
  "d db 9h8dKs", "p1 cc", "p2 cc", "p3 cbr 2100", "p4 cc", "p6 cc", "p8 f", "p10 cc", "p1 f", "p2 cbr 6300",
  "p3 cc", "p4 f", "p6 f", "p10 cc",
  "d db 2s", "p2 cc", "p3 cc", "p10 cc", "d db 3c", "p2 cbr 5000", "p3 f", "p10 f",
]
"""


class Step(Value, frozen=True):
    """Something that comes in: bytes of a reader, a timer, or what a person says."""

    at_ns: int
    what: Literal["bytes", "tick", "command"]
    reader: str = ""
    data: bytes = b""
    command: Command | None = None


class Recording(Value, frozen=True):
    config: Config
    items: tuple[Item, ...]
    script: Script
    steps: tuple[Step, ...]
    events: tuple[Event, ...]  # what the table decided
    tags: int  # fewest that lay in the fields

    @property
    def simulated_s(self) -> float:
        return (self.steps[-1].at_ns - self.steps[0].at_ns) / 1e9

    @property
    def antennas(self) -> int:
        return len(self.config.antenna)

    def fresh_core(self) -> Core:
        registry = Registry(self.items)
        return fresh_core(self.config, registry, self.script)


def recording(seconds: float, noise: Noise) -> Recording:
    """So many seconds of a hand, or all of it if it ends before."""
    table = _Table(noise, int(seconds * 1e9))
    table.play()
    items = tuple(table.registry.items.values())
    return Recording(table.config, items, table.script, tuple(table.steps), tuple(table.events), table.tags)


def fresh_core(config: Config, registry: Registry, script: Script) -> Core:
    state = replace(baseline(script), places={}, counted_in=False)
    return build.core(config, registry, Rules.named("TDA2024"), state)


class _OverError(Exception):
    """The time that was asked for is over."""


class _Table:
    def __init__(self, noise: Noise, until_ns: int) -> None:
        hand = next(history.parse(f"[1]{HAND}", "the big table"))
        assert isinstance(hand, RecordedHand), hand
        dice = Dice("the big table")
        self.script = script_of(hand, dice, Style())
        self.config = _config()
        field = field_of(self.config)
        fillers = _fillers(self.script, field)
        self.registry = _registry(self.script, fillers)
        tags = {name: item.tag for name, item in self.registry.items.items()}
        self.hands = Performance(field, tags, dice)
        self.hands.lay_out({**self.script.layout.lies, **fillers})
        self.tags = sum(len(field.on(antenna)) for antenna in field.antennas)
        self.core = fresh_core(self.config, self.registry, self.script)
        self.witness = Witness(self.script)
        self.events: list[Event] = []
        self.steps: list[Step] = []
        self.now_ns, self.until_ns = 0, until_ns
        self.wires = Wires(())
        self.wires = self._wired(Radio(field, noise))

    def _wired(self, radio: Radio) -> Wires:
        wires = []
        for number, setup in enumerate(build.readers(self.config)):
            driver = catalog.make(setup.driver, setup.id, setup.antennas)
            listening = partial(self.heard, setup.id)
            wires.append(Wire(driver, Steady(setup.id, radio, number * 7), setup.id, damage=listening))
        return Wires(wires)

    def heard(self, reader: str, data: bytes) -> bytes:
        """Write down what a reader sends, and hand it on as it is."""
        at_ns = self.wires.wires[reader].now_ns if reader in self.wires.wires else 0
        self.steps.append(Step(at_ns, "bytes", reader, data))
        return data

    # ------------------------------------------------------------------ time
    def play(self) -> None:
        try:
            while not self.core.state.counted_in:
                assert self.now_ns < COUNT_IN_MS * MS, "the big table was not counted in"
                self.run_to(self.now_ns + LOOK_MS * MS)
            for cue in self.script.cues:
                self.perform(cue)
        except _OverError:
            return

    def perform(self, cue: Cue) -> None:
        self.run_to(self.now_ns + cue.pause_ms * MS)
        until_ns = self.now_ns + PATIENCE_MS * MS
        while (self.core.open or self.core.waiting) and self.now_ns < until_ns:
            self.run_to(self.now_ns + LOOK_MS * MS)
        end_ns, spoken = self.hands.begin(cue.act, self.now_ns)
        if spoken is not None:
            self.say(spoken.command)
        self.run_to(end_ns)

    def run_to(self, to_ns: int) -> None:
        if self.now_ns >= self.until_ns:
            raise _OverError
        while self.now_ns < to_ns:
            due = (to_ns, self.hands.due_ns(), self.core.wake_at_ns())
            found = self.wires.step(max(self.now_ns, min(one for one in due if one is not None)))
            self.now_ns = self.wires.now_ns
            self.hands.advance(self.now_ns)
            for event in found:
                self.saw(self.core.take(event))
            wake = self.core.wake_at_ns()
            if wake is not None and wake <= self.now_ns:
                self.steps.append(Step(self.now_ns, "tick"))
                self.saw(self.core.tick(self.now_ns))
            self.answer()
            self.wires.focus(self.core.focus())

    # ------------------------------------------------------------------ people
    def say(self, command: Command) -> None:
        self.steps.append(Step(self.now_ns, "command", command=command))
        self.saw(self.core.command(command, "dealer", self.now_ns))

    def answer(self) -> None:
        hand = self.core.state.hand
        if hand is not None and hand.question is not None:
            self.say(answer(hand.question, self.witness.expected(hand.question.seat)))

    def saw(self, events: Iterable[Event]) -> None:
        found = list(events)
        self.events += found
        self.witness.see(found)


def _config() -> Config:
    config = config_of(SEATS, Stakes("NT", (100, 200)), House())
    return replace(config, antenna=tuple(replace(antenna, tags=MOST_TAGS) for antenna in config.antenna))


def _registry(script: Script, fillers: dict[str, Place]) -> Registry:
    items = registry_of(script.layout.values, DECK).items.values()
    return Registry([*items, *(Item(name, tag_of(name), "marker") for name in fillers)])


def _fillers(script: Script, field: Field) -> dict[str, Place]:
    """Tags that lie still all evening and are worth nothing, as many as the heaps of a big table have beside chips."""
    lying: dict[Place, int] = {}
    for place in script.layout.lies.values():
        lying[place] = lying.get(place, 0) + 1
    fillers: dict[str, Place] = {}
    for place in field.antennas.values():
        more = max(0, HEAPS.get(place.zone, 0) - lying.get(place, 0)) + (OTHERS if place.zone is Zone.POT else 0)
        fillers |= {f"filler-{place.zone}-{place.seat or 0}-{number}": place for number in range(more)}
    return fillers
