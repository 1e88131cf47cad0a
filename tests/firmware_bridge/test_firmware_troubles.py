"""A chip that fails: never an empty complete round, told within a second, alone in its silence, and back when it works."""

import pytest

from simulator.pn5180 import SHORT_COLLISIONS, TROUBLES, Tag
from tests.firmware_bridge.firmware_bench import Bench, Told, uids

CHIP_SILENT = 4


def lies(told: list[Told], count: int) -> list[Told]:
    return [one for one in told if one.complete and len(one.tags) != count]


def filled(*, seed: int = 1) -> Bench:
    bench = Bench(radios=2, seed=seed)
    bench.lay(uids(12))
    bench.lay(uids(4, 9), at=1)
    bench.settle()
    return bench


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("after_ms", [0, 3, 21, 57])
def test_a_failing_chip_tells_no_empty_complete_round_and_comes_back(trouble: str, after_ms: float) -> None:
    bench = filled()
    bench.run(after_ms)
    bad, good = bench.units
    bad.sim.trouble = trouble
    began = len(bad.told)
    took = bench.until(lambda: bad.radio.fault == CHIP_SILENT)
    assert took <= 1000
    bench.run(1500)
    assert lies(bad.told[began:], 12) == []
    quiet = len(bad.told)
    before = len(good.told)
    bench.run(1000)
    assert len(bad.told) == quiet, "a silent chip has no rounds"
    assert len(good.told) - before >= 10, "the other radio goes on"
    bad.sim.trouble = ""
    bench.until(lambda: bad.radio.fault == 0 and bad.told[-1].complete)
    assert lies(bad.told, 12) == []


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_chip_that_fails_with_nothing_on_it_is_no_empty_antenna(trouble: str) -> None:
    bench = Bench()
    bench.settle()
    unit = bench.units[0]
    bench.run(33)
    unit.sim.trouble = trouble
    began = len(unit.told)
    bench.until(lambda: unit.radio.fault == CHIP_SILENT)
    assert [one for one in unit.told[began + 1 :] if one.complete] == []


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_chip_whose_reset_is_dead_works_until_it_fails_and_comes_back_when_it_can(trouble: str) -> None:
    bench = filled()
    bad = bench.units[0]
    bad.sim.reset_is_dead = True
    bad.sim.trouble = trouble
    bench.until(lambda: bad.radio.fault == CHIP_SILENT)
    bad.sim.trouble = ""
    bench.until(lambda: bad.radio.fault == 0 and bad.told[-1].complete)
    assert lies(bad.told, 12) == []


def test_a_short_trouble_costs_one_round_and_no_fault() -> None:
    bench = filled()
    bad = bench.units[0]
    bad.sim.trouble = "general error"
    bench.until(lambda: not bad.told[-1].complete)
    bad.sim.trouble = ""
    bench.run(500)
    assert bad.radio.fault == 0
    assert bad.told[-1].complete
    assert len(bad.told[-1].tags) == 12


@pytest.mark.parametrize("seed", range(5))
def test_a_collision_of_which_no_byte_was_received_is_still_a_collision(seed: int) -> None:
    bench = Bench(seed=seed, capture=0.2)
    bench.units[0].sim.trouble = SHORT_COLLISIONS
    bench.lay(uids(30, seed))
    bench.settle()
    assert lies(bench.units[0].told, 30) == []


def test_a_chip_that_was_never_there_has_a_fault_and_no_round() -> None:
    bench = Bench(radios=2)
    dead, good = bench.units
    dead.sim.trouble = "ones"
    bench.run(3000)
    assert (dead.radio.fault, dead.told) == (CHIP_SILENT, [])
    assert good.told


def test_tags_that_come_while_the_chip_is_silent_are_there_when_it_is_back() -> None:
    bench = filled()
    bad = bench.units[0]
    bad.sim.trouble = "busy high"
    bench.run(2000)
    bad.sim.coil.lift(bad.sim.coil.tags[0])
    bad.sim.coil.lay(Tag(uids(20)[19]), bench.clock.now_us)
    bad.sim.trouble = ""
    bench.settle()
    assert bad.told[-1].tags == {tag.uid for tag in bad.sim.coil.tags}


def test_the_slowest_transaction_and_the_level_are_known() -> None:
    bench = filled()
    chip = bench.units[0].chip
    assert 100 <= chip.worst_us <= 110
    assert chip.agc
