"""Who wins: ranking of tabled hands, and the division of a pot. Nothing here looks at a hand that was not tabled."""

from collections.abc import Mapping, Sequence

from controller.games.game import Game, HandKind
from controller.games.ranking import rank
from controller.registry.registry import DECK, face
from controller.table.events import Part, Share
from controller.table.state import InHand, State
from firmware_bridge.events import Value

_DECK = frozenset(DECK)
Tabled = Mapping[int, Sequence[str]]  # by seat, from the left of the button: cards of its hand


class Won(Value, frozen=True):
    """One kind of hand on one board, and who has the best."""

    hand: HandKind
    board: int
    seats: tuple[int, ...]  # from the left of the button


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
        return sure if state.hand is not None and len(cards) > state.hand.hole_cards else cards
    return cards


def surely_dealt(state: State, seat: int) -> tuple[str, ...]:
    """Those of them that cannot be cards of the hand before."""
    cards, old, perhaps = state.cards[seat - 1], state.old_cards, state.perhaps_old
    if not old and not perhaps:
        return cards
    return tuple([card for card in cards if card not in old and perhaps.get(card) != seat])


def readable(game: Game, boards: Sequence[Sequence[str]], players: Sequence[InHand], common: int = 0) -> bool:
    """Whether all cards were read that decide between these players, and each of them only once.

    `common`: of the cards of each player so many lie on the board, for all (stud, where the deck ran out).
    """
    full = all(len(board) == game.board_cards + common for board in boards)
    shown = [card for player in players for card in player.shown]
    known = full and all(len(player.shown) == game.shown_cards - common for player in players)
    cards = [*dict.fromkeys(card for board in boards for card in board), *shown]
    faces = {face(card) for card in cards}
    return known and len(faces) == len(cards) and faces <= _DECK


def best(game: Game, kind: HandKind, board: Sequence[str], tabled: Tabled) -> tuple[int, ...]:
    """Seats with the best of one kind of hand among tabled ones, in their order; (): nobody has one."""
    open_board = [face(card) for card in board]
    ranks = {seat: rank(kind, [face(card) for card in hand], open_board, game.uses) for seat, hand in tabled.items()}
    found = {seat: value for seat, value in ranks.items() if value is not None}
    return tuple([seat for seat, value in found.items() if value == max(found.values())])


def winning(game: Game, boards: Sequence[Sequence[str]], tabled: Tabled) -> tuple[Won, ...]:
    """Who wins what: for each board every hand of the game that somebody has."""
    return tuple(
        [
            Won(kind, number, seats)
            for number, board in enumerate(boards)
            for kind in game.hands
            if (seats := best(game, kind, board, tabled))
        ]
    )


# ---------------------------------------------------------------- division
def parts(amount: int, won: Sequence[Won], unit: int) -> tuple[Part, ...]:
    """A pot divided: equal parts for the boards, of each for its hands, of each for who wins it.

    An odd chip goes to the first board, to the high hand (TDA 2024 20-B), and among winners from the left of the button
    on. What is less than the smallest chip goes with the first.
    """
    divided: list[Part] = []
    boards = tuple(dict.fromkeys([one.board for one in won]))
    for board, for_board in zip(boards, _cut(amount, len(boards), unit), strict=True):
        hands = [one for one in won if one.board == board]
        for one, value in zip(hands, _cut(for_board, len(hands), unit), strict=True):
            divided.append(Part(one.hand, split(value, one.seats, unit), board))
    return tuple(divided)


def together(divided: Sequence[Part]) -> tuple[Share, ...]:
    """What each seat gets of a pot."""
    shares: dict[int, int] = {}
    for part in divided:
        for share in part.shares:
            shares[share.seat] = shares.get(share.seat, 0) + share.amount
    return tuple([Share(seat, amount) for seat, amount in shares.items() if amount or len(shares) == 1])


def _cut(amount: int, count: int, unit: int) -> list[int]:
    """Equal amounts in whole chips of the smallest denomination, odd chips to the first of them."""
    chips, rest = divmod(amount, unit)
    each, odd = divmod(chips, count)
    return [(each + (index < odd)) * unit + (rest if index == 0 else 0) for index in range(count)]


def split(amount: int, seats: Sequence[int], unit: int) -> tuple[Share, ...]:
    """Equal shares in whole chips of the smallest denomination in play (TDA 2024 20).

    Odd chips go one each from the left of the button on, which is the order of `seats`; a rest smaller than that chip,
    which no chips can pay, goes with the first of them.
    """
    return tuple([Share(seat, one) for seat, one in zip(seats, _cut(amount, len(seats), unit), strict=True)])
