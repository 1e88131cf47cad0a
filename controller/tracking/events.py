"""What tracking tells the core: motions of chips, cards at rest, and what is not known.

`MotionChanged` repeats an open motion whenever it changes (a preview is made of it) and gives it once more with
`motion.settled`. `MotionWithdrawn` ends an open motion that came to nothing: every chip went back to where it was.
Cards are told as what rests on a place, whole sets, never as moves: the same set twice means nothing new.
"""

from controller.places import Motion, Place
from firmware_bridge.events import Value


class MotionChanged(Value, frozen=True, tag="motion"):
    at_ns: int
    motion: Motion


class MotionWithdrawn(Value, frozen=True, tag="withdrawn"):
    at_ns: int
    number: int


class Coming(Value, frozen=True, tag="coming"):
    """Pushes as they look now, chips that are half read among them (`doubtful` names these); () when there is none.

    A look, and no fact: nothing is ruled on it, and a chip of it may turn out to be a stray reading.
    """

    at_ns: int
    pushes: tuple[Motion, ...]  # by the number of the open motion that they would join; 0: there is none yet


class CardsRested(Value, frozen=True, tag="cards"):
    at_ns: int
    place: Place  # hole(seat), board or muck (the muck latches: all seen there and nowhere else since)
    cards: tuple[str, ...]  # sorted registry names; () when the place is empty


class ButtonRested(Value, frozen=True, tag="button"):
    at_ns: int
    seat: int


class Unaccounted(Value, frozen=True, tag="unaccounted"):
    """All chips that a complete round should have shown and did not, by name; () when all are seen again."""

    at_ns: int
    items: tuple[tuple[str, Place], ...]  # item and its last known place


class ForeignTags(Value, frozen=True, tag="foreign"):
    """Tags that look like this table's and are in no registry, read in two rounds; count 0 when they are gone."""

    at_ns: int
    place: Place
    count: int


class SeenTwice(Value, frozen=True, tag="twice"):
    """All items that two places show at once, step after step, by name; () when none is left.

    Such an item stays where it was last decided. A card among them blocks dealing and showdown, nothing else.
    """

    at_ns: int
    items: tuple[tuple[str, tuple[Place, ...]], ...]  # item, and the places that show it


class PlaceKnown(Value, frozen=True, tag="known"):
    """Whether a place can be trusted now. Not known is never empty: it blocks what depends on it, nothing else."""

    at_ns: int
    place: Place
    known: bool
    # Key: "ok"; "lost", "silent", "fault": no rounds; "counting": again, after a gap; "overfull"; of an antenna that is
    # unfit (fitness.py) "deaf": it misses too much, "shouting": it hears its neighbours, "blank": all went at once.
    why: str


class CountedIn(Value, frozen=True, tag="counted_in"):
    """Every tray (or, without trays, every spot) had enough complete rounds since the start of the service."""

    at_ns: int


TrackingEvent = (
    MotionChanged
    | MotionWithdrawn
    | Coming
    | CardsRested
    | ButtonRested
    | Unaccounted
    | ForeignTags
    | SeenTwice
    | PlaceKnown
    | CountedIn
)
