"""What an action makes of its round: the bet to call, the smallest raise, who opened, and how often it was raised."""

import pytest

from controller.rulings.rounds import BettingRound, after
from controller.rulings.values import Action, Reading

EMPTY = BettingRound(last_full_raise=100)  # behind the flop, the big blind 100
BLINDS = BettingRound(100, 100)  # before the flop
RAISED = BettingRound(600, 500, opener=None, opening_bet=600, raises=1, full_raises=1)


def act(action: Action, total: int, *, full: bool = False) -> Reading:
    return Reading(action, total, 0, 0, reopens=full, all_in=action.startswith("all_in"), rule="")


def test_the_first_bet_opens_the_round_and_is_its_largest_raise() -> None:
    assert after(EMPTY, 4, act("bet", 300, full=True)) == BettingRound(300, 300, 4, 300, 1, 1)


def test_behind_blinds_nobody_opens_and_the_first_raise_is_the_opening_bet() -> None:
    assert after(BLINDS, 4, act("raise", 600, full=True)) == RAISED


def test_a_later_full_raise_keeps_who_opened_and_with_what() -> None:
    opened = BettingRound(300, 300, 4, 300, 1, 1)
    assert after(opened, 2, act("raise", 900, full=True)) == BettingRound(900, 600, 4, 300, 2, 2)


def test_the_largest_full_raise_of_the_round_stays_the_smallest_one_to_come() -> None:
    """TDA 2024 43-A: the largest bet or raise of the round."""
    assert after(RAISED, 2, act("raise", 1000, full=True)).last_full_raise == 500


def test_an_all_in_for_less_raises_the_bet_and_reopens_nothing() -> None:
    """TDA 2024 47."""
    short = after(RAISED, 2, act("all_in_raise", 800))
    assert short == BettingRound(800, 500, None, 600, 2, 1)


@pytest.mark.parametrize("reading", [act("call", 600), act("all_in_call", 400), act("check", 600), act("fold", 700)])
def test_who_does_not_go_over_the_bet_changes_nothing(reading: Reading) -> None:
    """Nor does a fold that leaves more than the bet in the pot."""
    assert after(RAISED, 2, reading) == RAISED


def test_what_reopens_nothing_sets_no_smallest_raise_however_large_it_is() -> None:
    assert after(RAISED, 2, act("all_in_raise", 1200)).last_full_raise == 500


def test_a_round_begins_with_nothing_and_is_never_changed_itself() -> None:
    assert BettingRound() == BettingRound(0, 0, None, 0, 0, 0)
    assert after(BettingRound(), 4, act("bet", 50, full=True)) == BettingRound(50, 50, 4, 50, 1, 1)
    assert BettingRound.__struct_config__.frozen
