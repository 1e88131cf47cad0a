"""Where readers should look first.

Spot and tray of seats where something is open or half seen, and behind them the other antennas between which something
is half decided: muck and hole at a fold, pot and spots at a sweep. One radio may serve them all: an end that is not
named waits for its share of the scans that a focus leaves, which takes half a minute.
"""

from collections.abc import Collection, Iterable

from controller.places import Zone
from controller.tracking.evidence import ABSENT_RUN, SPOT_RUN, WHOLE, Field, Test


def wanted(fields: Collection[Field], spots: Iterable[Field], open_seats: Iterable[int]) -> tuple[tuple[str, int], ...]:
    """Antennas to scan first (reader, antenna); (): all alike. `open_seats`: with a motion that is not settled."""
    tests = [test for field in fields if field.tests for test in field.tests.values() if _is_moving(test)]
    hot = {id(end) for test in tests for end in (test.target, test.track.home)}
    seats = set(open_seats)
    seats.update(f.place.seat or 0 for f in spots if id(f) in hot or (f.missing and _unaccounted(f)))
    if not (seats or hot):
        return ()
    fronts = [f for f in spots if f.place.seat in seats]
    first = [*fronts, *(f for f in fields if f.place.zone is Zone.TRAY and f.place.seat in seats), *fronts]
    named = {id(field) for field in first}
    rest = [f for f in fields if id(f) in hot and id(f) not in named]
    return tuple((field.antenna.reader, field.antenna.number) for field in (*first, *rest))


def _is_moving(test: Test) -> bool:
    """Whether a half decided item is worth scanning for: more than a stray reading and one miss."""
    home, score = test.track.home, test.score
    if not score or score >= 2 * WHOLE or home is None:
        return score >= 2 * WHOLE
    miss = home.missing.get(test.track.tag)
    return miss is not None and miss.run >= 2


def _unaccounted(field: Field) -> bool:
    """Whether a chip vanished from there, and not so long ago that it is nothing to look for."""
    return any(ABSENT_RUN <= miss.run < SPOT_RUN for miss in field.missing.values())
