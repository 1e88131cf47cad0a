"""The dealer's buttons: one column of fields for fingers."""

from display.canvas import Canvas
from display.layout import button_rooms
from display.palettes import BLACK, Colour
from display.parts import ButtonPart
from display.plan import Layout
from display.rect import Rect

LARGEST = 27  # pixels of the design: the words; digits are larger
LARGEST_DIGIT = 44


def draw_buttons(canvas: Canvas, buttons: tuple[ButtonPart, ...], plan: Layout) -> None:
    rooms = button_rooms(plan.column, tuple(button.wide for button in buttons), plan.unit)
    for button, room in zip(buttons, rooms, strict=True):
        if button.label:
            _button(canvas, button, room)


def _button(canvas: Canvas, button: ButtonPart, rect: Rect) -> None:
    fill, ink, edge = _colours(canvas, button)
    canvas.box(rect, fill, radius=12, edge=edge, width=3)
    largest = LARGEST if button.wide else LARGEST_DIGIT
    inside = rect.inset(canvas.px(6))
    canvas.text(inside, button.label, ink, bold=True, align="centre", lines=2, largest=largest)


def _colours(canvas: Canvas, button: ButtonPart) -> tuple[Colour, Colour, Colour]:
    """Fill, words, edge. What is waited for is filled."""
    match button.tone:
        case "ask":
            return canvas.colours.asked, BLACK, canvas.colours.ink
        case "go":
            return canvas.colours.good, BLACK, canvas.colours.ink
        case "turn":
            return canvas.colours.button, canvas.colours.ink, canvas.colours.turn
        case "off":
            return canvas.colours.seat_dim, canvas.colours.dim, canvas.colours.edge
        case "plain":
            return canvas.colours.button, canvas.colours.ink, canvas.colours.button_edge
