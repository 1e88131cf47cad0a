"""The order of play between acts that are not ruled on yet: whose comes first, and who may act next. Pure.

Places are counted clockwise from the seat to act, so the smallest number comes first. One thing turns that order
round: a player who owes nothing, and acts clearly later than one behind him bet, has checked without a sign, and now
answers that bet.
"""

from collections.abc import Iterable
from functools import cmp_to_key

from msgspec.structs import replace

from controller.commands import Say, Word
from controller.engine.draft import Draft, Setting
from controller.engine.progress import passed_over
from controller.hand.betting import must_act
from controller.moves.acts import Act, Pushed
from controller.table.phases import OPEN
from controller.table.state import State

RESTED_NS = 1_000_000_000  # so long, at most, a card lies in the muck before it is known to rest there
BUTTON_GRACE_NS = 500_000_000  # a player presses "raise" while the chips already slide
AT_ONCE = ("check", "tap", "bet")  # words of a player who faces no bet: said late, they still come first


def act_said(seat: int, word: Word | None, at_ns: int) -> Act:
    """What a player does by a word; None: by throwing his hand away."""
    if word is None:
        return Act(seat, at_ns, at_ns - RESTED_NS)
    return Act(seat, at_ns, 0 if word.kind in AT_ONCE else at_ns)


def spoken_late(said: Say, at_ns: int, chips_ns: int | None) -> Say:
    """A seat's button pressed behind its first chips says no more than they have said (TDA 2024 40-A)."""
    if chips_ns is None or at_ns - chips_ns <= BUTTON_GRACE_NS:
        return said
    return replace(said, word=replace(said.word, form="after_chips"))


def places_on(state: State, seat: int) -> int:
    """Places from the seat to act, clockwise; all alike where nobody has to act."""
    hand = state.hand
    if hand is None or hand.to_act is None:
        return 0
    return (seat - hand.to_act) % len(state.table.seats)


def is_before(state: State, one: int, other: int) -> bool:
    return places_on(state, one) < places_on(state, other)


def comes_first(setting: Setting, state: State, one: Act, other: Act) -> bool:
    if is_before(state, one.seat, other.seat):
        return not _let_pass(setting, state, one, other)
    return _let_pass(setting, state, other, one)


def _let_pass(setting: Setting, state: State, late: Act, bet: Act) -> bool:
    """Whether a player whose turn came first let it pass, and answers what came behind him."""
    if not bet.brings or bet.at_ns + late.apart_ns >= late.clear_ns:
        return False
    return any(player.seat == late.seat for player in passed_over(Draft(setting, state), bet.seat) or ())


def in_order(setting: Setting, state: State, pushes: Iterable[Pushed]) -> list[Pushed]:
    def compare(one: Pushed, other: Pushed) -> int:
        if comes_first(setting, state, one.act, other.act):
            return -1
        return 1 if comes_first(setting, state, other.act, one.act) else 0

    return sorted(pushes, key=cmp_to_key(compare))


def still_to_act(state: State, seat: int) -> bool:
    """Whether a player has a turn left in this round; what he pushes without one answers the next card."""
    hand = state.hand
    if hand is None or hand.phase not in OPEN:
        return False
    player = hand.player(seat)
    return player is not None and must_act(hand, player)


def may_push(state: State) -> list[int]:
    """Seats of which a push is nothing rare while this hand is played."""
    hand = state.hand
    if hand is None or hand.phase not in OPEN:
        return []
    return [player.seat for player in hand.players if not (player.folded or player.all_in)]


def next_at_table(state: State, seat: int) -> int | None:
    """Who comes behind a seat and can still act, be it in the next round."""
    hand = state.hand
    if hand is None:
        return None
    able = [p.seat for p in hand.players if p.seat != seat and not p.folded and not p.all_in]
    return min(able, key=lambda other: (other - seat) % len(state.table.seats), default=None)
