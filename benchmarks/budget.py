"""The budget of a push: what people wait for, from chips at rest to the final ruling, hand by hand.

Hands are played by virtual readers with the times of real ones, 5 % misses and 1 % strays, and a dealer as people are.
The table's time is virtual, so the figures are the same on every machine. Of each push on chips:

    seen       every chip was read by its bet spot once
    decided    the sequential test has moved every chip there
    shown      the right ruling was on the screen, provisional or final
    ruled      it was final

What comes after the last chip was seen is waited for: the *quiet time*; then *evidence*, where the test takes longer
than that; then the *last look*, a round of the spot that ends behind both, and whatever is still due.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import mean

from benchmarks.hands import REAL, ROOT, some_hands
from benchmarks.rows import Aim, Row, Size, Tell, at_most
from benchmarks.timing import percentile
from controller.config.config import ReadingSection
from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from controller.places import Place, Zone
from firmware_bridge.events import ReaderEvent, ScanRound, Value
from simulator.acts import Cue
from simulator.books import unsupported
from simulator.director import script_of
from simulator.players import Dice, Style
from simulator.radio import Noise
from simulator.rehearsal.human import HumanTable
from simulator.rehearsal.table import STILL

GROUP = "budget"
OWN = ROOT / "simulator" / "evening.phhs"
NOISE = Noise(miss=0.05, stray=0.01)
QUIET_S = ReadingSection().quiet_ms / 1000
LAYING_NS = 2_000_000_000  # from the first chip of a push that is laid down to the last: no longer
AIMS = {"shown": (0.5, None), "ruled": (1.5, 2.5)}  # seconds, half of all and nine in ten


class Push(Value, frozen=True):
    """Seconds from when its last chip lay still; never below 0."""

    seen: float
    decided: float
    shown: float
    ruled: float

    @property
    def waits(self) -> tuple[float, float, float]:
        """For quiet, for evidence behind it, and for the last look."""
        quiet = min(self.ruled, self.seen + QUIET_S)
        decided = min(self.ruled, max(quiet, self.decided))
        return quiet - self.seen, decided - quiet, self.ruled - decided


class BudgetTable(HumanTable):
    """Notes when the spot first read each pushed chip, and when it was decided to lie there."""

    def count_in(self) -> None:
        self.pushed: dict[int, dict[str, Place]] = {}  # by decision: its chips, and their spot
        self.seen: dict[tuple[str, Place], list[int]] = {}
        self.decided: dict[tuple[str, Place], list[int]] = {}
        self.names = {item.tag: name for name, item in self.registry.items.items()}
        self.zones = {(a.reader, a.number): a.place for a in self.tracker.layout.antennas}
        super().count_in()

    def remember(self, cue: Cue) -> None:
        super().remember(cue)
        if cue.decision is not None and not isinstance(cue.act, STILL):
            chips = {m.item: m.target for m in cue.act.moves if m.item in self.values and m.target.zone is Zone.SPOT}
            self.pushed.setdefault(cue.decision, {}).update(chips)

    def note(self, event: ReaderEvent) -> None:
        super().note(event)
        if isinstance(event, ScanRound):
            place = self.zones.get((event.reader, event.antenna))
            if place is not None and place.zone is Zone.SPOT:
                for sighting in event.sightings:
                    self.seen.setdefault((self.names.get(sighting.tag, ""), place), []).append(event.ended_ns)

    def look_at_previews(self) -> None:
        super().look_at_previews()
        for motion in self.core.open.values():
            for move in motion.moves:
                self.decided.setdefault((move.item, move.target), []).append(self.now_ns)

    def budget(self) -> Iterator[Push]:
        for decision, chips in self.pushed.items():
            rested, shown, ruled = self.latency.times(decision)
            since_ns = rested - LAYING_NS
            seen = [at for chip in chips.items() if (at := _first(self.seen.get(chip, ()), since_ns))]
            decided = [at for chip in chips.items() if (at := _first(self.decided.get(chip, ()), since_ns))]
            if ruled is not None and len(seen) == len(decided) == len(chips) > 0:
                times = (max(seen), max(decided), ruled if shown is None else min(shown, ruled), ruled)
                yield Push(*(max(0, at - rested) / 1e9 for at in times))


def _first(times_ns: Iterable[int], since_ns: int) -> int | None:
    return next((at for at in times_ns if at >= since_ns), None)


def rows(size: Size, tell: Tell) -> Iterator[Row]:
    path = REAL if REAL.is_file() else OWN
    pushes = list(budgets(path, size.hands, tell))
    for what, (half, most) in AIMS.items():
        times = [getattr(push, what) for push in pushes]
        yield _row(what, "half of all", percentile(times, 0.5), half, pushes)
        yield _row(what, "nine in ten", percentile(times, 0.9), most, pushes)


def _row(what: str, of: str, figure: float, aim: float | None, pushes: list[Push]) -> Row:
    bound: Aim | None = None if aim is None else at_most(aim)
    name = {"shown": "the right provisional ruling", "ruled": "the final ruling"}[what]
    note = f"{len(pushes)} pushes; " + (_stages(pushes) if what == "shown" else _waits(pushes))
    return Row(
        group=GROUP, what=f"chips at rest to {name}, {of}", unit="s", ours=round(figure, 2), aim=bound, note=note
    )


def _stages(pushes: Iterable[Push]) -> str:
    pushes = list(pushes)
    seen, decided = ([getattr(push, stage) for push in pushes] for stage in ("seen", "decided"))
    return f"all seen {percentile(seen, 0.5):.2f}, all decided {percentile(decided, 0.5):.2f}"


def _waits(pushes: Iterable[Push]) -> str:
    """Who waited for what, on average."""
    quiet, evidence, look = (mean(one) for one in zip(*(push.waits for push in pushes), strict=True))
    return f"waited for: quiet {quiet:.2f}, evidence {evidence:.2f}, last look {look:.2f}"


def budgets(path: Path, hands: int, tell: Tell) -> Iterator[Push]:
    """Every push on chips of these hands, each hand at a table of its own."""
    for number, hand in enumerate(history.parse(some_hands(path, hands), path.name)):
        if not isinstance(hand, RecordedHand) or unsupported(hand) is not None:
            continue
        tell(f"hand {number + 1} of {hands}")
        dice = Dice(f"1:{number}")
        table = BudgetTable(script_of(hand, dice, Style()), NOISE, (), dice)
        table.count_in()
        table.play()
        yield from table.budget()
