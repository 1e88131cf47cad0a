"""Rectangles in whole pixels, and the few ways of cutting them that the layout needs."""

from collections.abc import Sequence

import msgspec


class Rect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def bottom(self) -> int:
        return self.y + self.h

    @property
    def centre(self) -> tuple[int, int]:
        return self.x + self.w // 2, self.y + self.h // 2

    def inset(self, dx: int, dy: int | None = None) -> "Rect":
        """Smaller by `dx` left and right, by `dy` (or `dx`) above and below; never below nothing."""
        dy = dx if dy is None else dy
        return Rect(self.x + dx, self.y + dy, max(0, self.w - 2 * dx), max(0, self.h - 2 * dy))

    def moved(self, dx: int, dy: int) -> "Rect":
        return Rect(self.x + dx, self.y + dy, self.w, self.h)

    def holds(self, point: tuple[int, int]) -> bool:
        return self.x <= point[0] < self.right and self.y <= point[1] < self.bottom

    def columns(self, weights: Sequence[float], gap: int = 0) -> tuple["Rect", ...]:
        """Cut from left to right by weight, with `gap` pixels between."""
        cuts = _cuts(self.w, weights, gap)
        return tuple(Rect(self.x + start, self.y, length, self.h) for start, length in cuts)

    def rows(self, weights: Sequence[float], gap: int = 0) -> tuple["Rect", ...]:
        """Cut from top to bottom by weight, with `gap` pixels between."""
        cuts = _cuts(self.h, weights, gap)
        return tuple(Rect(self.x, self.y + start, self.w, length) for start, length in cuts)

    def from_left(self, width: int) -> tuple["Rect", "Rect"]:
        """A piece of this width at the left, and the rest."""
        width = max(0, min(width, self.w))
        return Rect(self.x, self.y, width, self.h), Rect(self.x + width, self.y, self.w - width, self.h)

    def from_right(self, width: int) -> tuple["Rect", "Rect"]:
        """A piece of this width at the right, and the rest."""
        rest, piece = self.from_left(self.w - width)
        return piece, rest


def around(centre: tuple[int, int], width: int, height: int) -> Rect:
    return Rect(centre[0] - width // 2, centre[1] - height // 2, width, height)


def _cuts(length: int, weights: Sequence[float], gap: int) -> list[tuple[int, int]]:
    usable = max(0, length - gap * (len(weights) - 1))
    total = sum(weights)
    ends = [round(usable * sum(weights[: i + 1]) / total) for i in range(len(weights))]
    starts = [0, *ends[:-1]]
    return [(start + gap * i, end - start) for i, (start, end) in enumerate(zip(starts, ends, strict=True))]
