"""What a seat posts before the cards: blinds and antes out of what it has. Whole chips, never more than the stack.

A short stack plays for what it has (Russian club rules 7.8.11); what it faces and what others must pay stays the full
blind (TDA 2024 54-B; Robert's Rules, no limit 2).
"""

from typing import Literal

from controller.rulings.switches import Profile
from controller.rulings.values import Value

Order = Literal["blind_first", "ante_first"]


class Posting(Value, frozen=True):
    """What one seat puts in; `blind` counts as its bet, `ante` does not."""

    blind: int
    ante: int
    all_in: bool


def post(profile: Profile, stack: int, blind: int, ante: int = 0, order: Order | None = None) -> Posting:
    """Blind and ante out of `stack`; where it is short of both, `order` or the house says which is paid first.

    Big blind ante: blind first (TDA 2024 RP-11; BARGE), ante first (TDA 2019 RP-11; Wikipedia, Betting in poker).
    """
    if (order or profile.bba_order) == "blind_first":
        blind_posted = min(blind, stack)
        ante_posted = min(ante, stack - blind_posted)
    else:
        ante_posted = min(ante, stack)
        blind_posted = min(blind, stack - ante_posted)
    posted = blind_posted + ante_posted
    return Posting(blind=blind_posted, ante=ante_posted, all_in=posted == stack and posted > 0)
