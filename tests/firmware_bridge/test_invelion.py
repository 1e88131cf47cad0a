"""The A0 family: every published frame, what the length alone tells apart, rounds, sweeps and their traps."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.drivers.catalog import make
from firmware_bridge.drivers.dialogue import LATE_NS, MOST_TROUBLES, PAUSE_NS, TRIES
from firmware_bridge.drivers.invelion import LONGEST_ROUND_NS, Invelion, InvelionOptions
from firmware_bridge.errors import FrameError, OptionError
from firmware_bridge.events import BadFrame, Out, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound, Sighting
from firmware_bridge.wire import invelion as wire
from firmware_bridge.wire.invelion import End, Frame, Tag
from firmware_bridge.wire.rejected import Rejected

MS = 1_000_000
ALL = [
    f
    for f in json.loads((Path(__file__).parent.parent / "data" / "frames.json").read_text())
    if f["reader"] == "invelion-a0"
]
FROM_READER = [f for f in ALL if f["direction"] == "reader->host"]
FROM_HOST = [f for f in ALL if f["direction"] == "host->reader"]
TAG, OTHER = "E200001D7315016521408FC6", "30751FEB705C5904E3D50D70"


def name(frame: dict[str, Any]) -> str:
    return f"{frame['meaning'][:40]} {frame['hex'][:20]}"


def report(tag: str, antenna: int = 1, rssi: int = -60, code: int = wire.SESSION) -> bytes:
    return wire.tag(bytes.fromhex(tag), rssi, antenna, code)


# ---------------------------------------------------------------- frames


@pytest.mark.parametrize("frame", FROM_READER, ids=name)
def test_every_frame_of_the_reader_decodes_as_documented(frame: dict[str, Any]) -> None:
    (found,) = wire.scanner().feed(bytes.fromhex(frame["hex"]), 0)
    match frame["decoded"]:
        case {"epc": epc, "rssi_raw": raw, "antenna": antenna}:
            assert isinstance(found, Tag)
            assert (found.antenna, found.sighting) == (antenna + 1, Sighting(epc, raw - 129))
        case {"version": version}:
            assert isinstance(found, Frame)
            assert (found.command, ".".join(map(str, found.data))) == (wire.VERSION, version)
        case {"cmd": command, "status": status}:
            assert found == Frame(int(command, 16), bytes.fromhex(status))
            assert isinstance(found, Frame)
            assert found.error is None
        case other:
            raise AssertionError(other)


COMMANDS: dict[str, tuple[int, bytes]] = {
    "get firmware version": (wire.VERSION, b""),
    "select antenna 1 (0-based)": (wire.ANTENNA, wire.select(1)),
    "real-time inventory, 1 round": (wire.REAL_TIME, b"\1"),
    "real-time inventory, module chooses (0xFF)": (wire.REAL_TIME, b"\xff"),
    "inventory session S1, target A, 1 round": (wire.SESSION, wire.session(1)),
    "wrong checksum in public code (should be D1) - negative test": (wire.REAL_TIME, b"\1"),
}


@pytest.mark.parametrize("frame", FROM_HOST, ids=name)
def test_every_frame_of_the_host_is_what_the_encoder_makes_and_gives_no_event(frame: dict[str, Any]) -> None:
    published = bytes.fromhex(frame["hex"])
    packed = wire.pack(*COMMANDS[frame["meaning"]])
    driver = make("invelion")
    driver.start(0)
    if frame["checksum"]["ok"]:
        assert packed == published
        assert driver.receive(published, 0).events == ()
    else:
        assert packed != published
        assert [e.reason for e in driver.receive(published, 0).events if isinstance(e, BadFrame)] == ["checksum"]
        assert wire.scanner().feed(published, 0) == [Rejected("checksum", published)]


@pytest.mark.parametrize("ports", [4, 8])
def test_a_sweep_names_antennas_and_their_rounds_and_skips_the_rest(ports: int) -> None:
    raw = wire.pack(wire.SWEEP, wire.sweep((1, 3), 2, ports))
    assert raw[4:-1] == bytes.fromhex("00 02 02 02" + " FF 00" * (ports - 2) + " 00 01")
    assert wire.scanner().feed(raw, 0) == [Frame(wire.SWEEP, raw[4:-1])]  # and is no tag to a listener


@pytest.mark.parametrize(
    ("raw", "want"),
    [
        (wire.end(261, 3), End(wire.SESSION, 3, 261)),
        (wire.end(261, 3, wire.REAL_TIME), End(wire.REAL_TIME, 3, 261)),
        (wire.end(261, 3, wire.SWEEP), End(wire.SWEEP, None, 261)),
        (wire.pack(wire.REAL_TIME, b"\x22"), Frame(wire.REAL_TIME, b"\x22")),
        (wire.pack(wire.SWEEP, b"\x02\x22"), Frame(wire.SWEEP, b"\x02\x22")),
        (report(TAG, 4), Tag(wire.SESSION, 4, Sighting(TAG, -60))),
        (report(TAG, 5), Tag(wire.SESSION, 5, Sighting(TAG, -60))),
        (report(TAG, 8, -129), Tag(wire.SESSION, 8, Sighting(TAG, -129))),
    ],
)
def test_length_tells_tags_ends_and_errors_apart(raw: bytes, want: object) -> None:
    assert wire.scanner().feed(raw, 0) == [want]


@pytest.mark.parametrize("words", [0, 1, 4, 6, 8, 31])
def test_epcs_of_any_length_are_read_with_and_without_a_phase(words: int) -> None:
    epc = bytes(range(2 * words))
    raw = wire.tag(epc, -77, 2)
    want = Tag(wire.SESSION, 2, Sighting(epc.hex().upper(), -77))
    assert wire.scanner().feed(raw, 0) == [want]
    assert wire.scanner().feed(wire.pack(wire.SESSION, raw[4:-1] + b"\x12\x34"), 0) == [want]


def test_a_length_that_pc_does_not_tell_is_refused_although_the_sum_is_right() -> None:
    data = report(TAG)[4:-1]
    raw = wire.pack(wire.SESSION, data[:5] + data[7:])
    assert wire.scanner().feed(raw, 0) == [Rejected("value", raw)]


def test_a_frame_that_lost_a_byte_does_not_take_the_next_with_it() -> None:
    """Its sum is right with the head of the next frame in place of the lost A0."""
    cut = report("A0" * 12)
    cut = cut[:8] + cut[9:]
    found = wire.scanner().feed(cut + report(TAG) + report(OTHER), 0)
    assert [f.sighting.tag for f in found if isinstance(f, Tag)][-2:] == [TAG, OTHER]


def test_power_is_told_in_one_byte_and_is_no_error() -> None:
    assert Frame(wire.GET_POWER, b"\x21").error is None
    assert Frame(wire.SET_POWER, b"\x48").error == 0x48
    assert Frame(wire.REAL_TIME, b"\x01").error is None


def test_what_no_frame_can_hold_is_an_error_of_the_sender() -> None:
    for data in (b"\x01", bytes(64)):
        with pytest.raises(FrameError):
            wire.tag(data)
    with pytest.raises(FrameError):
        wire.pack(wire.SESSION, bytes(98))


def test_frames_that_are_known_are_read_the_same_as_the_first_time() -> None:
    raws = [report(TAG), wire.end(1), report(OTHER, 2), wire.pack(wire.VERSION, b"\1\2")]
    scanner = wire.scanner()
    first = scanner.feed(b"".join(raws), 0)
    assert scanner.feed(b"".join(raws), 0) == first
    assert len(first) == 4


# ---------------------------------------------------------------- the conversation


def commands(out: Out) -> list[tuple[int, bytes]]:
    return [(raw[3], raw[4:-1]) for raw in out.send]


def polling(*antennas: int, **options: Any) -> tuple[Invelion, list[tuple[int, bytes]]]:
    """A reader that was set up and takes an inventory since 1 s; and what it was told."""
    driver = Invelion("r", antennas, InvelionOptions(**options))
    out = driver.start(1000 * MS)
    told = commands(out)
    while told[-1][0] not in wire.INVENTORIES:
        out = driver.receive(wire.pack(told[-1][0], b"\x08\x02" if told[-1][0] == wire.VERSION else b"\x10"), 1000 * MS)
        told += commands(out)
    return driver, told


def answer(driver: Invelion, at_ns: int, *frames: bytes) -> Out:
    """What follows from these frames, with every choice of an antenna agreed to."""
    events, send = [], []
    for frame in frames:
        out = driver.receive(frame, at_ns)
        events += out.events
        send += out.send
        if out.send and out.send[-1][3] == wire.ANTENNA:
            out = driver.receive(wire.pack(wire.ANTENNA, b"\x10"), at_ns)
            events += out.events
            send += out.send
    return Out(tuple(events), tuple(send))


def rounds(events: tuple[ReaderEvent, ...]) -> list[tuple[int, bool, list[str]]]:
    return [(e.antenna, e.complete, [s.tag for s in e.sightings]) for e in events if isinstance(e, ScanRound)]


def test_a_round_chooses_its_antenna_and_ends_with_the_end() -> None:
    driver, told = polling(3)
    assert told == [(wire.VERSION, b""), (wire.ANTENNA, b"\2"), (wire.SESSION, b"\0\0\1")]
    assert driver.receive(report(TAG, 3) + report(OTHER, 3, -48), 1030 * MS) == Out()
    out = driver.receive(wire.end(2, 3), 1040 * MS)
    seen = (Sighting(TAG, -60), Sighting(OTHER, -48))
    assert out.events == (ScanRound("r", 3, 1000 * MS, 1040 * MS, True, seen),)
    assert commands(out) == [(wire.SESSION, b"\0\0\1")]  # the antenna is still chosen


def test_the_version_is_the_identity_and_everybody_is_addressed() -> None:
    driver = Invelion("r", (), InvelionOptions())
    assert driver.start(0).send == (wire.pack(wire.VERSION, b"", 0xFF),)
    up = driver.receive(wire.pack(wire.VERSION, b"\x08\x02"), 5)
    assert up.events == (ReaderUp("r", 5, "A0 reader, firmware 8.2"),)
    assert Invelion("r", (), InvelionOptions(address=7)).start(0).send == (wire.pack(wire.VERSION, b"", 7),)


def test_flash_is_read_first_and_written_only_where_it_differs() -> None:
    same = {wire.GET_REGION: wire.REGIONS["eu"], wire.GET_POWER: bytes((20, 20, 20, 20))}
    for power, region, writes in (
        (same[wire.GET_POWER], same[wire.GET_REGION], []),
        (b"\x14", same[wire.GET_REGION], []),
        (b"\x1e", same[wire.GET_REGION], [(wire.SET_POWER, b"\x14")]),
        (bytes((20, 30, 20, 20)), wire.REGIONS["us"], [(wire.SET_REGION, b"\2\0\6"), (wire.SET_POWER, b"\x14")]),
    ):
        driver = Invelion("r", (), InvelionOptions(region="eu", power_dbm=20))
        told = commands(driver.start(0))
        data = {wire.VERSION: b"\1\2", wire.GET_REGION: region, wire.GET_POWER: power}
        while told[-1][0] != wire.SESSION:
            told += commands(driver.receive(wire.pack(told[-1][0], data.get(told[-1][0], b"\x10")), 0))
        assert [c for c in told if c[0] in (wire.SET_POWER, wire.SET_REGION)] == writes


def test_antennas_take_turns_and_are_chosen_when_they_change() -> None:
    driver, told = polling(1, 2)
    out = answer(driver, 1100 * MS, wire.end(0, 1), wire.end(0, 2), wire.end(0, 1))
    assert rounds(out.events) == [(1, True, []), (2, True, []), (1, True, [])]
    told += commands(out)
    assert [data for code, data in told if code == wire.ANTENNA] == [b"\0", b"\1", b"\0", b"\1"]


def test_a_focus_has_its_antennas_scanned_first_in_turn() -> None:
    driver, _ = polling(1, 2, 3, 4)
    driver.focus((3, 4))
    assert rounds(answer(driver, 1100 * MS, wire.end(0, 1), wire.end(0, 3), wire.end(0, 4)).events)[1:] == [
        (3, True, []),
        (4, True, []),
    ]


def test_fewer_reports_than_the_end_counts_are_no_complete_round() -> None:
    driver, _ = polling(1)
    assert rounds(driver.receive(report(TAG) + wire.end(2), 1100 * MS).events) == [(1, False, [TAG])]
    trusting, _ = polling(1, count=False)
    assert rounds(trusting.receive(report(TAG) + wire.end(2), 1100 * MS).events) == [(1, True, [TAG])]


def test_damage_makes_the_round_not_complete() -> None:
    driver, _ = polling(1)
    damaged = bytearray(report(OTHER))
    damaged[9] ^= 4
    out = driver.receive(report(TAG) + bytes(damaged) + wire.end(1), 1100 * MS)
    assert rounds(out.events) == [(1, False, [TAG])]


def test_a_reader_that_forgot_its_antenna_has_it_chosen_anew_and_nothing_is_seen_where_it_was_not() -> None:
    driver, _ = polling(2)
    out = driver.receive(report(TAG, 1) + wire.end(1, 1), 1100 * MS)
    assert rounds(out.events) == [(2, False, [])]
    assert commands(out) == [(wire.ANTENNA, b"\1")]
    silent, _ = polling(2)
    out = silent.receive(wire.end(0, 1), 1100 * MS)  # the end alone tells it
    assert rounds(out.events) == [(2, False, [])]
    assert commands(out) == [(wire.ANTENNA, b"\1")]


def test_a_missing_antenna_is_named_and_the_reader_is_not_reset_for_it() -> None:
    driver, _ = polling(2)
    for n in range(MOST_TROUBLES + 2):
        out = driver.receive(wire.pack(wire.SESSION, bytes((wire.NO_ANTENNA,))), (1100 + 400 * n) * MS)
        assert [e.meaning for e in out.events if isinstance(e, ReaderFault)] == ["antenna 2: no antenna on this port"]
        assert rounds(out.events) == [(2, False, [])]
        assert driver.wake_at_ns() == (1100 + 400 * n) * MS + PAUSE_NS
        assert commands(driver.tick(driver.wake_at_ns() or 0)) == [(wire.ANTENNA, b"\1")]
        driver.receive(wire.pack(wire.ANTENNA, b"\x10"), (1300 + 400 * n) * MS)


def test_many_errors_of_the_reader_itself_reset_it() -> None:
    driver, _ = polling(1)
    codes, told = [], []
    for n in range(MOST_TROUBLES):
        out = driver.receive(wire.pack(wire.SESSION, b"\x53"), (1100 + 400 * n) * MS)
        codes += [e.code for e in out.events if isinstance(e, ReaderFault)]
        told += commands(out)
        told += commands(driver.tick((1300 + 400 * n) * MS))
        driver.receive(wire.pack(wire.ANTENNA, b"\x10"), (1301 + 400 * n) * MS)
    assert codes == ["53"] * MOST_TROUBLES + ["stuck"]
    assert told[-1] == (wire.RESET, b"")


def test_a_round_without_an_answer_is_tried_again_with_its_antenna_chosen_anew() -> None:
    driver, _ = polling(2, inventory_ms=500)
    driver.receive(report(TAG, 2), 1100 * MS)
    assert driver.wake_at_ns() == 1600 * MS
    assert rounds(driver.tick(1600 * MS).events) == [(2, False, [TAG])]
    assert commands(driver.tick(1600 * MS + LATE_NS)) == [(wire.ANTENNA, b"\1")]


def test_firmware_without_sessions_is_asked_plainly_and_that_is_told() -> None:
    driver, told = polling(1, inventory_ms=500)
    faults = []
    for _ in range(20):
        at_ns = driver.wake_at_ns() or 0
        out = driver.tick(at_ns)
        faults += [e.code for e in out.events if isinstance(e, ReaderFault)]
        told += commands(out)
        if told[-1][0] == wire.ANTENNA:
            told += commands(driver.receive(wire.pack(wire.ANTENNA, b"\x10"), at_ns))
        if told[-1][0] == wire.REAL_TIME:
            break
    assert faults == ["no_inventory"]
    assert [code for code, _ in told].count(wire.SESSION) == TRIES
    assert rounds(driver.receive(wire.end(0, 1, wire.REAL_TIME), at_ns).events) == [(1, True, [])]


def test_a_silent_reader_is_lost() -> None:
    driver, _ = polling(1)
    events: list[ReaderEvent] = []
    for _ in range(40):
        events += driver.tick(driver.wake_at_ns() or 0).events
    assert next(e.why for e in events if isinstance(e, ReaderLost)).endswith("address")


def test_reports_that_never_end_are_cut() -> None:
    driver, _ = polling(1)
    at_ns, out = 1000 * MS, Out()
    while not out.events:
        at_ns += 100 * MS
        driver.receive(report(TAG), at_ns)
        out = driver.tick(at_ns)
    assert at_ns > 1000 * MS + LONGEST_ROUND_NS
    assert rounds(out.events) == [(1, False, [TAG])]


def test_the_strongest_report_of_a_tag_counts() -> None:
    driver, _ = polling(1)
    driver.receive(b"".join(report(TAG, rssi=rssi) for rssi in (-70, -50, -60)), 1010 * MS)
    (scan,) = driver.receive(wire.end(3), 1020 * MS).events
    assert isinstance(scan, ScanRound)
    assert scan.sightings == (Sighting(TAG, -50),)


def test_an_echo_of_the_line_is_no_answer() -> None:
    driver, told = polling(2)
    echoes = [wire.pack(code, data, 0xFF) for code, data in told]
    assert driver.receive(b"".join(echoes), 1010 * MS) == Out()
    fresh = Invelion("r", (), InvelionOptions())
    assert fresh.receive(b"".join(fresh.start(0).send), 0) == Out()


def test_tags_before_the_set_up_are_told_by_antenna_as_not_complete() -> None:
    driver = make("invelion")
    driver.start(0)
    events = driver.receive(report(TAG, 1) + report(OTHER, 2) + wire.end(2, 2), 1).events
    assert rounds(events) == [(1, False, [TAG]), (2, False, [OTHER])]


# ---------------------------------------------------------------- sweeps


def test_one_sweep_is_a_round_of_each_of_its_antennas() -> None:
    driver, told = polling(1, 2, 3, sweep=True)
    assert told[-1] == (wire.SWEEP, wire.sweep((1, 2, 3)))
    tags = [report(tag, antenna, code=wire.SWEEP) for tag, antenna in ((TAG, 1), (OTHER, 3), (TAG, 3))]
    assert driver.receive(b"".join(tags), 1100 * MS) == Out()
    out = driver.receive(wire.end(3, code=wire.SWEEP), 1200 * MS)
    assert rounds(out.events) == [(1, True, [TAG]), (2, True, []), (3, True, [OTHER, TAG])]
    assert {(e.began_ns, e.ended_ns) for e in out.events if isinstance(e, ScanRound)} == {(1000 * MS, 1200 * MS)}
    assert commands(out) == [(wire.SWEEP, wire.sweep((1, 2, 3)))]


def test_a_missing_antenna_spoils_its_own_round_of_a_sweep_and_no_other() -> None:
    for missing in (1, 2):
        driver, _ = polling(1, 2, 3, sweep=True)
        out = driver.receive(wire.pack(wire.SWEEP, bytes((missing - 1, wire.NO_ANTENNA))), 1100 * MS)
        assert [e.meaning[:9] for e in out.events if isinstance(e, ReaderFault)] == [f"antenna {missing}"]
        out = driver.receive(wire.end(0, code=wire.SWEEP), 1200 * MS)
        assert rounds(out.events) == [(antenna, antenna != missing, []) for antenna in (1, 2, 3)]


def test_a_lost_report_may_have_been_of_any_antenna_of_the_sweep() -> None:
    driver, _ = polling(1, 2, sweep=True)
    out = driver.receive(report(TAG, 2, code=wire.SWEEP) + wire.end(2, code=wire.SWEEP), 1100 * MS)
    assert rounds(out.events) == [(1, False, []), (2, False, [TAG])]


def test_a_sweep_that_is_cut_tells_what_it_heard() -> None:
    driver, _ = polling(1, 2, sweep=True, inventory_ms=500)
    driver.receive(report(TAG, 2, code=wire.SWEEP), 1100 * MS)
    assert rounds(driver.tick(1600 * MS).events) == [(1, False, []), (2, False, [TAG])]


def test_a_focused_sweep_visits_its_antennas_and_one_of_the_others() -> None:
    driver, _ = polling(1, 2, 3, 4, sweep=True)
    driver.focus((3, 4))
    out = driver.receive(wire.end(0, code=wire.SWEEP), 1100 * MS)
    out = driver.receive(wire.end(0, code=wire.SWEEP), 1200 * MS)
    swept = [antenna for antenna, _, _ in rounds(out.events)]
    assert len(swept) == 3
    assert {3, 4} < set(swept)


def test_antennas_often_scanned_share_sweeps_with_all_others_in_the_end() -> None:
    driver, _ = polling(1, 2, 3, 4, sweep=True, often="1")
    counts = dict.fromkeys((1, 2, 3, 4), 0)
    for n in range(70):
        for antenna, whole, _ in rounds(driver.receive(wire.end(0, code=wire.SWEEP), (1100 + n) * MS).events):
            assert whole
            counts[antenna] += 1
    assert counts[1] > 2 * counts[2]
    assert min(counts.values()) > 8


def test_eight_antennas_are_swept_where_the_reader_has_them() -> None:
    driver, told = polling(*range(1, 9), sweep=True, ports=8)
    assert told[-1] == (wire.SWEEP, wire.sweep(tuple(range(1, 9)), 1, 8))
    out = driver.receive(report(TAG, 7, code=wire.SWEEP) + wire.end(1, code=wire.SWEEP), 1100 * MS)
    assert rounds(out.events)[6] == (7, True, [TAG])


def test_antennas_that_the_reader_cannot_have_are_an_error_of_the_configuration() -> None:
    with pytest.raises(OptionError, match="antenna 5 is none of 1 to 4: see the option 'ports'"):
        make("invelion", "west", (1, 5))
    assert make("invelion", "west", (1, 5), {"ports": "8"})
