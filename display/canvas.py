"""Things that are drawn: boxes, words, cards, chips. Smooth shapes are drawn three times as large, shrunk, and kept.

Every text is told to `placed`, with the rectangle it had to fit in: tests read it.
"""

import functools
from collections.abc import Mapping
from typing import Literal

import pygame

from display import theme
from display.fitting import Fitted, fit
from display.palettes import BLACK, DARK, WHITE, Colour, Palette
from display.rect import Rect

Align = Literal["left", "centre", "right"]
FINE = 3  # how much larger shapes are drawn before they are shrunk
SMALLEST_NUMBERED_CHIP = 34  # pixels of the design
CAP_SHIFT = 0.02  # capitals and digits sit this share of the font size above the middle of a line


class Placed:
    """One text that was drawn: where it had to fit, and where it lies."""

    def __init__(self, text: str, room: Rect, lies: Rect, px: int) -> None:
        self.text, self.room, self.lies, self.px = text, room, lies, px


class Canvas:
    def __init__(
        self,
        surface: pygame.Surface,
        unit: float,
        chips: Mapping[int, str] | None = None,
        colours: Palette = DARK,
    ) -> None:
        self.surface = surface
        self.unit = unit
        self.colours = colours
        self.chips = chips or {}  # names of the colours that the house's chips have
        self.placed: list[Placed] = []

    def px(self, pixels: float) -> int:
        """Pixels of the design -> pixels of this screen, at least one."""
        return max(1, round(pixels * self.unit))

    # ------------------------------------------------------------ shapes
    def fill(self, rect: Rect, colour: Colour) -> None:
        self.surface.fill(colour, (rect.x, rect.y, rect.w, rect.h))

    def box(
        self, rect: Rect, fill: Colour | None, *, radius: float = 10, edge: Colour | None = None, width: float = 2
    ) -> None:
        """A rounded box; `radius` and `width` in pixels of the design, `fill` None: only its edge."""
        if rect.w < 2 or rect.h < 2:
            return
        rounded = min(self.px(radius), rect.w // 2, rect.h // 2)
        self.surface.blit(_box((rect.w, rect.h), rounded, fill, edge, self.px(width)), (rect.x, rect.y))

    def dashed(self, rect: Rect, colour: Colour, *, width: float = 4, dash: float = 16) -> None:
        """A frame of dashes: what lies in it is not settled."""
        thick, step = self.px(width), self.px(dash)
        for x in range(rect.x, rect.right - thick, 2 * step):
            length = min(step, rect.right - x)
            self.surface.fill(colour, (x, rect.y, length, thick))
            self.surface.fill(colour, (x, rect.bottom - thick, length, thick))
        for y in range(rect.y, rect.bottom - thick, 2 * step):
            length = min(step, rect.bottom - y)
            self.surface.fill(colour, (rect.x, y, thick, length))
            self.surface.fill(colour, (rect.right - thick, y, thick, length))

    def hatch(self, rect: Rect, colour: Colour, *, step: float = 14, radius: float = 10) -> None:
        """Slanting lines over a box: what it says cannot be trusted now."""
        self.surface.blit(_hatch((rect.w, rect.h), colour, self.px(step), self.px(radius)), (rect.x, rect.y))

    def disc(self, rect: Rect, fill: Colour, text: str, colour: Colour, *, edge: Colour | None = None) -> None:
        size = min(rect.w, rect.h)
        middle = Rect(rect.centre[0] - size // 2, rect.centre[1] - size // 2, size, size)
        self.box(middle, fill, radius=10_000, edge=edge)
        self.text(middle.inset(round(size * 0.14)), text, colour, align="centre", bold=True)

    def sign(self, rect: Rect, fill: Colour, text: str, colour: Colour) -> None:
        """A small box that carries one word: ALL-IN."""
        self.box(rect, fill, radius=7)
        self.text(rect.inset(self.px(5), self.px(1)), text, colour, align="centre", bold=True)

    def felt(self, rect: Rect) -> None:
        """The table from above: rail, felt, and the line on it."""
        self.surface.blit(_felt((rect.w, rect.h), self.px(16), self.colours), (rect.x, rect.y))

    def veil(self, rect: Rect, colour: Colour, alpha: int) -> None:
        """Everything under it fades into one colour."""
        sheet = pygame.Surface((rect.w, rect.h))
        sheet.fill(colour)
        sheet.set_alpha(alpha)
        self.surface.blit(sheet, (rect.x, rect.y))

    def grey(self) -> None:
        """Takes the colours out of everything: it is old."""
        self.surface.blit(pygame.transform.grayscale(self.surface), (0, 0))

    # ------------------------------------------------------------ words
    def text(
        self,
        rect: Rect,
        text: str,
        colour: Colour,
        *,
        bold: bool = False,
        align: Align = "left",
        lines: int = 1,
        largest: float | None = None,
        smallest: float = 0,
    ) -> Rect:
        """Words as large as the rectangle allows; returns where they lie. Below `smallest` they are cut."""
        if not text or rect.w <= 0 or rect.h <= 0:
            return Rect(rect.x, rect.y, 0, 0)
        fitted = self._fitted(rect, text, bold=bold, lines=lines, largest=largest, smallest=smallest)
        height = fitted.line_height * len(fitted.lines)
        top = rect.y + max(0, (rect.h - height) // 2)
        written = [
            self._line(rect, top + i * fitted.line_height, line, fitted.px, colour, bold=bold, align=align)
            for i, line in enumerate(fitted.lines)
        ]
        left = min(line.x for line in written)
        whole = Rect(left, top, max(line.right for line in written) - left, height)
        self.placed.append(Placed(" ".join(fitted.lines), rect, whole, fitted.px))
        return whole

    def width(self, rect: Rect, text: str, *, bold: bool = False, largest: float | None = None) -> int:
        """How wide `text` will be in this rectangle."""
        fitted = self._fitted(rect, text, bold=bold, lines=1, largest=largest, smallest=0)
        return theme.measure(fitted.lines[0], fitted.px, bold=bold)

    def is_whole(self, rect: Rect, text: str, *, lines: int, smallest: float) -> bool:
        """Whether bold words fit in without being cut, in letters of that size at the least."""
        fitted = self._fitted(rect, text, bold=True, lines=lines, largest=None, smallest=smallest)
        return rect.w > 0 and " ".join(fitted.lines) == text

    def size(self, rect: Rect, text: str, *, bold: bool = False) -> int:
        """Pixels of the font that `text` will have in this rectangle."""
        return self._fitted(rect, text, bold=bold, lines=1, largest=None, smallest=0).px

    def _fitted(
        self, rect: Rect, text: str, *, bold: bool, lines: int, largest: float | None, smallest: float
    ) -> Fitted:
        limit = None if largest is None else self.px(largest)
        least = self.px(smallest)
        return _fitted_text(text, (rect.w, rect.h), bold=bold, lines=lines, largest=limit, smallest=least)

    def _line(self, rect: Rect, y: int, line: str, px: int, colour: Colour, *, bold: bool, align: Align) -> Rect:
        image = _words(line, px, colour, bold)
        free = rect.w - image.get_width()
        x = rect.x + {"left": 0, "centre": free // 2, "right": free}[align]
        self.surface.blit(image, (x, y - round(px * CAP_SHIFT)))
        return Rect(x, y, image.get_width(), round(px * 1.17))

    # ------------------------------------------------------------ cards and chips
    def card(self, rect: Rect, face: str) -> None:
        """A card, face up: rank and suit as large as it can carry."""
        rank, suit = ("10" if face[:-1] == "T" else face[:-1]), face[-1:]
        sign, colour = self.colours.suit(suit)
        self.box(rect, self.colours.card, radius=8, edge=theme.mix(self.colours.card, BLACK, 0.35), width=1)
        inside = rect.inset(round(rect.w * 0.06), round(rect.h * 0.03))
        upper, lower = inside.rows((0.52, 0.48))
        self.text(upper, rank, colour, bold=True, align="centre")
        self.text(lower, sign, colour, bold=True, align="centre")

    def small_card(self, rect: Rect, face: str) -> None:
        """A card in one line, for rows of many; where that is too narrow its suit is told by the colour alone."""
        sign, colour = self.colours.suit(face[-1:])
        self.box(rect, self.colours.card, radius=4, edge=theme.mix(self.colours.card, BLACK, 0.35), width=1)
        words = face[:-1] + sign if rect.w >= rect.h * 1.2 else face[:-1]
        self.text(rect.inset(1), words, colour, bold=True, align="centre", smallest=9)

    def card_back(self, rect: Rect) -> None:
        """A card that was dealt and not read."""
        self.box(rect, self.colours.card_back, radius=8, edge=self.colours.card, width=3)
        self.box(rect.inset(self.px(6)), None, radius=5, edge=self.colours.card_back_line, width=2)
        self.text(rect.inset(round(rect.w * 0.2)), "?", WHITE, bold=True, align="centre", largest=44)

    def chip(self, rect: Rect, denomination: int = 0, *, plain: bool = False) -> None:
        """A chip from above, with its number where that can be read; 0: a chip of no matter which value."""
        colour, ink = theme.chip(denomination, self.chips.get(denomination, ""))
        size = min(rect.w, rect.h)
        middle = Rect(rect.centre[0] - size // 2, rect.centre[1] - size // 2, size, size)
        self.surface.blit(_chip(size, colour), (middle.x, middle.y))
        face = middle.inset(round(size * (0.17 if size > self.px(48) else 0.1)), round(size * 0.28))
        if denomination and not plain and size >= self.px(SMALLEST_NUMBERED_CHIP):
            self.text(face, theme.short(denomination), ink, bold=True, align="centre")


@functools.lru_cache(maxsize=2048)
def _fitted_text(
    text: str, size: tuple[int, int], *, bold: bool, lines: int, largest: int | None, smallest: int
) -> Fitted:
    measure = functools.partial(theme.measure, bold=bold)
    return fit(text, size, measure, lines=lines, largest=largest, smallest=smallest)


@functools.lru_cache(maxsize=512)
def _words(text: str, px: int, colour: Colour, bold: bool) -> pygame.Surface:
    return theme.font(px, bold=bold).render(text, True, colour)


def _clear(size: tuple[int, int], colour: Colour) -> pygame.Surface:
    """A see-through surface whose hidden colour is that of its edge, so that shrinking leaves no dark fringe."""
    surface = pygame.Surface((size[0] * FINE, size[1] * FINE), pygame.SRCALPHA)
    surface.fill((*colour, 0))
    return surface


@functools.lru_cache(maxsize=512)
def _box(size: tuple[int, int], radius: int, fill: Colour | None, edge: Colour | None, width: int) -> pygame.Surface:
    """Straight parts are filled, the four corners come smooth from a disc."""
    wide, high = size
    surface = pygame.Surface(size, pygame.SRCALPHA)
    layers = [(edge, 0), (fill or (0, 0, 0, 0), width if edge else 0)]
    for colour, inset in layers:
        if colour is not None:
            beside = max(radius, inset)
            surface.fill(colour, (beside, inset, wide - 2 * beside, high - 2 * inset))
            surface.fill(colour, (inset, beside, wide - 2 * inset, high - 2 * beside))
    if radius:
        disc = _disc(radius, fill, edge, width)
        for x, left in ((0, 0), (wide - radius, radius)):
            for y, top in ((0, 0), (high - radius, radius)):
                surface.fill((0, 0, 0, 0), (x, y, radius, radius))
                surface.blit(disc, (x, y), (left, top, radius, radius))
    return surface


@functools.lru_cache(maxsize=256)
def _disc(radius: int, fill: Colour | None, edge: Colour | None, width: int) -> pygame.Surface:
    surface = _clear((2 * radius, 2 * radius), edge or fill or BLACK)
    middle = (radius * FINE, radius * FINE)
    if fill is not None:
        pygame.draw.circle(surface, fill, middle, radius * FINE)
    if edge is not None:
        pygame.draw.circle(surface, edge, middle, radius * FINE, width=min(width, radius) * FINE)
    return pygame.transform.smoothscale(surface, (2 * radius, 2 * radius))


@functools.lru_cache(maxsize=64)
def _hatch(size: tuple[int, int], colour: Colour, step: int, radius: int) -> pygame.Surface:
    surface = _clear(size, colour)
    width, height = surface.get_size()
    for x in range(-height, width, step * FINE):
        pygame.draw.line(surface, (*colour, 120), (x, height), (x + height, 0), width=FINE * max(2, step // 5))
    mask = _clear(size, WHITE)
    pygame.draw.rect(mask, (255, 255, 255, 255), mask.get_rect(), border_radius=radius * FINE)
    surface.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MIN)
    return pygame.transform.smoothscale(surface, size)


@functools.lru_cache(maxsize=256)
def _chip(size: int, colour: Colour) -> pygame.Surface:
    """A chip from above: disc, eight marks on its edge, an inner ring."""
    surface = _clear((size, size), colour)
    full = size * FINE
    middle = pygame.Vector2(full / 2, full / 2)
    light = theme.mix(colour, WHITE, 0.85) if sum(colour) < 560 else theme.mix(colour, BLACK, 0.75)
    pygame.draw.circle(surface, colour, middle, full / 2)
    for turn in range(0, 360, 45):
        corners = [middle + pygame.Vector2(full * reach, 0).rotate(turn + slant) for reach, slant in _MARK]
        pygame.draw.polygon(surface, light, corners)
    pygame.draw.circle(surface, colour, middle, full * 0.37)
    pygame.draw.circle(surface, light, middle, full * 0.37, width=max(1, round(full * 0.02)))
    outline = theme.mix(colour, BLACK if sum(colour) > 200 else WHITE, 0.45)
    pygame.draw.circle(surface, outline, middle, full / 2, width=max(1, round(full * 0.025)))
    return pygame.transform.smoothscale(surface, (size, size))


@functools.lru_cache(maxsize=4)
def _felt(size: tuple[int, int], rail: int, colours: Palette) -> pygame.Surface:
    surface = _clear(size, colours.rail)
    whole = surface.get_rect()
    pygame.draw.rect(surface, colours.rail_light, whole, border_radius=whole.h // 2)
    _stadium(surface, whole.inflate(-rail // 3 * FINE, -rail // 3 * FINE), colours.rail)
    inner = whole.inflate(-2 * rail * FINE, -2 * rail * FINE)
    steps = 14
    for i in range(steps):
        smaller = inner.inflate(-round(inner.h * 0.8 * i / steps), -round(inner.h * 0.8 * i / steps))
        _stadium(surface, smaller, theme.mix(colours.felt, colours.felt_light, i / (steps - 1)))
    line = inner.inflate(-rail * FINE, -rail * FINE)
    pygame.draw.rect(surface, colours.felt_line, line, width=FINE, border_radius=line.h // 2)
    opaque = pygame.Surface(size)  # half of a frame's time went into blending it
    opaque.fill(colours.night)
    opaque.blit(pygame.transform.smoothscale(surface, size), (0, 0))
    return opaque


def _stadium(surface: pygame.Surface, rect: pygame.Rect, colour: Colour) -> None:
    pygame.draw.rect(surface, colour, rect, border_radius=rect.h // 2)


_MARK = ((0.36, -8), (0.5, -8), (0.5, 8), (0.36, 8))  # reach (share of the size), degrees
