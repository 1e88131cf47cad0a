"""Enrolment: from what an antenna sees to named items in a registry. Pure: no reader, no file, no clock.

When has a count settled? Never by identical scans: with 20 chips and 5 % misses two identical scans in a row take ten
rounds and are wrong in 7 % of the cases (computed). Each tag is judged alone instead, over the last `WINDOW` complete
rounds: it lies there when `LEAST` of them showed it, it is a stray of a neighbour when hardly any did, else it is
unsure. The set has settled when no tag is unsure and the set has not changed for `WINDOW - LEAST` rounds more.
A tag that lies there is called unsure for a while in 0.6 % of the cases at 20 % misses; a stray of 5 % is taken for a
chip in 0.006 % (binomial, computed).
"""

import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from controller.registry.registry import DECK, Item
from firmware_bridge.errors import BetlineError
from firmware_bridge.events import ScanRound, Value

WINDOW = 10  # complete rounds that are looked at
LEAST = 5  # of these must show a tag that lies there
STRAYS = 2  # so few sightings of the window are a neighbour's tag
FRESH = 2  # rounds after a very first sighting in which a tag may still become a chip
ABSENT = 4  # misses in a row after which a tag may just have been taken away: 0.2 % by chance at 20 % misses
CARD = (6, 4, 0)  # window, least, strays for a card on its own: half the time, and two that stick together are noticed

SPARE = "spare-"  # names of cards without a face, as cards.csv allows them
ORDERS: Mapping[str, tuple[str, ...]] = {
    "suits": DECK,
    # As a deck comes out of its box (USPCC): spades and diamonds up from the ace, clubs and hearts down from the king.
    "new": tuple(
        rank + suit
        for suit, ranks in (
            ("s", "A23456789TJQK"),
            ("d", "A23456789TJQK"),
            ("c", "KQJT98765432A"),
            ("h", "KQJT98765432A"),
        )
        for rank in ranks
    ),
}


class EnrolmentError(BetlineError, ValueError):
    """What lies on the antenna, or what was asked, cannot be enrolled; one line with the cure."""


# ---------------------------------------------------------------- what lies there
class Settling:
    """What lies on one antenna, by its rounds. Incomplete rounds count for nothing."""

    def __init__(self, window: int = WINDOW, least: int = LEAST, strays: int = STRAYS) -> None:
        self.rounds = self.incomplete = 0
        self._window, self._least, self._strays = window, least, strays
        self._last: deque[frozenset[str]] = deque(maxlen=window)
        self._first: dict[str, int] = {}  # round of the very first sighting
        self._changed = 0  # round in which the set changed last
        self.here: tuple[str, ...] = ()
        self.unsure: tuple[str, ...] = ()

    def take(self, scan: ScanRound) -> None:
        if not scan.complete:
            self.incomplete += 1
            return
        self.rounds += 1
        seen = frozenset(sighting.tag for sighting in scan.sightings)
        self._last.append(seen)
        for tag in seen:
            self._first.setdefault(tag, self.rounds)
        self._judge()

    def _judge(self) -> None:
        hits = Counter(tag for seen in self._last for tag in seen)
        lately = frozenset().union(*list(self._last)[-ABSENT:])
        here = tuple(sorted(tag for tag, count in hits.items() if count >= self._least and tag in lately))
        self.unsure = tuple(sorted(tag for tag, count in hits.items() if tag not in here and self._may_lie(tag, count)))
        if here != self.here:
            self.here, self._changed = here, self.rounds

    def _may_lie(self, tag: str, hits: int) -> bool:
        return hits > self._strays or self.rounds - self._first[tag] < FRESH

    @property
    def share(self) -> float:
        """How far it has settled, 0 to 1."""
        quiet = (self.rounds - self._changed) / (self._window - self._least)
        return min(1.0, self.rounds / self._window, quiet, 0.9 if self.unsure else 1.0)

    @property
    def settled(self) -> bool:
        return self.share >= 1.0


