"""A standing panel -> rectangles: everything in one column, and the whole panel is used. Pure.

    +-------------------------+
    | hand, street, blinds    |
    |                  health |
    |   [4]   [5]   [6]       |
    | [3] bet   pot   bet [7] |
    | [2] bet  board  bet [8] |
    |       [1]     [9]       |
    |         dealer          |
    | side pots, a line each  |
    | strip: what is not known|
    | who is to act           |
    | ruling in large words   |
    | buttons: two rows       |
    +-------------------------+

Boxes at the sides have their bets beside them, at their upper edge; the pot and the cards lie between those rows.
"""

from display.plan import (
    DESIGN,
    LINE,
    MOST_SEATS,
    Layout,
    Place,
    Side,
    above,
    at_least,
    below,
    bet_height,
    board_cards,
    box_in,
    seat_height,
    strip_height,
)
from display.rect import Rect, around

FROM = 1.6  # height : width
TALLEST = 2.2  # height : width; beyond it the picture keeps a margin
WIDE_PANEL = 3  # width : height of a panel where all readings of a question stand in one row
IN_A_ROW = 4  # readings that a standing panel has room for beside each other
CELLS = 8  # of a row of buttons; a wide button takes two
PLATE = 22  # pixels of the design: the dealer's place, under the lowest seats

# seats clockwise from the dealer's left: lower left, left side, top, right side, lower right
ARRANGEMENT: dict[int, tuple[int, int, int, int, int]] = {
    2: (0, 1, 0, 1, 0),
    3: (0, 1, 1, 1, 0),
    4: (1, 0, 2, 0, 1),
    5: (1, 1, 1, 1, 1),
    6: (1, 1, 2, 1, 1),
    7: (1, 2, 1, 2, 1),
    8: (1, 2, 2, 2, 1),
    9: (1, 2, 3, 2, 1),
    10: (1, 3, 2, 3, 1),
}
TOP_CENTRES: dict[int, tuple[float, ...]] = {0: (), 1: (0.5,), 2: (0.26, 0.74), 3: (0.15, 0.5, 0.85)}
LOW_CENTRES: dict[int, tuple[float, ...]] = {0: (), 1: (0.26,)}
SLOTS: dict[int, tuple[int, ...]] = {0: (), 1: (1,), 2: (0, 2), 3: (0, 1, 2)}  # of the three at a side, from above


