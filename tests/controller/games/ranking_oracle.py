"""Hands ranked by PokerKit, an engine that is not ours: its classes as they are, and its tables behind a brute search.

Its classes take a millisecond a hand. Its tables say what five cards are worth, and here each five that the game allows
is looked up in them: as independent of our file, and quick enough for a million hands.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, pairwise

import pokerkit

from controller.games.ranking import Kind, Uses, rank
from firmware_bridge.events import Value

DECK = tuple(rank_ + suit for rank_ in "23456789TJQKA" for suit in "cdhs")
SHORT_DECK = DECK[16:]
Hand = tuple[tuple[str, ...], tuple[str, ...]]  # hole, board
Worth = Callable[[Hand], int | None]  # greater is better


class Game(Value, frozen=True):
    kind: Kind
    uses: Uses
    hole: int
    board: int
    theirs: type[pokerkit.Hand]
    deck: tuple[str, ...] = DECK


GAMES = {
    "hold'em": Game("high", "any", 2, 5, pokerkit.StandardHighHand),
    "stud": Game("high", "any", 7, 0, pokerkit.StandardHighHand),
    "stud with a common card": Game("high", "any", 6, 1, pokerkit.StandardHighHand),
    "five-card draw": Game("high", "all", 5, 0, pokerkit.StandardHighHand),
    "short deck": Game("short_high", "any", 2, 5, pokerkit.ShortDeckHoldemHand, SHORT_DECK),
    "omaha": Game("high", "two", 4, 5, pokerkit.OmahaHoldemHand),
    "five-card omaha": Game("high", "two", 5, 5, pokerkit.OmahaHoldemHand),
    "six-card omaha": Game("high", "two", 6, 5, pokerkit.OmahaHoldemHand),
    "omaha low": Game("low8", "two", 4, 5, pokerkit.OmahaEightOrBetterLowHand),
    "six-card omaha low": Game("low8", "two", 6, 5, pokerkit.OmahaEightOrBetterLowHand),
    "stud low": Game("low8", "any", 7, 0, pokerkit.EightOrBetterLowHand),
    "razz": Game("razz", "any", 7, 0, pokerkit.RegularLowHand),
    "razz with a common card": Game("razz", "any", 6, 1, pokerkit.RegularLowHand),
    "ace to five draw": Game("razz", "all", 5, 0, pokerkit.RegularLowHand),
    "deuce to seven": Game("low27", "all", 5, 0, pokerkit.StandardLowHand),
    "deuce to seven of seven": Game("low27", "any", 7, 0, pokerkit.StandardLowHand),
    "badugi": Game("badugi", "all", 4, 0, pokerkit.BadugiHand),
    "badugi, ace high": Game("badugi27", "all", 4, 0, pokerkit.StandardBadugiHand),
}


def dealt(game: Game, seed: int, count: int) -> Iterator[Hand]:
    """Random hands; every third of few ranks or of few suits, so that rare hands come often."""
    rng = random.Random(seed)
    for number in range(count):
        cards = tuple(rng.sample(_deck(rng, game, number), game.hole + game.board))
        yield cards[: game.hole], cards[game.hole :]


def _deck(rng: random.Random, game: Game, number: int) -> Sequence[str]:
    every = game.hole + game.board
    if number % 3 == 1:
        ranks = rng.sample(sorted({card[0] for card in game.deck}), max(5, (every + 3) // 4 + 1))
        return [card for card in game.deck if card[0] in ranks]
    if number % 3 == 2:
        suits = rng.sample("cdhs", 2)
        few = [card for card in game.deck if card[1] in suits]
        return few if len(few) >= every else game.deck
    return game.deck


def by_classes(game: Game) -> Worth:
    """What a hand is worth as PokerKit itself finds it."""

    def worth(hand: Hand) -> int | None:
        found = game.theirs.from_game_or_none("".join(hand[0]), "".join(hand[1]))
        return None if found is None else _signed(game, found.entry.index)

    return worth


def _signed(game: Game, index: int) -> int:
    return -index if game.theirs.low else index


def by_tables(game: Game) -> Worth:
    """What a hand is worth by PokerKit's table of hands, each allowed set of cards looked up."""
    known: dict[tuple[tuple[str, ...], bool], int | None] = {}
    lookup = game.theirs.lookup

    def looked_up(cards: tuple[str, ...]) -> int | None:
        key = tuple(sorted([card[0] for card in cards])), len({card[1] for card in cards}) == 1
        if key not in known:
            entry = lookup.get_entry_or_none("".join(cards))
            known[key] = None if entry is None else _signed(game, entry.index)
        return known[key]

    def worth(hand: Hand) -> int | None:
        return max((found for five in _sets(game, *hand) if (found := looked_up(five)) is not None), default=None)

    return worth


def _sets(game: Game, hole: tuple[str, ...], board: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    if game.kind in {"badugi", "badugi27"}:
        every = chain.from_iterable(combinations(hole, count) for count in (4, 3, 2, 1))
        return (cards for cards in every if len({card[1] for card in cards}) == len(cards))
    if game.uses == "two":
        return ((*two, *three) for two in combinations(hole, 2) for three in combinations(board, 3))
    return combinations((*hole, *board), 5)


def differences(game: Game, hands: Iterable[Hand], theirs: Worth) -> list[str]:
    """Where we and they do not put all of these hands into one order, with the same ties."""
    ours: dict[int | None, tuple[int | None, Hand]] = {}
    found = []
    for hand in hands:
        worth, own = theirs(hand), rank(game.kind, *hand, game.uses)
        first = ours.setdefault(worth, (own, hand))
        if own != first[0]:
            found.append(f"{hand} ties with {first[1]}")
    found += [f"{hand} makes {own}" for own, hand in [ours.get(None, (None, None))] if own is not None]
    order = [one for worth, one in sorted((key, one) for key, one in ours.items() if key is not None)]
    found += [
        f"{better[1]} beats {worse[1]}"
        for worse, better in pairwise(order)
        if worse[0] is None or better[0] is None or not worse[0] < better[0]
    ]
    return found
