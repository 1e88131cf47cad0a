"""A virtual Metratec reader answers like the real one, and its driver sees the table through power cuts and sleep."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.places import Place, Zone
from firmware_bridge.drivers import catalog as drivers
from firmware_bridge.events import ReaderEvent, ReaderFault, ReaderUp, ScanRound
from firmware_bridge.wire import metratec as wire
from firmware_bridge.wire.metratec import Text
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.metratec import Metratec
from simulator.wire import Wire

S = 1_000_000_000
SPOT, TRAY = Place(Zone.SPOT, 1), Place(Zone.TRAY, 1)
UIDS = tuple(f"E0040150{n:08X}" for n in range(60))
FRAMES = json.loads((Path(__file__).parents[1] / "data" / "frames.json").read_text())
FROM_HOST = [f for f in FRAMES if f["reader"] == "metratec-ascii" and f["direction"] == "host->reader"]


def table(spot: tuple[str, ...] = (), tray: tuple[str, ...] = ()) -> Radio:
    field = Field({("q", 1): SPOT, ("q", 2): TRAY}, limits={("q", 2): 100})
    field.lay(spot, SPOT)
    field.lay(tray, TRAY)
    return Radio(field, Noise(uneven=0))


def joined(reader: Metratec, **options: Any) -> Wire:
    return Wire(drivers.make("metratec", "q", (1, 2), options), reader, "q")


def rounds(events: list[ReaderEvent], antenna: int | None = None) -> list[ScanRound]:
    return [e for e in events if isinstance(e, ScanRound) and antenna in (None, e.antenna)]


def troubles(events: list[ReaderEvent]) -> list[ReaderEvent]:
    return [e for e in events if not isinstance(e, ScanRound | ReaderUp)]


def asked(reader: Metratec, raw: bytes) -> list[Any]:
    out = reader.receive(raw, 0)
    due = reader.wake_at_ns()
    return wire.Lines().feed(out + (reader.tick(due) if due is not None else b""), 0)


@pytest.mark.parametrize("crc", [True, False])
def test_both_antennas_are_seen_round_after_round(crc: bool) -> None:
    virtual = catalog.make("metratec", "q", table(UIDS[:5], UIDS[5:60]))
    events = Wire(drivers.make("metratec", "q", (1, 2), {"crc": crc}), virtual, "q").advance(10 * S)
    assert not troubles(events)
    for antenna, count in ((1, 5), (2, 55)):
        assert len(rounds(events, antenna)) > 8
        assert all(r.complete and len(r.sightings) == count for r in rounds(events, antenna))


@pytest.mark.parametrize("crc", [True, False], ids=["wanted", "not wanted"])
@pytest.mark.parametrize(
    "state", [{}, {"crc": True}, {"asleep": True}, {"asleep": True, "crc": True}, {"continuous": True}]
)
def test_a_reader_is_set_up_from_whatever_state_it_was_left_in(state: dict[str, Any], crc: bool) -> None:
    reader = Metratec("q", table(UIDS[:3], UIDS[3:9]), **state)
    line = joined(reader, crc=crc)
    line.advance(6 * S)
    events = line.advance(9 * S)
    assert {len(r.sightings) for r in rounds(events, 2)} == {6}
    assert all(r.complete for r in rounds(events))


def test_tags_come_and_go() -> None:
    radio = table()
    line = joined(Metratec("q", radio))
    assert not any(r.sightings for r in rounds(line.advance(2 * S)))
    radio.field.lay(UIDS[:4], SPOT)
    line.advance(3 * S)
    assert all(len(r.sightings) == 4 for r in rounds(line.advance(5 * S), 1))
    radio.field.lay(UIDS[:4], TRAY)
    line.advance(6 * S)
    assert not any(r.sightings for r in rounds(line.advance(8 * S), 1))


@pytest.mark.parametrize("crc", [True, False])
def test_a_power_cut_at_any_time_is_survived_and_no_round_lies(crc: bool) -> None:
    reader = Metratec("q", table(UIDS[:5], UIDS[5:20]))
    line = joined(reader, crc=crc)
    events = line.advance(2 * S)
    for cut in range(8):
        reader.power_cut()
        events += line.advance((10 + 8 * cut) * S + cut * 37_000_000)
    for r in rounds(events):
        seen = {s.tag for s in r.sightings}
        assert seen <= set(UIDS[:5] if r.antenna == 1 else UIDS[5:20])
        assert not r.complete or len(seen) == (5 if r.antenna == 1 else 15)
    assert rounds(line.advance(80 * S))[-1].complete


def test_a_stuck_reader_is_reset_and_goes_on() -> None:
    reader = Metratec("q", table(UIDS[:5]))
    line = joined(reader)
    line.advance(2 * S)
    reader.broken = "UER"
    events = line.advance(10 * S)
    assert "stuck" in [e.code for e in events if isinstance(e, ReaderFault)]
    assert "RST" in reader.told
    assert rounds(line.advance(13 * S), 1)[-1].complete


def test_a_multiplexer_that_stays_where_it_is_never_lends_its_tags_to_another_antenna() -> None:
    reader = Metratec("q", table(UIDS[:5], UIDS[5:9]))
    line = joined(reader)
    line.advance(2 * S)
    reader.misrouted = True
    for r in rounds(line.advance(6 * S)):
        seen = {s.tag for s in r.sightings}
        assert seen <= set(UIDS[:5] if r.antenna == 1 else UIDS[5:9])


@pytest.mark.parametrize("frame", FROM_HOST, ids=lambda f: f["meaning"][:30])
def test_every_published_command_is_obeyed(frame: dict[str, Any]) -> None:
    raw = bytes.fromhex(frame["hex"])
    reader = Metratec("q", table(UIDS[:1]), crc=frame["checksum"]["ok"] is True)
    asked(reader, wire.line("SRI SS 100", crc=frame["checksum"]["ok"] is True))
    assert not [a for a in asked(reader, raw) if isinstance(a, Text) and a.text in wire.ERRORS]


def test_commands_that_cannot_be_are_refused_by_name() -> None:
    reader = Metratec("q", table())
    refusals = [(b"XYZ\r", "UCO"), (b"INV SSL\r", "UPA"), (b"SAP MAN 9\r", "NOR"), (b"INV\r", "NRF")]
    for raw, word in refusals:
        assert asked(reader, raw) == [Text(word)]
    assert asked(reader, wire.line("INV", crc=True)) == [Text("UPA")]
    assert asked(Metratec("q", table(), crc=True), b"INV\r") == [Text("CCE", True)]
