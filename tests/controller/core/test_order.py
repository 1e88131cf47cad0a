"""The core rules pushes in turn order: what is not final holds back what comes behind it, and what ends it early."""

from msgspec.structs import replace

from controller import commands
from controller.places import MUCK, POT, Place, Zone
from controller.rulings.values import Word
from controller.table.events import Asked, BetsSwept, Ruled, StreetOpened
from controller.table.setup import House
from controller.tracking.events import CardsRested, MotionChanged
from tests.controller.core_table import FLOP, HANDS, SPOTS_ONLY, CoreTable, chip, counted, dealt, spot, tray


def flop(seats: int = 3, **options: object) -> CoreTable:
    """Everybody called, bets swept, three cards lie: seat 2 to act."""
    table = dealt(seats, **options)
    to_act = table.hand.to_act
    order = [*range(1, seats + 1), *range(1, seats + 1)]
    for seat in order[order.index(to_act) : order.index(to_act) + seats]:
        if seat == 2:
            table.push(seat, 50)
        elif seat != 3:
            table.push(seat, 100)
        else:
            table.say(seat, "check")
        table.still()
    table.sweep()
    table.still()
    table.board(*FLOP)
    table.until(lambda: table.hand.row.name == "flop")
    table.still()
    table.log.clear()
    return table


# ---------------------------------------------------------------- final
def test_a_push_is_final_after_quiet_and_not_before() -> None:
    table = dealt()
    table.push(1, 500, 100)
    table.run(1200)
    assert table.core.previews()[0].ruling is not None
    assert table.rulings() == []
    table.still()
    assert table.rulings() == [(1, "raise", 600)]


def test_chips_of_one_motion_that_come_one_by_one_are_one_push() -> None:
    table = dealt()
    table.push(1, 500)
    table.run(700)
    table.push(1, 100)
    table.still()
    assert table.rulings() == [(1, "raise", 600)]


def test_a_chip_cut_out_and_taken_back_is_no_push() -> None:
    table = dealt()
    table.push(1, 500)
    table.run(800)
    assert table.core.previews()
    table.take_back(1, 500)
    table.still()
    assert table.core.previews() == []
    assert table.rulings() == []
    assert not table.alarms()


# ---------------------------------------------------------------- in turn order
def test_a_push_behind_one_that_is_not_final_waits_for_it() -> None:
    table = dealt()
    table.push(2, 50)
    table.run(1700)  # the small blind was too quick, and nothing more comes there
    table.push(1, 100)
    table.run(900)
    table.still()
    assert table.rulings() == [(1, "call", 100), (2, "call", 100)]


def test_pushes_that_overlap_are_ruled_in_turn_and_not_as_they_came() -> None:
    table = dealt()
    table.push(2, 500)
    table.run(100)
    table.push(1, 500)
    table.still()
    assert [seat for seat, _, _ in table.rulings()] == [1, 2]
    assert table.rulings()[0] == (1, "call", 100)


def test_three_who_push_at_once_are_ruled_clockwise_from_the_seat_to_act() -> None:
    table = dealt(4)
    assert table.hand.to_act == 4
    for seat, value in ((2, 50), (1, 100), (4, 100)):
        table.push(seat, value)
    table.still()
    assert table.rulings() == [(4, "call", 100), (1, "call", 100), (2, "call", 100)]


def test_the_act_of_the_next_player_settles_a_push() -> None:
    table = dealt()
    table.push(1, 100)
    table.run(900)
    assert table.rulings() == []
    table.push(2, 50)
    table.run(500)
    assert table.rulings() == [(1, "call", 100)], "within 1.5 s of quiet: the small blind's chips did it"


def test_the_act_of_a_player_further_on_settles_nothing() -> None:
    table = dealt(4)
    table.push(4, 100)
    table.run(900)
    table.push(2, 50)
    table.run(500)
    assert table.rulings() == []
    table.still()
    assert table.rulings()[0] == (4, "call", 100)


