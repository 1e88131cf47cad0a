"""What people may choose, and what they can only agree to. Pure."""

from controller.places import Moved, Zone
from controller.rulings.values import Reading
from controller.table.events import Asked, Ruled, Supposed


def must_choose(asked: Asked) -> bool:
    """Whether nothing is shown that one could agree to: several readings, or several places of a chip."""
    return asked.why == "worlds" or (asked.ruling.chosen is None and len(asked.ruling.readings) > 1)


def instead_of(ruled: Ruled) -> tuple[Reading, ...]:
    """What `overrule` may choose by its number: the readings of the ruling, then those of its doubts.

    Not of a doubt about another seat's chips: that seat would have acted before, and the round is another.
    """
    return (*ruled.ruling.readings, *(doubt.reading for doubt in _doubts(ruled) if doubt.reading is not None))


def doubt_named(ruled: Ruled, number: int | None) -> Supposed | None:
    """The doubt whose reading that is, by the number that `overrule` takes; None: it is none of a doubt."""
    at = 0 if number is None else number - len(ruled.ruling.readings)
    doubts = _doubts(ruled)
    return doubts[at - 1] if 0 < at <= len(doubts) else None


def _doubts(ruled: Ruled) -> tuple[Supposed, ...]:
    """Of each reading that the ruling has not, the likeliest doubt."""
    named = {_named(reading) for reading in ruled.ruling.readings}
    found: list[Supposed] = []
    for doubt in ruled.doubts:
        if doubt.reading is not None and _named(doubt.reading) not in named and _is_of(ruled.seat, doubt):
            named.add(_named(doubt.reading))
            found.append(doubt)
    return tuple(found)


def _named(reading: Reading) -> tuple[str, int]:
    return reading.action, reading.total_to


def _is_of(seat: int, doubt: Supposed) -> bool:
    return all(_spot(move) == seat for move in doubt.moves)


def _spot(move: Moved) -> int | None:
    """Whose chip is in question: where it would lie, or where it was taken back."""
    return move.origin.seat if move.target.zone is Zone.IN_HAND else move.target.seat
