"""House profiles: files of named switches, each documented and read by a rule; wrong keys and values are named."""

import ast
import re
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from controller.rulings import profiles
from controller.rulings.profiles import Profile, ProfileError, differences, load, meanings, names
from tests.controller.rulings.cases import CASES

FOLDER = Path(profiles.__file__).parent


def house(tmp_path: Path, text: str, name: str = "club.toml") -> str:
    path = tmp_path / name
    path.write_text(text)
    return str(path)


def complaint(tmp_path: Path, text: str) -> str:
    with pytest.raises(ProfileError) as caught:
        load(house(tmp_path, text))
    message = str(caught.value)
    assert "club.toml" in message
    assert "\n" not in message
    return message


def test_every_rule_set_of_the_case_file_is_a_profile() -> None:
    assert {name for case in CASES for name in case["profiles"]} <= set(names())


@pytest.mark.parametrize("name", names())
def test_a_profile_is_found_in_any_case_and_says_what_it_is(name: str) -> None:
    assert load(name.swapcase()).name == name
    assert load(name).title
    assert load(name) == load(name)


def test_tda_2024_is_every_switch_at_its_default() -> None:
    assert differences(load("TDA2024"), Profile()) == {}


def test_no_two_profiles_are_the_same_by_accident() -> None:
    """SPREAD rules as TDA 2024 does: spread limit is a structure, the profile is there for its name."""
    alike = {name for name in names() if not differences(load(name), load("TDA2024"))}

    assert alike == {"TDA2024", "SPREAD"}


SWITCH_NAMES = [name for name in Profile.__struct_fields__ if name not in {"name", "title", "citations"}]


@pytest.mark.parametrize("switch", SWITCH_NAMES)
def test_every_switch_says_its_meaning_its_values_and_a_source(switch: str) -> None:
    meaning = meanings()[switch]
    kind: Any = get_type_hints(Profile)[switch]
    values = get_args(kind) if get_origin(kind) is not None else ()

    assert len(meaning) > 40
    for value in values:
        if isinstance(value, str) and len(values) > 2:
            assert value in meaning, f"{switch} does not explain {value}"
    sources = r"TDA|RRoP|Russian|FIDPA|WSOP|BARGE|UPT|Jumer|Austria|Wikipedia|Card Player|house|rooms|habit"
    assert re.search(sources, meaning), f"{switch} names no source"


@pytest.mark.parametrize("switch", SWITCH_NAMES)
def test_every_switch_is_read_by_a_rule(switch: str) -> None:
    reads = {
        f"{path.name}:{node.lineno}"
        for path in FOLDER.glob("*.py")
        if path.name not in {"switches.py", "profiles.py"}
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr == switch
    }

    assert reads, f"no rule reads {switch}"


def test_a_house_of_ones_own_extends_another_and_takes_its_name_from_the_file(tmp_path: Path) -> None:
    club = load(
        house(tmp_path, 'title = "Club"\nextends = "RU_CASH"\nfl_cap = 4\n[citations]\none_chip_call = "Club 7"\n')
    )

    assert (club.name, club.title, club.fl_cap) == ("club", "Club", 4)
    assert club.multichip_test == load("RU_CASH").multichip_test
    assert club.citations["one_chip_call"] == "Club 7"
    assert club.citations["raise_by_chips"] == "Russian club rules 2.8.10"


def test_a_house_that_extends_nothing_stands_on_tda_2024(tmp_path: Path) -> None:
    club = load(house(tmp_path, 'title = "Club"\nmin_chip = 25\n'))

    assert differences(club, load("TDA2024")) == {"min_chip": (25, 0)}
    assert club.citations == load("TDA2024").citations


def test_a_house_may_extend_a_file_beside_it(tmp_path: Path) -> None:
    house(tmp_path, 'title = "Base"\nfl_cap = 5\n', "base.toml")

    assert load(house(tmp_path, 'title = "Club"\nextends = "base.toml"\n')).fl_cap == 5


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("multichip_tset = 'none'", 'unknown key "multichip_tset": did you mean "multichip_test"?'),
        ("multichip_test = 'nune'", 'multichip_test = "nune" is not one of its values: did you mean "none"?'),
        ("multichip_test = 3", "multichip_test: expected str, got int"),
        ("fl_cap = 'three'", "fl_cap: expected int | null, got str"),
        ("pl_sb_as_bb = 1", "pl_sb_as_bb: expected bool, got int"),
        ("fl_cap = -1", "fl_cap: expected int >= 0"),
        ("tiny_chip_ratio = 0", "tiny_chip_ratio: expected int >= 1"),
        ("extends = 'TDA2042'", 'no house profile "TDA2042": did you mean "TDA2024"?'),
        ("extends = 7", "extends = 7 must be a name in quotes"),
        ("extends = 'club.toml'", "goes round in a circle"),
        ("[citations]\none_chip_cal = 'x'", 'unknown key "citations.one_chip_cal": did you mean "one_chip_call"?'),
        ("[citations]\none_chip_call = 5", "citations"),
        ("citations = 'TDA'", "citations must be a table"),
        ("title = ", "not TOML"),
    ],
)
def test_a_wrong_profile_is_refused_with_the_nearest_right_name(tmp_path: Path, text: str, part: str) -> None:
    assert part in complaint(tmp_path, text + "\n")


def test_a_profile_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match=r"/nowhere/x\.toml: cannot be read .*: name a TOML file or one of BARGE"):
        load("/nowhere/x.toml")
    with pytest.raises(ProfileError, match=r"nowhere\.toml: cannot be read"):
        load(house(tmp_path, "extends = 'nowhere.toml'"))
    with pytest.raises(ProfileError, match=r'no house profile "whatever": there are: BARGE'):
        load("whatever")
