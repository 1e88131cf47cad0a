"""The start of a hand to its next state: who is dealt in, blinds missed, posts and straddles. No rules."""

from msgspec.structs import replace

from controller.rulings.blinds import Missed
from controller.table import events as e
from controller.table.evolve_hand import at, in_hand, the
from controller.table.lying import Changes
from controller.table.state import Hand, InHand, Phase, Seat, State, Table


def hand_started(state: State, event: e.HandStarted) -> Changes:
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
    killed = event.big_blind not in (0, event.min_bet)
    hand = Hand(
        number=event.number,
        phase=Phase.POSTING,
        street="preflop",
        button=event.button,
        players=players,
        min_bet=event.min_bet,
        posts_due=event.posts,
        current_bet=event.price or event.min_bet,
        last_full_raise=event.min_bet,
        opens_after=event.big,
        posted_small=event.small_blind,
        posted_big=event.big_blind or event.min_bet,
        postflop_min=event.min_bet if killed else 0,
        blinds_in=sum([post.amount for post in event.posts if post.kind in ("small_blind", "big_blind")]),
        limits=event.limits,
        players_at_start=len(players),
        killer=state.table.killer if killed else None,
        places_before=(state.table.small_place, state.table.big_place),
        missed_before=owed_blinds(state.table),
    )
    table = replace(
        state.table,
        seats=_blinds_missed(state.table, event),
        button=event.button,
        button_placed=False,
        small_place=event.small_place,
        big_place=event.big,
        hand_number=event.number,
        killer=None,
    )
    return {"hand": hand, "table": table, "before_ruling": None, "rulings": (), "alarms": ()}


def owed_blinds(table: Table) -> tuple[Missed, ...]:
    """Blinds that were missed and not yet made up for."""
    return tuple(
        [
            Missed(number, seat.missed_small, seat.missed_big)
            for number, seat in enumerate(table.seats, 1)
            if seat.missed_small or seat.missed_big
        ]
    )


def _blinds_missed(table: Table, event: e.HandStarted) -> tuple[Seat, ...]:
    """Who is dealt in owes none any more."""
    seats = list(table.seats)
    for player in event.players:
        seats[player.seat - 1] = replace(seats[player.seat - 1], missed_small=False, missed_big=False)
    for one in event.missed:
        seat = seats[one.seat - 1]
        seats[one.seat - 1] = replace(
            seat, missed_small=seat.missed_small or one.small, missed_big=seat.missed_big or one.big
        )
    return tuple(seats)


def left_over(state: State, seat: int) -> tuple[str, ...]:
    """Chips of the hand before that still lie on a spot."""
    spot = state.spots[seat - 1]
    if state.hand is None or not spot:
        return ()
    for player in state.hand.players:
        if player.seat == seat:
            return tuple([chip for chip in spot if chip in player.counted or chip in player.stale])
    return ()


def posted(state: State, event: e.Posted) -> Changes:
    hand = the(state)
    player = hand.players[at(hand, event.seat)]
    ante = event.kind in ("ante", "dead")
    no_level = event.kind == "dead" or (ante and state.table.ante_by in ("big_blind", "button"))
    waiting = tuple([push for push in hand.held if push.seat != event.seat or not push.sleeper])
    held = [chip for push in waiting if push.seat == event.seat for chip in push.chips]
    spot = state.spots[event.seat - 1]
    due = tuple([post for post in hand.posts_due if post.seat != event.seat or post.kind != event.kind])
    return in_hand(
        hand,
        event.seat,
        {
            "posts_due": due,
            "held": waiting,
            "phase": Phase.DEALING if not due and hand.phase is Phase.POSTING else hand.phase,
            **_straddled(hand, event),
        },
        bet=player.bet if ante else player.bet + event.amount,
        committed=player.committed + event.amount,
        dead=player.dead + event.amount if no_level else player.dead,
        posted=player.posted if event.kind == "out_of_turn" else player.posted + event.amount,
        counted=tuple([chip for chip in spot if chip not in held and chip not in player.stale]),
    )


def _straddled(hand: Hand, event: e.Posted) -> Changes:
    if event.faced is None:
        return {}
    return {
        "current_bet": event.faced.current_bet,
        "last_full_raise": event.faced.last_full_raise,
        "min_bet": event.faced.min_bet,
        "postflop_min": event.faced.postflop_min,
        "opens_after": event.seat,
        "straddles": hand.straddles + 1,
    }