class Stack(Value, frozen=True):
    """What lies there, told apart."""

    fresh: tuple[str, ...] = ()  # tags in no registry
    known: tuple[Item, ...] = ()  # enrolled in this file already
    others: tuple[Item, ...] = ()  # of another file of this table: a card among chips, the blue deck's ace in the red
    foreign: tuple[str, ...] = ()  # in no registry and unlike the rest: a ski pass, a phone


def sort_stack(here: Iterable[str], mine: Iterable[Item], others: Iterable[Item] = ()) -> Stack:
    """Tell apart what lies there. `mine`: items of the file that is written; `others`: of the table's other files."""
    by_tag = {item.tag: item for item in mine}
    elsewhere = {item.tag: item for item in others if item.tag not in by_tag}
    tags = sorted(here)
    unknown = [tag for tag in tags if tag not in by_tag and tag not in elsewhere]
    ours = _families(unknown, tags, by_tag)
    return Stack(
        tuple(tag for tag in unknown if family(tag) in ours),
        tuple(sorted((by_tag[tag] for tag in tags if tag in by_tag), key=lambda item: item.name)),
        tuple(sorted((elsewhere[tag] for tag in tags if tag in elsewhere), key=lambda item: item.name)),
        tuple(tag for tag in unknown if family(tag) not in ours),
    )


def family(tag: str) -> tuple[int, str]:
    """Length and first bytes: tags of one lot begin alike.

    An 8-byte UID begins with its class and maker (ISO/IEC 15693-3: E0, maker), a 7-byte one with its maker (ISO/IEC
    7816-6), an EPC with what its seller programmed. A 4-byte UID says nothing but its length.
    """
    size = len(tag) // 2
    return size, "" if size <= 4 else tag[:2] if size == 7 else tag[:4]


def _families(unknown: list[str], tags: list[str], mine: Mapping[str, Item]) -> set[tuple[int, str]]:
    """Families of the chips: those of the file, and that of most tags here. A lone tag proves no new family."""
    ours = {family(tag) for tag in mine}
    ((most, count),) = Counter(map(family, unknown)).most_common(1) or [((0, ""), 0)]
    if 2 * count > len(tags) and (count > 1 or not ours):
        ours.add(most)
    return ours


# ---------------------------------------------------------------- chips
def next_names(prefix: str, count: int, taken: Iterable[str]) -> tuple[str, ...]:
    """Names such as r100-021, from behind the highest number that this prefix has. Three digits, more where needed."""
    numbers = (re.fullmatch(re.escape(prefix) + r"-(\d{1,6})", name) for name in taken)
    first = 1 + max((int(found[1]) for found in numbers if found), default=0)
    return tuple(f"{prefix}-{number:03d}" for number in range(first, first + count))


def chips_of(tags: Sequence[str], value: int, colour: str, prefix: str, mine: Iterable[Item]) -> tuple[Item, ...]:
    """One stack of one colour as items of chips.csv."""
    names = next_names(prefix, len(tags), [item.name for item in mine])
    return tuple(Item(name, tag, "chip", value, colour) for name, tag in zip(names, tags, strict=True))


def guess_prefix(colour: str, value: int) -> str:
    """The first letter of the colour and the value: "r100"."""
    return f"{colour[:1].lower()}{value}"


# ---------------------------------------------------------------- cards
def order_of(text: str) -> tuple[str, ...]:
    """The order in which cards come: a name of `ORDERS`, or cards as in "As Kd 7c"."""
    if text in ORDERS:
        return ORDERS[text]
    cards = tuple(re.split(r"[\s,]+", text.strip()))
    for card in cards:
        if card not in DECK:
            raise EnrolmentError(
                f"--order: {card!r} is no card: write {' or '.join(ORDERS)}, or cards as in 'As Kd 7c'"
            )
        if cards.count(card) > 1:
            raise EnrolmentError(f"--order: {card} stands there twice: name each card once")
    return cards


def to_come(order: Iterable[str], spares: int, mine: Iterable[Item]) -> tuple[str, ...]:
    """Cards that are not enrolled yet, in order; behind them so many spare ones."""
    have = {item.name for item in mine}
    wanted = (*order, *(f"{SPARE}{number}" for number in range(1, spares + 1)))
    return tuple(card for card in wanted if card not in have)


