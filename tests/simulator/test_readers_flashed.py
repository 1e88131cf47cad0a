"""The firmware under CPython as a reader: its frames, its obedience, and the product's own driver at the other end."""

import itertools
import random
from collections import Counter

import pytest

from controller.places import Place, Zone
from firmware_bridge.drivers import catalog as drivers
from firmware_bridge.events import ReaderEvent, ReaderFault, ReaderUp, ScanRound
from firmware_bridge.wire.tablelink import Cutter, Fault, Focus, Frame, Heartbeat, Hello, Snapshot, Start, pack
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers.flashed import Flashed
from simulator.wire import Wire

S, MS = 1_000_000_000, 1_000_000
TRAY, SPOT, HOLE = Place(Zone.TRAY, 1), Place(Zone.SPOT, 1), Place(Zone.HOLE, 1)
PLACES = {("w", 1): TRAY, ("w", 2): SPOT, ("w", 3): HOLE}
CHIPS = [f"E0040150{n:08X}" for n in range(1, 21)]
CARDS = ["24D34F59", "04416D412B0289"]


class Listening:
    """The far end of a flashed board: runs its time and keeps its frames."""

    def __init__(self, noise: Noise | None = None) -> None:
        self.field = Field(PLACES, {("w", 1): 60, ("w", 2): 20, ("w", 3): 2})
        self.reader = Flashed("w", Radio(self.field, noise or Noise(uneven=0)), cards=(3,))
        self.cutter = Cutter()
        self.now_ns = 0
        self.sequences: list[int] = []

    def until(self, to_ns: int) -> list[Frame]:
        frames: list[Frame] = []
        while (due := self.reader.wake_at_ns()) is not None and due <= to_ns:
            self.now_ns = max(due, self.now_ns)
            frames += self.cut(self.reader.tick(self.now_ns))
        self.now_ns = to_ns
        return frames

    def say(self, frame: Frame, sequence: int = 0) -> list[Frame]:
        return self.hear(pack(frame, sequence))

    def hear(self, data: bytes) -> list[Frame]:
        return self.cut(self.reader.receive(data, self.now_ns))

    def cut(self, data: bytes) -> list[Frame]:
        frames = []
        for item in self.cutter.feed(data):
            assert isinstance(item, tuple), item
            self.sequences.append(item[0])
            frames.append(item[1])
        return frames


def rounds(frames: list[Frame], antenna: int) -> list[Snapshot]:
    return [frame for frame in frames if isinstance(frame, Snapshot) and frame.antenna == antenna]


def tags(frame: Snapshot) -> set[str]:
    return {seen.tag for seen in frame.sightings}


def test_it_says_hello_at_boot_and_names_its_antennas() -> None:
    first = Listening().until(1 * S)[0]
    assert isinstance(first, Hello)
    assert {limit.number: limit.tags for limit in first.antennas} == {1: 60, 2: 20, 3: 2}


def test_it_says_hello_again_when_asked_and_another_boot_id_after_a_reset() -> None:
    far = Listening()
    first = far.until(1 * S)[0]
    assert first in [*far.say(Start()), *far.until(2 * S)]
    far.reader.reset()
    far.sequences.clear()
    again = far.until(3 * S)[0]
    assert isinstance(first, Hello)
    assert isinstance(again, Hello)
    assert again.boot_id != first.boot_id
    assert far.sequences[0] == 0


def test_chips_on_two_antennas_and_two_hole_cards_are_told_complete_at_once() -> None:
    far = Listening()
    far.field.lay(CHIPS[:12], TRAY)
    far.field.lay(CHIPS[12:], SPOT)
    far.field.lay(CARDS, HOLE)
    frames = far.until(3 * S)
    for antenna, wanted in ((1, CHIPS[:12]), (2, CHIPS[12:]), (3, CARDS)):
        last = rounds(frames, antenna)[-1]
        assert last.complete
        assert tags(last) == set(wanted)
        numbers = [frame.round for frame in rounds(frames, antenna)]
        assert numbers == list(range(len(numbers)))
    assert far.sequences == [n & 0xFF for n in range(len(far.sequences))]
    assert len(rounds(frames, 3)) >= 25


