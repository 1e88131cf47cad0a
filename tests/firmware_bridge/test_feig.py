"""FEIG OBID i-scan readers: every published frame, quiet tags, more data, the multiplexer, errors and recovery."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.drivers.catalog import make
from firmware_bridge.drivers.dialogue import LATE_NS, MOST_TAGS, MOST_TROUBLES, MS, REST_NS
from firmware_bridge.drivers.feig import MOST_PARTS, mux_command
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
from firmware_bridge.wire import feig as wire
from firmware_bridge.wire.feig import AnyFrame, Frame, Inventory
from firmware_bridge.wire.rejected import Rejected

ALL = [
    f
    for f in json.loads((Path(__file__).parent.parent / "data" / "frames.json").read_text())
    if f["reader"] == "feig-obid"
]
FROM_READER = [f for f in ALL if f["direction"] == "reader->host"]
FROM_HOST = [f for f in ALL if f["direction"] == "host->reader"]
TAG, OTHER = "E01680FF08005024", "E01680FF08004FBC"
MUX = "DD 00 {n-1}"
VERSION_DATA = bytes.fromhex("03050000 4A 0008")


def name(frame: dict[str, Any]) -> str:
    return str(frame["hex"])


def scan(raw: bytes) -> list[AnyFrame | Rejected]:
    scanner = wire.scanner()
    return [*scanner.feed(raw, 0), *scanner.finish()]


# ---------------------------------------------------------------- frames


@pytest.mark.parametrize("frame", FROM_READER, ids=name)
def test_every_frame_of_the_reader_decodes_as_documented(frame: dict[str, Any]) -> None:
    (found,) = scan(bytes.fromhex(frame["hex"]))
    want = frame["decoded"]
    if "tags" in want:
        assert found == Inventory(int(want["status"], 16), tuple(Sighting(t["uid"]) for t in want["tags"]))
        return
    assert isinstance(found, Frame)
    assert (found.advanced, found.address) == (False, 0)
    assert found.control == int(want.get("control", "B0"), 16)
    assert found.status == int(want.get("status", "00"), 16)


COMMANDS: dict[str, tuple[int, bytes]] = {
    "[0xB0][0x01] inventory, MODE 0, broadcast address 0xFF": (0xB0, b"\x01\x00"),
    "[0x52] baud-rate detection": (wire.DETECT, b"\x00"),
    "[0x63] CPU reset": (wire.RESET, b""),
    "[0x81] write configuration CFG1: BAUD 08 = 38400, TRANS-FORM 01 = even parity": (
        wire.WRITE_CONFIG,
        bytes.fromhex("81 00 00 08 01 00 05 00 04 00 00 00 00 00 00"),
    ),
    "[0x69] RF reset (field off 15 ms): makes quiet tags answer again": (wire.RF_RESET, b""),
    "inventory, MORE=1: fetch the rest after status 0x94": (0xB0, wire.INVENTORY + wire.MORE),
    "the same inventory in an advanced-protocol frame (STX 02, 2-byte length)": (0xB0, b"\x01\x00"),
}


@pytest.mark.parametrize("frame", FROM_HOST, ids=name)
def test_every_frame_of_the_host_is_what_the_encoder_makes(frame: dict[str, Any]) -> None:
    control, data = COMMANDS[frame["meaning"]]
    advanced = frame["hex"].startswith("02")
    raw = wire.command(control, data, advanced=advanced)
    assert raw == bytes.fromhex(frame["hex"])
    assert scan(raw) == [Frame(advanced, wire.EVERYBODY, control, None, data)]


def test_every_published_frame_with_a_flipped_bit_is_refused() -> None:
    for frame in ALL:
        raw = bytes.fromhex(frame["hex"])
        for bit in range(8 * len(raw)):
            damaged = bytearray(raw)
            damaged[bit // 8] ^= 1 << bit % 8
            assert not [f for f in scan(bytes(damaged)) if not isinstance(f, Rejected)]


def test_frames_that_are_known_are_read_the_same_as_the_first_time() -> None:
    raws = [bytes.fromhex(f["hex"]) for f in ALL]
    first = [wire.scanner().feed(raw, 0) for raw in raws]
    scanner = wire.scanner()
    assert [scanner.feed(raw, 0) for raw in raws + raws] == first + first
    assert scanner.feed(b"".join(raws), 0) == [item for found in first for item in found]


def test_an_advanced_answer_holds_more_tags_than_a_standard_frame_can() -> None:
    uids = tuple(f"E0040150{n:08X}" for n in range(100))
    raw = wire.answer(wire.HOST_COMMAND, wire.OK, wire.tag_sets(uids), advanced=True)
    assert scan(raw) == [Inventory(wire.OK, tuple(map(Sighting, uids)))]
    with pytest.raises(FrameError, match="more than"):
        wire.answer(wire.HOST_COMMAND, wire.OK, wire.tag_sets(uids))
    assert wire.MOST_SETS == 24
    assert wire.answer(wire.HOST_COMMAND, wire.OK, wire.tag_sets(uids[:24]))


@pytest.mark.parametrize(
    "data",
    [b"", b"\x01", b"\x02" + bytes.fromhex("0300E01680FF08005024"), b"\x01" + bytes.fromhex("0400E01680FF08005024")],
    ids=["no number", "no tag", "one tag of two", "no ISO 15693 tag"],
)
def test_a_checked_frame_that_says_what_cannot_be_is_refused(data: bytes) -> None:
    raw = wire.answer(wire.HOST_COMMAND, wire.OK, data)
    assert scan(raw) == [Rejected("value", raw)]


def test_lengths_that_cannot_be_are_refused() -> None:
    assert scan(b"\x02\x00\x04") == [Rejected("noise", b"\x02\x00\x04")]
    told = scan(b"\x02\xff\xff" + wire.answer(wire.DETECT))
    assert told[0] == Rejected("oversize", b"\x02")
    assert told[-1] == Frame(False, 0, wire.DETECT, wire.OK)
    assert scan(b"\x02\x00") == [Rejected("length", b"\x02\x00")]


def test_an_echoed_inventory_of_the_host_is_no_empty_round() -> None:
    echo = wire.command(wire.HOST_COMMAND, b"\x01\x00", address=0)
    assert scan(echo) == [Frame(False, 0, wire.HOST_COMMAND, None, b"\x01\x00")]


# ---------------------------------------------------------------- the conversation


def sent(out: Out) -> list[tuple[int, bytes]]:
    found = [item for raw in out.send for item in scan(raw)]
    return [(f.control, f.data) for f in found if isinstance(f, Frame)]


def reply(driver: Any, out: Out, at_ns: int, status: int = 0, data: bytes = b"") -> Out:
    """The reader's answer to what was sent last."""
    (found,) = scan(out.send[-1])
    assert isinstance(found, Frame)
    return driver.receive(wire.answer(found.control, status, data, advanced=found.advanced), at_ns)


