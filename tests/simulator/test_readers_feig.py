"""A virtual OBID i-scan reader answers like the real one, quiet tags included, and its driver sees the table."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.places import Place, Zone
from firmware_bridge.drivers import catalog as drivers
from firmware_bridge.events import ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound
from firmware_bridge.wire import feig as wire
from firmware_bridge.wire.feig import Frame, Inventory
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.feig import Feig
from simulator.wire import Wire

S = 1_000_000_000
SPOT, TRAY = Place(Zone.SPOT, 1), Place(Zone.TRAY, 1)
UIDS = tuple(f"E0040150{n:08X}" for n in range(60))
MUX = "DD 00 {n-1}"
FRAMES = json.loads((Path(__file__).parents[1] / "data" / "frames.json").read_text())
FROM_HOST = [f for f in FRAMES if f["reader"] == "feig-obid" and f["direction"] == "host->reader"]


def table(spot: tuple[str, ...] = (), tray: tuple[str, ...] = ()) -> Radio:
    field = Field({("f", 1): SPOT, ("f", 2): TRAY}, limits={("f", 2): 100})
    field.lay(spot, SPOT)
    field.lay(tray, TRAY)
    return Radio(field, Noise(uneven=0))


def rounds(events: list[ReaderEvent], antenna: int | None = None) -> list[ScanRound]:
    return [e for e in events if isinstance(e, ScanRound) and antenna in (None, e.antenna)]


def joined(radio: Radio, **options: Any) -> Wire:
    options = {"mux": MUX, **options}
    return Wire(drivers.make("feig", "f", (1, 2), options), catalog.make("feig", "f", radio, options), "f")


def asked(reader: Feig, raw: bytes, at_ns: int = 0) -> list[Any]:
    reader.receive(raw, at_ns)
    due = reader.wake_at_ns()
    return [] if due is None else wire.scanner().feed(reader.tick(due), 0)


def test_both_antennas_are_seen_round_after_round_though_inventories_leave_tags_quiet() -> None:
    events = joined(table(UIDS[:5], UIDS[5:60])).advance(10 * S)
    assert not [e for e in events if not isinstance(e, ScanRound | ReaderUp)]
    for antenna, tags in ((1, UIDS[:5]), (2, UIDS[5:60])):
        seen = rounds(events, antenna)
        assert len(seen) > 8
        assert all(r.complete and {s.tag for s in r.sightings} == set(tags) for r in seen)


def test_without_an_rf_reset_a_chip_is_told_once_and_never_again() -> None:
    reader = Feig("f", table(UIDS[:3]))
    inventory = wire.command(wire.HOST_COMMAND, b"\1\0")
    (first,), (second,) = asked(reader, inventory), asked(reader, inventory)
    assert isinstance(first, Inventory)
    assert len(first.sightings) == 3
    assert second == Inventory(wire.NO_TRANSPONDER)
    asked(reader, wire.command(wire.RF_RESET))
    assert asked(reader, inventory) == [first]


def test_tags_come_and_go() -> None:
    radio = table()
    line = joined(radio)
    assert not any(r.sightings for r in rounds(line.advance(2 * S)))
    radio.field.lay(UIDS[:4], SPOT)
    line.advance(3 * S)
    assert all(len(r.sightings) == 4 for r in rounds(line.advance(5 * S), 1))
    radio.field.lay(UIDS[:4], TRAY)
    line.advance(6 * S)
    later = line.advance(8 * S)
    assert not any(r.sightings for r in rounds(later, 1))
    assert all(len(r.sightings) == 4 for r in rounds(later, 2))


def test_a_power_cut_in_the_middle_is_survived_and_no_round_lies() -> None:
    radio = table(UIDS[:5], UIDS[5:40])
    reader = Feig("f", radio, mux=MUX)
    line = Wire(drivers.make("feig", "f", (1, 2), {"mux": MUX}), reader, "f")
    events = line.advance(3 * S)
    for cut in range(5):
        reader.power_cut()
        events += line.advance((9 + 6 * cut) * S + cut * 50_000_000)
    for r in rounds(events):
        seen = {s.tag for s in r.sightings}
        assert seen <= set(UIDS[:5] if r.antenna == 1 else UIDS[5:40])
        assert not r.complete or len(seen) == (5 if r.antenna == 1 else 35)
    assert rounds(line.advance(40 * S))


def test_a_stuck_reader_is_reset_and_goes_on() -> None:
    reader = Feig("f", table(UIDS[:5]), mux=MUX)
    line = Wire(drivers.make("feig", "f", (1, 2), {"mux": MUX}), reader, "f")
    line.advance(2 * S)
    reader.broken_status = 0x81
    events = line.advance(8 * S)
    assert "stuck" in [e.code for e in events if isinstance(e, ReaderFault)]
    assert reader.broken_status is None
    assert rounds(line.advance(10 * S), 1)[-1].complete


def test_a_reader_that_knows_advanced_frames_only_is_found() -> None:
    reader = Feig("f", table(UIDS[:5], UIDS[5:]), mux=MUX, advanced_only=True)
    events = Wire(drivers.make("feig", "f", (1, 2), {"mux": MUX}), reader, "f").advance(5 * S)
    assert not [e for e in events if isinstance(e, ReaderLost)]
    assert {len(r.sightings) for r in rounds(events, 2)} == {55}


def test_focus_is_followed() -> None:
    line = joined(table(UIDS[:5], UIDS[5:40]), often="1")
    line.advance(2 * S)
    line.focus((2,))
    assert len(rounds(line.advance(8 * S), 2)) > 8


@pytest.mark.parametrize("frame", FROM_HOST, ids=lambda f: f["hex"])
def test_every_published_command_is_answered_in_kind(frame: dict[str, Any]) -> None:
    raw = bytes.fromhex(frame["hex"])
    (answer,) = asked(Feig("f", table(UIDS[:1])), raw)
    if isinstance(answer, Frame):
        assert answer.status == wire.OK
        assert answer.advanced == (raw[0] == wire.STX)


def test_a_broken_request_gets_no_answer_and_an_unknown_one_status_80() -> None:
    reader = Feig("f", table())
    assert asked(reader, wire.command(wire.DETECT, b"\0")[:-1] + b"\0") == []
    (answer,) = asked(reader, wire.command(0x99), S)
    assert isinstance(answer, Frame)
    assert answer.status == 0x80
