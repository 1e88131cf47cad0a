"""Events of a hand to its next state: amounts, turns, streets, pots. No rules."""

from msgspec.structs import replace

from controller.table import events as e
from controller.table.phases import BETTING, BETWEEN_HANDS, SWEEPING, entered
from controller.table.state import Checkpoint, Hand, InHand, RuledBefore, State

RULINGS_KEPT = 64  # of one hand; a long round has some twenty


# ---------------------------------------------------------------- betting
def dealing_ended(state: State, event: e.DealingEnded) -> State:
    hand = the(state)
    hand = replace(hand, phase=entered(hand.phase, BETTING), to_act=event.to_act, opens_at=None)
    faced = event.faced
    if faced is not None:
        hand = replace(
            hand,
            current_bet=faced.current_bet,
            last_full_raise=faced.last_full_raise,
            min_bet=faced.min_bet,
            postflop_min=faced.postflop_min,
        )
    return replace(state, hand=hand)


def turned_up(state: State, event: e.TurnedUp) -> State:
    unclear = [seat for seat in state.up_unclear if seat != event.seat]
    if not event.clear:
        unclear.append(event.seat)
    return replace(state, up={**state.up, event.seat: event.cards}, up_unclear=tuple(unclear))


def opener_seen(state: State, event: e.OpenerSeen) -> State:
    return replace(state, hand=replace(the(state), opens_at=event.seat))


def drew(state: State, event: e.Drew) -> State:
    return in_hand(state, event.seat, drew=event.cards, discarded=event.seen, drew_row=event.row)


def ruled(state: State, event: e.Ruled) -> State:
    before = the(state)
    inferred = before.inferred_seq if not event.head else None
    if event.inferred and inferred is None and not event.folds:
        inferred = state.seq
    hand = replace(
        acted(before, event),
        last_ruled=event,
        last_ruled_seq=state.seq,
        inferred_seq=inferred,
        loose=0 if event.inferred and event.folds else before.loose,
        rulings=(*before.rulings, state.seq),
    )
    kept = (*state.rulings[1 - RULINGS_KEPT :], RuledBefore(state.seq, event, before))
    here = Checkpoint(state.seq, state.table, before)
    return replace(state, hand=hand, before_ruling=here, rulings=kept)


def acted(hand: Hand, event: e.Ruled) -> Hand:
    """The hand after an action: the amounts of the reading and the round after it, nothing judged."""
    seat, reading, after = event.seat, event.reading, event.round
    assert after is not None, "a ruling without its round"
    player = hand.players[at(hand, seat)]
    acted = replace(
        player,
        bet=reading.total_to,
        committed=player.committed + reading.total_to - player.bet,
        folded=event.folds,
        out_of_turn=event.out_of_turn,
        barred=False,
        last_acted=reading.total_to,
        action=reading.action,
        inferred=event.inferred,
        full_raises=after.full_raises,
        counted=player.counted + event.chips,
        pulled=(),
        doubt=None,
    )
    return replace(
        hand,
        current_bet=after.current_bet,
        last_full_raise=after.last_full_raise,
        opener=after.opener,
        opening_bet=after.opening_bet,
        raises=after.raises,
        full_raises=after.full_raises,
        players=tuple([acted if one is player else one for one in hand.players]),
        held=tuple([push for push in hand.held if push.seat != seat]) if hand.held else (),
        word=None if hand.word is not None and hand.word[0] == seat else hand.word,
        # An act of another seat answers nothing.
        question=None if hand.question is not None and hand.question.seat == seat else hand.question,
    )


def overruled(state: State, event: e.Overruled) -> State:
    """From before that ruling on: with the new reading. Rulings behind it follow as events of their own."""
    now, before = the(state), state.before_ruling
    record = next((one for one in state.rulings if one.seq == event.of), None)
    if now.last_ruled is not None and now.last_ruled_seq == event.of and before is not None and before.hand is not None:
        last, then, table = now.last_ruled, before.hand, before.table
    else:
        assert record is not None
        last, then, table = record.event, _with_chips_of(now, record.hand), state.table
    then = replace(then, players=tuple([replace(one, doubt=_doubt_of(now, one)) for one in then.players]))
    ruling = replace(
        last,
        reading=event.reading,
        inferred=False,
        round=event.round,
        folds=event.folds,
        out_of_turn=event.out_of_turn,
    )
    hand = replace(
        acted(then, ruling),
        last_ruled=ruling,
        last_ruled_seq=event.of,
        held=tuple([push for push in now.held if push.seat != event.seat]),
        rulings=(*then.rulings, event.of),
    )
    again = [RuledBefore(one.seq, ruling, one.hand) if one is record else one for one in state.rulings]
    here = Checkpoint(event.of, table, then)
    return replace(state, hand=hand, table=table, before_ruling=here, rulings=tuple(again))