def polling(antennas: tuple[int, ...] = (3,), **options: Any) -> tuple[Any, Out]:
    """A reader that was set up at 1 s, and the first request of its first round."""
    driver = make("feig", "r", antennas, options)
    out = driver.start(1000 * MS)
    out = reply(driver, out, 1000 * MS)
    return driver, reply(driver, out, 1000 * MS, data=VERSION_DATA)


def to_inventory(driver: Any, out: Out, at_ns: int) -> Out:
    while sent(out)[-1][0] != wire.HOST_COMMAND:
        out = reply(driver, out, at_ns)
    return out


def found(*uids: str) -> bytes:
    return wire.tag_sets(uids)


def rounds(events: tuple[ReaderEvent, ...]) -> list[ScanRound]:
    return [e for e in events if isinstance(e, ScanRound)]


def test_the_line_is_38400_with_even_parity_unless_the_options_say_otherwise() -> None:
    assert make("feig").settings == PortSettings(38400, "E")
    assert make("feig", options={"parity": "N", "baud": "19200"}).settings == PortSettings(19200, "N")


def test_setting_up_finds_the_reader_and_asks_who_it_is() -> None:
    driver = make("feig", "r")
    out = driver.start(0)
    assert sent(out) == [(wire.DETECT, b"\0")]
    out = reply(driver, out, 1)
    assert sent(out) == [(wire.VERSION, b"")]
    out = reply(driver, out, 2, data=VERSION_DATA)
    assert out.events == (ReaderUp("r", 2, "OBID i-scan type 4A, software 03.05"),)
    assert sent(out) == [(wire.RF_RESET, b"")]


def test_a_reader_without_a_version_is_up_all_the_same() -> None:
    driver = make("feig", "r")
    out = reply(driver, driver.start(0), 1)
    out = reply(driver, out, 2, status=0x80)
    assert [type(e) for e in out.events] == [ReaderFault, ReaderUp]
    driver = make("feig", "r")
    reply(driver, driver.start(0), 1)
    events: list[ReaderEvent] = []
    for _ in range(3):
        events += driver.tick(driver.wake_at_ns() or 0).events
    assert events == [ReaderUp("r", events[0].at_ns, "OBID i-scan")]  # type: ignore[union-attr]


