"""Which form of a word goes with a number, by rules that a language's file states as data. Pure.

The rules are CLDR's for whole numbers, in its notation (unicode.org, UTS 35, Language Plural Rules):

    one = "n % 10 = 1 and n % 100 != 11"
    few = "n % 10 = 2..4 and n % 100 != 12..14"

    rule     = part { " or " part }             part  = relation { " and " relation }
    relation = "n" [ " % " number ] ( " = " | " != " ) range { "," range }
    range    = number [ ".." number ]

The forms of a word stand in the order of the rules, and behind them one for all other numbers: "chip|chips".
"""

import re

from firmware_bridge.events import Value

_RANGE = r"\d+(?:\.\.\d+)?"
_RELATION = re.compile(rf"n(?: % (?P<divisor>[1-9]\d*))? (?P<sign>=|!=) (?P<ranges>{_RANGE}(?:, ?{_RANGE})*)")


class PluralError(ValueError):
    """A rule cannot be read: the text names what, and how it is written."""


class Relation(Value, frozen=True):
    divisor: int | None  # None: the number itself, not what is left of it
    equal: bool
    ranges: tuple[tuple[int, int], ...]  # from, to, both included

    def holds(self, number: int) -> bool:
        left = number if self.divisor is None else number % self.divisor
        return any(least <= left <= most for least, most in self.ranges) == self.equal


Rule = tuple[tuple[Relation, ...], ...]  # it holds where all relations of one part do


def rule(text: str) -> Rule:
    """A rule in the notation above; PluralError where it is none."""
    return tuple(tuple(_relation(relation) for relation in part.split(" and ")) for part in text.split(" or "))


def _relation(text: str) -> Relation:
    found = _RELATION.fullmatch(text.strip())
    if found is None:
        raise PluralError(f'{text.strip()!r} is no rule: write it as in "n % 10 = 2..4 and n % 100 != 12..14"')
    divisor = found["divisor"]
    return Relation(
        None if divisor is None else int(divisor),
        found["sign"] == "=",
        tuple(_range(one.strip()) for one in found["ranges"].split(",")),
    )


def _range(text: str) -> tuple[int, int]:
    least, _, most = text.partition("..")
    if int(most or least) < int(least):
        raise PluralError(f"{text!r} holds no number: write the smaller one first")
    return int(least), int(most or least)


def form(rules: tuple[Rule, ...], number: int) -> int:
    """Place of the form that goes with a number; the last one where no rule holds."""
    number = abs(number)
    holding = (
        at for at, parts in enumerate(rules) if any(all(one.holds(number) for one in relations) for relations in parts)
    )
    return next(holding, len(rules))
