"""Virtual Chafon readers, old and new, answer like the real ones, and their driver sees the table."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.places import Place, Zone
from firmware_bridge.drivers import catalog as drivers
from firmware_bridge.events import ReaderEvent, ReaderFault, ReaderUp, ScanRound
from firmware_bridge.wire import chafon as wire
from firmware_bridge.wire.chafon import Frame, Inventory
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.chafon import Chafon
from simulator.wire import Wire

S = 1_000_000_000
SPOT, TRAY = Place(Zone.SPOT, 1), Place(Zone.TRAY, 1)
EPCS = tuple(f"E2001D7315016521408F{n:04X}" for n in range(60))
FRAMES = json.loads((Path(__file__).parents[1] / "data" / "frames.json").read_text())
FROM_HOST = [f for f in FRAMES if f["reader"] == "uhfreader18" and f["direction"] == "host->reader"]


def one(tags: tuple[str, ...] = ()) -> Radio:
    field = Field({("c", 1): SPOT})
    field.lay(tags, SPOT)
    return Radio(field, Noise(uneven=0))


def two(spot: tuple[str, ...] = (), tray: tuple[str, ...] = ()) -> Radio:
    field = Field({("c", 1): SPOT, ("c", 2): TRAY}, limits={("c", 2): 100})
    field.lay(spot, SPOT)
    field.lay(tray, TRAY)
    return Radio(field, Noise(uneven=0))


def rounds(events: list[ReaderEvent], antenna: int | None = None) -> list[ScanRound]:
    return [e for e in events if isinstance(e, ScanRound) and antenna in (None, e.antenna)]


def troubles(events: list[ReaderEvent]) -> list[ReaderEvent]:
    return [e for e in events if not isinstance(e, ScanRound | ReaderUp)]


def asked(reader: Chafon, raw: bytes) -> list[Any]:
    out = reader.receive(raw, 0)
    due = reader.wake_at_ns()
    return wire.scanner().feed(out + (reader.tick(due) if due is not None else b""), 0)


def test_an_old_reader_with_one_antenna_is_set_up_and_seen() -> None:
    reader = Chafon("c", one(EPCS[:20]))
    events = Wire(drivers.make("chafon", "c", (), {"power_dbm": 20}), reader, "c").advance(6 * S)
    assert not troubles(events)
    assert (reader.scan_units, reader.power_dbm, reader.writes) == (3, 20, 2)
    assert len(rounds(events)) > 12
    assert all(r.complete and len(r.sightings) == 20 for r in rounds(events))


def test_a_new_reader_switches_its_antennas_itself_and_tells_strength() -> None:
    line = Wire(drivers.make("chafon", "c", (1, 2)), catalog.make("chafon", "c", two(EPCS[:5], EPCS[5:35])), "c")
    events = line.advance(8 * S)
    assert not troubles(events)
    for antenna, count in ((1, 5), (2, 30)):
        assert len(rounds(events, antenna)) > 6
        assert all(r.complete and len(r.sightings) == count for r in rounds(events, antenna))
        assert all(s.rssi_dbm is not None for r in rounds(events, antenna) for s in r.sightings)


def test_more_tags_than_the_scan_time_allows_make_no_complete_round_until_it_is_long_enough() -> None:
    short = Wire(drivers.make("chafon", "c"), Chafon("c", one(EPCS)), "c").advance(6 * S)
    assert rounds(short)
    assert not any(r.complete for r in rounds(short))
    long = Wire(drivers.make("chafon", "c", (), {"scan_ms": 600}), Chafon("c", one(EPCS)), "c").advance(6 * S)
    assert all(r.complete and len(r.sightings) == 60 for r in rounds(long))


def test_tags_come_and_go() -> None:
    radio = two()
    line = Wire(drivers.make("chafon", "c", (1, 2)), catalog.make("chafon", "c", radio), "c")
    assert not any(r.sightings for r in rounds(line.advance(3 * S)))
    radio.field.lay(EPCS[:4], SPOT)
    line.advance(5 * S)
    assert all(len(r.sightings) == 4 for r in rounds(line.advance(8 * S), 1))
    radio.field.lay(EPCS[:4], TRAY)
    line.advance(10 * S)
    assert not any(r.sightings for r in rounds(line.advance(13 * S), 1))


def test_a_reader_in_scan_mode_is_brought_to_answer() -> None:
    for kind in (0x09, 0x0C):
        reader = Chafon("c", one(EPCS[:3]), kind=kind, scanning=True)
        line = Wire(drivers.make("chafon", "c", (), {"layout": "288"} if kind == 0x0C else {}), reader, "c")
        events = line.advance(10 * S)
        assert [e.code for e in events if isinstance(e, ReaderFault)] == ["EE"]
        assert not reader.scanning
        assert len(rounds(events)[-1].sightings) == 3


def test_a_power_cut_in_the_middle_is_survived_and_no_round_lies() -> None:
    reader = Chafon("c", two(EPCS[:5], EPCS[5:20]), kind=0x0C)
    line = Wire(drivers.make("chafon", "c", (1, 2)), reader, "c")
    events = line.advance(3 * S)
    for cut in range(4):
        reader.power_cut()
        events += line.advance((9 + 6 * cut) * S + cut * 70_000_000)
    for r in rounds(events):
        assert not r.complete or len(r.sightings) == (5 if r.antenna == 1 else 15)
    assert rounds(line.advance(40 * S))


def test_a_stuck_reader_is_set_up_again_and_goes_on() -> None:
    reader = Chafon("c", one(EPCS[:5]))
    line = Wire(drivers.make("chafon", "c"), reader, "c")
    line.advance(2 * S)
    reader.broken_status = 0xF9
    events = line.advance(10 * S)
    assert "stuck" in [e.code for e in events if isinstance(e, ReaderFault)]
    reader.broken_status = None
    assert rounds(line.advance(13 * S))[-1].complete


def test_an_antenna_that_the_reader_does_not_have_is_an_error_of_that_antenna_only() -> None:
    line = Wire(drivers.make("chafon", "c", (1, 4)), Chafon("c", two(EPCS[:5]), kind=0x0C), "c")
    events = line.advance(6 * S)
    assert {e.code for e in events if isinstance(e, ReaderFault)} == {"F8"}
    assert all(r.complete for r in rounds(events, 1))
    assert not any(r.complete for r in rounds(events, 4))


@pytest.mark.parametrize("frame", FROM_HOST, ids=lambda f: f["meaning"][:30])
def test_every_published_command_is_answered_or_refused_by_name(frame: dict[str, Any]) -> None:
    raw = bytearray(bytes.fromhex(frame["hex"]))
    body = bytes(raw[2:-2])
    (answer,) = asked(Chafon("c", one(EPCS[:1])), wire.pack(wire.EVERYBODY, body))
    known = body[0] != wire.ONE_TAG
    assert isinstance(answer, Inventory if body[0] == wire.INVENTORY else Frame)
    assert (answer.status in (wire.OK, wire.DONE)) is known


def test_a_damaged_command_is_refused_as_illegal() -> None:
    raw = wire.command(wire.SCAN_TIME, b"\x05")
    (answer,) = asked(Chafon("c", one()), raw[:-1] + bytes((raw[-1] ^ 1,)))
    assert isinstance(answer, Frame)
    assert answer.status == wire.ILLEGAL
