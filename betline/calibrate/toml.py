"""Changing values in a table.toml without touching its comments, its order or its spacing. Pure."""

import re
import tomllib
from collections.abc import Mapping
from copy import deepcopy
from difflib import unified_diff
from typing import Any

from controller.errors import ConfigError

Antenna = tuple[str, int]
Number = int | float

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")


def changed(text: str, antennas: Mapping[Antenna, Mapping[str, Number]], reading: Mapping[str, Number]) -> str:
    """The text with these keys of [[antenna]] sections and of [reading] set.

    Proven by reading it again: it says what it said before, and the new values. `ConfigError`: it is written in a way
    that cannot be changed line by line, as in an inline array; then it names what to write by hand.
    """
    lines = text.splitlines(keepends=True)
    blocks = _blocks(lines)
    for start, end, name in reversed(blocks):
        if name == "reading" and reading:
            lines[start:end] = _with(lines[start:end], reading)
        elif name == "antenna" and (wanted := antennas.get(_antenna(lines[start:end]))):
            lines[start:end] = _with(lines[start:end], wanted)
    if reading and not any(name == "reading" for _, _, name in blocks):
        lines += ["\n", "[reading]\n", *(f"{key} = {value}\n" for key, value in reading.items())]
    fresh = "".join(lines)
    if not _says(fresh, _expected(text, antennas, reading)):
        raise ConfigError(f"table.toml is not written section by section: write by hand: {_by_hand(antennas, reading)}")
    return fresh


def patch(old: str, new: str, name: str) -> str:
    """What changes, as `patch` and people read it."""
    return "".join(unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), name, name))


def _blocks(lines: list[str]) -> list[tuple[int, int, str]]:
    """First line, line behind the last, and name of each section."""
    starts = [(number, found[2]) for number, line in enumerate(lines) if (found := _HEADER.match(line))]
    ends = [*(number for number, _ in starts), len(lines)][1:]
    return [(start, end, name) for (start, name), end in zip(starts, ends, strict=True)]


def _antenna(block: list[str]) -> Antenna:
    try:
        (section,) = tomllib.loads("".join(block))["antenna"]
        return str(section["reader"]), int(section["number"])
    except (tomllib.TOMLDecodeError, KeyError, ValueError, TypeError):
        return "", -1


def _with(block: list[str], wanted: Mapping[str, Number]) -> list[str]:
    """A section with these keys set: in their place where they stand, else behind its last key."""
    block = list(block)
    for key, value in wanted.items():
        pattern = re.compile(rf"^(\s*{re.escape(key)}\s*=\s*)([^#\n]*?)(\s*)(#.*)?(\r?\n)?$")
        place = next((n for n, line in enumerate(block) if pattern.match(line)), None)
        if place is None:
            last = max((n for n, line in enumerate(block) if n and line.strip() and line.lstrip()[0] != "#"), default=0)
            if not block[last].endswith("\n"):
                block[last] += "\n"
            block.insert(last + 1, f"{key} = {value}\n")
        else:
            block[place] = _replaced(pattern, block[place], value)
    return block


def _replaced(pattern: re.Pattern[str], line: str, value: Number) -> str:
    """The line with another value; a comment behind it stays in its column where it can."""
    found = pattern.match(line)
    assert found is not None
    head, old, space, comment, end = (part or "" for part in found.groups())
    if comment:
        space = " " * max(1, len(old) + len(space) - len(str(value)))
    return f"{head}{value}{space}{comment}{end}"


def _expected(text: str, antennas: Mapping[Antenna, Mapping[str, Number]], reading: Mapping[str, Number]) -> Any:
    document = deepcopy(tomllib.loads(text))
    for section in document.get("antenna", ()):
        section.update(antennas.get((section.get("reader"), section.get("number")), {}))
    if reading:
        document.setdefault("reading", {}).update(reading)
    return document


def _says(text: str, expected: Any) -> bool:
    try:
        return bool(tomllib.loads(text) == expected)
    except tomllib.TOMLDecodeError:
        return False


def _by_hand(antennas: Mapping[Antenna, Mapping[str, Number]], reading: Mapping[str, Number]) -> str:
    parts = [f"[reading] {key} = {value}" for key, value in reading.items()]
    for (reader, number), wanted in antennas.items():
        parts.append(f"antenna {number} of {reader}: " + ", ".join(f"{key} = {value}" for key, value in wanted.items()))
    return "; ".join(parts)
