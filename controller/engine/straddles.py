"""Straddles: twice the big blind, put out or said before a card is dealt, from where the house allows it.

Only where hole cards are seen: without their antennas the same chips may come after the deal, and are a raise. A
straddle is a live post: it is no action, whoever posted it last acts last, and the betting begins behind him.

A sleeper lies before its player until the turn comes to him. If all before him have folded it is a straddle then; if
anybody called or raised, it goes back. The rock's straddle is due like a blind (`controller/hand/posts.py`).
"""

from controller.engine.draft import Draft
from controller.engine.progress import advance
from controller.hand.betting import first_to_act
from controller.hand.posts import posted
from controller.hand.raises import of_this_round
from controller.hand.showdown import cards_of
from controller.rulings.forced_bets import after_straddle
from controller.rulings.posting import may_straddle, straddle_amount, straddle_counts
from controller.rulings.values import Word
from controller.table.balance import unjudged, worth
from controller.table.events import PushHeld, PushReleased
from controller.table.phases import BEFORE_ACTION
from controller.table.state import InHand

SAID = frozenset({"raise_to", "bet", "number"})


def allowed(draft: Draft, seat: int) -> int | None:
    """The straddle that the house lets this seat put out now; None: none."""
    hand = draft.state.hand
    if hand is None or hand.phase not in BEFORE_ACTION or not draft.setting.sensors.holes:
        return None
    player = hand.player(seat)
    if player is None or player.bet or any(cards_of(draft.state, other.seat) for other in hand.players):
        return None
    seats = [other.seat for other in hand.players]
    profile, big = draft.setting.rules.profile, draft.state.table.big_place
    if profile.straddle == "rock" or big not in seats or hand.killer is not None:
        return None  # the rock's is due, not chosen; nobody straddles in a kill pot
    left_of_button = (seats.index(seat) - seats.index(big) + 2) % len(seats)
    amount = straddle_amount(hand.posted_big, hand.straddles)
    may = may_straddle(profile, left_of_button, len(seats), hand.straddles)
    return amount if may and player.stack >= amount else None


def amount_of(draft: Draft, seat: int) -> int | None:
    """The straddle that counts as soon as this seat puts it out; None: none."""
    sleeper = draft.setting.rules.profile.straddle == "sleeper"
    if sleeper and draft.state.hand is not None and first_to_act(draft.state.hand) != seat:
        return None
    return allowed(draft, seat)


def is_straddle(draft: Draft, seat: int, value: int) -> bool:
    """Chips of exactly that value."""
    return value > 0 and amount_of(draft, seat) == value


def is_said(draft: Draft, seat: int, word: Word) -> bool:
    """A word that names exactly that amount."""
    return word.kind in SAID and word.amount is not None and is_straddle(draft, seat, word.amount)


def post_lying(draft: Draft, player: InHand) -> None:
    """Chips that lie there unjudged are the straddle, if they are worth exactly that."""
    value = worth(unjudged(draft.state, player), draft.setting.values)
    if is_straddle(draft, player.seat, value):
        post(draft, player.seat, value)


def post(draft: Draft, seat: int, amount: int) -> None:
    hand, player = draft.hand, draft.player(seat)
    if player is not None:
        faced = after_straddle(draft.setting.rules.profile, hand.posted_big, amount, hand.current_bet)
        draft.emit(posted(hand, draft.state.table, player, "straddle", amount, faced=faced))


# ---------------------------------------------------------------- sleepers
def sleeps(draft: Draft, seat: int) -> bool:
    """Chips out of turn before the deal that are a sleeper; True: they wait as one."""
    player = draft.player(seat)
    if player is None or draft.setting.rules.profile.straddle != "sleeper":
        return False
    chips = unjudged(draft.state, player)
    amount = worth(chips, draft.setting.values)
    if not amount or amount != allowed(draft, seat):
        return False
    draft.emit(PushHeld(seat, chips, draft.hand.current_bet, total=amount, sleeper=True))
    return True


def wake(draft: Draft, seat: int) -> None:
    """The turn has come to a sleeper: a straddle if all before it folded, else it goes back."""
    hand = draft.hand
    acted = any(one.event.reading.action != "fold" for one in of_this_round(draft.state, hand))
    player = draft.player(seat)
    amount = straddle_amount(hand.posted_big)
    if player is None or player.stack < amount or not straddle_counts(draft.setting.rules.profile, acted):
        draft.emit(PushReleased(seat, "action_changed"))
        return
    post(draft, seat, amount)
    advance(draft, seat)
