"""Events to states. No rules: every result that a rule produced is in the event.

Replay of a journal is this file alone. `EVOLVE` has one function an event; a test holds it complete.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller.engine import events as e
from controller.engine.state import AlarmKey, Checkpoint, Hand, HeldPush, InHand, Phase, Seat, State, Table
from controller.places import Moved, Place, Zone
from controller.rulings.values import Reading

UNDO_DEPTH = 50  # causes that undo can go back; a long hand has some thirty
COUNTED_AT_ONCE = frozenset({"paid", "change", "swap"})  # chips that come to a spot so wait for no ruling
PULLED, LOOSE = "pulled_back", "loose"
_OF_A_SEAT = (Zone.HOLE, Zone.HELD)


def evolve(state: State, event: e.Event) -> State:
    """The next state."""
    seq = state.seq
    if isinstance(event, e.Decision) and event.head:
        here = Checkpoint(seq, state.table, state.hand, state.before_ruling)
        state = replace(state, past=(*state.past[1 - UNDO_DEPTH :], here), future=())
    return replace(EVOLVE[type(event)](state, event), seq=seq + 1)


# ---------------------------------------------------------------- facts
def items_moved(state: State, event: e.ItemsMoved) -> State:
    state = lay(state, event.moves, event.flows)
    if state.hand is not None:
        if event.meaning in COUNTED_AT_ONCE:
            return replace(state, hand=_counted(state.hand, event.moves))
        if event.meaning == PULLED:
            return replace(state, hand=_pulled(state.hand, event.moves))
        if event.meaning == LOOSE:
            return replace(state, hand=replace(state.hand, loose=state.hand.loose + len(event.moves)))
    return state


def lay(state: State, moves: tuple[Moved, ...], flows: tuple[e.Share, ...]) -> State:
    """Items lie elsewhere now."""
    places = state.places.copy()
    spots, cards, board, muck = list(state.spots), list(state.cards), state.board, state.muck
    old_cards = state.old_cards
    for moved in moves:
        item, target = moved.item, moved.target
        origin = places.get(item)
        places[item] = target
        if origin is not None and origin != target:
            if origin.zone is Zone.SPOT:
                _take(spots, origin, item)
            elif origin.zone in _OF_A_SEAT:
                if target.zone is not Zone.HELD:
                    _take(cards, origin, item)
                if item in old_cards:
                    old_cards = _without(old_cards, item)
            elif origin.zone is Zone.BOARD:
                board = _without(board, item)
            elif origin.zone is Zone.MUCK:
                muck = _without(muck, item)
        if origin == target:
            continue
        if target.zone is Zone.SPOT:
            _put(spots, target, item)
        elif target.zone is Zone.HOLE:
            _put(cards, target, item)
        elif target.zone is Zone.BOARD:
            board = (*board, item)
        elif target.zone is Zone.MUCK:
            muck = (*muck, item)
    return replace(
        state,
        places=places,
        spots=tuple(spots),
        cards=tuple(cards),
        board=board,
        muck=muck,
        old_cards=old_cards,
        given=_flow(state.given, flows) if flows else state.given,
    )


def _take(by_seat: list[tuple[str, ...]], place: Place, item: str) -> None:
    if place.seat is not None and 0 < place.seat <= len(by_seat):
        by_seat[place.seat - 1] = _without(by_seat[place.seat - 1], item)


def _put(by_seat: list[tuple[str, ...]], place: Place, item: str) -> None:
    if place.seat is not None and 0 < place.seat <= len(by_seat) and item not in by_seat[place.seat - 1]:
        by_seat[place.seat - 1] = (*by_seat[place.seat - 1], item)


def _without(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    return tuple(other for other in items if other != item)


def _flow(given: tuple[int, ...], flows: tuple[e.Share, ...]) -> tuple[int, ...]:
    sums = list(given)
    for flow in flows:
        sums[flow.seat - 1] += flow.amount
    return tuple(sums)


def _counted(hand: Hand, moves: tuple[Moved, ...]) -> Hand:
    for moved in moves:
        target = moved.target
        if target.zone is Zone.SPOT and (index := _index(hand, target.seat)) is not None:
            player = hand.players[index]
            hand = _with(hand, index, replace(player, counted=(*player.counted, moved.item)))
    return hand


def _pulled(hand: Hand, moves: tuple[Moved, ...]) -> Hand:
    """Chips taken back no longer count, but the ruling must know of them (TDA 2024 46)."""
    for moved in moves:
        index = _index(hand, moved.origin.seat)
        if moved.origin.zone is Zone.SPOT and index is not None and moved.item in hand.players[index].counted:
            player = hand.players[index]
            player = replace(player, counted=_without(player.counted, moved.item), pulled=(*player.pulled, moved.item))
            hand = _with(hand, index, player)
    return hand


def places_counted(state: State, event: e.PlacesCounted) -> State:
    seats = len(state.table.seats)
    empty: tuple[tuple[str, ...], ...] = ((),) * seats
    bare = replace(state, places={}, spots=empty, cards=empty, board=(), muck=())
    laid = lay(bare, tuple(Moved(item, place, place) for item, place in event.places.items()), event.flows)
    cards = _still_held(state, event.places)
    cards = tuple((*now, *held) for now, held in zip(laid.cards, cards, strict=True))
    return replace(laid, cards=cards, counted_in=True, differences=event.differences)


def _still_held(state: State, places: dict[str, Place]) -> tuple[tuple[str, ...], ...]:
    """Cards that were taken up from their antenna and are still in the player's hand."""
    return tuple(
        tuple(card for card in cards if places.get(card) == Place(Zone.HELD, seat))
        for seat, cards in enumerate(state.cards, 1)
    )


