"""Blinds, antes, straddles, bring-in and kill: what is posted, and what everybody faces then."""

import pytest
from msgspec.structs import replace

from controller.rulings.forced_bets import Faced, after_blinds, after_bring_in, after_straddle, killed
from controller.rulings.posting import (
    Entry,
    Posting,
    ante_due,
    entry,
    may_straddle,
    post,
    straddle_amount,
    straddle_counts,
)
from controller.rulings.profiles import load
from controller.rulings.rules import Rules
from controller.rulings.values import Options, Situation, Structure
from tests.controller.rulings.cases import label, of_type

TDA, TDA2019, BARGE = load("TDA2024"), load("TDA2019"), load("BARGE")
RROP, WSOP, RU_CASH = load("RROP11"), load("WSOP_LIVE"), load("RU_CASH")


@pytest.mark.parametrize("pair", of_type("posting"), ids=label)
def test_a_seat_posts_what_the_case_says(pair: tuple[dict, str]) -> None:
    case, profile = pair
    small = case["context"].get("position") == "sb"
    blind, ante = (case["blinds"]["sb"], 0) if small else (case["blinds"]["bb"], case["blinds"]["ante"])

    posted = post(load(profile), case["context"]["player_stack"], blind, ante)

    expected = case["expected"]
    assert (posted.blind, posted.ante) == (expected["blind_posted"], expected["ante_posted"])
    assert posted.all_in == expected["all_in"]


def test_a_full_stack_posts_everything_and_is_not_all_in() -> None:
    assert post(TDA, 5000, 1000, 1000) == Posting(1000, 1000, all_in=False)
    assert post(TDA2019, 5000, 1000, 1000) == Posting(1000, 1000, all_in=False)


def test_who_has_nothing_posts_nothing_and_a_last_chip_is_all_in() -> None:
    assert post(TDA, 0, 1000) == Posting(0, 0, all_in=False)
    assert post(TDA, 1, 1000) == Posting(1, 0, all_in=True)
    assert post(TDA, 5000, 1000) == Posting(1000, 0, all_in=False)


def test_an_order_given_wins_over_the_house() -> None:
    assert post(TDA, 1500, 1000, 1000, "ante_first") == Posting(500, 1000, all_in=True)


def test_an_ante_takes_a_last_chip_before_the_blind_only_where_antes_come_first() -> None:
    assert post(TDA, 1000, 1000, 100) == Posting(1000, 0, all_in=True)
    assert post(TDA2019, 1000, 1000, 100) == Posting(900, 100, all_in=True)


def test_who_owes_an_ante() -> None:
    owed = {
        by: [
            ante_due(TDA, by, seat, 100, small_blind=50, players=9)
            for seat in ("button", "small_blind", "big_blind", "other")
        ]
        for by in ("none", "each", "big_blind", "button")
    }

    assert owed == {"none": [0] * 4, "each": [100] * 4, "big_blind": [0, 0, 100, 0], "button": [100, 0, 0, 0]}


def test_a_big_blind_ante_shrinks_to_the_small_blind_at_barge_alone() -> None:
    assert ante_due(BARGE, "big_blind", "big_blind", 200, small_blind=100, players=5) == 200
    assert ante_due(BARGE, "big_blind", "big_blind", 200, small_blind=100, players=4) == 100
    assert ante_due(TDA, "big_blind", "big_blind", 200, small_blind=100, players=2) == 200


def test_a_new_player_posts_a_live_big_blind() -> None:
    """Russian club rules 2.11.4."""
    assert entry(False, False, 50, 100, new=True) == Entry(live=100, dead=0)


def test_missed_blinds_are_posted_the_big_one_live_and_the_small_one_dead() -> None:
    assert entry(missed_small=True, missed_big=True, small_blind=50, big_blind=100) == Entry(live=100, dead=50)
    assert entry(missed_small=True, missed_big=False, small_blind=50, big_blind=100) == Entry(live=0, dead=50)
    assert entry(missed_small=False, missed_big=True, small_blind=50, big_blind=100) == Entry(live=100, dead=0)


def test_the_seat_left_of_the_big_blind_alone_may_straddle() -> None:
    """Russian club rules 2.12.2."""
    assert [seat for seat in range(6) if may_straddle(RU_CASH, seat, players=6)] == [3]
    assert may_straddle(RU_CASH, 0, players=3), "three-handed the button is left of the big blind"


