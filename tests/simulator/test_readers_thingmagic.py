"""A virtual ThingMagic module and its driver: rounds of several antennas, power cuts, heat, streams of dead hosts."""

import json
from pathlib import Path

import pytest

from controller.places import Place, Zone
from firmware_bridge.drivers import catalog as drivers
from firmware_bridge.events import BadFrame, ReaderEvent, ReaderFault, ReaderUp, ScanRound
from firmware_bridge.wire import thingmagic as wire
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.thingmagic import BUFFER, IDENTITY, ThingMagic
from simulator.wire import Wire

S, MS = 1_000_000_000, 1_000_000
SPOT, TRAY = Place(Zone.SPOT, 1), Place(Zone.TRAY, 1)
EPCS = tuple(f"E2001D7315016521408F{n:04X}" for n in range(60))
US = {"region": "us", "search_ms": 100}
FRAMES = [
    f
    for f in json.loads((Path(__file__).parents[1] / "data" / "frames.json").read_text())
    if f["reader"] == "thingmagic" and f["direction"] == "host->reader"
]


def radio(spot: int = 0, tray: int = 0) -> Radio:
    field = Field({("m", 1): SPOT, ("m", 2): TRAY})
    field.lay(EPCS[:spot], SPOT)
    field.lay(EPCS[spot : spot + tray], TRAY)
    return Radio(field, Noise(uneven=0))


def rounds(events: list[ReaderEvent], antenna: int) -> list[ScanRound]:
    return [e for e in events if isinstance(e, ScanRound) and e.antenna == antenna]


def troubles(events: list[ReaderEvent]) -> list[ReaderEvent]:
    return [e for e in events if not isinstance(e, ScanRound | ReaderUp)]


@pytest.mark.parametrize("loader", [False, True], ids=["firmware runs", "in its boot loader"])
def test_a_driver_sets_its_module_up_and_sees_all_tags_of_each_antenna(loader: bool) -> None:
    module = ThingMagic("m", radio(5, 30), loader=loader)
    events = Wire(drivers.make("thingmagic", "m", (1, 2), US), module, "m").advance(5 * S)
    assert sum(isinstance(e, ReaderUp) for e in events) == 1
    assert not troubles(events)
    for antenna, tags in ((1, set(EPCS[:5])), (2, set(EPCS[5:35]))):
        assert len(rounds(events, antenna)) > 15
        assert all(e.complete and {s.tag for s in e.sightings} == tags for e in rounds(events, antenna))


def test_a_driver_sees_tags_come_and_go() -> None:
    table = radio(3)
    wire_ = Wire(drivers.make("thingmagic", "m", (1, 2), US), ThingMagic("m", table), "m")
    wire_.advance(2 * S)
    table.field.lay(EPCS[:3], TRAY)
    wire_.advance(2 * S + 500 * MS)
    events = wire_.advance(4 * S)
    assert all(not e.sightings for e in rounds(events, 1))
    assert all(len(e.sightings) == 3 for e in rounds(events, 2))


def test_settings_that_a_power_cut_takes_away_are_given_again_and_no_round_lies_meanwhile() -> None:
    module = ThingMagic("m", radio(4))
    line = Wire(drivers.make("thingmagic", "m", (1, 2), {**US, "power_dbm": 20}), module, "m")
    line.advance(2 * S)
    before = dict(module.settings)
    module.power_cut()
    events = line.advance(5 * S)
    assert module.settings == before
    whole = [e for e in rounds(events, 1) if e.complete]
    assert len(whole) > 5
    assert all(len(e.sightings) == 4 for e in whole)


def test_a_module_that_streams_for_a_dead_host_is_stopped_first() -> None:
    module = ThingMagic("m", radio(3), saved=True)
    module.receive(wire.command(wire.CONTINUOUS, wire.STREAM), 0)
    events = Wire(drivers.make("thingmagic", "m", (1, 2), US), module, "m").advance(3 * S)
    assert all(e.complete and len(e.sightings) == 3 for e in rounds(events, 1)[1:])


def test_a_stream_tells_each_tag_once_until_the_filter_is_off() -> None:
    told = []
    for off in (False, True):
        module = ThingMagic("m", radio(2), saved=True)
        if off:
            module.receive(wire.command(wire.OPTION, wire.READ_FILTER_OFF), 0)
        module.receive(wire.command(wire.CONTINUOUS, wire.STREAM), 0)
        scanner, found = wire.scanner(), []
        while (due := module.wake_at_ns() or 0) < 5 * S:
            found += scanner.feed(module.tick(due), due)
        told.append(sum(isinstance(item, wire.Tags) for item in found))
    assert told[0] == 2
    assert told[1] > 6


