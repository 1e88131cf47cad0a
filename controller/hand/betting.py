"""Order of action: who must act, who is next, when a round is over. No amount is judged here.

A player must act while he has not acted in this round, or faces more than his own bet. Posting a blind is not acting,
so the big blind keeps its option. Nobody acts against players who are all all-in for no more than he has in already.
"""

from controller.hand.openers import BY_UP_CARDS
from controller.table.state import Hand, InHand


def alive(hand: Hand) -> list[InHand]:
    """Players who still have cards, from the seat left of the button."""
    return [player for player in hand.players if not player.folded]


def owes(hand: Hand, player: InHand) -> int:
    """What a call would add, if he had it."""
    return max(0, hand.current_bet - player.bet)


def must_act(hand: Hand, player: InHand) -> bool:
    if player.folded or player.committed >= player.start_stack:
        return False
    if player.last_acted is not None and player.bet >= hand.current_bet:
        return False
    return contested(hand, player)


def contested(hand: Hand, player: InHand) -> bool:
    """Whether anybody can answer him, or has put in more than he has."""
    for other in hand.players:
        if other.folded or other is player:
            continue
        if other.committed < other.start_stack or other.bet > player.bet:
            return True
    return False


def next_to_act(hand: Hand, after: int) -> int | None:
    """The next seat that must act, clockwise from the seat `after` (which comes last); None: the round is over."""
    for index, player in enumerate(hand.players, 1):
        if player.seat == after:
            return _first_from(hand, index)
    return _first_from(hand, 0)


def behind_blinds(hand: Hand) -> bool:
    """Whether this round began with blinds, and not with a check or a bet."""
    return hand.row.opens == "behind_blinds"


def first_to_act(hand: Hand) -> int | None:
    """Behind blinds the seat left of the big one or of the straddle, heads-up the button; else left of the button.

    Stud: from whom the up cards name; nobody while that is not known.
    """
    if hand.row.opens in BY_UP_CARDS:
        return None if hand.opens_at is None else _first_from(hand, _index(hand, hand.opens_at))
    if not behind_blinds(hand):
        return _first_from(hand, 0)
    if hand.opens_after is not None:
        return next_to_act(hand, hand.opens_after)
    return _first_from(hand, 1 if len(hand.players) == 2 else 2)


def opener_of_next(hand: Hand) -> InHand | None:
    """Who acts first in the next street, as far as that is known; None: nobody will be able to."""
    start = 0 if hand.opens_at is None else _index(hand, hand.opens_at)
    players = (*hand.players[start:], *hand.players[:start])
    return next((player for player in players if not player.folded and not player.all_in), None)


def _index(hand: Hand, seat: int) -> int:
    return next((index for index, player in enumerate(hand.players) if player.seat == seat), 0)


def _first_from(hand: Hand, start: int) -> int | None:
    players = hand.players
    for player in (*players[start:], *players[:start]):
        if must_act(hand, player):
            return player.seat
    return None


def between(hand: Hand, start: int, end: int) -> list[InHand]:
    """Players who must act from seat `start` on, up to `end` and without it."""
    players = hand.players
    first = next((index for index, player in enumerate(players) if player.seat == start), 0)
    passed: list[InHand] = []
    for player in (*players[first:], *players[:first]):
        if player.seat == end:
            return passed
        if must_act(hand, player):
            passed.append(player)
    return passed


def can_bet_on(hand: Hand) -> bool:
    """Are there two players who can still bet? If not, the remaining board cards are run out."""
    able = 0
    for player in hand.players:
        if not player.folded and player.committed < player.start_stack:
            able += 1
    return able > 1
