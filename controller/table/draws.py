"""Whose turn it is to change cards: facts of a state, without any rule."""

from controller.table.phases import STREET_CARDS
from controller.table.state import Hand


def to_draw(hand: Hand | None) -> int | None:
    """Whose turn it is to change cards; None: nobody's."""
    if hand is None or hand.phase not in STREET_CARDS or not draws_next(hand):
        return None
    return next((player.seat for player in hand.players if not player.folded and player.drew is None), None)


def draws_next(hand: Hand) -> bool:
    """Whether players change or throw away cards before the next round of betting."""
    if hand.row.is_last:
        return False
    street = hand.game.streets[hand.street + 1]
    return bool(street.draw or street.discard)
