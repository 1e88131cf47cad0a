"""Questions, confirmation, undo and redo, overruling, misdeal, pause: what people say last counts."""

import pytest

from controller import commands
from controller.places import Moved
from controller.table.events import Answered, Asked, Overruled, PushHeld, Refused, Ruled, Undone
from controller.table.inputs import MotionSeen
from controller.table.phases import Phase
from controller.table.setup import House, Sensors
from tests.controller.engine.played import FLOP, Played, dealt, spot, tray


def undercall(house: House | None = None) -> Played:
    """Seat 4 raised to 600, seat 1 pushes 300 in silence: the floor decides (TDA 2024 51-B)."""
    table = dealt(4, house=house or House(confirm="never"))
    table.push(4, 500, 100)
    table.push(1, 100, 100, 100)
    return table


# ---------------------------------------------------------------- ask and answer
def test_an_undercall_of_a_raise_stops_the_turn_and_asks() -> None:
    table = undercall()
    question = table.asked()

    assert question is not None
    assert (question.seat, question.why) == (1, "undercall_raise_ask")
    assert table.hand.to_act == 1
    assert table.balance(1) == 0


def test_the_answer_is_a_reading_by_its_number() -> None:
    table = undercall()
    table.tell(commands.Answer(reading=1))

    assert table.of(Answered)
    ruled = table.of(Ruled)[0]
    assert (ruled.reading.action, ruled.reading.must_add, ruled.by) == ("call", 300, "answer")
    assert table.hand.to_act == 2


def test_a_fold_that_forfeits_leaves_the_chips_in_the_pot() -> None:
    """TDA 2024 51-B."""
    table = undercall()
    table.tell(commands.Answer(reading=2))

    assert table.player(1).folded
    assert table.player(1).committed == 300
    assert table.balance(1) == 0


def test_the_answer_may_be_an_amount() -> None:
    table = undercall()
    table.tell(commands.Answer(action="raise", total_to=1500))

    assert (table.reading().action, table.reading().must_add) == ("raise", 1200)
    assert table.hand.current_bet == 1500


@pytest.mark.parametrize(
    "command",
    [
        commands.Answer(reading=9),
        commands.Answer(reading=0),
        commands.Answer(action="nonsense"),
        commands.Answer(total_to=10**15),
        commands.Answer(total_to=-1),
        commands.Answer(action="raise", total_to=300),
    ],
)
def test_an_answer_that_cannot_be_is_refused_and_the_question_stays(command: commands.Command) -> None:
    table = undercall()
    table.tell(command)

    assert table.refused() == "no_such_reading"
    assert table.hand.question is not None


def test_an_answer_to_another_question_is_refused() -> None:
    table = undercall()
    table.tell(commands.Answer(question=-1, reading=1))

    assert table.refused() == "no_question"


def test_chips_of_others_wait_while_a_question_is_open() -> None:
    table = undercall()
    table.push(2, 500, 50)
    assert table.of(PushHeld)
    table.tell(commands.Answer(reading=1))

    assert [ruled.seat for ruled in table.of(Ruled)] == [1, 2]


def test_more_chips_of_the_same_player_are_judged_with_the_first() -> None:
    table = undercall()
    table.push(1, 100, 100, 100)

    assert table.reading().action == "call"
    assert table.hand.question is None


def test_chips_in_question_that_are_taken_back_end_it() -> None:
    table = undercall()
    table.take_back(1, 100, 100, 100)

    assert table.of(Answered)[0].reading is None
    assert table.hand.question is None
    assert table.hand.to_act == 1


def test_a_word_answers_the_question_of_its_seat() -> None:
    table = undercall()
    table.say(1, "call")

    assert table.reading().action == "call"
    assert table.hand.question is None


# ---------------------------------------------------------------- confirm
def test_confirm_always_waits_for_the_dealer() -> None:
    table = dealt(3, house=House(confirm="always"))
    table.push(1, 500)
    question = table.asked()
    assert question is not None
    assert question.why == "confirm"
    assert table.player(1).bet == 0
    table.tell(commands.Confirm())

    assert table.of(Ruled)[0].by == "confirm"
    assert table.player(1).bet == 100


