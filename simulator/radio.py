"""What a radio hears of the field: tags missed, tags of the neighbour, tags in shadow for a while, uneven rates.

A scan misses a tag that is there with probability `miss`, and reads a tag of a close antenna with probability `stray`.
With `burst` above 1 misses come in runs: a tag is in shadow for `burst` rounds of its antenna on average, and in shadow
for the same share `miss` of all rounds. A tag that came or went during a round is heard in half of the cases. One seed,
one evening: the same calls give the same noise.
"""

import random
from math import log

from controller.places import Zone
from firmware_bridge.events import Value
from simulator.field import Antenna, Field

QUIET_MISS = 1e-9  # below this nothing is drawn


class Noise(Value, frozen=True):
    miss: float = 0.0  # share of rounds in which a tag that lies there is not read
    stray: float = 0.0  # probability that a scan reads one given tag of a close antenna
    burst: float = 1.0  # rounds that a shadow lasts on average; up to 1: every miss stands alone
    seed: int = 0
    uneven: float = 0.2  # antennas differ in speed by up to this share, and every scan by a fifth of it


class Heard(Value, frozen=True):
    """What one scan of one antenna heard."""

    own: tuple[str, ...]  # tags that lie there
    stray: tuple[str, ...]  # tags of close antennas
    complete: bool  # False: more than the antenna can hold


class Radio:
    """The ears of all antennas of a table."""

    def __init__(self, field: Field, noise: Noise | None = None) -> None:
        self.field = field
        self.noise = noise or Noise()
        self._random = random.Random(self.noise.seed)  # noqa: S311  -- noise, not a secret
        self._shadowed: dict[Antenna, dict[str, bool]] = {}
        draw = random.Random(self.noise.seed ^ 0x5EED).uniform  # noqa: S311  -- rates do not shift the noise
        self._pace = {antenna: 1 + self.noise.uneven * draw(0, 1) for antenna in sorted(field.antennas)}

    def pace(self, antenna: Antenna) -> float:
        """How much longer this scan takes than the plain time of its antenna, as a factor of at least 1."""
        uneven = self.noise.uneven
        return self._pace[antenna] * (1 + uneven * 0.2 * self._random.random()) if uneven else 1.0

    def draw(self) -> float:
        """A number in [0, 1) of this evening's noise."""
        return self._random.random()

    def rssi_dbm(self, *, stray: bool) -> int:
        """Signal strength of a UHF tag; that of a close antenna is 6 dB weaker at least, which tells the two apart."""
        return self._random.randint(-72, -58) if stray else self._random.randint(-52, -42)

    def scan(self, antenna: Antenna, at_begin: tuple[str, ...]) -> Heard:
        """What a scan that ends now heard; `at_begin` is what the field gave when it began."""
        lying = self.field.on(antenna)
        present = lying if lying is at_begin else self._passing(at_begin, lying)
        heard = self._without_missed(antenna, present)
        stray = self._strays(antenna, heard) if self.noise.stray > 0 else ()
        limit = self.field.limit(antenna)
        if len(heard) + len(stray) <= limit:
            return Heard(heard, stray, complete=True)
        return Heard(self._first(antenna, heard, limit), (), complete=False)

    def _passing(self, before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
        both = set(before) & set(after)
        heads = self._random.random
        return tuple(tag for tag in dict.fromkeys(before + after) if tag in both or heads() < 0.5)

    def _without_missed(self, antenna: Antenna, tags: tuple[str, ...]) -> tuple[str, ...]:
        if self.noise.miss < QUIET_MISS:
            return tags
        if self.noise.burst > 1:
            return self._without_shadowed(antenna, tags)
        missed = self._some(tags, self.noise.miss)
        return tuple(tag for tag in tags if tag not in missed) if missed else tags

    def _without_shadowed(self, antenna: Antenna, tags: tuple[str, ...]) -> tuple[str, ...]:
        """Two states a tag, in the light and in shadow; a tag that has just come is in shadow with probability miss."""
        draw, miss = self._random.random, self.noise.miss
        stay = 1 - 1 / self.noise.burst
        enter = min(1.0, miss / (self.noise.burst * (1 - miss))) if miss < 1 else 1.0
        before = self._shadowed.get(antenna, {})
        now = {tag: draw() < (miss if (was := before.get(tag)) is None else stay if was else enter) for tag in tags}
        self._shadowed[antenna] = now
        return tuple(tag for tag, shadowed in now.items() if not shadowed)

    def _strays(self, antenna: Antenna, heard: tuple[str, ...]) -> tuple[str, ...]:
        found: list[str] = []
        for close in self.field.near(antenna):
            found += self._some(self.field.on(close), self.noise.stray)
        return tuple(tag for tag in found if tag not in heard)

    def _some(self, tags: tuple[str, ...], share: float) -> list[str]:
        """Each tag with probability `share`, alone; draws once for each tag taken, not for each tag."""
        if share >= 1:
            return list(tags)
        draw, scale = self._random.random, log(1 - share)
        taken: list[str] = []
        at = int(log(1 - draw()) / scale)
        while at < len(tags):
            taken.append(tags[at])
            at += 1 + int(log(1 - draw()) / scale)
        return taken

    def _first(self, antenna: Antenna, tags: tuple[str, ...], limit: int) -> tuple[str, ...]:
        """The tags that fit: the top ones of a heap of cards, any of a heap of chips."""
        if self.field.antennas[antenna].zone is Zone.MUCK:
            return tags[-limit:]
        return tuple(self._random.sample(tags, min(limit, len(tags))))
