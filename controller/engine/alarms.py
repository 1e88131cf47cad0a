"""When an alarm is over. Those of a hand end with it; some end as soon as the table is as it should be."""

from collections.abc import Callable

from controller.engine.draft import Draft
from controller.engine.kept import is_read_at, may_be_a_hole_card, muck_is_read_elsewhere
from controller.engine.up_cards import cards_due
from controller.hand.showdown import cards_of, surely_dealt
from controller.places import BOARD, MUCK, Zone
from controller.registry.registry import deck, face
from controller.table.balance import account, unjudged
from controller.table.board import board_of, fresh, gone
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


def _on_board_no_more(draft: Draft, alarm: AlarmKey) -> bool:
    return not is_read_at(draft.state, alarm.seat, BOARD.zone)


def _not_gathered(draft: Draft, _alarm: AlarmKey) -> bool:
    seats = [player.seat for player in draft.hand.players if not player.folded] if draft.running else []
    return not any(is_read_at(draft.state, seat, MUCK.zone) for seat in seats)


def _in_muck_no_more(draft: Draft, alarm: AlarmKey) -> bool:
    return not is_read_at(draft.state, alarm.seat, MUCK.zone)


def _at_no_other_seat(draft: Draft, alarm: AlarmKey) -> bool:
    return not is_read_at(draft.state, alarm.seat, Zone.HOLE)


def _muck_is_together(draft: Draft, _alarm: AlarmKey) -> bool:
    return not muck_is_read_elsewhere(draft.state)


def _board_is_whole(draft: Draft, _alarm: AlarmKey) -> bool:
    return not draft.running or not gone(draft.state)


def _board_is_clear(draft: Draft, _alarm: AlarmKey) -> bool:
    return not draft.running or not fresh(draft.state)


def _is_the_boards(draft: Draft, _alarm: AlarmKey) -> bool:
    return not draft.running or not fresh(draft.state) or not may_be_a_hole_card(draft)


def name_mixed(draft: Draft) -> None:
    """Two decks are mixed. The same face twice blocks the ranking; cards of another deck are named."""
    if not _all_different(draft):
        draft.alarm("card_twice")
    elif not _of_one_deck(draft):
        draft.alarm("decks_mixed")


def _in_play(draft: Draft) -> list[str]:
    cards = list(board_of(draft.state))
    for seat in range(1, len(draft.state.cards) + 1):
        cards += cards_of(draft.state, seat)
    return cards


def _all_different(draft: Draft, _alarm: AlarmKey | None = None) -> bool:
    cards = _in_play(draft)
    return len({face(card) for card in cards}) == len(cards)


def _of_one_deck(draft: Draft, _alarm: AlarmKey | None = None) -> bool:
    return len({deck(card) for card in _in_play(draft)}) <= 1


def _not_too_many(draft: Draft, alarm: AlarmKey) -> bool:
    hand = draft.state.hand
    return alarm.seat is None or hand is None or len(surely_dealt(draft.state, alarm.seat)) <= cards_due(hand)


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
    "board_gone": _board_is_whole,
    "board_or_hole": _is_the_boards,
    "board_unclear": _board_is_clear,
    "card_in_muck": _in_muck_no_more,
    "card_moved": _at_no_other_seat,
    "card_on_board": _on_board_no_more,
    "gathered": _not_gathered,
    "muck_card_read": _muck_is_together,
    "card_twice": _all_different,
    "decks_mixed": _of_one_deck,
    "substantial_action": _turn_moved,
    "too_many_cards": _not_too_many,
}
