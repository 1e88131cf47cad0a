"""`betline rule --explain`: a case, its steps and its ruling as lines for a person."""

from betline.rule.case import CaseLine, push_of, situation_of
from controller.rulings.explain import Step, explain
from controller.rulings.rules import Rules
from controller.rulings.values import Push, Ruling, Situation
from controller.snapshot import Language
from controller.texts.sentences import reading_label, sentence


def explained(case: CaseLine, rules: Rules, language: Language) -> str | None:
    """The lines, or None where there is nothing to explain but the answer itself."""
    if case.type not in {"ruling", "options"}:
        return None
    head = f"{case.id}  ({rules.profile.name}: {rules.profile.title})"
    situation = situation_of(case, rules.profile)
    if case.type == "options":
        lines = options_lines(rules, situation, language)
    else:
        lines = ruling_lines(rules, situation, push_of(case), language)
    return "\n".join([head, *lines, ""])


def ruling_lines(rules: Rules, situation: Situation, push: Push, language: Language) -> list[str]:
    steps = explain(rules.profile, situation, push)
    numbered = [f"  {number}. {step_line(step, language)}" for number, step in enumerate(steps, 1)]
    return numbered + verdict_lines(rules.judge(situation, push), language)


def step_line(step: Step, language: Language) -> str:
    line = sentence(step.key, step.numbers)[language]
    return f"{line} {' + '.join(map(str, step.chips))}" if step.chips else line


def verdict_lines(ruling: Ruling, language: Language) -> list[str]:
    reason = sentence(ruling.why, ruling.numbers)[language]
    word = sentence("step_other", {})[language]
    others = [f"     {word}: {reading_label(reading)[language]}  [{reading.rule}]" for reading in ruling.readings]
    if ruling.chosen is None:
        return [f"  => {reason}", *others]
    chosen = reading_label(ruling.chosen)[language]
    head = f"  => {sentence('step_ruling', {})[language]}: {chosen}  [{ruling.chosen.rule}]"
    return [head, f"     {reason}", *others]


def options_lines(rules: Rules, situation: Situation, language: Language) -> list[str]:
    options = rules.options(situation)
    lines = [sentence("step_options", {"to_call": options.to_call})[language]]
    if options.min_raise_to is None:
        lines.append(sentence("step_options_no_raise", {})[language])
    else:
        lines.append(sentence("step_options_raise", {"least": options.min_raise_to})[language])
    if options.max_raise_to is not None:
        lines.append(sentence("step_most", {"most": options.max_raise_to})[language])
    return [f"  {line}" for line in lines]
