"""Text lines of sketches: every published line, what people's sketches print, and what must not become a tag."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.drivers.timed import MS
from firmware_bridge.drivers.uid_lines import UidLines, UidLinesOptions
from firmware_bridge.events import BadFrame, Out, PortSettings, ReaderEvent, ReaderFault, ReaderUp, ScanRound
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.uid_lines import KEPT, LONGEST, Cutter, Line, read

FRAMES = [
    f
    for f in json.loads((Path(__file__).parent.parent / "data" / "frames.json").read_text())
    if f["reader"] == "mfrc522-text"
]


def board(*antennas: int, **options: Any) -> UidLines:
    made = UidLines("board", antennas, UidLinesOptions(**options))
    made.start(0)
    return made


def rounds(events: tuple[ReaderEvent, ...]) -> list[tuple[int, bool, list[str]]]:
    return [(e.antenna, e.complete, [s.tag for s in e.sightings]) for e in events if isinstance(e, ScanRound)]


def seen(*lines: str) -> list[str]:
    """Tags of lines that come one by one, and then the end of input."""
    made = board()
    events: tuple[ReaderEvent, ...] = ()
    for n, line in enumerate(lines, 1):
        events += made.receive(f"{line}\r\n".encode("latin-1"), n * MS).events
    return [tag for _, _, tags in rounds(events + made.flush(99 * MS).events) for tag in tags]


@pytest.mark.parametrize("frame", FRAMES, ids=lambda f: f["ascii"])
def test_every_published_line_decodes_as_documented(frame: dict[str, Any]) -> None:
    made = board()
    events = made.receive(bytes.fromhex(frame["hex"]), MS).events + made.flush(MS).events
    uid = frame["decoded"].get("uid")
    assert rounds(events) == ([(1, False, [uid])] if uid else [])
    assert not [e for e in events if isinstance(e, BadFrame)]


@pytest.mark.parametrize(
    ("text", "uid", "antenna"),
    [
        ("Card UID: DE AD BE EF", "DEADBEEF", None),
        ("UID tag : 04 24 AA BB", "0424AABB", None),
        ("0| 0424 0F59", "04240F59", 0),  # blanks only before bytes below 10: they mean nothing
        ("1|DEAD BEEF", "DEADBEEF", 1),
        ("Reader 3: Card UID: 04 24 11 22 33 44 55", "04241122334455", 3),
        ("  UID Value: 0x04 0x41 0x6D 0x41 0x2B 0x02 0x89", "04416D412B0289", None),
        ("[12:00:01][D][rc522:263]: Found new tag '74-10-37-94'", "74103794", None),
        ("In hex: de ad be ef", "DEADBEEF", None),
        ("uid=04:24:11:22:33:44:55:66:77:88", "04241122334455667788", None),
        ("UID: 04 24 AA BB type: MIFARE 1KB", "0424AABB", None),
        ("the tag is deadbeef", "DEADBEEF", None),
        ("Tag E0 04 01 50 12 34 56 78", "E004015012345678", None),
        ("Tag 78 56 34 12 50 01 04 E0", "E004015012345678", None),  # last byte first
        ("DEADBEEF", "DEADBEEF", None),
    ],
)
def test_uids_are_read_as_sketches_print_them(text: str, uid: str, antenna: int | None) -> None:
    line = read(text.encode())
    assert isinstance(line, Line)
    assert (line.uid, line.antenna) == (uid, antenna)


@pytest.mark.parametrize(
    "text",
    [
        "Card SAK: 08",
        "PICC type: MIFARE 1KB",
        "Firmware Version: 0x92 = v2.0",
        "Scan PICC to see UID, SAK, type, and data blocks...",
        "UID Length: 4 bytes",
        "In dec: 222 173 190 239",
        "Tag detected",
        "card added",
        "12 cards on the table",
        "uptime: 12345678",
        "0|",
    ],
)
def test_other_text_is_no_tag_and_no_damage(text: str) -> None:
    assert read(text.encode()) == Line(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Card UID: DE AD BE", "length"),
        ("Card UID: DE AD BE EF 01", "length"),
        ("Card UID: 4 24 F 59 1 2 3", "length"),  # seven bytes without their zeros, or four with some digits lost
        ("Card UID: DE AD BE F", "length"),
        ("UID: 04 41 6D 41 zB 02 89", "value"),  # a damaged digit never cuts seven bytes to four
        ("UID: 88 04 24 11", "value"),  # the first part of a longer UID
        ("UID: 00 00 00 00", "value"),
        ("UID: FF FF FF FF", "value"),
        ("300| DE AD BE EF", "value"),
    ],
)
def test_what_cannot_be_a_uid_is_refused(text: str, reason: str) -> None:
    found = read(text.encode())
    assert isinstance(found, Rejected)
    assert found.reason == reason


def test_lines_end_as_sketches_end_them_and_blank_ones_are_nothing() -> None:
    cutter = Cutter()
    found = cutter.feed(b"\n\r\nUID: DEADBEEF\nUID: 24D34F59\r\r\n  \n", MS)
    assert [line.uid for line in found if isinstance(line, Line)] == ["DEADBEEF", "24D34F59"]
    assert len(found) == 2


def test_a_line_without_its_end_may_be_half_of_one() -> None:
    assert seen("Card UID: 24 D3 4F 59") == ["24D34F59"]
    made = board()
    made.receive(b"Card UID: 04 24 11 22", MS)  # 33 44 55 is still to come
    events = made.flush(2 * MS).events
    assert [(e.reason, e.raw) for e in events if isinstance(e, BadFrame)] == [("length", b"Card UID: 04 24 11 22")]
    assert rounds(events) == []


def test_half_a_first_line_is_no_shorter_uid() -> None:
    made = board()
    made.receive(b"11 22 33 44\r\n", MS)  # the end of 04 24 A1 11 22 33 44
    made.receive(b"04 24 A1 11 22 33 44\r\n" * 2, 2 * MS)
    assert rounds(made.tick(600 * MS).events) == [(1, True, ["0424A111223344"])]


def test_hex_alone_in_the_first_line_counts_when_it_comes_again() -> None:
    made = board()
    made.receive(b"11223344\r\n", MS)
    made.receive(b"11223344\r\n", 2 * MS)
    assert rounds(made.tick(600 * MS).events) == [(1, True, ["11223344"])]


def test_hex_alone_as_the_only_line_is_told_at_the_end() -> None:
    assert seen("11223344") == ["11223344"]


def test_a_line_is_found_behind_noise_and_the_noise_is_told() -> None:
    made = board()
    events = made.receive(b"\xff\x00\x81Card UID: DE AD BE EF\r\n", MS).events
    assert [e.reason for e in events if isinstance(e, BadFrame)] == ["noise"]
    assert rounds(made.flush(MS).events) == [(1, False, ["DEADBEEF"])]


def test_a_line_that_lost_its_end_costs_itself_and_not_the_next() -> None:
    assert seen("Card UID: DE AD BE EFCard UID: 24 D3 4F 59") == ["24D34F59"]


def test_colours_of_a_log_are_no_noise() -> None:
    made = board()
    events = made.receive(b"\x1b[0;36m[D][pn532:200]: Found new tag '74-10-37-94'\x1b[0m\r\n", MS).events
    assert [type(e) for e in events] == [ReaderUp]
    assert rounds(made.flush(MS).events) == [(1, False, ["74103794"])]


def test_a_line_without_end_is_told_bounded_and_may_still_end_well() -> None:
    cutter = Cutter()
    (told,) = cutter.feed(b"x" * (LONGEST + 1), MS)
    assert told == Rejected("oversize", b"x" * (LONGEST + 1 - KEPT))
    (line,) = cutter.feed(b" UID: DEADBEEF\n", 2 * MS)
    assert isinstance(line, Line)
    assert line.uid == "DEADBEEF"


def test_random_uids_are_named_once_and_are_no_tags() -> None:
    made = board()
    events = made.receive(b"UID: 08 11 22 33\nUID: 08 99 88 77\nUID: 08 11 22 33 44 55 66\n", MS).events
    assert [e.code for e in events if isinstance(e, ReaderFault)] == ["random_uid"]
    assert rounds(made.flush(MS).events) == [(1, False, ["08112233445566"])]


def test_any_text_says_that_the_board_is_alive_and_the_banner_who_it_is() -> None:
    made = board(1)
    assert made.receive(b"RC522 sketch v3\r\n", 100 * MS).events == (ReaderUp("board", 100 * MS, "RC522 sketch v3"),)
    assert rounds(made.tick(600 * MS).events) == [(1, True, [])]


def test_noise_does_not_say_that_a_board_is_alive() -> None:
    events = board(1).receive(b"\xf0\xe8U\xff\r\n", 100 * MS).events  # a wrong baud rate looks like this
    assert [type(e) for e in events] == [BadFrame]


def test_each_antenna_has_its_round_and_lines_without_a_number_are_of_the_first() -> None:
    made = board(4, 0)
    made.receive(b"banner\n0| 04 24 0F 59\nUID: DEADBEEF\n", 100 * MS)
    assert rounds(made.tick(600 * MS).events) == [(4, True, ["DEADBEEF"]), (0, True, ["04240F59"])]
    assert rounds(made.tick(1100 * MS).events) == [(4, True, []), (0, True, [])]


def test_an_antenna_that_is_not_configured_is_named_once() -> None:
    made = board(1)
    events = made.receive(b"2| DE AD BE EF\n2| DE AD BE EF\n", 100 * MS).events
    assert [(e.code, "antenna 2" in e.meaning) for e in events if isinstance(e, ReaderFault)] == [("no_antenna", True)]


def test_a_sketch_that_says_a_card_once_never_tells_that_it_is_gone() -> None:
    made = board(1, repeats=False)  # REQA does not wake halted cards: the stock sketch is like this
    made.receive(b"Card UID: DE AD BE EF\r\n", 100 * MS)
    assert rounds(made.tick(600 * MS).events) == [(1, False, ["DEADBEEF"])]
    assert made.tick(1100 * MS) == Out()


def test_the_line_is_slow_unless_the_sketch_says_otherwise_and_dtr_is_left_alone() -> None:
    assert board().settings == PortSettings(9600)
    assert board(baud=115200, dtr=False).settings == PortSettings(115200, "N", False)
