"""A parsed TOML document to checked values. Every error names the section, the key and the cure, in one line.

Pure and of no particular file: the document is a dict as tomllib gives it, the wanted shape is a msgspec Struct.
"""

import difflib
import re
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from controller.errors import ConfigError

T = TypeVar("T")
MAX_TEXT = 500  # characters: the longest path that people write, and more
Path = tuple[str | int, ...]  # ("antenna", 3, "place")
_TYPE_NAMES = {
    "int": "a whole number",
    "float": "a number",
    "str": "text in quotes",
    "bool": "true or false",
    "array": "a list in brackets",
    "object": "a section",
    "datetime": "a date",
    "date": "a date",
    "time": "a time",
}
_AT = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)
_STEP = re.compile(r"\.([\w-]+)|\[(\d+)\]")


def convert(document: Mapping[str, Any], shape: type[T]) -> T:
    """The document as a value of this shape; ConfigError for unknown keys, wrong types and missing keys."""
    _refuse_unknown(document, inspect.type_info(shape), ())
    _refuse_odd_text(document, ())
    try:
        return msgspec.convert(document, shape)
    except msgspec.ValidationError as error:
        raise ConfigError(_explain(str(error), document, inspect.type_info(shape))) from error


def place(path: Path) -> str:
    """Where a value stands, as people see it in the file: "[[antenna]] no. 3, key 'seat'"."""
    match path:
        case ():
            return "the file"
        case (str(key),):
            return f"key {key!r}"
        case (str(section), int(index)):
            return f"[[{section}]] no. {index + 1}"
        case (str(section), int(index), *rest):
            return f"[[{section}]] no. {index + 1}, key {_dotted(rest)!r}"
        case (section, *rest):
            return f"[{section}], key {_dotted(rest)!r}"
    raise AssertionError(path)


def near(word: str, known: Collection[str]) -> str:
    """A hint ("did you mean X? ") where something is near, else nothing."""
    found = difflib.get_close_matches(word, known, 1, 0.5)
    return f"did you mean {found[0]!r}? " if found else ""


def _dotted(path: list[str | int]) -> str:
    return ".".join(str(step + 1 if isinstance(step, int) else step) for step in path)


def _refuse_unknown(value: object, shape: inspect.Type, path: Path) -> None:
    if isinstance(shape, inspect.StructType) and isinstance(value, dict):
        fields = {field.encode_name: field.type for field in shape.fields}
        for key, inner in value.items():
            if key not in fields:
                where = f" in {_section(path)}" if path else ""
                raise ConfigError(f"unknown key {key!r}{where}: {near(key, fields)}Known are {', '.join(fields)}")
            _refuse_unknown(inner, fields[key], (*path, key))
    elif isinstance(shape, inspect.VarTupleType) and isinstance(value, list):
        for index, inner in enumerate(value):
            _refuse_unknown(inner, shape.item_type, (*path, index))


def _refuse_odd_text(value: object, path: Path) -> None:
    """No name, word or path is blank, endless or has control characters; in a log or on a screen they do harm."""
    if isinstance(value, dict):
        for key, inner in value.items():
            _refuse_odd_text(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _refuse_odd_text(inner, (*path, index))
    elif isinstance(value, str) and value:
        odd = next((letter for letter in value if not letter.isprintable()), None)
        if odd is not None:
            raise ConfigError(f"{place(path)}: holds the character U+{ord(odd):04X}: write it without")
        if len(value) > MAX_TEXT or not value.strip():
            what = f"has {len(value)} characters, more than {MAX_TEXT}" if value.strip() else "is blank"
            raise ConfigError(f"{place(path)}: {what}: mend it")


def _section(path: Path) -> str:
    return f"[{path[0]}]" if len(path) == 1 else place(path)


def _explain(message: str, document: object, shape: inspect.Type) -> str:
    """The error of msgspec in the words of the file."""
    found = _AT.match(message)
    assert found is not None
    path, what = _path(found["path"] or ""), found["what"]
    missing = re.fullmatch(r"Object missing required field `(.+)`", what)
    if missing:
        return f"{_section(path)}: key {missing[1]!r} is missing: add it"
    value = _value_at(document, path)
    if what.startswith("Invalid enum value"):
        choices = _choices(shape, path)
        return f"{place(path)}: {value!r:.60} is not possible: {near(str(value), choices)}Use {', '.join(choices)}"
    what = re.sub(
        r"`([^`]+)`", lambda m: " or ".join(_TYPE_NAMES.get(t, t) for t in m[1].split(" | ") if t != "null"), what
    )
    return f"{place(path)}: {what[:1].lower()}{what[1:]}{_cure(what, value, path)}"


def _cure(what: str, value: object, path: Path) -> str:
    if isinstance(value, float):
        return f": mend {value}"
    if isinstance(value, bool | int | str):
        return f": mend {msgspec.json.encode(value).decode():.60}"
    if what.startswith("Expected a section"):
        return f": write [{path[0]}], once"
    if what.startswith("Expected a list") and isinstance(value, dict):
        return f": write [[{path[0]}]] over each"
    return ": mend it"


def _path(text: str) -> Path:
    """`.antenna[3].place` as its steps; a step of "[...]" (some key of a free table) ends it."""
    known = text.partition("[...]")[0]
    return tuple(key or int(index) for key, index in _STEP.findall(known))


def _value_at(document: object, path: Path) -> object:
    for step in path:
        try:
            document = document[step]  # type: ignore[index]  # the path comes from the same document
        except (KeyError, IndexError, TypeError):
            return document
    return document


def _choices(shape: inspect.Type, path: Path) -> tuple[str, ...]:
    for step in path:
        if isinstance(shape, inspect.StructType):
            shape = next(field.type for field in shape.fields if field.encode_name == step)
        elif isinstance(shape, inspect.VarTupleType):
            shape = shape.item_type
    return _names(shape)


def _names(shape: inspect.Type) -> tuple[str, ...]:
    match shape:
        case inspect.EnumType():
            return tuple(str(member.value) for member in shape.cls)
        case inspect.LiteralType():
            return tuple(str(value) for value in shape.values)
        case inspect.UnionType():
            return tuple(name for member in shape.types for name in _names(member))
        case inspect.IntType():
            return ("a whole number",)
        case _:
            return ()
