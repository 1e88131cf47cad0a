"""What a seat posts before the cards: blinds, antes, straddles, posts of players who come back. Whole chips.

A short stack plays for what it has (Russian club rules 7.8.11); what it faces and what others must pay stays the full
blind (TDA 2024 54-B; Robert's Rules, no limit 2). What everybody faces then is in `forced_bets.py`.
"""

from typing import Literal

from controller.rulings.switches import Profile
from controller.rulings.values import AnteBy, Value

PostingOrder = Literal["blind_first", "ante_first"]
Position = Literal["button", "small_blind", "big_blind", "other"]


class Posting(Value, frozen=True):
    """What one seat puts in; `blind` counts as its bet, `ante` does not."""

    blind: int
    ante: int
    all_in: bool


class Entry(Value, frozen=True):
    """What a player owes who comes back or is new: `live` is his bet, `dead` goes into the pot."""

    live: int
    dead: int


def post(profile: Profile, stack: int, blind: int, ante: int = 0, order: PostingOrder | None = None) -> Posting:
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


def ante_due(profile: Profile, by: AnteBy, position: Position, ante: int, *, small_blind: int, players: int) -> int:
    """The ante that a seat owes; `players` are those dealt in.

    A big blind ante may shrink to the small blind when few are left (BARGE; TDA 2024 RP-11 advises against it).
    """
    match by:
        case "none":
            return 0
        case "each":
            return ante
        case "big_blind":
            reduced = players <= profile.bba_reduce_at
            return (min(ante, small_blind) if reduced else ante) if position == "big_blind" else 0
        case "button":
            return ante if position == "button" else 0


def entry(missed_small: bool, missed_big: bool, small_blind: int, big_blind: int, *, new: bool = False) -> Entry:
    """Posts between the big blind and the button.

    New players post a live big blind (Russian club rules 2.11.4). Missed blinds: the big one live, the small one dead
    (Robert's Rules, button and blinds); a missed small blind alone is dead.
    """
    if new:
        return Entry(live=big_blind, dead=0)
    return Entry(live=big_blind if missed_big else 0, dead=small_blind if missed_small else 0)


def may_straddle(profile: Profile, left_of_button: int, players: int, straddles: int = 0) -> bool:
    """Whether this seat may straddle, `straddles` being there already.

    `left_of_button` counts seats dealt in: 0 the button, 1 the small blind, 2 the big blind. Never heads-up, never a
    blind, and a second time only where the house allows it.
    """
    if profile.straddle == "off" or players < 3 or left_of_button in {1, 2}:
        return False
    if straddles and not profile.restraddle:
        return False
    if profile.straddle == "under_the_gun":
        return left_of_button == (3 + straddles) % players
    return True


def straddle_amount(big_blind: int, straddles: int = 0) -> int:
    """Twice the big blind, no more and no less (Russian club rules 2.12.3); each further one doubles the last."""
    return big_blind << (straddles + 1)


def straddle_counts(profile: Profile, others_acted: bool) -> bool:
    """Whether a straddle is a bet: a sleeper's is taken back where somebody acted before it came to count."""
    return profile.straddle != "sleeper" or not others_acted
