"""What people see: the public snapshot tells no secret, and every number is what lies there and what the rules say."""

import re
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller import commands
from controller.games.catalog import variants
from controller.picture import picture
from controller.picture.picture import Outside
from controller.places import BOARD, POT, Place, Zone
from controller.registry.registry import DECK, face
from controller.rulings.values import Word
from controller.snapshot import DealerSnapshot, PostView, Snapshot
from controller.table.setup import House, Stakes
from controller.tracking.events import PlaceKnown
from tests.controller.core.test_order import flop
from tests.controller.core_table import FLOP, SPOTS_ONLY, CoreTable, counted, dealt, hole, spot, tray
from tests.controller.random_play import SEATS, play, steps
from tests.controller.two_languages import both

OUTSIDE = Outside("home", "e1", 7, "up")
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def shown(table: CoreTable) -> tuple[Snapshot, DealerSnapshot]:
    return picture.pictures(table.core.seen(), OUTSIDE)


def strings(value: Any) -> set[str]:
    match value:
        case str():
            return {value}
        case dict():
            return set().union(*(strings(k) | strings(v) for k, v in value.items()), set())
        case list():
            return set().union(*map(strings, value), set())
        case _:
            return set()


def secrets_told(public: Snapshot, table: CoreTable) -> list[str]:
    """Names, tags, and faces of cards that nobody tabled, in the public snapshot as it goes out."""
    said = strings(msgspec.json.decode(msgspec.json.encode(public)))
    text = "\n".join(said)
    found = [name for name in table.values if name in text]
    found += [item.tag for item in table.registry.items.values() if item.tag in text]
    open_cards = {face(card) for card in table.core.state.board}
    for player in table.core.state.hand.players if table.core.state.hand else ():
        open_cards |= {face(card) for card in player.shown if player.tabled}
    hidden = {card for card in DECK if table.where[card] != BOARD} - open_cards
    board = {face(card) for card in public.board}
    return found + [card for one in said for card in CARD.findall(one) if card in hidden - board]


def test_everybody_sees_the_colours_of_the_houses_chips() -> None:
    outside = replace(OUTSIDE, chip_colours=((500, "red"), (100, "blue")))
    for told in picture.pictures(dealt().core.seen(), outside):
        assert told.chip_colours == ((500, "red"), (100, "blue"))


# ---------------------------------------------------------------- secrets
@given(st.lists(steps, min_size=5, max_size=25))
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_public_snapshot_never_holds_names_tags_or_hole_cards(played: list[tuple[object, ...]]) -> None:
    table = dealt(SEATS)
    for step in played:
        play(table, step)
        public, dealer = shown(table)
        assert secrets_told(public, table) == []
        assert type(public) is Snapshot
        assert msgspec.json.decode(msgspec.json.encode(dealer), type=DealerSnapshot) == dealer
        assert msgspec.json.decode(msgspec.json.encode(public), type=Snapshot) == public


@given(st.lists(steps, min_size=5, max_size=25))
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_numbers_of_a_snapshot_hold_together(played: list[tuple[object, ...]]) -> None:
    table = dealt(SEATS)
    for step in played:
        play(table, step)
        public, _ = shown(table)
        for seat in public.seats:
            lying = sum(table.values[name] for name in table.core.state.spots[seat.seat - 1])
            assert seat.front == lying
            assert min(seat.change_due, seat.missing) == 0
            assert min(seat.stack, seat.bet, seat.waiting, seat.change_due, seat.missing) >= 0
        assert sum(seat.to_act for seat in public.seats) <= 1
        assert public.pot_total >= 0
        for view in (public.ruling, public.provisional):
            if view is not None and view.change:
                assert sum(value * count for value, count in view.change) == view.change_due


def test_the_dealer_is_told_names_and_the_public_is_not() -> None:
    table = dealt(house=House(confirm="fragile"))
    names = table.push(1, 500, 100)
    table.hidden.add(names[1])
    table.run(2000)
    assert shown(table)[1].unseen == (names[1],)
    public, dealer = shown(table)
    assert public.provisional is not None
    assert dealer.provisional is not None
    assert both(public.provisional.waits_for) == {"en": "waits for 1 chip worth 100", "ru": "ждём 1 фишку на 100"}
    assert both(dealer.provisional.waits_for) == {"en": f"waits for {names[1]}", "ru": f"ждём {names[1]}"}


