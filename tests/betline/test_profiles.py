"""`betline profiles`: a list, one house, and the differences of two."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from betline.main import app
from controller.errors import ConfigError
from controller.rulings.profiles import SWITCHES, load, names
from controller.texts.languages import LANGUAGES


def betline_profiles(*words: str) -> str:
    result = CliRunner().invoke(app, ["profiles", *words], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_the_list_names_every_profile() -> None:
    shown = betline_profiles()

    assert all(name in shown for name in names())
    assert set(json.loads(betline_profiles("--json"))) == set(names())


def test_one_house_shows_every_switch_with_its_meaning() -> None:
    shown = betline_profiles("RU_CASH")

    assert all(switch in shown for switch in SWITCHES)
    assert "one_chip_call" not in shown, "the books that it cites are for --json: no table has room for them"
    assert json.loads(betline_profiles("ru_cash", "--json"))["fl_cap"] == 3


def test_two_houses_show_where_they_differ() -> None:
    found = json.loads(betline_profiles("TDA2024", "HOUSE_LAST_ALLIN", "--json"))

    assert found == {
        "last_single_chip": {"TDA2024": "call", "HOUSE_LAST_ALLIN": "all_in"},
        "last_chips_all_needed": {"TDA2024": "call", "HOUSE_LAST_ALLIN": "all_in"},
    }
    assert "last_single_chip" in betline_profiles("TDA2024", "HOUSE_LAST_ALLIN")


def test_a_house_file_is_compared_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('title = "Club"\nmin_chip = 25\n')

    assert json.loads(betline_profiles("TDA2024", str(tmp_path / "club.toml"), "--json")) == {
        "min_chip": {"TDA2024": 0, "club": 25}
    }


def test_two_that_rule_alike_say_so() -> None:
    assert "rule alike" in betline_profiles("TDA2024", "SPREAD")


def test_too_many_or_unknown_houses_are_one_line() -> None:
    with pytest.raises(ConfigError, match="3 profiles given"):
        betline_profiles("TDA2024", "RROP11", "BARGE")
    with pytest.raises(ConfigError, match="did you mean"):
        betline_profiles("TDA2042")


def test_a_terminal_without_all_letters_gets_question_marks() -> None:
    """LANG=C where Python follows it, a serial console of latin-1: what cannot be shown ends nothing."""
    command = [sys.executable, "-m", "betline", "profiles", "TDA2024", "RROP11"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    shown = subprocess.run(command, env=environment, capture_output=True, check=False, cwd=Path(__file__).parents[2])
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert b"RROP11" in shown.stdout


@pytest.mark.parametrize("width", ["40", "80", "200"])
def test_no_name_that_a_house_file_needs_is_ever_cut(monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    monkeypatch.setenv("COLUMNS", width)
    differing = json.loads(betline_profiles("TDA2024", "RU_CASH", "--json"))
    shown = betline_profiles("TDA2024", "RU_CASH")
    lines = shown.splitlines()
    assert [switch for switch in differing if switch not in lines] == []
    assert "…" not in shown
    values = {value for pair in differing.values() for value in pair.values() if isinstance(value, str)}
    assert [value for value in values if not any(line.strip().endswith(value) for line in lines)] == []
    listed = betline_profiles()
    assert [name for name in names() if not any(name in line for line in listed.splitlines())] == []


def test_titles_are_told_in_every_language_of_the_table() -> None:
    english = json.loads(betline_profiles("--json"))
    assert english == {name: load(name).title for name in names()}
    for language in LANGUAGES:
        told = json.loads(betline_profiles("--json", "--language", language))
        assert told.keys() == english.keys()
        assert language == "en" or not [name for name in told if told[name] == english[name]]
