"""What chips pushed in silence mean: the ladder, rung by rung. Start here.

Only the first motion counts; later ones go back (TDA 2024 56). Then, from the top:

    no bet yet          last chips: an all-in bet of any size
                        less than the minimum: a bet of the minimum (52-A)
                        else a bet of the chips (one: 44, several: 40-A), cut at the limit (52-B)
    facing a bet        worth less than the bet: an undercall (51), see undercalls.py
                        worth the bet: a call
                        one chip: a call, even the last chip (44)
                        several chips, all needed for the call: a call, even the last chips (45-A)
                        no right to raise: a call (47, 48)
                        last chips with one to spare: all-in, whatever the size (45-B)
                        half of a minimum raise or more: a raise, completed to the minimum (43-A)
                        less than that: a call (43-A)

Numbers are Poker TDA Rules 2024; other houses move the rungs by the switches of `switches.py`.
"""

from controller.rulings import limits
from controller.rulings.facts import Facts
from controller.rulings.judged_chips import Judged, all_needed, chips_judged
from controller.rulings.readings import NOTHING, asked, call, decided_or_asked, readings_of, ruled, wager
from controller.rulings.reasons import Why
from controller.rulings.reopening import may_raise
from controller.rulings.undercalls import undercall
from controller.rulings.values import Reading, Ruling


def judge_silent(facts: Facts) -> Ruling:
    if not facts.new:
        return no_new_chips(facts)
    if not facts.situation.current_bet:
        return opening(facts)
    if facts.profile.prior_chips == "ask" and facts.situation.prior_chips:
        return prior_chips_asked(facts)
    return facing_bet(facts, chips_judged(facts))


def opening(facts: Facts) -> Ruling:
    """No bet yet: the first motion is the bet."""
    value = facts.first_value
    if not may_raise(facts.profile, facts.situation):
        return ruled(facts, call(facts, "open_no_right"), "open_no_right")
    most = limits.max_to(facts.profile, facts.situation)
    if most is not None and value > most:
        why: Why = "open_limit" if limits.amounts_are_fixed(facts.situation) else "open_cut"
        return ruled(facts, wager(facts, most, why), why, numbers={"value": value})
    if not facts.behind:
        return ruled(facts, wager(facts, value, "open_all_in"), "open_all_in")
    least = limits.min_to(facts.profile, facts.situation)
    if value < least:
        return ruled(facts, wager(facts, least, "open_underbet"), "open_underbet", numbers={"value": value})
    how: Why = "open_bet" if len(facts.new) == 1 else "open_bet_chips"
    return ruled(facts, wager(facts, value, how), how)


def facing_bet(facts: Facts, judged: Judged) -> Ruling:
    """The ladder against a bet or blind. Its order is the rule."""
    profile, situation = facts.profile, facts.situation
    value = judged.value
    if value < situation.current_bet:
        return undercall(facts, value, judged)
    if value == situation.current_bet:
        return called(facts, "exact_call")
    if not facts.owes and len(facts.new) == 1:
        return option_chip(facts, judged)
    if judged.single:
        return one_chip(facts, value)
    if len(judged.chips) == 1 and profile.c2_single_chip != "raise_if_half":
        return covering_chip(facts, value)
    needed = all_needed(facts, judged)
    if needed and (facts.behind or profile.last_chips_all_needed == "call"):
        return all_needed_call(facts, judged, needed)
    if not may_raise(profile, situation):
        return called(facts, "no_right_call")
    if not facts.behind:
        return last_chips(facts, value)
    return raise_or_call(facts, value, judged)


def called(facts: Facts, why: Why, others: tuple[Reading, ...] = ()) -> Ruling:
    chosen = call(facts, why)
    if chosen.action == "all_in_call":
        return ruled(facts, call(facts, "all_in_call"), "all_in_call", others=others)
    if chosen.action == "check":
        why = "open_no_right" if why == "no_right_call" else "option_check"
        return ruled(facts, call(facts, why), why, others=others)
    return ruled(facts, chosen, why, others=others)


def one_chip(facts: Facts, value: int) -> Ruling:
    """One oversized chip: a call, any value (44)."""
    last = facts.behind == 0
    if last and facts.profile.last_single_chip == "all_in" and may_raise(facts.profile, facts.situation):
        return ruled(facts, capped_wager(facts, value, "one_chip_all_in"), "one_chip_all_in")
    return called(facts, "one_chip_call")


def all_needed_call(facts: Facts, judged: Judged, why: Why) -> Ruling:
    """Partly pulled back and all needed: 45-A calls, 46-C2 read alone would raise."""
    others: tuple[Reading, ...] = ()
    if judged.together and raises(facts, judged.value) and may_raise(facts.profile, facts.situation):
        others = (raise_reading(facts, judged.value, "covering_chip_raise"),)
    return called(facts, why, others)


