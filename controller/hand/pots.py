"""Pots from what each seat put in: main pot and side pots, and what nobody called. Integers only.

A pot is what at least two players contest, or what one has won because the others folded. Money above the second
highest contribution was called by nobody and goes back (TDA 2024 21; Wikipedia, Betting in poker).
"""

from collections.abc import Collection, Hashable, Mapping
from typing import Generic, NamedTuple, TypeVar

Seat = TypeVar("Seat", bound=Hashable)


class Pot(NamedTuple, Generic[Seat]):
    amount: int
    seats: tuple[Seat, ...]  # who may win it, in the order given


class Uncalled(NamedTuple, Generic[Seat]):
    seat: Seat
    amount: int


def build_pots(
    contributions: Mapping[Seat, int], in_hand: Collection[Seat], dead: int = 0
) -> tuple[tuple[Pot[Seat], ...], Uncalled[Seat] | None]:
    """Pots, lowest level first, and what goes back.

    `contributions` are whole-hand totals per seat, folded seats included; `in_hand` are the seats that have not folded;
    `dead` is money that is nobody's bet (antes, dead blinds): it belongs to the lowest pot.
    """
    uncalled = uncalled_part(contributions, in_hand)
    called = dict(contributions)
    if uncalled is not None:
        called[uncalled.seat] -= uncalled.amount
    levels = sorted({called.get(seat, 0) for seat in in_hand} - {0})
    pots = []
    below = 0
    for level in levels:
        amount = sum(min(put, level) - min(put, below) for put in called.values())
        pots.append(Pot(amount, tuple(seat for seat in in_hand if called.get(seat, 0) >= level)))
        below = level
    above = sum(max(put - below, 0) for put in called.values())  # of folded seats that had put in the most
    return _with_dead(pots, in_hand, dead, above), uncalled


def uncalled_part(contributions: Mapping[Seat, int], in_hand: Collection[Seat]) -> Uncalled[Seat] | None:
    """What the highest contributor put in above everybody else, if he is still in."""
    if not contributions:
        return None
    first = max(contributions, key=lambda seat: contributions[seat])
    second = max((put for seat, put in contributions.items() if seat != first), default=0)
    amount = contributions[first] - second
    return Uncalled(first, amount) if amount > 0 and first in in_hand else None


def _with_dead(pots: list[Pot[Seat]], in_hand: Collection[Seat], dead: int, above: int) -> tuple[Pot[Seat], ...]:
    """Dead money lies in the lowest pot, the surplus of folded seats in the highest."""
    if not pots:
        everything = dead + above
        return (Pot(everything, tuple(in_hand)),) if everything else ()
    pots[-1] = pots[-1]._replace(amount=pots[-1].amount + above)
    pots[0] = pots[0]._replace(amount=pots[0].amount + dead)
    return tuple(pots)
