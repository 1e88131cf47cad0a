"""House profiles: TOML files of the switches in `switches.py`, those of the package and those of a house.

A file has a `title`, switches by name and a table `[citations]`, and `extends` another profile by its name or,
beside it, by its file. What it does not say is as in the profile that it extends, or as in TDA 2024.
"""

import difflib
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from controller.rulings.reasons import REASONS
from controller.rulings.switches import Profile

__all__ = ["Profile", "ProfileError", "differences", "load", "names"]

HOUSES = Path(__file__).parent / "houses"
BASE = HOUSES / "TDA2024.toml"
DEPTH = 8  # profiles that extend one another: more is a circle
SWITCHES = tuple(name for name in Profile.__struct_fields__ if name not in {"name", "title", "citations"})


class ProfileError(ValueError):
    """A profile cannot be used as it stands: the text names the file, the key and the cure."""


def load(name_or_path: str) -> Profile:
    """A profile of the package by its name, in any case, or a house's own TOML file. Raises ProfileError."""
    return _decoded(*_document(str(name_or_path), HOUSES, DEPTH))


@cache
def names() -> tuple[str, ...]:
    """The profiles of the package."""
    return tuple(sorted(path.stem for path in HOUSES.glob("*.toml")))


def differences(one: Profile, other: Profile) -> dict[str, tuple[object, object]]:
    """The switches in which two profiles differ."""
    pairs = {switch: (getattr(one, switch), getattr(other, switch)) for switch in SWITCHES}
    return {switch: pair for switch, pair in pairs.items() if pair[0] != pair[1]}


def nearest(word: str, known: tuple[str, ...]) -> str:
    """The nearest right name as a question, or the whole list where none is near."""
    folded = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word.casefold(), folded, n=1)
    return f'did you mean "{folded[close[0]]}"?' if close else f"there are: {', '.join(known)}"


def _path_of(name: str, beside: Path) -> Path:
    if name.endswith(".toml"):
        return beside / name if beside != HOUSES else Path(name)
    by_name = {known.casefold(): known for known in names()}
    known = by_name.get(name.casefold())
    if known is None:
        raise ProfileError(f'no house profile "{name}": {nearest(name, names())}')
    return HOUSES / f"{known}.toml"


def _document(name: str, beside: Path, depth: int) -> tuple[Path, dict[str, Any]]:
    """The file as a table, on top of whatever it extends."""
    path = _path_of(name, beside)
    table = _parsed(path)
    if path == BASE:
        return path, table
    below = table.pop("extends", BASE.stem)
    if not isinstance(below, str):
        raise ProfileError(f'{path}: extends = {below!r} must be a name in quotes, such as "TDA2024"')
    if depth == 0:
        raise ProfileError(f'{path}: extends = "{below}" goes round in a circle: take one of them out')
    inherited = _document(below, path.parent, depth - 1)[1]
    citations = inherited.get("citations", {}) | _citations(path, table)
    return path, {**inherited, **table, "citations": citations}


def _parsed(path: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileError(
            f"{path}: cannot be read ({error.strerror}): name a TOML file or one of {', '.join(names())}"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProfileError(f"{path}: not TOML: {error}") from None
    for key in table:
        if key not in {*SWITCHES, "title", "extends", "citations"}:
            raise ProfileError(
                f'{path}: unknown key "{key}": {nearest(key, (*SWITCHES, "title", "extends", "citations"))}'
            )
    return table


def _citations(path: Path, table: dict[str, Any]) -> dict[str, Any]:
    citations = table.get("citations", {})
    if not isinstance(citations, dict):
        raise ProfileError(f"{path}: citations must be a table [citations]")
    for key in citations:
        if key not in REASONS:
            raise ProfileError(f'{path}: unknown key "citations.{key}": {nearest(key, REASONS)}')
    return citations


def _decoded(path: Path, table: dict[str, Any]) -> Profile:
    _citations(path, table)
    try:
        return msgspec.convert({"name": path.stem, **table}, Profile)
    except msgspec.ValidationError as error:
        raise ProfileError(f"{path}: {_complaint(str(error), table)}") from None


def _complaint(error: str, table: dict[str, Any]) -> str:
    """The error of msgspec in the words of the file: the key, the value, and what it may be."""
    key = error.rpartition("$.")[2].rstrip("`")
    if key in SWITCHES and isinstance(table.get(key), str):
        return f'{key} = "{table[key]}" is not one of its values: {nearest(str(table[key]), _values_of(key))}'
    return f"{key}: {error.partition(' - at')[0]}"


def _values_of(switch: str) -> tuple[str, ...]:
    annotation = msgspec.inspect.type_info(Profile)
    assert isinstance(annotation, msgspec.inspect.StructType)
    kind = next(field.type for field in annotation.fields if field.name == switch)
    return tuple(map(str, kind.values)) if isinstance(kind, msgspec.inspect.LiteralType) else (str(kind),)
