"""Words of any language to commands: what players say at the table, typed, sent over MQTT or put on a button. Pure.

English is the grammar (`controller/spoken.py`); `[spoken]` of another language says which of its words mean an English
one, several of them parted by a bar. What is in no list is left as it is: numbers, English, names.
"""

from collections.abc import Sequence
from functools import cache

from controller import spoken
from controller.commands import Command
from controller.texts.languages import ENGLISH, LANGUAGES, tables, texts

Phrase = tuple[str, ...]
NAMED = 3  # words before the name of a player: seat 5 in Anna


def command(words: Sequence[str]) -> Command:
    """The command that these words of any language say; WordsError as `spoken.parse` tells it."""
    return spoken.parse(in_english(words))


def in_english(words: Sequence[str]) -> list[str]:
    tokens = " ".join(words).split()
    said: list[str] = []
    while tokens and not _is_name_next(said):
        count, english = _phrase(tokens)
        said += english
        tokens = tokens[count:]
    return [*said, *tokens]


def _is_name_next(said: Sequence[str]) -> bool:
    return len(said) == NAMED and said[0].lower() == "seat" and said[2].lower() == "in"


def _phrase(tokens: Sequence[str]) -> tuple[int, list[str]]:
    """How many words the longest saying takes that they begin with, and what it is in English."""
    lower = tuple(token.lower() for token in tokens)
    for phrase, english in _sayings():
        if lower[: len(phrase)] == phrase:
            return len(phrase), list(english)
    seat, mark, bet = tokens[0].partition(":")
    known = dict(_sayings()).get((bet.lower(),)) if mark else None  # 3:fold, of all bets of a round
    return 1, [f"{seat}:{'-'.join(known)}" if known else tokens[0]]


@cache
def _sayings() -> tuple[tuple[Phrase, Phrase], ...]:
    """Sayings of all other languages, the longest first."""
    english = texts(ENGLISH)
    found = [
        (tuple(saying.lower().split()), tuple(english[key].split()))
        for language in LANGUAGES
        if language != ENGLISH
        for key, text in tables(language).get("spoken", {}).items()
        for saying in text.split("|")
    ]
    return tuple(sorted((one for one in found if one[0]), key=lambda one: -len(one[0])))
