"""What the screen says, as words and numbers: a snapshot in, parts out."""

from typing import Any

import pytest
from msgspec.structs import replace

from controller.commands import Say, Word
from controller.snapshot import PotView, ReaderView, SeatView, Snapshot
from controller.texts.languages import LANGUAGES
from display.keys import Desk, press
from display.labels import labels
from display.parts import BoardCard, EntryPart, Link, PotPart, StepPart, TurnPart, View
from display.view import view
from tests.display import samples
from tests.display.samples import SAMPLES, both

LIVE = Link("live")


def seen(snapshot: Snapshot | None, *, language: Any = "en", dealer: bool = True, **more: Any) -> View:
    link, desk = more.get("link", LIVE), more.get("desk", Desk())
    return view(snapshot, link, desk, labels(language), dealer=dealer)


@pytest.mark.parametrize(
    ("rule", "en", "ru"),
    [
        ("inferred", "House: a check is inferred", "Правило дома: чек по умолчанию"),
        ("floor", "The floor", "Решение флора"),
        ("TDA 2024 44", "TDA 2024 44", "TDA 2024 44"),
    ],
)
def test_what_decided_is_told_in_the_language_and_a_rule_book_as_it_is(rule: str, en: str, ru: str) -> None:
    assert samples.TWO.ruling is not None
    snapshot = replace(samples.TWO, ruling=replace(samples.TWO.ruling, rule=rule))
    for language, told in (("en", en), ("ru", ru)):
        ruling = seen(snapshot, language=language).ruling
        assert ruling is not None
        assert ruling.rule == told


def turn(shown: View) -> TurnPart:
    assert isinstance(shown.act, TurnPart)
    return shown.act


