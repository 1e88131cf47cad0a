"""The registry file that is being enrolled into: read, written whole or not at all, and the last stack taken back."""

import json
from collections.abc import Iterable
from pathlib import Path

from controller.registry import registry
from controller.registry.enrolment import EnrolmentError
from controller.registry.registry import CARD_COLUMNS, CHIP_COLUMNS, Item
from firmware_bridge.files import SECRET, check_file, write_secret


class Register:
    """A chips.csv or a deck's file. Every change is on disk when its method returns; others may edit in between."""

    def __init__(self, path: Path, *, cards: bool) -> None:
        self.path, self.cards = path, cards
        self.items: tuple[Item, ...] = ()
        self._steps = path.with_name(f".{path.name}.stacks")  # names of each stack, one line a stack: for undo
        self.read()

    def read(self) -> None:
        """What the file holds now; a file that is not there yet is empty."""
        check_file(self.path, EnrolmentError)
        self.items = read_items(self.path, cards=self.cards) if self.path.exists() else ()

    def add(self, items: Iterable[Item]) -> None:
        """Write a stack or a card behind what the file holds now."""
        added = tuple(items)
        self.read()
        self.replace((*self.items, *added))
        self._note([*self._stacks(), [item.name for item in added]])

    def replace(self, items: Iterable[Item]) -> None:
        """Write the whole file; proven to read back before it takes the old one's place."""
        fresh = tuple(sorted(items, key=lambda item: item.name))
        text = format_items(fresh, cards=self.cards)
        parse_items(text, str(self.path), cards=self.cards)
        write_whole(self.path, text)
        self.items = fresh

    def undo(self) -> tuple[str, ...]:
        """Take the last stack out again; the names that went. () when there is none."""
        stacks = self._stacks()
        if not stacks:
            return ()
        self.read()
        last = set(stacks.pop())
        gone = tuple(item.name for item in self.items if item.name in last)
        self.replace(item for item in self.items if item.name not in last)
        self._note(stacks)
        return gone

    def _stacks(self) -> list[list[str]]:
        try:
            lines = self._steps.read_text(encoding="utf-8").splitlines()
            stacks = [json.loads(line) for line in lines]
        except (OSError, ValueError):
            return []  # nothing can be taken back, and nothing is lost
        return [[str(name) for name in stack] for stack in stacks if isinstance(stack, list)]

    def _note(self, stacks: list[list[str]]) -> None:
        write_whole(self._steps, "".join(json.dumps(stack) + "\n" for stack in stacks))


def write_whole(path: Path, text: str) -> None:
    """Beside the file first, then in its place: a power cut leaves the old file or the new one."""
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else SECRET  # who reads a tag knows its card by it
        write_secret(path, text.encode(), mode)
    except OSError as error:
        raise EnrolmentError(f"{path}: {error.strerror or error}: choose another folder, or make room") from error


def holds_cards(path: Path) -> bool:
    """Whether a file is a deck (or chips), by its header."""
    check_file(path, EnrolmentError)
    try:
        header = path.read_text(encoding="utf-8-sig").partition("\n")[0].strip().replace(";", ",")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise EnrolmentError(f"{path}: {why}: name a chips.csv or a deck's file") from error
    if header == ",".join(CARD_COLUMNS):
        return True
    if header == ",".join(CHIP_COLUMNS):
        return False
    raise EnrolmentError(f"{path}, line 1: neither {','.join(CHIP_COLUMNS)} nor {','.join(CARD_COLUMNS)}")


def read_items(path: Path, *, cards: bool | None = None) -> tuple[Item, ...]:
    """Items of a registry file; its kind is read from its header where it is not given."""
    check_file(path, EnrolmentError)
    kind = holds_cards(path) if cards is None else cards
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise EnrolmentError(f"{path}: {why}: check the name") from error
    return parse_items(text, str(path), cards=kind)


def parse_items(text: str, source: str, *, cards: bool) -> tuple[Item, ...]:
    return tuple(registry.parse_cards(text, source) if cards else registry.parse_chips(text, source))


def format_items(items: Iterable[Item], *, cards: bool) -> str:
    return registry.format_cards(items) if cards else registry.format_chips(items)
