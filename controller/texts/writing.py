"""How a language writes numbers, the word beside a number, lists, and sentences in a row. Pure."""

from typing import Self

from controller.texts.plurals import Rule, form
from firmware_bridge.events import Value


class Writing(Value, frozen=True):
    """`[language]` and `[plural]` of a language's file."""

    name: str  # its own name for itself
    comma: str  # between the parts of a list
    gap: str  # between two sentences
    group_mark: str  # between groups of three digits
    grouped_from: int  # smaller numbers stand whole
    plural: tuple[Rule, ...] = ()

    def number(self, number: int) -> str:
        grouped = abs(number) >= self.grouped_from
        return f"{number:,}".replace(",", self.group_mark) if grouped else str(int(number))

    def form(self, number: int, forms: str) -> str:
        """The right one of "chip|chips"; the last where there are too few."""
        words = forms.split("|")
        return words[min(form(self.plural, number), len(words) - 1)]


class Counted(int):
    """A number in a text: `{n}` writes it in groups of digits, `{n:chip|chips}` the word that goes with it."""

    writing: Writing

    def __new__(cls, number: int, writing: Writing) -> Self:
        counted = super().__new__(cls, number)
        counted.writing = writing
        return counted

    def __format__(self, spec: str) -> str:
        if "|" in spec:
            return self.writing.form(self, spec)
        return super().__format__(spec) if spec else self.writing.number(self)
