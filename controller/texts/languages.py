"""The languages of the table: one TOML file each beside this module, and nothing else says that there is one.

A file has `[language]` and `[plural]` (`writing.py`), and a table of texts for each area; keys are unique over all
tables. What a file lacks is taken from English, which lacks nothing. The words of the screen stand in `display`.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.errors import ConfigError
from controller.snapshot import Language, Text
from controller.texts.plurals import PluralError, rule
from controller.texts.writing import Writing

FOLDER = Path(__file__).parent
ENGLISH: Language = "en"  # spoken where nobody chose a language, and where a translation lacks a text
LANGUAGES: tuple[Language, ...] = (
    ENGLISH,
    *sorted(path.stem for path in FOLDER.glob("*.toml") if path.stem != ENGLISH),
)
OF_THE_LANGUAGE = ("language", "plural")  # tables that hold no texts


def known(language: str) -> Language:
    """The same, if it is a language of the table; ConfigError names those that there are."""
    if language not in LANGUAGES:
        there = ", ".join(f"{code} ({writing(code).name})" for code in LANGUAGES)
        raise ConfigError(
            f"no language {language!r}: there are {there}: take one of them, or add one (CONTRIBUTING.md)"
        )
    return language


def pick(text: Text, language: Language) -> str:
    """The sentence in this language; where it is missing, in English; else in any."""
    return text.get(language) or text.get(ENGLISH) or next(iter(text.values()))


@cache
def writing(language: Language) -> Writing:
    """How this language writes numbers and lists."""
    english, own = _document(ENGLISH), _document(language)
    try:
        manner = msgspec.convert({**english["language"], **own.get("language", {})}, Writing)
        plural = own.get("plural", english["plural"])
        return replace(manner, plural=tuple(rule(text) for text in plural.values()))
    except (PluralError, msgspec.ValidationError) as error:
        raise ConfigError(f"{_file(language)}: {error}") from error


@cache
def tables(language: Language) -> dict[str, dict[str, str]]:
    """The texts that a language has itself, by table."""
    return {name: table for name, table in _document(language).items() if name not in OF_THE_LANGUAGE}


@cache
def texts(language: Language) -> dict[str, str]:
    """The texts that a language has itself, by key."""
    return {key: text for table in tables(language).values() for key, text in table.items()}


def _file(language: Language) -> Path:
    return FOLDER / f"{language}.toml"


@cache
def _document(language: Language) -> dict[str, dict[str, Any]]:
    path = _file(language)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: no TOML: {error}: mend that place, and save it as UTF-8") from error
