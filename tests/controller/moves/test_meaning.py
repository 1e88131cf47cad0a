"""What a move of chips means, a test a row, in the order of the rows."""

import itertools

import pytest
from msgspec.structs import replace

from controller import commands
from controller.moves.meaning import ROWS, Scene, rows_for
from controller.moves.meanings import Transfer
from controller.places import BANK, BOARD, POT, Moved, Place, Zone
from controller.table.events import Alarmed, ItemsMoved, PotPaid, PushHeld, Ruled, SeatChanged
from controller.table.meanings import Meaning
from controller.table.phases import Phase
from controller.table.setup import House, Sensors, Stakes
from tests.controller.engine.played import FLOP, RIVER, TURN, Played, dealt, held, spot, tray


def meant(table: Played) -> list[str]:
    return [event.meaning for event in table.last if isinstance(event, ItemsMoved)]


def flop(table: Played) -> Played:
    """Three players limped; the flop is open and seat 2 is to act."""
    table.push(1, 100)
    table.push(2, 50)
    table.say(3, "check")
    table.sweep()
    table.board(*FLOP)
    return table


def won(seats: int = 2) -> Played:
    """Heads-up: seat 1 raised to 300, seat 2 called; seat 1 bet 500, seat 2 folded on the flop. The pot is unpaid."""
    table = dealt(seats)
    table.push(1, 100, 100, 50)
    table.say(2, "call")
    table.push(2, 100, 100)
    table.sweep()
    table.board(*FLOP)
    table.say(2, "check")
    table.push(1, 500)
    table.fold(2)
    return table


def between_hands() -> Played:
    table = won()
    table.take_back(1, 500)
    table.move(*table.carry(POT, tray(1), *table.lying(POT)))
    assert table.hand.phase is Phase.BETWEEN_HANDS
    return table


# ---------------------------------------------------------------- own chips before a player
def test_equal_values_both_ways_are_a_swap() -> None:
    table = dealt(3)
    table.push(1, 500, 500)
    table.move(*table.carry(spot(1), tray(1), 500), *table.carry(tray(1), spot(1), 100, 100, 100, 100, 100))

    assert meant(table) == [Meaning.SWAP]
    assert table.front(1) == 1000
    assert table.balance(1) == 0


def test_post() -> None:
    table = Played(3, button=1)
    table.tell(commands.NextHand())
    table.push(2, 500)

    assert meant(table) == [Meaning.POST]
    assert table.player(2).bet == 50
    assert table.balance(2) == 450


def test_a_straddle_is_a_post_where_the_house_has_it() -> None:
    found = {}
    for profile in ("RROP11", "TDA2024"):
        table = Played(4, button=1, profile=profile)
        table.tell(commands.NextHand())
        table.push(4, 100, 100)
        found[profile] = meant(table)

    assert found == {"RROP11": [Meaning.POST], "TDA2024": [Meaning.PUSH]}


def test_a_post_of_too_little_waits_for_the_rest() -> None:
    table = Played(3, button=1)
    table.tell(commands.NextHand())
    table.push(3, 50)

    assert table.player(3).committed == 0
    assert table.balance(3) == 0

    table.push(3, 50)

    assert table.player(3).bet == 100


def test_pays_missing() -> None:
    table = dealt(3)
    table.say(1, "raise_to", 600)
    assert table.balance(1) == -600
    table.push(1, 500)

    assert meant(table) == [Meaning.PAID]
    assert table.balance(1) == -100
    assert table.hand.to_act == 2

    table.push(1, 500)

    assert table.balance(1) == 400


def test_a_missing_post_is_paid_before_anything_else() -> None:
    table = Played(3, button=1, sensors=Sensors(trays=frozenset({1, 2, 3})))
    table.tell(commands.NextHand())
    table.push(3, 100)
    table.say(1, "fold")
    assert table.balance(2) == -50
    table.push(2, 50)

    assert meant(table) == [Meaning.PAID]
    assert table.hand.to_act == 2


def test_a_push_beyond_the_missing_post_is_judged_whole() -> None:
    table = Played(3, button=1, sensors=Sensors(trays=frozenset({1, 2, 3})))
    table.tell(commands.NextHand())
    table.push(3, 100)
    table.say(1, "fold")
    table.push(2, 100)

    assert table.reading().action == "call"
    assert table.balance(2) == 0


def test_chips_missing_from_an_earlier_street_are_paid_before_a_bet() -> None:
    table = dealt(2)
    table.say(1, "call")
    table.say(2, "check")
    table.board(*FLOP)
    table.say(2, "check")
    assert table.balance(1) == -50
    table.push(1, 50, 500)

    assert table.reading().action == "bet"
    assert table.reading().total_to == 500
    assert table.balance(1) == 0


def test_push() -> None:
    table = dealt(3)
    table.push(1, 500, 100)

    assert meant(table) == [Meaning.PUSH]
    assert table.reading().action == "raise"
    assert table.reading().total_to == 600


def test_out_of_turn() -> None:
    table = dealt(4)
    table.push(2, 500)

    assert meant(table) == [Meaning.OUT_OF_TURN]
    assert table.of(PushHeld)
    assert table.player(2).bet == 50
    assert table.hand.to_act == 4
    assert table.balance(2) == 0


def test_early_chips_wait_for_the_next_street() -> None:
    table = dealt(2)
    table.push(1, 50)
    table.say(2, "check")
    assert table.hand.phase is Phase.SWEEPING
    table.push(2, 500)

    assert meant(table) == [Meaning.EARLY]
    assert table.hand.held[0].early

    table.sweep(1)
    table.board(*FLOP)

    assert table.reading().action == "bet"
    assert table.reading().total_to == 500


# ---------------------------------------------------------------- own spot to own tray
def test_change_taken() -> None:
    table = dealt(3)
    table.push(1, 500)
    table.move(*table.carry(spot(1), BANK, 500), *table.carry(BANK, spot(1), 100, 100, 100, 100, 100))
    assert meant(table) == [Meaning.SWAP]
    table.take_back(1, 100, 100, 100, 100)

    assert meant(table) == [Meaning.CHANGE_TAKEN]
    assert table.player(1).bet == 100
    assert table.balance(1) == 0


def test_change_taken_is_never_more_than_what_is_due() -> None:
    table = dealt(3)
    table.push(1, 500)
    assert table.balance(1) == 400
    table.take_back(1, 500)

    assert meant(table) == [Meaning.CHIPS_MISSING]
    assert table.balance(1) == -100


def test_pulled_back() -> None:
    """TDA 2024 46-C2: the blind is pulled back in turn, then one bigger chip is judged with it."""
    table = dealt(3)
    table.push(1, 500, 100)
    table.fold(2)
    table.take_back(3, 100)

    assert meant(table) == [Meaning.PULLED_BACK]
    assert not table.of(Ruled)
    assert table.balance(3) == -100

    table.push(3, 1000)

    assert table.reading().action == "call"
    assert table.balance(3) == 400


def test_chips_missing_is_an_alarm_and_the_bet_stands() -> None:
    table = dealt(3)
    table.push(1, 500, 100)
    table.take_back(1, 100)

    assert meant(table) == [Meaning.CHIPS_MISSING]
    assert table.alarms() == {("chips_missing", 1)}
    assert table.player(1).bet == 600

    table.push(1, 100)

    assert meant(table) == [Meaning.PAID]
    assert table.alarms() == set()


# ---------------------------------------------------------------- the dealer
def test_change_from_the_pot_or_another_spot() -> None:
    table = flop(dealt(3))
    table.push(2, 100, 100)
    table.push(3, 1000)
    assert table.balance(3) == 800
    table.move(*table.carry(POT, tray(3), 100, 100, 50))

    assert meant(table) == [Meaning.CHANGE]
    assert table.balance(3) == 550

    table.move(*table.carry(spot(2), tray(3), 100))

    assert table.balance(3) == 450
    assert table.balance(2) == 0


def test_sweep_when_the_round_is_closed() -> None:
    table = dealt(2)
    table.push(1, 50)
    table.say(2, "check")
    table.sweep()

    assert meant(table) == [Meaning.SWEEP]
    assert table.hand.phase is Phase.STREET_CARD
    assert table.hand.pots[0].amount == 200


def test_sweep_of_antes_before_the_deal() -> None:
    table = Played(3, button=1, game=Stakes(blinds=(50, 100), ante=25, ante_by="each"))
    table.tell(commands.NextHand())
    table.push(1, 25)
    table.push(2, 25, 50)
    table.push(3, 25, 100)
    table.move(*table.carry(spot(1), POT, 25), *table.carry(spot(2), POT, 25), *table.carry(spot(3), POT, 25))

    assert meant(table) == [Meaning.SWEEP]
    assert table.alarms() == set()
    assert [table.balance(seat) for seat in (1, 2, 3)] == [0, 0, 0]


def test_nowhere_is_the_pot_where_no_antenna_is() -> None:
    table = dealt(2, sensors=Sensors(trays=frozenset({1, 2})))
    table.push(1, 50)
    table.say(2, "check")
    table.move(*table.carry(spot(1), held(1), 50, 50))

    assert meant(table) == [Meaning.SWEEP]
    assert table.lying(POT) == [50, 50]
    assert table.balance(1) == 0


def test_early_sweep_leaves_the_bet_and_counts_as_swept() -> None:
    table = dealt(3)
    table.push(1, 500, 100)
    table.sweep(3)

    assert meant(table) == [Meaning.EARLY_SWEEP]
    assert ("early_sweep", 3) in table.alarms()
    assert table.player(3).bet == 100

    table.fold(2)
    table.push(3, 500)

    assert table.reading().total_to == 600
    assert table.reading().must_add == 0


def test_chips_missing_from_a_bet_may_be_paid_into_the_pot() -> None:
    table = dealt(2)
    table.say(1, "call")
    table.say(2, "check")
    table.move(*table.carry(tray(1), POT, 50))

    assert meant(table) == [Meaning.PAID]
    assert table.balance(1) == 0


def test_splashed_chips_are_as_pushed() -> None:
    table = dealt(3)
    table.move(*table.carry(tray(1), POT, 500, 100))

    assert meant(table) == [Meaning.SPLASHED]
    assert table.reading().action == "raise"
    assert table.reading().total_to == 600
    assert table.balance(1) == 0


def test_chips_in_pot_out_of_turn_are_asked() -> None:
    table = dealt(3)
    table.move(*table.carry(tray(2), POT, 500))

    assert meant(table) == [Meaning.CHIPS_IN_POT]
    assert table.alarms() == {("chips_in_pot", 2)}
    assert table.player(2).bet == 50


def test_payout_from_pot_and_spots_to_the_winner() -> None:
    table = won()
    assert table.balance(1) == 500 + 600
    table.take_back(1, 500)
    assert meant(table) == [Meaning.PAYOUT]
    table.move(*table.carry(POT, tray(1), *table.lying(POT)))

    assert table.of(PotPaid)
    assert table.stacks() == [10_300, 9700]


def test_payout_from_hand_to_hand() -> None:
    table = dealt(2)
    table.say(1, "raise_to", 500)
    table.say(2, "fold")
    table.move(*table.carry(tray(2), tray(1), 50, 50))
    assert meant(table) == [Meaning.CHIPS_PASSED]

    table = dealt(2)
    table.say(1, "all_in")
    table.say(2, "call")
    table.board(*FLOP, TURN, RIVER)
    table.move(*table.carry(tray(2), tray(1), 5000))

    assert meant(table) == [Meaning.PAYOUT]


def test_pot_taken_by_somebody_else_is_an_alarm() -> None:
    table = won()
    table.move(*table.carry(POT, tray(2), 100))

    assert meant(table) == [Meaning.POT_TAKEN]
    assert table.alarms() == {("pot_taken", 2)}

    table.move(*table.carry(tray(2), POT, 100))

    assert table.alarms() == set()


