"""The order-of-play cases of the case file, played at a table. What the table does not play is listed, with the reason."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from controller import commands
from controller.rulings.profiles import load
from controller.rulings.rules import Rules
from controller.rulings.values import Word
from controller.table.events import PotAwarded, PushReleased
from controller.table.phases import Phase
from controller.table.setup import House, Stakes
from tests.controller.engine.played import CARDS, FLOP, RIVER, TURN, Played, dealt
from tests.controller.rulings.cases import CASES, OWN_CASES, label, of_type

Case = dict[str, Any]
Check = Callable[[Case, Played], None]
NOT_PLAYED = {
    "D-RACE": "a race for odd chips is done by hand between two hands: the table is told the stacks that come of it",
    "D-FOREIGN": "above tracking there are names only: such a push waits in the core, see tests/controller/core/test_unknown.py",
}
OF_ITS_OWN = {"RROP-PL-ROUND", "CASAT-UNDERCALL", "D-PR-PULLBACK-NOFOLD", "D-ODDCHIP", "D-HIDDEN", "D-CHANGE-PREV"}
PROCEDURES = of_type("procedure", CASES + OWN_CASES)
SEATS = {"utg": 4, "utg+1": 5, "utg+2": 6}  # seat 3 is to act: it is the one that is skipped
SAYS = House(check="say", confirm="never")


# ---------------------------------------------------------------- histories
def variants(history: list[str]) -> list[list[str]]:
    """ "s5 call|fold" is two histories."""
    choices = [line.replace("|", f"|{line.split()[0]} ").split("|") for line in history]
    return [list(one) for one in product(*choices)]


def seat_of(line: str) -> int:
    name = line.split(maxsplit=1)[0]
    return SEATS[name] if name in SEATS else int(name[1:])


def table_for(case: Case, profile: str) -> Played:
    """Six seats, button at seat 6; preflop the blinds are seats 1 and 2, later they have folded."""
    blinds = (case["blinds"]["sb"], case["blinds"]["bb"])
    table = Played(6, button=6, profile=profile, house=SAYS, game=Stakes(blinds=blinds))
    table.tell(commands.NextHand())
    for post in table.hand.posts_due:
        table.push(post.seat, *chips_for(post.amount))
    for seat in range(1, 7):
        table.deal(seat, *CARDS[seat])
    if case["street"] == "preflop":
        return table
    for seat in range(3, 7):
        table.say(seat, "call")
        table.push(seat, *chips_for(blinds[1]))
    table.fold(1)
    table.fold(2)
    table.sweep()
    table.board(*FLOP)
    if case["street"] == "turn":
        for seat in range(3, 7):
            table.say(seat, "check")
        table.board(*FLOP, TURN)
    assert table.hand.row.name == case["street"]
    assert table.hand.to_act == 3
    return table


def chips_for(amount: int) -> list[int]:
    chips = []
    for value in (500, 100, 50):
        chips += [value] * (amount // value)
        amount %= value
    return chips


def play(table: Played, history: list[str]) -> None:
    """Those before the first who acts in turn have checked."""
    lines = [line for line in history if line.split()[-1] != "post"]
    if any(line.startswith("utg") for line in lines):
        lines = [line.replace(" ", " OOT ") for line in lines]
    elif first := next((seat_of(line) for line in lines if "OOT" not in line), None):
        while table.hand.to_act != first and table.hand.row.name != "preflop":
            table.say(table.hand.to_act, "check")
    for line in lines:
        if not line.endswith("skipped"):
            play_line(table, line, out_of_turn="OOT" in line or table.hand.to_act != seat_of(line))


def play_line(table: Played, line: str, *, out_of_turn: bool) -> None:
    seat, words = seat_of(line), line.replace("OOT ", "").split()[1:]
    total = int(words[-1]) if words[-1].isdigit() else table.hand.current_bet
    assert out_of_turn == (table.hand.to_act != seat), line
    match words[0]:
        case "fold":
            table.fold(seat)
        case "check" if out_of_turn:
            table.tell(commands.OutOfTurn(seat, Word("check")))
        case "check":
            table.say(seat, "check")
        case _:
            table.push(seat, *chips_for(total - table.player(seat).bet))
    assert table.refused() is None, line


# ---------------------------------------------------------------- what is expected
def last_out_of_turn(case: Case) -> int:
    return seat_of(next(line for line in case["history"] if "OOT" in line))


def binds(case: Case, table: Played) -> None:
    player = table.player(last_out_of_turn(case))

    assert player.bet == case["expected"]["total_to"]
    assert player.last_acted == case["expected"]["total_to"]
    assert table.balance(player.seat) == 0


def check_binds(case: Case, table: Played) -> None:
    """Everybody has checked: the round is over."""
    assert table.player(last_out_of_turn(case)).action == "check"
    assert table.hand.phase is Phase.STREET_CARD


def released(case: Case, table: Played) -> None:
    seat, expected = last_out_of_turn(case), case["expected"]
    (event,) = [event for event in table.log if isinstance(event, PushReleased)]
    options = table.engine.options(table.state)

    assert (event.seat, event.why) == (seat, "action_changed")
    assert table.hand.to_act == seat
    assert table.balance(seat) == table.front(seat)
    assert options is not None
    assert (options.to_call, options.can_raise, options.min_raise_to) == (
        expected["to_call"],
        expected["can_raise"],
        expected["min_raise_to"],
    )


def stays(case: Case, table: Played) -> None:
    seat = last_out_of_turn(case)

    assert table.player(seat).bet == case["expected"]["total_to"]
    assert table.balance(seat) == 0
    assert table.hand.to_act == seat
    options = table.engine.options(table.state)
    assert options is not None
    assert options.to_call == 200
    table.say(seat, "fold")
    assert table.player(seat).committed == 100 + case["expected"]["total_to"]


def may_not_raise(case: Case, table: Played) -> None:
    seat = last_out_of_turn(case)
    options = table.engine.options(table.state)

    assert table.hand.to_act == seat
    assert options is not None
    assert options.can_raise is case["expected"]["can_raise"]
    table.push(seat, 500, 500)
    assert (table.reading().action, table.reading().total_to) == ("call", 300)


def is_substantial(case: Case, table: Played) -> None:
    skipped = {seat for key, seat in table.alarms() if key == "substantial_action"}

    assert skipped == ({3} if case["expected"]["substantial"] else set())


def binds_by_substantial_action(case: Case, table: Played) -> None:
    """The floor rules on seat 4, here that it may play: what was done behind it stands even if it raises."""
    caller = next(seat_of(line) for line in case["history"] if "OOT call" in line)
    assert table.alarms() == {("substantial_action", 4)}
    table.say(4, "raise_to", 2000)
    if table.hand.to_act == 5 and caller == 6:
        table.say(5, "fold")

    assert table.player(caller).bet == case["expected"]["total_to"]
    assert table.hand.to_act == caller
    assert table.balance(caller) == 0


def loses_his_turn(case: Case, table: Played) -> None:
    assert table.player(4).action == "check"
    assert table.player(4).inferred
    assert table.hand.phase is Phase.STREET_CARD
    assert table.alarms() == set()
    assert case["expected"]["total_to"] == 0


EXPECTED: dict[str, Check] = {
    "oot_binding": binds,
    "oot_binding_check": check_binds,
    "oot_released": released,
    "oot_stays": stays,
    "oot_check_no_raise": may_not_raise,
    "oot_binding_sa": binds_by_substantial_action,
    "substantial_action": is_substantial,
    "skipped_loses_action": loses_his_turn,
}
BY_HISTORY = [
    (case, profile, history)
    for case, profile in PROCEDURES
    if case["expected"]["action"] in EXPECTED
    for history in variants(case["history"])
]


@pytest.mark.parametrize(
    ("case", "profile", "history"), BY_HISTORY, ids=[f"{label(one[:2])}-{one[2][-1]}" for one in BY_HISTORY]
)
def test_an_order_of_play_case_ends_as_the_book_says(case: Case, profile: str, history: list[str]) -> None:
    table = table_for(case, profile)
    play(table, history)

    EXPECTED[case["expected"]["action"]](case, table)


def test_every_procedure_case_is_played_or_listed_with_its_reason() -> None:
    played = {case["id"] for case, _, _ in BY_HISTORY} | OF_ITS_OWN

    assert {case["id"] for case in CASES + OWN_CASES if case["type"] == "procedure"} == played | set(NOT_PLAYED)
    assert not played & set(NOT_PLAYED)
    assert {case["id"] for case, _ in PROCEDURES} == played | set(NOT_PLAYED)


# ---------------------------------------------------------------- cases of their own
def the_case(identity: str) -> Case:
    return next(case for case in CASES if case["id"] == identity)


def test_an_undercall_out_of_turn_is_completed_or_lost() -> None:
    """Casinos Austria: bet 200, raise to 600; 200 out of turn by who missed the raise."""
    case = the_case("CASAT-UNDERCALL")
    table = table_for(case, "CASINOS_AUSTRIA")
    play(table, ["s3 bet 200", "s4 raise to 600", "s6 OOT call 200", "s5 fold"])
    question = table.asked()

    assert question is not None
    readings = {reading.action: reading for reading in question.ruling.readings}
    call, fold = case["expected"]["alternatives"]
    assert (readings["call"].total_to, readings["call"].must_add) == (call["total_to"], call["must_add"])
    assert (readings["fold"].forfeit, readings["fold"].change_due) == (fold["forfeit"], fold["change_due"])


def test_prior_chips_pulled_back_bind_to_call_or_raise() -> None:
    """TDA 2024 46-B."""
    case = the_case("D-PR-PULLBACK-NOFOLD")
    table = Played(4, button=4, house=SAYS, game=Stakes(blinds=(100, 200)))
    table.tell(commands.NextHand())
    table.push(1, 100)
    table.push(2, *case["context"]["prior_chips"])
    table.tell(commands.NextStreet())
    table.push(3, *chips_for(case["context"]["current_bet"]))
    table.say(4, "fold")
    table.say(1, "fold")
    table.take_back(2, *case["pulled_back"])
    table.say(2, "fold")
    question = table.asked()

    assert question is not None
    assert question.why == "pulled_back_binds"
    assert not table.player(2).folded


def test_a_pot_of_80_in_25s_plays_as_100() -> None:
    """Robert's Rules, pot limit 4, an option of the house."""
    expected = the_case("RROP-PL-ROUND")["expected"]
    table = Played(2, button=1, house=SAYS, game=Stakes("PT", blinds=(20, 40)))
    table.engine.setting.rules = Rules(replace(load("RROP11"), pl_round_unit=expected["unit"]))
    table.tell(commands.NextHand())
    table.tell(commands.NextStreet())
    table.say(1, "call")
    table.say(2, "check")
    table.tell(commands.NextStreet())
    options = table.engine.options(table.state)

    assert sum(pot.amount for pot in table.hand.pots) == expected["pot_raw"]
    assert options is not None
    assert options.max_raise_to == expected["pot_used"]


