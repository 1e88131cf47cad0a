"""Table lines about money that is in already: what the pots are, what goes back, who receives how much."""

from typing import Any

from betline.rule.fields import Amount, SeatNumber, Strict
from betline.rule.tables.line import TableLine, setup_of
from controller.errors import CaseError
from controller.hand.pots import build_pots
from controller.hand.showdown import split
from controller.rulings.switches import Profile


class PotsSetup(Strict, frozen=True):
    contributions: dict[SeatNumber, Amount]  # all live chips of the deal by seat
    folded: tuple[SeatNumber, ...] = ()
    carried_pot: Amount = 0  # chips that are in nobody's layer
    strength: dict[SeatNumber, int] | None = None  # 1 is the best hand, equal numbers tie


def pots(line: TableLine, profile: Profile) -> dict[str, Any]:
    """Pots, lowest first, and what goes back; with strengths of hands also what each seat receives."""
    del profile  # table stakes are the same everywhere
    setup = setup_of(line, PotsSetup)
    in_hand = [seat for seat in setup.contributions if seat not in setup.folded]
    if not in_hand:
        raise CaseError("setup.folded: somebody must be left")
    built, uncalled = build_pots(setup.contributions, in_hand, setup.carried_pot)
    returned = {} if uncalled is None else {uncalled.seat: uncalled.amount}
    answer: dict[str, Any] = {
        "pots": [{"amount": pot.amount, "eligible": sorted(pot.seats)} for pot in built],
        "returned": returned,
    }
    if setup.strength is not None:
        receives = dict(returned)
        for pot in built:
            for seat, amount in _divided(pot.amount, pot.seats, setup.strength).items():
                receives[seat] = receives.get(seat, 0) + amount
        answer["receives"] = dict(sorted(receives.items()))
    return answer


def _divided(amount: int, seats: tuple[int, ...], strength: dict[int, int]) -> dict[int, int]:
    for seat in seats:
        if seat not in strength:
            raise CaseError(f"setup.strength: seat {seat} is missing: 1 is the best hand")
    best = min(strength[seat] for seat in seats)
    winners = [seat for seat in seats if strength[seat] == best]
    return {share.seat: share.amount for share in split(amount, winners, 1)}
