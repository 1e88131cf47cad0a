"""Scripts of recorded hands: chips are conserved, the record is followed, and the same seed gives the same script."""

import itertools
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import HistoryError
from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from controller.places import BANK, POT, Place, Zone
from simulator.acts import (
    Burn,
    DealBoard,
    DealHole,
    Gather,
    MakeChange,
    Muck,
    Pay,
    Post,
    PushChips,
    Say,
    Sweep,
    spot,
    tray,
)
from simulator.books import Books, Decision, RoundClosed, seats_of, unsupported
from simulator.director import evening, script_of
from simulator.felt import Felt
from simulator.players import Dice, Style
from simulator.script import Script

DATA = Path(__file__).parents[1] / "data" / "random-nt.phhs"
EVENING = Path(__file__).parents[2] / "simulator" / "evening.phhs"
HANDS = [hand for hand in history.read(DATA) if isinstance(hand, RecordedHand)]
WILD = Style(
    oversized=0.5, generous=0.3, talk=0.3, pull_back=0.5, splash=0.2, riffle=0.3, oversized_post=0.5, own_change=0.3
)
EACH = pytest.mark.parametrize("hand", HANDS, ids=lambda hand: f"hand {hand.number}")


def script(hand: RecordedHand, seed: int = 1, style: Style = WILD) -> Script:
    return script_of(hand, Dice(seed), style)


def parsed(text: str) -> RecordedHand:
    (hand,) = history.parse(text, "t.phh")
    assert isinstance(hand, RecordedHand)
    return hand


def worth(given: Script, at: dict[str, Place], place: Place) -> int:
    return sum(given.layout.values.get(item, 0) for item, lies in at.items() if lies == place)


@given(st.sampled_from(HANDS), st.integers(0, 10**6))
@settings(max_examples=150, derandomize=True, deadline=None)
def test_chips_are_conserved_and_end_with_who_won_them(hand: RecordedHand, seed: int) -> None:
    made = script(hand, seed)
    felt = Felt(made.layout.values, made.layout.lies)
    for cue in made.cues:
        felt.move(cue.act.moves)  # refuses a move from where the item does not lie
    assert felt.at == made.end
    assert made.finishing is not None
    assert {seat: felt.worth(tray(seat)) for seat in made.finishing} == made.finishing
    assert not felt.on(POT)
    assert felt.worth(BANK) == worth(made, made.layout.lies, BANK)


@EACH
def test_the_bookkeeping_agrees_with_the_recorded_stacks(hand: RecordedHand) -> None:
    books = Books(hand)
    list(books.entries())
    won = books.won()
    assert won is not None
    assert sum(won.values()) == sum(pot.amount for pot in books.pots()) == sum(books.committed.values())
    for pot in books.pots():
        assert any(seat in pot.seats for seat in won), "somebody who may win each pot did"


@EACH
def test_every_recorded_action_is_a_decision_and_cues_name_theirs_in_order(hand: RecordedHand) -> None:
    made = script(hand)
    recorded = [act for act in hand.actions if type(act).__name__ in {"Folded", "CheckedOrCalled", "RaisedTo"}]
    assert len(made.decisions) == len(recorded)
    named = [cue.decision for cue in made.cues if cue.decision is not None]
    assert named == sorted(named)
    silent = set(range(len(recorded))) - set(named)
    assert all(made.decisions[number].kind == "check" for number in silent)


@EACH
def test_a_round_is_swept_before_the_next_card(hand: RecordedHand) -> None:
    made = script(hand)
    felt = Felt(made.layout.values, made.layout.lies)
    for cue in made.cues:
        if isinstance(cue.act, Burn | DealBoard):
            assert not any(felt.on(spot(seat)) for seat in made.setting.stacks)
        felt.move(cue.act.moves)


def test_the_same_seed_gives_the_same_script_and_another_seed_another() -> None:
    assert script(HANDS[5], 3) == script(HANDS[5], 3)
    assert script(HANDS[5], 3).cues != script(HANDS[5], 4).cues


def test_cards_are_dealt_one_by_one_round_the_table_from_the_left_of_the_button() -> None:
    made = script(HANDS[4])
    dealt = [cue.act for cue in made.cues if isinstance(cue.act, DealHole)]
    order = list(made.setting.stacks)
    assert [act.seat for act in dealt] == order * 2
    assert order[-1] == made.setting.button
    assert tuple(act.card for act in dealt if act.seat == order[0]) == HANDS[4].hole_cards[1]


