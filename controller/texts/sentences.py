"""Makes sentences from keys and numbers, in every language at once: {"en": "...", "ru": "..."}.

The files en.toml and ru.toml beside this module hold the texts. A table per area; keys are unique over all tables. Only
sentences of `[ruling]` get notes behind them: what did not count, change due, chips to add.

A number chooses the form of a word beside it: `{count} {count:chip|chips}`, in Russian one of three forms.
Numbers of five and more digits are written in groups of three; digits in a name are not touched.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from controller.rulings.values import Reading, Word
from controller.texts.plurals import Counted

FOLDER = Path(__file__).parent
LANGUAGES = ("en", "ru")
NOTES = ("later_motion", "late_word", "change", "add")  # in the order in which they are said


def sentence(key: str, numbers: Mapping[str, int]) -> dict[str, str]:
    """One sentence in each language, a ruling's with its notes, such as: One chip, no word: a call. 700 back.

    A key that no file has is shown as it is: a missing text must not hide a ruling.
    """
    return {language: _sentence(language, key, numbers) for language in LANGUAGES}


def phrase(key: str, **parts: str | int | Mapping[str, str]) -> dict[str, str]:
    """A text in each language, filled with numbers, names, and texts that have a language of their own."""
    return {
        language: texts(language)[key].format(**{name: _part(language, part) for name, part in parts.items()})
        for language in LANGUAGES
    }


def _part(language: str, part: str | int | Mapping[str, str]) -> str | int:
    if isinstance(part, Mapping):
        return part[language]
    return Counted(part, language) if isinstance(part, int) else part


def reading_label(reading: Reading) -> dict[str, str]:
    """A reading as a choice: "Raise to 1000, add 200"."""
    return {language: _label(language, reading) for language in LANGUAGES}


def word_text(word: Word) -> dict[str, str]:
    """What was said, as a quotation; an amount that belongs to the word and is missing is a question mark."""
    alone, with_amount = f"word_{word.kind}", f"word_{word.kind}_n"
    known = texts(LANGUAGES[0])
    if alone in known and (word.amount is None or with_amount not in known):
        return phrase("word_said", word=phrase(alone))
    return phrase("word_said", word=phrase(with_amount, amount="?" if word.amount is None else word.amount))


@cache
def tables(language: str) -> dict[str, dict[str, str]]:
    """The texts of one language by table."""
    return tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


@cache
def texts(language: str) -> dict[str, str]:
    """The texts of one language by key."""
    return {key: text for table in tables(language).values() for key, text in table.items()}


class _Numbers(dict[str, Counted]):
    """Numbers for a text; one that is not there is shown as a question mark, not as an error."""

    def __init__(self, language: str, numbers: Mapping[str, int]) -> None:
        super().__init__({name: Counted(number, language) for name, number in numbers.items()})

    def __missing__(self, key: str) -> str:
        return "?"


def _sentence(language: str, key: str, numbers: Mapping[str, int]) -> str:
    known = texts(language)
    filled = _Numbers(language, numbers)
    parts = [known[key].format_map(filled) if key in known else key.replace("_", " ")]
    if key in tables(language)["ruling"]:
        parts += [known[note].format_map(filled) for note in NOTES if numbers.get(note)]
    return " ".join(parts)


def _label(language: str, reading: Reading) -> str:
    known = texts(language)
    key = "label_fold_forfeit" if reading.forfeit else f"label_{reading.action}"
    numbers = {"total": reading.total_to, "forfeit": reading.forfeit or 0}
    numbers |= {"change": reading.change_due, "add": reading.must_add}
    filled = _Numbers(language, numbers)
    parts = [known.get(key, reading.action).format_map(filled)]
    if reading.change_due:
        parts.append(known["label_change"].format_map(filled))
    if reading.must_add:
        parts.append(known["label_add"].format_map(filled))
    return ", ".join(parts)
