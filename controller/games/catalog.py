"""The games of the package: one TOML file each beside this one, read once into frozen values.

A file may say `extends = "omaha"`: it has all of that game's but what it says itself, streets as a whole. `code` is the
game's part of PHH's codes; the letter of the betting structure goes before it: "T" gives NT, FT and PT.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from controller.games.game import Game, with_totals
from controller.rulings.values import StructureType

FOLDER = Path(__file__).parent
USUAL = "holdem"  # what was played where nobody said what
LETTERS: dict[StructureType, str] = {"NL": "N", "FL": "F", "PL": "P", "HP": "H", "spread": "S"}


@cache
def names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def game(name: str = USUAL) -> Game:
    """A game of the package by the name of its file."""
    return made_of(name, _table(name))


def made_of(name: str, table: dict[str, Any]) -> Game:
    """A game of the table that its file is. Raises msgspec.ValidationError, which names the key."""
    rows = {key: value for key, value in table.items() if key not in ("street", "code")}
    code = table.get("code", "")
    codes = {structure: letter + code for structure, letter in LETTERS.items()}
    streets = table.get("street", [])
    return with_totals(msgspec.convert({"name": name, "streets": streets, "codes": codes, **rows}, Game))


def _table(name: str) -> dict[str, Any]:
    table = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    extended = table.pop("extends", None)
    return {**_table(extended), **table} if extended else table


@cache
def variants() -> dict[str, tuple[Game, StructureType]]:
    """Every code under which a game of the package can be played: the game, and its betting structure."""
    return {code: (game(name), structure) for name in names() for structure, code in game(name).codes.items()}
