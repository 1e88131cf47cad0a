"""What may stand in braces in a translated text."""

import pytest

from controller.texts import languages
from controller.texts.placeholders import TextError, check, names

ENGLISH = {"hand": "Hand {n}", "phases": {"betting": {"name": "Betting"}}, "grouped_from": 10_000}


def test_names_stand_alone_or_with_forms() -> None:
    assert names("{count} {count:chip|chips} of seat {seat}, {{so}}") == {"count", "seat"}
    assert names("") == frozenset()


@pytest.mark.parametrize("text", ["{", "}", "{}", "{0}", "{n.x}", "{n[0]}", "{n!r}", "{n:>4}", "{n:{m}}", "{a b}"])
def test_what_could_not_be_filled_is_told_with_the_way_to_write_it(text: str) -> None:
    with pytest.raises(TextError, match="write a"):
        names(text)


@pytest.mark.parametrize(
    ("own", "part"),
    [
        ({"hand": 3}, "key 'hand' is no text"),
        ({"hand": "{"}, "key 'hand': '{'"),
        ({"hand": "{seat}"}, "key 'hand': nothing fills {seat}: there is {n}"),
        ({"phases": {"betting": {"name": "{n}"}}}, "key 'phases', key 'betting', key 'name': nothing fills {n}"),
    ],
)
def test_a_text_that_is_not_built_as_the_english_one_is_named(own: dict[str, object], part: str) -> None:
    with pytest.raises(TextError) as failed:
        check(own, ENGLISH)
    assert str(failed.value).startswith(part)


def test_what_is_missing_or_more_is_no_fault() -> None:
    check({}, ENGLISH)
    check({"more": "{anything}", "hand": "{n}"}, ENGLISH)


def test_every_file_of_the_package_passes() -> None:
    languages.check_all()
