"""Fixed limit, pot limit, half pot and spread limit, played: what each player then faces and may do."""

from typing import Any

import pytest
from msgspec.structs import replace

from controller import commands
from controller.rulings import profiles
from controller.rulings.rules import Rules
from controller.rulings.values import Options, Word
from controller.table.phases import Phase
from controller.table.setup import Stakes
from tests.controller.engine.played import FLOP, RIVER, TURN, Played, dealt

FIXED = Stakes("FT", blinds=(50, 100))
POT = Stakes("PT", blinds=(50, 100))
HALF = Stakes("HT", blinds=(50, 100))
SPREAD = Stakes("ST", blinds=(50, 100), spread=(50, 500))
SPREAD_LAST = Stakes("ST", blinds=(50, 100), spread=(100, 500, 1000))


def options(table: Played) -> Options:
    found = table.engine.options(table.state)
    assert found is not None
    return found


def raise_to(table: Played) -> tuple[int | None, int | None] | None:
    """Smallest and largest total of a raise of the seat to act; None: it may not raise."""
    found = options(table)
    return (found.min_raise_to, found.max_raise_to) if found.can_raise else None


def street(table: Played, *board: str) -> None:
    """The round is over: bets are swept and the next cards come."""
    table.sweep()
    table.board(*board)
    assert table.hand.phase is Phase.BETTING


