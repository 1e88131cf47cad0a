"""Showing, winning, splitting: only tabled hands, odd chips from the left of the button, side pots one by one."""

import pytest

from controller import commands
from controller.games.catalog import game
from controller.hand.showdown import Won, best, parts, readable, split, together
from controller.places import POT
from controller.table.events import HandEnded, HandsShown, Mucked, PotAwarded, Share
from controller.table.phases import Phase
from controller.table.setup import Sensors, Stakes
from controller.table.state import InHand
from tests.controller.engine.played import CARDS, FLOP, RIVER, TURN, Played, dealt, tray

BOARD = (*FLOP, TURN, RIVER)


def at_showdown(seats: int = 3, **options: object) -> Played:
    """Everybody limped and checked to the river; nobody has tabled."""
    table = dealt(seats, **options)
    for _ in range(seats - 1):
        table.say(None, "call")
    table.say(None, "check")
    for cards in (FLOP, (*FLOP, TURN), BOARD):
        table.board(*cards)
    for _ in range(seats):
        table.say(None, "check")
    assert table.hand.phase is Phase.SHOWDOWN
    return table


def awards(table: Played) -> list[tuple[int, list[tuple[int, int]]]]:
    return [
        (event.pot, [(share.seat, share.amount) for share in event.shares])
        for event in table.last
        if isinstance(event, PotAwarded)
    ]


# ---------------------------------------------------------------- ranking and splitting
def test_the_best_five_of_seven_decide() -> None:
    assert best(game(), "high", BOARD, {1: ("As", "Ah"), 2: ("Ks", "Kh")}) == (1,)
    assert best(game(), "high", BOARD, {1: ("blue:As", "Ah"), 2: ("As", "Ah")}) == (1, 2)
    quads = ("Kc", "Kd", "Kh", "Ks", "Qd")
    assert best(game(), "high", quads, {1: ("As", "2s"), 2: ("Ad", "3s")}) == (1, 2)


def test_hands_with_unknown_twice_seen_or_spare_cards_are_not_ranked() -> None:
    tabled = [InHand(1, 100, shown=("As", "Ah")), InHand(2, 100, shown=("Ks", "Kh"))]

    assert readable(game(), (BOARD,), tabled)
    assert not readable(game(), (BOARD[:4],), tabled)
    assert not readable(game(), (BOARD,), [*tabled, InHand(3, 100)])
    assert not readable(game(), (BOARD,), [*tabled, InHand(3, 100, shown=("blue:As", "2h"))])
    assert not readable(game(), (BOARD,), [*tabled, InHand(3, 100, shown=("spare1", "2h"))])


def test_equal_hands_share() -> None:
    board = ("As", "Ks", "Qs", "Js", "Ts")

    assert best(game(), "high", board, {3: ("2c", "3c"), 1: ("2d", "3d")}) == (3, 1)


def test_omaha_takes_exactly_two_cards_of_the_hand() -> None:
    """Robert's Rules, Omaha 1: four spades on the board and one in the hand are no flush."""
    board = ("As", "Ks", "9s", "4s", "3d")
    hands = {1: ("2s", "Qd", "Jh", "7c"), 2: ("Ac", "Td", "8h", "6c")}
    assert best(game("omaha"), "high", board, hands) == (2,)


def test_a_low_must_qualify_and_the_high_hand_takes_all_without_one() -> None:
    """TDA 2024 20: with no qualifying low the high hand wins the whole pot."""
    hi_lo = game("omaha_hi_lo")
    hands = {1: ("As", "2s", "Kd", "Kh"), 2: ("Ad", "3d", "Qc", "Jc")}
    assert best(hi_lo, "low8", ("4c", "5c", "6h", "9d", "Td"), hands) == (1,)
    assert best(hi_lo, "low8", ("4c", "9c", "9h", "9d", "Td"), hands) == ()


