"""What a table is made of, as far as the rules care: the game, the house's habits, and which antennas exist."""

from typing import Annotated, Literal

import msgspec

from controller.games.catalog import played
from controller.rulings.forced_bets import Kill
from controller.rulings.structures import Limits
from controller.rulings.values import AnteBy, StructureType
from firmware_bridge.events import Value


class Stakes(Value, frozen=True):
    """Section [game] of table.toml."""

    variant: str = "NT"  # a code of the games' catalog, or a file: which game, and its betting structure
    blinds: tuple[int, ...] = (1, 2)  # small, big
    ante: int = 0  # of each, or of who pays it for all
    ante_by: AnteBy = "none"  # who pays it
    big_bet: int = 0  # fixed limit: bet of turn and river; 0: twice the big blind, which is the small bet
    spread: tuple[int, ...] = ()  # spread limit: smallest bet, largest, and perhaps the largest of the last street
    kill: Literal["none", Kill] = "none"  # what a kill does to blinds and bets
    # Who kills. told: whom a person names; two_pots: besides, who wins two pots in a row (`rulings/kills.py`)
    kill_when: Literal["told", "two_pots"] = "told"
    # Who posts: the two seats left of the button, or the button alone, the big blind (short deck)
    blind_by: Literal["blinds", "button"] = "blinds"


def structure_of(stakes: Stakes) -> StructureType:
    """The betting structure of its code. Raises KeyError for a code that no game has."""
    return played(stakes.variant)[1]


def limits_of(stakes: Stakes, big_blind: int) -> Limits:
    """The limits of a hand with this big blind."""
    match structure_of(stakes):
        case "FL":
            return Limits("FL", small_bet=big_blind, big_bet=stakes.big_bet or 2 * big_blind)
        case "spread":
            least, most, *last = stakes.spread
            return Limits("spread", least=least, most=most, most_last=last[0] if last else most)
        case structure:
            return Limits(structure)


def suits(stakes: Stakes, big_blind: int) -> bool:
    """Whether the bets of the game go with this big blind: it is the small bet, or a bet of the spread."""
    match structure_of(stakes):
        case "FL":
            return not stakes.big_bet or big_blind <= stakes.big_bet
        case "spread":
            return stakes.spread[0] <= big_blind <= stakes.spread[1]
        case _:
            return True


class House(Value, frozen=True):
    """Section [house] of table.toml."""

    check: Literal["infer", "say"] = "infer"  # infer: nothing owed and the next player acts
    fold: Literal["muck", "say"] = "muck"  # muck: the whole hand in the muck; say: a word
    hand_start: Literal["cards", "say"] = "cards"  # cards: the first card on a hole antenna
    confirm: Literal["never", "fragile", "always"] = "fragile"  # whose rulings wait for the dealer
    ask_above: Annotated[float, msgspec.Meta(ge=0, le=1)] = (
        0.005  # chance of another ruling, from which people are asked
    )


class Sensors(Value, frozen=True):
    """Which kinds of antenna this table has, by seat where they belong to one. Bet spots are always there."""

    trays: frozenset[int] = frozenset()
    holes: frozenset[int] = frozenset()
    pot: bool = False
    muck: bool = False
    board: bool = False
