"""Seats, button, blinds, the ledger, and what was counted when the service started."""

import pytest

from controller import commands
from controller.places import POT
from controller.table.events import ButtonMoved, DifferencesAccepted, HandStarted, PlacesCounted
from controller.table.inputs import ButtonRested, CountedIn
from controller.table.seats import blinds, next_button, order_from, playing
from controller.table.setup import Sensors, Stakes
from controller.table.state import Seat, Table
from tests.controller.engine.played import Played, dealt, held, spot, tray


def chairs(*stacks: int, button: int | None = None, placed: bool = False) -> Table:
    return Table(tuple(Seat(stack, playing=stack > 0) for stack in stacks), button=button, button_placed=placed)


def test_seats_with_chips_that_do_not_sit_out_play() -> None:
    table = Table((Seat(100, playing=True), Seat(100, playing=False), Seat(0, playing=True)))

    assert playing(table) == (1,)


@pytest.mark.parametrize(
    ("table", "button"),
    [
        (chairs(1, 1, 1), 1),
        (chairs(1, 1, 1, button=1), 2),
        (chairs(1, 1, 1, button=3), 1),
        (chairs(1, 0, 1, button=1), 3),
        (chairs(1, 1, 1, button=2, placed=True), 2),
        (chairs(1, 0, 1, 1, button=2, placed=True), 2),  # a person may leave it at an empty seat
        (chairs(1, 0, 1, button=2, placed=True), 3),  # heads-up one of the two has it
        (chairs(0, 0), None),
    ],
)
def test_the_button_moves_to_the_next_seat_that_plays(table: Table, button: int | None) -> None:
    assert next_button(table) == button


def test_order_begins_left_of_the_button() -> None:
    assert order_from((1, 3, 4, 6), 3) == (4, 6, 1, 3)
    assert order_from((1, 3, 4, 6), 2) == (3, 4, 6, 1)


def test_heads_up_the_button_posts_the_small_blind() -> None:
    """TDA 2024 34-B."""
    assert blinds((2, 1)) == (1, 2)
    assert blinds((2, 3, 1)) == (2, 3)


def test_the_button_goes_around_from_hand_to_hand() -> None:
    table = Played(4)
    buttons = []
    for _ in range(6):
        table.tell(commands.NextHand())
        buttons.append(table.hand.button)
        for _ in range(3):
            table.say(None, "fold")

    assert buttons == [1, 2, 3, 4, 1, 2]


def test_the_buttons_antenna_says_where_it_is_for_the_next_hand() -> None:
    table = Played(4)
    table.give(ButtonRested(0, 3))
    assert table.of(ButtonMoved)
    table.give(ButtonRested(0, 3))
    assert table.last == ()
    table.tell(commands.NextHand())

    assert table.hand.button == 3


@pytest.mark.parametrize(
    ("by", "posts"),
    [
        ("none", [(2, "small_blind", 50), (3, "big_blind", 100)]),
        (
            "each",
            [
                (2, "small_blind", 50),
                (2, "ante", 25),
                (3, "big_blind", 100),
                (3, "ante", 25),
                (4, "ante", 25),
                (1, "ante", 25),
            ],
        ),
        ("big_blind", [(2, "small_blind", 50), (3, "big_blind", 100), (3, "ante", 25)]),
        ("button", [(2, "small_blind", 50), (3, "big_blind", 100), (1, "ante", 25)]),
    ],
)
def test_who_posts_what(by: str, posts: list[tuple[int, str, int]]) -> None:
    table = Played(4, button=1, game=Stakes(blinds=(50, 100), ante=25, ante_by=by))  # type: ignore[arg-type]
    table.tell(commands.NextHand())

    assert [(post.seat, post.kind, post.amount) for post in table.hand.posts_due] == posts


def test_a_short_big_blind_leaves_the_price_as_it_is() -> None:
    """Robert's Rules, no limit 2: the big blind posts 60 of 100; others call 100 and raise to 200 at least."""
    table = Played(3, stacks=[10_000, 10_000, 60], button=1)
    table.tell(commands.NextHand())
    table.tell(commands.NextStreet())
    options = table.engine.options(table.state)

    assert options is not None
    assert (table.player(3).bet, table.player(3).all_in) == (60, True)
    assert (options.to_call, options.min_raise_to) == (100, 200)


def test_an_ante_that_nobody_pays_is_refused() -> None:
    table = Played(3)
    table.tell(commands.SetBlinds(50, 100, 100))

    assert table.refused() == "ante_by_nobody"


