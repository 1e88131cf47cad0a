"""Stud's up cards, and who opens by them.

An antenna feels no side. A card is taken for an up card only where the order of its arrival leaves no doubt, so that no
down card is ever shown because it was read late; a person names the others, or says who opens.
"""

from controller.engine.draft import Draft
from controller.hand.betting import alive, can_bet_on
from controller.hand.openers import BY_UP_CARDS, opens_first
from controller.hand.showdown import cards_of
from controller.table.events import OpenerSeen, TurnedUp
from controller.table.phases import STREET_CARDS
from controller.table.state import Hand, State


def up_cards_by(hand: Hand, row: int) -> int:
    """How many cards a seat shows once that street is dealt."""
    return sum([street.up for street in hand.game.streets[: row + 1]])


def note_up(draft: Draft, seat: int, came: list[str], before: int) -> None:
    """Tells which of the cards that came to a seat lie face up; it had `before` cards of this hand."""
    hand, row = draft.hand, row_dealt(draft.hand)
    street, state = hand.game.streets[row], draft.state
    clear = seat not in state.up_unclear
    if not came or not street.up or not (row or clear):
        return
    first_up = hand.game.cards_by(row) - street.up
    if before >= hand.game.cards_by(row):
        return  # it has its cards of this street: what comes is too early, or one too many
    if before >= first_up:
        draft.emit(TurnedUp(seat, (*state.up.get(seat, ()), *came), clear=clear))
    elif before + len(came) > first_up or _may_be_of_next_round(draft, seat, row, first_up):
        draft.emit(TurnedUp(seat, state.up.get(seat, ()), clear=False))


def _may_be_of_next_round(draft: Draft, seat: int, row: int, down: int) -> bool:
    """Whether the card that completes a seat's down cards may be its up card, one down card being unread.

    So it is where the dealer's next time round has come to this seat: those behind it have all their down cards, those
    before it one more.
    """
    if row or len(cards_of(draft.state, seat)) != down:
        return False
    behind = False
    for player in draft.hand.players:
        count = len(cards_of(draft.state, player.seat))
        if player.seat == seat:
            behind = True
        elif count < (down if behind else down + 1):
            return False
    return len(draft.hand.players) > 1


def row_dealt(hand: Hand) -> int:
    """The street whose cards are dealt now, or were dealt last."""
    return hand.street + (hand.phase in STREET_CARDS and not hand.row.is_last)


def cards_due(hand: Hand) -> int:
    """How many cards a seat has once the street is dealt that is dealt now."""
    return hand.game.cards_by(row_dealt(hand))


def opener_by_cards(state: State, row: int) -> int | None:
    """The seat whose up cards open a street; None: they are not known, or position decides."""
    hand = state.hand
    if hand is None or hand.game.streets[row].opens not in BY_UP_CARDS:
        return None
    up = {player.seat: state.up.get(player.seat, ()) for player in alive(hand)}
    return opens_first(hand.game.streets[row].opens, up, up_cards_by(hand, row))


def see_opener(draft: Draft, row: int) -> bool:
    """Whether it is known who opens a street: by position, by up cards, or because a person has said so.

    Where nobody can bet any more nobody opens.
    """
    if _needs_none(draft, row):
        return True
    seat = opener_by_cards(draft.state, row)
    if seat is not None:
        draft.emit(OpenerSeen(seat))
    return seat is not None


def knows_opener(draft: Draft, row: int) -> bool:
    """The same, and nothing happens."""
    return _needs_none(draft, row) or opener_by_cards(draft.state, row) is not None


def _needs_none(draft: Draft, row: int) -> bool:
    hand = draft.hand
    by_position = hand.game.streets[row].opens not in BY_UP_CARDS
    return by_position or hand.opens_at is not None or not can_bet_on(hand)
