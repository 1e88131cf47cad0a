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

The dealer's screen has a column of buttons at the right of all this.
"""

import functools
from typing import Literal

import msgspec

from display.rect import Rect, around

DESIGN_HEIGHT = 720  # all numbers below are pixels at this height
NARROWEST, WIDEST = 1.25, 2.2  # width : height that the picture fills; beyond it keeps a margin
SMALLEST = (480, 320)  # below this nothing can be read
MOST_SEATS = 10
COLUMN = 150  # the buttons: two keys of a keypad beside each other, each wide enough for a finger
BUTTON_ROWS = 8
BUTTONS_FROM = (720, 420)  # on a smaller screen no button would be large enough for a finger
SEAT_HEIGHT = 94
BET_HEIGHT = 36

Side = Literal["top", "bottom", "left", "right"]

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


class Place(msgspec.Struct, frozen=True):
    """Where one seat is drawn: its box, and on the felt before it the bet and the dealer button."""

    box: Rect
    bet: Rect  # one row of it, or two beside a box
    button: Rect
    side: Side


class Layout(msgspec.Struct, frozen=True):
    screen: Rect
    frame: Rect  # the part of the screen that is drawn on
    top: Rect
    felt: Rect
    places: tuple[Place, ...]
    pot: Rect
    board: tuple[Rect, ...]  # five cards
    pots: Rect
    dealer: Rect  # the dealer's place on the rail
    strip: Rect
    panel: Rect  # the whole lower part: a question takes all of it
    ruling: Rect
    act: Rect
    column: Rect  # of buttons; of no width where there are none
    unit: float  # pixels of this screen per pixel of the design


class SeatParts(msgspec.Struct, frozen=True):
    badge: Rect
    name: Rect
    cards: Rect  # "cards read"
    stack: Rect  # or ALL-IN
    foot: Rect  # last action, what was won, chips in hand
    shown: Rect  # tabled cards, over the right part of the box


@functools.lru_cache(maxsize=16)
def layout(size: tuple[int, int], seats: int, *, side_pots: bool = False, buttons: bool = False) -> Layout:
    """Rectangles for a screen of this size; seats beyond ten are not drawn, fewer than two are drawn as two.

    The cards of the board are larger where no row of pots stands under them.
    """
    screen = Rect(0, 0, *size)
    frame = _frame(screen, NARROWEST + ((COLUMN + 10) / DESIGN_HEIGHT if buttons else 0))
    u = frame.h / DESIGN_HEIGHT
    margin = round(8 * u)
    column, inner = frame.inset(margin, round(6 * u)).from_right(round(COLUMN * u) if buttons else 0)
    if buttons:
        inner = inner.from_left(inner.w - margin)[0]
    top, table, strip, panel = inner.rows((26, 456, 35, 179), gap=round(4 * u))
    ruling, act = panel.columns((0.645, 0.355), gap=margin)
    places = _places(table, max(2, min(seats, MOST_SEATS)), u)
    pot, board, pots = _centre(table, u, side_pots=side_pots)
    return Layout(
        screen=screen,
        frame=frame,
        top=top,
        felt=Rect(table.x + round(70 * u), table.y + round(30 * u), table.w - round(140 * u), table.h - round(60 * u)),
        places=places,
        pot=pot,
        board=board,
        pots=pots,
        dealer=around((table.centre[0], table.bottom - round(32 * u)), round(0.11 * table.w), round(30 * u)),
        strip=strip,
        panel=panel,
        ruling=ruling,
        act=act,
        column=column,
        unit=u,
    )


def seat_parts(box: Rect, unit: float) -> SeatParts:
    pad = max(2, round(7 * unit))
    inside = box.inset(pad, round(pad * 0.7))
    head, body, foot = inside.rows((25, 38, 21), gap=0)
    badge, rest = head.from_left(head.h)
    cards, name = rest.from_right(round(40 * unit))
    shown, _ = inside.from_right(min(round(inside.h * 1.42), round(inside.w * 0.54)))
    return SeatParts(
        badge=badge,
        name=Rect(name.x + pad, name.y, max(0, name.w - 2 * pad), name.h),
        cards=cards,
        stack=body,
        foot=foot,
        shown=shown,
    )


def choice_rooms(panel: Rect, choices: int, unit: float) -> tuple[Rect, ...]:
    """Fields of a question's readings, in one row: each as high as a finger is wide."""
    if not choices:
        return ()
    return question_parts(panel, unit)[3].columns([1] * choices, gap=round((10 if choices < 6 else 6) * unit))


