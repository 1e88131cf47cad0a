"""One event of the journal with its numbers and times: what the outbox hands to MQTT."""

from msgspec.structs import replace

from controller.errors import JournalError
from controller.journal.bounds import check
from controller.table.events import Event
from controller.table.evolve import evolve
from controller.table.state import State
from controller.table.version_1 import complete
from firmware_bridge.events import Value

VERSION = 2  # of the events' bodies; 1: see `controller/table/version_1.py`


class Row(Value, frozen=True):
    seq: int  # counts all events of this journal from 1
    n: int | None  # public number, gapless; None: not public
    boot: str  # `at_ns` counts from this boot
    at_ns: int
    wall_ms: int  # milliseconds since 1970 UTC: a label, never an order
    event: Event
    before_n: int | None = None  # of a correction: the first public event that it takes back
    version: int = VERSION  # of its event's body


def kind_of(event: Event) -> str:
    """The tag of an event: `kind` in the journal, `event_type` in public."""
    return str(type(event).__struct_config__.tag)


def whole(state: State, row: Row) -> Event:
    """The event with all that was decided; what version 1 did not write is worked out on the state before it."""
    return complete(state, row.event) if row.version == 1 else row.event


def follow(state: State, row: Row) -> State:
    """The state behind it, which counts as the rows do: an older betline wrote down what was refused, too.

    JournalError where its event cannot follow on that table: other seats, or a forged row.
    """
    try:
        check(row.event, len(state.table.seats))
        after = evolve(state, whole(state, row))
    except Exception as error:  # evolve takes what an event says as given, so what is wrong shows anywhere
        raise JournalError(
            f"event {row.seq} ({kind_of(row.event)}) does not fit this table, which has {len(state.table.seats)} seats:"
            " put [table] seats back, or restore a backup, or change [journal] path to begin a new one"
        ) from error
    return after if after.seq == row.seq else replace(after, seq=row.seq)
