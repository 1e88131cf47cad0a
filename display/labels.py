"""The fixed words of the screen: one TOML file a language. An unknown label is an error; a missing one is English.

Sentences about the game (rulings, questions, notices) do not stand here: they come in the snapshot. How a language
writes numbers stands in its file of `controller/texts`.
"""

import functools
import string
from pathlib import Path
from typing import Any

import msgspec

from controller.snapshot import Language, Text
from controller.texts import files
from controller.texts.languages import ENGLISH, pick, writing
from controller.texts.placeholders import TextError, check
from display.errors import ScreenError

FOLDER = Path(__file__).parent


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One phase of a hand: its name, and what the dealer does now."""

    name: str
    hint: str
    keys: str = ""  # for the dealer: which key does it


class KeyLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    keys: str
    what: str


class Labels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Placeholders stand in braces: {n} a number, {seat}, {name}, {time}, {amount}, {names}."""

    language: Language  # the name of the file
    keyboard: str  # what the keys a to z write where this language is typed; empty: a to z
    # top line
    hand: str
    blinds: str
    ante: str
    structures: dict[str, str]  # {bets}: the amounts of fixed and spread limit; no limit is not told
    streets: dict[str, str]
    readers_up: str
    reader_lost: str
    reader_fault: str
    reader_starting: str
    broker_up: str
    broker_down: str
    broker_connecting: str
    # felt
    pot: str
    paying: str
    to_come: str
    main_pot: str
    side_pot: str
    dealer: str
    # seats
    seat: str
    seats: str  # {n}: several of them
    empty: str
    out: str
    waiting: str
    folded: str
    all_in: str
    in_hand: str
    early: str
    won: str
    # who is to act
    to_act: str
    to_call: str
    check_free: str
    min_raise: str
    min_bet: str
    fixed_raise: str  # fixed limit: there is one amount
    fixed_bet: str
    all_in_only: str
    no_raise: str
    most: str
    phases: dict[str, Step]
    posts: dict[str, str]  # what is owed before the deal, by kind
    # ruling
    change_due: str
    must_add: str
    settling: str
    inferred: str
    chips_seen: str
    no_ruling: str
    rules: dict[str, str]  # what decided where no rule book did: by its name in the ruling
    # question
    question: str
    agreement: str
    where_is_it: str
    question_at: str
    press_number: str
    press_confirm: str
    # strip and banners
    more: str
    refused: str
    no_feed: str
    no_feed_hint: str
    stale: str
    silent: str
    mismatch: str
    paused: str
    counting: str
    # the dealer's line
    say_raise_to: str
    say_raise_by: str
    say_bet: str
    say_amount: str
    say_answer: str
    say_overrule: str
    say_stack: str
    say_draw: str
    say_up: str
    to_draw: str
    say_award: str
    say_blinds: str
    say_bets: str
    say_out_of_turn: str
    say_out_of_turn_hint: str
    say_hint: str
    say_list_hint: str
    sure_misdeal: str
    sure_not_a_chip: str
    sure_hint: str
    turn: str
    no_seat: str
    no_reading: str
    choose_number: str  # Enter does not answer which reading
    floors_key: str  # a dealer's page may not
    bad_blinds: str
    bad_bets: str
    bad_cards: str
    not_sent: str
    help_hint: str
    help_title: str
    buttons: dict[str, str]
    web: dict[str, str]  # what only pages of a browser say
    help: tuple[KeyLine, ...]

    def rule(self, name: str) -> str:
        """A rule as people read it; the citation of a rule book stands as it is."""
        return self.rules.get(name, name)

    def pick(self, text: Text | None) -> str:
        """The sentence in this language; where it is missing, in English; else in any."""
        return pick(text, self.language) if text else ""

    def amount(self, value: int) -> str:
        """A number as this language writes it."""
        return writing(self.language).number(value)


@functools.cache
def labels(language: Language) -> Labels:
    """All labels of a language; ScreenError where its file cannot be used."""
    document = {**_filled(_document(ENGLISH), _document(language)), "language": language}
    try:
        return msgspec.convert(document, Labels)
    except msgspec.ValidationError as error:
        raise ScreenError(f"{_file(language)}: {error}: mend that place") from error


@functools.cache
def key_caps() -> dict[int, str]:
    """What a keyboard of any language writes -> the key as it is called here, a to z or A to Z: for `str.translate`."""
    found: dict[str, str] = {}
    for language in sorted(path.stem for path in FOLDER.glob("*.toml")):
        for cap, letter in zip(string.ascii_lowercase, labels(language).keyboard, strict=False):
            found |= {letter.upper(): cap.upper(), letter: cap}
    return str.maketrans(found)


def _filled(english: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """What a language lacks, table by table, from English."""
    filled = dict(english)
    for key, value in own.items():
        below = english.get(key)
        filled[key] = _filled(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return filled


def _file(language: Language) -> Path:
    return FOLDER / f"{language}.toml"


@functools.cache
def _document(language: Language) -> dict[str, Any]:
    try:
        return files.document(
            _file(language), lambda found: check(found, found if language == ENGLISH else _document(ENGLISH))
        )
    except TextError as error:
        raise ScreenError(str(error)) from error
