"""Forms of a word beside a number, by rules as data: what CLDR says of whole numbers, for languages of every kind."""

import itertools

import pytest

from controller.texts.plurals import PluralError, form, rule

# Rules and samples of CLDR for whole numbers; the last form has no rule.
GRAMMARS: dict[str, tuple[tuple[str, ...], dict[int, tuple[int, ...]]]] = {
    "ja": ((), {0: (0, 1, 2, 5, 21, 1000)}),
    "en": (("n = 1",), {0: (1,), 1: (0, 2, 11, 21, 101, 1_000_000)}),
    "fr": (("n = 0,1", "n != 0 and n % 1000000 = 0"), {0: (0, 1), 1: (1_000_000, 3_000_000), 2: (2, 17, 100, 1001)}),
    "ru": (
        ("n % 10 = 1 and n % 100 != 11", "n % 10 = 2..4 and n % 100 != 12..14"),
        {0: (1, 21, 31, 101, 1001), 1: (2, 3, 4, 22, 34, 102, 1002), 2: (0, 5, 11, 12, 14, 19, 100, 111, 112, 1000)},
    ),
    "pl": (
        ("n = 1", "n % 10 = 2..4 and n % 100 != 12..14"),
        {0: (1,), 1: (2, 4, 22, 34, 102, 1002), 2: (0, 5, 11, 12, 14, 19, 21, 31, 100, 101, 112)},
    ),
    "cs": (("n = 1", "n = 2..4"), {0: (1,), 1: (2, 3, 4), 2: (0, 5, 11, 12, 22, 24, 102)}),
    "sl": (
        ("n % 100 = 1", "n % 100 = 2", "n % 100 = 3..4"),
        {0: (1, 101, 201), 1: (2, 102, 202), 2: (3, 4, 103, 204), 3: (0, 5, 11, 12, 13, 19, 100, 111)},
    ),
    "ar": (
        ("n = 0", "n = 1", "n = 2", "n % 100 = 3..10", "n % 100 = 11..99"),
        {0: (0,), 1: (1,), 2: (2,), 3: (3, 10, 103, 110, 1003), 4: (11, 26, 99, 111, 1011), 5: (100, 102, 200, 502)},
    ),
    "br": (
        (
            "n % 10 = 1 and n % 100 != 11,71,91",
            "n % 10 = 2 and n % 100 != 12,72,92",
            "n % 10 = 3..4,9 and n % 100 != 10..19,70..79,90..99",
            "n != 0 and n % 1000000 = 0",
        ),
        {
            0: (1, 21, 61, 101),
            1: (2, 22, 102),
            2: (3, 4, 9, 29, 103),
            3: (1_000_000,),
            4: (0, 5, 11, 12, 13, 71, 79, 94),
        },
    ),
    "is": (("n % 10 = 1 and n % 100 != 11",), {0: (1, 21, 101), 1: (0, 2, 11, 111)}),
    "fil": (("n = 1..3 or n % 10 != 4,6,9",), {0: (0, 1, 2, 3, 5, 7, 8, 10, 15, 1000), 1: (4, 6, 9, 14, 16, 104)}),
}
SAMPLES = [
    (language, number, at)
    for language, (_, forms) in GRAMMARS.items()
    for at, numbers in forms.items()
    for number in numbers
]


@pytest.mark.parametrize(("language", "number", "at"), SAMPLES)
def test_a_number_has_the_form_that_cldr_gives_it(language: str, number: int, at: int) -> None:
    assert form(tuple(map(rule, GRAMMARS[language][0])), number) == at


def test_a_number_below_zero_has_the_form_of_the_same_number_above() -> None:
    russian = tuple(map(rule, GRAMMARS["ru"][0]))
    for number, sign in itertools.product(range(130), (1, -1)):
        assert form(russian, sign * number) == form(russian, number)


def test_the_first_rule_that_holds_decides() -> None:
    assert form((rule("n = 1..5"), rule("n = 1..9")), 3) == 0
    assert form((rule("n = 1..5"), rule("n = 1..9")), 7) == 1


@pytest.mark.parametrize(
    "text", ["", "n", "n == 1", "i = 1", "v = 0 and n = 1", "n % 0 = 1", "n = 1 and", "n = 2...4", "n = x", "n < 2"]
)
def test_what_is_no_rule_is_refused_with_one_that_is(text: str) -> None:
    with pytest.raises(PluralError, match=r"is no rule: write it as in"):
        rule(text)
