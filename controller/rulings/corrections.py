"""Putting a wrong amount right after others have acted: TDA 2024 52, and what it costs those behind (51-C, 52).

A correction changes the amount that later callers owe; no call turns into a raise by it.
"""

from controller.rulings.switches import Profile

CALLS = frozenset({"call", "all_in_call"})
WAGERS = frozenset({"bet", "raise", "all_in_bet", "all_in_raise"})


def only_amount(was: str, becomes: str) -> bool:
    """Whether an action that others have acted behind may become another: no call becomes a raise (51-C, 52)."""
    return was in WAGERS | CALLS if becomes in CALLS else was in WAGERS and becomes in WAGERS


def may_correct(profile: Profile, *, next_card: bool, round_over: bool) -> bool:
    """Whether a short or illegal wager may still be put right.

    Until the next card, on the river until the showdown (TDA 2024 52-A), or until the round is over (Robert's Rules).
    """
    return not next_card if profile.underbet_window == "street" else not (next_card or round_over)


def called_total(bet: int, everything: int) -> int:
    """The total of a player who had called, once the bet that he called is put right; never more than he has.

    His call follows the bet both ways: what he paid too much comes back, what is missing is owed.
    """
    return min(bet, everything)


def pot_wager(said: int, right: int, *, next_card: bool, substantial: bool) -> int:
    """The size of a pot-limit wager made on a wrong count of the pot (TDA 2024 52-B).

    Too high is corrected for everybody until the next card; too low only until substantial action has followed.

    Not played: the engine counts the pot itself and takes the word "pot" for that count, so no wager that it rules on
    rests on a wrong one. For whoever lets a dealer's count be said.
    """
    if said > right:
        return said if next_card else right
    return said if substantial else right
