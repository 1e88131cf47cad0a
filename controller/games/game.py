"""What a game is: its streets as rows, counted from 0. Knows no seat, no chip and no amount.

The limits (no limit, pot limit ...) and the house's switches are other things: any game is played under any of them.
Names of streets are for people and for files; nothing is decided by a name.
"""

from typing import Literal

from controller.rulings.values import StructureType, Value

Opens = Literal["behind_blinds", "left_of_button"]  # who acts first
BetSize = Literal["small", "big"]  # which bet of fixed limit (Robert's Rules, limit hold'em)


class Street(Value, frozen=True):
    """One round of cards and the betting behind it."""

    name: str  # key of a text
    down: int = 0  # cards to each seat, face down
    board: int = 0  # cards to the board
    bets: BetSize = "small"
    opens: Opens = "left_of_button"
    board_so_far: int = 0  # with those of the streets before it
    is_last: bool = False


class Game(Value, frozen=True):
    name: str  # of its file
    title: str
    seats: tuple[int, int]  # fewest and most that it is dealt to
    codes: dict[StructureType, str]  # PHH's code for each structure that it is played with
    streets: tuple[Street, ...]
    hole_cards: int = 0  # of a whole hand
    board_cards: int = 0

    def has_street(self, row: int) -> bool:
        return 0 <= row < len(self.streets)

    def opened_by(self, cards: int) -> int | None:
        """The street that exactly so many resting board cards open; None: no street does."""
        for row, street in enumerate(self.streets):
            if street.board and street.board_so_far == cards:
                return row
        return None


def with_totals(game: Game) -> Game:
    """The game with what follows from its rows worked out: cards so far, and which row is the last."""
    streets, board = [], 0
    for row, street in enumerate(game.streets, 1):
        board += street.board
        streets.append(
            Street(
                street.name,
                street.down,
                street.board,
                street.bets,
                street.opens,
                board_so_far=board,
                is_last=row == len(game.streets),
            )
        )
    hole = sum(street.down for street in streets)
    return Game(game.name, game.title, game.seats, game.codes, tuple(streets), hole_cards=hole, board_cards=board)
