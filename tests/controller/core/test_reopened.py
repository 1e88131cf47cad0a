"""A doubt about another seat's chip is asked about when its chip is read, until the round is closed; then it is named."""

import pytest

from controller import commands
from controller.picture import notices, rulings
from controller.places import Place, Zone
from controller.table.events import PushHeld
from tests.controller.core.test_worlds import Scene, bet_unread, from_the_hand_unread, on_the_flop, question_of, truly
from tests.controller.core_table import spot, tray


def read_at_last() -> tuple[Scene, list[str]]:
    """Seat 2 checked, seat 3 bet 500 unread, seat 2 called, and was ruled to bet; then the 500 of seat 3 is read."""
    table, chips = bet_unread()
    table.see = truly
    table.run(6000)
    return table, chips


def test_the_order_of_play_is_asked_about_when_the_chip_is_read() -> None:
    table, chips = read_at_last()
    assert table.rulings() == [(2, "bet", 500)]
    assert table.choices() == [("call", 500, ()), ("bet", 500, tuple(chips))]
    assert question_of(table).seat == 3
    shown = rulings.question(table.core.seen(), table.hand)
    assert shown is not None
    assert shown.text["en"] == "Did this lie there before the last ruling, unread: a 500 (bet spot of seat 3)?"
    assert [choice.label["en"] for choice in shown.choices] == ["It came now. Call 500", "It lay there. Bet 500"]


def test_the_answer_that_it_came_now_rules_on_it_as_it_came() -> None:
    table, _ = read_at_last()
    table.tell(commands.Answer(reading=1))
    table.run(5000)
    assert table.rulings() == [(2, "bet", 500), (3, "call", 500)]
    assert (table.asked(), table.alarms(), table.hand.to_act) == (None, set(), 1)


def test_the_answer_that_it_lay_there_makes_its_player_the_bettor_and_the_other_one_call() -> None:
    table, _ = read_at_last()
    table.tell(commands.Answer(reading=2))
    table.run(3000)
    assert table.rulings()[-1] == (3, "bet", 500)
    assert [held.seat for held in table.hand.held] == [2]
    assert any(isinstance(event, PushHeld) for event in table.log)
    table.muck(1)
    table.run(4000)
    assert table.rulings()[-1] == (2, "call", 500)
    assert (table.hand.phase, table.alarms()) == ("sweeping", set())


def test_it_is_asked_once() -> None:
    table, _ = read_at_last()
    table.tell(commands.Answer(reading=1))
    table.push(1, 500)
    table.run(6000)
    assert (table.asked(), table.rulings()[-1]) == (None, (1, "call", 500))


def test_a_player_who_answers_with_other_chips_is_not_asked_about() -> None:
    """The doubted 500 stays where it is; he calls with another one of his tray."""
    table, chips = bet_unread()
    table.move(chips, Place(Zone.IN_HAND, 3))
    table.see = truly
    other = [chip for chip in table.chips(tray(3), 500, 500) if chip not in chips][:1]
    table.move(other, spot(3))
    table.run(6000)
    assert table.rulings() == [(2, "bet", 500), (3, "call", 500)]


def test_a_word_in_between_settles_what_the_chip_is() -> None:
    """The dealer has said what seat 3 did: the chip pays it, whenever it is read."""
    table, _ = bet_unread()
    table.say(3, "call")
    table.see = truly
    table.run(6000)
    assert (table.rulings()[-1], table.asked()) == ((3, "call", 500), None)


@pytest.mark.parametrize("seat", [1, 3])
def test_once_the_round_is_closed_a_doubted_chip_that_is_read_is_named(seat: int) -> None:
    if seat == 3:
        table, chips = bet_unread()
        table.say(3, "fold")
        table.say(1, "call")
    else:
        table, chips = from_the_hand_unread()
        table.say(2, "call")
        table.say(3, "check")
    table.run(3000)
    assert table.hand.phase == "sweeping"
    table.see = truly
    table.run(6000)
    assert "doubt_read" in table.alarms()
    told = [one.text["en"] for one in notices.of(table.core.seen())[0] if one.key == "doubt_read"]
    value = sum(table.values[chip] for chip in chips)
    assert told == [
        f"{value} before seat {seat} may have lain there unread when the closed round was ruled on: look at it."
    ]


def test_a_chip_of_the_hand_that_is_bet_on_the_next_street_is_no_doubt_of_the_last_one() -> None:
    table = on_the_flop()
    kept = table.chips(tray(3), 500)
    table.move(kept, Place(Zone.IN_HAND, 3))
    table.run(8000)
    table.push(2, 500)
    table.run(5000)
    table.push(3, 500)
    table.run(5000)
    table.muck(1)
    table.run(4000)
    table.sweep()
    table.run(4000)
    table.board("2c", "5d", "8c", "3d")
    table.until(lambda: table.hand.phase == "betting")
    table.run(6000)
    table.say(2, "check")
    table.move(kept, spot(3))
    table.run(8000)
    assert table.rulings()[-1] == (3, "bet", 500)
    assert "doubt_read" not in table.alarms()
