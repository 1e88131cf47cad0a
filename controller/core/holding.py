"""Whether something that happened must wait, and for what: the four reasons. Pure: a look at the table goes in.

order      chips move on in the order in which they moved; a push that comes first in turn is not final
reading    a chip that would come first in turn is half read
question   the table waits for an answer
unknown    a ruling would rest on a place that is not known now: unknown is never empty

Who comes first, and whose act answers a question, the engine says.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from controller.core.waiting import Waiting
from controller.engine.engine import Engine
from controller.engine.order import next_at_table, places_on, still_to_act
from controller.moves.acts import Act, Pushed, act_by, swept_seats
from controller.places import Motion, Place, Zone
from controller.table import inputs
from controller.table.events import ItemsMoved, Ruled
from controller.table.meanings import Meaning
from controller.table.phases import Phase
from controller.table.state import State


class Look(NamedTuple):
    """All that it takes to say whether an input must wait."""

    state: State
    open: Sequence[Pushed]
    waiting: Sequence[Waiting]
    unknown: Mapping[Place, str]
    half_read: Callable[[int], int | None]  # by seat: since when a chip of it is half read
    answer_ns: int = 0  # nobody sees a bet and has chips of his own before him sooner


def pushes_of(state: State, motions: Iterable[Motion]) -> list[Pushed]:
    """Motions by which players act."""
    return [Pushed(act, motion) for motion in motions if (act := act_by(state, motion)) is not None]


def waiting_pushes(waiting: Iterable[Waiting]) -> list[Pushed]:
    """Pushes that are settled, and wait."""
    return [Pushed(w.act, w.given.motion) for w in waiting if w.act and isinstance(w.given, inputs.MotionSeen)]


def swept(pushes: Iterable[Pushed], motion: Motion) -> list[Pushed]:
    """Pushes whose chips a motion takes away."""
    seats = swept_seats(motion)
    return [push for push in pushes if push.act.seat in seats]


def pushes_by(look: Look, seat: int | None) -> list[int]:
    """Open pushes that end because this seat throws its hand away, or (None) the dealer deals the next card."""
    if seat is None:
        return [push.motion.number for push in look.open if still_to_act(look.state, push.act.seat)]
    return [push.motion.number for push in look.open if push.act.seat == seat]


def ended_by(look: Look, act: Act | None, motion: Motion) -> list[int]:
    """Open pushes that end because of this open motion: the next player acts, or the dealer sweeps their chips."""
    if act is None:
        return [push.motion.number for push in swept(look.open, motion)]
    return pushes_before(look, act.seat, act.at_ns) if act.brings else []


def pushes_before(look: Look, seat: int, at_ns: int) -> list[int]:
    """Open pushes that end because the player at `seat` acts at `at_ns`, behind their last chip."""
    hand = look.state.hand
    answer_ns = look.answer_ns if hand is not None and hand.phase is Phase.BETTING else 0
    pushes = [push for push in look.open if push.motion.last_ns + answer_ns < at_ns]
    return [push.motion.number for push in pushes if next_at_table(look.state, push.act.seat) == seat]


def blocked(unknown: Mapping[Place, str], seat: int) -> tuple[Place, ...]:
    """Places of a seat that cannot be trusted now: they hold back its rulings and no others."""
    return tuple(place for place in unknown if place.seat == seat and place.zone in {Zone.SPOT, Zone.TRAY})


# ---------------------------------------------------------------- what may be handed on
def next_free(engine: Engine, look: Look) -> Waiting | None:
    """What is handed on first of all that need not wait; None: all of it must."""
    free = [one for one in look.waiting if not (is_early(engine, look, one) or missing(engine, look, one))]
    if len(free) > 1:
        return min(free, key=lambda one: priority(look.state, one))
    return free[0] if free else None


def priority(state: State, waiting: Waiting) -> tuple[int, bool]:
    """What is handed on first: the dealer's acts, then by turn; a player's words before his chips, which they name."""
    at = -1 if waiting.seat is None else places_on(state, waiting.seat)
    return at, not isinstance(waiting.given, inputs.Told)


def is_early(engine: Engine, look: Look, one: Waiting) -> bool:
    """Whether it would wait although every place were known."""
    if _follows_another(look, one):
        return True
    early = _is_behind(engine, look, one) or _is_asked(engine, look, one) or is_reading(engine, look, one)
    return early and not _is_paid(engine, look.state, one)


def missing(engine: Engine, look: Look, one: Waiting) -> tuple[Place, ...]:
    """Places that are not known and that its ruling would rest on.

    They are the seat's own, those of seats whose checks it infers, and those of seats that may have bet unseen before.
    What a dealer says is said by somebody who sees the table.
    """
    if not look.unknown or (isinstance(one.given, inputs.Told) and one.given.by != "seat"):
        return ()
    if one.is_push and one.seat is not None and (own := blocked(look.unknown, one.seat)):
        return own
    events = engine.decide(look.state, one.given)
    seats = [event.seat for event in events if isinstance(event, Ruled) and event.inferred]
    if one.act is not None and one.act.brings:
        seats += engine.could_have_bet(look.state, one.act.seat)
    return tuple(place for seat in dict.fromkeys(seats) for place in blocked(look.unknown, seat))


def held_up(engine: Engine, look: Look) -> list[tuple[Waiting, Place]]:
    """What waits for nothing but a place that is not known, and that place."""
    late = [one for one in look.waiting if not is_early(engine, look, one)]
    return [(one, places[0]) for one in late if (places := missing(engine, look, one))]


def _follows_another(look: Look, one: Waiting) -> bool:
    """Whether an earlier input that still waits moves one of the same chips."""
    for earlier in look.waiting:
        if earlier is one:
            break
        if not one.items.isdisjoint(earlier.items):
            return True
    return False


def _is_behind(engine: Engine, look: Look, one: Waiting) -> bool:
    """Whether a push that is not ruled yet comes first; a hand thrown away comes behind the same player's chips."""
    if not look.open and len(look.waiting) == 1:
        return False  # nothing else is on its way
    if one.act is None and isinstance(one.given, inputs.MotionSeen):
        return bool(swept(look.open, one.given.motion))
    pushes = [*look.open, *waiting_pushes([other for other in look.waiting if other is not one])]
    if isinstance(one.given, inputs.CardsRested) and one.seat in {push.act.seat for push in pushes}:
        return True
    return any(comes_first(engine, look.state, push.act, one) for push in pushes)