def test_the_next_player_in_turn_confirms_by_acting() -> None:
    table = dealt(3, house=House(confirm="always"))
    table.push(1, 500)
    table.push(2, 50)

    assert [(one.seat, one.by) for one in table.of(Ruled)] == [(1, "confirm")]
    assert table.asked() is not None
    assert table.asked().seat == 2  # type: ignore[union-attr]


def test_fragile_confirms_a_plain_push_at_once() -> None:
    table = dealt(3, house=House(confirm="fragile"))
    table.push(1, 500, 100)

    assert table.of(Ruled)
    assert not table.of(Asked)


def test_fragile_waits_where_a_chip_is_doubtful_and_only_a_person_may_agree() -> None:
    table = dealt(3, house=House(confirm="fragile"))
    table.push(1, 500, doubtful=("s1-100-00",))
    assert table.asked() is not None
    table.push(2, 50)
    assert table.of(PushHeld)
    assert not table.of(Ruled)
    table.tell(commands.Confirm())

    assert [one.seat for one in table.of(Ruled)] == [1, 2]


def test_a_doubtful_chip_that_comes_is_judged_with_the_push() -> None:
    table = dealt(3, house=House(confirm="fragile"))
    table.push(1, 500, doubtful=("s1-100-00",))
    table.push(1, 100)

    assert (table.reading().action, table.reading().total_to) == ("raise", 600)


def test_fragile_waits_where_one_unseen_chip_would_change_the_action() -> None:
    """No tray antenna: 1000 alone is a call, with an unseen 25 a raise."""
    table = dealt(3, house=House(confirm="fragile"), sensors=Sensors())
    table.push(1, 1000)
    assert table.asked() is not None
    table.tell(commands.Confirm())

    assert table.reading().action == "call"


def test_fragile_does_not_wait_where_one_unseen_chip_changes_nothing() -> None:
    table = dealt(3, house=House(confirm="fragile"), sensors=Sensors())
    table.push(1, 500, 100)

    assert table.reading().action == "raise"


def test_a_disputed_rule_waits_for_the_dealer() -> None:
    """One chip on the big blind's option: a raise or a check, floors disagree."""
    table = dealt(2, house=House(confirm="fragile"))
    table.push(1, 50)
    table.push(2, 500)

    question = table.asked()
    assert question is not None
    assert question.ruling.disputed


def test_confirm_never_says_which_of_several_readings_counts() -> None:
    """The floor was asked, nothing was chosen: an Enter meant for something else may rule nothing."""
    table = undercall()
    question = table.asked()
    assert question is not None
    assert (question.ruling.chosen, len(question.ruling.readings)) == (None, 2)
    table.tell(commands.Confirm())

    assert table.refused() == "choose_a_number"
    assert table.hand.question == question
    assert not table.of(Ruled)
    table.tell(commands.Answer(reading=2))
    assert table.reading() == question.ruling.readings[1]


def test_confirm_without_a_question_is_refused() -> None:
    table = dealt(3)
    table.tell(commands.Confirm())

    assert table.refused() == "nothing_to_confirm"


# ---------------------------------------------------------------- undo and redo
def test_undo_restores_the_hand_and_never_the_places() -> None:
    table = dealt(3)
    before = table.state
    table.push(1, 500, 100)
    table.tell(commands.Undo())

    assert table.state.hand == before.hand
    assert table.state.table == before.table
    assert table.front(1) == 600
    assert table.hand.to_act == 1


def test_after_undo_the_seat_waits_for_a_word_and_the_chips_count_with_it() -> None:
    table = dealt(3)
    table.push(1, 500, 100)
    table.tell(commands.Undo())
    table.say(1, "call")

    assert (table.reading().action, table.reading().change_due) == ("call", 500)
    assert table.balance(1) == 500


def test_after_undo_more_chips_are_judged_with_those_that_lie_there() -> None:
    table = dealt(3)
    table.push(1, 500)
    table.tell(commands.Undo())
    table.push(1, 100)

    assert (table.reading().action, table.reading().total_to) == ("raise", 600)