def differences_accepted(state: State, _event: e.DifferencesAccepted) -> State:
    return replace(state, differences=())


def alarmed(state: State, event: e.Alarmed) -> State:
    others = tuple(alarm for alarm in state.alarms if (alarm.key, alarm.seat) != (event.key, event.seat))
    return replace(state, alarms=(*others, AlarmKey(event.key, event.seat, event.amount)))


def cleared(state: State, event: e.Cleared) -> State:
    return replace(
        state, alarms=tuple(alarm for alarm in state.alarms if (alarm.key, alarm.seat) != (event.key, event.seat))
    )


def refused(state: State, _event: e.Refused) -> State:
    return state


# ---------------------------------------------------------------- table
def seat_changed(state: State, event: e.SeatChanged) -> State:
    seat = Seat(event.stack, event.playing, event.name, event.bought)
    return replace(state, table=_seated(state.table, event.seat, seat))


def _seated(table: Table, number: int, seat: Seat) -> Table:
    return replace(table, seats=(*table.seats[: number - 1], seat, *table.seats[number:]))


def button_moved(state: State, event: e.ButtonMoved) -> State:
    return replace(state, table=replace(state.table, button=event.seat, button_placed=True))


def level_changed(state: State, event: e.LevelChanged) -> State:
    table = replace(state.table, small_blind=event.small, big_blind=event.big, ante=event.ante)
    return replace(state, table=table)


def paused(state: State, _event: e.Paused) -> State:
    return replace(state, table=replace(state.table, paused=True))


def resumed(state: State, _event: e.Resumed) -> State:
    return replace(state, table=replace(state.table, paused=False))


# ---------------------------------------------------------------- hand: start
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
    hand = Hand(
        number=event.number,
        phase=Phase.POSTING,
        street="preflop",
        button=event.button,
        players=players,
        min_bet=event.min_bet,
        posts_due=event.posts,
        current_bet=event.min_bet,
        last_full_raise=event.min_bet,
    )
    table = replace(state.table, button=event.button, button_placed=False, hand_number=event.number)
    return replace(state, hand=hand, table=table, before_ruling=None, alarms=())


def left_over(state: State, seat: int) -> tuple[str, ...]:
    """Chips of the hand before that still lie on a spot."""
    hand = state.hand
    index = None if hand is None else _index(hand, seat)
    if hand is None or index is None:
        return ()
    player = hand.players[index]
    return tuple(chip for chip in state.spots[seat - 1] if chip in player.counted or chip in player.stale)