def test_blinds_change_with_the_next_hand() -> None:
    table = dealt(3)
    table.tell(commands.SetBlinds(100, 200))
    assert table.hand.min_bet == 100
    for _ in range(2):
        table.say(None, "fold")
    table.tell(commands.NextHand())

    assert table.hand.min_bet == 200


@pytest.mark.parametrize(
    "command",
    [commands.SetBlinds(-1, 2), commands.SetBlinds(3, 2), commands.SetBlinds(0, 0), commands.SetBlinds(1, 10**13)],
)
def test_blinds_that_cannot_be_are_refused(command: commands.Command) -> None:
    table = Played(3)
    table.tell(command)

    assert table.refused() == "bad_amount"


@pytest.mark.parametrize(
    "command", [commands.SeatIn(0), commands.SeatOut(9), commands.SetStack(99, 1), commands.SetButton(-1)]
)
def test_a_seat_that_is_not_there_is_refused(command: commands.Command) -> None:
    table = Played(3)
    table.tell(command)

    assert table.refused() == "no_such_seat"


def test_a_seat_that_sits_out_is_not_dealt_in_and_may_come_back() -> None:
    table = Played(3)
    table.tell(commands.SeatOut(2))
    table.tell(commands.NextHand())
    assert sorted(player.seat for player in table.hand.players) == [1, 3]
    table.say(None, "fold")
    table.tell(commands.SeatIn(2, "Ann"))
    table.tell(commands.NextHand())

    assert sorted(player.seat for player in table.hand.players) == [1, 2, 3]
    assert table.state.table.seats[1].name == "Ann"


def test_the_stack_of_a_player_in_the_hand_is_what_the_hand_makes_it() -> None:
    table = dealt(3)
    table.tell(commands.SetStack(2, 5000))

    assert table.refused() == "hand_running"


# ---------------------------------------------------------------- count-in
def test_the_first_count_fills_the_ledger_from_the_trays() -> None:
    table = Played(2)
    table.state = table.engine.initial(2, table.game)
    table.give(CountedIn(0, {"s1-500-00": tray(1), "s1-100-00": tray(1), "s2-25-00": spot(2)}))

    assert table.stacks() == [600, 0]
    assert [seat.playing for seat in table.state.table.seats] == [True, False]


def test_after_a_restart_what_lies_elsewhere_is_listed_until_accepted() -> None:
    table = dealt(3)
    moved = table.chips(tray(1), 500)
    places = {**table.state.places, moved[0]: spot(1)}
    table.give(CountedIn(0, places))

    (counted,) = table.of(PlacesCounted)
    assert counted.differences == tuple(moved)
    assert table.state.differences == tuple(moved)
    table.tell(commands.AcceptDifferences())
    assert table.of(DifferencesAccepted)
    assert table.state.differences == ()


def test_chips_that_were_pushed_while_nobody_looked_count_with_the_next_word() -> None:
    table = dealt(3)
    places = {**table.state.places, **dict.fromkeys(table.chips(tray(1), 500, 100), spot(1))}
    table.give(CountedIn(0, places))
    table.say(1, "call")

    assert (table.reading().total_to, table.reading().change_due) == (100, 500)


def test_a_restart_in_the_middle_of_a_hand_goes_on_where_it_was() -> None:
    table = dealt(3)
    hand = table.state.hand
    table.give(CountedIn(0, dict(table.state.places)))

    assert table.state.hand == hand
    assert table.state.cards == tuple(map(tuple, map(sorted, table.state.cards)))
    table.push(1, 500, 100)
    assert table.reading().total_to == 600


def test_what_no_antenna_can_show_is_no_difference() -> None:
    """Without a pot antenna swept chips are on no antenna, before and after a restart."""
    table = dealt(2, sensors=Sensors(trays=frozenset({1, 2})))
    table.push(1, 50)
    table.say(2, "check")
    table.move(*table.carry(spot(1), held(1), 50, 50))
    given = table.state.given
    places = {item: held(1) if place == POT else place for item, place in table.state.places.items()}
    table.give(CountedIn(0, places))

    assert table.state.differences == ()
    assert table.lying(POT) == [50, 50]
    assert table.state.given == given


def test_accepting_without_differences_is_refused() -> None:
    table = Played(2)
    table.tell(commands.AcceptDifferences())

    assert table.refused() == "no_differences"


def test_old_posts_are_not_carried_into_a_new_hand() -> None:
    table = dealt(3)
    for _ in range(2):
        table.say(None, "fold")
    table.tell(commands.NextHand())

    (started,) = table.of(HandStarted)
    assert all(player.in_front == 0 for player in started.players)
    assert table.player(3).bet == 0
