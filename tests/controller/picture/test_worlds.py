"""Questions of where chips lie, as people read them: by the chip, in every language, answered by a number alone."""

import pytest

from controller import commands
from controller.core.seen import Seen
from controller.picture import rulings, worlds
from controller.places import Moved, Place, Zone
from controller.rulings.values import Reading, Ruling
from controller.snapshot import QuestionView
from controller.table.balance import account
from controller.table.events import Asked, Overruled, Supposed
from tests.controller.core.test_worlds import (
    Scene,
    bet_unread,
    blind_unread,
    followed,
    from_the_hand_unread,
    open_betting,
    truly,
)
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
    text, choices = words(asked(followed()))
    assert text == "One motion, or chips for themselves?"
    assert choices[0] == "One motion. Bet 300"


# ---------------------------------------------------------------- what stands beside a ruling
def test_the_reading_of_a_doubt_is_one_that_overrules_by_its_number() -> None:
    table, _ = from_the_hand_unread()
    view = rulings.last_ruling(table.core.seen())
    assert view is not None
    assert [(choice.number, choice.label["en"]) for choice in view.readings] == [(1, "Raise to 600")]
    table.tell(commands.Overrule(reading=1))
    assert [(e.seat, e.reading.action, e.reading.total_to) for e in table.last if isinstance(e, Overruled)] == [
        (1, "raise", 600)
    ]
    assert table.hand.current_bet == 600


def test_who_overrules_by_a_doubts_number_says_that_its_chip_lies_there() -> None:
    """The tag stays unread: the 100 lies before its player from now on, and nobody is asked about it again."""
    table, kept = from_the_hand_unread()
    table.tell(commands.Overrule(reading=1))
    assert table.core.state.places[kept[0]] == table.core.places()[kept[0]] == spot(1)
    player = table.hand.player(1)
    assert player is not None
    assert account(table.core.state, player) == 0
    table.run(20_000)
    assert (table.asked(), table.alarms()) == (None, set())
    assert table.core.state.places[kept[0]] == spot(1)


def test_a_doubt_that_was_chosen_by_its_number_is_not_asked_about_when_its_chip_is_read() -> None:
    table, kept = from_the_hand_unread()
    table.tell(commands.Overrule(reading=1))
    table.see = truly
    table.run(8000)
    assert (table.asked(), table.hand.current_bet, table.alarms()) == (None, 600, set())
    assert table.core.state.places[kept[0]] == spot(1)


def test_who_overrules_by_an_amount_says_nothing_of_where_a_chip_lies() -> None:
    table, kept = from_the_hand_unread()
    table.tell(commands.Overrule(action="raise", total_to=600))
    assert table.hand.current_bet == 600
    assert table.core.state.places[kept[0]] == Place(Zone.IN_HAND, 1)


def test_a_number_that_is_refused_moves_no_chip() -> None:
    table, kept = from_the_hand_unread()
    table.tell(commands.Overrule(reading=7))
    assert table.refused() == "no_such_reading"
    assert table.core.state.places[kept[0]] == Place(Zone.IN_HAND, 1)


def test_a_ruling_that_people_chose_has_no_doubts() -> None:
    table, _ = from_the_hand_unread()
    table.tell(commands.Overrule(reading=1))
    view = rulings.last_ruling(table.core.seen())
    assert view is not None
    assert (view.headline["en"], view.doubts, view.more_doubts) == ("Seat 1: Raise to 600", (), 0)


def test_an_earlier_ruling_takes_the_reading_of_its_doubt_by_number_too() -> None:
    table, _ = from_the_hand_unread()
    table.push(2, 50)
    table.run(4000)
    assert table.rulings()[-1][0] == 2
    table.tell(commands.Overrule(reading=1, seat=1))
    assert table.refused() == "only_amounts", "a call on which others have acted stays a call"


def test_a_doubt_about_another_seats_chips_is_told_and_not_offered_as_a_reading() -> None:
    table, _ = bet_unread()
    view = rulings.last_ruling(table.core.seen())
    assert view is not None
    assert [doubt["en"] for doubt in view.doubts] == ["If a 500 lies on the bet spot of seat 3: Check"]
    assert view.readings == ()


# ---------------------------------------------------------------- every way in which chips may lie
VALUES = {"r1": 100, "r2": 100, "g1": 25, "v1": 500}
HAND, SPOT = Place(Zone.IN_HAND, 1), spot(1)


def to(name: str, where: Place = SPOT) -> Moved:
    return Moved(name, Place(Zone.IN_HAND, where.seat), where)


def back(name: str) -> Moved:
    return Moved(name, SPOT, HAND)


