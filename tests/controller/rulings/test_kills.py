"""Who must kill the next pot: Robert's Rules, kill pots, the rules alone."""

from controller.rulings.kills import Legs, after_pot


def test_who_wins_a_pot_has_a_leg_up_whatever_its_size() -> None:
    """Rule 3: there is no size for the first leg."""
    for full_bet in (True, False):
        assert after_pot(None, None, (3,), full_bet=full_bet) == Legs(leg=3, killer=None)
        assert after_pot(5, None, (3,), full_bet=full_bet) == Legs(leg=3, killer=None)


def test_who_wins_two_in_a_row_kills_if_the_second_brought_a_full_bet() -> None:
    assert after_pot(3, None, (3,), full_bet=True) == Legs(leg=3, killer=3)
    assert after_pot(3, None, (3,), full_bet=False) == Legs(leg=3, killer=None)


def test_a_killer_who_wins_again_kills_again_and_one_who_loses_does_not() -> None:
    assert after_pot(3, 3, (3,), full_bet=True) == Legs(leg=3, killer=3)
    assert after_pot(3, 3, (5,), full_bet=True) == Legs(leg=5, killer=None)


def test_a_split_pot_leaves_a_leg_up_where_it_was_and_gives_none() -> None:
    """Rules 1 and 4."""
    assert after_pot(3, None, (3, 5), full_bet=True) == Legs(leg=3, killer=None)
    assert after_pot(7, None, (3, 5), full_bet=True) == Legs(leg=None, killer=None)
    assert after_pot(None, None, (3, 5), full_bet=True) == Legs(leg=None, killer=None)


def test_a_killer_who_splits_his_pot_kills_again() -> None:
    """Rule 4."""
    assert after_pot(3, 3, (3, 5), full_bet=True) == Legs(leg=3, killer=3)
    assert after_pot(7, 7, (3, 5), full_bet=True) == Legs(leg=None, killer=None)
