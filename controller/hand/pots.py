"""Pots from what everybody put in: levels, side pots, and the part of a bet that nobody called.

Each pot holds what all players put in between two levels; folded money counts to the levels it reaches. Players win
only pots of levels that they paid in full (TDA 2024 21; Russian all-in rules).
"""

from collections.abc import Collection, Mapping

from controller.engine.events import PotAmount, Share
from controller.engine.state import Hand


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


def pots_of(hand: Hand) -> tuple[tuple[PotAmount, ...], Share | None]:
    """The pots of a hand as it stands, and what nobody called."""
    contributions = {player.seat: player.committed - player.dead for player in hand.players}
    in_hand = [player.seat for player in hand.players if not player.folded]
    return build_pots(contributions, in_hand, sum([player.dead for player in hand.players]))


def _uncalled(contributions: Mapping[int, int], in_hand: Collection[int]) -> Share | None:
    seat = max(contributions, key=contributions.__getitem__, default=None)
    if seat is None or seat not in in_hand:
        return None
    second = max((one for other, one in contributions.items() if other != seat), default=0)
    excess = contributions[seat] - second
    return Share(seat, excess) if excess > 0 else None


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
