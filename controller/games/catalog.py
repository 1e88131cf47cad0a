"""The games of the package: one TOML file each beside this one, read once into frozen values; and a house's own."""

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


_of_the_house: dict[str, tuple[Game, StructureType]] = {}


def admit(variant: str, folder: str) -> None:
    """A house's own game may be played under the name of its file. Raises reading.GameError.

    "mine.toml" is no limit; behind the letter of a structure, as in "P mine.toml", it is that: pot limit.
    """
    structures = {letter: structure for structure, letter in reading.LETTERS.items()}
    first, _, rest = variant.partition(" ")
    structure, file = (structures[first], rest) if rest and first in structures else ("NL", variant)
    _of_the_house[variant] = reading.read(str(Path(folder) / file), FOLDER), structure


def played(variant: str) -> tuple[Game, StructureType]:
    """The game of a code or of a house's own file, and its betting structure. Raises KeyError where there is none."""
    return _of_the_house.get(variant) or variants()[variant]
