"""Phases: the hand as the sensors see it, and with each kind of antenna missing in turn."""

import pytest

from controller import commands
from controller.games.catalog import game
from controller.places import POT, Moved
from controller.table.events import (
    BetsSwept,
    DealingEnded,
    Event,
    HandEnded,
    HandsShown,
    HandStarted,
    PotAwarded,
    Ruled,
)
from controller.table.inputs import CountedIn
from controller.table.phases import LEADS_TO, VOIDED, Phase
from controller.table.setup import House, Sensors
from tests.controller.engine.played import CARDS, FLOP, RIVER, TURN, Played, chip, dealt, full, held, spot, tray

SEATS = 3
EVERYWHERE = frozenset(range(1, SEATS + 1))


# ---------------------------------------------------------------- how phases begin and end
def test_no_cards_or_chips_start_a_hand_before_everything_was_counted_in() -> None:
    table = Played(SEATS)
    table.state = table.engine.initial(SEATS, table.game)
    for seat in EVERYWHERE:
        table.tell(commands.SetStack(seat, 1000))
    table.deal(2, "As")
    table.move(Moved(chip(2, 50, 0), tray(2), spot(2)))
    assert table.state.hand is None
    table.give(CountedIn(0, {}))
    table.deal(3, "Ks")

    assert table.of(HandStarted)


def test_a_key_starts_a_hand_even_before_the_count() -> None:
    table = Played(SEATS)
    table.state = table.engine.initial(SEATS, table.game)
    for seat in EVERYWHERE:
        table.tell(commands.SetStack(seat, 1000))
    table.tell(commands.NextHand())

    assert table.hand.phase is Phase.POSTING


def test_the_first_card_on_a_hole_antenna_starts_a_hand() -> None:
    table = Played(SEATS, button=1)
    table.deal(2, "As")

    assert table.of(HandStarted)
    assert table.state.cards[1] == ("As",)


def test_a_post_starts_a_hand() -> None:
    table = Played(SEATS, button=1)
    table.push(1, 100)
    assert not table.of(HandStarted)  # the button owes no post
    table.push(2, 50)

    assert table.of(HandStarted)
    assert table.player(2).bet == 50


def test_only_a_key_starts_a_hand_where_the_house_says_so() -> None:
    table = Played(SEATS, button=1, house=House(hand_start="say", confirm="never"))
    table.push(2, 50)
    table.deal(2, "As")
    assert table.state.hand is None
    table.tell(commands.NextHand())

    assert table.player(2).bet == 50  # the chips that lay there are the post


@pytest.mark.parametrize(
    ("why", "commands_before"),
    [
        ("too_few_players", (commands.SeatOut(2), commands.SeatOut(3))),
        ("paused", (commands.Pause(),)),
        ("hand_running", (commands.NextHand(),)),
    ],
)
def test_a_hand_that_may_not_start_is_refused(why: str, commands_before: tuple[commands.Command, ...]) -> None:
    table = Played(SEATS)
    for command in commands_before:
        table.tell(command)
    table.tell(commands.NextHand())

    assert table.refused() == why


def test_betting_opens_when_two_cards_lie_at_each_seat() -> None:
    table = Played(SEATS, button=1)
    table.tell(commands.NextHand())
    for seat in EVERYWHERE:
        table.deal(seat, CARDS[seat][0])
    assert table.hand.phase is Phase.POSTING
    table.push(2, 50)
    table.push(3, 100)
    assert table.hand.phase is Phase.DEALING
    for seat in EVERYWHERE:
        table.deal(seat, *CARDS[seat])

    assert table.of(DealingEnded)
    assert table.hand.to_act == 1


def test_the_first_action_opens_the_betting_and_missing_posts_are_booked() -> None:
    table = Played(SEATS, button=1)
    table.tell(commands.NextHand())
    table.push(2, 50)
    table.push(1, 500, 100)

    assert table.of(DealingEnded)
    assert table.reading().total_to == 600
    assert table.player(3).bet == 100
    assert table.balance(3) == -100


def test_a_key_opens_the_betting() -> None:
    table = Played(SEATS, button=1)
    table.tell(commands.NextHand())
    table.tell(commands.NextStreet())

    assert table.hand.to_act == 1


