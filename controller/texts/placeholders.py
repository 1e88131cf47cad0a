"""What stands in braces in a text: the name of what is filled in, and forms of a word beside a number. Pure."""

import string
from typing import Any


class TextError(ValueError):
    """A text cannot be filled: which, and how it is written."""


def names(text: str) -> frozenset[str]:
    """Every name in braces; TextError where something else stands there."""
    try:
        parts = [(name, spec, conversion) for _, name, spec, conversion in string.Formatter().parse(text)]
    except ValueError as error:
        raise TextError(f"{text!r}: {error}: write a brace that is no placeholder twice") from error
    found = [(name, spec, conversion) for name, spec, conversion in parts if name is not None]
    for name, spec, conversion in found:
        if not name.isidentifier() or conversion or (spec and "|" not in spec):
            raise TextError(f'{text!r}: {{{name}}}: write a name alone, "{{n}}", or with forms, "{{n:chip|chips}}"')
    return frozenset(name for name, _, _ in found)


def check(own: dict[str, Any], english: dict[str, Any], where: str = "") -> None:
    """TextError where texts of a file are not built as the English ones; what it lacks, or has besides, is no fault.

    A name that the English text has not is never filled, so nothing may ask for it.
    """
    for key, mine in own.items():
        place, theirs = f"{where}, key {key!r}" if where else f"key {key!r}", english.get(key)
        if isinstance(theirs, dict) and isinstance(mine, dict):
            check(mine, theirs, place)
        elif isinstance(theirs, str):
            _check_text(mine, theirs, place)


def _check_text(mine: object, english: str, place: str) -> None:
    if not isinstance(mine, str):
        raise TextError(f"{place} is no text: put it in quotation marks")
    try:
        unknown = names(mine) - names(english)
    except TextError as error:
        raise TextError(f"{place}: {error}") from error
    if unknown:
        there = ", ".join(f"{{{name}}}" for name in sorted(names(english))) or "none"
        raise TextError(f"{place}: nothing fills {{{min(unknown)}}}: there is {there}")
