"""Laws of the core over random play: its events are the whole truth, and nothing that people do breaks it."""

from typing import Literal

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings

from controller import commands
from controller.core import build
from controller.places import Zone
from controller.rulings.rules import Rules
from controller.rulings.values import Word
from controller.table.events import Refused
from controller.table.evolve import evolve
from controller.table.inputs import Told
from controller.table.setup import House
from tests.controller.core_table import counted, dealt
from tests.controller.random_play import SEATS, WORDS, play, steps

QUICK = settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
WORDS_OF_ALL_KINDS = (*(Word(kind, amount) for kind in WORDS for amount in (None, 300)), Word("bet", -1))


@given(st.lists(steps, min_size=5, max_size=30), st.booleans())
@QUICK
def test_replay_of_the_events_gives_the_state_and_judges_nothing_again(
    played: list[tuple[object, ...]], in_a_hand: bool
) -> None:
    table = dealt(SEATS) if in_a_hand else counted(SEATS)
    state = table.core.state
    table.log.clear()
    for step in played:
        play(table, step)
    for event in table.log:
        state = evolve(state, event)
    assert state == table.core.state


@given(st.lists(steps, min_size=5, max_size=30))
@QUICK
def test_everything_ends_where_it_lies_and_nothing_waits_for_ever(played: list[tuple[object, ...]]) -> None:
    """All readers answer, and nobody moves any more: only a doubtful chip or a question may hold something open."""
    table = dealt(SEATS)
    for step in played:
        play(table, step)
    for seat in range(1, SEATS + 1):
        table.find(seat)
    table.run(9000)
    core = table.core
    assert all(motion.doubtful for motion in core.open.values())
    for _ in range(len(core.open) + len(core.waiting) + 1):  # one agreement may answer a question
        table.tell(commands.Confirm())
        table.run(300)
    if core.state.hand is not None and core.state.hand.question is not None:
        return
    assert (core.open, core.waiting) == ({}, [])
    lying = {name: lies for name, lies in table.where.items() if name in table.values and lies.zone is not Zone.IN_HAND}
    assert lying.items() <= core.state.places.items()


def test_the_same_inputs_give_the_same_events() -> None:
    logs = []
    for _ in range(2):
        table = dealt()
        table.push(1, 500, 100)
        table.still()
        table.say(2, "fold")
        logs.append(list(table.log))
    assert logs[0] == logs[1]


@given(st.lists(steps, min_size=3, max_size=25), st.sampled_from(("always", "never", "fragile")))
@QUICK
def test_what_is_refused_is_known_beforehand_and_is_all_that_comes_of_it(
    played: list[tuple[object, ...]], confirm: Literal["always", "never", "fragile"]
) -> None:
    table = dealt(SEATS) if confirm == "never" else dealt(SEATS, house=House(confirm=confirm))
    for step in played:
        play(table, step)
    core, engine = table.core, build.engine(table.config, table.registry, Rules.named("TDA2024"))
    for seat in (None, *range(1, SEATS + 1)):
        for word in WORDS_OF_ALL_KINDS:
            for by in ("dealer", "seat"):
                told = Told(table.ns, commands.Say(seat, word), by)  # type: ignore[arg-type]
                events = engine.decide(core.state, told)
                refused = next((event for event in events if isinstance(event, Refused)), None)
                assert engine.may(core.state, told) == refused, told
                assert refused is None or events == (refused,), told
    told = Told(table.ns, commands.NextStreet(), "dealer")
    refusals = [event for event in engine.decide(core.state, told) if isinstance(event, Refused)]
    assert refusals[:1] == [one for one in (engine.may(core.state, told),) if one is not None]
