"""Events of a hand to its next state: amounts, turns, streets, pots. No rules; each function tells what is new."""

from msgspec.structs import replace

from controller.rulings.values import Reading
from controller.table import events as e
from controller.table.lying import Changes
from controller.table.state import Checkpoint, Hand, HeldPush, InHand, Phase, RuledBefore, State, Table

RULINGS_KEPT = 64  # of one hand; a long round has some twenty
_BOARD_COUNT = {"flop": 3, "turn": 4, "river": 5}


# ---------------------------------------------------------------- betting
def dealing_ended(state: State, event: e.DealingEnded) -> Changes:
    return {"hand": replace(the(state), phase=Phase.BETTING, to_act=event.to_act)}


def ruled(state: State, event: e.Ruled) -> Changes:
    hand = the(state)
    inferred = hand.inferred_seq if not event.head else None
    if event.inferred and inferred is None and event.reading.action == "check":
        inferred = state.seq
    loose = 0 if event.inferred and event.reading.action == "fold" else hand.loose
    more = {"last_ruled": event, "last_ruled_seq": state.seq, "inferred_seq": inferred, "loose": loose}
    more["rulings"] = (*hand.rulings, state.seq)
    changes = acted(hand, event.seat, event.reading, event, more)
    changes["before_ruling"] = Checkpoint(state.seq, state.table, hand)
    changes["rulings"] = (*state.rulings[1 - RULINGS_KEPT :], RuledBefore(state.seq, event, hand))
    return changes


def acted(hand: Hand, seat: int, reading: Reading, event: e.Ruled, more: Changes) -> Changes:
    """The hand after an action: the amounts of the reading, nothing judged."""
    player = hand.players[at(hand, seat)]
    total, fold = reading.total_to, reading.action == "fold"
    if total > hand.current_bet and not fold:
        more |= _raised(hand, seat, total, full=reading.reopens)
    if hand.held and "held" not in more:
        more["held"] = tuple([push for push in hand.held if push.seat != seat])
    if hand.word is not None and hand.word[0] == seat:
        more["word"] = None
    if hand.question is not None and hand.question.seat == seat:
        more["question"] = None  # an act of another seat answers nothing
    return in_hand(
        hand,
        seat,
        more,
        bet=total,
        committed=player.committed + total - player.bet,
        folded=fold,
        out_of_turn=fold and hand.to_act != seat,
        barred=False,
        last_acted=total,
        action=reading.action,
        inferred=event.inferred,
        full_raises=hand.full_raises + reading.reopens,
        counted=player.counted + event.chips,
        pulled=(),
        doubt=None,
    )


def _raised(hand: Hand, seat: int, total: int, *, full: bool) -> Changes:
    return {
        "current_bet": total,
        "last_full_raise": max(hand.last_full_raise, total - hand.current_bet) if full else hand.last_full_raise,
        "opener": hand.opener if hand.current_bet else seat,
        "opening_bet": hand.opening_bet if hand.raises else total,
        "raises": hand.raises + 1,
        "full_raises": hand.full_raises + full,
    }


def overruled(state: State, event: e.Overruled) -> Changes:
    """From before that ruling on: with the new reading. Rulings behind it follow as events of their own."""
    now, before = the(state), state.before_ruling
    record = next((one for one in state.rulings if one.seq == event.of), None)
    if now.last_ruled is not None and now.last_ruled_seq == event.of and before is not None and before.hand is not None:
        last, hand, table = now.last_ruled, before.hand, before.table
    else:
        assert record is not None
        last, hand, table = record.event, _with_chips_of(now, record.hand), state.table
    ruling = replace(last, reading=event.reading, inferred=False)
    hand = replace(hand, players=tuple([replace(one, doubt=_doubt_of(now, one)) for one in hand.players]))
    more = {
        "last_ruled": ruling,
        "last_ruled_seq": event.of,
        "held": tuple([push for push in now.held if push.seat != event.seat]),
        "rulings": (*hand.rulings, event.of),
    }
    changes = {**acted(hand, event.seat, event.reading, ruling, more), "table": table}
    changes["before_ruling"] = Checkpoint(event.of, table, hand)
    changes["rulings"] = tuple(
        [RuledBefore(one.seq, ruling, one.hand) if one is record else one for one in state.rulings]
    )
    return changes


