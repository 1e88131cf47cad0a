"""How far the table is behind the game: what happened and is not ruled on yet, and since when. Pure.

A ruling takes a second or two; behind only what takes longer is spoken of. The seconds come in steps, so that a picture
is not made anew for every one of them.
"""

from collections.abc import Iterator

from controller.core.holding import Look
from controller.core.seen import Behind
from controller.core.waiting import Waiting
from controller.table import inputs
from controller.table.phases import NO_HAND

STEPS_S = (3, 5, 10, 20, 30, 60, 120, 300, 600)  # below the first nobody is told
S = 1_000_000_000


def behind(look: Look, now_ns: int) -> Behind | None:
    """None: it is not, or not long enough to be told. What waits for an open question is told by the question."""
    if not (look.open or look.waiting) or look.state.hand is None or look.state.hand.phase in NO_HAND:
        return None
    question = look.state.hand.question
    asked = None if question is None else question.seat
    waiting = [one for one in look.waiting if one.seat is None or one.seat != asked]
    seconds = _step((now_ns - min(_since(look, waiting), default=now_ns)) // S)
    if not seconds:
        return None
    reading = {push.act.seat for push in look.open}
    seats = {one.seat for one in waiting if one.seat is not None} - reading
    return Behind(seconds, tuple(sorted(reading)), tuple(sorted(seats)), any(one.seat is None for one in waiting))


def _since(look: Look, waiting: list[Waiting]) -> Iterator[int]:
    for push in look.open:
        yield push.motion.first_ns
        half_read = look.half_read(push.act.seat)
        if half_read is not None:
            yield half_read
    for one in waiting:
        yield one.given.motion.first_ns if isinstance(one.given, inputs.MotionSeen) else one.given.at_ns


def _step(seconds: int) -> int:
    return max((step for step in STEPS_S if step <= seconds), default=0)
