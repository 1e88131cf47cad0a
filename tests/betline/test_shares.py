"""How far a share can be trusted: intervals that hold the truth, and verdicts that chance does not turn."""

import random
from collections.abc import Iterator

import pytest

from betline.shares import Share, missed, share, strays, verdict
from controller.tracking.rates import Measured, Survey
from firmware_bridge.events import ScanRound, Sighting

TAGS = [f"E004{number:04X}" for number in range(12)]


def test_an_interval_by_dice_is_that_of_wilson() -> None:
    """Five of ten: 0.237 to 0.763 (Wilson 1927, the usual worked example)."""
    assert share([1, 0, 1, 0, 1, 0, 1, 0, 1, 0], 1) == pytest.approx((0.5, 0.2366, 0.7634), abs=0.001)


def test_nothing_was_missed_in_twenty_rounds_of_one_tag_is_no_proof_of_a_good_antenna() -> None:
    found = share([0] * 20, 1)
    assert (found.value, found.least) == (0.0, 0.0)
    assert found.most == pytest.approx(0.161, abs=0.001)


def test_without_a_reading_nothing_is_known() -> None:
    assert share([], 5) == share([0, 0], 0) == Share(0.0, 0.0, 1.0)


@pytest.mark.parametrize("miss", [0.02, 0.05, 0.15, 0.3])
def test_nineteen_of_twenty_intervals_hold_the_share_that_the_dice_have(miss: float) -> None:
    dice = random.Random(f"{miss}")
    held = 0
    for _ in range(400):
        found = share([sum(dice.random() < miss for _ in TAGS) for _ in range(60)], len(TAGS))
        held += found.least <= miss <= found.most
    assert held >= 370


def rounds(dice: random.Random, count: int, miss: float, busy: float) -> Iterator[list[str]]:
    """What a busy machine hears of an antenna that misses `miss`: rounds are cut short two or three in a row."""
    cut = 0
    for _ in range(count):
        cut = cut - 1 if cut else dice.choice((2, 3)) if dice.random() < busy else 0
        left = dice.uniform(0.0, 0.6) if cut else 1.0
        yield [tag for tag in TAGS if dice.random() < left * (1 - miss)]


def measured(heard: Iterator[list[str]]) -> Measured:
    survey = Survey([("west", 1)])
    for number, tags in enumerate(heard):
        at_ns = number * 100_000_000
        survey.take(ScanRound("west", 1, at_ns, at_ns + 1, complete=True, sightings=tuple(map(Sighting, tags))))
    return survey.measured()["west", 1]


def test_an_honest_antenna_on_a_busy_machine_is_not_called_bad_by_twenty_rounds() -> None:
    """It misses one in twenty; the machine spoils one round in ten. By the share alone it would be weak or unfit."""
    told = [measured(rounds(random.Random(seed), 20, 0.05, 0.05)) for seed in range(200)]
    verdicts = [verdict(one) for one in told]
    assert sum(one.miss > 0.2 for one in told) >= 20
    assert verdicts.count("unfit") <= 2
    assert verdicts.count("weak") <= 4
    assert verdicts.count("not enough rounds yet") >= 40


def test_a_deaf_antenna_is_called_unfit_and_a_good_one_good_by_the_rounds_that_are_usual() -> None:
    deaf = [verdict(measured(rounds(random.Random(seed), 60, 0.35, 0.0))) for seed in range(50)]
    good = [verdict(measured(rounds(random.Random(seed), 60, 0.03, 0.0))) for seed in range(50)]
    weak = [verdict(measured(rounds(random.Random(seed), 60, 0.15, 0.0))) for seed in range(50)]
    assert {*deaf} == {"unfit"}
    assert {*good} == {"good"}
    assert {*weak} <= {"weak", "not enough rounds yet"}
    assert weak.count("weak") >= 30


def test_a_share_on_the_limit_is_never_decided_by_chance_alone() -> None:
    told = [verdict(measured(rounds(random.Random(seed), 60, 0.2, 0.0))) for seed in range(100)]
    assert told.count("unfit") + told.count("weak") <= 8


def test_strays_are_those_of_the_loudest_neighbour_round_by_round() -> None:
    survey = Survey([("west", 1), ("west", 2)])
    for number in range(100):
        at_ns = number * 1000
        for antenna, tags in ((1, TAGS[:4]), (2, TAGS[4:] + (TAGS[:1] if number % 10 == 0 else []))):
            seen = tuple(map(Sighting, tags))
            survey.take(ScanRound("west", antenna, at_ns, at_ns + 1, complete=True, sightings=seen))
    found = survey.measured()["west", 2]
    assert strays(found).value == pytest.approx(found.stray) == pytest.approx(10 / 400)
    assert missed(found) == pytest.approx((0.0, 0.0, 0.005), abs=0.001)
    assert verdict(found) == "good"
    assert verdict(Measured(("west", 3))) == "no chips"
