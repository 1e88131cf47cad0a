"""Events to states. No rules: every result that a rule produced is in the event.

Replay of a journal is this, `evolve_start.py`, `evolve_hand.py` and `lying.py`. `EVOLVE` has one function an event,
which tells what parts of the state are new; a test holds it complete.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller.places import Moved, Zone
from controller.table import events as e
from controller.table import evolve_hand as hand
from controller.table import evolve_start as start
from controller.table.events import Decision
from controller.table.lying import Changes, lay, places_counted
from controller.table.state import AlarmKey, Checkpoint, Hand, State

UNDO_DEPTH = 50  # causes that undo can go back; a long hand has some thirty
COUNTED_AT_ONCE = ("paid", "change", "swap")  # chips that come to a spot so wait for no ruling
PULLED, LOOSE = "pulled_back", "loose"
SPOT = Zone.SPOT


def evolve(state: State, event: e.Event) -> State:
    """The next state."""
    changes = EVOLVE[type(event)](state, event)
    changes["seq"] = state.seq + 1
    if isinstance(event, Decision) and event.head:
        here = Checkpoint(state.seq, state.table, state.hand, state.before_ruling)
        changes["past"] = (*state.past[1 - UNDO_DEPTH :], here)
        changes["future"] = ()
    return replace(state, **changes)


# ---------------------------------------------------------------- facts
def items_moved(state: State, event: e.ItemsMoved) -> Changes:
    changes = lay(state, event.moves, event.flows)
    if state.hand is not None:
        hand = _pulled(state.hand, event.moves) if event.meaning == PULLED else state.hand
        if changes["spots"] != state.spots:
            hand = _gone(hand, event.moves)
        if event.meaning in COUNTED_AT_ONCE:
            hand = _counted(hand, event.moves)
        elif event.meaning == LOOSE:
            hand = replace(hand, loose=hand.loose + len(event.moves))
        changes["hand"] = hand
    return changes


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


def differences_accepted(_state: State, _event: e.DifferencesAccepted) -> Changes:
    return {"differences": ()}


def alarmed(state: State, event: e.Alarmed) -> Changes:
    return {"alarms": (*_other_alarms(state, event), AlarmKey(event.key, event.seat, event.amount))}


def cleared(state: State, event: e.Cleared) -> Changes:
    return {"alarms": _other_alarms(state, event)}


def _other_alarms(state: State, event: e.Alarmed | e.Cleared) -> tuple[AlarmKey, ...]:
    return tuple([alarm for alarm in state.alarms if alarm.key != event.key or alarm.seat != event.seat])


def refused(_state: State, _event: e.Refused) -> Changes:
    return {}


# ---------------------------------------------------------------- table
def seat_changed(state: State, event: e.SeatChanged) -> Changes:
    seats = list(state.table.seats)
    seat = seats[event.seat - 1]
    seats[event.seat - 1] = replace(
        seat, stack=event.stack, playing=event.playing, name=event.name, bought=event.bought
    )
    return {"table": replace(state.table, seats=tuple(seats))}


def button_moved(state: State, event: e.ButtonMoved) -> Changes:
    return {"table": replace(state.table, button=event.seat, button_placed=True)}


def kill_told(state: State, event: e.KillTold) -> Changes:
    return {"table": replace(state.table, killer=event.seat)}


def level_changed(state: State, event: e.LevelChanged) -> Changes:
    return {"table": replace(state.table, small_blind=event.small, big_blind=event.big, ante=event.ante)}


def paused(state: State, _event: e.Paused) -> Changes:
    return {"table": replace(state.table, paused=True)}


def resumed(state: State, _event: e.Resumed) -> Changes:
    return {"table": replace(state.table, paused=False)}


# ---------------------------------------------------------------- corrections
def undone(state: State, event: e.Undone) -> Changes:
    """Back to a point of the past, or of the future: undo of an undo."""
    here = Checkpoint(state.seq, state.table, state.hand, state.before_ruling)
    for index, point in enumerate(state.past):
        if point.seq == event.of:
            return {**_restored(state, point), "past": state.past[:index], "future": (here, *state.future)}
    for index, point in enumerate(state.future):
        if point.seq == event.of:
            return {**_restored(state, point), "past": (*state.past, here), "future": state.future[index + 1 :]}
    return {}


def _restored(state: State, point: Checkpoint) -> Changes:
    """Chips that have left their spot since do not count as lying there."""
    hand = point.hand
    if hand is not None:
        players = [
            replace(player, counted=tuple([chip for chip in player.counted if chip in state.spots[player.seat - 1]]))
            for player in hand.players
        ]
        hand = replace(hand, players=tuple(players))
    return {"table": point.table, "hand": hand, "before_ruling": point.before_ruling}


EVOLVE: dict[type, Callable[[State, Any], Changes]] = {
    e.ItemsMoved: items_moved,
    e.PlacesCounted: places_counted,
    e.DifferencesAccepted: differences_accepted,
    e.Alarmed: alarmed,
    e.Cleared: cleared,
    e.Refused: refused,
    e.SeatChanged: seat_changed,
    e.ButtonMoved: button_moved,
    e.KillTold: kill_told,
    e.LevelChanged: level_changed,
    e.Paused: paused,
    e.Resumed: resumed,
    e.HandStarted: start.hand_started,
    e.Posted: start.posted,
    e.DealingEnded: hand.dealing_ended,
    e.Ruled: hand.ruled,
    e.Overruled: hand.overruled,
    e.Said: hand.said,
    e.TurnPassed: hand.turn_passed,
    e.PushHeld: hand.push_held,
    e.PutInDoubt: hand.put_in_doubt,
    e.PushReleased: hand.push_released,
    e.Asked: hand.asked,
    e.Answered: hand.answered,
    e.BettingClosed: hand.betting_closed,
    e.UncalledReturned: hand.uncalled_returned,
    e.BetsSwept: hand.bets_swept,
    e.StreetOpened: hand.street_opened,
    e.HandsShown: hand.hands_shown,
    e.Mucked: hand.mucked,
    e.PotAwarded: hand.pot_awarded,
    e.PotPaid: hand.pot_paid,
    e.HandEnded: hand.hand_ended,
    e.Misdealt: hand.misdealt,
    e.Undone: undone,
}