def round_restarted(state: State, event: e.RoundRestarted) -> State:
    """From before its first ruling on; what waited for chips, for the turn or for an answer waits no more."""
    now = the(state)
    then = next((_with_chips_of(now, one.hand) for one in state.rulings if one.seq == event.of), now)
    players = tuple([replace(one, doubt=_doubt_of(now, one)) for one in then.players])
    return replace(state, hand=replace(then, players=players, held=(), word=None, question=None), before_ruling=None)


def _doubt_of(now: Hand, player: InHand) -> e.PutInDoubt | None:
    """A fact like the chips themselves: it lasts whatever was ruled before it."""
    return next((one.doubt for one in now.players if one.seat == player.seat), None)


def put_in_doubt(state: State, event: e.PutInDoubt) -> State:
    certain = not (event.missed or event.second or event.changed)
    return in_hand(state, event.seat, doubt=None if certain else event)


def _with_chips_of(now: Hand, hand: Hand) -> Hand:
    """An earlier hand with the chips that have been counted meanwhile: those are facts."""
    chips = {player.seat: (player.counted, player.stale, player.pulled) for player in now.players}
    players = [
        replace(player, counted=chips[player.seat][0], stale=chips[player.seat][1], pulled=chips[player.seat][2])
        for player in hand.players
    ]
    return replace(hand, players=tuple(players))


def said(state: State, event: e.Said) -> State:
    return replace(state, hand=replace(the(state), word=(event.seat, event.word)))


def turn_passed(state: State, event: e.TurnPassed) -> State:
    hand = the(state)
    players = hand.players
    if [player for player in players if player.out_of_turn]:
        passed = _passed(hand, event.to)
        players = tuple([replace(one, out_of_turn=False) if one.seat in passed else one for one in players])
    return replace(state, hand=replace(hand, to_act=event.to, players=players))


def _passed(hand: Hand, to: int | None) -> list[int]:
    """Seats that the turn has gone over on its way."""
    seats = [player.seat for player in hand.players]
    if hand.to_act is None or to is None:
        return seats
    start = seats.index(hand.to_act)
    order = (*seats[start:], *seats[:start])
    return list(order[: order.index(to)])


def push_held(state: State, event: e.PushHeld) -> State:
    hand = the(state)
    others = tuple(other for other in hand.held if other.seat != event.seat)
    return replace(state, hand=replace(hand, held=(*others, event)))


def push_released(state: State, event: e.PushReleased) -> State:
    hand = the(state)
    held = tuple(push for push in hand.held if push.seat != event.seat)
    return in_hand(replace(state, hand=replace(hand, held=held)), event.seat, barred=not event.may_raise)


def asked(state: State, event: e.Asked) -> State:
    return replace(state, hand=replace(the(state), question=event))


def answered(state: State) -> State:
    return replace(state, hand=replace(the(state), question=None))


def betting_closed(state: State) -> State:
    hand = the(state)
    hand = replace(hand, phase=entered(hand.phase, SWEEPING), to_act=None, word=None)
    return replace(state, hand=hand)


def uncalled_returned(state: State, event: e.UncalledReturned) -> State:
    assert event.bet is not None
    player = the(state).players[at(the(state), event.seat)]
    return in_hand(
        state,
        event.seat,
        bet=player.bet - event.bet,
        committed=player.committed - event.amount,
        uncalled=player.uncalled + event.amount,
    )


def bets_swept(state: State, event: e.BetsSwept) -> State:
    hand = the(state)
    assert event.phase is not None
    players = tuple([replace(player, bet=0) if player.bet else player for player in hand.players])
    phase = entered(hand.phase, event.phase)
    return replace(state, hand=replace(hand, players=players, pots=event.pots, phase=phase))


