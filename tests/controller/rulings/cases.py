"""The case file as values of the rules, read here a second time and without the reader of `betline rule`."""

import json
from pathlib import Path
from typing import Any

import msgspec

from controller.games.street_names import LAST
from controller.rulings.profiles import load, names
from controller.rulings.rules import Rules
from controller.rulings.values import Push, Situation, Structure, Word

DATA = Path(__file__).parents[2] / "data"
CASES: list[dict[str, Any]] = json.loads((DATA / "rule_cases.json").read_text())["cases"]
OWN_CASES: list[dict[str, Any]] = json.loads((DATA / "own_rule_cases.json").read_text())["cases"]
ASK = "invalid_td_discretion"


def of_type(kind: str, cases: list[dict[str, Any]] = CASES) -> list[tuple[dict[str, Any], str]]:
    """Every case of a type with every profile that it names."""
    return [(case, name) for case in cases if case["type"] == kind for name in case["profiles"] if name in names()]


def label(pair: object) -> str:
    return f"{pair[0]['id']}-{pair[1]}" if isinstance(pair, tuple) else str(pair)


def rules(case: dict[str, Any], profile: str) -> Rules:
    """The house, with the switches that one of our own cases changes."""
    return Rules(msgspec.structs.replace(load(profile), **case.get("switches", {})))


def situation(case: dict[str, Any]) -> Situation:
    fields = {key: value for key, value in case["context"].items() if key in Situation.__struct_fields__}
    fields = {key: value for key, value in fields.items() if value is not None}
    structure = dict(case["structure"])
    if structure.pop("heads_up_at_round_start", False):
        fields["heads_up_at_round_start"] = True
    fields.setdefault("last_full_raise", fields["min_bet"])
    fields |= {"structure": msgspec.convert(structure, Structure), "last_street": case["street"] in LAST}
    return msgspec.convert(fields, Situation)


def push(case: dict[str, Any]) -> Push:
    said = case["declaration"]
    word = said and Word(said["kind"], said["amount"], said["form"], tuple(case.get("readings", ())))
    motions = tuple(tuple(motion) for motion in case["pushed"])
    return Push(motions, tuple(case["pulled_back"]), word, gathered=case.get("gathered", False))


def reason(case: dict[str, Any], profile: str) -> list[Any]:
    """The reason, what it cites, its numbers, and the other readings: what `reasons_of_cases.json` keeps for every ruling."""
    ruling = rules(case, profile).judge(situation(case), push(case))
    others = [f"{other.action} {other.total_to}" for other in ruling.readings]
    cited = None if ruling.chosen is None else ruling.chosen.rule
    return [ruling.why, cited, ruling.numbers, *others]


def all_reasons() -> dict[str, dict[str, list[Any]]]:
    found: dict[str, dict[str, list[Any]]] = {}
    for case, profile in of_type("ruling") + of_type("ruling", OWN_CASES):
        found.setdefault(case["id"], {})[profile] = reason(case, profile)
    return found


if (
    __name__ == "__main__"
):  # writes the reasons anew: python -m tests.controller.rulings.cases; then read the difference
    rows = ",\n".join(f"{json.dumps(case)}: {json.dumps(by_house)}" for case, by_house in all_reasons().items())
    (DATA / "reasons_of_cases.json").write_text("{\n" + rows + "\n}\n")
