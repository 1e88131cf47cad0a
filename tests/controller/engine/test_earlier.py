"""A wrong amount found after others have acted: TDA 2024 51 and 52-A, until the next card."""

import pytest

from controller import commands
from controller.table.events import Overruled, Ruled
from controller.table.meanings import Meaning
from controller.table.phases import Phase
from tests.controller.engine.played import CARDS, FLOP, RIVER, TURN, Played, dealt
from tests.controller.engine.test_turns import on_flop


def bet_and_two_calls(**options: object) -> Played:
    """Seat 2 bets 300, seats 3 and 4 call; seat 1 is to act."""
    table = on_flop(**options)
    for seat in (2, 3, 4):
        table.push(seat, 100, 100, 100)
    assert table.hand.to_act == 1
    return table


def test_an_underbet_put_right_is_owed_by_those_who_called_it() -> None:
    """TDA 2024 52-A: the correction changes what later callers owe."""
    table = bet_and_two_calls()
    table.tell(commands.Overrule(seat=2, total_to=600))

    (overruled,) = table.of(Overruled)
    assert (overruled.seat, overruled.reading.must_add) == (2, 300)
    assert [(one.seat, one.reading.action, one.reading.must_add) for one in table.of(Ruled)] == [
        (3, "call", 300),
        (4, "call", 300),
    ]
    assert [table.balance(seat) for seat in (1, 2, 3, 4)] == [0, -300, -300, -300]
    assert table.hand.to_act == 1
    options = table.engine.options(table.state)
    assert options is not None
    assert (options.to_call, options.min_raise_to) == (600, 1200)


def test_the_missing_chips_are_paid_out_of_turn_and_are_no_raise() -> None:
    """A call never becomes a raise."""
    table = bet_and_two_calls()
    table.tell(commands.Overrule(seat=2, total_to=600))
    events = table.push(4, 100, 100, 100)

    assert [event.meaning for event in events if hasattr(event, "meaning")] == [Meaning.PAID]
    assert not table.of(Ruled)
    assert table.balance(4) == 0
    assert table.player(4).bet == 600


def test_a_bet_that_was_too_large_is_given_back_to_its_callers() -> None:
    table = bet_and_two_calls()
    table.tell(commands.Overrule(seat=2, total_to=100))

    assert [table.balance(seat) for seat in (2, 3, 4)] == [200, 200, 200]
    assert table.hand.current_bet == 100


def test_a_caller_with_less_is_all_in_for_what_he_has() -> None:
    table = bet_and_two_calls(stacks=[10_000, 10_000, 500, 10_000])
    table.tell(commands.Overrule(seat=2, total_to=1000))

    assert (table.player(3).bet, table.player(3).all_in) == (400, True)
    assert table.player(4).bet == 1000


def test_an_undercall_put_right_changes_nobody_elses_amount() -> None:
    """TDA 2024 51."""
    table = on_flop()
    table.push(2, 100, 100)
    table.push(3, 500, 100)
    table.push(4, 500)
    table.tell(commands.Answer(action="call", total_to=500))
    table.push(1, 500, 100)
    table.tell(commands.Overrule(seat=4, action="call", total_to=600))

    assert [table.balance(seat) for seat in (1, 2, 3, 4)] == [0, 0, 0, -100]
    assert table.hand.to_act == 2


def test_a_raise_over_the_corrected_bet_stands_and_so_does_a_fold() -> None:
    table = on_flop()
    table.push(2, 100, 100, 100)
    table.push(3, 1000, 500)
    table.fold(4)
    table.tell(commands.Overrule(seat=2, total_to=500))

    assert table.player(2).bet == 500
    assert table.hand.current_bet == 1500
    assert table.hand.last_full_raise == 1000
    assert table.player(4).folded
    assert table.hand.to_act == 1
    assert table.alarms() == set()


def test_a_round_that_is_over_opens_again_for_amounts_only() -> None:
    table = bet_and_two_calls()
    table.fold(1)
    assert table.hand.phase is Phase.SWEEPING
    table.tell(commands.Overrule(seat=2, total_to=600))

    assert table.hand.phase is Phase.SWEEPING
    assert [table.balance(seat) for seat in (2, 3, 4)] == [-300, -300, -300]
    table.sweep()
    assert sum(pot.amount for pot in table.hand.pots) == 400 + 3 * 600


