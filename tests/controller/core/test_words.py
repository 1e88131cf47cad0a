"""Words, buttons and keys at the core: what counts as said in time, and what a refusal leaves alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import commands
from controller.engine.order import BUTTON_GRACE_NS
from controller.rulings.values import Word, WordKind
from controller.table.events import Asked, Refused, Ruled
from controller.table.evolve import evolve
from controller.table.setup import House
from tests.controller.core_table import HANDS, MS, SPOTS_ONLY, CoreTable, counted, dealt, tray


def pushed(table: CoreTable, *values: int) -> int:
    """Seat 1 pushes; when its first chip was seen. The push is open, and not final."""
    table.push(1, *values)
    table.run(500)
    (motion,) = table.core.open.values()
    return motion.first_ns


def button(table: CoreTable, kind: WordKind, amount: int | None, at_ns: int, seat: int = 1) -> None:
    table._keep(table.core.command(commands.Say(seat, Word(kind, amount)), "seat", at_ns))


# ---------------------------------------------------------------- buttons of seats
def test_a_button_pressed_while_the_chips_slide_counts_as_said_with_them() -> None:
    table = dealt()
    first = pushed(table, 1000)
    button(table, "raise", None, first + BUTTON_GRACE_NS)
    table.still()
    assert table.rulings() == [(1, "raise", 1000)]


@pytest.mark.parametrize(
    ("kind", "amount"), [("raise", None), ("raise_to", 700), ("all_in", None), ("fold", None), ("check", None)]
)
def test_a_button_pressed_later_says_nothing_that_the_chips_have_not_said(kind: WordKind, amount: int | None) -> None:
    """TDA 2024 40-A: chips first, then words: the chips count. A single chip is a call (44)."""
    table = dealt()
    first = pushed(table, 1000)
    button(table, kind, amount, first + BUTTON_GRACE_NS + MS)
    table.still()
    assert table.rulings() == [(1, "call", 100)]
    (ruled,) = [event for event in table.log if isinstance(event, Ruled)]
    assert ruled.word == Word(kind, amount, "after_chips")


def test_a_late_button_is_late_for_chips_that_wait_behind_another_push_too() -> None:
    table = dealt()
    table.push(2, 1000)
    table.run(2000)
    assert table.core.open == {}
    assert table.rulings() == []
    table.push(1, 25, 25)
    table.run(600)
    button(table, "raise", None, table.ns, seat=2)
    table.push(1, 50)
    table.still()
    assert table.rulings()[1] == (2, "call", 100)


def test_a_dealers_word_before_the_push_is_final_counts_as_said_before() -> None:
    table = dealt()
    pushed(table, 1000)
    table.run(800)
    table.say(1, "raise")
    table.still()
    assert table.rulings() == [(1, "raise", 1000)]


def test_a_dealers_call_before_the_push_is_final_makes_the_rest_change() -> None:
    table = dealt()
    pushed(table, 1000)
    table.say(1, "call")
    assert table.rulings() == [(1, "call", 100)]
    table.still()
    assert table.rulings() == [(1, "call", 100)]
    assert not table.alarms()


def test_a_button_long_before_the_chips_is_in_time() -> None:
    table = dealt()
    table.say(1, "raise", by="seat")
    table.run(5000)
    table.push(1, 1000)
    table.still()
    assert table.rulings() == [(1, "raise", 1000)]


def test_change_taken_back_makes_no_button_late() -> None:
    table = counted()
    table.tell(commands.NextHand())
    table.push(2, 25, 25, 25)
    table.push(3, 100)
    table.still()
    for seat in (1, 2, 3):
        table.deal(seat, *HANDS[seat])
    table.until(lambda: table.hand.phase == "betting")
    table.say(1, "call")
    table.log.clear()
    table.take_back(2, 25)
    table.run(1200)
    assert table.core.open
    table.say(2, "raise", by="seat")
    table.push(2, 500)
    table.still()
    assert table.rulings() == [(2, "raise", 550)]


# ---------------------------------------------------------------- refused
ABSURD: list[commands.Command] = [
    commands.Say(99, Word("call")),
    commands.Say(-1, Word("fold")),
    commands.Say(2, Word("raise_to", -5)),
    commands.Say(2, Word("raise_to", 10**15)),
    commands.Say(3, Word("call")),
    commands.NextHand(),
    commands.NextStreet(),
    commands.Redo(),
    commands.Overrule(reading=99),
    commands.Answer(reading=1),
    commands.Answer(question=77, total_to=10**15),
    commands.Show(None),
    commands.Show(99),
    commands.Award(-1, ()),
    commands.Award(0, (99,)),
    commands.SeatIn(0),
    commands.SeatOut(99),
    commands.SetStack(1, -1),
    commands.SetStack(1, 10**15),
    commands.SetButton(0),
    commands.SetBlinds(100, 50),
    commands.NotAChip("spot", 1),
    commands.OutOfTurn(),
    commands.AcceptDifferences(),
    commands.Resume(),
]


@pytest.mark.parametrize("command", ABSURD, ids=repr)
def test_a_command_that_is_refused_changes_nothing(command: commands.Command) -> None:
    """Not even the open push of another seat, which a legal word would end."""
    table = dealt()
    pushed(table, 500)
    before, still_open, waiting = table.core.state, dict(table.core.open), list(table.core.waiting)
    events = table.tell(command)
    assert [type(event) for event in events] == [Refused]
    assert table.core.state == evolve(before, events[0])
    assert (table.core.open, table.core.waiting) == (still_open, waiting)


def test_a_refusal_changes_nothing_and_counts_neither_in_the_state_nor_in_the_journal() -> None:
    """`of` in a correction is a number of `state.seq`: it must be the journal's, which keeps no refusals."""
    table = dealt()
    for command in (commands.NotAChip("spot", 1), commands.Say(99, Word("call")), commands.Confirm()):
        before = table.core.state.seq
        assert len(table.tell(command)) == 1
        assert table.refused() is not None
        assert table.core.state.seq == before