def last_chips(facts: Facts, value: int) -> Ruling:
    """Last chips with one to spare: all-in, half a raise or not (45-B)."""
    return ruled(facts, capped_wager(facts, value, "last_chips_all_in"), "last_chips_all_in")


def raise_or_call(facts: Facts, value: int, judged: Judged) -> Ruling:
    """Half of a minimum raise or more is a raise; less is a call (43-A)."""
    others = other_readings(facts, value, judged)
    numbers = {"value": value, "line": limits.raise_line(facts.profile, facts.situation)}
    if not limits.reaches_raise(facts.profile, facts.situation, value):
        chosen = call(facts, "under_line_call")
        why: Why = "under_line_call" if facts.owes else "option_check"
        return ruled(facts, chosen, why, others=others, numbers=numbers)
    why = raise_reason(facts, value)
    if len(judged.chips) == 1:
        why = "covering_chip_raise"
    return ruled(facts, raise_reading(facts, value, why), why, others=others, numbers=numbers)


def other_readings(facts: Facts, value: int, judged: Judged) -> tuple[Reading, ...]:
    """What another floor would say: the pushes that rule books and rooms do not agree on."""
    if len(judged.chips) == 1:
        return (call(facts, "one_chip_call"),)
    if facts.push.gathered and judged.together:
        apart = Judged(facts.situation.prior_in_pot + sum(facts.kept), facts.new, together=False)
        return readings_of(facing_bet(facts, apart))
    under = value < limits.min_to(facts.profile, facts.situation)
    if under and facts.profile.silent_raise == "any" and facts.situation.structure.type != "FL":
        return (call(facts, "under_line_call"),)  # chips plainly meant as a call (Robert's Rules, no limit)
    return ()


def option_chip(facts: Facts, judged: Judged) -> Ruling:
    """One chip on the blind's option: a raise of everything from half on (46-C2), or a check (44)."""
    profile, value = facts.profile, judged.value
    check = call(facts, "option_check")
    if not may_raise(profile, facts.situation) or not raises(facts, value):
        return ruled(facts, check, "option_check")
    raised = raise_reading(facts, value, "option_raise")
    match profile.bb_option_overchip:
        case "raise_if_half":
            return ruled(facts, raised, "option_raise", others=(check,), numbers={"value": value})
        case "check":
            return ruled(facts, call(facts, "option_chip_back"), "option_chip_back", others=(raised,))
        case "ask":
            return asked(facts, "option_ask", (raised, check))


def covering_chip(facts: Facts, value: int) -> Ruling:
    """A covering chip taken back and a bigger one put out, in houses that do not read it as a raise."""
    if not may_raise(facts.profile, facts.situation) or not raises(facts, value):
        return called(facts, "one_chip_call")
    raised = raise_reading(facts, value, "covering_chip_raise")
    if facts.profile.c2_single_chip == "call":
        return called(facts, "one_chip_call", (raised,))
    return asked(facts, "covering_chip_ask", (raised, call(facts, "one_chip_call")))


def prior_chips_asked(facts: Facts) -> Ruling:
    """Books without a rule for chips in front: judged alone and together; the floor where these differ."""
    swept = facts.situation.prior_in_pot
    apart = facing_bet(facts, Judged(swept + sum(facts.kept), facts.new, together=False))
    together = facing_bet(facts, Judged(swept, facts.kept + facts.new, together=True))
    return decided_or_asked(facts, "prior_chips_ask", apart, together)


def no_new_chips(facts: Facts) -> Ruling:
    """Prior chips taken back and nothing put out binds to call or raise (46-B); chips too small to play are asked."""
    if facts.push.pulled_back:
        return asked(facts, "pulled_back_binds", (call(facts, "pulled_back_binds"),))
    return asked(facts, "small_chips_ask", (call(facts, "small_chips_ask"),), NOTHING)


def raises(facts: Facts, value: int) -> bool:
    return limits.reaches_raise(facts.profile, facts.situation, value)


def raise_reading(facts: Facts, value: int, why: Why) -> Reading:
    """A raise to `value`, completed to the minimum and cut at the maximum."""
    return capped_wager(facts, max(value, limits.min_to(facts.profile, facts.situation)), why)


def capped_wager(facts: Facts, total: int, why: Why) -> Reading:
    most = limits.max_to(facts.profile, facts.situation)
    return wager(facts, total if most is None else min(total, most), why)


def raise_reason(facts: Facts, value: int) -> Why:
    least = limits.min_to(facts.profile, facts.situation)
    most = limits.max_to(facts.profile, facts.situation)
    if value < least:
        return "raise_short_stack" if facts.everything <= least else "raise_completed"
    if most is None or value <= most:
        return "raise_by_chips"
    return "raise_limit" if limits.amounts_are_fixed(facts.situation) else "raise_cut"
