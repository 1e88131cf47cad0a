"""Amounts with the seats that they belong to: pots, shares, and the parts that hands and boards win."""

from controller.games.game import HandKind
from firmware_bridge.events import Value


class PotAmount(Value, frozen=True):
    amount: int
    seats: tuple[int, ...]  # who may win it


class Share(Value, frozen=True):
    seat: int
    amount: int


class Part(Value, frozen=True):
    """A part of a pot: what one kind of hand won on one board, odd chips included."""

    hand: HandKind
    shares: tuple[Share, ...]
    board: int = 0
