"""Metratec's ASCII readers: published lines, CRC mode, counts, antennas, power cuts."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.drivers.catalog import make
from firmware_bridge.drivers.dialogue import MOST_TROUBLES, MS
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
from firmware_bridge.wire import metratec as wire
from firmware_bridge.wire.metratec import AnyLine, Lines, Report, Tags, Text
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.scanner import PATIENCE_NS

ALL = [
    f
    for f in json.loads((Path(__file__).parent.parent / "data" / "frames.json").read_text())
    if f["reader"] == "metratec-ascii"
]
FROM_READER = [f for f in ALL if f["direction"] == "reader->host"]
FROM_HOST = [f for f in ALL if f["direction"] == "host->reader"]
TAG, OTHER = "E0040150954F02B1", "E200600311753E33"
ANSWER = f"{TAG}\r{OTHER}\rARP 12\rIVF 02\r".encode()  # as the vendor's own library documents it
hex_tags = st.binary(min_size=8, max_size=8).map(lambda raw: raw.hex().upper())


def scan(raw: bytes) -> list[AnyLine | Rejected]:
    lines = Lines()
    return [*lines.feed(raw, 0), *lines.finish()]


def rounds(events: tuple[ReaderEvent, ...] | list[ReaderEvent]) -> list[ScanRound]:
    return [e for e in events if isinstance(e, ScanRound)]


# ---------------------------------------------------------------- lines


@pytest.mark.parametrize("frame", FROM_READER, ids=lambda f: f["meaning"][:30])
def test_every_line_of_the_reader_decodes_as_documented(frame: dict[str, Any]) -> None:
    *tags, last = scan(bytes.fromhex(frame["hex"]))
    want = frame["decoded"]
    assert last == Report("IVF", want["count"])
    assert [seen for run in tags for seen in run.sightings] == [Sighting(uid) for uid in want.get("uids", ())]
    driver = make("metratec")
    driver.start(0)
    (found,) = rounds(driver.receive(bytes.fromhex(frame["hex"]), 1).events)
    assert (found.complete, len(found.sightings)) == (True, want["count"])


def test_the_documented_answer_names_tags_antenna_and_count() -> None:
    assert scan(ANSWER) == [Tags((Sighting(TAG), Sighting(OTHER))), Report("ARP", 12), Report("IVF", 2)]
    driver = make("metratec")
    driver.start(0)
    (found,) = rounds(driver.receive(ANSWER, 1).events)
    assert found == ScanRound("reader", 12, 1, 1, True, (Sighting(TAG), Sighting(OTHER)))


@pytest.mark.parametrize("frame", FROM_HOST, ids=lambda f: f["meaning"][:30])
def test_every_line_of_the_host_is_what_the_encoder_makes(frame: dict[str, Any]) -> None:
    raw = bytes.fromhex(frame["hex"])
    text = raw.decode().rstrip("\r")
    crc = frame["checksum"]["ok"] is True
    assert wire.line(text[:-5] if crc else text, crc=crc) == raw


@pytest.mark.parametrize("frame", FROM_HOST, ids=lambda f: f["meaning"][:30])
def test_lines_of_a_host_give_no_event(frame: dict[str, Any]) -> None:
    driver = make("metratec")
    driver.start(0)
    assert driver.receive(bytes.fromhex(frame["hex"]), 1) == Out()


def test_the_documented_answer_in_crc_mode() -> None:
    assert wire.line("OK!", crc=True) == b"OK! 9356\r"
    assert scan(b"OK! 9356\r") == [Text("OK!", True)]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(hex_tags, st.booleans(), st.sampled_from([b"", b"\n"]))
def test_a_line_feed_means_nothing(tag: str, crc: bool, feed: bytes) -> None:
    raw = feed + wire.line(tag, crc=crc) + feed + wire.line("IVF 01", crc=crc) + feed
    assert scan(raw) == [Tags((Sighting(tag),), crc), Report("IVF", 1, crc)]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(hex_tags, st.binary(max_size=40).filter(lambda noise: b"\r" not in noise and noise.lstrip(b"\n") == noise))
def test_in_crc_mode_a_good_line_is_found_behind_noise_that_has_no_end(tag: str, noise: bytes) -> None:
    found = scan(noise + wire.line(tag, crc=True))
    assert found[-1] == Tags((Sighting(tag),), True)
    assert found[:-1] == ([Rejected("noise", noise)] if noise else [])


def test_without_crc_a_longer_run_of_digits_is_no_tag() -> None:
    assert not [item for item in scan(b"A" + TAG.encode() + b"\r") if isinstance(item, Tags)]


def test_lower_case_and_cut_lines_are_no_tags() -> None:
    for raw in (TAG.lower().encode(), TAG[:-1].encode(), b"E0 04 01 50 95 4F 02 B1"):
        assert not [item for item in scan(raw + b"\r") if isinstance(item, Tags)]


def test_a_line_that_does_not_go_on_is_given_up_and_spoils_no_other() -> None:
    lines = Lines()
    assert lines.feed(b"E00401", 0) == []
    assert lines.stale_at_ns() == PATIENCE_NS
    assert lines.feed(wire.line(TAG), PATIENCE_NS) == [Rejected("length", b"E00401"), Tags((Sighting(TAG),))]
    assert lines.stale_at_ns() is None


def test_an_endless_line_is_told_and_memory_bounded() -> None:
    lines = Lines()
    found = [item for n in range(50) for item in lines.feed(b"1" * 1000, n)]
    assert all(isinstance(item, Rejected) and item.reason == "oversize" for item in found)
    assert lines.feed(wire.line(TAG, crc=True), 51)[-1] == Tags((Sighting(TAG),), True)


def test_lines_that_are_known_are_read_the_same_as_the_first_time() -> None:
    lines = Lines()
    raw = ANSWER + b"\n" + wire.inventory((TAG,), 3, crc=True) + b"UCO\r"
    assert lines.feed(raw, 0) == lines.feed(raw, 1)


# ---------------------------------------------------------------- the conversation


def sent(out: Out) -> list[str]:
    return [item.text for raw in out.send for item in scan(raw) if isinstance(item, Text)]


def polling(antennas: tuple[int, ...] = (3,), **options: Any) -> tuple[Any, Out]:
    """A reader that was set up at 1 s, in CRC mode unless the options say otherwise."""
    driver = make("metratec", "r", antennas, options)
    crc = False
    out = driver.start(1000 * MS)
    while (asked := sent(out)[-1]) != "INV" and not asked.startswith("SAP MAN"):
        crc = crc or asked == "CON"
        text = {"BRK": "NCM", "REV": "QUASAR_MX       0305"}.get(asked, "OK!")
        out = driver.receive(wire.line(text, crc=crc), 1000 * MS)
    return driver, out


def told(driver: Any, at_ms: int, *tags: str, antenna: int | None = None, crc: bool = True) -> Out:
    return driver.receive(wire.inventory(tags, antenna, crc=crc), at_ms * MS)


def test_the_line_is_115200_baud() -> None:
    assert make("metratec").settings == PortSettings(115200)


def test_setting_up_stops_protects_identifies_and_switches_the_field_on() -> None:
    driver = make("metratec", "r", (1, 2), {"power_mw": 200})
    out, asked, events = driver.start(0), [], []
    crc = False
    while len(asked) < 8:
        asked += sent(out)
        crc = crc or asked[-1] == "CON"
        text = {"BRK": "BRA", "REV": "QUASAR_MX       0305"}.get(asked[-1], "OK!")
        out = driver.receive(wire.line(text, crc=crc), len(asked))
        events += list(out.events)
    assert asked == ["BRK", "CON", "REV", "MOD 156", "SET PWR 200", "SRI SS 100", "SAP ARP ON", "SAP MAN 1"]
    assert events == [ReaderUp("r", 3, "QUASAR_MX 0305")]


def test_after_con_each_command_carries_its_crc_and_without_the_option_none() -> None:
    _, out = polling()
    assert out.send == (wire.line("INV", crc=True),)
    _, out = polling(crc=False)
    assert out.send == (b"INV\r",)


def test_a_reader_that_is_in_crc_mode_already_is_spoken_to_in_it() -> None:
    driver = make("metratec", "r")
    driver.start(0)
    out = driver.receive(wire.line("CCE", crc=True), 1)
    assert out == Out((), (wire.line("BRK", crc=True),))
    out = driver.receive(wire.line("NCM", crc=True), 2)
    assert out.send == (wire.line("CON", crc=True),)


def test_crc_mode_is_switched_off_where_the_option_says_so() -> None:
    driver = make("metratec", "r", (), {"crc": False})
    driver.start(0)
    driver.receive(wire.line("CCE", crc=True), 1)
    out = driver.receive(wire.line("NCM", crc=True), 2)
    assert out.send == (b"COF 4F5E\r",)
    out = driver.receive(b"OK!\r", 3)
    assert out == Out((BadFrame("r", 3, "checksum", b"OK!"),))  # the reader still has the mode
    out = driver.receive(wire.line("OK!", crc=True), 4)
    assert out.send == (b"REV\r",)


def test_a_silent_reader_is_woken_in_either_mode() -> None:
    driver = make("metratec", "r")
    driver.start(0)
    out = driver.tick(driver.wake_at_ns() or 0)
    assert out.send == (b"WAK\r", b"BRK\r")
    out = driver.tick(driver.wake_at_ns() or 0)
    assert out.send == (b"WAK 5E70\r", wire.line("BRK", crc=True))
    out = driver.receive(wire.line("GMO", crc=True), 1100 * MS)
    assert out == Out((), (wire.line("BRK", crc=True),))  # it slept through the first


def test_what_a_reader_does_not_know_is_passed_over_where_it_does_not_matter() -> None:
    driver = make("metratec", "r")
    driver.start(0)
    for text in ("NCM", "UCO", "DeskID 0100", "UCO"):
        out = driver.receive(wire.line(text), 1)
    assert sent(out) == ["SRI SS 100"]
    out = driver.receive(wire.line("UPA"), 1)
    assert [e.code for e in out.events if isinstance(e, ReaderFault)] == ["UPA"]


def test_a_round_is_the_lines_up_to_the_count() -> None:
    driver, _ = polling()
    out = told(driver, 1100, TAG, OTHER)
    assert out.events == (ScanRound("r", 3, 1000 * MS, 1100 * MS, True, (Sighting(TAG), Sighting(OTHER))),)
    assert sent(out) == ["INV"]
    assert [r.sightings for r in rounds(told(driver, 1200).events)] == [()]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_count_that_is_not_that_of_the_lines_makes_the_round_not_complete(count: int) -> None:
    driver, _ = polling()
    raw = wire.line(TAG, crc=True) + wire.line(OTHER, crc=True) + wire.line(f"IVF {count:02d}", crc=True)
    assert [(r.complete, len(r.sightings)) for r in rounds(driver.receive(raw, 1100 * MS).events)] == [(False, 2)]


def test_a_damaged_line_names_nobody_and_makes_the_round_not_complete() -> None:
    driver, _ = polling()
    damaged = bytearray(wire.line(OTHER, crc=True))
    damaged[3] ^= 1
    raw = bytes(damaged) + wire.line(TAG, crc=True) + wire.line("IVF 02", crc=True)
    out = driver.receive(raw, 1100 * MS)
    assert [type(e) for e in out.events] == [BadFrame, ScanRound]
    assert [(r.complete, r.sightings) for r in rounds(out.events)] == [(False, (Sighting(TAG),))]


def test_in_crc_mode_a_line_without_crc_is_damaged() -> None:
    driver, _ = polling()
    out = driver.receive(wire.line(TAG), 1050 * MS)
    assert out.events == (BadFrame("r", 1050 * MS, "checksum", TAG.encode()),)


def test_lines_before_the_first_crc_that_had_none_name_nobody() -> None:
    driver = make("metratec", "r")
    driver.start(0)
    out = driver.receive(wire.line(OTHER) + wire.line(TAG, crc=True) + wire.line("IVF 02", crc=True), 1)
    assert [type(e) for e in out.events] == [BadFrame, ScanRound]
    assert [(r.complete, r.sightings) for r in rounds(out.events)] == [(False, (Sighting(TAG),))]


def test_antennas_are_switched_before_each_round_and_take_turns() -> None:
    driver, out = polling((1, 2))
    asked = []
    for turn in range(4):
        asked += sent(out)
        assert sent(driver.receive(wire.line("OK!", crc=True), (1100 + turn) * MS)) == ["INV"]
        antenna = int(asked[-1][-1])
        out = told(driver, 1200 + turn, TAG, antenna=antenna)
        assert [(r.antenna, r.complete) for r in rounds(out.events)] == [(antenna, True)]
    assert asked == ["SAP MAN 1", "SAP MAN 2", "SAP MAN 1", "SAP MAN 2"]


def test_focus_and_often_drive_the_multiplexer() -> None:
    driver, out = polling((1, 2, 3, 4), often="2")
    seen: list[int] = []
    for turn in range(34):
        if turn == 14:
            driver.focus((3, 4))
        driver.receive(wire.line("OK!", crc=True), (1100 + turn) * MS)
        out = told(driver, 1200 + turn)
        seen += [r.antenna for r in rounds(out.events)]
    assert seen[:14].count(2) == 4 * seen[:14].count(3) == 8
    assert seen[16:].count(3) == seen[16:].count(4) == 6
    assert sent(out)[0].startswith("SAP MAN")


def test_ports_may_be_counted_from_0() -> None:
    driver, out = polling((1, 2), port_offset=-1)
    assert sent(out) == ["SAP MAN 0"]
    driver.receive(wire.line("OK!", crc=True), 1100 * MS)
    assert [(r.antenna, r.complete) for r in rounds(told(driver, 1200, TAG, antenna=0).events)] == [(1, True)]


def test_a_multiplexer_that_did_not_switch_is_told_and_the_round_asked_for_is_unknown() -> None:
    driver, _ = polling((1, 2))
    driver.receive(wire.line("OK!", crc=True), 1100 * MS)
    out = told(driver, 1200, TAG, antenna=2)
    assert [(r.antenna, r.complete, len(r.sightings)) for r in rounds(out.events)] == [(2, False, 1), (1, False, 0)]
    assert [e.code for e in out.events if isinstance(e, ReaderFault)] == ["antenna"]


def test_a_late_answer_never_counts_for_another_antenna() -> None:
    driver, _ = polling((1, 2))
    driver.receive(wire.line("OK!", crc=True), 1100 * MS)
    due = driver.wake_at_ns() or 0
    assert driver.tick(due) == Out()
    assert driver.receive(wire.inventory((TAG,), crc=True), due + 50 * MS) == Out()
    assert sent(driver.tick(driver.wake_at_ns() or 0)) == ["SAP MAN 1"]


@pytest.mark.parametrize("word", sorted(set(wire.ERRORS) - set(wire.FORGOTTEN)))
def test_errors_are_named_and_the_round_they_cut_is_not_complete(word: str) -> None:
    driver, _ = polling()
    driver.receive(wire.line(TAG, crc=True), 1050 * MS)
    fault, cut = driver.receive(wire.line(word, crc=True), 1100 * MS).events
    assert isinstance(fault, ReaderFault)
    assert (fault.code, fault.meaning) == (word, wire.ERRORS[word])
    assert isinstance(cut, ScanRound)
    assert (cut.complete, cut.sightings) == (False, (Sighting(TAG),))


@pytest.mark.parametrize(
    ("word", "crc"), [("NRF", True), ("NSS", True), ("UPA", False), ("UCO", False), ("NRF", False)]
)
def test_a_reader_that_has_forgotten_its_settings_is_set_up_again_at_once(word: str, crc: bool) -> None:
    driver, _ = polling()
    out = driver.receive(wire.line(word, crc=crc), 1100 * MS)
    assert [(e.code, "power cut" in e.meaning) for e in out.events if isinstance(e, ReaderFault)] == [(word, True)]
    assert out.send == (b"BRK\r",)


def test_a_reader_that_forgets_again_and_again_is_reset_and_keeps_nobody_busy() -> None:
    driver, _ = polling()
    events: list[ReaderEvent] = []
    at_ms, asked = 1100, []
    for _ in range(3 * MOST_TROUBLES):
        at_ms += 10
        out = driver.receive(wire.line("NRF", crc=True), at_ms * MS)
        while not out.send or sent(out)[-1] != "INV":
            if not out.send:
                at_ms = max(at_ms, (driver.wake_at_ns() or 0) // MS)
                out = driver.tick(at_ms * MS)
                continue
            events += out.events
            asked += sent(out)
            text = {"BRK": "NCM", "REV": "X"}.get(sent(out)[-1], "OK!")
            out = driver.receive(wire.line(text, crc=True), at_ms * MS)
        events += out.events
    assert "stuck" in [e.code for e in events if isinstance(e, ReaderFault)]
    assert "RST" in asked
    assert asked.count("BRK") <= 6


def test_heartbeats_come_unasked_and_mean_nothing() -> None:
    driver, _ = polling()
    assert driver.receive(wire.line("HBT", crc=True) + wire.line(TAG, crc=True), 1050 * MS) == Out()
    out = driver.receive(wire.line("HBT", crc=True) + wire.line("IVF 01", crc=True), 1060 * MS)
    assert [r.complete for r in rounds(out.events)] == [True]


def test_a_reader_in_continuous_mode_is_heard_and_then_stopped() -> None:
    driver = make("metratec", "r")
    driver.start(0)
    (found,) = rounds(driver.receive(wire.inventory((TAG,)), 1).events)
    assert found.sightings == (Sighting(TAG),)
    out = driver.receive(wire.line(OTHER) + wire.line("BRA"), 2)
    assert sent(out) == ["CON"]


def test_tags_that_come_while_setting_up_a_multiplexer_are_of_no_antenna() -> None:
    driver = make("metratec", "r", (1, 2))
    driver.start(0)
    assert driver.receive(wire.inventory((TAG,)), 1) == Out()


def test_a_reader_without_power_is_lost_once_and_set_up_when_it_is_back() -> None:
    driver, _ = polling()
    events: list[ReaderEvent] = []
    out = Out()
    for _ in range(30):
        out = driver.tick(driver.wake_at_ns() or 0)
        events += out.events
    assert [type(e) for e in events] == [ReaderLost]
    while "BRK" not in sent(out):
        out = driver.tick(driver.wake_at_ns() or 0)
    assert not driver.receive(wire.line("NCM"), (driver.wake_at_ns() or 0) - 1).events


def test_text_that_means_nothing_is_told_as_noise() -> None:
    driver, _ = polling()
    out = driver.receive(wire.line("Hello, world", crc=True), 1050 * MS)
    assert [(e.reason, e.raw) for e in out.events if isinstance(e, BadFrame)] == [("noise", b"Hello, world")]


def test_the_end_of_input_gives_pending_tags_as_not_complete() -> None:
    driver = make("metratec", "r")
    driver.start(0)
    driver.receive(wire.line(TAG), 1)
    assert [(r.complete, r.sightings) for r in rounds(driver.flush(2).events)] == [(False, (Sighting(TAG),))]


def test_a_bad_line_in_a_run_of_good_ones_costs_itself_and_no_other() -> None:
    uids = [f"E0040150{n:08X}" for n in range(200)]
    lines = [wire.line(uid, crc=True) for uid in uids]
    lines[77] = lines[77].replace(b"E004", b"E005")
    found = scan(b"".join(b"\n" + line if n % 3 == 0 else line for n, line in enumerate(lines)))
    assert all(isinstance(item, Tags | Text) for item in found)
    seen = [sighting.tag for item in found if isinstance(item, Tags) for sighting in item.sightings]
    assert seen == uids[:77] + uids[78:]
    assert all(item.checked for item in found if isinstance(item, Tags))


def test_a_tag_reads_the_same_in_a_run_and_alone_with_a_crc_and_without() -> None:
    for crc in (False, True):
        raw = [wire.line(uid, crc=crc) for uid in (TAG, OTHER, TAG)]
        assert scan(b"".join(raw)) == [Tags((Sighting(TAG), Sighting(OTHER), Sighting(TAG)), crc)]
        assert [item for one in raw for item in scan(one)] == [Tags((Sighting(t),), crc) for t in (TAG, OTHER, TAG)]
