"""Files of games: what they inherit, and one line with the cure for whatever is no game."""

from pathlib import Path

import pytest

from controller.games import catalog
from controller.games.reading import GameError, read

DRAW = """
title = "Mine"
code = "MY"
seats = [2, 6]
uses = "all"
[[street]]
name = "predraw"
down = 5
opens = "behind_blinds"
[[street]]
name = "after_draw"
draw = 3
bets = "big"
"""
STUD = """
title = "Mine"
seats = [2, 7]
forced = "bring_in"
[[street]]
name = "third"
down = 2
up = 1
opens = "low_card"
[[street]]
name = "fourth"
up = 4
opens = "high_hand"
"""


def written(folder: Path, text: str, name: str = "mine") -> str:
    path = folder / f"{name}.toml"
    path.write_text(text)
    return str(path)


def test_a_file_of_ones_own_is_read_as_those_of_the_package(tmp_path: Path) -> None:
    mine = read(written(tmp_path, DRAW))
    assert (mine.name, mine.title, mine.codes["PL"], mine.hole_cards) == ("mine", "Mine", "PMY", 5)
    assert [street.draw for street in mine.streets] == [0, 3]
    assert read(written(tmp_path, STUD)).shown_cards == 7


def test_a_game_is_found_by_its_name_in_any_case() -> None:
    assert read("Razz") == catalog.game("razz")


def test_a_file_has_all_of_the_game_that_it_extends_but_what_it_says_itself(tmp_path: Path) -> None:
    mine = read(written(tmp_path, 'extends = "omaha"\ntitle = "Mine"\nhands = ["high", "low8"]\nseats = [2, 6]\n'))
    omaha = catalog.game("omaha")
    assert (mine.streets, mine.uses, mine.codes["PL"]) == (omaha.streets, omaha.uses, "PMINE")
    assert (mine.title, mine.hands, mine.seats) == ("Mine", ("high", "low8"), (2, 6))
    child = read(written(tmp_path, 'extends = "mine.toml"\nseats = [2, 4]\n', "child"))
    assert (child.title, child.seats) == ("Mine", (2, 4))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "title is missing: add it"),
        ('title = "Mine"\nseats = [2, 6]', "it has no street: write a [[street]] for each round of cards"),
        ("title = ", "not TOML"),
        ("title = 3\nseats = [2, 6]", "key 'title': expected"),
        ('extends = "omahe"', 'extends: no game "omahe": did you mean "omaha"?'),
        ("extends = 3", "extends = 3 must be a name in quotes"),
        ('extends = "mine.toml"', "goes round in a circle"),
        ('extends = "other.toml"', "other.toml: cannot be read"),
        (DRAW.replace("uses", "use"), 'unknown key "use": did you mean "uses"?'),
        (DRAW.replace("draw = 3", "draws = 3"), 'street 2: unknown key "draws": did you mean "draw"?'),
        (DRAW.replace('uses = "all"', 'uses = "al"'), "key 'uses': \"al\" is not one of its values: did you mean"),
        (DRAW.replace('"behind_blinds"', '"behind_blind"'), "street 1, key 'opens': \"behind_blind\" is not one of"),
        (DRAW.replace('bets = "big"', 'bets = "huge"'), "street 2, key 'bets': \"huge\" is not one of its values: there"),
        (DRAW.replace("down = 5", 'down = "5"'), "street 1, key 'down': expected"),
        (DRAW.replace('name = "predraw"\n', ""), "street 1: name is missing: add it"),
        (DRAW.replace("[[street]]", "[street]", 1).partition("[[street]]")[0], "write [[street]] above each"),
        (DRAW + 'hands = ["hihg"]\n', 'street 2: unknown key "hands"'),
        ('hands = ["hihg"]\n' + DRAW, "key 'hands': \"hihg\" is not one of its values: did you mean \"high\"?"),
        ("hands = []\n" + DRAW, "key 'hands': write one hand that wins, or two"),
        ('hands = ["high", "high"]\n' + DRAW, "key 'hands': write one hand that wins, or two"),
        ('hands = ["short_high"]\n' + DRAW, 'short_high is a hand of 36 cards: add deck = "36"'),
        (DRAW.replace("[2, 6]", "[1, 6]"), "key 'seats': 1 to 6: write the fewest and the most players, from 2 to 10"),
        (DRAW.replace("[2, 6]", "[6, 2]"), "key 'seats': 6 to 2"),
        (DRAW.replace("[2, 6]", "[2]"), "key 'seats': "),
        (DRAW.replace("draw = 3", "draw = 6"), "street 2, key 'draw': 6 of 5 cards: at most so many"),
        (DRAW.replace("draw = 3\n", ""), "street 2: it has no cards"),
        (DRAW.replace("draw = 3", "down = -1"), "street 2: -1 cards: write 0 or more"),
        (DRAW.replace("draw = 3", "discard = 5"), "street 2, key 'discard': 5 leaves no card"),
        (DRAW.replace("down = 5", "down = 6"), "key 'uses': all, but its streets deal 6 cards"),
        (DRAW.replace("down = 5", "down = 4"), "its streets deal 4 cards to a hand of 5: deal more"),
        (DRAW.replace('"all"', '"two"'), "key 'uses': two hole cards and three of the board"),
        (DRAW.replace("[2, 6]", "[2, 10]").replace("down = 5", "down = 6").replace('"all"', '"any"'),
         "key 'seats': 10 players need 60 of 52 cards: at most 8 can play"),
        (DRAW.replace("behind_blinds", "left_of_button"), "but there are blinds: write behind_blinds"),
        (DRAW.replace("behind_blinds", "low_card"), "street 1, key 'opens': low_card, but no card lies open"),
        (STUD.replace("low_card", "high_hand"), "street 1, key 'opens': high_hand, but a card brings it in"),
        (STUD.replace("up = 1\n", "").replace("up = 4", "down = 4"), "street 1, key 'opens': low_card, but no card lies"),
        (STUD.replace("[2, 7]", "[2, 8]"), "key 'seats': 8 players need 56 of 52 cards: at most 7 can play"),
    ],
)  # fmt: skip
def test_what_is_no_game_is_told_in_one_line_with_the_cure(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(GameError) as failed:
        read(written(tmp_path, text))
    assert says in str(failed.value)
    assert "mine.toml" in str(failed.value) or "other.toml" in str(failed.value)
    assert "\n" not in str(failed.value)


def test_a_file_that_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    for name in ("none.toml", "."):
        with pytest.raises(GameError, match=r"cannot be read|no game"):
            read(str(tmp_path / name))
    (tmp_path / "latin.toml").write_bytes(b'title = "\xff"')
    with pytest.raises(GameError, match="not TOML"):
        read(str(tmp_path / "latin.toml"))


def test_the_last_street_of_stud_may_want_more_cards_than_there_are(tmp_path: Path) -> None:
    """One common card is dealt instead."""
    text = STUD.replace("[2, 7]", "[2, 10]").replace("up = 4", "up = 4\ncommon_if_short = true")
    assert read(written(tmp_path, text)).seats == (2, 10)


@pytest.mark.parametrize("name", catalog.names())
def test_every_game_of_the_package_is_one(name: str) -> None:
    assert read(name) == catalog.game(name)
