"""The start of a hand to its next state: who is dealt in, blinds owed, posts and straddles. No rules."""

from msgspec.structs import replace

from controller.table import events as e
from controller.table.evolve_hand import at, in_hand, the
from controller.table.lying import left_over
from controller.table.phases import Phase, entered
from controller.table.state import Hand, InHand, Seat, State, Table


def hand_started(state: State, event: e.HandStarted) -> State:
    players = tuple(
        InHand(
            player.seat,
            player.stack,
            base=state.given[player.seat - 1] - player.in_front,
            carry=player.carry,
            stale=left_over(state, player.seat),
        )
        for player in event.players
    )
    assert event.game is not None
    assert event.game.has_street(0), f"{event.game.name} has no streets"
    hand = Hand(
        number=event.number,
        phase=entered(_phase(state), Phase.POSTING),
        game=event.game,
        street=0,
        button=event.button,
        players=players,
        min_bet=event.min_bet,
        posts_due=event.posts,
        current_bet=event.price,
        last_full_raise=event.min_bet,
        opens_after=event.big,
        posted_small=event.small_blind,
        posted_big=event.big_blind,
        postflop_min=event.postflop_min,
        blinds_in=event.blinds_in,
        limits=event.limits,
        players_at_start=len(players),
        killer=state.table.killer if event.killed else None,
        places_before=(state.table.small_place, state.table.big_place),
        missed_before=state.table.owed_blinds,
    )
    table = replace(
        state.table,
        seats=_owing(state.table, event),
        button=event.button,
        button_placed=False,
        small_place=event.small_place,
        big_place=event.big,
        hand_number=event.number,
        killer=None,
    )
    return replace(state, hand=hand, table=table, before_ruling=None, rulings=(), alarms=(), up={}, up_unclear=())


def _phase(state: State) -> Phase:
    if state.hand is not None:
        return state.hand.phase
    return Phase.BETWEEN_HANDS if state.counted_in else Phase.COUNTING_IN


def _owing(table: Table, event: e.HandStarted) -> tuple[Seat, ...]:
    blinds = {one.seat: one for one in event.owed}
    return tuple(
        [
            replace(
                seat,
                missed_small=number in blinds and blinds[number].small,
                missed_big=number in blinds and blinds[number].big,
            )
            for number, seat in enumerate(table.seats, 1)
        ]
    )


def posted(state: State, event: e.Posted) -> State:
    hand = the(state)
    assert event.phase is not None
    player = hand.players[at(hand, event.seat)]
    waiting = tuple([push for push in hand.held if push.seat != event.seat or not push.sleeper])
    held = [chip for push in waiting if push.seat == event.seat for chip in push.chips]
    spot = state.spots[event.seat - 1]
    hand = replace(
        hand,
        posts_due=tuple([post for post in hand.posts_due if post.seat != event.seat or post.kind != event.kind]),
        held=waiting,
        phase=entered(hand.phase, event.phase),
    )
    return in_hand(
        replace(state, hand=_facing(hand, event)),
        event.seat,
        bet=player.bet + event.bet,
        committed=player.committed + event.amount,
        dead=player.dead + event.dead,
        posted=player.posted + event.forced,
        counted=tuple([chip for chip in spot if chip not in held and chip not in player.stale]),
    )


def _facing(hand: Hand, event: e.Posted) -> Hand:
    """What all face behind a straddle."""
    if event.faced is None:
        return hand
    return replace(
        hand,
        current_bet=event.faced.current_bet,
        last_full_raise=event.faced.last_full_raise,
        min_bet=event.faced.min_bet,
        postflop_min=event.faced.postflop_min,
        opens_after=event.seat,
        straddles=hand.straddles + 1,
    )
