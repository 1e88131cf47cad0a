"""What everybody faces once the forced bets are out: the price, the smallest raise, the smallest bet later on.

The price of a short big blind stays the full blind (TDA 2024 54-B; Robert's Rules, no limit 2); one club lets it be
what was posted when two play (Russian club rules 2.3.2).
"""

from typing import Literal

from controller.rulings.switches import Profile
from controller.rulings.values import Value

Kill = Literal["half", "full"]


class Faced(Value, frozen=True):
    """Goes into a `Situation` under the same names."""

    current_bet: int
    last_full_raise: int
    min_bet: int  # smallest opening bet of this round
    postflop_min: int  # and of the rounds behind it
    fl_full_level: int | None = None  # fixed limit: 0 where only a bring-in is out


def after_blinds(profile: Profile, big_blind: int, posted: int, players: int) -> Faced:
    """`posted` is what the big blind really put in."""
    short = profile.short_bb_headsup == "allin_amount" and players == 2
    return Faced(posted if short else big_blind, big_blind, big_blind, big_blind)


def after_straddle(profile: Profile, big_blind: int, straddle: int, below: int | None = None) -> Faced:
    """`below` is the bet under the straddle: the big blind, or the straddle that was doubled.

    5-10-20: a raise goes to 40 (Robert's Rules), or to 30 where only the difference must be added (WSOP live 11).
    """
    step = straddle - (big_blind if below is None else below)
    unit = straddle if profile.straddle_unit == "straddle" else step
    return Faced(straddle, unit, straddle, straddle if profile.postflop_min == "straddle" else big_blind)


def after_bring_in(bring_in: int, small_bet: int, *, fixed_limit: bool) -> Faced:
    """Stud: in fixed limit a bring-in may be completed to the bet, which is no raise (Robert's Rules, stud 3).

    In pot limit the bring-in is the bet: 150 of 8 antes of 100 may be raised to 300 (BARGE). Later rounds begin
    with the smallest bet.
    """
    if fixed_limit:
        return Faced(bring_in, small_bet, small_bet, small_bet, fl_full_level=0)
    return Faced(bring_in, bring_in, bring_in, small_bet)


def killed(amount: int, kill: Kill) -> int:
    """A blind, bet or limit of a kill pot: doubled, or half as much again (Robert's Rules, kill pots).

    A half that is no whole chip is rounded up.
    """
    return 2 * amount if kill == "full" else amount + (amount + 1) // 2
