"""What may be bet on which street, and what a kill makes of it: the limits alone."""

import pytest

from controller.rulings.structures import Limits, killed_limits, opening_bet, structure_on
from controller.rulings.values import Structure, StructureType

FIXED = Limits("FL", small_bet=100, big_bet=200)
SPREAD = Limits("spread", least=50, most=200, most_last=400)
BIG = (False, False, True, True)  # hold'em's four streets: which have the big bet
LAST = (False, False, False, True)


def test_fixed_limit_doubles_its_bet_on_the_turn() -> None:
    """Robert's Rules, limit hold'em."""
    assert [opening_bet(FIXED, 100, big=big) for big in BIG] == [100, 100, 200, 200]
    assert structure_on(FIXED, big=False, last=False).raises_made == 0
    assert [structure_on(FIXED, 2, big=big, last=last) for big, last in zip(BIG, LAST, strict=True)] == [
        Structure("FL", street_bet=bet, raises_made=2) for bet in (100, 100, 200, 200)
    ]


def test_spread_limit_may_be_larger_on_the_last_street() -> None:
    assert [opening_bet(SPREAD, 100, big=big) for big in BIG] == [50] * 4
    assert [structure_on(SPREAD, 3, big=big, last=last) for big, last in zip(BIG, LAST, strict=True)] == [
        Structure("spread", raises_made=3, min=50, max=most) for most in (200, 200, 200, 400)
    ]


@pytest.mark.parametrize("structure", ["NL", "PL", "HP"])
def test_games_without_amounts_of_their_own_open_for_the_big_blind(structure: StructureType) -> None:
    assert [opening_bet(Limits(structure), 100, big=big) for big in BIG] == [100] * 4
    assert structure_on(Limits(structure), big=True, last=False) == Structure(structure)


def test_a_kill_raises_every_amount() -> None:
    assert killed_limits(FIXED, "half") == Limits("FL", small_bet=150, big_bet=300)
    assert killed_limits(SPREAD, "full") == Limits("spread", least=100, most=400, most_last=800)
    assert killed_limits(Limits("PL"), "full") == Limits("PL")
