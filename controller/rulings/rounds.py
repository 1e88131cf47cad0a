"""What an action makes of its betting round: the bet to call, the smallest raise, and the raises so far.

A full raise sets the smallest raise for those behind it to the largest bet or raise of the round (TDA 2024 43-A); an
all-in for less raises the bet to call and nothing else (TDA 2024 47).
"""

from controller.rulings.values import Reading, Value


class BettingRound(Value, frozen=True):
    current_bet: int = 0  # highest total of this round
    last_full_raise: int = 0  # largest full bet or raise of it
    opener: int | None = None  # seat of the first bet (None: nobody, or only blinds)
    opening_bet: int = 0  # total of the first bet; behind blinds of the first raise
    raises: int = 0  # bets and raises
    full_raises: int = 0  # those that were full


def after(before: BettingRound, seat: int, reading: Reading) -> BettingRound:
    """The round after an action of `seat`."""
    total = reading.total_to
    if reading.action == "fold" or total <= before.current_bet:
        return before
    raised_by = total - before.current_bet
    return BettingRound(
        current_bet=total,
        last_full_raise=max(before.last_full_raise, raised_by) if reading.reopens else before.last_full_raise,
        opener=before.opener if before.current_bet else seat,
        opening_bet=before.opening_bet if before.raises else total,
        raises=before.raises + 1,
        full_raises=before.full_raises + reading.reopens,
    )
