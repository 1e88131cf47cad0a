"""Which antenna lies where, and the settings of the sequential test. Comes from table.toml."""

from controller.places import Place, Zone
from controller.tracking.noise import Noise
from firmware_bridge.events import Value


class Antenna(Value, frozen=True):
    reader: str  # [[reader]] id
    number: int  # the reader's own number
    place: Place
    capacity: int = 60  # most tags that it reads well; a round with more is not complete
    noise: Noise | None = None  # what it declares (calibration); None: it was never measured


class Layout(Value, frozen=True):
    """All antennas of a table. A place may have several antennas; an antenna has one place."""

    antennas: tuple[Antenna, ...]
    quiet_ms: int = 1500  # a push is final no sooner after its last chip (the caller doubles it without trays)
    hold_ms: int = 4000  # how long a chip in the hand may keep a push open
    steps: int = 4  # m of the sequential test
    adapts: bool = False  # m follows what is measured while playing; `steps` is where it begins

    def has(self, zone: Zone, seat: int | None = None) -> bool:
        """Whether any antenna watches that zone (of that seat)."""
        return any(a.place.zone is zone and (seat is None or a.place.seat == seat) for a in self.antennas)

    def readers(self) -> dict[Place, tuple[str, ...]]:
        """The readers with an antenna at each place, in the order of the antennas."""
        found: dict[Place, tuple[str, ...]] = {}
        for antenna in self.antennas:
            found[antenna.place] = (*found.get(antenna.place, ()), antenna.reader)
        return found

    def every_seat_has_tray(self) -> bool:
        """Whether a chip that leaves the pot must come up on some tray."""
        seats = {a.place.seat for a in self.antennas if a.place.zone is Zone.SPOT}
        return seats <= {a.place.seat for a in self.antennas if a.place.zone is Zone.TRAY}