def street_opened(state: State, event: e.StreetOpened) -> State:
    hand = the(state)
    assert event.phase is not None
    assert hand.game.has_street(event.row), f"{hand.game.name} has no street {event.row}"
    hand = replace(
        hand,
        phase=entered(hand.phase, event.phase),
        street=event.row,
        players=tuple([_new_round(player, state.spots[player.seat - 1]) for player in hand.players]),
        to_act=event.to_act,
        opens_at=None,
        current_bet=0,
        min_bet=event.min_bet,
        last_full_raise=event.min_bet,
        players_at_start=event.players,
        opener=None,
        opening_bet=0,
        raises=0,
        full_raises=0,
        board=event.board,
        board_count=event.board_count,
        loose=0,
        rulings=(),
    )
    return replace(state, hand=hand, before_ruling=None)


def board_changed(state: State, event: e.BoardChanged) -> State:
    return replace(state, hand=replace(the(state), board=event.board))


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
def hands_shown(state: State, event: e.HandsShown) -> State:
    return in_hand(state, event.seat, tabled=True, shown=event.cards)


def mucked(state: State, event: e.Mucked) -> State:
    return in_hand(state, event.seat, folded=True)


def pot_awarded(state: State, event: e.PotAwarded) -> State:
    hand = the(state)
    assert event.phase is not None
    won = {share.seat: share.amount for share in event.shares}
    players = tuple(
        [
            replace(player, won=player.won + won[player.seat]) if player.seat in won else player
            for player in hand.players
        ]
    )
    hand = replace(
        hand,
        players=players,
        awards=(*hand.awards, (event.pot, event.shares)),
        owed=tuple([e.Share(player.seat, player.won) for player in players if player.won]),
        phase=entered(hand.phase, event.phase),
        to_act=None,
        question=None,
    )
    return replace(state, hand=hand)


def pot_paid(state: State, event: e.PotPaid) -> State:
    hand = the(state)
    owed = [
        replace(share, amount=share.amount - event.amount) if share.seat == event.seat else share for share in hand.owed
    ]
    return replace(state, hand=replace(hand, owed=tuple([share for share in owed if share.amount > 0])))


def hand_ended(state: State, event: e.HandEnded) -> State:
    hand, before = the(state), state.table
    seats = list(before.seats)
    for share in event.stacks:
        seat = seats[share.seat - 1]
        playing = seat.playing and share.seat not in event.busted
        seats[share.seat - 1] = replace(seat, stack=share.amount, playing=playing, bought=0)
    table = replace(
        before,
        seats=tuple(seats),
        rock=before.rock if event.rock is None else event.rock,
        leg=before.leg if event.leg is None else event.leg or None,
        killer=event.killer or before.killer,
    )
    phase = entered(hand.phase, BETWEEN_HANDS)
    hand = replace(hand, phase=phase, to_act=None, question=None, word=None, held=())
    return replace(_all_old(state), hand=hand, table=table)


def _all_old(state: State) -> State:
    """Hole cards and board of a hand that is over, as far as they lie there still."""
    old = (*[card for cards in state.cards for card in cards], *state.board)
    return replace(state, old_cards=old, perhaps_old={})


def misdealt(state: State, event: e.Misdealt) -> State:
    """Nothing of the hand is left but who sat in it. A misdeal leads out of every phase."""
    hand = the(state)
    assert event.stacks is not None
    empty = Hand(
        number=hand.number,
        phase=BETWEEN_HANDS,
        game=hand.game,
        street=hand.street,
        button=hand.button,
        players=tuple(InHand(player.seat, player.start_stack, base=player.base) for player in hand.players),
        min_bet=hand.min_bet,
    )
    stacks = {share.seat: share.amount for share in event.stacks}
    owed = {one.seat: one for one in event.owed}
    seats = [
        replace(
            seat,
            stack=stacks[number],
            bought=0,
            missed_small=number in owed and owed[number].small,
            missed_big=number in owed and owed[number].big,
        )
        for number, seat in enumerate(state.table.seats, 1)
    ]
    table = replace(
        state.table,
        seats=tuple(seats),
        button_placed=True,
        small_place=event.small_place,
        big_place=event.big_place,
        killer=event.killer,
    )
    return replace(_all_old(state), hand=empty, table=table, before_ruling=None, rulings=())


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


def in_hand(state: State, seat: int, **changes: object) -> State:
    """One player changed."""
    hand = the(state)
    players = [*hand.players]
    index = at(hand, seat)
    players[index] = replace(players[index], **changes)
    return replace(state, hand=replace(hand, players=(*players,)))