def test_cards_are_told_apart_by_their_list_and_gone_when_they_are_taken_up() -> None:
    far = Listening()
    far.field.lay(CARDS, HOLE)
    far.until(1 * S)
    far.field.lay(CARDS[:1], Place(Zone.IN_HAND, 1))
    assert tags(rounds(far.until(2 * S), 3)[-1]) == {CARDS[1]}


def test_a_pn532_that_lost_its_power_is_woken_again() -> None:
    far = Listening()
    far.field.lay(CARDS, HOLE)
    far.until(1 * S)
    card_radio = far.reader.station.radios[2]
    card_radio._uart.chip.power_cut()  # type: ignore[union-attr]
    frames = far.until(3 * S)
    assert tags(rounds(frames, 3)[-1]) == set(CARDS)
    assert not [frame for frame in frames if isinstance(frame, Fault)]


def test_a_pn532_that_is_not_there_has_a_fault_and_stops_no_radio(monkeypatch: pytest.MonkeyPatch) -> None:
    far = Listening()
    monkeypatch.setattr(far.reader.station.radios[2]._uart.chip, "receive", lambda data, at_ns: b"")  # type: ignore[union-attr]
    frames = far.until(5 * S)
    assert [(f.antenna, f.code) for f in frames if isinstance(f, Fault)] == [(3, 4)]
    assert rounds(frames, 3) == []
    assert len(rounds(frames, 1)) > 50


def test_a_dead_chip_is_told_once_a_minute_and_its_rounds_stop() -> None:
    far = Listening()
    far.until(1 * S)
    far.reader.chips[1].trouble = "ones"
    frames = far.until(62 * S)
    assert [(f.antenna, f.code) for f in frames if isinstance(f, Fault)] == [(1, 4), (1, 4)]
    assert not list(rounds(far.until(63 * S), 1))
    assert len(rounds(frames, 2)) > 600


def test_heartbeats_come_every_second_and_tell_what_was_heard() -> None:
    far = Listening()
    frames = far.until(10 * S)
    beats = [frame for frame in frames if isinstance(frame, Heartbeat)]
    assert len(beats) in (9, 10)
    assert beats[-1].heard == 0xFF
    far.say(Focus((2,)), 77)
    far.hear(b"\0\5\1\2\3\4\0")
    last = [frame for frame in far.until(12 * S) if isinstance(frame, Heartbeat)][-1]
    assert (last.heard, last.rejected) == (77, 1)


def test_random_bytes_neither_stop_it_nor_its_heartbeats() -> None:
    far, draw = Listening(), random.Random(5)
    far.until(1 * S)
    for n in range(100):
        far.hear(draw.randbytes(100))
        far.until((1000 + 50 * n) * MS)
    counted = Counter(type(frame) for frame in far.until(9 * S))
    assert counted[Heartbeat] >= 3
    assert counted[Snapshot] > 50


def events_of(wire: Wire, to_ns: int) -> list[ReaderEvent]:
    return wire.advance(to_ns)


def test_the_driver_of_the_product_understands_it() -> None:
    far = Listening()
    far.field.lay(CHIPS, TRAY)
    wire = Wire(drivers.make("tablelink", "w", (1, 2, 3)), far.reader, "w")
    events = events_of(wire, 20 * S)
    kinds = Counter(type(event) for event in events)
    assert kinds[ReaderUp] == 1
    assert kinds[ReaderFault] == 0
    told = [event for event in events if isinstance(event, ScanRound) and event.antenna == 1 and event.complete]
    assert len(told) > 90
    assert all({seen.tag for seen in event.sightings} == set(CHIPS) for event in told)
    for before, after in itertools.pairwise(told):
        assert after.began_ns >= before.ended_ns - 6 * MS  # rounds of one antenna do not overlap but by rounding