def test_the_odd_chip_goes_to_the_first_seat_left_of_the_button() -> None:
    """TDA 2024 20: 2025 for two, the smallest chip is 25."""
    shares = the_case("D-ODDCHIP")["expected"]["shares"]
    table = Played(3, button=1, house=SAYS, game=Stakes(blinds=(25, 1000)))
    table.tell(commands.NextHand())
    table.push(2, 25)
    table.push(3, 1000)
    for seat, cards in {1: ("2c", "3d"), 2: ("4c", "5d"), 3: ("2s", "3h")}.items():
        table.deal(seat, *cards)
    table.push(1, 1000)
    table.fold(2)
    table.say(3, "check")
    table.sweep()
    for board in (("As", "Ks", "Qs"), ("As", "Ks", "Qs", "Js"), ("As", "Ks", "Qs", "Js", "Ts")):
        table.board(*board)
        if table.hand.phase is Phase.BETTING:
            table.say(3, "check")
            table.say(1, "check")
    table.tell(commands.Show(None))

    (award,) = [event for event in table.log if isinstance(event, PotAwarded)]
    assert {share.seat: share.amount for share in award.shares} == {
        3: shares["first_left_of_button"],
        1: shares["other"],
    }


def test_a_hidden_chip_is_never_paid_after_an_all_in_was_called() -> None:
    """TDA 2024 62: seat 2 is all-in for 500 and called; then a 1000 turns up."""
    table = dealt(2, stacks=[10_000, 500])
    table.say(1, "raise_to", 2000)
    table.say(2, "all_in")
    table.push(2, 1000)
    table.board(*FLOP, TURN, RIVER)

    (award,) = [event for event in table.log if isinstance(event, PotAwarded)]
    assert sum(share.amount for share in award.shares) == 1000
    assert table.player(1).committed == table.player(2).committed == 500
