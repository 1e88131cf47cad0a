"""What each antenna does while the table is played at: the m that follows, and which antennas cannot be trusted.

Chips at rest are the measure: presence counts how often their own antennas missed and other antennas heard them.

* *m* (where it adapts) follows a long memory that begins with what the antenna declares, so no single evening of
  calibration binds a table and no single minute of play changes it. It goes up as soon as an antenna needs more, down
  only after `PATIENCE_NS` in which none did, and never beyond `MOST_PLAYED`.
* *Unfit* follows a short memory: an antenna that surely (`SURE` deviations) misses or hears more than can be trusted,
  or with which m would let a chip move falsely within `TOLERATED_ROUNDS`; or one on which everything vanished at once.
  It is fit again when new evidence says that it is inside the limits.

Antennas of cards are not judged: players take their cards up, and a muck shows only its top.

Misses in bursts prove less than single ones: a burst of b rounds is one event, so counts are divided by 2b - 1.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import log10, sqrt
from typing import NamedTuple

from controller.places import Zone
from controller.tracking.evidence import ABSENT_RUN, Field
from controller.tracking.layout import Layout
from controller.tracking.noise import USUAL, Noise
from controller.tracking.rates import (
    LEAST_MISS,
    LEAST_STRAY,
    MOST_PLAYED,
    TAG_ROUNDS,
    UNFIT_MISS,
    UNFIT_STRAY,
    false_move_rounds,
    steps_for,
)

LONG, SHORT = 20_000, 3_000  # tag rounds that are remembered: beyond, all counts are halved
DECLARED, ASSUMED = 2_000, 500  # tag rounds that a calibration counts for, and the usual figures without one
LOOK_NS = 2_000_000_000
PATIENCE_NS = 600_000_000_000  # ten minutes with a lower need before m goes down
ENOUGH = 300  # independent tag rounds that show an antenna fit again
SURE = 4.0  # deviations of a normal distribution: 3e-5, for judgements that are made again and again
BEYOND = 1.25  # times the limits: to be called unfit
TOLERATED_ROUNDS = TAG_ROUNDS / 1000  # a false move an hour
SHOUTED = 12  # tags that must have been heard astray: a bet laid between two antennas is no shouting
DEAF_TAGS = 8  # that vanish and come up nowhere: more than a hand takes up at once
TOGETHER = 0.8  # share of them that vanished in one round

JUDGED = frozenset({Zone.TRAY, Zone.SPOT, Zone.POT})


class Count:
    """Events in chances, the older ones forgotten."""

    __slots__ = ("chances", "events", "memory", "runs", "tags")

    def __init__(self, memory: int, share: float = 0.0, weight: float = 0.0, burst: float = 1.0) -> None:
        self.memory = memory
        self.chances, self.events, self.runs = weight, share * weight, share * weight / burst
        self.tags: dict[str, float] = {}  # events by tag, where that matters

    def add(self, events: float, chances: float, runs: float = 0.0, tags: dict[str, int] | None = None) -> None:
        self.events += events
        self.chances += chances
        self.runs += runs
        for tag, count in (tags or {}).items():
            self.tags[tag] = self.tags.get(tag, 0.0) + count
        while self.chances > self.memory:
            self.chances, self.events, self.runs = self.chances / 2, self.events / 2, self.runs / 2
            self.tags = {tag: count / 2 for tag, count in self.tags.items() if count > 0.1}

    @property
    def share(self) -> float:
        """One tag that lies between two antennas is heard by both: the loudest does not count."""
        loudest = max(self.tags.values(), default=0.0)
        return min(1.0, max(0.0, self.events - loudest) / self.chances) if self.chances else 0.0

    @property
    def burst(self) -> float:
        return max(1.0, self.events / self.runs) if self.runs else 1.0

    @property
    def independent(self) -> float:
        """Chances that prove something by themselves."""
        return self.chances / (2 * self.burst - 1)

    def at_least(self) -> float:
        """What the share surely is (Wilson's lower bound)."""
        n, share = self.independent, self.share
        if n < 1:
            return 0.0
        middle = share + SURE * SURE / (2 * n)
        spread = SURE * sqrt(share * (1 - share) / n + SURE * SURE / (4 * n * n))
        return max(0.0, (middle - spread) / (1 + SURE * SURE / n))


class Judged(NamedTuple):
    """A change of mind about an antenna."""

    field: Field
    why: str  # "deaf", "shouting", "blank"; "": it is fit again


class _Record:
    """The counts of one antenna, and what was read off its totals last."""

    __slots__ = ("chances", "declared", "field", "hits", "long", "loud", "misses", "rounds", "runs", "short", "strays")

    def __init__(self, field: Field) -> None:
        self.field = field
        self.declared = field.antenna.noise or USUAL
        self.hits = self.misses = self.runs = self.rounds = 0
        weight = ASSUMED if field.antenna.noise is None else DECLARED
        self.long = Count(LONG, self.declared.miss, weight, self.declared.burst)
        self.short = Count(SHORT)
        self.strays: dict[Field, Count] = {}  # of tags that lie there: the long memory
        self.loud: dict[Field, Count] = {}  # the short one

    def take(self) -> None:
        """What the antenna did since the last look."""
        field = self.field
        hits, misses, runs = field.hits - self.hits, field.misses - self.misses, field.runs - self.runs
        rounds = field.rounds - self.rounds
        self.hits, self.misses, self.runs, self.rounds = field.hits, field.misses, field.runs, field.rounds
        self.long.add(misses, hits + misses, runs)
        self.short.add(misses, hits + misses, runs)
        heard, field.heard = field.heard, {}
        for home in heard.keys() - self.strays.keys():  # a card antenna's own tags are never heard here
            weight = ASSUMED if field.antenna.noise is None else DECLARED
            self.strays[home] = Count(LONG, self.declared.stray, weight)
            self.loud[home] = Count(SHORT)
        for home, count in self.strays.items():
            tags = heard.get(home, {})
            count.add(sum(tags.values()), rounds * len(home.expected), tags=tags)
            self.loud[home].add(sum(tags.values()), rounds * len(home.expected), tags=tags)

    def forget(self) -> None:
        """Whatever is said from now on is said by new evidence."""
        self.short = Count(SHORT)
        self.loud = {home: Count(SHORT) for home in self.loud}


class Fitness:
    """All antennas of a table: `look` now and then, `steps` is the m for questions that come up from now on."""

    def __init__(self, fields: Iterable[Field], layout: Layout) -> None:
        self._records = {field: _Record(field) for field in fields if field.place.zone in JUDGED}
        self._adapts = layout.adapts
        self._lower_since_ns: int | None = None
        self.steps = layout.steps
        self.look_ns = 0

    def look(self, now_ns: int) -> list[Judged]:
        """Read the counts, and say which antennas are unfit, or fit again."""
        if now_ns < self.look_ns:
            return []
        self.look_ns = now_ns + LOOK_NS
        for record in self._records.values():
            record.take()
        return [judged for record in self._records.values() if (judged := self._judge(record)) is not None]

    def next_steps(self, now_ns: int) -> int:
        """The m that the antennas that can be trusted need by now."""
        if not self._adapts:
            return self.steps
        needed = max((steps_at(noise) for noise in self.noises()), default=self.steps)
        if needed >= self.steps:
            self.steps, self._lower_since_ns = needed, None
        elif self._lower_since_ns is None:
            self._lower_since_ns = now_ns
        elif now_ns - self._lower_since_ns >= PATIENCE_NS:
            self.steps, self._lower_since_ns = self.steps - 1, None
        return self.steps

    def noises(self) -> Iterator[Noise]:
        """What happens to the tags of each fit antenna: missed there, and heard by the loudest of the others."""
        for home, record in self._records.items():
            if home.unfit:
                continue
            strays = [
                r.strays[home].share for r in self._records.values() if home in r.strays and not r.field.unfit
            ] or [self._unheard(record)]
            yield Noise(record.long.share, max(strays), record.long.burst)

    def _unheard(self, record: _Record) -> float:
        """Nobody heard its tags astray in all the time that its own antenna was measured."""
        weight = ASSUMED if record.field.antenna.noise is None else DECLARED
        return record.declared.stray * weight / max(weight, record.long.chances)

    # ------------------------------------------------------------ can it be trusted?
    def _judge(self, record: _Record) -> Judged | None:
        field = record.field
        why = self._why_still(record) if field.unfit else self._why(record)
        if why == field.unfit:
            return None
        field.unfit = why
        record.forget()
        return Judged(field, why)

    def _why(self, record: _Record) -> str:
        if _went_blank(record.field):
            return "blank"
        miss = record.short.at_least()
        if miss > BEYOND * UNFIT_MISS:
            return "deaf"
        loud = [count for count in record.loud.values() if len(count.tags) >= SHOUTED]
        stray = max((count.at_least() for count in loud), default=0.0)
        if stray > BEYOND * UNFIT_STRAY:
            return "shouting"
        if self._holds(Noise(miss, stray, record.short.burst)):
            return ""
        return "deaf" if miss > UNFIT_MISS / 2 else "shouting"

    def _holds(self, noise: Noise) -> bool:
        """Whether the m that may be played with lets a still chip lie."""
        quiet = noise.miss <= LEAST_MISS and noise.stray <= LEAST_STRAY
        return quiet or lasts(noise, MOST_PLAYED if self._adapts else self.steps) >= TOLERATED_ROUNDS

    def _why_still(self, record: _Record) -> str:
        """Fit again: enough evidence, and all of it inside the limits that calibration takes."""
        field, short = record.field, record.short
        match field.unfit:
            case "blank":
                good = field.blank < ABSENT_RUN or len(field.expected) < DEAF_TAGS  # they came up elsewhere
            case "deaf":
                good = short.independent >= ENOUGH and short.share <= UNFIT_MISS
            case _:
                heard = [count for count in record.loud.values() if count.chances >= ENOUGH]
                good = bool(heard) and all(count.share <= UNFIT_STRAY for count in heard)
        return "" if good else field.unfit


def _went_blank(field: Field) -> bool:
    """Everything vanished at once, most of it is heard nowhere, and no stray tag either: a cable, no hand."""
    if field.blank < ABSENT_RUN or len(field.expected) < DEAF_TAGS or len(field.missing) < len(field.expected):
        return False
    runs = [miss.run for miss in field.missing.values()]
    return 2 * len(field.leaving) < len(runs) and runs.count(max(set(runs), key=runs.count)) >= TOGETHER * len(runs)


def steps_at(noise: Noise) -> int:
    """The m for some noise, no more than may be played with."""
    return _steps_at(*_rounded(noise))


def lasts(noise: Noise, steps: int) -> float:
    """Tag rounds to a false move."""
    return _lasts(*_rounded(noise), steps)


def _rounded(noise: Noise) -> tuple[float, float, float]:
    """To a twentieth of a decade: what is computed once need not be computed again."""
    miss, stray = (
        min(0.9, max(least, share)) for least, share in ((LEAST_MISS, noise.miss), (LEAST_STRAY, noise.stray))
    )
    return _step(miss, 20), _step(stray, 20), _step(noise.burst, 10)


def _step(value: float, a_decade: int) -> float:
    return float(10 ** (round(log10(value) * a_decade) / a_decade))


@lru_cache(4096)
def _steps_at(miss: float, stray: float, burst: float) -> int:
    return min(MOST_PLAYED, steps_for(Noise(miss, stray, burst)) or MOST_PLAYED)


@lru_cache(4096)
def _lasts(miss: float, stray: float, burst: float, steps: int) -> float:
    return false_move_rounds(Noise(miss, stray, burst), steps)
