"""Hands of every game: what the rule books say of them, what must hold of any, and the order that PokerKit has.

No difference from PokerKit's ranking is known; where it is known to err is betting, not hands.
"""

import random
from itertools import combinations, pairwise, permutations

import pytest

from controller.games.ranking import Kind, Named, Uses, name, named, rank, rank_open
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

HANDS = 5000
WHOLE = 300  # through PokerKit's classes, which are slow


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def of(kind: Kind, hole: str, board: str = "", uses: Uses = "any") -> int | None:
    return rank(kind, cards(hole), cards(board), uses)


# Best first; hands on one line, split by "=", tie.
ORDERS: dict[Kind, str] = {
    "high": """
        As Ks Qs Js Ts = Ad Kd Qd Jd Td
        5h 4h 3h 2h Ah
        9c 9d 9h 9s 2c
        8c 8d 8h 8s Ac
        Kc Kd Kh 2s 2d
        Qc Qd Qh As Ad
        Ah Jh 8h 4h 2h = As Js 8s 4s 2s
        Ah Jh 8h 3h 2h
        Ac Kd Qh Js Tc
        6c 5d 4h 3s 2c
        5c 4d 3h 2s Ac
        2c 2d 2h As Kd
        Ac Ad 3h 3s 2c
        Kc Kd Qh Qs Ac
        Kc Kd Jh Js Ac
        2c 2d Ah Ks Qd = 2h 2s Ad Kc Qh
        2c 2d Ah Ks Jd
        Ac Kd Qh Js 9c
        7c 5d 4h 3s 2c
    """,
    "short_high": """
        9h 8h 7h 6h Ah
        6c 6d 6h 6s Ac
        Ah Jh 8h 7h 6h
        Kc Kd Kh 7s 7d
        Tc 9d 8h 7s 6c
        9c 8d 7h 6s Ac
        6c 6d 6h As Kd
    """,
    "low8": """
        5c 4d 3h 2s Ac = 5h 4h 3h 2h Ah
        6c 4d 3h 2s Ac
        6c 5d 4h 3s 2c
        7c 4d 3h 2s Ac
        8c 4d 3h 2s Ac
        8c 7d 6h 5s 4c
    """,
    "razz": """
        5c 4d 3h 2s Ac = 5h 4h 3h 2h Ah
        6c 5d 4h 3s 2c
        9c 4d 3h 2s Ac
        Kc Qd Jh Ts 9c
        Ac Ad 4h 3s 2c
        2c 2d 4h 3s Ac
        Kc Kd Qh Js Tc
        2c 2d Ah As 3c
        Ac Ad Ah 3s 2c
        Ac Ad Ah 2s 2c
        Ac Ad Ah As 2c
    """,
    "low27": """
        7c 5d 4h 3s 2c
        7c 6d 4h 3s 2c
        8c 5d 4h 3s 2c
        Ac 5d 4h 3s 2c
        Ac 6d 4h 3s 2c
        2c 2d 5h 4s 3c
        2c 2d 3h 3s 4c
        2c 2d 2h 4s 3c
        6c 5d 4h 3s 2c
        7h 5h 4h 3h 2h
        Ah 5h 4h 3h 2h
    """,
    "badugi": """
        4c 3d 2h As
        Kc Qd Jh Ts = Kc Qd Jh Ts Kd
        3c 2d Ah Ad = 3c 2d Ah Ac
        4c 3d 2h 2s
        2c Ad Ac 2d
        Kc Qd Kd Qc
        Ac Ad Ah As = Ac 2c 3c 4c
    """,
    "badugi27": """
        5c 4d 3h 2s
        Ac 4d 3h 2s
        4c 3d 2h 2s
        Kc Qd Kd Qc
        Ac Ad Ah As
    """,
}
# Stud's open boards, best first; for razz that is the lowest.
OPEN: dict[Kind, str] = {
    "high": "2c 2d 2h 2s; 2c 2d 2h As; Ac Ad 2h 2s; Kc Kd Qh Qs; 2c 2d Ah Ks; Ac Kc Qc Jc; 5c 4d 3h 2s",
    "razz": "4c 3c 2c Ac = 4d 3h 2s Ac; 5c 4d 3h 2s; Kc Qd Jh Ts; Ac Ad 3h 2s; 2c 2d 3h As; Ac Ad 2h 2s; Ac Ad Ah 2s",
    "low27": "5c 4d 3h 2s; Ac 4d 3h 2s; 2c 2d 4h 3s",
}


