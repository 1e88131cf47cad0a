"""Button and blinds from hand to hand, missed blinds, antes and straddles: what each player then faces and may do."""

import pytest

from controller import commands
from controller.rulings.blinds import Missed, Places, after, comes_back, missed, next_places
from controller.rulings.profiles import load
from controller.rulings.values import Options
from controller.table.events import Posted, Ruled
from controller.table.phases import Phase
from controller.table.setup import Stakes
from tests.controller.engine.played import CARDS, FLOP, Played

TDA, CASH = load("TDA2024"), load("RROP11")


def by_folding(table: Played, hands: int) -> list[tuple[int, list[tuple[int, str]]]]:
    """Button and posts of so many hands that everybody folds."""
    seen = []
    for _ in range(hands):
        next_hand(table)
        seen.append((table.hand.button, [(post.seat, post.kind) for post in table.hand.posts_due]))
        fold_all(table)
    return seen


def next_hand(table: Played) -> None:
    table.tell(commands.NextHand())
    assert table.refused() is None


def fold_all(table: Played) -> None:
    table.tell(commands.NextStreet())
    while table.hand.phase is Phase.BETTING:
        table.say(None, "fold")


def options(table: Played) -> Options:
    found = table.engine.options(table.state)
    assert found is not None
    return found


# ---------------------------------------------------------------- the rule
def test_a_dead_button_keeps_the_big_blind_moving_by_one_player() -> None:
    """Russian club rules 2.11.1: small blind and button follow, to an empty chair if need be."""
    assert next_places(TDA, (1, 2, 3, 4), 2, 3) == Places(button=2, small=3, big=4, small_place=3)
    assert next_places(TDA, (1, 2, 4, 5), 2, 3) == Places(button=2, small=None, big=4, small_place=3)
    assert next_places(TDA, (1, 3, 4, 5), 2, 3) == Places(button=2, small=3, big=4, small_place=3)


def test_heads_up_the_big_blind_moves_on_and_the_other_has_the_button() -> None:
    """TDA 2024 34-B: nobody is the big blind twice in a row."""
    assert next_places(TDA, (1, 3), 2, 3) == Places(button=3, small=3, big=1, small_place=3)
    assert next_places(TDA, (1, 2), 2, 3) == Places(button=2, small=2, big=1, small_place=2)


def test_one_house_moves_the_button_to_the_next_player() -> None:
    from msgspec.structs import replace

    assert next_places(replace(TDA, button="moving"), (1, 2, 4, 5), 2, 3) is None


def test_the_next_player_is_clockwise() -> None:
    assert [after((1, 3, 6), place) for place in (1, 2, 3, 6, 9)] == [3, 3, 6, 1, 1]


def test_a_blind_that_passes_who_sits_out_is_missed_in_cash_games_only() -> None:
    """Robert's Rules, button and blinds."""
    now = Places(button=2, small=3, big=5, small_place=3)

    assert missed(CASH, (4,), (2, 3), now) == (Missed(4, small=False, big=True),)
    assert missed(CASH, (3,), (2, 3), Places(2, None, 4, 3)) == (Missed(3, small=True, big=False),)
    assert missed(CASH, (6,), (2, 3), now) == ()
    assert missed(TDA, (4,), (2, 3), now) == ()


def test_missed_blinds_are_posted_unless_he_comes_back_in_a_blind() -> None:
    owed = Missed(4, small=True, big=True)

    assert comes_back(owed, Places(1, 2, 3, 2), 50, 100).live == 100
    assert comes_back(owed, Places(1, 2, 3, 2), 50, 100).dead == 50
    assert comes_back(owed, Places(2, 3, 4, 3), 50, 100).live == 0


# ---------------------------------------------------------------- at the table
def test_the_big_blind_who_leaves_leaves_a_dead_small_blind_and_then_a_dead_button() -> None:
    table = Played(5, button=1)
    assert by_folding(table, 1) == [(1, [(2, "small_blind"), (3, "big_blind")])]
    table.tell(commands.SeatOut(3))

    assert by_folding(table, 3) == [
        (2, [(4, "big_blind")]),
        (3, [(4, "small_blind"), (5, "big_blind")]),
        (4, [(5, "small_blind"), (1, "big_blind")]),
    ]


def test_where_all_fold_to_a_big_blind_alone_there_is_no_pot_and_he_takes_his_chips_back() -> None:
    table = Played(4, button=1)
    next_hand(table)
    table.push(2, 50)
    table.push(3, 100)
    fold_all(table)
    table.sweep()
    table.tell(commands.SeatOut(3))
    next_hand(table)
    table.push(4, 100)
    fold_all(table)

    assert table.hand.phase is Phase.BETWEEN_HANDS
    assert table.balance(4) == 100
    table.take_back(4, 100)
    assert table.balance(4) == 0


