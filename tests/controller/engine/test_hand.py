"""Hands from the first chip to the stacks, as they are dealt and pushed."""

from controller import commands
from controller.places import POT
from controller.table.events import BettingClosed, HandEnded, PotAwarded, StreetOpened
from controller.table.phases import Phase
from tests.controller.engine.played import FLOP, RIVER, TURN, dealt, spot, tray


def test_posts_are_chips_and_the_seat_left_of_the_big_blind_acts_first() -> None:
    table = dealt(4)

    assert table.hand.phase is Phase.BETTING
    assert table.hand.to_act == 4
    assert [(player.seat, player.bet) for player in table.hand.players] == [(2, 50), (3, 100), (4, 0), (1, 0)]


def test_heads_up_the_button_posts_the_small_blind_and_acts_first() -> None:
    table = dealt(2)

    assert [(player.seat, player.bet) for player in table.hand.players] == [(2, 100), (1, 50)]
    assert table.hand.to_act == 1


def test_a_hand_played_out_pays_the_best_tabled_hand() -> None:
    table = dealt(3)
    table.push(1, 100)
    table.push(2, 50)
    table.say(3, "check")
    assert table.of(BettingClosed)
    table.sweep()
    table.board(*FLOP)
    assert table.of(StreetOpened)
    assert table.hand.to_act == 2
    table.push(2, 100)
    table.push(3, 500, 25)
    table.fold(1)
    table.push(2, 100, 100, 100, 100, 25)
    table.sweep()
    table.board(*FLOP, TURN)
    table.board(*FLOP, TURN, RIVER)
    assert table.hand.to_act == 2
    table.say(2, "check")
    table.say(3, "check")
    assert table.hand.phase is Phase.SHOWDOWN
    table.tell(commands.Show(None))

    (award,) = table.of(PotAwarded)
    assert [(share.seat, share.amount) for share in award.shares] == [(2, 1350)]
    table.move(*table.carry(POT, tray(2), *table.lying(POT)))
    assert table.of(HandEnded)
    assert table.stacks() == [9900, 10_725, 9375]


def test_a_fold_by_all_but_one_ends_the_hand_with_the_uncalled_bet_back() -> None:
    table = dealt(3)
    table.push(1, 500, 100)
    table.fold(2)
    table.fold(3)

    assert table.balance(1) == 600 + 150
    assert table.hand.phase is Phase.PAYING
    table.take_back(1, 500, 100)
    table.move(*table.carry(spot(2), tray(1), 50), *table.carry(spot(3), tray(1), 100))
    assert table.stacks() == [10_150, 9950, 9900]
