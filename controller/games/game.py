"""What a game is: its streets as rows, counted from 0. Knows no seat, no chip and no amount.

The limits (no limit, pot limit ...) and the house's switches are other things: any game is played under any of them.
Names of streets are for people and for files; nothing is decided by a name.

A player's cards lie at his seat: down ones, which nobody else sees, and in stud up ones. A street may take cards away
from him as well: he exchanges some (draw games) or throws some away (pineapple).
"""

from typing import Literal

from msgspec.structs import replace

from controller.games.hand_kinds import Kind, Uses
from controller.rulings.values import StructureType, Value

# Who acts first. Stud: the lowest or highest up card brings it in, later the highest or lowest hand that shows.
Opens = Literal["behind_blinds", "left_of_button", "low_card", "high_card", "high_hand", "low_hand"]
BetSize = Literal["small", "big"]  # which bet of fixed limit (Robert's Rules, limit hold'em)
HandKind = Kind  # each of a game's hands wins its share of a pot
Forced = Literal["blinds", "bring_in"]
Deck = Literal["52", "36"]


class Street(Value, frozen=True, omit_defaults=True):
    """One round of cards and the betting behind it."""

    name: str  # key of a text
    down: int = 0  # cards to each seat, face down
    board: int = 0  # cards to the board
    bets: BetSize = "small"
    opens: Opens = "left_of_button"
    board_so_far: int = 0  # with those of the streets before it
    is_last: bool = False
    up: int = 0  # cards to each seat, face up, behind the down ones
    draw: int = 0  # most cards that a player may exchange; 0: none
    discard: int = 0  # cards that each player throws away
    open_pair_bets_big: bool = False  # fixed limit: a pair that shows may bet the big bet
    common_if_short: bool = False  # one card for all where the deck runs out

    @property
    def deals_to_seats(self) -> bool:
        """Whether players get cards, or change them, before its betting."""
        return bool(self.down or self.up or self.draw or self.discard)


class Game(Value, frozen=True, omit_defaults=True):
    name: str  # of its file
    title: str
    seats: tuple[int, int]  # fewest and most that it is dealt to
    codes: dict[StructureType, str]  # PHH's code for each structure that it is played with
    streets: tuple[Street, ...]
    hole_cards: int = 0  # most that a seat has at a time
    board_cards: int = 0
    hands: tuple[HandKind, ...] = ("high",)
    uses: Uses = "any"
    forced: Forced = "blinds"
    deck: Deck = "52"
    opener_needs: int = 0  # draw: rank of the pair that opens the first betting, 11 for jacks or better; 0: none

    def has_street(self, row: int) -> bool:
        return 0 <= row < len(self.streets)

    def opened_by(self, cards: int) -> int | None:
        """The street that exactly so many resting board cards open; None: no street does."""
        for row, street in enumerate(self.streets):
            if street.board and street.board_so_far == cards:
                return row
        return None

    def cards_by(self, row: int) -> int:
        """How many cards a seat has once that street is dealt."""
        return sum([street.down + street.up - street.discard for street in self.streets[: row + 1]])

    @property
    def shown_cards(self) -> int:
        """How many cards a player tables at the showdown."""
        return self.cards_by(len(self.streets) - 1)


def with_totals(game: Game) -> Game:
    """The game with what follows from its rows worked out: cards so far, and which row is the last."""
    streets, board, hole, most = [], 0, 0, 0
    for row, street in enumerate(game.streets, 1):
        board += street.board
        hole += street.down + street.up
        most = max(most, hole)
        hole -= street.discard
        streets.append(replace(street, board_so_far=board, is_last=row == len(game.streets)))
    return replace(game, streets=tuple(streets), hole_cards=most, board_cards=board)
