"""Readers with one radio for several antennas scan by need: shares of rounds at rest, under a focus, and all alike.

Every driver that switches antennas talks to its virtual reader here. Antennas 1 and 3 are bet spots, 2 and 4 trays: the
shares are those of rounds, whatever time each takes.
"""

from collections import Counter

import pytest

from controller.places import Place, Zone
from firmware_bridge.drivers.catalog import DRIVERS, make, options_of
from firmware_bridge.drivers.options import SwitchedOptions
from firmware_bridge.events import ScanRound
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.wire import Wire

S = 1_000_000_000
SPOTS, TRAYS = (1, 3), (2, 4)
ANTENNAS = (*SPOTS, *TRAYS)
OPTIONS: dict[str, dict[str, str | int | bool]] = {
    "chafon": {"often": "1,3"},
    "feig": {"often": "1,3", "mux": "DD 00 {n-1}"},
    "invelion": {"often": "1,3"},
    "metratec": {"often": "1,3"},
    "thingmagic": {"often": "1,3", "search_ms": 50},
}
SETUPS = [*OPTIONS.items(), ("invelion", {"often": "1,3", "sweep": True}), ("tablelink", {})]
each_setup = pytest.mark.parametrize(("driver", "options"), SETUPS, ids=str)


def field() -> Field:
    places = {n: Place(Zone.SPOT if n in SPOTS else Zone.TRAY, (n + 1) // 2) for n in ANTENNAS}
    found = Field(
        {("west", n): place for n, place in places.items()}, {("west", n): 20 if n in SPOTS else 60 for n in ANTENNAS}
    )
    for number, place in places.items():
        uid = f"E00401000000{number:04X}"
        found.lay([uid, f"E200{uid[4:]}{uid[8:]}"], place)  # one for HF, one for UHF
    return found


def line(driver: str, options: dict[str, str | int | bool]) -> Wire:
    made = make(driver, "west", ANTENNAS, options)
    wire = Wire(made, catalog.make(driver, "west", Radio(field(), Noise(uneven=0)), options), "west")
    wire.advance(20 * S)  # set up, and scanning
    return wire


def rounds(wire: Wire, seconds: int) -> list[int]:
    """Antennas of complete rounds, in order."""
    events = wire.advance(wire.now_ns + seconds * S)
    found = [event for event in events if isinstance(event, ScanRound)]
    assert all(event.complete and event.sightings for event in found)
    return [event.antenna for event in found]


@each_setup
def test_at_rest_bet_spots_are_scanned_four_times_as_often_as_trays(
    driver: str, options: dict[str, str | int | bool]
) -> None:
    counted = Counter(rounds(line(driver, options), 60))
    assert min(counted.values()) >= 10
    for spot in SPOTS:
        for tray in TRAYS:
            assert counted[spot] / counted[tray] == pytest.approx(4, rel=0.15)


@each_setup
def test_under_a_focus_spot_and_tray_of_a_seat_take_turns_and_one_other_follows(
    driver: str, options: dict[str, str | int | bool]
) -> None:
    wire = line(driver, options)
    wire.focus((3, 4))
    rounds(wire, 5)
    counted = Counter(rounds(wire, 60))
    assert counted[3] == pytest.approx(counted[4], rel=0.1)
    assert counted[3] + counted[4] == pytest.approx(2 / 3 * sum(counted.values()), rel=0.1)
    assert min(counted[1], counted[2]) > 0


@each_setup
def test_with_a_chip_unaccounted_for_everything_is_scanned_alike(
    driver: str, options: dict[str, str | int | bool]
) -> None:
    wire = line(driver, options)
    wire.focus(ANTENNAS)
    rounds(wire, 5)
    counted = Counter(rounds(wire, 60))
    assert max(counted.values()) - min(counted.values()) <= max(1, 0.1 * max(counted.values()))


@each_setup
def test_behind_a_focus_all_is_as_before(driver: str, options: dict[str, str | int | bool]) -> None:
    wire = line(driver, options)
    wire.focus((3, 4))
    rounds(wire, 20)
    wire.focus(())
    rounds(wire, 5)
    counted = Counter(rounds(wire, 60))
    assert counted[1] / counted[2] == pytest.approx(4, rel=0.2)
    assert counted[3] / counted[4] == pytest.approx(4, rel=0.2)


def test_every_driver_that_switches_antennas_is_tried() -> None:
    switching = {name for name, (_, options) in DRIVERS.items() if issubclass(options, SwitchedOptions)}
    assert switching == set(OPTIONS)
    assert all("often" in options_of(name) for name in switching)
