"""Pots: TDA 2024 21 and 16 example 3, Wikipedia's side pots, and conservation of chips."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.hand.pots import Pot, Uncalled, build_pots

CONTRIBUTIONS = st.dictionaries(st.integers(1, 10), st.integers(0, 2000), min_size=1, max_size=10)


def test_a_short_all_in_makes_a_main_and_a_side_pot() -> None:
    pots, uncalled = build_pots({"A": 700, "B": 1700, "C": 1700}, ["A", "B", "C"])

    assert pots == (Pot(2100, ("A", "B", "C")), Pot(2000, ("B", "C")))
    assert uncalled is None


def test_folded_money_lies_in_the_pots_that_it_reached() -> None:
    pots, _ = build_pots({"A": 150, "B": 450, "C": 450, "D": 100}, ["A", "B", "C"])

    assert [pot.amount for pot in pots] == [550, 600]


def test_antes_lie_in_the_main_pot_and_an_uncalled_bet_goes_back() -> None:
    pots, uncalled = build_pots({"alice": 7, "sb": 4, "dianne": 8, "carol": 16}, ["alice", "carol"], dead=10)

    assert pots == (Pot(35, ("alice", "carol")), Pot(2, ("carol",)))
    assert uncalled == Uncalled("carol", 8)


def test_the_last_player_wins_what_was_called_and_takes_the_rest_back() -> None:
    pots, uncalled = build_pots({1: 600, 2: 200, 3: 100}, [1])

    assert pots == (Pot(500, (1,)),)
    assert uncalled == Uncalled(1, 400)


def test_a_folded_seat_that_had_put_in_the_most_gets_nothing_back() -> None:
    pots, uncalled = build_pots({1: 500, 2: 100, 3: 200}, [2, 3])

    assert pots == (Pot(300, (2, 3)), Pot(500, (3,)))
    assert uncalled is None


def test_dead_money_alone_is_one_pot_and_no_money_is_no_pot() -> None:
    assert build_pots({1: 0, 2: 0}, [1, 2], dead=30)[0] == (Pot(30, (1, 2)),)
    assert build_pots({1: 0, 2: 0}, [1, 2]) == ((), None)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(CONTRIBUTIONS, st.data(), st.integers(0, 500))
def test_no_chip_is_lost_and_none_is_made(contributions: dict[int, int], data: st.DataObject, dead: int) -> None:
    in_hand = sorted(data.draw(st.sets(st.sampled_from(sorted(contributions)), min_size=1)))

    pots, uncalled = build_pots(contributions, in_hand, dead)

    back = uncalled.amount if uncalled else 0
    assert sum(pot.amount for pot in pots) + back == sum(contributions.values()) + dead
    assert all(pot.amount > 0 for pot in pots)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(CONTRIBUTIONS, st.data())
def test_each_side_pot_is_contested_by_fewer_seats_than_the_one_below(
    contributions: dict[int, int], data: st.DataObject
) -> None:
    in_hand = sorted(data.draw(st.sets(st.sampled_from(sorted(contributions)), min_size=1)))

    pots, _ = build_pots(contributions, in_hand)

    for lower, higher in itertools.pairwise(pots):
        assert set(higher.seats) < set(lower.seats)
