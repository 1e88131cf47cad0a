"""PHH in and out: amounts become whole chips, errors name file, line, hand and cure, a corrupt hand costs only itself."""

import gzip
import os
import warnings
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import HistoryError
from controller.histories import phh as history
from controller.histories.phh import (
    BoardDealt,
    BroughtIn,
    CheckedOrCalled,
    Drew,
    Folded,
    HoleDealt,
    Mucked,
    RaisedTo,
    RecordedHand,
    Shown,
    Unreadable,
)
from controller.histories.write import format_hand, format_hands, notation

ROOT = Path(__file__).parents[3]
HANDS = Path(os.environ.get("BETLINE_HANDS", ROOT.parent / "shared" / "hands"))
RANDOM = ROOT / "tests" / "data" / "random-nt.phhs"
needs_hands = pytest.mark.skipif(not HANDS.is_dir(), reason=f"no recorded hands at {HANDS}: set BETLINE_HANDS")

HAND = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = ['d dh p1 AsKs', 'd dh p2 ????', 'd dh p3 2c2d', 'p3 cbr 6  # with a pair', 'p1 f', 'p2 cc', 'd db 7h8h9h', \
'p2 cc', 'p3 cc', 'd db Ts', 'p2 cc', 'p3 cc', 'd db Jd', 'p2 cc', 'p3 cc', 'p2 sm QcQd', 'p3 sm']
"""


def only(text: str) -> RecordedHand:
    (hand,) = history.parse(text, "t.phh")
    assert isinstance(hand, RecordedHand), hand
    return hand


def fault(text: str) -> str:
    (hand,) = history.parse(text, "t.phh")
    assert isinstance(hand, Unreadable)
    assert "\n" not in hand.why
    return f"{hand.name}: {hand.why}"


def test_every_action_of_the_notation_becomes_a_typed_act() -> None:
    hand = only(HAND)
    assert hand.actions[:5] == (
        HoleDealt(1, ("As", "Ks")),
        HoleDealt(2, ("??", "??")),
        HoleDealt(3, ("2c", "2d")),
        RaisedTo(3, 6),
        Folded(1),
    )
    assert hand.actions[5:7] == (CheckedOrCalled(2), BoardDealt(("7h", "8h", "9h")))
    assert hand.actions[-2:] == (Shown(2, ("Qc", "Qd")), Mucked(3))


def test_board_and_hole_cards_are_gathered_and_a_shown_hand_replaces_an_unseen_one() -> None:
    hand = only(HAND)
    assert hand.board == ("7h", "8h", "9h", "Ts", "Jd")
    assert hand.hole_cards == {1: ("As", "Ks"), 2: ("Qc", "Qd"), 3: ("2c", "2d")}


def test_a_bring_in_and_a_draw_are_read() -> None:
    hand = only(HAND.replace("'p1 f'", "'p1 pb', 'p1 sd AsKs', 'p1 sd', 'p1 f'"))
    assert hand.actions[4:7] == (BroughtIn(1), Drew(1, ("As", "Ks")), Drew(1, ()))


def test_amounts_in_parts_become_whole_chips() -> None:
    text = HAND.replace("[1, 2, 0]", "[0.5, 1.00, 0]").replace("cbr 6", "cbr 6.25")
    hand = only(text)
    assert (hand.unit, hand.blinds_or_straddles, hand.starting_stacks) == (100, (50, 100, 0), (20000, 20000, 20000))
    assert hand.actions[3] == RaisedTo(3, 625)


def test_a_pot_split_into_half_chips_does_not_change_the_unit_and_is_marked() -> None:
    hand = only(HAND + "finishing_stacks = [199, 200.5, 200.5]\n")
    assert (hand.unit, hand.finishing_stacks, hand.in_parts) == (1, None, True)


def test_heads_up_lists_are_the_other_way_round() -> None:
    assert history.forced((1, 2)) == (2, 1)
    assert history.forced((1, 2, 0)) == (1, 2, 0)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (("'p1 f'", "'p1 fold'"), "line 1, hand 1: action 'p1 fold' is not in the notation of PHH"),
        (("'p1 f'", "'p4 f'"), "'p4' is no player of this hand (p1 to p3)"),
        (("'p1 f'", "7"), "7 must be a string"),
        (("cbr 6", "cbr -6"), "'-6' is no amount of chips"),
        (("cbr 6", "cbr 1e9"), "'1e9' is no amount of chips"),
        (("AsKs", "AsK"), "'AsK' are no cards"),
        (("7h8h9h", "7h8hAs"), "actions deal As twice: mend the record"),
        (("antes = [0, 0, 0]", "antes = [0, -1, 0]"), "antes: a negative amount: write 0 or more"),
        (("[200, 200, 200]", "[200, -5, 200]"), "starting_stacks: a negative amount: write 0 or more"),
        (("min_bet = 2", "min_bet = -2"), "min_bet: a negative amount: write 0 or more"),
        (("[200, 200, 200]", "[200, 200, nan]"), "starting_stacks: NaN is no amount of chips"),
        (("[200, 200, 200]", "[200, 200, true]"), "starting_stacks: True is no amount of chips"),
        (("[200, 200, 200]", "[200]"), "starting_stacks names 1 players: 2 to 10 can play"),
        (("[0, 0, 0]", "[0, 0]"), "antes has 2 entries for 3 players: give one a player"),
        (("[0, 0, 0]", "0"), "antes must be a list"),
        (("variant = 'NT'\n", ""), "variant is missing"),
        (("variant = 'NT'", "variant ="), "no valid TOML"),
        (("min_bet = 2", "min_bet = 2\nseats = [1, 1, 2]"), "seats must be different whole numbers"),
        (("antes = [0, 0, 0]\n", ""), "antes is missing"),
    ],
)
def test_a_fault_names_the_hand_and_what_is_wrong(damage: tuple[str, str], says: str) -> None:
    assert damage[0] in HAND
    assert says in fault(HAND.replace(*damage))


def test_a_negative_blind_is_the_late_post_of_the_format_and_stays_readable() -> None:
    assert only(HAND.replace("[1, 2, 0]", "[1, 2, -2]")).blinds_or_straddles == (1, 2, -2)


def test_a_corrupt_hand_costs_only_itself() -> None:
    bad = HAND.replace("['d dh", "[[['d dh")
    found = list(history.parse(f"[1]\n{HAND}\n[2]\n{bad}\n[3]\n{HAND}", "t.phhs"))
    assert [type(hand) for hand in found] == [RecordedHand, Unreadable, RecordedHand]
    assert [hand.line for hand in found] == [1, 9, 17]
    assert found[1].name == "t.phhs, line 9, hand 2"


@given(st.integers(0, len(HAND) - 1), st.text(max_size=6))
@settings(max_examples=300, derandomize=True, deadline=None)
def test_no_damage_to_a_hand_ever_raises_or_touches_the_hand_behind(at: int, written: str) -> None:
    damaged = HAND[:at] + written.replace("[", "") + HAND[at + len(written) :]
    *_, last = history.parse(f"[1]\n{damaged}\n[2]\n{HAND}", "t.phhs")
    assert isinstance(last, RecordedHand)
    assert last.actions == only(HAND).actions


@given(st.text(max_size=200))
@settings(max_examples=200, derandomize=True, deadline=None)
def test_no_text_ever_raises(text: str) -> None:
    assert all(isinstance(hand, RecordedHand | Unreadable) for hand in history.parse(text, "t.phhs"))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff\xfe\x00", "not UTF-8 text"),
        (b"\x1f\x8bnot gzip at all", "copy the file again"),
        (None, "check the path"),
    ],
)
def test_a_file_that_is_no_history_is_named_with_the_cure(tmp_path: Path, data: bytes | None, says: str) -> None:
    path = tmp_path / "x.phhs"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(HistoryError, match=says) as caught:
        list(history.read(path))
    assert str(path) in str(caught.value)


def test_a_cut_gzip_file_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "x.phhs.gz"
    path.write_bytes(gzip.compress(HAND.encode() * 50)[:-30])
    with pytest.raises(HistoryError, match="copy the file again"):
        list(history.read(path))


def test_what_is_written_reads_back_alike() -> None:
    fixed = RANDOM.with_name("random-ft.phhs")
    hands = [hand for path in (RANDOM, fixed) for hand in history.read(path) if isinstance(hand, RecordedHand)]
    assert {(hand.min_bet, hand.big_bet) for hand in hands} > {(10, 0), (10, 20)}
    assert len(hands) == 96
    hands += [msgspec.structs.replace(hands[0], variant=code) for code in ("PT", "HT")]
    hands.append(msgspec.structs.replace(hands[0], variant="ST", spread=(1, 5, 10)))
    again = list(history.parse(format_hands(hands), ""))
    assert [msgspec.structs.replace(hand, source="", line=0) for hand in hands] == [
        msgspec.structs.replace(hand, line=0) for hand in again if isinstance(hand, RecordedHand)
    ]


def test_names_with_control_characters_stay_valid_toml() -> None:
    hand = msgspec.structs.replace(
        only(HAND), table='quote " slash \\ return \r DEL \x7f', players=("é\t", "\x00", "c")
    )
    again = only(format_hand(hand))
    assert (again.table, again.players) == (hand.table, hand.players)


def test_amounts_are_written_in_the_recorded_unit() -> None:
    hand = only(HAND.replace("[1, 2, 0]", "[0.05, 0.10, 0]"))
    assert "blinds_or_straddles = [0.05, 0.10, 0]" in format_hand(hand)
    assert notation(RaisedTo(3, 605), 100) == "p3 cbr 6.05"


def test_pokerkit_plays_what_is_written_to_the_same_stacks() -> None:
    from pokerkit import HandHistory

    fixed = RANDOM.with_name("random-ft.phhs")
    for hand in [*list(history.read(RANDOM))[:12], *list(history.read(fixed))[:12]]:
        assert isinstance(hand, RecordedHand)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            *_, state = HandHistory.loads(format_hand(hand))
        assert tuple(state.stacks) == hand.finishing_stacks


@needs_hands
def test_every_shared_hand_reads_and_three_were_split_into_half_chips() -> None:
    hands = [hand for path in sorted(HANDS.glob("*.phhs*")) for hand in history.read(path)]
    assert len(hands) == 3100
    assert all(isinstance(hand, RecordedHand) for hand in hands)
    assert sum(hand.in_parts for hand in hands if isinstance(hand, RecordedHand)) == 3