# ---------------------------------------------------------------- trays and bank
def test_change_between_players_between_hands() -> None:
    table = between_hands()
    table.move(*table.carry(tray(1), tray(2), 500))

    assert meant(table) == [Meaning.BETWEEN_PLAYERS]
    assert table.stacks() == [9800, 10_200]


def test_equal_change_between_players_is_nothing_even_in_a_hand() -> None:
    table = dealt(3)
    table.move(*table.carry(tray(1), tray(2), 500), *table.carry(tray(2), tray(1), 100, 100, 100, 100, 100))

    assert meant(table) == [Meaning.SWAP]
    assert table.alarms() == set()


def test_chips_passed_in_a_hand_are_an_alarm() -> None:
    table = dealt(3)
    table.move(*table.carry(tray(1), tray(2), 500))

    assert meant(table) == [Meaning.CHIPS_PASSED]
    assert table.alarms() == {("chips_passed", 1)}
    assert table.stacks() == [10_000] * 3


def test_buy_in_between_hands() -> None:
    table = between_hands()
    table.move(*table.carry(BANK, tray(2), 500, 500))

    assert meant(table) == [Meaning.BUY_IN]
    assert table.stacks() == [10_300, 10_700]


def test_bought_in_a_hand_counts_from_the_next_one_on() -> None:
    table = dealt(2)
    table.move(*table.carry(BANK, tray(2), 500, 500))
    assert meant(table) == [Meaning.BOUGHT_IN_HAND]
    assert table.player(2).stack == 9900
    table.push(1, 500)
    table.fold(2)
    table.tell(commands.NextHand())

    assert table.state.table.seats[1].stack == 9900 + 1000


def test_a_seat_without_chips_plays_once_it_buys_in() -> None:
    table = Played(3, stacks=[10_000, 10_000, 0], button=1)
    assert not table.state.table.seats[2].playing
    table.move(*table.carry(BANK, tray(3), 5000))

    assert table.state.table.seats[2].playing
    assert table.of(SeatChanged)


def test_cash_out_between_hands() -> None:
    table = between_hands()
    table.move(*table.carry(tray(1), BANK, 1000))

    assert meant(table) == [Meaning.CASH_OUT]
    assert table.stacks() == [9300, 9700]


def test_colour_up_is_a_swap_with_the_bank() -> None:
    table = between_hands()
    table.move(*table.carry(tray(1), BANK, 100, 100, 100, 100, 100), *table.carry(BANK, tray(1), 500))

    assert meant(table) == [Meaning.SWAP]
    assert table.stacks() == [10_300, 9700]


def test_chips_that_leave_the_table_in_a_hand_are_an_alarm() -> None:
    table = dealt(3)
    table.move(*table.carry(tray(1), BANK, 1000))

    assert table.alarms() == {("chips_left", 1)}


def test_kept_between_tray_and_hand() -> None:
    table = dealt(3)
    table.move(*table.carry(tray(1), held(1), 500))

    assert meant(table) == [Meaning.KEPT]
    assert table.balance(1) == 0


def test_chips_from_the_hand_are_pushed_like_those_of_the_tray() -> None:
    table = dealt(3)
    table.move(*table.carry(tray(1), held(1), 500, 100))
    table.move(*table.carry(held(1), spot(1), 500, 100))

    assert table.reading().total_to == 600


def test_passing_cards_among_chips_are_no_event() -> None:
    table = dealt(3)
    before = table.state
    table.move(*table.carry(tray(1), BOARD, 500))

    assert table.last == ()
    assert table.state == before


# ---------------------------------------------------------------- tables without tray antennas
@pytest.mark.parametrize("origin", [BANK, POT, held(1), held(2)])
def test_without_a_tray_antenna_whatever_comes_to_the_spot_comes_from_its_player(origin: Place) -> None:
    table = dealt(3, sensors=Sensors(pot=True), house=House(confirm="never"))
    names = table.chips(held(1), 500, 100)
    table.state = replace(table.state, places={**table.state.places, **dict.fromkeys(names, origin)})
    table.move(*table.carry(origin, spot(1), 500, 100))

    assert table.reading().action == "raise"
    assert table.balance(1) == 0


