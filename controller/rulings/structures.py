"""The limits of a game: which betting structure, and how large its bets are from street to street.

No limit, pot limit and half pot know no amounts of their own: the big blind is the smallest bet. Fixed limit has a
small and a big bet; which streets have which is the game's (Robert's Rules, limit hold'em). Spread limit has a smallest
and a largest bet, and perhaps a larger one on the last street. A kill raises them all (Robert's Rules, kill pots).
"""

from controller.rulings.forced_bets import Kill, killed
from controller.rulings.values import Structure, StructureType, Value


class Limits(Value, frozen=True):
    """What one hand is played for. Amounts stand only where the structure has them."""

    type: StructureType = "NL"
    small_bet: int = 0  # fixed limit: of the first streets
    big_bet: int = 0  # fixed limit: of the later ones
    least: int = 0  # spread limit
    most: int = 0
    most_last: int = 0  # spread limit: largest bet of the last street


def opening_bet(limits: Limits, big_blind: int, *, big: bool) -> int:
    """The smallest bet that opens the betting of a street; `big`: the street has the big bet of fixed limit."""
    match limits.type:
        case "FL":
            return limits.big_bet if big else limits.small_bet
        case "spread":
            return limits.least
        case "NL" | "PL" | "HP":
            return big_blind


def structure_on(limits: Limits, raises_made: int = 0, *, big: bool, last: bool) -> Structure:
    """The structure as a `Situation` carries it: `raises_made` is what the cap counts, `last` the last street."""
    match limits.type:
        case "FL":
            return Structure("FL", street_bet=opening_bet(limits, 0, big=big), raises_made=raises_made)
        case "spread":
            most = limits.most_last if last else limits.most
            return Structure("spread", raises_made=raises_made, min=limits.least, max=most)
        case "NL" | "PL" | "HP":
            return Structure(limits.type)


def killed_limits(limits: Limits, kill: Kill) -> Limits:
    """The limits of a kill pot: every bet doubled, or half as much again."""
    return Limits(
        limits.type,
        killed(limits.small_bet, kill),
        killed(limits.big_bet, kill),
        killed(limits.least, kill),
        killed(limits.most, kill),
        killed(limits.most_last, kill),
    )
