"""All-in, raise, bet and pot, with or without an amount: TDA 2024 42, 43, 44, 52, 54, 55-B.

Every total is completed to the minimum, cut at the limit of the structure, and at what he has.
"""

from controller.rulings import limits
from controller.rulings.facts import Facts
from controller.rulings.readings import call, noted, ruled, wager
from controller.rulings.reasons import Why
from controller.rulings.reopening import may_raise
from controller.rulings.values import Reading, Ruling, Word


def said_all_in(facts: Facts) -> Ruling:
    """All he has; a call where it is no more than the bet or he may not raise; cut at the limit."""
    if facts.everything <= facts.situation.current_bet:
        return ruled(facts, call(facts, "said_all_in_call"), "said_all_in_call")
    if not may_raise(facts.profile, facts.situation):
        return no_right(facts)
    return declared(facts, facts.everything, "said_all_in", said=facts.everything)


def said_amount(facts: Facts, word: Word, amount: int) -> Ruling:
    """Raise to, raise by, bet with an amount, in any number of motions (42, 43-B)."""
    if not may_raise(facts.profile, facts.situation):
        return no_right(facts)
    by = word.kind == "raise_by" or (word.kind == "raise" and facts.profile.number_after_raise == "by")
    said = facts.situation.current_bet + amount if by else amount
    least = limits.min_to(facts.profile, facts.situation)
    if said < least:
        return declared(facts, least, short_reason(facts, word, "said_amount_short"), said=said)
    return declared(facts, said, raise_reason(facts, word, "said_amount"), said=said)


def said_raise(facts: Facts, word: Word) -> Ruling:
    """Raise or bet without an amount: the chips say how much, completed to the minimum (42, 43-A, 44)."""
    if not may_raise(facts.profile, facts.situation):
        return no_right(facts)
    value = raise_value(facts)
    least = limits.min_to(facts.profile, facts.situation)
    why = raise_reason(facts, word, "said_raise") if value >= least else short_reason(facts, word, "said_raise_short")
    ruling = declared(facts, max(value, least), why, others=raise_others(facts, value), said=value)
    uncounted = facts.first_value + facts.later - value
    return noted(facts, ruling, "later_motion", uncounted) if uncounted else ruling


def raise_value(facts: Facts) -> int:
    """The value of the motions that count after "raise" (42): one; or the exact call and one more; or all."""
    motions = facts.push.motions
    first = facts.first_value
    match facts.profile.raise_motions:
        case "one":
            return first
        case "two":
            exact = first == facts.situation.current_bet and len(motions) > 1
            return first + sum(motions[1]) if exact else first
        case "any":
            return first + facts.later


def raise_others(facts: Facts, value: int) -> tuple[Reading, ...]:
    """A floor may count the second motion (legal until 2019), or leave old chips out of the total."""
    apart = raise_to(facts, value - sum(facts.kept))
    if facts.profile.raise_motions == "one":
        return raise_to(facts, value + facts.later), apart
    return (apart,)


def said_pot(facts: Facts) -> Ruling:
    """Pot limit: the most there is. No limit: no such bet, so a valid minimum (54-D)."""
    if not may_raise(facts.profile, facts.situation):
        return no_right(facts)
    most = limits.max_to(facts.profile, facts.situation)
    if most is None:
        least = limits.min_to(facts.profile, facts.situation)
        return declared(facts, least, "said_pot_no_limit", said=least)
    return declared(facts, most, "said_pot", said=most)


def no_right(facts: Facts) -> Ruling:
    why: Why = "no_right_call" if facts.owes else "open_no_right"
    return ruled(facts, call(facts, why), why)


def declared(facts: Facts, total: int, why: Why, *, said: int, others: tuple[Reading, ...] = ()) -> Ruling:
    """A declared total, cut at the limit of the structure and at what he has; `said` is what the sentence names."""
    most = limits.max_to(facts.profile, facts.situation)
    if most is not None and total > most:
        total, why = most, "said_limit" if limits.amounts_are_fixed(facts.situation) else "said_cut"
    if total >= facts.everything and why != "said_all_in":
        why = "said_takes_all"
    return ruled(facts, wager(facts, total, why), why, others=others, numbers={"value": said})


def raise_reason(facts: Facts, word: Word, why: Why) -> Why:
    """A raise said with no bet is a bet (55-B)."""
    return "said_raise_no_bet" if word.kind.startswith("raise") and not facts.situation.current_bet else why


def short_reason(facts: Facts, word: Word, why: Why) -> Why:
    """Less than the smallest bet (52-A) or raise (43-A)."""
    return why if facts.situation.current_bet else raise_reason(facts, word, "said_bet_short")


def raise_to(facts: Facts, total: int) -> Reading:
    """Another total for the same words: never under the minimum or over the limit."""
    most = limits.max_to(facts.profile, facts.situation)
    total = max(total, limits.min_to(facts.profile, facts.situation))
    return wager(facts, total if most is None else min(total, most), "said_raise")
