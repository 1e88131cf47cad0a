"""Each seat's balance: what it really put into the middle against what the rules say it put in.

The middle is all spots and the pot; a chip between two places of the middle changes nobody's balance. So change may
come at once or at the end of the round, from anywhere, and a payout and change are the same thing: the middle owes.

    account = given - committed + won + carry      positive: due to the player; negative: missing from him

`carry` is what the hand before left open.

Chips that wait for a ruling, or for the rest of a post, are given but due to nobody.
"""

from collections.abc import Mapping

from controller.table.phases import BETWEEN_HANDS
from controller.table.state import Hand, InHand, State

Values = Mapping[str, int]


def given(state: State, player: InHand) -> int:
    """Value that he put into the middle in this hand, less what he took back."""
    return state.given[player.seat - 1] - player.base


def account(state: State, player: InHand) -> int:
    return state.given[player.seat - 1] - player.base - player.committed + player.won + player.carry


def is_square(state: State) -> bool:
    """Whether the last hand is over, and everybody was paid what he won."""
    hand = state.hand
    return hand is not None and hand.phase is BETWEEN_HANDS and not [p for p in hand.players if account(state, p)]


def unpaid(state: State, player: InHand, values: Values) -> int:
    """Part of his bet of this round that lies not before him, where change of an earlier round makes up for it."""
    return max(0, player.bet - worth(player.counted, values)) if account(state, player) > 0 else 0


def worth(chips: tuple[str, ...] | list[str], values: Values) -> int:
    """Value of chips; an item without a value counts nothing."""
    return sum([values.get(chip, 0) for chip in chips])


def front(state: State, seat: int, values: Values) -> int:
    """Value that lies on the spot of a seat now."""
    return worth(state.spots[seat - 1], values)


def unjudged(state: State, player: InHand) -> tuple[str, ...]:
    """Chips on his spot that are neither counted nor left from an earlier round."""
    spot = state.spots[player.seat - 1]
    if not spot:
        return ()
    counted, stale = player.counted, player.stale
    return tuple([chip for chip in spot if chip not in counted and chip not in stale])


def waiting(state: State, hand: Hand, player: InHand) -> tuple[str, ...]:
    """Chips on his spot that wait: out of turn, early, in question, or part of a post."""
    spot = state.spots[player.seat - 1]
    if not spot:
        return ()
    if any(post.seat == player.seat for post in hand.posts_due):
        return unjudged(state, player)
    names = [chip for push in hand.held if push.seat == player.seat for chip in push.chips]
    if hand.question is not None and hand.question.seat == player.seat:
        names += hand.question.chips
    if hand.word is not None and hand.word[0] == player.seat:
        return unjudged(state, player)
    return tuple([chip for chip in names if chip in spot])


def balance(state: State, seat: int, values: Values) -> int:
    """Change due to a seat (positive) or chips missing from it (negative), by value; 0 for a seat not in the hand."""
    hand = state.hand
    player = None if hand is None else hand.player(seat)
    return 0 if hand is None or player is None else balance_of(state, hand, player, values)


def balance_of(state: State, hand: Hand, player: InHand, values: Values) -> int:
    chips = waiting(state, hand, player)
    return account(state, player) - (worth(chips, values) if chips else 0)
