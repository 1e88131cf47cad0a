"""One view, one layout -> one picture. Draws what it is given and decides nothing."""

import pygame

from display.canvas import Canvas, Placed
from display.draw_buttons import draw_buttons
from display.draw_edges import draw_edges
from display.draw_panels import draw_banner, draw_curtain, draw_frame, draw_help, draw_panels
from display.draw_table import draw_table
from display.palettes import DARK, Palette
from display.parts import View
from display.plan import Layout


def draw(surface: pygame.Surface, view: View, plan: Layout, colours: Palette = DARK) -> list[Placed]:
    """Draw everything; returns the texts with the rectangles they had to fit in."""
    canvas = Canvas(surface, plan.unit, dict(view.chip_colours), colours)
    canvas.fill(plan.screen, canvas.colours.night)
    if view.curtain is not None:
        draw_curtain(canvas, view.curtain, plan)
        return canvas.placed
    draw_table(canvas, view, plan)
    draw_edges(canvas, view, plan)
    draw_panels(canvas, view, plan)
    draw_buttons(canvas, view.buttons, plan)
    if view.question is not None:
        draw_frame(canvas, plan)
    if view.stale:
        canvas.grey()
        canvas.veil(plan.screen, canvas.colours.night, 110)
    if view.banner is not None:
        draw_banner(canvas, view.banner, plan)
    if view.help is not None:
        draw_help(canvas, view.help, plan)
    return canvas.placed
