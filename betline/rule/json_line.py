"""The JSON of a case line: one object, and no name in it twice."""

import json
import re
from typing import Any

import msgspec

from controller.errors import CaseError

END_OF_NAME = re.compile(rb'"\s*:')
KINDS = {
    "NoneType": "null",
    "bool": "true or false",
    "int": "a number",
    "float": "a number",
    "str": "a text",
    "list": "a list",
}


def document_of(line: bytes) -> dict[str, Any]:
    """The object of one line. Raises CaseError for what is no JSON, no object, or ambiguous."""
    try:
        document = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CaseError(f"not JSON: {error}; one case a line, as one object") from None
    except RecursionError:
        raise CaseError("nested too deep; a case is one flat object") from None
    if not isinstance(document, dict):
        raise CaseError(f"a case is one JSON object, this is {KINDS[type(document).__name__]}")
    return document


def id_of(line: bytes) -> str | int | None:
    """The id of a line that cannot be judged, where one can be read."""
    try:
        document = document_of(line)
    except CaseError:
        return None
    name = document.get("id")
    return name if isinstance(name, str | int) else None


def refuse_doubles(line: bytes, document: dict[str, Any]) -> None:
    """A name twice in one object has two meanings: a decoder keeps the last one, and a ruling would hide the other.

    A quote before a colon ends a name, so a line with as many of them as names has none twice; the others (a text may
    hold such a pair too) are read once more.
    """
    if len(END_OF_NAME.findall(line)) != names_in(document):
        try:
            json.loads(line, object_pairs_hook=without_doubles)
        except RecursionError:
            raise CaseError("nested too deep; a case is one flat object") from None


def names_in(value: object) -> int:
    """How many names the objects in `value` have, at any depth."""
    if isinstance(value, dict):
        return len(value) + sum([names_in(inner) for inner in value.values() if isinstance(inner, dict | list)])
    if isinstance(value, list):
        return sum([names_in(inner) for inner in value if isinstance(inner, dict | list)])
    return 0


def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise CaseError(f'"{name}" is there twice: leave the one that counts')
        found[name] = value
    return found
