"""Sentences: every key in every language with the same numbers, and a sentence for every reason of a ruling."""

import re
import tomllib
from typing import get_args

import pytest

from controller.rulings.reasons import REASONS
from controller.rulings.values import Reading, Word, WordKind
from controller.texts.languages import ENGLISH, FOLDER, LANGUAGES, tables, texts, writing
from controller.texts.sentences import NOTES, entries, phrase, reading_label, sentence, word_text
from tests.controller.rulings.cases import CASES, OWN_CASES, label, of_type, push, rules, situation
from tests.controller.two_languages import both

NUMBER = re.compile(r"{(\w+)}")
FORMS = re.compile(r"{(\w+):([^}]*)}")
ACTIONS = ("check", "fold", "call", "bet", "raise", "all_in_call", "all_in_bet", "all_in_raise")


def keys(language: str) -> set[str]:
    """Every key of a language's file with its table; in [plural] each has its own."""
    document = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    return {f"[{name}] {key}" for name, table in document.items() if name != "plural" for key in table}


def test_english_comes_first_and_russian_is_there() -> None:
    assert LANGUAGES[0] == ENGLISH == "en"
    assert "ru" in LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_in_the_same_tables(language: str) -> None:
    missing, unknown = keys(ENGLISH) - keys(language), keys(language) - keys(ENGLISH)
    assert not missing, f"{len(missing)} are missing: {', '.join(sorted(missing))}"
    assert not unknown, f"English has no {', '.join(sorted(unknown))}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_key_stands_in_one_table_only(language: str) -> None:
    assert len(texts(language)) == sum(len(table) for table in tables(language).values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same_numbers_as_english(language: str) -> None:
    for key in texts(ENGLISH).keys() & texts(language).keys():
        english, own = texts(ENGLISH)[key], texts(language)[key]
        assert sorted(NUMBER.findall(own)) == sorted(NUMBER.findall(english)), key
        known = {*NUMBER.findall(english), *(name for name, _ in FORMS.findall(english))}
        assert {name for name, _ in FORMS.findall(own)} <= known, key


def test_russian_is_russian() -> None:
    assert [key for key, text in texts("ru").items() if text == texts(ENGLISH)[key]] == []


def test_english_and_russian_have_as_many_forms_as_their_grammars() -> None:
    assert [len(writing(language).plural) + 1 for language in ("en", "ru")] == [2, 3]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_beside_a_number_has_all_forms_of_its_language(language: str) -> None:
    counted = [forms for text in texts(language).values() for _, forms in FORMS.findall(text)]
    assert counted or not writing(language).plural
    assert {len(forms.split("|")) for forms in counted} <= {len(writing(language).plural) + 1}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_leaves_a_plural_to_the_reader(language: str) -> None:
    assert [text for text in texts(language).values() if re.search(r"\w\((s|es|и|ы|ов|ек)\)", text)] == []


@pytest.mark.parametrize(
    ("count", "en", "ru"),
    [
        (1, "1 chip", "1 фишку"),
        (2, "2 chips", "2 фишки"),
        (5, "5 chips", "5 фишек"),
        (11, "11 chips", "11 фишек"),
        (12, "12 chips", "12 фишек"),
        (21, "21 chips", "21 фишку"),
        (24, "24 chips", "24 фишки"),
        (111, "111 chips", "111 фишек"),
    ],
)
def test_a_number_chooses_the_form_of_its_word(count: int, en: str, ru: str) -> None:
    assert both(phrase("waits_chips", count=count, value=500)) == {
        "en": f"waits for {en} worth 500",
        "ru": f"ждём {ru} на 500",
    }


@pytest.mark.parametrize("amount", [None, 600])
@pytest.mark.parametrize("kind", get_args(WordKind))
def test_every_word_can_be_quoted_whoever_sent_it(kind: WordKind, amount: int | None) -> None:
    said = both(word_text(Word(kind, amount)))
    assert said is not None
    assert (said["en"][0], said["ru"][0]) == ("“", "«")
    needs_amount = kind in {"raise_to", "raise_by", "number", "ambiguous_number"}
    assert all(("?" in text) == (needs_amount and amount is None) for text in said.values())


def test_a_word_is_quoted_with_its_amount() -> None:
    assert both(word_text(Word("raise_to", 600))) == {"en": "“raise to 600”", "ru": "«рейз до 600»"}
    assert both(word_text(Word("bet", None))) == {"en": "“bet”", "ru": "«бет»"}
    assert both(word_text(Word("call", 600))) == {"en": "“call”", "ru": "«колл»"}


def test_no_reason_only_repeats_what_the_headline_says() -> None:
    for language in LANGUAGES:
        said = {entries(language)[f"label_{action}"].text.format(total="").strip() + "." for action in ACTIONS}
        assert said.isdisjoint(tables(language)["ruling"].values())


def test_every_reason_has_a_sentence_and_every_sentence_a_reason() -> None:
    assert set(tables("en")["ruling"]) == set(REASONS) - set(NOTES)
    assert set(NOTES) <= set(tables("en")["note"])


def test_one_chip_is_said_as_people_say_it() -> None:
    assert both(sentence("one_chip_call", {"change": 700})) == {
        "en": "One chip, no word: a call. 700 back.",
        "ru": "Одна фишка без слова: колл. 700 сдачи.",
    }


def test_what_did_not_count_is_said_before_the_change() -> None:
    said = sentence("exact_call", {"change": 500, "later_motion": 500, "late_word": 1})["en"]

    assert said == (
        "The chips are exactly the bet: a call. Chips of a second motion do not count."
        " The word came after the chips and does not count. 500 back."
    )


def test_an_unknown_key_or_a_missing_number_is_shown_and_hides_nothing() -> None:
    assert sentence("never_heard_of", {})["en"] == "never heard of"
    assert sentence("said_call", {})["ru"] == "Сказан колл: вся ставка ?."


@pytest.mark.parametrize("pair", of_type("ruling", CASES) + of_type("ruling", OWN_CASES), ids=label)
def test_every_ruling_fills_every_number_of_its_sentence(pair: tuple[dict[str, object], str]) -> None:
    case, profile = pair
    ruling = rules(case, profile).judge(situation(case), push(case))

    said = both(sentence(ruling.why, ruling.numbers)) or {}

    assert all("?" not in text.replace("? Ask", "").replace("? Решает", "") for text in said.values()), said
    assert all(not NUMBER.search(text) for text in said.values()), said


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_has_a_label(action: str) -> None:
    reading = Reading(action, 600, 0, 200, reopens=False, all_in=False, rule="")

    label_of = reading_label(reading)

    assert label_of["en"].endswith(", add 200")
    assert label_of["ru"].endswith(", доставить 200")
    assert label_of["en"][0].isupper()


def test_a_fold_that_costs_chips_says_how_many() -> None:
    reading = Reading("fold", 200, 300, 0, reopens=False, all_in=False, rule="", forfeit=200)

    assert reading_label(reading)["en"] == "Fold, leaving 200, 300 back"


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0"), (9_999, "9999"), (10_000, "10\u202f000"), (1_250_000, "1\u202f250\u202f000")]
)
def test_numbers_of_five_digits_are_grouped_with_a_space_at_which_no_line_breaks(number: int, told: str) -> None:
    total = Reading("raise", number, 0, 0, reopens=True, all_in=False, rule="")
    assert both(reading_label(total)) == {"en": f"Raise to {told}", "ru": f"Рейз до {told}"}
    assert sentence("raise_cut", {"value": number, "total": number})["en"] == (
        f"{told} is over the limit: a raise to {told}."
    )
    assert word_text(Word("raise_to", number))["en"] == f"“raise to {told}”"
    assert phrase("waits_chips", count=number, value=number)["en"].count(told) == 2


def test_change_and_chips_to_add_are_grouped_as_well() -> None:
    reading = Reading("raise", 30_000, 20_000, 10_000, reopens=True, all_in=False, rule="")
    assert reading_label(reading)["en"] == "Raise to 30\u202f000, 20\u202f000 back, add 10\u202f000"
    assert sentence("one_chip_call", {"change": 12_500})["ru"].endswith("12\u202f500 сдачи.")


def test_digits_in_names_and_places_stay_as_they_are() -> None:
    named = phrase("waits_chips_named", names="100000-001, 25000")
    assert named["en"] == "waits for 100000-001, 25000"
    lost = phrase("reader_lost", why="no answer at 115200")
    assert "115200" in lost["en"]
