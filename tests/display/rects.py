"""How rectangles lie to one another: what the laws of the layout are told in."""

from display.rect import Rect


def contains(one: Rect, other: Rect) -> bool:
    return one.x <= other.x and one.y <= other.y and other.right <= one.right and other.bottom <= one.bottom


def overlaps(one: Rect, other: Rect) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom
