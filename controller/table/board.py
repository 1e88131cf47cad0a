"""What rests on the board against what was dealt of it: facts, without any rule."""

from controller.places import Zone
from controller.table.state import Hand, State


def board_of(state: State) -> tuple[str, ...]:
    """Cards of this hand that rest on the board."""
    old = state.old_cards
    return tuple([card for card in state.board if card not in old]) if old else state.board


def gone(state: State) -> tuple[str, ...]:
    """Cards of the open streets that rest on the board no more."""
    resting = state.board
    return () if state.hand is None else tuple([card for card in state.hand.board if card not in resting])


def fresh(state: State) -> tuple[str, ...]:
    """Cards that rest on the board and are of no open street, in the order in which they came."""
    return () if state.hand is None else tuple([card for card in board_of(state) if card not in state.hand.board])


def unread(state: State) -> int:
    """How many cards of the open streets were never read."""
    return 0 if state.hand is None else state.hand.board_count - len(state.hand.board)


def is_common(hand: Hand) -> bool:
    """Whether the next card on the board would be one for all players, in the place of one for each."""
    return not hand.row.is_last and hand.game.streets[hand.street + 1].common_if_short


def is_elsewhere(state: State, card: str) -> bool:
    """Whether another antenna shows the card: it was taken away. Else it may only be unread."""
    place = state.places.get(card)
    return place is not None and place.zone in (Zone.HOLE, Zone.MUCK)
