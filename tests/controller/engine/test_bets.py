"""All bets of a round set in one act: what is legal, what becomes of the chips that lie there, whose turn it is then."""

import pytest

from controller import commands
from controller.commands import BetOf
from controller.spoken import parse
from controller.table.events import Asked, Event, Refused, RoundRestarted, Ruled, Undone
from controller.table.evolve import evolve
from controller.table.phases import Phase
from controller.table.setup import House, Stakes
from tests.controller.engine.played import FLOP, Played, dealt


def bets(table: Played, words: str) -> tuple[Event, ...]:
    return table.tell(parse(["bets", words]))


def amounts(table: Played) -> dict[int, int]:
    return {player.seat: player.bet for player in table.hand.players if not player.folded}


def on_the_flop(seats: int = 4) -> Played:
    """All called; seat 2 is to act."""
    table = dealt(seats)
    for seat in (*range(4, seats + 1), 1):
        table.push(seat, 100)
    table.push(2, 50)
    table.say(3, "check")
    table.sweep()
    table.board(*FLOP)
    assert (table.hand.row.name, table.hand.to_act) == ("flop", 2)
    return table


def test_all_bets_are_set_at_once_and_the_turn_goes_on_behind_the_highest() -> None:
    """Seats 2, 3 and 4 have acted; seat 1 never has."""
    table = on_the_flop()
    bets(table, "2:200 3:500 4:fold")
    assert amounts(table) == {1: 0, 2: 200, 3: 500}
    assert (table.hand.current_bet, table.hand.last_full_raise, table.hand.to_act) == (500, 300, 1)
    assert [(e.seat, e.reading.action, e.reading.total_to, e.by) for e in table.last if isinstance(e, Ruled)] == [
        (2, "bet", 200, "bets"),
        (3, "raise", 500, "bets"),
        (4, "fold", 0, "bets"),
    ]
    table.say(1, "fold")
    assert table.hand.to_act == 2


def test_who_has_not_acted_in_the_round_acts_before_those_who_owe() -> None:
    table = on_the_flop(6)
    bets(table, "2:200 3:500")
    assert table.hand.to_act == 4


def test_the_bets_of_the_example_with_an_all_in() -> None:
    table = on_the_flop()
    bets(table, "2:200 3:500 4:all-in 1:fold")
    everything = table.player(4).bet
    assert (table.player(4).all_in, table.hand.current_bet, table.hand.to_act) == (True, everything, 2)


def test_equal_bets_of_all_close_the_round() -> None:
    table = on_the_flop()
    bets(table, "1:200 2:200 3:200 4:200")
    assert table.hand.phase is Phase.STREET_CARD
    assert sum(player.committed for player in table.hand.players) == 4 * 300


def test_checks_of_all_close_the_round() -> None:
    table = on_the_flop()
    bets(table, "1:0 2:0 3:0 4:0")
    assert table.hand.phase is Phase.STREET_CARD


def test_before_the_flop_the_big_blind_keeps_its_option() -> None:
    table = dealt(4)
    bets(table, "4:100 1:100 2:100")
    assert (amounts(table), table.hand.to_act) == ({1: 100, 2: 100, 3: 100, 4: 100}, 3)
    bets(table, "3:100")
    assert table.hand.phase is not Phase.BETTING


def test_seats_that_are_not_named_stay_as_they_stood() -> None:
    table = on_the_flop()
    table.say(2, "check")
    table.say(3, "bet", 300)
    bets(table, "4:300")
    assert amounts(table) == {1: 0, 2: 0, 3: 300, 4: 300}
    assert table.hand.to_act == 1


def test_wrong_rulings_of_the_round_are_void_and_a_question_is_over() -> None:
    table = dealt(4, house=House(confirm="never"))
    table.push(4, 500, 100)
    table.push(1, 100, 100, 100)
    assert table.asked() is not None
    bets(table, "4:600 1:600")
    assert (table.asked(), table.hand.to_act) == (None, 2)
    assert table.balance(1) == -300, "300 lie there, 300 are missing"


def test_chips_that_lie_there_are_judged_against_the_bet() -> None:
    table = on_the_flop()
    table.push(2, 500)
    assert table.hand.current_bet == 500
    bets(table, "2:200")
    assert (amounts(table)[2], table.balance(2), table.hand.to_act) == (200, 300, 3)
    bets(table, "2:700")
    assert (amounts(table)[2], table.balance(2)) == (700, -200)


def test_a_fold_that_was_none_is_taken_back() -> None:
    table = on_the_flop()
    table.say(2, "fold")
    bets(table, "2:200")
    assert (table.player(2).folded, amounts(table)[2]) == (False, 200)


def test_who_folded_behind_a_bet_leaves_it_in_the_pot() -> None:
    table = on_the_flop()
    table.say(2, "bet", 200)
    bets(table, "3:600 2:fold")
    assert (table.player(2).folded, table.player(2).committed, table.hand.current_bet) == (True, 300, 600)
    bets(table, "2:300 3:600 2:fold")
    assert table.player(2).committed == 400
    table.tell(commands.Undo())
    assert (table.player(2).folded, table.player(2).committed, table.hand.current_bet) == (True, 300, 600)


