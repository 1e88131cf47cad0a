"""Questions of where chips lie, as people read them: by the chip, in every language, answered by a number alone."""

import pytest

from controller.core.seen import Seen
from controller.picture import rulings
from controller.places import Place, Zone
from controller.snapshot import QuestionView
from tests.controller.core.test_worlds import Scene, blind_unread, from_the_hand_unread, on_the_flop, open_betting
from tests.controller.core_table import spot, tray
from tests.controller.two_languages import both


def asked(table: Scene) -> QuestionView:
    seen: Seen = table.core.seen()
    found = rulings.question(seen, seen.state.hand)
    assert found is not None
    assert found.must_choose
    return found


def words(found: QuestionView) -> tuple[str, list[str]]:
    return found.text["en"], [choice.label["en"] for choice in found.choices]


def test_a_chip_that_is_missing_from_a_blind_is_asked_about_by_its_value_and_place() -> None:
    table, _ = blind_unread()
    table.push(3, 500, 500)
    table.run(9000)
    found = asked(table)
    text, choices = words(found)
    assert text == "Is a 100 on the bet spot of seat 3?"
    assert choices == ["It is there. Raise to 1100", "It is not. Raise to 1000"]
    assert [choice.chips for choice in found.choices] == [((100, 1),), ()]


def test_the_choices_are_numbered_as_answers_name_them() -> None:
    table, _ = blind_unread()
    table.push(3, 500, 500)
    table.run(9000)
    assert [choice.number for choice in asked(table).choices] == [1, 2]


def test_several_chips_are_named_in_each_choice() -> None:
    table = open_betting()
    kept = table.chips(tray(1), 100, 25)
    table.move(kept, Place(Zone.IN_HAND, 1))
    table.push(1, 500)
    table.run(7000)
    text, choices = words(asked(table))
    assert text == "Which chips lie on the bet spot of seat 1?"
    assert choices[0] == "Only what is seen. Call 100"
    assert {"With a 100. Raise to 600", "With a 25. Raise to 525"} <= {*choices}


@pytest.mark.parametrize("lies", ["there", "taken back"])
def test_a_chip_that_may_have_been_pulled_back_is_asked_for_where_it_lay(lies: str) -> None:
    table = open_betting()
    table.push(1, 100, 100, 100)
    table.run(4000)
    table.muck(2)
    table.run(2000)
    table.move(table.chips(spot(3), 100), Place(Zone.IN_HAND, 3))
    table.push(3, 500, 100)
    table.run(9000)
    found = asked(table)
    text, choices = words(found)
    assert text == "Is the 100 still on the bet spot of seat 3?"
    assert any(choice.startswith("It is there." if lies == "there" else "It is not.") for choice in choices)


def test_a_doubt_beside_a_ruling_is_told_by_the_chip() -> None:
    table, _ = from_the_hand_unread()
    view = rulings.last_ruling(table.core.seen())
    assert view is not None
    assert [doubt["en"] for doubt in view.doubts] == ["If a 100 lies on the bet spot of seat 1: Raise to 600"]


def test_no_question_names_an_item() -> None:
    table, chips = blind_unread()
    table.push(3, 500, 500)
    table.run(9000)
    found = asked(table)
    told = [*found.text.values(), *(text for choice in found.choices for text in choice.label.values())]
    assert not any(name in text for name in chips for text in told)
    assert all(both(found.text))


def test_chips_that_follow_a_push_at_once_are_asked_about_whole_first() -> None:
    table = on_the_flop()
    kept = table.chips(tray(2), 100, 100)
    table.move(kept, Place(Zone.IN_HAND, 2))
    table.run(8000)
    table.push(2, 100)
    table.run(3000)
    table.move(kept, spot(2))
    table.run(6000)
    text, choices = words(asked(table))
    assert text == "One motion, or chips for themselves?"
    assert choices[0] == "One motion. Bet 300"
