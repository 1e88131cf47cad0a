"""Agreement by acting: where nothing but agreement is asked, the act of the next player is that agreement."""

from controller.commands import Say
from controller.engine import pushes
from controller.engine.draft import Draft
from controller.engine.kept import is_whole, owner_of
from controller.engine.order import next_at_table
from controller.engine.progress import in_turn
from controller.engine.said import says_fold


def agreement(draft: Draft, seat: int, *, folds: bool = False) -> bool:
    """Whether an act of this seat agrees to the reading that is shown: he would be in turn then, and did not object.

    He may be further on, where his act implies the checks before him. A fold implies none, and binds in turn or not: it
    agrees where its player is the next at the table, be the round over by what he agrees to. No act of a player agrees
    to doubtful chips.
    """
    question = draft.state.hand.question if draft.state.hand is not None else None
    if question is None or question.why != "confirm" or question.doubtful or draft.state.table.paused:
        return False
    if question.seat is None or question.seat == seat:
        return False
    if folds:
        return next_at_table(draft.state, question.seat) == seat
    ahead = Draft(draft.setting, draft.state)
    pushes.agree(ahead, "seat")
    return in_turn(ahead, seat)


def agrees_by_word(draft: Draft, command: Say) -> bool:
    """A word of the next at the table is heard behind what it agrees to, be the round over then.

    Whoever speaks without a seat speaks for the one whose turn it is: he is asked himself.
    """
    seat = command.seat
    if seat is None or draft.state.hand is None or draft.state.hand.question is None:
        return False
    return agreement(draft, seat, folds=True) or (not says_fold(command.word) and agreement(draft, seat))


def agrees_by_cards(draft: Draft, cards: tuple[str, ...]) -> bool:
    """Whether a player whose hand came to the muck agrees by throwing it away."""
    if draft.state.hand is None or draft.state.hand.question is None:
        return False
    owners = {owner for card in cards if (owner := owner_of(draft.state, card)) is not None}
    whole = [seat for seat in owners if is_whole(draft.state, seat, cards)]
    return any(agreement(draft, seat, folds=True) for seat in whole)
