"""The scanner on a grammar of three bytes head: what it keeps, what it reports, and that it reports nothing twice."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.scanner import (
    MOST_KNOWN,
    MOST_READS,
    OVERSIZE,
    PATIENCE_NS,
    REFUSED,
    UNKNOWN,
    Scanner,
    remember,
    remember_all,
)


class Toy:
    """`<` digit digits `>`: the digit counts the bytes behind it, `>` included; 9 is too long, a letter is no length."""

    idle = b" "
    shared = 0

    def find(self, data: bytes, begin: int) -> int:
        return data.find(b"<", begin)

    def size(self, data: bytes, begin: int) -> int:
        length = data[begin + 1 : begin + 2]
        if not length:
            return UNKNOWN
        if not length.isdigit():
            return REFUSED
        return OVERSIZE if length == b"9" else 2 + int(length)

    def read(self, raw: bytes) -> str | Rejected:
        return raw.decode() if raw.endswith(b">") else Rejected("marker", raw)

    def take(self, data: bytes, begin: int, known: dict[bytes, str], found: list[str | Rejected]) -> int:
        """Frames of three bytes, known or not: what came so is known as a whole read."""
        del known
        while data[begin : begin + 2] == b"<1" and data[begin + 2 : begin + 3] == b">":
            found.append("<1>")
            begin += 3
        return begin


def scan(*chunks: bytes) -> list[str | Rejected]:
    scanner = Scanner(Toy())
    return [item for chunk in chunks for item in scanner.feed(chunk, 0)] + scanner.finish()


def test_frames_and_the_noise_between_them_in_order() -> None:
    assert scan(b"ab<1>  <2x>c") == [Rejected("noise", b"ab"), "<1>", "<2x>", Rejected("noise", b"c")]


def test_idle_bytes_are_no_noise() -> None:
    assert scan(b"   <1>  ", b" ", b"<1>") == ["<1>", "<1>"]


def test_a_refused_frame_is_reported_whole_once_and_searched_inside() -> None:
    assert scan(b"<5<1>xx<1>") == [Rejected("marker", b"<5<1>xx"), "<1>", "<1>"]
    assert scan(b"<3<2<x<1>") == [Rejected("marker", b"<3<2<"), Rejected("noise", b"x"), "<1>"]


def test_a_length_that_cannot_be_is_told_as_such() -> None:
    assert scan(b"<9abc<1>") == [Rejected("oversize", b"<9abc"), "<1>"]
    assert scan(b"<xabc<1>") == [Rejected("noise", b"<xabc"), "<1>"]


def test_what_waits_at_the_end_of_input_is_cut_and_searched_inside() -> None:
    assert scan(b"<8abc<1>") == [Rejected("length", b"<8abc"), "<1>"]
    assert scan(b"<") == [Rejected("length", b"<")]


def test_what_waits_gives_up_after_its_patience_and_the_next_byte_is_no_part_of_it() -> None:
    scanner = Scanner(Toy())
    assert scanner.stale_at_ns() is None
    assert scanner.feed(b"<8abc<1>", 100) == []
    assert scanner.stale_at_ns() == 100 + PATIENCE_NS
    assert scanner.expire(99 + PATIENCE_NS) == []
    assert scanner.feed(b"<1>", 100 + PATIENCE_NS) == [Rejected("length", b"<8abc"), "<1>", "<1>"]
    assert scanner.stale_at_ns() is None


def test_a_byte_in_time_renews_the_patience() -> None:
    scanner = Scanner(Toy())
    scanner.feed(b"<3a", 0)
    scanner.feed(b"b", PATIENCE_NS - 1)
    assert scanner.feed(b">", 2 * PATIENCE_NS - 3) == ["<3ab>"]


def test_frames_are_known_by_their_bytes_and_of_too_many_all_are_forgotten() -> None:
    known: dict[bytes, str] = {}
    for number in range(MOST_KNOWN + 1):
        remember(known, str(number).encode(), str(number))
        assert known[str(number).encode()] == str(number)
        assert len(known) <= MOST_KNOWN
    assert len(known) == 1


def test_frames_of_a_run_are_known_together() -> None:
    known = {b"old": "old"}
    remember_all(known, [b"a", b"b"], ["A", "B"])
    assert known == {b"old": "old", b"a": "A", b"b": "B"}
    numbers = [str(number) for number in range(MOST_KNOWN - 1)]
    remember_all(known, [number.encode() for number in numbers], numbers)
    assert len(known) == MOST_KNOWN - 1


def test_a_read_that_came_before_gives_the_same_frames_and_its_list_is_nobody_elses() -> None:
    scanner = Scanner(Toy())
    first = scanner.feed(b"<1><1>", 0)
    first.clear()
    assert scanner.feed(b"<1><1>", 1) == ["<1>", "<1>"]


def test_a_known_read_behind_half_a_frame_is_the_rest_of_that_frame() -> None:
    scanner = Scanner(Toy())
    assert scanner.feed(b"<1>", 0) == ["<1>"]
    assert scanner.feed(b"<4", 0) == []
    assert scanner.feed(b"<1>", 0) == []
    assert scanner.feed(b">", 0) == ["<4<1>>"]


def test_of_whole_reads_a_few_are_known() -> None:
    scanner = Scanner(Toy())
    for number in range(3 * MOST_READS):
        assert len(scanner.feed(b"<1>" * (number + 1), 0)) == number + 1
    assert len(scanner._reads) <= MOST_READS
    scanner.feed(b"<1>" * 1000, 0)
    assert b"<1>" * 1000 not in scanner._reads


@given(st.lists(st.sampled_from([b"<", b">", b"1", b"3", b"9", b"a", b" ", b"<1>", b"<3ab>"]), max_size=30), st.data())
def test_every_byte_is_a_frame_or_reported_and_cuts_do_not_change_the_frames(
    parts: list[bytes], data: st.DataObject
) -> None:
    wire = b"".join(parts)
    whole = scan(wire)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=5)))
    pieces = [wire[a:b] for a, b in itertools.pairwise([0, *cuts, len(wire)])]
    assert [f for f in scan(*pieces) if isinstance(f, str)] == [f for f in whole if isinstance(f, str)]
    told = b"".join(f.encode() if isinstance(f, str) else f.raw for f in whole)
    assert set(wire) - {32} <= set(told)
    assert len(told) >= len(wire.replace(b" ", b""))
