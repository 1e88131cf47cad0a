"""Straddles: twice the big blind, put out or said by the seat behind the blinds before a card is dealt.

Only where the house allows it, and only where hole cards are seen: without their antennas the same chips may come after
the deal, and are a raise. The straddle is a live post: it is no action, and whoever posted it acts last.
"""

from controller.engine.draft import Draft
from controller.engine.events import Posted
from controller.engine.state import InHand
from controller.hand.betting import player_at
from controller.hand.phases import BEFORE_ACTION
from controller.hand.showdown import cards_of
from controller.moves.balance import unjudged, worth
from controller.rulings.forced_bets import after_straddle
from controller.rulings.posting import may_straddle, straddle_amount
from controller.rulings.values import Word

SAID = frozenset({"raise_to", "bet", "number"})


def amount_of(draft: Draft, seat: int) -> int | None:
    """The straddle that this seat may post now; None: none."""
    hand = draft.state.hand
    if hand is None or hand.phase not in BEFORE_ACTION or not draft.setting.sensors.holes:
        return None
    player = player_at(hand, seat)
    if player is None or player.bet or any(cards_of(draft.state, other.seat) for other in hand.players):
        return None
    seats = [other.seat for other in hand.players]
    profile = draft.setting.rules.profile
    if profile.straddle == "sleeper" or hand.opens_after is None:
        return None  # a sleeper counts only later, when nobody raised before it
    behind_big = (seats.index(seat) - seats.index(draft.state.table.big_place or 0)) % len(seats)
    amount = straddle_amount(hand.posted_big, hand.straddles)
    allowed = may_straddle(profile, (behind_big + 2) % len(seats), len(seats), hand.straddles)
    return amount if allowed and player.stack >= amount else None


def is_straddle(draft: Draft, seat: int, value: int) -> bool:
    """Chips of exactly that value."""
    return value > 0 and amount_of(draft, seat) == value


def said(draft: Draft, seat: int, word: Word) -> bool:
    """A word that names exactly that amount; True: it was a straddle."""
    if word.kind not in SAID or word.amount is None or not is_straddle(draft, seat, word.amount):
        return False
    post(draft, seat)
    return True


def post_lying(draft: Draft, player: InHand) -> None:
    """Chips that lie there unjudged are the straddle, if they are worth exactly that."""
    if is_straddle(draft, player.seat, worth(unjudged(draft.state, player), draft.setting.values)):
        post(draft, player.seat)


def post(draft: Draft, seat: int) -> None:
    hand, amount = draft.hand, amount_of(draft, seat)
    player = draft.player(seat)
    if amount is None or player is None:
        return
    faced = after_straddle(draft.setting.rules.profile, hand.posted_big, amount, hand.current_bet)
    draft.emit(Posted(seat, "straddle", amount, all_in=amount == player.stack, faced=faced))