@pytest.mark.parametrize("kind", ORDERS)
def test_hands_stand_in_the_order_of_the_rule_books(kind: Kind) -> None:
    ranks = [[of(kind, hand) for hand in line.split("=")] for line in ORDERS[kind].strip().splitlines()]

    assert all(len(set(line)) == 1 for line in ranks)
    firsts = [line[0] for line in ranks]
    assert None not in firsts
    assert all(better > worse for better, worse in pairwise(firsts))  # type: ignore[operator]


@pytest.mark.parametrize("kind", OPEN)
def test_open_cards_count_as_pairs_and_high_cards_and_never_as_straights_or_flushes(kind: Kind) -> None:
    ranks = [[rank_open(kind, cards(one)) for one in line.split("=")] for line in OPEN[kind].split(";")]

    assert all(len(set(line)) == 1 for line in ranks)
    firsts = [line[0] for line in ranks]
    assert firsts == sorted(set(firsts), reverse=True)


@pytest.mark.parametrize("many", [1, 2, 3])
def test_open_cards_of_every_street_are_ranked(many: int) -> None:
    assert rank_open("high", cards("As Ah Ac")[:many]) > rank_open("high", cards("Ks Kh Kc")[:many])
    assert rank_open("razz", cards("As Ah Ac")[:many]) > rank_open("razz", cards("Ks Kh Kc")[:many])
    assert rank_open("low8", cards("8s Kh Qc")[:many]) > rank_open("low8", cards("9s Kh Qc")[:many])


def test_five_open_cards_are_a_hand() -> None:
    assert rank_open("high", cards("9c 8c 7c 6c 5c")) == of("high", "9c 8c 7c 6c 5c")
    assert rank_open("razz", cards("9c 8c 7c 6c 5c")) == of("razz", "9c 8c 7c 6c 5c")
    assert rank_open("low8", cards("9c 8c 7c 6c 5c")) == of("razz", "9c 8c 7c 6c 5c")


# ---------------------------------------------------------------- which cards count
def test_omaha_takes_exactly_two_hole_cards() -> None:
    assert of("high", "As 2c 3d 4h", "Ks Qs Js Ts 9d", "two") == of("high", "As 4h Ks Qs Js")
    assert of("high", "As Ah Ac Ad", "2c 3d 7h 9s Kc", "two") == of("high", "As Ah Kc 9s 7h")
    assert of("high", "As 5s Kd Kh", "2s 3s 4s Kc Ks", "two") == of("high", "As 5s 2s 3s 4s")
    assert of("low8", "As 2c Kd Kh", "3c 4d 5h 9s Kc", "two") == of("low8", "As 2c 3c 4d 5h")


@pytest.mark.parametrize(
    ("kind", "hole", "board", "uses"),
    [
        ("low8", "As 2c Kd Kh", "3c 4d 9h 9s Kc", "two"),  # two low cards on the board
        ("low8", "As Ac Kd Kh", "3c 4d 5h 9s Kc", "two"),  # one in the hand
        ("low8", "As 3c Kd Kh", "3h 4d 5h 9s Kc", "two"),  # one that pairs the board
        ("low8", "As 2c 3d 4h 4s 4c 9d", "", "any"),
        ("high", "As Ac", "Kc Kd", "any"),  # four cards
        ("high", "As Ac Ad Ah Kc Kd", "", "all"),  # six, and all of them
        ("high", "As", "Kc Kd Kh Ks", "two"),
        ("high", "As Ac Ad Ah", "Kc Kd", "two"),
        ("badugi", "", "", "all"),
    ],
)
def test_where_no_hand_can_be_made_there_is_no_rank_and_no_name(kind: Kind, hole: str, board: str, uses: Uses) -> None:
    assert of(kind, hole, board, uses) is None
    assert name(kind, cards(hole), cards(board), uses) is None


def test_a_common_card_of_stud_counts_for_everybody() -> None:
    assert of("high", "As Ks Qs Js 2c 3d", "Ts") == of("high", "As Ks Qs Js Ts")
    assert of("razz", "As 2s 3s 4s Kc Kd", "5s") == of("razz", "As 2s 3s 4s 5s")


# ---------------------------------------------------------------- what holds of any hand
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_neither_the_order_of_cards_nor_the_names_of_suits_matter(game: Game) -> None:
    rng = random.Random(3)
    for hole, board in dealt(game, 3, 100):
        own = rank(game.kind, hole, board, game.uses)
        other = str.maketrans("cdhs", "".join(rng.choice(list(permutations("cdhs")))))
        turned = [[card.translate(other) for card in rng.sample(part, len(part))] for part in (hole, board)]
        assert rank(game.kind, *turned, game.uses) == own


