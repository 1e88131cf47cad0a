"""Whose turn it is: inferred checks, chips out of turn, folds, and the right to raise."""

import pytest

from controller import commands
from controller.rulings.values import Word
from controller.table.events import BettingClosed, PushHeld, PushReleased, Ruled, StreetOpened, TurnPassed
from controller.table.phases import Phase
from controller.table.setup import House, Sensors
from tests.controller.engine.played import CARDS, FLOP, TURN, Played, dealt


def on_flop(seats: int = 4, **options: object) -> Played:
    """Everybody limped; the flop is open, seat 2 is to act, the button (seat 1) is last."""
    table = dealt(seats, **options)
    for seat in (*range(4, seats + 1), 1):
        table.push(seat, 100)
    table.push(2, 50)
    table.say(3, "check")
    table.sweep()
    table.board(*FLOP)
    assert table.hand.to_act == 2
    return table


# ---------------------------------------------------------------- inferred checks
def test_a_check_is_inferred_when_the_next_player_acts_and_marked_so() -> None:
    table = on_flop()
    table.push(3, 500)

    check, bet = table.of(Ruled)
    assert (check.seat, check.reading.action, check.inferred, check.by) == (2, "check", True, "inferred")
    assert (bet.seat, bet.reading.action, bet.inferred) == (3, "bet", False)


def test_checks_are_inferred_over_several_players_who_owe_nothing() -> None:
    table = on_flop()
    table.push(1, 500)

    assert [(one.seat, one.inferred) for one in table.of(Ruled)] == [(2, True), (3, True), (4, True), (1, False)]
    assert table.hand.to_act == 2


@pytest.mark.parametrize("by", ["mqtt", "web"])
def test_from_outside_a_street_infers_nothing(by: commands.By) -> None:
    """Who does not see the table cannot say that three players checked; who sits at it can."""
    table = on_flop()
    table.tell(commands.NextStreet(), by)
    assert (table.refused(), table.hand.to_act, table.hand.street) == ("betting_open", 2, 1)
    assert not table.of(Ruled)
    table.tell(commands.NextStreet())
    assert [one.inferred for one in table.of(Ruled)] == [True, True, True, True]


def test_from_outside_a_street_opens_behind_a_round_that_is_over() -> None:
    table = on_flop()
    for seat in (2, 3, 4, 1):
        table.say(seat, "check")
    table.tell(commands.NextStreet(), "mqtt")
    assert (table.refused(), table.hand.street) == (None, 2)


def test_nothing_is_inferred_where_somebody_owes() -> None:
    table = dealt(4)
    table.push(1, 100)

    assert not table.of(Ruled)
    assert table.of(PushHeld)
    assert table.hand.to_act == 4


def test_nothing_is_inferred_where_checks_must_be_said() -> None:
    table = on_flop(house=House(check="say", confirm="never"))
    table.push(3, 500)

    assert not table.of(Ruled)
    assert table.of(PushHeld)


def test_the_next_board_card_implies_the_checks_of_all_who_owe_nothing() -> None:
    table = on_flop()
    table.say(2, "check")
    table.board(*FLOP, TURN)

    assert [one.seat for one in table.of(Ruled)] == [3, 4, 1]
    assert all(one.inferred for one in table.of(Ruled))
    assert table.hand.row.name == "turn"
    assert table.hand.to_act == 2


def test_the_option_of_the_big_blind_is_a_check_that_the_flop_implies() -> None:
    table = dealt(3)
    table.push(1, 100)
    table.push(2, 50)
    assert table.hand.to_act == 3
    table.board(*FLOP)

    assert table.of(StreetOpened)
    assert table.of(Ruled)[0].seat == 3


def test_sweeping_all_bets_implies_the_check_of_the_big_blind() -> None:
    table = dealt(3)
    table.push(1, 100)
    table.push(2, 50)
    table.sweep(1)
    assert not table.of(Ruled)
    table.sweep(2, 3)

    assert [(one.seat, one.reading.action, one.inferred) for one in table.of(Ruled)] == [(3, "check", True)]
    assert table.hand.phase is Phase.STREET_CARD
    assert table.alarms() == set()


