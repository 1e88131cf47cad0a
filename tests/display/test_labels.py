"""Every language says everything, and a font is there for all of it."""

import string
import tomllib
from typing import get_args

import msgspec
import pygame
import pytest

from controller.games.catalog import game, names
from controller.places import Zone
from controller.table.events import PostKind
from controller.table.phases import Phase
from controller.texts.languages import LANGUAGES, texts, writing
from display import theme
from display.labels import FOLDER, Labels, labels


def holes(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def flat(value: object, path: str = "") -> dict[str, str]:
    if isinstance(value, str):
        return {path: value}
    if isinstance(value, dict):
        return {p: t for k, v in value.items() for p, t in flat(v, f"{path}.{k}").items()}
    if isinstance(value, list):
        return {p: t for i, v in enumerate(value) for p, t in flat(v, f"{path}.{i}").items()}
    return {}


def written(language: str) -> dict[str, str]:
    """What the file of a language says itself, by the path of its key; nothing of English in it."""
    return flat(tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8")))


EN, RU = written("en"), written("ru")


def test_every_language_of_the_sentences_has_a_file_of_labels() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_label_that_english_has(language: str) -> None:
    found = written(language)
    missing, unknown = EN.keys() - found.keys(), found.keys() - EN.keys()
    assert not missing, f"{len(missing)} are missing: {', '.join(sorted(missing))}"
    assert not unknown, f"English has no {', '.join(sorted(unknown))}"
    assert {name for name, text in EN.items() if not text} >= {name for name, text in found.items() if not text}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_filled_with_the_same_numbers_as_english(language: str) -> None:
    for name, text in written(language).items():
        assert holes(text) == holes(EN.get(name, text)), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_keyboard_has_a_letter_for_every_key_and_none_that_is_a_key_itself(language: str) -> None:
    letters = labels(language).keyboard
    assert len(letters) in (0, 26)
    assert len(set(letters)) == len(letters)
    assert all(len(letter.upper()) == 1 for letter in letters)
    assert not set(letters) & set(string.ascii_letters + string.digits + "+=?")


def test_russian_is_russian() -> None:
    same = {name for name in EN if EN[name] == RU[name] and not name.endswith(".keys")}
    assert same <= {".won", ".broker_up", ".question_at"}


def test_every_phase_of_a_hand_has_words() -> None:
    for language in LANGUAGES:
        assert labels(language).phases.keys() == {str(phase) for phase in Phase}


def test_every_street_of_every_game_has_a_name_on_the_screen() -> None:
    for language in LANGUAGES:
        assert labels(language).streets.keys() == {street.name for name in names() for street in game(name).streets}


def test_every_kind_of_post_has_words() -> None:
    for language in LANGUAGES:
        assert labels(language).posts.keys() == set(get_args(PostKind))


def test_the_zones_of_the_key_for_foreign_tags_are_zones_of_the_table() -> None:
    assert {"spot", "tray"} <= {str(zone) for zone in Zone}


def test_a_missing_or_misspelt_label_is_an_error() -> None:
    document = {**tomllib.loads((FOLDER / "en.toml").read_text()), "language": "en"}
    with pytest.raises(msgspec.ValidationError, match="colour"):
        msgspec.convert({**document, "colour": "red"}, Labels)
    del document["pot"]
    with pytest.raises(msgspec.ValidationError, match="pot"):
        msgspec.convert(document, Labels)


def test_numbers_are_grouped_from_five_digits_on_and_never_broken_by_a_plain_space() -> None:
    for amount in (labels("en").amount, labels("ru").amount):
        assert [amount(n) for n in (0, 200, 9999)] == ["0", "200", "9999"]
        assert amount(12_500) == "12\u202f500"
        assert amount(1_254_000) == "1\u202f254\u202f000"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("bold", [False, True])
def test_the_bundled_font_has_every_character(language: str, bold: bool) -> None:
    said = "".join([*written(language).values(), *texts(language).values(), writing(language).group_mark])
    shown = set(said) | set("0123456789♠♥♦♣×↩+!?iD…№\u202f")
    font = theme.font(40, bold=bold)
    missing = pygame.image.tobytes(font.render("\u0378", True, "white"), "RGBA")
    lacking = {c for c in shown if pygame.image.tobytes(font.render(c, True, "white"), "RGBA") == missing}
    assert lacking == set()


def test_the_licence_lies_beside_the_font() -> None:
    text = (theme.FONTS / "LICENSE.txt").read_text()
    assert "Bitstream" in text
    assert "DejaVu" in text
