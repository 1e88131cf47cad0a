"""What a hand is called, in words."""

from typing import get_args

import pytest

from controller.games.ranking import Code
from controller.texts.hands import FORMS, form_of, hand_text
from controller.texts.languages import texts
from tests.controller.two_languages import both


@pytest.mark.parametrize(
    ("code", "ranks", "en", "ru"),
    [
        ("royal_flush", "A", "royal flush", "роял-флеш"),
        ("straight_flush", "5", "straight flush, five high", "стрит-флеш до пятёрки"),
        ("quads", "9", "four nines", "каре девяток"),
        ("full_house", "K5", "full house, kings over fives", "фулл-хаус, короли и пятёрки"),
        ("flush", "AJ842", "flush, ace high", "флеш до туза"),
        ("straight", "9", "straight, nine high", "стрит до девятки"),
        ("trips", "Q", "three queens", "сет дам"),
        ("two_pair", "J6", "two pair, jacks and sixes", "две пары, валеты и шестёрки"),
        ("pair", "2", "pair of deuces", "пара двоек"),
        ("high_card", "KQJT8", "king high", "старшая карта король"),
        ("low", "T7542", "10-7-5-4-2 low", "лоу 10-7-5-4-2"),
        ("badugi", "852A", "badugi, 8-5-2-A", "бадуги, 8-5-2-A"),
        ("three_cards", "852", "three cards, 8-5-2", "три карты, 8-5-2"),
        ("one_card", "A", "one card, A", "одна карта, A"),
    ],
)
def test_a_hand_is_said_as_people_say_it(code: str, ranks: str, en: str, ru: str) -> None:
    assert both(hand_text(code, ranks)) == {"en": en, "ru": ru}


@pytest.mark.parametrize("code", get_args(Code))
def test_every_code_has_a_text_for_every_rank(code: str) -> None:
    for rank in "23456789TJQKA":
        said = hand_text(code, rank + "K2")
        assert not any("{" in text or "|" in text for text in said.values())


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_rank_has_all_of_its_forms(language: str) -> None:
    ranks = {key: text for key, text in texts(language).items() if key.startswith("rank_")}
    assert len(ranks) == 13
    assert {len(text.split("|")) for text in ranks.values()} == {len(FORMS)}


def test_a_language_without_cases_may_write_fewer_forms() -> None:
    assert form_of("ace", 3) == "ace"
    assert form_of("туз|туза", 3) == "туза"
