"""Fonts, signs and chips; the other colours are those of a theme: `palettes.py`.

The font is bundled (`fonts/`): DejaVu Sans has Cyrillic, the numero sign and the card suits, which the font that
pygame brings has not.
"""

import functools
from pathlib import Path

import pygame

from display.palettes import BLACK, WHITE, Colour
from display.parts import Level

NOTICE_SIGNS: dict[Level, str] = {"alarm": "!", "unknown": "?", "refused": "×", "info": "i"}
CHIPS: dict[int, tuple[Colour, Colour]] = {  # the usual colours: disc, number
    1: ((236, 236, 232), BLACK),
    2: ((240, 214, 80), BLACK),
    5: ((204, 42, 42), WHITE),
    10: ((58, 118, 206), WHITE),
    20: ((126, 134, 142), WHITE),
    25: ((28, 138, 74), WHITE),
    50: ((226, 122, 38), BLACK),
    100: ((30, 32, 38), WHITE),
    200: ((150, 96, 52), WHITE),
    500: ((116, 58, 176), WHITE),
    1000: ((244, 198, 44), BLACK),
    2000: ((70, 190, 200), BLACK),
    5000: ((230, 98, 146), BLACK),
    10000: ((92, 112, 60), WHITE),
    25000: ((54, 168, 120), BLACK),
    100000: ((176, 40, 96), WHITE),
}
CHIPS_BY_NAME: dict[str, tuple[Colour, Colour]] = {  # as sets of chips are called
    "black": ((30, 32, 38), WHITE),
    "blue": ((58, 118, 206), WHITE),
    "brown": ((150, 96, 52), WHITE),
    "green": ((28, 138, 74), WHITE),
    "grey": ((126, 134, 142), WHITE),
    "lime": ((150, 212, 70), BLACK),
    "navy": ((36, 52, 120), WHITE),
    "orange": ((226, 122, 38), BLACK),
    "pink": ((230, 98, 146), BLACK),
    "purple": ((116, 58, 176), WHITE),
    "red": ((204, 42, 42), WHITE),
    "teal": ((0, 110, 120), WHITE),
    "turquoise": ((70, 190, 200), BLACK),
    "white": ((236, 236, 232), BLACK),
    "yellow": ((244, 198, 44), BLACK),
}
OTHER_CHIP: tuple[Colour, Colour] = ((150, 158, 166), BLACK)

FONTS = Path(__file__).parent / "fonts"


def chip(denomination: int, name: str) -> tuple[Colour, Colour]:
    """Disc and number of a chip: in the colour of the house where that is known, else in the usual one."""
    return CHIPS_BY_NAME.get(name) or CHIPS.get(denomination, OTHER_CHIP)


def font(px: int, *, bold: bool) -> pygame.font.Font:
    if not pygame.font.get_init():
        pygame.font.init()
        _font.cache_clear()  # fonts made before `pygame.quit` are dead
    return _font(px, bold=bold)


@functools.lru_cache(maxsize=256)
def _font(px: int, *, bold: bool) -> pygame.font.Font:
    return pygame.font.Font(FONTS / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"), px)


@functools.lru_cache(maxsize=4096)
def measure(text: str, px: int, *, bold: bool) -> int:
    """Width of a text in pixels."""
    return font(px, bold=bold).size(text)[0]


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """`share` of the other colour in the first."""
    r, g, b = (round(a + (c - a) * share) for a, c in zip(one, other, strict=True))
    return r, g, b


def short(denomination: int) -> str:
    """What stands on a chip: 500, 1K, 25K, 1M."""
    for unit, letter in ((1_000_000, "M"), (1000, "K")):
        if denomination >= unit and denomination % (unit // 10) == 0:
            return f"{denomination / unit:g}{letter}"
    return str(denomination)
