"""Makes sentences from keys and numbers, in every language at once: {"en": "...", "ru": "..."}. Pure.

The texts stand in the files of `languages.py`. Only sentences of `[ruling]` get notes behind them: what did not count,
change due, chips to add.

A number chooses the form of a word beside it: `{count} {count:chip|chips}`, one of as many as its language has.
Numbers are written as the language writes them; digits in a name are not touched.
"""

from collections.abc import Iterable, Mapping
from functools import cache

from controller.rulings.values import Reading, Word
from controller.snapshot import Language, Text
from controller.texts.languages import ENGLISH, LANGUAGES, tables, texts, writing
from controller.texts.writing import Counted, Writing
from firmware_bridge.events import Value

NOTES = ("later_motion", "late_word", "change", "add")  # in the order in which they are said
Part = str | int | Text


class Entry(Value, frozen=True):
    """A text of a file, and how the language that it is written in writes numbers."""

    text: str
    writing: Writing

    def with_numbers(self, numbers: Mapping[str, int]) -> str:
        """The text; a number that is not there is a question mark, not an error."""
        return self.text.format_map(_Numbers({name: Counted(n, self.writing) for name, n in numbers.items()}))

    def with_parts(self, language: Language, parts: Mapping[str, Part]) -> str:
        return self.text.format(**{name: self._part(language, part) for name, part in parts.items()})

    def _part(self, language: Language, part: Part) -> str | int:
        if isinstance(part, Mapping):
            return part[language]
        return Counted(part, self.writing) if isinstance(part, int) else part


class _Numbers(dict[str, Counted]):
    def __missing__(self, key: str) -> str:
        return "?"


@cache
def entries(language: Language) -> dict[str, Entry]:
    """Every text by its key; one that the language lacks is the English one, with English numbers and forms."""
    return {key: Entry(text, writing(of)) for of in (ENGLISH, language) for key, text in texts(of).items()}


def sentence(key: str, numbers: Mapping[str, int]) -> Text:
    """One sentence in each language, a ruling's with its notes, such as: One chip, no word: a call. 700 back.

    A key that no file has is shown as it is: a missing text must not hide a ruling.
    """
    return {language: _sentence(language, key, numbers) for language in LANGUAGES}


def phrase(key: str, **parts: Part) -> Text:
    """A text in each language, filled with numbers, names, and texts that have a language of their own."""
    return {language: entries(language)[key].with_parts(language, parts) for language in LANGUAGES}


def joined(parts: Iterable[Text]) -> Text:
    """Texts as one list: "trays 1-4, board"."""
    every = tuple(parts)
    return {language: writing(language).comma.join(part[language] for part in every) for language in LANGUAGES}


def reading_label(reading: Reading) -> Text:
    """A reading as a choice: "Raise to 1000, add 200"."""
    return {language: _label(language, reading) for language in LANGUAGES}


def word_text(word: Word) -> Text:
    """What was said, as a quotation; an amount that belongs to the word and is missing is a question mark."""
    alone, with_amount = f"word_{word.kind}", f"word_{word.kind}_n"
    known = texts(ENGLISH)
    if alone in known and (word.amount is None or with_amount not in known):
        return phrase("word_said", word=phrase(alone))
    return phrase("word_said", word=phrase(with_amount, amount="?" if word.amount is None else word.amount))


def _sentence(language: Language, key: str, numbers: Mapping[str, int]) -> str:
    known = entries(language)
    parts = [known[key].with_numbers(numbers) if key in known else key.replace("_", " ")]
    if key in tables(ENGLISH)["ruling"]:
        parts += [known[note].with_numbers(numbers) for note in NOTES if numbers.get(note)]
    return writing(language).gap.join(parts)


def _label(language: Language, reading: Reading) -> str:
    known = entries(language)
    key = "label_fold_forfeit" if reading.forfeit else f"label_{reading.action}"
    numbers = {"total": reading.total_to, "forfeit": reading.forfeit or 0}
    numbers |= {"change": reading.change_due, "add": reading.must_add}
    parts = [known[key].with_numbers(numbers) if key in known else reading.action]
    if reading.change_due:
        parts.append(known["label_change"].with_numbers(numbers))
    if reading.must_add:
        parts.append(known["label_add"].with_numbers(numbers))
    return writing(language).comma.join(parts)
