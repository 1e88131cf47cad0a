"""Changes the rules on purpose, one small change at a time, and sees whether the cases notice.

    python -m tests.controller.rulings.mutants [MODULE ...]

prints the changes that no case noticed, one a line, and the count. A process of its own: it rewrites the loaded rules.
"""

import ast
import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import controller.rulings.rules
from tests.controller.rulings import (
    cases,
    test_blinds,
    test_kills,
    test_limits,
    test_posting,
    test_rounds,
    test_structures,
    test_turn,
)
from tests.controller.rulings.cases import ASK, CASES, DATA, OWN_CASES, of_type

FOLDER = Path(controller.rulings.rules.__file__).parent
# in the order of their imports, so that loading them anew reaches every user
# Posting, turns and rounds: no case of a push needs them, so their own tests alone must notice.
ORDER = ("posting", "blinds", "forced_bets", "structures", "turn", "corrections", "kills", "rounds")
RULES = (*ORDER, "limits", "reopening", "facts", "readings", "judged_chips", "undercalls", "silent", "raise_words", "numbers", "words",
         "rules")  # fmt: skip
MUTATED = RULES[:-1]
SWAPS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
SUMS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
}  # fmt: skip

Change = tuple[str, Callable[[Any], object]]


def changes(node: ast.AST) -> Iterator[Change]:
    """Every small change of one node: its name, and how to make it."""
    match node:
        case ast.Compare(ops=[operator]):
            for other in SWAPS.get(type(operator), ()):
                yield f"{type(operator).__name__} to {other.__name__}", lambda n, o=other: n.ops.__setitem__(0, o())
        case ast.BoolOp():
            other_way = ast.Or if isinstance(node.op, ast.And) else ast.And
            yield f"to {other_way.__name__}", lambda n: setattr(n, "op", other_way())
            for place in range(len(node.values)):
                yield (
                    f"without operand {place}",
                    lambda n, p=place: n.values.__setitem__(p, n.values[1 if p == 0 else 0]),
                )
        case ast.BinOp() if type(node.op) in SUMS:
            yield f"to {SUMS[type(node.op)].__name__}", lambda n: setattr(n, "op", SUMS[type(n.op)]())
        case ast.Constant(value=bool()):
            yield "flipped", lambda n: setattr(n, "value", not n.value)
        case ast.Constant(value=int()):
            yield f"{node.value} plus 1", lambda n: setattr(n, "value", n.value + 1)
        case ast.Call(func=ast.Name(id="min" | "max")):
            yield "min and max swapped", lambda n: setattr(n.func, "id", "max" if n.func.id == "min" else "min")
        case ast.If() | ast.IfExp():
            for truth in (True, False):
                yield f"if {truth}", lambda n, t=truth: setattr(n, "test", ast.Constant(t))


def mutants(source: str) -> Iterator[tuple[str, ast.Module]]:
    lines = source.splitlines()
    for place, node in enumerate(ast.walk(ast.parse(source))):
        for number, (name, _) in enumerate(changes(node)):
            tree = ast.parse(source)
            target = list(ast.walk(tree))[place]
            list(changes(target))[number][1](target)
            yield f"{name}: {lines[node.lineno - 1].strip()}", ast.fix_missing_locations(tree)  # type: ignore[attr-defined]


def loaded(name: str) -> ModuleType:
    return sys.modules[f"controller.rulings.{name}"]


def load(mutated: str | None = None, tree: ast.Module | None = None) -> None:
    """All the rules anew, one of them changed."""
    for name in RULES:
        if name == mutated and tree is not None:
            exec(compile(tree, f"{name}.py", "exec"), loaded(name).__dict__)
        else:
            importlib.reload(loaded(name))
    cases.Rules = loaded("rules").Rules  # type: ignore[misc]


PREPARED = [(case, name, cases.situation(case)) for kind in ("ruling", "options")
            for case, name in of_type(kind) + of_type(kind, OWN_CASES)]  # fmt: skip
KEPT = json.loads((DATA / "reasons_of_cases.json").read_text())
RULED = ("action", "total_to", "change_due", "must_add", "reopens", "all_in")
OFFERED = ("to_call", "can_raise", "min_raise_to", "max_raise_to")


def same(value: object, names: tuple[str, ...], expected: dict[str, Any]) -> bool:
    return all(getattr(value, name) == expected[name] for name in names)


def is_as_expected(case: dict[str, Any], profile: str, situation: Any) -> bool:
    expected = case["expected"]
    house = cases.rules(case, profile)
    if case["type"] == "options":
        return same(house.options(situation), OFFERED, expected)
    ruling = house.judge(situation, cases.push(case))
    if cases.reason(case, profile) != KEPT[case["id"]][profile] or ruling.disputed != bool(ruling.readings):
        return False
    if expected["action"] != ASK:
        return ruling.chosen is not None and same(ruling.chosen, RULED, expected)
    pairs = zip(ruling.readings, expected["alternatives"], strict=True)
    return all(same(reading, tuple(way), way) for reading, way in pairs)


def unit_tests_hold() -> bool:
    for module in (test_limits, test_posting, test_blinds, test_structures, test_turn, test_kills, test_rounds):
        importlib.reload(module)
        for name, test in vars(module).items():
            if name.startswith("test_"):
                for arguments in of_test(test):
                    test(**arguments)
    return True


def of_test(test: Any) -> list[dict[str, Any]]:
    """The arguments of every run of a test, as its `parametrize` has them."""
    marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    if not marks:
        return [{}]
    (mark,) = marks
    names = mark.args[0].replace(" ", "").split(",") if isinstance(mark.args[0], str) else mark.args[0]
    return [dict(zip(names, (value,) if len(names) == 1 else value, strict=True)) for value in mark.args[1]]


def is_unnoticed(module: str = "") -> bool:
    try:
        if module not in ORDER and not all(is_as_expected(*prepared) for prepared in PREPARED):
            return False
        return unit_tests_hold()
    except Exception:  # noqa: BLE001  -- a mutant that breaks is noticed
        return False


def survivors(modules: tuple[str, ...] = MUTATED) -> tuple[int, list[str]]:
    """How many changes were made, and those that nobody noticed."""
    assert len(CASES) == 249
    load()
    assert is_unnoticed(), "the cases fail without any change"
    made, left = 0, []
    for module in modules:
        for name, tree in mutants((FOLDER / f"{module}.py").read_text()):
            load(module, tree)
            made += 1
            if is_unnoticed(module):
                left.append(f"{module}: {name}")
    load()
    return made, left


if __name__ == "__main__":
    count, unnoticed = survivors(tuple(sys.argv[1:]) or MUTATED)
    print(json.dumps({"changes": count, "unnoticed": unnoticed}, indent=1))
