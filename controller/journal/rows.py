"""One event of the journal with its numbers and times: what the outbox hands to MQTT. Types only."""

from controller.table.events import Event
from firmware_bridge.events import Value


class Row(Value, frozen=True):
    seq: int  # counts all events of this journal from 1
    n: int | None  # public number, gapless; None: not public
    boot: str  # `at_ns` counts from this boot
    at_ns: int
    wall_ms: int  # milliseconds since 1970 UTC: a label, never an order
    event: Event
    before_n: int | None = None  # of a correction: the first public event that it takes back


def kind_of(event: Event) -> str:
    """The tag of an event: `kind` in the journal, `event_type` in public."""
    return str(type(event).__struct_config__.tag)