def test_a_chip_behind_the_next_players_first_is_no_reason_to_hurry() -> None:
    """Seat 2 began before the last chip of seat 1 had come: his chips do not say that seat 1 was done."""
    table = dealt()
    table.push(1, 500)
    table.run(300)
    table.push(2, 50)
    table.run(300)
    table.push(1, 100)
    table.still()
    assert table.rulings()[0] == (1, "raise", 600)


def test_change_that_the_next_player_takes_back_is_no_act_of_his() -> None:
    table = counted()
    table.tell(commands.NextHand())
    table.push(2, 25, 25, 25)
    table.push(3, 100)
    table.still()
    for seat in (1, 2, 3):
        table.deal(seat, *({1: ("As", "Ah"), 2: ("Ks", "Kh"), 3: ("Qs", "Qh")}[seat]))
    table.until(lambda: table.hand.phase == "betting")
    table.log.clear()
    table.push(1, 500)
    table.run(600)
    table.take_back(2, 25)
    table.run(800)
    table.push(1, 100)
    table.still()
    assert table.rulings()[0] == (1, "raise", 600)


def test_a_word_of_the_next_player_settles_a_push_and_is_ruled_behind_it() -> None:
    table = dealt()
    table.push(1, 100)
    table.run(900)
    table.say(2, "call")
    assert table.rulings() == [(1, "call", 100), (2, "call", 100)]


def test_a_word_behind_a_half_read_chip_waits_for_it() -> None:
    """Nothing undecided is ever cut off: the second chip has been read once, and belongs to the push."""
    table = dealt()
    table.push(1, 500)
    table.run(800)
    table.push(1, 100)
    table.run(100)
    assert table.say(2, "call") == []
    assert table.core.settling
    table.still()
    assert table.rulings()[:2] == [(1, "raise", 600), (2, "call", 600)]


def test_a_fold_behind_a_push_settles_it_and_comes_second() -> None:
    table = dealt()
    table.push(1, 500, 100)
    table.run(900)
    table.muck(2)
    table.run(600)
    assert table.rulings() == [(1, "raise", 600), (2, "fold", 50)]


def test_a_player_who_pushes_and_throws_his_cards_away_has_called_first() -> None:
    table = dealt(4)
    table.push(4, 100)
    table.run(600)
    table.muck(4)
    table.still()
    assert table.rulings() == [(4, "call", 100), (4, "fold", 100)]


def test_two_hands_thrown_away_together_fold_in_turn() -> None:
    table = dealt(4)
    table._keep(table.core._tracked([CardsRested(table.ns, MUCK, tuple(sorted((*HANDS[1], *HANDS[4]))))]))
    assert table.rulings() == [(4, "fold", 0), (1, "fold", 0)]


def test_two_hands_in_the_muck_behind_an_open_push_fold_behind_it() -> None:
    table = dealt(4)
    table.push(4, 500)
    table.run(200)
    table.muck(2)
    table.run(600)
    table.muck(1)
    table.still()
    assert [seat for seat, _, _ in table.rulings()] == [4, 1, 2]


# ---------------------------------------------------------------- a silent check, and the bet that comes straight back
def test_who_let_his_turn_pass_and_calls_the_bet_behind_him_checked_and_called() -> None:
    table = flop()
    assert table.hand.to_act == 2
    table.push(3, 500)
    table.run(900)
    table.push(1, 500)
    table.run(900)
    table.push(2, 500)
    table.still()
    assert table.rulings() == [(2, "check", 0), (3, "bet", 500), (1, "call", 500), (2, "call", 500)]


def test_the_first_sighting_says_who_bet_first_though_his_chips_are_decided_later() -> None:
    table = flop()
    bet = table.push(1, 500)
    table.run(300)
    table.hidden.update(bet)
    table.run(400)
    table.push(2, 500)
    table.run(200)
    table.hidden.clear()
    table.still()
    assert table.rulings() == [(2, "check", 0), (3, "check", 0), (1, "bet", 500), (2, "call", 500)]


