"""What any line does to any driver: cuts, noise, flipped bits, silence, endless garbage. Every driver of the catalog.

The claims: no good frame is lost behind a bad one, no damaged frame yields a tag, memory is bounded.
"""

import itertools
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.drivers.base import Driver
from firmware_bridge.drivers.catalog import DRIVERS, make
from firmware_bridge.events import BadFrame, ReaderEvent, ScanRound, Sighting
from firmware_bridge.wire import chafon, chafon_cf, em4100, feig, invelion, m100, metratec, pn532, tablelink, thingmagic

EPCS = [f"E2801160{n:016X}" for n in (0xBB022200117E, 0xAADDAADDAADD, 0x7E7EBBBB0000, 0x15)]  # markers inside
FFS = ["FF0022040084E0FF00000001", *EPCS[:2], "FFFFFFFFFFFFFFFFFFFFFFFF"]  # heads inside
A0S = ["A004017410D7E28011600001", *EPCS[:2], "A0A0A0A0A0A0A0A0A0A0A0A0"]
UIDS = ["24D34F59", "04416D412B0289", "0000FFFF", "FF00FF00"]  # heads inside
HF = ["E0040150954F02B1", "E004010000000000", "0000000000000001", "E0FFFFFFFFFFFFFF"]

COILS = ["000414CD7E", "01C8F00800", "0000000000", "FFABCDEF12"]


def spaced(uid: str) -> str:
    return " ".join(uid[at : at + 2] for at in range(0, len(uid), 2))


def snapshot_of(number: int, tag: str) -> bytes:
    frame = tablelink.Snapshot(1 + number % 3, number, 4, 90, True, (Sighting(tag, -50 if number % 2 else None),))
    return tablelink.pack(frame, number)