def test_sweeping_implies_nothing_where_somebody_owes() -> None:
    table = dealt(3)
    table.push(1, 100)
    table.sweep()

    assert not table.of(Ruled)
    assert {key for key, _ in table.alarms()} == {"early_sweep"}


def test_one_key_turns_an_inferred_check_into_an_action_out_of_turn() -> None:
    table = on_flop()
    table.push(3, 500)
    table.tell(commands.OutOfTurn())

    assert table.hand.to_act == 2
    assert table.player(3).bet == 0
    (held,) = table.of(PushHeld)
    assert held.seat == 3

    table.say(2, "check")

    assert table.reading().action == "bet"
    assert table.hand.to_act == 4


def test_the_key_is_refused_where_no_check_was_inferred() -> None:
    table = on_flop()
    table.say(2, "check")
    table.tell(commands.OutOfTurn())

    assert table.refused() == "no_inferred_check"


# ---------------------------------------------------------------- out of turn
def test_chips_out_of_turn_bind_where_the_action_did_not_change() -> None:
    """TDA 2024 53-A, example 1: bet 300; out of turn 800; the player between folds: the raise to 800 binds."""
    table = on_flop()
    table.push(2, 100, 100, 100)
    table.push(4, 500, 100, 100, 100)
    assert table.hand.to_act == 3
    table.fold(3)

    assert (table.reading().action, table.reading().total_to) == ("raise", 800)
    assert table.hand.to_act == 1


def test_chips_out_of_turn_go_back_where_the_action_changed() -> None:
    """TDA 2024 53-A, example 1: the player between raises to 600: 800 goes back, call 600 or raise to 900 and more."""
    table = on_flop()
    table.push(2, 100, 100, 100)
    table.push(4, 500, 100, 100, 100)
    table.push(3, 500, 100)

    (released,) = table.of(PushReleased)
    assert (released.seat, released.why) == (4, "action_changed")
    assert table.hand.to_act == 4
    assert table.balance(4) == 800
    options = table.engine.options(table.state)
    assert options is not None
    assert (options.to_call, options.min_raise_to) == (600, 900)


def test_released_chips_that_stay_are_judged_with_a_word_or_with_more_chips() -> None:
    table = on_flop()
    table.push(2, 100, 100, 100)
    table.push(4, 500, 100, 100, 100)
    table.push(3, 500, 100)
    table.say(4, "call")

    assert (table.reading().total_to, table.reading().change_due) == (600, 200)


def test_chips_out_of_turn_may_be_taken_back() -> None:
    table = on_flop()
    table.push(2, 100, 100, 100)
    table.push(4, 500, 100)
    table.take_back(4, 500, 100)

    assert table.of(PushReleased)[0].why == "taken_back"
    assert table.hand.held == ()
    assert table.alarms() == set()


def test_two_players_with_chips_past_a_skipped_one_are_substantial_action() -> None:
    """TDA 2024 53-B and 36: the floor rules on the skipped hand."""
    table = on_flop()
    table.push(2, 100, 100, 100)
    table.push(4, 100, 100, 100)
    assert table.alarms() == set()
    table.push(1, 100, 100, 100)

    assert table.alarms() == {("substantial_action", 3)}

    table.fold(3)

    assert table.alarms() == set()
    assert table.hand.phase is Phase.SWEEPING


def test_chips_and_a_fold_past_a_skipped_player_are_substantial_action() -> None:
    """TDA 2024 53-B, example 1: a call and a fold past the skipped seat."""
    table = dealt(5)
    table.push(4, 500, 100)
    table.push(1, 500, 100)
    assert table.alarms() == set()
    table.fold(2)

    assert table.alarms() == {("substantial_action", 5)}


