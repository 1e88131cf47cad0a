"""Cards at rest, as the core takes them apart: what is told at once, what waits for its turn, and what waits unread.

A card that keeps its hand (`controller/engine/kept.py`) is told at once wherever it is read: it is no act of anybody's.
A hand in the muck is the act of its player, a card on the board the dealer's.
"""

from collections.abc import Iterable

from controller.engine.kept import is_whole, owner_of
from controller.places import BOARD
from controller.table.board import fresh, gone, is_common, unread
from controller.table.phases import DECIDED, NO_HAND
from controller.table.state import State

Cards = tuple[str, ...]


def apart(state: State, cards: Cards) -> tuple[Cards, Cards]:
    """Of the cards on the board's antenna those that keep their hand, and the others."""
    if state.hand is None or state.hand.phase in NO_HAND:
        return (), cards
    known = (*only_read(state), *state.muck)
    kept = tuple([card for card in cards if card in known or owner_of(state, card) is not None])
    return kept, tuple([card for card in cards if card not in kept])


def only_read(state: State) -> Cards:
    """Cards that the board's antenna reads, and that are none of the board."""
    known = [card for cards in (*state.cards, state.muck) for card in cards]
    return tuple([card for card in known if state.places.get(card) == BOARD])


def mucked(state: State, cards: Cards, waiting: Iterable[str]) -> tuple[Cards, dict[int | None, Cards]]:
    """Cards that are new in the muck: of hands that are not whole there, and those of whole ones by seat.

    None: of no seat that was seen to have them.
    """
    old = {*state.muck, *waiting}
    part: Cards = ()
    found: dict[int | None, Cards] = {}
    for card in cards:
        if card not in old:
            seat = owner_of(state, card)
            if seat is None or is_whole(state, seat, cards):
                found[seat] = (*found.get(seat, ()), card)
            else:
                part = (*part, card)
    return part, found


class Short:
    """Whether some cards of the next street rest on the board and the others do not come: they may lie there unread."""

    def __init__(self, hold_ns: int) -> None:
        self._hold_ns = hold_ns
        self._since_ns: int | None = None
        self.waits = False

    def look(self, state: State, at_ns: int) -> bool:
        """Whether that changed."""
        before = self.waits
        if not is_short(state):
            self._since_ns = None
        elif self._since_ns is None:
            self._since_ns = at_ns
        self.waits = self._since_ns is not None and at_ns - self._since_ns >= self._hold_ns
        return self.waits is not before


def is_short(state: State) -> bool:
    hand, new = state.hand, fresh(state)
    if hand is None or not new or hand.phase in (*NO_HAND, *DECIDED) or gone(state) or unread(state):
        return False
    if is_common(hand):
        return False
    return hand.game.opened_by(hand.board_count + len(new)) is None
