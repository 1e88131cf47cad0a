"""What is not certain of chips that lie unjudged: noted when they move, and looked at by whoever rules on them."""

from collections.abc import Iterable

from controller.engine.draft import Draft
from controller.moves.meanings import Transfer
from controller.places import Motion, Zone
from controller.table.balance import unjudged, worth
from controller.table.events import PutInDoubt
from controller.table.phases import Phase

Names = tuple[str, ...]
ROUND_CLOSED = (Phase.SWEEPING, Phase.STREET_CARD, Phase.SHOWDOWN)


def may_change(draft: Draft, motion: Motion) -> bool:
    """Whether a motion can make or end a doubt: it brings one, or there is one already."""
    if motion.doubtful or motion.second or (draft.hand.question is not None and draft.hand.question.doubtful):
        return True
    return bool([player for player in draft.hand.players if player.doubt is not None])


def note(draft: Draft, seat: int, motion: Motion, fresh: Names) -> None:
    """A motion of this seat: `fresh` came to its spot. Chips that were missed and have come are missed no more.

    Other chips than these, come while a question about doubtful chips stands, are a doubt of their own.
    """
    player = draft.player(seat)
    if player is None or player.folded:
        return
    before = player.doubt or PutInDoubt(seat)
    lying = unjudged(draft.state, player)
    question = draft.hand.question
    asked = question is not None and question.seat == seat and question.doubtful
    others = asked and not {*fresh} <= {*before.missed}
    missed = dict.fromkeys(name for name in (*before.missed, *motion.doubtful) if name not in lying)
    second = dict.fromkeys(name for name in (*before.second, *motion.second) if name in lying)
    _put(draft, before, PutInDoubt(seat, tuple(missed), tuple(second), before.changed or others))


def taken_back(draft: Draft, seat: int) -> None:
    """Chips went while a question about them stood: whether they counted is for a person to say."""
    player = draft.player(seat)
    before = PutInDoubt(seat) if player is None or player.doubt is None else player.doubt
    _put(draft, before, PutInDoubt(seat, before.missed, before.second, changed=True))


def _put(draft: Draft, before: PutInDoubt, now: PutInDoubt) -> None:
    same = (before.missed, before.second, before.changed) == (now.missed, now.second, now.changed)
    if not same:
        draft.emit(now)


def name_read(draft: Draft, moves: Iterable[Transfer]) -> None:
    """Chips come to a spot behind a closed round, that a ruling of this hand said may lie there: too late to ask."""
    if draft.state.hand is None or draft.phase not in ROUND_CLOSED:
        return
    doubted = {
        (move.item, move.target)
        for kept in draft.state.rulings
        for doubt in kept.event.doubts
        for move in doubt.moves
        if move.target.zone is Zone.SPOT
    }
    for move in moves:
        items = [item for item in move.items if (item, move.target) in doubted]
        if items:
            draft.alarm("doubt_read", move.target.seat, worth(items, draft.setting.values))
