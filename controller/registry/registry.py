"""Tags to named items: chips.csv and cards.csv. Above tracking there are names, never tags."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Literal, cast, get_args

from controller.errors import ConfigError
from controller.games.ranks import RANKS, SUITS
from firmware_bridge.events import Value
from firmware_bridge.files import check_file

Kind = Literal["chip", "button", "marker", "card"]
ItemState = Literal["in", "withdrawn", "ignore"]
CHIP_COLUMNS = ("name", "tag", "value", "kind", "set", "state")
CARD_COLUMNS = ("name", "tag", "deck", "state")
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)


class Item(Value, frozen=True):
    """One tagged thing. A card's name is its face ("As"); with more than one deck, "blue:As" for all but the first."""

    name: str
    tag: str  # upper-case hex
    kind: Kind
    value: int = 0  # of a chip
    set: str = ""  # of a chip; for a card its deck
    state: ItemState = "in"


class Registry:
    """All items of a table, by name and by tag."""

    def __init__(self, items: Iterable[Item]) -> None:
        self.items: dict[str, Item] = {}
        self.by_tag: dict[str, Item] = {}
        for item in items:
            if item.name in self.items:
                raise ConfigError(f"two items are called {item.name!r}: give each a name of its own")
            if item.tag in self.by_tag:
                other = self.by_tag[item.tag].name
                raise ConfigError(f"{item.name!r} and {other!r} have the same tag: enrol one of them again")
            self.items[item.name] = item
            self.by_tag[item.tag] = item

    @cached_property
    def values(self) -> Mapping[str, int]:
        """Value of every chip in play, by name."""
        return {item.name: item.value for item in self.items.values() if item.kind == "chip" and item.state == "in"}

    @property
    def cards(self) -> tuple[str, ...]:
        return tuple(item.name for item in self.items.values() if item.kind == "card")


def face(card: str) -> str:
    """The face of a card: "blue:As" and "As" are both "As"."""
    return card.rpartition(":")[2]


def deck(card: str) -> str:
    """What its deck is called: "blue" of "blue:As"; "" of the first."""
    return card.rpartition(":")[0]


def load(chips: Path, cards: Iterable[Path]) -> Registry:
    """Read a table's registry; every error names the file, the line and the cure.

    A card that an earlier deck has too is called by its deck: "blue:As".
    """
    found = list(_chips(_text(chips), str(chips)))
    faces: set[str] = set()
    for path in cards:
        deck = list(_cards(_text(path), str(path)))
        for where, card in deck:
            name = f"{card.set}:{card.name}" if card.name in faces else card.name
            found.append((where, Item(name, card.tag, "card", 0, card.set, card.state)))
        faces.update(card.name for _, card in deck)
    return Registry(_distinct(found))


def parse_chips(text: str, source: str) -> list[Item]:
    """Items of a chips.csv; `source` is what errors call it."""
    return _distinct(_chips(text, source))


def parse_cards(text: str, source: str) -> list[Item]:
    """Cards of one deck's file, named by their faces."""
    return _distinct(_cards(text, source))


def _chips(text: str, source: str) -> Iterator[tuple[str, Item]]:
    for where, row in _rows(text, source, CHIP_COLUMNS):
        kind = cast("Kind", _one_of(row["kind"], ("chip", "button", "marker"), where, "kind"))
        value = _value(row["value"], where) if kind == "chip" else 0
        yield where, Item(row["name"], _tag(row["tag"], where), kind, value, row["set"], _state(row["state"], where))


def _cards(text: str, source: str) -> Iterator[tuple[str, Item]]:
    for where, row in _rows(text, source, CARD_COLUMNS):
        if row["name"] not in DECK and not row["name"].startswith("spare"):
            raise ConfigError(f"{where}: name {row['name']!r} is no card: write rank and suit, as in As, Td or 7c")
        yield where, Item(row["name"], _tag(row["tag"], where), "card", 0, row["deck"], _state(row["state"], where))


def _distinct(found: Iterable[tuple[str, Item]]) -> list[Item]:
    """The items, each with a name and a tag of its own."""
    items: list[Item] = []
    names: dict[str, str] = {}
    tags: dict[str, str] = {}
    for where, item in found:
        if item.name in names:
            raise ConfigError(f"{where}: {item.name!r} is also in {names[item.name]}: give each a name of its own")
        if item.tag in tags:
            raise ConfigError(f"{where}: tag {item.tag} is also in {tags[item.tag]}: enrol one of them again")
        names[item.name] = tags[item.tag] = where
        items.append(item)
    return items


def format_chips(items: Iterable[Item]) -> str:
    """Text of chips.csv: sorted by name, one item a line, so that it diffs and merges well."""
    return _csv(
        CHIP_COLUMNS,
        ((i.name, i.tag, str(i.value) if i.kind == "chip" else "", i.kind, i.set, i.state) for i in items),
    )


def format_cards(items: Iterable[Item]) -> str:
    """Text of a deck's cards.csv."""
    return _csv(CARD_COLUMNS, ((face(i.name), i.tag, i.set, i.state) for i in items))


def _csv(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(sorted(rows))
    return out.getvalue()


def _text(path: Path) -> str:
    check_file(path, ConfigError)
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}: check the path in table.toml") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text: save it again as CSV in UTF-8") from error


def _rows(text: str, source: str, columns: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    """Where each line stands ("chips.csv, line 7") and its cells. Some spreadsheets write semicolons."""
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text), delimiter=";" if ";" in first and "," not in first else ",", strict=True)
    try:
        header = next(reader, None)
        if header is None or tuple(cell.strip() for cell in header) != columns:
            raise ConfigError(f"{source}, line 1: the header must be {','.join(columns)}")
        for row in reader:
            if any(cell.strip() for cell in row):
                where = f"{source}, line {reader.line_num}"
                yield where, _cells(row, columns, where)
    except csv.Error as error:
        raise ConfigError(
            f"{source}, line {reader.line_num}: {error}: write one item a line, as {','.join(columns)}"
        ) from error


def _cells(row: list[str], columns: tuple[str, ...], where: str) -> dict[str, str]:
    if len(row) != len(columns):
        raise ConfigError(f"{where}: {len(row)} columns, not {len(columns)}: write {','.join(columns)}")
    cells = {column: cell.strip() for column, cell in zip(columns, row, strict=True)}
    if not cells["name"] or not cells["name"].isprintable():
        raise ConfigError(f"{where}: name {cells['name']!r} must be a word that can be printed, as in r100-017")
    return cells


def _tag(text: str, where: str) -> str:
    tag = text.upper()
    if not tag or len(tag) % 2 or any(digit not in "0123456789ABCDEF" for digit in tag):
        raise ConfigError(f"{where}: tag {text!r} must be whole bytes in hex, as in E2001D73")
    return tag


def _value(text: str, where: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0 or len(text) > 12:
        raise ConfigError(f"{where}: value {text!r} must be a whole number above 0")
    return int(text)


def _state(text: str, where: str) -> ItemState:
    return cast("ItemState", _one_of(text, get_args(ItemState), where, "state"))


def _one_of(text: str, choices: tuple[str, ...], where: str, column: str) -> str:
    if text not in choices:
        raise ConfigError(f"{where}: {column} {text!r} must be one of {', '.join(choices)}")
    return text