def test_nobody_straddles_in_a_tournament_heads_up_or_from_a_blind() -> None:
    assert not any(may_straddle(TDA, seat, players=6) for seat in range(6))
    assert not any(may_straddle(RU_CASH, seat, players=2) for seat in range(2))
    anywhere = replace(RU_CASH, straddle="mississippi")
    assert not any(may_straddle(anywhere, seat, players=2) for seat in range(2))
    assert [seat for seat in range(6) if may_straddle(anywhere, seat, players=6)] == [0, 3, 4, 5]


def test_a_straddle_is_doubled_again_only_where_the_house_allows_it() -> None:
    doubled = replace(RU_CASH, restraddle=True)

    assert not may_straddle(RU_CASH, 4, players=6, straddles=1)
    assert [seat for seat in range(6) if may_straddle(doubled, seat, players=6, straddles=1)] == [4]
    assert straddle_amount(10) == 20
    assert [straddle_amount(10, straddles) for straddles in range(3)] == [20, 40, 80]


def test_a_sleeper_counts_only_where_nobody_acted_before_it() -> None:
    sleeper = replace(RU_CASH, straddle="sleeper")

    assert straddle_counts(sleeper, others_acted=False)
    assert not straddle_counts(sleeper, others_acted=True)
    assert straddle_counts(RU_CASH, others_acted=True)


def options(faced: Faced, profile: str, structure: Structure, players: int = 6) -> Options:
    situation = Situation(
        current_bet=faced.current_bet,
        player_bet=0,
        last_full_raise=faced.last_full_raise,
        min_bet=faced.min_bet,
        player_stack=100_000,
        players_in_hand=players,
        facing="blind",
        structure=structure,
        fl_full_level=faced.fl_full_level,
    )
    return Rules.named(profile).options(situation)


def test_a_short_big_blind_costs_the_full_price() -> None:
    """Robert's Rules, no limit 2; TDA 2024 54-B."""
    faced = after_blinds(TDA, 100, 60, players=6)

    assert options(faced, "TDA2024", Structure()) == Options(100, can_raise=True, min_raise_to=200, max_raise_to=None)


def test_heads_up_a_short_big_blind_costs_what_was_posted_in_one_club() -> None:
    """Russian club rules 2.3.2."""
    assert after_blinds(RU_CASH, 100, 60, players=2).current_bet == 60
    assert after_blinds(RU_CASH, 100, 60, players=3).current_bet == 100
    assert after_blinds(TDA, 100, 60, players=2).current_bet == 100


def test_over_a_straddle_of_20_a_raise_goes_to_40_or_to_30() -> None:
    """Robert's Rules: 5-10-20, raise to 40. WSOP live 11: three big blinds."""
    assert options(after_straddle(RROP, 10, 20), "RROP11", Structure()).min_raise_to == 40
    assert options(after_straddle(WSOP, 10, 20), "WSOP_LIVE", Structure()).min_raise_to == 30
    assert after_straddle(WSOP, 10, 40, below=20).last_full_raise == 20


def test_after_the_flop_the_smallest_bet_is_the_big_blind_unless_the_house_says_the_straddle() -> None:
    assert after_straddle(RROP, 10, 20).postflop_min == 10
    assert after_straddle(replace(RROP, postflop_min="straddle"), 10, 20).postflop_min == 20


def test_a_bring_in_is_completed_in_fixed_limit() -> None:
    """Robert's Rules, stud 3: bring-in 5, completed to 15, which is a bet."""
    structure = Structure("FL", street_bet=15, raise_cap=3)

    assert options(after_bring_in(5, 15, fixed_limit=True), "RROP11", structure) == Options(5, True, 15, 15)


def test_a_bring_in_is_the_bet_in_pot_limit() -> None:
    """BARGE: 8 antes of 100, bring-in 150: raise to 300 at least."""
    assert options(after_bring_in(150, 500, fixed_limit=False), "BARGE", Structure("PL")).min_raise_to == 300


def test_a_kill_doubles_and_a_half_kill_adds_half() -> None:
    assert killed(20, "full") == 40
    assert killed(20, "half") == 30
    assert killed(5, "half") == 8, "a half that is no whole chip is rounded up"
