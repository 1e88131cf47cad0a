"""Silent chips worth less than the bet: TDA 2024 51-B, 41 and what other houses do."""

from controller.rulings.facts import Facts
from controller.rulings.judged_chips import Judged
from controller.rulings.readings import asked, call, fold, ruled
from controller.rulings.reasons import Why
from controller.rulings.values import Ruling

WITHDRAW_BELOW_PERCENT = 80  # Robert's Rules, no limit: no relief for whoever put in 80 % of the amount


def undercall(facts: Facts, value: int, judged: Judged | None) -> Ruling:
    """`judged` is None for a bare number: a word has no chips to look at."""
    situation = facts.situation
    if value >= facts.everything:
        return ruled(facts, call(facts, "all_in_call"), "all_in_call")
    if not facts.owes:
        return ruled(facts, call(facts, "option_check"), "option_check")
    if facts.profile.undercall == "full_call":
        return full_call(facts, "undercall_full", value)
    if judged is not None and is_tiny(facts, value):
        return to_the_floor(facts, "undercall_tiny_ask", value, value)
    if situation.players_in_hand == 2:
        return full_call(facts, "undercall_full", value)
    if situation.facing != "raise":
        return full_call(facts, "undercall_opening", value)
    return undercall_of_raise(facts, value, judged)


def undercall_of_raise(facts: Facts, value: int, judged: Judged | None) -> Ruling:
    """A raise he may have missed, more than two players: the houses differ."""
    situation = facts.situation
    match facts.profile.undercall:
        case "tda51":
            return to_the_floor(facts, "undercall_raise_ask", value, forfeited(facts, value, judged))
        case "complete_or_forfeit":
            return to_the_floor(facts, "undercall_forfeit_ask", value, value)
        case "withdraw_if_unaware" if may_withdraw(facts, value):
            return to_the_floor(facts, "undercall_withdraw_ask", value, situation.player_bet)
        case "withdraw_if_unaware" | "full_call":
            return full_call(facts, "undercall_full", value)


def full_call(facts: Facts, why: Why, value: int) -> Ruling:
    return ruled(facts, call(facts, why), why, numbers={"value": value})


def to_the_floor(facts: Facts, why: Why, value: int, forfeit: int) -> Ruling:
    """Complete the call, or fold and leave `forfeit` of this round in the pot."""
    return asked(facts, why, (call(facts, why), fold(facts, why, forfeit)), {"value": value})


def is_tiny(facts: Facts, value: int) -> bool:
    """A token against a large bet: 1,000 against 50,000 (TDA 2024 41)."""
    profile = facts.profile
    return profile.tiny_chips == "ask" and value * profile.tiny_chip_ratio <= facts.situation.current_bet


def may_withdraw(facts: Facts, value: int) -> bool:
    return 100 * value < WITHDRAW_BELOW_PERCENT * facts.situation.current_bet


def forfeited(facts: Facts, value: int, judged: Judged | None) -> int:
    """What a fold leaves in the pot: the call of the bet that he believed he faced (TDA 2024 51, example 4).

    One 500 against a raise to 1,200 over a bet of 400: read as a call of 400, so 400 is lost and 100 comes back.
    """
    believed = facts.situation.opening_bet_amount
    if believed is None or judged is None or not judged.fixed < believed < value:
        return value
    overchip = value - min(judged.chips) < believed
    return believed if overchip else value
