"""Who must kill the next pot, where two pots in a row bring a kill (Robert's Rules, kill pots).

Who wins a pot has one leg up: he keeps the kill button until the next pot is won. Who has it and wins again must kill
the next pot, if others put in a full bet besides what they posted. A split leaves the button with him who had it, if he
is among the winners, and makes it neutral if not; a killer who splits his pot kills again.
"""

from collections.abc import Collection

from controller.rulings.values import Value


class Legs(Value, frozen=True):
    """Towards the next hand."""

    leg: int | None  # who has one leg up; None: nobody
    killer: int | None  # who must kill; None: nobody


def after_pot(leg: int | None, killer: int | None, winners: Collection[int], *, full_bet: bool) -> Legs:
    """`leg` and `killer` are those of the hand that was won; `full_bet`: others put one in, and no blind counts."""
    if len(winners) == 1:
        (winner,) = winners
        return Legs(winner, winner if full_bet and winner == leg else None)
    return Legs(leg if leg in winners else None, killer if killer in winners else None)