def test_bets_that_were_swept_already_are_put_right_too() -> None:
    table = bet_and_two_calls()
    table.fold(1)
    table.sweep()
    assert table.hand.phase is Phase.STREET_CARD
    table.tell(commands.Overrule(seat=2, total_to=600))

    assert sum(pot.amount for pot in table.hand.pots) == 400 + 3 * 600
    table.push(3, 100, 100, 100)
    assert [table.balance(seat) for seat in (2, 3, 4)] == [-300, 0, -300]


def test_after_the_next_card_a_wrong_amount_stands() -> None:
    """TDA 2024 52-A."""
    table = bet_and_two_calls()
    table.fold(1)
    table.board(*FLOP, TURN)
    for command in (commands.Overrule(seat=2, total_to=600), commands.Overrule(total_to=600)):
        table.tell(command)
        assert table.refused() == "next_card"
    assert table.player(2).committed == 400


def test_on_the_river_it_may_be_put_right_until_hands_are_shown() -> None:
    table = dealt(2)
    table.push(1, 50)
    table.say(2, "check")
    for board in (FLOP, (*FLOP, TURN), (*FLOP, TURN, RIVER)):
        table.sweep()
        table.board(*board)
        if len(board) < 5:
            table.say(2, "check")
            table.say(1, "check")
    table.push(2, 100)
    table.push(1, 100)
    assert table.hand.phase is Phase.SHOWDOWN
    table.tell(commands.Overrule(seat=2, total_to=200))
    assert [table.balance(seat) for seat in (1, 2)] == [-100, -100]
    assert table.hand.phase is Phase.SHOWDOWN
    table.tell(commands.Show(1))
    table.tell(commands.Overrule(seat=2, total_to=300))

    assert table.refused() == "next_card"


def test_one_house_puts_amounts_right_only_while_the_round_is_open() -> None:
    """Robert's Rules."""
    table = bet_and_two_calls(profile="RROP11")
    table.tell(commands.Overrule(seat=2, total_to=400))
    assert table.balance(3) == -100
    table.fold(1)
    table.tell(commands.Overrule(seat=2, total_to=600))

    assert table.refused() == "round_over"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (commands.Overrule(seat=3, action="raise", total_to=600), "only_amounts"),
        (commands.Overrule(seat=2, action="fold"), "only_amounts"),
        (commands.Overrule(seat=2, total_to=10**15), "no_such_reading"),
        (commands.Overrule(seat=1, total_to=600), "next_card"),
        (commands.Overrule(seat=9, total_to=600), "nothing_to_overrule"),
        (commands.Overrule(of=10**6, total_to=600), "nothing_to_overrule"),
    ],
)
def test_a_correction_that_cannot_be_is_refused(command: commands.Overrule, why: str) -> None:
    table = bet_and_two_calls()
    before = table.state.hand
    table.tell(command)

    assert table.refused() == why
    assert table.state.hand == before


def test_a_correction_can_be_undone_and_done_again() -> None:
    table = bet_and_two_calls()
    before = table.state.hand
    table.tell(commands.Overrule(seat=2, total_to=600))
    after = table.state.hand
    table.tell(commands.Undo())
    assert table.state.hand == before
    table.tell(commands.Redo())
    assert table.state.hand == after
    table.tell(commands.Overrule(seat=2, total_to=400))

    assert [table.balance(seat) for seat in (2, 3, 4)] == [-100, -100, -100]


def test_the_last_ruling_of_a_seat_that_acted_last_may_become_anything() -> None:
    table = bet_and_two_calls()
    table.tell(commands.Overrule(seat=4, action="raise", total_to=600))

    (overruled,) = table.of(Overruled)
    assert overruled.reading.action == "raise"
    assert table.hand.to_act == 1


def test_a_question_that_waits_is_asked_again_by_the_new_amount() -> None:
    """Seat 1 pushes 300 against a raise; the raise is put right meanwhile."""
    table = on_flop()
    table.push(2, 100, 100)
    table.push(3, 500, 100)
    table.fold(4)
    table.push(1, 100, 100, 100)
    assert table.asked() is not None
    table.tell(commands.Overrule(seat=3, total_to=800))
    question = table.asked()

    assert question is not None
    assert (question.seat, question.ruling.readings[0].total_to) == (1, 800)


def test_cards_of_the_hand_are_left_alone() -> None:
    table = bet_and_two_calls()
    table.tell(commands.Overrule(seat=2, total_to=600))

    assert table.state.cards[1] == tuple(sorted(CARDS[2]))
    assert table.state.board == tuple(sorted(FLOP))
