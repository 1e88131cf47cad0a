"""Words of the dealer and of seat buttons: before, with, and after the chips."""

import pytest

from controller import commands
from controller.table.events import Overruled, Ruled, Said
from controller.table.setup import House
from tests.controller.engine.played import FLOP, Played, dealt


def test_a_word_without_chips_is_an_action_and_the_chips_pay_for_it() -> None:
    table = dealt(3)
    table.say(1, "raise_to", 600)

    assert (table.reading().action, table.reading().total_to, table.reading().must_add) == ("raise", 600, 600)
    table.push(1, 1000)
    assert table.balance(1) == 400


def test_a_word_needs_no_seat_where_one_is_to_act() -> None:
    table = dealt(3)
    table.say(None, "call")

    assert table.of(Ruled)[0].seat == 1


def test_raise_without_an_amount_waits_for_its_chips() -> None:
    """TDA 2024 44: "raise" first makes one big chip a raise of all it allows."""
    table = dealt(3)
    table.say(1, "raise")
    assert table.of(Said)
    assert table.hand.word is not None
    assert table.hand.to_act == 1
    table.push(1, 500)

    assert (table.reading().action, table.reading().total_to) == ("raise", 500)
    assert table.hand.word is None


def test_the_same_chip_in_silence_is_a_call() -> None:
    """TDA 2024 44."""
    table = dealt(3)
    table.push(1, 500)

    assert (table.reading().action, table.reading().change_due) == ("call", 400)


def test_a_dealers_word_after_a_final_ruling_corrects_it() -> None:
    table = dealt(3)
    table.push(1, 500, 100)
    assert table.reading().action == "raise"
    table.say(1, "call")

    (overruled,) = table.of(Overruled)
    assert (overruled.reading.action, overruled.reading.change_due) == ("call", 500)
    assert table.player(1).bet == 100
    assert table.hand.current_bet == 100
    assert table.hand.to_act == 2


def test_a_seats_own_word_after_a_final_ruling_comes_too_late() -> None:
    """TDA 2024 40-A."""
    table = dealt(3)
    table.push(1, 500, 100)
    table.say(1, "call", by="seat")

    assert table.refused() == "out_of_turn"
    assert table.player(1).bet == 600


def test_a_word_of_a_seat_that_is_not_to_act_is_refused() -> None:
    table = dealt(4)
    table.say(2, "call")

    assert table.refused() == "out_of_turn"


def test_a_word_implies_the_checks_before_it() -> None:
    table = dealt(2)
    table.say(1, "call")
    table.say(2, "check")
    table.board(*FLOP)
    table.say(1, "bet", 300)

    assert [(one.seat, one.inferred) for one in table.of(Ruled)] == [(2, True), (1, False)]


@pytest.mark.parametrize("amount", [-1, 10**13])
def test_an_absurd_amount_is_refused(amount: int) -> None:
    table = dealt(3)
    before = table.state.hand
    table.say(1, "raise_to", amount)

    assert table.refused() == "bad_amount"
    assert table.state.hand == before


def test_nobody_puts_in_more_than_he_has() -> None:
    table = dealt(3)
    table.say(1, "raise_to", 1_000_000)

    assert (table.reading().total_to, table.reading().all_in) == (10_000, True)


def test_a_word_between_hands_is_refused() -> None:
    table = Played(3)
    table.say(1, "call")

    assert table.refused() == "no_hand"


def test_a_check_that_cannot_be_is_asked() -> None:
    table = dealt(3)
    table.say(1, "check")

    question = table.asked()
    assert question is not None
    assert question.ruling.chosen is None
    assert table.hand.to_act == 1


def test_the_house_may_confirm_words_of_seat_buttons() -> None:
    table = dealt(3, house=House(confirm="always"))
    table.say(1, "call", by="seat")
    assert table.asked() is not None
    table.tell(commands.Confirm())

    assert table.reading().action == "call"
