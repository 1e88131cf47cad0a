"""The dealer's buttons: one column of fields for fingers."""

from display import theme
from display.canvas import Canvas
from display.layout import Layout, button_rooms
from display.parts import ButtonPart
from display.rect import Rect
from display.theme import Colour

LARGEST = 27  # pixels of the design: the words; digits are larger
LARGEST_DIGIT = 44


def draw_buttons(canvas: Canvas, buttons: tuple[ButtonPart, ...], plan: Layout) -> None:
    rooms = button_rooms(plan.column, tuple(button.wide for button in buttons), plan.unit)
    for button, room in zip(buttons, rooms, strict=True):
        if button.label:
            _button(canvas, button, room)


def _button(canvas: Canvas, button: ButtonPart, rect: Rect) -> None:
    fill, ink, edge = _colours(button)
    canvas.box(rect, fill, radius=12, edge=edge, width=3)
    largest = LARGEST if button.wide else LARGEST_DIGIT
    inside = rect.inset(canvas.px(6))
    canvas.text(inside, button.label, ink, bold=True, align="centre", lines=2, largest=largest)


def _colours(button: ButtonPart) -> tuple[Colour, Colour, Colour]:
    """Fill, words, edge. What is waited for is filled."""
    match button.tone:
        case "ask":
            return theme.ASKED, theme.BLACK, theme.WHITE
        case "go":
            return theme.GOOD, theme.BLACK, theme.WHITE
        case "turn":
            return theme.BUTTON, theme.WHITE, theme.TURN
        case "off":
            return theme.SEAT_DIM, theme.DIM, theme.EDGE
        case "plain":
            return theme.BUTTON, theme.WHITE, theme.BUTTON_EDGE
