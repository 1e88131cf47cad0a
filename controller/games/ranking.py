"""Which hand is better, in every game, and what it is called. Pure; knows no seat, no chip and no house.

A rank is a whole number: greater is better, and equal hands have equal ranks. Ranks of two kinds cannot be compared. In
digits of sixteen it is the category and up to five ranks, first the one that decides first. Where less is better it is
that number taken from `_LOW`.

    high         the usual order; the ace is also low in A-2-3-4-5
    short_high   of 36 cards: a flush beats a full house, and A-6-7-8-9 is a straight
    low8         ace to five, eight or better: five different ranks up to the eight, or no low at all
    razz         ace to five: straights and flushes do not count, a pair is worse than none
    low27        deuce to seven: the usual order turned round, the ace always high, so A-2-3-4-5 is no straight
    badugi       the most cards of different ranks and suits, then the lowest of them; the ace is low
    badugi27     the same, the ace high

Cards are sets of bits, a mask of ranks for each suit: the ace as low card is bit 0, the deuce bit 1, the ace as high
card bit 13. Where a hand is made of exactly two hole cards, sixty hands of five must be looked at: the sum of 5^rank of
five cards tells which ranks they have, and a table knows the 6,175 sums.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Literal, assert_never

from controller.games.hand_kinds import Kind as Kind  # noqa: PLC0414  -- whoever ranks names it
from controller.games.hand_kinds import Uses as Uses  # noqa: PLC0414  -- the same
from controller.rulings.values import Value

Code = Literal[
    "high_card",
    "pair",
    "two_pair",
    "trips",
    "straight",
    "flush",
    "full_house",
    "quads",
    "straight_flush",
    "royal_flush",
    "low",
    "badugi",
    "three_cards",
    "two_cards",
    "one_card",
]
Masks = tuple[int, int, int, int]  # ranks of each suit


class Named(Value, frozen=True):
    """What a hand is called; `texts/hands.py` says it in a language."""

    code: Code
    ranks: str  # those that decide, the first first: "9" of a straight, "K5" of kings over fives, "87542" of a low


class _Order(Value, frozen=True):
    """How five cards are ranked where straights and flushes count."""

    ace_as: int | None  # bit of the rank that the ace stands for below the lowest straight
    flush: int
    full_house: int


_SUITS, _RANKS = "cdhs", "A23456789TJQKA"  # a rank's place is its bit
_ACE_HIGH, _EIGHT_AND_LESS = 13, 0xFF
_DIGIT, _DIGITS = 4, 20  # bits of a digit, and of the five ranks
_LOW = 1 << 24  # greater than every rank of its own
_HIGH_CARD, _PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _QUADS, _STRAIGHT_FLUSH = (n << _DIGITS for n in (0, 1, 2, 3, 4, 7, 8))
_USUAL = _Order(0, flush=5 << _DIGITS, full_house=6 << _DIGITS)
_SHORT = _Order(4, flush=6 << _DIGITS, full_house=5 << _DIGITS)
_NO_WHEEL = _Order(None, flush=_USUAL.flush, full_house=_USUAL.full_house)

_CODES: tuple[Code, ...] = (
    "high_card",
    "pair",
    "two_pair",
    "trips",
    "straight",
    "flush",
    "full_house",
    "quads",
    "straight_flush",
)
_NAMED_BY: dict[Code, int] = {
    "pair": 1,
    "two_pair": 2,
    "trips": 1,
    "full_house": 2,
    "quads": 1,
}  # else by all its ranks
_BADUGIS: tuple[Code, ...] = ("badugi", "three_cards", "two_cards", "one_card")


def _bits(ranks: str) -> dict[str, tuple[int, int]]:
    """Each card's suit, and the bit of its rank."""
    return {rank + suit: (at, 1 << ranks.rindex(rank)) for rank in set(_RANKS) for at, suit in enumerate(_SUITS)}


