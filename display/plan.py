"""What a picture is cut into, and the sizes below which nobody reads it. Pure.

`layout.py` cuts a lying screen, `portrait.py` a standing one. All sizes are pixels of a design 720 pixels high (of a
standing one: 720 wide), times `unit`; letters of a small screen keep a size of their own.
"""

from typing import Literal

import msgspec

from display.rect import Rect

DESIGN = 720
SMALLEST = (480, 320)  # below this nothing can be read
MOST_SEATS = 10
BUTTONS_FROM = (720, 420)  # on a smaller screen no button would be large enough for a finger
BET_HEIGHT = 36
HEAD, STACK, FOOT = 25, 38, 21  # rows of a seat
SLIM_BELOW = 0.9  # smaller screens tell side pots in a row of their own under the table
LEGIBLE_FROM = 480 / DESIGN  # from this unit on letters keep their size; below it they shrink
LINE = 22  # pixels of the screen: a row whose letters are 18 pixels high, the smallest that a dealer reads

Side = Literal["top", "bottom", "left", "right"]


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
    lamps: Rect  # in the top line, or a line of their own under it
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
    column: Rect  # of buttons, or two rows of them; of no width where there are none
    unit: float  # pixels of this screen per pixel of the design
    slim: bool = False  # side pots are plates of one line


def at_least(design: float, pixels: float, unit: float) -> int:
    """So many pixels of the design, and on a small screen so many of its own."""
    return max(round(design * unit), round(pixels * min(1.0, unit / LEGIBLE_FROM)))


def seat_rows(unit: float) -> tuple[int, int, int]:
    """Heights of a seat's name, stack, and last action."""
    return at_least(HEAD, LINE, unit), at_least(STACK, LINE + 3, unit), at_least(FOOT, LINE - 5, unit)


def seat_pad(unit: float) -> int:
    """Between the edge of a seat and its words."""
    return max(2, round(7 * unit))


def seat_height(unit: float) -> int:
    return sum(seat_rows(unit)) + 2 * round(0.7 * seat_pad(unit))


def bet_height(unit: float) -> int:
    return at_least(BET_HEIGHT, LINE + 2, unit)


def strip_height(notices: int, unit: float) -> int:
    """A line for one notice, two lines for more."""
    return at_least(54, 2 * LINE + 6, unit) if notices > 1 else at_least(35, LINE + 2, unit)


def board_cards(room: Rect, unit: float) -> tuple[Rect, ...]:
    """Five cards in the middle of a room, as large as it allows."""
    gap = round(9 * unit)
    width = min(round(room.h * 0.72), (room.w - 4 * gap) // 5)
    left = room.centre[0] - (5 * width + 4 * gap) // 2
    height = min(room.h, round(width * 1.6))
    top = room.centre[1] - height // 2
    return tuple(Rect(left + i * (width + gap), top, width, height) for i in range(5))


def box_in(row: Rect, x: float, width: int) -> Rect:
    """A box of this width in a row, its middle at this share of the row, kept inside it."""
    left = row.x + round(row.w * x) - width // 2
    return Rect(min(max(left, row.x), row.right - width), row.y, width, row.h)


def above(box: Rect, u: float) -> Place:
    bet, button = bet_row(Rect(box.x, box.bottom + round(4 * u), box.w, bet_height(u)))
    return Place(box, bet, button, "top")


def below(box: Rect, u: float) -> Place:
    bet, button = bet_row(Rect(box.x, box.y - bet_height(u) - round(4 * u), box.w, bet_height(u)))
    return Place(box, bet, button, "bottom")


def bet_row(row: Rect) -> tuple[Rect, Rect]:
    button, bet = row.from_left(row.h)
    return Rect(bet.x + row.h // 4, bet.y, bet.w - row.h // 4, bet.h), button
