"""What a person names in an answer or an overruling: one of the readings shown, or an action and an amount."""

from collections.abc import Sequence

from controller.commands import Answer, Overrule
from controller.engine.draft import Draft
from controller.engine.situations import MOST, is_full
from controller.rulings.values import ACTIONS, Action, Reading
from controller.table.state import InHand


def chosen(draft: Draft, readings: Sequence[Reading], seat: int | None, command: Answer | Overrule) -> Reading | None:
    """What a person names, by its number from 1 in `readings` or by action and amount; None: no such reading."""
    if command.reading is not None:
        return readings[command.reading - 1] if 0 < command.reading <= len(readings) else None
    player = draft.player(seat)
    if player is None:
        return None
    least, most = player.bet, player.bet + player.stack
    total = command.total_to
    if total is None:
        total = {"fold": least, "check": least}.get(command.action or "", min(draft.hand.current_bet, most))
    named = next((action for action in ACTIONS if action == command.action), None)
    if not least <= total <= min(most, MOST) or named != command.action:
        return None
    return _by_amount(draft, player, total, named)


def _by_amount(draft: Draft, player: InHand, total: int, action: Action | None) -> Reading | None:
    """A person's amounts: they are the reason themselves."""
    hand, bet = draft.hand, player.bet
    if action is None:
        if total > hand.current_bet:
            action = "raise" if hand.current_bet else "bet"
        else:
            action = "call" if total > bet else "check"
    if action != "fold" and total < hand.current_bet and action not in {"all_in_call", "call"}:
        return None
    full = is_full(draft.setting, draft.state, hand, player, total)
    forfeit = total if action == "fold" and total > bet else None
    return Reading(action, total, 0, 0, reopens=full, all_in=False, rule="floor", forfeit=forfeit)