def test_a_word_that_waited_is_refused_if_the_push_before_it_turned_out_otherwise() -> None:
    table = dealt()
    table.push(1, 500)
    table.run(800)
    table.push(1, 100)
    table.run(200)
    table.say(2, "check")  # facing the call of 100 that is shown it asks; facing a raise it asks as well
    table.still()
    assert table.rulings()[0] == (1, "raise", 600)
    assert table.core.waiting == []


# ---------------------------------------------------------------- what is shown
@given(st.lists(st.sampled_from((25, 50, 100, 500, 1000)), min_size=1, max_size=4), st.sampled_from((100, 300, 700)))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_preview_of_the_last_step_is_the_final_ruling(values: list[int], facing: int) -> None:
    """Whatever was pushed: what the screen showed last is what was ruled, or asked."""
    table = dealt()
    if facing > 100:
        table.say(1, "raise_to", facing)
        table.log.clear()
    seat = table.hand.to_act or 0
    table.push(seat, *values)
    shown = None
    while not any(isinstance(event, Ruled | Asked) for event in table.log):
        shown = next((p.ruling for p in table.core.previews()), None) or shown
        table.run()
    decided = next(event for event in table.log if isinstance(event, Ruled | Asked))
    assert shown == decided.ruling


def test_previews_change_nothing_and_are_no_events() -> None:
    table = dealt()
    table.push(1, 500, 100)
    table.run(800)
    state = table.core.state
    (preview,) = table.core.previews()
    assert preview.ruling is not None
    assert table.core.state is state
    assert not [event for event in table.log if isinstance(event, Ruled)]


def test_a_version_grows_with_everything_that_people_see() -> None:
    table = dealt()
    version = table.core.version
    table.run(3000)
    assert table.core.version == version, "nothing happened"
    table.push(1, 500)
    table.run(600)
    opened = table.core.version
    assert opened > version
    table.tell(commands.Confirm())
    assert table.core.version > opened


def test_the_antennas_of_an_open_push_are_wanted_first() -> None:
    table = dealt()
    assert table.core.focus() == ()
    table.push(1, 500)
    table.run(600)
    assert {reader for reader, _ in table.core.focus()} == {"seat1"}
    table.still()
    assert table.core.focus() == ()


def test_without_trays_a_push_takes_twice_the_quiet_time() -> None:
    table = dealt(zones=SPOTS_ONLY, house=House(confirm="never", hand_start="say"))
    table.push(1, 500, 100)
    table.run(2500)
    assert table.rulings() == []
    table.still()
    assert table.rulings() == [(1, "raise", 600)]


def test_chips_handed_to_a_neighbour_are_facts_at_once() -> None:
    table = dealt()
    names = table.chips(tray(1), 100)
    table.move(names, tray(2))
    table.run(3000)
    assert table.core.state.places[names[0]] == tray(2)
    assert "chips_passed" in table.alarms()