def test_an_oversized_chip_as_blind_is_change_due_and_a_prior_chip() -> None:
    """TDA 2024 46: 1000 posted as the big blind of 100; facing 700 any chip added is judged with it."""
    table = Played(SEATS, button=1, sensors=Sensors(trays=EVERYWHERE))
    table.tell(commands.NextHand())
    table.push(2, 50)
    table.push(3, 1000)
    assert table.balance(3) == 900
    table.push(1, 500, 100, 100)
    table.fold(2)
    table.say(2, "fold")
    table.push(3, 25)

    assert table.reading().action == "raise"
    assert table.reading().total_to == 1300


def test_a_street_opens_at_exactly_three_resting_cards() -> None:
    table = dealt(2)
    table.push(1, 50)
    table.say(2, "check")
    table.sweep()
    table.board("2c")
    table.board("2c", "5d")
    assert table.hand.row.name == "preflop"
    table.board(*FLOP)

    assert table.hand.row.name == "flop"
    assert table.hand.board == FLOP


def test_a_board_card_while_somebody_owes_is_an_alarm_until_he_acts() -> None:
    table = dealt(2)
    table.board(*FLOP)
    assert table.alarms() == {("board_early", None)}
    assert table.hand.row.name == "preflop"
    table.push(1, 50)
    assert table.hand.row.name == "preflop"
    table.say(2, "check")

    assert table.hand.row.name == "flop"
    assert table.alarms() == set()


def test_bets_count_as_swept_when_the_next_street_opens() -> None:
    table = dealt(2)
    table.push(1, 50)
    table.say(2, "check")
    assert table.hand.phase is Phase.SWEEPING
    table.board(*FLOP)

    assert table.of(BetsSwept)
    assert table.hand.to_act == 2
    assert table.balance(1) == 0
    table.push(2, 100, 100)
    assert table.reading().total_to == 200


def test_chips_of_the_last_street_that_still_lie_there_are_no_prior_chips() -> None:
    table = dealt(2)
    table.push(1, 50)
    table.say(2, "check")
    table.board(*FLOP)
    table.push(2, 100, 100)
    table.push(1, 500)

    assert (table.reading().action, table.reading().change_due) == ("call", 300)


def test_all_in_and_called_tables_all_hands_and_runs_the_board_out() -> None:
    """TDA 2024 16."""
    table = dealt(2)
    table.say(1, "all_in")
    table.say(2, "call")
    assert [shown.seat for shown in table.of(HandsShown)] == [2, 1]
    assert table.hand.to_act is None
    table.board(*FLOP)
    table.board(*FLOP, TURN)
    table.board(*FLOP, TURN, RIVER)

    (award,) = table.of(PotAwarded)
    assert award.why == "best_hand"
    assert [(share.seat, share.amount) for share in award.shares] == [(1, 20_000)]


def test_a_run_out_may_be_dealt_at_once() -> None:
    table = dealt(2)
    table.say(1, "all_in")
    table.say(2, "call")
    table.board(*FLOP, TURN, RIVER)

    assert table.of(PotAwarded)


def test_a_bet_that_nobody_called_goes_back_before_the_run_out() -> None:
    table = dealt(2, stacks=[10_000, 3000])
    table.push(1, 5000)
    table.say(1, "all_in")
    table.say(2, "all_in")

    assert table.player(1).committed == 3000
    assert table.balance(1) == 2050
    assert table.hand.phase is Phase.SWEEPING


def test_the_next_hand_may_start_before_the_pot_is_paid_and_what_is_open_is_named() -> None:
    table = dealt(2)
    table.push(1, 500)
    table.say(1, "raise_to", 500)
    table.fold(2)
    assert table.hand.phase is Phase.PAYING
    table.tell(commands.NextHand())

    assert table.hand.number == 2
    assert table.of(HandEnded)
    assert ("payout", 1) in table.alarms()
    table.move(*table.carry(spot(2), tray(1), 100), *table.carry(spot(1), tray(1), *table.lying(spot(1))))
    assert ("payout", 1) not in table.alarms()


def test_no_event_leads_to_a_phase_that_the_table_does_not_know() -> None:
    table = dealt(3)
    before = table.hand.phase
    script = [
        lambda: table.push(1, 100),
        lambda: table.push(2, 50),
        lambda: table.say(3, "check"),
        table.sweep,
        lambda: table.board(*FLOP),
        lambda: table.say(2, "all_in"),
        lambda: table.say(3, "call"),
        lambda: table.fold(1),
        lambda: table.board(*FLOP, TURN),
        lambda: table.board(*FLOP, TURN, RIVER),
        lambda: table.tell(commands.NextHand()),
    ]
    for step in script:
        replayed = table.state
        step()
        for event in table.last:
            replayed = table.engine.evolve(replayed, event)
            after = replayed.hand.phase if replayed.hand else Phase.BETWEEN_HANDS
            assert after is before or after in LEADS_TO[before] or after is VOIDED, (before, after, event)
            before = after