_HIGH_BITS = _bits(_RANKS)
_LOW_BITS = _bits(_RANKS[:_ACE_HIGH])
_LOW_RANK = {card: bit for card, (_, bit) in _LOW_BITS.items()}
_KEYS = {card: 5 ** (bit.bit_length() - 2) for card, (_, bit) in _HIGH_BITS.items()}


# ---------------------------------------------------------------- what people ask
def rank(kind: Kind, hole: Sequence[str], board: Sequence[str], uses: Uses) -> int | None:
    """Rank of the best hand of these cards, greater is better; None: none can be made, or none that qualifies.

    `uses` says of which: any five, exactly two of the hole cards, or all that there are. A badugi is made of any.
    """
    match kind:
        case "badugi" | "badugi27":
            return _badugi((*hole, *board), _LOW_BITS if kind == "badugi" else _HIGH_BITS)
        case "low8" | "razz" | "low27" | "high" | "short_high":
            return _of_five(kind, hole, board, uses)
        case _ as never:
            assert_never(never)


def rank_open(kind: Kind, cards: Sequence[str]) -> int:
    """Rank of the cards that lie open before a player of stud, to find who opens: pairs and high cards.

    Fewer than five cards make no straight and no flush (Robert's Rules, seven-card stud). For lows less is better, so
    that greater is better here too.
    """
    whole = rank("razz" if kind == "low8" else kind, cards, (), "any") if len(cards) >= 5 else None
    if whole is not None:
        return whole
    match kind:
        case "high" | "short_high":
            return _by_ranks(_masks(cards, _HIGH_BITS), _USUAL)
        case "low27" | "badugi27":
            return _LOW - _by_ranks(_masks(cards, _HIGH_BITS), _NO_WHEEL)
        case "low8" | "razz" | "badugi":
            return _LOW - _by_ranks(_masks(cards, _LOW_BITS), _NO_WHEEL)
        case _ as never:
            assert_never(never)


def name(kind: Kind, hole: Sequence[str], board: Sequence[str], uses: Uses) -> Named | None:
    """What the best hand of these cards is called; None where there is none."""
    value = rank(kind, hole, board, uses)
    return None if value is None else named(kind, value)


def named(kind: Kind, value: int) -> Named:
    """What a hand of that rank is called."""
    match kind:
        case "high" | "short_high":
            return _named_high(kind, value)
        case "low8" | "razz" | "low27":
            found = _named_high("high", _LOW - value)
            return Named("low", found.ranks) if found.code == "high_card" else found
        case "badugi" | "badugi27":
            return Named(_BADUGIS[(_LOW - value) >> _DIGITS], _written(_LOW - value))
        case _ as never:
            assert_never(never)


def _named_high(kind: Literal["high", "short_high"], value: int) -> Named:
    code, ranks = _CODES[value >> _DIGITS], _written(value)
    if kind == "short_high" and code in {"flush", "full_house"}:
        code = "flush" if code == "full_house" else "full_house"
    if code == "straight_flush" and ranks == "A":
        return Named("royal_flush", ranks)
    return Named(code, ranks[: _NAMED_BY.get(code)])


def _written(value: int) -> str:
    digits = (value >> place & 15 for place in range(_DIGITS - _DIGIT, -1, -_DIGIT))
    return "".join(_RANKS[digit - 1] for digit in digits if digit)


# ---------------------------------------------------------------- which five cards
def _of_five(
    kind: Literal["low8", "razz", "low27", "high", "short_high"],
    hole: Sequence[str],
    board: Sequence[str],
    uses: Uses,
) -> int | None:
    match uses:
        case "any":
            cards = (*hole, *board)
            return _best_of(kind, cards) if len(cards) >= 5 else None
        case "all":
            cards = (*hole, *board)
            return _best_of(kind, cards) if len(cards) == 5 else None
        case "two":
            return _best_with_two(kind, hole, board) if len(hole) >= 2 and len(board) >= 3 else None
        case _ as never:
            assert_never(never)


