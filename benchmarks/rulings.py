"""How long one ruling takes: every ruling of the case file under each house that it names."""

import json
import statistics
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from unittest.mock import patch

from benchmarks.rows import Row, Size, Tell, at_most
from benchmarks.timing import cpu_s, percentile
from betline.rule.stream import Judge
from controller.rulings import profiles
from controller.rulings.rules import Rules
from controller.rulings.values import Push, Ruling, Situation
from controller.texts.languages import ENGLISH

GROUP = "rulings"
CASES = Path(__file__).parent.parent / "tests" / "data" / "rule_cases.json"
CALLS = 100  # of one case in one turn: the clock's own resolution does not count then
AIM_US = 10
Case = tuple[Rules, Situation, Push]


def rows(size: Size, tell: Tell) -> Iterator[Row]:
    cases = ruling_cases()
    tell(f"{len(cases)} cases")
    taken: list[list[float]] = [[] for _ in cases]
    for _ in range(size.repetitions):
        for times, case in zip(taken, cases, strict=True):
            times.append(cpu_s(partial(_judge_often, case)) / CALLS * 1e6)
    medians = [statistics.median(times) for times in taken]
    yield Row(
        group=GROUP,
        what=f"Rules.judge, the median of {len(cases)} cases and houses",
        unit="us",
        ours=statistics.median(medians),
        aim=at_most(AIM_US),
        note=f"99 % within {percentile(medians, 0.99):.1f} us, the longest {max(medians):.1f} us",
    )


def ruling_cases() -> list[Case]:
    """Every ruling of the file with each house that it names and that we have, as `betline rule` asks for it."""
    heard: list[Case] = []
    judge = Rules.judge

    def listen(rules: Rules, situation: Situation, push: Push) -> Ruling:
        heard.append((rules, situation, push))
        return judge(rules, situation, push)

    judges = {name: Judge(name, ENGLISH) for name in profiles.names()}
    with patch.object(Rules, "judge", listen):
        for case in json.loads(CASES.read_text())["cases"]:
            for name in case["profiles"] if case["type"] == "ruling" else ():
                if name in judges:
                    judges[name].judged(json.dumps(case).encode())
    return heard


def _judge_often(case: Case) -> None:
    rules, situation, push = case
    for _ in range(CALLS):
        rules.judge(situation, push)
