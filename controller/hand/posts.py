"""Forced bets: who owes what when a hand starts. How a short stack pays is in `controller/rulings/posting.py`."""

from collections.abc import Mapping

from controller.rulings.blinds import Places, comes_back
from controller.rulings.forced_bets import Faced
from controller.rulings.posting import Entry, Position, ante_due, may_straddle, post, straddle_amount
from controller.rulings.switches import Profile
from controller.table.events import PostDue, Posted, PostKind
from controller.table.phases import Phase
from controller.table.state import Hand, InHand, Table


def posts_due(
    profile: Profile,
    table: Table,
    order: tuple[int, ...],
    stacks: Mapping[int, int],
    places: Places,
    *,
    kill: int = 0,
    blinds: bool = True,
) -> tuple[PostDue, ...]:
    """What each seat of the hand owes, seats in order from the left of the button; nobody owes more than he has.

    `kill` is the kill blind; 0: this hand is not killed. Without `blinds` there are antes alone (stud).
    """
    if not blinds:
        dues = [_blind_and_ante(profile, table, seat, stacks, places)[1] for seat in order]
        return tuple([one for one in dues if one.amount > 0])
    owed = {one.seat: one for one in table.owed_blinds}
    straddler = rock_straddler(profile, table, order, places)
    due: list[PostDue] = []
    for seat in order:
        due += _blind_and_ante(profile, table, seat, stacks, places)
        if seat in owed:
            left = _left(stacks, due, seat)
            due += _made_up(comes_back(owed[seat], places, table.small_blind, table.big_blind), seat, left)
        if kill and seat == table.killer:
            in_blind = table.small_blind if seat == places.small else table.big_blind if seat == places.big else 0
            due.append(PostDue(seat, "kill", min(kill - in_blind, _left(stacks, due, seat)), kill - in_blind))
        elif seat == straddler and _left(stacks, due, seat) >= straddle_amount(table.big_blind):
            due.append(PostDue(seat, "straddle", straddle_amount(table.big_blind), straddle_amount(table.big_blind)))
    return tuple([one for one in due if one.amount > 0])


def _left(stacks: Mapping[int, int], due: list[PostDue], seat: int) -> int:
    """What a seat has for the posts that come behind these."""
    return stacks[seat] - sum([post.amount for post in due if post.seat == seat])


def rock_straddler(profile: Profile, table: Table, order: tuple[int, ...], places: Places) -> int | None:
    """Who must straddle because he holds the rock: never heads-up, and not from a blind."""
    seat = table.rock
    if profile.straddle != "rock" or table.killer is not None or seat not in order:
        return None
    left_of_button = (order.index(seat) - order.index(places.big) + 2) % len(order)
    return seat if may_straddle(profile, left_of_button, len(order)) else None


def _blind_and_ante(
    profile: Profile, table: Table, seat: int, stacks: Mapping[int, int], places: Places
) -> tuple[PostDue, PostDue]:
    kind: PostKind = "small_blind" if seat == places.small else "big_blind"
    blind = table.small_blind if seat == places.small else table.big_blind if seat == places.big else 0
    payer = {"big_blind": places.big, "button": places.button}.get(table.ante_by)
    position: Position = "other" if seat != payer else "button" if table.ante_by == "button" else "big_blind"
    ante = ante_due(profile, table.ante_by, position, table.ante, small_blind=table.small_blind, players=len(stacks))
    # Antes of all players come before blinds; whoever pays the ante for the table goes by the house's order.
    posting = post(profile, stacks[seat], blind, ante, "ante_first" if table.ante_by == "each" else None)
    return PostDue(seat, kind, posting.blind, blind), PostDue(seat, "ante", posting.ante, ante)


def _made_up(owed: Entry, seat: int, stack: int) -> tuple[PostDue, PostDue]:
    """Missed blinds: the live one first."""
    live = min(owed.live, stack)
    return PostDue(seat, "live", live, owed.live), PostDue(seat, "dead", min(owed.dead, stack - live), owed.dead)


def owed_by(hand: Hand, seat: int) -> int:
    """What a seat has still to post."""
    return sum([post.amount for post in hand.posts_due if post.seat == seat])


def posted(
    hand: Hand, table: Table, player: InHand, kind: PostKind, amount: int, *, faced: Faced | None = None
) -> Posted:
    """A post as it counts: an ante is no bet, and one that is dead, or paid for the table, is of no level of a pot."""
    ante = kind in ("ante", "dead")
    no_level = kind == "dead" or (ante and table.ante_by in ("big_blind", "button"))
    left = [post for post in hand.posts_due if post.seat != player.seat or post.kind != kind]
    return Posted(
        player.seat,
        kind,
        amount,
        all_in=amount >= player.stack,
        faced=faced,
        bet=0 if ante else amount,
        dead=amount if no_level else 0,
        forced=0 if kind == "out_of_turn" else amount,
        phase=Phase.DEALING if not left and hand.phase is Phase.POSTING else hand.phase,
    )
