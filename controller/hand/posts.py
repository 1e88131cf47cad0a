"""Forced bets: who owes what when a hand starts. How a short stack pays is in `controller/rulings/posting.py`."""

from collections.abc import Mapping

from controller.engine.events import PostDue, PostKind
from controller.engine.state import Hand, Table
from controller.rulings.posting import post
from controller.rulings.switches import Profile
from controller.table.seats import blinds


def posts_due(
    profile: Profile, table: Table, order: tuple[int, ...], stacks: Mapping[int, int], button: int
) -> tuple[PostDue, ...]:
    """What each seat of the hand owes, seats in order from the left of the button; nobody owes more than he has."""
    small, big = blinds(order)
    due: list[PostDue] = []
    for seat in order:
        kind: PostKind = "small_blind" if seat == small else "big_blind"
        blind = table.small_blind if seat == small else table.big_blind if seat == big else 0
        ante = _ante(table, seat, big, button)
        # Antes of all players come before blinds; whoever pays the ante for the table goes by the house's order.
        posting = post(profile, stacks[seat], blind, ante, "ante_first" if table.ante_by == "each" else None)
        due += (PostDue(seat, kind, posting.blind, blind), PostDue(seat, "ante", posting.ante, ante))
    return tuple(one for one in due if one.amount > 0)


def _ante(table: Table, seat: int, big: int, button: int) -> int:
    match table.ante_by:
        case "none":
            return 0
        case "each":
            return table.ante
        case "big_blind":
            return table.ante if seat == big else 0
        case "button":
            return table.ante if seat == button else 0


def owed_by(hand: Hand, seat: int) -> int:
    """What a seat has still to post."""
    return sum([post.amount for post in hand.posts_due if post.seat == seat])