def test_every_board_card_has_its_burn_and_all_cards_come_back() -> None:
    made = next(made for made in map(script, HANDS) if len(made.hand.board) == 5)
    kinds = [type(cue.act) for cue in made.cues]
    assert kinds.count(Burn) == kinds.count(DealBoard) == 3
    assert isinstance(made.cues[-1].act, Gather)
    assert all(made.end[card] == BANK for card in made.layout.lies if card not in made.layout.values)


def test_an_unseen_hand_is_dealt_cards_that_nobody_else_has() -> None:
    text = history_text("'d dh p1 ????', 'd dh p2 AsAh', 'p2 cbr 6', 'p1 f'")
    made = script(parsed(text))
    cards = [move.item for cue in made.cues if isinstance(cue.act, DealHole) for move in cue.act.moves]
    assert len(set(cards)) == 4


def history_text(actions: str, extra: str = "") -> str:
    return (
        f"variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [200, 100]\n"
        f"actions = [{actions}]\n{extra}"
    )


def test_heads_up_the_button_is_player_two_and_posts_the_small_blind() -> None:
    made = script(parsed(history_text("'p2 cc', 'p1 cc'")), style=Style(oversized_post=0))
    posts = {cue.act.seat: cue.act for cue in made.cues if isinstance(cue.act, Post)}
    assert made.setting.button == 2
    assert {seat: sum(map(made.layout.values.__getitem__, post.chips)) for seat, post in posts.items()} == {1: 2, 2: 1}


def test_who_owes_an_ante_and_no_blind_posts_no_more_than_that() -> None:
    text = history_text("'p3 f', 'p1 f'").replace("[0, 0]", "[5, 5, 5]").replace("[1, 2]", "[1, 2, 0]")
    made = script(parsed(text.replace("[200, 100]", "[200, 100, 150]")), style=Style(oversized_post=0))
    posts = {cue.act.seat: cue.act for cue in made.cues if isinstance(cue.act, Post)}
    assert {seat: sum(map(made.layout.values.__getitem__, post.chips)) for seat, post in posts.items()} == {
        1: 6,
        2: 7,
        3: 5,
    }


def test_an_uncalled_bet_is_not_part_of_the_pot() -> None:
    books = Books(parsed(history_text("'p2 cbr 50', 'p1 cbr 200', 'p2 cc'")))
    closed = [entry for entry in books.entries() if isinstance(entry, RoundClosed)]
    assert closed[0].uncalled == (1, 100)
    assert [pot.amount for pot in books.pots()] == [200]


def test_the_kinds_of_decisions_follow_from_what_is_faced() -> None:
    books = Books(parsed(history_text("'p2 cc', 'p1 cc', 'd db 2c3c4c', 'p1 cc', 'p2 cbr 4', 'p1 cbr 9', 'p2 f'")))
    kinds = [entry.kind for entry in books.entries() if isinstance(entry, Decision)]
    assert kinds == ["call", "check", "check", "bet", "raise", "fold"]


@pytest.mark.parametrize("actions", ["'p2 cbr 500'", "'p2 f', 'p2 f'", "'p2 cbr 2'"])
def test_a_record_that_cannot_be_is_named(actions: str) -> None:
    with pytest.raises(HistoryError, match="mend the record"):
        script(parsed(history_text(actions)))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("'NT'", "'XX'"), "variant XX is no game here"),
        (("[0, 0]", "[1, 2]"), "antes of several sizes"),
        (("[1, 2]", "[-1, 2]"), "straddles, late posts"),
        (("min_bet = 2", "min_bet = 4"), "straddles, late posts"),
        (("'p2 f'", "'p2 cc', 'p1 cc', 'd db ??????'"), "the board is not recorded"),
        (
            ("actions = ['p2 f']", "finishing_stacks = [202, 98]\nactions = ['p2 cc', 'p1 cc', 'p1 sm ????']"),
            "a hand at showdown is not recorded",
        ),
        (("'p2 f'", "'p2 sd'"), "a draw is recorded, and Texas hold'em has none"),
        (("'NT'", "'F7S'"), "Seven-card stud is played with a bring-in"),
        (("'p2 f'", "'d dh p1 AsAh', 'd dh p2 ????', 'p2 cc', 'p2 sm AsKs'"), "As is recorded twice"),
    ],
)
def test_what_cannot_be_played_has_its_reason(change: tuple[str, str], why: str) -> None:
    text = history_text("'p2 f'")
    assert unsupported(parsed(text)) is None
    found = unsupported(parsed(text.replace(*change)))
    assert found is not None
    assert why in found


