"""Two pots in a row, played: who must kill the next hand (Robert's Rules, kill pots)."""

from collections.abc import Callable

import msgspec
import pytest

from controller import commands
from controller.config.game import check
from controller.errors import ConfigError
from controller.table.events import HandEnded
from controller.table.evolve import evolve
from controller.table.phases import Phase
from controller.table.setup import Sensors, Stakes
from tests.controller.engine.played import Played

LIMIT = Stakes("FT", blinds=(50, 100), kill="full", kill_when="two_pots")


def spots_only(game: Stakes = LIMIT) -> Played:
    return Played(4, button=1, game=game, sensors=Sensors())


def act(table: Played, words: Callable[[int], bool]) -> None:
    """To the end of the round: who is to stay in calls or checks, the others fold."""
    while table.hand.phase == "betting" and table.hand.to_act is not None:
        seat = table.hand.to_act
        owes = table.hand.current_bet > table.player(seat).bet
        table.say(seat, "fold" if not words(seat) else "call" if owes else "check")


def begin(table: Played) -> None:
    table.tell(commands.NextHand())
    table.tell(commands.NextStreet())


def win(table: Played, winner: int, *, blinds_only: bool = False) -> None:
    """All see the flop and fold there to the winner; or they fold before it."""
    begin(table)
    if not blinds_only:
        act(table, lambda _: True)
        table.tell(commands.NextStreet())
    act(table, lambda seat: seat == winner)
    assert table.hand.phase == "between_hands"


def split(table: Played, *seats: int) -> None:
    """All see the river, and these win."""
    begin(table)
    for _ in range(3):
        act(table, lambda _: True)
        table.tell(commands.NextStreet())
    act(table, lambda _: True)
    table.tell(commands.Award(0, seats))
    assert table.hand.phase == "between_hands"


def kill_posts(table: Played) -> list[tuple[int, int]]:
    """Seats and amounts that the next hand is killed by, blinds included."""
    table.tell(commands.NextHand())
    posts = table.hand.posts_due
    killers = {post.seat for post in posts if post.kind == "kill"}
    return [(seat, sum(post.amount for post in posts if post.seat == seat)) for seat in sorted(killers)]


def test_who_wins_two_pots_in_a_row_posts_the_kill_of_the_next_hand() -> None:
    table = spots_only()
    win(table, 3)
    assert table.state.table.killer is None
    win(table, 3)
    assert kill_posts(table) == [(3, 200)]
    assert (table.hand.limits.small_bet, table.hand.limits.big_bet) == (200, 400)


def test_a_second_pot_of_blinds_alone_brings_no_kill_and_the_leg_stays_up() -> None:
    """Rule 3: a full bet that is no part of the blinds."""
    table = spots_only()
    win(table, 3)
    win(table, 3, blinds_only=True)
    assert (table.state.table.leg, table.state.table.killer) == (3, None)
    win(table, 3)
    assert table.state.table.killer == 3


def test_another_winner_takes_the_leg_and_one_who_kills_and_loses_kills_no_more() -> None:
    table = spots_only()
    for winner in (3, 2, 2, 4):
        win(table, winner)
    assert (table.state.table.leg, table.state.table.killer) == (4, None)
    assert kill_posts(table) == []


def test_a_killer_who_wins_or_splits_his_pot_kills_again() -> None:
    table = spots_only()
    for _ in range(3):
        win(table, 3)
    assert table.state.table.killer == 3
    split(table, 3, 4)
    assert kill_posts(table) == [(3, 200)]


def test_a_split_leaves_the_leg_up_or_makes_it_nobodys() -> None:
    table = spots_only()
    win(table, 3)
    split(table, 3, 4)
    assert (table.state.table.leg, table.state.table.killer) == (3, None)
    split(table, 2, 4)
    assert (table.state.table.leg, table.state.table.killer) == (None, None)


def test_an_undo_takes_the_leg_back() -> None:
    table = spots_only()
    win(table, 3)
    win(table, 3)
    table.tell(commands.Undo())
    assert (table.state.table.leg, table.state.table.killer) == (3, None)


@pytest.mark.parametrize("game", [Stakes("FT", blinds=(50, 100), kill="full"), Stakes("FT", blinds=(50, 100))])
def test_where_the_game_does_not_say_so_nobody_counts(game: Stakes) -> None:
    table = spots_only(game)
    win(table, 3)
    win(table, 3)
    assert (table.state.table.leg, table.state.table.killer) == (None, None)


def test_whom_a_person_names_kills_all_the_same() -> None:
    table = spots_only()
    table.tell(commands.Kill(2))
    assert kill_posts(table) == [(2, 200)]


def test_an_end_of_a_hand_that_tells_nothing_of_legs_changes_none() -> None:
    """As journals have it that were written before anybody counted."""
    table = spots_only()
    win(table, 3)
    begin(table)
    assert table.state.hand is not None
    old = msgspec.json.decode(b'{"type": "hand_ended", "number": 2, "stacks": []}', type=HandEnded)
    paying = msgspec.structs.replace(table.state, hand=msgspec.structs.replace(table.state.hand, phase=Phase.PAYING))
    assert evolve(paying, old).table.leg == 3


def test_kill_when_needs_a_kill() -> None:
    with pytest.raises(ConfigError, match="there is no kill: add kill"):
        check(Stakes("FT", blinds=(50, 100), kill_when="two_pots"))
