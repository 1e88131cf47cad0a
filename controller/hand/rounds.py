"""A betting round as the rules look at it, and actions with what they make of it."""

from typing import TypeVar

from msgspec.structs import replace

from controller.rulings.rounds import BettingRound, after
from controller.table.events import Overruled, Ruled
from controller.table.state import Hand

A = TypeVar("A", Ruled, Overruled)


def round_of(hand: Hand) -> BettingRound:
    return BettingRound(
        hand.current_bet, hand.last_full_raise, hand.opener, hand.opening_bet, hand.raises, hand.full_raises
    )


def with_round(hand: Hand, event: A) -> A:
    """The action with the round after it, if `hand` is how it stood before."""
    folds = event.reading.action == "fold"
    out_of_turn = folds and hand.to_act != event.seat
    return replace(event, round=after(round_of(hand), event.seat, event.reading), folds=folds, out_of_turn=out_of_turn)