def test_a_lone_chip_seen_soon_behind_a_bet_is_ruled_clockwise_for_it_may_have_been_missed() -> None:
    table = flop()
    table.push(3, 500)
    table.run(300)
    table.push(2, 500)
    table.still()
    assert table.rulings()[:2] == [(2, "bet", 500), (3, "call", 500)]


def test_several_chips_seen_soon_behind_a_bet_came_behind_it() -> None:
    table = flop()
    table.push(3, 500)
    table.run(300)
    table.push(2, 100, 100, 100, 100, 100)
    table.still()
    assert table.rulings()[:2] == [(2, "check", 0), (3, "bet", 500)]


def test_chips_seen_in_the_same_round_are_ruled_clockwise() -> None:
    table = flop()
    table.push(3, 500)
    table.push(2, 100, 100, 100, 100, 100)
    table.still()
    assert table.rulings()[:2] == [(2, "bet", 500), (3, "call", 500)]


def test_who_let_his_turn_pass_and_throws_his_hand_away_behind_a_bet_checked_and_folded() -> None:
    table = flop()
    table.push(3, 500)
    table.run(900)
    table.muck(1)
    table.muck(2)
    table.still()
    assert table.rulings() == [(2, "check", 0), (3, "bet", 500), (1, "fold", 0), (2, "fold", 0)]


def test_a_call_said_behind_a_bet_that_is_not_final_answers_that_bet() -> None:
    table = flop()
    table.push(1, 500)
    table.run(900)
    table.say(2, "call")
    assert not table.refused()
    table.still()
    assert table.rulings() == [(2, "check", 0), (3, "check", 0), (1, "bet", 500), (2, "call", 500)]


def test_a_check_that_the_dealer_says_late_comes_before_the_bet_behind_it() -> None:
    table = flop()
    table.push(3, 500)
    table.run(900)
    table.say(2, "check")
    assert not table.refused()
    table.still()
    assert table.rulings() == [(2, "check", 0), (3, "bet", 500)]


# ---------------------------------------------------------------- the same player again, while his first push is open
def raised_behind_a_doubtful_bet() -> CoreTable:
    """Seat 1 bet 100, and a chip that left his tray with it is nowhere; seat 2 raised to 500."""
    table = flop()
    table.say(2, "check")
    table.say(3, "fold")
    table.push(1, 100)
    table.move(table.chips(tray(1), 25), Place(Zone.IN_HAND, 1))
    table.run(1500)
    table.push(2, 100, 100, 100, 100, 100)
    table.run(1700)
    assert [seat for seat, _, _ in table.rulings()[2:]] == [], "the doubtful chip holds the bet open"
    return table


def test_chips_that_lay_on_the_tray_when_the_next_player_had_acted_are_a_push_of_their_own() -> None:
    table = raised_behind_a_doubtful_bet()
    table.push(1, 100, 100, 100, 100)
    table.run(700)
    table.move(table.chips(Place(Zone.IN_HAND, 1), 25), tray(1))
    table.still()
    assert table.rulings()[2:] == [(1, "bet", 100), (2, "raise", 500), (1, "call", 500)]


def test_a_chip_that_was_gone_from_the_tray_before_the_next_player_acted_belongs_to_the_first_push() -> None:
    table = raised_behind_a_doubtful_bet()
    table.move(table.chips(Place(Zone.IN_HAND, 1), 25), spot(1))
    table.still()
    assert table.rulings()[2] == (1, "bet", 125)


def test_an_act_that_is_settled_when_it_is_first_told_ends_the_push_before_it() -> None:
    table = raised_behind_a_doubtful_bet()
    table.run(1500)
    question = table.asked()
    assert question is not None, "no longer than a chip may be held"
    assert [(one.reading and one.reading.total_to) for one in question.worlds] == [100, 125]
    table.tell(commands.Answer(reading=1))
    table.still()
    assert table.rulings()[2:] == [(1, "bet", 100), (2, "raise", 500)]


