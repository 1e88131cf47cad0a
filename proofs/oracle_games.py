"""Games as PokerKit's streets, under every betting structure that it knows.

A code is a letter for the structure and the game: "PO" is pot-limit Omaha. Those of PHH are PHH's; the others are made
as PHH's are, and written with `_variant` beside them.
"""

import json
from collections.abc import Callable, Sequence

import pokerkit
from pokerkit import Automation, BettingStructure, Deck, Mode, Opening, State, Street

from firmware_bridge.events import Value

PHH_CODES = frozenset({"FT", "NT", "NS", "PO", "FO/8", "F7S", "F7S/8", "FR", "N2L1D", "F2L3D", "FB"})
STRUCTURES = {
    "N": BettingStructure.NO_LIMIT,
    "P": BettingStructure.POT_LIMIT,
    "F": BettingStructure.FIXED_LIMIT,
}
RAISES_OF_FIXED_LIMIT = 4
HAND_OVER = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.CHIPS_PULLING,
    Automation.RUNOUT_COUNT_SELECTION,
)


class Row(Value, frozen=True):
    """One street: "d" a card down, "u" a card up."""

    hole: str = ""
    board: int = 0
    draw: bool = False
    big: bool = False  # bets of fixed limit
    opens: Opening = Opening.POSITION


class Oracle(Value, frozen=True):
    rows: tuple[Row, ...]
    hands: tuple[type[pokerkit.Hand], ...]
    most_seats: int
    structures: str = "NPF"
    bring_in: bool = False
    short_deck: bool = False


def _board_game(hole: int, first: int = 0) -> tuple[Row, ...]:
    return Row("d" * hole, first), Row(board=3 - first), Row(board=1, big=True), Row(board=1, big=True)


def _stud(opens: Opening, then: Opening) -> tuple[Row, ...]:
    fourth, later, last = Row("u", opens=then), Row("u", big=True, opens=then), Row("d", big=True, opens=then)
    return Row("ddu", opens=opens), fourth, later, later, last


def _draws(hole: int, count: int) -> tuple[Row, ...]:
    """Fixed limit bets big from the middle draw on, or after the only one."""
    return Row("d" * hole), *(Row(draw=True, big=place >= count // 2) for place in range(count))


_HIGH, _LOW8 = pokerkit.StandardHighHand, pokerkit.EightOrBetterLowHand
_OMAHA, _OMAHA_LOW = pokerkit.OmahaHoldemHand, pokerkit.OmahaEightOrBetterLowHand
_HIGH_STUD = _stud(Opening.LOW_CARD, Opening.HIGH_HAND)
_FIVE_STUD = (
    Row("du", opens=Opening.LOW_CARD),
    Row("u", opens=Opening.HIGH_HAND),
    Row("u", big=True, opens=Opening.HIGH_HAND),
    Row("u", big=True, opens=Opening.HIGH_HAND),
)
GAMES = {
    "T": Oracle(_board_game(2), (_HIGH,), 10),
    "S": Oracle(_board_game(2), (pokerkit.ShortDeckHoldemHand,), 9, short_deck=True),
    "O": Oracle(_board_game(4), (_OMAHA,), 10),
    "O/8": Oracle(_board_game(4), (_OMAHA, _OMAHA_LOW), 10),
    "O5": Oracle(_board_game(5), (_OMAHA,), 8),
    "O5/8": Oracle(_board_game(5), (_OMAHA, _OMAHA_LOW), 8),
    "O6": Oracle(_board_game(6), (_OMAHA,), 7),
    "O6/8": Oracle(_board_game(6), (_OMAHA, _OMAHA_LOW), 7),
    "C": Oracle(_board_game(5, 1), (_OMAHA,), 8),
    "C/8": Oracle(_board_game(5, 1), (_OMAHA, _OMAHA_LOW), 8),
    "7S": Oracle(_HIGH_STUD, (_HIGH,), 8, bring_in=True),
    "7S/8": Oracle(_HIGH_STUD, (_HIGH, _LOW8), 8, bring_in=True),
    "R": Oracle(_stud(Opening.HIGH_CARD, Opening.LOW_HAND), (pokerkit.RegularLowHand,), 8, bring_in=True),
    "5S": Oracle(_FIVE_STUD, (_HIGH,), 9, bring_in=True),
    "5D": Oracle(_draws(5, 1), (_HIGH,), 6),
    "2L1D": Oracle(_draws(5, 1), (pokerkit.StandardLowHand,), 6),
    "2L3D": Oracle(_draws(5, 3), (pokerkit.StandardLowHand,), 6),
    "AL3D": Oracle(_draws(5, 3), (pokerkit.RegularLowHand,), 6),
    "B": Oracle(_draws(4, 3), (pokerkit.BadugiHand,), 8),
    "BA3D": Oracle(_draws(5, 3), (pokerkit.BadugiHand, pokerkit.RegularLowHand), 6),
    "BL3D": Oracle(_draws(5, 3), (pokerkit.StandardBadugiHand, pokerkit.StandardLowHand), 6),
}
CODES = tuple(letter + name for name, game in GAMES.items() for letter in game.structures)


class Table(Value, frozen=True, kw_only=True):
    """What is played for: a game's code, and the amounts."""

    code: str
    stacks: tuple[int, ...]
    antes: tuple[int, ...]
    blinds: tuple[int, ...] = ()  # as PHH lists them: the small blind first, also heads-up
    bring_in: int = 0
    small_bet: int
    big_bet: int

    @property
    def game(self) -> Oracle:
        return GAMES[self.code[1:]]

    @property
    def fixed(self) -> bool:
        return self.code[0] == "F"


def state_of(table: Table, divide: Callable[[int, int], tuple[int, int]] = divmod) -> State:
    """PokerKit's state before the first card."""
    game = table.game
    return State(
        HAND_OVER,
        Deck.SHORT_DECK_HOLDEM if game.short_deck else Deck.STANDARD,
        game.hands,
        tuple(_street(table, place, row) for place, row in enumerate(game.rows)),
        STRUCTURES[table.code[0]],
        True,  # a short ante wins as much from everybody and no more; all antes here are equal
        table.antes,
        table.blinds or 0,
        table.bring_in,
        table.stacks,
        len(table.stacks),
        mode=Mode.TOURNAMENT,  # all-in and called: all hands are tabled
        divmod=divide,
    )


def _street(table: Table, place: int, row: Row) -> Street:
    return Street(
        place > 0,
        tuple(card == "u" for card in row.hole),
        row.board,
        row.draw,
        row.opens,
        table.big_bet if row.big and table.fixed else table.small_bet,
        RAISES_OF_FIXED_LIMIT if table.fixed else None,
    )


def phh(table: Table, actions: Sequence[str], finishing: Sequence[int], number: int) -> str:
    """The hand as a table of a .phhs file."""
    lines = [
        f"[{number}]",
        f'variant = "{table.code}"',
        *([] if table.code in PHH_CODES else [f'_variant = "{table.code}"']),
        "ante_trimming_status = true",
        f"antes = {list(table.antes)}",
        f"bring_in = {table.bring_in}" if table.game.bring_in else f"blinds_or_straddles = {list(table.blinds)}",
        f"small_bet = {table.small_bet}\nbig_bet = {table.big_bet}" if table.fixed else f"min_bet = {table.small_bet}",
        f"starting_stacks = {list(table.stacks)}",
        f"actions = {json.dumps(actions)}",
        f"hand = {number}",
        f"seat_count = {max(9, len(table.stacks))}",
        f"finishing_stacks = {list(finishing)}",
    ]
    return "\n".join(lines) + "\n"
