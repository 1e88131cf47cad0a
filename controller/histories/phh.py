"""Hand histories in PHH, read: .phh (one hand), .phhs (many, as numbered tables), either of them gzipped.

PHH is TOML; its fields and the notation of actions are those of the format's specification (uoftcprg/phh-std). A hand
that cannot be read gives `Unreadable` and costs only itself. Amounts become whole chips: where a hand is recorded in
parts (0.05, 0.10), `unit` says how many chips one recorded unit is, and every amount is multiplied by it.

Players are numbered as in PHH: 1 is left of the button and the last is the button; heads-up 2 is the button, and the
lists of antes and blinds are then written the other way round (`forced`). `controller/histories/write.py` writes them.
"""

import gzip
import re
import tomllib
import zlib
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from controller.errors import HistoryError
from firmware_bridge.events import Value
from firmware_bridge.files import check_file

UNKNOWN = "??"  # a card that was not seen
LARGEST_AMOUNT = 10**12
FINEST_DECIMALS = 4
MAX_BYTES = 512 * 1024 * 1024  # of one file, unpacked
_HEADER = re.compile(r"^\[([^\[\]\n]+)\][ \t]*(?:#.*)?$", re.MULTILINE)
_VARIANT = re.compile(r"^\s*variant\s*=", re.MULTILINE)  # no hand is without it
_CARDS = re.compile(r"(?:[2-9TJQKA][cdhs]|\?\?)+")
_PLAYER = re.compile(r"p([1-9][0-9]?)")
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,6})?")


class HoleDealt(Value, frozen=True, tag="dh"):
    player: int
    cards: tuple[str, ...]


class BoardDealt(Value, frozen=True, tag="db"):
    cards: tuple[str, ...]


class Folded(Value, frozen=True, tag="f"):
    player: int


class CheckedOrCalled(Value, frozen=True, tag="cc"):
    player: int


class RaisedTo(Value, frozen=True, tag="cbr"):
    """Completed, bet or raised; `total` is the player's total of the round."""

    player: int
    total: int


class Shown(Value, frozen=True, tag="sm"):
    """Tabled at showdown; () for cards that the record does not name."""

    player: int
    cards: tuple[str, ...]


class Mucked(Value, frozen=True, tag="muck"):
    player: int


class BroughtIn(Value, frozen=True, tag="pb"):
    """Stud: the forced first bet."""

    player: int


class Drew(Value, frozen=True, tag="sd"):
    """Draw: cards that were thrown away; () for standing pat."""

    player: int
    cards: tuple[str, ...]


class OtherAct(Value, frozen=True, tag="other"):
    """Something that nobody asks about: kept as written."""

    text: str


Amount = int | Decimal  # as recorded
RecordedAct = (
    HoleDealt | BoardDealt | Folded | CheckedOrCalled | RaisedTo | Shown | Mucked | BroughtIn | Drew | OtherAct
)


class RecordedHand(Value, frozen=True, kw_only=True):
    source: str  # file
    line: int  # where the hand begins, 1-based
    number: int | str  # `hand`, or the name of its table in the file
    variant: str  # PHH code: NT, PO, FT ...; PT, HT and ST, which PHH has not, where `_variant` names them
    unit: int = 1  # chips for one recorded unit
    antes: tuple[int, ...]
    blinds_or_straddles: tuple[int, ...]
    min_bet: int  # fixed limit: the small bet
    big_bet: int = 0  # fixed limit
    bring_in: int = 0  # stud
    spread: tuple[int, ...] = ()  # spread limit, as in table.toml: a field of our own
    starting_stacks: tuple[int, ...]
    actions: tuple[RecordedAct, ...]
    finishing_stacks: tuple[int, ...] | None = None  # None: not recorded, or in parts of a chip
    winnings: tuple[int, ...] | None = None
    in_parts: bool = False  # a pot was split into parts of a chip: no table can pay that
    players: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    seat_count: int | None = None
    table: str = ""
    ante_trimming_status: bool = True

    @property
    def board(self) -> tuple[str, ...]:
        return tuple(card for act in self.actions if isinstance(act, BoardDealt) for card in act.cards)

    @property
    def hole_cards(self) -> dict[int, tuple[str, ...]]:
        """By player: as dealt, or as shown where the deal was not seen."""
        found: dict[int, tuple[str, ...]] = {}
        for act in self.actions:
            if isinstance(act, HoleDealt):
                found[act.player] = found.get(act.player, ()) + act.cards
            elif isinstance(act, Shown) and act.cards and UNKNOWN not in act.cards:
                found[act.player] = act.cards
        return found

    @property
    def name(self) -> str:
        """For messages: file, line and hand."""
        return f"{self.source}, line {self.line}, hand {self.number}"


class Unreadable(Value, frozen=True):
    """A hand that could not be read; `why` names what is wrong and the cure."""

    source: str
    line: int
    number: str
    why: str

    @property
    def name(self) -> str:
        return f"{self.source}, line {self.line}, hand {self.number}"


def forced(per_player: tuple[int, ...]) -> tuple[int, ...]:
    """Antes or blinds by player: a heads-up record lists the big blind's amount at the button's place."""
    return per_player[::-1] if len(per_player) == 2 else per_player


