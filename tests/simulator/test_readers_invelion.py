"""A virtual A0 reader and its driver: rounds, sweeps, power cuts, sessions in which tags rest, old firmware."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.places import Place, Zone
from firmware_bridge.drivers import catalog as drivers
from firmware_bridge.events import BadFrame, ReaderEvent, ReaderFault, ReaderUp, ScanRound
from firmware_bridge.wire import invelion as wire
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.invelion import Invelion
from simulator.wire import Wire

S, MS = 1_000_000_000, 1_000_000
SPOT, TRAY = Place(Zone.SPOT, 1), Place(Zone.TRAY, 1)
EPCS = tuple(f"E2001D7315016521408F{n:04X}" for n in range(60))
FRAMES = [
    f
    for f in json.loads((Path(__file__).parents[1] / "data" / "frames.json").read_text())
    if f["reader"] == "invelion-a0" and f["direction"] == "host->reader" and f["checksum"]["ok"]
]


def radio(spot: int = 0, tray: int = 0) -> Radio:
    field = Field({("m", 1): SPOT, ("m", 2): TRAY})
    field.lay(EPCS[:spot], SPOT)
    field.lay(EPCS[spot : spot + tray], TRAY)
    return Radio(field, Noise(uneven=0))


def joined(virtual: Invelion, *antennas: int, **options: Any) -> Wire:
    return Wire(drivers.make("invelion", "m", antennas, options), virtual, "m")


def rounds(events: list[ReaderEvent], antenna: int) -> list[ScanRound]:
    return [e for e in events if isinstance(e, ScanRound) and e.antenna == antenna]


def seen(scan: ScanRound) -> set[str]:
    return {s.tag for s in scan.sightings}


@pytest.mark.parametrize(
    "options",
    [{}, {"sweep": True}, {"inventory": "real-time"}, {"rounds": 3}, {"address": 1}],
    ids=["one by one", "sweep", "real-time", "three rounds", "its own address"],
)
def test_a_driver_sets_its_reader_up_and_sees_all_tags_of_each_antenna(options: dict[str, Any]) -> None:
    events = joined(Invelion("m", radio(5, 30)), 1, 2, **options).advance(6 * S)
    assert sum(isinstance(e, ReaderUp) for e in events) == 1
    assert not [e for e in events if not isinstance(e, ScanRound | ReaderUp)]
    for antenna, tags in ((1, set(EPCS[:5])), (2, set(EPCS[5:35]))):
        assert len(rounds(events, antenna)) > 10
        assert all(e.complete and seen(e) == tags for e in rounds(events, antenna))


@pytest.mark.parametrize("sweep", [False, True])
def test_a_driver_sees_tags_come_and_go(sweep: bool) -> None:
    table = radio(3)
    line = joined(Invelion("m", table), 1, 2, sweep=sweep)
    line.advance(2 * S)
    table.field.lay(EPCS[:3], TRAY)
    line.advance(2 * S + 500 * MS)
    events = line.advance(4 * S)
    assert all(e.complete and not e.sightings for e in rounds(events, 1))
    assert all(e.complete and len(e.sightings) == 3 for e in rounds(events, 2))


def test_a_power_cut_never_shows_the_tags_of_one_antenna_on_another() -> None:
    reader = Invelion("m", radio(4, 9))
    line = joined(reader, 1, 2)
    for n in range(1, 60):
        events = line.advance(n * 97 * MS)
        reader.power_cut()
        assert all(seen(e) <= set(EPCS[:4]) for e in rounds(events, 1))
        assert all(seen(e) <= set(EPCS[4:13]) for e in rounds(events, 2))
        for antenna, count in ((1, 4), (2, 9)):
            assert all(len(e.sightings) == count for e in rounds(events, antenna) if e.complete)
    events = line.advance(20 * S)
    assert rounds(events, 1)[-1].complete
    assert rounds(events, 2)[-1].complete


def test_power_and_region_are_written_to_flash_once_in_a_life() -> None:
    reader = Invelion("m", radio(2))
    for _ in range(3):
        joined(reader, 1, 2, power_dbm=20, region="eu").advance(1 * S)
    assert (reader.power, reader.region, reader.writes) == (b"\x14", wire.REGIONS["eu"], 2)


def test_tags_rest_in_every_session_but_s0_and_that_would_be_absence() -> None:
    always = joined(Invelion("m", radio(3)), 1).advance(4 * S)
    resting = joined(Invelion("m", radio(3)), 1, session=1).advance(4 * S)
    assert all(len(e.sightings) == 3 for e in rounds(always, 1))
    assert any(not e.sightings for e in rounds(resting, 1))


@pytest.mark.parametrize("sweep", [False, True])
def test_old_firmware_is_asked_plainly(sweep: bool) -> None:
    line = joined(Invelion("m", radio(3), plain=True), 1, 2, sweep=sweep, inventory_ms=300)
    events = line.advance(6 * S)
    assert [e.code for e in events if isinstance(e, ReaderFault)] == ["no_inventory"]
    assert rounds(events, 1)[-1].complete
    assert len(rounds(events, 1)[-1].sightings) == 3


@pytest.mark.parametrize("sweep", [False, True])
def test_a_port_without_an_antenna_is_named_and_the_others_are_read(sweep: bool) -> None:
    events = joined(Invelion("m", radio(3)), 1, 3, sweep=sweep).advance(3 * S)
    assert {(e.code, e.meaning[:9]) for e in events if isinstance(e, ReaderFault)} == {("22", "antenna 3")}
    assert not any(e.complete for e in rounds(events, 3))
    assert all(e.complete and len(e.sightings) == 3 for e in rounds(events, 1))


def test_a_stuck_reader_is_reset_and_reads_on() -> None:
    reader = Invelion("m", radio(3))
    line = joined(reader, 1, 2)
    line.advance(1 * S)
    reader.deaf = True
    events = line.advance(15 * S)
    assert "stuck" in [e.code for e in events if isinstance(e, ReaderFault)]
    assert not reader.deaf
    assert rounds(events, 1)[-1].complete


def test_damage_on_the_line_never_makes_a_whole_round_with_fewer_tags() -> None:
    count = 0

    def damage(data: bytes) -> bytes:
        nonlocal count
        count += 1
        return data[:-5] + bytes((data[-5] ^ 0x10,)) + data[-4:] if count % 11 == 0 else data

    events = Wire(drivers.make("invelion", "m", (1, 2)), Invelion("m", radio(5, 12)), "m", damage=damage).advance(
        20 * S
    )
    assert any(isinstance(e, BadFrame) for e in events)
    assert all(len(e.sightings) == 5 for e in rounds(events, 1) if e.complete)
    assert all(len(e.sightings) == 12 for e in rounds(events, 2) if e.complete)
    assert any(e.complete for e in rounds(events, 1))


def test_a_lost_report_is_missed_by_the_count_of_the_end() -> None:
    count = 0

    def lose(data: bytes) -> bytes:
        nonlocal count
        count += 1
        return b"" if count % 9 == 0 and len(data) == 21 else data

    events = Wire(drivers.make("invelion", "m", (1,)), Invelion("m", radio(5)), "m", damage=lose).advance(10 * S)
    assert any(len(e.sightings) < 5 for e in rounds(events, 1))
    assert all(e.complete == (len(e.sightings) == 5) for e in rounds(events, 1))


@pytest.mark.parametrize("frame", FRAMES, ids=lambda f: f["meaning"])
def test_a_reader_answers_every_published_command(frame: dict[str, str]) -> None:
    reader = Invelion("m", radio(2))
    out = reader.receive(bytes.fromhex(frame["hex"]), 0)
    while (due := reader.wake_at_ns()) is not None:
        out += reader.tick(due)
    found = wire.scanner().feed(out, 0)
    assert found
    assert not any(isinstance(item, wire.Frame) and item.error is not None for item in found)


def test_the_catalog_makes_one() -> None:
    events = Wire(drivers.make("invelion", "m", (1, 2)), catalog.make("invelion", "m", radio(2)), "m").advance(2 * S)
    assert all(e.complete for e in rounds(events, 1))
