"""A table whose readers are slow, or whose bytes come late and in lumps: it may ask more often, and rules on nothing false.

Slow readers: every round takes three times as long, as behind a multiplexer with many antennas. Late bytes: what a reader
sends waits for up to some seconds again and again, as on a machine that is busy elsewhere, and is stamped when it is read.
"""

import random
from bisect import bisect_right
from pathlib import Path
from typing import Any

import pytest

from controller.histories import phh as history
from simulator.radio import Noise, Radio
from simulator.rehearsal import table as replay_table
from simulator.rehearsal.hands import Job, outcome_of
from simulator.rehearsal.readers import ThroughReaders
from simulator.rehearsal.verdict import Verdict
from simulator.wire import Wire

EVENING = list(history.read(Path(__file__).parents[2] / "simulator" / "evening.phhs"))
NOISE = Noise(miss=0.05, stray=0.01)
SLOWER = 3
S = 1_000_000_000
LONG_S = 2000.0  # more than any hand takes


class LateWire(Wire):
    """Bytes wait while the machine is busy; every reader has times of its own."""

    every_s, most_s, seed = 0.0, 0.0, 0

    def __init__(self, *words: Any) -> None:
        dice = random.Random(f"{self.seed}{words[2]}")
        self._ends: list[int] = [0]  # free up to the first, busy up to the second, free ...
        while self._ends[-1] < LONG_S * S:
            for seconds in (dice.expovariate(1 / self.every_s), dice.uniform(0.1, self.most_s)):
                self._ends.append(self._ends[-1] + int(seconds * S))
        self._held, self._free_ns = b"", 0
        super().__init__(*words)

    def _busy_until(self, at_ns: int) -> int | None:
        number = bisect_right(self._ends, at_ns)
        return self._ends[number] if number % 2 == 0 and number < len(self._ends) else None

    def due_ns(self) -> int:
        return min(super().due_ns(), max(self.now_ns, self._free_ns)) if self._held else super().due_ns()

    def turn(self, at_ns: int) -> None:
        if not self._held or at_ns < self._free_ns:
            super().turn(at_ns)
            return
        data, self._held = self._held, b""
        self.now_ns = at_ns
        self._take(self.driver.receive(data, at_ns))
        self._carry()

    def _to_host(self, data: bytes) -> None:
        busy_until = self._busy_until(self.now_ns)
        if data and self._plugged and (busy_until is not None or self._held):
            self._held += data
            self._free_ns = busy_until or self._free_ns
        else:
            super()._to_host(data)


def verdict(number: int, seed: int) -> Verdict:
    found = outcome_of(Job(EVENING[number], f"{seed}:{number}", NOISE), ThroughReaders(NOISE))
    assert isinstance(found, Verdict)
    return found


def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    pace = Radio.pace
    monkeypatch.setattr(Radio, "pace", lambda radio, antenna: SLOWER * pace(radio, antenna))


def late(monkeypatch: pytest.MonkeyPatch, every_s: float, most_s: float, seed: int) -> None:
    monkeypatch.setattr(LateWire, "every_s", every_s)
    monkeypatch.setattr(LateWire, "most_s", most_s)
    monkeypatch.setattr(LateWire, "seed", seed)
    monkeypatch.setattr(replay_table, "Wire", LateWire)


def test_late_bytes_are_late_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check can fail: the same hand takes other rounds, and comes to the same end."""
    at_once = verdict(1, 1)
    late(monkeypatch, 2, 1, seed=1)
    found = verdict(1, 1)
    assert (found.mismatch, found.actions) == (None, at_once.actions)
    assert found.rounds_to_final != at_once.rounds_to_final


@pytest.mark.parametrize(("number", "seed"), [(18, 4), (35, 3), (46, 3), (55, 4), (2, 1)])
def test_slow_readers_rule_on_nothing_false(monkeypatch: pytest.MonkeyPatch, number: int, seed: int) -> None:
    slow(monkeypatch)
    assert verdict(number, seed).wrong_rulings == 0


@pytest.mark.parametrize(("number", "seed"), [(1, 3), (18, 3), (42, 2), (5, 1)])
@pytest.mark.parametrize(("every_s", "most_s"), [(2, 1), (6, 5)])
def test_late_bytes_rule_on_nothing_false(
    monkeypatch: pytest.MonkeyPatch, number: int, seed: int, every_s: float, most_s: float
) -> None:
    late(monkeypatch, every_s, most_s, seed)
    assert verdict(number, seed).wrong_rulings == 0


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("way", ["slow", "late 2 1", "late 6 5", "late 10 3"])
def test_whole_evenings_at_a_starved_table(monkeypatch: pytest.MonkeyPatch, way: str, seed: int) -> None:
    """Of what antennas see. Behind a reader that is five seconds late a word may meet another turn than it was meant for."""
    kind, *numbers = way.split()
    if kind == "slow":
        slow(monkeypatch)
    else:
        late(monkeypatch, *map(float, numbers), seed)
    verdicts = [verdict(number, seed) for number in range(len(EVENING))]
    wrong = [found.mismatch for found in verdicts if found.wrong_rulings]
    assert [found for found in wrong if found is None or "by word)" not in found.why] == []