def test_recorded_seats_are_kept_where_they_go_round_the_table() -> None:
    assert seats_of(parsed(history_text("'p2 f'", "seats = [7, 3]"))) == (7, 3)
    assert seats_of(parsed(history_text("'p2 f'", "seats = [7, 30]"))) == (1, 2)
    assert HANDS[7].seats == seats_of(HANDS[7])


def test_antes_are_posted_with_the_blinds_and_swept_before_the_cards() -> None:
    made = next(made for made in map(script, HANDS) if made.setting.ante_by == "each")
    kinds = [type(cue.act) for cue in made.cues]
    posts = kinds.count(Post)
    assert posts == len(made.setting.stacks)
    assert kinds[:posts] == [Post] * posts
    assert kinds[posts] is Sweep
    swept = made.cues[posts].act
    assert sum(made.layout.values[move.item] for move in swept.moves) == posts * made.setting.ante


def test_all_ways_of_moving_chips_occur() -> None:
    seen = {type(cue.act).__name__ for number, hand in enumerate(HANDS) for cue in script(hand, number).cues}
    assert seen >= {
        "PushChips",
        "PullBack",
        "Splash",
        "TakeChange",
        "MakeChange",
        "Riffle",
        "Sweep",
        "Pay",
        "Muck",
        "Say",
        "Key",
    }


def test_an_all_in_too_long_for_the_spot_is_announced_and_counted_in_later() -> None:
    deep = "starting_stacks = [10000, 10000]\nfinishing_stacks = [20000, 0]"
    text = history_text(
        "'d dh p1 AsAh', 'd dh p2 KsKh', 'p2 cbr 10000', 'p1 cc', 'd db 2c3c4c', 'd db 9d', 'd db Td'", deep
    )
    made = script(parsed(text.replace("starting_stacks = [200, 100]\n", "")))
    words = [cue.act.word.kind for cue in made.cues if isinstance(cue.act, Say)]
    assert words[0] == "all_in"
    fronts: dict[Place, int] = {}
    for cue in made.cues:
        for move in cue.act.moves:
            fronts[move.origin] = fronts.get(move.origin, 0) - 1
            fronts[move.target] = fronts.get(move.target, 0) + 1
            assert move.target.zone is not Zone.SPOT or fronts[move.target] <= WILD.spot_chips


def test_winners_are_paid_from_the_pot_and_folds_are_cards_in_the_muck() -> None:
    made = script(HANDS[2])
    assert {cue.act.seat for cue in made.cues if isinstance(cue.act, Pay)} == set(made.won or {})
    folds = [number for number, decision in enumerate(made.decisions) if decision.kind == "fold"]
    assert [cue.decision for cue in made.cues if isinstance(cue.act, Muck) and cue.decision is not None] == folds


def test_an_evening_goes_on_with_the_chips_where_the_hand_before_left_them() -> None:
    hands = [hand for hand in history.read(EVENING) if isinstance(hand, RecordedHand)]
    scripts = list(evening(hands, Dice(2), Style()))
    assert len(scripts) == len(hands) == 60
    for before, after in itertools.pairwise(scripts):
        assert after.layout.lies == before.end
        assert {
            seat: worth(after, after.layout.lies, tray(seat)) for seat in after.setting.stacks
        } == after.setting.stacks


def test_dice_are_a_seeded_source_and_nothing_else() -> None:
    assert Dice(5).random() == random.Random(5).random()
    assert 10 <= Dice(5).pause(10, 20) <= 20


def test_change_is_always_equal_value_or_what_was_due() -> None:
    for number, hand in enumerate(HANDS):
        made = script(hand, number)
        for cue in made.cues:
            if isinstance(cue.act, MakeChange) and any(move.target.zone is Zone.SPOT for move in cue.act.moves):
                flows: dict[Place, int] = {}
                for move in cue.act.moves:
                    value = made.layout.values[move.item]
                    flows[move.origin] = flows.get(move.origin, 0) - value
                    flows[move.target] = flows.get(move.target, 0) + value
                assert sum(flows.values()) == 0
                fronts = [flow for place, flow in flows.items() if place.zone is Zone.SPOT]
                assert 0 in fronts, "whoever lends the change keeps what lies in front of him"


def test_pushes_name_chips_of_the_player_only() -> None:
    made = script(HANDS[9])
    felt = Felt(made.layout.values, made.layout.lies)
    for cue in made.cues:
        if isinstance(cue.act, PushChips):
            assert set(cue.act.chips) <= set(felt.on(tray(cue.act.seat)))
        felt.move(cue.act.moves)