def chafon_answer(number: int, tag: str) -> bytes:
    if number == 2:
        return chafon_cf.report(tag)
    data = chafon.tags_288(((tag, -50),), 1) if number % 2 else chafon.tags_18((tag,))
    return chafon.answer(chafon.INVENTORY, (0x03, 0x01)[number // 2], data)


# Frames that carry one tag each, and how many bytes before each head are no part of the frame (a preamble).
SAMPLES: dict[str, tuple[list[tuple[bytes, str]], int]] = {
    "em4100": ([(em4100.pack(t, end=(b"\x03", b"\r\n\x03")[n % 2]), t[2:]) for n, t in enumerate(COILS)], 0),
    "chafon": ([(chafon_answer(n, t), t) for n, t in enumerate(EPCS)], 0),
    "feig": ([(feig.answer(feig.HOST_COMMAND, 0, feig.tag_sets((t,))), t) for t in HF], 0),
    "invelion": ([(invelion.tag(bytes.fromhex(t), -60 + n), t) for n, t in enumerate(A0S)], 0),
    "m100": (
        [(m100.notice("aa" if n % 2 else "bb", bytes.fromhex(t), -60 + n), t) for n, t in enumerate(EPCS)],
        0,
    ),
    "metratec": ([(metratec.line(t, crc=True), t) for t in HF], 0),
    "pn532": ([(pn532.listed((pn532.Target(t),)), t) for t in UIDS], 1),
    "tablelink": ([(snapshot_of(n, t), t) for n, t in enumerate(HF)], 0),
    "thingmagic": (
        [(thingmagic.buffered([thingmagic.record(bytes.fromhex(t), -60 + n)]), t) for n, t in enumerate(FFS)],
        0,
    ),
    "uid-lines": ([(f"Card UID: {spaced(t)}\r\n".encode(), t) for t in (*UIDS, HF[0])], 0),
}
each_driver = pytest.mark.parametrize("name", DRIVERS)
UNCHECKED = ("uid-lines",)  # text without a checksum: a damaged digit names another tag, and nobody can tell
each_checked_driver = pytest.mark.parametrize("name", [name for name in DRIVERS if name not in UNCHECKED])
quick = settings(max_examples=60, deadline=None, derandomize=True)


def feed(name: str, chunks: Iterable[bytes], apart_ns: int = 1_000_000, before: bytes = b"") -> list[ReaderEvent]:
    """All events of a driver that gets these chunks so far apart, and then the end of input.

    What it was given `before` it knows, and nothing of it is pending.
    """
    driver = make(name)
    driver.start(0)
    driver.receive(before, 0)
    driver.flush(0)
    events: list[ReaderEvent] = []
    at_ns = 0
    for chunk in chunks:
        at_ns += apart_ns
        events += driver.receive(chunk, at_ns).events
    return [*events, *driver.flush(at_ns).events]


def tags(events: Iterable[ReaderEvent]) -> set[str]:
    return {s.tag for e in events if isinstance(e, ScanRound) for s in e.sightings}


def bad(events: Iterable[ReaderEvent]) -> list[BadFrame]:
    return [e for e in events if isinstance(e, BadFrame)]


def cut(wire: bytes, cuts: list[int]) -> list[bytes]:
    places = [0, *sorted(c % (len(wire) + 1) for c in cuts), len(wire)]
    return [wire[a:b] for a, b in itertools.pairwise(places)]


def test_every_driver_of_the_catalog_is_tortured() -> None:
    assert set(SAMPLES) == set(DRIVERS)


@each_driver
def test_frames_may_come_in_one_read_or_byte_by_byte(name: str) -> None:
    frames, _ = SAMPLES[name]
    wire = b"".join(raw for raw, _ in frames)
    for chunks in ([wire], [wire[n : n + 1] for n in range(len(wire))], [raw for raw, _ in frames]):
        events = feed(name, chunks)
        assert tags(events) == {tag for _, tag in frames}
        assert not bad(events)


@each_driver
@quick
@given(st.lists(st.integers(0, 10_000), max_size=8))
def test_a_stream_may_be_cut_anywhere(name: str, cuts: list[int]) -> None:
    frames, _ = SAMPLES[name]
    events = feed(name, cut(b"".join(raw for raw, _ in frames), cuts))
    assert tags(events) == {tag for _, tag in frames}
    assert not bad(events)


@each_checked_driver
@pytest.mark.parametrize("known", [False, True], ids=["first time", "known frames"])
def test_any_flipped_bit_costs_its_own_frame_and_no_other(name: str, known: bool) -> None:
    frames, preamble = SAMPLES[name]
    before = b"".join(raw for raw, _ in frames) if known else b""
    for victim in range(len(frames)):
        raw, lost = frames[victim]
        for bit in range(preamble * 8, len(raw) * 8):
            damaged = bytearray(raw)
            damaged[bit // 8] ^= 1 << bit % 8
            wire = b"".join(bytes(damaged) if n == victim else r for n, (r, _) in enumerate(frames))
            events = feed(name, [wire], before=before)
            assert tags(events) == {tag for _, tag in frames} - {lost}, f"bit {bit} of {raw.hex()}"
            assert bad(events), f"bit {bit} of {raw.hex()} is not told"


@st.composite
def with_a_piece_missing(draw: st.DrawFn, name: str) -> tuple[list[bytes], set[str], str]:
    """The frames, one of them without some of its bytes; the tags of the others, and its own."""
    frames, preamble = SAMPLES[name]
    victim = draw(st.integers(0, len(frames) - 1))
    raw, lost = frames[victim]
    begin = draw(st.integers(preamble, len(raw) - 1))
    end = draw(st.integers(begin + 1, len(raw)))
    chunks = [raw[:begin] + raw[end:] if n == victim else r for n, (r, _) in enumerate(frames)]
    return chunks, {tag for _, tag in frames} - {lost}, lost


@each_driver
@quick
@given(st.data())
def test_missing_bytes_cost_no_other_frame(name: str, data: st.DataObject) -> None:
    chunks, others, _ = data.draw(with_a_piece_missing(name))
    assert others <= tags(feed(name, cut(b"".join(chunks), data.draw(st.lists(st.integers(0, 10_000), max_size=4)))))


@each_checked_driver
@quick
@given(st.data())
def test_missing_bytes_are_no_other_tag(name: str, data: st.DataObject) -> None:
    """Frames apart, as readers send them: close together the zero that a PN532's sum does not miss comes from the next."""
    chunks, others, lost = data.draw(with_a_piece_missing(name))
    seen = tags(feed(name, chunks, apart_ns=200_000_000))
    assert others <= seen <= others | {lost}  # a delimiter may be made up for by that of the next frame


@each_driver
@quick
@given(
    st.lists(st.binary(max_size=30), min_size=5, max_size=5),
    st.lists(st.integers(0, 10_000), max_size=4),
    st.booleans(),
)
def test_noise_before_between_and_after_costs_no_frame(
    name: str, noise: list[bytes], cuts: list[int], known: bool
) -> None:
    frames, _ = SAMPLES[name]
    before = b"".join(raw for raw, _ in frames) if known else b""
    wire = noise[-1] + b"".join(raw + noise[n] for n, (raw, _) in enumerate(frames))
    assert tags(feed(name, cut(wire, cuts), before=before)) == {tag for _, tag in frames}


@each_driver
@quick
@given(st.binary(max_size=400), st.lists(st.integers(0, 10_000), max_size=4))
def test_noise_alone_is_no_tag(name: str, noise: bytes, cuts: list[int]) -> None:
    assert not tags(feed(name, cut(noise, cuts)))


@each_driver
@pytest.mark.parametrize(
    "filler", ["00", "FF", "00FF", "00FFFFFF0105FA", "BB", "AA", "BB022200FF", "BB0022", "5555", "31"]
)
def test_endless_garbage_is_told_keeps_memory_bounded_and_hides_nothing(name: str, filler: str) -> None:
    frames, _ = SAMPLES[name]
    driver = make(name)
    driver.start(0)
    garbage = bytes.fromhex(filler) * (4096 // (len(filler) // 2))
    for n in range(40):
        driver.receive(garbage, n)
        assert held(driver) < 20_000
    events = list(driver.receive(b"".join(raw for raw, _ in frames), 41).events)
    events += driver.tick(200_000_000).events  # a false head that waits for more gives up
    assert tags([*events, *driver.flush(200_000_000).events]) == {tag for _, tag in frames}


@each_driver
def test_a_false_head_delays_a_good_frame_no_longer_than_its_patience(name: str) -> None:
    frames, _ = SAMPLES[name]
    for head in (b"\xbb\x02\x22\x00\xf0", b"\x00\x00\xff\xf0\x10", b"\x00\xff\xff\xff\x01\x05\xfa"):
        driver = make(name)
        driver.start(0)
        events = list(driver.receive(head + frames[0][0], 0).events)
        events += driver.tick(150_000_000).events
        assert tags([*events, *driver.flush(150_000_000).events]) == {frames[0][1]}


@each_driver
def test_silence_is_told_and_never_spins(name: str) -> None:
    driver = make(name)
    driver.start(0)
    events: list[ReaderEvent] = []
    last = 0
    for _ in range(60):
        at_ns = driver.wake_at_ns()
        assert at_ns is not None
        assert at_ns > last
        out = driver.tick(at_ns)
        events += out.events
        last = at_ns
    assert [type(e).__name__ for e in events] == ["ReaderLost"]
    assert held(driver) < 20_000


@each_driver
def test_calling_tick_too_early_does_nothing(name: str) -> None:
    driver = make(name)
    driver.start(0)
    assert driver.tick(1).send == ()
    assert driver.tick(1).events == ()


@each_driver
def test_start_forgets_half_a_frame(name: str) -> None:
    frames, _ = SAMPLES[name]
    driver = make(name)
    driver.start(0)
    driver.receive(frames[0][0][:-3], 0)
    driver.start(10)
    events = driver.receive(frames[1][0], 11).events
    assert tags([*events, *driver.flush(11).events]) == {frames[1][1]}
    assert not bad(events)


def held(thing: Any, depth: int = 6) -> int:
    """Bytes that an object keeps, roughly: strings and bytes by their length, 50 for anything else."""
    if isinstance(thing, (bytes, bytearray, str)):
        return len(thing)
    if depth == 0:
        return 50
    if isinstance(thing, dict):
        return sum(held(k, depth - 1) + held(v, depth - 1) for k, v in thing.items())
    if isinstance(thing, (list, tuple, set, frozenset)):
        return sum(held(v, depth - 1) for v in thing)
    inner = getattr(thing, "__dict__", None)
    return 50 + (held(inner, depth - 1) if isinstance(inner, dict) else 0)


def test_the_measure_of_what_is_held_sees_a_buffer() -> None:
    driver: Driver = make("m100")
    driver.start(0)
    before = held(driver)
    driver.receive(b"\xbb\x02\x22\x00\xf0" + bytes(200), 0)
    assert held(driver) >= before + 200
