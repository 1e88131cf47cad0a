"""protocol.md, byte by byte: every frame of its examples, every limit, and what a receiver refuses."""

import re
from pathlib import Path

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import FrameError
from firmware_bridge.events import Sighting
from firmware_bridge.wire.checksums import crc16_ccitt_false
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.tablelink import (
    MAX_WIRE,
    AntennaLimit,
    Cutter,
    Fault,
    Focus,
    Frame,
    Heartbeat,
    Hello,
    Snapshot,
    Start,
    Unknown,
    pack,
    stuff,
    unpack,
    unstuff,
)
from firmware_bridge.wire.tablelink_asking import Answers, Ask, Can, Health, Maintain

PAGE = Path(__file__).parent.parent.parent / "firmware_bridge" / "protocol.md"
HELLO = Hello(0x5EED0007, 1000, (AntennaLimit(1, 60), AntennaLimit(2, 20)), "west 1.0")
TWO_TAGS = Snapshot(2, 0, 3, 120, True, (Sighting("E0040150954F02B1"), Sighting("04416D412B0289")))
WITH_RSSI = Snapshot(1, 1, 5, 210, False, (Sighting("E2001D73", -61), Sighting("E2001D74")))
EXAMPLES: list[tuple[Frame, int]] = [  # in the order of the table in protocol.md
    (Start(), 0),
    (HELLO, 0),
    (TWO_TAGS, 1),
    (Snapshot(1, 0, 5, 430, True, ()), 2),
    (WITH_RSSI, 3),
    (Heartbeat(0x5EED0007, 0, 0), 3),
    (Fault(1, 1, "no load"), 4),
    (Answers(2, 1, 14, ("E0040150954F02B1",), ("E0040150954F02B2",)), 5),
    (Health(1, 12, 0, 3, 0, 336, 140, hot=False), 6),
    (Can((1, 2, 3, 4, 5, 6, 7, 0x81, 0x82, 0x83, 0x84)), 1),
    (Ask(2, ("E0040150954F02B1", "E0040150954F02B2")), 2),
    (Maintain(0), 3),
    (Focus((2, 1)), 1),
]

tags = st.binary(min_size=1, max_size=62).map(lambda b: b.hex().upper())
frames = st.one_of(
    st.just(Start()),
    st.lists(st.integers(1, 255), max_size=255).map(lambda a: Focus(tuple(a))),
    st.builds(Heartbeat, st.integers(0, 2**32 - 1), st.integers(0, 255), st.integers(0, 65535)),
    st.builds(Fault, st.integers(0, 255), st.integers(0, 255), st.text(max_size=60)),
    st.builds(
        Hello,
        st.integers(0, 2**32 - 1),
        st.integers(0, 65535),
        st.lists(st.integers(1, 255), max_size=255, unique=True).map(
            lambda a: tuple(AntennaLimit(n, n) for n in a),
        ),
        st.text(max_size=60),
    ),
    st.builds(
        Snapshot,
        st.integers(1, 255),
        st.integers(0, 65535),
        st.integers(0, 65535),
        st.integers(0, 65535),
        st.booleans(),
        st.lists(
            st.builds(Sighting, tags, st.none() | st.integers(-127, 127)), max_size=40, unique_by=lambda s: s.tag
        ).map(tuple),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(
        Answers,
        st.integers(1, 255),
        st.integers(0, 65535),
        st.integers(0, 65535),
        st.lists(tags, max_size=15).map(tuple),
        st.lists(tags, max_size=15).map(tuple),
    ),
    st.builds(Health, st.integers(0, 255), *[st.integers(0, 65535)] * 6, st.booleans()),
    st.lists(st.integers(0, 255), max_size=30).map(lambda types: Can(tuple(types))),
    st.builds(Ask, st.integers(1, 255), st.lists(tags, max_size=60).map(tuple)),
    st.integers(0, 255).map(Maintain),
)


def packet(*parts: bytes) -> bytes:
    body = b"".join(parts)
    return body + crc16_ccitt_false(body).to_bytes(2)


def test_the_examples_of_protocol_md_are_what_pack_makes() -> None:
    rows = re.findall(r"^\| .* \| (\d+) \| `([0-9A-F ]+)` \|$", PAGE.read_text(), re.MULTILINE)
    assert [(int(sequence), bytes.fromhex(wire)) for sequence, wire in rows] == [
        (sequence, pack(frame, sequence)) for frame, sequence in EXAMPLES
    ]


@given(frames, st.integers(0, 255))
def test_what_is_packed_comes_out_the_same(frame: Frame, sequence: int) -> None:
    wire = pack(frame, sequence)
    assert wire[0] == wire[-1] == 0
    assert 0 not in wire[1:-1]
    assert Cutter().feed(wire) == [(sequence, frame)]


@given(st.lists(frames, min_size=1, max_size=4), st.data())
def test_a_stream_may_be_cut_anywhere(sent: list[Frame], data: st.DataObject) -> None:
    wire = b"".join(pack(frame, n) for n, frame in enumerate(sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=6)))
    cutter, found = Cutter(), []
    for begin, end in zip([0, *cuts], [*cuts, len(wire)], strict=True):
        found += cutter.feed(wire[begin:end])
    assert found == list(enumerate(sent))


around_a_code = st.one_of(st.integers(0, 3), st.integers(251, 257), st.integers(506, 511))  # bytes without a zero
runs = st.lists(around_a_code.map(lambda size: b"\x01" * size), min_size=1, max_size=4).map(b"\0".join)


