"""What people may see of the table at one instant: all that a picture needs, and no more. Pure.

The core makes it with `seen()`; `unwatched` makes it of a state alone, such as a journal leaves.
"""

from collections.abc import Iterable, Mapping

import msgspec

from controller.commands import Overrule, Say, Word
from controller.core.holding import blocked
from controller.core.known import Known
from controller.engine.draft import Setting
from controller.engine.engine import Engine
from controller.engine.order import is_before
from controller.moves.acts import Pushed
from controller.places import Motion, Place
from controller.rulings.values import Options, Reading, Ruling
from controller.table.inputs import Told
from controller.table.state import State
from firmware_bridge.events import Value


class Preview(Value, frozen=True):
    """A push that is not final, and what it would mean."""

    seat: int
    motion: Motion
    ruling: Ruling | None
    blocked: tuple[Place, ...] = ()  # places of the seat that cannot be trusted now: they hold back its rulings


class Kept(Value, frozen=True):
    """A word that fits behind what is still being read, and is said then."""

    told: Told
    seat: int
    word: Word
    hand: int  # of no other hand, and of no street behind this one
    street: int


class LateChoice(Value, frozen=True):
    """What a late word may mean: a correction, a word of the seat to act, or nothing."""

    command: Overrule | Say | None  # None: it does not count
    reading: Reading | None = None  # what the correction makes of it


class Late(Value, frozen=True):
    """A word for a turn that is over: the table asks what it is worth, and stands still until somebody says."""

    id: int  # below 0: those of the engine's questions are not
    seat: int | None
    word: Word
    choices: tuple[LateChoice, ...]
    ruled: Reading | None = None  # of the seat, since it was said


class Behind(Value, frozen=True):
    """How far the table is behind the game."""

    seconds: int  # since the first that is not ruled on; in steps
    reading: tuple[int, ...] = ()  # seats whose chips are being read
    waiting: tuple[int, ...] = ()  # seats whose acts wait to be ruled on
    cards: bool = False  # cards, or another act of the dealer's, wait


class Seen(Value, frozen=True):
    """Where only `state` and `setting` are given, nobody looks at the table and nothing is open."""

    state: State
    setting: Setting
    options: Options | None = None  # what the seat to act may do
    known: Known = Known(counted=True)
    previews: tuple[Preview, ...] = ()  # the seat to act first
    held_up: tuple[tuple[int | None, Place], ...] = ()  # seat (None: cards) that waits for nothing but this place
    kept: tuple[Kept, ...] = ()
    late: Late | None = None
    watchers: Mapping[Place, tuple[str, ...]] = msgspec.field(default_factory=dict)  # readers with an antenna there
    behind: Behind | None = None  # how far the table is behind the game
    street_waits: bool = False  # some cards of the next street lie on the board, and the others do not come


def previews(engine: Engine, state: State, pushes: Iterable[Pushed], doubted: Mapping[Place, str]) -> list[Preview]:
    """Pushes that are not final with their provisional rulings, the seat to act first."""
    ordered, shown = engine.in_order(state, pushes), list[Preview]()
    for at, (act, motion) in enumerate(ordered):
        answers = any(is_before(state, act.seat, first.act.seat) for first in ordered[:at])
        ruling = None if answers else engine.preview(state, motion)
        shown.append(Preview(act.seat, motion, ruling, blocked(doubted, act.seat)))
    return shown


def unwatched(engine: Engine, state: State) -> Seen:
    """What a state shows without a table: what was moved since, and whatever is not decided, nobody knows."""
    return Seen(state, engine.setting, options_of(engine, state), Known(counted=state.counted_in))


def options_of(engine: Engine, state: State) -> Options | None:
    """What the seat to act may do; None where nobody is to act."""
    hand = state.hand
    return engine.options(state) if hand is not None and hand.to_act is not None else None
