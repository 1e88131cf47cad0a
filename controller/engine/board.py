"""The board: its cards at rest open streets, and one in the place of another counts in its stead.

A card that is not read may lie there unread. So what comes while one is missing is in its place only where another
antenna shows the missing one, or a person says so; and it is the next street's card only where a person says so.

Where a hole card was never read at its own place, a card over the board may be that one: nothing of it is told before a
person says that it is the board's.
"""

from controller.engine import alarms, endings, kept
from controller.engine.draft import Draft
from controller.engine.progress import close_by_street, may_close, open_street
from controller.engine.up_cards import see_opener
from controller.hand.betting import can_bet_on
from controller.moves.meanings import items_moved
from controller.places import BANK, BOARD, Moved
from controller.table.board import fresh, gone, is_common, is_elsewhere, unread
from controller.table.events import BoardChanged
from controller.table.meanings import Meaning
from controller.table.phases import BEFORE_ACTION, DECIDED, STREET_CARDS, Phase


def on_board(draft: Draft, cards: tuple[str, ...]) -> None:
    """A street opens at exactly as many cards at rest as the game has by then."""
    cards = kept.apart(draft, BOARD, cards)
    lying, places = draft.state.board, draft.state.places
    came = [card for card in cards if card not in lying and places.get(card) != BOARD]
    went = [Moved(card, BOARD, BANK) for card in lying if card not in cards]
    if went:
        draft.emit(items_moved(tuple(went), Meaning.PASSING))
    if came:
        moves = [Moved(card, places.get(card, BANK), BOARD) for card in came]
        draft.emit(items_moved(tuple(moves), Meaning.BOARD_CARD))
    if draft.running and came:
        alarms.name_mixed(draft)
    if draft.running:
        follow(draft, came=bool(came))


def follow(draft: Draft, *, came: bool = False) -> None:
    """What the cards at rest make of the board. New ones open a street when they come, or as soon as it may open."""
    missing, new = gone(draft.state), fresh(draft.state)
    if draft.phase is Phase.PAYING and (missing or unread(draft.state)):
        return  # the dealer takes the board up
    if new and kept.may_be_a_hole_card(draft):
        kept.name(draft, "board_or_hole")
    elif missing:
        replace(draft, missing, new)
    elif unread(draft.state):
        read_late(draft, new)
    elif new and (came or draft.phase in STREET_CARDS):
        open_to(draft, draft.hand.board_count + len(new))


# ---------------------------------------------------------------- streets
def open_to(draft: Draft, count: int) -> None:
    """Opens the next street, and in a run-out each one that rests there already."""
    if draft.phase in BEFORE_ACTION or draft.phase in DECIDED:
        draft.alarm("board_early")
        return
    if is_common(draft.hand):
        open_common(draft)
        return
    row = draft.hand.game.opened_by(count)
    while row is not None and draft.hand.street != row:
        skips = draft.hand.street + 1 != row and can_bet_on(draft.hand)
        if draft.hand.row.is_last or skips or not close_by_street(draft):
            draft.alarm("board_early")
            return
        open_street(draft, as_read(draft))


def open_common(draft: Draft) -> None:
    """Stud: too few cards are left for all, and one card on the board is everybody's (Robert's Rules, stud)."""
    if close_by_street(draft) and see_opener(draft, draft.hand.street + 1):
        open_street(draft, fresh(draft.state), common=True)


def as_read(draft: Draft) -> tuple[str, ...]:
    """The board of the next street, as far as it was read."""
    hand = draft.hand
    dealt, new = hand.game.streets[hand.street + 1].board_so_far - hand.board_count, fresh(draft.state)
    if len(new) > dealt and kept.may_be_a_hole_card(draft):
        return hand.board  # one of them is none of the board
    return (*hand.board, *new[:dealt])


# ---------------------------------------------------------------- in the place of another
def replace(draft: Draft, missing: tuple[str, ...], new: tuple[str, ...]) -> None:
    """Cards that were seen to be taken away are replaced by as many others."""
    sure = all(is_elsewhere(draft.state, card) for card in missing)
    if new and sure and len(new) == len(missing):
        put_in_place(draft)
    elif new:
        kept.name(draft, "board_unclear")
    else:
        kept.name(draft, "board_gone")


def read_late(draft: Draft, new: tuple[str, ...]) -> None:
    """Where no street may follow now, what comes is a card of the open streets that was not read."""
    hand = draft.hand
    may_follow = not hand.row.is_last and draft.phase not in DECIDED and may_close(draft)
    if new and not may_follow and len(new) <= unread(draft.state):
        put_in_place(draft)
    elif new:
        kept.name(draft, "board_unclear")


def put_in_place(draft: Draft) -> bool:
    """New cards lie in the place of missing ones, or are those that were not read; False: there is nothing to put."""
    missing, new = gone(draft.state), fresh(draft.state)
    board, room = list(draft.hand.board), unread(draft.state)
    for old, card in zip(missing, new, strict=False):
        board[board.index(old)] = card
    board += new[len(missing) : len(missing) + room]
    if tuple(board) == draft.hand.board:
        return False
    draft.emit(BoardChanged(tuple(board)))
    if draft.phase is Phase.SHOWDOWN:
        endings.award_tabled(draft)
    return True


def is_unclear(draft: Draft) -> bool:
    """Whether a person must say what a new card on the board is."""
    open_hand = draft.running and draft.phase is not Phase.PAYING
    missing = len(gone(draft.state)) + unread(draft.state)
    if len(fresh(draft.state)) > missing and kept.may_be_a_hole_card(draft):
        return False  # there is no room for one of them, and nobody knows for which
    return open_hand and bool(fresh(draft.state)) and bool(missing)
