"""Text that fits its rectangle: as large as there is room, broken into lines, cut with a sign where nothing helps.

Pure: the width of a text is measured by a function that is passed in (`theme.measure`).
"""

from collections.abc import Callable

import msgspec

Measure = Callable[[str, int], int]  # text, height of the font in pixels -> width in pixels
LINE_HEIGHT = 1.17  # DejaVu Sans: distance of lines per pixel of font size
SMALLEST = 9  # pixels: below this letters are no longer letters
CUT = "…"
IN_NUMBERS = "0123456789\u202f"  # the thin space between groups of digits, too


class Fitted(msgspec.Struct, frozen=True):
    lines: tuple[str, ...]
    px: int  # size of the font

    @property
    def line_height(self) -> int:
        return round(self.px * LINE_HEIGHT)


def fit(
    text: str,
    size: tuple[int, int],
    measure: Measure,
    *,
    lines: int = 1,
    largest: int | None = None,
    smallest: int = SMALLEST,
) -> Fitted:
    """The largest font, and the line breaks, with which the text fits in `size` (width, height) in pixels.

    Where even the smallest font is too large, the text is cut.
    """
    width, height = size
    top = max(SMALLEST, int(height / LINE_HEIGHT))
    top = min(top, largest) if largest is not None else top
    least = max(SMALLEST, min(smallest, top))
    low, high, best = least, max(least, top), None
    while low <= high:
        px = (low + high) // 2
        broken = broken_at(text, px, width, height, measure, lines=lines)
        if broken is None:
            high = px - 1
        else:
            best, low = Fitted(broken, px), px + 1
    return best or Fitted((cut(text, least, width, measure),), least)


def broken_at(text: str, px: int, width: int, height: int, measure: Measure, *, lines: int) -> tuple[str, ...] | None:
    """The text broken between words at this font size, or None where it does not fit.

    Only plain spaces are breaks: the thin ones inside a number are not.
    """
    allowed = max(1, min(lines, int(height / (px * LINE_HEIGHT))))
    broken: list[str] = []
    for word in text.split(" "):
        longer = f"{broken[-1]} {word}" if broken else word
        if broken and measure(longer, px) <= width:
            broken[-1] = longer
        elif measure(word, px) > width or len(broken) == allowed:
            return None
        else:
            broken.append(word)
    return tuple(broken)


def cut(text: str, px: int, width: int, measure: Measure) -> str:
    """The beginning of the text with a sign that there is more; a number is left whole or out: 20… is not 200."""
    if measure(text, px) <= width:
        return text
    kept = len(text)
    while kept and measure(text[:kept].rstrip() + CUT, px) > width:
        kept -= 1
    if not kept:
        return ""
    while kept and text[kept - 1] in IN_NUMBERS and text[kept] in IN_NUMBERS:
        kept -= 1
    return text[:kept].rstrip() + CUT
