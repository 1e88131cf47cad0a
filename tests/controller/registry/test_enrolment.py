"""Enrolment without a reader: when a count has settled, what lies there, names, orders, roll calls, merging."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.registry import enrolment
from controller.registry.enrolment import (
    CARD,
    LEAST,
    ORDERS,
    WINDOW,
    EnrolmentError,
    RollCall,
    Settling,
    chips_of,
    count_of,
    merge,
    next_names,
    order_of,
    replaced,
    sort_stack,
    to_come,
)
from controller.registry.registry import DECK, Item, parse_cards
from firmware_bridge.events import ScanRound, Sighting

CHIPS = [f"E00401000000{number:04X}" for number in range(60)]


def scan(*tags: str, complete: bool = True) -> ScanRound:
    return ScanRound("r", 1, 0, 1, complete, tuple(Sighting(tag) for tag in tags))


def settled(*rounds: ScanRound, window: tuple[int, int, int] | None = None) -> Settling:
    settling = Settling(*window) if window else Settling()
    for each in rounds:
        settling.take(each)
    return settling


def noisy(chips: list[str], neighbours: list[str], miss: float, stray: float, seed: int) -> ScanRound:
    draw = random.Random(seed).random
    seen = [tag for tag in chips if draw() >= miss] + [tag for tag in neighbours if draw() < stray]
    return scan(*seen)


# ---------------------------------------------------------------- settling
def test_a_still_stack_settles_after_one_window() -> None:
    settling = settled(*[scan(*CHIPS[:20])] * (WINDOW - 1))
    assert not settling.settled
    settling.take(scan(*CHIPS[:20]))
    assert settling.settled
    assert settling.here == tuple(CHIPS[:20])


@settings(max_examples=25, derandomize=True, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([(0.05, 0.01), (0.1, 0.01), (0.2, 0.005)]))
def test_what_settles_is_the_stack_whatever_was_missed_or_heard_of_neighbours(
    seed: int, noise: tuple[float, float]
) -> None:
    stack, neighbours = CHIPS[:20], CHIPS[20:]
    settling = Settling()
    for number in range(400):
        settling.take(noisy(stack, neighbours, *noise, seed * 1000 + number))
        if settling.settled:
            break
    assert settling.settled
    assert settling.here == tuple(stack)


def test_sixty_chips_with_a_tenth_missed_settle_where_identical_scans_never_come() -> None:
    """Two identical scans of 60 chips at 10 % misses take 148,000 rounds on average (computed)."""
    settling = Settling()
    rounds = [noisy(CHIPS, [], 0.1, 0, seed) for seed in range(40)]
    for each in rounds:
        settling.take(each)
    assert all(one.sightings != other.sightings for one, other in pairwise(rounds))
    assert settling.settled
    assert settling.here == tuple(CHIPS)


def test_a_chip_put_down_late_unsettles_the_count() -> None:
    settling = settled(*[scan(*CHIPS[:3])] * WINDOW)
    settling.take(scan(*CHIPS[:4]))
    assert not settling.settled
    assert settling.unsure == (CHIPS[3],)
    for _ in range(WINDOW):
        settling.take(scan(*CHIPS[:4]))
    assert settling.settled
    assert settling.here == tuple(CHIPS[:4])


def test_a_chip_taken_away_unsettles_the_count_and_is_gone_soon() -> None:
    settling = settled(*[scan(*CHIPS[:3])] * WINDOW, *[scan(*CHIPS[:2])] * 4)
    assert not settling.settled
    assert CHIPS[2] in settling.unsure
    for _ in range(WINDOW):
        settling.take(scan(*CHIPS[:2]))
    assert settling.settled
    assert settling.here == tuple(CHIPS[:2])


def test_a_chip_read_in_a_third_of_the_rounds_is_unsure_and_named() -> None:
    settling = settled(*[scan(CHIPS[0]), scan(CHIPS[0]), scan(*CHIPS[:2])] * 8)
    assert settling.here == (CHIPS[0],)
    assert settling.unsure == (CHIPS[1],)
    assert not settling.settled


def test_incomplete_rounds_count_for_nothing() -> None:
    settling = settled(*[scan(*CHIPS[:3], complete=False)] * 30)
    assert (settling.rounds, settling.incomplete, settling.settled) == (0, 30, False)


def test_an_empty_antenna_settles_as_empty_and_never_before_it_was_read() -> None:
    assert not Settling().settled
    assert settled(*[scan()] * WINDOW).settled


def test_two_cards_that_stick_together_are_never_one_card() -> None:
    """The second is read late: one sighting is enough to wait."""
    settling = settled(*[scan("AA")] * (CARD[0] - 1), scan("AA", "BB"), window=CARD)
    assert settling.here == ("AA",)
    assert settling.unsure == ("BB",)


# ---------------------------------------------------------------- what lies there
def test_known_chips_cards_among_chips_and_a_phone_are_told_apart() -> None:
    known = Item("r100-001", CHIPS[0], "chip", 100, "red")
    card = Item("As", CHIPS[1], "card", 0, "blue")
    stack = sort_stack([*CHIPS[:5], "08A1B2C3"], [known], [card])
    assert stack.fresh == tuple(CHIPS[2:5])
    assert (stack.known, stack.others, stack.foreign) == ((known,), (card,), ("08A1B2C3",))


def test_a_lone_tag_begins_a_registry_but_proves_no_new_family_in_one() -> None:
    known = Item("r100-001", CHIPS[0], "chip", 100, "red")
    assert sort_stack(["08A1B2C3"], []).fresh == ("08A1B2C3",)
    assert sort_stack(["08A1B2C3"], [known]).foreign == ("08A1B2C3",)


def test_a_lot_of_another_maker_is_a_stack_like_any_other() -> None:
    known = Item("r100-001", CHIPS[0], "chip", 100, "red")
    other_lot = [f"E01600000000{number:04X}" for number in range(20)]
    assert sort_stack(other_lot, [known]).fresh == tuple(other_lot)


# ---------------------------------------------------------------- names
def test_numbers_go_on_behind_the_highest_of_the_prefix() -> None:
    assert next_names("r100", 2, ["r100-007", "r100-x", "r1000-900", "b100-050"]) == ("r100-008", "r100-009")
    assert next_names("r100", 2, ["r100-999"]) == ("r100-1000", "r100-1001")


def test_a_stack_becomes_items_of_one_value_and_set() -> None:
    first = chips_of(CHIPS[:2], 100, "red", "r100", [])
    assert first[1] == Item("r100-002", CHIPS[1], "chip", 100, "red")
    assert count_of([*first, Item("b25-1", CHIPS[5], "chip", 25, "blue")]) == (("blue", 25, 1), ("red", 100, 2))


@pytest.mark.parametrize("name", ORDERS)
def test_every_order_holds_each_card_once(name: str) -> None:
    assert sorted(order_of(name)) == sorted(DECK)


@pytest.mark.parametrize(("text", "told"), [("As Kx", "'Kx' is no card"), ("As As", "stands there twice"), ("", "''")])
def test_an_order_that_cannot_be_is_one_line(text: str, told: str) -> None:
    with pytest.raises(EnrolmentError, match=told):
        order_of(text)


def test_what_is_to_come_leaves_out_what_is_there_and_ends_with_spares() -> None:
    mine = [Item("As", "AA", "card", 0, "red"), Item("spare-1", "BB", "card", 0, "red")]
    assert to_come(("As", "Kd"), 2, mine) == ("Kd", "spare-2")


def test_a_lost_card_is_kept_withdrawn_however_often_it_is_lost() -> None:
    deck = (Item("7c", "AA", "card", 0, "red"), Item("8c", "BB", "card", 0, "red"))
    once = replaced(deck, Item("7c", "CC", "card", 0, "red"))
    twice = replaced(once, Item("7c", "DD", "card", 0, "red"))
    by_name = {item.name: item for item in twice}
    assert by_name["7c"].tag == "DD"
    assert (by_name["spare-7c"].tag, by_name["spare-7c"].state) == ("AA", "withdrawn")
    assert (by_name["spare-7c-001"].tag, by_name["spare-7c-001"].state) == ("CC", "withdrawn")
    from controller.registry.registry import format_cards

    assert parse_cards(format_cards(twice), "deck.csv")


# ---------------------------------------------------------------- roll call
def deck(colour: str, first: int) -> list[Item]:
    return [Item(card, f"{first:02X}{number:06X}", "card", 0, colour) for number, card in enumerate(DECK)]


def test_a_deck_may_pass_by_in_parts() -> None:
    red = deck("red", 1)
    roll = RollCall(red)
    for start in range(0, 52, 2):
        roll.take([item.tag for item in red[start : start + 2]])
    assert (roll.missing, roll.doubles, roll.strangers) == ((), (), ())


def test_missing_cards_the_other_decks_ace_and_a_phone_are_named() -> None:
    red, blue = deck("red", 1), deck("blue", 2)
    ace = next(item for item in blue if item.name == "As")
    roll = RollCall(red, blue)
    roll.take([item.tag for item in red if item.name not in ("7c", "Td")] + [ace.tag, "04A1B2C3D4E5F6"])
    assert roll.missing == ("7c", "Td")
    assert roll.doubles == ("As of blue",)
    assert roll.strangers == ("04A1B2C3D4E5F6",)


def test_a_lost_card_that_came_back_is_double() -> None:
    red = list(replaced(deck("red", 1), Item("7c", "01FFFFFF", "card", 0, "red")))
    roll = RollCall(red)
    roll.take([item.tag for item in red])
    assert roll.expected == 52
    assert roll.doubles == ("spare-7c",)


# ---------------------------------------------------------------- merging
def items_of(prefix: str, tags: list[str], value: int = 100) -> list[Item]:
    return list(chips_of(tags, value, "red", prefix, []))


def test_equal_lines_become_one() -> None:
    ann, bob = items_of("r100", CHIPS[:3]), items_of("r100", CHIPS[:5])
    assert merge(ann, bob) == tuple(bob)


def test_a_tag_that_is_two_things_stops_the_merge_and_names_both() -> None:
    with pytest.raises(EnrolmentError, match=r"'r100-001' \(chip, 100, in\) in one file, 'b25-001' \(chip, 25, in\)"):
        merge(items_of("r100", CHIPS[:1]), items_of("b25", CHIPS[:1], 25), renumber=True)


@settings(max_examples=30, derandomize=True, deadline=None)
@given(st.integers(0, 60), st.integers(0, 60))
def test_renumbering_loses_no_chip_and_no_value(left: int, right: int) -> None:
    """Conservation: every tag of both files is there once, worth what it was."""
    ann, bob = items_of("r100", CHIPS[:left]), items_of("r100", [f"E2{tag[2:]}" for tag in CHIPS[:right]])
    both = merge(ann, bob, renumber=True)
    assert {item.tag for item in both} == {item.tag for item in (*ann, *bob)}
    assert sum(item.value for item in both) == 100 * (left + right)
    assert len({item.name for item in both}) == len(both)


def test_the_same_name_for_two_tags_is_never_settled_silently() -> None:
    with pytest.raises(EnrolmentError, match="--renumber"):
        merge(items_of("r100", CHIPS[:1]), items_of("r100", CHIPS[1:2]))
    cards = [Item("As", "AA", "card", 0, "red")], [Item("As", "BB", "card", 0, "red")]
    with pytest.raises(EnrolmentError, match="'As' has tag AA"):
        merge(*cards, renumber=True)


def test_the_figures_of_the_docstring_hold() -> None:
    """Binomial: a chip at 20 % misses called unsure, and a stray of 5 % taken for a chip."""
    from math import comb

    def at_least(hits: int, chance: float) -> float:
        return sum(comb(WINDOW, n) * chance**n * (1 - chance) ** (WINDOW - n) for n in range(hits, WINDOW + 1))

    assert 1 - at_least(LEAST, 0.8) == pytest.approx(0.0064, abs=1e-4)
    assert at_least(LEAST, 0.05) == pytest.approx(6.4e-5, abs=1e-6)
    assert enrolment.STRAYS < LEAST