# ---------------------------------------------------------------- every sample, every language
@pytest.mark.parametrize("dealer", [True, False], ids=["dealer", "public"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SAMPLES)
def test_every_moment_can_be_told_in_every_language(name: str, language: str, dealer: bool) -> None:
    shown = seen(SAMPLES[name], language=language, dealer=dealer)
    assert len(shown.seats) == len(SAMPLES[name].seats)
    assert "{" not in str(shown)
    assert shown.curtain is None


def test_a_snapshot_of_nothing_at_all_can_be_told() -> None:
    shown = seen(Snapshot(table="", epoch="", n=0, phase="never heard of", street="eighth"))
    assert isinstance(shown.act, StepPart)
    assert shown.act.name == "never heard of"
    assert "eighth" in shown.top.left


# ---------------------------------------------------------------- top line
def test_the_top_line_names_hand_street_blinds_and_table() -> None:
    assert seen(samples.TEN).top.left == "Hand 128  ·  Preflop  ·  Blinds 100 / 200 ante 200  ·  home"


@pytest.mark.parametrize(
    ("structure", "bets", "en", "ru"),
    [
        ("NL", (), "", ""),
        ("FL", (100, 200), "Limit 100/200", "Лимит 100/200"),
        ("PL", (), "Pot limit", "Пот-лимит"),
        ("HP", (), "Half pot", "Хаф-пот"),
        ("spread", (2, 10), "Spread 2-10", "Спред 2-10"),
        ("spread", (2, 10, 20), "Spread 2-10/20", "Спред 2-10/20"),
    ],
)
def test_the_top_line_names_the_structure_where_it_is_not_no_limit(
    structure: str, bets: tuple[int, ...], en: str, ru: str
) -> None:
    snapshot = replace(samples.PREFLOP, structure=structure, bets=bets)
    for language, told in (("en", en), ("ru", ru)):
        parts = seen(snapshot, language=language).top.left.split("  ·  ")
        assert parts[2:-2] == ([told] if told else []), "between the street and the blinds"


def test_readers_that_are_up_are_one_lamp_and_every_other_reader_is_named() -> None:
    assert [(lamp.text, lamp.tone) for lamp in seen(samples.PREFLOP).top.lamps] == [
        ("readers: 3", "good"),
        ("MQTT", "good"),
    ]
    assert [(lamp.text, lamp.tone) for lamp in seen(samples.LOST_READER).top.lamps] == [
        ("readers: 1", "good"),
        ("west lost", "bad"),
        ("board starting", "busy"),
        ("MQTT down", "bad"),
    ]


def test_a_table_without_a_broker_shows_no_lamp_for_it() -> None:
    assert [lamp.text for lamp in seen(replace(samples.PREFLOP, broker="off")).top.lamps] == ["readers: 3"]


# ---------------------------------------------------------------- felt
def test_the_pot_is_the_total_of_pots_and_bets() -> None:
    assert seen(samples.SIDE_POTS).pot == "48\u202f350"


def test_between_hands_a_pot_of_nothing_is_not_told() -> None:
    assert seen(samples.BETWEEN).pot == ""
    assert seen(replace(samples.BETWEEN, pot_total=75)).pot == "75"
    assert seen(replace(samples.PREFLOP, pot_total=0)).pot == "0"


def test_side_pots_say_who_may_win_them() -> None:
    assert seen(samples.SIDE_POTS).pots == (
        PotPart("Main", "9200", (1, 3, 4, 6, 9)),
        PotPart("Side 1", "14\u202f400", (1, 3, 6, 9)),
        PotPart("Side 2", "18\u202f750", (3, 6, 9)),
        PotPart("Side 3", "6000", (6, 9)),
    )


def test_one_pot_alone_is_not_repeated() -> None:
    assert seen(samples.CHANGE).pots == ()


def test_pots_left_after_an_award_keep_their_names() -> None:
    left = (PotView(14_400, (1, 3), 1), PotView(6_000, (6, 9), 3))
    assert [pot.label for pot in seen(replace(samples.SIDE_POTS, pots=left)).pots] == ["Side 1", "Side 3"]


def test_more_pots_than_there_is_room_for_are_summed_in_the_last() -> None:
    pots = tuple(PotView(1000, (1, 2)) for _ in range(8))
    shown = seen(replace(samples.SIDE_POTS, pots=pots)).pots
    assert [pot.label for pot in shown] == ["Main", "Side 1", "Side 2", "Side 3", "+4 more"]
    assert shown[-1].amount == "4000"


def test_the_board_shows_faces_then_backs_of_cards_not_read_then_empty_places() -> None:
    assert seen(samples.BACKS).board == (
        BoardCard("face", "As"),
        BoardCard("face", "Td"),
        BoardCard("back"),
        BoardCard("back"),
        BoardCard("none"),
    )


def test_a_card_of_a_second_deck_is_shown_by_its_face() -> None:
    assert seen(replace(samples.CHANGE, board=("blue:As",), board_count=1)).board[0] == BoardCard("face", "As")


def test_a_board_of_too_many_cards_is_still_five() -> None:
    assert len(seen(replace(samples.CHANGE, board=("As",) * 7, board_count=9)).board) == 5


# ---------------------------------------------------------------- seats
def seat_of(snapshot: Snapshot, number: int, **more: Any) -> Any:
    return next(part for part in seen(snapshot, **more).seats if part.seat == number)


def test_a_seat_says_name_stack_and_last_action() -> None:
    part = seat_of(samples.PREFLOP, 3)
    assert (part.name, part.stack, part.foot, part.look) == ("Chen", "8200", "Raise to 600", "in")


@pytest.mark.parametrize(
    ("state", "foot"), [("folded", "folded"), ("out", "sitting out"), ("waiting", "next hand"), ("empty", "empty")]
)
def test_a_seat_that_does_not_play_says_why(state: Any, foot: str) -> None:
    part = seat_of(replace(samples.PREFLOP, seats=(SeatView(1, "Anna", state, 500),)), 1)
    assert (part.look, part.foot) == (state, foot)


def test_between_hands_players_who_wait_are_simply_in() -> None:
    part = seat_of(replace(samples.BETWEEN, seats=(SeatView(1, "Anna", "waiting", 500),)), 1)
    assert (part.look, part.foot) == ("in", "")


def test_an_empty_seat_has_no_stack() -> None:
    assert seat_of(samples.PREFLOP, 8).stack == ""


def test_all_in_stands_in_the_place_of_a_stack_of_nothing() -> None:
    assert seat_of(samples.SIDE_POTS, 4).sign == "ALL-IN"
    assert seat_of(samples.SIDE_POTS, 6).sign == ""


def test_the_seat_to_act_says_so() -> None:
    part = seat_of(samples.PREFLOP, 4)
    assert part.to_act
    assert part.foot == "to act"
    assert sum(part.to_act for part in seen(samples.PREFLOP).seats) == 1


def test_chips_in_the_hand_and_chips_that_wait_are_named_by_value() -> None:
    assert seat_of(samples.PREFLOP, 6).mark == "in hand 1500"
    assert seat_of(samples.TEN, 9).mark == "in hand 1000 · waits 500"
    assert seat_of(samples.PREFLOP, 1).mark == ""


def test_a_word_that_waits_is_quoted_at_its_seat() -> None:
    raising = replace(samples.PREFLOP, seats=(SeatView(4, "Anna", "in", 500, said=both("“raise”", "«рейз»")),))
    assert seat_of(raising, 4).mark == "“raise”"
    assert seat_of(raising, 4, language="ru").mark == "«рейз»"


def test_without_a_tray_antenna_nothing_is_said_of_chips_in_the_hand() -> None:
    unknown = replace(samples.PREFLOP, seats=(SeatView(1, "Anna", "in", 500, in_hand_value=None),))
    assert seat_of(unknown, 1).mark == ""


def test_cards_read_are_counted_only_for_players_who_have_cards() -> None:
    assert [seat_of(samples.PREFLOP, n).cards_read for n in (4, 5, 6)] == [2, None, 1]


def test_change_due_and_chips_to_add_stand_beside_the_bet() -> None:
    assert seat_of(samples.CHANGE, 4).bet.change == "400"
    assert (seat_of(samples.ADD, 6).bet.amount, seat_of(samples.ADD, 6).bet.missing) == ("1200", "200")
    assert seat_of(samples.PREFLOP, 2).bet is None


def test_chips_before_a_seat_that_has_no_bet_are_change_alone() -> None:
    paid = replace(samples.PAYING, seats=(SeatView(1, "Anna", "in", 500, front=6075, change_due=6075),))
    bet = seat_of(paid, 1).bet
    assert (bet.amount, bet.change) == ("", "6075")


def test_a_push_that_is_being_read_shows_what_lies_there_and_no_change() -> None:
    bet = seat_of(samples.PROVISIONAL, 4).bet
    assert (bet.amount, bet.moving, bet.change) == ("600", True, "")


def test_a_seat_that_is_not_known_is_marked_and_so_is_its_stack() -> None:
    part = seat_of(samples.UNKNOWN_CHIP, 4)
    assert part.doubtful
    assert part.stack == "9400 ?"
    assert (part.level, seat_of(samples.UNKNOWN_CHIP, 3).level) == ("unknown", "alarm")


def test_the_button_lies_where_either_field_says() -> None:
    assert [part.seat for part in seen(samples.PREFLOP).seats if part.button] == [6]


def test_tabled_cards_and_winnings_are_shown() -> None:
    part = seat_of(samples.PAYING, 6)
    assert (part.shown, part.won) == (("9c", "9d"), "+42\u202f350")


def test_a_question_marks_the_seat_it_is_about() -> None:
    assert [part.seat for part in seen(samples.QUESTION).seats if part.asked] == [6]


# ---------------------------------------------------------------- who is to act
def test_the_player_to_act_reads_what_a_call_and_the_smallest_raise_cost() -> None:
    act = turn(seen(samples.PREFLOP))
    assert (act.seat, act.who, act.call, act.raise_label, act.raise_to) == (4, "Dmitri", "600", "min raise to", "1000")


def test_with_nothing_to_call_it_is_a_check_or_a_bet() -> None:
    act = turn(seen(samples.TWO))
    assert (act.call_label, act.call, act.raise_label, act.raise_to) == ("", "CHECK", "min bet", "200")


def test_a_player_without_the_right_reads_that_he_may_not_raise() -> None:
    act = turn(seen(replace(samples.PREFLOP, min_raise_to=None, max_raise_to=None)))
    assert (act.raise_label, act.raise_to) == ("may not raise", "")


@pytest.mark.parametrize("most", [None, 9_400])
def test_a_stack_below_the_smallest_raise_may_only_go_all_in(most: int | None) -> None:
    act = turn(seen(replace(samples.PREFLOP, min_raise_to=12_000, max_raise_to=most)))
    assert (act.raise_label, act.raise_to) == ("or all-in", "9400")


def test_a_limit_below_the_stack_is_named() -> None:
    assert turn(seen(replace(samples.PREFLOP, max_raise_to=2_100))).most == "at most 2100"
    assert turn(seen(replace(samples.PREFLOP, max_raise_to=None))).most == ""
    assert turn(seen(samples.PREFLOP)).most == ""


@pytest.mark.parametrize(("snapshot", "label"), [(samples.PREFLOP, "raise to"), (samples.TWO, "bet")])
def test_in_fixed_limit_there_is_one_amount_and_no_limit_beside_it(snapshot: Snapshot, label: str) -> None:
    act = turn(seen(replace(snapshot, min_raise_to=800, max_raise_to=800)))
    assert (act.raise_label, act.raise_to, act.most) == (label, "800", "")


def test_an_amount_to_call_that_is_not_known_is_not_nothing() -> None:
    assert turn(seen(replace(samples.PREFLOP, to_call=None))).call == "?"


def test_a_player_without_a_name_is_called_by_the_seat() -> None:
    seats = tuple(replace(seat, name="") for seat in samples.PREFLOP.seats)
    assert turn(seen(replace(samples.PREFLOP, seats=seats))).who == "Seat 4"


def test_when_nobody_is_to_act_the_dealer_reads_what_to_do_and_the_public_reads_no_keys() -> None:
    dealer, public = seen(samples.BETWEEN).act, seen(samples.BETWEEN, dealer=False).act
    assert dealer == StepPart("Between hands", ("Shuffle and deal",), "n: next hand")
    assert public == StepPart("Between hands", ("Shuffle and deal",), "")


def test_winners_are_named_with_what_they_get() -> None:
    act = seen(samples.PAYING).act
    assert isinstance(act, StepPart)
    assert act.lines == ("Farid (Seat 6)  25\u202f000 to come", "Ivan (Seat 9)  +6000")
    assert act.won


def test_while_the_pot_is_paid_the_middle_says_how_much_is_still_to_come() -> None:
    shown = seen(samples.PAYING)
    assert (shown.pot_label, shown.pot) == ("PAYING", "31\u202f000")
    over = seen(replace(samples.PAYING, paying=0))
    assert (over.pot_label, over.pot) == ("POT", "0")
    side = seen(replace(samples.PAYING, pot_total=6_000))
    assert (side.pot_label, side.pot) == ("POT", "6000"), "one of two pots is awarded: the other is still played for"


def test_what_nobody_called_goes_back_and_is_no_change() -> None:
    bet = seat_of(samples.PAYING, 6).bet
    assert (bet.back, bet.change, bet.amount) == ("2000", "", "")


# ---------------------------------------------------------------- ruling
def test_a_ruling_gives_headline_reason_rule_and_the_change_chip_by_chip() -> None:
    ruling = seen(samples.CHANGE).ruling
    assert ruling is not None
    assert ruling.headline == "Seat 4: Call 600"
    assert ruling.sentence.startswith("One chip, no word")
    assert ruling.rule == "TDA 2024 44"
    assert (ruling.chips_label, ruling.chips_amount, ruling.chips) == ("CHANGE", "400", ((100, 4),))
    assert ruling.seen == ((1000, 1),)
    assert not ruling.provisional


def test_chips_to_add_are_named_and_not_drawn() -> None:
    ruling = seen(samples.ADD).ruling
    assert ruling is not None
    assert (ruling.chips_label, ruling.chips_amount, ruling.chips) == ("ADD", "200", ())


def test_a_provisional_ruling_comes_before_the_last_final_one_and_says_what_it_waits_for() -> None:
    ruling = seen(samples.PROVISIONAL).ruling
    assert ruling is not None
    assert ruling.provisional
    assert ruling.note == "SETTLING …"
    assert ruling.waits == "waits for 500 in the hand of seat 4"


def test_what_only_repeats_the_sign_is_not_said_twice() -> None:
    provisional = replace(samples.PROVISIONAL.provisional, waits_for=both("settling", "считаем"))  # type: ignore[type-var]
    for language in ("en", "ru"):
        ruling = seen(replace(samples.PROVISIONAL, provisional=provisional), language=language).ruling
        assert ruling is not None
        assert ruling.waits == ""


def test_an_inferred_check_is_marked() -> None:
    ruling = seen(samples.TWO).ruling
    assert ruling is not None
    assert ruling.note == "inferred"


def test_a_sentence_that_one_language_lacks_is_told_in_english() -> None:
    ruling = replace(samples.RAISE, headline={"en": "Seat 3: raise to 600"}, sentence={"de": "Nur deutsch"})
    shown = seen(replace(samples.PREFLOP, ruling=ruling), language="ru").ruling
    assert shown is not None
    assert (shown.headline, shown.sentence) == ("Seat 3: raise to 600", "Nur deutsch")


def test_doubts_stand_under_the_ruling_a_line_each_and_the_rest_as_a_number() -> None:
    ruling = seen(samples.DOUBT).ruling
    assert ruling is not None
    assert ruling.doubts == (
        "If a 100 lies on the bet spot of seat 4: Raise to 1100",
        "If a 25 lies on the bet spot of seat 4: Raise to 1025  ·  +2 more",
    )
    plain = seen(samples.CHANGE).ruling
    assert plain is not None
    assert plain.doubts == ()


# ---------------------------------------------------------------- question
def test_a_question_lists_its_readings_by_the_keys_that_choose_them() -> None:
    question = seen(samples.QUESTION).question
    assert question is not None
    assert question.title == "Seat 6  ·  FLOOR: WHICH READING?"
    assert [(c.number, c.label, c.rule) for c in question.choices][:2] == [
        (1, "Call 600, give 500 back", "TDA 2024 40-A"),
        (2, "Raise to 1200, add 100", "TDA 2024 43-A"),
    ]
    assert question.hint == "press or touch the number"


def test_a_question_of_where_a_chip_lies_is_the_dealers_and_shows_the_chip() -> None:
    question = seen(samples.IS_IT_THERE).question
    assert question is not None
    assert question.title == "Seat 6  ·  DEALER: WHERE IS THE CHIP?"
    assert [(choice.number, choice.chips) for choice in question.choices] == [(1, ((100, 1),)), (2, ())]


def test_a_request_for_agreement_reads_differently_from_a_question_to_the_floor() -> None:
    question = seen(samples.CONFIRM).question
    assert question is not None
    assert question.title == "Seat 6  ·  DEALER: IS THIS RIGHT?"
    assert question.hint == "Enter = yes · else the number, a word or an amount"


def test_a_request_for_agreement_shows_the_push_and_why_it_asks() -> None:
    for dealer in (True, False):
        question = seen(samples.AGREE, dealer=dealer).question
        assert question is not None
        assert question.seen == ((1000, 1), (100, 4), (25, 1))
        assert question.seen_title == "pushed 1425"
        assert question.why == "No antenna under his stack: one unseen chip of 25 would change this."


@pytest.mark.parametrize(
    ("snapshot", "tone"),
    [(samples.QUESTION, "off"), (samples.AGREE, "ask"), (samples.PREFLOP, "off"), (samples.HELD_UP, "plain")],
)
def test_the_button_that_agrees_is_grey_where_confirm_would_be_refused(snapshot: Snapshot, tone: str) -> None:
    shown = view(snapshot, Link("live"), Desk(), labels("en"), dealer=True, touch=True)
    assert [button.tone for button in shown.buttons if button.label == "CONFIRM"] == [tone]


def test_the_public_sees_the_question_and_no_keys() -> None:
    question = seen(samples.QUESTION, dealer=False).question
    assert question is not None
    assert question.hint == ""
    assert len(question.choices) == 3


def test_while_overruling_the_readings_of_the_last_ruling_are_listed() -> None:
    readings = samples.QUESTION.question.choices if samples.QUESTION.question else ()
    snapshot = replace(samples.PREFLOP, ruling=replace(samples.RAISE, readings=readings))
    question = seen(snapshot, desk=Desk(entry="overrule")).question
    assert question is not None
    assert question.text == "Seat 3: raise to 600"
    assert [choice.number for choice in question.choices] == [1, 2, 3]


# ---------------------------------------------------------------- what the dealer types
@pytest.mark.parametrize(
    ("desk", "who", "words"),
    [
        (Desk(entry="raise_to", typed="600"), "Dmitri (Seat 4)", "raise to 600▏"),
        (Desk(entry="raise_by", typed="12500"), "Dmitri (Seat 4)", "raise by 12\u202f500▏"),
        (Desk(selected=2, entry="bet"), "Boris (Seat 2)", "bet ▏"),
        (Desk(entry="amount", typed="6"), "Dmitri (Seat 4)", "raise to 6▏"),
        (Desk(selected=9, entry="stack", typed="5000"), "Ivan (Seat 9)", "stack is 5000▏"),
        (Desk(entry="award", typed="3 5"), "", "Main goes to seat 3 5▏"),
        (Desk(sure="misdeal"), "", "Misdeal: all chips go back?"),
        (Desk(entry="blinds", typed="200 400"), "", "blinds 200 400▏"),
        (Desk(entry="overrule", typed="600"), "", "overrule: reading or total 600▏"),
        (Desk(selected=7, entry="overrule", typed="600"), "Greta (Seat 7)", "overrule: reading or total 600▏"),
        (Desk(selected=7, out_of_turn=True), "Greta (Seat 7)", "out of turn: said …"),
    ],
)
def test_what_is_typed_is_shown_with_the_seat_it_is_for(desk: Desk, who: str, words: str) -> None:
    act = seen(samples.PREFLOP, desk=desk).act
    assert isinstance(act, EntryPart)
    assert (act.who, act.words) == (who, words)


def test_an_amount_typed_under_a_question_is_an_answer() -> None:
    act = seen(samples.QUESTION, desk=Desk(entry="raise_to", typed="900")).act
    assert isinstance(act, EntryPart)
    assert act.words == "answer: total 900▏"


@pytest.mark.parametrize(
    ("desk", "words"),
    [
        (Desk(selected=2, out_of_turn=True, entry="raise_to", typed="900"), "raise to 900▏"),
        (Desk(entry="blinds", typed="1 2"), "blinds 1 2▏"),
        (Desk(selected=2, entry="stack", typed="900"), "stack is 900▏"),
    ],
)
def test_what_is_typed_under_a_question_and_answers_nothing_says_what_it_is(desk: Desk, words: str) -> None:
    act = seen(samples.QUESTION, desk=desk).act
    assert isinstance(act, EntryPart)
    assert act.words == words


def test_overruling_an_earlier_ruling_lists_no_readings_of_the_last_one() -> None:
    readings = samples.QUESTION.question.choices if samples.QUESTION.question else ()
    snapshot = replace(samples.PREFLOP, ruling=replace(samples.RAISE, readings=readings))
    assert seen(snapshot, desk=Desk(entry="overrule", selected=7)).question is None
    assert seen(snapshot, desk=Desk(entry="overrule", selected=3)).question is not None


def test_an_amount_typed_where_nobody_bet_is_a_bet() -> None:
    act = seen(samples.TWO, desk=Desk(entry="amount", typed="6")).act
    assert isinstance(act, EntryPart)
    assert act.words == "bet 6▏"


def test_the_public_sees_nothing_of_the_dealers_desk() -> None:
    desk = Desk(selected=2, entry="raise_to", typed="600", help=True, message="not_sent")
    assert seen(samples.PREFLOP, desk=desk, dealer=False) == seen(samples.PREFLOP, dealer=False)


def test_help_lists_every_key_with_its_meaning() -> None:
    shown = seen(samples.PREFLOP, desk=Desk(help=True)).help
    assert shown is not None
    assert ("u, Backspace", "undo") in shown.lines


# ---------------------------------------------------------------- notices, banner, curtain
def test_alarms_come_before_what_is_not_known_before_refusals() -> None:
    notices = seen(samples.UNKNOWN_CHIP).notices
    assert [notice.level for notice in notices] == ["alarm", "unknown", "refused", "info"]
    assert notices[3].text == "Not seen: r500-003, g25-014 (tray of seat 6)."


def test_chips_that_hold_nothing_back_are_told_only_where_a_notice_tells_them() -> None:
    """Chips of the pot that went to the dealer's float for change would stand in the strip for the whole evening."""
    shown = seen(replace(samples.UNKNOWN_CHIP, notices=(), last_refusal=None))
    assert shown.notices == ()


def test_the_public_reads_no_names_of_chips_and_no_refusals() -> None:
    texts = {notice.text for notice in seen(samples.UNKNOWN_CHIP, dealer=False).notices}
    assert texts == {notice.text["en"] for notice in samples.UNKNOWN_CHIP.notices}


def test_a_lost_reader_speaks_in_the_strip_under_its_name() -> None:
    silent = replace(samples.LOST_READER, notices=())
    assert [notice.text for notice in seen(silent).notices] == ["west: lost: no such port"]


def test_a_lost_reader_is_one_strip_with_the_places_that_it_blinds() -> None:
    texts = [notice.text for notice in seen(samples.LOST_READER).notices]
    assert texts == ["Not known: trays 1–3, bet spots 1–3. Reader west (no such port) is lost."]


def test_a_starting_reader_is_no_notice() -> None:
    starting = (ReaderView("west", "starting", both("starting", "запуск")),)
    assert seen(replace(samples.PREFLOP, readers=starting)).notices == ()


def test_why_a_command_was_not_done_is_told_to_the_dealer() -> None:
    link = Link("live", refusal="no hand is open")
    assert [notice.text for notice in seen(samples.BETWEEN, link=link).notices] == ["Refused: no hand is open"]


def test_a_lost_table_leaves_the_old_picture_marked_as_old_with_the_time() -> None:
    shown = seen(samples.CHANGE, link=Link("lost", since="21:14:05"))
    assert shown.stale
    assert shown.banner is not None
    assert shown.banner.text == "NO CONNECTION SINCE 21:14:05: what you see is old"
    assert shown.pot == "5400"


def test_a_table_that_says_nothing_marks_the_picture_as_old_and_counts_the_seconds() -> None:
    shown = seen(samples.CHANGE, link=Link("silent", since="21:14:05", silent_s=7))
    assert shown.stale
    assert shown.banner is not None
    assert shown.banner.text == "TABLE SILENT FOR 7 s: what you see is old"


def test_a_table_of_another_version_is_said_to_be_one() -> None:
    shown = seen(samples.CHANGE, link=Link("mismatch"))
    assert shown.stale
    assert shown.banner is not None
    assert "different versions" in shown.banner.text


def test_before_the_first_snapshot_the_screen_says_where_it_looks_and_why_in_vain() -> None:
    shown = seen(None, link=Link("waiting", path="/run/x.sock", why="Permission denied"))
    assert shown.curtain is not None
    assert shown.curtain.hint.startswith("/run/x.sock: Permission denied.")
    assert not shown.stale


@pytest.mark.parametrize(("name", "text"), [("paused", "PAUSED"), ("counting-in", "COUNTING IN")])
def test_a_table_that_does_not_play_now_says_so(name: str, text: str) -> None:
    banner = seen(SAMPLES[name]).banner
    assert banner is not None
    assert banner.text == text


def test_a_table_that_plays_has_no_banner() -> None:
    assert seen(samples.PREFLOP).banner is None
    assert not seen(samples.PREFLOP).stale


def test_where_cards_are_changed_the_buttons_say_how_many_and_the_seat_is_marked() -> None:
    snapshot = samples.SAMPLES["draw"]
    shown = view(snapshot, Link("live"), Desk(), labels("en"), dealer=True, touch=True)
    assert [(button.label, button.keys) for button in shown.buttons[:2]] == [("PAT", ("k",)), ("DRAW …", ("0",))]
    assert [part.seat for part in shown.seats if part.to_act] == [snapshot.to_draw]
    begun = press(Desk(), "0", snapshot).desk
    assert press(press(begun, "3", snapshot).desk, "enter", snapshot).command == Say(snapshot.to_draw, Word("draw", 3))


@pytest.mark.parametrize(
    ("phase", "key", "possible"),
    [
        ("betting", "o", True),
        ("between_hands", "o", False),
        ("showdown", "w", True),
        ("betting", "w", False),
        ("between_hands", "m", False),
        ("betting", "m", True),
        ("showdown", "s", True),
        ("betting", "s", False),
    ],
)
def test_what_would_be_refused_now_is_grey(phase: str, key: str, possible: bool) -> None:
    snapshot = replace(samples.PREFLOP, phase=phase, to_act=None)
    shown = view(snapshot, Link("live"), Desk(page=1), labels("en"), dealer=True, touch=True)
    (button,) = [button for button in shown.buttons if button.keys == (key,)]
    assert (button.tone != "off") is possible


def test_undo_and_redo_are_grey_where_there_is_nothing_to_take_back() -> None:
    for can in (True, False):
        snapshot = replace(samples.PREFLOP, can_undo=can, can_redo=can)
        pages = [view(snapshot, Link("live"), Desk(page=p), labels("en"), dealer=True, touch=True) for p in (0, 2)]
        tones = {button.keys: button.tone for page in pages for button in page.buttons}
        assert (tones["u",] != "off") is can
        assert (tones["y",] != "off") is can


def test_a_table_that_is_paused_takes_no_words_and_no_new_hand() -> None:
    shown = view(samples.PAUSED, Link("live"), Desk(), labels("en"), dealer=True, touch=True)
    tones = {button.keys: button.tone for button in shown.buttons}
    assert {tones["c",], tones["f",], tones["n",]} == {"off"}
