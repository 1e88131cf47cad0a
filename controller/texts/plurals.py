"""How a number stands in a sentence, and which form of a word beside it: English has two, Russian three. Pure.

Forms after the plural rules of CLDR for whole numbers: en one/other, ru one/few/many.
"""

from typing import Self

FIRST_GROUPED = 10_000  # both languages write 9500 and 12 500
THIN_SPACE = "\u202f"  # no line breaks at it


def form(language: str, number: int) -> int:
    """Place of the right form in "chip|chips" or "фишка|фишки|фишек"."""
    number = abs(number)
    if language != "ru":
        return 0 if number == 1 else 1
    last, last_two = number % 10, number % 100
    if last == 1 and last_two != 11:
        return 0
    return 1 if 2 <= last <= 4 and not 12 <= last_two <= 14 else 2


def grouped(number: int) -> str:
    """Digits in groups of three from five digits on, with a space at which no line breaks."""
    return f"{number:,}".replace(",", THIN_SPACE) if abs(number) >= FIRST_GROUPED else str(int(number))


class Counted(int):
    """A number in a text: `{n}` writes it in groups of digits, `{n:chip|chips}` the word that goes with it."""

    language: str

    def __new__(cls, number: int, language: str) -> Self:
        counted = super().__new__(cls, number)
        counted.language = language
        return counted

    def __format__(self, spec: str) -> str:
        if "|" not in spec:
            return super().__format__(spec) if spec else grouped(self)
        return spec.split("|")[form(self.language, self)]