@pytest.mark.parametrize("phase", list(Phase))
def test_rows_that_are_not_asked_would_not_have_known_the_move(phase: Phase) -> None:
    table = dealt(2)
    state = replace(table.state, hand=replace(table.hand, phase=phase))
    scene = Scene(state, table.values, table.sensors, lambda seat: seat == 1)
    places = [Place(zone, seat) for zone in (Zone.TRAY, Zone.SPOT, Zone.IN_HAND) for seat in (1, 2)] + [POT, BANK]
    for origin, target in itertools.permutations(places, 2):
        move = Transfer(origin, target, ("s1-500-00",), 500)
        known = [row for row in ROWS if row(scene, move) is not None]
        assert not known or known[0] in rows_for(move.target.zone), (origin, target)


def test_every_row_of_the_table_has_its_test() -> None:
    names = " ".join(name for name in globals() if name.startswith("test_"))
    for row in ROWS:
        words = {
            "pays_pot": "paid_into_the_pot",
            "payout_by_hand": "payout_from_hand_to_hand",
            "between_players": "between_players",
            "bought_in_hand": "bought_in_a_hand",
            "chips_left": "chips_that_leave",
        }
        assert words.get(row.__name__, row.__name__) in names, row.__name__


def test_a_winner_who_was_paid_posts_for_the_next_hand_like_anybody() -> None:
    table = between_hands()
    table.move(*table.carry(tray(1), spot(1), 100))  # he is the big blind now

    assert table.hand.number == 2
    assert meant(table)[-1] == Meaning.POST
    assert table.player(1).bet == 100
    assert table.balance(1) == 0


def test_bets_that_the_dealer_sweeps_late_are_no_act_of_their_player() -> None:
    table = dealt(3, sensors=Sensors())
    table.push(1, 100)
    table.push(2, 50)
    table.say(3, "check")
    table.tell(commands.NextStreet())
    assert table.hand.to_act == 2
    table.take_back(3, 100)

    assert meant(table) == [Meaning.SWEEP]
    assert table.hand.to_act == 2
    assert not table.alarms()


def test_bets_that_lie_there_when_the_hand_has_ended_are_swept() -> None:
    table = dealt(3, sensors=Sensors())
    table.push(1, 500)
    table.say(2, "fold")
    table.say(3, "fold")
    assert table.hand.phase is Phase.BETWEEN_HANDS
    table.take_back(3, 100)

    assert meant(table) == [Meaning.SWEEP]
    assert not table.alarms()


def test_a_chip_that_was_still_to_come_is_no_undercall_when_it_is_seen_after_a_raise() -> None:
    table = dealt(3)
    table.say(1, "raise_to", 250)
    table.say(2, "raise_to", 1000)
    table.fold(3)
    table.push(1, 500)  # for the 250 that he said: he is in turn again, and faces 1000

    assert meant(table) == [Meaning.PAID]
    assert table.player(1).bet == 250
    assert table.balance(1) == 250
    assert table.hand.to_act == 1


def test_chips_that_pay_and_call_are_judged_whole() -> None:
    table = dealt(3)
    table.say(1, "raise_to", 250)
    table.say(2, "raise_to", 1000)
    table.fold(3)
    table.push(1, 1000)

    assert meant(table) == [Meaning.PUSH]
    assert table.reading().action == "call"
    assert table.balance(1) == 0


def test_chips_taken_as_change_are_judged_when_they_are_pushed_again_in_the_same_round() -> None:
    table = dealt(3)
    table.say(1, "call")
    table.push(1, 100, 100)
    chip = table.chips(spot(1), 100)[0]
    table.move(Moved(chip, spot(1), tray(1)))
    table.say(2, "raise_to", 200)
    table.fold(3)
    table.move(Moved(chip, tray(1), spot(1)))

    assert (table.reading().action, table.reading().total_to) == ("call", 200)


