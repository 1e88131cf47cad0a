"""`betline rule` answers what comes before, between and after rulings: the table cases, through its own stream."""

import json
from pathlib import Path
from typing import Any

import pytest

from betline.rule.stream import Judge
from betline.rule.tables.kinds import KINDS

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "data" / "table_cases.json").read_text(encoding="utf-8")
)["cases"]
ANSWERED = [case for case in CASES if case["setup"]["kind"] in KINDS]
ONLY_PRESENT = frozenset({"hands", "next_hand", "this_hand", "first_hand_back", "hand", "must_post"})  # meta.comparison


def answered(case: dict[str, Any], judge: Judge | None = None) -> dict[str, Any]:
    line = json.dumps({**case, "type": "table"}).encode()
    return json.loads((judge or Judge("TDA2024", "en")).judged(line))  # type: ignore[no-any-return]


def agrees(expected: object, found: object, *, only_present: bool = False) -> bool:
    match expected, found:
        case dict(), dict() if only_present:
            return all(name in found and agrees(value, found[name]) for name, value in expected.items())
        case list(), list() if only_present:
            return len(expected) == len(found) and all(
                agrees(one, other, only_present=True) for one, other in zip(expected, found, strict=True)
            )
        case _:
            return expected == found


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case["id"])
def test_a_table_case_is_answered_as_its_source_has_it(case: dict[str, Any]) -> None:
    found = answered(case)
    for name, value in case["expected"].items():
        assert name in found, (name, found)
        assert agrees(value, found[name], only_present=name in ONLY_PRESENT), (name, value, found)


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case["id"])
def test_a_setup_with_a_field_that_nobody_knows_is_refused_by_its_name(case: dict[str, Any]) -> None:
    found = answered({**case, "setup": {**case["setup"], "stakse": 5}})
    assert found["error"].startswith("setup.stakse is unknown: "), found


def test_an_unknown_kind_and_an_unknown_switch_are_named() -> None:
    assert 'setup.kind "pot" is unknown: did you mean "pots"?' in answered({"id": 1, "setup": {"kind": "pot"}})["error"]
    setup = {"kind": "pots", "contributions": {"1": 5, "2": 5}}
    assert (
        'house: switch "buton" is unknown: did you mean "button"?'
        in (answered({"id": 1, "setup": setup, "house": {"buton": "dead"}})["error"])
    )
