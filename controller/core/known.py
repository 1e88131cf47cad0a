"""What of the table is known now, as antennas and readers tell it. Pure: `told` and `heard` make the next of the last.

Unknown is never empty: what would rest on a place that is not known waits.
"""

from collections.abc import Mapping
from typing import assert_never

import msgspec
from msgspec.structs import replace

from controller.core import reader_states
from controller.core.reader_states import ReaderState
from controller.places import Place, Zone
from controller.tracking import events as tracking
from firmware_bridge.events import ReaderEvent, Value

News = (
    tracking.CountedIn | tracking.PlaceKnown | tracking.ForeignTags | tracking.Unaccounted | tracking.SeenTwice
)  # of tracking's events those that tell what is known


class Known(Value, frozen=True):
    """As it is it says that nobody looks at the table: nothing is counted, nothing is in doubt."""

    counted: bool = False  # since this start every tray was counted, or a key said that it is enough
    unknown: Mapping[Place, str] = msgspec.field(default_factory=dict)  # places that are not known, and why
    foreign: Mapping[Place, int] = msgspec.field(default_factory=dict)  # tags of no registry, by place
    unaccounted: tuple[tuple[str, Place], ...] = ()  # items that no antenna shows, and where they were last
    twice: tuple[tuple[str, tuple[Place, ...]], ...] = ()  # items that several places show at once
    readers: Mapping[str, ReaderState] = msgspec.field(default_factory=dict)

    def not_trusted(self) -> Mapping[Place, str]:
        """Places that are not known, and bet spots on which a tag of no registry lies: it may be a chip of the bet."""
        if not self.foreign:
            return self.unknown
        return {**{place: "foreign" for place in self.foreign if place.zone is Zone.SPOT}, **self.unknown}


def told(known: Known, event: News) -> Known:
    """What tracking tells of it."""
    match event:
        case tracking.CountedIn():
            return replace(known, counted=True)
        case tracking.PlaceKnown(place=place):
            unknown = {where: why for where, why in known.unknown.items() if where != place}
            return replace(known, unknown=unknown if event.known else {**unknown, place: event.why})
        case tracking.ForeignTags(place=place, count=count):
            others = ignoring(known, place)
            return replace(others, foreign={**others.foreign, place: count}) if count else others
        case tracking.Unaccounted(items=items):
            return replace(known, unaccounted=items)
        case tracking.SeenTwice(items=twice):
            return replace(known, twice=twice)
        case _:
            assert_never(event)


def heard(known: Known, event: ReaderEvent) -> Known:
    """What a reader's event tells of its health; the same value where that is no news."""
    old = known.readers.get(event.reader, ReaderState())
    new = reader_states.after(old, event)
    if new == old and event.reader in known.readers:
        return known
    return replace(known, readers={**known.readers, event.reader: new})


def ignoring(known: Known, place: Place) -> Known:
    """No tags of no registry lie there any more, or somebody said that they are no chips."""
    return replace(known, foreign={where: count for where, count in known.foreign.items() if where != place})
