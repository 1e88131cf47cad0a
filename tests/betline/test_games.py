"""`betline games`: a list, and each game as a dealer's card in every language."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from betline.main import app
from controller.errors import ConfigError
from controller.games.catalog import game, names, variants
from controller.texts.languages import LANGUAGES

NARROW = {"COLUMNS": "200"}  # no line of a card is broken


def betline_games(*words: str) -> str:
    result = CliRunner().invoke(app, ["games", *words], catch_exceptions=False, env=NARROW)
    assert result.exit_code == 0
    return result.stdout


def test_the_list_names_every_game_and_every_code() -> None:
    shown = betline_games()

    assert all(name in shown for name in names())
    assert all(code in shown for code in variants())
    assert set(json.loads(betline_games("--json"))) == set(names())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", names())
def test_every_game_has_a_card_in_every_language(name: str, language: str) -> None:
    shown = betline_games(name, "--language", language)

    assert shown.count("\u2502\n") == len(game(name).streets)
    assert "game_" not in shown
    assert "{" not in shown
    assert all(code in shown for code in game(name).codes.values())


def test_a_card_says_what_a_dealer_needs() -> None:
    shown = betline_games("razz")
    for part in ("Razz", "2 to 8 players", "bring-in", "ace to five", "2 cards down, 1 card up", "highest up card"):
        assert part in shown
    shown = betline_games("stud_hi_lo", "--language", "ru")
    for part in ("банк", "пополам", "Седьмая улица"):
        assert part in shown
    assert "two of one's own cards and three of the board" in betline_games("omaha")
    assert "36 cards" in betline_games("short_deck")
    assert "pair of jacks or better" in betline_games("jacks_or_better")
    assert "exchange up to 5 cards" in betline_games("draw_5")


def test_a_game_is_asked_for_by_a_code_too() -> None:
    assert betline_games("fr") == betline_games("razz")
    assert json.loads(betline_games("PO", "--json"))["name"] == "omaha"


def test_a_game_of_ones_own_is_shown_under_its_own_title(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('extends = "omaha"\ntitle = "Aunt Vera\'s game"\n')
    assert "Aunt Vera's game" in betline_games(str(tmp_path / "mine.toml"), "--language", "ru")


def test_what_is_no_game_is_one_line_with_the_cure(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('extends = "omaha"\nuse = "two"\n')
    for word, says in (("raz", 'did you mean "razz"'), (str(tmp_path / "mine.toml"), 'did you mean "uses"')):
        with pytest.raises(ConfigError, match=says):
            betline_games(word)