def read(path: Path) -> Iterator[RecordedHand | Unreadable]:
    """Every hand of a file, one by one. Raises HistoryError where the file itself cannot be read, or holds no hand."""
    text = _text(path)
    if not _VARIANT.search(text):
        raise HistoryError(f"{path}: holds no hand: a hand history is PHH, as .phh or .phhs, or one of them gzipped")
    return parse(text, str(path))


def parse(text: str, source: str) -> Iterator[RecordedHand | Unreadable]:
    headers = list(_HEADER.finditer(text))
    if not headers:
        yield _hand(text, source, 1, "1")
        return
    line, done = 1, 0
    for header, following in zip(headers, [*headers[1:], None], strict=True):
        line += text.count("\n", done, header.start())
        done = header.start()
        end = following.start() if following else len(text)
        yield _hand(text[header.end() : end], source, line, header[1].strip().strip("'\""))


def _text(path: Path) -> str:
    check_file(path, HistoryError)
    try:
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            with gzip.open(path) as packed:
                data = packed.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        cure = "check the path" if isinstance(error, FileNotFoundError) else "copy the file again"
        raise HistoryError(f"{path}: {getattr(error, 'strerror', None) or error}: {cure}") from error
    if len(data) > MAX_BYTES:
        raise HistoryError(f"{path}: larger than {MAX_BYTES >> 20} MiB: split it")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise HistoryError(
            f"{path}: not UTF-8 text: a hand history is .phh or .phhs, or one of them gzipped"
        ) from error


def _hand(text: str, source: str, line: int, name: str) -> RecordedHand | Unreadable:
    try:
        fields = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, InvalidOperation, RecursionError, ValueError) as error:
        return Unreadable(source, line, name, f"no valid TOML ({_one_line(error)}): mend or remove this hand")
    number = fields.get("hand", int(name) if name.isascii() and name.isdigit() and len(name) < 19 else name)
    try:
        return _Fields(fields).hand(source, line, number if isinstance(number, int) else str(number))
    except HistoryError as error:
        return Unreadable(source, line, str(number), _one_line(error))


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


class _Fields:
    """One hand as TOML gave it, and the scale that makes its amounts whole."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields
        self._words = [_words(action) for action in self._list("actions")]
        self._unit = 10 ** max(map(_decimals, self._recorded()), default=0)

    def hand(self, source: str, line: int, number: int | str) -> RecordedHand:
        variant, stacks = self._variant(), self._chips("starting_stacks")
        if not 2 <= len(stacks) <= 10:
            raise HistoryError(f"starting_stacks names {len(stacks)} players: 2 to 10 can play")
        count = len(stacks)
        finishing, winnings = self._optional("finishing_stacks", count), self._optional("winnings", count)
        blinds = self._amounts("blinds_or_straddles", count) if "blinds_or_straddles" in self._fields else (0,) * count
        return RecordedHand(
            source=source,
            line=line,
            number=number,
            variant=variant,
            unit=self._unit,
            antes=self._chips("antes", count),
            blinds_or_straddles=blinds,
            min_bet=self._min_bet(),
            big_bet=self._bet("big_bet"),
            bring_in=self._bet("bring_in"),
            spread=self._chips("_spread") if "_spread" in self._fields else (),
            starting_stacks=stacks,
            actions=self._actions(count),
            finishing_stacks=_whole(finishing),
            winnings=_whole(winnings),
            in_parts=finishing is not None and _whole(finishing) is None,
            players=tuple(map(str, self._list("players", count))),
            seats=self._seats(count),
            seat_count=_optional_int(self._fields.get("seat_count")),
            table=str(self._fields.get("table", "")),
            ante_trimming_status=self._fields.get("ante_trimming_status") is True,
        )

    def _recorded(self) -> Iterator[Amount]:
        """Every amount that decides the unit: what was put in, never what was paid out."""
        for key in ("antes", "blinds_or_straddles", "starting_stacks"):
            yield from (_checked(amount, key) for amount in self._list(key))
        for key in ("min_bet", "small_bet", "big_bet", "bring_in"):
            if key in self._fields:
                yield _checked(self._fields[key], key)
        for words in self._words:
            if len(words) == 3 and words[1] == "cbr":
                yield _spoken(words)

    def _variant(self) -> str:
        """A hand of a structure without a code of its own is written as NT, which all of its bets are legal in."""
        return self._string("_variant" if "_variant" in self._fields else "variant")

    def _string(self, key: str) -> str:
        value = self._fields.get(key)
        if not isinstance(value, str):
            raise HistoryError(f"{key} is missing: every PHH hand names it")
        return value

    def _list(self, key: str, count: int | None = None) -> list[Any]:
        value = self._fields.get(key, [])
        if not isinstance(value, list):
            raise HistoryError(f"{key} must be a list")
        if count is not None and value and len(value) != count:
            raise HistoryError(f"{key} has {len(value)} entries for {count} players: give one a player")
        return value

    def _amounts(self, key: str, count: int | None = None) -> tuple[int, ...]:
        if key not in self._fields:
            raise HistoryError(f"{key} is missing: every PHH hand gives it")
        return tuple(int(_checked(amount, key) * self._unit) for amount in self._list(key, count))

    def _chips(self, key: str, count: int | None = None) -> tuple[int, ...]:
        """Amounts that nobody can owe. A negative blind is PHH's late post, and is none of them."""
        amounts = self._amounts(key, count)
        if any(amount < 0 for amount in amounts):
            raise HistoryError(f"{key}: a negative amount: write 0 or more")
        return amounts

    def _optional(self, key: str, count: int) -> tuple[Amount, ...] | None:
        amounts = self._list(key, count)
        return tuple(_checked(amount, key) * self._unit for amount in amounts) if amounts else None

    def _min_bet(self) -> int:
        return self._bet("min_bet" if "min_bet" in self._fields else "small_bet")

    def _bet(self, key: str) -> int:
        amount = int(_checked(self._fields[key], key) * self._unit) if key in self._fields else 0
        if amount < 0:
            raise HistoryError(f"{key}: a negative amount: write 0 or more")
        return amount

    def _seats(self, count: int) -> tuple[int, ...]:
        seats = self._list("seats", count)
        if len(set(map(str, seats))) != len(seats) or not all(type(seat) is int and seat > 0 for seat in seats):
            raise HistoryError("seats must be different whole numbers from 1")
        return tuple(seats)

    def _actions(self, count: int) -> tuple[RecordedAct, ...]:
        acts = tuple(_act(words, count, self._unit) for words in self._words if words)
        known = [
            card for act in acts if isinstance(act, HoleDealt | BoardDealt) for card in act.cards if card != UNKNOWN
        ]
        draws = any(isinstance(act, Drew) for act in acts)  # the muck may be dealt again
        if len(set(known)) != len(known) and not draws:
            twice = next(card for card in known if known.count(card) > 1)
            raise HistoryError(f"actions deal {twice} twice: mend the record")
        return acts


