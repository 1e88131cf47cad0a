"""Size of the screen and number of seats -> rectangles. Pure; knows nothing of what is written in them.

The dealer sits below the middle of the lower edge. Seat 1 is on the dealer's left and the numbers run clockwise, as
seen from above: up the left side, along the top, down the right side.

    +--------------------------------------------------+
    | top line: hand, street, blinds          health   |
    |   [3]        [4]        [5]        [6]           |
    |     bet                                          |
    | [2]         pot, board, side pots           [7]  |
    |                                                  |
    |      [1]                            [8]          |
    | strip: what is not known, alarms                 |
    | ruling in large words            | who is to act |
    +--------------------------------------------------+

The dealer's screen has a column of buttons at the right of all this. A standing panel: `portrait.py`. On a small screen
letters keep a size that can be read, so that seats take more of the table.
"""

import functools

import msgspec

from display import portrait
from display.plan import (
    DESIGN,
    LINE,
    MOST_SEATS,
    SLIM_BELOW,
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
    seat_pad,
    seat_rows,
    strip_height,
)
from display.rect import Rect, around

NARROWEST, WIDEST = 1.25, 2.2  # width : height that the picture fills; beyond it keeps a margin
COLUMN = 150  # the buttons: two keys of a keypad beside each other, each wide enough for a finger
BUTTON_ROWS = 8

# seats clockwise from the dealer's left: lower left, left side, top, right side, lower right
ARRANGEMENT: dict[int, tuple[int, int, int, int, int]] = {
    2: (0, 1, 0, 1, 0),
    3: (0, 1, 1, 1, 0),
    4: (0, 1, 2, 1, 0),
    5: (1, 1, 1, 1, 1),
    6: (1, 1, 2, 1, 1),
    7: (1, 1, 3, 1, 1),
    8: (1, 1, 4, 1, 1),
    9: (2, 1, 3, 1, 2),
    10: (2, 1, 4, 1, 2),
}
TOP_CENTRES: dict[int, tuple[float, ...]] = {
    0: (),
    1: (0.5,),
    2: (0.33, 0.67),
    3: (0.22, 0.5, 0.78),
    4: (0.13, 0.377, 0.623, 0.87),
}
LEFT_BOTTOM_CENTRES: dict[int, tuple[float, ...]] = {0: (), 1: (0.24,), 2: (0.36, 0.13)}


class SeatParts(msgspec.Struct, frozen=True):
    badge: Rect
    name: Rect
    cards: Rect  # "cards read"
    stack: Rect  # or ALL-IN
    foot: Rect  # last action, what was won, chips in hand
    shown: Rect  # tabled cards, over the right part of the box; on a small screen under the name


@functools.lru_cache(maxsize=64)
def layout(
    size: tuple[int, int], seats: int, *, side_pots: bool = False, buttons: bool = False, notices: int = 0
) -> Layout:
    """Rectangles for a screen of this size; seats beyond ten are not drawn, fewer than two are drawn as two.

    The cards of the board are larger where no row of pots stands under them, and no second line of notices.
    """
    if size[1] >= portrait.FROM * size[0]:
        return portrait.layout(size, seats, side_pots=side_pots, buttons=buttons, notices=notices)
    screen = Rect(0, 0, *size)
    frame = _frame(screen, NARROWEST + ((COLUMN + 10) / DESIGN if buttons else 0))
    u = frame.h / DESIGN
    margin = round(8 * u)
    column, inner = frame.inset(margin, round(6 * u)).from_right(round(COLUMN * u) if buttons else 0)
    if buttons:
        inner = inner.from_left(inner.w - margin)[0]
    slim = u < SLIM_BELOW
    pots_line = at_least(30, LINE + 2, u) if slim and side_pots else 0
    top, table, pots, strip, panel = _lines(inner, pots_line, notices, u)
    ruling, act = panel.columns((0.645, 0.355), gap=margin)
    places = _places(table, max(2, min(seats, MOST_SEATS)), u)
    pot, board, under = _centre(table, u, side_pots=side_pots and not slim)
    plate = at_least(30, LINE, u)
    return Layout(
        screen=screen,
        frame=frame,
        top=top,
        lamps=top,
        felt=Rect(table.x + round(70 * u), table.y + round(30 * u), table.w - round(140 * u), table.h - round(60 * u)),
        places=places,
        pot=pot,
        board=board,
        pots=pots if slim else under,
        dealer=around((table.centre[0], table.bottom - round(32 * u)), round(0.11 * table.w), plate),
        strip=strip,
        panel=panel,
        ruling=ruling,
        act=act,
        column=column,
        unit=u,
        slim=slim,
    )


def _lines(inner: Rect, pots_line: int, notices: int, u: float) -> tuple[Rect, ...]:
    """From above: top line, table, side pots where they are a line, notices, panel. The table takes what is left."""
    gap = round(4 * u)
    top, strip, panel = at_least(26, LINE - 2, u), strip_height(notices, u), round(179 * u)
    if pots_line and notices > 1:
        panel -= pots_line  # the seats at the sides need it more
    table = inner.h - top - strip - panel - pots_line - (3 + (pots_line > 0)) * gap
    rooms, y = [], inner.y
    for height in (top, table, pots_line, strip, panel):
        rooms.append(Rect(inner.x, y, inner.w, height))
        y += height + (gap if height else 0)
    return tuple(rooms)