def _best_of(kind: Literal["low8", "razz", "low27", "high", "short_high"], cards: Sequence[str]) -> int | None:
    match kind:
        case "high":
            return _high(_masks(cards, _HIGH_BITS), _USUAL)
        case "short_high":
            return _high(_masks(cards, _HIGH_BITS), _SHORT)
        case "low8":
            return _low8(_union(cards))
        case "razz":
            return _razz(cards)
        case "low27":
            return _LOW - min(_high(_masks(five, _HIGH_BITS), _NO_WHEEL) for five in combinations(cards, 5))
        case _ as never:
            assert_never(never)


def _best_with_two(
    kind: Literal["low8", "razz", "low27", "high", "short_high"], hole: Sequence[str], board: Sequence[str]
) -> int | None:
    match kind:
        case "high":
            return _high_with_two(hole, board)
        case "low8":
            return _low8_with_two(hole, board)
        case "razz" | "low27" | "short_high":
            fives = ((*two, *three) for two in combinations(hole, 2) for three in combinations(board, 3))
            return max(filter(None, (_best_of(kind, five) for five in fives)))
        case _ as never:
            assert_never(never)


def _masks(cards: Iterable[str], bits: dict[str, tuple[int, int]]) -> Masks:
    masks = [0, 0, 0, 0]
    for card in cards:
        suit, bit = bits[card]
        masks[suit] |= bit
    return masks[0], masks[1], masks[2], masks[3]


# ---------------------------------------------------------------- high hands
def _high(masks: Masks, order: _Order) -> int:
    """The best five cards of five and more."""
    best = _by_ranks(masks, order)
    for mask in masks:
        if mask.bit_count() >= 5:
            best = max(best, _flush(mask, order))
    return best


def _flush(mask: int, order: _Order) -> int:
    straight = _straight(mask, order)
    return _STRAIGHT_FLUSH | straight if straight else order.flush | _highest()[mask]


def _straight(mask: int, order: _Order) -> int:
    """The rank that a straight of these ranks goes up to, as the first digit; 0: there is none."""
    if order.ace_as is not None:
        mask |= mask >> _ACE_HIGH << order.ace_as
    return (mask & mask << 1 & mask << 2 & mask << 3 & mask << 4).bit_length() << (_DIGITS - _DIGIT)


def _by_ranks(masks: Masks, order: _Order) -> int:
    """The best hand but for flushes. Of fewer than five cards: what they are so far."""
    a, b, c, d = masks
    every, highest = a | b | c | d, _highest()
    pairs = (a & b) | (c & d) | ((a | b) & (c | d))
    if not pairs:
        straight = _straight(every, order)
        return _STRAIGHT | straight if straight else highest[every]
    trips = (a & b & (c | d)) | (c & d & (a | b))
    quads = a & b & c & d
    if quads:
        return _QUADS | _first(quads, every, 1)
    if trips and pairs.bit_count() > 1:
        return order.full_house | _first(trips, pairs, 1)
    straight = _straight(every, order)
    if straight:
        return _STRAIGHT | straight
    if trips:
        return _TRIPS | _first(trips, every, 2)
    if pairs.bit_count() == 1:
        return _PAIR | _first(pairs, every, 3)
    two = highest[pairs] & 0xFF000
    rest = every & ~(1 << (two >> 16) - 1 | 1 << (two >> 12 & 15) - 1)
    return _TWO_PAIR | two | highest[rest] >> 8 & 0x00F00


def _first(group: int, others: int, count: int) -> int:
    """Digits: the highest rank of a group, and behind it so many of the highest other ranks."""
    top = group.bit_length()
    rest = _highest()[others & ~(1 << top - 1)]
    return top << 16 | (rest >> _DIGIT & 0x0FFFF & -(1 << 16 - _DIGIT * count))


@cache
def _highest() -> tuple[int, ...]:
    """For each mask of ranks its five highest as digits."""
    found = [0]
    for top in range(_ACE_HIGH + 1):
        found += [(top + 1) << 16 | rest >> _DIGIT for rest in found]
    return tuple(found)