@pytest.mark.parametrize("kind", ["high", "low8", "razz", "low27", "badugi", "badugi27", "short_high"])
def test_a_card_more_never_makes_the_best_hand_worse(kind: Kind) -> None:
    rng = random.Random(4)
    deck = SHORT_DECK if kind == "short_high" else DECK
    for _ in range(200):
        seven = rng.sample(deck, 7)
        ranks = [rank(kind, seven[:many], (), "any") or 0 for many in range(8)]
        assert ranks == sorted(ranks)


@pytest.mark.parametrize("kind", ["high", "razz", "low27", "short_high"])
def test_the_best_of_seven_is_the_best_of_its_twenty_one_fives(kind: Kind) -> None:
    rng = random.Random(5)
    for _ in range(100):
        seven = rng.sample(SHORT_DECK, 7)
        assert rank(kind, seven, (), "any") == max(rank(kind, five, (), "all") or 0 for five in combinations(seven, 5))


# ---------------------------------------------------------------- names
@pytest.mark.parametrize(
    ("kind", "hand", "called"),
    [
        ("high", "As Ks Qs Js Ts", Named("royal_flush", "A")),
        ("high", "5s 4s 3s 2s As", Named("straight_flush", "5")),
        ("high", "9c 9d 9h 9s 2c", Named("quads", "9")),
        ("high", "Kc Kd Kh 5s 5d", Named("full_house", "K5")),
        ("high", "Ah Jh 8h 4h 2h", Named("flush", "AJ842")),
        ("high", "9c 8d 7h 6s 5c", Named("straight", "9")),
        ("high", "Tc Td Th As Kd", Named("trips", "T")),
        ("high", "Kc Kd 5h 5s Ac", Named("two_pair", "K5")),
        ("high", "2c 2d Ah Ks Qd", Named("pair", "2")),
        ("high", "Ac Kd Qh Js 9c", Named("high_card", "AKQJ9")),
        ("short_high", "Ah Jh 8h 7h 6h", Named("flush", "AJ876")),
        ("short_high", "Kc Kd Kh 7s 7d", Named("full_house", "K7")),
        ("short_high", "9c 8d 7h 6s Ac", Named("straight", "9")),
        ("short_high", "9c 8c 7c 6c Ac", Named("straight_flush", "9")),
        ("low8", "8c 7d 5h 4s 2c Kc Kd", Named("low", "87542")),
        ("low8", "5c 4d 3h 2s Ac Kc Kd", Named("low", "5432A")),
        ("razz", "Kc Qd Jh Ts 9c", Named("low", "KQJT9")),
        ("razz", "Ac Ad 4h 3s 2c", Named("pair", "A")),
        ("low27", "Ac 5d 4h 3s 2c", Named("low", "A5432")),
        ("low27", "Kc Kd Kh 5s 5d", Named("full_house", "K5")),
        ("low27", "Ah 5h 4h 3h 2h", Named("flush", "A5432")),
        ("badugi", "8c 5d 2h As", Named("badugi", "852A")),
        ("badugi", "8c 5d 2h 2s", Named("three_cards", "852")),
        ("badugi", "2c Ad Ac 2d", Named("two_cards", "2A")),
        ("badugi27", "Ac Ad Ah As", Named("one_card", "A")),
    ],
)
def test_a_hand_is_called_by_its_kind_and_the_ranks_that_name_it(kind: Kind, hand: str, called: Named) -> None:
    value = of(kind, hand)
    assert value is not None
    assert named(kind, value) == called == name(kind, cards(hand), (), "any")


# ---------------------------------------------------------------- beside others
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_random_hands_stand_in_the_order_that_pokerkit_has(game: Game) -> None:
    assert differences(game, dealt(game, 1, HANDS), by_tables(game)) == []
    assert differences(game, dealt(game, 2, WHOLE), by_classes(game)) == []


def test_a_difference_would_be_found() -> None:
    """Omaha judged as if any cards counted, and razz as if straights did."""
    any_cards = Game("high", "any", 4, 5, GAMES["omaha"].theirs)
    assert differences(any_cards, dealt(any_cards, 1, 200), by_classes(GAMES["omaha"]))
    razz = Game("low27", "any", 7, 0, GAMES["razz"].theirs)
    assert differences(razz, dealt(razz, 1, 200), by_tables(GAMES["razz"]))


def test_random_hands_stand_in_the_order_that_phevaluator_has() -> None:
    phevaluator = pytest.importorskip("phevaluator", reason="phevaluator has no wheel here")
    holdem, omaha = GAMES["hold'em"], GAMES["omaha"]

    assert (
        differences(holdem, dealt(holdem, 6, HANDS), lambda hand: -phevaluator.evaluate_cards(*hand[0], *hand[1])) == []
    )
    assert (
        differences(omaha, dealt(omaha, 6, HANDS), lambda hand: -phevaluator.evaluate_omaha_cards(*hand[1], *hand[0]))
        == []
    )
