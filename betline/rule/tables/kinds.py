"""Which kinds of table line are answered, and where: one line a kind. Each answer asks the functions that play."""

from collections.abc import Callable
from typing import Any

from betline.rule.tables import pots
from betline.rule.tables.line import TableLine
from controller.errors import CaseError
from controller.rulings.profiles import nearest
from controller.rulings.switches import Profile

KINDS: dict[str, Callable[[TableLine, Profile], dict[str, Any]]] = {
    "pots": pots.pots,
}


def table_answer(line: TableLine, profile: Profile) -> dict[str, Any]:
    """One table line answered. Raises CaseError where it is impossible."""
    kind = line.setup.get("kind")
    if not isinstance(kind, str):
        raise CaseError(f"setup.kind is missing: {', '.join(KINDS)}")
    if kind not in KINDS:
        raise CaseError(f'setup.kind "{kind}" is unknown: {nearest(kind, tuple(KINDS))}')
    return KINDS[kind](line, profile)
