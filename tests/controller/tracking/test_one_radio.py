"""A table whose antennas share one radio: what moves is decided in seconds, because both its ends are scanned first."""

import pytest

from controller.places import Place, Zone
from controller.tracking.layout import Antenna, Layout
from controller.tracking.tracker import Tracker
from firmware_bridge.drivers.catalog import make
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.tables import registry_of, tag_of
from simulator.wire import Wire, Wires

S = 1_000_000_000
SEATS = (1, 2, 3, 4)
POT = Place(Zone.POT)
PLACES = {
    **{2 * seat - 1: Place(Zone.SPOT, seat) for seat in SEATS},
    **{2 * seat: Place(Zone.TRAY, seat) for seat in SEATS},
    9: POT,
}
SPOTS = ",".join(str(number) for number, place in PLACES.items() if place.zone is Zone.SPOT)


def chips(place: Place) -> list[str]:
    return [f"{place.zone}{place.seat}-{number}" for number in range(5 if place.zone is Zone.SPOT else 15)]


class Table:
    """Nine antennas of one reader, 15 chips on each tray and five on each spot, in noise."""

    def __init__(self, seed: int) -> None:
        self.lying = {chip: place for place in PLACES.values() if place != POT for chip in chips(place)}
        field = Field({("west", number): place for number, place in PLACES.items()}, {("west", n): 60 for n in PLACES})
        for place in PLACES.values():
            field.lay([tag_of(chip) for chip, at in self.lying.items() if at == place], place)
        radio = Radio(field, Noise(miss=0.05, stray=0.005, seed=seed))
        options = {"often": SPOTS}
        self.field = field
        reader = catalog.make("metratec", "west", radio)
        self.wires = Wires([Wire(make("metratec", "west", tuple(PLACES), options), reader, "west")])
        antennas = tuple(Antenna("west", number, place, 60) for number, place in PLACES.items())
        self.tracker = Tracker(registry_of(dict.fromkeys(self.lying, 100), ()), Layout(antennas, 1500, 4000, 4))
        self.tracker.restore(self.lying)
        self.run(60, {})

    def run(self, seconds: int, moves: dict[str, Place]) -> float:
        """Seconds until everything is known to lie where it was moved to."""
        for chip, place in moves.items():
            self.field.lay([tag_of(chip)], place)
        began_ns = self.wires.now_ns
        while self.wires.now_ns < began_ns + seconds * S:
            for event in self.wires.step(began_ns + seconds * S):
                self.tracker.take(event)
            self.tracker.tick(self.wires.now_ns)
            self.wires.focus(self.tracker.wanted())
            places = self.tracker.places() if moves else {}
            if moves and all(places[chip] == place for chip, place in moves.items()):
                break
        return (self.wires.now_ns - began_ns) / S


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("target", [POT, Place(Zone.TRAY, 2), Place(Zone.SPOT, 3)], ids=["pot", "a tray", "a spot"])
def test_a_chip_that_leaves_a_spot_for_anywhere_is_found_within_seconds(target: Place, seed: int) -> None:
    assert Table(seed).run(60, {chips(Place(Zone.SPOT, 1))[0]: target}) < 8


def test_a_sweep_of_four_bets_is_known_within_a_quarter_of_a_minute() -> None:
    swept = {chip: POT for seat in SEATS for chip in chips(Place(Zone.SPOT, seat))}
    assert Table(1).run(60, swept) < 15
