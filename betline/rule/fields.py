"""What the fields of a case line are made of, and what is said of one that is wrong."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from controller.rulings.profiles import nearest
from controller.rulings.values import MOST

Amount = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Chip = Annotated[int, msgspec.Meta(gt=0, le=MOST)]
SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=100)]


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Unknown fields are found first, then named and left out."""


def complaint(error: str, document: dict[str, Any], vocabulary: Mapping[str, tuple[str, ...]]) -> str:
    """The error of msgspec in the words of the case: field, what it is, what it may be."""
    what, _, where = error.partition(" - at ")
    field = where.strip("`").removeprefix("$.").removeprefix("$")
    value: Any = document
    for part in field.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    if field in vocabulary and isinstance(value, str):
        return f'{field} "{value}" is unknown: {nearest(value, vocabulary[field])}'
    what = what[:1].lower() + what[1:].replace("`", "").replace(" | null", "")
    return f"{field}: {what}" if field else what
