"""Events to states. No rules: every result that a rule produced is in the event.

Replay of a journal is this, `evolve_start.py`, `evolve_hand.py` and `lying.py`. A test proves that none of them imports
a rule or compares a street, a kind or a meaning.
"""

from typing import assert_never

from msgspec.structs import replace

from controller.places import Moved, Zone
from controller.table import events as e
from controller.table import evolve_hand as hand
from controller.table import evolve_start as start
from controller.table.events import Decision
from controller.table.lying import lay, places_counted, read_elsewhere
from controller.table.state import AlarmKey, Checkpoint, Hand, State

UNDO_DEPTH = 50  # causes that undo can go back; a long hand has some thirty
SPOT = Zone.SPOT


def evolve(state: State, event: e.Event) -> State:
    """The next state; what was refused changes nothing, not even the count of events.

    AssertionError where the phase of the hand cannot lead to that of the event.
    """
    if isinstance(event, e.Refused):
        return state
    if isinstance(event, Decision) and event.head:
        past = (*state.past[1 - UNDO_DEPTH :], _here(state))
        return replace(_after(state, event), seq=state.seq + 1, past=past, future=())
    return replace(_after(state, event), seq=state.seq + 1)


def _after(state: State, event: e.Event) -> State:
    """Everything but the count of events and what undo goes back to. The most frequent events first."""
    match event:
        case e.ItemsMoved():
            return items_moved(state, event)
        case e.Ruled():
            return hand.ruled(state, event)
        case e.TurnPassed():
            return hand.turn_passed(state, event)
        case e.Posted():
            return start.posted(state, event)
        case (
            e.BettingClosed()
            | e.BetsSwept()
            | e.StreetOpened()
            | e.BoardChanged()
            | e.UncalledReturned()
            | e.DealingEnded()
        ):
            return _of_street(state, event)
        case e.Said() | e.PushHeld() | e.PushReleased() | e.PutInDoubt():
            return _of_waiting(state, event)
        case e.TurnedUp() | e.OpenerSeen() | e.Drew():
            return _of_dealing(state, event)
        case e.Asked():
            return hand.asked(state, event)
        case e.Answered():
            return hand.answered(state)
        case e.Overruled():
            return hand.overruled(state, event)
        case e.RoundRestarted():
            return hand.round_restarted(state, event)
        case e.Undone():
            return undone(state, event)
        case e.HandStarted():
            return start.hand_started(state, event)
        case e.HandsShown() | e.Mucked() | e.PotAwarded() | e.PotPaid() | e.HandEnded() | e.Misdealt():
            return _of_end(state, event)
        case _:
            return _of_table(state, event)


def _of_street(
    state: State,
    event: e.BettingClosed | e.BetsSwept | e.StreetOpened | e.BoardChanged | e.UncalledReturned | e.DealingEnded,
) -> State:
    match event:
        case e.BettingClosed():
            return hand.betting_closed(state)
        case e.BetsSwept():
            return hand.bets_swept(state, event)
        case e.StreetOpened():
            return hand.street_opened(state, event)
        case e.BoardChanged():
            return hand.board_changed(state, event)
        case e.UncalledReturned():
            return hand.uncalled_returned(state, event)
        case e.DealingEnded():
            return hand.dealing_ended(state, event)
        case _:
            assert_never(event)


def _of_dealing(state: State, event: e.TurnedUp | e.OpenerSeen | e.Drew) -> State:
    match event:
        case e.TurnedUp():
            return hand.turned_up(state, event)
        case e.OpenerSeen():
            return hand.opener_seen(state, event)
        case e.Drew():
            return hand.drew(state, event)
        case _:
            assert_never(event)


def _of_waiting(state: State, event: e.Said | e.PushHeld | e.PushReleased | e.PutInDoubt) -> State:
    match event:
        case e.Said():
            return hand.said(state, event)
        case e.PushHeld():
            return hand.push_held(state, event)
        case e.PushReleased():
            return hand.push_released(state, event)
        case e.PutInDoubt():
            return hand.put_in_doubt(state, event)
        case _:
            assert_never(event)


def _of_end(
    state: State, event: e.HandsShown | e.Mucked | e.PotAwarded | e.PotPaid | e.HandEnded | e.Misdealt
) -> State:
    match event:
        case e.HandsShown():
            return hand.hands_shown(state, event)
        case e.Mucked():
            return hand.mucked(state, event)
        case e.PotAwarded():
            return hand.pot_awarded(state, event)
        case e.PotPaid():
            return hand.pot_paid(state, event)
        case e.HandEnded():
            return hand.hand_ended(state, event)
        case e.Misdealt():
            return hand.misdealt(state, event)
        case _:
            assert_never(event)


