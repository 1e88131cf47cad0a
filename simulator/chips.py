"""Sets of chips: what a stack is made of, and how an amount is put together from the chips at hand.

The denominations of `LADDER` divide one another upwards. That makes the plain way, largest chips first, exact: where an
amount can be made of the chips there are at all, it finds the way with the fewest chips.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence

LADDER: tuple[int, ...] = (
    *(1, 5, 25, 100, 500, 1000, 5000, 25_000, 100_000, 500_000),
    *(1_000_000, 5_000_000, 25_000_000, 100_000_000, 500_000_000, 1_000_000_000),
    *(5_000_000_000, 25_000_000_000, 100_000_000_000, 500_000_000_000, 1_000_000_000_000),
)
SMALL_CHIPS = 4  # at least so many of each low denomination, where the stack affords them
TRAY_CHIPS = 50  # most chips of one stack: a tray antenna reads 60 well
Counts = dict[int, int]  # denomination -> number of chips, no zeros


def smallest_chip(amounts: Iterable[int]) -> int:
    """The largest denomination of which every amount is a multiple: the smallest chip in play."""
    fits = LADDER
    for amount in amounts:
        fits = tuple(chip for chip in fits if amount % chip == 0)
    return fits[-1]


def stack_of(stack: int, smallest: int, extra: Sequence[int] = (), most: int = TRAY_CHIPS) -> Counts:
    """A stack as a club would give it out: the fewest chips, then large ones broken until there is small change.

    `extra[i]` asks for so many more chips of the i-th denomination from below. `stack` is a multiple of `smallest`.
    """
    ladder = [chip for chip in LADDER if smallest <= chip <= stack]
    counts = compose(stack, dict.fromkeys(ladder, stack)) or {}
    for step, (chip, larger) in enumerate(itertools.pairwise(ladder)):
        wish = max(SMALL_CHIPS, larger // chip - 1) + (extra[step] if step < len(extra) else 0)
        while counts.get(chip, 0) < wish and _break_down_to(counts, ladder, step, most):
            pass
    return counts


def _break_down_to(counts: Counts, ladder: Sequence[int], step: int, most: int) -> bool:
    """Break the next larger chip, and of its parts one again, down to `ladder[step]`; False: it would not fit."""
    found = next((above for above in range(step + 1, len(ladder)) if counts.get(ladder[above])), None)
    if found is None:
        return False
    pairs = [(ladder[at - 1], ladder[at]) for at in range(found, step, -1)]
    if sum(counts.values()) + sum(larger // chip - 1 for chip, larger in pairs) > most:
        return False
    for chip, larger in pairs:
        _add(counts, larger, -1)
        _add(counts, chip, larger // chip)
    return True


def compose(amount: int, counts: Mapping[int, int]) -> Counts | None:
    """The fewest chips that make exactly this amount; None: it cannot be made of these."""
    taken, rest = _up_to(amount, counts)
    return None if rest else taken


def cover(amount: int, counts: Mapping[int, int]) -> Counts | None:
    """Chips worth at least this amount, every one of them needed; None: there are not enough."""
    taken, rest = _up_to(amount, counts)
    if not rest:
        return taken
    if worth(counts) < amount:
        return None
    odd = min(chip for chip, count in counts.items() if count > taken.get(chip, 0))
    _add(taken, odd, 1)
    needless, _ = _up_to(odd - rest, taken)
    for chip, count in needless.items():
        _add(taken, chip, -count)
    return taken


def _up_to(amount: int, counts: Mapping[int, int]) -> tuple[Counts, int]:
    """Largest chips first, never beyond `amount`, and what they leave open."""
    taken: Counts = {}
    for chip in sorted(counts, reverse=True):
        number = min(counts[chip], amount // chip)
        if number:
            taken[chip] = number
            amount -= number * chip
    return taken, amount


def _add(counts: Counts, chip: int, number: int) -> None:
    counts[chip] = counts.get(chip, 0) + number
    if not counts[chip]:
        del counts[chip]


def worth(counts: Mapping[int, int]) -> int:
    return sum(chip * count for chip, count in counts.items())


def plus(counts: Mapping[int, int], more: Mapping[int, int]) -> Counts:
    total = dict(counts)
    for chip, count in more.items():
        _add(total, chip, count)
    return total


def minus(counts: Mapping[int, int], less: Mapping[int, int]) -> Counts:
    return plus(counts, {chip: -count for chip, count in less.items()})


def largest(counts: Mapping[int, int], room: int) -> Counts:
    """The largest chips of these, at most so many."""
    taken: Counts = {}
    for chip in sorted(counts, reverse=True):
        number = min(counts[chip], room)
        if number > 0:
            taken[chip] = number
            room -= number
    return taken
