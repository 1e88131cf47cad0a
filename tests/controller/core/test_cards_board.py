"""The board: a card that was replaced, one that is not read, and one that is read late. Right, or asked; never silent."""

import pytest

from controller import commands
from controller.picture import notices
from controller.places import BANK, BOARD, MUCK
from tests.controller.core.card_scenes import UNKNOWN_TAG, bets_in, boards, checked, flop, told, turned
from tests.controller.core_table import FLOP, HANDS, RIVER, TURN, CoreTable, dealt


# ---------------------------------------------------------------- a card of the board is replaced
@pytest.mark.parametrize("acted", [False, True], ids=["before action", "after action"])
def test_a_flop_card_that_was_taken_away_and_replaced_counts_no_more(acted: bool) -> None:
    table = flop()
    if acted:
        table.push(2, 100)
        table.still()
    table.move((FLOP[1],), MUCK)
    table.run(2000)
    assert table.alarms() == {"board_gone"}
    table.move(("5s",), BOARD)
    table.run(3000)

    assert table.hand.row.name == "flop"
    assert table.hand.board == ("2c", "5s", "8c")
    assert boards(table)[-1] == ("2c", "5s", "8c")
    assert table.alarms() == set()
    assert [ruling[1] for ruling in table.rulings()[3:]] == (["bet"] if acted else [])


def test_a_whole_flop_that_is_dealt_anew_counts() -> None:
    table = flop()
    table.push(2, 100)
    table.still()
    table.move(FLOP, MUCK)
    table.run(2000)
    table.board("Kc", "Qc", "Jc")
    table.run(3000)

    assert set(table.hand.board) == {"Kc", "Qc", "Jc"}
    assert table.alarms() == set()
    assert not table.hand.player(3).folded  # type: ignore[union-attr]


def test_a_turn_card_that_is_replaced_at_once_counts_no_more() -> None:
    table = turned()
    table.move((TURN,), MUCK)
    table.run(1500)
    table.move(("9d",), BOARD)
    table.run(5000)

    assert (table.hand.row.name, table.hand.board) == ("turn", (*FLOP, "9d"))
    assert table.rulings() == []


def test_a_replaced_card_that_comes_back_counts_again() -> None:
    table = turned()
    table.move((TURN,), MUCK)
    table.board("9d")
    table.run(4000)
    assert table.hand.board == (*FLOP, "9d")
    table.move(("9d",), MUCK)
    table.board(TURN)
    table.run(4000)

    assert table.hand.board == (*FLOP, TURN)
    assert table.alarms() == set()


def replaced_unseen(table: CoreTable, old: str, new: str) -> None:
    """The dealer takes a card of the board into his hand and lays another down at once."""
    table.move((old,), BANK)
    table.move((new,), BOARD)


def test_where_the_old_card_may_only_be_unread_the_table_asks_and_opens_nothing() -> None:
    table = flop()
    table.log.clear()
    replaced_unseen(table, "5d", "5s")
    table.run(6000)

    assert (table.hand.row.name, table.hand.board) == ("flop", FLOP)
    assert table.rulings() == []
    assert "board_unclear" in table.alarms()
    dealers = [notice.text["en"] for notice in notices.of(table.core.seen())[1]]
    assert any("5s" in text and "5d" in text for text in dealers)
    assert not any("5s" in notice.text["en"] for notice in notices.of(table.core.seen())[0])


def test_confirm_puts_the_new_card_in_the_place_of_the_one_that_is_not_read() -> None:
    table = flop()
    replaced_unseen(table, "5d", "5s")
    table.run(6000)
    table.tell(commands.Confirm())

    assert (table.hand.row.name, table.hand.board) == ("flop", ("2c", "5s", "8c"))
    table.run(1000)
    assert table.alarms() == set()
    table.tell(commands.Undo())
    table.run(3000)
    assert set(table.hand.board) == {"2c", "5s", "8c"}, "what lies there is a fact, and is never undone"