@given(st.binary(max_size=700) | runs)
def test_cobs_is_done_and_undone_as_by_the_library(data: bytes) -> None:
    assert stuff(data) == cobs.encode(data)
    assert unstuff(stuff(data)) == data


@given(st.binary(min_size=1, max_size=40).map(lambda b: b.replace(b"\0", b"\x05")))
def test_what_is_no_cobs_for_the_library_is_none_here(data: bytes) -> None:
    try:
        expected = cobs.decode(data)
    except cobs.DecodeError:
        expected = None
    assert unstuff(data) == expected


def test_noise_before_a_frame_costs_only_itself() -> None:
    found = Cutter().feed(b"boot banner\r\n" + pack(Start(), 7) + b"xyz" + pack(HELLO, 8))
    assert found == [Rejected("noise", b"boot banner\r\n"), (7, Start()), Rejected("marker", b"xyz"), (8, HELLO)]


def test_an_endless_frame_is_dropped_and_the_next_delimiter_is_in_step_again() -> None:
    cutter = Cutter()
    cutter.feed(b"\0")
    found = []
    for _ in range(2 * MAX_WIRE):
        found += cutter.feed(b"\x11")
    assert {item.reason for item in found} == {"oversize"}
    assert cutter.feed(pack(Start(), 1))[-1] == (1, Start())


def test_a_frame_that_ends_with_the_input_is_refused() -> None:
    cutter = Cutter()
    wire = pack(HELLO, 0)
    assert cutter.feed(wire[:-1]) == []
    assert cutter.finish() == [Rejected("length", wire[1:-1])]
    assert cutter.finish() == []


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "length"),
        (packet(b"\x01\x81"), "length"),
        (packet(b"\x01\x81\x00")[:-1] + b"\x00", "checksum"),
        (packet(b"\x01\x81\x00", b"x"), "value"),  # start has no body
        (packet(b"\x01\x82\x00", b"\x02\x01"), "value"),  # focus names two and holds one
        (packet(b"\x01\x82\x00", b"\x01\x00"), "value"),  # antenna 0
        (packet(b"\x01\x03\x00", bytes(6)), "value"),
        (packet(b"\x01\x04\x00", b"\x01\x01\x05abc"), "value"),  # text longer than the frame
        (packet(b"\x01\x01\x00", bytes(6)), "value"),
        (packet(b"\x01\x01\x00", bytes(4), b"\x03\xe8\x02\x01\x3c\x01\x3c\x00"), "value"),  # antenna 1 twice
        (packet(b"\x01\x02\x00", b"\x02", bytes(7)), "value"),  # too short
        (packet(b"\x01\x02\x00", b"\x00", bytes(6), b"\x01\x00"), "value"),  # antenna 0
        (packet(b"\x01\x02\x00", b"\x02", bytes(6), b"\x01\x01"), "value"),  # a tag is missing
        (packet(b"\x01\x02\x00", b"\x02", bytes(6), b"\x01\x01\x00"), "value"),  # a tag of no byte
        (packet(b"\x01\x02\x00", b"\x02", bytes(6), b"\x01\x00\x55"), "value"),  # more than was announced
        (packet(b"\x01\x02\x00", b"\x02", bytes(6), b"\x03\x01\x01\x55"), "value"),  # its rssi is missing
    ],
)
def test_what_does_not_fit_its_type_is_refused_whole(raw: bytes, reason: str) -> None:
    assert unpack(raw) == reason


def test_unknown_types_and_versions_are_told_apart_and_never_guessed() -> None:
    assert unpack(packet(b"\x01\x55\x09", b"whatever")) == (9, Unknown(1, 0x55))
    assert unpack(packet(b"\x02\x02\x09", b"whatever")) == (9, Unknown(2, 0x02))


def test_a_tag_named_twice_in_a_round_is_one_tag() -> None:
    raw = cobs.decode(pack(Snapshot(1, 0, 0, 0, True, (Sighting("AA"), Sighting("AA"))), 0).strip(b"\0"))
    assert unpack(raw) == (0, Snapshot(1, 0, 0, 0, True, (Sighting("AA"),)))


@pytest.mark.parametrize(
    "frame",
    [
        Focus((0,)),
        Focus((256,)),
        Focus((1,) * 256),
        Hello(2**32, 1000, (), ""),
        Hello(1, 70000, (), ""),
        Hello(1, 1000, (AntennaLimit(1, 256),), ""),
        Heartbeat(1, 256, 0),
        Fault(256, 1, ""),
        Snapshot(1, 0, 0, 0, True, (Sighting(""),)),
        Snapshot(1, 0, 0, 0, True, (Sighting("E0X"),)),
        Snapshot(1, 0, 0, 0, True, (Sighting("AB" * 63),)),
        Snapshot(1, 0, 0, 0, True, tuple(Sighting(f"{n:04X}") for n in range(256))),
        Snapshot(1, 0, 0, 0, True, tuple(Sighting(f"{n:040X}") for n in range(255))),
        Unknown(1, 0x55),
    ],
)
def test_what_the_wire_cannot_carry_is_an_error_of_the_sender(frame: Frame) -> None:
    with pytest.raises(FrameError):
        pack(frame, 0)


def test_long_texts_are_cut_between_letters_and_long_times_are_capped() -> None:
    found = Cutter().feed(pack(Fault(0, 9, "я" * 200), 0) + pack(Snapshot(1, 65536, 10**6, 10**6, True, ()), 1))
    assert found == [(0, Fault(0, 9, "я" * 127)), (1, Snapshot(1, 0, 65535, 65535, True, ()))]
