"""The games of the package: one TOML file each beside this one, read once into frozen values."""

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from controller.games.game import Game, with_totals
from controller.rulings.values import StructureType

FOLDER = Path(__file__).parent
USUAL = "holdem"  # what was played where nobody said what


@cache
def names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def game(name: str = USUAL) -> Game:
    """A game of the package by the name of its file."""
    table = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return with_totals(msgspec.convert({"name": name, "streets": table.pop("street"), **table}, Game))


@cache
def variants() -> dict[str, tuple[Game, StructureType]]:
    """Every code under which a game of the package can be played: the game, and its betting structure."""
    return {code: (game(name), structure) for name in names() for structure, code in game(name).codes.items()}
