"""Where button and blinds go, who missed a blind, and what he posts when he comes back: the rules alone."""

from msgspec.structs import replace

from controller.rulings.blinds import Missed, Places, after, comes_back, missed, next_places, still_owed
from controller.rulings.posting import Entry
from controller.rulings.profiles import load

TDA, RROP = load("TDA2024"), load("RROP11")
SEATS = (1, 3, 5, 7)


def test_the_next_player_is_the_first_clockwise_of_a_place_be_it_empty() -> None:
    assert [after(SEATS, place) for place in (1, 2, 3, 6, 7, 9)] == [3, 3, 5, 7, 1, 1]


def test_button_and_small_blind_follow_the_big_one() -> None:
    """Russian club rules 2.11.1, 7.6.1."""
    assert next_places(TDA, SEATS, 3, 5) == Places(button=3, small=5, big=7, small_place=5)
    assert next_places(TDA, SEATS, 5, 7) == Places(button=5, small=7, big=1, small_place=7)


def test_nobody_is_the_small_blind_where_the_big_one_of_the_last_hand_has_left() -> None:
    """The button then lies before an empty chair or not: the big blind alone must move to a player."""
    assert next_places(TDA, (1, 3, 7), 3, 5) == Places(button=3, small=None, big=7, small_place=5)
    assert next_places(TDA, (1, 5, 7), 3, 5) == Places(button=3, small=5, big=7, small_place=5)


def test_heads_up_the_button_is_the_small_blind() -> None:
    """TDA 2024 34-B: and nobody pays the big blind twice in a row."""
    assert next_places(TDA, (3, 7), 3, 7) == Places(button=7, small=7, big=3, small_place=7)
    assert next_places(TDA, (3, 7), 7, 3) == Places(button=3, small=3, big=7, small_place=3)
    assert next_places(TDA, (1, 3, 7), 3, 7) == Places(button=3, small=7, big=1, small_place=7)


def test_where_the_button_moves_to_a_player_it_has_no_place_of_its_own() -> None:
    assert next_places(replace(TDA, button="moving"), SEATS, 3, 5) is None


def test_a_blind_that_passes_an_absent_player_is_missed_in_cash_games() -> None:
    """Robert's Rules, button and blinds."""
    now = Places(button=3, small=5, big=7, small_place=5)

    assert missed(RROP, (6,), (3, 5), now) == (Missed(6, small=False, big=True),)
    assert missed(RROP, (4,), (3, 5), now) == (Missed(4, small=True, big=False),)
    assert missed(RROP, (4, 6), (3, 5), now) == (Missed(4, small=True, big=False), Missed(6, small=False, big=True))
    assert missed(RROP, (2, 8), (3, 5), now) == ()
    assert missed(TDA, (4, 6), (3, 5), now) == ()


def test_an_absent_player_on_the_small_blinds_place_has_missed_it() -> None:
    now = Places(button=3, small=None, big=7, small_place=5)

    assert missed(RROP, (5,), (3, 5), now) == (Missed(5, small=True, big=False),)


def test_who_is_dealt_in_owes_nothing_any_more_and_others_what_has_passed_them() -> None:
    """Robert's Rules, button and blinds: missed blinds add up until they are made good, each of them once."""
    small, big, both = (
        Missed(4, small=True, big=False),
        Missed(4, small=False, big=True),
        Missed(4, small=True, big=True),
    )

    assert still_owed((small, Missed(6, small=False, big=True)), (1, 2, 6), ()) == (small,)
    assert still_owed((small,), (1, 2), (big,)) == still_owed((big,), (1, 2), (small,)) == (both,)
    assert still_owed((both,), (1, 2), (small,)) == (both,)
    assert still_owed((), (1, 2), (big,)) == (big,)
    assert still_owed((), (1, 2), (small,)) == (small,)
    assert still_owed((small,), (1, 2, 4), ()) == ()


def test_blinds_pass_round_the_end_of_the_table() -> None:
    now = Places(button=7, small=9, big=2, small_place=9)

    assert missed(RROP, (1,), (7, 9), now) == (Missed(1, small=False, big=True),)
    assert missed(RROP, (8,), (7, 9), now) == (Missed(8, small=True, big=False),)
    assert missed(RROP, (10,), (7, 9), now) == (Missed(10, small=False, big=True),)
    assert missed(RROP, (3, 6), (7, 9), now) == ()
    assert missed(RROP, (2,), (9, 2), Places(button=9, small=2, big=3, small_place=2)) == (
        Missed(2, small=True, big=False),
    )


def test_a_blind_that_stands_where_it_stood_passed_nobody_but_at_that_place() -> None:
    now = Places(button=3, small=5, big=7, small_place=5)

    assert missed(RROP, (7,), (3, 7), now) == ()
    assert missed(RROP, (4,), (3, 7), now) == (Missed(4, small=True, big=True),), "it went all the way round"
    assert missed(RROP, (3, 5, 7), (3, 5), now) == (Missed(5, small=True, big=False),)


def test_who_comes_back_into_a_blind_posts_that_alone() -> None:
    both, now = Missed(4, small=True, big=True), Places(button=3, small=5, big=7, small_place=5)

    assert comes_back(both, now, 50, 100) == Entry(live=100, dead=50)
    assert comes_back(replace(both, seat=5), now, 50, 100) == Entry(live=0, dead=0)
    assert comes_back(replace(both, seat=7), now, 50, 100) == Entry(live=0, dead=0)
    assert comes_back(replace(both, big=False), now, 50, 100) == Entry(live=0, dead=50)