def _whole(amounts: tuple[Amount, ...] | None) -> tuple[int, ...] | None:
    if amounts is None or any(amount != int(amount) for amount in amounts):
        return None
    return tuple(map(int, amounts))


def _decimals(amount: Amount) -> int:
    if isinstance(amount, int):
        return 0
    exponent = amount.normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return max(0, -exponent)


def _checked(amount: object, key: str) -> Amount:
    if not isinstance(amount, int | Decimal) or isinstance(amount, bool):
        raise HistoryError(f"{key}: {amount!r} is no amount of chips")
    finite = isinstance(amount, int) or amount.is_finite()
    if not finite or not -LARGEST_AMOUNT <= amount <= LARGEST_AMOUNT or _decimals(amount) > FINEST_DECIMALS:
        raise HistoryError(f"{key}: {str(amount)[:30]} is no amount of chips")
    return amount


def _optional_int(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _words(action: object) -> list[str]:
    if not isinstance(action, str):
        raise HistoryError(f"actions: {action!r} must be a string")
    return action.partition("#")[0].split()


def _spoken(words: list[str]) -> Amount:
    if not _NUMBER.fullmatch(words[2]):
        raise HistoryError(f"action {' '.join(words)!r}: {words[2]!r} is no amount of chips")
    return _checked(Decimal(words[2]) if "." in words[2] else int(words[2]), "actions")


def _act(words: list[str], count: int, unit: int) -> RecordedAct:
    match words:
        case ["d", "db", cards]:
            return BoardDealt(_cards(cards, words))
        case ["d", "dh", player, cards]:
            return HoleDealt(_player(player, count, words), _cards(cards, words))
        case [player, "f"]:
            return Folded(_player(player, count, words))
        case [player, "cc"]:
            return CheckedOrCalled(_player(player, count, words))
        case [player, "cbr", _]:
            return RaisedTo(_player(player, count, words), int(_spoken(words) * unit))
        case [player, "sm"]:
            return Mucked(_player(player, count, words))
        case [player, "sm", "-"]:
            return Shown(_player(player, count, words), ())
        case [player, "sm", cards]:
            return Shown(_player(player, count, words), _cards(cards, words))
        case [player, "pb"]:
            return BroughtIn(_player(player, count, words))
        case [player, "sd"]:
            return Drew(_player(player, count, words), ())
        case [player, "sd", cards]:
            return Drew(_player(player, count, words), _cards(cards, words))
        case _:
            raise HistoryError(f"action {' '.join(words)!r} is not in the notation of PHH")


def _player(text: str, count: int, words: list[str]) -> int:
    found = _PLAYER.fullmatch(text)
    if not found or int(found[1]) > count:
        raise HistoryError(f"action {' '.join(words)!r}: {text!r} is no player of this hand (p1 to p{count})")
    return int(found[1])


def _cards(text: str, words: list[str]) -> tuple[str, ...]:
    if not _CARDS.fullmatch(text):
        raise HistoryError(f"action {' '.join(words)!r}: {text!r} are no cards: write As, Td or ?? one after another")
    return tuple(text[at : at + 2] for at in range(0, len(text), 2))
