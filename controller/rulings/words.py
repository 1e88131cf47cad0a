"""What a spoken word means, alone or with chips: TDA 2024 40 to 43, 51, 54, 55, 57.

A word before or with the chips rules, and the chips only pay for it. A word behind them is too late (40-A). A word that
is unclear, or contradicts the chips, is for the floor.
"""

from controller.rulings.facts import Facts
from controller.rulings.numbers import judge_number, judge_two_readings
from controller.rulings.raise_words import said_all_in, said_amount, said_pot, said_raise
from controller.rulings.readings import asked, call, decided_or_asked, fold, noted, ruled
from controller.rulings.reasons import Why
from controller.rulings.silent import judge_silent
from controller.rulings.undercalls import may_withdraw
from controller.rulings.values import Ruling, Word

WAGERS = frozenset({"raise", "bet", "raise_to", "raise_by", "all_in", "pot", "number", "ambiguous_number"})


def judge(facts: Facts) -> Ruling:
    """Word or chips: which came first decides (40-A)."""
    word = facts.push.word
    if word is None:
        return silent_with_notes(facts)
    if not facts.push.motions or word.form in {"before_chips", "simultaneous"}:
        return judge_word(facts, word)
    if word.form == "before_chips_unclear":
        return decided_or_asked(facts, "word_unclear_ask", judge_word(facts, word), judge_silent(facts))
    if facts.profile.word_vs_chips == "word_wins" and corrects(facts, word):
        return judge_word(facts, word)
    return silent_with_notes(facts)


def corrects(facts: Facts, word: Word) -> bool:
    """Robert's Rules, no limit: an amount is corrected to the word; a call is not made a raise by a word behind it."""
    chosen = judge_silent(facts).chosen
    return chosen is None or chosen.action not in {"check", "call", "all_in_call"} or word.kind not in WAGERS


def silent_with_notes(facts: Facts) -> Ruling:
    """The chips alone, and a note of what did not count: a later motion (56), a word behind the chips (40-A)."""
    ruling = judge_silent(facts)
    if facts.later:
        ruling = noted(facts, ruling, "later_motion", facts.later)
    if facts.push.word is not None:
        ruling = noted(facts, ruling, "late_word", 1)
    return ruling


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
            return said_raise(facts, word) if word.amount is None else said_amount(facts, word, word.amount)
        case "number":
            return judge_silent(facts) if word.amount is None else judge_number(facts, word.amount)
        case "ambiguous_number":
            return judge_two_readings(facts, word)
        case "draw" | "pat":
            return judge_silent(facts)  # says nothing of chips


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