def test_with_a_dead_small_blind_the_seat_behind_the_big_blind_acts_first() -> None:
    table = Played(5, button=1)
    by_folding(table, 1)
    table.tell(commands.SeatOut(3))
    next_hand(table)
    table.tell(commands.NextStreet())

    assert table.hand.to_act == 5
    assert (options(table).to_call, options(table).min_raise_to) == (100, 200)
    order = []
    while table.hand.phase is Phase.BETTING:
        order.append(table.hand.to_act)
        table.say(None, "check" if table.hand.to_act == 4 else "call")
    assert order == [5, 1, 2, 4]
    table.board(*FLOP)
    assert table.hand.to_act == 4


def test_three_become_two_and_nobody_pays_the_big_blind_twice() -> None:
    """TDA 2024 34-B: button 1, blinds 2 and 3; seat 2 leaves: seat 1 is the big blind, seat 3 has the button."""
    table = Played(3, button=1)
    by_folding(table, 1)
    table.tell(commands.SeatOut(2))
    next_hand(table)

    assert table.hand.button == 3
    assert [(post.seat, post.kind) for post in table.hand.posts_due] == [(1, "big_blind"), (3, "small_blind")]
    table.tell(commands.NextStreet())
    assert table.hand.to_act == 3
    assert options(table).to_call == 50


def test_two_become_three() -> None:
    table = Played(3, button=1)
    table.tell(commands.SeatOut(3))
    assert by_folding(table, 1) == [(1, [(2, "big_blind"), (1, "small_blind")])]
    table.tell(commands.SeatIn(3))

    assert by_folding(table, 1) == [(1, [(2, "small_blind"), (3, "big_blind")])]


def test_a_misdeal_deals_the_same_hand_again() -> None:
    table = Played(5, button=1)
    by_folding(table, 1)
    table.tell(commands.SeatOut(3))
    next_hand(table)
    first = (table.hand.button, table.hand.posts_due)
    table.tell(commands.Misdeal())
    next_hand(table)

    assert (table.hand.button, table.hand.posts_due) == first


def test_a_person_may_put_the_button_elsewhere() -> None:
    table = Played(5, button=1)
    by_folding(table, 1)
    table.tell(commands.SetButton(4))

    assert by_folding(table, 1) == [(4, [(5, "small_blind"), (1, "big_blind")])]


# ---------------------------------------------------------------- missed blinds
def back_after_missing_both() -> Played:
    """Seat 4 of five sits out while both blinds pass it, and comes back when seat 1 is the big blind."""
    table = Played(5, button=1, profile="RROP11")
    by_folding(table, 1)
    table.tell(commands.SeatOut(4))
    by_folding(table, 3)
    table.tell(commands.SeatIn(4))
    next_hand(table)
    return table


def test_who_missed_both_blinds_posts_the_big_one_live_and_the_small_one_dead() -> None:
    """Robert's Rules, button and blinds."""
    table = back_after_missing_both()

    posts = [(post.seat, post.kind, post.amount) for post in table.hand.posts_due if post.seat == 4]
    assert posts == [(4, "live", 100), (4, "dead", 50)]
    table.push(4, 100, 50)
    assert [(event.kind, event.amount) for event in table.of(Posted)] == [("live", 100), ("dead", 50)]  # type: ignore[attr-defined]
    assert (table.player(4).bet, table.player(4).committed, table.player(4).dead) == (100, 150, 50)
    assert table.balance(4) == 0


def test_a_live_post_owes_nothing_and_keeps_the_right_to_raise() -> None:
    table = back_after_missing_both()
    table.tell(commands.NextStreet())
    while table.hand.to_act != 4:
        table.say(None, "fold")

    assert options(table) == Options(to_call=0, can_raise=True, min_raise_to=200, max_raise_to=None)


def test_a_dead_post_is_in_the_pot_and_in_nobodys_bet() -> None:
    table = back_after_missing_both()
    table.tell(commands.NextStreet())
    while table.hand.phase is Phase.BETTING:
        owes = table.hand.current_bet > table.player(table.hand.to_act or 0).bet
        table.say(None, "call" if owes else "check")
    table.board(*FLOP)

    assert [pot.amount for pot in table.hand.pots] == [550]


def test_missed_blinds_are_owed_once() -> None:
    table = back_after_missing_both()
    fold_all(table)
    next_hand(table)

    assert {post.kind for post in table.hand.posts_due} <= {"small_blind", "big_blind"}


def test_a_short_stack_makes_up_for_blinds_with_what_it_has() -> None:
    table = Played(5, button=1, profile="RROP11", stacks=[10_000, 10_000, 10_000, 120, 10_000])
    by_folding(table, 1)
    table.tell(commands.SeatOut(4))
    by_folding(table, 3)
    table.tell(commands.SeatIn(4))
    next_hand(table)

    assert [(p.kind, p.amount) for p in table.hand.posts_due if p.seat == 4] == [("live", 100), ("dead", 20)]
    table.tell(commands.NextStreet())
    assert table.player(4).all_in