def layout(size: tuple[int, int], seats: int, *, side_pots: bool, buttons: bool, notices: int) -> Layout:
    screen = Rect(0, 0, *size)
    frame = around(screen.centre, screen.w, min(screen.h, round(screen.w * TALLEST)))
    u = frame.w / DESIGN
    heights = [
        at_least(26, LINE - 2, u),
        at_least(26, LINE - 2, u),
        0,  # the table: what is left
        2 * at_least(30, LINE + 4, u) if side_pots else 0,
        strip_height(notices, u) if notices else 0,
        round(110 * u),
        round(168 * u),
        round(116 * u) if buttons else 0,
    ]
    top, lamps, table, pots, strip, act, ruling, column = _lines(frame.inset(round(6 * u)), heights, round(4 * u))
    felt, plate = table.inset(round(24 * u), round(24 * u)), round(PLATE * u)
    around_it = Rect(table.x, table.y, table.w, table.h - plate)
    seated = max(2, min(seats, MOST_SEATS))
    pot, board = _centre(around_it, seated, u)
    return Layout(
        screen=screen,
        frame=frame,
        top=top,
        lamps=lamps,
        felt=felt,
        places=_places(around_it, seated, u),
        pot=pot,
        board=board,
        pots=pots,
        dealer=Rect(table.centre[0] - table.w // 8, table.bottom - plate, table.w // 4, plate),
        strip=strip,
        panel=Rect(act.x, act.y, act.w, ruling.bottom - act.y),
        ruling=ruling,
        act=act,
        column=column if buttons else Rect(column.x, column.y, 0, 0),
        unit=u,
        slim=True,
    )


def button_cells(area: Rect, wide: tuple[bool, ...], gap: int) -> tuple[Rect, ...]:
    """Two rows of cells from the left; a wide button takes two of them."""
    cells = [cell for row in area.rows((1, 1), gap=gap) for cell in row.columns([1] * CELLS, gap=gap)]
    rooms, at = [], 0
    for whole in wide:
        first, last = cells[at], cells[at + 1 if whole else at]
        rooms.append(Rect(first.x, first.y, last.right - first.x, first.h))
        at += 2 if whole else 1
    return tuple(rooms)


def _lines(inner: Rect, heights: list[int], gap: int) -> tuple[Rect, ...]:
    """From above; the height of nothing takes what is left, if it is the table's."""
    taken = sum(heights) + gap * (sum(height > 0 for height in heights))
    rooms, y = [], inner.y
    for at, height in enumerate(heights):
        high = inner.h - taken if at == TABLE else height
        rooms.append(Rect(inner.x, y, inner.w, high))
        y += high + (gap if high else 0)
    return tuple(rooms)


TABLE = 2  # its place among the lines


def _places(table: Rect, seats: int, u: float) -> tuple[Place, ...]:
    lower_left, left, top, right, lower_right = ARRANGEMENT[seats]
    width, height = round(table.w * 0.29), seat_height(u)
    low = Rect(table.x, table.bottom - height, table.w, height)
    high = Rect(table.x, table.y, table.w, height)
    at_left = [_beside("left", box, u) for box in _side_boxes(table, table.x, width, left, u)]
    at_right = [_beside("right", box, u) for box in _side_boxes(table, table.right - width, width, right, u)]
    return (
        *[below(box_in(low, x, width), u) for x in LOW_CENTRES[lower_left]],
        *reversed(at_left),
        *[above(box_in(high, x, width), u) for x in TOP_CENTRES[top]],
        *at_right,
        *[below(box_in(low, 1 - x, width), u) for x in LOW_CENTRES[lower_right]],
    )


def _sides(table: Rect, u: float) -> tuple[int, int]:
    """From where to where the sides of the table reach: between the bets above and below."""
    edge = seat_height(u) + bet_height(u) + round(8 * u)
    return table.y + edge, table.bottom - edge


def _side_boxes(table: Rect, x: int, width: int, count: int, u: float) -> list[Rect]:
    """Boxes in their slots, from above; where ten sit on a low table they are lower than others."""
    first, last = _sides(table, u)
    pitch = (last - first) // 3
    height = min(seat_height(u), pitch - round(4 * u) if count > 2 else seat_height(u))
    tops = {0: first, 1: first + (last - first - height) // 2, 2: last - height}
    return [Rect(x, tops[slot], width, height) for slot in SLOTS[count]]


def _beside(side: Side, box: Rect, u: float) -> Place:
    """The bet inwards of the box, the button between them."""
    gap, height, width = round(6 * u), bet_height(u), round(box.w * 0.68)
    if side == "left":
        button, bet = Rect(box.right + gap, box.y, width, height).from_left(height)
        bet = Rect(bet.x + gap, bet.y, bet.w - gap, bet.h)
    else:
        button, bet = Rect(box.x - gap - width, box.y, width, height).from_right(height)
        bet = Rect(bet.x, bet.y, bet.w - gap, bet.h)
    return Place(box, bet, button, side)


def _centre(table: Rect, seats: int, u: float) -> tuple[Rect, tuple[Rect, ...]]:
    """Pot and board between the rows of bets that the sides have."""
    count, gap = ARRANGEMENT[seats][1], round(4 * u)
    first, last = _sides(table, u)
    inner = Rect(table.x + round(table.w * 0.3), first, round(table.w * 0.4), last - first)
    rows = [box.y for box in _side_boxes(table, table.x, 1, count, u)]
    height = bet_height(u)
    if count == 3:
        pot = _between(inner, rows[0] + height + gap, rows[1] - gap)
        cards = _between(inner, rows[1] + height + gap, rows[2] - gap)
    elif count == 2:
        whole = _between(inner, rows[0] + height + gap, rows[1] - gap)
        pot, cards = whole.rows((0.36, 0.64), gap=gap)
    elif count == 1:
        pot, cards = _between(inner, first, rows[0] - gap), _between(inner, rows[0] + height + gap, last)
    else:
        pot, cards = inner.rows((0.4, 0.6), gap=gap)
    return pot, board_cards(cards, u)


def _between(inner: Rect, top: int, bottom: int) -> Rect:
    return Rect(inner.x, top, inner.w, max(0, bottom - top))
