"""What a hand's betting structure needs to know of the round so far: raises that the cap counts, full levels, blinds.

Everything here is read off the rulings of the round, so that an undo, an overruling or a correction changes it too.
"""

from controller.hand.betting import behind_blinds
from controller.hand.openers import BY_CARD
from controller.rulings.limits import counts_toward_cap
from controller.rulings.structures import opening_bet, structure_on
from controller.rulings.values import Situation, Structure
from controller.table.state import Hand, InHand, RuledBefore, State

COUNTED = ("FL", "spread")  # structures that may have a cap


def of_this_round(state: State, hand: Hand) -> list[RuledBefore]:
    """The rulings of this round, as they count now."""
    return [one for one in state.rulings if one.seq in hand.rulings]


def structure_of(state: State, hand: Hand) -> Structure:
    raises = len(raises_counted(state, hand)) if hand.limits.type in COUNTED else 0
    return _structure(hand, raises)


def _structure(hand: Hand, raises_made: int = 0) -> Structure:
    street = hand.row
    return structure_on(hand.limits, raises_made, big=street.bets == "big", last=street.is_last)


def raises_counted(state: State, hand: Hand) -> list[RuledBefore]:
    """Those of this round that the cap counts."""
    structure = _structure(hand)
    return [
        one
        for one in of_this_round(state, hand)
        if counts_toward_cap(
            Situation(one.hand.current_bet, 0, 0, one.hand.min_bet, 0, structure=structure), one.event.reading
        )
    ]


def smallest_bet(hand: Hand, row: int) -> int:
    """What opens the betting of a street of the game; after a straddle the house may ask for more."""
    least = opening_bet(hand.limits, hand.posted_big, big=hand.game.streets[row].bets == "big")
    return least if hand.limits.type in COUNTED else hand.postflop_min or least


def full_level(state: State, hand: Hand) -> int | None:
    """Fixed limit: the last complete level; None: the bet as it stands."""
    if hand.limits.type != "FL":
        return None
    if hand.row.opens in BY_CARD and not hand.full_raises:
        return 0  # only the bring-in is out
    rulings = of_this_round(state, hand)
    full = [one.event.reading.total_to for one in rulings if one.event.reading.reopens]
    if full:
        return full[-1]
    return rulings[0].hand.current_bet if rulings else None


def heads_up_before_cap(state: State, hand: Hand) -> bool:
    """Whether only two players were left when the last raise was made that the cap counts."""
    raises = raises_counted(state, hand)
    return bool(raises) and _alive(raises[-1].hand) == 2


def heads_up_in_event(state: State, hand: Hand) -> bool:
    """Whether two players have chips at all. The table knows of no other table."""
    seats = {player.seat for player in hand.players}
    waiting = [seat for number, seat in enumerate(state.table.seats, 1) if number not in seats and seat.stack > 0]
    return len(hand.players) == 2 and not waiting


def _alive(hand: Hand) -> int:
    return sum([not player.folded for player in hand.players])


# ---------------------------------------------------------------- pot limit before the flop
def blinds_short(hand: Hand) -> int:
    """What blinds that were posted short, or by nobody, lack of full ones (TDA 2024 54-B)."""
    if not behind_blinds(hand):
        return 0
    return max(0, hand.posted_small + hand.posted_big - hand.blinds_in)


def small_blind_waiting(state: State, hand: Hand, player: InHand) -> int | None:
    """The small blind of another seat that has put in no more; None: it has, or there is none."""
    seat = state.table.small_place
    if not behind_blinds(hand) or seat == player.seat:
        return None
    other = next((one for one in hand.players if one.seat == seat), None)
    return other.bet if other is not None and 0 < other.bet <= hand.posted_small else None