def test_a_planted_secret_is_caught() -> None:
    table = dealt()
    public, _ = shown(table)
    for secret in ("As", "s1-500-0", table.registry.items["Kh"].tag):
        assert secrets_told(msgspec.structs.replace(public, street=secret), table)


# ---------------------------------------------------------------- provisional and final
def test_a_provisional_ruling_is_no_final_one() -> None:
    table = dealt()
    table.push(1, 500, 100)
    table.run(900)
    public, _ = shown(table)
    assert public.ruling is None
    view = public.provisional
    assert view is not None
    assert (view.final, view.action, view.total_to, view.chips) == (False, "raise", 600, ((500, 1), (100, 1)))
    assert both(view.waits_for) == {"en": "settling", "ru": "считаем"}
    table.still()
    public, _ = shown(table)
    assert public.provisional is None
    assert public.ruling is not None
    assert public.ruling.final
    assert both(public.ruling.headline) == {"en": "Seat 1: Raise to 600", "ru": "Место 1: Рейз до 600"}


def test_a_provisional_ruling_says_which_place_it_waits_for() -> None:
    table = dealt()
    table.push(1, 500, 100)
    table.run(900)
    table.core._tracked([PlaceKnown(table.ns, tray(1), known=False, why="silent")])
    for _ in range(2):  # while it is open, and when it is settled and waits
        public, _ = shown(table)
        assert public.provisional is not None
        assert public.provisional.waits_for is not None
        assert public.provisional.waits_for["en"] == "waits: the tray of seat 1 is not known"
        table.run(3000)
    assert not public.seats[0].known


def test_chips_behind_a_push_that_is_not_final_are_shown_as_waiting() -> None:
    table = dealt()
    table.push(2, 50)
    table.run(100)
    table.push(1, 500)
    table.run(600)
    public, _ = shown(table)
    assert public.provisional is not None
    assert public.provisional.seat == 1
    assert [seat.waiting for seat in public.seats] == [0, 50, 0]
    table.still()
    public, _ = shown(table)
    assert [seat.waiting for seat in public.seats] == [0, 0, 0]


def test_an_inferred_check_is_marked() -> None:
    table = flop()
    table.push(3, 100)
    table.still()
    public, _ = shown(table)
    assert both(public.seats[1].last_action) == {"en": "Check (inferred)", "ru": "Чек (по умолчанию)"}
    assert both(public.seats[2].last_action) == {"en": "Bet 100", "ru": "Бет 100"}


def test_what_people_chose_has_no_reason_of_the_rules() -> None:
    table = dealt()
    table.push(1, 500)
    table.still()
    before, _ = shown(table)
    assert before.ruling is not None
    assert before.ruling.sentence["en"] == "One chip, no word: a call. 400 back."
    table.tell(commands.Overrule(action="raise", total_to=500))
    public, dealer = shown(table)
    assert public.ruling is not None
    assert (public.ruling.action, public.ruling.total_to) == ("raise", 500)
    assert public.ruling.sentence["en"] == "So decided by the dealer or the floor."
    assert dealer.can_undo


# ---------------------------------------------------------------- front, bet, change, missing
def test_change_due_is_front_less_bet_and_shown_as_chips() -> None:
    table = dealt()
    table.push(1, 100, 100)
    table.still()
    public, _ = shown(table)
    seat = public.seats[0]
    assert (seat.front, seat.bet, seat.change_due, seat.missing) == (200, 200, 0, 0)
    table = dealt()
    table.push(1, 500)
    table.still()
    public, _ = shown(table)
    seat = public.seats[0]
    assert (seat.front, seat.bet, seat.change_due, seat.missing) == (500, 100, 400, 0)
    assert public.ruling is not None
    assert public.ruling.change == ((100, 4),), "not from his one chip: from the dealer's"


def test_change_comes_from_the_chips_in_front_where_they_fit() -> None:
    table = dealt()
    table.push(1, 100, 25)
    table.run(900)
    for final in (False, True):
        public, _ = shown(table)
        view = public.ruling if final else public.provisional
        assert view is not None
        assert (view.action, view.change_due, view.change) == ("call", 25, ((25, 1),))
        table.still()


