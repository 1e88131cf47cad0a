"""A line of type "table": what comes before, between and after single rulings, as checked values.

`setup` says by its `kind` what is asked; each kind has a struct of its own fields beside its answer. `profile` names a
house of the package; ANY and HOUSE are TDA2024, and `house` sets switches on top of it.
"""

from typing import Any, TypeVar

import msgspec

from betline.rule.fields import Strict, complaint
from controller.errors import CaseError
from controller.rulings.profiles import nearest

T = TypeVar("T", bound=Strict)
NO_HOUSE = frozenset({"any", "house"})  # names of a case file that stand for "no house of its own"


class TableLine(Strict, frozen=True):
    setup: dict[str, Any]
    id: str | int | None = None
    type: str = "table"
    profile: str | None = None
    house: dict[str, Any] = msgspec.field(default_factory=dict)
    # for people and for the tests of the case file
    topic: Any = None
    title: Any = None
    source: Any = None
    also: Any = None
    expected: Any = None
    confidence: Any = None
    contested: Any = None
    arithmetic: Any = None
    note: Any = None

    @property
    def house_name(self) -> str | None:
        """The house that the line names; None: the default one."""
        if self.profile is None or self.profile.casefold() in NO_HOUSE:
            return None if self.profile is None else "TDA2024"
        return self.profile


def table_line(document: dict[str, Any]) -> TableLine:
    """Raises CaseError with the field and what it may be."""
    return _converted(TableLine, document, "")


def setup_of(line: TableLine, kind: type[T]) -> T:
    """The setup as the fields of its kind; a seat may be a text in JSON where it is a name. Raises CaseError."""
    return _converted(kind, {name: value for name, value in line.setup.items() if name != "kind"}, "setup.")


def _converted(kind: type[T], document: dict[str, Any], path: str) -> T:
    for name in document:
        if name not in kind.__struct_fields__:
            raise CaseError(f"{path}{name} is unknown: {nearest(name, kind.__struct_fields__)}")
    try:
        return msgspec.convert(document, kind, strict=False)
    except msgspec.ValidationError as error:
        raise CaseError(path + complaint(str(error), document, {})) from None
