"""Rulings of the journal judged again by today's rules: where would they differ? Changes nothing.

A row does not say in how many motions the chips came. It is taken as one; where that differs, every cut into two is
tried, and the ruling stands if any of them gives it.
"""

from collections.abc import Iterable, Iterator

from controller.engine.draft import Draft, Setting
from controller.engine.situations import judge
from controller.journal.rows import Row, follow, whole
from controller.rulings.values import Reading, Ruling
from controller.table.events import Asked, Ruled
from controller.table.state import InHand, State
from firmware_bridge.events import Value


class Difference(Value, frozen=True):
    seq: int
    seat: int
    then: Reading | None  # None: the floor was asked
    now: Reading | None


def rejudge(setting: Setting, state: State, rows: Iterable[Row]) -> Iterator[Difference]:
    """Every ruling on chips or words that today's rules would not give. `state` is the table before the first row.

    JournalError where a row cannot follow on those before it.
    """
    for row in rows:
        after, event = follow(state, row), whole(state, row)
        if isinstance(event, Ruled | Asked) and event.seat is not None and (event.chips or event.word):
            now = _differs(Draft(setting, state), event)
            if now is not None:
                yield Difference(row.seq, event.seat, event.ruling.chosen, now.chosen)
        state = after


def _differs(draft: Draft, event: Ruled | Asked) -> Ruling | None:
    """Today's ruling, where no way in which the chips may have come gives the one of then."""
    if isinstance(event, Ruled) and event.by not in {"chips", "word"}:
        return None  # the question before it is judged, with what was known then
    player = draft.player(event.seat)
    if player is None:
        return None
    chips = event.chips
    today = judge(draft, player, (chips,) if chips else (), event.word)
    if _same(today, event.ruling) or _same_in_two(draft, player, event):
        return None
    return today


def _same_in_two(draft: Draft, player: InHand, event: Ruled | Asked) -> bool:
    cuts = ((event.chips[:at], event.chips[at:]) for at in range(1, len(event.chips)))
    return any(_same(judge(draft, player, cut, event.word), event.ruling) for cut in cuts)


def _same(one: Ruling, other: Ruling) -> bool:
    """The same consequences; a rule that only got another number changes nothing."""
    return _consequences(one.chosen) == _consequences(other.chosen)


def _consequences(reading: Reading | None) -> tuple[object, ...] | None:
    if reading is None:
        return None
    r = reading
    return r.action, r.total_to, r.change_due, r.must_add, r.reopens, r.all_in, r.forfeit