def test_a_chip_that_was_counted_and_undone_is_new_when_it_comes_again() -> None:
    table = dealt(3)
    table.push(1, 500)
    table.tell(commands.Undo())
    chip = table.chips(spot(1), 500)[0]
    table.move(Moved(chip, spot(1), tray(1)))
    table.move(Moved(chip, tray(1), spot(1)))
    assert (table.reading().action, table.reading().total_to) == ("call", 100)

    table.say(2, "fold")
    table.move(Moved(chip, spot(1), tray(1)))
    table.tell(commands.Undo())
    table.tell(commands.Undo())
    table.move(Moved(chip, tray(1), spot(1)))
    assert table.reading().action == "call"


# ---------------------------------------------------------------- both ways in one motion
def at_once(table: Played, *ways: tuple[Place, Place, tuple[int, ...]]) -> set[tuple[str, int | None]]:
    """Chips that go several ways in one motion; the alarms of it, those that are over at once too."""
    table.move(*[move for origin, target, wanted in ways for move in table.carry(origin, target, *wanted)])
    return {(event.key, event.seat) for event in table.last if isinstance(event, Alarmed)}


def test_change_taken_with_the_chips_of_a_word_is_due_though_they_came_in_the_same_motion() -> None:
    table = dealt(3)
    table.fold(1)
    table.say(2, "raise_to", 300)

    assert not at_once(table, (tray(2), spot(2), (500,)), (spot(2), tray(2), (50,)))
    assert set(meant(table)) == {Meaning.PAID, Meaning.CHANGE_TAKEN}
    assert (table.player(2).bet, table.balance(2)) == (300, 200)


def test_more_than_the_change_taken_in_one_motion_is_still_an_alarm() -> None:
    table = dealt(3)
    table.push(1, 100)
    table.push(2, 50)
    table.say(3, "raise_to", 300)

    assert at_once(table, (tray(3), spot(3), (100, 100)), (spot(3), tray(3), (100,))) == {("chips_missing", 3)}
    assert table.balance(3) == -100


def test_change_for_a_push_may_come_in_the_same_motion_from_another_bet() -> None:
    table = dealt(3)
    table.push(1, 500, 500)
    table.push(2, 500, 500)
    ways = (tray(3), spot(3), (5000,)), (spot(1), tray(3), (500, 500)), (spot(2), tray(3), (500, 500))

    assert not at_once(table, *ways)
    assert table.reading().action == "call"
    assert (table.player(3).bet, table.balance(3)) == (1000, 2100)


def test_change_for_a_post_may_come_in_the_same_motion_from_the_dealer() -> None:
    table = Played(3, button=1)
    table.tell(commands.NextHand())

    assert not at_once(table, (tray(3), spot(3), (500,)), (BANK, tray(3), (100, 100, 100, 100)))
    assert set(meant(table)) == {Meaning.POST, Meaning.CHANGE}
    assert (table.player(3).bet, table.balance(3)) == (100, 0)
    assert table.state.table.seats[2].bought == 0


def test_a_winner_may_be_paid_with_a_larger_chip_and_give_the_change_in_the_same_motion() -> None:
    table = dealt(2)
    table.say(1, "raise_to", 1000)
    table.push(1, 500, 100, 100, 100, 100, 50)
    table.say(2, "call")
    table.push(2, 1000)
    table.take_back(2, 100)
    table.sweep()
    for number in (3, 4, 5):
        table.board(*("Ac", "Kc", "Qc", "Jc", "Tc")[:number])
        table.say(2, "check")
        table.say(1, "check")
    table.tell(commands.Show(None))
    assert [(share.seat, share.amount) for share in table.hand.owed] == [(2, 1000), (1, 1000)]

    assert not at_once(table, (POT, tray(1), (1000, 100)), (tray(1), POT, (100,)))
    assert not at_once(table, (POT, tray(2), tuple(table.lying(POT))))
    assert table.hand.phase is Phase.BETWEEN_HANDS
