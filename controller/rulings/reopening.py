"""Who may raise: per player, not per wager (TDA 2024 47), and how often in limit games (TDA 2024 48).

A player is compared with his own total at his last action of this round; posting a blind is not an action. This alone
gives the cumulative results: bet 100, all-ins 125 and 200: the opener faces 100 and may raise, the 125-caller faces 75
and may not.
"""

from controller.rulings import limits
from controller.rulings.switches import Profile
from controller.rulings.values import Situation


def may_raise(profile: Profile, situation: Situation) -> bool:
    return situation.can_raise and is_open(profile, situation) and not capped(profile, situation)


def is_open(profile: Profile, situation: Situation) -> bool:
    """Whether he has not acted yet, or faces enough since he did."""
    acted = situation.bet_when_last_acted
    if acted is None:
        return True
    faced = situation.current_bet - acted
    if situation.structure.type == "FL":
        bet = limits.street_bet(situation)
        return 2 * faced >= bet if profile.reopen_limit == "half" else faced >= bet
    if profile.reopen_bigbet == "full_single" and situation.full_raise_since_acted is not None:
        return situation.full_raise_since_acted
    return faced >= situation.last_full_raise


def capped(profile: Profile, situation: Situation) -> bool:
    """Limit games: whether the round has had its bet and all its raises."""
    if situation.structure.type not in {"FL", "spread"}:
        return False  # no raise cap in big-bet games (TDA 2024 48)
    cap = profile.fl_cap if situation.structure.raise_cap is None else situation.structure.raise_cap
    return cap is not None and situation.structure.raises_made >= cap and not uncapped(profile, situation)


def uncapped(profile: Profile, situation: Situation) -> bool:
    """Whether the cap does not hold because two players are left."""
    match profile.fl_cap_headsup:
        case "event":
            return situation.event_heads_up
        case "before_cap":
            return situation.heads_up_before_cap
        case "any_time":
            return situation.players_in_hand == 2
        case "round_start":
            return situation.heads_up_at_round_start
        case "river":
            return situation.heads_up_at_round_start and situation.last_street
        case "never":
            return False