# ---------------------------------------------------------------- splashed
def test_chips_thrown_into_the_pot_wait_for_the_push_before_them() -> None:
    table = dealt()
    table.push(1, 100)
    table.run(700)
    table.move(table.chips(tray(2), 50), POT)
    table.still()
    assert table.rulings() == [(1, "call", 100), (2, "call", 100)]
    assert not table.alarms()


def test_chips_thrown_half_on_the_spot_and_half_into_the_pot_are_ruled_once() -> None:
    table = flop()
    for seat in (2, 3):
        table.say(seat, "check")
    table.push(1, 100)
    table.run(300)
    table.move(table.chips(tray(1), 50), POT)
    table.still()
    assert table.rulings()[-1] == (1, "bet", 150)
    assert not table.alarms()


# ---------------------------------------------------------------- the dealer's acts
def test_the_sweep_of_its_chips_settles_a_push() -> None:
    table = flop()
    for seat in (2, 3):
        table.say(seat, "check")
    table.push(1, 500)
    table.still()
    table.say(2, "fold")
    table.push(3, 500)
    table.run(900)
    assert table.rulings()[-1][0] == 2
    table.sweep(1, 3)
    table.run(700)
    assert table.rulings()[-1] == (3, "call", 500)
    table.run(2000)
    assert any(isinstance(event, BetsSwept) for event in table.log)
    assert not table.alarms()


def test_a_board_card_settles_the_last_push_of_the_round() -> None:
    table = flop()
    for seat in (2, 3):
        table.say(seat, "check")
    table.push(1, 500)
    table.still()
    table.say(2, "fold")
    table.push(3, 500)
    table.run(900)
    table.board("3d")
    table.run(600)
    assert table.rulings()[-1] == (3, "call", 500)
    assert [event.street for event in table.log if isinstance(event, StreetOpened)] == ["turn"]
    assert not table.alarms()


def test_a_push_of_who_has_no_turn_left_answers_the_next_card_and_does_not_hold_it_back() -> None:
    """Everybody checked, the last one without a sign; the card was read late, when the next bet lay there already."""
    table = flop()
    for seat in (2, 3):
        table.say(seat, "check")
    table.hidden.add("3d")
    table.board("3d")
    table.run(500)
    table.push(2, 100, 100)
    table.run(300)
    table.hidden.clear()
    table.still()
    assert table.rulings() == [(2, "check", 0), (3, "check", 0), (1, "check", 0), (2, "bet", 200)]
    assert not table.alarms()


def test_a_board_card_waits_while_a_chip_is_undecided() -> None:
    table = flop()
    for seat in (2, 3):
        table.say(seat, "check")
    table.push(1, 500)
    table.still()
    table.say(2, "fold")
    table.push(3, 100)
    table.run(200)
    table.board("3d")
    table.run(500)
    table.push(3, 100, 100, 100, 100)
    table.still()
    assert table.rulings()[-1] == (3, "call", 500)
    assert table.hand.row.name == "turn"
    assert not table.alarms()


def test_the_street_key_settles_the_last_push_as_a_card_does() -> None:
    table = dealt(zones=SPOTS_ONLY)
    table.push(1, 100)
    table.still()
    table.push(2, 50)
    table.still()
    table.push(3, 25)
    table.run(300)
    table.take_back(3, 25)
    table.still()
    table.say(3, "check")
    table.tell(commands.NextStreet())
    assert table.hand.row.name == "flop"
    table.log.clear()
    for seat in (2, 3):
        table.say(seat, "check")
    table.push(1, 500)
    table.still()
    table.say(2, "fold")
    table.push(3, 500)
    table.run(900)
    assert table.tell(commands.NextStreet())
    assert table.refused() is None
    assert table.hand.row.name == "turn"


