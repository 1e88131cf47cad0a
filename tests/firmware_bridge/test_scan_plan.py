"""Which antenna next: shares, focus, and that nobody starves."""

from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.scan_plan import ScanPlan, shares_of

SPOTS = (1, 3, 5)
TRAYS = (2, 4, 6)
LIMITS = dict.fromkeys(SPOTS, 20) | dict.fromkeys(TRAYS, 60)


def scans(plan: ScanPlan, number: int) -> list[int]:
    return [antenna for _ in range(number) if (antenna := plan.next()) is not None]


def test_bet_spots_are_scanned_four_times_as_often_as_trays() -> None:
    counted = Counter(scans(ScanPlan(shares_of(LIMITS)), 150))
    assert counted == dict.fromkeys(SPOTS, 40) | dict.fromkeys(TRAYS, 10)


def test_scans_of_an_antenna_are_spread_not_bunched() -> None:
    order = scans(ScanPlan(shares_of(LIMITS)), 150)
    for antenna, most in ((1, 6), (2, 18)):
        at = [index for index, scanned in enumerate(order) if scanned == antenna]
        assert max(later - sooner for sooner, later in pairwise(at)) <= most


def test_the_focused_spot_and_tray_come_first_in_turn_and_one_other_after_each_pass() -> None:
    plan = ScanPlan(shares_of(LIMITS))
    scans(plan, 7)
    plan.focus((3, 4))
    order = scans(plan, 30)
    assert order[0::3] == [3] * 10
    assert order[1::3] == [4] * 10
    assert not set(order[2::3]) & {3, 4}


def test_no_antenna_starves_while_a_focus_stands() -> None:
    plan = ScanPlan(shares_of(LIMITS))
    plan.focus((3, 4))
    assert set(scans(plan, 3 * 16)) == set(LIMITS)


def test_a_long_focus_leaves_no_arrears_behind() -> None:
    plan = ScanPlan(shares_of(LIMITS))
    plan.focus((3, 4))
    scans(plan, 3000)
    plan.focus(())
    counted = Counter(scans(plan, 150))
    assert all(counted[antenna] >= 35 for antenna in SPOTS)
    assert all(counted[antenna] >= 8 for antenna in TRAYS)


def test_the_same_focus_again_does_not_begin_the_pass_anew() -> None:
    plan = ScanPlan(shares_of(LIMITS))
    plan.focus((3, 4))
    first = plan.next()
    plan.focus((3, 4))
    assert (first, plan.next()) == (3, 4)


def test_antennas_that_a_reader_does_not_have_are_skipped() -> None:
    plan = ScanPlan({1: 1, 2: 1})
    plan.focus((9, 2, 9))
    assert scans(plan, 4) == [2, 1, 2, 1]


def test_an_antenna_that_is_named_twice_is_scanned_twice_a_pass() -> None:
    plan = ScanPlan({1: 1, 2: 1, 3: 1})
    plan.focus((2, 1, 2))
    assert scans(plan, 8) == [2, 1, 2, 3, 2, 1, 2, 3]


def test_a_bet_spot_that_is_made_for_thirty_chips_is_no_tray() -> None:
    assert shares_of({1: 30, 2: 60}) == {1: 4, 2: 1}


def test_a_focus_on_all_antennas_scans_them_in_turn() -> None:
    plan = ScanPlan({1: 4, 2: 1})
    plan.focus((1, 2))
    assert scans(plan, 6) == [1, 2, 1, 2, 1, 2]


def test_two_radios_never_scan_one_antenna_at_once() -> None:
    plan = ScanPlan({1: 1, 2: 1})
    plan.focus((1,))
    assert plan.next(frozenset({1})) == 2
    assert plan.next(frozenset({1, 2})) is None


def test_a_reader_without_antennas_scans_nothing() -> None:
    assert ScanPlan({}).next() is None


@settings(max_examples=60, derandomize=True)
@given(
    st.dictionaries(st.integers(1, 40), st.integers(1, 8), min_size=1, max_size=20),
    st.lists(st.lists(st.integers(1, 40), max_size=4), min_size=1, max_size=6),
)
def test_every_antenna_is_scanned_again_and_again_whatever_the_focus(
    shares: dict[int, int], wishes: list[list[int]]
) -> None:
    plan = ScanPlan(shares)
    for wish in wishes:
        plan.focus(tuple(wish))
        assert set(scans(plan, (len(set(wish)) + 1) * 2 * sum(shares.values()) + 8)) == set(shares)