def test_a_round_switches_the_field_off_before_each_inventory_for_an_inventory_leaves_tags_quiet() -> None:
    driver, out = polling()
    for turn in range(3):
        assert sent(out) == [(wire.RF_RESET, b"")]
        out = reply(driver, out, (1100 + turn) * MS)
        assert sent(out) == [(wire.HOST_COMMAND, b"\x01\x00")]
        out = reply(driver, out, (1200 + turn) * MS, data=found(TAG, OTHER))
        (scan_round,) = rounds(out.events)
        assert scan_round == ScanRound(
            "r", 3, (1100 + turn) * MS, (1200 + turn) * MS, True, (Sighting(TAG), Sighting(OTHER))
        )


def test_without_rf_reset_a_round_is_the_inventory_alone() -> None:
    _, out = polling(rf_reset=False)
    assert sent(out) == [(wire.HOST_COMMAND, b"\x01\x00")]


def test_no_transponder_is_an_empty_round_and_complete() -> None:
    driver, out = polling()
    out = reply(driver, to_inventory(driver, out, 1010 * MS), 1080 * MS, status=wire.NO_TRANSPONDER)
    assert rounds(out.events) == [ScanRound("r", 3, 1010 * MS, 1080 * MS, True, ())]


def test_more_data_is_fetched_until_the_reader_has_told_all() -> None:
    uids = [f"E0040150{n:08X}" for n in range(60)]
    driver, out = polling()
    out = to_inventory(driver, out, 1010 * MS)
    for begin in (0, 24):
        out = reply(driver, out, 1100 * MS, wire.MORE_DATA, found(*uids[begin : begin + 24]))
        assert not out.events
        assert sent(out) == [(wire.HOST_COMMAND, b"\x01\x80")]
    out = reply(driver, out, 1200 * MS, wire.OK, found(*uids[48:]))
    (scan_round,) = rounds(out.events)
    assert (scan_round.complete, [s.tag for s in scan_round.sightings]) == (True, uids)
    assert scan_round.began_ns == 1010 * MS


def test_a_reader_that_never_comes_to_the_end_is_an_error_and_its_round_not_complete() -> None:
    driver, out = polling()
    out = to_inventory(driver, out, 1010 * MS)
    for _ in range(MOST_PARTS):
        out = reply(driver, out, 1100 * MS, wire.MORE_DATA, found(TAG))
    assert [type(e) for e in out.events] == [ReaderFault, ScanRound]
    assert [r.complete for r in rounds(out.events)] == [False]


def test_a_round_holds_no_more_tags_than_memory_allows() -> None:
    driver, out = polling()
    out = to_inventory(driver, out, 1010 * MS)
    uids = [f"E0040150{n:08X}" for n in range(MOST_TAGS + 24)]
    events: list[ReaderEvent] = []
    for begin in range(0, len(uids), 24):
        out = reply(driver, out, 1100 * MS, wire.MORE_DATA, found(*uids[begin : begin + 24]))
        events += out.events
    events += reply(driver, out, 1100 * MS, wire.NO_TRANSPONDER).events
    assert [(r.antenna, r.complete) for r in rounds(tuple(events))] == [(3, False), (3, False)]


def test_a_lost_part_makes_the_round_not_complete_and_the_next_begins_anew() -> None:
    driver, out = polling()
    out = reply(driver, to_inventory(driver, out, 1010 * MS), 1100 * MS, wire.MORE_DATA, found(TAG))
    out = driver.tick(driver.wake_at_ns() or 0)
    assert [(r.complete, len(r.sightings)) for r in rounds(out.events)] == [(False, 1)]
    assert not out.send
    out = driver.tick(driver.wake_at_ns() or 0)
    assert sent(out) == [(wire.RF_RESET, b"")]


def test_a_damaged_answer_makes_the_round_not_complete_and_is_not_waited_for_long() -> None:
    driver, out = polling()
    to_inventory(driver, out, 1010 * MS)
    damaged = bytearray(wire.answer(wire.HOST_COMMAND, 0, found(TAG)))
    damaged[8] ^= 4
    assert [type(e) for e in driver.receive(bytes(damaged), 1100 * MS).events] == [BadFrame]
    assert driver.wake_at_ns() == 1200 * MS
    assert not driver.tick(1200 * MS).send
    assert sent(driver.tick(driver.wake_at_ns() or 0)) == [(wire.RF_RESET, b"")]


