"""What a table is made of, as far as the rules care: the game, the house's habits, and which antennas exist."""

from typing import Literal

from firmware_bridge.events import Value


class Game(Value, frozen=True):
    """Section [game] of table.toml."""

    variant: str = "NT"  # PHH code: NT is no-limit hold'em
    blinds: tuple[int, ...] = (1, 2)  # small, big
    ante: int = 0
    ante_by: Literal["none", "each", "big_blind", "button"] = "none"


class House(Value, frozen=True):
    """Section [house] of table.toml."""

    check: Literal["infer", "say"] = "infer"  # infer: nothing owed and the next player acts
    fold: Literal["muck", "say"] = "muck"
    hand_start: Literal["cards", "say"] = "cards"  # cards: the first card on a hole antenna
    confirm: Literal["never", "fragile", "always"] = "fragile"  # whose rulings wait for the dealer


class Sensors(Value, frozen=True):
    """Which kinds of antenna this table has, by seat where they belong to one. Bet spots are always there."""

    trays: frozenset[int] = frozenset()
    holes: frozenset[int] = frozenset()
    pot: bool = False
    muck: bool = False
    board: bool = False
