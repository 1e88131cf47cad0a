"""R200/M100 modules: every published frame, both framings, and the conversation with its traps."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.drivers.catalog import make
from firmware_bridge.drivers.dialogue import MOST_TAGS, MOST_TROUBLES, MS
from firmware_bridge.drivers.m100 import LONGEST_ROUND_NS, M100
from firmware_bridge.errors import FrameError
from firmware_bridge.events import BadFrame, Out, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound, Sighting
from firmware_bridge.wire import m100 as wire
from firmware_bridge.wire.m100 import Frame, Framing, Notice
from firmware_bridge.wire.rejected import Rejected

ALL = [
    f for f in json.loads((Path(__file__).parent.parent / "data" / "frames.json").read_text()) if "m100" in f["reader"]
]
FROM_READER = [f for f in ALL if f["direction"] == "reader->host"]
FROM_HOST = [f for f in ALL if f["direction"] == "host->reader"]
TAG, OTHER = "E200001D7315016521408FC6", "30751FEB705C5904E3D50D70"


def name(frame: dict[str, Any]) -> str:
    return f"{frame['reader']} {frame['hex'][:29]}"


def framing_of(frame: dict[str, Any]) -> Framing:
    return "aa" if frame["reader"] == "m100-aadd" else "bb"


def seen(events: tuple[ReaderEvent, ...]) -> list[str]:
    return [s.tag for e in events if isinstance(e, ScanRound) for s in e.sightings]


# ---------------------------------------------------------------- frames


@pytest.mark.parametrize("frame", FROM_READER, ids=name)
def test_every_frame_of_the_reader_decodes_as_documented(frame: dict[str, Any]) -> None:
    raw = bytes.fromhex(frame["hex"])
    (found,) = wire.scanner().feed(raw, 0)
    want = frame["decoded"]
    if not frame["checksum"]["ok"]:
        assert found == Rejected("checksum", raw)
    elif "rssi_dbm" in want:
        assert found == Notice(framing_of(frame), Sighting(want["epc"], want["rssi_dbm"]))
    else:
        assert isinstance(found, Frame)
        assert (found.framing, found.type) == (framing_of(frame), wire.ANSWER)
        check_answer(found, want)


def check_answer(found: Frame, want: dict[str, Any]) -> None:
    parameters = found.parameters
    match want:
        case {"error": code, "epc": epc}:
            assert found.error == int(code, 16)
            assert parameters[4:].hex().upper() == epc  # behind its length and PC
        case {"error": code}:
            assert found.error == int(code, 16)
        case {"text": text}:
            assert (found.command, parameters[1:]) == (wire.VERSION, text.encode())
        case {"query": query, "q": q, "session": session}:
            assert found.command == wire.GET_QUERY
            assert parameters == bytes.fromhex(query) == wire.query(q, session)
        case {"power_cdbm": power}:
            assert (found.command, int.from_bytes(parameters)) == (wire.GET_POWER, power)
        case {"mixer": mixer, "if": amplifier, "thr": threshold}:
            assert found.command == wire.GET_DEMODULATOR
            assert parameters == bytes((mixer, amplifier)) + threshold.to_bytes(2)
        case {"cmd": command, "status": status}:
            assert (found.command, parameters) == (int(command, 16), bytes((status,)))
        case _:
            raise AssertionError(want)


COMMANDS: dict[str, tuple[int, bytes]] = {
    "single poll": (wire.SINGLE_POLL, b""),
    "multi poll, 10000 rounds": (wire.MULTI_POLL, wire.multi_poll(10000)),
    "multi poll, count 0": (wire.MULTI_POLL, wire.multi_poll(0)),
    "stop multi poll": (wire.STOP, b""),
    "get hardware version": (wire.VERSION, b"\0"),
    "get hardware version (AA/DD framing of the same chip)": (wire.VERSION, b"\0"),
    "set Select mask": (wire.SELECT, bytes.fromhex("01 00000020 60 00") + bytes.fromhex(OTHER)),
    "Select mode 1 (never)": (wire.SELECT_MODE, b"\1"),
    "get Query parameters": (wire.GET_QUERY, b""),
    "set Query 0x1020": (wire.SET_QUERY, wire.query(q=4, session=0)),
    "set region 1 (China 900)": (wire.REGION, bytes((wire.REGIONS["cn900"],))),
    "set channel - printed with a WRONG checksum (should be AD)": (wire.CHANNEL, b"\1"),
    "automatic frequency hopping on": (wire.HOPPING, b"\xff"),
    "get power": (wire.GET_POWER, b""),
    "set power 20.00 dBm": (wire.SET_POWER, (2000).to_bytes(2)),
    "get demodulator": (wire.GET_DEMODULATOR, b""),
    "set demodulator": (wire.SET_DEMODULATOR, bytes.fromhex("02 07 0064")),
    "README debug sample that does not frame (declared 3 bytes, 2 present) - negative test": (
        wire.SINGLE_POLL,
        bytes.fromhex("220A"),
    ),
}


@pytest.mark.parametrize("frame", FROM_HOST, ids=name)
def test_every_frame_of_the_host_is_what_the_encoder_makes(frame: dict[str, Any]) -> None:
    published = bytes.fromhex(frame["hex"])
    code, parameters = COMMANDS[frame["meaning"]]
    packed = wire.command(framing_of(frame), code, parameters)
    (found,) = wire.scanner().feed(packed, 0)
    assert found == Frame(framing_of(frame), wire.COMMAND, code, parameters)
    assert (packed == published) is frame["checksum"]["ok"]


def test_frames_that_are_known_are_read_the_same_as_the_first_time() -> None:
    raws = [bytes.fromhex(f["hex"]) for f in FROM_READER]
    first = [wire.scanner().feed(raw, 0) for raw in raws]
    scanner = wire.scanner()
    assert [scanner.feed(raw, 0) for raw in raws + raws] == first + first
    assert scanner.feed(b"".join(raws), 0) == [item for found in first for item in found]


@given(st.lists(st.binary(min_size=2, max_size=62).filter(lambda epc: len(epc) % 2 == 0), max_size=6), st.data())
def test_new_tags_are_read_the_same_in_a_run_and_each_behind_noise(epcs: list[bytes], data: st.DataObject) -> None:
    raws = [bytearray(wire.notice("aa", epc, -60)) for epc in epcs]
    for raw in raws:
        if data.draw(st.booleans()):
            raw[data.draw(st.integers(5, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    run = wire.scanner().feed(b"".join(raws), 0)
    apart = [found for raw in raws for found in wire.scanner().feed(b"\0" + raw, 0)[1:]]
    assert [f for f in run if isinstance(f, Notice)] == [f for f in apart if isinstance(f, Notice)]


def test_the_misprinted_frames_of_the_host_are_refused() -> None:
    bad = [bytes.fromhex(f["hex"]) for f in FROM_HOST if not f["checksum"]["ok"]]
    found = [wire.scanner().feed(raw, 0) for raw in bad]
    assert found == [[Rejected("checksum", bad[0])], []]  # the second has fewer bytes than it declares
    scanner = wire.scanner()
    scanner.feed(bad[1], 0)
    assert scanner.finish() == [Rejected("length", bad[1])]


def test_the_end_byte_belongs_to_the_framing() -> None:
    raw = wire.notice("bb", bytes.fromhex(TAG))[:-1] + b"\xdd"
    assert wire.scanner().feed(raw, 0) == [Rejected("marker", raw)]


def test_a_good_frame_inside_a_damaged_one_is_found() -> None:
    good = wire.notice("bb", bytes.fromhex(TAG))
    wrong_length = b"\xbb\x02\x22\x00\x30"
    scanner = wire.scanner()
    found = scanner.feed(wrong_length + good + good + good, 0)
    assert [type(f) for f in found] == [Rejected, Notice, Notice, Notice]


@pytest.mark.parametrize("words", [0, 1, 4, 6, 8, 31])
def test_epcs_of_any_length_are_read(words: int) -> None:
    epc = bytes(range(2 * words))
    (found,) = wire.scanner().feed(wire.notice("bb", epc, -128), 0)
    assert found == Notice("bb", Sighting(epc.hex().upper(), -128))


def test_the_tags_own_crc_is_checked_unless_the_option_says_no() -> None:
    inner = bytearray(wire.notice("bb", bytes.fromhex(TAG), -60)[5:-2])
    inner[5] ^= 1
    raw = wire.pack("bb", wire.NOTICE, wire.SINGLE_POLL, bytes(inner))  # the sum is right, the CRC is not
    assert wire.scanner().feed(raw, 0) == [Rejected("checksum", raw)]
    assert [type(f) for f in wire.scanner(epc_crc=False).feed(raw, 0)] == [Notice]
    assert seen(M100("r", (), wire_options(epc_crc=False)).receive(raw + wire.error("bb", 0x15), 0).events)


@pytest.mark.parametrize("epc", [b"\x01", bytes(64)])
def test_an_epc_that_no_tag_can_have_is_an_error_of_the_sender(epc: bytes) -> None:
    with pytest.raises(FrameError):
        wire.notice("bb", epc)


def test_parameters_have_a_limit() -> None:
    with pytest.raises(FrameError):
        wire.command("bb", wire.SELECT, bytes(256))


# ---------------------------------------------------------------- the conversation


def wire_options(**options: Any) -> Any:
    from firmware_bridge.drivers.m100 import M100Options

    return M100Options(**options)


def commands(out: Out) -> list[tuple[Framing, int, bytes]]:
    found = wire.scanner().feed(b"".join(out.send), 0)
    return [(f.framing, f.command, f.parameters) for f in found if isinstance(f, Frame)]


def polling(**options: Any) -> M100:
    """A module that was set up and polled at 1 s."""
    driver = M100("r", (3,), wire_options(**options))
    at_ns = 1000 * MS
    out = driver.start(at_ns)
    while commands(out)[-1][1] not in (wire.SINGLE_POLL, wire.MULTI_POLL):
        _, code, _ = commands(out)[-1]
        text = b"\0M100 V1.00" if code == wire.VERSION else b"\0"
        out = driver.receive(wire.answer("bb", code, text), at_ns)
    return driver


def test_setting_up_stops_asks_and_sets_what_was_configured() -> None:
    driver = M100("r", (), wire_options(region="eu", power_dbm=20, q=6, session=1))
    sent = commands(driver.start(0))
    for code in (wire.STOP, wire.VERSION, wire.REGION, wire.SET_POWER, wire.SET_QUERY):
        assert sent[-1][1] == code
        sent += commands(driver.receive(wire.answer("bb", code, b"\0M100 V1.00"), 0))
    assert [(code, parameters) for _, code, parameters in sent] == [
        (wire.STOP, b""),
        (wire.VERSION, b"\0"),
        (wire.REGION, b"\x03"),
        (wire.SET_POWER, b"\x07\xd0"),
        (wire.SET_QUERY, wire.query(6, 1)),
        (wire.SINGLE_POLL, b""),
    ]


def test_the_version_is_the_identity() -> None:
    driver = M100("r", (), wire_options())
    driver.start(0)
    assert driver.receive(wire.answer("bb", wire.VERSION, b"\0M100 V1.00"), 5).events == (
        ReaderUp("r", 5, "M100 V1.00"),
    )


def test_both_framings_are_tried_until_one_is_answered() -> None:
    driver = M100("r", (), wire_options())
    asked = commands(driver.start(0))
    while len(asked) < 3:
        at_ns = driver.wake_at_ns()
        assert at_ns is not None
        asked += commands(driver.tick(at_ns))
    assert [(framing, code) for framing, code, _ in asked] == [
        ("bb", wire.STOP),
        ("bb", wire.VERSION),
        ("aa", wire.VERSION),
    ]
    out = driver.receive(wire.answer("aa", wire.VERSION, b"\0R200"), at_ns)
    assert commands(out) == [("aa", wire.SET_QUERY, wire.query())]


def test_a_round_ends_when_the_module_falls_quiet() -> None:
    driver = polling()
    driver.receive(wire.notice("bb", bytes.fromhex(TAG), -60), 1010 * MS)
    driver.receive(wire.notice("bb", bytes.fromhex(OTHER), -48), 1030 * MS)
    assert driver.wake_at_ns() == 1070 * MS
    assert driver.tick(1069 * MS) == Out()
    out = driver.tick(1070 * MS)
    assert out.events == (ScanRound("r", 3, 1000 * MS, 1030 * MS, True, (Sighting(TAG, -60), Sighting(OTHER, -48))),)
    assert [code for _, code, _ in commands(out)] == [wire.SINGLE_POLL]


def test_an_empty_round_ends_at_once_and_the_next_poll_follows() -> None:
    driver = polling()
    out = driver.receive(wire.error("bb", wire.NO_TAG), 1015 * MS)
    assert out.events == (ScanRound("r", 3, 1000 * MS, 1015 * MS, True, ()),)
    assert [code for _, code, _ in commands(out)] == [wire.SINGLE_POLL]


def test_no_tag_behind_tags_ends_their_round_and_is_no_empty_one() -> None:
    driver = polling()
    out = driver.receive(wire.notice("bb", bytes.fromhex(TAG)) + wire.error("bb", wire.NO_TAG), 1015 * MS)
    assert [(e.complete, len(e.sightings)) for e in out.events if isinstance(e, ScanRound)] == [(True, 1)]


def test_several_rounds_of_the_module_make_one_of_ours() -> None:
    driver = polling(rounds=3)
    empty, tag = wire.error("bb", wire.NO_TAG), wire.notice("bb", bytes.fromhex(TAG))
    assert driver.receive(empty + tag + empty, 1010 * MS) == Out()
    out = driver.receive(empty, 1020 * MS)
    assert seen(out.events) == [TAG]
    assert commands(out) == [("bb", wire.MULTI_POLL, wire.multi_poll(3))]


def test_the_strongest_sighting_of_a_tag_counts() -> None:
    driver = polling()
    driver.receive(b"".join(wire.notice("bb", bytes.fromhex(TAG), rssi) for rssi in (-70, -50, -60)), 1010 * MS)
    (scan,) = driver.tick(1060 * MS).events
    assert isinstance(scan, ScanRound)
    assert scan.sightings == (Sighting(TAG, -50),)


def test_damaged_bytes_make_the_round_not_complete() -> None:
    driver = polling()
    damaged = bytearray(wire.notice("bb", bytes.fromhex(OTHER)))
    damaged[9] ^= 1
    bad = driver.receive(wire.notice("bb", bytes.fromhex(TAG)) + bytes(damaged), 1010 * MS).events
    assert [type(e) for e in bad] == [BadFrame]
    (scan,) = driver.tick(1060 * MS).events
    assert isinstance(scan, ScanRound)
    assert (scan.complete, scan.sightings) == (False, (Sighting(TAG, -60),))


def test_a_round_is_not_complete_while_a_wrong_length_hides_its_tags() -> None:
    driver = polling()
    good, hidden = wire.notice("bb", bytes.fromhex(TAG)), wire.notice("bb", bytes.fromhex(OTHER))
    driver.receive(good + b"\xbb\x02\x22\x00\x80" + hidden, 1010 * MS)
    out = driver.tick(1050 * MS)
    assert [type(e) for e in out.events] == [BadFrame, ScanRound]
    scan = out.events[1]
    assert isinstance(scan, ScanRound)
    assert (scan.complete, [s.tag for s in scan.sightings]) == (False, [TAG, OTHER])
    assert [code for _, code, _ in commands(out)] == [wire.SINGLE_POLL]


def test_the_end_of_input_gives_pending_tags_as_not_complete() -> None:
    driver = polling()
    driver.receive(wire.notice("bb", bytes.fromhex(TAG)), 1010 * MS)
    (scan,) = driver.flush(1011 * MS).events
    assert isinstance(scan, ScanRound)
    assert not scan.complete
    assert driver.flush(1012 * MS) == Out()


def until(driver: M100, event: type[ReaderEvent], most: int = 40) -> tuple[list[int], list[ReaderEvent]]:
    """Commands that are sent to a silent module until something is told, and what."""
    sent: list[int] = []
    for _ in range(most):
        at_ns = driver.wake_at_ns()
        assert at_ns is not None
        out = driver.tick(at_ns)
        sent += [code for _, code, _ in commands(out)]
        if any(isinstance(e, event) for e in out.events):
            return sent, list(out.events)
    raise AssertionError(sent)


def test_a_poll_without_an_answer_may_be_a_power_cut_so_everything_is_set_again() -> None:
    driver = polling(power_dbm=20)
    out = driver.tick(driver.wake_at_ns() or 0)
    sent = commands(out)
    for code, _ in ((wire.STOP, ""), (wire.VERSION, ""), (wire.SET_POWER, ""), (wire.SET_QUERY, "")):
        assert [code] == [c for _, c, _ in sent]
        sent = commands(driver.receive(wire.answer("bb", code, b"\0M100" if code == wire.VERSION else b"\0"), 10**12))
    assert [c for _, c, _ in sent] == [wire.SINGLE_POLL]
    assert not out.events


def test_an_answer_behind_the_time_out_is_told_of_the_time_since_its_poll() -> None:
    driver = polling()
    driver.tick(1300 * MS)  # no answer: it is set up again
    (scan,) = driver.receive(wire.error("bb", wire.NO_TAG), 1310 * MS).events
    assert scan == ScanRound("r", 3, 1000 * MS, 1310 * MS, True, ())


def test_tags_behind_an_error_make_no_whole_round() -> None:
    driver = polling()
    out = driver.receive(wire.notice("bb", bytes.fromhex(TAG)) + wire.error("bb", 0x20), 1010 * MS)
    assert [type(e) for e in out.events] == [ScanRound, ReaderFault]
    out = driver.receive(wire.notice("bb", bytes.fromhex(OTHER)) + wire.error("bb", wire.NO_TAG), 1020 * MS)
    assert [(e.complete, len(e.sightings)) for e in out.events if isinstance(e, ScanRound)] == [(False, 1)]
    assert not out.send


def test_a_module_that_does_not_tell_its_version_is_up_with_its_first_poll() -> None:
    driver = M100("r", (), wire_options())
    driver.start(0)
    driver.receive(wire.answer("bb", wire.STOP), 1)
    driver.receive(wire.error("bb", 0x17), 2)
    out = driver.receive(wire.answer("bb", wire.SET_QUERY), 3)
    assert out.events == (ReaderUp("r", 3, "M100"),)
    assert [code for _, code, _ in commands(out)] == [wire.SINGLE_POLL]


def test_damage_before_the_end_of_a_round_that_nobody_asked_for_makes_it_not_complete() -> None:
    damaged = bytearray(wire.notice("bb", bytes.fromhex(TAG)))
    damaged[9] ^= 1
    events = make("m100").receive(bytes(damaged) + wire.error("bb", wire.NO_TAG) * 2, 0).events
    assert [e.complete for e in events if isinstance(e, ScanRound)] == [False, True]


def test_a_silent_module_is_lost_once_and_set_up_again() -> None:
    driver = polling()
    sent, events = until(driver, ReaderLost)
    assert sent == [wire.STOP, wire.VERSION, wire.VERSION, wire.VERSION]
    assert [type(e) for e in events] == [ReaderLost]
    at_ns = driver.wake_at_ns() or 0
    assert [code for _, code, _ in commands(driver.tick(at_ns))] == [wire.STOP]
    assert [type(e) for e in driver.receive(wire.answer("bb", wire.VERSION, b"\0M100"), at_ns).events] == [ReaderUp]


def test_a_module_that_answers_settings_and_no_poll_is_lost_all_the_same() -> None:
    driver = polling()
    at_ns, events, polls = 0, [], 1
    for _ in range(60):
        at_ns = max(at_ns, driver.wake_at_ns() or 0)
        out = driver.tick(at_ns)
        while (sent := commands(out)) and sent[0][1] != wire.SINGLE_POLL:
            code = sent[0][1]
            out = driver.receive(wire.answer("bb", code, b"\0M100" if code == wire.VERSION else b"\0"), at_ns)
        polls += bool(sent)
        events += out.events
        if events:
            break
    assert (polls, [type(e) for e in events]) == (3, [ReaderLost])


def test_a_module_that_answers_nothing_but_errors_is_set_up_again() -> None:
    driver = polling()
    at_ns, events = 1000 * MS, []
    while "stuck" not in [e.code for e in events if isinstance(e, ReaderFault)]:
        out = driver.receive(wire.error("bb", 0x20), at_ns)
        events += out.events
        at_ns = driver.wake_at_ns() or 0
        sent = commands(driver.tick(at_ns))
    assert len(events) == MOST_TROUBLES + 1
    assert [code for _, code, _ in sent] == [wire.STOP]


def test_a_module_that_never_falls_quiet_is_stopped() -> None:
    driver = polling()
    at_ns, out = 1000 * MS, Out()
    while not out.events:
        at_ns += 20 * MS
        driver.receive(wire.notice("bb", bytes.fromhex(TAG)), at_ns)
        out = driver.tick(at_ns)
    assert at_ns == 1000 * MS + LONGEST_ROUND_NS
    assert [e.complete for e in out.events if isinstance(e, ScanRound)] == [False]
    assert [code for _, code, _ in commands(out)] == [wire.STOP]


def test_a_round_holds_no_more_tags_than_memory_allows() -> None:
    driver = polling()
    notices = [wire.notice("bb", n.to_bytes(12)) for n in range(MOST_TAGS + 5)]
    (first,) = driver.receive(b"".join(notices[:-5]), 1010 * MS).events
    driver.receive(b"".join(notices[-5:]), 1011 * MS)
    (rest,) = driver.tick(1100 * MS).events
    for scan, count in ((first, MOST_TAGS), (rest, 5)):
        assert isinstance(scan, ScanRound)
        assert (scan.complete, len(scan.sightings)) == (False, count)


def test_tags_read_while_setting_up_are_told_as_not_complete() -> None:
    driver = M100("r", (), wire_options())
    driver.start(0)
    driver.receive(wire.notice("bb", bytes.fromhex(TAG)), 1)
    events: tuple[ReaderEvent, ...] = ()
    for code in (wire.STOP, wire.VERSION, wire.SET_QUERY):
        events += driver.receive(wire.answer("bb", code, b"\0x"), 2).events
    assert [(e.complete, len(e.sightings)) for e in events if isinstance(e, ScanRound)] == [(False, 1)]


def test_errors_are_named_and_their_tags_are_no_sightings() -> None:
    driver = polling()
    raw = next(bytes.fromhex(f["hex"]) for f in FROM_READER if f["decoded"].get("error") == "16")
    out = driver.receive(raw, 1010 * MS)
    assert [(e.code, type(e)) for e in out.events if isinstance(e, ReaderFault)] == [("16", ReaderFault)]
    assert not seen(out.events)
    assert not out.send  # a moment's rest before the next poll
    assert [code for _, code, _ in commands(driver.tick(1110 * MS))] == [wire.SINGLE_POLL]


def test_a_command_that_the_module_refuses_is_told_and_passed_over() -> None:
    driver = M100("r", (), wire_options(region="eu"))
    driver.start(0)
    driver.receive(wire.error("bb", 0x17), 0)  # it was not polling: nothing to stop
    driver.receive(wire.answer("bb", wire.VERSION, b"\0x"), 0)
    out = driver.receive(wire.error("bb", 0x17), 0)
    assert [e.code for e in out.events if isinstance(e, ReaderFault)] == ["17"]
    assert [code for _, code, _ in commands(out)] == [wire.SET_QUERY]


def test_the_antenna_is_the_configured_one_or_1() -> None:
    for antennas, number in (((), 1), ((7,), 7)):
        events = make("m100", "r", antennas).receive(wire.error("bb", wire.NO_TAG), 0).events
        assert [e.antenna for e in events if isinstance(e, ScanRound)] == [number]
