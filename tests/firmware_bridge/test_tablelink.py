"""The conversation of tablelink as protocol.md promises it: hello, rounds, losses, resets, silence, focus."""

import pytest

from firmware_bridge.drivers.catalog import make
from firmware_bridge.drivers.tablelink import MS, Tablelink
from firmware_bridge.events import BadFrame, Out, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound, Sighting
from firmware_bridge.wire.tablelink import (
    AntennaLimit,
    Cutter,
    Fault,
    Focus,
    Frame,
    Heartbeat,
    Hello,
    Snapshot,
    Start,
    pack,
)

HELLO = Hello(0xB007, 1000, (AntennaLimit(1, 60), AntennaLimit(2, 2)), "west 1.0")
S = 1000 * MS


def snapshot(antenna: int = 1, number: int = 0, *tags: str, complete: bool = True) -> Snapshot:
    return Snapshot(antenna, number, 10, 100, complete, tuple(map(Sighting, tags)))


class Wire:
    """A driver and the reader's end of its line: numbers the reader's frames."""

    def __init__(self, *antennas: int) -> None:
        driver = make("tablelink", "west", antennas)
        assert isinstance(driver, Tablelink)
        self.driver = driver
        self.sequence = 0
        self.began = self.sent(driver.start(0))

    def say(self, *frames: Frame, at_ns: int = S) -> Out:
        wire = b""
        for frame in frames:
            wire += pack(frame, self.sequence)
            self.sequence += 1
        return self.driver.receive(wire, at_ns)

    def events(self, *frames: Frame, at_ns: int = S) -> tuple[ReaderEvent, ...]:
        return self.say(*frames, at_ns=at_ns).events

    @staticmethod
    def sent(out: Out) -> list[Frame]:
        return [item[1] for item in Cutter().feed(b"".join(out.send)) if isinstance(item, tuple)]


@pytest.fixture
def up() -> Wire:
    wire = Wire()
    wire.say(HELLO)
    return wire


def test_start_asks_for_hello_and_hello_names_firmware_and_boot() -> None:
    wire = Wire()
    assert wire.began == [Start()]
    assert wire.events(HELLO) == (ReaderUp("west", S, "west 1.0 boot 0000B007"),)
    assert wire.events(HELLO) == ()  # said twice


def test_without_hello_the_host_asks_every_second_and_tells_the_silence_once() -> None:
    wire = Wire()
    asked, lost = 0, []
    for _ in range(10):
        at = wire.driver.wake_at_ns()
        assert at is not None
        out = wire.driver.tick(at)
        asked += wire.sent(out).count(Start())
        lost += out.events
    assert at == 10 * S
    assert asked == 10
    assert lost == [ReaderLost("west", 3 * S, "no frame from the reader for 3000 ms")]


def test_a_snapshot_is_a_round_with_its_own_times(up: Wire) -> None:
    (scan,) = up.events(snapshot(1, 0, "E2001D73", "04416D"), at_ns=5 * S)
    assert scan == ScanRound("west", 1, 4890 * MS, 4990 * MS, True, (Sighting("E2001D73"), Sighting("04416D")))


def test_a_round_that_was_cut_is_not_complete(up: Wire) -> None:
    (scan,) = up.events(snapshot(1, 0, "AA", complete=False))
    assert isinstance(scan, ScanRound)
    assert not scan.complete
    assert scan.sightings == (Sighting("AA"),)


def test_more_tags_than_the_antenna_reads_well_are_not_complete(up: Wire) -> None:
    rounds = up.events(snapshot(2, 0, "AA", "BB"), snapshot(2, 1, "AA", "BB", "CC"))
    assert [r.complete for r in rounds if isinstance(r, ScanRound)] == [True, False]


def test_before_hello_tags_count_and_absences_do_not() -> None:
    (scan,) = Wire().events(snapshot(1, 7, "AA"))
    assert isinstance(scan, ScanRound)
    assert not scan.complete
    assert scan.sightings


def test_a_lost_round_is_unknown_never_empty(up: Wire) -> None:
    up.say(snapshot(1, 0, "AA"), at_ns=5 * S)
    up.sequence += 1
    fault, gap, scan = up.events(snapshot(1, 2, "AA"), at_ns=6 * S)
    assert isinstance(fault, ReaderFault)
    assert fault.code == "frames_lost"
    assert "1 frames" in fault.meaning
    assert gap == ScanRound("west", 1, 4990 * MS, 5890 * MS, False, ())
    assert isinstance(scan, ScanRound)
    assert scan.complete


