"""What a spoken word means, alone or with chips: TDA 2024 40 to 43, 51, 54, 55, 57.

A word before or with the chips rules, and the chips only pay for it. A word behind them is too late (40-A). A word that
is unclear, or contradicts the chips, is for the floor.
"""

from msgspec.structs import replace

from controller.rulings import limits
from controller.rulings.facts import Facts
from controller.rulings.numbers import judge_number, judge_two_readings
from controller.rulings.readings import asked, call, decided_or_asked, fold, ruled, wager
from controller.rulings.reasons import Why
from controller.rulings.reopening import may_raise
from controller.rulings.silent import judge_silent
from controller.rulings.undercalls import may_withdraw
from controller.rulings.values import Reading, Ruling, Word


def judge(facts: Facts) -> Ruling:
    """Word or chips: which came first decides (40-A)."""
    word = facts.push.word
    if word is None:
        return silent_with_notes(facts)
    if not facts.push.motions or word.form in {"before_chips", "simultaneous"}:
        return judge_word(facts, word)
    if word.form == "before_chips_unclear":
        return decided_or_asked(facts, "word_unclear_ask", judge_word(facts, word), judge_silent(facts))
    return silent_with_notes(facts) if facts.profile.word_vs_chips == "first_wins" else judge_word(facts, word)


def silent_with_notes(facts: Facts) -> Ruling:
    """The chips alone, and a note of what did not count: a later motion (56), a word behind the chips (40-A)."""
    ruling = judge_silent(facts)
    if facts.later:
        ruling = noted(facts, ruling, "later_motion", facts.later)
    if facts.push.word is not None:
        ruling = noted(facts, ruling, "late_word", 1)
    return ruling


def noted(facts: Facts, ruling: Ruling, note: Why, number: int) -> Ruling:
    chosen = ruling.chosen
    if chosen is not None:
        chosen = replace(chosen, rule=f"{chosen.rule}; {facts.profile.citations.get(note, note)}")
    return replace(ruling, chosen=chosen, numbers={**ruling.numbers, note: number})


def judge_word(facts: Facts, word: Word) -> Ruling:
    match word.kind:
        case "check":
            return said_check(facts)
        case "tap":
            return said_tap(facts)
        case "call":
            return said_call(facts)
        case "fold":
            return ruled(facts, fold(facts, "said_fold"), "said_fold")
        case "all_in":
            return said_all_in(facts)
        case "pot":
            return said_pot(facts)
        case "raise" | "bet" | "raise_to" | "raise_by":
            return said_raise(facts) if word.amount is None else said_amount(facts, word, word.amount)
        case "number":
            return judge_silent(facts) if word.amount is None else judge_number(facts, word.amount)
        case "ambiguous_number":
            return judge_two_readings(facts, word)


def said_check(facts: Facts) -> Ruling:
    """Nothing to call: a check, chips back. Owing: only a call or a fold is left (55)."""
    if not facts.owes:
        return ruled(facts, call(facts, "said_check"), "said_check")
    if facts.push.motions:
        return ruled(facts, call(facts, "said_check_owing"), "said_check_owing")
    return check_asked(facts)


def said_tap(facts: Facts) -> Ruling:
    """A tap is a check (3); some houses call with it where the chips in front already cover the bet."""
    covered = facts.forward >= facts.situation.current_bet
    if facts.owes and covered and not facts.push.motions and facts.profile.tap_facing_bet == "call_if_covered":
        return ruled(facts, call(facts, "tap_call"), "tap_call")
    return said_check(facts)


def check_asked(facts: Facts) -> Ruling:
    why: Why = "said_check_ask"
    return asked(facts, why, (call(facts, why), fold(facts, why, facts.situation.player_bet)))


def said_call(facts: Facts) -> Ruling:
    """The full bet, or all he has (51-A); a check where nothing is to call (55-A)."""
    if not facts.owes:
        return ruled(facts, call(facts, "said_call_is_check"), "said_call_is_check")
    if mistaken(facts):
        why: Why = "said_call_mistaken_ask"
        return asked(facts, why, (call(facts, why), fold(facts, why, facts.situation.player_bet)))
    chosen = call(facts, "said_call")
    if chosen.all_in:
        return ruled(facts, call(facts, "said_call_all_in"), "said_call_all_in")
    return ruled(facts, chosen, "said_call")