def limped(seats: int = 3, **more: Any) -> Played:
    """All called the big blind and the flop is open; seat 2 is to act."""
    table = dealt(seats, **more)
    while table.hand.phase is Phase.BETTING:
        table.say(None, "call" if options(table).to_call else "check")
    for player in table.hand.players:
        table.push(player.seat, *[50] * (table.player(player.seat).bet // 50 - table.front(player.seat) // 50))
    street(table, *FLOP)
    return table


# ---------------------------------------------------------------- fixed limit
def test_fixed_limit_bets_small_before_and_on_the_flop_and_big_from_the_turn_on() -> None:
    table = dealt(3, game=FIXED)
    assert raise_to(table) == (200, 200)
    for seat in (1, 2, 3):
        table.say(seat, "check" if seat == 3 else "call")
    for cards, bet in ((FLOP, 100), ((*FLOP, TURN), 200), ((*FLOP, TURN, RIVER), 200)):
        table.tell(commands.NextStreet())
        assert raise_to(table) == (bet, bet), cards
        table.say(2, "bet")
        assert table.reading().total_to == bet
        assert raise_to(table) == (2 * bet, 2 * bet)
        table.say(3, "call")
        table.say(1, "call")


def test_the_big_bet_is_what_the_house_says() -> None:
    table = dealt(3, game=replace(FIXED, big_bet=250))
    for seat in (1, 2, 3):
        table.say(seat, "check" if seat == 3 else "call")
    table.tell(commands.NextStreet())
    for seat in (2, 3, 1):
        table.say(seat, "check")
    table.tell(commands.NextStreet())

    assert raise_to(table) == (250, 250)


def test_more_chips_than_a_raise_are_one_raise_in_fixed_limit() -> None:
    table = dealt(3, game=FIXED)
    table.push(1, 100, 100, 100, 100)

    assert (table.reading().action, table.reading().total_to, table.balance(1)) == ("raise", 200, 200)


def test_half_of_a_raise_is_completed_and_less_is_a_call() -> None:
    """Robert's Rules, betting; TDA 2024 43-A."""
    table = dealt(3, game=FIXED)
    table.push(1, 100, 50)
    assert (table.reading().action, table.reading().total_to, table.balance(1)) == ("raise", 200, -50)

    table = dealt(3, game=FIXED)
    table.push(1, 100, 25)
    assert (table.reading().action, table.reading().total_to, table.balance(1)) == ("call", 100, 25)


def test_a_short_all_in_is_completed_where_it_is_under_half_and_raised_over_where_it_is_more() -> None:
    """Robert's Rules, half-bet rule: level 100, all-in 125: complete to 200; all-in 150: raise to 250."""
    for stack, following in ((125, 200), (150, 250)):
        table = dealt(4, game=FIXED, stacks=[10_000, 10_000, 10_000, stack])
        table.say(4, "all_in")
        assert table.reading().total_to == stack
        assert raise_to(table) == (following, following)
        table.say(1, "raise_to", following)
        assert table.reading().total_to == following
        assert raise_to(table) == (following + 100, following + 100)


def test_a_completed_short_all_in_is_no_raise_for_the_cap() -> None:
    """On the flop: all-in 25, completed to 100, and three raises."""
    table = limped(4, game=FIXED, profile="RROP11", stacks=[10_000, 125, 10_000, 10_000])
    table.say(2, "all_in")
    assert raise_to(table) == (100, 100)
    for seat, total in ((3, 100), (4, 200), (1, 300), (3, 400)):
        table.say(seat, "raise_to", total)
        assert table.reading().total_to == total, seat

    assert raise_to(table) is None


def test_short_all_ins_do_not_reopen_fixed_limit_until_half_a_bet_is_faced() -> None:
    """TDA 2024 47-B: bet 100, all-in 125: the bettor faces 25 of 100 and may only call; all-in 150 reopens."""
    for stack, may in ((225, False), (250, True)):
        table = limped(3, game=FIXED, stacks=[10_000, 10_000, stack])
        table.say(2, "bet", 100)
        table.say(3, "all_in")
        table.say(1, "fold")
        assert table.hand.to_act == 2
        assert raise_to(table) is None, "nobody could answer"
        table = limped(4, game=FIXED, stacks=[10_000, 10_000, stack, 10_000])
        table.say(2, "bet", 100)
        table.say(3, "all_in")
        table.say(4, "call")
        table.say(1, "fold")
        assert table.hand.to_act == 2
        assert (raise_to(table) is not None) is may, stack


def raised(table: Played, times: int) -> None:
    for _ in range(times):
        smallest = options(table).min_raise_to
        assert smallest is not None
        table.say(None, "raise_to", smallest)


@pytest.mark.parametrize(("house", "raises"), [("TDA2024", None), ("RROP11", 3), ("FIDPA", 4), ("RU_CASH", 3)])
def test_the_cap_of_the_house_holds_between_three_players(house: str, raises: int | None) -> None:
    """A bet and three raises (Robert's Rules; Russian club rules 2.8.1), or four (FIDPA); TDA 2024 48: the house's."""
    table = dealt(3, game=FIXED, profile=house)
    raised(table, raises or 7)

    assert (raise_to(table) is None) == (raises is not None)
    assert table.hand.current_bet == 100 * (1 + (raises or 7))
    table.push(table.hand.to_act or 0, 500, 500, 500)
    assert table.reading().action == ("call" if raises else "raise")


def heads_up_late(house: str) -> Played:
    """The last raise but one was made between three players, the last between two; the third then folded."""
    table = limped(3, game=FIXED, profile=house)
    table.say(2, "bet", 100)
    table.say(3, "raise_to", 200)
    table.say(1, "raise_to", 300)
    table.say(2, "fold")
    table.say(3, "raise_to", 400)
    assert table.hand.to_act == 1
    return table


@pytest.mark.parametrize(
    ("house", "may"),
    [
        ("RROP11", True),  # heads-up before the last raise that is allowed
        ("RU_CASH", True),  # whenever two are left
        ("FIDPA", True),  # four raises: this is the third
        ("HOUSE_FULLRAISE", False),  # only where the round began between two
        ("PAGAT", True),
    ],
)
def test_two_players_may_raise_on_where_the_house_says_so(house: str, may: bool) -> None:
    assert (raise_to(heads_up_late(house)) is not None) is may


def test_a_fold_behind_the_cap_lets_nobody_raise_again_in_roberts_rules() -> None:
    """And in Russian club rules 2.8.2 it does."""
    for house, may in (("RROP11", False), ("RU_CASH", True)):
        table = limped(3, game=FIXED, profile=house)
        table.say(2, "bet", 100)
        table.say(3, "raise_to", 200)
        table.say(1, "raise_to", 300)
        table.say(2, "raise_to", 400)
        table.say(3, "fold")
        assert table.hand.to_act == 1
        assert (raise_to(table) is not None) is may, house


def test_a_round_that_began_between_two_has_no_cap_in_jumers_rules() -> None:
    table = limped(2, game=FIXED, profile="HOUSE_FULLRAISE")
    raised(table, 6)

    assert raise_to(table) is not None


def test_the_last_two_of_the_event_have_no_cap() -> None:
    """TDA 2024 48, FIDPA: two players with chips at the table, none waiting."""
    table = dealt(2, game=FIXED, profile="FIDPA")
    raised(table, 7)
    assert raise_to(table) is not None

    table = Played(3, game=FIXED, profile="FIDPA", button=1)
    table.tell(commands.SeatOut(3))
    table.tell(commands.NextHand())
    table.tell(commands.NextStreet())
    raised(table, 4)
    assert raise_to(table) is None


def test_an_undone_or_overruled_raise_does_not_count_for_the_cap() -> None:
    table = dealt(3, game=FIXED, profile="RROP11")
    raised(table, 3)
    assert raise_to(table) is None
    table.tell(commands.Undo())
    assert raise_to(table) == (400, 400)
    table.tell(commands.Redo())
    assert raise_to(table) is None
    table.tell(commands.Overrule(action="call"))
    assert raise_to(table) == (400, 400)


def test_an_all_in_of_more_than_a_bet_is_a_bet_in_fixed_limit() -> None:
    table = dealt(3, game=FIXED)
    table.say(1, "all_in")

    assert (table.reading().total_to, table.player(1).all_in) == (200, False)


def test_bet_and_raise_need_no_amount_in_fixed_limit() -> None:
    """There is one: the word acts at once, and its chips pay for it."""
    table = dealt(3, game=FIXED)
    table.say(1, "raise")
    assert (table.reading().action, table.reading().total_to, table.hand.to_act) == ("raise", 200, 2)
    table.push(1, 100, 100)
    assert table.balance(1) == 0

    table.tell(commands.OutOfTurn(3, Word("raise")))
    table.say(2, "call")
    assert (table.player(3).action, table.player(3).bet) == ("raise", 300)


# ---------------------------------------------------------------- pot limit
def test_before_the_flop_a_raise_may_be_three_and_a_half_big_blinds() -> None:
    """5-10 exact 35: the pot of 150, 100 to call, and that raised by 250."""
    assert raise_to(dealt(3, game=POT)) == (200, 350)


def test_the_pot_grows_with_every_bet() -> None:
    """Robert's Rules, pot limit: pot 300, bet 300, the raise to 1200."""
    table = limped(3, game=POT)
    assert raise_to(table) == (100, 300)
    table.push(2, 100, 100, 100)
    assert raise_to(table) == (600, 1200)
    table.say(3, "pot")
    assert table.reading().total_to == 1200
    assert raise_to(table) == (2100, 4200)


def test_more_than_the_pot_is_cut_to_it() -> None:
    """TDA 2024 52-B; Robert's Rules, pot limit 1."""
    table = dealt(3, game=POT)
    table.push(1, 500, 500)

    assert (table.reading().action, table.reading().total_to, table.balance(1)) == ("raise", 350, 650)


def test_blinds_posted_short_count_as_full_before_the_flop_and_as_they_are_behind_it() -> None:
    """TDA 2024 54-B and 54-C."""
    table = dealt(4, game=POT, stacks=[10_000, 10_000, 25, 10_000])
    assert table.player(3).bet == 25
    assert raise_to(table) == (200, 350)
    for seat in (4, 1, 2):
        table.say(seat, "call")
    table.tell(commands.NextStreet())
    assert raise_to(table) == (100, 325)


def test_a_dead_small_blind_counts_as_posted_before_the_flop() -> None:
    """TDA 2024 54-B."""
    table = Played(4, game=POT, button=1)
    table.tell(commands.NextHand())
    for _ in range(3):
        table.say(None, "fold")
    table.tell(commands.NextHand())
    assert table.hand.button == 2
    table.tell(commands.NextStreet())
    for _ in range(3):
        table.say(None, "fold")
    table.tell(commands.SeatOut(4))
    table.tell(commands.NextHand())
    table.tell(commands.NextStreet())

    assert not any(player.bet == 50 for player in table.hand.players)
    assert raise_to(table) == (200, 350)


def test_the_small_blind_may_count_as_a_big_one() -> None:
    """Robert's Rules, pot limit 5: 5-10 opens for up to 40; once the small blind has acted it is what it is."""
    table = dealt(4, game=POT, profile="RROP11_SBASBB")
    assert raise_to(table) == (200, 400)
    table.say(4, "call")
    assert raise_to(table) == (200, 500)
    table.say(1, "fold")
    table.say(2, "call")
    assert raise_to(table) == (200, 400)


def test_a_pot_may_be_rounded_up() -> None:
    """Robert's Rules, pot limit 4: in a house that rounds to 100, a pot of 150 plays as 200."""
    table = dealt(3, game=POT)
    table.engine.setting.rules = Rules(replace(profiles.load("RROP11"), pl_round_unit=100))

    assert raise_to(table) == (200, 400)


def test_no_raise_cap_in_pot_limit() -> None:
    table = dealt(3, game=POT, profile="RROP11")
    raised(table, 6)

    assert raise_to(table) is not None


def test_in_half_pot_a_raise_goes_up_by_half_of_the_pot() -> None:
    table = limped(3, game=HALF)
    assert raise_to(table) == (100, 150)
    table.push(2, 100, 50)
    assert raise_to(table) == (300, 450)
    table.push(3, 500, 500)
    assert table.reading().total_to == 450


# ---------------------------------------------------------------- spread limit
def test_a_spread_limit_raise_is_at_least_the_last_and_at_most_the_largest_bet() -> None:
    """1-5, bet 3: 6 to 8 (Pagat)."""
    table = dealt(3, game=SPREAD)
    assert raise_to(table) == (200, 600)
    table = limped(3, game=SPREAD)
    assert raise_to(table) == (50, 500)
    table.push(2, 100, 100, 100)
    assert raise_to(table) == (600, 800)
    table.push(3, 1000, 1000)
    assert table.reading().total_to == 800


def test_the_last_street_may_have_a_larger_spread() -> None:
    table = limped(3, game=SPREAD_LAST)
    for cards, most in ((FLOP, 500), ((*FLOP, TURN), 500), ((*FLOP, TURN, RIVER), 1000)):
        if table.hand.board != tuple(sorted(cards)):
            table.board(*cards)
        assert raise_to(table) == (100, most)
        for seat in (2, 3, 1):
            table.say(seat, "check")


def test_the_cap_of_the_house_holds_in_spread_limit() -> None:
    table = dealt(3, game=SPREAD, profile="RROP11")
    raised(table, 3)

    assert raise_to(table) is None


# ---------------------------------------------------------------- the level
@pytest.mark.parametrize(
    ("game", "blinds", "why"),
    [
        (FIXED, (200, 400), None),
        (replace(FIXED, big_bet=250), (100, 200), None),
        (replace(FIXED, big_bet=250), (100, 300), "bad_amount"),
        (SPREAD, (200, 500), None),
        (SPREAD, (200, 501), "bad_amount"),
        (SPREAD, (20, 40), "bad_amount"),
    ],
)
def test_new_blinds_suit_the_bets_that_the_table_names(game: Stakes, blinds: tuple[int, int], why: str | None) -> None:
    table = Played(3, game=game)
    table.tell(commands.SetBlinds(*blinds))

    assert table.refused() == why


def test_the_bets_of_fixed_limit_follow_the_big_blind_from_the_next_hand_on() -> None:
    table = dealt(3, game=FIXED)
    table.tell(commands.SetBlinds(100, 200))
    assert raise_to(table) == (200, 200)
    table.say(1, "fold")
    table.say(2, "fold")
    table.tell(commands.NextHand())
    table.tell(commands.NextStreet())

    assert raise_to(table) == (400, 400)
