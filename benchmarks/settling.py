"""How many rounds until a push is final, and how often it is wrong: our test beside "k identical scans".

The same simulated pushes, n chips slid from a full tray to the bet spot, one round of each antenna a step, the quiet
time left out. Final is a settled motion; wrong is one that is not the chips that were pushed, and does not name as open
those that it lacks: about them the table asks, or rules with the doubt beside.
The theory's figure is the mean time of the last of n sequential tests at the m in use: one test a chip, all of them
independent, with the misses of the radio.

In bursts there is no aim: a push waits as well for chips of the tray that were in shadow then, for they may be in it.

The naive rule takes the first set that k scans in a row show. It hears the same scans of the spot, but no stray tags:
with them it would hardly ever end.
"""

import random
from collections.abc import Iterator
from statistics import mean
from typing import NamedTuple

from benchmarks.rows import Aim, Row, Size, Tell
from benchmarks.timing import percentile
from controller.places import Place, Zone
from controller.registry.registry import Item, Registry
from controller.tracking import noise as tracking
from controller.tracking.events import CountedIn, MotionChanged, TrackingEvent
from controller.tracking.layout import Antenna, Layout
from controller.tracking.rates import steps_for
from controller.tracking.tracker import Tracker
from firmware_bridge.events import ScanRound, Sighting
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.tables import tag_of

GROUP = "settling"
WITHIN = 1.3  # times the theory's figure
CHIPS = 60
TRAY, SPOT = Place(Zone.TRAY, 1), Place(Zone.SPOT, 1)
ANTENNAS = {("r", 1): TRAY, ("r", 2): SPOT}
NOISES = (Noise(0.05, 0.01, seed=1), Noise(0.1, 0.01, seed=2), Noise(0.1, 0.01, 5, seed=3), Noise(0.2, 0.01, seed=4))
PUSHED = (1, 5, 20)
IDENTICAL = (2, 3, 4)  # k of the naive rule
MOST_STEPS = 500  # then a push counts as not settled
ROUND_NS = 50_000_000
BEGAN_NS = 100_000_000_000  # a clock that has been running
A_ROW = 25  # pushes for each repetition of the size


class Settled(NamedTuple):
    """One push: the rounds of the spot until it was final, and whether it was what was pushed."""

    rounds: int
    wrong: bool


def rows(size: Size, tell: Tell) -> Iterator[Row]:
    for noise in NOISES:
        for chips in PUSHED:
            tell(f"{chips} chips at {noise.miss:.0%} misses, bursts of {noise.burst:.0f}")
            yield row(noise, chips, A_ROW * size.repetitions)


def row(noise: Noise, chips: int, pushes: int) -> Row:
    model = tracking.Noise(noise.miss, noise.stray, noise.burst)
    steps = steps_for(model) or 0
    ours, naive = settled(noise, chips, pushes, steps)
    theory, rounds = expected(model, steps, chips), [one.rounds for one in ours]
    k = IDENTICAL[0]
    others = "; ".join(f"{k} identical {_said(found)}" for k, found in naive.items())
    burst = f", bursts of {noise.burst:.0f}" if noise.burst > 1 else ""
    return Row(
        group=GROUP,
        what=f"rounds until {chips} chip{'s' if chips > 1 else ''} pushed are final, {noise.miss:.0%} missed{burst}",
        unit="rounds",
        ours=mean(rounds),
        peer=f"{k} identical scans",
        theirs=mean(one.rounds for one in naive[k]),
        aim=None if noise.burst > 1 else Aim("ours", "most", round(WITHIN * theory, 2)),
        note=f"m = {steps}, {_said(ours)}, theory {theory:.1f}; {others}",
    )


def _said(found: list[Settled]) -> str:
    rounds, wrong = [float(one.rounds) for one in found], sum(one.wrong for one in found)
    cut = ">" if max(rounds) >= MOST_STEPS else ""
    return f"{cut}{mean(rounds):.1f} (99 % {percentile(rounds, 0.99):.0f}), wrong {wrong / len(found):.1%}"


# ---------------------------------------------------------------- the same pushes for both
def settled(noise: Noise, chips: int, pushes: int, steps: int) -> tuple[list[Settled], dict[int, list[Settled]]]:
    """Every push as our tracker settles it, and as each naive rule does."""
    table = _Table(noise, steps)
    ours: list[Settled] = []
    naive: dict[int, list[Settled]] = {k: [] for k in IDENTICAL}
    for _ in range(pushes):
        found, scans = table.push(chips)
        ours.append(found)
        for k, list_ in naive.items():
            list_.append(identical(k, chips, scans))
    return ours, naive


def identical(k: int, chips: int, scans: list[frozenset[str]]) -> Settled:
    """The first set that k scans in a row show; the scans are those of chips that lie there."""
    run, last = 0, None
    for number, shown in enumerate(scans, 1):
        run, last = (run + 1 if shown == last else 1), shown
        if run == k and shown:
            return Settled(number, len(shown) != chips)
    return Settled(MOST_STEPS, wrong=False)


