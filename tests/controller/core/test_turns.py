"""Words that know their turn: early ones are kept, late ones asked about, and those of the present turn count at once."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller import commands
from controller.core.turns import MOST_TURNS, Turns
from controller.core.words import KEPT_NS, MOST_KEPT
from controller.picture.picture import Outside, pictures
from controller.places import Place, Zone
from controller.rulings.values import Word, WordKind
from controller.table.events import Event, Overruled, Refused, Ruled, TurnPassed, is_public
from controller.table.setup import House
from tests.controller.core_table import FLOP, HANDS, MUCK, SPOTS_ONLY, TURN, CoreTable, dealt

OUTSIDE = Outside("home", "e", 0)


class Table(CoreTable):
    """Its people see snapshots: `n` is the number of one that is made now."""

    @property
    def n(self) -> int:
        return self.core.words.n

    def says(self, n: int | None, seat: int | None, kind: WordKind, amount: int | None = None) -> list[Event]:
        self.last = []
        return self._keep(self.core.command(commands.Say(seat, Word(kind, amount)), "dealer", self.ns, n))


def table_of(seats: int = 3, **options: object) -> Table:
    table = dealt(seats, kind=Table, house=House(confirm="fragile"), **options)
    assert isinstance(table, Table)
    return table


def flop(seats: int = 3) -> Table:
    """The bets of the first round are swept, and the flop lies: seat 2 is to act."""
    table = table_of(seats)
    table.push(1, 100)
    table.still()
    table.push(2, 50)
    table.still()
    table.say(3, "check")
    table.sweep()
    table.run(3000)
    table.move(("4c",), MUCK)
    table.run(500)
    table.board(*FLOP)
    table.until(lambda: table.hand.to_act == 2)
    table.log.clear()
    return table


def checked_through() -> Table:
    """Everybody checked on the flop: the turn card is due, and seat 2 acts behind it."""
    table = flop()
    for seat in (2, 3, 1):
        table.say(seat, "check")
    table.run(500)
    table.log.clear()
    return table


def turn_card(table: Table) -> None:
    table.move(("4d",), MUCK)
    table.board(TURN)
    table.until(lambda: table.hand.street == 2)


# ---------------------------------------------------------------- early
def test_a_bet_said_in_the_moment_before_the_turn_card_is_read_is_said_behind_it() -> None:
    """Scene F of the fourteen: "bet 200", then one chip of 500: a bet of 200, not of 500."""
    table = checked_through()
    table.say(2, "bet", 200)
    assert (table.refused(), table.rulings()) == (None, [])
    turn_card(table)
    table.push(2, 500)
    table.still()
    assert table.rulings() == [(2, "bet", 200)]


def test_a_word_without_a_seat_is_for_whoever_opens_the_street_that_is_due() -> None:
    table = checked_through()
    table.say(None, "bet", 300)
    turn_card(table)
    assert table.rulings() == [(2, "bet", 300)]


def test_a_word_kept_for_a_seat_further_on_infers_the_checks_before_it() -> None:
    table = checked_through()
    table.say(3, "bet", 300)
    turn_card(table)
    assert table.rulings() == [(2, "check", 0), (3, "bet", 300)]


def test_chips_pushed_before_the_card_is_read_are_judged_with_the_word_in_either_order() -> None:
    for word_first in (True, False):
        table = checked_through()
        for say in (word_first, not word_first):
            if say:
                table.say(2, "bet", 200)
                assert table.refused() is None
            else:
                table.push(2, 500)
                table.run(3000)
        assert table.rulings() == []
        turn_card(table)
        table.still()
        assert table.rulings() == [(2, "bet", 200)], f"word first: {word_first}"


def test_a_kept_word_is_told_on_the_dealers_screen_and_nowhere_else() -> None:
    table = checked_through()
    table.say(2, "bet", 200)
    public, dealer = pictures(table.core.seen(), OUTSIDE)
    assert [notice.text["en"] for notice in dealer.notices] == ["“bet 200” for seat 2 waits for the next card."]
    assert public.notices == ()
    turn_card(table)
    assert pictures(table.core.seen(), OUTSIDE)[1].notices == ()


def test_a_word_that_waits_for_ten_seconds_is_refused_by_name() -> None:
    table = checked_through()
    table.say(2, "bet", 200)
    said_ns = table.ns
    table.run(9_900)
    assert table.refused() is None
    assert table.core.wake_at_ns() is not None
    table.run(200)
    assert (table.refused(), table.core.words.kept) == ("word_timed_out", ())
    assert table.ns - said_ns >= KEPT_NS
    turn_card(table)
    assert table.rulings() == []


def test_a_word_said_behind_the_last_call_while_it_is_read_is_kept_too() -> None:
    """The last push of the round still settles: behind it the card is due."""
    table = flop()
    table.say(2, "bet", 100)
    table.say(3, "fold")
    table.push(1, 100)
    table.run(500)
    table.say(2, "bet", 200)
    assert table.refused() is None
    table.push(2, 100)
    table.still()
    table.sweep()
    table.run(3000)
    turn_card(table)
    assert table.rulings()[-2:] == [(1, "call", 100), (2, "bet", 200)]


def test_a_button_of_a_seat_is_never_kept() -> None:
    table = checked_through()
    table.say(2, "bet", 200, by="seat")
    assert table.refused() == "betting_closed"


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_nothing_is_kept_where_no_betting_follows(seat: int) -> None:
    """All are all-in: the board is run out."""
    table = table_of()
    for other in (1, 2, 3):
        table.say(other, "all_in")
    table.say(seat, "check")
    assert table.core.words.kept == ()
    assert table.refused() in {"betting_closed", "no_such_reading", None}


def test_no_more_words_are_kept_than_people_can_say() -> None:
    table = checked_through()
    for _ in range(MOST_KEPT):
        table.say(2, "bet", 200)
    assert table.refused() is None
    table.say(2, "bet", 200)
    assert table.refused() == "betting_closed"


# ---------------------------------------------------------------- late
def raised_by_one() -> tuple[Table, int]:
    """Seat 1 was to act in the snapshot `n`; its raise to 600 is ruled, and seat 2 is to act."""
    table = table_of()
    n = table.n
    table.push(1, 500, 100)
    table.still()
    assert table.rulings() == [(1, "raise", 600)]
    assert table.hand.to_act == 2
    return table, n


def question(table: Table) -> tuple[str, list[str]]:
    asked = pictures(table.core.seen(), OUTSIDE)[1].question
    assert asked is not None
    return asked.text["en"], [choice.label["en"] for choice in asked.choices]


@pytest.mark.parametrize("seat", [None, 1])
def test_a_word_for_a_turn_that_was_ruled_is_asked_about(seat: int | None) -> None:
    table, n = raised_by_one()
    table.says(n, seat, "call")
    assert (table.last, table.rulings()) == ([], [(1, "raise", 600)])
    assert question(table) == (
        "“call” was said for seat 1 before its turn was ruled: Raise to 600. Does it count?",
        ["Yes: seat 1, Call 100, 500 back", "It is for seat 2: “call”", "It does not count"],
    )


def test_a_late_word_that_counts_puts_the_ruling_of_its_own_seat_right() -> None:
    table, n = raised_by_one()
    table.says(n, 1, "call")
    table.tell(commands.Answer(reading=1))
    assert [(e.seat, e.reading.total_to) for e in table.log if isinstance(e, Overruled)] == [(1, 100)]
    assert (table.hand.current_bet, table.hand.to_act, table.core.words.late) == (100, 2, None)


def test_a_late_word_may_be_for_whoever_acts_now_if_a_person_says_so() -> None:
    table, n = raised_by_one()
    table.says(n, None, "call")
    table.tell(commands.Answer(reading=2))
    assert table.rulings() == [(1, "raise", 600), (2, "call", 600)]


def test_a_late_word_that_does_not_count_changes_nothing() -> None:
    table, n = raised_by_one()
    state = table.core.state
    table.says(n, None, "call")
    assert table.tell(commands.Answer(reading=3)) == []
    assert (table.core.state, table.core.words.late) == (state, None)


def test_a_fold_said_late_folds_the_player_before_his_chips_and_leaves_his_bet_out() -> None:
    table, n = raised_by_one()
    table.says(n, 1, "fold")
    table.tell(commands.Confirm())
    assert table.refused() == "choose_a_number", "Enter never says what a late word is worth"
    assert table.rulings() == [(1, "raise", 600)]
    table.tell(commands.Answer(reading=1))
    player = table.hand.player(1)
    assert player is not None
    assert (player.folded, player.bet) == (True, 0)


def test_a_late_word_for_an_earlier_ruling_of_the_round_puts_its_amount_right() -> None:
    table, n = raised_by_one()
    table.say(2, "call")
    table.says(n, 1, "raise_to", 500)
    assert question(table)[1] == [
        "Yes: seat 1, Raise to 500, 100 back",
        "It is for seat 3: “raise to 500”",
        "It does not count",
    ]
    table.tell(commands.Answer(reading=1))
    assert [player.bet for player in table.hand.players if player.seat in {1, 2}] == [500, 500]


def test_a_late_word_that_says_what_was_ruled_is_no_question() -> None:
    table, n = raised_by_one()
    table.says(n, 1, "raise_to", 600)
    assert (table.refused(), table.core.words.late) == ("word_ruled", None)


def test_the_game_stands_still_while_a_late_word_is_asked_about() -> None:
    table, n = raised_by_one()
    table.says(n, 1, "call")
    table.push(2, 50, 500)
    table.run(5000)
    assert table.rulings() == [(1, "raise", 600)]
    table.tell(commands.Answer(reading=3))
    assert table.rulings() == [(1, "raise", 600), (2, "call", 600)]


def test_whoever_changes_the_turn_by_other_means_has_answered_too() -> None:
    table, n = raised_by_one()
    table.says(n, 1, "call")
    table.tell(commands.Undo())
    assert table.core.words.late is None
    assert table.tell(commands.Answer(reading=1)) == [Refused("no_question")]


def test_an_answer_that_is_no_choice_leaves_the_question() -> None:
    table, n = raised_by_one()
    table.says(n, 1, "call")
    for answer in (commands.Answer(reading=4), commands.Answer(reading=0), commands.Answer(total_to=600)):
        table.tell(answer)
        assert table.refused() == "no_such_reading"
        assert table.core.words.late is not None
    table.tell(commands.Answer(question=7, reading=1))
    assert table.refused() == "no_question"


def test_a_word_for_an_earlier_street_never_reaches_this_one_unasked() -> None:
    table = flop()
    n = table.n
    for seat in (2, 3, 1):
        table.say(seat, "check")
    turn_card(table)
    table.log.clear()
    table.says(n, 2, "bet", 500)
    assert table.rulings() == []
    assert table.refused() == "word_over"
    table.says(n, 3, "bet", 500)
    assert question(table)[1] == ["It is for seat 2: “bet 500”", "It does not count"]


def test_a_word_said_while_the_card_was_due_still_has_its_turn_when_the_card_is_read() -> None:
    table = checked_through()
    n = table.n
    turn_card(table)
    table.says(n, 2, "bet", 200)
    assert table.rulings() == [(2, "bet", 200)]


def test_a_word_for_a_seat_to_which_the_turn_has_come_since_counts() -> None:
    """It faces what it faced when that was said, and has not acted."""
    table = table_of(4)
    n = table.n
    table.say(4, "call")
    table.log.clear()
    table.says(n, 1, "raise_to", 400)
    assert table.rulings() == [(1, "raise", 400)]


def test_a_word_does_not_agree_to_a_question_that_its_speaker_did_not_see() -> None:
    table = dealt(3, kind=Table, house=House(confirm="always"))
    n = table.n
    table.push(1, 100)
    table.still()
    assert table.asked() is not None
    table.says(n, 2, "fold")
    assert (table.rulings(), table.asked() is not None) == ([], True)
    (notice,) = pictures(table.core.seen(), OUTSIDE)[1].notices
    assert notice.text["en"] == "“fold” for seat 2 waits for the answer."
    table.tell(commands.Confirm())
    assert table.rulings() == [(1, "call", 100), (2, "fold", 50)]


@pytest.mark.parametrize("n", [-1, 10_000])
def test_a_number_that_no_snapshot_of_late_had_is_refused(n: int) -> None:
    table = table_of()
    table.says(n, 1, "call")
    assert (table.refused(), table.rulings()) == ("word_unknown", [])


# ---------------------------------------------------------------- numbers
def test_the_number_counts_public_events_as_the_journal_does() -> None:
    table = flop()
    before = table.n
    table.say(2, "check")
    assert table.n - before == sum(is_public(event) for event in table.last) > 0
    table.say(5, "check")
    assert table.n - before == sum(is_public(event) for event in table.log)


def test_the_memory_of_turns_is_bounded() -> None:
    table = table_of()
    turns = Turns(table.core.state, 0)
    for number in range(MOST_TURNS + 10):
        turns.note([TurnPassed(1)], replace(table.core.state, hand=replace(table.hand, number=number)))
    assert turns.at(turns.n) == turns.now
    assert turns.at(0) is None
    assert turns.at(12) is not None


# ---------------------------------------------------------------- law
WORDS: tuple[tuple[WordKind, int | None], ...] = (
    ("call", None),
    ("check", None),
    ("fold", None),
    ("bet", 200),
    ("raise_to", 700),
    ("all_in", None),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 30), st.sampled_from([None, 1, 2, 3]), st.sampled_from(WORDS)), max_size=12))
def test_a_word_never_acts_for_a_seat_that_it_was_not_said_for(
    spoken: list[tuple[int, int | None, tuple[WordKind, int | None]]],
) -> None:
    """Checks that it infers are the house's, not the word's. Nobody answers, so no ruling comes of a late one."""
    table = dealt(3, zones=SPOTS_ONLY, kind=Table)
    turns = [(table.n, table.hand.to_act)]
    for back, seat, (kind, amount) in spoken:
        n, shown = turns[max(0, len(turns) - 1 - back)]
        said_for = {seat or shown, *(kept.seat for kept in table.core.words.kept)}
        table.says(n, seat, kind, amount)
        assert {event.seat for event in table.last if isinstance(event, Ruled) and not event.inferred} <= said_for
        turns.append((table.n, table.hand.to_act))
        if table.hand.phase == "street_card":
            table.tell(commands.NextStreet())
            turns.append((table.n, table.hand.to_act))


def taken_up() -> CoreTable:
    """Seat 2 has taken up his cards to throw them away; "check" for seat 3 is said before the muck shows them."""
    table = dealt()
    table.push(1, 100)
    table.still()
    table.move(HANDS[2], Place(Zone.IN_HAND, 2))
    table.run(1500)
    table.say(3, "check")
    return table


def test_a_dealers_word_behind_a_hand_that_was_taken_up_waits_for_that_fold() -> None:
    table = taken_up()
    assert (table.refused(), [kept.seat for kept in table.core.words.kept]) == (None, [3])
    table.muck(2)
    table.run(2500)
    assert table.rulings()[-2:] == [(2, "fold", 50), (3, "check", 100)]


def test_a_dealers_word_for_the_next_seat_is_refused_while_the_cards_before_it_lie() -> None:
    table = dealt()
    table.push(1, 100)
    table.still()
    table.say(3, "check")
    assert table.refused() == "out_of_turn"


def test_a_word_that_waits_for_a_fold_in_vain_is_refused_in_the_end() -> None:
    table = taken_up()
    table.run(11_000)
    assert [event.why for event in table.log if isinstance(event, Refused)] == ["word_timed_out"]


@pytest.mark.parametrize("kind", ["bet", "check"])
def test_a_word_that_is_none_for_who_called_a_bet_waits_for_the_next_card_and_corrects_nothing(kind: WordKind) -> None:
    """Seat 1 called the flop bet; "bet" or "check" for it before the turn is read is said of the turn."""
    table = flop()
    table.push(2, 500)
    table.still()
    table.muck(3)
    table.still()
    table.push(1, 500)
    table.still()
    assert table.rulings()[-1] == (1, "call", 500)
    table.log.clear()
    table.says(None, 1, kind, 1000 if kind == "bet" else None)
    assert (table.refused(), [kept.seat for kept in table.core.words.kept]) == (None, [1])
    assert table.rulings() == []
    assert not [event for event in table.log if isinstance(event, Overruled)]


def test_a_raise_said_for_who_checked_answers_a_bet_that_is_not_read_yet_and_corrects_no_check() -> None:
    """Seat 2 checked; seat 3's bet is covered by a hand when "raise to 700" is said for seat 2."""
    table = flop()
    table.says(None, 2, "check")
    assert table.rulings() == [(2, "check", 0)]
    table.says(None, 2, "raise_to", 700)
    assert table.refused() == "out_of_turn"
    assert table.rulings() == [(2, "check", 0)]
    assert not [event for event in table.log if isinstance(event, Overruled)]


def test_a_bet_said_for_who_checked_is_a_correction() -> None:
    table = flop()
    table.says(None, 2, "check")
    table.says(None, 2, "bet", 700)
    assert [event.reading.total_to for event in table.log if isinstance(event, Overruled)] == [700]