def question_parts(panel: Rect, unit: float) -> tuple[Rect, Rect, Rect, Rect]:
    """Title, text, why it is asked, and the room for the readings."""
    title, text, why, choices = panel.inset(round(16 * unit), round(7 * unit)).rows(
        (25, 36, 19, 77), gap=round(3 * unit)
    )
    return title, text, why, choices


def button_rooms(column: Rect, wide: tuple[bool, ...], unit: float) -> tuple[Rect, ...]:
    """Fields of buttons from the top, a wide one or two narrow ones a row."""
    gap = round(6 * unit)
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
    width, height = round(table.w * 0.19), round(SEAT_HEIGHT * u)
    middle_y = table.y + (table.h - height) // 2 - round(4 * u)
    at_left, at_right = (Rect(x, middle_y, width, height) for x in (table.x, table.right - width))
    low = Rect(table.x, table.bottom - height, table.w, height)
    high = Rect(table.x, table.y, table.w, height)
    mirrored = [1 - x for x in reversed(LEFT_BOTTOM_CENTRES[lower_right])]
    return (
        *[_below(_box(low, x, width), u) for x in LEFT_BOTTOM_CENTRES[lower_left]],
        *[_beside("left", at_left, u)] * left,
        *[_above(_box(high, x, width), u) for x in TOP_CENTRES[top]],
        *[_beside("right", at_right, u)] * right,
        *[_below(_box(low, x, width), u) for x in mirrored],
    )


def _box(row: Rect, x: float, width: int) -> Rect:
    """A box of this width in a row, its middle at this share of the row, kept inside it."""
    left = row.x + round(row.w * x) - width // 2
    return Rect(min(max(left, row.x), row.right - width), row.y, width, row.h)


def _above(box: Rect, u: float) -> Place:
    bet, button = _bet_row(Rect(box.x, box.bottom + round(4 * u), box.w, round(BET_HEIGHT * u)))
    return Place(box, bet, button, "top")


def _below(box: Rect, u: float) -> Place:
    bet, button = _bet_row(Rect(box.x, box.y - round((BET_HEIGHT + 4) * u), box.w, round(BET_HEIGHT * u)))
    return Place(box, bet, button, "bottom")


def _bet_row(row: Rect) -> tuple[Rect, Rect]:
    button, bet = row.from_left(row.h)
    return Rect(bet.x + row.h // 4, bet.y, bet.w - row.h // 4, bet.h), button


def _beside(side: Side, box: Rect, u: float) -> Place:
    """The bet stands inwards of the box, with a second row for its difference; the button over it."""
    gap, height = round(8 * u), round(BET_HEIGHT * u)
    width = round(box.w * 0.52)
    x = box.right + gap if side == "left" else box.x - gap - width
    bet = Rect(x, box.y + gap // 2, width, 2 * height)
    button_x = x if side == "left" else x + width - height
    return Place(box, bet, Rect(button_x, bet.y - gap // 2 - height, height, height), side)


def _centre(table: Rect, u: float, *, side_pots: bool) -> tuple[Rect, tuple[Rect, ...], Rect]:
    """What stands between the bets of the upper and of the lower seats."""
    edge = round((SEAT_HEIGHT + BET_HEIGHT + 8) * u)
    band = around(table.centre, round(table.w * 0.4), table.h - 2 * edge)
    pot, cards, pots = band.rows((46, 84, 52) if side_pots else (64, 118, 0), gap=round(2 * u))
    gap = round(9 * u)
    card_width = min(round(cards.h * 0.72), (cards.w - 4 * gap) // 5)
    left = cards.centre[0] - (5 * card_width + 4 * gap) // 2
    board = tuple(Rect(left + i * (card_width + gap), cards.y, card_width, cards.h) for i in range(5))
    return pot, board, around(pots.centre, round(table.w * 0.6), pots.h)
