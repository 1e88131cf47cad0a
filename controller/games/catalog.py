"""The games of the package: one TOML file each beside this one, read once into frozen values."""

from functools import cache
from pathlib import Path

from controller.games import reading
from controller.games.game import Game
from controller.rulings.values import StructureType

FOLDER = Path(__file__).parent
USUAL = "holdem"  # what was played where nobody said what


@cache
def names() -> tuple[str, ...]:
    return reading.names(FOLDER)


@cache
def game(name: str = USUAL) -> Game:
    """A game of the package by the name of its file."""
    return reading.read(name, FOLDER)


@cache
def variants() -> dict[str, tuple[Game, StructureType]]:
    """Every code under which a game of the package can be played: the game, and its betting structure."""
    return {code: (game(name), structure) for name in names() for structure, code in game(name).codes.items()}
