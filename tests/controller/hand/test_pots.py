"""Pots: TDA 2024 21 and 16 example 3, Wikipedia's side pots, and conservation of chips."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.hand.pots import build_pots

CONTRIBUTIONS = st.dictionaries(st.integers(1, 10), st.integers(0, 2000), min_size=1, max_size=10)


def contested(contributions: dict[int, int], in_hand: list[int], dead: int = 0) -> list[tuple[int, tuple[int, ...]]]:
    return [(pot.amount, tuple(pot.seats)) for pot in build_pots(contributions, in_hand, dead)[0]]


def returned(contributions: dict[int, int], in_hand: list[int]) -> tuple[int, int] | None:
    uncalled = build_pots(contributions, in_hand, 0)[1]
    return None if uncalled is None else (uncalled.seat, uncalled.amount)


def test_a_short_all_in_makes_a_main_and_a_side_pot() -> None:
    put = {1: 700, 2: 1700, 3: 1700}

    assert contested(put, [1, 2, 3]) == [(2100, (1, 2, 3)), (2000, (2, 3))]
    assert returned(put, [1, 2, 3]) is None


def test_folded_money_lies_in_the_pots_that_it_reached() -> None:
    assert [amount for amount, _ in contested({1: 150, 2: 450, 3: 450, 4: 100}, [1, 2, 3])] == [550, 600]


def test_antes_lie_in_the_main_pot_and_an_uncalled_bet_goes_back() -> None:
    alice, small_blind, dianne, carol = 1, 2, 3, 4
    put = {alice: 7, small_blind: 4, dianne: 8, carol: 16}

    assert contested(put, [alice, carol], dead=10) == [(35, (alice, carol)), (2, (carol,))]
    assert returned(put, [alice, carol]) == (carol, 8)


def test_the_last_player_wins_what_was_called_and_takes_the_rest_back() -> None:
    assert contested({1: 600, 2: 200, 3: 100}, [1]) == [(500, (1,))]
    assert returned({1: 600, 2: 200, 3: 100}, [1]) == (1, 400)


def test_a_folded_seat_that_had_put_in_the_most_gets_nothing_back() -> None:
    assert contested({1: 500, 2: 100, 3: 200}, [2, 3]) == [(300, (2, 3)), (500, (3,))]
    assert returned({1: 500, 2: 100, 3: 200}, [2, 3]) is None


def test_dead_money_alone_is_one_pot_and_no_money_is_no_pot() -> None:
    assert contested({1: 0, 2: 0}, [1, 2], dead=30) == [(30, (1, 2))]
    assert contested({1: 0, 2: 0}, [1, 2]) == []


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

    pots, _ = build_pots(contributions, in_hand, 0)

    for lower, higher in itertools.pairwise(pots):
        assert set(higher.seats) < set(lower.seats)