class _Table:
    """One seat: a tray and a spot."""

    def __init__(self, noise: Noise, steps: int) -> None:
        self.field = Field(ANTENNAS, near={("r", 1): (("r", 2),), ("r", 2): (("r", 1),)})
        self.radio = Radio(self.field, noise)
        layout = Layout(tuple(Antenna("r", n, p, 250) for (_, n), p in ANTENNAS.items()), quiet_ms=1, steps=steps)
        self.names = {tag_of(f"c{n}"): f"c{n}" for n in range(CHIPS)}
        self.tracker = Tracker(Registry(Item(name, tag, "chip", 100) for tag, name in self.names.items()), layout)
        self.draw = random.Random(noise.seed)
        self.now_ns = BEGAN_NS
        self.events: list[TrackingEvent] = []
        self.lay(tuple(self.names), TRAY)
        while not any(isinstance(event, CountedIn) for event in self.events):
            self.step()

    def lay(self, tags: tuple[str, ...], place: Place) -> None:
        """Lay chips down, and let everything settle."""
        self.field.lay(tags, place)
        for _ in range(MOST_STEPS):
            self.step()
            where = self.tracker.places()
            if not self.tracker.open_motions() and all(where[self.names[tag]] == place for tag in tags):
                break
        for _ in range(20):
            self.step()

    def push(self, chips: int) -> tuple[Settled, list[frozenset[str]]]:
        tags = tuple(self.draw.sample(sorted(self.names), chips))
        pushed = {self.names[tag] for tag in tags}
        self.field.lay(tags, SPOT)
        found: Settled | None = None
        scans: list[frozenset[str]] = []
        while len(scans) < MOST_STEPS and (found is None or not _ended(scans)):
            events, shown = self.step()
            scans.append(shown)
            final = [e.motion for e in events if isinstance(e, MotionChanged) and e.motion.settled]
            for motion in final if found is None else ():
                came = {move.item for move in motion.moves if move.target == SPOT}
                if came:
                    named = {one.item for one in motion.perhaps}
                    found = Settled(len(scans), wrong=not came <= pushed <= came | named)
        self.lay(tags, TRAY)
        return found or Settled(MOST_STEPS, wrong=False), scans

    def step(self) -> tuple[list[TrackingEvent], frozenset[str]]:
        """A round of the spot and one of the tray; what followed, and which chips of its own the spot showed."""
        events: list[TrackingEvent] = []
        own: frozenset[str] = frozenset()
        for number in (2, 1):
            heard = self.radio.scan(("r", number), self.field.on(("r", number)))
            own = own or frozenset(heard.own if number == 2 else ())
            began_ns, self.now_ns = self.now_ns, self.now_ns + ROUND_NS
            shown = tuple(map(Sighting, (*heard.own, *heard.stray)))
            events += self.tracker.take(ScanRound("r", number, began_ns, self.now_ns, heard.complete, shown))
            events += self.tracker.tick(self.now_ns)
        self.events += events
        return events, own


def _ended(scans: list[frozenset[str]]) -> bool:
    """Whether the strictest naive rule has come to an end as well."""
    tail = scans[-IDENTICAL[-1] :]
    return len(tail) == IDENTICAL[-1] and len(set(tail)) == 1 and bool(tail[0])


# ---------------------------------------------------------------- theory
def expected(noise: tracking.Noise, steps: int, chips: int) -> float:
    """Mean rounds until the last of n counters, held at 0, has come to m.

    A chip is in the light or in shadow (Gilbert's model; single misses are bursts of 1/(1-p) rounds). The spot shows it
    in the light only; its tray never does but for strays, each of which takes one back where the spot shows nothing.
    """
    leave = min(1 - noise.miss, 1 / noise.burst)
    enter = leave * noise.miss / (1 - noise.miss)
    states = {(0, False): 1 - noise.miss, (0, True): noise.miss}  # the counter, and whether the next round is dark
    rounds = there = 0.0
    while 1 - there > 1e-12 and rounds < MOST_STEPS:
        rounds += 1 - there**chips
        fresh: dict[tuple[int, bool], float] = {}
        for (at, dark), chance in states.items():
            for change, part in ((-1 if dark else 1, noise.stray if dark else 1 - noise.stray), (0, None)):
                share = chance * (part if part is not None else 1 - noise.stray if dark else noise.stray)
                to = max(0, at + change)
                if to >= steps:
                    there += share
                    continue
                for next_dark, how in ((True, 1 - leave if dark else enter), (False, leave if dark else 1 - enter)):
                    fresh[to, next_dark] = fresh.get((to, next_dark), 0.0) + share * how
        states = fresh
    return rounds