def test_missing_chips_are_told_until_they_come() -> None:
    table = dealt()
    table.say(1, "raise_to", 600)
    public, _ = shown(table)
    assert (public.seats[0].bet, public.seats[0].front, public.seats[0].missing) == (600, 0, 600)
    table.push(1, 500)
    table.still()
    public, _ = shown(table)
    assert public.seats[0].missing == 100


def test_chips_in_the_hand_are_told_by_value_where_trays_could_miss_them() -> None:
    table = counted()
    assert [seat.in_hand_value for seat in shown(table)[0].seats] == [0, 0, 0]
    table.move(table.chips(tray(2), 500), Place(Zone.IN_HAND, 2))
    table.run(12_000)
    assert [seat.in_hand_value for seat in shown(table)[0].seats] == [0, 500, 0]
    assert [seat.in_hand_value for seat in shown(counted(zones=SPOTS_ONLY))[0].seats] == [None] * 3


# ---------------------------------------------------------------- seats and hand
def test_a_word_that_waits_for_its_chips_or_its_turn_is_quoted() -> None:
    table = dealt()
    assert [seat.said for seat in shown(table)[0].seats] == [None, None, None]
    table.say(1, "raise")
    table.tell(commands.OutOfTurn(2, Word("call")))
    assert [both(seat.said) for seat in shown(table)[0].seats] == [
        {"en": "“raise”", "ru": "«рейз»"},
        {"en": "“call”", "ru": "«колл»"},
        None,
    ]
    table.push(1, 500)
    table.still()
    assert shown(table)[0].seats[0].said is None


def test_posts_are_told_until_they_are_in() -> None:
    table = counted()
    assert shown(table)[0].posts_due == ()
    table.tell(commands.NextHand())
    small, big = PostView(2, "small_blind", 50), PostView(3, "big_blind", 100)
    assert shown(table)[0].posts_due == (small, big)
    table.push(2, 50)
    table.still()
    assert [snapshot.posts_due for snapshot in shown(table)] == [(big,), (big,)]
    table.push(3, 100)
    table.still()
    assert shown(table)[0].posts_due == ()


def test_the_public_sees_whose_turn_it_is_and_what_it_costs() -> None:
    table = dealt()
    public, _ = shown(table)
    assert (public.to_act, public.to_call, public.min_raise_to) == (1, 100, 200)
    assert [seat.to_act for seat in public.seats] == [True, False, False]
    assert [seat.button for seat in public.seats] == [True, False, False]
    assert (public.pot_total, public.phase, public.street) == (150, "betting", "preflop")


def test_cards_are_counted_and_shown_only_when_they_are_tabled() -> None:
    table = dealt()
    assert [seat.cards_read for seat in shown(table)[0].seats] == [2, 2, 2]
    table.move(["As"], Place(Zone.IN_HAND, 1))
    table.run(5000)
    assert [seat.cards_read for seat in shown(table)[0].seats] == [1, 2, 2]
    assert all(seat.cards == () for seat in shown(table)[1].seats)
    for seat in (1, 2):
        table.say(seat, "all_in")
    table.say(3, "fold")
    public, _ = shown(table)
    assert set(public.seats[0].cards) == {"As", "Ah"}, "all-in and called: tabled"
    assert public.seats[2].cards == ()
    assert [seat.state for seat in public.seats] == ["all_in", "all_in", "folded"]


def test_seats_without_hole_antennas_tell_no_number_of_cards() -> None:
    public, _ = shown(dealt(zones=SPOTS_ONLY))
    assert [seat.cards_read for seat in public.seats] == [None] * 3


def test_side_pots_are_numbered_as_award_counts_them() -> None:
    table = counted(zones=SPOTS_ONLY)
    for seat, stack in ((1, 1000), (2, 300), (3, 1000)):
        table.tell(commands.SetStack(seat, stack))
    table.tell(commands.NextHand())
    table.tell(commands.NextStreet())
    for seat in (1, 2, 3):
        table.say(seat, "all_in")
    for _ in range(3):
        table.tell(commands.NextStreet())
    public, _ = shown(table)
    assert [(pot.number, pot.amount, pot.seats) for pot in public.pots] == [(0, 900, (2, 3, 1)), (1, 1400, (3, 1))]
    table.tell(commands.Award(0, (2,)))
    public, _ = shown(table)
    assert [(pot.number, pot.amount) for pot in public.pots] == [(1, 1400)]
    table.tell(commands.Award(1, (3,)))
    assert table.refused() is None
    assert sorted(seat.stack for seat in shown(table)[0].seats) == [0, 900, 1400]


