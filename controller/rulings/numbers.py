"""A bare number is chips of that value, none of which can be taken away (TDA 2024 40-C); a number of two readings (57).

"Seven hundred" facing 600 is judged by the half line alone; "one thousand" raises where two silent 500s are a call.
"""

from controller.rulings import limits
from controller.rulings.facts import Facts
from controller.rulings.raise_words import declared, no_right
from controller.rulings.readings import asked, call, readings_of, ruled, wager
from controller.rulings.reasons import Why
from controller.rulings.reopening import may_raise
from controller.rulings.undercalls import undercall
from controller.rulings.values import Ruling, Word

SCALES = (1, 100, 1_000, 1_000_000)  # "five": five, five hundred, five thousand, five million


def judge_number(facts: Facts, value: int) -> Ruling:
    profile, situation = facts.profile, facts.situation
    if value < situation.current_bet:
        return undercall(facts, value, None)
    if value == situation.current_bet:
        return number_call(facts, "said_number_call", value)
    if not may_raise(profile, situation):
        return no_right(facts)
    if situation.current_bet and value < facts.everything and not limits.reaches_raise(profile, situation, value):
        return number_call(facts, "said_number_under_line", value)
    return number_wager(facts, value)


def number_call(facts: Facts, why: Why, value: int) -> Ruling:
    numbers = {"value": value, "line": limits.raise_line(facts.profile, facts.situation)}
    return ruled(facts, call(facts, why), why, numbers=numbers)


def number_wager(facts: Facts, value: int) -> Ruling:
    """A bet or raise of the number, completed, cut, or all he has."""
    least = limits.min_to(facts.profile, facts.situation)
    short: Why = "said_number_short" if facts.situation.current_bet else "said_bet_short"
    return declared(facts, max(value, least), "said_number" if value >= least else short, said=value)


def judge_two_readings(facts: Facts, word: Word) -> Ruling:
    """The highest reading that is not above the pot, all bets included (57); facing a bet the floor decides."""
    meanings = possible_amounts(facts, word)
    if facts.situation.current_bet:
        rulings = [judge_number(facts, amount) for amount in meanings]
        return asked(facts, "said_two_readings_ask", tuple(r for ruling in rulings for r in readings_of(ruling)))
    if not may_raise(facts.profile, facts.situation):
        return ruled(facts, call(facts, "open_no_right"), "open_no_right")
    pot = facts.situation.pot_before_round + facts.situation.round_bets_total
    amount = max((amount for amount in meanings if amount <= pot), default=min(meanings))
    ruling = number_wager(facts, amount)
    others = tuple(number_reading for other in meanings for number_reading in readings_of(number_wager(facts, other)))
    assert ruling.chosen is not None
    why: Why = "said_two_readings"
    chosen = wager(facts, ruling.chosen.total_to, why)
    return ruled(facts, chosen, why, others=others, numbers={"value": amount, "pot": pot})


def possible_amounts(facts: Facts, word: Word) -> tuple[int, ...]:
    """The readings that the dealer named, or the scales on which the number is at least a minimum bet."""
    if word.readings:
        return word.readings
    said = word.amount or 0
    least = facts.situation.current_bet or limits.min_to(facts.profile, facts.situation)
    return tuple(said * scale for scale in SCALES if said * scale >= least) or (least,)
