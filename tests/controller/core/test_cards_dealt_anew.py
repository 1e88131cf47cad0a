"""Cards that are dealt anew: before anybody acted, and behind a misdeal, no key is needed."""

import pytest

from controller import commands
from controller.places import BANK, MUCK, Zone
from tests.controller.core.card_scenes import bets_in, boards
from tests.controller.core_table import FLOP, HANDS, CoreTable, counted, dealt, hole

HANDS3 = {seat: HANDS[seat] for seat in (1, 2, 3)}
NEW_HANDS = {1: ("Ks", "3h"), 2: ("As", "6h"), 3: ("8h", "Kh")}


def gather(table: CoreTable) -> None:
    table.move([card for card, lies in table.where.items() if lies.zone is Zone.HOLE], BANK)
    table.run(6000)


def deal_round_by_round(table: CoreTable, hands: dict[int, tuple[str, ...]]) -> None:
    for index in range(2):
        for seat, cards in hands.items():
            table.deal(seat, cards[index])
            table.run(700)


def test_a_hand_dealt_anew_before_anybody_acted_counts_without_a_key() -> None:
    table = dealt()
    gather(table)
    deal_round_by_round(table, NEW_HANDS)
    table.run(1000)

    assert [set(cards) for cards in table.core.state.cards] == [set(cards) for cards in NEW_HANDS.values()]
    assert table.alarms() == set()
    assert table.hand.to_act == 1


@pytest.mark.parametrize("hands", [NEW_HANDS, HANDS3], ids=["others", "the same"])
def test_behind_a_misdeal_the_next_deal_needs_no_key(hands: dict[int, tuple[str, ...]]) -> None:
    table = dealt()
    table.tell(commands.Misdeal())
    gather(table)
    deal_round_by_round(table, hands)
    table.run(1000)
    for post in table.hand.posts_due:
        table.push(post.seat, post.amount)
    table.still()

    assert table.hand.number == 2
    assert table.hand.phase == "betting"
    assert [set(cards) for cards in table.core.state.cards] == [set(cards) for cards in hands.values()]


def test_a_neighbours_hand_read_at_a_seat_that_holds_its_own_is_no_new_deal() -> None:
    table = dealt()
    table.move(HANDS[2], BANK)
    table.run(6000)
    table.move(HANDS[3], hole(2))
    table.run(2000)
    assert table.alarms() == {"card_moved"}
    for seat in (2, 3):
        table.move(HANDS[seat], hole(seat))
    table.run(2000)

    assert [set(cards) for cards in table.core.state.cards] == [set(HANDS[seat]) for seat in (1, 2, 3)]
    assert table.alarms() == set()


def test_a_board_laid_while_the_pot_is_paid_is_none_of_the_hand() -> None:
    table = dealt()
    bets_in(table)
    table.tell(commands.NextStreet())
    table.say(2, "bet", 100)
    for seat in (3, 1):
        table.say(seat, "fold")
    table.log.clear()
    table.board(*FLOP)
    table.run(3000)

    assert table.hand.phase == "paying"
    assert boards(table) == []


@pytest.mark.parametrize("dealt_out", [False, True], ids=["while dealing", "when all have theirs"])
def test_an_exposed_card_that_goes_to_the_muck_is_replaced_by_the_next(dealt_out: bool) -> None:
    table = counted()
    table.tell(commands.NextHand())
    deal_round_by_round(table, HANDS3 if dealt_out else {seat: HANDS3[seat] for seat in (2, 3)})
    table.move((HANDS[2][0],), MUCK)
    table.run(1500)
    table.deal(2, "9d")
    table.run(1500)
    table.deal(1, *HANDS[1])
    table.run(1500)

    assert table.rulings() == []
    assert set(table.core.state.cards[1]) == {HANDS[2][1], "9d"}
    assert table.hand.phase == "betting"
    assert table.alarms() == set()


def test_cards_dealt_when_somebody_has_acted_are_named_and_change_no_hand() -> None:
    table = dealt()
    table.push(1, 100)
    table.still()
    table.move(HANDS[2], BANK)
    table.run(6000)
    table.deal(2, "3h", "6h")
    table.run(2000)

    assert "too_many_cards" in table.alarms()