def test_the_street_key_waits_for_a_half_read_chip() -> None:
    table = dealt(zones=SPOTS_ONLY)
    table.push(1, 100)
    table.still()
    table.say(2, "fold")
    table.say(3, "check")
    table.tell(commands.NextStreet())
    table.say(3, "bet", 100)
    table.push(3, 100)
    table.still()
    table.push(1, 50)
    table.run(800)
    table.push(1, 50)
    table.run(300)
    table.tell(commands.NextStreet())
    assert table.refused() is None
    assert table.hand.row.name == "flop"
    table.still()
    assert (table.hand.row.name, table.rulings()[-1]) == ("turn", (1, "call", 100))


def test_a_late_sweep_of_an_earlier_round_is_no_act_and_ends_no_push() -> None:
    table = dealt()
    for seat, value in ((1, 100), (2, 50)):
        table.push(seat, value)
        table.still()
    table.say(3, "check")
    table.board(*FLOP)
    table.until(lambda: table.hand.row.name == "flop")
    table.still()
    table.log.clear()
    table.push(2, 500)
    table.run(300)
    table.sweep(3)
    table.run(800)
    assert table.rulings() == []
    table.push(2, 100)
    table.still()
    assert table.rulings() == [(2, "bet", 600)]
    assert not table.alarms()
    assert all(
        table.core.state.places[chip] == POT for chip in table.where if table.where[chip] == POT and chip[0] == "s"
    )


# ---------------------------------------------------------------- questions
def test_a_question_stops_the_game_until_it_is_answered() -> None:
    """The next hand that is thrown away, or the chips of the next player, are not ruled before it."""
    table = dealt(4, house=House(confirm="always"))
    table.push(4, 500)
    table.run(1200)
    table.still()
    assert table.asked() is not None
    table.muck(2)
    table.run(800)
    assert table.rulings() == []
    assert table.core.settling
    table.tell(commands.Confirm())
    assert table.rulings() == [(4, "call", 100), (2, "fold", 50)]


def test_the_next_players_chips_are_the_agreement_where_nothing_else_is_asked() -> None:
    table = dealt(house=House(confirm="always"))
    table.push(1, 100)
    table.still()
    assert table.asked() is not None
    table.push(2, 50)
    table.still()
    assert table.rulings()[0] == (1, "call", 100)


def test_the_next_players_word_or_fold_is_the_agreement_too() -> None:
    for act in ("call", "fold", "muck"):
        table = dealt(house=House(confirm="always"))
        table.push(1, 100)
        table.still()
        assert table.asked() is not None
        if act == "muck":
            table.muck(2)
            table.run(800)
        else:
            table.say(2, act)  # type: ignore[arg-type]
        assert table.refused() is None
        assert table.rulings()[0] == (1, "call", 100)
        assert table.rulings()[1][:2] == (2, "call" if act == "call" else "fold")


def test_a_word_behind_a_push_that_will_be_asked_about_is_no_word_out_of_turn() -> None:
    """The push is open, its ruling will wait for agreement, and the next player raises: he agrees."""
    table = dealt(house=House(confirm="always"))
    table.push(1, 500)
    table.run(900)
    table.say(2, "raise_to", 800)
    assert table.refused() is None
    table.still()
    assert table.rulings() == [(1, "call", 100), (2, "raise", 800)]


def test_a_word_further_on_is_no_agreement() -> None:
    table = dealt(4, house=House(confirm="always"))
    table.push(4, 100)
    table.still()
    table.say(2, "call")
    assert table.refused() == "out_of_turn"
    assert table.asked() is not None


def test_nobody_agrees_by_acting_to_a_push_with_a_doubtful_chip() -> None:
    table = dealt(house=House(confirm="fragile"))
    names = table.push(1, 500, 100)
    table.hidden.add(names[1])
    table.run(6500)
    assert table.rulings() == []
    table.push(2, 50)
    table.run(3000)
    question = table.asked()
    assert question is not None
    assert question.why == "worlds"
    assert table.rulings() == []
    table.tell(commands.Confirm())
    assert table.refused() == "choose_a_number", "Enter never says where a chip lies"
    table.tell(commands.Answer(action="call", total_to=100))
    table.still()
    assert [seat for seat, _, _ in table.rulings()] == [1, 2]


