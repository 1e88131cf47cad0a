"""The virtual microcontroller does what protocol.md asks of a firmware."""

from collections import Counter

import pytest

from controller.places import Place, Zone
from firmware_bridge.wire.tablelink import Cutter, Fault, Focus, Frame, Heartbeat, Hello, Snapshot, Start, pack
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers.tablelink import Tablelink

S, MS = 1_000_000_000, 1_000_000
SEATS = range(1, 5)
PLACES = {("w", 2 * seat - 1): Place(Zone.TRAY, seat) for seat in SEATS} | {
    ("w", 2 * seat): Place(Zone.SPOT, seat) for seat in SEATS
}
LIMITS = {antenna: 60 if place.zone is Zone.TRAY else 20 for antenna, place in PLACES.items()}


class Listening:
    """The far end of a virtual reader: runs its time and keeps its frames."""

    def __init__(self, noise: Noise | None = None, **more: object) -> None:
        self.field = Field(PLACES, LIMITS)
        self.reader = Tablelink("w", Radio(self.field, noise or Noise(uneven=0)), **more)  # type: ignore[arg-type]
        self.cutter = Cutter()
        self.now_ns = 0
        self.sequences: list[int] = []

    def until(self, to_ns: int) -> list[Frame]:
        frames: list[Frame] = []
        while (due := self.reader.wake_at_ns()) is not None and due <= to_ns:
            self.now_ns = max(due, self.now_ns)
            frames += self._cut(self.reader.tick(self.now_ns))
        self.now_ns = to_ns
        return frames

    def say(self, frame: Frame, sequence: int = 0) -> list[Frame]:
        return self._cut(self.reader.receive(pack(frame, sequence), self.now_ns))

    def _cut(self, data: bytes) -> list[Frame]:
        frames = []
        for item in self.cutter.feed(data):
            assert isinstance(item, tuple), item
            self.sequences.append(item[0])
            frames.append(item[1])
        return frames


def snapshots(frames: list[Frame], antenna: int) -> list[Snapshot]:
    return [frame for frame in frames if isinstance(frame, Snapshot) and frame.antenna == antenna]


def test_it_says_hello_at_boot_without_being_asked_and_names_its_antennas() -> None:
    first = Listening().until(0)[0]
    assert isinstance(first, Hello)
    assert {limit.number: limit.tags for limit in first.antennas} == {n: tags for (_, n), tags in LIMITS.items()}


def test_it_says_hello_again_when_asked_with_the_same_boot_id() -> None:
    far = Listening()
    first = far.until(0)[0]
    assert far.say(Start()) == [first]


def test_a_reset_draws_another_boot_id_and_counts_from_0() -> None:
    far = Listening()
    first = far.until(3 * S)[0]
    far.reader.reset()
    far.sequences.clear()
    again = far.until(4 * S)[0]
    assert isinstance(first, Hello)
    assert isinstance(again, Hello)
    assert again.boot_id != first.boot_id
    assert far.sequences[0] == 0


def test_every_frame_counts_its_sequence_up_by_one() -> None:
    far = Listening()
    far.until(60 * S)
    assert len(far.sequences) > 300
    assert far.sequences == [n & 0xFF for n in range(len(far.sequences))]


def test_empty_rounds_are_sent_and_rounds_of_each_antenna_are_counted() -> None:
    frames = Listening().until(10 * S)
    for _, antenna in PLACES:
        found = snapshots(frames, antenna)
        assert [frame.round for frame in found] == list(range(len(found)))
        assert all(frame.complete and not frame.sightings for frame in found)


@pytest.mark.parametrize(("chips", "slowest", "fastest"), [(20, 4.5, 7.0), (60, 1.0, 2.0), (0, 10, 20)])
def test_a_round_takes_as_long_as_a_real_one(chips: int, slowest: float, fastest: float) -> None:
    far = Listening()
    far.field.lay([f"E004{n:012X}" for n in range(chips)], Place(Zone.TRAY, 1))
    frames = [frame for frame in snapshots(far.until(20 * S), 1) if len(frame.sightings) == chips]
    assert frames
    assert all(slowest <= 1000 / frame.length_ms <= fastest for frame in frames)


