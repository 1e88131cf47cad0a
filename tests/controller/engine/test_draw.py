"""Draw: discards and replacements in turn, standing pat, and a muck that is dealt again (Robert's Rules, draw)."""

from controller import commands
from controller.table.draws import to_draw
from controller.table.events import Drew, PotAwarded, StreetOpened
from controller.table.setup import Stakes
from tests.controller.engine.played import Played

SINGLE = Stakes("N2L1D", blinds=(50, 100))
TRIPLE = Stakes("F2L3D", blinds=(50, 100), big_bet=200)
CARDS = {
    2: ("2c", "3c", "4c", "5c", "7d"),
    3: ("2d", "3d", "4d", "6d", "Kd"),
    1: ("2h", "3h", "Qh", "Jh", "Th"),
}


def drawing(game: Stakes = SINGLE, stacks: tuple[int, ...] = (10_000, 10_000, 10_000)) -> Played:
    """All have called, and seat 2, left of the button, changes first."""
    table = Played(3, button=1, game=game, stacks=stacks)
    table.tell(commands.NextHand())
    table.push(2, 50)
    table.push(3, 100)
    for seat, cards in CARDS.items():
        table.deal(seat, *cards)
    table.push(1, 100)
    table.push(2, 50)
    table.say(3, "check")
    table.sweep()
    return table


def throw(table: Played, seat: int, *cards: str) -> None:
    table.deal(seat, *[card for card in table.state.cards[seat - 1] if card not in cards])
    table.muck(*cards)


def give(table: Played, seat: int, *cards: str) -> None:
    table.deal(seat, *table.state.cards[seat - 1], *cards)


def drawn(table: Played) -> list[tuple[int, int]]:
    return [(event.seat, event.cards) for event in table.log if isinstance(event, Drew)]


def test_behind_the_betting_the_seat_left_of_the_button_draws_first() -> None:
    table = drawing()
    assert (table.hand.phase, to_draw(table.hand)) == ("street_card", 2)


def test_cards_to_the_muck_are_discards_and_fold_nobody() -> None:
    table = drawing()
    table.say(2, "pat")
    throw(table, 3, "Kd")
    throw(table, 1, "Qh", "Jh", "Th")
    assert drawn(table) == [(2, 0), (3, 1), (1, 3)]
    assert not any(player.folded for player in table.hand.players)
    give(table, 3, "8s")
    give(table, 1, "7s", "8d", "9s")
    assert (table.hand.row.name, table.hand.phase, table.hand.to_act) == ("after_draw", "betting", 2)


def test_a_whole_hand_may_be_changed() -> None:
    table = drawing()
    throw(table, 2, *CARDS[2])
    assert drawn(table) == [(2, 5)]
    assert not table.player(2).folded


def test_in_a_round_of_betting_a_whole_hand_in_the_muck_is_a_fold() -> None:
    table = Played(3, button=1, game=SINGLE)
    table.tell(commands.NextHand())
    table.push(2, 50)
    table.push(3, 100)
    for seat, cards in CARDS.items():
        table.deal(seat, *cards)
    table.fold(1)
    assert table.player(1).folded


def test_who_lets_the_draw_pass_has_stood_pat() -> None:
    table = drawing()
    throw(table, 3, "Kd")
    assert drawn(table) == [(2, 0), (3, 1)]


def test_discards_that_are_read_one_by_one_are_one_draw() -> None:
    table = drawing()
    table.say(2, "pat")
    throw(table, 3, "Kd")
    throw(table, 3, "6d")
    assert drawn(table)[-1] == (3, 2)
    assert table.player(3).drew == 2


def test_the_street_waits_for_cards_and_for_each_discard_that_was_said() -> None:
    table = drawing()
    table.say(2, "pat")
    table.say(3, "draw", 1)
    table.say(1, "pat")
    assert table.hand.phase == "street_card"
    throw(table, 3, "Kd")
    assert table.hand.phase == "street_card"
    give(table, 3, "8s")
    assert table.hand.phase == "betting"


def test_a_word_may_come_before_the_discards_of_others_are_read() -> None:
    """Nobody before him has stood pat by it: the table waits for them."""
    table = drawing()
    table.say(1, "pat")
    assert (table.refused(), drawn(table), to_draw(table.hand)) == (None, [(1, 0)], 2)


def test_a_draw_of_too_many_cards_is_refused_and_a_number_may_be_put_right() -> None:
    table = drawing()
    table.say(2, "draw", 6)
    assert table.refused() == "too_many_drawn"
    table.say(2, "pat")
    table.say(2, "draw", 2)
    assert (table.refused(), table.player(2).drew) == (None, 2)


def test_a_draw_without_its_number_is_not_none() -> None:
    table = drawing()
    table.say(2, "draw")
    assert (table.refused(), drawn(table)) == ("bad_amount", [])
    table.say(2, "pat", 3)
    assert drawn(table) == [(2, 0)]


def test_nobody_draws_in_a_round_of_betting_nor_in_holdem() -> None:
    table = drawing()
    for seat in (2, 3, 1):
        table.say(seat, "pat")
    table.say(2, "pat")
    assert table.refused() == "no_draw"


def test_three_draws_are_three_streets_also_when_all_are_all_in() -> None:
    table = drawing(TRIPLE, stacks=(100, 100, 100))
    for name in ("first_draw", "second_draw", "third_draw"):
        for seat in (2, 3, 1):
            table.say(seat, "pat")
        assert [event.street for event in table.of(StreetOpened) if isinstance(event, StreetOpened)] == [name]
    [award] = table.of(PotAwarded)
    assert isinstance(award, PotAwarded)
    assert [share.seat for share in award.shares] == [2]  # 7-5-4-3-2 is the best there is


def test_a_card_of_the_muck_counts_again_only_when_the_deck_has_run_out() -> None:
    table = drawing()
    table.say(2, "pat")
    throw(table, 3, "Kd")
    give(table, 1, "Kd")
    assert "Kd" not in table.state.cards[0], "the deck is not out: the card is only read there"