def test_next_street_opens_it_with_the_new_card_where_the_old_one_lies_there_unread() -> None:
    table = flop()
    checked(table)
    table.hidden.add("5d")
    table.run(7000)
    table.board(TURN)
    table.run(6000)
    assert table.hand.row.name == "flop"
    assert "board_unclear" in table.alarms()
    table.tell(commands.NextStreet())

    assert (table.hand.row.name, table.hand.board) == ("turn", (*FLOP, TURN))


def test_a_street_opens_as_soon_as_the_hidden_card_is_read_again() -> None:
    table = flop()
    checked(table)
    table.hidden.add("5d")
    table.run(7000)
    table.board(TURN)
    table.run(6000)
    table.hidden.clear()
    table.run(1500)

    assert (table.hand.row.name, table.hand.board) == ("turn", (*FLOP, TURN))
    assert table.alarms() == set()


def test_a_hand_over_the_flop_while_the_turn_is_laid_costs_no_more_than_the_moment() -> None:
    table = flop()
    checked(table)
    table.hidden.update(FLOP)
    table.run(300)
    table.board(TURN)
    table.run(2000)
    table.hidden.clear()
    table.run(500)

    assert (table.hand.row.name, table.hand.board) == ("turn", (*FLOP, TURN))


# ---------------------------------------------------------------- cards that are not read
def test_a_card_with_an_unknown_tag_makes_its_street_wait_for_a_key_that_is_named() -> None:
    table = dealt()
    bets_in(table)
    table.where[UNKNOWN_TAG] = BOARD
    table.board("2c", "5d")
    table.run(2000)
    assert table.hand.row.name == "preflop"
    assert "street_waits_tag" in told(table)
    table.tell(commands.NextStreet())

    assert (table.hand.row.name, table.hand.board, table.hand.board_count) == ("flop", ("2c", "5d"), 3)
    assert "street_waits_tag" not in told(table)


def test_a_flop_card_that_is_never_read_makes_its_street_wait_for_a_key_that_is_named() -> None:
    table = dealt()
    bets_in(table)
    table.hidden.add("8c")
    table.board(*FLOP)
    table.run(2000)
    assert "street_waits" not in told(table), "the dealer may still be laying them down"
    table.run(3500)
    assert "street_waits" in told(table)
    table.tell(commands.NextStreet())
    assert table.hand.board == ("2c", "5d")
    assert "street_waits" not in told(table)


def test_a_flop_card_that_is_read_late_completes_the_flop() -> None:
    table = dealt()
    bets_in(table)
    table.hidden.add("8c")
    table.board(*FLOP)
    table.run(6000)
    table.tell(commands.NextStreet())
    table.push(2, 100)
    table.still()
    table.hidden.clear()
    table.run(2000)

    assert (table.hand.row.name, table.hand.board) == ("flop", FLOP)


def test_behind_an_unread_turn_the_river_is_asked_about() -> None:
    table = flop()
    checked(table)
    table.hidden.add(TURN)
    table.board(TURN)
    table.run(15_000)
    table.tell(commands.NextStreet())
    assert (table.hand.row.name, table.hand.board, table.hand.board_count) == ("turn", FLOP, 4)
    checked(table)
    table.board(RIVER)
    table.run(4000)
    assert table.hand.row.name == "turn"
    assert "board_unclear" in table.alarms()
    table.tell(commands.NextStreet())
    assert (table.hand.row.name, table.hand.board, table.hand.board_count) == ("river", (*FLOP, RIVER), 5)
    table.hidden.clear()
    table.run(2000)

    assert set(table.hand.board) == {*FLOP, TURN, RIVER}
    assert table.alarms() == set()


# ---------------------------------------------------------------- another start
@pytest.mark.parametrize("card", [HANDS[2][0], "4c"], ids=["a hole card", "a burnt card"])
def test_a_card_that_a_restart_finds_on_the_boards_antenna_is_no_card_of_the_board(card: str) -> None:
    before = flop()
    before.move((card,), BOARD)
    before.run(1500)
    table = CoreTable(3, state=before.core.state)
    table.where = before.where
    table.until(lambda: table.core.known.counted)
    table.run(3000)
    checked(table)
    table.board(TURN)
    table.run(5000)

    assert table.hand.board == (*FLOP, TURN)
    assert all(card not in board for board in boards(table))