def test_two_folds_are_not_substantial_and_three_are() -> None:
    """TDA 2024 36."""
    table = dealt(6)
    table.fold(5)
    table.fold(6)
    assert table.alarms() == set()
    table.fold(1)

    assert table.alarms() == {("substantial_action", 4)}


def test_a_fold_out_of_turn_binds() -> None:
    table = dealt(4)
    table.fold(2)

    assert table.player(2).folded
    assert table.hand.to_act == 4
    assert not table.of(TurnPassed)


# ---------------------------------------------------------------- folds
def test_cards_taken_up_from_the_antenna_are_no_fold() -> None:
    table = dealt(3)
    table.deal(1)

    assert not table.of(Ruled)
    assert table.state.cards[0] == tuple(sorted(CARDS[1]))

    table.muck(*CARDS[1])

    assert table.reading().action == "fold"


def test_one_card_of_a_hand_in_the_muck_is_no_fold_and_is_named() -> None:
    table = dealt(3)
    table.muck(CARDS[1][0])

    assert not table.of(Ruled)
    assert table.hand.question is None
    assert table.alarms() == {("card_in_muck", 1)}


def test_one_card_in_the_muck_while_the_other_lies_nowhere_is_asked_and_both_are_the_fold() -> None:
    table = dealt(3)
    table.deal(1)
    table.muck(CARDS[1][0])
    assert table.hand.question is not None
    assert (table.hand.question.seat, table.hand.question.why) == (1, "cards")
    assert not table.of(Ruled)
    table.muck(*CARDS[1])

    assert table.reading().action == "fold"
    assert table.hand.question is None
    assert table.alarms() == set()


def test_a_question_about_thrown_cards_ends_when_they_lie_before_their_player_again() -> None:
    table = dealt(3)
    table.deal(1)
    table.board(*CARDS[1])
    assert table.hand.question is not None
    table.deal(1, *CARDS[1])
    table.board()

    assert table.hand.question is None
    assert not table.of(Ruled)
    assert table.alarms() == set()
    table.push(1, 100)
    assert table.reading().action == "call"


def test_two_unseen_cards_in_turn_are_the_fold_of_a_seat_whose_cards_nobody_saw() -> None:
    table = dealt(3, sensors=no_holes())
    table.muck("2c")
    assert not table.of(Ruled)
    table.muck("3c")

    (fold,) = table.of(Ruled)
    assert (fold.seat, fold.reading.action, fold.inferred) == (1, "fold", True)


def test_unseen_cards_are_asked_where_the_seat_to_act_has_its_cards() -> None:
    table = dealt(3)
    table.muck("2c", "3c")

    assert table.alarms() == {("muck_unknown", 1)}
    assert not table.player(1).folded


def test_a_burn_at_a_streets_start_is_no_fold() -> None:
    table = dealt(3, sensors=no_holes())
    table.push(1, 100)
    table.push(2, 50)
    table.say(3, "check")
    table.muck("2h")
    table.board(*FLOP)
    table.say(2, "check")
    table.muck("2d")

    assert not any(player.folded for player in table.hand.players)

    table.muck("3s")

    assert table.player(3).folded


def test_a_player_who_is_all_in_cannot_fold() -> None:
    table = dealt(3)
    table.say(1, "all_in")
    table.say(1, "fold")
    assert table.refused() == "all_in_cannot_fold"
    table.fold(1)

    assert ("mucked_all_in", 1) in table.alarms()
    assert not table.player(1).folded


def test_the_house_may_want_folds_said() -> None:
    table = dealt(3, house=House(fold="say", confirm="never"))
    table.fold(1)
    assert not table.player(1).folded
    table.say(1, "fold")

    assert table.player(1).folded


def test_pulled_back_chips_bind_to_call_or_raise_so_a_fold_is_asked() -> None:
    """TDA 2024 46-B."""
    table = dealt(3)
    table.push(1, 500, 100)
    table.fold(2)
    table.take_back(3, 100)
    table.say(3, "fold")

    question = table.asked()
    assert question is not None
    assert question.why == "pulled_back_binds"
    assert [reading.action for reading in question.ruling.readings] == ["call", "fold"]

    table.tell(commands.Answer(reading=1))

    assert table.reading().action == "call"
    assert table.balance(3) == -600