def test_antennas_take_turns_and_the_multiplexer_is_switched_before_each_round() -> None:
    driver, out = polling((1, 2), mux=MUX)
    seen = []
    for _ in range(4):
        control, data = sent(out)[0]
        assert control == 0xDD
        out = reply(driver, to_inventory(driver, out, 1010 * MS), 1080 * MS, data=found(TAG))
        (scan_round,) = rounds(out.events)
        assert scan_round.antenna == data[1] + 1
        seen.append(scan_round.antenna)
    assert seen == [1, 2, 1, 2]


def test_focus_drives_the_multiplexer_and_bet_spots_are_scanned_more_often_than_trays() -> None:
    driver, out = polling((1, 2, 3, 4), mux=MUX, often="2")
    seen = []
    for turn in range(34):
        if turn == 14:
            driver.focus((3, 4))
        out = reply(driver, to_inventory(driver, out, turn * MS), turn * MS, wire.NO_TRANSPONDER)
        seen += [r.antenna for r in rounds(out.events)]
    assert seen[:14].count(2) == 4 * seen[:14].count(3) == 8
    assert seen[16:].count(3) == seen[16:].count(4) == 6


@pytest.mark.parametrize(
    ("template", "antenna", "command"),
    [("DD00{n}", 3, "DD0003"), ("dd {n-1}", 1, "DD00"), ("DD 01 {bit}", 4, "DD0108"), ("DD {bit}", 8, "DD80")],
)
def test_the_command_of_the_multiplexer_is_a_template(template: str, antenna: int, command: str) -> None:
    assert mux_command(template, antenna) == bytes.fromhex(command)


def test_several_antennas_without_a_multiplexer_are_refused_with_the_cure() -> None:
    with pytest.raises(OptionError, match="west: 2 antennas on a feig reader need option 'mux'"):
        make("feig", "west", (1, 2))
    with pytest.raises(OptionError, match="option `mux`"):
        make("feig", "west", (1, 2), {"mux": "switch {n}"})


def test_a_multiplexer_that_does_not_obey_is_told_and_its_round_is_unknown_not_empty() -> None:
    driver, out = polling((1, 2), mux=MUX)
    out = reply(driver, out, 1010 * MS, status=0x80)
    fault, scan_round = out.events
    assert isinstance(fault, ReaderFault)
    assert (fault.code, isinstance(scan_round, ScanRound) and scan_round.complete) == ("80", False)
    out = driver.tick(driver.wake_at_ns() or 0)
    assert sent(out) == [(0xDD, b"\x00\x01")]  # the next antenna has its turn


