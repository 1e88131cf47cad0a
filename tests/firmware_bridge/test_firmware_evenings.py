"""Chips that come, go and slide for minutes on end: what a complete round says is true of the whole of its time."""

import random

import pytest

from simulator.pn5180 import Tag
from tests.firmware_bridge.firmware_bench import MS, Bench, Told, uids

SLIDES_MS = 350.0  # a chip that keeps its power is found by its address within so long
MINUTES = 1


class Evening:
    """Two antennas, hands that move chips, and since when each chip lies where it lies."""

    def __init__(self, seed: int, capture: float) -> None:
        self.draw = random.Random(seed)
        self.bench = Bench(radios=2, seed=seed, capture=capture)
        self.chips = {uid: Tag(uid) for uid in uids(40, seed)}
        self.where: dict[str, int | None] = dict.fromkeys(self.chips)
        self.since = dict.fromkeys(self.chips, 0.0)  # it moved last
        self.slid: dict[str, float] = {}
        self.told = [0, 0]
        self.judged = 0

    def move(self) -> None:
        """A push of some chips, by hand or sliding, or all sorts of other things."""
        draw, now = self.draw, self.bench.clock.now_us
        for uid in draw.sample(sorted(self.chips), draw.choice((1, 1, 2, 5, 12))):
            tag, old = self.chips[uid], self.where[uid]
            new = draw.choice((0, 1, None))
            coils = [unit.sim.coil for unit in self.bench.units]
            if old is not None and new is not None and old != new and draw.random() < 0.5:
                coils[old].slide(tag, coils[new])
                self.slid[uid] = now
            else:
                if old is not None:
                    coils[old].lift(tag)
                if new is not None:
                    coils[new].lay(tag, now)
                self.slid.pop(uid, None)
            self.where[uid], self.since[uid] = new, now

    def judge(self) -> None:
        for at, unit in enumerate(self.bench.units):
            for told in unit.told[self.told[at] :]:
                if told.complete:
                    self.judged += 1
                    self.judge_round(at, told)
            self.told[at] = len(unit.told)

    def judge_round(self, at: int, told: Told) -> None:
        """Only of chips that lay still for the whole round, and a while longer where they slid."""
        for uid in self.chips:
            if self.since[uid] >= told.began_us - 2 * MS:
                continue
            if self.where[uid] == at:
                if uid in told.tags or self.slid.get(uid, -1e12) > told.began_us - SLIDES_MS * MS:
                    continue
                pytest.fail(f"{uid} lay on {at} since {self.since[uid]:.0f}, and {told} lacks it")
            elif uid in told.tags:
                pytest.fail(f"{uid} lay elsewhere since {self.since[uid]:.0f}, and {told} has it")


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("capture", [0.0, 0.3])
def test_a_complete_round_is_true(seed: int, capture: float) -> None:
    evening = Evening(seed, capture)
    for _ in range(MINUTES * 60):
        evening.move()
        for _ in range(10):
            evening.bench.run(evening.draw.choice((20, 100, 180)))
            evening.judge()
    assert evening.judged > 150