def test_a_seat_is_empty_out_waiting_or_in() -> None:
    table = counted(4)
    table.tell(commands.SeatOut(4))
    table.tell(commands.SetStack(3, 0))
    states = [seat.state for seat in shown(table)[0].seats]
    assert states == ["waiting", "waiting", "empty", "out"]


def test_a_table_that_is_not_counted_says_so_whatever_the_journal_knows() -> None:
    before = dealt()
    table = CoreTable(state=before.core.state)
    assert shown(table)[0].phase == "counting_in"
    table.where = dict(before.where)
    table.until(lambda: table.core.known.counted)
    assert shown(table)[0].phase == "betting"
    assert shown(table)[0].hand_number == 1


# ---------------------------------------------------------------- questions
def test_a_question_shows_its_readings_as_answer_counts_them() -> None:
    table = dealt(house=House(confirm="always"))
    table.push(1, 500)
    table.still()
    public, _ = shown(table)
    question = public.question
    assert question is not None
    assert question.confirm
    assert both(question.text) == {"en": "Seat 1: Call 100, 400 back. Is that right?", "ru": question.text["ru"]}
    assert [choice.number for choice in question.choices] == list(range(1, len(question.choices) + 1))


@pytest.mark.parametrize("word", ["check"])
def test_a_question_to_the_floor_can_be_answered_by_the_number_shown(word: str) -> None:
    table = dealt()
    table.say(1, word)  # type: ignore[arg-type]
    public, _ = shown(table)
    assert public.question is not None
    assert not public.question.confirm
    assert public.question.text["en"].startswith("Ask the floor. Check facing a bet of 100")
    labels = [choice.label["en"] for choice in public.question.choices]
    fold = labels.index("Fold, leaving 0") if "Fold, leaving 0" in labels else labels.index("Fold")
    table.tell(commands.Answer(reading=fold + 1))
    assert shown(table)[0].question is None
    assert shown(table)[0].seats[0].state == "folded"


def test_a_board_is_shown_by_faces_and_count() -> None:
    table = flop()
    public, _ = shown(table)
    assert set(public.board) == set(FLOP)
    assert (public.board_count, public.street) == (3, "flop")
    assert [(pot.amount, set(pot.seats)) for pot in public.pots] == [(300, {1, 2, 3})]
    assert table.where[table.chips(POT, 100)[0]] == POT
    assert hole(1) != spot(1)


def test_a_question_to_confirm_shows_the_push_and_why_it_is_asked() -> None:
    table = dealt(zones=SPOTS_ONLY, house=House(confirm="fragile", hand_start="say"))
    table.push(1, 500)
    table.still()
    question = shown(table)[0].question
    assert question is not None
    assert question.chips == ((500, 1),)
    assert both(question.why) == {
        "en": "No antenna under his stack: one unseen chip of 25 would change this.",
        "ru": "Под стеком нет антенны: одна незамеченная фишка 25 изменила бы решение.",
    }


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"doubtful": True}, "Chips came or went while this was asked."),
        ({"doubtful": True, "second": True}, "Some chips came behind the others: one motion, or a second trip?"),
        ({"doubtful": True, "undecided": True}, "A chip that may belong to it was not read for certain."),
        ({"disputed": True}, "Floors do not agree on such a push."),
        ({}, "This house asks before every ruling."),
    ],
)
def test_every_reason_to_ask_for_agreement_is_said(changes: dict[str, bool], why: str) -> None:
    table = dealt(house=House(confirm="always"))
    table.push(1, 500)
    table.still()
    hand = table.core.state.hand
    assert hand is not None
    assert hand.question is not None
    numbers = hand.question.ruling.numbers | ({"later_motion": 500} if "second" in changes else {})
    ruling = msgspec.structs.replace(hand.question.ruling, disputed="disputed" in changes, numbers=numbers)
    names = ("r100-001",) if "undecided" in changes else ()
    asked = msgspec.structs.replace(hand.question, ruling=ruling, doubtful="doubtful" in changes, undecided=names)
    seen = table.core.seen()
    state = msgspec.structs.replace(seen.state, hand=msgspec.structs.replace(hand, question=asked))
    question = picture.pictures(msgspec.structs.replace(seen, state=state), OUTSIDE)[0].question
    assert question is not None
    assert question.why is not None
    assert question.why["en"] == why