def test_halves_are_cut_first_and_the_odd_chip_goes_to_the_high_hand() -> None:
    """TDA 2024 20-B and C; three quarters and a quarter where both share the low."""
    divided = parts(1025, (Won("high", 0, (2,)), Won("low8", 0, (2, 5))), 25)
    assert [(part.hand, part.shares) for part in divided] == [
        ("high", (Share(2, 525),)),
        ("low8", (Share(2, 250), Share(5, 250))),
    ]
    assert together(divided) == (Share(2, 775), Share(5, 250))


@pytest.mark.parametrize("amount", [1, 7, 1000, 1024, 3333])
@pytest.mark.parametrize("unit", [1, 5, 25])
def test_no_chip_of_a_divided_pot_is_made_or_lost(amount: int, unit: int) -> None:
    won = tuple(Won(hand, board, seats) for board in (0, 1) for hand, seats in (("high", (1, 3)), ("low8", (2,))))
    assert sum(share.amount for share in together(parts(amount, won, unit))) == amount


@pytest.mark.parametrize(
    ("amount", "seats", "unit", "shares"),
    [
        (2025, (3, 1), 25, [1025, 1000]),  # TDA 2024 20: 81 chips of 25
        (20, (2, 5, 1), 1, [7, 7, 6]),
        (100, (2, 5), 25, [50, 50]),
        (110, (2, 5), 25, [60, 50]),  # a rest that no chip of 25 can pay
        (1, (2, 5), 1, [1, 0]),
    ],
)
def test_odd_chips_go_one_each_from_the_left_of_the_button(
    amount: int, seats: tuple[int, ...], unit: int, shares: list[int]
) -> None:
    assert split(amount, seats, unit) == tuple(Share(seat, share) for seat, share in zip(seats, shares, strict=True))


# ---------------------------------------------------------------- showing
def test_the_table_never_reveals_a_hand_that_nobody_tabled() -> None:
    table = at_showdown()

    assert not any(isinstance(event, HandsShown) for event in table.log)

    table.tell(commands.Show(2))

    assert [event.seat for event in table.log if isinstance(event, HandsShown)] == [2]
    assert awards(table) == []


def test_the_pot_is_awarded_once_all_have_tabled_or_mucked() -> None:
    table = at_showdown()
    table.tell(commands.Show(2))
    table.fold(1)
    assert table.of(Mucked)
    assert awards(table) == []
    table.tell(commands.Show(3))

    assert awards(table) == [(0, [(2, 300)])]


def test_the_last_hand_that_is_not_mucked_wins_unseen() -> None:
    table = at_showdown(2)
    table.say(2, "fold")

    assert awards(table) == [(0, [(1, 200)])]
    assert not any(isinstance(event, HandsShown) for event in table.log)


def test_a_tabled_hand_that_goes_to_the_muck_still_plays() -> None:
    table = at_showdown(2)
    table.tell(commands.Show(1))
    table.fold(1)
    table.tell(commands.Show(2))

    assert awards(table) == [(0, [(1, 200)])]


@pytest.mark.parametrize(("command", "why"), [(commands.Show(9), "not_in_hand"), (commands.Show(1), None)])
def test_only_players_of_the_hand_can_show(command: commands.Command, why: str | None) -> None:
    table = at_showdown(2)
    table.tell(command)

    assert table.refused() == why


def test_nobody_shows_while_betting_is_open() -> None:
    table = dealt(2)
    table.tell(commands.Show(None))

    assert table.refused() == "not_showdown"


# ---------------------------------------------------------------- award by the dealer
def blind_table() -> Played:
    """No board antenna: ranks are not known."""
    everywhere = frozenset({1, 2, 3})
    table = dealt(3, sensors=Sensors(trays=everywhere, holes=everywhere, pot=True, muck=True))
    table.say(1, "call")
    table.say(2, "call")
    table.say(3, "check")
    for _ in range(3):
        table.tell(commands.NextStreet())
    for seat in (2, 3, 1):
        table.say(seat, "check")
    table.tell(commands.Show(None))
    return table