def seat_parts(box: Rect, unit: float) -> SeatParts:
    pad = seat_pad(unit)
    inside = box.inset(pad, round(pad * 0.7))
    head, body, foot = inside.rows(seat_rows(unit), gap=0)
    badge, rest = head.from_left(head.h)
    cards, name = rest.from_right(round(40 * unit))
    under = Rect(inside.x, body.y, inside.w, foot.bottom - body.y) if unit < SLIM_BELOW else inside
    shown, _ = under.from_right(min(round(under.h * 1.42), round(inside.w * 0.54)))
    return SeatParts(
        badge=badge,
        name=Rect(name.x + pad, name.y, max(0, name.w - 2 * pad), name.h),
        cards=cards,
        stack=body,
        foot=foot,
        shown=shown,
    )


def choice_rooms(panel: Rect, choices: int, unit: float) -> tuple[Rect, ...]:
    """Fields of a question's readings, each as high as a finger is wide: in a row, on a standing panel in two."""
    if not choices:
        return ()
    room, gap = question_parts(panel, unit)[3], round((10 if choices < 6 else 6) * unit)
    if panel.w > portrait.WIDE_PANEL * panel.h or choices <= portrait.IN_A_ROW:
        return room.columns([1] * choices, gap=gap)
    half = -(-choices // 2)
    rows = room.rows((1, 1), gap=gap)
    return tuple(cell for row in rows for cell in row.columns([1] * half, gap=gap))[:choices]


def question_parts(panel: Rect, unit: float) -> tuple[Rect, Rect, Rect, Rect]:
    """Title, text, why it is asked, and the room for the readings."""
    title, text, why, choices = panel.inset(round(16 * unit), round(7 * unit)).rows(
        (25, 36, 19, 77), gap=round(3 * unit)
    )
    return title, text, why, choices


def button_rooms(column: Rect, wide: tuple[bool, ...], unit: float) -> tuple[Rect, ...]:
    """Fields of buttons from the top, a wide one or two narrow ones a row; under a standing table two rows of cells."""
    gap = round(6 * unit)
    if column.w > column.h:
        return portrait.button_cells(column, wide, gap)
    rooms: list[Rect] = []
    rows = iter(column.rows([1] * BUTTON_ROWS, gap=gap))
    left: Rect | None = None  # the free half of a row
    for whole in wide:
        if whole:
            rooms.append(next(rows))
        elif left is None:
            half, left = next(rows).columns((1, 1), gap=gap)
            rooms.append(half)
        else:
            rooms.append(left)
            left = None
    return tuple(rooms)


def _frame(screen: Rect, narrowest: float) -> Rect:
    width = min(screen.w, round(screen.h * WIDEST))
    height = min(screen.h, round(screen.w / narrowest))
    return around(screen.centre, width, height)


def _places(table: Rect, seats: int, u: float) -> tuple[Place, ...]:
    lower_left, left, top, right, lower_right = ARRANGEMENT[seats]
    width, height = round(table.w * 0.19), seat_height(u)
    middle_y = table.y + (table.h - height) // 2 - (0 if _is_low(table, u) else round(4 * u))
    at_left, at_right = (Rect(x, middle_y, width, height) for x in (table.x, table.right - width))
    low = Rect(table.x, table.bottom - height, table.w, height)
    high = Rect(table.x, table.y, table.w, height)
    mirrored = [1 - x for x in reversed(LEFT_BOTTOM_CENTRES[lower_right])]
    return (
        *[below(box_in(low, x, width), u) for x in LEFT_BOTTOM_CENTRES[lower_left]],
        *[_beside("left", at_left, u, low=_is_low(table, u))] * left,
        *[above(box_in(high, x, width), u) for x in TOP_CENTRES[top]],
        *[_beside("right", at_right, u, low=_is_low(table, u))] * right,
        *[below(box_in(low, x, width), u) for x in mirrored],
    )


def _is_low(table: Rect, u: float) -> bool:
    """Whether the sides have no room for a button over two rows of a bet."""
    return table.h - 2 * (seat_height(u) + bet_height(u) + round(8 * u)) < seat_height(u) + 2 * bet_height(u)


def _beside(side: Side, box: Rect, u: float, *, low: bool) -> Place:
    """The bet inwards of the box, a second row for its difference; the button over it, or where that is low between."""
    gap, height = round(8 * u), bet_height(u)
    width = round(box.w * 0.52)
    if low:
        button_x = box.right + gap // 2 if side == "left" else box.x - gap // 2 - height
        x = button_x + height + gap // 2 if side == "left" else button_x - gap // 2 - width
        button = Rect(button_x, box.centre[1] - height // 2, height, height)
        higher = 0 if u < SLIM_BELOW else round(6 * u)  # above the side pots
        return Place(box, Rect(x, box.centre[1] - height - higher, width, 2 * height), button, side)
    x = box.right + gap if side == "left" else box.x - gap - width
    bet = Rect(x, box.y + gap // 2, width, 2 * height)
    button_x = x if side == "left" else x + width - height
    return Place(box, bet, Rect(button_x, bet.y - gap // 2 - height, height, height), side)


def _centre(table: Rect, u: float, *, side_pots: bool) -> tuple[Rect, tuple[Rect, ...], Rect]:
    """What stands between the bets of the upper and of the lower seats."""
    edge = seat_height(u) + bet_height(u) + round(8 * u)
    beside = round(table.w * 0.19 * 1.52) + bet_height(u) + round(16 * u)  # a box at a side, its button and its bet
    wide = min(round(table.w * 0.4), table.w - 2 * beside) if _is_low(table, u) else round(table.w * 0.4)
    band = around(table.centre, wide, table.h - 2 * edge)
    weights = (46, 84, 52) if side_pots else (64, 118, 0)
    pot, cards, pots = band.rows(weights, gap=round(2 * u))
    return pot, board_cards(cards, u), around(pots.centre, round(table.w * 0.6), pots.h)
