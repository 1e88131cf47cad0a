"""The same acts at a table that hears everything and at one whose antennas are noisy: do they rule alike?

Whatever the quiet table rules is what was meant. The noisy one may be later, and it may wait for a dealer; it must not
rule otherwise.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from controller.commands import Answer
from controller.places import Place, Zone
from controller.tracking.noise import Noise as Declared
from controller.tracking.rates import steps_for
from simulator.radio import Noise
from tests.controller.core_table import CoreTable, dealt, tray
from tests.controller.noisy_table import NoisyTable, noisy

SEATS = 3
VALUES = (25, 50, 100, 500, 1000)
chips = st.lists(st.sampled_from(VALUES), min_size=1, max_size=5)
gaps = st.sampled_from((100, 300, 600))
acts = st.one_of(
    st.tuples(st.just("push"), chips),
    st.tuples(st.just("push"), chips),
    st.tuples(st.just("in parts"), chips, gaps, chips),
    st.tuples(st.just("cut out"), chips, gaps, st.sampled_from(VALUES)),
    st.tuples(st.just("play with"), chips, gaps, chips),
    st.tuples(st.just("both"), chips, gaps, chips),
    st.tuples(st.just("fold")),
    st.tuples(st.just("check")),
)
evenings = st.lists(acts, min_size=1, max_size=6)
MOST_QUESTIONS = 3  # of one act: an answer may lead to another question
Act = tuple[object, ...]
Rulings = list[tuple[int, str, int]]


class Outcome(NamedTuple):
    meant: Rulings  # of the quiet table, as far as the noisy one came
    ruled: Rulings
    waits: bool  # at the end: for chips, an antenna or a dealer

    @property
    def wrong(self) -> bool:
        return self.ruled != self.meant[: len(self.ruled)]


def played(evening: Sequence[Act], hear: Callable[[NoisyTable], None]) -> Outcome:
    """Act by act at both tables, until the noisy one waits, somebody has to be asked, or the round is over."""
    quiet, loud = dealt(SEATS), noisy(SEATS)
    hear(loud)
    for act in evening:
        if not _betting(quiet) or not _betting(loud):
            break
        seat = quiet.hand.to_act
        assert seat is not None
        for table in (quiet, loud):
            _do(table, seat, act)
        if not all(_followed(quiet, loud) for _ in range(MOST_QUESTIONS)):
            break
    return Outcome(quiet.rulings(), loud.rulings(), loud.core.settling or loud.asked() is not None)


def _followed(quiet: CoreTable, loud: NoisyTable) -> bool:
    """Whether the noisy table came as far; what both ask is answered alike, by the first reading."""
    quiet.run(600)
    quiet.until(lambda: not quiet.core.settling or quiet.asked())
    if not loud.follows(quiet):
        return False
    if quiet.asked():
        if _asked_of(quiet) != _asked_of(loud):
            return False
        for table in (quiet, loud):
            table.tell(Answer(reading=1))
    return True


def _asked_of(table: CoreTable) -> tuple[object, ...] | None:
    question = table.asked()
    return None if question is None else (question.seat, question.why, question.ruling.readings)


def everywhere(noise: Noise) -> Callable[[NoisyTable], None]:
    """All antennas hear like that, and the table plays with the m that follows."""
    steps = steps_for(Declared(noise.miss, noise.stray, noise.burst))
    assert steps is not None, "no m holds that"

    def hear(table: NoisyTable) -> None:
        table.hear(noise)
        table.declare(steps)

    return hear


def _betting(table: CoreTable) -> bool:
    hand = table.core.state.hand
    return hand is not None and hand.to_act is not None and hand.question is None


def _do(table: CoreTable, seat: int, act: Act) -> None:
    match act:
        case ("push", list(values)):
            _push(table, seat, values)
        case ("in parts", list(values), int(ms), list(more)):
            _push(table, seat, values)
            table.run(ms)
            _push(table, seat, more)
        case ("cut out", list(values), int(ms), int(value)):
            _push(table, seat, [*values, value])
            table.run(ms)
            if _lies(table, Place(Zone.SPOT, seat), [value]):
                table.take_back(seat, value)
        case ("play with", list(values), int(ms), list(pushed)):
            names = _lies(table, tray(seat), values)
            table.move(names, Place(Zone.IN_HAND, seat))
            table.run(ms)
            table.move(names, tray(seat))
            table.run(300)
            _push(table, seat, pushed)
        case ("both", list(values), int(ms), list(others)):
            _push(table, seat, values)
            table.run(ms)
            _push(table, _behind(table, seat), others)
        case ("fold",):
            table.muck(seat)
        case ("check",):
            table.say(seat, "check")


def _behind(table: CoreTable, seat: int) -> int:
    """The next player who still has cards."""
    alive = [player.seat for player in table.hand.players if not player.folded]
    later = [other for other in alive if other > seat] + alive
    return later[0]


def _push(table: CoreTable, seat: int, values: Sequence[int]) -> None:
    table.move(_lies(table, tray(seat), values), Place(Zone.SPOT, seat))


def _lies(table: CoreTable, place: Place, values: Sequence[int]) -> list[str]:
    """So many chips of these values as lie there."""
    found: list[str] = []
    for value in values:
        here = (n for n, w in table.where.items() if w == place and table.values.get(n) == value and n not in found)
        found += [name for name in [next(here, None)] if name is not None]
    return found
