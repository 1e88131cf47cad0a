"""Straddles of every kind, the rock and kill blinds, played: order of action, what each player faces and may do."""

from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from controller import commands
from controller.rulings.forced_bets import Kill
from controller.rulings.profiles import load
from controller.rulings.rules import Rules
from controller.rulings.values import Options
from controller.table.events import Posted, PushReleased, Ruled
from controller.table.phases import Phase
from controller.table.setup import Stakes
from tests.controller.engine.played import CARDS, FLOP, Played

SEATS = 5


def house(straddle: str, profile: str = "RROP11", game: Stakes | None = None, **more: Any) -> Played:
    """Button at seat 1, blinds of 50 and 100 posted by seats 2 and 3, no card dealt yet."""
    table = Played(SEATS, button=1, game=game)
    table.engine.setting.rules = Rules(replace(load(profile), straddle=straddle, **more))
    table.tell(commands.NextHand())
    post_blinds(table)
    return table


def post_blinds(table: Played) -> None:
    for post in table.hand.posts_due:
        if post.kind != "straddle":
            table.push(post.seat, *[50] * (post.amount // 50))


def deal(table: Played) -> None:
    for seat in range(1, SEATS + 1):
        table.deal(seat, *CARDS[seat])


def posts(table: Played) -> list[tuple[int, str, int]]:
    found = [(event.seat, event.kind, event.amount) for event in table.log if isinstance(event, Posted)]
    return [post for post in found if post[1] not in {"small_blind", "big_blind"}]


def order(table: Played, folding: Iterable[int] = ()) -> list[int]:
    """Seats in the order in which they act, all calling or checking but those who fold."""
    found: list[int] = []
    while table.hand.phase is Phase.BETTING:
        seat = table.hand.to_act
        assert seat is not None
        found.append(seat)
        options = table.engine.options(table.state)
        assert options is not None
        table.say(seat, "fold" if seat in folding else "call" if options.to_call else "check")
    return found


def options(table: Played) -> Options:
    found = table.engine.options(table.state)
    assert found is not None
    return found


# ---------------------------------------------------------------- Mississippi, re-straddles
def test_a_mississippi_straddle_of_the_button_lets_the_blinds_act_first() -> None:
    """Wikipedia, Betting in poker: action begins on the straddler's left, and he has the last word."""
    table = house("mississippi")
    table.push(1, 100, 100)
    deal(table)

    assert posts(table) == [(1, "straddle", 200)]
    assert table.hand.to_act == 2
    assert options(table) == Options(to_call=150, can_raise=True, min_raise_to=400, max_raise_to=None)
    assert order(table) == [2, 3, 4, 5, 1]


@pytest.mark.parametrize("seat", [4, 5, 1])
def test_a_mississippi_straddle_comes_from_any_seat_but_the_blinds(seat: int) -> None:
    table = house("mississippi")
    table.push(seat, 100, 100)
    deal(table)

    assert posts(table) == [(seat, "straddle", 200)]
    assert order(table)[-1] == seat


def test_the_blinds_do_not_straddle() -> None:
    table = house("mississippi")
    table.push(2, 100, 100)

    assert posts(table) == []
    assert [push.seat for push in table.hand.held] == [2]


def test_nobody_straddles_twice_where_the_house_does_not_have_it() -> None:
    """Russian club rules 2.12.3."""
    table = house("under_the_gun")
    table.push(4, 100, 100)
    table.push(5, 100, 100, 100, 100)

    assert posts(table) == [(4, "straddle", 200)]
    assert (table.reading().action, table.reading().total_to) == ("raise", 400)


def test_a_re_straddle_doubles_the_straddle_and_acts_last() -> None:
    table = house("under_the_gun", restraddle=True)
    table.push(4, 100, 100)
    table.push(5, 100, 100, 100, 100)
    deal(table)

    assert posts(table) == [(4, "straddle", 200), (5, "straddle", 400)]
    assert table.hand.to_act == 1
    assert (options(table).to_call, options(table).min_raise_to) == (400, 800)
    assert order(table) == [1, 2, 3, 4, 5]


def test_the_raise_over_a_re_straddle_by_the_difference() -> None:
    """WSOP live 11 as its rule reads for 100-200-400: the least raise adds the 200 that the last straddle added."""
    table = house("under_the_gun", "WSOP_LIVE", restraddle=True)
    table.push(4, 100, 100)
    table.push(5, 100, 100, 100, 100)
    deal(table)

    assert posts(table) == [(4, "straddle", 200), (5, "straddle", 400)]
    assert options(table).min_raise_to == 600


def test_the_flop_may_be_bet_by_the_straddle() -> None:
    table = house("mississippi", postflop_min="straddle")
    table.push(1, 100, 100)
    deal(table)
    order(table)
    table.board(*FLOP)

    assert options(table).min_raise_to == 200


def test_a_straddle_in_fixed_limit_is_raised_by_one_bet() -> None:
    table = house("under_the_gun", game=Stakes("FT", blinds=(50, 100)))
    table.push(4, 100, 100)
    deal(table)
    assert (options(table).min_raise_to, options(table).max_raise_to) == (300, 300)
    for total in (300, 400, 500):
        table.say(None, "raise_to", total)
        assert table.reading().total_to == total
    assert not options(table).can_raise
    table.say(None, "fold")
    order(table)
    table.board(*FLOP)
    assert options(table).min_raise_to == 100


def test_a_straddle_counts_in_the_pot_of_pot_limit() -> None:
    """50, 100 and 200 lie there: 200 to call make 550, so 750 in all."""
    table = house("under_the_gun", game=Stakes("PT", blinds=(50, 100)))
    table.push(4, 100, 100)
    deal(table)

    assert options(table) == Options(to_call=200, can_raise=True, min_raise_to=400, max_raise_to=750)


# ---------------------------------------------------------------- sleepers
def sleeping(seat: int) -> Played:
    table = house("sleeper")
    table.push(seat, 100, 100)
    return table


def test_a_sleeper_waits_until_the_turn_comes_to_it() -> None:
    table = sleeping(1)
    deal(table)

    assert posts(table) == []
    assert (table.hand.to_act, table.hand.current_bet) == (4, 100)
    assert options(table).min_raise_to == 200
    assert table.balance(1) == 0


def test_a_sleeper_is_a_straddle_when_all_before_it_have_folded() -> None:
    table = sleeping(1)
    deal(table)
    table.say(4, "fold")
    table.say(5, "fold")

    assert posts(table) == [(1, "straddle", 200)]
    assert not table.player(1).action
    assert table.hand.to_act == 2
    assert (options(table).to_call, options(table).min_raise_to) == (150, 400)
    assert order(table) == [2, 3, 1]
    assert table.balance(1) == 0


@pytest.mark.parametrize(("word", "amount"), [("call", None), ("raise_to", 300)])
def test_a_sleeper_goes_back_when_somebody_called_or_raised_before_it(word: Any, amount: int | None) -> None:
    table = sleeping(1)
    deal(table)
    table.say(4, word, amount)
    table.say(5, "fold")

    assert posts(table) == []
    assert [event.why for event in table.log if isinstance(event, PushReleased)] == ["action_changed"]
    assert table.hand.to_act == 1
    assert table.balance(1) == 200
    assert options(table).can_raise


def test_a_sleeper_under_the_gun_is_a_straddle_at_once() -> None:
    table = sleeping(4)
    deal(table)

    assert posts(table) == [(4, "straddle", 200)]
    assert order(table) == [5, 1, 2, 3, 4]


def test_a_sleeper_that_is_taken_back_is_none() -> None:
    table = sleeping(1)
    table.take_back(1, 100, 100)
    deal(table)
    table.say(4, "fold")
    table.say(5, "fold")

    assert posts(table) == []
    assert table.hand.to_act == 1


def test_other_chips_out_of_turn_are_no_sleeper() -> None:
    table = house("sleeper")
    table.push(1, 100, 100, 100)
    deal(table)
    table.say(4, "fold")
    table.say(5, "fold")

    assert posts(table) == []
    assert [event.reading.total_to for event in table.log if isinstance(event, Ruled) and event.seat == 1] == [300]


def test_sleepers_are_no_substantial_action() -> None:
    """Posting is no action (TDA 2024 36)."""
    table = house("sleeper", substantial="two")
    table.push(5, 100, 100)
    table.push(1, 100, 100)
    deal(table)

    assert table.alarms() == set()
    assert table.hand.to_act == 4


# ---------------------------------------------------------------- the rock
def rocky(winner: int) -> Played:
    """Seat `winner` takes the first pot, and so the rock; then the second hand begins."""
    table = house("rock")
    deal(table)
    for _ in range(SEATS):
        if table.hand.phase is Phase.BETTING:
            seat = table.hand.to_act
            table.say(seat, "raise_to" if seat == winner else "fold", 400 if seat == winner else None)
    assert table.hand.owed[0].seat == winner
    table.tell(commands.NextHand())
    return table


def test_who_won_the_last_pot_holds_the_rock_and_must_straddle() -> None:
    table = rocky(5)
    assert (table.hand.button, [post.seat for post in table.hand.posts_due]) == (2, [3, 4, 5])
    assert [(post.kind, post.amount) for post in table.hand.posts_due if post.seat == 5] == [("straddle", 200)]
    table.tell(commands.NextStreet())

    assert table.hand.to_act == 1
    assert (options(table).to_call, options(table).min_raise_to) == (200, 400)
    assert table.player(5).bet == 200
    assert order(table) == [1, 2, 3, 4, 5]


def test_the_rock_straddles_from_the_button_and_not_from_a_blind() -> None:
    assert [post.kind for post in rocky(2).hand.posts_due] == ["small_blind", "big_blind", "straddle"]
    assert [post.kind for post in rocky(4).hand.posts_due] == ["small_blind", "big_blind"]


def test_nobody_else_straddles_where_there_is_a_rock() -> None:
    table = rocky(5)
    table.push(1, 100, 100)

    assert all(post.seat != 1 for post in table.hand.posts_due)
    assert posts(table) == []


def test_the_rock_stays_where_it_is_after_a_misdeal() -> None:
    table = rocky(5)
    table.tell(commands.Misdeal())

    assert table.state.table.rock == 5


# ---------------------------------------------------------------- kill blinds
def killed_by(seat: int, kill: Kill, variant: str = "FT", **more: Any) -> Played:
    table = Played(SEATS, button=1, game=Stakes(variant, blinds=(50, 100), kill=kill), **more)
    table.tell(commands.Kill(seat))
    table.tell(commands.NextHand())
    return table


@pytest.mark.parametrize(("kill", "bet"), [("half", 150), ("full", 200)])
def test_a_kill_raises_the_price_and_every_bet(kill: Kill, bet: int) -> None:
    """Robert's Rules, kill pots."""
    table = killed_by(5, kill)
    assert [(post.seat, post.kind, post.amount) for post in table.hand.posts_due][-1] == (5, "kill", bet)
    post_blinds(table)
    deal(table)

    assert table.hand.to_act == 4
    assert options(table) == Options(to_call=bet, can_raise=True, min_raise_to=2 * bet, max_raise_to=2 * bet)
    assert order(table) == [4, 5, 1, 2, 3]
    for cards, size in ((FLOP, bet), ((*FLOP, "3d"), 2 * bet)):
        table.board(*cards)
        assert options(table).min_raise_to == size
        order(table)


def test_the_kill_blind_is_live_and_may_raise() -> None:
    table = killed_by(5, "full")
    table.tell(commands.NextStreet())
    table.say(4, "call")

    assert options(table) == Options(to_call=0, can_raise=True, min_raise_to=400, max_raise_to=400)


def test_a_blind_that_kills_posts_the_difference() -> None:
    table = killed_by(3, "full")

    assert [(post.kind, post.amount) for post in table.hand.posts_due if post.seat == 3] == [
        ("big_blind", 100),
        ("kill", 100),
    ]
    table.tell(commands.NextStreet())
    assert table.player(3).bet == 200


def test_a_kill_is_for_one_hand_and_a_misdeal_gives_it_back() -> None:
    table = killed_by(5, "full")
    table.tell(commands.Misdeal())
    table.tell(commands.NextHand())
    assert table.hand.current_bet == 200
    table.tell(commands.NextStreet())
    order(table, folding=range(1, 6))
    table.tell(commands.NextHand())

    assert table.hand.current_bet == 100
    assert table.hand.limits.small_bet == 100


def test_a_kill_in_no_limit_is_the_new_smallest_bet() -> None:
    table = killed_by(5, "half", "NT")
    table.tell(commands.NextStreet())
    assert (options(table).to_call, options(table).min_raise_to) == (150, 300)
    order(table)
    table.tell(commands.NextStreet())

    assert options(table).min_raise_to == 150


def test_nobody_kills_where_the_game_has_no_kill_or_has_no_such_seat() -> None:
    table = Played(SEATS, button=1)
    table.tell(commands.Kill(5))
    assert table.refused() == "no_kill"

    table = Played(SEATS, button=1, game=Stakes("FT", blinds=(50, 100), kill="full"))
    table.tell(commands.Kill(9))
    assert table.refused() == "no_such_seat"
    table.tell(commands.SeatOut(5))
    table.tell(commands.Kill(5))
    table.tell(commands.NextHand())
    assert table.hand.current_bet == 100