def _doubt_of(now: Hand, player: InHand) -> e.PutInDoubt | None:
    """A fact like the chips themselves: it lasts whatever was ruled before it."""
    return next((one.doubt for one in now.players if one.seat == player.seat), None)


def put_in_doubt(state: State, event: e.PutInDoubt) -> Changes:
    certain = not (event.missed or event.second or event.changed)
    return in_hand(the(state), event.seat, {}, doubt=None if certain else event)


def _with_chips_of(now: Hand, hand: Hand) -> Hand:
    """An earlier hand with the chips that have been counted meanwhile: those are facts."""
    chips = {player.seat: (player.counted, player.stale, player.pulled) for player in now.players}
    players = [
        replace(player, counted=chips[player.seat][0], stale=chips[player.seat][1], pulled=chips[player.seat][2])
        for player in hand.players
    ]
    return replace(hand, players=tuple(players))


def said(state: State, event: e.Said) -> Changes:
    return {"hand": replace(the(state), word=(event.seat, event.word))}


def turn_passed(state: State, event: e.TurnPassed) -> Changes:
    hand = the(state)
    players = hand.players
    if [player for player in players if player.out_of_turn]:
        passed = _passed(hand, event.to)
        players = tuple([replace(one, out_of_turn=False) if one.seat in passed else one for one in players])
    return {"hand": replace(hand, to_act=event.to, players=players)}


def _passed(hand: Hand, to: int | None) -> list[int]:
    """Seats that the turn has gone over on its way."""
    seats = [player.seat for player in hand.players]
    if hand.to_act is None or to is None:
        return seats
    start = seats.index(hand.to_act)
    order = (*seats[start:], *seats[:start])
    return list(order[: order.index(to)])


def push_held(state: State, event: e.PushHeld) -> Changes:
    hand = the(state)
    push = HeldPush(
        event.seat,
        event.chips,
        event.facing,
        event.early,
        event.act,
        event.total,
        event.word,
        event.binding,
        event.sleeper,
    )
    others = tuple(other for other in hand.held if other.seat != event.seat)
    return {"hand": replace(hand, held=(*others, push))}


def push_released(state: State, event: e.PushReleased) -> Changes:
    held = tuple(push for push in the(state).held if push.seat != event.seat)
    return in_hand(the(state), event.seat, {"held": held}, barred=not event.may_raise)


def asked(state: State, event: e.Asked) -> Changes:
    return {"hand": replace(the(state), question=event)}


def answered(state: State, _event: e.Answered) -> Changes:
    return {"hand": replace(the(state), question=None)}


def betting_closed(state: State, _event: e.BettingClosed) -> Changes:
    return {"hand": replace(the(state), phase=Phase.SWEEPING, to_act=None, word=None)}


def uncalled_returned(state: State, event: e.UncalledReturned) -> Changes:
    hand = the(state)
    player = hand.players[at(hand, event.seat)]
    bet = max(0, player.bet - event.amount)  # an ante that nobody could match goes back too
    committed, uncalled = player.committed - event.amount, player.uncalled + event.amount
    return in_hand(hand, event.seat, {}, bet=bet, committed=committed, uncalled=uncalled)


def bets_swept(state: State, event: e.BetsSwept) -> Changes:
    hand = the(state)
    players = tuple([replace(player, bet=0) if player.bet else player for player in hand.players])
    phase = Phase.SHOWDOWN if hand.street == "river" else Phase.STREET_CARD
    return {"hand": replace(hand, players=players, pots=event.pots, phase=phase)}


def street_opened(state: State, event: e.StreetOpened) -> Changes:
    hand = the(state)
    run_out = Phase.SHOWDOWN if event.street == "river" else Phase.STREET_CARD
    hand = replace(
        hand,
        phase=Phase.BETTING if event.to_act is not None else run_out,
        street=event.street,
        players=tuple([_new_round(player, state.spots[player.seat - 1]) for player in hand.players]),
        to_act=event.to_act,
        current_bet=0,
        min_bet=event.min_bet or hand.postflop_min or hand.min_bet,
        last_full_raise=event.min_bet or hand.postflop_min or hand.min_bet,
        players_at_start=sum([not player.folded for player in hand.players]),
        opener=None,
        opening_bet=0,
        raises=0,
        full_raises=0,
        board=event.board,
        board_count=_BOARD_COUNT[event.street],
        loose=0,
        rulings=(),
    )
    return {"hand": hand, "before_ruling": None}


