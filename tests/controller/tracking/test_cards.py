"""Cards at rest on hole, board and muck antennas, and the dealer button."""

from controller.places import BANK, BOARD, MUCK, Place, Zone
from controller.tracking.events import ButtonRested, CardsRested, SeenTwice
from tests.controller.tracking.toy_table import Table, hole, motions, spot, tray


def rested(table: Table, start: int = 0) -> list[tuple[Place, tuple[str, ...]]]:
    return [(event.place, event.cards) for event in table.said[start:] if isinstance(event, CardsRested)]


def test_a_dealt_hand_is_told_as_a_whole_set_by_name() -> None:
    table = Table().count_in()
    table.move(["Td", "7c"], hole(1))

    table.run(10)

    assert rested(table) == [(hole(1), ("7c", "Td"))]


def test_a_set_is_not_told_while_a_card_of_it_is_half_decided() -> None:
    table = Table().count_in()
    table.move(["As", "Kd"], BOARD)
    table.run(1)
    table.move(["2c"], BOARD)
    table.run(10)

    assert rested(table) == [(BOARD, ("2c", "As", "Kd"))]


def test_the_same_set_is_told_once() -> None:
    table = Table().count_in()
    table.move(["As"], BOARD)
    table.run(60)

    assert rested(table) == [(BOARD, ("As",))]


def test_a_card_read_once_in_passing_does_not_rest() -> None:
    table = Table().count_in()
    table.move(["As"], BOARD)
    table.run(2)
    table.move(["As"], BANK)
    table.run(20)

    assert rested(table) == []


def test_a_card_on_a_spot_a_tray_or_the_pot_is_passing() -> None:
    table = Table().count_in()
    for place in (spot(1), tray(1), Place(Zone.POT)):
        table.move(["As"], place)
        table.run(30)

    assert rested(table) == []
    assert table.tracker.places()["As"] == BANK
    assert not motions(table.said)


def test_cards_lifted_are_in_the_hand_and_a_fold_is_not_told() -> None:
    table = Table(hold_ms=1000).count_in()
    table.move(["As", "Ks"], hole(1))
    table.run(10)
    table.move(["As", "Ks"], BANK)
    table.run(30)

    assert rested(table)[-1] == (hole(1), ())
    assert table.tracker.places()["As"] == Place(Zone.IN_HAND, 1)


def test_a_hand_over_a_board_card_for_two_seconds_takes_no_card_from_the_board() -> None:
    table = Table(hold_ms=1000).count_in()
    table.move(["As", "Ks", "Qs"], BOARD)
    table.run(10)
    start = len(table.said)
    table.move(["Qs"], BANK)
    table.run(20)
    table.move(["Qs"], BOARD)
    table.run(20)

    assert rested(table, start) == []


def on_the_board(*cards: str, **settings: int) -> Table:
    table = Table(hold_ms=4000, **settings).count_in()
    table.move(cards, BOARD)
    table.run(10)
    table.said.clear()
    return table


def test_a_new_card_on_the_board_waits_while_one_that_lay_there_is_not_read() -> None:
    table = on_the_board("As", "Ks", "Qs")
    table.move(["Qs"], BANK)
    table.move(["2c"], BOARD)
    table.run(20)
    assert rested(table) == []
    table.move(["Qs"], BOARD)
    table.run(3)

    assert rested(table) == [(BOARD, ("2c", "As", "Ks", "Qs"))]


def test_it_is_told_alone_once_the_other_is_read_elsewhere_or_is_gone() -> None:
    for elsewhere, rounds in ((MUCK, 8), (BANK, 60)):
        table = on_the_board("As", "Ks", "Qs")
        table.move(["Qs"], elsewhere)
        table.move(["2c"], BOARD)
        table.run(rounds)

        assert (BOARD, ("2c", "As", "Ks")) in rested(table)
        assert not any({"2c", "Qs"} <= set(cards) for _, cards in rested(table))


def test_a_card_that_is_read_again_after_the_hold_is_told_again() -> None:
    table = on_the_board("As", "Ks", "Qs")
    table.move(["Qs"], BANK)
    table.move(["2c"], BOARD)
    table.run(60)
    table.move(["Qs"], BOARD)
    table.run(10)

    assert rested(table)[-1] == (BOARD, ("2c", "As", "Ks", "Qs"))


def test_folded_cards_go_from_the_hole_to_the_muck() -> None:
    table = Table().count_in()
    table.move(["As", "Ks"], hole(1))
    table.run(10)
    start = len(table.said)
    table.move(["As", "Ks"], MUCK)
    table.run(10)

    assert sorted(rested(table, start), key=str) == sorted([(hole(1), ()), (MUCK, ("As", "Ks"))], key=str)


def with_a_hand() -> Table:
    table = Table(hold_ms=4000).count_in()
    table.move(["As", "Ks"], hole(1))
    table.run(10)
    table.said.clear()
    return table


def test_a_card_in_the_muck_waits_for_its_fellow_that_is_not_read() -> None:
    table = with_a_hand()
    table.move(["As"], MUCK)
    table.move(["Ks"], BANK)
    table.run(20)
    assert rested(table) == [(hole(1), ("Ks",))]
    table.move(["Ks"], MUCK)
    table.run(10)

    assert dict(rested(table)) == {hole(1): (), MUCK: ("As", "Ks")}
    assert [cards for place, cards in rested(table) if place == MUCK] == [("As", "Ks")]