def test_redo_is_the_undo_of_the_undo() -> None:
    table = dealt(3)
    table.push(1, 500, 100)
    after = table.state
    for _ in range(2):
        table.tell(commands.Undo())
        assert table.hand.to_act == 1
        table.tell(commands.Redo())
        assert (table.state.hand, table.state.table) == (after.hand, after.table)
        assert len(table.of(Undone)) == 1


def test_undo_takes_back_all_that_one_cause_brought() -> None:
    table = dealt(3)
    table.push(1, 100)
    table.push(2, 50)
    before = table.state.hand
    table.board(*FLOP)
    assert table.hand.row.name == "flop"
    table.tell(commands.Undo())

    assert table.state.hand == before


def test_undo_goes_back_into_the_hand_before() -> None:
    table = dealt(2)
    table.say(1, "fold")
    table.tell(commands.NextHand())
    assert table.hand.number == 2
    table.tell(commands.Undo())

    assert table.hand.number == 1
    assert table.hand.phase is Phase.PAYING
    table.tell(commands.Undo())
    assert table.hand.to_act == 1


def test_something_new_ends_redo() -> None:
    table = dealt(3)
    table.push(1, 500, 100)
    table.tell(commands.Undo())
    table.say(1, "fold")
    table.tell(commands.Redo())

    assert table.refused() == "nothing_to_redo"


def test_undo_with_nothing_to_undo_is_refused() -> None:
    table = Played(2)
    while table.state.past:
        table.tell(commands.Undo())
    table.tell(commands.Undo())

    assert table.refused() == "nothing_to_undo"


# ---------------------------------------------------------------- overrule
def test_overruling_chooses_another_reading_of_the_last_ruling() -> None:
    table = dealt(2)
    table.push(1, 50)
    table.push(2, 500)
    assert table.reading().action == "raise"
    table.tell(commands.Overrule(reading=1))

    (overruled,) = table.of(Overruled)
    assert (overruled.reading.action, overruled.reading.change_due) == ("check", 500)
    assert table.hand.phase is Phase.SWEEPING
    assert table.balance(2) == 500


def test_overruling_by_amount() -> None:
    table = dealt(3)
    table.push(1, 1000)
    table.tell(commands.Overrule(action="raise", total_to=1000))

    assert table.player(1).bet == 1000
    assert table.hand.last_full_raise == 900
    assert table.balance(1) == 0


def test_overruling_a_fold_that_ended_the_hand_opens_it_again() -> None:
    table = dealt(2)
    table.say(1, "fold")
    assert table.hand.phase is Phase.PAYING
    table.tell(commands.Overrule(action="call"))

    assert table.hand.phase is Phase.BETTING
    assert table.player(1).bet == 100
    assert table.hand.to_act == 2


def test_an_overruled_ruling_can_be_undone() -> None:
    table = dealt(3)
    table.push(1, 1000)
    before = table.state.hand
    table.tell(commands.Overrule(action="raise", total_to=1000))
    table.tell(commands.Undo())

    assert table.state.hand == before


def test_chips_that_wait_still_wait_after_overruling() -> None:
    table = dealt(4)
    table.push(4, 1000)
    table.push(2, 50)
    assert table.hand.held
    table.tell(commands.Overrule(action="all_in_call", total_to=100))
    assert table.hand.held
    table.fold(1)

    assert table.reading().action == "call"
    assert table.hand.to_act == 3


def test_all_in_is_what_takes_the_whole_stack() -> None:
    table = dealt(3, stacks=[600, 10_000, 10_000])
    table.push(1, 100)
    table.tell(commands.Overrule(action="raise", total_to=600))

    assert table.of(Overruled)[0].reading.all_in
    assert table.player(1).all_in


def test_overruling_without_a_ruling_is_refused() -> None:
    table = dealt(3)
    table.tell(commands.Overrule(reading=1))

    assert table.refused() == "nothing_to_overrule"


