"""A core table whose antennas hear through the simulator's radio: misses, strays, bursts; each antenna may have its own."""

from collections.abc import Iterable

from controller.places import BANK, Place, Zone
from firmware_bridge.events import ScanRound, Sighting
from simulator.field import Antenna, field_of
from simulator.radio import Noise, Radio
from tests.controller.core_table import MS, CoreTable, dealt

QUIET = Noise()


class NoisyTable(CoreTable):
    """Counted in and dealt in silence; `noise` is switched on by `hear`."""

    def __init__(self, seats: int = 3, **options: object) -> None:
        self.radio: Radio | None = None
        self.own: dict[Antenna, Radio] = {}  # antennas with a noise of their own
        self.between: dict[str, Place] = {}  # items that another antenna hears as well as their own
        super().__init__(seats, **options)  # type: ignore[arg-type]
        self.field = field_of(self.config)
        self.radio = Radio(self.field, QUIET)
        for name, place in self.where.items():
            self._lay(name, place)

    def hear(self, noise: Noise, *only: Place) -> None:
        """From now on the antennas hear like that: all of them, or those of these places."""
        if not only:
            self.radio = Radio(self.field, noise)
        for antenna, place in self.field.antennas.items():
            if place in only:
                self.own[antenna] = Radio(self.field, noise)

    def declare(self, steps: int) -> None:
        """The table plays with this m, as if a calibration had declared what needs it."""
        self.core._tracker._presence.steps = self.core._tracker._fitness.steps = steps

    def move(self, names: Iterable[str], place: Place) -> None:
        moved = list(names)
        super().move(moved, place)
        for name in moved:
            self._lay(name, place)

    def _lay(self, name: str, place: Place) -> None:
        tag = self.registry.items[name].tag if name in self.registry.items else name
        if place in (BANK, Place(Zone.IN_HAND, place.seat)):
            self.field.lift((tag,))
        else:
            self.field.lay((tag,), place)

    def _scan(self, reader: str, number: int, place: Place) -> None:
        began, antenna = self.ns, (reader, number)
        self.ns += 2 * MS
        radio = self.own.get(antenna, self.radio)
        assert radio is not None
        heard = radio.scan(antenna, self.field.on(antenna))
        both = [self.registry.items[name].tag for name, other in self.between.items() if other == place]
        seen = tuple(map(Sighting, dict.fromkeys((*heard.own, *heard.stray, *both))))
        self.take(ScanRound(reader, number, began, self.ns, heard.complete, seen))

    def follows(self, quiet: CoreTable, most_ms: int = 60_000) -> bool:
        """Until it has ruled or asked as often, for as long as a patient dealer looks on; whether it came to that."""
        for _ in range(most_ms // 500):
            asks = self.asked() is not None
            as_far = len(self.rulings()) >= len(quiet.rulings()) and asks == (quiet.asked() is not None)
            if as_far and self._shows_all() and (asks or not self.core.settling):
                return True
            self.run(500)
        return False

    def _shows_all(self) -> bool:
        """Nobody goes on before the screen shows what was done."""
        places = self.core.places()
        return all(places[name] == self.where[name] for name in self.values)


def noisy(seats: int = 3, **options: object) -> NoisyTable:
    """Blinds posted and cards dealt in silence: betting is open."""
    table = dealt(seats, kind=NoisyTable, **options)
    assert isinstance(table, NoisyTable)
    return table
