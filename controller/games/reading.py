"""Reads the file of a game, and says what is wrong with it: the file, the key, and the cure.

A file may say `extends = "omaha"`, or `extends = "mine.toml"` for one beside it: it has all of that game's but what it
says itself, streets as a whole. `code` is the game's part of PHH's codes; the letter of the betting structure goes
before it: "T" gives NT, FT and PT. A file without one has its name as code: no two games share one.
"""

import difflib
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from controller.games.game import Game, Street, with_totals
from controller.rulings.values import StructureType

FOLDER = Path(__file__).parent
LETTERS: dict[StructureType, str] = {"NL": "N", "FL": "F", "PL": "P", "HP": "H", "spread": "S"}
DEPTH = 8  # games that extend one another: more is a circle
MOST_SEATS = 10
CARDS = {"52": 52, "36": 36}
WORKED_OUT = {"name", "streets", "hole_cards", "board_cards", "board_so_far", "is_last"}
STREET_KEYS = tuple(key for key in Street.__struct_fields__ if key not in WORKED_OUT - {"name"})
KEYS = ("extends", "code", "street", *(key for key in Game.__struct_fields__ if key not in WORKED_OUT))


class GameError(ValueError):
    """A file is no game: the text names the file, the key and the cure."""


def names(folder: Path = FOLDER) -> tuple[str, ...]:
    """The games of a folder, by the names of their files."""
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


def read(name_or_path: str, folder: Path = FOLDER) -> Game:
    """A game of the package by its name, in any case, or a file of one's own. Raises GameError."""
    path = _path_of(name_or_path, Path(), folder)
    table = _document(path, folder, DEPTH)
    try:
        made = made_of(path.stem, table)
    except msgspec.ValidationError as error:
        raise GameError(f"{path}: {_complaint(str(error), table)}") from None
    for complaint in faults(made):
        raise GameError(f"{path}: {complaint}")
    return made


def made_of(name: str, table: dict[str, Any]) -> Game:
    """A game of the table that its file is. Raises msgspec.ValidationError, which names the key."""
    rows = {key: value for key, value in table.items() if key not in ("street", "code")}
    code = table.get("code", name.upper())
    codes = {structure: f"{letter}{code}" for structure, letter in LETTERS.items()}
    streets = table.get("street", [])
    return with_totals(msgspec.convert({"name": name, "streets": streets, "codes": codes, **rows}, Game))


# ---------------------------------------------------------------- what stands in it
def _path_of(name: str, beside: Path, folder: Path) -> Path:
    if name.endswith(".toml"):
        return beside / name
    by_name = {known.casefold(): known for known in names(folder)}
    known = by_name.get(name.casefold())
    if known is None:
        raise GameError(f'no game "{name}": {nearest(name, names(folder))}')
    return folder / f"{known}.toml"


def _document(path: Path, folder: Path, depth: int) -> dict[str, Any]:
    """The file as a table, on top of whatever it extends."""
    table = _parsed(path)
    below = table.pop("extends", None)
    if below is None:
        return table
    if not isinstance(below, str):
        raise GameError(f'{path}: extends = {below!r} must be a name in quotes, such as "omaha"')
    if depth == 0:
        raise GameError(f'{path}: extends = "{below}" goes round in a circle: take one of them out')
    try:
        below_path = _path_of(below, path.parent, folder)
    except GameError as error:
        raise GameError(f"{path}: extends: {error}") from None
    inherited = {key: value for key, value in _document(below_path, folder, depth - 1).items() if key != "code"}
    return {**inherited, **table}


