"""Rectangles of every screen: inside it, beside each other, large enough to be read from two metres."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from display.layout import (
    BUTTON_ROWS,
    button_rooms,
    choice_rooms,
    layout,
    question_parts,
    seat_parts,
)
from display.plan import MOST_SEATS, SMALLEST, Layout
from display.rect import Rect, around
from tests.display.rects import contains, overlaps

LYING = ((1280, 720), (1920, 1080), (800, 480), (1024, 768), (1024, 600), (3840, 2160), (480, 320))
STANDING = ((480, 800), (1080, 1920), (800, 1280))
SIZES = (*LYING, *STANDING)


def pieces(plan: Layout) -> dict[str, Rect]:
    """Everything that may be drawn at the same time and must not touch."""
    found = {"top": plan.top, "ruling": plan.ruling, "act": plan.act, "pot": plan.pot}
    found |= {f"board {i}": card for i, card in enumerate(plan.board)}
    if plan.pots.h:
        found["pots"] = plan.pots
    if plan.strip.h:
        found["strip"] = plan.strip
    if plan.column.w:
        found["column"] = plan.column
    for number, place in enumerate(plan.places, start=1):
        found |= {f"seat {number}": place.box, f"bet {number}": place.bet, f"button {number}": place.button}
    return found


def check(plan: Layout) -> None:
    found = pieces(plan)
    for name, rect in found.items():
        assert rect.w > 0, name
        assert rect.h > 0, name
        assert contains(plan.frame, rect), name
    for (one, a), (other, b) in itertools.combinations(found.items(), 2):
        assert not overlaps(a, b), f"{one} overlaps {other}"


@pytest.mark.parametrize("notices", [0, 1, 2])
@pytest.mark.parametrize("buttons", [False, True], ids=["public", "dealer"])
@pytest.mark.parametrize("side_pots", [False, True], ids=["one pot", "side pots"])
@pytest.mark.parametrize("seats", range(2, MOST_SEATS + 1))
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_overlaps_at_any_size_with_any_number_of_seats(
    size: tuple[int, int], seats: int, side_pots: bool, buttons: bool, notices: int
) -> None:
    plan = layout(size, seats, side_pots=side_pots, buttons=buttons, notices=notices)
    assert len(plan.places) == seats
    check(plan)


@settings(max_examples=120, derandomize=True, deadline=None)
@given(st.integers(SMALLEST[0], 4000), st.integers(SMALLEST[1], 2400), st.integers(0, 14), st.booleans(), st.booleans())
def test_nothing_overlaps_on_odd_screens_and_with_odd_numbers_of_seats(
    wide: int, high: int, seats: int, side_pots: bool, buttons: bool
) -> None:
    plan = layout((wide, high), seats, side_pots=side_pots, buttons=buttons)
    assert contains(plan.screen, plan.frame)
    assert 2 <= len(plan.places) <= MOST_SEATS
    check(plan)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=str)
def test_rows_of_the_key_numbers_leave_room_for_digits_of_an_eighteenth_of_the_height(size: tuple[int, int]) -> None:
    plan = layout(size, 10)
    assert plan.pot.h / 1.17 >= size[1] / 18
    assert plan.act.h * 0.76 * 0.43 / 1.17 >= size[1] / 18


@pytest.mark.parametrize("seats", range(2, MOST_SEATS + 1))
def test_seats_run_clockwise_from_the_dealers_left(seats: int) -> None:
    """Angles from the dealer, below the middle, through the left side: they only grow."""
    plan = layout((1280, 720), seats)
    x, y = plan.felt.centre
    centres = [place.box.centre for place in plan.places]
    angles = [math.degrees(math.atan2(x - cx, cy - y)) % 360 for cx, cy in centres]
    assert angles == sorted(angles)
    assert len(set(angles)) == seats


@pytest.mark.parametrize("size", [(480, 800), (1080, 1920)], ids=str)
def test_a_standing_panel_is_used_whole(size: tuple[int, int]) -> None:
    """From its upper to its lower edge, and from its left to its right."""
    plan = layout(size, 9, buttons=True)
    drawn = [plan.top, plan.column, *(place.box for place in plan.places)]
    assert min(rect.y for rect in drawn) <= size[1] / 100
    assert max(rect.bottom for rect in drawn) >= size[1] * 0.99 - 1
    assert min(rect.x for rect in drawn) <= size[0] / 60
    assert max(rect.right for rect in drawn) >= size[0] * 59 / 60


@pytest.mark.parametrize("seats", range(2, MOST_SEATS + 1))
def test_seats_of_a_standing_panel_run_clockwise_too(seats: int) -> None:
    plan = layout((480, 800), seats)
    x, y = plan.felt.centre
    angles = [math.degrees(math.atan2(x - p.box.centre[0], p.box.centre[1] - y)) % 360 for p in plan.places]
    assert angles == sorted(angles)
    assert len(set(angles)) == seats


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_parts_of_a_seat_lie_inside_its_box(size: tuple[int, int]) -> None:
    plan = layout(size, 10)
    for place in plan.places:
        parts = seat_parts(place.box, plan.unit)
        for rect in (parts.badge, parts.name, parts.cards, parts.stack, parts.foot, parts.shown):
            assert contains(place.box, rect)
        for one, other in itertools.combinations((parts.badge, parts.name, parts.cards), 2):
            assert not overlaps(one, other)
        assert not overlaps(parts.stack, parts.foot)


@pytest.mark.parametrize("choices", range(10))
def test_every_reading_of_a_question_has_a_field_of_its_own(choices: int) -> None:
    plan = layout((1280, 720), 6)
    rooms = choice_rooms(plan.panel, choices, plan.unit)
    assert len(rooms) == choices
    assert all(contains(question_parts(plan.panel, plan.unit)[3], room) for room in rooms)
    assert not any(overlaps(a, b) for a, b in itertools.combinations(rooms, 2))


FINGER = 12 * 1280 / 223.6  # pixels of 12 mm on a 10.1-inch panel of 1280x720, which is 223.6 mm wide
KEYPAD = (*[False] * 12, True, False, False)


@pytest.mark.parametrize("wide", [(True,) * BUTTON_ROWS, KEYPAD], ids=["words", "keypad"])
def test_every_button_is_large_enough_for_a_finger(wide: tuple[bool, ...]) -> None:
    plan = layout((1280, 720), 10, buttons=True)
    rooms = button_rooms(plan.column, wide, plan.unit)
    assert len(rooms) == len(wide)
    assert all(contains(plan.column, room) for room in rooms)
    assert min(min(room.w, room.h) for room in rooms) >= FINGER
    assert not any(overlaps(a, b) for a, b in itertools.combinations(rooms, 2))


@pytest.mark.parametrize("choices", range(1, 10))
def test_every_reading_and_every_seat_is_large_enough_for_a_finger(choices: int) -> None:
    plan = layout((1280, 720), 10, buttons=True)
    rooms = choice_rooms(plan.panel, choices, plan.unit)
    assert min(min(room.w, room.h) for room in (*rooms, *(place.box for place in plan.places))) >= FINGER


def test_cards_are_larger_where_no_side_pots_stand_under_them() -> None:
    assert layout((1280, 720), 9).board[0].h > layout((1280, 720), 9, side_pots=True).board[0].h


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.integers(1, 2000), st.lists(st.floats(0.1, 9), min_size=1, max_size=9), st.integers(0, 5))
def test_a_rectangle_is_cut_without_losing_or_sharing_a_pixel(width: int, weights: list[float], gap: int) -> None:
    whole = Rect(7, 9, width, 20)
    cut = whole.columns(weights, gap)
    if width >= gap * (len(weights) - 1):
        assert sum(piece.w for piece in cut) + gap * (len(weights) - 1) == width
        assert all(b.x - a.right == gap for a, b in itertools.pairwise(cut))
    turned = Rect(9, 7, 20, width).rows(weights, gap)
    assert [(p.y, p.h) for p in turned] == [(p.x, p.w) for p in cut]


def test_a_rectangle_around_a_point_has_it_in_the_middle() -> None:
    assert around((100, 50), 20, 10) == Rect(90, 45, 20, 10)
    assert around((100, 50), 20, 10).centre == (100, 50)
    assert Rect(0, 0, 4, 4).inset(3) == Rect(3, 3, 0, 0)
