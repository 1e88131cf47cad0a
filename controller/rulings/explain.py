"""The steps by which a push is judged, for people: the facts that the ladder looks at, in its order.

Nothing is decided here; the ruling itself comes from `Rules.judge`. Each step is a text key with its numbers, and the
chips that it speaks of.
"""

from controller.rulings import limits, reopening
from controller.rulings.facts import Facts, lay_out
from controller.rulings.judged_chips import Judged, chips_judged
from controller.rulings.switches import Profile
from controller.rulings.values import Push, Situation, Value


class Step(Value, frozen=True):
    key: str  # of a text in the table [step]
    numbers: dict[str, int]
    chips: tuple[int, ...] = ()


def explain(profile: Profile, situation: Situation, push: Push) -> tuple[Step, ...]:
    facts = lay_out(profile, situation, push)
    return tuple(
        step for step in (*bet_steps(facts), *word_steps(facts), *chip_steps(facts), *raise_steps(facts)) if step
    )


def bet_steps(facts: Facts) -> tuple[Step | None, ...]:
    situation = facts.situation
    bet = {"bet": situation.current_bet, "own": situation.player_bet, "behind": situation.player_stack}
    swept = {"swept": situation.prior_in_pot}
    key = "step_bet_partly_paid" if situation.player_bet else "step_bet" if situation.current_bet else "step_no_bet"
    return (
        Step(key, bet),
        Step("step_swept", swept) if situation.prior_in_pot else None,
        Step("step_in_front", {}, situation.prior_chips) if situation.prior_chips else None,
    )


def word_steps(facts: Facts) -> tuple[Step | None, ...]:
    word = facts.push.word
    if word is None:
        return (Step("step_silent", {}),)
    if word.form == "after_chips" and facts.push.motions and facts.profile.word_vs_chips == "first_wins":
        return (Step("step_word_late", {}),)
    if word.form == "before_chips_unclear" and facts.push.motions:
        return (Step("step_word_unclear", {}),)
    return (Step("step_word_first", {}),)


def chip_steps(facts: Facts) -> tuple[Step | None, ...]:
    push = facts.push
    if not push.motions and not push.pulled_back:
        return ()
    return (
        Step("step_pulled_back", {}, push.pulled_back) if push.pulled_back else None,
        Step("step_first_motion", {}, facts.new) if facts.new else None,
        Step("step_later_motions", {"later": facts.later}) if facts.later else None,
        *judged_steps(facts),
    )


def judged_steps(facts: Facts) -> tuple[Step | None, ...]:
    """Which chips are judged, what they are worth, and what is left without the smallest of them."""
    if not facts.situation.current_bet or not facts.new or facts.push.word is not None:
        return ()
    judged = chips_judged(facts)
    key = "step_together" if judged.together else "step_new_alone" if judged.fixed else "step_new"
    return (
        Step(key, {"value": judged.value, "fixed": judged.fixed}, judged.chips),
        smallest_step(facts, judged),
        Step("step_last_chips", {}) if not facts.behind else None,
    )


def smallest_step(facts: Facts, judged: Judged) -> Step | None:
    if judged.single:
        return Step("step_one_chip", {})
    if facts.profile.multichip_test == "none" or judged.value <= facts.situation.current_bet:
        return None
    smallest = min(judged.chips)
    return Step(
        "step_smallest", {"smallest": smallest, "left": judged.value - smallest, "bet": facts.situation.current_bet}
    )


def raise_steps(facts: Facts) -> tuple[Step | None, ...]:
    profile, situation = facts.profile, facts.situation
    if not reopening.may_raise(profile, situation):
        return (Step("step_no_right", {}),)
    least, most = limits.min_to(profile, situation), limits.max_to(profile, situation)
    line = Step("step_line", {"line": limits.raise_line(profile, situation)}) if situation.current_bet else None
    return (Step("step_least", {"least": least}), line, None if most is None else Step("step_most", {"most": most}))
