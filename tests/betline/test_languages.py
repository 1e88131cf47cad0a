"""A new language is two files, `controller/texts/xx.toml` and `display/xx.toml`: all that speaks finds them by itself.

The proof is a copy of the product with such a language, run as people run it.
"""

import ast
import json
import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from betline.demo.table import write_files
from controller.config.config import TableSection
from controller.snapshot import DealerSnapshot
from controller.table.setup import House as Habits
from controller.table.setup import Stakes
from simulator.tables import config_of
from tests.betline.other_tongue import CODE, MARK, PACKAGES, ROOT, THERE, House
from tests.betline.test_rule import CALL
from tests.controller.running import Client, Running, in_a_hand

READ = "import sys; from controller.config.config import load; print(load(__import__('pathlib').Path(sys.argv[1])).screen.language)"
SHOW = """
import sys, msgspec
from controller.snapshot import DealerSnapshot
from display.keys import Desk, press
from display.labels import labels
from display.parts import Link
from display.view import view
seen = msgspec.json.decode(open(sys.argv[1], "rb").read(), type=DealerSnapshot)
shown = view(seen, Link("live"), Desk(), labels(sys.argv[2]), dealer=True)
for text in (shown.ruling.headline, shown.ruling.sentence, shown.pot_label, shown.pot, shown.hint):
    print(text)
print(labels(sys.argv[2]).in_hand)
print(msgspec.json.encode(press(Desk(), "γ", seen).command).decode())
"""
PHRASE = """
import sys
from controller.texts.sentences import joined, phrase
for count in (1, 2, 5, 12, 22):
    print(phrase("seen_twice", count=count)[sys.argv[1]])
print(phrase("waits_chips", count=2, value=12_500)[sys.argv[1]])
print(phrase("label_call", total=12_500)[sys.argv[1]])
print(joined([phrase("place_board"), phrase("place_pot")])[sys.argv[1]])
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def snapshot(house: House, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A snapshot of a table that speaks the new language, as a screen hears it: seat 1 raised to 600."""
    folder = tmp_path_factory.mktemp("table")
    table = Running(folder)
    text = table.path.read_text(encoding="utf-8")
    table.path.write_text(text.replace('language = "en"', f'language = "{CODE}"'), encoding="utf-8")
    try:
        seen = raised(table, table.start(env=house.env))
    finally:
        table.close()
    file = folder / "snapshot.json"
    file.write_bytes(msgspec.json.encode(seen))
    return file


def raised(table: Running, dealer: Client) -> DealerSnapshot:
    in_a_hand(table, dealer)
    table.push(1, 500, 100)
    return dealer.sees(lambda seen: seen.ruling is not None and seen.ruling.final, "the ruling")


def test_a_language_is_two_files(house: House) -> None:
    assert house.added == {f"controller/texts/{CODE}.toml", f"display/{CODE}.toml"}


def test_no_code_knows_a_language_by_its_code() -> None:
    """But for one line that says which is spoken where nobody chose."""
    found = [
        f"{path.relative_to(ROOT)}: {node.value}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in THERE
    ]
    assert found == ["controller/texts/languages.py: en"]


def test_rulings_are_given_in_it(house: House) -> None:
    done = house.betline("rule", "--language", CODE, typed=json.dumps(CALL))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["reason"] == f"{MARK}One chip, no word: a call. {MARK}700 back."
    explained = house.betline("rule", "--language", CODE, "--explain", typed=json.dumps(CALL)).stdout
    assert all(MARK in line for line in explained.strip().splitlines()[1:])


def test_it_writes_numbers_forms_and_lists_as_its_file_says_and_what_it_lacks_in_english(house: House) -> None:
    *counted, lacking, amount, both = house.lines(["-c", PHRASE, CODE])
    assert [text.removeprefix(MARK).split(" seen")[0] for text in counted] == [
        "1 item",
        "2 item-pair",
        "5 items",
        "12 items",
        "22 item-pair",
    ]
    assert lacking == "waits for 2 chips worth 12\u202f500"
    assert amount == f"{MARK}Call 12.500"
    assert both == f"{MARK}board & {MARK}pot"


def test_a_table_is_set_to_it_and_its_snapshots_carry_every_language(snapshot: Path) -> None:
    seen = msgspec.json.decode(snapshot.read_bytes(), type=DealerSnapshot)
    assert seen.ruling is not None
    assert seen.ruling.headline == {
        "en": "Seat 1: Raise to 600",
        "ru": "Место 1: Рейз до 600",
        CODE: f"{MARK}Seat 1: {MARK}Raise to 600",
    }
    assert {tuple(reader.text) for reader in seen.readers} == {("en", "ru", CODE)}


def test_the_screen_shows_it_and_takes_its_keyboard(house: House, snapshot: Path) -> None:
    headline, reason, pot, amount, hint, lacking, pressed = house.lines(["-c", SHOW, str(snapshot), CODE])
    assert headline == f"{MARK}Seat 1: {MARK}Raise to 600"
    assert reason.startswith(f"{MARK}No word, more chips than the call needs")
    assert (pot, amount, hint) == (f"{MARK}POT", "750", f"{MARK}h: keys")
    assert lacking == "in hand {n}"
    assert '"call"' in pressed