def test_a_late_answer_never_counts_for_another_antenna() -> None:
    driver, out = polling((1, 2), mux=MUX)
    to_inventory(driver, out, 1010 * MS)
    due = driver.wake_at_ns() or 0
    assert driver.tick(due) == Out()
    late = driver.receive(wire.answer(wire.HOST_COMMAND, 0, found(TAG)), due + LATE_NS // 2)
    assert late == Out()
    out = driver.tick(due + LATE_NS)
    assert sent(out) == [(0xDD, b"\x00\x00")]  # the same antenna once more
    assert driver.receive(wire.answer(wire.HOST_COMMAND, 0, found(TAG)), due + LATE_NS + 1) == Out()


def test_a_late_answer_of_the_only_antenna_counts_for_what_was_seen_and_nothing_else() -> None:
    driver, out = polling()
    out = reply(driver, to_inventory(driver, out, 1010 * MS), 1080 * MS, data=found(TAG))
    late = driver.receive(wire.answer(wire.HOST_COMMAND, 0, found(OTHER)), 1081 * MS)
    assert [(r.complete, r.sightings) for r in rounds(late.events)] == [(False, (Sighting(OTHER),))]
    assert not late.send


@pytest.mark.parametrize("frame", [f for f in FROM_READER if f["decoded"].get("status") in ("81", "83")], ids=name)
def test_errors_are_named_and_the_round_they_cut_is_not_complete(frame: dict[str, Any]) -> None:
    driver, out = polling()
    to_inventory(driver, out, 1010 * MS)
    out = driver.receive(bytes.fromhex(frame["hex"]), 1080 * MS)
    fault, scan_round = out.events
    assert isinstance(fault, ReaderFault)
    assert fault.code == frame["decoded"]["status"]
    assert fault.meaning
    assert isinstance(scan_round, ScanRound)
    assert (scan_round.complete, scan_round.sightings) == (False, ())
    assert sent(driver.tick(driver.wake_at_ns() or 0)) == [(wire.RF_RESET, b"")]


def test_tags_named_inside_an_error_are_no_sightings() -> None:
    driver, out = polling()
    out = reply(driver, to_inventory(driver, out, 1010 * MS), 1080 * MS, wire.RF_ERROR, found(TAG))
    assert [r.sightings for r in rounds(out.events)] == [()]


def test_a_reader_that_answers_nothing_but_errors_is_reset() -> None:
    driver, out = polling()
    for _ in range(MOST_TROUBLES):
        out = reply(driver, to_inventory(driver, out, 1010 * MS), 1080 * MS, 0x81)
        events, resets = out.events, sent(out)
        out = out if out.send else driver.tick(driver.wake_at_ns() or 0)
    assert [e.code for e in events if isinstance(e, ReaderFault)] == ["81", "stuck"]
    assert resets == [(wire.RESET, b"")]
    out = reply(driver, out, 1090 * MS)
    assert sent(out) == [(wire.DETECT, b"\0")]
    out = reply(driver, reply(driver, out, 1090 * MS), 1090 * MS, data=VERSION_DATA)
    assert [type(e) for e in out.events] == [ReaderUp]


def test_noise_of_the_air_is_no_reason_to_reset_the_reader() -> None:
    driver, out = polling()
    for _ in range(3 * MOST_TROUBLES):
        out = reply(driver, to_inventory(driver, out, 1010 * MS), 1080 * MS, wire.TAG_CRC)
        assert [e.code for e in out.events if isinstance(e, ReaderFault)] == ["02"]
        out = driver.tick(driver.wake_at_ns() or 0)


def test_a_reader_without_power_is_lost_once_and_set_up_again_when_it_is_back() -> None:
    driver, _ = polling()
    events: list[ReaderEvent] = []
    for _ in range(30):
        out = driver.tick(driver.wake_at_ns() or 0)
        events += out.events
    assert [type(e) for e in events] == [ReaderLost]
    assert "8E1" in (events[0].why if isinstance(events[0], ReaderLost) else "")
    while not out.send:
        out = driver.tick(driver.wake_at_ns() or 0)
    at_ns = (driver.wake_at_ns() or 0) - 1
    out = reply(driver, out, at_ns)
    assert [type(e) for e in reply(driver, out, at_ns, data=VERSION_DATA).events] == [ReaderUp]


def test_a_lost_reader_rests_before_it_is_asked_again() -> None:
    driver = make("feig", "r")
    driver.start(0)
    out = Out()
    while not out.events:
        at_ns = driver.wake_at_ns() or 0
        out = driver.tick(at_ns)
    assert driver.wake_at_ns() == at_ns + REST_NS


@pytest.mark.parametrize(("option", "kinds"), [("auto", [0, 1, 0]), ("standard", [0, 0, 0]), ("advanced", [1, 1, 1])])
def test_both_kinds_of_frames_are_tried_until_one_is_answered(option: str, kinds: list[int]) -> None:
    driver = make("feig", "r", (), {"frame": option})
    asked = [driver.start(0).send[0]]
    while len(asked) < 3:
        asked += driver.tick(driver.wake_at_ns() or 0).send
    assert [raw[0] == wire.STX for raw in asked] == [bool(kind) for kind in kinds]


def test_the_kind_of_frame_that_was_answered_is_kept() -> None:
    driver = make("feig", "r")
    driver.start(0)
    out = reply(driver, driver.tick(300 * MS), 301 * MS)
    assert out.send[0] == wire.command(wire.VERSION, advanced=True)
    out = to_inventory(driver, reply(driver, out, 302 * MS, data=VERSION_DATA), 303 * MS)
    assert out.send[0] == bytes.fromhex("020009FFB001001843")


def test_a_reader_may_be_addressed() -> None:
    driver = make("feig", "r", (), {"address": 7})
    assert driver.start(0).send == (wire.command(wire.DETECT, b"\0", 7),)


def test_the_end_of_input_gives_pending_tags_as_not_complete() -> None:
    driver = make("feig", "r")
    driver.start(0)
    assert not driver.receive(wire.answer(wire.HOST_COMMAND, wire.MORE_DATA, found(TAG)), 1).events
    (scan_round,) = rounds(driver.flush(2).events)
    assert (scan_round.complete, scan_round.sightings) == (False, (Sighting(TAG),))