# ---------------------------------------------------------------- the right to raise
def test_a_short_all_in_does_not_let_a_player_raise_again() -> None:
    """TDA 2024 47-A: bet 100, all-in 125: the bettor may only call."""
    table = on_flop(4, stacks=[10_000, 10_000, 225, 10_000])
    table.push(2, 100)
    table.say(3, "all_in")
    table.fold(4)
    table.fold(1)
    assert table.hand.to_act == 2
    options = table.engine.options(table.state)
    assert options is not None
    assert not options.can_raise
    table.push(2, 500, 500)

    assert (table.reading().action, table.reading().total_to) == ("call", 125)


def test_short_all_ins_add_up_to_a_full_raise() -> None:
    """TDA 2024 47-A: bet 100, all-ins 125 and 200: the bettor faces 100 more and may raise to 300."""
    table = on_flop(4, stacks=[10_000, 10_000, 225, 300])
    table.push(2, 100)
    table.say(3, "all_in")
    table.say(4, "all_in")
    table.push(1, 100, 100)
    options = table.engine.options(table.state)

    assert options is not None
    assert (options.can_raise, options.min_raise_to) == (True, 300)


def test_a_raise_opens_the_round_for_everybody_again() -> None:
    table = on_flop()
    table.push(2, 100, 100)
    table.push(3, 100, 100)
    table.push(4, 500, 100)
    table.push(1, 500, 100)

    assert table.hand.to_act == 2
    table.push(2, 100, 100, 100, 100)
    table.fold(3)
    assert table.of(BettingClosed)


@pytest.mark.parametrize("seats", range(2, 11))
def test_order_of_action_goes_once_around(seats: int) -> None:
    table = Played(seats, button=1)
    table.tell(commands.NextHand())
    for post in table.hand.posts_due:
        table.push(post.seat, post.amount)
    table.tell(commands.NextStreet())
    order = []
    while table.hand.phase is Phase.BETTING:
        order.append(table.hand.to_act)
        table.say(None, "check" if table.hand.to_act == blind(seats) else "call")

    first = 1 if seats == 2 else 4 if seats > 3 else 1
    assert order == [(first + step - 1) % seats + 1 for step in range(seats)]


def blind(seats: int) -> int:
    return 2 if seats == 2 else 3


def no_holes() -> Sensors:
    return Sensors(trays=frozenset(range(1, 5)), pot=True, muck=True, board=True)


# ---------------------------------------------------------------- what houses do with actions out of turn
def bet_past_a_skipped_seat(profile: str, *chips: int) -> Played:
    """The flop: seat 2 is to act, seat 4 pushes out of turn, then seat 2 bets 500 and seat 3 folds."""
    table = on_flop(profile=profile, house=House(check="say", confirm="never"))
    table.push(4, *chips)
    table.push(2, 500)
    table.fold(3)
    return table


def test_one_house_holds_a_bet_out_of_turn_to_the_smallest_raise() -> None:
    """Ultimate Poker Tour: held to the minimum; there a raise doubles the bet."""
    table = bet_past_a_skipped_seat("HOUSE_DOUBLE", 100, 100, 100)

    (ruled,) = [event for event in table.of(Ruled) if event.seat == 4]
    assert (ruled.reading.action, ruled.reading.total_to, ruled.reading.must_add) == ("raise", 1000, 700)
    assert (ruled.ruling.why, ruled.ruling.numbers, ruled.by) == ("held_to_least", {"total": 1000}, "out_of_turn")
    assert table.hand.to_act == 1


def test_chips_that_stay_are_judged_as_they_lie_where_they_are_more_than_the_new_bet() -> None:
    """Russian club rules 2.8.13, cash: 1500 out of turn, then a bet of 500: they raise."""
    table = bet_past_a_skipped_seat("RU_CASH", 1000, 500)

    assert (table.reading().action, table.reading().total_to) == ("raise", 1500)


