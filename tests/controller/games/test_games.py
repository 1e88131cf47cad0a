"""Games as data: hold'em's rows say what hold'em is, and nobody else knows its streets by name."""

import ast
from collections import Counter
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from controller.games.catalog import game, names, variants
from controller.games.game import Game, Street, with_totals
from controller.games.street_names import BEHIND_BLINDS, LAST, StreetName

ROOT = Path(__file__).parents[3]
OURS = ("firmware_bridge", "controller", "display", "simulator", "betline")


def test_holdem_is_two_cards_down_and_a_board_of_three_one_and_one() -> None:
    holdem = game("holdem")
    assert [(street.name, street.down, street.board) for street in holdem.streets] == [
        ("preflop", 2, 0),
        ("flop", 0, 3),
        ("turn", 0, 1),
        ("river", 0, 1),
    ]
    assert (holdem.hole_cards, holdem.board_cards, holdem.seats) == (2, 5, (2, 10))


def test_holdem_bets_small_before_and_on_the_flop_and_big_from_the_turn_on() -> None:
    """Robert's Rules, limit hold'em."""
    assert [street.bets for street in game().streets] == ["small", "small", "big", "big"]


def test_only_the_first_street_opens_behind_blinds_and_only_one_is_the_last() -> None:
    streets = game().streets
    assert [street.opens for street in streets] == ["behind_blinds"] + ["left_of_button"] * 3
    assert [street.is_last for street in streets] == [False, False, False, True]


def test_a_street_is_opened_by_exactly_its_cards() -> None:
    assert [game().opened_by(count) for count in range(8)] == [None, None, None, 1, 2, 3, None, None]


def test_every_betting_structure_of_holdem_has_a_code() -> None:
    assert game("holdem").codes == {"NL": "NT", "FL": "FT", "PL": "PT", "HP": "HT", "spread": "ST"}


def test_no_code_means_two_games() -> None:
    codes = [code for name in names() for code in game(name).codes.values()]
    assert len(codes) == len(set(codes))
    assert set(codes) == set(variants())


def test_totals_follow_from_the_rows() -> None:
    made = with_totals(
        Game("draft", "Draft", (2, 6), {"NL": "XX"}, (Street("one", down=4), Street("two", board=2), Street("three", board=1)))
    )  # fmt: skip
    assert (made.hole_cards, made.board_cards) == (4, 3)
    assert [street.board_so_far for street in made.streets] == [0, 2, 3]
    assert [made.opened_by(count) for count in (0, 2, 3)] == [None, 1, 2]


def test_a_game_travels_whole_through_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(game()), type=Game) == game()


@pytest.mark.parametrize("name", names())
def test_streets_that_case_files_know_open_and_end_as_those_say(name: str) -> None:
    for street in game(name).streets:
        if street.name in get_args(StreetName):
            assert (street.opens == "behind_blinds") is (street.name in BEHIND_BLINDS)
            assert street.is_last is (street.name in LAST)


# --- names of streets are for people
STREETS = set(get_args(StreetName))
MAY = {  # where such a word means something else, or an old file's street: which words, and what they are there
    "controller/table/version_1.py": ({"preflop", "flop", "turn", "river"}, "streets of version 1 by their names"),
    "controller/rulings/switches.py": ({"river"}, "a value of a house's switch"),
    "controller/rulings/reopening.py": ({"river"}, "the same"),
    "controller/table/events.py": ({"turn"}, "whose turn it is: the tag of an event"),
    "controller/spoken.py": ({"turn", "draw"}, "out of turn; cards that a player changes"),
    "controller/rulings/values.py": ({"draw"}, "a word: cards that a player changes"),
    "controller/rulings/words.py": ({"draw"}, "the same"),
    "controller/engine/said.py": ({"draw"}, "the same"),
    "controller/publish/homeassistant.py": ({"turn"}, "whose turn it is"),
    "betline/games/card.py": ({"draw"}, "cards that a player changes"),
    "display/parts.py": ({"turn"}, "the tone of a button of whoever is to act"),
    "display/buttons.py": ({"turn", "draw"}, "the same, and cards that a player changes"),
    "display/keys.py": ({"draw"}, "cards that a player changes"),
    "display/view.py": ({"draw"}, "the same"),
    "betline/demo/late_word.py": ({"turn"}, "whose turn it was"),
    "display/draw_buttons.py": ({"turn"}, "the same"),
}


def literals(source: str) -> Counter[str]:
    """Names of streets in a text."""
    found = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    return Counter(value for value in found if isinstance(value, str) and value in STREETS)


def test_no_street_is_named_outside_of_games() -> None:
    told = {}
    for path in (path for package in OURS for path in (ROOT / package).rglob("*.py")):
        name = str(path.relative_to(ROOT))
        allowed = MAY[name][0] if name in MAY else set()
        if not name.startswith("controller/games/") and (found := literals(path.read_text()).keys() - allowed):
            told[name] = found
    assert told == {}


@pytest.mark.parametrize("name", MAY)
def test_each_exception_is_still_needed(name: str) -> None:
    assert literals((ROOT / name).read_text()).keys() == MAY[name][0]


@pytest.mark.parametrize("street", sorted(STREETS))
def test_a_street_that_is_named_in_a_rule_is_found(street: str) -> None:
    path = ROOT / "controller/engine/progress.py"
    assert literals(f'{path.read_text()}\nlast = hand.row.name == "{street}"\n') == {street: 1}
