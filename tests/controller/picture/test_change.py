"""Change as chips: exact, of the heap, and as few as there can be."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.picture.change import MOST_TRIES, _Search, change_from, enough_of, stack_of
from controller.snapshot import Stack

CASINO = (5000, 1000, 500, 100, 25)  # each divides the one before it
ODD = (60, 50, 20, 8)
QUICK = settings(max_examples=200, deadline=None, derandomize=True)


def heaps(values: tuple[int, ...], most: int = 4) -> st.SearchStrategy[Stack]:
    counts = st.lists(st.integers(0, most), min_size=len(values), max_size=len(values))
    return counts.map(lambda made: tuple((v, n) for v, n in zip(values, made, strict=True) if n))


def worth(stack: Stack) -> int:
    return sum(value * count for value, count in stack)


def size(stack: Stack) -> int:
    return sum(count for _, count in stack)


def fewest(amount: int, chips: Stack) -> int | None:
    """Every way to take chips, tried."""
    ways = product(*(range(count + 1) for _, count in chips))
    made = [sum(way) for way in ways if sum(n * v for n, (v, _) in zip(way, chips, strict=True)) == amount]
    return min(made, default=None)


@pytest.mark.parametrize("values", [CASINO, ODD])
@given(data=st.data())
@QUICK
def test_change_is_exact_of_the_heap_and_the_fewest_chips(values: tuple[int, ...], data: st.DataObject) -> None:
    chips = data.draw(heaps(values))
    amount = data.draw(st.integers(0, worth(chips) // 5 + 1)) * 5
    made = change_from(amount, chips)
    best = fewest(amount, chips)
    assert (made is None) == (best is None)
    if made is not None:
        assert worth(made) == amount
        assert size(made) == best
        lying = dict(chips)
        assert all(0 < count <= lying[value] for value, count in made)
        assert [value for value, _ in made] == sorted((value for value, _ in made), reverse=True)


@given(st.integers(0, 10**7))
@QUICK
def test_a_float_of_casino_chips_changes_every_amount_they_can_make(amount: int) -> None:
    made = change_from(amount, enough_of(amount, CASINO))
    assert (made is None) == (amount % 25 != 0)
    assert made is None or worth(made) == amount


@pytest.mark.parametrize("amount", [1, 10_010, 12_345_678, 10**12 + 1])
@pytest.mark.parametrize("values", [CASINO, ODD, (7, 5), (1000, 999, 998, 997, 991)])
def test_an_impossible_or_absurd_amount_costs_no_time(amount: int, values: tuple[int, ...]) -> None:
    search = _Search(enough_of(amount, values))
    search.best(amount)
    assert search._tries <= MOST_TRIES + 1


def test_nothing_is_made_of_nothing() -> None:
    assert change_from(0, ()) == ()
    assert change_from(5, ()) is None


def test_a_heap_is_told_by_denomination_and_items_without_value_are_none() -> None:
    values = {"a": 100, "b": 100, "c": 500}
    assert stack_of(["a", "c", "b", "As", "button"], values) == ((500, 1), (100, 2))