def test_a_question_to_the_floor_shows_the_chips_that_it_is_about() -> None:
    table = dealt()
    table.push(1, 500, 100)
    table.still()
    table.push(2, 50, 50)
    table.still()
    question = shown(table)[0].question
    assert question is not None
    assert not question.confirm
    assert question.chips == ((50, 2),)
    assert question.why is None


# ---------------------------------------------------------------- the game
@pytest.mark.parametrize(
    ("game", "bets", "killed"),
    [
        (Stakes("NT", (50, 100)), (), ()),
        (Stakes("PT", (50, 100)), (), ()),
        (Stakes("FT", (50, 100)), (100, 200), ()),
        (Stakes("FT", (50, 100), kill="full"), (100, 200), (200, 400)),
        (Stakes("ST", (50, 100), spread=(50, 250)), (50, 250), ()),
        (Stakes("ST", (50, 100), spread=(50, 250, 500)), (50, 250, 500), ()),
    ],
)
def test_the_bets_of_the_game_are_told_between_hands_and_those_of_a_kill_pot_while_it_is_played(
    game: Stakes, bets: tuple[int, ...], killed: tuple[int, ...]
) -> None:
    table = counted(zones=SPOTS_ONLY, game=game)
    public = shown(table)[0]
    assert (public.structure, public.bets) == (variants()[game.variant][1], bets)
    if killed:
        table.tell(commands.Kill(2))
    table.tell(commands.NextHand())
    assert shown(table)[0].bets == (killed or bets)


# ---------------------------------------------------------------- paying
def paying() -> CoreTable:
    """Seat 1 raised to 600, nobody called: 500 of it are his, and 250 are won."""
    table = dealt()
    table.push(1, 500, 100)
    table.still()
    table.say(2, "fold")
    table.say(3, "fold")
    return table


def dues(table: CoreTable) -> tuple[int, int, int, int]:
    public, _ = shown(table)
    return public.paying, public.seats[0].to_come, public.seats[0].uncalled, public.seats[0].change_due


def test_a_pot_that_is_paid_out_is_told_until_the_winner_has_it() -> None:
    table = paying()
    assert (shown(table)[0].phase, shown(table)[0].pot_total) == ("paying", 0)
    assert dues(table) == (250, 250, 500, 0)
    table.move([chip for chip, where in table.where.items() if where == spot(1)], tray(1))
    table.run(3000)
    assert dues(table) == (150, 150, 0, 0)
    table.move([chip for chip, where in table.where.items() if where in (spot(2), spot(3))], tray(1))
    table.run(4000)
    assert dues(table) == (0, 0, 0, 0)
    assert shown(table)[0].phase == "between_hands"


def test_neither_his_share_of_the_pot_nor_what_nobody_called_is_change_of_a_winner() -> None:
    assert all(seat.change_due == 0 for seat in shown(paying())[0].seats)


def called_for_less() -> CoreTable:
    """Seat 1 bet 1000, seat 2 is all-in with 600 and seat 3 folded: 400 go back, and the board is run out."""
    table = counted(zones=SPOTS_ONLY)
    for seat, stack in ((1, 2000), (2, 600), (3, 2000)):
        table.tell(commands.SetStack(seat, stack))
    table.tell(commands.NextHand())
    table.tell(commands.NextStreet())
    table.push(1, 500, 500)
    table.still()
    table.say(2, "all_in")
    table.say(3, "fold")
    return table


def test_what_nobody_called_goes_back_and_is_no_change_while_others_play_on() -> None:
    raiser = shown(called_for_less())[0].seats[0]
    assert (raiser.front, raiser.bet, raiser.uncalled, raiser.change_due) == (1000, 600, 400, 0)


def test_what_nobody_called_is_no_change_either_when_it_still_lies_there_at_the_next_street() -> None:
    table = called_for_less()
    for street in ("flop", "turn"):
        table.tell(commands.NextStreet())
        raiser = shown(table)[0].seats[0]
        assert (shown(table)[0].street, raiser.front, raiser.uncalled, raiser.change_due) == (street, 1000, 400, 0)