def posted(state: State, event: e.Posted) -> State:
    hand = _hand(state)
    index = _at(hand, event.seat)
    player = hand.players[index]
    ante = event.kind == "ante"
    player = replace(
        player,
        bet=player.bet if ante else player.bet + event.amount,
        committed=player.committed + event.amount,
        dead=event.amount if ante and state.table.ante_by in {"big_blind", "button"} else player.dead,
        counted=_posted_chips(state, hand, event.seat),
    )
    due = tuple(post for post in hand.posts_due if (post.seat, post.kind) != (event.seat, event.kind))
    hand = replace(_with(hand, index, player), posts_due=due)
    return replace(state, hand=hand if due else replace(hand, phase=_later(hand.phase)))


def _later(phase: Phase) -> Phase:
    return Phase.DEALING if phase is Phase.POSTING else phase


def _posted_chips(state: State, hand: Hand, seat: int) -> tuple[str, ...]:
    held = {chip for push in hand.held if push.seat == seat for chip in push.chips}
    held.update(hand.players[_at(hand, seat)].stale)
    return tuple(chip for chip in state.spots[seat - 1] if chip not in held)


def dealing_ended(state: State, event: e.DealingEnded) -> State:
    return replace(state, hand=replace(_hand(state), phase=Phase.BETTING, to_act=event.to_act))


# ---------------------------------------------------------------- hand: betting
def ruled(state: State, event: e.Ruled) -> State:
    hand = _hand(state)
    before = Checkpoint(state.seq, state.table, hand)
    inferred = hand.inferred_seq if not event.head else None
    if event.inferred and inferred is None and event.reading.action == "check":
        inferred = state.seq
    hand = acted(hand, event.seat, event.reading, event.chips, event.inferred)
    loose = 0 if event.inferred and event.reading.action == "fold" else hand.loose
    hand = replace(hand, last_ruled=event, last_ruled_seq=state.seq, inferred_seq=inferred, loose=loose)
    return replace(state, hand=hand, before_ruling=before)


def acted(hand: Hand, seat: int, reading: Reading, chips: tuple[str, ...], inferred: bool) -> Hand:
    """The hand after an action: the amounts of the reading, nothing judged."""
    index = _at(hand, seat)
    player = hand.players[index]
    fold = reading.action == "fold"
    total = reading.total_to
    player = replace(
        player,
        bet=total,
        committed=player.committed + total - player.bet,
        folded=fold,
        last_acted=total,
        action=reading.action,
        inferred=inferred,
        full_raises=hand.full_raises + reading.reopens,
        counted=player.counted + chips,
        pulled=(),
    )
    players = (*hand.players[:index], player, *hand.players[index + 1 :])
    up = total > hand.current_bet and not fold
    return replace(
        hand,
        players=players,
        current_bet=total if up else hand.current_bet,
        last_full_raise=max(hand.last_full_raise, total - hand.current_bet)
        if up and reading.reopens
        else hand.last_full_raise,
        opener=seat if up and hand.current_bet == 0 else hand.opener,
        opening_bet=total if up and hand.raises == 0 else hand.opening_bet,
        raises=hand.raises + up,
        full_raises=hand.full_raises + reading.reopens,
        held=tuple(push for push in hand.held if push.seat != seat) if hand.held else (),
        word=None if hand.word is None or hand.word[0] == seat else hand.word,
        question=None,
    )


def overruled(state: State, event: e.Overruled) -> State:
    before = state.before_ruling
    now = _hand(state)
    assert before is not None
    assert before.hand is not None
    assert now.last_ruled is not None
    ruling = replace(now.last_ruled, reading=event.reading, inferred=False)
    hand = acted(before.hand, event.seat, event.reading, ruling.chips, inferred=False)
    hand = replace(hand, last_ruled=ruling, last_ruled_seq=event.of)
    return replace(state, table=before.table, hand=hand)


def said(state: State, event: e.Said) -> State:
    return replace(state, hand=replace(_hand(state), word=(event.seat, event.word)))


def turn_passed(state: State, event: e.TurnPassed) -> State:
    return replace(state, hand=replace(_hand(state), to_act=event.to))