# ---------------------------------------------------------------- preview
def test_a_preview_is_the_ruling_that_would_follow_and_changes_nothing() -> None:
    table = dealt(3)
    pending = table.motion(*table.carry(tray(1), spot(1), 500, 100))
    ruling = table.engine.preview(table.state, pending)
    assert ruling is not None
    assert ruling.chosen is not None
    table.give(MotionSeen(0, pending))

    assert table.of(Ruled)[0].ruling == ruling


def test_a_preview_looks_past_checks_that_would_be_inferred() -> None:
    table = dealt(2)
    table.push(1, 50)
    table.say(2, "check")
    table.board(*FLOP)
    ruling = table.engine.preview(table.state, table.motion(*table.carry(tray(1), spot(1), 500)))

    assert ruling is not None
    assert ruling.chosen is not None
    assert ruling.chosen.action == "bet"


def test_there_is_no_preview_of_a_post_or_of_chips_out_of_turn() -> None:
    table = dealt(4)

    assert table.engine.preview(table.state, table.motion(*table.carry(tray(2), spot(2), 500))) is None

    table = Played(3, button=1)
    table.tell(commands.NextHand())
    assert table.engine.preview(table.state, table.motion(*table.carry(tray(2), spot(2), 50))) is None


# ---------------------------------------------------------------- string bets, ledger
def test_a_second_trip_within_a_push_goes_back() -> None:
    """TDA 2024 56."""
    table = dealt(3, house=House(confirm="always"))
    table.push(1, 100)
    table.push(1, 500, later=True)

    question = table.asked()
    assert question is not None
    assert question.ruling.chosen is not None
    assert (question.ruling.chosen.action, question.ruling.chosen.change_due) == ("call", 500)


def test_a_second_trip_after_the_ruling_is_a_string_bet_and_goes_back() -> None:
    """TDA 2024 56."""
    table = dealt(3)
    table.push(1, 100)
    table.push(1, 500, later=True)

    assert table.alarms() == {("string_bet", 1)}
    assert table.player(1).bet == 100
    assert table.balance(1) == 500

    table.take_back(1, 500)

    assert table.alarms() == set()


def test_chips_beyond_the_ledger_are_named_and_not_played() -> None:
    table = dealt(3, stacks=[300, 10_000, 10_000])
    table.push(1, 500, 100)

    assert (table.reading().total_to, table.reading().all_in) == (300, True)
    assert table.alarms() == {("more_than_stack", 1)}


# ---------------------------------------------------------------- misdeal, pause
def test_a_misdeal_gives_everything_back() -> None:
    table = dealt(3)
    table.push(1, 500, 100)
    table.tell(commands.Misdeal())

    assert table.stacks() == [10_000] * 3
    assert [table.balance(seat) for seat in (1, 2, 3)] == [600, 50, 100]
    table.take_back(1, 500, 100)
    assert table.balance(1) == 0

    table.tell(commands.NextHand())
    assert table.hand.button == 1


def test_chips_wait_while_the_table_is_paused() -> None:
    table = dealt(3)
    table.tell(commands.Pause())
    table.push(1, 500, 100)
    assert not table.of(Ruled)
    table.say(1, "call")
    assert table.refused() == "paused"
    table.tell(commands.Resume())

    assert (table.reading().action, table.reading().total_to) == ("raise", 600)


def test_a_refused_input_changes_nothing() -> None:
    table = dealt(3)
    before = table.state
    for command in (
        commands.Award(0, (1,)),
        commands.NextStreet(),
        commands.NextHand(),
        commands.Resume(),
        commands.Redo(),
    ):
        table.tell(command)
        assert isinstance(table.last[0], Refused)

    assert (table.state.hand, table.state.table, table.state.places) == (before.hand, before.table, before.places)


def test_a_chip_that_the_motion_moves_again_to_where_it_lies_is_nothing() -> None:
    table = dealt(3)
    moves = table.carry(tray(1), spot(1), 500, 100)
    table.move(*moves)
    table.move(*moves)

    assert table.last == ()

    table.move(Moved("no-such-chip", tray(1), spot(1)))

    assert table.last == ()
