"""Who has changed cards, and whose turn it is to: facts of a state, without any rule."""

from controller.table.phases import STREET_CARDS
from controller.table.state import Hand, InHand


def drew(player: InHand, row: int) -> int | None:
    """How many cards a player changed before the betting of a street; None: none was due, or not yet."""
    return player.drew if row and player.drew_row == row else None


def to_draw(hand: Hand | None) -> int | None:
    """Whose turn it is to change cards; None: nobody's."""
    if hand is None or hand.phase not in STREET_CARDS or not draws_next(hand):
        return None
    row = hand.street + 1
    return next((one.seat for one in hand.players if not one.folded and one.drew_row != row), None)


def draws_next(hand: Hand) -> bool:
    """Whether players change or throw away cards before the next round of betting."""
    if hand.row.is_last:
        return False
    street = hand.game.streets[hand.street + 1]
    return bool(street.draw or street.discard)