def test_a_stuck_module_is_booted_anew_and_reads_on() -> None:
    module = ThingMagic("m", radio(2))
    line = Wire(drivers.make("thingmagic", "m", (1, 2), US), module, "m")
    line.advance(2 * S)
    module.deaf = True
    events = line.advance(15 * S)
    assert "stuck" in [e.code for e in events if isinstance(e, ReaderFault)]
    assert not module.deaf
    assert rounds(events, 1)[-1].complete
    assert len(rounds(events, 1)[-1].sightings) == 2


def test_a_hot_module_has_no_complete_round_until_it_has_cooled() -> None:
    module = ThingMagic("m", radio(2))
    line = Wire(drivers.make("thingmagic", "m", (1, 2), US), module, "m")
    line.advance(2 * S)
    module.hot = True
    line.advance(2 * S + 300 * MS)
    events = line.advance(4 * S)
    assert {e.code for e in events if isinstance(e, ReaderFault)} == {"0504"}
    assert not any(e.complete for e in rounds(events, 1))
    module.hot = False
    assert rounds(line.advance(5 * S), 1)[-1].complete


def test_more_tags_than_the_buffer_holds_are_no_complete_round() -> None:
    events = Wire(drivers.make("thingmagic", "m", (1, 2), US), ThingMagic("m", radio(0, 60)), "m").advance(3 * S)
    assert {e.code for e in events if isinstance(e, ReaderFault)} == {"0601"}
    full = rounds(events, 2)
    assert full
    assert all(not e.complete and len(e.sightings) == BUFFER for e in full)


def test_damage_on_the_line_never_makes_a_whole_round_with_fewer_tags() -> None:
    count = 0

    def damage(data: bytes) -> bytes:
        nonlocal count
        count += 1
        return data[:-5] + bytes((data[-5] ^ 0x10,)) + data[-4:] if count % 7 == 0 and len(data) > 8 else data

    line = Wire(drivers.make("thingmagic", "m", (1, 2), US), ThingMagic("m", radio(5, 12)), "m", damage=damage)
    events = line.advance(20 * S)
    assert any(isinstance(e, BadFrame) for e in events)
    assert all(len(e.sightings) == 5 for e in rounds(events, 1) if e.complete)
    assert all(len(e.sightings) == 12 for e in rounds(events, 2) if e.complete)
    assert any(e.complete for e in rounds(events, 2))


def test_a_port_that_the_module_does_not_have_is_named_and_the_others_are_read() -> None:
    events = Wire(drivers.make("thingmagic", "m", (1, 3), US), ThingMagic("m", radio(2)), "m").advance(3 * S)
    assert "0507" in {e.code for e in events if isinstance(e, ReaderFault)}
    assert not any(e.complete for e in rounds(events, 3))
    assert any(e.complete for e in rounds(events, 1))


def test_without_a_region_the_module_refuses_and_the_driver_says_which_option() -> None:
    events = Wire(drivers.make("thingmagic", "m", (1,)), ThingMagic("m", radio(2)), "m").advance(3 * S)
    faults = [e for e in events if isinstance(e, ReaderFault)]
    assert faults
    assert "region" in faults[0].meaning
    assert not any(e.complete for e in rounds(events, 1))


def test_a_module_with_saved_settings_needs_no_region() -> None:
    module = catalog.make("thingmagic", "m", radio(2), {})
    events = Wire(drivers.make("thingmagic", "m", (1, 2)), module, "m").advance(3 * S)
    assert all(e.complete for e in rounds(events, 1))


@pytest.mark.parametrize("frame", FRAMES, ids=lambda f: f["meaning"])
def test_a_module_answers_every_published_command(frame: dict[str, str]) -> None:
    module = ThingMagic("m", radio(2), saved=True, loader="boot" in frame["meaning"])
    out = module.receive(bytes.fromhex(frame["hex"]), 0)
    while not out and (due := module.wake_at_ns()) is not None:
        out += module.tick(due)
    (found, *_) = wire.scanner().feed(out, 0)
    assert isinstance(found, wire.Answer | wire.Tags)
    unknown = isinstance(found, wire.Answer) and found.status == wire.UNKNOWN_COMMAND
    assert unknown == (frame["meaning"] in ("set baud 38400", "read single tag, 1000 ms"))  # not of this module


def test_the_boot_loader_knows_two_commands() -> None:
    module = ThingMagic("m", radio(), loader=True)
    refused = wire.answer(wire.SEARCH, status=wire.UNKNOWN_COMMAND)
    assert module.receive(wire.command(wire.SEARCH, wire.search(100)), 0) == refused
    assert module.receive(wire.command(wire.VERSION), 0) == wire.answer(wire.VERSION, IDENTITY)
    assert module.receive(wire.command(wire.BOOT), 0) == wire.answer(wire.BOOT, IDENTITY)
    assert module.receive(wire.command(wire.CLEAR_BUFFER), 0) == wire.answer(wire.CLEAR_BUFFER)
