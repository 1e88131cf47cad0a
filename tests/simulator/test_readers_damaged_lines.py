"""Readers that answer when asked, on a line that damages one write in seven: no tag is made up, no round lies."""

import random
from collections.abc import Callable

import pytest

from controller.places import Place, Zone
from firmware_bridge.drivers import catalog as drivers
from firmware_bridge.events import ReaderEvent, ScanRound
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.wire import Wire

S = 1_000_000_000
SPOT, TRAY = Place(Zone.SPOT, 1), Place(Zone.TRAY, 1)
HF, UHF = "E0040150{:08X}", "E2001D73150165214090{:04X}"
READERS = {"feig": (HF, {"mux": "DD 00 {n-1}"}), "metratec": (HF, {}), "chafon": (UHF, {})}
each_reader = pytest.mark.parametrize("name", READERS)


def damaging(dice: random.Random, share: float) -> Callable[[bytes], bytes]:
    """Flips a bit, loses some bytes, adds some, or loses the whole write."""

    def damage(data: bytes) -> bytes:
        if not data or dice.random() > share:
            return data
        at = dice.randrange(len(data))
        match dice.randrange(4):
            case 0:
                return data[:at] + bytes((data[at] ^ 1 << dice.randrange(8),)) + data[at + 1 :]
            case 1:
                return data[:at] + data[at + dice.randrange(1, 6) :]
            case 2:
                return data[:at] + dice.randbytes(dice.randrange(1, 8)) + data[at:]
            case _:
                return b""

    return damage


def run(name: str, seed: int, share: float, seconds: int) -> tuple[list[ReaderEvent], dict[int, set[str]]]:
    form, options = READERS[name]
    lying = {1: {form.format(n) for n in range(5)}, 2: {form.format(n) for n in range(5, 30)}}
    field = Field({("x", 1): SPOT, ("x", 2): TRAY})
    field.lay(sorted(lying[1]), SPOT)
    field.lay(sorted(lying[2]), TRAY)
    virtual = catalog.make(name, "x", Radio(field, Noise(uneven=0)), options)
    driver = drivers.make(name, "x", (1, 2), options)
    line = Wire(driver, virtual, "x", damage=damaging(random.Random(seed), share))
    return line.advance(seconds * S), lying


@each_reader
@pytest.mark.parametrize("seed", range(4))
def test_a_complete_round_holds_exactly_what_lies_there_however_bad_the_line_is(name: str, seed: int) -> None:
    events, lying = run(name, seed, 0.15, 30)
    scans = [e for e in events if isinstance(e, ScanRound)]
    assert any(scan.complete for scan in scans)
    for scan in scans:
        seen = {sighting.tag for sighting in scan.sightings}
        assert seen <= lying[scan.antenna]
        assert not scan.complete or seen == lying[scan.antenna]


@each_reader
def test_a_line_that_damages_one_write_in_a_hundred_costs_few_rounds(name: str) -> None:
    events, _ = run(name, 7, 0.01, 60)
    scans = [e for e in events if isinstance(e, ScanRound)]
    clean = len([e for e in run(name, 7, 0.0, 60)[0] if isinstance(e, ScanRound)])
    assert sum(scan.complete for scan in scans) > 0.7 * clean