# ---------------------------------------------------------------- short blinds and antes
def test_the_price_of_a_short_big_blind_heads_up_differs_by_house() -> None:
    """Robert's Rules: the full blind. Russian club rules 2.3.2: what was posted."""
    prices = {}
    for profile in ("RROP11", "RU_CASH"):
        table = Played(2, button=1, profile=profile, stacks=[10_000, 60])
        next_hand(table)
        prices[profile] = table.hand.current_bet

    assert prices == {"RROP11": 100, "RU_CASH": 60}


@pytest.mark.parametrize(
    ("profile", "by", "stack", "posted"),
    [
        ("TDA2024", "big_blind", 130, {"big_blind": 100, "ante": 30}),  # TDA 2024 RP-11: blind first
        ("TDA2019", "big_blind", 130, {"big_blind": 30, "ante": 100}),  # TDA 2019 RP-11: ante first
        ("TDA2024", "each", 130, {"ante": 100, "big_blind": 30}),  # antes of all come first
        ("BARGE", "big_blind", 10_000, {"big_blind": 100, "ante": 50}),  # BARGE: reduced at four players
    ],
)
def test_a_big_blind_ante_is_posted_in_the_houses_order(
    profile: str, by: str, stack: int, posted: dict[str, int]
) -> None:
    game = Stakes(blinds=(50, 100), ante=100, ante_by=by)  # type: ignore[arg-type]
    table = Played(4, button=1, profile=profile, game=game, stacks=[10_000, 10_000, stack, 10_000])
    next_hand(table)

    assert {post.kind: post.amount for post in table.hand.posts_due if post.seat == 3} == posted
    table.tell(commands.NextStreet())
    assert options(table).to_call == 100
    assert options(table).min_raise_to == 200


# ---------------------------------------------------------------- straddles
def before_cards(profile: str = "RROP11", seats: int = 5, **more: object) -> Played:
    table = Played(seats, button=1, profile=profile, **more)  # type: ignore[arg-type]
    next_hand(table)
    table.push(2, 50)
    table.push(3, 100)
    return table


def deal_all(table: Played) -> None:
    for seat in range(1, table.seats + 1):
        table.deal(seat, *CARDS[seat])


def test_an_under_the_gun_straddle_is_the_new_price_and_acts_last() -> None:
    """Robert's Rules: 50-100-200, a raise goes to 400."""
    table = before_cards()
    table.push(4, 100, 100)

    (posted,) = table.of(Posted)
    assert (posted.seat, posted.kind, posted.amount) == (4, "straddle", 200)  # type: ignore[attr-defined]
    deal_all(table)
    assert table.hand.to_act == 5
    assert (options(table).to_call, options(table).min_raise_to) == (200, 400)
    order = []
    while table.hand.phase is Phase.BETTING:
        order.append(table.hand.to_act)
        table.say(None, "check" if table.hand.to_act == 4 else "call")
    assert order == [5, 1, 2, 3, 4]


def test_who_straddled_may_raise_when_all_have_called() -> None:
    table = before_cards()
    table.push(4, 100, 100)
    deal_all(table)
    for seat in (5, 1, 2, 3):
        table.say(seat, "call")

    assert options(table) == Options(to_call=0, can_raise=True, min_raise_to=400, max_raise_to=None)


def test_the_straddle_may_be_said() -> None:
    table = before_cards()
    table.say(4, "raise_to", 200)

    assert table.of(Posted)
    assert not table.of(Ruled)
    assert table.balance(4) == -200
    table.push(4, 100, 100)
    assert table.balance(4) == 0


@pytest.mark.parametrize(("profile", "seat"), [("TDA2024", 4), ("RROP11", 5), ("RROP11", 1)])
def test_no_straddle_in_tournaments_nor_from_another_seat(profile: str, seat: int) -> None:
    table = before_cards(profile)
    table.push(seat, 100, 100)

    assert not any(isinstance(event, Posted) and event.kind == "straddle" for event in table.log)


def test_only_twice_the_big_blind_is_a_straddle() -> None:
    """Russian club rules 2.12.3."""
    table = before_cards("RU_CASH")
    table.push(4, 100, 100, 100)

    assert table.reading().action == "raise"


def test_after_the_first_card_it_is_a_raise() -> None:
    table = before_cards()
    table.deal(1, "As")
    table.push(4, 100, 100)

    assert table.reading().action == "raise"


def test_the_flop_is_bet_by_the_big_blind_again() -> None:
    table = before_cards()
    table.push(4, 100, 100)
    deal_all(table)
    for seat in (5, 1, 2, 3):
        table.say(seat, "call")
    table.say(4, "check")
    table.board(*FLOP)

    assert table.hand.to_act == 2
    assert options(table).min_raise_to == 100
