"""House profiles: TOML files of the switches in `switches.py`, those of the package and those of a house.

A file has a `title`, switches by name and a table `[citations]`, and `extends` another profile by its name or,
beside it, by its file. What it does not say is as in the profile that it extends, or as in TDA 2024.
"""

import ast
import difflib
import inspect
import itertools
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard

import msgspec

from controller.rulings.reasons import REASONS
from controller.rulings.switches import Profile

__all__ = ["SWITCHES", "Profile", "ProfileError", "differences", "load", "meanings", "names"]

HOUSES = Path(__file__).parent / "houses"
BASE = HOUSES / "TDA2024.toml"
SWITCHES_SOURCE = Path(__file__).parent / "switches.py"
DEPTH = 8  # profiles that extend one another: more is a circle
SWITCHES = tuple(name for name in Profile.__struct_fields__ if name not in {"name", "title", "citations"})


class ProfileError(ValueError):
    """A profile cannot be used as it stands: the text names the file, the key and the cure."""


def load(name_or_path: str) -> Profile:
    """A profile of the package by its name, in any case, or a house's own TOML file. Raises ProfileError."""
    path = _path_of(name_or_path, Path())
    return _of_the_package(path) if path.parent == HOUSES else _decoded(path, _document(path, DEPTH))


@cache
def names() -> tuple[str, ...]:
    """The profiles of the package."""
    return tuple(sorted(path.stem for path in HOUSES.glob("*.toml")))


@cache
def meanings() -> dict[str, str]:
    """What each switch means, its values and their sources: the docstrings of `switches.py`."""
    (profile,) = [node for node in ast.parse(SWITCHES_SOURCE.read_text(encoding="utf-8")).body if _is_profile(node)]
    found = {}
    for field, text in itertools.pairwise(profile.body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(meaning))):
                found[name] = inspect.cleandoc(meaning)
    return found


def _is_profile(node: ast.stmt) -> TypeGuard[ast.ClassDef]:
    return isinstance(node, ast.ClassDef) and node.name == Profile.__name__


def differences(one: Profile, other: Profile) -> dict[str, tuple[object, object]]:
    """The switches in which two profiles differ."""
    pairs = {switch: (getattr(one, switch), getattr(other, switch)) for switch in SWITCHES}
    return {switch: pair for switch, pair in pairs.items() if pair[0] != pair[1]}


@cache
def _of_the_package(path: Path) -> Profile:
    return _decoded(path, _document(path, DEPTH))


def nearest(word: str, known: tuple[str, ...]) -> str:
    """The nearest right name as a question, or the whole list where none is near."""
    folded = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word.casefold(), folded, n=1)
    return f'did you mean "{folded[close[0]]}"?' if close else f"there are: {', '.join(known)}"


def _path_of(name: str, beside: Path) -> Path:
    if name.endswith(".toml"):
        return beside / name
    by_name = {known.casefold(): known for known in names()}
    known = by_name.get(name.casefold())
    if known is None:
        raise ProfileError(f'no house profile "{name}": {nearest(name, names())}')
    return HOUSES / f"{known}.toml"


def _document(path: Path, depth: int) -> dict[str, Any]:
    """The file as a table, on top of whatever it extends."""
    table = _parsed(path)
    if path == BASE:
        return table
    below = table.pop("extends", BASE.stem)
    if not isinstance(below, str):
        raise ProfileError(f'{path}: extends = {below!r} must be a name in quotes, such as "TDA2024"')
    if depth == 0:
        raise ProfileError(f'{path}: extends = "{below}" goes round in a circle: take one of them out')
    try:
        below_path = _path_of(below, path.parent)
    except ProfileError as error:
        raise ProfileError(f"{path}: extends: {error}") from None
    inherited = _document(below_path, depth - 1)
    citations = inherited.get("citations", {}) | _citations(path, table)
    return {**inherited, **table, "citations": citations}


def _parsed(path: Path) -> dict[str, Any]:
    try:
        if path.exists() and not path.is_file():
            raise ProfileError(f"{path}: is no file: name a TOML file or one of {', '.join(names())}")
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ProfileError(
            f"{path}: cannot be read ({error.strerror}): name a TOML file or one of {', '.join(names())}"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProfileError(f"{path}: not TOML: {error}: mend that place, and save it as UTF-8") from None
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
    what, _, where = error.partition(" - at ")
    key = where.strip("`").removeprefix("$.")
    values = _values_of(key)
    if values and isinstance(table.get(key), str):
        return f'{key} = "{table[key]}" is not one of its values: {nearest(str(table[key]), values)}'
    return f"{key}: {what[:1].lower()}{what[1:]}".replace("`", "")


def _values_of(switch: str) -> tuple[str, ...]:
    """The words that a switch may be set to; none where it is a number or a yes and no."""
    annotation = msgspec.inspect.type_info(Profile)
    assert isinstance(annotation, msgspec.inspect.StructType)
    kinds = [field.type for field in annotation.fields if field.name == switch]
    return tuple(str(value) for kind in kinds if isinstance(kind, msgspec.inspect.LiteralType) for value in kind.values)
