"""How large a wager may be under each betting structure: smallest and largest total, and what counts as full.

No limit and pot limit: TDA 2024 43, 54; Robert's Rules, no limit 2. Fixed limit: Robert's Rules, betting; Pagat.
Spread limit: a raise is at least the last bet and at most the maximum.
"""

from controller.rulings.switches import Profile
from controller.rulings.values import Reading, Situation


def unit(profile: Profile, situation: Situation) -> int:
    """What a full bet or raise adds to the current bet."""
    if situation.structure.type == "FL":
        return street_bet(situation)
    if not situation.current_bet:
        return situation.min_bet
    return situation.current_bet if profile.min_raise == "double" else situation.last_full_raise


def min_to(profile: Profile, situation: Situation) -> int:
    """The smallest total of a legal bet or raise, for a player who can afford it."""
    match situation.structure.type:
        case "FL":
            return fixed_to(situation)
        case "spread":
            return min(situation.current_bet + unit(profile, situation), spread_max_to(situation))
        case "NL" | "PL" | "HP":
            return situation.current_bet + unit(profile, situation)


def max_to(profile: Profile, situation: Situation) -> int | None:
    """The largest total of a legal bet or raise; None: no limit but his chips."""
    match situation.structure.type:
        case "NL":
            return None
        case "PL":
            return max(situation.current_bet + pot_after_call(profile, situation), min_to(profile, situation))
        case "HP":
            return max(situation.current_bet + pot_after_call(profile, situation) // 2, min_to(profile, situation))
        case "FL":
            return fixed_to(situation)
        case "spread":
            return spread_max_to(situation)


def is_full(profile: Profile, situation: Situation, total: int) -> bool:
    """Whether this total is a full bet or raise, so that players who acted may raise again (TDA 2024 47)."""
    if total >= min_to(profile, situation):
        return True
    half_counts = situation.structure.type == "FL" and profile.reopen_limit == "half"
    return half_counts and 2 * (total - situation.current_bet) >= street_bet(situation)


def reaches_raise(profile: Profile, situation: Situation, value: int) -> bool:
    """Whether silent chips, or a bare number, of this value are a raise (TDA 2024 43-A).

    Doubled integers, so that a half is never cut off: over 325, 487 is a call and 488 a raise.
    """
    over = value - situation.current_bet
    switch = profile.silent_raise_limit if situation.structure.type == "FL" else profile.silent_raise
    match switch:
        case "half":
            return 2 * over >= unit(profile, situation)
        case "full":
            return value >= min_to(profile, situation)
        case "any":
            return over > 0


def raise_line(profile: Profile, situation: Situation) -> int:
    """The smallest value that `reaches_raise`: a number for people."""
    switch = profile.silent_raise_limit if situation.structure.type == "FL" else profile.silent_raise
    match switch:
        case "half":
            return situation.current_bet + (unit(profile, situation) + 1) // 2
        case "full":
            return min_to(profile, situation)
        case "any":
            return situation.current_bet + 1


def amounts_are_fixed(situation: Situation) -> bool:
    """Limit and spread games: the limit is an amount of the game, not the pot."""
    return situation.structure.type in {"FL", "spread"}


def street_bet(situation: Situation) -> int:
    return situation.structure.street_bet or situation.min_bet


def fixed_to(situation: Situation) -> int:
    """Fixed limit: complete a short all-in or bring-in under half a bet, raise over anything else.

    5, all-in 6: complete to 10 (Pagat). Street 20, all-in 15: raise to 35 (Robert's Rules, half-bet rule). A bring-in,
    however large, is completed to the bet (Robert's Rules, seven-card stud 3).
    """
    bet = street_bet(situation)
    if situation.fl_full_level == 0 and situation.facing == "blind" and situation.current_bet < bet:
        return bet
    level = situation.current_bet if situation.fl_full_level is None else situation.fl_full_level
    over = situation.current_bet - level
    return level + bet if 0 < 2 * over < bet else situation.current_bet + bet


def counts_toward_cap(situation: Situation, reading: Reading) -> bool:
    """Fixed limit: whether this is one of the raises that the cap counts.

    The first full level is the bet, also where it completes a bring-in or a short all-in (Robert's Rules, stud 3).
    """
    return reading.reopens and situation.current_bet > 0 and reading.total_to > street_bet(situation)


def spread_max_to(situation: Situation) -> int:
    return situation.current_bet + (situation.structure.max or situation.min_bet)


def pot_after_call(profile: Profile, situation: Situation) -> int:
    """Pot limit: the pot once he has called, which is what he may raise by (TDA 2024 54).

    80 kept in 25s plays as 100 where the house rounds (Robert's Rules, pot limit 4).
    """
    pot = rounded_up(situation.pot_before_round + counted_bets(profile, situation), profile.pl_round_unit)
    return pot + situation.current_bet - situation.player_bet


def counted_bets(profile: Profile, situation: Situation) -> int:
    """The bets of this round as pot limit counts them.

    Preflop short blinds count as full (54-B): `round_bets_total` holds them so; `actual_round_bets` is what lies there.
    A house may count the small blind as a big one: 5-10 opens for up to 40 (Robert's Rules, pot limit 5).
    """
    real = situation.round_bets_total if situation.actual_round_bets is None else situation.actual_round_bets
    if profile.pl_sb_as_bb and situation.small_blind is not None:
        return max(situation.round_bets_total, real + situation.min_bet - situation.small_blind)
    return real if profile.pl_blinds == "real" else situation.round_bets_total


def rounded_up(pot: int, smallest_unit: int) -> int:
    return pot if smallest_unit == 0 else -(-pot // smallest_unit) * smallest_unit
