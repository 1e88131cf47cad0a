"""The firmware's own tablelink against the product's: two codes of one page."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.events import Sighting
from firmware_bridge.firmware import wire
from firmware_bridge.wire import tablelink
from firmware_bridge.wire.tablelink import AntennaLimit, Cutter, Fault, Focus, Heartbeat, Hello, Snapshot, Start

PAGE = (Path(tablelink.__file__).parent.parent / "protocol.md").read_text()
TAGS = st.lists(st.binary(min_size=1, max_size=10), max_size=60, unique=True)


def examples() -> dict[str, bytes]:
    """The worked examples of the page, by what stands before them."""
    rows = re.findall(r"^\| (\w+[^|]*) \| (\d+) \| `([0-9A-F ]+)` \|$", PAGE, re.MULTILINE)
    return {f"{what.strip()} {number}": bytes.fromhex(data) for what, number, data in rows}


def framed(packet: wire.Packet, sequence: int) -> bytes:
    framer = wire.Framer()
    framer.frame(packet, sequence)
    return bytes(framer.data[: framer.size])


def snapshot(antenna: int, number: int, age: int, length: int, flags: int, tags: list[bytes]) -> wire.Packet:
    packet = wire.Packet()
    wire.begin_snapshot(packet, antenna, number)
    for tag in tags:
        assert wire.add_tag(packet, tag)
    wire.end_snapshot(packet, length, flags)
    packet.set_word(wire.AGE_AT, age)
    return packet


def ours() -> dict[str, bytes]:
    """What the firmware can say of the page's examples; it has no rssi."""
    hello, beat, fault = wire.Packet(), wire.Packet(), wire.Packet()
    wire.hello(hello, 0x5EED0007, 1000, [(1, 60), (2, 20)], "west 1.0")
    wire.heartbeat(beat, 0x5EED0007, 0, 0)
    wire.fault(fault, 1, 1, "no load")
    tags = [bytes.fromhex("E0040150954F02B1"), bytes.fromhex("04416D412B0289")]
    return {
        "hello: boot 5EED0007": framed(hello, 0),
        "snapshot: antenna 2": framed(snapshot(2, 0, 3, 120, wire.COMPLETE, tags), 1),
        "snapshot: antenna 1, round 0": framed(snapshot(1, 0, 5, 430, wire.COMPLETE, []), 2),
        "heartbeat": framed(beat, 3),
        "fault": framed(fault, 4),
    }


@pytest.mark.parametrize("begins", list(ours()))
def test_a_worked_example_of_the_page_is_packed_byte_for_byte(begins: str) -> None:
    page = [data for what, data in examples().items() if what.startswith(begins)]
    assert page == [ours()[begins]]


def taken(data: bytes, orders: wire.Orders | None = None) -> list[bytes]:
    orders = orders or wire.Orders()
    return [bytes(orders.packet[: orders.size]) for byte in data if orders.take(byte)]


@pytest.mark.parametrize("what", list(examples()))
def test_a_worked_example_of_the_page_is_cut_as_the_product_cuts_it(what: str) -> None:
    data = examples()[what]
    packet = tablelink.unstuff(data.strip(b"\0"))
    assert packet is not None
    assert taken(data) == [packet[:-2]]


@settings(max_examples=300, deadline=None)
@given(TAGS, st.integers(0, 255), st.integers(1, 255), st.integers(0, 0xFFFF))
def test_whatever_the_firmware_packs_the_product_unpacks(
    tags: list[bytes], sequence: int, antenna: int, number: int
) -> None:
    data = framed(snapshot(antenna, number, 7, 9, wire.COMPLETE, tags), sequence)
    seen = tuple(Sighting(tag.hex().upper()) for tag in tags)
    assert Cutter().feed(data) == [(sequence, Snapshot(antenna, number, 7, 9, complete=True, sightings=seen))]


@settings(max_examples=300, deadline=None)
@given(st.binary(min_size=1, max_size=600), st.integers(0, 255))
def test_stuffing_is_cobs(body: bytes, sequence: int) -> None:
    packet = wire.Packet()
    packet.begin(7)
    packet.put(body)
    whole = framed(packet, sequence)
    assert whole == b"\0" + tablelink.stuff(bytes(packet.data[: packet.size + 2])) + b"\0"


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 255), max_size=40).map(tuple), st.integers(0, 255), st.data())
def test_a_flipped_bit_is_never_an_order(antennas: tuple[int, ...], sequence: int, data: st.DataObject) -> None:
    frame = bytearray(tablelink.pack(Focus(antennas), sequence))
    bit = data.draw(st.integers(8, len(frame) * 8 - 9))
    frame[bit // 8] ^= 1 << bit % 8
    assert taken(bytes(frame)) == []


def test_orders_are_read_from_the_middle_of_noise_and_counted_when_they_are_damaged() -> None:
    orders = wire.Orders()
    good = tablelink.pack(Focus((2, 1)), 4)
    assert taken(b"noise without a delimiter" + good, orders) == [bytes((1, 0x82, 4, 2, 2, 1))]
    assert orders.focus() == bytes((2, 1))
    assert orders.rejected == 0
    assert taken(b"\0\x05\x01\x02\0" + good[:4] + b"\x77" + good[5:], orders) == []
    assert orders.rejected == 2
    assert taken(b"\1" * 5000 + good, orders)
    assert orders.rejected == 3


def test_bodies_that_cannot_be_are_no_orders() -> None:
    orders = wire.Orders()
    for body, focus, asked in (
        (b"\x02\x01", None, None),
        (b"\x01\x01", b"\x01", None),
        (b"\x01\x01\x02\xe0\x04", None, (1, [b"\xe0\x04"])),
        (b"\x01\x01\x03\xe0\x04", None, None),
        (b"", None, None),
    ):
        packet = wire.Packet()
        packet.begin(wire.ASK)
        packet.put(body)
        assert taken(framed(packet, 0), orders)
        assert (orders.focus(), orders.asked()) == (focus, asked), body


def test_a_snapshot_holds_255_tags_and_says_when_it_is_full() -> None:
    packet = wire.Packet()
    wire.begin_snapshot(packet, 1, 0)
    assert [wire.add_tag(packet, bytes((n, 1, 2, 3, 4, 5, 6, 0xE0))) for n in range(256)] == [True] * 255 + [False]


def test_every_frame_of_the_host_that_the_product_packs_is_an_order() -> None:
    for frame in (Start(), Focus(()), Focus((9,)), Hello(1, 1000, (AntennaLimit(1, 2),), "x"), Fault(0, 6, "no")):
        assert len(taken(tablelink.pack(frame, 1))) == 1
    assert json.dumps(taken(tablelink.pack(Heartbeat(1, 2, 3), 1))[0].hex())