def replaced(mine: Iterable[Item], card: Item) -> tuple[Item, ...]:
    """The deck with a card enrolled anew. The lost one is kept, withdrawn, so that it is named if it turns up again."""
    items = [item for item in mine if item.tag != card.tag]
    names = {item.name for item in items}
    lost = next(
        (n for n in (f"{SPARE}{card.name}", *next_names(f"{SPARE}{card.name}", 1, names)) if n not in names), ""
    )
    return (
        *(msgspec.structs.replace(i, name=lost, state="withdrawn") if i.name == card.name else i for i in items),
        card,
    )


# ---------------------------------------------------------------- roll call
class RollCall:
    """Who of a file is there. A thing that was seen to lie there once is ticked off: a deck may pass by in parts."""

    def __init__(self, expected: Iterable[Item], others: Iterable[Item] = ()) -> None:
        self._items = tuple(expected)
        self._expected = {item.tag: item for item in self._items if item.state == "in"}
        self._others = tuple(others)
        self._seen: set[str] = set()

    def take(self, here: Iterable[str]) -> None:
        self._seen.update(here)

    @property
    def expected(self) -> int:
        return len(self._expected)

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(sorted(item.name for tag, item in self._expected.items() if tag not in self._seen))

    @property
    def doubles(self) -> tuple[str, ...]:
        """Cards that are there beside another of the same face: of another deck, or withdrawn and back again."""
        found = sort_stack(self._seen, self._items, self._others)
        faces = {item.name for item in self._items if item.kind == "card"}
        back = [item.name for item in found.known if item.state == "withdrawn"]
        return tuple(back + [f"{item.name} of {item.set}" for item in found.others if item.name in faces])

    @property
    def strangers(self) -> tuple[str, ...]:
        """What does not belong to this file: tags that no file knows, and items of other files."""
        found = sort_stack(self._seen, self._items, self._others)
        faces = {item.name for item in self._items if item.kind == "card"}
        return (*found.fresh, *found.foreign, *(item.name for item in found.others if item.name not in faces))


# ---------------------------------------------------------------- two files
def merge(first: Sequence[Item], second: Sequence[Item], *, renumber: bool = False) -> tuple[Item, ...]:
    """Items of both files. `EnrolmentError`: one tag is two things, or one name two tags, which `renumber` mends."""
    items = {item.tag: item for item in first}
    names = {item.name: item for item in first}
    for item in second:
        same = items.get(item.tag)
        if same == item:
            continue
        if same is not None:
            raise EnrolmentError(
                f"tag {item.tag} is {_described(same)} in one file, {_described(item)} in the other: mend one of them"
            )
        fresh = _renamed(item, names) if renumber and item.name in names else item
        if fresh.name in names:
            raise EnrolmentError(
                f"{item.name!r} has tag {names[item.name].tag} in one file and {item.tag} in the other: "
                "rename one of them, or let --renumber do it"
            )
        items[fresh.tag] = names[fresh.name] = fresh
    return tuple(items.values())


def _renamed(item: Item, names: Mapping[str, Item]) -> Item:
    """The next free number of its kind; a card is what its face says and keeps its name."""
    prefix, _, number = item.name.rpartition("-")
    if item.kind == "card" or not prefix or not number.isdigit():
        return item
    return msgspec.structs.replace(item, name=next_names(prefix, 1, names)[0])


def _described(item: Item) -> str:
    worth = f", {item.value}" if item.kind == "chip" else ""
    return f"{item.name!r} ({item.kind}{worth}, {item.state})"


def count_of(items: Iterable[Item]) -> tuple[tuple[str, int, int], ...]:
    """Set, value and number of the chips in play, the smallest value first."""
    counts = Counter((item.set, item.value) for item in items if item.kind == "chip" and item.state == "in")
    return tuple((colour, value, count) for (colour, value), count in sorted(counts.items(), key=lambda row: row[0][1]))