def test_where_cards_were_not_read_the_dealer_names_the_winners() -> None:
    table = blind_table()
    assert table.hand.phase is Phase.SHOWDOWN
    table.tell(commands.Award(0, (3, 2)))

    assert awards(table) == [(0, [(2, 150), (3, 150)])]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (commands.Award(1, (1,)), "no_such_pot"),
        (commands.Award(-1, (1,)), "no_such_pot"),
        (commands.Award(0, ()), "cannot_win"),
        (commands.Award(0, (1, 7)), "cannot_win"),
    ],
)
def test_an_award_that_cannot_be_is_refused(command: commands.Command, why: str) -> None:
    table = blind_table()
    table.tell(command)

    assert table.refused() == why
    assert table.hand.phase is Phase.SHOWDOWN


def test_the_dealer_may_undo_an_award_and_name_another_winner() -> None:
    table = at_showdown(2)
    table.tell(commands.Show(None))
    assert table.hand.phase is Phase.PAYING
    table.tell(commands.Undo())
    assert table.hand.phase is Phase.SHOWDOWN
    table.tell(commands.Award(0, (2,)))

    assert awards(table) == [(0, [(2, 200)])]


# ---------------------------------------------------------------- side pots
def three_all_in() -> Played:
    """Stacks 1000, 2000, 10000 all-in: a main pot of 3000, a side pot of 2000, 8000 uncalled."""
    table = dealt(3, stacks=[1000, 2000, 10_000])
    for seat in (1, 2, 3):
        table.say(seat, "all_in")
    return table


def test_side_pots_go_to_the_best_hand_of_those_who_paid_for_them() -> None:
    table = three_all_in()
    assert table.player(3).committed == 2000
    table.board(*BOARD)

    assert awards(table) == [(0, [(1, 3000)]), (1, [(2, 2000)])]
    assert table.stacks() == [1000, 2000, 10_000]
    table.tell(commands.NextHand())
    assert [
        end
        for event in table.last
        if isinstance(event, HandEnded)
        for end in sorted((s.seat, s.amount) for s in event.stacks)
    ] == [
        (1, 3000),
        (2, 2000),
        (3, 8000),
    ]


def test_a_player_with_the_best_hand_wins_only_what_he_paid_for() -> None:
    table = dealt(3, stacks=[10_000, 2000, 1000])
    for seat in (1, 2, 3):
        table.say(seat, "all_in")
    table.board(*BOARD)

    assert awards(table) == [(0, [(1, 3000)]), (1, [(1, 2000)])]


def test_a_player_without_chips_left_does_not_play_the_next_hand() -> None:
    table = three_all_in()
    table.board(*BOARD)
    table.tell(commands.NextHand())
    assert table.hand.number == 2
    assert len(table.hand.players) == 3

    table = dealt(2, stacks=[1000, 1000])
    table.say(1, "all_in")
    table.say(2, "call")
    table.board(*BOARD)
    table.tell(commands.NextHand())

    assert table.refused() == "too_few_players"


def test_a_big_blind_ante_belongs_to_no_level_of_the_pots() -> None:
    """The ante that the big blind pays for the table lies in the main pot; the small stack can win it."""
    table = dealt(3, stacks=[10_000, 10_000, 150], game=Stakes(blinds=(50, 100), ante=100, ante_by="big_blind"))
    assert (table.player(3).bet, table.player(3).committed, table.player(3).all_in) == (100, 150, True)
    table.push(1, 100)
    table.push(2, 50)

    assert table.hand.phase is not Phase.BETTING
    table.sweep()
    assert [(pot.amount, pot.seats) for pot in table.hand.pots] == [(350, (2, 3, 1))]


def test_each_ante_counts_for_the_level_of_its_player() -> None:
    """Ante 25 each: the all-in player with 10 wins 10 from everybody."""
    table = Played(3, stacks=[10, 10_000, 10_000], button=1, game=Stakes(blinds=(50, 100), ante=25, ante_by="each"))
    table.tell(commands.NextHand())
    table.tell(commands.NextStreet())
    table.say(2, "call")
    table.say(3, "check")
    table.tell(commands.NextStreet())

    assert [(pot.amount, sorted(pot.seats)) for pot in table.hand.pots] == [(30, [1, 2, 3]), (230, [2, 3])]