def _of_table(
    state: State,
    event: e.SeatChanged
    | e.ButtonMoved
    | e.KillTold
    | e.LevelChanged
    | e.PlacesCounted
    | e.DifferencesAccepted
    | e.Refused
    | e.Alarmed
    | e.Cleared
    | e.Paused
    | e.Resumed,
) -> State:
    table = state.table
    match event:
        case e.SeatChanged():
            return seat_changed(state, event)
        case e.ButtonMoved():
            return replace(state, table=replace(table, button=event.seat, button_placed=True))
        case e.KillTold():
            return replace(state, table=replace(table, killer=event.seat))
        case e.LevelChanged():
            table = replace(table, small_blind=event.small, big_blind=event.big, ante=event.ante)
            return replace(state, table=table)
        case e.PlacesCounted():
            return places_counted(state, event)
        case e.DifferencesAccepted():
            return replace(state, differences=())
        case e.Refused():
            return state
        case e.Alarmed():
            alarm = AlarmKey(event.key, event.seat, event.amount)
            return replace(state, alarms=(*_other_alarms(state, event), alarm))
        case e.Cleared():
            return replace(state, alarms=_other_alarms(state, event))
        case e.Paused():
            return replace(state, table=replace(table, paused=True))
        case e.Resumed():
            return replace(state, table=replace(table, paused=False))
        case _:
            assert_never(event)


# ---------------------------------------------------------------- facts
def items_moved(state: State, event: e.ItemsMoved) -> State:
    if event.keeps:
        return read_elsewhere(state, event.moves)
    after = lay(state, event.moves, event.flows)
    if state.hand is None:
        return after
    hand = _pulled(state.hand, event.moves) if event.pulled else state.hand
    if after.spots != state.spots:
        hand = _gone(hand, event.moves)
    if event.counted:
        hand = _counted(hand, event.moves)
    if event.loose:
        hand = replace(hand, loose=hand.loose + event.loose)
    return after if hand is state.hand else replace(after, hand=hand)


def _gone(hand: Hand, moves: tuple[Moved, ...]) -> Hand:
    """Chips that left a spot count as new ones if they come again."""
    gone = {moved.item for moved in moves if moved.origin.zone is SPOT and moved.target != moved.origin}
    if not gone:
        return hand
    players = list(hand.players)
    for index, player in enumerate(players):
        if not gone.isdisjoint(player.counted) or not gone.isdisjoint(player.stale):
            counted = tuple([chip for chip in player.counted if chip not in gone])
            stale = tuple([chip for chip in player.stale if chip not in gone])
            players[index] = replace(player, counted=counted, stale=stale)
    return replace(hand, players=tuple(players))


def _counted(hand: Hand, moves: tuple[Moved, ...]) -> Hand:
    players = list(hand.players)
    for index, player in enumerate(players):
        came = [moved.item for moved in moves if moved.target.zone is SPOT and moved.target.seat == player.seat]
        if came:
            players[index] = replace(player, counted=(*player.counted, *came))
    return replace(hand, players=tuple(players))


def _pulled(hand: Hand, moves: tuple[Moved, ...]) -> Hand:
    """Chips taken back no longer count, but the ruling must know of them (TDA 2024 46)."""
    gone = [moved.item for moved in moves if moved.origin.zone is SPOT]
    players = list(hand.players)
    for index, player in enumerate(players):
        pulled = [chip for chip in player.counted if chip in gone]
        if pulled:
            left = tuple([chip for chip in player.counted if chip not in gone])
            players[index] = replace(player, counted=left, pulled=(*player.pulled, *pulled))
    return replace(hand, players=tuple(players))


def _other_alarms(state: State, event: e.Alarmed | e.Cleared) -> tuple[AlarmKey, ...]:
    return tuple([alarm for alarm in state.alarms if alarm.key != event.key or alarm.seat != event.seat])


# ---------------------------------------------------------------- table
def seat_changed(state: State, event: e.SeatChanged) -> State:
    seats = list(state.table.seats)
    seat = seats[event.seat - 1]
    seats[event.seat - 1] = replace(
        seat, stack=event.stack, playing=event.playing, name=event.name, bought=event.bought
    )
    return replace(state, table=replace(state.table, seats=tuple(seats)))


# ---------------------------------------------------------------- corrections
def undone(state: State, event: e.Undone) -> State:
    """Back to a point of the past, or of the future: undo of an undo."""
    for index, point in enumerate(state.past):
        if point.seq == event.of:
            return replace(_restored(state, point), past=state.past[:index], future=(_here(state), *state.future))
    for index, point in enumerate(state.future):
        if point.seq == event.of:
            return replace(_restored(state, point), past=(*state.past, _here(state)), future=state.future[index + 1 :])
    return state


def _here(state: State) -> Checkpoint:
    return Checkpoint(state.seq, state.table, state.hand, state.before_ruling)


def _restored(state: State, point: Checkpoint) -> State:
    """Chips that have left their spot since do not count as lying there."""
    hand = point.hand
    if hand is not None:
        players = [
            replace(player, counted=tuple([chip for chip in player.counted if chip in state.spots[player.seat - 1]]))
            for player in hand.players
        ]
        hand = replace(hand, players=tuple(players))
    return replace(state, table=point.table, hand=hand, before_ruling=point.before_ruling)
