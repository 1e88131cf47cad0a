"""What `betline replay` counts and prints."""

import json
import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from firmware_bridge.events import Value
from simulator.rehearsal.verdict import Mismatch, Verdict

HOUR_MS = 3_600_000
SHOWN = 20  # mismatches printed for people; the JSON has them all


class Skipped(Value, frozen=True):
    """A hand that was not judged, and why."""

    hand: str
    why: str


class Tally:
    """Sums over all hands. Every hand read is exact, skipped, or a mismatch."""

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.hands = self.exact = self.actions = self.wrong_rulings = self.asked = 0
        self.skipped: list[Skipped] = []
        self.mismatches: list[Mismatch] = []
        self.doubted_wrong = self.reopened = self.needless = self.agreed = self.corrections = self.stuck = 0
        self.rounds_to_final: list[int] = []
        self.provisional_ms: list[int] = []
        self.final_ms: list[int] = []
        self.table_ms = 0
        self.alarms: Counter[str] = Counter()
        self.engine_ns = 0

    def add(self, outcome: Verdict | Skipped | Mismatch) -> None:
        self.hands += 1
        match outcome:
            case Verdict():
                self._judged(outcome)
            case Skipped():
                self.skipped.append(outcome)
            case Mismatch():
                self.mismatches.append(outcome)

    def _judged(self, verdict: Verdict) -> None:
        self.actions += verdict.actions
        self.wrong_rulings += verdict.wrong_rulings
        self.asked += verdict.asked
        self.alarms.update(verdict.alarms)
        self.doubted_wrong += verdict.doubted_wrong
        self.reopened += verdict.reopened
        self.needless += verdict.needless
        self.agreed += verdict.agreed
        self.corrections += verdict.corrections
        self.stuck += verdict.stuck
        self.rounds_to_final += verdict.rounds_to_final
        self.provisional_ms += verdict.provisional_ms
        self.final_ms += verdict.final_ms
        self.table_ms += verdict.table_ms
        self.engine_ns += verdict.engine_ns
        if verdict.mismatch is None:
            self.exact += 1
        else:
            self.mismatches.append(verdict.mismatch)

    @property
    def failed(self) -> bool:
        return bool(self.mismatches or self.wrong_rulings)

    def json(self) -> str:
        return json.dumps(
            {
                "hands": self.hands,
                "exact": self.exact,
                "actions": self.actions,
                "wrong_rulings": self.wrong_rulings,
                "doubted_wrong": self.doubted_wrong,
                "reopened": self.reopened,
                "asked": self.asked,
                "needless": self.needless,
                "questions_per_hour": self.questions_per_hour,
                "agreed": self.agreed,
                "corrections": self.corrections,
                "stuck": self.stuck,
                "provisional_s": quantiles(self.provisional_ms),
                "final_s": quantiles(self.final_ms),
                "skipped": [{"hand": one.hand, "why": one.why} for one in self.skipped],
                "mismatches": [{"hand": one.hand, "why": one.why} for one in self.mismatches],
                "rounds_to_final": {"mean": self.mean_rounds, "p99": self.late_rounds},
                "alarms": dict(self.alarms.most_common()),
                "elapsed_s": self.elapsed_s,
                "engine_s": round(self.engine_ns / 1e9, 3),
            },
            ensure_ascii=False,
        )

    @property
    def elapsed_s(self) -> float:
        """Of real time, until now."""
        return round(time.perf_counter() - self.began, 3)

    @property
    def questions_per_hour(self) -> float | None:
        """Of the table's time; None: no time passed there."""
        return round(self.asked * HOUR_MS / self.table_ms, 1) if self.table_ms else None

    @property
    def mean_rounds(self) -> float | None:
        """Rounds of the spot from the first sighting of a push to its final ruling; None: there were no rounds."""
        rounds = self.rounds_to_final
        return round(sum(rounds) / len(rounds), 1) if rounds else None

    @property
    def late_rounds(self) -> int | None:
        """The 99th percentile of the same."""
        return quantile(self.rounds_to_final, 0.99)


def quantile(numbers: Sequence[int], share: float) -> int | None:
    """The number that so large a share of them does not pass; None: there are none."""
    return sorted(numbers)[max(0, math.ceil(len(numbers) * share) - 1)] if numbers else None


def quantiles(times_ms: Sequence[int]) -> dict[str, float | None]:
    """Half and nine tenths of the times, in seconds."""
    half, most = quantile(times_ms, 0.5), quantile(times_ms, 0.9)
    return {"p50": None if half is None else half / 1000, "p90": None if most is None else most / 1000}


def _at_the_table(tally: Tally) -> Iterator[str]:
    """What only a table with readers has: people who wait, and a dealer who helps."""
    yield f"{tally.questions_per_hour} questions an hour, {tally.needless} of them with the right reading first"
    yield f"the dealer: {tally.agreed} times agreed, {tally.corrections} times put the table right"
    yield f"stuck hands: {tally.stuck}; wrong rulings that carried the right doubt: {tally.doubted_wrong}"
    yield f"rulings that it reopened itself, what was meant first: {tally.reopened}"
    for what, times_ms in (("first right ruling shown", tally.provisional_ms), ("final ruling", tally.final_ms)):
        if times_ms:
            found = quantiles(times_ms)
            yield f"from chips at rest to the {what}: {found['p50']} s, in nine of ten {found['p90']} s"


def printed(tally: Tally) -> Iterator[str]:
    """The same for people, line by line."""
    yield f"{tally.hands} hands, {tally.exact} exact; {tally.actions} actions, {tally.wrong_rulings} wrong rulings"
    if tally.rounds_to_final:
        yield f"rounds to the final ruling: {tally.mean_rounds} on average, {tally.late_rounds} in 99 of 100"
    yield f"questions to the dealer: {tally.asked}; engine alone {tally.engine_ns / 1e9:.2f} s"
    if tally.table_ms:
        yield from _at_the_table(tally)
    for why, count in Counter(one.why for one in tally.skipped).most_common():
        yield f"skipped {count}: {why}"
    for mismatch in tally.mismatches[:SHOWN]:
        yield f"differs: {mismatch.hand}: {mismatch.why}"
    if len(tally.mismatches) > SHOWN:
        yield f"and {len(tally.mismatches) - SHOWN} more that differ: --json lists them all"