def test_it_waits_no_longer_than_a_hold() -> None:
    table = with_a_hand()
    table.move(["As"], MUCK)
    table.move(["Ks"], BANK)
    table.run(50)

    assert (MUCK, ("As",)) in rested(table)


def test_it_is_told_at_once_while_its_fellow_lies_before_the_player() -> None:
    table = with_a_hand()
    table.move(["As"], MUCK)
    table.run(6)

    assert (MUCK, ("As",)) in rested(table)


def test_two_folds_in_a_row_do_not_wait_for_each_other() -> None:
    table = Table().count_in()
    table.move(["As", "Ks"], hole(1))
    table.move(["Ad", "Kd"], hole(2))
    table.run(10)
    table.move(["As", "Ks"], MUCK)
    table.run(3)
    table.move(["Ad", "Kd"], MUCK)
    start = len(table.said)
    table.run(2)
    assert (MUCK, ("As", "Ks")) in rested(table, start)
    table.run(5)

    assert rested(table)[-1] == (MUCK, ("Ad", "As", "Kd", "Ks"))


def test_a_half_seen_card_holds_up_the_others_no_longer_than_a_hold() -> None:
    table = Table(hold_ms=2000).count_in()
    table.move(["Ks", "As"], MUCK)
    table.run(1)
    for _ in range(15):  # one card of the two is seen in every third round
        table.move(["As"], MUCK)
        table.run(1)
        table.move(["As"], BANK)
        table.run(2)

    assert rested(table) == [(MUCK, ("Ks",))]


def test_the_muck_and_the_hole_are_scanned_first_while_a_fold_is_half_decided() -> None:
    table = Table(seats=1).count_in()
    table.move(["As"], hole(1))
    table.run(10)
    table.move(["As"], MUCK)
    table.run(2)

    numbers = {antenna.place: antenna.number for antenna in table.layout.antennas}
    assert set(table.tracker.wanted()) == {("cards", numbers[hole(1)]), ("cards", numbers[MUCK])}


def test_the_muck_latches_until_the_next_hand() -> None:
    table = Table(hold_ms=1000).count_in()
    table.move(["As", "Ks"], MUCK)
    table.run(10)
    table.move(["As", "Ks"], BANK)  # under others: unread
    table.move(["2c"], MUCK)
    table.run(60)
    assert rested(table)[-1] == (MUCK, ("2c", "As", "Ks"))

    table.tracker.new_hand(())
    table.move(["2c"], BANK)
    table.run(60)
    start = len(table.said)
    table.move(["2c"], MUCK)
    table.run(10)

    assert rested(table, start) == [(MUCK, ("2c",))]


def test_a_card_taken_back_from_the_muck_was_in_the_muck_and_is_there_no_more() -> None:
    table = Table().count_in()
    table.move(["As", "Ks"], MUCK)
    table.run(10)
    assert rested(table) == [(MUCK, ("As", "Ks"))]
    table.move(["As"], hole(1))
    table.run(10)

    assert dict(rested(table)) == {MUCK: ("Ks",), hole(1): ("As",)}


def test_old_cards_still_on_the_muck_are_not_told_in_the_next_hand() -> None:
    table = Table().count_in()
    table.move(["As", "Ks"], MUCK)
    table.run(10)
    table.tracker.new_hand(())
    start = len(table.said)
    table.move(["2c"], MUCK)
    table.run(20)

    assert rested(table, start) == [(MUCK, ("2c",))]


def test_a_card_seen_at_two_places_at_once_is_named_and_stays() -> None:
    table = Table().count_in()
    table.move(["As"], hole(1))
    table.run(10)
    table.dbm["As", MUCK] = -60
    table.run(20)

    assert [e.items for e in table.said if isinstance(e, SeenTwice)] == [(("As", (hole(1), MUCK)),)]
    assert rested(table) == [(hole(1), ("As",))]


def test_cards_are_told_right_in_noise() -> None:
    table = Table(seats=2, chips=0, miss=0.1, stray=0.01, burst=3, seed=3)
    table.count_in()
    table.move(["As", "Ks"], hole(1))
    table.move(["Ad", "Kd"], hole(2))
    table.run(60)
    table.move(["Qc", "Jc", "Tc"], BOARD)
    table.run(60)
    table.move(["Ad", "Kd"], MUCK)
    table.run(60)

    last = dict(rested(table))
    assert last[hole(1)] == ("As", "Ks")
    assert last[hole(2)] == ()
    assert last[BOARD] == ("Jc", "Qc", "Tc")
    assert last[MUCK] == ("Ad", "Kd")


def test_the_dealer_button_rests_at_a_seat_and_stays_there_when_unseen() -> None:
    table = Table().count_in()
    table.move(["button"], spot(2))
    table.run(10)
    table.move(["button"], BANK)
    table.run(80)
    assert table.tracker.places()["button"] == Place(Zone.BUTTON, 2)
    table.move(["button"], spot(1))
    table.run(10)

    assert [event.seat for event in table.said if isinstance(event, ButtonRested)] == [2, 1]
    assert not motions(table.said)
