"""What `betline replay` counts and prints."""

import json
import math
import time
from collections import Counter
from collections.abc import Iterator

from firmware_bridge.events import Value
from simulator.rehearsal.verdict import Mismatch, Verdict

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
        self.rounds_to_final: list[int] = []
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
        self.rounds_to_final += verdict.rounds_to_final
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
                "asked": self.asked,
                "skipped": [{"hand": one.hand, "why": one.why} for one in self.skipped],
                "mismatches": [{"hand": one.hand, "why": one.why} for one in self.mismatches],
                "rounds_to_final": {"mean": self.mean_rounds, "p99": self.late_rounds},
                "alarms": dict(self.alarms.most_common()),
                "elapsed_s": round(time.perf_counter() - self.began, 3),
                "engine_s": round(self.engine_ns / 1e9, 3),
            },
            ensure_ascii=False,
        )

    @property
    def mean_rounds(self) -> float | None:
        """Rounds of the spot from the first sighting of a push to its final ruling; None: there were no rounds."""
        rounds = self.rounds_to_final
        return round(sum(rounds) / len(rounds), 1) if rounds else None

    @property
    def late_rounds(self) -> int | None:
        """The 99th percentile of the same."""
        rounds = sorted(self.rounds_to_final)
        return rounds[math.ceil(len(rounds) * 0.99) - 1] if rounds else None


def printed(tally: Tally) -> Iterator[str]:
    """The same for people, line by line."""
    yield f"{tally.hands} hands, {tally.exact} exact; {tally.actions} actions, {tally.wrong_rulings} wrong rulings"
    if tally.rounds_to_final:
        yield f"rounds to the final ruling: {tally.mean_rounds} on average, {tally.late_rounds} in 99 of 100"
    yield f"questions to the dealer: {tally.asked}; engine alone {tally.engine_ns / 1e9:.2f} s"
    for why, count in Counter(one.why for one in tally.skipped).most_common():
        yield f"skipped {count}: {why}"
    for mismatch in tally.mismatches[:SHOWN]:
        yield f"differs: {mismatch.hand}: {mismatch.why}"
    if len(tally.mismatches) > SHOWN:
        yield f"and {len(tally.mismatches) - SHOWN} more that differ: --json lists them all"