def reading(action: str, total: int) -> Reading:
    return Reading(action, total, 0, 0, reopens=False, all_in=False, rule="TDA 2024 44")  # type: ignore[arg-type]


CALL, RAISE = reading("call", 100), reading("raise", 600)
AS_SEEN = Supposed((), CALL, 0.9)


def asked_of(*found: Supposed) -> QuestionView:
    return worlds.question(Asked(1, 1, Ruling(None, "worlds", {}, ()), ("v1",), "worlds", worlds=found), VALUES)


@pytest.mark.parametrize(
    ("found", "text", "choices"),
    [
        (
            [AS_SEEN, Supposed((to("r1"), to("r2")), RAISE)],
            "Are 2 × 100 on the bet spot of seat 1?",
            ["They are not. Call 100", "They are there. Raise to 600"],
        ),
        (
            [AS_SEEN, Supposed((back("r1"), back("r2")), RAISE)],
            "Are the 2 × 100 still on the bet spot of seat 1?",
            ["They are there. Call 100", "They are not. Raise to 600"],
        ),
        (
            [AS_SEEN, Supposed((to("r1"),), RAISE), Supposed((to("r1"), to("r2")), reading("raise", 700))],
            "Which chips lie on the bet spot of seat 1?",
            ["Only what is seen. Call 100", "With a 100. Raise to 600", "With 2 × 100. Raise to 700"],
        ),
        (
            [AS_SEEN, Supposed((to("g1"), to("r1")), RAISE), Supposed((back("r2"), to("g1")), CALL)],
            "Which chips lie on the bet spot of seat 1?",
            ["Only what is seen. Call 100", "With a 100, a 25. Raise to 600", "With a 25, without a 100. Call 100"],
        ),
        (
            [AS_SEEN, Supposed((to("v1", spot(3)),), RAISE)],
            "Did seat 3 bet before? Of his chips a 500 is not seen.",
            ["It is not. Call 100", "It is there. Raise to 600"],
        ),
        (
            [AS_SEEN, Supposed((to("r1"),), RAISE), Supposed((to("v1", spot(3)),), None)],
            "Where do the chips lie?",
            [
                "Only what is seen. Call 100",
                "With a 100 on the bet spot of seat 1. Raise to 600",
                "With a 500 on the bet spot of seat 3. No act: 500 pays what was due, or is change",
            ],
        ),
        (
            [Supposed((), RAISE, 0.6), Supposed((to("r1"),), CALL, 0.3), Supposed((), None, 0.1)],
            "Which chips lie on the bet spot of seat 1?",
            [
                "One motion. Raise to 600",
                "With a 100. Call 100",
                "For themselves. No act: 500 pays what was due, or is change",
            ],
        ),
    ],
    ids=["several", "several back", "how many", "there and back", "another seat", "two places", "one motion"],
)
def test_no_two_choices_say_the_same_and_each_says_what_would_be_ruled(
    found: list[Supposed], text: str, choices: list[str]
) -> None:
    view = asked_of(*found)
    assert words(view) == (text, choices)
    assert all(both(choice.label) for choice in view.choices)
    assert len({choice.label["ru"] for choice in view.choices}) == len(choices)


def test_a_choice_shows_its_chips_and_where_they_would_lie() -> None:
    view = asked_of(AS_SEEN, Supposed((to("r1"), to("r2"), to("g1")), RAISE), Supposed((to("v1", spot(3)),), CALL))
    assert [choice.chips for choice in view.choices] == [(), ((100, 2), (25, 1)), ((500, 1),)]
    assert [choice.place and choice.place["en"] for choice in view.choices] == [
        None,
        "bet spot of seat 1",
        "bet spot of seat 3",
    ]


def test_beside_a_ruling_two_doubts_are_named_and_the_others_counted() -> None:
    found = (
        Supposed((to("r1"),), RAISE),
        Supposed((back("r2"),), None),
        Supposed((), CALL),
        Supposed((to("g1"), to("v1", spot(3))), CALL),
        Supposed((to("g1"), back("r1")), CALL),
    )
    assert [doubt["en"] for doubt in worlds.doubts(found, VALUES)] == [
        "If a 100 lies on the bet spot of seat 1: Raise to 600",
        "If a 100 was taken back from the bet spot of seat 1: No act",
    ]
    assert [doubt["en"] for doubt in worlds.doubts(found[2:4], VALUES)] == [
        "If nothing lies there but what is seen: Call 100",
        "If a 500 on the bet spot of seat 3, a 25 on the bet spot of seat 1 lies there: Call 100",
    ]