def push_held(state: State, event: e.PushHeld) -> State:
    hand = _hand(state)
    push = HeldPush(event.seat, event.chips, event.facing, event.early)
    others = tuple(other for other in hand.held if other.seat != event.seat)
    return replace(state, hand=replace(hand, held=(*others, push)))


def push_released(state: State, event: e.PushReleased) -> State:
    hand = _hand(state)
    return replace(state, hand=replace(hand, held=tuple(push for push in hand.held if push.seat != event.seat)))


def asked(state: State, event: e.Asked) -> State:
    return replace(state, hand=replace(_hand(state), question=event))


def answered(state: State, _event: e.Answered) -> State:
    return replace(state, hand=replace(_hand(state), question=None))


def betting_closed(state: State, _event: e.BettingClosed) -> State:
    return replace(state, hand=replace(_hand(state), phase=Phase.SWEEPING, to_act=None, word=None))


def uncalled_returned(state: State, event: e.UncalledReturned) -> State:
    hand = _hand(state)
    index = _at(hand, event.seat)
    player = hand.players[index]
    bet = max(0, player.bet - event.amount)  # an ante that nobody could match goes back too
    player = replace(player, bet=bet, committed=player.committed - event.amount)
    return replace(state, hand=_with(hand, index, player))


def bets_swept(state: State, event: e.BetsSwept) -> State:
    hand = _hand(state)
    players = tuple(replace(player, bet=0) if player.bet else player for player in hand.players)
    phase = Phase.SHOWDOWN if hand.street == "river" else Phase.STREET_CARD
    return replace(state, hand=replace(hand, players=players, pots=event.pots, phase=phase))


def street_opened(state: State, event: e.StreetOpened) -> State:
    hand = _hand(state)
    hand = replace(
        hand,
        phase=Phase.BETTING if event.to_act is not None else _run_out(event.street),
        street=event.street,
        players=tuple(_new_round(player, state.spots[player.seat - 1]) for player in hand.players),
        to_act=event.to_act,
        current_bet=0,
        last_full_raise=hand.min_bet,
        opener=None,
        opening_bet=0,
        raises=0,
        full_raises=0,
        board=event.board,
        board_count=_BOARD_COUNT[event.street],
        loose=0,
    )
    return replace(state, hand=hand)


_BOARD_COUNT = {"flop": 3, "turn": 4, "river": 5}


def _run_out(street: str) -> Phase:
    return Phase.SHOWDOWN if street == "river" else Phase.STREET_CARD


def _new_round(player: InHand, spot: tuple[str, ...]) -> InHand:
    stale = tuple(chip for chip in spot if chip in player.counted or chip in player.stale) if spot else ()
    return replace(player, bet=0, last_acted=None, action="", inferred=False, counted=(), stale=stale, pulled=())


# ---------------------------------------------------------------- hand: its end
def hands_shown(state: State, event: e.HandsShown) -> State:
    hand = _hand(state)
    index = _at(hand, event.seat)
    return replace(state, hand=_with(hand, index, replace(hand.players[index], tabled=True, shown=event.cards)))


def mucked(state: State, event: e.Mucked) -> State:
    hand = _hand(state)
    index = _at(hand, event.seat)
    return replace(state, hand=_with(hand, index, replace(hand.players[index], folded=True)))


def pot_awarded(state: State, event: e.PotAwarded) -> State:
    hand = _hand(state)
    for share in event.shares:
        index = _at(hand, share.seat)
        player = hand.players[index]
        hand = _with(hand, index, replace(player, won=player.won + share.amount))
    awards = (*hand.awards, (event.pot, event.shares))
    phase = Phase.PAYING if len(awards) >= len(hand.pots) else hand.phase
    owed = tuple(e.Share(player.seat, player.won) for player in hand.players if player.won)
    return replace(state, hand=replace(hand, awards=awards, owed=owed, phase=phase, to_act=None, question=None))


def pot_paid(state: State, event: e.PotPaid) -> State:
    hand = _hand(state)
    owed = tuple(
        replace(share, amount=share.amount - event.amount) if share.seat == event.seat else share for share in hand.owed
    )
    return replace(state, hand=replace(hand, owed=tuple(share for share in owed if share.amount > 0)))


