"""Words of any language mean what their English ones mean, and nothing else changes."""

import pytest

from controller import commands, spoken
from controller.errors import WordsError
from controller.texts.languages import tables
from controller.texts.said import command, in_english


@pytest.mark.parametrize(
    ("russian", "english"),
    [
        ("4 колл", "4 call"),
        ("4 рейз до 600", "4 raise to 600"),
        ("4 рейз на 400", "4 raise by 400"),
        ("рейз 600", "raise 600"),
        ("место 3 пас", "seat 3 fold"),
        ("олл-ин", "all in"),
        ("Ва-банк", "all in"),
        ("3 фолд после", "3 fold after"),
        ("верно", "confirm"),
        ("отмена", "undo"),
        ("новая раздача", "next"),
        ("новая улица", "street"),
        ("вне очереди 5 колл", "out of turn 5 call"),
        ("иначе место 2 до 600", "overrule seat 2 to 600"),
        ("ставки 1:200 2:500 3:пас 4:олл-ин", "bets 1:200 2:500 3:fold 4:all-in"),
        ("блайнды 100 200 25", "blinds 100 200 25"),
        ("стек 5 2000", "stack 5 2000"),
        ("баттон 3", "button 3"),
        ("не фишка поле 3", "not a chip spot 3"),
        ("место 5 не играет", "seat 5 out"),
        ("выиграл 0 2 5", "award 0 2 5"),
        ("вскрыть все", "show all"),
        ("пересдача", "misdeal"),
        ("4 меняет 2", "4 draw 2"),
        ("4 не меняет", "4 pat"),
        ("открывает 4", "opens 4"),
        ("пауза", "pause"),
        ("дальше", "resume"),
    ],
)
def test_what_is_said_in_russian_is_what_is_meant(russian: str, english: str) -> None:
    assert command([russian]) == spoken.parse([english])
    assert command(russian.split()) == spoken.parse(english.split())


def test_a_name_is_never_translated() -> None:
    assert command(["место 5 играет Пас Банков"]) == commands.SeatIn(5, "Пас Банков")
    assert command(["seat 5 in Чек"]) == commands.SeatIn(5, "Чек")


def test_english_stays_as_it_is() -> None:
    for form in ("4 raise to 600", "bets 1:200 2:fold", "not a chip spot 3", "seat 5 in Anna"):
        assert in_english([form]) == form.split()


def test_what_nobody_knows_is_refused_as_before() -> None:
    with pytest.raises(WordsError, match="'абракадабра' is not known"):
        command(["абракадабра"])


def test_every_saying_is_of_words_that_the_grammar_has_and_none_has_two_meanings() -> None:
    russian = tables("ru")["spoken"]
    sayings = [saying for text in russian.values() for saying in text.split("|")]
    assert len(sayings) == len(set(sayings))
    assert russian.keys() == tables("en")["spoken"].keys()