# ---------------------------------------------------------------- chips in the air
def test_the_moves_of_one_chip_stay_in_order() -> None:
    """A chip pushed out of turn and swept at once: its sweep is not handed on before its push."""
    table = dealt()
    table.push(1, 500)
    table.run(100)
    moved = table.push(2, 50)
    table.run(700)
    table.move(moved, POT)
    table.still()
    table.run(2000)
    assert table.core.state.places[moved[0]] == POT
    assert table.rulings()[0][0] == 1


def test_a_motion_told_before_it_was_closed_is_not_opened_again() -> None:
    table = dealt()
    table.push(1, 100)
    table.run(900)
    (number, motion), *_ = table.core.open.items()
    table.core._settle([number], table.ns)
    table.core._motion(MotionChanged(table.ns, motion))
    assert table.core.open == {}


def test_words_come_before_the_chips_of_the_same_player_that_wait() -> None:
    table = dealt()
    table.push(2, 500)
    table.run(700)
    table.push(1, 100)
    table.run(700)
    table.say(2, "raise")
    table.still()
    assert table.rulings() == [(1, "call", 100), (2, "raise", 550)]
    ruled = [event for event in table.log if isinstance(event, Ruled)]
    assert ruled[1].word == Word("raise")


def test_chips_on_a_spot_are_where_they_lie_when_all_is_still() -> None:
    table = dealt()
    table.push(1, 500, 100)
    table.push(3, 25)
    table.still()
    assert table.core.state.places[chip(1, 500, 0)] == spot(1)
    assert table.core.waiting == []
    assert not [event for event in table.log if isinstance(event, Asked)]


def test_a_fold_of_another_seat_answers_no_question() -> None:
    table = dealt(4)
    table.say(4, "check")
    question = table.asked()
    assert question is not None
    table.say(2, "fold")
    assert table.rulings() == [(2, "fold", 50)]
    assert table.asked() == question


def test_a_push_from_tray_and_hand_is_one_push() -> None:
    """Pulled back 50, and 200 for it: half of it lay in the hand. It calls 200, and pays nothing that was missing."""
    table = dealt()
    in_hand = table.chips(tray(2), 100)
    table.move(in_hand, Place(Zone.IN_HAND, 2))
    table.run(9000)
    table.say(1, "raise_to", 200)
    table.take_back(2, 50)
    table.still()
    table.move(in_hand, spot(2))
    table.push(2, 100)
    table.still()
    assert table.rulings() == [(1, "raise", 200), (2, "call", 200)]
    assert not table.alarms()


def test_chips_of_any_origin_are_one_push_where_no_tray_tells() -> None:
    table = dealt(zones=SPOTS_ONLY)
    table.say(1, "raise_to", 200)
    table.take_back(2, 50)
    table.run(4000)
    state = table.core.state
    known = table.chips(Place(Zone.IN_HAND, 2), 100, 100)
    places = {**state.places, known[0]: Place(Zone.BANK), known[1]: POT}
    table.core._state = replace(state, places=places)
    table.move(known, spot(2))
    table.still()
    assert table.rulings() == [(1, "raise", 200), (2, "call", 200)]


def test_who_takes_back_a_chip_of_the_round_before_has_not_acted_in_this_one() -> None:
    """The bets still lie there when the flop comes: no check of who acts first is inferred (TDA 2024 46 is of this round)."""
    table = dealt()
    for seat, value in ((1, 100), (2, 50)):
        table.push(seat, value)
        table.still()
    table.say(3, "check")
    table.board(*FLOP)
    table.until(lambda: table.hand.row.name == "flop")
    table.log.clear()
    table.take_back(3, 100)
    table.run(6000)
    assert table.rulings() == []
    assert "chips_missing" in table.alarms()
