"""A million hands of each game beside PokerKit, and all hands of five cards counted."""

from collections import Counter
from itertools import combinations

import pytest

from controller.games.ranking import named, rank
from tests.controller.games.ranking_oracle import (
    DECK,
    GAMES,
    SHORT_DECK,
    Game,
    by_classes,
    by_tables,
    dealt,
    differences,
)

HANDS = 1_000_000
WHOLE = 20_000  # through PokerKit's classes, which are slow
pytestmark = pytest.mark.proof


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_million_random_hands_stand_in_the_order_that_pokerkit_has(game: Game) -> None:
    assert differences(game, dealt(game, 11, HANDS), by_tables(game)) == []
    assert differences(game, dealt(game, 12, WHOLE), by_classes(game)) == []


@pytest.mark.parametrize("name", ["hold'em", "omaha"])
def test_a_million_random_hands_stand_in_the_order_that_phevaluator_has(name: str) -> None:
    phevaluator = pytest.importorskip("phevaluator", reason="phevaluator has no wheel here")
    evaluate = phevaluator.evaluate_cards if name == "hold'em" else phevaluator.evaluate_omaha_cards
    game = GAMES[name]
    assert differences(game, dealt(game, 13, HANDS), lambda hand: -evaluate(*hand[1], *hand[0])) == []


def test_all_hands_of_five_cards_are_as_many_of_each_kind_as_combinatorics_say() -> None:
    ranks = Counter(rank("high", five, (), "all") or 0 for five in combinations(DECK, 5))
    kinds = Counter[str]()
    for value, count in ranks.items():
        kinds[named("high", value).code] += count

    assert len(ranks) == 7462
    assert kinds == {
        "royal_flush": 4,
        "straight_flush": 36,
        "quads": 624,
        "full_house": 3744,
        "flush": 5108,
        "straight": 10_200,
        "trips": 54_912,
        "two_pair": 123_552,
        "pair": 1_098_240,
        "high_card": 1_302_540,
    }


def test_all_hands_of_the_short_deck_too() -> None:
    """126 choices of five of nine ranks, six of them straights."""
    kinds = Counter(
        named("short_high", rank("short_high", five, (), "all") or 0).code for five in combinations(SHORT_DECK, 5)
    )

    assert kinds["flush"] == 4 * 120
    assert kinds["full_house"] == 9 * 8 * 4 * 6
    assert kinds["straight"] == 6 * (4**5 - 4)
    assert kinds["straight_flush"] + kinds["royal_flush"] == 6 * 4