def _parsed(path: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise GameError(f"{path}: cannot be read ({error.strerror}): name a TOML file or a game") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise GameError(f"{path}: not TOML: {error}: mend that place, and save it as UTF-8") from None
    _check_keys(path, "", table, KEYS)
    streets = table.get("street", [])
    if not isinstance(streets, list) or not all(isinstance(street, dict) for street in streets):
        raise GameError(f"{path}: street must be rows: write [[street]] above each")
    for number, street in enumerate(streets, 1):
        _check_keys(path, f"street {number}: ", street, STREET_KEYS)
    return table


def _check_keys(path: Path, where: str, table: dict[str, Any], known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            raise GameError(f'{path}: {where}unknown key "{key}": {nearest(key, known)}')


def nearest(word: str, known: Iterable[str]) -> str:
    """The nearest right name as a question, or all of them where none is near."""
    every = tuple(known)
    close = difflib.get_close_matches(word.casefold(), every, n=1)
    return f'did you mean "{close[0]}"?' if close else f"there are: {', '.join(every)}"


def _complaint(error: str, table: dict[str, Any]) -> str:
    """The error of msgspec in the words of the file: the key, the value, and what it may be."""
    what, _, where = error.partition(" - at ")
    key = where.strip("`").removeprefix("$.")
    if missing := _missing(what):
        return f"{_place(key)}{missing} is missing: add it"
    value: Any = {**table, "streets": table.get("street", [])}
    for step in key.replace("[", ".[").split("."):
        value = _inside(value, step)
    values = _values_of(key)
    if values and isinstance(value, str):
        return f'{_place(key)}"{value}" is not one of its values: {nearest(value, values)}'
    return f"{_place(key)}{what[:1].lower()}{what[1:]}".replace("`", "")


def _missing(what: str) -> str:
    prefix = "Object missing required field "
    return what.removeprefix(prefix).strip("`") if what.startswith(prefix) else ""


def _inside(value: Any, step: str) -> Any:
    if step.startswith("["):
        number = step.strip("[].")
        return (
            value[int(number)] if number.isdigit() and isinstance(value, list) and int(number) < len(value) else value
        )
    return value.get(step) if isinstance(value, dict) else value


def _place(key: str) -> str:
    """The place of a key as people count: "street 2, key 'opens': " for "streets[1].opens"."""
    if key.startswith("streets["):
        number, _, inner = key.removeprefix("streets[").partition("]")
        street = f"street {int(number) + 1}"
        return f"{street}, key '{inner.strip('.')}': " if inner.strip(".") else f"{street}: "
    return f"key '{key.partition('[')[0]}': " if key and key != "$" else ""


def _values_of(key: str) -> tuple[str, ...]:
    """The words that a key may be set to; none where it is a number or a text."""
    inner = key.rpartition("]")[2].strip(".") or key.partition("[")[0]
    found = msgspec.inspect.type_info(Street if key.startswith("streets[") else Game)
    assert isinstance(found, msgspec.inspect.StructType)
    kinds = [field.type for field in found.fields if field.name == inner]
    kinds = [kind.item_type if isinstance(kind, msgspec.inspect.VarTupleType) else kind for kind in kinds]
    return tuple(str(value) for kind in kinds if isinstance(kind, msgspec.inspect.LiteralType) for value in kind.values)


# ---------------------------------------------------------------- what it means
def faults(game: Game) -> Iterator[str]:
    """What no dealer could deal, or nobody could win, with the cure."""
    fewest, most = game.seats
    if not 2 <= fewest <= most <= MOST_SEATS:
        yield f"key 'seats': {fewest} to {most}: write the fewest and the most players, from 2 to {MOST_SEATS}"
    if not game.streets:
        yield "it has no street: write a [[street]] for each round of cards"
        return
    yield from _faults_of_streets(game)
    yield from _faults_of_forced(game)
    yield from _faults_of_hands(game)
    yield from _faults_of_deck(game)


def _faults_of_streets(game: Game) -> Iterator[str]:
    held = up = 0
    for number, street in enumerate(game.streets, 1):
        counts = (street.down, street.up, street.board, street.draw, street.discard)
        if min(counts) < 0:
            yield f"street {number}: {min(counts)} cards: write 0 or more"
        if not any(counts):
            yield f"street {number}: it has no cards: write how many go down, up or to the board, or may be drawn"
        if street.draw > held:
            yield f"street {number}, key 'draw': {street.draw} of {held} cards: at most so many as a player holds"
        held, up = held + street.down + street.up - street.discard, up + street.up
        if held < 1:
            yield f"street {number}, key 'discard': {street.discard} leaves no card: throw away fewer"
        if street.opens in {"low_card", "high_card", "high_hand", "low_hand"} and not up:
            yield f"street {number}, key 'opens': {street.opens}, but no card lies open: add up, or open by position"


def _faults_of_forced(game: Game) -> Iterator[str]:
    opens = game.streets[0].opens
    if game.forced == "bring_in" and opens not in {"low_card", "high_card"}:
        yield f"street 1, key 'opens': {opens}, but a card brings it in: write low_card or high_card"
    if game.forced == "blinds" and opens != "behind_blinds":
        yield f"street 1, key 'opens': {opens}, but there are blinds: write behind_blinds, or forced = \"bring_in\""


def _faults_of_hands(game: Game) -> Iterator[str]:
    if not 1 <= len(set(game.hands)) == len(game.hands) <= 2:
        yield "key 'hands': write one hand that wins, or two different ones that share the pot"
    if game.uses == "two" and (game.shown_cards < 2 or game.board_cards < 3):
        yield "key 'uses': two hole cards and three of the board, but the streets do not deal so many"
    needed = min([4 if hand in {"badugi", "badugi27"} else 5 for hand in game.hands], default=5)
    most = game.shown_cards + game.board_cards
    if most < needed:
        yield f"its streets deal {most} cards to a hand of {needed}: deal more"
    if game.uses == "all" and most > 5:
        yield f"key 'uses': all, but its streets deal {most} cards and a hand has five: write any, or two"
    if "short_high" in game.hands and game.deck != "36":
        yield "key 'hands': short_high is a hand of 36 cards: add deck = \"36\""


def _faults_of_deck(game: Game) -> Iterator[str]:
    """Draws take from the muck again, and a last street may have one card for all: the others must be dealt whole."""
    streets = game.streets[:-1] if game.streets[-1].common_if_short else game.streets
    each = sum(street.down + street.up for street in streets)
    needed = each * game.seats[1] + game.board_cards
    if needed > CARDS[game.deck]:
        fit = (CARDS[game.deck] - game.board_cards) // max(1, each)
        yield f"key 'seats': {game.seats[1]} players need {needed} of {CARDS[game.deck]} cards: at most {fit} can play"
