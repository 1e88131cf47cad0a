"""The limits of a game: which betting structure, and how large its bets are from street to street.

No limit, pot limit and half pot know no amounts of their own: the big blind is the smallest bet. Fixed limit bets small
before and on the flop, and big from the turn on (Robert's Rules, limit hold'em). Spread limit has a smallest and a
largest bet, and perhaps a larger one on the last street. A kill raises them all (Robert's Rules, kill pots).
"""

from controller.rulings.forced_bets import Kill, killed
from controller.rulings.values import Street, Structure, StructureType, Value

SMALL_BET_STREETS: tuple[Street, ...] = ("preflop", "flop")
LAST_STREET: Street = "river"


class Limits(Value, frozen=True):
    """What one hand is played for. Amounts stand only where the structure has them."""

    type: StructureType = "NL"
    small_bet: int = 0  # fixed limit: before and on the flop
    big_bet: int = 0  # fixed limit: turn and river
    least: int = 0  # spread limit
    most: int = 0
    most_last: int = 0  # spread limit: largest bet of the last street


def opening_bet(limits: Limits, street: Street, big_blind: int) -> int:
    """The smallest bet that opens the betting of a street."""
    match limits.type:
        case "FL":
            return limits.small_bet if street in SMALL_BET_STREETS else limits.big_bet
        case "spread":
            return limits.least
        case "NL" | "PL" | "HP":
            return big_blind


def structure_on(limits: Limits, street: Street, raises_made: int = 0) -> Structure:
    """The structure as a `Situation` carries it; `raises_made` is what the cap counts."""
    match limits.type:
        case "FL":
            return Structure("FL", street_bet=opening_bet(limits, street, 0), raises_made=raises_made)
        case "spread":
            most = limits.most_last if street == LAST_STREET else limits.most
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
