"""Which chips are judged: TDA 2024 45-A (all needed) and 46-C (chips already in front).

In one sentence: old chips count in the value but not in the smallest-chip test, unless he touched some of them or they
already cover the call.

    P = prior chips, R = those taken back, K = P less R, N = new chips
    P less than the bet, R empty      fixed = P, judged N          left alone (46-C1)
    P less than the bet, R all of P   fixed = 0, judged N          all taken back (46-C1)
    some of P taken back              fixed = 0, judged K and N    never a single chip (46-C2)
    P covers the bet                  fixed = 0, judged K and N    never a single chip (46-C2)
    gathered and pushed together      fixed = 0, judged K and N    never a single chip (situation 5)

A bet of this round that was already swept is fixed as well.
"""

from typing import Literal

import msgspec

from controller.rulings.facts import Facts
from controller.rulings.reasons import Why


class Judged(msgspec.Struct, frozen=True):
    fixed: int  # value that counts, but is not looked at chip by chip
    chips: tuple[int, ...]
    together: bool  # old and new chips judged together: no single-chip rule (TDA 2024 46-C2)

    @property
    def value(self) -> int:
        return self.fixed + sum(self.chips)

    @property
    def single(self) -> bool:
        return len(self.chips) == 1 and not self.together


def chips_judged(facts: Facts) -> Judged:
    profile, situation, back = facts.profile, facts.situation, facts.push.pulled_back
    prior = situation.prior_chips
    if not prior:
        return Judged(situation.prior_in_pot, facts.new, together=False)
    combined = Judged(situation.prior_in_pot, facts.kept + facts.new, together=True)
    if profile.prior_chips == "combined":
        return combined
    gathered = facts.push.gathered and profile.combine_gesture == "tda46_sit5"
    partly = bool(back) and len(back) < len(prior)
    covers = situation.prior_in_pot + sum(prior) >= situation.current_bet
    if gathered or partly or covers:
        return combined
    return Judged(situation.prior_in_pot + sum(facts.kept), facts.new, together=False)


def all_needed(facts: Facts, judged: Judged) -> Why | None:
    """The reason why several chips are only a call, or None: taking one of them away leaves less than the bet."""
    if len(judged.chips) < 2:
        return None
    equal = judged.chips.count(judged.chips[0]) == len(judged.chips)
    needed = judged.value - min(judged.chips) < facts.situation.current_bet
    test: Literal["smallest_needed", "same_denom_needed", "same_denom_call", "none"] = facts.profile.multichip_test
    match test:
        case "smallest_needed":
            return "chips_needed_call" if needed else None
        case "same_denom_needed":
            return "equal_chips_needed_call" if equal and needed else None
        case "same_denom_call":
            return "equal_chips_call" if equal and facts.owes else None
        case "none":
            return None