def _new_round(player: InHand, spot: tuple[str, ...]) -> InHand:
    if player.folded and not spot and not player.action:
        return player
    stale = tuple([chip for chip in spot if chip in player.counted or chip in player.stale])
    return replace(
        player,
        bet=0,
        out_of_turn=False,
        barred=False,
        last_acted=None,
        action="",
        inferred=False,
        full_raises=0,
        counted=(),
        stale=stale,
        pulled=(),
    )


# ---------------------------------------------------------------- end
def hands_shown(state: State, event: e.HandsShown) -> Changes:
    return in_hand(the(state), event.seat, {}, tabled=True, shown=event.cards)


def mucked(state: State, event: e.Mucked) -> Changes:
    return in_hand(the(state), event.seat, {}, folded=True)


def pot_awarded(state: State, event: e.PotAwarded) -> Changes:
    hand = the(state)
    won = {share.seat: share.amount for share in event.shares}
    players = tuple(
        [
            replace(player, won=player.won + won[player.seat]) if player.seat in won else player
            for player in hand.players
        ]
    )
    awards = (*hand.awards, (event.pot, event.shares))
    phase = Phase.PAYING if len(awards) >= len(hand.pots) else hand.phase
    owed = tuple([e.Share(player.seat, player.won) for player in players if player.won])
    return {"hand": replace(hand, players=players, awards=awards, owed=owed, phase=phase, to_act=None, question=None)}


def pot_paid(state: State, event: e.PotPaid) -> Changes:
    hand = the(state)
    owed = [
        replace(share, amount=share.amount - event.amount) if share.seat == event.seat else share for share in hand.owed
    ]
    return {"hand": replace(hand, owed=tuple([share for share in owed if share.amount > 0]))}


def hand_ended(state: State, event: e.HandEnded) -> Changes:
    seats = list(state.table.seats)
    for share in event.stacks:
        seat = seats[share.seat - 1]
        seats[share.seat - 1] = replace(seat, stack=share.amount, playing=seat.playing and share.amount > 0, bought=0)
    hand = replace(the(state), phase=Phase.BETWEEN_HANDS, to_act=None, question=None, word=None, held=())
    before = state.table
    table = replace(
        before,
        seats=tuple(seats),
        rock=before.rock if event.rock is None else event.rock,
        leg=before.leg if event.leg is None else event.leg or None,
        killer=event.killer or before.killer,
    )
    return {"hand": hand, "table": table, **_all_old(state)}


def _all_old(state: State) -> Changes:
    """Hole cards and board of a hand that is over, as far as they lie there still."""
    return {"old_cards": (*[card for cards in state.cards for card in cards], *state.board), "perhaps_old": {}}


def misdealt(state: State, _event: e.Misdealt) -> Changes:
    """All chips go back: nobody put anything in. What was bought meanwhile counts now."""
    hand = the(state)
    empty = Hand(
        number=hand.number,
        phase=Phase.BETWEEN_HANDS,
        street=hand.street,
        button=hand.button,
        players=tuple(InHand(player.seat, player.start_stack, base=player.base) for player in hand.players),
        min_bet=hand.min_bet,
    )
    owed = {one.seat: one for one in hand.missed_before}
    seats = [
        replace(
            seat,
            stack=seat.stack + seat.bought,
            bought=0,
            missed_small=number in owed and owed[number].small,
            missed_big=number in owed and owed[number].big,
        )
        for number, seat in enumerate(state.table.seats, 1)
    ]
    small, big = hand.places_before
    table: Table = replace(
        state.table, seats=tuple(seats), button_placed=True, small_place=small, big_place=big, killer=hand.killer
    )
    return {"hand": empty, "table": table, "before_ruling": None, "rulings": (), **_all_old(state)}


# ---------------------------------------------------------------- parts
def the(state: State) -> Hand:
    """The hand that an event of a hand belongs to."""
    assert state.hand is not None
    return state.hand


def at(hand: Hand, seat: int) -> int:
    for index, player in enumerate(hand.players):
        if player.seat == seat:
            return index
    raise AssertionError(f"seat {seat} is not in hand {hand.number}")


def in_hand(hand: Hand, seat: int, of_hand: Changes, **of_player: object) -> Changes:
    """One player changed, and perhaps more of the hand."""
    players = [*hand.players]
    index = at(hand, seat)
    players[index] = replace(players[index], **of_player)
    return {"hand": replace(hand, players=(*players,), **of_hand)}