def test_a_picture_is_drawn_in_it(house: House, snapshot: Path, tmp_path: Path) -> None:
    shot = tmp_path / "screen.png"
    done = house.betline("screen", "--snapshot", snapshot, "--shot", shot, "--language", CODE)
    assert (done.returncode, done.stderr) == (0, "")
    assert shot.read_bytes().startswith(b"\x89PNG")


def test_the_demo_speaks_it(house: House) -> None:
    done = house.betline("demo", "--headless", "--hands", "1", "--seed", "7", "--speed", "50", "--language", CODE)
    assert done.returncode == 0, done.stderr
    for words in ("The antennas count every chip", "Counted: ", "Hand 1, button at seat", "Seat ", "The dealer deals"):
        assert re.search(rf"^  {re.escape(MARK + words)}", done.stderr, re.MULTILINE), words


def test_init_asks_for_it_and_writes_a_table_that_loads(house: House, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    done = house.betline("init", file, "--seats", "2", typed="\n" * 13 + f"zz\n{CODE}\n")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Language of the screen (en, ru, {CODE})" in done.stdout
    assert f"One of en, ru, {CODE}, please." in done.stdout
    assert house.lines(["-c", READ, str(file)]) == [CODE]


@pytest.mark.parametrize("command", ["rule", "demo --headless --hands 1", "screen --snapshot no.json --shot no.png"])
def test_a_language_that_is_not_there_is_one_line_with_those_that_are(house: House, command: str) -> None:
    done = house.betline(*command.split(), "--language", "zz")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"betline: no language 'zz': there are en (English), ru (русский), {CODE} (Xish): "
        "take one of them, or add one (CONTRIBUTING.md)\n"
    )


def test_a_table_in_a_language_that_is_not_there_is_one_line_with_the_key(house: House, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    assert house.betline("init", file, "--yes", "--seats", "2").returncode == 0
    file.write_text(file.read_text().replace('language = "en"', 'language = "zz"'))
    done = house.betline("run", "--check", "--config", file)
    assert done.returncode == 1
    assert done.stderr.startswith(
        f"betline: {file}: [screen], key 'language': no language 'zz': there are en (English)"
    )


def test_a_language_without_words_for_the_screen_says_which_file_is_missing(tmp_path: Path) -> None:
    half = House(tmp_path)
    missing = tmp_path / f"display/{CODE}.toml"
    missing.unlink()
    done = half.betline(
        "screen", "--snapshot", ROOT / "tests/display/readme.json", "--shot", tmp_path / "no.png", "--language", CODE
    )
    assert done.returncode == 1
    assert done.stderr == f"betline: {missing}: No such file or directory: copy en.toml there, and translate it\n"


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A house whose other tongue is written anew by each test."""
    return House(tmp_path_factory.mktemp("spoiled"))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("language = 3", "key 'language' is no table of texts: "),
        ("plural = 3", "key 'plural' is no table of texts: "),
        ("[plural]\none = 3", "[plural], key 'one' is no text: "),
        ('[plural]\ntwo = "n % 0 = 1"', "[plural], key 'two': 'n % 0 = 1' is no rule: "),
        ('[plural]\ntwo = "n = 9..2"', "[plural], key 'two': '9..2' holds no number: "),
        ("ruling = 3", "key 'ruling' is no table of texts: "),
        ("more = 3", "key 'more' is no table of texts: "),
        ("[ruling]\none_chip_call = 3", "[ruling], key 'one_chip_call' is no text: "),
        ('[ruling]\none_chip_call = "{"', "[ruling], key 'one_chip_call': '{': "),
        ('[table]\none_chip_call = "{0}"', "[table], key 'one_chip_call': '{0}': "),
        ('[table]\nwaits_chips = "{nobody}"', "[table], key 'waits_chips': nothing fills {nobody}: "),
        ("[language]\ngrouped_from = 'x'", "[language]: Expected `int`"),
        ("a = " + "[" * 3000 + "]" * 3000, "no TOML: nested too deeply: "),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line_before_anything_opens(
    spoiled: House, tmp_path: Path, text: str, part: str
) -> None:
    texts = next(file for file in spoiled.added if "texts" in file)
    file = Path(spoiled.env["PYTHONPATH"], texts)
    file.write_text(text, encoding="utf-8")
    home = replace(config_of(2, Stakes(), Habits()), table=TableSection(seats=2, chips="chips.csv"))
    table, _ = write_files(tmp_path, home, {"a": 100})
    for words in (["rule", "--language", CODE], ["run", "--check", "--config", table]):
        done = spoiled.betline(*words, typed=json.dumps(CALL))
        assert (done.returncode, done.stdout) == (1, ""), words
        assert done.stderr.startswith(f"betline: {file}: {part}"), words
        assert done.stderr.count("\n") == 1, words
