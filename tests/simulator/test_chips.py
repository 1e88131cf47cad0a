"""Stacks and amounts in chips: nothing is made and nothing is lost."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.chips import LADDER, TRAY_CHIPS, compose, cover, smallest_chip, stack_of, worth

counts = st.dictionaries(st.sampled_from(LADDER[:8]), st.integers(0, 6), max_size=6)


def test_each_denomination_divides_the_next_one() -> None:
    assert all(larger % chip == 0 for chip, larger in itertools.pairwise(LADDER))


def test_the_smallest_chip_in_play_divides_every_amount() -> None:
    assert smallest_chip((50, 100, 10_000)) == 25
    assert smallest_chip((50, 100, 10_000, 3473)) == 1
    assert smallest_chip((120_000, 7_380_000)) == 5000
    assert smallest_chip(()) == LADDER[-1]


def test_a_stack_of_ten_thousand_has_small_change_and_few_chips() -> None:
    made = stack_of(10_000, 25)
    assert all(made[chip] >= 4 for chip in (25, 100, 500, 1000))
    assert sum(made.values()) < 30


@given(st.integers(1, 10**9), st.integers(0, 6), st.lists(st.integers(0, 6), max_size=5))
@settings(max_examples=300, derandomize=True, deadline=None)
def test_a_stack_is_worth_what_it_should_be_and_fits_its_tray(stack: int, step: int, extra: list[int]) -> None:
    smallest = LADDER[min(step, LADDER.index(smallest_chip((stack,))))]
    made = stack_of(stack, smallest, extra)
    assert worth(made) == stack
    assert sum(made.values()) <= TRAY_CHIPS
    assert min(made) >= smallest


@given(st.integers(500, 10**7), st.integers(1, 500))
@settings(max_examples=200, derandomize=True, deadline=None)
def test_a_fresh_stack_holds_small_change_for_small_bets(stack: int, amount: int) -> None:
    assert compose(amount, stack_of(stack, 1)) is not None


@given(counts, st.integers(0, 30_000))
@settings(max_examples=300, derandomize=True, deadline=None)
def test_composing_is_exact_and_takes_only_what_is_there(there: dict[int, int], amount: int) -> None:
    taken = compose(amount, there)
    if taken is not None:
        assert worth(taken) == amount
        assert all(count <= there[chip] for chip, count in taken.items())


@given(st.dictionaries(st.sampled_from(LADDER[:5]), st.integers(0, 3), max_size=4), st.integers(0, 2000))
@settings(max_examples=200, derandomize=True, deadline=None)
def test_composing_finds_a_way_wherever_there_is_one(there: dict[int, int], amount: int) -> None:
    ways = itertools.product(*(range(count + 1) for count in there.values()))
    possible = any(sum(n * chip for n, chip in zip(way, there, strict=True)) == amount for way in ways)
    assert (compose(amount, there) is not None) == possible


@given(counts, st.integers(0, 60_000))
@settings(max_examples=300, derandomize=True, deadline=None)
def test_covering_needs_every_chip_it_takes(there: dict[int, int], amount: int) -> None:
    taken = cover(amount, there)
    assert (taken is None) == (worth(there) < amount)
    if taken:
        assert worth(taken) >= amount
        assert worth(taken) - min(taken) < amount
        assert all(count <= there[chip] for chip, count in taken.items())