def hand_ended(state: State, event: e.HandEnded) -> State:
    table = state.table
    for share in event.stacks:
        seat = table.seats[share.seat - 1]
        playing = seat.playing and share.amount > 0
        table = _seated(table, share.seat, Seat(share.amount, playing, seat.name))
    hand = replace(_hand(state), phase=Phase.BETWEEN_HANDS, to_act=None, question=None, word=None, held=())
    return replace(state, table=table, hand=hand, old_cards=_at_seats(state))


def _at_seats(state: State) -> tuple[str, ...]:
    return tuple(card for cards in state.cards for card in cards)


def misdealt(state: State, _event: e.Misdealt) -> State:
    """All chips go back: nobody put anything in. What was bought meanwhile counts now."""
    hand = _hand(state)
    players = tuple(InHand(player.seat, player.start_stack, base=player.base) for player in hand.players)
    table = state.table
    for number, seat in enumerate(table.seats, 1):
        if seat.bought:
            table = _seated(table, number, replace(seat, stack=seat.stack + seat.bought, bought=0))
    empty = Hand(
        number=hand.number,
        phase=Phase.BETWEEN_HANDS,
        street=hand.street,
        button=hand.button,
        players=players,
        min_bet=hand.min_bet,
    )
    table = replace(table, button_placed=True)
    return replace(state, table=table, hand=empty, before_ruling=None, old_cards=_at_seats(state))


# ---------------------------------------------------------------- corrections
def undone(state: State, event: e.Undone) -> State:
    for index, point in enumerate(state.past):
        if point.seq == event.of:
            here = Checkpoint(state.seq, state.table, state.hand, state.before_ruling)
            return _restored(state, point, state.past[:index], (here, *state.future))
    for index, point in enumerate(state.future):
        if point.seq == event.of:
            here = Checkpoint(state.seq, state.table, state.hand, state.before_ruling)
            return _restored(state, point, (*state.past, here), state.future[index + 1 :])
    return state


def _restored(state: State, point: Checkpoint, past: tuple[Checkpoint, ...], future: tuple[Checkpoint, ...]) -> State:
    return replace(
        state, table=point.table, hand=point.hand, before_ruling=point.before_ruling, past=past, future=future
    )


# ---------------------------------------------------------------- parts
def _hand(state: State) -> Hand:
    assert state.hand is not None
    return state.hand


def _at(hand: Hand, seat: int) -> int:
    for index, player in enumerate(hand.players):
        if player.seat == seat:
            return index
    raise AssertionError(f"seat {seat} is not in hand {hand.number}")


def _index(hand: Hand, seat: int | None) -> int | None:
    return next((index for index, player in enumerate(hand.players) if player.seat == seat), None)


def _with(hand: Hand, index: int, player: InHand) -> Hand:
    return replace(hand, players=(*hand.players[:index], player, *hand.players[index + 1 :]))


EVOLVE: dict[type, Callable[[State, Any], State]] = {
    e.ItemsMoved: items_moved,
    e.PlacesCounted: places_counted,
    e.DifferencesAccepted: differences_accepted,
    e.Alarmed: alarmed,
    e.Cleared: cleared,
    e.Refused: refused,
    e.SeatChanged: seat_changed,
    e.ButtonMoved: button_moved,
    e.LevelChanged: level_changed,
    e.Paused: paused,
    e.Resumed: resumed,
    e.HandStarted: hand_started,
    e.Posted: posted,
    e.DealingEnded: dealing_ended,
    e.Ruled: ruled,
    e.Overruled: overruled,
    e.Said: said,
    e.TurnPassed: turn_passed,
    e.PushHeld: push_held,
    e.PushReleased: push_released,
    e.Asked: asked,
    e.Answered: answered,
    e.BettingClosed: betting_closed,
    e.UncalledReturned: uncalled_returned,
    e.BetsSwept: bets_swept,
    e.StreetOpened: street_opened,
    e.HandsShown: hands_shown,
    e.Mucked: mucked,
    e.PotAwarded: pot_awarded,
    e.PotPaid: pot_paid,
    e.HandEnded: hand_ended,
    e.Misdealt: misdealt,
    e.Undone: undone,
}
