"""Pots from what everybody put in: levels, side pots, and the part of a bet that nobody called.

Each pot holds what all players put in between two levels; folded money counts to the levels it reaches. Players win
only pots of levels that they paid in full (TDA 2024 21; Russian all-in rules).
"""

from collections.abc import Collection, Mapping

from controller.table.events import PotAmount, Share
from controller.table.state import Hand


def build_pots(
    contributions: Mapping[int, int], in_hand: Collection[int], dead: int = 0
) -> tuple[tuple[PotAmount, ...], Share | None]:
    """Pots, lowest level first, and the uncalled return.

    `contributions` is by seat for the whole hand, folded players included; `dead` is money that counts for no level and
    lies in the lowest pot. Pots which the same players contest are one. Seats of a pot keep the order of `in_hand`.
    """
    uncalled = _uncalled(contributions, in_hand)
    paid = dict(contributions)
    if uncalled is not None:
        paid[uncalled.seat] -= uncalled.amount
    pots: list[PotAmount] = []
    below = 0
    for level in sorted({paid[seat] for seat in in_hand if paid[seat]}):
        amount = sum(min(one, level) - below for one in paid.values() if one > below)
        _add(pots, amount, tuple(seat for seat in in_hand if paid[seat] >= level))
        below = level
    over = sum(one - below for one in paid.values() if one > below)  # folded above everybody who is left
    if over and pots:
        pots[-1] = PotAmount(pots[-1].amount + over, pots[-1].seats)
        over = 0
    return _with_dead(pots, dead + over, tuple(in_hand)), uncalled


def pots_of(hand: Hand) -> tuple[PotAmount, ...]:
    """The pots of a hand as it stands."""
    pots, _ = build_pots(_paid_in(hand), _alive(hand), sum([player.dead for player in hand.players]))
    return pots


def uncalled_of(hand: Hand) -> Share | None:
    """What nobody called."""
    return _uncalled(_paid_in(hand), _alive(hand))


def _paid_in(hand: Hand) -> dict[int, int]:
    return {player.seat: player.committed - player.dead for player in hand.players}


def _alive(hand: Hand) -> list[int]:
    return [player.seat for player in hand.players if not player.folded]


def _uncalled(contributions: Mapping[int, int], in_hand: Collection[int]) -> Share | None:
    *_, second, most = 0, 0, *sorted(contributions.values())
    seat = next((seat for seat in in_hand if contributions[seat] == most), None)
    return Share(seat, most - second) if seat is not None and most > second else None


def _add(pots: list[PotAmount], amount: int, seats: tuple[int, ...]) -> None:
    if pots and pots[-1].seats == seats:
        pots[-1] = PotAmount(pots[-1].amount + amount, seats)
    else:
        pots.append(PotAmount(amount, seats))


def _with_dead(pots: list[PotAmount], dead: int, seats: tuple[int, ...]) -> tuple[PotAmount, ...]:
    if not dead:
        return tuple(pots)
    if not pots:
        return (PotAmount(dead, seats),)
    return (PotAmount(pots[0].amount + dead, pots[0].seats), *pots[1:])
