"""Every reason has a function that gives it, a citation, and a push that brings it about."""

import ast
import json
from functools import cache
from pathlib import Path

import pytest

from controller.rulings import profiles
from controller.rulings.reasons import REASONS
from controller.texts.languages import tables
from tests.controller.rulings.cases import CASES, DATA, OWN_CASES, all_reasons, of_type, push, rules, situation

RULINGS = Path(profiles.__file__).parent
ELSEWHERE = {"reasons.py", "switches.py", "profiles.py"}


@cache
def words_by_function() -> dict[str, set[str]]:
    """The text constants of every function of the rules, by file and name."""
    found = {}
    for path in RULINGS.glob("*.py"):
        if path.name in ELSEWHERE:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                constants = {inner.value for inner in ast.walk(node) if isinstance(inner, ast.Constant)}
                found[f"{path.name}:{node.name}"] = {word for word in constants if isinstance(word, str)}
    return found


def reasons_of_the_cases() -> set[str]:
    given = set()
    for case, profile in of_type("ruling", CASES) + of_type("ruling", OWN_CASES):
        ruling = rules(case, profile).judge(situation(case), push(case))
        given |= {ruling.why, *ruling.numbers} & set(REASONS)
    return given


@pytest.mark.parametrize("reason", REASONS)
def test_a_function_gives_the_reason(reason: str) -> None:
    assert [name for name, words in words_by_function().items() if reason in words], f"no function gives {reason}"


@pytest.mark.parametrize("name", profiles.names())
def test_every_house_cites_a_source_for_every_reason(name: str) -> None:
    citations = profiles.load(name).citations

    assert set(citations) == set(REASONS), "TDA2024.toml cites for all; other houses where they differ"
    assert all(citations.values())


def test_a_case_brings_every_reason_about() -> None:
    assert set(REASONS) - reasons_of_the_cases() == set()


def test_every_step_of_an_explanation_has_a_sentence_and_every_sentence_a_step() -> None:
    source = ast.walk(ast.parse((RULINGS / "explain.py").read_text()))
    steps = {node.value for node in source if isinstance(node, ast.Constant) and str(node.value).startswith("step_")}
    of_the_command = {"step_ruling", "step_other", "step_options", "step_options_raise", "step_options_no_raise"}

    assert steps | of_the_command == set(tables("en")["step"])


def test_every_case_is_ruled_for_the_reason_that_was_read_and_kept() -> None:
    kept = json.loads((DATA / "reasons_of_cases.json").read_text())

    assert all_reasons() == kept, "python -m tests.controller.rulings.cases writes them anew: then read the difference"
