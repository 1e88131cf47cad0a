"""The languages of the table: one TOML file each beside this module, and nothing else says that there is one.

A file has `[language]` and `[plural]` (`writing.py`), and a table of texts for each area; keys are unique over all
tables. What a file lacks is taken from English, which lacks nothing. The words of the screen stand in `display`.
"""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.errors import ConfigError
from controller.snapshot import Language, Text
from controller.texts import files
from controller.texts.placeholders import TextError, check
from controller.texts.plurals import PluralError, Rule, rule
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


def check_all() -> None:
    """ConfigError where the file of any language cannot be used: a table tells everything in all of them."""
    for language in LANGUAGES:
        writing(language)
        texts(language)


@cache
def writing(language: Language) -> Writing:
    """How this language writes numbers and lists."""
    english, own = _document(ENGLISH), _document(language)
    try:
        manner = msgspec.convert({**english["language"], **own.get("language", {})}, Writing)
        plural = own.get("plural", english["plural"])
        return replace(manner, plural=tuple(_rule(name, text) for name, text in plural.items()))
    except PluralError as error:
        raise ConfigError(f"{_file(language)}: {error}") from error
    except msgspec.ValidationError as error:
        raise ConfigError(f"{_file(language)}: [language]: {error}: mend that place") from error


def _rule(name: str, text: object) -> Rule:
    if not isinstance(text, str):
        raise PluralError(f"[plural], key {name!r} is no text: put the rule in quotation marks")
    try:
        return rule(text)
    except PluralError as error:
        raise PluralError(f"[plural], key {name!r}: {error}") from error


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


def _check(document: dict[str, Any], english: dict[str, Any]) -> None:
    every = {key: text for name, table in english.items() if name not in OF_THE_LANGUAGE for key, text in table.items()}
    for name, table in document.items():
        if not isinstance(table, dict):
            raise TextError(f"key {name!r} is no table of texts: put it into one, or remove it")
        check(table, english[name] if name in OF_THE_LANGUAGE else every, f"[{name}]")


@cache
def _document(language: Language) -> dict[str, dict[str, Any]]:
    try:
        return files.document(
            _file(language), lambda found: _check(found, found if language == ENGLISH else _document(ENGLISH))
        )
    except TextError as error:
        raise ConfigError(str(error)) from error
