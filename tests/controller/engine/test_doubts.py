"""What is not certain of chips before a seat stays a question until a person has ruled, whatever happens meanwhile."""

from controller import commands
from controller.table.events import PutInDoubt, Ruled
from controller.table.inputs import CountedIn, MotionSeen
from controller.table.setup import House
from tests.controller.engine.played import Played, dealt, spot, tray


def fragile(seats: int = 3, profile: str = "TDA2024") -> Played:
    return dealt(seats, house=House(confirm="fragile"), profile=profile)


def second_trip(table: Played, seat: int, values: tuple[int, ...], number: int, doubtful: tuple[str, ...] = ()) -> None:
    """Chips of one motion, the one with this number fetched by a second trip."""
    chips = table.carry(tray(seat), spot(seat), *values)
    table.give(MotionSeen(0, table.motion(*chips, second=(chips[number].item,), doubtful=doubtful)))


def is_asked(table: Played, seat: int) -> bool:
    question = table.hand.question
    return question is not None and question.seat == seat and not table.of(Ruled)


def test_chips_of_another_push_never_answer_what_a_doubtful_chip_asked() -> None:
    """The named 100 did not come: 1,000 more that do are put to a person as well, never ruled on by themselves."""
    table = fragile()
    table.push(1, 500, doubtful=("s1-100-00",))
    table.push(1, 1000)
    assert not table.of(Ruled)
    assert (asked := table.asked()) is not None
    assert (asked.doubtful, asked.undecided) == (True, ("s1-100-00",))
    table.tell(commands.Confirm())

    assert table.reading().total_to == 1500


def test_a_doubtful_chip_that_comes_with_others_asks_all_the_same() -> None:
    table = fragile()
    table.push(1, 500, doubtful=("s1-100-00",))
    table.push(1, 100, 1000)

    assert not table.of(Ruled)
    assert table.asked() is not None


def test_chips_in_question_that_are_taken_back_leave_a_question() -> None:
    """They lay there, and were asked about: whether they counted is for a person to say, not for who took them."""
    table = fragile()
    table.push(1, 500, 100, doubtful=("s1-25-00",))
    table.take_back(1, 100)
    assert not table.of(Ruled)
    assert (asked := table.asked()) is not None
    assert asked.doubtful


def test_what_is_doubtful_out_of_turn_is_asked_when_its_turn_comes() -> None:
    """TDA 2024 53: it binds if the action did not change; not before a person has looked for the chip."""
    table = fragile()
    table.push(2, 500, doubtful=("s2-100-00",))
    assert table.player(2).doubt == PutInDoubt(2, ("s2-100-00",))
    table.say(1, "call")

    assert [one.seat for one in table.of(Ruled)] == [1]
    assert (asked := table.asked()) is not None
    assert (asked.seat, asked.doubtful) == (2, True)


def test_a_doubtful_chip_that_comes_out_of_turn_ends_the_doubt() -> None:
    table = fragile()
    table.push(2, 500, doubtful=("s2-100-00",))
    table.push(2, 100)

    assert table.player(2).doubt is None


def test_a_second_trip_within_one_motion_is_asked_where_it_changes_the_ruling() -> None:
    """TDA 2024 56: 100, and 500 fetched behind it: a call, or one raise to 600? The floor saw it."""
    table = fragile()
    chips = table.carry(tray(1), spot(1), 100, 500)
    table.give(MotionSeen(0, table.motion(*chips, second=(chips[1].item,))))

    assert not table.of(Ruled)
    question = table.asked()
    assert question is not None
    assert question.ruling.chosen is not None
    assert question.ruling.numbers["later_motion"] == 500
    table.tell(commands.Confirm())
    assert (table.reading().action, table.reading().change_due) == ("call", 500)


def test_a_second_trip_that_changes_nothing_is_not_asked() -> None:
    """All of an amount that was said, fetched in two trips, is one action (TDA 2024 40)."""
    table = fragile()
    table.say(1, "raise", 600)
    chips = table.carry(tray(1), spot(1), 100, 500)
    table.give(MotionSeen(0, table.motion(*chips, second=(chips[1].item,))))

    assert table.asked() is None
    assert table.player(1).bet == 600


