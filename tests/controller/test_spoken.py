"""Words to commands: every form of `betline say`, and what happens to words that are none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import commands as c
from controller import spoken as words
from controller.errors import WordsError
from controller.rulings.values import Word

FORMS = {
    "4 raise 600": c.Say(4, Word("raise", 600)),
    "4 raise to 600": c.Say(4, Word("raise_to", 600)),
    "4 raise by 400": c.Say(4, Word("raise_by", 400)),
    "4 raise": c.Say(4, Word("raise")),
    "4 call": c.Say(4, Word("call")),
    "4 call after": c.Say(4, Word("call", None, "after_chips")),
    "4 raise to 600 with": c.Say(4, Word("raise_to", 600, "simultaneous")),
    "4 raise to 600 unclear": c.Say(4, Word("raise_to", 600, "before_chips_unclear")),
    "seat 4 raise to 600": c.Say(4, Word("raise_to", 600)),
    "4 bet 300": c.Say(4, Word("bet", 300)),
    "4 all in": c.Say(4, Word("all_in")),
    "4 ALL-IN": c.Say(4, Word("all_in")),
    "all_in": c.Say(None, Word("all_in")),
    "4 check": c.Say(4, Word("check")),
    "4 knock": c.Say(4, Word("tap")),
    "4 fold": c.Say(4, Word("fold")),
    "4 pot": c.Say(4, Word("pot")),
    "4 600": c.Say(4, Word("number", 600)),
    "4 5?": c.Say(4, Word("ambiguous_number", 5)),
    "raise to 600": c.Say(None, Word("raise_to", 600)),
    "undo": c.Undo(),
    "redo": c.Redo(),
    "confirm": c.Confirm(),
    "next": c.NextHand(),
    "next hand": c.NextHand(),
    "street": c.NextStreet(),
    "overrule 2": c.Overrule(reading=2),
    "overrule to 600": c.Overrule(total_to=600),
    "overrule raise to 600": c.Overrule(action="raise", total_to=600),
    "overrule raise 600": c.Overrule(action="raise", total_to=600),
    "overrule fold": c.Overrule(action="fold"),
    "overrule seat 4 2": c.Overrule(reading=2, seat=4),
    "overrule seat 4 to 600": c.Overrule(total_to=600, seat=4),
    "overrule seat 4 raise to 600": c.Overrule(action="raise", total_to=600, seat=4),
    "overrule event 117 to 600": c.Overrule(total_to=600, of=116),
    "answer 1": c.Answer(reading=1),
    "answer 1 question 7": c.Answer(question=7, reading=1),
    "answer call to 600": c.Answer(action="call", total_to=600),
    "show 2": c.Show(2),
    "show all": c.Show(None),
    "award 0 2 5": c.Award(0, (2, 5)),
    "award 0 2 5 / 3": c.Award(0, (2, 5), (3,)),
    "opens 4": c.Opens(4),
    "up 4 kd 7C": c.UpCards(4, ("Kd", "7c")),
    "4 draw 2": c.Say(4, Word("draw", 2)),
    "pat": c.Say(None, Word("pat")),
    "seat 5 out": c.SeatOut(5),
    "seat 5 in": c.SeatIn(5),
    "seat 5 in Anna Petrova": c.SeatIn(5, "Anna Petrova"),
    "stack 5 2000": c.SetStack(5, 2000),
    "button 3": c.SetButton(3),
    "kill 3": c.Kill(3),
    "bets 1:200 3:fold 4:all-in": c.SetBets((c.BetOf(1, 200), c.BetOf(3, folds=True), c.BetOf(4))),
    "blinds 100 200": c.SetBlinds(100, 200),
    "blinds 100 200 200": c.SetBlinds(100, 200, 200),
    "misdeal": c.Misdeal(),
    "not a chip spot 3": c.NotAChip("spot", 3),
    "not_a_chip pot": c.NotAChip("pot"),
    "out of turn": c.OutOfTurn(),
    "out of turn 5 call": c.OutOfTurn(5, Word("call")),
    "out of turn 5 raise to 600": c.OutOfTurn(5, Word("raise_to", 600)),
    "out of turn 5 all in after": c.OutOfTurn(5, Word("all_in", None, "after_chips")),
    "out_of_turn": c.OutOfTurn(),
    "out_of_turn 5 check": c.OutOfTurn(5, Word("check")),
    "99 call": c.Say(99, Word("call")),  # the table says how many seats it has
    "accept": c.AcceptDifferences(),
    "pause": c.Pause(),
    "resume": c.Resume(),
}


@pytest.mark.parametrize("text", FORMS)
def test_each_form_is_one_command(text: str) -> None:
    assert words.parse(text.split()) == FORMS[text]
    assert words.parse([text]) == FORMS[text]


def test_every_kind_of_command_can_be_said() -> None:
    assert {type(command) for command in FORMS.values()} == set(c.Command.__args__)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "nothing was said"),
        ("4", "seat 4 says what?"),
        ("rase 600", "did you mean 'raise'?"),
        ("undoo", "did you mean 'undo'?"),
        ("4 cal", "did you mean 'call'?"),
        ("4 raise to", "raise to what?"),
        ("4 raise -5", "must be a whole number"),
        ("4 raise 6e2", "must be a whole number"),
        ("4 raise ٦٠٠", "must be a whole number"),
        ("4 raise 9999999999999999", "must be a whole number"),
        ("4 call 600", "was understood, but not '600'"),
        ("100 call", "'100' is no seat"),
        ("seat 0 out", "'0' is no seat"),
        ("seat ٣ out", "'٣' is no seat"),
        ("out of turn 5", "as in out of turn 5 call"),
        ("out of turn call", "as in out of turn 5 call"),
        ("out of turn 0 call", "'0' is no seat"),
        ("out of turn 5 cal", "did you mean 'call'?"),
        ("overrule seat", "overrule seat which?"),
        ("overrule seat 4", "overrule what?"),
        ("overrule event x to 600", "must be a whole number"),
        ("overrule event 0 to 600", "at least 1"),
        ("seat", "say seat 5 in"),
        ("stack 5", "as in stack 5 2000"),
        ("stack 5 -1", "must be a whole number"),
        ("blinds 200 100", "cannot be"),
        ("blinds 100", "as in blinds 100 200"),
        ("award 0", "as in award 0 2 5"),
        ("award 0 2 2", "named twice"),
        ("overrule", "overrule what?"),
        ("overrule rise 5", "did you mean 'raise'?"),
        ("overrule 0", "at least 1"),
        ("answer raise to", "must be a whole number"),
        ("not a chip spott 3", "did you mean 'spot'?"),
        ("show 2 3", "say show 2"),
        ("button", "as in button 3"),
        ("kill", "as in kill 3"),
        ("bets", "as in bets 1:200 2:500"),
        ("bets 200", "'200' is no seat and its bet: write 1:200"),
        ("bets 1:", "'1:' is no seat and its bet"),
        ("bets one:200", "'one' is no seat"),
        ("bets 1:many", "'many' must be a whole number"),
    ],
)
def test_words_that_are_no_command_name_the_cure_in_one_line(text: str, part: str) -> None:
    with pytest.raises(WordsError) as error:
        words.parse(text.split())
    assert part in str(error.value)
    assert "\n" not in str(error.value)


def test_no_message_says_how_many_seats_a_table_has() -> None:
    """Words know no table: one with nine seats would be told of ten."""
    for text in ("100 call", "stack 100 5", "award 0 777", "show 0", "out of turn 0 call", "button 0"):
        with pytest.raises(WordsError) as error:
            words.parse(text.split())
        assert "10" not in str(error.value).replace("'100'", "")


def test_the_seats_of_a_command_are_known_to_who_knows_the_table() -> None:
    said = {"4 call": (4,), "call": (), "award 0 2 5": (2, 5), "show all": (), "undo": (), "overrule seat 3 2": (3,)}
    assert {text: words.seats_of(words.parse([text])) for text in said} == said


def test_an_unknown_word_lists_what_can_be_said() -> None:
    with pytest.raises(WordsError) as error:
        words.parse(["abracadabra"])
    assert all(form in str(error.value) for form in words.FORMS)


VOCABULARY = st.sampled_from([word for text in FORMS for word in text.split()])


@settings(max_examples=300, derandomize=True)
@given(st.lists(VOCABULARY | st.text(max_size=12), max_size=6))
def test_any_words_give_a_command_or_one_clear_line(said: list[str]) -> None:
    try:
        assert isinstance(words.parse(said), c.Command)
    except WordsError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017 -- both outcomes are right
