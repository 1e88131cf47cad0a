"""Chafon's length-first readers: every published frame, both layouts of tags, scan time, scan mode, antennas."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.drivers.catalog import make
from firmware_bridge.drivers.dialogue import MOST_TROUBLES, MS
from firmware_bridge.errors import FrameError, OptionError
from firmware_bridge.events import (
    BadFrame,
    Out,
    PortSettings,
    ReaderEvent,
    ReaderFault,
    ReaderLost,
    ReaderUp,
    ScanRound,
    Sighting,
)
from firmware_bridge.wire import chafon as wire
from firmware_bridge.wire import chafon_cf as cf
from firmware_bridge.wire.chafon import AnyFrame, Frame, Inventory
from firmware_bridge.wire.chafon_cf import CfFrame, CfTag
from firmware_bridge.wire.rejected import Rejected

ALL = [
    f
    for f in json.loads((Path(__file__).parent.parent / "data" / "frames.json").read_text())
    if f["reader"] in ("uhfreader18", "uhfreader288")
]
FROM_READER = [f for f in ALL if f["direction"] == "reader->host"]
FROM_HOST = [f for f in ALL if f["direction"] == "host->reader"]
TAG, OTHER = "49440000000000000A000334", "E200001D7315016521408FC6"


def name(frame: dict[str, Any]) -> str:
    return f"{frame['reader']} {frame['hex'][:29]}"


def scan(raw: bytes, layout: wire.Layout = "auto") -> list[AnyFrame | Rejected]:
    scanner = wire.scanner(layout)
    return [*scanner.feed(raw, 0), *scanner.finish()]


# ---------------------------------------------------------------- frames


@pytest.mark.parametrize("frame", FROM_READER, ids=name)
def test_every_frame_of_the_reader_decodes_as_documented(frame: dict[str, Any]) -> None:
    raw = bytes.fromhex(frame["hex"])
    (found,) = scan(raw)
    want = frame["decoded"]
    if not frame["checksum"]["ok"]:
        assert found == Rejected("checksum", raw)
    elif want.get("cmd", "01") == "01" and "type" not in want:
        assert isinstance(found, Inventory)
        assert found.status == int(want.get("status", "03"), 16)
        check_tags(found, want)
    else:
        assert isinstance(found, Frame)
        check_answer(found, want)


def check_tags(found: Inventory, want: dict[str, Any]) -> None:
    tags = want.get("tags", ())
    if "antenna_mask" in want:
        sightings = tuple(Sighting(t["epc"], t["rssi"] - wire.RSSI_OFFSET) for t in tags)
        assert (found.by_18, found.by_288, found.antenna) == (None, sightings, want["antenna_mask"])
    elif tags:
        assert (found.by_18, found.by_288) == (tuple(Sighting(t["epc"]) for t in tags), None)
    else:
        assert (found.by_18, found.by_288) == (None, None)


def check_answer(found: Frame, want: dict[str, Any]) -> None:
    if "type" in want:
        assert (found.command, found.status) == (wire.INFORMATION, wire.OK)
        assert f"{found.data[0]}.{found.data[1]}" == want["version"]
        assert f"{found.data[2]:02X}" == want["type"]
        assert (found.data[6], found.data[7] * 100) == (want["power"], want["scan_time_ms"])
        return
    assert found.command == int(want["cmd"], 16)
    assert found.status == int(want.get("status", "03"), 16)
    if "data" in want:
        assert found.data.hex().upper() == want["data"]


COMMANDS: dict[str, tuple[int, bytes, int]] = {
    "inventory (no parameters: 18/5102 family)": (wire.INVENTORY, b"", 0),
    "inventory, broadcast address": (wire.INVENTORY, b"", wire.EVERYBODY),
    "single-tag inventory": (wire.ONE_TAG, b"", 0),
    "get reader information": (wire.INFORMATION, b"", 0),
    "set 9600 baud": (wire.BAUD, b"\0", wire.EVERYBODY),
    "set scan time 2 s": (wire.SCAN_TIME, b"\x14", 0),
    "get work mode": (wire.GET_MODE, b"", 0),
    "set answer mode (all six parameter bytes needed)": (wire.SET_MODE, wire.ANSWER_MODE, 0),
}


@pytest.mark.parametrize("frame", FROM_HOST, ids=name)
def test_every_frame_of_the_host_is_what_the_encoder_makes(frame: dict[str, Any]) -> None:
    code, data, address = COMMANDS[frame["meaning"]]
    assert wire.command(code, data, address) == bytes.fromhex(frame["hex"])


def test_the_two_byte_form_of_the_inventory_is_what_an_owner_published() -> None:
    assert wire.command(wire.INVENTORY, b"\x02\x00", 0) == bytes.fromhex("06 00 01 02 00 7C 62")


def test_frames_of_a_host_give_no_event() -> None:
    full = wire.command(wire.INVENTORY, wire.query(1, 4, 0, 3), 0)
    for raw in [bytes.fromhex(f["hex"]) for f in FROM_HOST] + [
        full,
        wire.command(wire.INVENTORY, wire.query(2, 3, 0, 3)),
    ]:
        driver = make("chafon")
        driver.start(0)
        assert not driver.receive(raw, 1).events
        assert not driver.flush(2).events


def test_every_published_frame_with_a_flipped_bit_is_refused() -> None:
    for frame in ALL:
        raw = bytes.fromhex(frame["hex"])
        for bit in range(8 * len(raw) if frame["checksum"]["ok"] else 0):
            damaged = bytearray(raw)
            damaged[bit // 8] ^= 1 << bit % 8
            assert not [f for f in scan(bytes(damaged)) if not isinstance(f, Rejected)]


def test_frames_that_are_known_are_read_the_same_as_the_first_time() -> None:
    raws = [bytes.fromhex(f["hex"]) for f in ALL if f["checksum"]["ok"]]
    first = [wire.scanner().feed(raw, 0) for raw in raws]
    scanner = wire.scanner()
    assert [scanner.feed(raw, 0) for raw in raws + raws] == first + first
    assert scanner.feed(b"".join(raws), 0) == [item for found in first for item in found]


def test_a_short_read_gives_its_frame_when_the_rest_is_there() -> None:
    raw = wire.answer(wire.INVENTORY, wire.DONE, wire.tags_18((TAG,)))
    for cut in range(1, len(raw)):
        scanner = wire.scanner()
        assert scanner.feed(raw[:cut], 0) == []
        assert [type(f) for f in scanner.feed(raw[cut:], 1)] == [Inventory]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.binary(max_size=12), max_size=8), st.integers(1, 8), st.integers(-129, 126))
def test_either_layout_gives_back_what_was_put_in(epcs: list[bytes], antenna: int, dbm: int) -> None:
    tags = tuple(epc.hex().upper() for epc in epcs)
    old, new = wire.tags_18(tags), wire.tags_288(tuple((tag, dbm) for tag in tags), antenna)
    (by_18,) = scan(wire.answer(wire.INVENTORY, wire.DONE, old), "18")
    (by_288,) = scan(wire.answer(wire.INVENTORY, wire.DONE, new), "288")
    assert by_18 == Inventory(wire.DONE, tuple(map(Sighting, tags)))
    assert by_288 == Inventory(wire.DONE, None, tuple(Sighting(tag, dbm) for tag in tags), antenna)


@pytest.mark.parametrize("data", [b"\x02\x0cAAAAAAAAAAAA", b"\x01\x0dAAAAAAAAAAAA", b"\x05\x01\x04AAAA"])
def test_a_body_that_no_layout_uses_up_is_refused(data: bytes) -> None:
    raw = wire.answer(wire.INVENTORY, wire.DONE, data)
    assert scan(raw) == [Rejected("value", raw)]


def test_a_frame_has_a_limit() -> None:
    with pytest.raises(FrameError, match="more than"):
        wire.answer(wire.INVENTORY, wire.DONE, bytes(251))


# ---------------------------------------------------------------- the conversation


def sent(out: Out) -> list[tuple[int, bytes]]:
    found = [item for raw in out.send for item in scan(raw)]
    return [(f.command, f.data) for f in found if isinstance(f, Frame)]


def information(kind: int = 0x09, power: int = 26, scan_units: int = 3) -> bytes:
    return wire.answer(wire.INFORMATION, wire.OK, bytes((5, 2, kind, 2, 0x31, 0x80, power, scan_units)))


def polling(kind: int = 0x09, antennas: tuple[int, ...] = (), **options: Any) -> tuple[Any, Out]:
    """A reader that told its type at 1 s, and its first inventory."""
    driver = make("chafon", "r", antennas, options)
    driver.start(1000 * MS)
    return driver, driver.receive(information(kind), 1000 * MS)


def part(status: int, *tags: str) -> bytes:
    return wire.answer(wire.INVENTORY, status, wire.tags_18(tags))


def part_288(status: int, antenna: int, *tags: str) -> bytes:
    return wire.answer(wire.INVENTORY, status, wire.tags_288(tuple((tag, -50) for tag in tags), antenna))


def rounds(events: tuple[ReaderEvent, ...]) -> list[ScanRound]:
    return [e for e in events if isinstance(e, ScanRound)]


def test_the_line_is_57600_baud() -> None:
    assert make("chafon").settings == PortSettings(57600)


def test_the_type_is_asked_first_and_is_the_identity() -> None:
    driver = make("chafon", "r")
    assert sent(driver.start(0)) == [(wire.INFORMATION, b"")]
    raw = next(bytes.fromhex(f["hex"]) for f in FROM_READER if "type" in f["decoded"])
    out = driver.receive(raw, 5)
    assert out.events == (ReaderUp("r", 5, "Chafon type 86, firmware 5.2"),)


def test_scan_time_and_power_are_written_only_where_they_differ_for_a_write_wears_the_eeprom() -> None:
    driver = make("chafon", "r", (), {"power_dbm": 20, "scan_ms": 450})
    driver.start(0)
    asked = sent(driver.receive(information(power=26, scan_units=20), 1))
    assert asked == [(wire.SCAN_TIME, b"\x05")]
    asked += sent(driver.receive(wire.answer(wire.SCAN_TIME), 2))
    asked += sent(driver.receive(wire.answer(wire.POWER), 3))
    assert asked == [(wire.SCAN_TIME, b"\x05"), (wire.POWER, b"\x14"), (wire.INVENTORY, b"")]
    driver = make("chafon", "r", (), {"power_dbm": 20, "scan_ms": 450})
    driver.start(0)
    assert sent(driver.receive(information(power=20, scan_units=5), 1)) == [(wire.INVENTORY, b"")]


def test_old_readers_get_no_parameters_and_new_ones_q_session_antenna_and_scan_time() -> None:
    _, out = polling(0x09)
    assert sent(out) == [(wire.INVENTORY, b"")]
    _, out = polling(0x0C, (2,), q=6, session=1, scan_ms=500)
    assert sent(out) == [(wire.INVENTORY, bytes.fromhex("06 01 01 0000 00 00 81 05"))]


def test_a_reader_that_refuses_the_form_of_its_inventory_gets_the_other() -> None:
    driver, out = polling(0x77)
    assert sent(out) == [(wire.INVENTORY, b"")]
    out = driver.receive(wire.answer(wire.INVENTORY, wire.WRONG_LENGTH), 1010 * MS)
    assert [e.code for e in out.events if isinstance(e, ReaderFault)] == ["FD"]
    out = driver.tick(driver.wake_at_ns() or 0)
    assert sent(out) == [(wire.INVENTORY, wire.query(1, 4, 0, 3))]


@pytest.mark.parametrize(("last", "complete"), [(wire.DONE, True), (wire.OK, True), (wire.ELAPSED, False)])
def test_one_answer_is_all_parts_up_to_the_last(last: int, complete: bool) -> None:
    driver, _ = polling()
    assert not driver.receive(part(wire.TO_BE_CONTINUED, TAG), 1300 * MS).events
    out = driver.receive(part(last, OTHER), 1310 * MS)
    assert out.events == (ScanRound("r", 1, 1000 * MS, 1310 * MS, complete, (Sighting(TAG), Sighting(OTHER))),)
    assert sent(out) == [(wire.INVENTORY, b"")]


def test_a_round_that_the_scan_time_ended_may_count_as_complete_by_option() -> None:
    driver, _ = polling(elapsed_complete=True)
    assert [r.complete for r in rounds(driver.receive(part(wire.ELAPSED, TAG), 1300 * MS).events)] == [True]


def test_a_full_buffer_is_told_and_the_round_is_not_complete() -> None:
    driver, _ = polling()
    fault, scan_round = driver.receive(part(wire.BUFFER_FULL, TAG), 1300 * MS).events
    assert isinstance(fault, ReaderFault)
    assert (fault.code, isinstance(scan_round, ScanRound) and scan_round.complete) == ("04", False)


def test_no_tag_is_an_empty_round_and_behind_tags_it_ends_theirs() -> None:
    driver, _ = polling()
    (empty,) = rounds(driver.receive(wire.answer(wire.INVENTORY, wire.NO_TAG), 1300 * MS).events)
    assert (empty.complete, empty.sightings) == (True, ())
    driver.receive(part(wire.TO_BE_CONTINUED, TAG), 1600 * MS)
    (full,) = rounds(driver.receive(wire.answer(wire.INVENTORY, wire.NO_TAG), 1601 * MS).events)
    assert (full.complete, full.sightings) == (True, (Sighting(TAG),))


def test_the_reader_may_be_silent_until_its_scan_time_is_over() -> None:
    driver, _ = polling(scan_ms=2000, answer_ms=400)
    driver.receive(wire.answer(wire.SCAN_TIME), 1000 * MS)
    assert driver.wake_at_ns() == 3400 * MS
    assert driver.tick(3399 * MS) == Out()


def test_between_two_parts_the_reader_has_its_time_again() -> None:
    driver, _ = polling(answer_ms=200)
    driver.receive(part(wire.TO_BE_CONTINUED, TAG), 1490 * MS)
    assert driver.tick(1900 * MS) == Out()
    assert driver.receive(part(wire.DONE, OTHER), 1950 * MS).events


AMBIGUOUS = bytes.fromhex("02 02 01AA 03 01BBCC")  # EPCs 01AA and 01BBCC, or AA and BB of antenna 2


@pytest.mark.parametrize(("kind", "antenna", "tags"), [(0x09, 1, ["01AA", "01BBCC"]), (0x0C, 2, ["AA", "BB"])])
def test_a_body_that_both_layouts_use_up_is_read_as_the_readers_type_says(
    kind: int, antenna: int, tags: list[str]
) -> None:
    driver, _ = polling(kind, (antenna,))
    (scan_round,) = rounds(driver.receive(wire.answer(wire.INVENTORY, wire.DONE, AMBIGUOUS), 1300 * MS).events)
    assert (scan_round.antenna, [s.tag for s in scan_round.sightings]) == (antenna, tags)


@pytest.mark.parametrize("option", ["18", "288"])
def test_a_layout_by_option_is_the_only_one_accepted(option: str) -> None:
    old, new = part(wire.DONE, TAG), part_288(wire.DONE, 1, TAG)
    for raw, layout in ((old, "18"), (new, "288")):
        driver = make("chafon", "r", (), {"layout": option})
        driver.start(0)
        events = driver.receive(raw, 1).events
        assert [type(e) for e in events] == [ScanRound if layout == option else BadFrame]


def test_without_a_type_each_body_is_read_in_the_layout_that_uses_it_up() -> None:
    driver = make("chafon", "r")
    driver.start(0)
    events = driver.receive(part(wire.DONE, TAG) + part_288(wire.DONE, 3, OTHER), 1).events
    assert [(r.antenna, r.sightings) for r in rounds(events)] == [
        (1, (Sighting(TAG),)),
        (3, (Sighting(OTHER, -50),)),
    ]


def test_antennas_take_turns_by_the_plan_and_the_focus() -> None:
    driver, out = polling(0x0C, (1, 2, 4))
    seen = []
    for turn in range(16):
        if turn == 6:
            driver.focus((4,))
        port = sent(out)[0][1][-2] - 0x7F
        out = driver.receive(part_288(wire.DONE, port, TAG), (1300 + turn) * MS)
        seen += [r.antenna for r in rounds(out.events) if r.complete]
    assert sorted(seen[:6]) == [1, 1, 2, 2, 4, 4]
    assert seen[7:].count(4) >= 4


def test_tags_of_another_antenna_than_the_one_asked_for_never_count_for_it() -> None:
    driver, _ = polling(0x0C, (1, 2))
    out = driver.receive(part_288(wire.DONE, 2, TAG), 1300 * MS)
    assert [(r.antenna, r.complete, len(r.sightings)) for r in rounds(out.events)] == [(2, False, 1), (1, True, 0)]


def test_a_reader_that_cannot_switch_antennas_says_so_and_its_rounds_are_not_complete() -> None:
    driver = make("chafon", "r", (1, 2))
    driver.start(0)
    out = driver.receive(information(0x09), 1)
    assert [e.code for e in out.events if isinstance(e, ReaderFault)] == ["no_antenna"]
    assert [r.complete for r in rounds(driver.receive(part(wire.DONE, TAG), 300 * MS).events)] == [False]


def test_a_dead_antenna_is_told_and_its_round_is_unknown_not_empty() -> None:
    driver, _ = polling(0x0C, (1, 2))
    fault, scan_round = driver.receive(wire.answer(wire.INVENTORY, wire.ANTENNA_ERROR), 1300 * MS).events
    assert isinstance(fault, ReaderFault)
    assert (fault.code, "antenna" in fault.meaning) == ("F8", True)
    assert isinstance(scan_round, ScanRound)
    assert (scan_round.complete, scan_round.antenna) == (False, 1)


def test_a_reader_in_scan_mode_is_told_and_switched_to_answer_mode_as_its_type_needs() -> None:
    report = next(bytes.fromhex(f["hex"]) for f in FROM_READER if f["decoded"].get("cmd") == "EE")
    for kind, command in ((0x09, (wire.SET_MODE, wire.ANSWER_MODE)), (0x0C, (wire.NEW_MODE, b"\0"))):
        driver, _ = polling(kind)
        out = driver.receive(report, 1100 * MS)
        assert [e.code for e in out.events if isinstance(e, ReaderFault)] == ["EE"]
        assert sent(out) == [command]
        assert driver.receive(report, 1200 * MS) == Out()
        assert sent(driver.receive(report, 3200 * MS)) == [command]


def test_the_tags_of_a_report_in_scan_mode_are_not_guessed() -> None:
    report = next(bytes.fromhex(f["hex"]) for f in FROM_READER if f["decoded"].get("cmd") == "EE")
    driver = make("chafon", "r")
    driver.start(0)
    assert not rounds(driver.receive(report, 1).events)


def test_an_answer_to_another_command_is_no_inventory() -> None:
    raw = next(bytes.fromhex(f["hex"]) for f in FROM_READER if f["decoded"].get("cmd") == "02")
    driver, _ = polling(0x0C)
    out = driver.receive(raw, 1100 * MS)
    assert not rounds(out.events)


def test_damage_makes_the_round_not_complete() -> None:
    driver, _ = polling()
    damaged = bytearray(part(wire.TO_BE_CONTINUED, OTHER))
    damaged[7] ^= 1
    events = driver.receive(bytes(damaged) + part(wire.DONE, TAG), 1300 * MS).events
    events += driver.tick(1400 * MS).events  # a byte of an EPC that could be a length is waited for
    assert [type(e) for e in events] == [BadFrame, ScanRound]
    assert [(r.complete, r.sightings) for r in rounds(events)] == [(False, (Sighting(TAG),))]


def test_damage_before_the_tags_of_a_round_that_nobody_asked_for_makes_it_not_complete() -> None:
    damaged = bytearray(part(wire.TO_BE_CONTINUED, OTHER))
    damaged[-1] ^= 1
    driver = make("chafon")
    events = driver.receive(bytes(damaged) + part(wire.DONE, TAG) * 2, 7).events
    events += driver.tick(200 * MS).events
    assert [(r.complete, r.sightings) for r in rounds(events)] == [(False, (Sighting(TAG),)), (True, (Sighting(TAG),))]


def test_a_reader_without_power_is_lost_once_and_asked_for_its_type_when_it_is_back() -> None:
    driver, _ = polling()
    events: list[ReaderEvent] = []
    out = Out()
    for _ in range(30):
        out = driver.tick(driver.wake_at_ns() or 0)
        events += out.events
    assert [type(e) for e in events] == [ReaderLost]
    while not out.send:
        out = driver.tick(driver.wake_at_ns() or 0)
    assert sent(out) == [(wire.INFORMATION, b"")]
    out = driver.receive(information(0x0C), (driver.wake_at_ns() or 0) - 1)
    assert [type(e) for e in out.events] == [ReaderUp]
    assert len(sent(out)[0][1]) == 9  # another reader stands there now


def test_a_reader_that_answers_nothing_but_errors_is_asked_anew_who_it_is() -> None:
    driver, _ = polling()
    for _ in range(MOST_TROUBLES):
        out = driver.receive(wire.answer(wire.INVENTORY, 0xF9), 1300 * MS)
        if not out.send:
            driver.tick(driver.wake_at_ns() or 0)
    assert [e.code for e in out.events if isinstance(e, ReaderFault)] == ["F9", "stuck"]
    assert sent(out) == [(wire.INFORMATION, b"")]


def test_a_tag_without_an_epc_is_no_sighting() -> None:
    driver, _ = polling()
    (scan_round,) = rounds(driver.receive(part(wire.DONE, "", TAG), 1300 * MS).events)
    assert [s.tag for s in scan_round.sightings] == [TAG]


def test_the_strongest_sighting_of_a_tag_counts() -> None:
    driver, _ = polling(0x0C)
    data = wire.tags_288(((TAG, -70), (TAG, -40), (TAG, -60)))
    (scan_round,) = rounds(driver.receive(wire.answer(wire.INVENTORY, wire.DONE, data), 1300 * MS).events)
    assert scan_round.sightings == (Sighting(TAG, -40),)


@pytest.mark.parametrize(("option", "value"), [("layout", "512"), ("scan_ms", 200), ("q", 16), ("often", "2;3")])
def test_options_are_checked(option: str, value: str | int) -> None:
    with pytest.raises(OptionError, match=f"option `{option}`"):
        make("chafon", "r", (), {option: value})


def test_the_end_of_input_gives_pending_tags_as_not_complete() -> None:
    driver = make("chafon", "r")
    driver.start(0)
    assert not driver.receive(part(wire.TO_BE_CONTINUED, TAG), 1).events
    assert [(r.complete, r.sightings) for r in rounds(driver.flush(2).events)] == [(False, (Sighting(TAG),))]


# ---------------------------------------------------------------- the CF language

CF_FRAMES = [
    f
    for f in json.loads((Path(__file__).parent.parent / "data" / "frames.json").read_text())
    if f["reader"] == "chafon-cf"
]


@pytest.mark.parametrize("frame", CF_FRAMES, ids=name)
def test_every_frame_of_the_cf_language_decodes_as_documented(frame: dict[str, Any]) -> None:
    raw, want = bytes.fromhex(frame["hex"]), frame["decoded"]
    (found,) = scan(raw)
    if "epc" in want:
        assert found == CfTag(want["antenna"], Sighting(want["epc"], round(want["rssi_dbm"])))
        return
    assert isinstance(found, CfFrame)
    assert found.command == int(want["cmd"], 16)
    assert found.status == (int(want["status"], 16) if "status" in want else None)


CF_COMMANDS = {
    "0070": b"",
    "0072": b"",
    "0002": b"",
    "0001": bytes(5),
}


@pytest.mark.parametrize("frame", [f for f in CF_FRAMES if f["direction"] == "host->reader"], ids=name)
def test_every_command_of_the_cf_language_is_what_the_encoder_makes(frame: dict[str, Any]) -> None:
    want = frame["decoded"]
    body = bytes((1, 0, 0, 0, want["rounds"])) if "rounds" in want else CF_COMMANDS[want["cmd"]]
    assert cf.pack(cf.EVERYBODY, int(want["cmd"], 16), body) == bytes.fromhex(frame["hex"])


def test_the_report_of_a_tag_is_what_the_encoder_makes() -> None:
    raw = next(bytes.fromhex(f["hex"]) for f in CF_FRAMES if "epc" in f["decoded"])
    assert cf.report("E2801160600002094C4C8B1A", -32) == raw


def test_a_reader_of_the_cf_language_is_heard_and_the_loss_says_what_it_speaks() -> None:
    driver = make("chafon", "r")
    driver.start(0)
    idle = next(bytes.fromhex(f["hex"]) for f in CF_FRAMES if f["decoded"].get("status") == "12")
    assert not driver.receive(cf.report(TAG), 1).events
    (heard,) = rounds(driver.receive(idle, 2).events)
    assert (heard.complete, heard.sightings) == (True, (Sighting(TAG, -50),))
    events: list[ReaderEvent] = []
    while not events:
        events += driver.tick(driver.wake_at_ns() or 0).events
    assert "CF language" in (events[0].why if isinstance(events[0], ReaderLost) else "")


def test_a_report_whose_epc_does_not_fill_it_is_refused() -> None:
    raw = cf.pack(0, cf.INVENTORY, bytes.fromhex("00 FEC0 01 00 0C E280"))
    assert scan(raw) == [Rejected("value", raw)]
