"""Both languages say everything, and a font is there for all of it."""

import string
import tomllib
from pathlib import Path
from typing import get_args

import msgspec
import pygame
import pytest

from controller.places import Zone
from controller.table.events import PostKind
from controller.table.state import Phase
from display import labels as module
from display import theme
from display.labels import LANGUAGES, Labels, grouped, labels


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


EN, RU = (flat(msgspec.to_builtins(labels(language))) for language in LANGUAGES)


def test_russian_has_every_label_that_english_has() -> None:
    assert EN.keys() == RU.keys()
    assert {name for name, text in EN.items() if not text} == {name for name, text in RU.items() if not text}


@pytest.mark.parametrize("name", sorted(EN))
def test_both_languages_are_filled_with_the_same_numbers(name: str) -> None:
    assert holes(EN[name]) == holes(RU[name])


def test_russian_is_russian() -> None:
    same = {name for name in EN if EN[name] == RU[name] and not name.endswith(".keys")}
    assert same <= {".won", ".broker_up", ".question_at"}


def test_every_phase_of_a_hand_has_words() -> None:
    for language in LANGUAGES:
        assert labels(language).phases.keys() == {str(phase) for phase in Phase}
        assert labels(language).streets.keys() == {"preflop", "flop", "turn", "river"}


def test_every_kind_of_post_has_words() -> None:
    for language in LANGUAGES:
        assert labels(language).posts.keys() == set(get_args(PostKind))


def test_the_zones_of_the_key_for_foreign_tags_are_zones_of_the_table() -> None:
    assert {"spot", "tray"} <= {str(zone) for zone in Zone}


def test_a_missing_or_misspelt_label_is_an_error() -> None:
    text = (Path(module.__file__).parent / "en.toml").read_text()
    document = tomllib.loads(text)
    with pytest.raises(msgspec.ValidationError, match="colour"):
        msgspec.convert({**document, "colour": "red"}, Labels)
    del document["pot"]
    with pytest.raises(msgspec.ValidationError, match="pot"):
        msgspec.convert(document, Labels)


def test_numbers_are_grouped_from_five_digits_on_and_never_broken_by_a_plain_space() -> None:
    assert [grouped(n) for n in (0, 200, 9999)] == ["0", "200", "9999"]
    assert grouped(12_500) == "12\u202f500"
    assert grouped(1_254_000) == "1\u202f254\u202f000"


@pytest.mark.parametrize("bold", [False, True])
def test_the_bundled_font_has_every_character_of_both_languages(bold: bool) -> None:
    written = set("".join([*EN.values(), *RU.values()])) | set("0123456789♠♥♦♣×↩+!?iD…№\u202f")
    font = theme.font(40, bold=bold)
    missing = pygame.image.tobytes(font.render("\u0378", True, "white"), "RGBA")
    lacking = {c for c in written if pygame.image.tobytes(font.render(c, True, "white"), "RGBA") == missing}
    assert lacking == set()


def test_the_licence_lies_beside_the_font() -> None:
    text = (theme.FONTS / "LICENSE.txt").read_text()
    assert "Bitstream" in text
    assert "DejaVu" in text