# ---------------------------------------------------------------- paying
def test_the_hand_ends_when_the_pot_has_been_paid_as_awarded() -> None:
    table = dealt(2)
    table.push(1, 500)
    table.say(1, "raise_to", 500)
    table.push(2, 100, 100, 100, 100)
    table.sweep()
    for cards in (FLOP, (*FLOP, TURN), BOARD):
        table.board(*cards)
    table.say(2, "check")
    table.say(1, "check")
    table.tell(commands.Show(None))
    lying = table.lying(POT)
    table.move(*table.carry(POT, tray(1), *lying[1:]))
    assert table.hand.phase is Phase.PAYING
    assert table.balance(1) == lying[0]
    table.move(*table.carry(POT, tray(1), lying[0]))

    assert table.of(HandEnded)
    assert table.stacks() == [10_500, 9500]


def test_cards_of_all_players_were_different() -> None:
    assert len({card for cards in CARDS.values() for card in cards} | set(BOARD)) == 2 * len(CARDS) + 5


def test_a_card_of_another_deck_is_named_and_counts() -> None:
    table = dealt(2)
    table.push(1, 50)
    table.say(2, "check")
    table.board("2c", "blue:5d", "8c")

    assert table.hand.board == ("2c", "8c", "blue:5d")
    assert table.alarms() == {("decks_mixed", None)}


# ---------------------------------------------------------------- halves
OMAHA_8 = Stakes("FO/8", blinds=(50, 100), big_bet=200)
HOLE = {1: ("Kc", "Kd", "Qh", "Jh"), 2: ("As", "2s", "9h", "9d"), 3: ("Ad", "2d", "Th", "Ts")}
LOW_BOARD = ("3c", "4d", "8h", "Kh", "Qs")


def omaha_at_showdown(*, read: bool = True) -> Played:
    table = Played(3, button=1, game=OMAHA_8)
    table.tell(commands.NextHand())
    for post in table.hand.posts_due:
        table.push(post.seat, post.amount)
    for seat, cards in HOLE.items():
        table.deal(seat, *(cards if read else cards[:3]))
    if not read:
        table.tell(commands.NextStreet())
    for _ in range(2):
        table.say(None, "call")
    table.say(None, "check")
    for count in (3, 4, 5):
        if read:
            table.board(*LOW_BOARD[:count])
        else:
            table.tell(commands.NextStreet())
        for _ in range(3):
            table.say(None, "check")
    return table


def test_high_and_low_each_win_their_half_and_the_low_is_quartered() -> None:
    """300: 150 for three kings, 150 for two eight-lows of the same cards (TDA 2024 20)."""
    table = omaha_at_showdown()
    table.tell(commands.Show(None))
    [award] = table.of(PotAwarded)
    assert isinstance(award, PotAwarded)
    assert [(part.hand, part.shares) for part in award.parts] == [
        ("high", (Share(1, 150),)),
        ("low8", (Share(2, 75), Share(3, 75))),
    ]
    assert {share.seat: share.amount for share in award.shares} == {1: 150, 2: 75, 3: 75}


def test_the_dealer_names_who_has_which_half_where_cards_were_not_read() -> None:
    table = omaha_at_showdown(read=False)
    table.tell(commands.Award(0, (1,), (2, 3)))
    [award] = table.of(PotAwarded)
    assert isinstance(award, PotAwarded)
    assert {share.seat: share.amount for share in award.shares} == {1: 150, 2: 75, 3: 75}


def test_a_game_of_one_hand_has_no_halves() -> None:
    table = at_showdown()
    table.tell(commands.Award(0, (1,), (2,)))
    assert table.refused() == "no_halves"
