"""Sizes and small parts of the rules that no push shows on its own."""

import pytest
from msgspec.structs import replace

from controller.rulings import limits
from controller.rulings.facts import lay_out, without
from controller.rulings.numbers import possible_amounts
from controller.rulings.profiles import load
from controller.rulings.rules import Rules
from controller.rulings.values import Push, Reading, Situation, Structure, Word

TDA, RROP, WIKI = load("TDA2024"), load("RROP11"), load("WIKI")
FACING_325 = Situation(
    current_bet=325, player_bet=0, last_full_raise=325, min_bet=25, player_stack=9000, facing="opening_bet"
)
FL_20 = Situation(
    current_bet=20,
    player_bet=0,
    last_full_raise=20,
    min_bet=20,
    player_stack=900,
    structure=Structure("FL", street_bet=20),
)


def raise_to(total: int, *, reopens: bool = True) -> Reading:
    return Reading("raise", total, 0, 0, reopens=reopens, all_in=False, rule="")


@pytest.mark.parametrize(("value", "raises"), [(487, False), (488, True)])
def test_the_line_that_people_are_told_is_the_line_that_is_tested(value: int, raises: bool) -> None:
    """An odd half: 325 and half of 325."""
    assert limits.raise_line(TDA, FACING_325) == 488
    assert limits.reaches_raise(TDA, FACING_325, value) is raises


def test_the_line_of_a_house_that_counts_full_raises_or_anything() -> None:
    assert limits.raise_line(WIKI, FACING_325) == 650
    assert limits.raise_line(RROP, FACING_325) == 326
    assert limits.raise_line(WIKI, FL_20) == 40, "fixed limit has a switch of its own"
    assert limits.raise_line(RROP, FL_20) == 30
    assert not limits.reaches_raise(RROP, FACING_325, 325)
    assert limits.reaches_raise(RROP, FACING_325, 326)


def test_a_completed_bet_is_no_raise_for_the_cap() -> None:
    """Robert's Rules, stud 3: 5, 15, then three raises."""
    bring_in = replace(FL_20, current_bet=5, fl_full_level=0)

    assert not limits.counts_toward_cap(bring_in, raise_to(20))
    assert limits.counts_toward_cap(FL_20, raise_to(40))
    assert limits.counts_toward_cap(replace(FL_20, current_bet=15, fl_full_level=0), raise_to(35))


def test_the_smallest_limits_count_like_any_other() -> None:
    one = replace(FL_20, current_bet=1, min_bet=1, structure=Structure("FL", street_bet=1))

    assert limits.counts_toward_cap(one, raise_to(2))


def test_a_spread_without_a_maximum_goes_up_by_the_minimum_bet() -> None:
    assert limits.max_to(TDA, replace(FL_20, structure=Structure("spread"))) == 40


def test_a_bet_and_a_short_all_in_are_no_raises_for_the_cap() -> None:
    assert not limits.counts_toward_cap(replace(FL_20, current_bet=0), raise_to(40))
    assert not limits.counts_toward_cap(FL_20, raise_to(29, reopens=False))


def test_a_number_may_mean_itself_hundreds_thousands_or_millions() -> None:
    facts = lay_out(TDA, replace(FACING_325, current_bet=0, min_bet=400), Push(()))

    assert possible_amounts(facts, Word("ambiguous_number", 5)) == (500, 5000, 5_000_000)
    assert possible_amounts(facts, Word("ambiguous_number", 400)) == (400, 40_000, 400_000, 400_000_000)
    assert possible_amounts(facts, Word("ambiguous_number", 5, readings=(50, 500))) == (50, 500)
    assert possible_amounts(facts, Word("ambiguous_number", None)) == (400,)
    assert possible_amounts(lay_out(TDA, FACING_325, Push(())), Word("ambiguous_number", 4)) == (400, 4000, 4_000_000)


def test_chips_are_taken_away_one_for_one() -> None:
    assert without((100, 100, 25), (100,)) == (100, 25)
    assert without((100, 25), (500, 100)) == (25,)


def test_a_push_of_nothing_is_asked_and_never_an_action() -> None:
    """Chips in front that cover the bet are no action by themselves."""
    covered = replace(FACING_325, player_bet=25, prior_chips=(500,))

    assert Rules(TDA).judge(covered, Push(())).chosen is None
    assert Rules(TDA).judge(covered, Push((), word=Word("number"))).chosen is None


def test_rules_are_named_in_any_case() -> None:
    assert Rules.named("tda2024").profile == TDA
