"""Every case of the case file, and of our own, under every profile that it names."""

from typing import Any

import pytest

from controller.rulings.values import Reading
from tests.controller.rulings.cases import ASK, CASES, OWN_CASES, label, of_type, push, rules, situation

RULED = ("action", "total_to", "change_due", "must_add", "reopens", "all_in")
OFFERED = ("to_call", "can_raise", "min_raise_to", "max_raise_to")

RULINGS = of_type("ruling") + of_type("ruling", OWN_CASES)
OPTIONS = of_type("options") + of_type("options", OWN_CASES)


def fields(value: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


@pytest.mark.parametrize("pair", RULINGS, ids=label)
def test_a_push_means_what_the_case_says(pair: tuple[dict[str, Any], str]) -> None:
    case, profile = pair
    expected = case["expected"]

    ruling = rules(case, profile).judge(situation(case), push(case))

    if expected["action"] == ASK:
        assert ruling.chosen is None
        assert len(ruling.readings) == len(expected["alternatives"])
        for reading, alternative in zip(ruling.readings, expected["alternatives"], strict=True):
            assert fields(reading, tuple(alternative)) == alternative
    else:
        assert ruling.chosen is not None, ruling.why
        assert fields(ruling.chosen, RULED) == {name: expected[name] for name in RULED}


@pytest.mark.parametrize("pair", OPTIONS, ids=label)
def test_a_player_may_do_what_the_case_says(pair: tuple[dict[str, Any], str]) -> None:
    case, profile = pair

    options = rules(case, profile).options(situation(case))

    assert fields(options, OFFERED) == {name: case["expected"][name] for name in OFFERED}


@pytest.mark.parametrize("pair", [pair for pair in RULINGS if "contested" in pair[0]], ids=label)
def test_a_contested_push_is_marked_and_offers_the_other_reading(pair: tuple[dict[str, Any], str]) -> None:
    """Rule books or floors disagree there: the expected reading is chosen, the dealer is asked to confirm it."""
    case, profile = pair

    ruling = rules(case, profile).judge(situation(case), push(case))

    assert ruling.disputed
    assert any(isinstance(reading, Reading) and reading != ruling.chosen for reading in ruling.readings)


def test_the_case_file_is_all_there() -> None:
    assert len(CASES) == 249
    assert len(of_type("ruling")) > 300
    assert len(of_type("options")) > 60