def _is_paid(engine: Engine, state: State, one: Waiting) -> bool:
    """Whether these chips only pay what their player has bet already: they wait for nobody."""
    hand = state.hand
    if not one.is_push or hand is None or hand.question is not None or hand.to_act in {None, one.seat}:
        return False
    events = engine.decide(state, one.given)
    return len(events) == 1 and isinstance(events[0], ItemsMoved) and events[0].meaning is Meaning.PAID


def _is_asked(engine: Engine, look: Look, one: Waiting) -> bool:
    question = look.state.hand.question if look.state.hand is not None else None
    if question is None or isinstance(one.given, inputs.Told):
        return False
    given, seat = one.given, one.seat
    if question.why == "worlds":
        return isinstance(given, inputs.MotionSeen) or seat is None or seat != question.seat
    if seat == question.seat:  # a hand thrown away behind chips that wait for agreement: the chips come first
        return question.why == "confirm" and isinstance(given, inputs.CardsRested)
    if not isinstance(given, inputs.MotionSeen):
        return seat is None or not engine.agreement(look.state, seat, folds=True)
    if seat is None:
        return any(move.origin.zone is Zone.SPOT for move in given.motion.moves)
    return question.why != "confirm" or question.doubtful


def is_reading(engine: Engine, look: Look, one: Waiting) -> bool:
    """Whether a chip of a seat that comes first may just be coming; it takes a moment at most."""
    hand = look.state.hand
    if hand is None or hand.to_act is None or (one.act is None and isinstance(one.given, inputs.MotionSeen)):
        return False
    for player in hand.players:
        since_ns = look.half_read(player.seat)
        if since_ns is not None and comes_first(engine, look.state, Act(player.seat, since_ns, 0, brings=True), one):
            return True
    return False


def comes_first(engine: Engine, state: State, act: Act, one: Waiting) -> bool:
    """The dealer's card or key comes behind whoever has a turn left in this round."""
    if one.act is None:
        return still_to_act(state, act.seat)
    return engine.comes_first(state, act, one.act)


def foreseen(engine: Engine, state: State, pushes: Sequence[Pushed], one: Waiting) -> State:
    """The table once the pushes that come before something are ruled as they are shown."""
    first = [push for push in pushes if comes_first(engine, state, push.act, one)]
    for push in engine.in_order(state, first):
        state, _ = engine.step(state, inputs.MotionSeen(push.motion.last_ns, push.motion))
    return state
