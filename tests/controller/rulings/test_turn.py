"""Out of turn, substantial action and corrections: the order-of-play cases, as far as they are pure rules."""

import pytest
from msgspec.structs import replace

from controller.rulings.corrections import called_total, may_correct, only_amount, pot_wager
from controller.rulings.profiles import load
from controller.rulings.turn import ActKind, held_action, is_substantial, skipped_turn
from tests.controller.rulings.cases import CASES, label, of_type

TDA = load("TDA2024")
BINDS = {"oot_binding": "binds", "oot_binding_check": "binds", "oot_released": "released", "oot_stays": "chips_stay",
         "oot_check_no_raise": "call_or_fold"}  # fmt: skip


def acts(history: list[str], *, out_of_turn: bool) -> list[ActKind]:
    """The actions of a case's history: those out of turn, or those behind them."""
    behind = next((n for n, line in enumerate(history) if "OOT" in line), len(history))
    lines = [line for line in history if "OOT" in line] if out_of_turn else history[behind:]
    words = [line.replace("OOT ", "").split()[1].split("|")[0] for line in lines if out_of_turn or "OOT" not in line]
    return [word for word in words if word in {"post", "check", "fold", "call", "bet", "raise"}]  # type: ignore[misc]


IN_HAND = [pair for pair in of_type("procedure") if pair[0]["expected"]["action"] in BINDS]
SUBSTANTIAL = [pair for pair in of_type("procedure") if pair[0]["expected"]["action"] == "substantial_action"]


@pytest.mark.parametrize("pair", IN_HAND, ids=label)
def test_an_action_out_of_turn_ends_as_the_case_says(pair: tuple[dict, str]) -> None:
    case, profile = pair
    held = acts(case["history"], out_of_turn=True)[0]

    assert (
        held_action(load(profile), held, acts(case["history"], out_of_turn=False)) == BINDS[case["expected"]["action"]]
    )


@pytest.mark.parametrize("pair", SUBSTANTIAL, ids=label)
def test_actions_are_substantial_as_the_case_says(pair: tuple[dict, str]) -> None:
    case, profile = pair
    done: list[ActKind] = [line.split()[-1] for line in case["history"]]  # type: ignore[misc]

    assert is_substantial(load(profile), done) == case["expected"]["substantial"]


@pytest.mark.parametrize("identity", ["TDA53B-EX1", "TDA53B-EX2"])
def test_two_actions_past_a_skipped_seat_bind_by_tda_53_b(identity: str) -> None:
    case = next(case for case in CASES if case["id"] == identity)

    assert is_substantial(TDA, acts(case["history"], out_of_turn=True))


def test_a_fold_out_of_turn_always_binds() -> None:
    """TDA 2024 53-A."""
    assert held_action(TDA, "fold", ["raise"]) == "binds"


def test_a_house_may_hold_a_wager_out_of_turn_to_the_smallest() -> None:
    """Ultimate Poker Tour."""
    assert held_action(load("HOUSE_DOUBLE"), "raise", ["bet"]) == "min_wager"
    assert held_action(load("HOUSE_DOUBLE"), "call", ["bet"]) == "released"


def test_a_skipped_player_loses_his_turn_after_two_checks_in_one_club_only() -> None:
    """Russian club rules 2.8.12 against TDA 2024 36; Robert's Rules count three."""
    assert is_substantial(load("RU_CASH"), ["check", "check"])
    assert not is_substantial(TDA, ["check", "check"])
    assert not is_substantial(load("RROP11"), ["bet", "call"])
    assert is_substantial(load("RROP11"), ["check", "check", "check"])
    assert not is_substantial(load("RU_CASH"), ["post", "call"])


def test_a_short_bet_is_put_right_until_the_next_card_or_the_end_of_the_round() -> None:
    """TDA 2024 52-A; Robert's Rules."""
    assert may_correct(TDA, next_card=False, round_over=True)
    assert not may_correct(TDA, next_card=True, round_over=True)
    assert not may_correct(load("RROP11"), next_card=False, round_over=True)
    assert not may_correct(load("RROP11"), next_card=True, round_over=False)
    assert may_correct(load("RROP11"), next_card=False, round_over=False)


def test_a_skipped_player_who_owes_nothing_has_checked_in_one_club_where_all_behind_him_did() -> None:
    """Russian club rules 2.8.12; elsewhere, and where anybody did more, the floor rules (TDA 2024 53-B)."""
    club, checks, bet = load("RU_CASH"), ("check", "check"), ("check", "bet")
    fates = [skipped_turn(club, checks, owes=False), skipped_turn(club, checks, owes=True)]
    fates += [skipped_turn(club, bet, owes=False), skipped_turn(TDA, checks, owes=False)]

    assert fates == ["checks", "floor", "floor", "floor"]


def test_behind_others_only_the_amount_of_a_bet_or_call_is_put_right() -> None:
    """TDA 2024 51-C, 52: no call becomes a raise, and a check or fold stays what it was."""
    kinds = ("check", "fold", "call", "all_in_call", "bet", "raise", "all_in_bet", "all_in_raise")
    allowed = {(was, becomes) for was in kinds for becomes in kinds if only_amount(was, becomes)}
    calls, wagers = set(kinds[2:4]), set(kinds[4:])

    assert allowed == {(was, to) for was in wagers for to in wagers | calls} | {
        (was, to) for was in calls for to in calls
    }


def test_a_call_follows_the_corrected_bet_and_never_more_than_the_stack() -> None:
    assert called_total(1200, everything=5000) == 1200
    assert called_total(1200, everything=1000) == 1000


def test_a_wrong_count_of_the_pot_is_put_right_both_ways_and_not_for_ever() -> None:
    """TDA 2024 52-B: a pot of 10500, quoted as 9500 and as 11500."""
    assert pot_wager(9500, 10500, next_card=False, substantial=False) == 10500
    assert pot_wager(9500, 10500, next_card=False, substantial=True) == 9500
    assert pot_wager(11500, 10500, next_card=False, substantial=True) == 10500
    assert pot_wager(11500, 10500, next_card=True, substantial=True) == 11500


def test_a_check_out_of_turn_is_free_again_unless_the_house_blocks_it() -> None:
    assert held_action(TDA, "check", ["bet"]) == "released"
    assert held_action(replace(TDA, oot_check_blocks_raise=True), "check", ["bet"]) == "call_or_fold"
