"""When an alarm is over. Those of a hand end with it; some end as soon as the table is as it should be."""

from collections.abc import Callable

from controller.engine.draft import Draft
from controller.hand.showdown import board_of, cards_of, surely_dealt
from controller.registry.registry import face
from controller.table.balance import account, unjudged
from controller.table.events import Cleared
from controller.table.phases import Phase
from controller.table.state import AlarmKey


def clear(draft: Draft) -> None:
    for alarm in draft.state.alarms:
        over = OVER.get(alarm.key)
        if over is not None and over(draft, alarm):
            draft.emit(Cleared(alarm.key, alarm.seat))


def _is_square(draft: Draft, alarm: AlarmKey) -> bool:
    player = draft.player(alarm.seat)
    return player is not None and account(draft.state, player) == 0


def _paid_in(draft: Draft, alarm: AlarmKey) -> bool:
    player = draft.player(alarm.seat)
    return player is None or account(draft.state, player) >= 0


def _nothing_lies(draft: Draft, alarm: AlarmKey) -> bool:
    player = draft.player(alarm.seat)
    return player is None or not unjudged(draft.state, player)


def _board_fits(draft: Draft, _alarm: AlarmKey) -> bool:
    hand = draft.state.hand
    return hand is None or len(board_of(draft.state)) <= max(hand.board_count, hand.row.board_so_far)


def name_twins(draft: Draft) -> None:
    """The same face twice at the table: two decks are mixed. It blocks the ranking, nothing else."""
    if not _all_different(draft):
        draft.alarm("card_twice")


def _all_different(draft: Draft, _alarm: AlarmKey | None = None) -> bool:
    cards = list(board_of(draft.state))
    for seat in range(1, len(draft.state.cards) + 1):
        cards += cards_of(draft.state, seat)
    return len({face(card) for card in cards}) == len(cards)


def _not_too_many(draft: Draft, alarm: AlarmKey) -> bool:
    hand = draft.state.hand
    return alarm.seat is None or hand is None or len(surely_dealt(draft.state, alarm.seat)) <= hand.game.hole_cards


def _turn_moved(draft: Draft, alarm: AlarmKey) -> bool:
    return draft.state.hand is None or draft.state.hand.to_act != alarm.seat


def _round_closed(draft: Draft, _alarm: AlarmKey) -> bool:
    return draft.phase is not Phase.BETTING


OVER: dict[str, Callable[[Draft, AlarmKey], bool]] = {
    "chips_missing": _paid_in,
    "pot_taken": _paid_in,
    "chips_in_pot": _is_square,
    "early_sweep": _round_closed,
    "payout": _is_square,
    "string_bet": _nothing_lies,
    "chips_not_in_hand": _nothing_lies,
    "board_early": _board_fits,
    "card_twice": _all_different,
    "substantial_action": _turn_moved,
    "too_many_cards": _not_too_many,
}