def test_a_damaged_snapshot_gives_no_tag_and_leaves_a_gap(up: Wire) -> None:
    up.say(snapshot(1, 0, "E2001D73"))
    wire = bytearray(pack(snapshot(1, 1, "E2001D73"), up.sequence))
    wire[-8] ^= 0x40
    up.sequence += 1
    bad = up.driver.receive(bytes(wire), S).events
    assert [type(e) for e in bad] == [BadFrame]
    assert [type(e) for e in up.events(snapshot(1, 2))] == [ReaderFault, ScanRound, ScanRound]


def test_numbers_run_over_without_a_gap(up: Wire) -> None:
    up.sequence = 1
    events: list[ReaderEvent] = []
    for n in range(65500, 65500 + 300):
        events += up.events(snapshot(1, n & 0xFFFF))
    assert len(events) == 300
    assert all(isinstance(e, ScanRound) and e.complete for e in events)


def test_hello_with_another_boot_id_is_a_reset_not_a_loss(up: Wire) -> None:
    up.say(snapshot(1, 0), snapshot(1, 1))
    up.sequence = 0
    assert up.events(Hello(0xB008, 1000, HELLO.antennas, "west 1.0")) == (
        ReaderUp("west", S, "west 1.0 boot 0000B008"),
    )
    (scan,) = up.events(snapshot(1, 0))
    assert isinstance(scan, ScanRound)
    assert scan.complete


def test_heartbeat_with_another_boot_id_asks_and_rounds_are_not_complete_until_hello(up: Wire) -> None:
    up.sequence = 0
    out = up.say(Heartbeat(0xB008, 0xFF, 0))
    assert up.sent(out) == [Start()]
    scan = up.events(snapshot(1, 0, "AA"))[-1]
    assert isinstance(scan, ScanRound)
    assert not scan.complete


def test_three_silent_heartbeats_lose_the_reader_and_hello_brings_it_back(up: Wire) -> None:
    up.say(snapshot(1, 0), at_ns=2 * S)
    assert up.driver.wake_at_ns() == 5 * S
    assert up.driver.tick(5 * S - 1) == Out()
    out = up.driver.tick(5 * S)
    assert [type(e) for e in out.events] == [ReaderLost]
    assert up.sent(out) == [Start()]
    assert [type(e) for e in up.events(HELLO, at_ns=9 * S)] == [ReaderUp]


def test_any_frame_is_a_sign_of_life(up: Wire) -> None:
    for second in range(2, 20):
        assert up.driver.tick(second * S).events == ()
        up.say(Heartbeat(0xB007, 0, 0), at_ns=second * S)


def test_focus_is_sent_at_once_again_after_a_reset_and_when_it_was_not_heard(up: Wire) -> None:
    up.driver.focus((2, 1))
    assert up.driver.wake_at_ns() == S
    assert up.sent(up.driver.tick(S)) == [Focus((2, 1))]
    assert up.driver.tick(S) == Out()
    assert up.say(Heartbeat(0xB007, 1, 0)) == Out()  # start was 0, focus was 1
    assert up.sent(up.say(Heartbeat(0xB007, 0, 1))) == [Focus((2, 1))]
    up.sequence = 0
    up.say(Hello(0xB008, 1000, HELLO.antennas, "west 1.0"))
    assert up.sent(up.driver.tick(S)) == [Focus((2, 1))]
    up.driver.focus(())
    assert up.sent(up.driver.tick(S)) == [Focus(())]


def test_faults_are_named_and_unknown_codes_keep_their_number(up: Wire) -> None:
    events = up.events(Fault(1, 1, "no load"), Fault(0, 0x77, "odd"))
    assert events == (
        ReaderFault("west", S, "antenna_open", "antenna 1: no load"),
        ReaderFault("west", S, "77", "odd"),
    )


def test_a_configured_antenna_that_the_reader_lacks_is_named() -> None:
    events = Wire(1, 7).events(HELLO)
    assert [e.code for e in events if isinstance(e, ReaderFault)] == ["no_antenna"]
    assert "antenna 7" in str(events)


def test_another_version_is_told_once() -> None:
    import struct

    from cobs import cobs

    from firmware_bridge.wire.checksums import crc16_ccitt_false

    wire = Wire()
    body = struct.pack(">BBB", 2, 1, 0)
    frame = b"\0" + cobs.encode(body + crc16_ccitt_false(body).to_bytes(2)) + b"\0"
    events = wire.driver.receive(frame + frame, S).events
    assert [e.code for e in events if isinstance(e, ReaderFault)].count("version") == 1


def test_a_cut_frame_at_the_end_of_input_is_told(up: Wire) -> None:
    up.driver.receive(pack(HELLO, 9)[:-3], S)
    assert [e.reason for e in up.driver.flush(S).events if isinstance(e, BadFrame)] == ["length"]