def mistaken(facts: Facts) -> bool:
    """Robert's Rules, no limit: "call" with the chips of a smaller bet is a gross misunderstanding he may take back."""
    return (
        facts.profile.undercall == "withdraw_if_unaware"
        and facts.situation.facing == "raise"
        and bool(facts.push.motions)
        and bool(facts.behind)
        and may_withdraw(facts, facts.forward)
    )


def said_all_in(facts: Facts) -> Ruling:
    """All he has; a call where it is no more than the bet or he may not raise; cut at the limit."""
    if facts.everything <= facts.situation.current_bet:
        return ruled(facts, call(facts, "said_all_in_call"), "said_all_in_call")
    if not may_raise(facts.profile, facts.situation):
        return ruled(facts, call(facts, "no_right_call"), "no_right_call")
    return declared(facts, facts.everything, "said_all_in", "said_amount_cut")


def said_amount(facts: Facts, word: Word, amount: int) -> Ruling:
    """Raise to, raise by, bet with an amount, in any number of motions (42, 43-B)."""
    by = word.kind == "raise_by" or (word.kind == "raise" and facts.profile.number_after_raise == "by")
    total = facts.situation.current_bet + amount if by else amount
    if not may_raise(facts.profile, facts.situation):
        return no_right(facts)
    least = limits.min_to(facts.profile, facts.situation)
    if total < least:
        why: Why = "said_amount_all_in" if facts.everything < least else "said_amount_short"
        return declared(facts, least, why, "said_amount_cut", said=total)
    why = "said_amount_all_in" if total >= facts.everything else "said_amount"
    return declared(facts, total, why, "said_amount_cut", said=total)


def said_raise(facts: Facts) -> Ruling:
    """Raise or bet without an amount: the chips say how much, completed to the minimum (42, 43-A, 44)."""
    if not may_raise(facts.profile, facts.situation):
        return no_right(facts)
    value = raise_value(facts)
    least = limits.min_to(facts.profile, facts.situation)
    others = raise_others(facts, value)
    if value < least:
        why: Why = "said_raise_all_in" if facts.everything < least else "said_raise_short"
        return declared(facts, least, why, "said_raise_cut", others=others, said=value)
    return declared(facts, value, "said_raise", "said_raise_cut", others=others, said=value)


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
    others = []
    if facts.profile.raise_motions == "one" and facts.later:
        others.append(raise_to(facts, facts.first_value + facts.later, "said_raise"))
    if facts.kept and facts.new:
        others.append(raise_to(facts, value - sum(facts.kept), "said_raise"))
    return tuple(others)


def said_pot(facts: Facts) -> Ruling:
    """Pot limit: the most there is. No limit: no such bet, so a valid minimum (54-D)."""
    if not may_raise(facts.profile, facts.situation):
        return no_right(facts)
    most = limits.max_to(facts.profile, facts.situation)
    if most is None:
        least = limits.min_to(facts.profile, facts.situation)
        return declared(facts, max(least, 0), "said_pot_no_limit", "said_pot_no_limit")
    return declared(facts, most, "said_pot", "said_pot")


def no_right(facts: Facts) -> Ruling:
    why: Why = "no_right_call" if facts.owes else "open_no_right"
    return ruled(facts, call(facts, why), why)


def declared(
    facts: Facts, total: int, why: Why, why_cut: Why, *, others: tuple[Reading, ...] = (), said: int | None = None
) -> Ruling:
    """A declared total, cut at the limit of the structure and at what he has."""
    most = limits.max_to(facts.profile, facts.situation)
    numbers = {"value": total if said is None else said}
    if others and facts.later:
        numbers["later_motion"] = facts.later
    if most is not None and total > most:
        return ruled(facts, wager(facts, most, why_cut), why_cut, others=others, numbers=numbers)
    return ruled(facts, wager(facts, total, why), why, others=others, numbers=numbers)


def raise_to(facts: Facts, total: int, why: Why) -> Reading:
    most = limits.max_to(facts.profile, facts.situation)
    total = max(total, limits.min_to(facts.profile, facts.situation))
    return wager(facts, total if most is None else min(total, most), why)
