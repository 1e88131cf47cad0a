"""Keys -> commands: a row a key, and what is open decides."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from controller import commands as c
from controller.commands import Command, Word
from controller.snapshot import ChoiceView, PotView, Snapshot
from display.keys import MOST_DIGITS, Desk, choose, press
from display.labels import labels
from tests.display import samples
from tests.display.samples import both

FACING = samples.PREFLOP  # seat 4 is to act and owes 600
FREE = samples.TWO  # seat 1 is to act and owes nothing
ASKED = samples.QUESTION  # readings 1 to 3
DRAWING = replace(samples.BETWEEN, phase="street_card", to_draw=3)


NOTHING = Desk()


def typed(keys: Iterable[str], seen: Snapshot = FACING, desk: Desk = NOTHING) -> tuple[Desk, list[Command]]:
    """The desk and every command after these keys."""
    sent = []
    for key in keys:
        pressed = press(desk, key, seen)
        desk = pressed.desk
        if pressed.command is not None:
            sent.append(pressed.command)
    return desk, sent


def keys(text: str) -> list[str]:
    """ "r600 enter" -> r, 6, 0, 0, enter"""
    found: list[str] = []
    for part in text.split():
        found += [part] if part in NAMED else list(part)
    return found


NAMED = {"enter", "backspace", "esc", "space", "left", "right"}

TABLE: list[tuple[str, Snapshot, Command]] = [
    ("c", FACING, c.Say(4, Word("call"))),
    ("c", FREE, c.Say(1, Word("check"))),
    ("c", replace(FACING, to_call=None), c.Say(4, Word("call"))),
    ("k", FREE, c.Say(1, Word("check"))),
    ("a", FACING, c.Say(4, Word("all_in"))),
    ("B2:200 space 3a4f enter", FACING, c.SetBets((c.BetOf(2, 200), c.BetOf(3), c.BetOf(4, folds=True)))),
    ("vB2 space 0 enter", FACING, c.SetBets((c.BetOf(2, 0),))),
    ("f", FACING, c.Say(4, Word("fold"))),
    ("p", FACING, c.Say(4, Word("pot"))),
    ("r enter", FACING, c.Say(4, Word("raise"))),
    ("r600 enter", FACING, c.Say(4, Word("raise_to", 600))),
    ("r+400 enter", FACING, c.Say(4, Word("raise_by", 400))),
    ("+400 enter", FACING, c.Say(4, Word("raise_by", 400))),
    ("b enter", FREE, c.Say(1, Word("bet"))),
    ("b200 enter", FREE, c.Say(1, Word("bet", 200))),
    ("600 enter", FACING, c.Say(4, Word("raise_to", 600))),
    ("600 enter", FREE, c.Say(1, Word("bet", 600))),
    ("600 r enter", FREE, c.Say(1, Word("raise_to", 600))),
    ("605 backspace 0 enter", FACING, c.Say(4, Word("raise_to", 600))),
    ("enter", FACING, c.Confirm()),
    ("enter", samples.AGREE, c.Confirm()),
    ("backspace", FACING, c.Undo()),
    ("u", FACING, c.Undo()),
    ("y", FACING, c.Redo()),
    ("2", ASKED, c.Answer(question=17, reading=2)),
    ("r900 enter", ASKED, c.Answer(question=17, total_to=900)),
    ("b900 enter", ASKED, c.Answer(question=17, total_to=900)),
    ("r+300 enter", ASKED, c.Say(6, Word("raise_by", 300))),
    ("f", ASKED, c.Say(6, Word("fold"))),
    ("v1200 enter", FACING, c.Overrule(total_to=1200)),
    ("l100 space 200 enter", FACING, c.SetBlinds(100, 200)),
    ("l100 space 200 space 25 enter", FACING, c.SetBlinds(100, 200, 25)),
    ("l100 space 20 backspace 00 enter", ASKED, c.SetBlinds(100, 200)),
    ("n", FACING, c.NextHand()),
    ("t", FACING, c.NextStreet()),
    ("o", FACING, c.OutOfTurn()),
    ("s", FACING, c.Show(None)),
    ("g", FACING, c.AcceptDifferences()),
    ("m enter", FACING, c.Misdeal()),
    ("space", FACING, c.Pause()),
    ("space", samples.PAUSED, c.Resume()),
    ("w3 space 5 enter", FACING, c.Award(0, (3, 5))),
    ("w3 space 5/2 enter", FACING, c.Award(0, (3, 5), (2,))),
    ("2 enter", DRAWING, c.Say(3, Word("draw", 2))),
    ("k", DRAWING, c.Say(3, Word("pat"))),
    ("c", DRAWING, c.Say(3, Word("pat"))),
    ("ww6 enter", samples.SIDE_POTS, c.Award(1, (6,))),
    ("wwwww6 enter", samples.SIDE_POTS, c.Award(0, (6,))),
]
FOR_SEAT_2: list[tuple[str, Command]] = [
    ("c", c.Say(2, Word("call"))),
    ("f", c.Say(2, Word("fold"))),
    ("r600 enter", c.Say(2, Word("raise_to", 600))),
    ("s", c.Show(2)),
    ("i", c.SeatOut(2)),
    ("d", c.SetButton(2)),
    ("K", c.Kill(2)),
    ("O", c.Opens(2)),
    ("Ukd7c enter", c.UpCards(2, ("Kd", "7c"))),
    ("=5000 enter", c.SetStack(2, 5000)),
    ("=0 enter", c.SetStack(2, 0)),
    ("x enter", c.NotAChip("spot", 2)),
    ("X enter", c.NotAChip("tray", 2)),
    ("oc", c.OutOfTurn(2, Word("call"))),
    ("of", c.OutOfTurn(2, Word("fold"))),
    ("oa", c.OutOfTurn(2, Word("all_in"))),
    ("ok", c.OutOfTurn(2, Word("check"))),
    ("o600 enter", c.OutOfTurn(2, Word("raise_to", 600))),
    ("or+400 enter", c.OutOfTurn(2, Word("raise_by", 400))),
    ("ooc", c.Say(2, Word("call"))),
    ("v600 enter", c.Overrule(total_to=600, seat=2)),
]


@pytest.mark.parametrize(("text", "seen", "command"), TABLE, ids=[f"{row[0]} at {row[1].n}" for row in TABLE])
def test_a_key_gives_its_command(text: str, seen: Snapshot, command: Command) -> None:
    desk, sent = typed(keys(text), seen)
    assert sent == [command]
    assert desk == Desk()


@pytest.mark.parametrize(("text", "command"), FOR_SEAT_2, ids=[row[0] for row in FOR_SEAT_2])
def test_a_chosen_seat_gets_the_command_and_is_then_let_go(text: str, command: Command) -> None:
    desk, sent = typed(keys(text), FACING, Desk(selected=2))
    assert sent == [command]
    assert desk.selected is None


def test_enter_chooses_none_of_several_readings_and_says_why() -> None:
    desk, sent = typed(["enter"], ASKED)
    assert (sent, desk.message) == ([], "choose_number")
    desk, sent = typed(keys("enter 2"), ASKED)
    assert (sent, desk) == ([c.Answer(question=17, reading=2)], Desk())


def test_a_word_out_of_turn_under_a_question_is_no_answer() -> None:
    assert typed(keys("o900 enter"), ASKED, Desk(selected=3))[1] == [c.OutOfTurn(3, Word("raise_to", 900))]


@pytest.mark.parametrize("leave", ["esc", "backspace"])
def test_out_of_turn_is_left_without_a_command(leave: str) -> None:
    desk, sent = typed(["o", leave], FACING, Desk(selected=2))
    assert not desk.out_of_turn
    assert sent == []


def test_the_player_to_act_says_nothing_out_of_turn() -> None:
    assert typed("o", FACING, Desk(selected=4))[1] == [c.OutOfTurn()]


def test_the_seat_of_the_last_ruling_may_have_another_of_its_readings() -> None:
    readings = ASKED.question.choices if ASKED.question else ()
    seen = replace(FACING, ruling=replace(samples.RAISE, readings=readings))
    assert typed(keys("v2 enter"), seen, Desk(selected=3))[1] == [c.Overrule(reading=2)]
    assert typed(keys("v2 enter"), seen, Desk(selected=7))[1] == [c.Overrule(total_to=2, seat=7)]


@pytest.mark.parametrize("text", ["l100 enter", "l200 space 100 enter", "l1 space 2 space 3 space 4 enter"])
def test_blinds_that_cannot_be_are_not_sent(text: str) -> None:
    desk, sent = typed(keys(text))
    assert sent == []
    assert (desk.entry, desk.typed, desk.message) == ("blinds", "", "bad_blinds")


@pytest.mark.parametrize("text", ["B2 enter", "B2 space 200 space 3 enter", "Baa enter"])
def test_bets_without_their_seats_are_not_sent(text: str) -> None:
    desk, sent = typed(keys(text))
    assert sent == []
    assert (desk.entry, desk.message) == ("bets", "bad_bets")
    assert typed(keys("B enter")) == (Desk(), [])


def test_an_amount_belongs_to_the_turn_at_which_it_was_begun() -> None:
    """The turn passes on while it is typed: it is no word of the next player, and the table hears what was seen."""
    begun = press(press(Desk(), "r", FACING).desk, "6", FACING).desk
    later = replace(FACING, n=FACING.n + 2, to_act=5)
    sent = press(begun, "enter", later)
    assert (sent.command, sent.n) == (c.Say(4, Word("raise_to", 6)), FACING.n)
    assert press(Desk(), "c", later).n is None, "a single key belongs to the picture at which it is pressed"


def test_more_turns_the_pages_of_the_buttons_over_and_a_command_turns_back() -> None:
    assert [typed(["more"] * n)[0].page for n in range(4)] == [0, 1, 2, 0]
    assert typed(["more", "t"])[0] == Desk()
    assert choose(Desk(page=2), 3) == Desk(page=2, selected=3)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_command_key_stands_in_the_help(language: str) -> None:
    shown = " ".join(line.keys for line in labels(language).help)  # type: ignore[arg-type]
    caps = {part.strip(",") for part in shown.split()}
    assert set("ckafprbvwusytnmogidKOUxXhlB=+") | {"Enter", "Backspace", "Space"} <= caps


def test_every_command_has_a_key() -> None:
    reached = {type(row[2]) for row in TABLE} | {type(row[1]) for row in FOR_SEAT_2} | {c.SeatIn}
    assert set(Command.__args__) == reached


def test_a_word_names_the_seat_whose_turn_was_on_the_screen() -> None:
    """Where nobody is to act the table decides whose it is."""
    assert typed("a")[1] == [c.Say(FACING.to_act, Word("all_in"))]
    assert typed("a", samples.BETWEEN)[1] == [c.Say(None, Word("all_in"))]


# ---------------------------------------------------------------- seats
def test_an_empty_chair_or_one_that_sits_out_comes_in_by_the_same_key() -> None:
    assert typed("i", FACING, Desk(selected=8))[1] == [c.SeatIn(8)]
    assert typed("i", FACING, Desk(selected=9))[1] == [c.SeatIn(9, "Ivan")]


def test_arrows_walk_around_the_table_from_the_player_to_act() -> None:
    assert typed(["right"])[0].selected == 5
    assert typed(["left", "left"])[0].selected == 2
    assert typed(["right"], FACING, Desk(selected=9))[0].selected == 1
    assert typed(["left"], samples.BETWEEN)[0].selected == 6


def test_arrows_at_a_table_of_no_seats_choose_nobody() -> None:
    assert typed(["right"], Snapshot(table="", epoch="", n=0))[0].selected is None


def test_a_click_chooses_a_seat_and_a_second_one_lets_it_go() -> None:
    assert choose(Desk(), 3).selected == 3
    assert choose(Desk(selected=3), 3).selected is None
    assert choose(Desk(selected=3, entry="bet", typed="5"), 4) == Desk(selected=4)


def test_escape_lets_a_chosen_seat_go() -> None:
    assert typed(["esc"], FACING, Desk(selected=3))[0] == Desk()


@pytest.mark.parametrize("key", ["i", "d", "=", "x", "X"])
def test_what_needs_a_seat_and_has_none_says_so_and_sends_nothing(key: str) -> None:
    desk, sent = typed([key])
    assert sent == []
    assert desk.message == "no_seat"


def test_a_chosen_seat_that_owes_less_is_checked_by_its_own_bet() -> None:
    assert typed("c", FACING, Desk(selected=3))[1] == [c.Say(3, Word("check"))]
    assert typed("c", FACING, Desk(selected=1))[1] == [c.Say(1, Word("call"))]


# ---------------------------------------------------------------- typing
def test_escape_leaves_an_amount_and_keeps_the_chosen_seat() -> None:
    assert typed(keys("r600 esc"), FACING, Desk(selected=2)) == (Desk(selected=2), [])


def test_backspace_rubs_out_digit_by_digit_and_then_leaves_and_only_then_undoes() -> None:
    steps = ["6", "backspace"]
    assert typed(steps) == (Desk(), [])
    assert typed([*keys("r6"), "backspace", "backspace"]) == (Desk(), [])
    assert typed([*keys("r6"), "backspace", "backspace", "backspace"])[1] == [c.Undo()]


def test_an_amount_has_no_leading_zero_and_an_end() -> None:
    assert typed("0")[0] == Desk()
    assert typed("r00")[0].typed == ""
    assert len(typed("r" + "9" * 40)[0].typed) == MOST_DIGITS


def test_letters_in_the_middle_of_an_amount_do_nothing() -> None:
    assert typed(keys("r60f0n"))[0].typed == "600"
    assert typed(keys("r60f0n"))[1] == []


def test_an_overruling_or_a_stack_without_a_number_is_none() -> None:
    assert typed(keys("v enter")) == (Desk(), [])
    assert typed(keys("= enter"), FACING, Desk(selected=2)) == (Desk(selected=2), [])


def test_an_award_to_nobody_or_to_a_seat_that_is_not_there_is_not_sent() -> None:
    assert typed(keys("w enter")) == (Desk(), [])
    desk, sent = typed(keys("w3 space 12 enter"))
    assert sent == []
    assert (desk.entry, desk.typed, desk.message) == ("award", "", "no_seat")


def test_an_award_counts_pots_as_the_table_does_not_as_the_list() -> None:
    left = replace(samples.SIDE_POTS, pots=(PotView(14_400, (1, 3), 1), PotView(6_000, (6, 9), 3)))
    assert typed(keys("w3 enter"), left)[1] == [c.Award(1, (3,))]
    assert typed(keys("ww6 enter"), left)[1] == [c.Award(3, (6,))]


def test_a_small_number_overrules_by_reading_where_readings_are_listed() -> None:
    readings = (ChoiceView(1, both("Call", "Колл"), ""), ChoiceView(2, both("Raise", "Рейз"), ""))
    listed = replace(FACING, ruling=replace(samples.RAISE, readings=readings))
    assert typed(keys("v2 enter"), listed)[1] == [c.Overrule(reading=2)]
    assert typed(keys("v3 enter"), listed)[1] == [c.Overrule(total_to=3)]
    assert typed(keys("v2 enter"), FACING)[1] == [c.Overrule(total_to=2)]


# ---------------------------------------------------------------- questions
def test_a_number_without_a_reading_is_said_to_have_none() -> None:
    desk, sent = typed("7", ASKED)
    assert sent == []
    assert (desk.message, desk.number) == ("no_reading", 7)


def test_a_message_goes_with_the_next_key() -> None:
    assert typed(["7", "left"], ASKED)[0].message == ""


@pytest.mark.parametrize("no", ["esc", "backspace", "m", "y", "f", "1"])
def test_a_misdeal_needs_a_second_key_and_every_other_key_means_no(no: str) -> None:
    desk, sent = typed(["m", no])
    assert sent == []
    assert desk == Desk()


def test_a_seat_that_vanished_before_the_second_key_gets_nothing() -> None:
    assert typed(["enter"], FACING, Desk(selected=14, sure="not_a_chip_spot"))[1] == []


# ---------------------------------------------------------------- help and other keyboards
def test_help_opens_and_any_key_closes_it_without_acting() -> None:
    assert typed("h")[0].help
    assert typed("?")[0].help
    for key in ("f", "enter", "h", "esc"):
        assert typed(["h", key]) == (Desk(), [])


def test_keys_without_a_meaning_do_nothing() -> None:
    for key in ("z", "q", "é", "#", "€", ""):
        assert typed([key]) == (Desk(), [])


@pytest.mark.parametrize(("latin", "russian"), list(zip("ckafpuynotsgm", "слфазгнтщеыпь", strict=True)))
def test_a_russian_keyboard_layout_gives_the_same_commands(latin: str, russian: str) -> None:
    assert typed([russian, "enter"]) == typed([latin, "enter"])


def test_a_russian_layout_types_amounts_and_large_letters_too() -> None:
    assert typed(keys("к600 enter"))[1] == [c.Say(4, Word("raise_to", 600))]
    assert typed(keys("Ч enter"), FACING, Desk(selected=2))[1] == [c.NotAChip("tray", 2)]