def test_an_old_board_opens_no_street_of_the_next_hand() -> None:
    table = play_a_hand(full(SEATS))
    table.tell(commands.NextHand())
    for _ in range(3):
        table.say(None, "all_in")
    assert table.hand.row.name == "preflop"
    table.board()
    table.board("2d", "5h", "8d")

    assert table.hand.board == ("2d", "5h", "8d")


def test_streets_open_at_three_four_and_five() -> None:
    assert [game().opened_by(count) for count in range(7)] == [None, None, None, 1, 2, 3, None]
    assert [street.name for street in game().streets] == ["preflop", "flop", "turn", "river"]


# ---------------------------------------------------------------- each antenna kind missing
MISSING: dict[str, Sensors] = {
    "none": full(SEATS),
    "trays": Sensors(holes=EVERYWHERE, pot=True, muck=True, board=True),
    "pot": Sensors(trays=EVERYWHERE, holes=EVERYWHERE, muck=True, board=True),
    "muck": Sensors(trays=EVERYWHERE, holes=EVERYWHERE, pot=True, board=True),
    "hole": Sensors(trays=EVERYWHERE, pot=True, muck=True, board=True),
    "board": Sensors(trays=EVERYWHERE, holes=EVERYWHERE, pot=True, muck=True),
    "all but the spots": Sensors(),
}


def sweep_seen(table: Played, sensors: Sensors) -> None:
    for seat in EVERYWHERE:
        target = POT if sensors.pot else held(seat)
        table.move(*table.carry(spot(seat), target, *table.lying(spot(seat))))


def play_a_hand(sensors: Sensors) -> Played:
    """Seat 1 raises to 600, seat 2 folds, seat 3 calls; checked down; seat 1 has aces and wins 1250."""
    table = Played(SEATS, button=1, sensors=sensors)
    table.tell(commands.NextHand())
    table.push(2, 50)
    table.push(3, 100)
    for seat in sensors.holes:
        table.deal(seat, *CARDS[seat])
    assert table.hand.phase is Phase.BETTING
    table.push(1, 500, 100)
    if sensors.muck and sensors.holes:
        table.fold(2)
    else:
        table.say(2, "fold")
    table.push(3, 500)
    assert table.hand.phase is Phase.SWEEPING
    sweep_seen(table, sensors)
    assert table.hand.pots[0].amount == 1250
    for cards in (FLOP, (*FLOP, TURN), (*FLOP, TURN, RIVER)):
        if sensors.board:
            table.board(*cards)
        else:
            table.tell(commands.NextStreet())
    table.say(3, "check")
    table.say(1, "check")
    assert table.hand.phase is Phase.SHOWDOWN
    table.tell(commands.Show(None))
    if not (sensors.board and sensors.holes):
        assert not any(isinstance(event, PotAwarded) for event in table.log)
        table.tell(commands.Award(0, (1,)))
    return table


@pytest.mark.parametrize("missing", MISSING)
def test_a_hand_can_be_played_without(missing: str) -> None:
    sensors = MISSING[missing]
    table = play_a_hand(sensors)
    awards = [event for event in table.log if isinstance(event, PotAwarded)]

    assert [(share.seat, share.amount) for event in awards for share in event.shares] == [(1, 1250)]
    assert (table.hand.phase is Phase.PAYING) == (sensors.pot and bool(sensors.trays))
    table.tell(commands.NextHand())
    assert [seat.stack for seat in table.state.table.seats] == [10_650, 9950, 9400]
    assert {ruled.reading.action for ruled in of(table.log, Ruled)} == {"raise", "fold", "call", "check"}
    assert not {key for key, _ in table.alarms()} - {"payout"}


def of(log: list[Event], kind: type) -> list[Event]:
    return [event for event in log if isinstance(event, kind)]


def test_without_a_tray_antenna_change_that_was_due_counts_as_given_when_the_bet_is_swept() -> None:
    table = Played(SEATS, button=1, sensors=Sensors())
    table.tell(commands.NextHand())
    table.push(2, 50)
    table.push(3, 100)
    table.push(1, 1000)
    assert table.balance(1) == 900
    table.say(2, "fold")
    table.say(3, "check")
    table.move(*table.carry(spot(1), held(1), 1000))

    assert table.balance(1) == 0