def test_it_scans_bet_spots_four_times_as_often_as_trays() -> None:
    counted = Counter(frame.antenna for frame in Listening().until(120 * S) if isinstance(frame, Snapshot))
    assert counted[2] / counted[1] == pytest.approx(4, rel=0.05)


def test_it_honours_a_focus_until_the_next_start() -> None:
    far = Listening()
    far.until(1 * S)
    far.say(Focus((4, 3)))
    counted = Counter(frame.antenna for frame in far.until(21 * S) if isinstance(frame, Snapshot))
    assert counted[3] == pytest.approx(counted[4], abs=1)
    assert counted[3] == pytest.approx(sum(counted.values()) / 3, rel=0.05)
    far.say(Start(), 1)
    counted = Counter(frame.antenna for frame in far.until(61 * S) if isinstance(frame, Snapshot))
    assert counted[2] / counted[3] == pytest.approx(4, rel=0.1)


def test_heartbeats_come_every_second_and_tell_what_was_heard() -> None:
    far = Listening()
    beats = [frame for frame in far.until(5 * S) if isinstance(frame, Heartbeat)]
    assert len(beats) == 5
    assert all(beat.heard == 0xFF for beat in beats)
    far.say(Focus((2,)), 17)
    far.reader.receive(b"\0garbage in between\0", far.now_ns)
    last = [frame for frame in far.until(6 * S) if isinstance(frame, Heartbeat)][-1]
    assert (last.heard, last.rejected) == (17, 1)


def test_more_tags_than_the_antenna_holds_are_told_as_not_complete() -> None:
    far = Listening()
    far.field.lay([f"E004{n:012X}" for n in range(25)], Place(Zone.SPOT, 1))
    full = [frame for frame in snapshots(far.until(5 * S), 2) if frame.sightings]
    assert full
    assert all(len(frame.sightings) == 20 and not frame.complete for frame in full)


def test_a_broken_antenna_is_told_and_never_sends_an_empty_complete_round() -> None:
    far = Listening()
    far.until(1 * S)
    far.reader.break_antenna(3, 1, "no load")
    frames = far.until(70 * S)
    assert [frame for frame in frames if isinstance(frame, Fault)] == [Fault(3, 1, "no load")] * 2  # once a minute
    assert snapshots(frames, 3)
    assert not any(frame.complete for frame in snapshots(frames, 3)[1:])
    assert all(frame.complete for frame in snapshots(frames, 1))
    far.reader.mend_antenna(3)
    frames = far.until(200 * S)
    assert not any(isinstance(frame, Fault) for frame in frames)
    assert all(frame.complete for frame in snapshots(frames, 3)[1:])


def test_several_radios_make_several_times_as_many_rounds() -> None:
    one = len(Listening(radios=1).until(20 * S))
    three = len(Listening(radios=3).until(20 * S))
    assert three / one == pytest.approx(3, rel=0.15)


def test_a_faster_reader_does_everything_faster_but_the_heartbeat() -> None:
    frames = Listening(speed=10.0).until(5 * S)
    assert sum(isinstance(frame, Heartbeat) for frame in frames) == 5
    assert len(frames) > 8 * len(Listening().until(5 * S))


def test_noise_reaches_the_frames() -> None:
    far = Listening(Noise(miss=0.2, stray=0.2, seed=3))
    far.field.lay([f"E004{n:012X}" for n in range(10)], Place(Zone.TRAY, 1))
    frames = far.until(60 * S)
    assert any(0 < len(frame.sightings) < 10 for frame in snapshots(frames, 1))
    assert any(frame.sightings for frame in snapshots(frames, 2))
    assert not any(frame.sightings for frame in snapshots(frames, 8))  # three seats away
