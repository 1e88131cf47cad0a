"""Who wins: ranking of tabled hands, and the division of a pot. Nothing here looks at a hand that was not tabled."""

from collections.abc import Sequence

from phevaluator import evaluate_cards

from controller.games.game import Game
from controller.registry.registry import DECK, face
from controller.table.events import Share
from controller.table.state import InHand, State

_DECK = frozenset(DECK)


def cards_of(state: State, seat: int) -> tuple[str, ...]:
    """Hole cards of this hand that were seen at a seat.

    A card that he had in his hand when it began, and that no antenna has shown elsewhere since, may be one that he lays
    down again: it counts only where it makes up a whole hand.
    """
    cards = state.cards[seat - 1]
    if state.old_cards:
        cards = tuple([card for card in cards if card not in state.old_cards])
    if state.perhaps_old:
        sure = surely_dealt(state, seat)
        return sure if state.hand is not None and len(cards) > state.hand.game.hole_cards else cards
    return cards


def surely_dealt(state: State, seat: int) -> tuple[str, ...]:
    """Those of them that cannot be cards of the hand before."""
    cards, old, perhaps = state.cards[seat - 1], state.old_cards, state.perhaps_old
    if not old and not perhaps:
        return cards
    return tuple([card for card in cards if card not in old and perhaps.get(card) != seat])


def rank(hole: Sequence[str], board: Sequence[str]) -> int:
    """Rank of the best five of seven cards by the usual high rules: smaller is better, equal splits the pot."""
    return int(evaluate_cards(*(face(card) for card in (*hole, *board))))


def readable(game: Game, board: Sequence[str], players: Sequence[InHand]) -> bool:
    """Whether all cards were read that decide between these players, and each of them only once."""
    cards = [*board, *(card for player in players for card in player.shown)]
    known = len(board) == game.board_cards and all(len(player.shown) == game.hole_cards for player in players)
    faces = {face(card) for card in cards}
    return known and len(faces) == len(cards) and faces <= _DECK


def winners(board: Sequence[str], players: Sequence[InHand]) -> tuple[int, ...]:
    """Seats with the best hand among tabled ones, from the left of the button."""
    ranks = {player.seat: rank(player.shown, board) for player in players}
    best = min(ranks.values())
    return tuple(seat for seat, one in ranks.items() if one == best)


def split(amount: int, seats: Sequence[int], unit: int) -> tuple[Share, ...]:
    """Equal shares in whole chips of the smallest denomination in play (TDA 2024 20).

    Odd chips go one each from the left of the button on, which is the order of `seats`; a rest smaller than that chip,
    which no chips can pay, goes with the first of them.
    """
    chips, rest = divmod(amount, unit)
    each, odd = divmod(chips, len(seats))
    return tuple(
        Share(seat, (each + (index < odd)) * unit + (rest if index == 0 else 0)) for index, seat in enumerate(seats)
    )