def test_a_question_to_the_floor_keeps_the_doubtful_chip() -> None:
    """RROP 11: prior chips and a push are the floor's; chips that come meanwhile end no doubt."""
    table = fragile(profile="RROP11")
    table.push(1, 100)
    table.push(2, 100, doubtful=("s2-25-05",))
    assert table.hand.question is not None
    assert table.hand.question.undecided == ("s2-25-05",)
    table.push(2, 1000, 500)
    assert is_asked(table, 2)


def test_a_question_to_the_floor_keeps_the_second_trip() -> None:
    table = fragile()
    table.say(1, "raise", 300)
    second_trip(table, 2, (100, 500, 100), 1)
    assert is_asked(table, 2)
    table.push(2, 25)
    assert is_asked(table, 2)


def test_overruling_the_last_ruling_asks_the_next_seat_again() -> None:
    table = fragile()
    table.push(1, 500)
    table.push(2, 50, 500, doubtful=("s2-100-00",))
    table.tell(commands.Overrule(action="raise", total_to=500, seat=1))

    assert table.hand.question is not None
    assert (table.hand.question.seat, table.hand.question.undecided) == (2, ("s2-100-00",))


def test_the_named_chip_ends_no_other_reason_to_ask() -> None:
    table = fragile()
    second_trip(table, 1, (100, 500), 1, doubtful=("s1-25-00",))
    table.push(1, 25)
    assert is_asked(table, 1)

    table = fragile()
    table.push(1, 500, 100, doubtful=("s1-25-00",))
    table.take_back(1, 100)
    table.push(1, 25)
    assert is_asked(table, 1)

    table = fragile()
    table.push(1, 500, doubtful=("s1-100-00",))
    table.push(1, 1000)
    table.push(1, 100)
    assert is_asked(table, 1)


def test_a_second_trip_out_of_turn_is_asked_when_its_turn_comes() -> None:
    table = fragile()
    second_trip(table, 2, (100, 500), 1)
    table.push(2, 25)
    table.say(1, "call")

    question = table.hand.question
    assert question is not None
    assert (question.seat, question.ruling.numbers["later_motion"]) == (2, 500)


def test_a_released_push_keeps_its_doubtful_chip() -> None:
    """The action changed: what lies there is judged with what comes, and the chip may still be missing."""
    table = fragile()
    table.push(2, 500, doubtful=("s2-500-01",))
    table.say(1, "raise", 1000)
    table.push(2, 1000)
    assert is_asked(table, 2)
    assert table.player(2).doubt == PutInDoubt(2, ("s2-500-01",))


def test_chips_that_stay_are_not_posted_while_one_is_doubtful() -> None:
    table = fragile(5)
    table.push(5, 500, doubtful=("s5-100-01",))
    table.push(1, 500)
    table.say(4, "raise", 300)

    question = table.hand.question
    assert question is not None
    assert (question.seat, question.undecided) == (5, ("s5-100-01",))
    assert table.player(5).bet == 0


def test_nobody_agrees_to_what_no_longer_lies_there() -> None:
    """Chips that came in a pause, or before a restart, are judged before anybody agrees to what was shown."""
    table = fragile()
    table.push(1, 500, doubtful=("s1-100-00",))
    table.tell(commands.Pause())
    table.push(1, 100)
    table.tell(commands.Resume())
    table.tell(commands.Confirm())
    assert [one.reading.total_to for one in table.log if isinstance(one, Ruled)] == [600]

    table = fragile()
    table.push(1, 500, 100, doubtful=("s1-25-00",))
    places = dict(table.state.places)
    for name in table.state.spots[0]:
        places[name] = tray(1)
    table.give(CountedIn(0, places))
    table.tell(commands.Confirm())
    assert not [one for one in table.log if isinstance(one, Ruled)]


def test_a_word_without_an_amount_is_not_read_off_doubtful_chips() -> None:
    table = fragile()
    table.push(1, 500, doubtful=("s1-100-00",))
    table.say(1, "raise")
    assert is_asked(table, 1)
    table.say(1, "raise", 600)
    assert table.reading().total_to == 600


def test_a_ruling_ends_the_doubt() -> None:
    table = fragile()
    table.push(1, 500, doubtful=("s1-100-00",))
    assert table.player(1).doubt == PutInDoubt(1, ("s1-100-00",))
    table.tell(commands.Confirm())
    assert table.player(1).doubt is None