def test_chips_that_stay_may_be_added_to() -> None:
    table = bet_past_a_skipped_seat("RU_CASH", 100, 100, 100)
    assert table.player(4).bet == 300
    table.push(4, 100, 100)

    assert (table.reading().action, table.reading().total_to) == ("call", 500)
    assert table.balance(4) == 0


def test_who_has_nothing_behind_chips_that_stay_is_all_in() -> None:
    table = on_flop(profile="RU_CASH", house=House(check="say", confirm="never"), stacks=[10_000, 10_000, 10_000, 400])
    table.push(4, 100, 100, 100)
    table.push(2, 500)
    table.fold(3)

    assert table.player(4).all_in
    assert table.hand.to_act == 1


def test_a_word_out_of_turn_waits_and_binds_like_chips() -> None:
    """TDA 2024 53-A: action is chips or words."""
    table = on_flop()
    table.push(2, 100, 100, 100)
    table.tell(commands.OutOfTurn(4, Word("raise_to", 800)))
    (held,) = table.of(PushHeld)
    assert (held.act, held.total, held.chips) == ("raise", 800, ())
    table.fold(3)

    assert (table.reading().total_to, table.reading().must_add) == (800, 800)


def test_a_word_out_of_turn_is_free_again_where_the_action_changed() -> None:
    table = on_flop()
    table.push(2, 100, 100, 100)
    table.tell(commands.OutOfTurn(4, Word("call")))
    table.push(3, 500, 100)

    assert table.of(PushReleased)[0].why == "action_changed"
    assert table.hand.to_act == 4
    assert table.player(4).bet == 0


def test_an_inferred_check_taken_back_keeps_the_word_that_was_said_out_of_turn() -> None:
    table = on_flop()
    table.say(4, "bet", 500)
    assert table.player(4).bet == 500
    table.tell(commands.OutOfTurn())
    assert table.hand.to_act == 2
    table.say(2, "check")
    table.say(3, "check")

    assert table.player(4).bet == 500


def test_a_fold_said_out_of_turn_binds_at_once() -> None:
    table = on_flop()
    table.tell(commands.OutOfTurn(4, Word("fold")))

    assert table.player(4).folded


@pytest.mark.parametrize(
    ("seat", "word", "why"),
    [
        (2, Word("check"), "not_out_of_turn"),
        (4, Word("raise"), "not_out_of_turn"),
        (9, Word("check"), "not_in_hand"),
        (4, Word("bet", -1), "bad_amount"),
    ],
)
def test_a_word_that_is_no_action_out_of_turn_is_refused(seat: int, word: Word, why: str) -> None:
    table = on_flop()
    table.tell(commands.OutOfTurn(seat, word))

    assert table.refused() == why


def test_a_fold_that_the_turn_has_passed_counts_no_more_as_action_past_somebody() -> None:
    """TDA 2024 36: seat 5 folded while seat 4 was to act; later only one player acts past seat 6."""
    table = dealt(6)
    table.fold(5)
    table.push(4, 100)
    assert table.hand.to_act == 6
    table.push(1, 100)

    assert table.alarms() == set()


def test_who_checked_out_of_turn_may_raise_again_in_the_next_round() -> None:
    """Robert's Rules: the check costs the right to raise in that turn only."""
    table = on_flop(profile="RROP11", house=House(check="say", confirm="never"))
    table.tell(commands.OutOfTurn(4, Word("check")))
    table.push(2, 100)
    table.fold(3)
    assert table.engine.options(table.state).can_raise is False  # type: ignore[union-attr]
    table.push(4, 100)
    table.push(1, 100)
    table.sweep()
    table.board(*FLOP, TURN)
    table.say(2, "check")

    assert table.engine.options(table.state).can_raise is True  # type: ignore[union-attr]
