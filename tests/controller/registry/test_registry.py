"""chips.csv and cards.csv: every bad line is one error that names file, line and cure."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import ConfigError
from controller.registry.colours import chip_colours
from controller.registry.registry import (
    DECK,
    Item,
    Registry,
    face,
    format_cards,
    format_chips,
    load,
    parse_cards,
    parse_chips,
)

HEAD = "name,tag,value,kind,set,state\n"
GOOD = HEAD + "r100-001,E2001D73,100,chip,red,in\nbutton,04AA,,button,,in\n"
DECK_HEAD = "name,tag,deck,state\n"


def deck(name: str, first: int) -> str:
    return DECK_HEAD + "".join(f"{card},{first + n:08X},{name},in\n" for n, card in enumerate(DECK))


def test_a_chips_file_is_read_line_by_line() -> None:
    assert parse_chips(GOOD, "chips.csv") == [
        Item("r100-001", "E2001D73", "chip", 100, "red"),
        Item("button", "04AA", "button"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("\n", "\r\n"),
        GOOD.replace(",", ";"),
        GOOD + "\n  \n,,,,,\n",
        GOOD.replace("E2001D73", " e2001d73 "),
    ],
    ids=["crlf", "semicolons", "empty lines", "lower case"],
)
def test_what_spreadsheets_and_people_write_is_read_alike(text: str) -> None:
    assert parse_chips(text, "chips.csv") == parse_chips(GOOD, "chips.csv")


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("a,04AA,0,chip,,in", "value '0'"),
        ("a,04AA,1.5,chip,,in", "value '1.5'"),
        ("a,04AA,-5,chip,,in", "value '-5'"),
        ("a,04AA,٣,chip,,in", "value '٣'"),
        ("a,04AA," + "9" * 13 + ",chip,,in", "value"),
        ("a,04A,5,chip,,in", "tag '04A'"),
        ("a,,5,chip,,in", "tag ''"),
        ("a,4.0E+10,5,chip,,in", "tag '4.0E+10'"),
        ("a,04AA,5,chop,,in", "kind 'chop'"),
        ("a,04AA,5,chip,,lost", "state 'lost'"),
        (",04AA,5,chip,,in", "name ''"),
        ('"a\nb",04AA,5,chip,,in', "name"),
        ("a,04AA,5,chip,in", "5 columns, not 6"),
        ('a,"04AA"x,5,chip,,in', "line 3"),
        ("r100-001,04AA,5,chip,,in", "'r100-001' is also in chips.csv, line 2"),
        ("a,E2001D73,5,chip,,in", "tag E2001D73 is also in chips.csv, line 2"),
    ],
)
def test_a_bad_line_is_named_with_its_number(line: str, names: str) -> None:
    text = HEAD + "r100-001,E2001D73,100,chip,red,in\n" + line + "\n"

    with pytest.raises(ConfigError, match=r"line [34]") as caught:
        parse_chips(text, "chips.csv")

    assert names in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "\n", "tag,name\n", "\x00", HEAD.upper()])
def test_a_wrong_header_says_what_it_must_be(text: str) -> None:
    with pytest.raises(ConfigError, match=r"line 1: .*name,tag,value,kind,set,state"):
        parse_chips(text, "chips.csv")


def test_what_is_no_card_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"deck.csv, line 2: name '1s' is no card"):
        parse_cards(DECK_HEAD + "1s,04AA,red,in\n", "deck.csv")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    chips, red, blue = tmp_path / "chips.csv", tmp_path / "red.csv", tmp_path / "blue.csv"
    chips.write_text("\ufeff" + GOOD, encoding="utf-8")
    red.write_text(deck("red", 0x10000), encoding="utf-8")
    blue.write_text(deck("blue", 0x20000) + "spare1,00030000,blue,ignore\n", encoding="utf-8")
    return chips, red, blue


def test_cards_of_a_second_deck_carry_its_name_and_keep_their_face(files: tuple[Path, Path, Path]) -> None:
    registry = load(files[0], files[1:])

    assert len(registry.cards) == 105
    assert registry.items["As"].set == "red"
    assert registry.items["blue:As"].set == "blue"
    assert face("blue:As") == face("As") == "As"
    assert registry.items["spare1"].state == "ignore"
    assert registry.by_tag["E2001D73"].name == "r100-001"


def test_a_tag_in_two_files_is_named_with_both(files: tuple[Path, Path, Path]) -> None:
    chips, red, _ = files
    red.write_text(DECK_HEAD + "As,E2001D73,red,in\n", encoding="utf-8")

    with pytest.raises(ConfigError, match=r"red.csv, line 2: tag E2001D73 is also in .*chips.csv, line 2"):
        load(chips, [red])


def test_the_same_deck_twice_is_refused(files: tuple[Path, Path, Path]) -> None:
    chips, red, _ = files

    with pytest.raises(ConfigError, match="is also in"):
        load(chips, [red, red])


def test_files_that_cannot_be_read_are_named(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    chips, red, _ = files
    with pytest.raises(ConfigError, match=r"none.csv: No such file"):
        load(tmp_path / "none.csv", [])
    with pytest.raises(ConfigError, match="is a folder"):
        load(chips, [tmp_path])
    red.write_bytes(b"\xff\xfe\x00As")
    with pytest.raises(ConfigError, match=r"red.csv: not UTF-8"):
        load(chips, [red])


def test_only_chips_in_play_have_a_value() -> None:
    items = [Item("a", "01", "chip", 5), Item("b", "02", "chip", 5, "", "withdrawn"), Item("button", "03", "button")]

    assert Registry(items).values == {"a": 5}


def test_a_registry_refuses_two_items_of_one_name_or_tag() -> None:
    with pytest.raises(ConfigError, match="called 'a'"):
        Registry([Item("a", "01", "chip", 5), Item("a", "02", "chip", 5)])
    with pytest.raises(ConfigError, match="'b' and 'a' have the same tag"):
        Registry([Item("a", "01", "chip", 5), Item("b", "01", "chip", 5)])


names = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=8)
words = st.text(st.sampled_from("ab \",;'-"), max_size=5).map(str.strip)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.dictionaries(names, st.tuples(st.integers(1, 10**11), words), max_size=8))
def test_what_is_written_is_read_back(chips: dict[str, tuple[int, str]]) -> None:
    items = [
        Item(name, f"{n:08X}", "chip", value, word) for n, (name, (value, word)) in enumerate(sorted(chips.items()))
    ]

    assert parse_chips(format_chips(items), "chips.csv") == items


def test_a_deck_is_written_sorted_by_name_and_read_back() -> None:
    cards = [Item(f"blue:{card}", f"{n:08X}", "card", 0, "blue") for n, card in enumerate(DECK)]

    again = parse_cards(format_cards(cards), "deck.csv")

    assert [card.name for card in again] == sorted(DECK)
    assert {card.tag for card in again} == {card.tag for card in cards}


def test_chips_have_the_colour_that_their_set_is_called_by() -> None:
    items = (
        Item("r1", "AA01", "chip", 100, "red"),
        Item("r2", "AA02", "chip", 100, " Red"),
        Item("g1", "AA03", "chip", 25, "Gray"),
        Item("v1", "AA04", "chip", 500, "of my aunt"),
        Item("w1", "AA05", "chip", 1000, "white"),
        Item("w2", "AA06", "chip", 1000, "blue"),
        Item("w3", "AA07", "chip", 2000, "blue"),
        Item("w4", "AA08", "chip", 2000, "red", "withdrawn"),
        Item("As", "AA09", "card", 0, "red"),
    )
    assert chip_colours(items) == ((2000, "blue"), (100, "red"), (25, "grey"))
