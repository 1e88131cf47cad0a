"""The simulated chip against the arithmetic of ISO/IEC 15693-3, driven by the firmware's tree."""

from statistics import mean

import pytest

from firmware_bridge.firmware import iso15693
from firmware_bridge.firmware.iso15693 import CLEAN, SILENT
from firmware_bridge.firmware.known import printed
from simulator.pn5180 import Tag
from tests.firmware_bridge.firmware_bench import air_of, perform


def tree_ms(count: int, seed: int, *, how: str = "random", spi_us: float = 0.0) -> float:
    air, sim, names = air_of(count, seed=seed, how=how, spi_us=spi_us)
    found: list[bytes] = []
    took = perform(air.tree(found), sim.clock)
    assert sorted(printed(tag).hex().upper() for tag in found) == sorted(names)
    return took


def test_sixteen_empty_slots_take_ten_milliseconds() -> None:
    assert 9.8 <= tree_ms(0, 1) <= 10.5


@pytest.mark.parametrize(("count", "least", "most"), [(20, 160, 220), (60, 500, 610)])
def test_all_tags_by_masks_take_as_long_as_the_standard_says(count: int, least: float, most: float) -> None:
    assert least <= mean(tree_ms(count, seed) for seed in range(40)) <= most


@pytest.mark.parametrize("how", ["random", "sequence", "pairs"])
def test_the_tree_finds_every_tag(how: str) -> None:
    for seed in range(40):
        tree_ms(seed * 3 % 61, seed, how=how)


def test_two_tags_whose_last_52_bits_are_the_same_are_told_apart() -> None:
    """No two tags have more in common: the first eight bits of all are E0."""
    air, sim, _ = air_of(0)
    for uid in ("E004015012345678", "E014015012345678"):
        sim.coil.lay(Tag(uid), -2000.0)
    found: list[bytes] = []
    perform(air.tree(found), sim.clock)
    assert (len(found), air.noise) == (2, 0)


def test_a_silenced_tag_answers_by_its_address_alone_until_the_field_goes_off() -> None:
    air, sim, names = air_of(1)
    tag = printed(bytes.fromhex(names[0]))
    perform(air.look(), sim.clock)
    assert air.heard == CLEAN
    perform(air.silence(tag), sim.clock)
    perform(air.look(), sim.clock)
    assert air.heard == SILENT
    perform(air.ask(tag, True), sim.clock)
    assert air.heard == CLEAN
    perform(air.switch_off(), sim.clock)
    perform(air.switch_on(), sim.clock)
    perform(air.look(), sim.clock)
    assert air.heard == CLEAN


def test_a_command_sent_too_early_cuts_off_the_one_before() -> None:
    """STAY QUIET is on air for 3.7 ms; whoever sends again after 3 ms has silenced nobody."""
    air, sim, names = air_of(1)
    steps = air.silence(printed(bytes.fromhex(names[0])))
    next(steps)
    sim.clock.now_us += 3000
    steps.close()
    perform(air.look(), sim.clock)
    assert air.heard == CLEAN


def test_the_receiver_at_twice_the_rate_hears_no_usual_tag() -> None:
    air, sim, _ = air_of(1)
    sim.write(bytes((0x11, 0x0E, 0x8E)))
    sim._execute()
    perform(air.look(), sim.clock)
    assert air.heard == SILENT


def test_ten_per_cent_modulation_would_take_more_than_twice_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """There an empty slot must wait a whole answer: arithmetic, and why the firmware uses 100 %."""
    fast = [mean(tree_ms(count, seed, spi_us=100) for seed in range(10)) for count in (20, 60)]
    monkeypatch.setattr(iso15693, "T3_US", iso15693.T1_US + 303 + 12 * 303)
    slow = [mean(tree_ms(count, seed, spi_us=100) for seed in range(10)) for count in (20, 60)]
    assert slow[0] / fast[0] > 2.4
    assert slow[1] / fast[1] > 2.4
