"""SECURITY.md claims nothing without a test: each that it names is there."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "SECURITY.md").read_text()
PEOPLE = ("A player", "A guest on the Wi-Fi", "A dealer", "The thief of the card", "The maker of a cloned tag")


def claims_of_tests() -> set[str]:
    trees = [ast.parse(path.read_text()) for path in (ROOT / "tests").rglob("test_*.py")]
    return {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def rows(section: str) -> list[list[str]]:
    lines = section.splitlines()
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("|") and not line.startswith(("| ---", "| he |"))
    ]


def test_every_test_that_it_names_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    assert len(named) > 30
    assert named - claims_of_tests() == set()


def test_each_claim_of_each_person_has_a_test_or_says_plainly_what_he_can() -> None:
    sections = {part.partition("\n")[0]: part for part in TEXT.split("\n## ")}
    for person in PEOPLE:
        claims = rows(sections[person])
        assert len(claims) >= 5, person
        for what, outcome, shown in claims:
            assert "`test_" in shown or "**" in outcome, f"{person}: {what}: no test shows it"
