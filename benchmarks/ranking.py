"""Hands of every kind of game ranked a second, beside PokerKit and phevaluator; a showdown of nine players."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from benchmarks import peers
from benchmarks.rows import Row, Size, Tell, at_most, times
from benchmarks.timing import cpu_s, interleaved, percentile
from controller.games.ranking import Kind, Uses, rank
from firmware_bridge.events import Value

GROUP = "ranking"
DECK = [rank_ + suit for rank_ in "23456789TJQKA" for suit in "cdhs"]
PLAYERS = 9
SHOWDOWN_MS = 20  # a person does not see it
Hand = tuple[list[str], list[str]]  # hole, board


class Game(Value, frozen=True):
    kind: Kind
    uses: Uses
    hole: int
    board: int
    theirs: str  # PokerKit's class


GAMES = {
    "hold'em": Game("high", "any", 2, 5, "StandardHighHand"),
    "Omaha": Game("high", "two", 4, 5, "OmahaHoldemHand"),
    "six-card Omaha": Game("high", "two", 6, 5, "OmahaHoldemHand"),
    "Omaha, eight or better": Game("low8", "two", 4, 5, "OmahaEightOrBetterLowHand"),
    "razz": Game("razz", "any", 7, 0, "RegularLowHand"),
    "deuce to seven": Game("low27", "all", 5, 0, "StandardLowHand"),
    "badugi": Game("badugi", "all", 4, 0, "BadugiHand"),
}


def rows(size: Size, tell: Tell) -> Iterator[Row]:
    for name, game in GAMES.items():
        tell(name)
        yield _row(name, game, size)
    tell("phevaluator")
    yield _row_phevaluator(size)
    tell(f"a showdown of {PLAYERS}")
    yield showdown_row(size)


def hands_of(game: Game, count: int) -> list[Hand]:
    rng = random.Random(8)
    dealt = [rng.sample(DECK, game.hole + game.board) for _ in range(count)]
    return [(cards[: game.hole], cards[game.hole :]) for cards in dealt]


def ours(game: Game, hands: Sequence[Hand]) -> Callable[[], object]:
    return lambda: [rank(game.kind, hole, board, game.uses) for hole, board in hands]


def _row(name: str, game: Game, size: Size) -> Row:
    hands = hands_of(game, size.hands)
    sides, note = {"ours": ours(game, hands)}, ""
    try:
        theirs = getattr(peers.pokerkit(), game.theirs)
        texts = [("".join(hole), "".join(board)) for hole, board in hands]
        sides["pokerkit"] = lambda: [theirs.from_game_or_none(*text) for text in texts]
    except peers.MissingPeerError as missing:
        note = str(missing)
    return _measured(f"hands of {name}", "pokerkit", sides, size, note)


def _row_phevaluator(size: Size) -> Row:
    hands = hands_of(GAMES["hold'em"], size.hands)
    sides, note = {"ours": ours(GAMES["hold'em"], hands)}, "its evaluator is written in C"
    try:
        evaluate = peers.phevaluator().evaluate_cards
        sides["phevaluator"] = lambda: [evaluate(*hole, *board) for hole, board in hands]
    except peers.MissingPeerError as missing:
        note = str(missing)
    return _measured("hands of hold'em", "phevaluator", sides, size, note)


def _measured(what: str, peer: str, sides: dict[str, Callable[[], object]], size: Size, note: str) -> Row:
    taken = interleaved(sides, size.repetitions)
    rates = {side: size.hands / max(seconds, 1e-9) for side, seconds in taken.items()}
    return Row(
        group=GROUP,
        what=what,
        unit="/s",
        better="more",
        ours=rates["ours"],
        peer=peer,
        theirs=rates.get(peer),
        aim=times(1),
        note=note,
    )


def showdown(holes: Sequence[Sequence[str]], board: Sequence[str]) -> list[tuple[int | None, int | None]]:
    return [(rank("high", hole, board, "two"), rank("low8", hole, board, "two")) for hole in holes]


def showdown_row(size: Size) -> Row:
    rng = random.Random(9)
    taken = []
    for _ in range(size.hands * max(1, size.repetitions)):
        cards = rng.sample(DECK, 4 * PLAYERS + 5)
        holes = [cards[4 * seat : 4 * seat + 4] for seat in range(PLAYERS)]
        taken.append(1000 * cpu_s(partial(showdown, holes, cards[-5:])))
    return Row(
        group=GROUP,
        what=f"a showdown of {PLAYERS} in Omaha hi-lo, high and low of each",
        unit="ms",
        ours=percentile(taken, 0.5),
        aim=at_most(SHOWDOWN_MS),
        note=f"99 % within {percentile(taken, 0.99):.2f} ms, the longest {max(taken):.2f} ms",
    )
