"""How far a measured share can be trusted, and what may be said of an antenna by it. Pure.

Readings of one round are not told by dice: a reader that is late, or a hand over the stack, loses many tags at once,
and the next round with them. So rounds are compared with each other. Where they differ by more than chance would make
them, and where each is like the one before, so many readings count as fewer, and the interval (Wilson, 95 %) is wider.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import Literal, NamedTuple

from controller.tracking.rates import UNFIT_MISS, UNFIT_STRAY, WEAK_MISS, Measured

Verdict = Literal["no chips", "good", "weak", "unfit", "not enough rounds yet"]
Z = 1.96  # two-sided 95 % of a normal distribution


class Share(NamedTuple):
    value: float
    least: float  # 95 % sure
    most: float

    def above(self, limit: float) -> bool:
        """For certain."""
        return self.least > limit

    def below(self, limit: float) -> bool:
        return self.most <= limit


def share(counts: Sequence[int], tags: int) -> Share:
    """The share of `tags` that something happened to, by how many it happened to in each round."""
    readings = len(counts) * tags
    if not readings:
        return Share(0.0, 0.0, 1.0)
    value = sum(counts) / readings
    alone = max(1.0, readings / _crowding(counts, tags, value))
    middle, spread = value + Z * Z / (2 * alone), Z * sqrt(value * (1 - value) / alone + Z * Z / (4 * alone * alone))
    whole = 1 + Z * Z / alone
    return Share(value, max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole))


def _crowding(counts: Sequence[int], tags: int, value: float) -> float:
    """How many readings tell no more than one does, at least 1."""
    by_chance = tags * value * (1 - value)
    if not by_chance or len(counts) < 2:
        return 1.0
    mean = value * tags
    apart = [count - mean for count in counts]
    spread = sum(one * one for one in apart) / len(counts)
    if not spread:
        return 1.0
    alike = sum(one * other for one, other in pairwise(apart)) / (len(counts) * spread)
    runs = (1 + alike) / (1 - alike) if 0 < alike < 1 else 1.0
    return max(1.0, spread / by_chance) * runs


def missed(measured: Measured) -> Share:
    return share(measured.missed, len(measured.lying))


def strays(measured: Measured) -> Share:
    """Of a given tag of the neighbour that is heard most."""
    if not measured.stray_chances:
        return Share(0.0, 0.0, 0.0)
    return share(measured.strayed, measured.stray_chances // max(1, len(measured.strayed)))


def verdict(measured: Measured) -> Verdict:
    """What the antenna is, where the intervals decide it."""
    if not measured.lying:
        return "no chips"
    miss, stray = missed(measured), strays(measured)
    if miss.above(UNFIT_MISS) or stray.above(UNFIT_STRAY):
        return "unfit"
    if miss.above(WEAK_MISS) and miss.below(UNFIT_MISS) and stray.below(UNFIT_STRAY):
        return "weak"
    return "good" if miss.below(WEAK_MISS) and stray.below(UNFIT_STRAY) else "not enough rounds yet"
