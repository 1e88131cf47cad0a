"""ThingMagic modules: every published frame, records with all their traps, and the conversation of a round."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.drivers.catalog import make
from firmware_bridge.drivers.dialogue import PAUSE_NS, REST_NS, TRIES
from firmware_bridge.drivers.thingmagic import BOOT_MS, ThingMagic, ThingMagicOptions
from firmware_bridge.errors import FrameError, OptionError
from firmware_bridge.events import Out, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound, Sighting
from firmware_bridge.wire import thingmagic as wire
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.thingmagic import Answer, Command, Seen, Tags

MS = 1_000_000
ALL = [
    f
    for f in json.loads((Path(__file__).parent.parent / "data" / "frames.json").read_text())
    if f["reader"] == "thingmagic"
]
FROM_READER = [f for f in ALL if f["direction"] == "reader->host"]
FROM_HOST = [f for f in ALL if f["direction"] == "host->reader"]
TAG, OTHER = "E200001D7315016521408FC6", "30751FEB705C5904E3D50D70"
EMPTY_EPC = bytes.fromhex(
    "FF 1C 22 00 00 10 00 1B 01 FF 01 01 D9 22 0D C6 5E 00 00 00 14 00 B1 05 00 00 00 00 20 02 18 17 AB 13 36"
)


def name(frame: dict[str, Any]) -> str:
    return f"{frame['meaning'][:40]} {frame['hex'][:14]}"


def record(tag: str, antenna: int = 1, rssi: int = -60) -> bytes:
    return wire.record(bytes.fromhex(tag), rssi, antenna)


# ---------------------------------------------------------------- frames


@pytest.mark.parametrize("frame", FROM_READER, ids=name)
def test_every_frame_of_the_reader_decodes_as_documented(frame: dict[str, Any]) -> None:
    (found,) = wire.scanner().feed(bytes.fromhex(frame["hex"]), 0)
    want = frame["decoded"]
    if "epc" in want:
        assert found == Tags(True, (Seen(2, Sighting(want["epc"], want["rssi_dbm"])),))
    else:
        assert isinstance(found, Answer)
        assert (f"{found.code:02X}", f"{found.status:04X}") == (want["op"], want["status"])


COMMANDS: dict[str, tuple[int, bytes]] = {
    "get version": (wire.VERSION, b""),
    "boot firmware": (wire.BOOT, b""),
    "set baud 38400": (wire.BAUD, (38400).to_bytes(4)),
    "set region EU": (wire.REGION, bytes((wire.REGIONS["eu"],))),
    "set protocol GEN2": (wire.PROTOCOL, wire.GEN2),
    "set antenna search list 1,1": (wire.ANTENNAS, wire.antenna_list(1)),
    "disable the read filter (needed for repeated reads)": (wire.OPTION, wire.READ_FILTER_OFF),
    "start continuous read GEN2": (wire.CONTINUOUS, wire.STREAM),
    "stop continuous read": (wire.CONTINUOUS, wire.STOP),
    "read single tag, 1000 ms": (wire.READ_SINGLE, (1000).to_bytes(2)),
    "clear tag buffer": (wire.CLEAR_BUFFER, b""),
    "timed multi-tag search 500 ms into the buffer": (wire.SEARCH, wire.search(500)),
    "get tag buffer with metadata": (wire.GET_BUFFER, wire.get_buffer(wire.ALL_METADATA)),
}


@pytest.mark.parametrize("frame", FROM_HOST, ids=name)
def test_every_frame_of_the_host_is_what_the_encoder_makes(frame: dict[str, Any]) -> None:
    code, data = COMMANDS[frame["meaning"]]
    assert wire.command(code, data) == bytes.fromhex(frame["hex"])


@pytest.mark.parametrize("frame", FROM_HOST, ids=name)
def test_frames_of_the_host_give_no_event(frame: dict[str, Any]) -> None:
    raw = bytes.fromhex(frame["hex"])
    driver = make("thingmagic")
    driver.start(0)
    assert driver.receive(raw, 0).events == driver.flush(0).events == ()
    code, data = COMMANDS[frame["meaning"]]
    assert [f for n in range(len(raw)) for f in wire.scanner().feed(raw[n:], 0) if n == 0] == [Command(code, data)]


def test_the_register_is_that_of_crc_16_ccitt_without_the_zero_bits_at_its_end() -> None:
    """Bit by bit, as the modules do it."""
    draw = random.Random(7)
    for size in range(2, 40):
        data = draw.randbytes(size)
        register = 0xFFFF
        for bit in (byte >> shift & 1 for byte in data for shift in range(7, -1, -1)):
            register = (register << 1 | bit) ^ (0x1021 if register & 0x8000 else 0)
            register &= 0xFFFF
        assert wire.is_good(b"\xff" + data + register.to_bytes(2))
        assert not wire.is_good(b"\xff" + data + (register ^ 1).to_bytes(2))


def test_the_misprint_of_a_data_sheet_is_refused() -> None:
    """97, region EU: 4B BF; a data sheet prints 4B BE."""
    scanner = wire.scanner()
    found = scanner.feed(bytes.fromhex("FF 01 97 02 4B BE 00 00"), 0) + scanner.finish()
    assert not any(isinstance(item, Command | Answer) for item in found)


def test_a_good_frame_inside_a_damaged_one_is_found() -> None:
    good = wire.buffered([record(TAG)])
    scanner = wire.scanner()
    found = scanner.feed(b"\xff\x60\x29\x00\x00" + good * 4, 0) + scanner.finish()
    assert [type(f) for f in found] == [Rejected, Tags, Tags, Tags, Tags]


def test_frames_that_are_known_are_read_the_same_as_the_first_time() -> None:
    raws = [bytes.fromhex(f["hex"]) for f in FROM_READER]
    first = [wire.scanner().feed(raw, 0) for raw in raws]
    scanner = wire.scanner()
    assert [scanner.feed(raw, 0) for raw in raws + raws] == first + first
    assert scanner.feed(b"".join(raws), 0) == [item for found in first for item in found]


def test_lengths_and_codes_that_no_module_sends_are_no_heads() -> None:
    for head in (b"\xff\xff\x22", b"\xff\x10\xff", b"\xff\x04\x42"):
        found = wire.scanner().feed(head + wire.searched(3), 0)
        assert found[-1] == Answer(wire.SEARCH, 0, bytes.fromhex("00 0013 00000003"))
    with pytest.raises(FrameError):
        wire.command(wire.SEARCH, bytes(wire.LONGEST + 1))


# ---------------------------------------------------------------- records


@pytest.mark.parametrize("words", [0, 1, 4, 6, 8, 31])
@pytest.mark.parametrize("metadata", [wire.METADATA, wire.ALL_METADATA, wire.RSSI, 0])
def test_epcs_of_any_length_are_read_with_any_metadata(words: int, metadata: int) -> None:
    epc = bytes(range(2 * words))
    (found,) = wire.scanner().feed(wire.buffered([wire.record(epc, -77, 3, metadata)] * 2, metadata), 0)
    rssi = -77 if metadata & wire.RSSI else None
    antenna = 3 if metadata & wire.ANTENNA else 0
    assert found == Tags(False, (Seen(antenna, Sighting(epc.hex().upper(), rssi)),) * 2)


def test_embedded_data_is_stepped_over_by_its_length_in_bits() -> None:
    plain = wire.record(bytes.fromhex(TAG), -60, 1, wire.DATA)
    told = (17).to_bytes(2) + b"\xaa\xbb\x80" + plain[2:]
    (found,) = wire.scanner().feed(wire.buffered([told], wire.DATA), 0)
    assert found == Tags(False, (Seen(0, Sighting(TAG)),))


def test_the_tags_own_crc_is_checked_unless_the_option_says_no() -> None:
    wrong = bytearray(record(TAG))
    wrong[-1] ^= 1
    raw = wire.buffered([bytes(wrong)])
    assert wire.scanner().feed(raw, 0) == [Rejected("value", raw)]
    assert wire.scanner(epc_crc=False).feed(raw, 0) == [Tags(False, (Seen(1, Sighting(TAG, -60)),))]


@pytest.mark.parametrize("count", [0, 2])
def test_records_that_do_not_fill_their_frame_are_refused(count: int) -> None:
    raw = wire.answer(wire.GET_BUFFER, wire.METADATA.to_bytes(2) + bytes((0, count)) + record(TAG))
    assert wire.scanner().feed(raw, 0) == [Rejected("value", raw)]


@pytest.mark.parametrize(
    ("data", "count"),
    [("05", 5), ("00001305", 5), ("0000130005", 5), ("00001300000105", 261), ("0000130000000105", 261), ("0000", None)],
)
def test_the_count_of_a_search_has_one_byte_or_four(data: str, count: int | None) -> None:
    assert wire.count_of(bytes.fromhex(data)) == count


def test_a_tag_with_an_empty_epc_is_no_tag_because_it_has_no_name() -> None:
    driver = make("thingmagic")
    driver.start(0)
    events = driver.receive(EMPTY_EPC, 1).events + driver.flush(2).events
    assert not [s for e in events if isinstance(e, ScanRound) for s in e.sightings]


# ---------------------------------------------------------------- the conversation


def commands(out: Out) -> list[tuple[int, bytes]]:
    return [(raw[2], raw[3:-2]) for raw in out.send]


def good(code: int) -> bytes:
    return wire.answer(code, bytes(range(20)) if code == wire.VERSION else b"")


def searching(*antennas: int, **options: Any) -> tuple[ThingMagic, list[tuple[int, bytes]]]:
    """A module that was set up and searches since 1 s; and what it was told."""
    driver = ThingMagic("r", antennas, ThingMagicOptions(**options))
    out = driver.start(1000 * MS)
    told = commands(out)
    while told[-1][0] != wire.SEARCH:
        out = driver.receive(good(told[-1][0]), 1000 * MS)
        told += commands(out)
    return driver, told


def answer(driver: ThingMagic, at_ns: int, *frames: bytes) -> Out:
    """What follows from several answers, one after the other, with whatever is asked between searches agreed to."""
    events, send = [], []
    out = Out()
    for frame in frames:
        out = driver.receive(frame, at_ns)
        events += out.events
        send += out.send
        while out.send and out.send[-1][2] in (wire.CLEAR_BUFFER, wire.ANTENNAS):
            out = driver.receive(wire.answer(out.send[-1][2]), at_ns)
            events += out.events
            send += out.send
    return Out(tuple(events), tuple(send))


def rounds(events: tuple[ReaderEvent, ...]) -> list[tuple[int, bool, list[str]]]:
    return [(e.antenna, e.complete, [s.tag for s in e.sightings]) for e in events if isinstance(e, ScanRound)]


def test_setting_up_stops_boots_and_sets_everything_that_power_takes_away() -> None:
    _, told = searching(region="eu", power_dbm=20, session=1, q=6, search_ms=100)
    assert told == [
        (wire.CONTINUOUS, wire.STOP),
        (wire.VERSION, b""),
        (wire.BOOT, b""),
        (wire.REGION, b"\x02"),
        (wire.PROTOCOL, wire.GEN2),
        (wire.OPTION, wire.READ_FILTER_OFF),
        (wire.POWER, b"\x07\xd0"),
        (wire.GEN2_OPTION, b"\x05\x00\x01"),
        (wire.GEN2_OPTION, b"\x05\x12\x01\x06"),
        (wire.CLEAR_BUFFER, b""),
        (wire.ANTENNAS, b"\x02\x01\x01"),
        (wire.SEARCH, bytes.fromhex("00 0013 0064")),
    ]


def test_a_module_whose_firmware_runs_does_not_know_boot_and_that_is_no_error() -> None:
    driver = ThingMagic("r", (), ThingMagicOptions())
    driver.start(0)
    driver.receive(good(wire.CONTINUOUS), 1)
    up = driver.receive(good(wire.VERSION), 2)
    assert up.events == (ReaderUp("r", 2, "ThingMagic hardware 04.05.06.07, firmware 0C.0D.0E.0F of 08.09.0A.0B"),)
    assert commands(up) == [(wire.BOOT, b"")]
    out = driver.receive(wire.answer(wire.BOOT, status=wire.UNKNOWN_COMMAND), 3)
    assert out.events == ()
    assert commands(out) == [(wire.PROTOCOL, wire.GEN2)]


def test_a_round_is_one_search_of_one_antenna_and_all_parts_of_its_buffer() -> None:
    driver, _ = searching(1, search_ms=100)
    first = driver.receive(wire.searched(3), 1100 * MS)
    assert (first.events, commands(first)) == ((), [(wire.GET_BUFFER, wire.get_buffer())])
    part = driver.receive(wire.buffered([record(TAG), record(OTHER)]), 1110 * MS)
    assert (part.events, commands(part)) == ((), [(wire.GET_BUFFER, wire.get_buffer())])
    out = driver.receive(wire.buffered([record("AAAA", rssi=-40)]), 1120 * MS)
    seen = (Sighting(TAG, -60), Sighting(OTHER, -60), Sighting("AAAA", -40))
    assert out.events == (ScanRound("r", 1, 1000 * MS, 1120 * MS, True, seen),)
    assert commands(out) == [(wire.CLEAR_BUFFER, b"")]


def test_no_tags_found_is_an_empty_round() -> None:
    driver, _ = searching(2)
    assert rounds(driver.receive(wire.searched(0), 1200 * MS).events) == [(2, True, [])]


def test_antennas_take_turns_and_the_list_is_sent_when_it_changes() -> None:
    driver, told = searching(1, 2)
    events: tuple[ReaderEvent, ...] = ()
    for n in range(4):
        out = answer(driver, (1200 + n) * MS, wire.searched(0))
        events += out.events
        told += commands(out)
    assert [e.antenna for e in events if isinstance(e, ScanRound)] == [1, 2, 1, 2]
    assert [data for code, data in told if code == wire.ANTENNAS] == [wire.antenna_list(1 + n % 2) for n in range(5)]
    alone, told = searching(4)
    told += commands(answer(alone, 1200 * MS, wire.searched(0), wire.searched(0)))
    assert [data for code, data in told if code == wire.ANTENNAS] == [wire.antenna_list(4)]


def test_a_focus_has_its_antennas_scanned_first_in_turn() -> None:
    driver, _ = searching(1, 2, 3, 4)
    driver.focus((3, 4))
    events = answer(driver, 1200 * MS, *[wire.searched(0)] * 8).events
    order = [e.antenna for e in events if isinstance(e, ScanRound)][1:]
    assert order.count(3) + order.count(4) >= 4
    assert order[:2] == [3, 4]


def test_tags_that_the_buffer_keeps_of_another_antenna_are_not_seen_here() -> None:
    driver, _ = searching(1)
    out = answer(driver, 1200 * MS, wire.searched(2), wire.buffered([record(TAG), record(OTHER, antenna=2)]))
    assert rounds(out.events) == [(1, False, [TAG])]


def test_a_module_that_counts_more_tags_than_it_gives_has_no_complete_round() -> None:
    for end in (wire.buffered([]), wire.answer(wire.GET_BUFFER, status=wire.BUFFER_END)):
        driver, _ = searching(1)
        out = answer(driver, 1200 * MS, wire.searched(3), wire.buffered([record(TAG)]), end)
        assert rounds(out.events) == [(1, False, [TAG])]


def test_a_full_buffer_is_told_and_its_tags_count() -> None:
    driver, _ = searching(1)
    full = wire.answer(wire.SEARCH, status=wire.BUFFER_FULL)
    out = answer(driver, 1200 * MS, full, wire.buffered([record(TAG)]), wire.buffered([]))
    assert [e.code for e in out.events if isinstance(e, ReaderFault)] == ["0601"]
    assert rounds(out.events) == [(1, False, [TAG])]


def test_damage_makes_the_round_not_complete() -> None:
    driver, _ = searching(1)
    damaged = bytearray(wire.buffered([record(OTHER)]))
    damaged[12] ^= 4
    out = answer(driver, 1200 * MS, wire.searched(2), wire.buffered([record(TAG)]), bytes(damaged))
    assert not rounds(out.events)
    cut = driver.tick(driver.wake_at_ns() or 0)
    assert rounds(cut.events) == [(1, False, [TAG])]


@pytest.mark.parametrize(("status", "says"), [(0x0504, "hot"), (0x0505, "sends the power back")])
def test_heat_and_bad_antennas_are_named_and_cut_the_round_and_reset_nothing(status: int, says: str) -> None:
    driver, _ = searching(1)
    for n in range(20):
        out = driver.receive(wire.answer(wire.SEARCH, status=status), (1200 + 500 * n) * MS)
        (fault, scan) = out.events
        assert isinstance(fault, ReaderFault)
        assert (fault.code, says in fault.meaning) == (f"{status:04X}", True)
        assert isinstance(scan, ScanRound)
        assert not scan.complete
        again = driver.tick(driver.wake_at_ns() or 0)
        assert commands(again)[0] == (wire.CLEAR_BUFFER, b"")
        assert commands(answer(driver, (1400 + 500 * n) * MS, wire.answer(wire.CLEAR_BUFFER)))[-1][0] == wire.SEARCH


@pytest.mark.parametrize("status", [0x0101, 0x010B, 0x0401], ids=["boot loader", "no region", "no protocol"])
def test_a_module_that_lost_its_settings_gets_them_again(status: int) -> None:
    driver, _ = searching(1, region="us")
    out = driver.receive(wire.answer(wire.SEARCH, status=status), 1200 * MS)
    assert rounds(out.events) == [(1, False, [])]
    assert driver.wake_at_ns() == 1200 * MS + PAUSE_NS
    assert commands(driver.tick(1200 * MS + PAUSE_NS)) == [(wire.CONTINUOUS, wire.STOP)]


def test_a_round_without_an_answer_may_be_a_power_cut_so_everything_is_set_again() -> None:
    driver, _ = searching(1, search_ms=100)
    assert driver.wake_at_ns() == 1400 * MS
    assert rounds(driver.tick(1400 * MS).events) == [(1, False, [])]
    assert commands(driver.tick(1400 * MS + PAUSE_NS)) == [(wire.CONTINUOUS, wire.STOP)]


def test_a_module_that_answers_settings_and_no_search_is_booted_anew() -> None:
    driver, _ = searching(1)
    told, faults, at_ns = [], [], 0
    for _ in range(60):
        at_ns = driver.wake_at_ns() or 0
        out = driver.tick(at_ns)
        while out.send or out.events:
            told += commands(out)
            faults += [e.code for e in out.events if isinstance(e, ReaderFault)]
            last = told[-1][0] if out.send else wire.SEARCH
            out = Out() if last == wire.SEARCH else driver.receive(good(last), at_ns)
    assert "stuck" in faults
    assert [code for code, _ in told].index(wire.LOADER) > 0
    searches = [n for n, (code, _) in enumerate(told) if code == wire.SEARCH]
    assert len([n for n in searches if n < [code for code, _ in told].index(wire.LOADER)]) == TRIES - 1


def test_a_silent_module_is_lost_and_set_up_again_a_second_later() -> None:
    driver, _ = searching(1)
    events: list[ReaderEvent] = []
    while not any(isinstance(e, ReaderLost) for e in events):
        at_ns = driver.wake_at_ns() or 0
        events += driver.tick(at_ns).events
    assert driver.wake_at_ns() == at_ns + REST_NS
    assert commands(driver.tick(at_ns + REST_NS)) == [(wire.CONTINUOUS, wire.STOP)]


def test_a_module_that_still_streams_for_a_dead_host_is_stopped() -> None:
    driver, _ = searching(1)
    stream = wire.streamed(wire.record(bytes.fromhex(TAG), -60, 2, wire.ALL_METADATA))
    out = driver.receive(stream * 5, 1050 * MS)
    assert rounds(out.events) == [(1, False, [])]
    assert commands(driver.tick(1050 * MS + PAUSE_NS)) == [(wire.CONTINUOUS, wire.STOP)]
    assert rounds(driver.flush(1200 * MS).events) == [(2, False, [TAG])]  # what was read counts, of its own antenna


def test_streamed_tags_before_the_set_up_are_told_by_antenna_as_not_complete() -> None:
    driver = ThingMagic("r", (), ThingMagicOptions())
    driver.start(0)
    stream = [
        wire.streamed(wire.record(bytes.fromhex(t), -60, n, wire.ALL_METADATA)) for t, n in ((TAG, 1), (OTHER, 2))
    ]
    events = driver.receive(b"".join(stream), 1).events + driver.receive(wire.searched(0), 2).events
    assert rounds(events) == [(1, False, [TAG]), (2, False, [OTHER])]


def test_the_boot_of_a_module_has_its_time_and_is_not_needed() -> None:
    driver = ThingMagic("r", (), ThingMagicOptions())
    driver.start(0)
    driver.receive(good(wire.CONTINUOUS), 0)
    driver.receive(good(wire.VERSION), 0)
    assert driver.wake_at_ns() == BOOT_MS * MS
    for n in range(1, TRIES + 1):
        out = driver.tick(n * BOOT_MS * MS)
    assert commands(out) == [(wire.PROTOCOL, wire.GEN2)]


def test_an_error_while_setting_up_is_named_and_the_rest_is_set() -> None:
    driver = ThingMagic("r", (), ThingMagicOptions(power_dbm=33))
    out = driver.start(0)
    while commands(out)[-1][0] != wire.POWER:
        out = driver.receive(good(commands(out)[-1][0]), 0)
    out = driver.receive(wire.answer(wire.POWER, status=0x0103), 0)
    assert [e.code for e in out.events if isinstance(e, ReaderFault)] == ["0103"]
    assert commands(out)[-1][0] == wire.GEN2_OPTION


def test_antennas_that_no_module_has_are_an_error_of_the_configuration() -> None:
    for antenna in (0, 16):
        with pytest.raises(OptionError, match=f"west: antenna {antenna} is none of 1 to 15"):
            make("thingmagic", "west", (1, antenna))


def test_options_have_their_limits() -> None:
    for option in ({"q": 16}, {"search_ms": 5}, {"region": "mars"}, {"often": "a"}):
        with pytest.raises(OptionError):
            make("thingmagic", options=option)  # type: ignore[arg-type]
