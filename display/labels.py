"""The fixed words of the screen in every language: `en.toml`, `ru.toml`. A missing or unknown label is an error.

Sentences about the game (rulings, questions, notices) do not stand here: they come in the snapshot.
"""

import functools
import tomllib
from pathlib import Path
from typing import Literal

import msgspec

from controller.snapshot import Text

Language = Literal["en", "ru"]
LANGUAGES: tuple[Language, ...] = ("en", "ru")
THIN_SPACE = "\u202f"  # between groups of three digits, from five digits on


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

    language: Language
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
    say_award: str
    say_blinds: str
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
    bad_blinds: str
    not_sent: str
    help_hint: str
    help_title: str
    buttons: dict[str, str]
    help: tuple[KeyLine, ...]

    def rule(self, name: str) -> str:
        """A rule as people read it; the citation of a rule book stands as it is."""
        return self.rules.get(name, name)

    def pick(self, text: Text | None) -> str:
        """The sentence in this language; where it is missing, in English; else in any."""
        if not text:
            return ""
        return text.get(self.language) or text.get("en") or next(iter(text.values()))


def grouped(value: int) -> str:
    """Digits in groups of three from five digits on: both languages write 9500 and 12 500."""
    if abs(value) < 10_000:
        return str(value)
    return f"{value:,}".replace(",", THIN_SPACE)


@functools.cache
def labels(language: Language) -> Labels:
    text = (Path(__file__).parent / f"{language}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Labels)