# ---------------------------------------------------------------- high hands with exactly two hole cards
def _high_with_two(hole: Sequence[str], board: Sequence[str]) -> int:
    table = _by_key()
    keys = [_KEYS[card] for card in board]
    threes = [x + y + z for x, y, z in combinations(keys, 3)]
    twos = [x + y for x, y in combinations([_KEYS[card] for card in hole], 2)]
    best = max([table[two + three] for two in twos for three in threes])
    for ours, theirs in zip(_masks(hole, _HIGH_BITS), _masks(board, _HIGH_BITS), strict=True):
        if theirs.bit_count() >= 3 and ours.bit_count() >= 2:
            best = max(best, *(_flush(two | three, _USUAL) for two in _picks(ours, 2) for three in _picks(theirs, 3)))
    return best


@cache
def _by_key() -> dict[int, int]:
    """The rank of each five ranks, flushes left out, by the sum of 5^rank."""
    found = {}
    for ranks in combinations_with_replacement(range(_ACE_HIGH), 5):
        masks = [0, 0, 0, 0, 0]
        for place, rank_ in enumerate(ranks):
            masks[ranks[:place].count(rank_)] |= 2 << rank_
        if not masks[4]:
            found[sum(5**rank_ for rank_ in ranks)] = _by_ranks((masks[0], masks[1], masks[2], masks[3]), _USUAL)
    return found


def _picks(mask: int, count: int) -> Iterator[int]:
    """Each set of so many of the ranks of a mask."""
    bits = [1 << place for place in range(_ACE_HIGH + 1) if mask >> place & 1]
    return (sum(picked) for picked in combinations(bits, count))


# ---------------------------------------------------------------- lows
def _union(cards: Iterable[str]) -> int:
    """The ranks of cards, the ace low."""
    mask = 0
    for card in cards:
        mask |= _LOW_RANK[card]
    return mask


@cache
def _lowest() -> tuple[int, ...]:
    """For each mask of ranks, the ace low, its five lowest as digits, the highest of them first; 0: not so many."""
    found = [0] * (1 << _ACE_HIGH)
    for mask, digits in enumerate(_highest()[: 1 << _ACE_HIGH]):
        many = mask.bit_count()
        found[mask] = digits if many == 5 else found[mask & ~(1 << mask.bit_length() - 1)] if many > 5 else 0
    return tuple(found)


def _low8(mask: int) -> int | None:
    digits = _lowest()[mask & _EIGHT_AND_LESS]
    return _LOW - digits if digits else None


def _low8_with_two(hole: Sequence[str], board: Sequence[str]) -> int | None:
    theirs = _union(board) & _EIGHT_AND_LESS
    if theirs.bit_count() < 3:
        return None
    twos, threes = list(_picks(_union(hole) & _EIGHT_AND_LESS, 2)), list(_picks(theirs, 3))
    best = min([two | three for two in twos for three in threes if not two & three], default=0)
    return _low8(best)


def _razz(cards: Sequence[str]) -> int:
    digits = _lowest()[_union(cards)]
    if digits:
        return _LOW - digits
    return _LOW - min(_by_ranks(_masks(five, _LOW_BITS), _NO_WHEEL) for five in combinations(cards, 5))


def _badugi(cards: Sequence[str], bits: dict[str, tuple[int, int]]) -> int | None:
    """A card is a bit for its rank and one for its suit: so many cards of as many of both differ in both."""
    marks = [bits[card][1] | 1 << (16 + bits[card][0]) for card in cards]
    for missing, count in enumerate((4, 3, 2, 1)):
        found = [union for union in map(_joined, combinations(marks, count)) if union.bit_count() == 2 * count]
        if found:
            return _LOW - (missing << _DIGITS | min(_highest()[union & 0xFFFF] for union in found))
    return None


def _joined(marks: Iterable[int]) -> int:
    union = 0
    for mark in marks:
        union |= mark
    return union
