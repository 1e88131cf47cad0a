"""How long a round of ISO 15693 takes: 26.48 kbit/s, 16 slots, masks on collision; nobody silenced, nobody by address.

Means of forty simulated populations with random serials at the times of the standard: `docs/firmware.md` says what of
that is arithmetic. A radio chip on SPI adds what its transactions cost, 100 us each; a whole reader has them inside.
"""

from bisect import bisect_right

MS = 1_000_000
TAGS = (0, 1, 10, 20, 40, 60)
ON_AIR_MS = (10, 14, 82, 183, 380, 549)
BY_SPI_MS = (13, 17, 100, 211, 427, 625)


def on_air_ns(tags: int) -> int:
    """A round of so many tags, by the air alone."""
    return _between(ON_AIR_MS, tags)


def by_spi_ns(tags: int) -> int:
    """The same through a PN5180 on a microcontroller."""
    return _between(BY_SPI_MS, tags)


def _between(times_ms: tuple[int, ...], tags: int) -> int:
    """Straight lines between what was worked out, and on beyond the last."""
    at = min(max(bisect_right(TAGS, tags), 1), len(TAGS) - 1)
    begin, slope = times_ms[at - 1], (times_ms[at] - times_ms[at - 1]) / (TAGS[at] - TAGS[at - 1])
    return int((begin + slope * (tags - TAGS[at - 1])) * MS)
