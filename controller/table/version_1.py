"""What version 1 wrote: journals and recordings whose events did not yet carry all that was decided.

Version 1 knew hold'em alone, and its `evolve` worked out the round after a ruling, the phase after a sweep and so on.
That arithmetic stands here as it was, frozen: an old evening leads to the same state for ever, whatever becomes of the
rules. `named` and `complete` give an event of version 1 what it lacks, when its row is read; `as_written` takes it away
again, so that an old recording can be compared with what is decided now.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from controller.games.catalog import game
from controller.rulings.blinds import Missed
from controller.rulings.rounds import BettingRound
from controller.rulings.values import Reading
from controller.table import events as e
from controller.table.phases import BETTING, PAYING, SHOWDOWN, STREET_CARD, Phase
from controller.table.state import Hand, InHand, State, Table

NAMES = ("preflop", "flop", "turn", "river")
BOARD = (0, 3, 4, 5)
COUNTED_AT_ONCE = ("paid", "change", "swap")
LATER: dict[type, tuple[str, ...]] = {
    e.ItemsMoved: ("counted", "pulled", "loose", "keeps"),
    e.HandStarted: ("game", "killed", "blinds_in", "postflop_min", "owed"),
    e.DealingEnded: ("faced",),
    e.Posted: ("bet", "dead", "forced", "phase"),
    e.Ruled: ("round", "folds", "out_of_turn", "doubts"),
    e.Asked: ("worlds",),
    e.Answered: ("world",),
    e.Overruled: ("round", "folds", "out_of_turn"),
    e.UncalledReturned: ("bet",),
    e.BetsSwept: ("phase",),
    e.StreetOpened: ("row", "board_count", "players", "phase"),
    e.PotAwarded: ("phase", "parts"),
    e.HandEnded: ("busted",),
    e.Misdealt: ("stacks", "owed", "small_place", "big_place", "killer"),
}


def as_written(event: e.Event) -> e.Event:
    """The event as version 1 would have written it."""
    later = LATER.get(type(event))
    if later is None:
        return event
    fields = {field.name: field.default for field in msgspec.structs.fields(event) if field.name in later}
    changed: e.Event = replace(event, **fields)
    return changed


def state_as_now(state: dict[str, Any]) -> dict[str, Any]:
    """A state of version 1, as it was decoded from JSON, with the game and the number of the street in each hand.

    What was no state of version 1 stays as it is: whoever converts it tells what is wrong.
    """
    return {key: _as_now(value) for key, value in state.items()}


def _as_now(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_now(one) for one in value]
    if not isinstance(value, dict):
        return value
    known = {key: _as_now(one) for key, one in value.items()}
    if known.get("street") in NAMES and "players" in known:
        known |= {"street": NAMES.index(known["street"]), "game": msgspec.to_builtins(game())}
    return known


# ---------------------------------------------------------------- events
def named(event: e.Event) -> e.Event:
    """An event of version 1 with what it only left unsaid: the game, and the number of a street. Needs no state.

    ValidationError where its street is none of version 1.
    """
    match event:
        case e.HandStarted():
            return replace(event, game=game())
        case e.StreetOpened():
            if event.street not in NAMES:
                raise msgspec.ValidationError(f"street {event.street!r} is none of {', '.join(NAMES)}")
            row = NAMES.index(event.street)
            return replace(event, row=row, board_count=BOARD[row])
        case _:
            return event


def complete(state: State, event: e.Event) -> e.Event:
    """An event of version 1 with what follows from it, on the state before it."""
    match event:
        case e.HandStarted():
            return _started(event, state.table)
        case e.ItemsMoved(meaning=meaning):
            loose = len(event.moves) if meaning == "loose" else 0
            return replace(event, counted=meaning in COUNTED_AT_ONCE, pulled=meaning == "pulled_back", loose=loose)
        case e.Overruled():
            return _overruled(event, state)
        case e.HandEnded():
            return replace(event, busted=tuple(share.seat for share in event.stacks if share.amount <= 0))
        case _:
            return event if state.hand is None else _in_hand(event, state.hand, state.table)


def _in_hand(event: e.Event, hand: Hand, table: Table) -> e.Event:
    match event:
        case e.Posted():
            return _posted(event, hand, table)
        case e.Ruled():
            return replace(event, **_acted(hand, event.seat, event.reading))
        case e.UncalledReturned():
            return replace(event, bet=min(_player(hand, event.seat).bet, event.amount))
        case e.BetsSwept():
            return replace(event, phase=SHOWDOWN if hand.street == len(NAMES) - 1 else STREET_CARD)
        case e.StreetOpened():
            return _opened(event, hand)
        case e.PotAwarded():
            return replace(event, phase=PAYING if len(hand.awards) + 1 >= len(hand.pots) else hand.phase)
        case e.Misdealt():
            return _misdealt(event, hand, table)
        case _:
            return event


def _started(event: e.HandStarted, table: Table) -> e.HandStarted:
    killed = event.big_blind not in (0, event.min_bet)
    owed = {one.seat: one for one in table.owed_blinds if one.seat not in {player.seat for player in event.players}}
    for one in event.missed:
        old = owed.get(one.seat, Missed(one.seat, small=False, big=False))
        owed[one.seat] = Missed(one.seat, small=old.small or one.small, big=old.big or one.big)
    return replace(
        event,
        price=event.price or event.min_bet,
        big_blind=event.big_blind or event.min_bet,
        killed=killed,
        blinds_in=sum(post.amount for post in event.posts if post.kind in ("small_blind", "big_blind")),
        postflop_min=event.min_bet if killed else 0,
        owed=tuple(owed.values()),
    )


def _posted(event: e.Posted, hand: Hand, table: Table) -> e.Posted:
    ante = event.kind in ("ante", "dead")
    no_level = event.kind == "dead" or (ante and table.ante_by in ("big_blind", "button"))
    left = [post for post in hand.posts_due if post.seat != event.seat or post.kind != event.kind]
    return replace(
        event,
        bet=0 if ante else event.amount,
        dead=event.amount if no_level else 0,
        forced=0 if event.kind == "out_of_turn" else event.amount,
        phase=Phase.DEALING if not left and hand.phase is Phase.POSTING else hand.phase,
    )


def _opened(event: e.StreetOpened, hand: Hand) -> e.StreetOpened:
    run_out = SHOWDOWN if event.row == len(NAMES) - 1 else STREET_CARD
    return replace(
        event,
        min_bet=event.min_bet or hand.postflop_min or hand.min_bet,
        players=sum(not player.folded for player in hand.players),
        phase=run_out if event.to_act is None else BETTING,
    )


def _overruled(event: e.Overruled, state: State) -> e.Overruled:
    """On the hand before the ruling that is put right."""
    now, before = state.hand, state.before_ruling
    if now is not None and now.last_ruled_seq == event.of and before is not None and before.hand is not None:
        return replace(event, **_acted(before.hand, event.seat, event.reading))
    then = next(one.hand for one in state.rulings if one.seq == event.of)
    return replace(event, **_acted(then, event.seat, event.reading))


def _acted(hand: Hand, seat: int, reading: Reading) -> dict[str, Any]:
    folds, total = reading.action == "fold", reading.total_to
    full = reading.reopens
    largest = max(hand.last_full_raise, total - hand.current_bet) if full else hand.last_full_raise
    raised = total > hand.current_bet and not folds
    after = BettingRound(
        current_bet=total if raised else hand.current_bet,
        last_full_raise=largest if raised else hand.last_full_raise,
        opener=seat if raised and not hand.current_bet else hand.opener,
        opening_bet=total if raised and not hand.raises else hand.opening_bet,
        raises=hand.raises + raised,
        full_raises=hand.full_raises + (raised and full),
    )
    return {"round": after, "folds": folds, "out_of_turn": folds and hand.to_act != seat}


def _misdealt(event: e.Misdealt, hand: Hand, table: Table) -> e.Misdealt:
    small_place, big_place = hand.places_before
    return replace(
        event,
        stacks=tuple(e.Share(number, seat.stack + seat.bought) for number, seat in enumerate(table.seats, 1)),
        owed=hand.missed_before,
        small_place=small_place,
        big_place=big_place,
        killer=hand.killer,
    )


def _player(hand: Hand, seat: int) -> InHand:
    player = hand.player(seat)
    assert player is not None
    return player
