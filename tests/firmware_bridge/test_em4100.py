"""RDM6300, ID-12LA, EM-18: every published frame, frames with and without markers, and rounds that end by time."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.drivers.catalog import make
from firmware_bridge.drivers.em4100 import Em4100, Em4100Options
from firmware_bridge.drivers.timed import MOST_TAGS, MS, SILENT_NS
from firmware_bridge.errors import OptionError
from firmware_bridge.events import BadFrame, Out, PortSettings, ReaderEvent, ReaderLost, ReaderUp, ScanRound, Sighting
from firmware_bridge.wire.em4100 import MOST_BARE, PATIENCE_NS, Cutter, pack
from firmware_bridge.wire.rejected import Rejected

FRAMES = [
    f
    for f in json.loads((Path(__file__).parent.parent / "data" / "frames.json").read_text())
    if f["reader"] == "em4100-ascii"
]
FIRST, SECOND = "000414CD7E", "01C8F00800"
RDM6300 = b"\x02000414CD7EA3\x03"
ID12 = b"\x02000414CD7EA3\r\n\x03"
EM18 = b"000414CD7EA3"


def read(data: bytes) -> list[str | Rejected]:
    """What comes of bytes with silence before and behind them."""
    cutter = Cutter()
    return cutter.feed(data, PATIENCE_NS) + cutter.finish()


def driver(**options: Any) -> Em4100:
    made = Em4100("coil", (7,), Em4100Options(**options))
    made.start(0)
    return made


def rounds(events: tuple[ReaderEvent, ...]) -> list[tuple[bool, list[str]]]:
    return [(e.complete, [s.tag for s in e.sightings]) for e in events if isinstance(e, ScanRound)]


@pytest.mark.parametrize("frame", FRAMES, ids=lambda f: f["meaning"])
def test_every_published_frame_decodes_as_documented(frame: dict[str, Any]) -> None:
    coil = driver()
    events = coil.receive(bytes.fromhex(frame["hex"]), MS).events + coil.flush(MS).events
    assert rounds(events) == [(False, [frame["decoded"]["id"]])]
    assert not [e for e in events if isinstance(e, BadFrame)]


@pytest.mark.parametrize("raw", [RDM6300, ID12, EM18], ids=["RDM6300", "ID-12LA", "EM-18"])
def test_the_three_forms_of_one_tag_are_one_tag(raw: bytes) -> None:
    assert read(raw) == [FIRST]


@pytest.mark.parametrize("form", [{}, {"end": b"\r\n\x03"}, {"begin": b"", "end": b""}])
def test_packed_frames_are_those_of_the_readers(form: dict[str, bytes]) -> None:
    assert pack(FIRST, **form) in (RDM6300, ID12, EM18)
    assert read(pack(SECOND, **form)) == [SECOND]


def test_the_checksum_covers_all_five_bytes() -> None:
    assert read(b"\x0201C8F0080031\x03") == [SECOND]  # Bruce issue 2014: over four bytes it would be 30
    assert read(b"\x0201C8F0080030\x03") == [Rejected("checksum", b"\x0201C8F0080030\x03")]


def test_small_letters_are_damage_because_one_bit_makes_them() -> None:
    (found,) = read(RDM6300.replace(b"C", b"c"))
    assert isinstance(found, Rejected)


@pytest.mark.parametrize("lost", range(1, 12))
def test_a_lost_digit_is_no_other_tag_and_costs_no_other_frame(lost: int) -> None:
    cut = RDM6300[:lost] + RDM6300[lost + 1 :]
    assert read(pack(SECOND) + cut + pack(SECOND)) == [SECOND, Rejected("length", cut), SECOND]


def test_a_frame_that_lost_a_marker_is_none_although_its_digits_are_right() -> None:
    assert read(RDM6300[1:]) == [Rejected("noise", RDM6300[1:])]
    assert read(RDM6300[:-1]) == [Rejected("length", RDM6300[:-1])]


def test_digits_without_markers_end_with_a_silence() -> None:
    cutter = Cutter()
    assert cutter.feed(EM18[:5], 100 * MS) == []
    assert cutter.feed(EM18[5:], 105 * MS) == []
    assert cutter.stale_at_ns() == 105 * MS + PATIENCE_NS
    assert cutter.expire(105 * MS + PATIENCE_NS) == [FIRST]
    assert cutter.stale_at_ns() is None


def test_digits_without_markers_begin_anew_behind_a_silence() -> None:
    cutter = Cutter()
    cutter.feed(EM18[:5], 100 * MS)
    assert cutter.feed(EM18, 200 * MS) == [Rejected("length", EM18[:5])]
    assert cutter.finish() == [FIRST]


def test_several_tags_without_markers_in_one_read_are_told_apart() -> None:
    other = pack(SECOND, begin=b"", end=b"")
    assert read(EM18 + other + EM18) == [FIRST, SECOND, FIRST]
    assert read(EM18 + b"\r\n" + other + b"\r\n") == [FIRST, SECOND]


def test_a_good_tag_without_markers_is_found_beside_a_cut_one() -> None:
    other = pack(SECOND, begin=b"", end=b"")
    assert read(EM18[:7] + other) == [SECOND, Rejected("length", EM18[:7])]
    assert read(other + EM18[:7]) == [SECOND, Rejected("length", EM18[:7])]


def test_endless_digits_are_no_tags_until_a_silence() -> None:
    cutter = Cutter()
    flood = b"1" * (MOST_BARE + 12)  # any twelve of them would pass
    assert cutter.feed(flood, 100 * MS) == [Rejected("noise", flood)]
    assert cutter.feed(b"1" * 12, 101 * MS) == [Rejected("noise", b"1" * 12)]
    assert cutter.feed(EM18, 101 * MS + PATIENCE_NS) == []
    assert cutter.finish() == [FIRST]


def test_tags_may_keep_their_version_byte() -> None:
    coil = driver(version=True)
    coil.receive(RDM6300, MS)
    assert rounds(coil.flush(MS).events) == [(False, [FIRST])]


def test_the_line_is_slow_and_an_adapter_may_be_told_otherwise() -> None:
    assert driver().settings == PortSettings(9600)
    assert make("em4100", options={"baud": 38400}).settings.baud == 38400


def test_a_reader_with_one_coil_has_one_antenna() -> None:
    with pytest.raises(OptionError, match="coil: an em4100 reader has one coil, and 2 antennas are configured"):
        make("em4100", "coil", (1, 2))


# ---------------------------------------------------------------- rounds by time


def test_silence_before_the_first_tag_is_not_known_and_told_once() -> None:
    coil = driver()
    events: tuple[ReaderEvent, ...] = ()
    for n in range(1, 40):
        events += coil.tick(n * 500 * MS).events
    assert events == (ReaderLost("coil", SILENT_NS, events[0].why),)  # type: ignore[union-attr]
    assert "baud rate" in events[0].why  # type: ignore[union-attr]


def test_a_round_is_what_came_in_its_time_and_then_silence_is_empty() -> None:
    coil = driver()
    assert coil.receive(RDM6300, 2000 * MS).events == (ReaderUp("coil", 2000 * MS, "EM4100 reader"),)
    coil.receive(RDM6300, 2100 * MS)
    assert coil.wake_at_ns() == 2500 * MS
    assert coil.tick(2499 * MS) == Out()
    first = ScanRound("coil", 7, 2000 * MS, 2500 * MS, True, (Sighting("0414CD7E"),))
    assert coil.tick(2500 * MS).events == (first,)
    assert coil.tick(3000 * MS).events == (ScanRound("coil", 7, 2500 * MS, 3000 * MS, True, ()),)


def test_bytes_that_were_read_late_are_of_the_round_that_waited_for_them() -> None:
    """A port that stalls for longer than a round must not make a round without the tag."""
    coil = driver()
    coil.receive(RDM6300, 1000 * MS)
    coil.tick(1500 * MS)
    assert rounds(coil.receive(RDM6300, 2700 * MS).events) == [(True, ["0414CD7E"])]
    assert coil.wake_at_ns() == 3200 * MS


def test_damage_makes_its_round_not_complete_and_the_next_one_is() -> None:
    coil = driver()
    coil.receive(RDM6300 + RDM6300[:-3] + b"\x03", 1000 * MS)
    assert rounds(coil.tick(1500 * MS).events) == [(False, ["0414CD7E"])]
    assert rounds(coil.tick(2000 * MS).events) == [(True, [])]


def test_a_reader_that_says_a_tag_once_never_tells_that_it_is_gone() -> None:
    coil = driver(repeats=False)
    coil.receive(RDM6300, 1000 * MS)
    assert rounds(coil.tick(1500 * MS).events) == [(False, ["0414CD7E"])]
    assert coil.tick(2000 * MS) == Out()


def test_silence_may_be_trusted_from_the_start() -> None:
    coil = Em4100("coil", (), Em4100Options(trust_silence=True))
    assert [type(e) for e in coil.start(0).events] == [ReaderUp]
    assert rounds(coil.tick(500 * MS).events) == [(True, [])]


def test_a_line_with_more_tags_than_a_coil_can_say_is_no_complete_round() -> None:
    coil = driver()
    flood = b"".join(pack(f"{n:010X}") for n in range(MOST_TAGS + 3))
    told = coil.receive(flood, MS).events + coil.tick(501 * MS).events
    assert [(complete, len(tags)) for complete, tags in rounds(told)] == [(False, MOST_TAGS), (False, 3)]