def test_a_round_that_was_closed_too_early_is_open_again() -> None:
    table = on_the_flop()
    for seat in (2, 3, 4, 1):
        table.say(seat, "check")
    assert table.hand.phase is Phase.STREET_CARD
    bets(table, "1:300")
    assert (table.hand.phase, table.hand.to_act, table.hand.current_bet) == (Phase.BETTING, 2, 300)


def test_before_the_first_action_the_blinds_are_booked_with_it() -> None:
    table = Played(4)
    table.tell(commands.NextHand())
    bets(table, "4:300")
    assert (amounts(table), table.hand.to_act) == ({1: 0, 2: 50, 3: 100, 4: 300}, 1)


@pytest.mark.parametrize("words", ["2:200 3:500", "2:200 3:200 4:200 1:200", "2:fold 3:fold 4:fold"])
def test_one_undo_takes_all_of_it_back_and_one_redo_sets_it_again(words: str) -> None:
    table = on_the_flop()
    table.push(2, 500)
    before = table.state.hand
    bets(table, words)
    after = table.state.hand
    table.tell(commands.Undo())
    assert [type(event) for event in table.last] == [Undone]
    assert table.state.hand == before
    table.tell(commands.Redo())
    assert table.state.hand == after


@pytest.mark.parametrize(
    ("words", "why", "seat", "numbers"),
    [
        ("2:200 3:300", "bet_too_small", 3, {"total": 300, "least": 400}),
        ("2:50", "bet_too_small", 2, {"total": 50, "least": 100}),
        ("2:200 3:350 4:500", "bet_too_small", 3, {"total": 350, "least": 400}),
        ("2:90000", "bet_over_stack", 2, {"total": 90000, "most": 9900}),
        ("2:200 7:200", "not_in_hand", 7, {}),
    ],
)
def test_a_total_that_is_not_legal_is_refused_by_its_seat_and_nothing_changes(
    words: str, why: str, seat: int, numbers: dict[str, int]
) -> None:
    table = on_the_flop()
    state = table.state
    assert bets(table, words) == (Refused(why, seat, numbers),)
    assert table.state.hand == state.hand


def test_an_all_in_below_the_bet_may_have_come_before_or_behind_it() -> None:
    """250 all-in, then 400: were the 250 a raise, 400 would be too small."""
    table = dealt(4, stacks=[20_000, 350, 20_000, 20_000])
    for seat in (4, 1, 2):
        table.say(seat, "call")
    table.say(3, "check")
    table.tell(commands.NextStreet())
    bets(table, "3:200 4:400 2:all-in")
    assert amounts(table) == {1: 0, 2: 250, 3: 200, 4: 400}
    assert table.hand.to_act == 1


def test_who_bet_twice_is_named_twice_where_one_raise_would_be_too_small() -> None:
    table = on_the_flop()
    assert [type(event) for event in bets(table, "2:1500 3:1000")] == [Refused]
    bets(table, "2:500 3:1000 2:1500")
    assert (amounts(table), table.hand.last_full_raise) == ({1: 0, 2: 1500, 3: 1000, 4: 0}, 500)


def test_pot_limit_bounds_it_too() -> None:
    table = dealt(4, game=Stakes(variant="PT", blinds=(50, 100)))
    bets(table, "4:2000")
    (refusal,) = table.last
    assert isinstance(refusal, Refused)
    assert (refusal.why, refusal.seat, refusal.numbers) == ("bet_too_large", 4, {"total": 2000, "most": 350})


def test_raises_that_were_set_count_towards_the_cap() -> None:
    said, set_at_once = (dealt(4, game=Stakes(variant="FT", blinds=(50, 100))) for _ in range(2))
    for seat in (4, 1, 2, 3, 4):
        said.say(seat, "raise")
    bets(set_at_once, "4:200 1:300 2:400 3:500 4:600")
    assert set_at_once.hand.to_act == 1
    options = said.engine.options(said.state)
    assert options is not None
    assert options == set_at_once.engine.options(set_at_once.state)
    assert said.hand.raises == set_at_once.hand.raises == 5


def test_a_button_of_a_seat_may_not_set_bets_and_nobody_when_the_next_card_is_out() -> None:
    table = on_the_flop()
    assert table.tell(parse(["bets", "2:200"]), "seat") == (Refused("dealers_only"),)
    ended = Played(4)
    assert bets(ended, "2:200") == (Refused("no_hand"),)


def test_an_amount_that_was_set_can_be_overruled_as_any_other() -> None:
    table = on_the_flop()
    bets(table, "2:200 3:500")
    table.tell(commands.Overrule(total_to=600))
    assert amounts(table)[3] == 600


def test_evolve_follows_without_a_rule() -> None:
    table = on_the_flop()
    state = table.state
    for event in bets(table, "1:300 2:100 3:200 4:200"):
        state = evolve(state, event)
    assert state == table.state
    assert [event.of for event in table.last if isinstance(event, RoundRestarted)] == [None]
    assert not [event for event in table.last if isinstance(event, Asked)]


def test_the_words_for_it() -> None:
    assert parse(["bets", "1:200", "3:fold", "4:all-in"]) == commands.SetBets(
        (BetOf(1, 200), BetOf(3, folds=True), BetOf(4))
    )
