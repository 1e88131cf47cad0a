"""What lies in the field of which antenna: the truth that radios listen to.

Tags only: what a tag is called and worth is the registry's business, what a move means nobody's here. A tag that lies
nowhere an antenna looks (in a hand, in the case, on a zone whose antenna the table does not have) is in no field.
Reading is safe while another thread moves things: every change replaces whole tuples, and a tag on its way is for an
instant in no field, as in life.
"""

from collections.abc import Iterable, Mapping

from controller.config.config import Config, place_of
from controller.places import Place, Zone

Antenna = tuple[str, int]  # [[reader]] id and the reader's own number

# Antennas this close hear each other's tags at times: (zone, zone of the neighbour, seats between them).
CLOSE: tuple[tuple[Zone, Zone, int], ...] = (
    (Zone.TRAY, Zone.SPOT, 0),
    (Zone.TRAY, Zone.TRAY, 1),
    (Zone.SPOT, Zone.SPOT, 1),
)
MANY_TAGS = 255  # an antenna without a stated limit


class Field:
    """`antennas`: where each antenna looks; `limits`: most tags that it reads well; `near`: whose tags it may hear."""

    def __init__(
        self,
        antennas: Mapping[Antenna, Place],
        limits: Mapping[Antenna, int] | None = None,
        near: Mapping[Antenna, tuple[Antenna, ...]] | None = None,
    ) -> None:
        self.antennas = dict(antennas)
        self._limits = dict(limits or {})
        self._near = dict(neighbours(antennas) if near is None else near)
        self._looking: dict[Place, tuple[Antenna, ...]] = {}
        for antenna, place in self.antennas.items():
            self._looking[place] = (*self._looking.get(place, ()), antenna)
        self._on: dict[Antenna, tuple[str, ...]] = dict.fromkeys(self.antennas, ())
        self._heard_by: dict[str, Antenna] = {}
        self._at: dict[str, Place] = {}

    def lay(self, tags: Iterable[str], place: Place) -> None:
        """Put tags down on a place, on top of what lies there; they are taken up wherever they were."""
        moving = tuple(dict.fromkeys(tags))
        self.lift(moving)
        for tag in moving:
            self._at[tag] = place
        for antenna in self._looking.get(place, ()):
            room = max(0, self.limit(antenna) - len(self._on[antenna]))
            last = antenna == self._looking[place][-1]
            here, moving = (moving, ()) if last else (moving[:room], moving[room:])
            for tag in here:
                self._heard_by[tag] = antenna
            if here:
                self._on[antenna] = (*self._on[antenna], *here)

    def lift(self, tags: Iterable[str]) -> None:
        """Take tags up: from now on they are in no field, and lie nowhere until they are laid down."""
        gone = set(tags)
        for antenna in {self._heard_by.pop(tag) for tag in gone if tag in self._heard_by}:
            self._on[antenna] = tuple(tag for tag in self._on[antenna] if tag not in gone)
        for tag in gone:
            self._at.pop(tag, None)

    def where(self, tag: str) -> Place | None:
        """The place where a tag was laid; None: it was lifted, or never laid."""
        return self._at.get(tag)

    def on(self, antenna: Antenna) -> tuple[str, ...]:
        """Tags in the field of an antenna, the lowest first; the same tuple until something changes there."""
        return self._on[antenna]

    def near(self, antenna: Antenna) -> tuple[Antenna, ...]:
        return self._near.get(antenna, ())

    def limit(self, antenna: Antenna) -> int:
        return self._limits.get(antenna, MANY_TAGS)

    def numbers(self, reader: str) -> tuple[int, ...]:
        """Antennas of one reader, by the reader's own numbers."""
        return tuple(sorted(number for name, number in self.antennas if name == reader))


def field_of(config: Config) -> Field:
    """The empty table that a table.toml describes."""
    return Field(
        {(section.reader, section.number): place_of(section) for section in config.antenna},
        {(section.reader, section.number): section.tags for section in config.antenna},
    )


def neighbours(antennas: Mapping[Antenna, Place]) -> dict[Antenna, tuple[Antenna, ...]]:
    """Which antennas are close to which, by the places they look at; seats 1 and the last are apart."""
    return {
        antenna: tuple(other for other, its in antennas.items() if other != antenna and _close(place, its))
        for antenna, place in antennas.items()
    }


def _close(one: Place, other: Place) -> bool:
    if one.seat is None or other.seat is None:
        return False
    between = abs(one.seat - other.seat)
    return any(
        between == seats and (one.zone, other.zone) in ((zone, close), (close, zone)) for zone, close, seats in CLOSE
    )
