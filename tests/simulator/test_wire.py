"""Drivers and virtual readers in virtual time: real bytes, the right instants, and damage that loses one round only."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.places import Place, Zone
from firmware_bridge.drivers import catalog
from firmware_bridge.events import BadFrame, Out, PortSettings, ReaderEvent, ReaderLost, ReaderUp, ScanRound
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers.tablelink import Tablelink
from simulator.wire import NEVER_NS, Wire, Wires

S = 1_000_000_000
MS = 1_000_000
TRAY, SPOT = Place(Zone.TRAY, 1), Place(Zone.SPOT, 1)
CHIPS = tuple(f"E00401000000{n:04X}" for n in range(30))


def table(readers: str = "w") -> Field:
    places = {}
    for seat, reader in enumerate(readers, 1):
        places |= {(reader, 1): Place(Zone.TRAY, seat), (reader, 2): Place(Zone.SPOT, seat)}
    return Field(places, dict.fromkeys(places, 60))


def wired(field: Field, reader: str = "w", at_ns: int = 0, **more: object) -> Wire:
    virtual = Tablelink(reader, Radio(field, Noise(uneven=0)))
    return Wire(catalog.make("tablelink", reader, (1, 2)), virtual, reader, at_ns, **more)  # type: ignore[arg-type]


def rounds(events: list[ReaderEvent], antenna: int) -> list[ScanRound]:
    return [event for event in events if isinstance(event, ScanRound) and event.antenna == antenna]


def test_a_reader_comes_up_and_its_rounds_hold_what_lies_there() -> None:
    field = table()
    field.lay(CHIPS, TRAY)
    events = wired(field).advance(2 * S)
    assert sum(isinstance(event, ReaderUp) for event in events) == 1
    assert all({s.tag for s in scan.sightings} == set(CHIPS) for scan in rounds(events, 1))
    assert all(scan.complete and not scan.sightings for scan in rounds(events, 2))
    assert rounds(events, 1)
    assert rounds(events, 2)


def test_rounds_are_intervals_that_follow_one_another() -> None:
    wire = wired(table(), at_ns=5 * S)
    events = [event for event in wire.advance(8 * S) if isinstance(event, ScanRound)]
    assert events[0].began_ns == 5 * S
    for before, after in pairwise(events):
        assert before.began_ns < before.ended_ns <= after.began_ns
    assert wire.now_ns == 8 * S


def test_advancing_in_small_steps_gives_the_same_events_as_in_one() -> None:
    field = table()
    field.lay(CHIPS, TRAY)
    at_once = wired(field).advance(3 * S)
    wire = wired(field)
    assert [event for to in range(0, 3 * S + 1, 7 * MS) for event in wire.advance(to)] + wire.advance(3 * S) == at_once


def test_a_focus_takes_effect_with_the_next_scan() -> None:
    wire = wired(table())
    wire.advance(1 * S)
    wire.focus((1, 2))
    events = wire.advance(3 * S)
    assert abs(len(rounds(events, 1)) - len(rounds(events, 2))) <= 2
    wire.focus((2,))
    events = wire.advance(5 * S)
    assert len(rounds(events, 2)) == pytest.approx(len(rounds(events, 1)), abs=2)  # one other after each pass


def test_unplugging_tells_the_loss_and_plugging_in_again_asks_anew() -> None:
    wire = wired(table())
    wire.advance(1 * S)
    events = wire.unplug(2 * S)
    assert events[-1] == ReaderLost("w", 2 * S, "unplugged")
    assert wire.advance(3 * S) == []
    wire.plug(4 * S)
    events = wire.advance(5 * S)
    assert isinstance(events[0], ReaderUp)
    assert rounds(events, 2)


def test_a_damaged_frame_costs_its_round_and_no_other() -> None:
    field = table()
    field.lay(CHIPS, TRAY)
    frames = []

    def damage(data: bytes) -> bytes:
        frames.append(data)
        return data[:9] + bytes((data[9] ^ 0x80,)) + data[10:] if len(frames) == 6 else data

    events = wired(field, damage=damage).advance(4 * S)
    assert sum(isinstance(event, BadFrame) for event in events) == 1
    holes = [scan for scan in rounds(events, 1) + rounds(events, 2) if not scan.complete]
    assert len(holes) == 1
    assert all({s.tag for s in scan.sightings} == set(CHIPS) for scan in rounds(events, 1) if scan.complete)


def test_two_ends_that_keep_each_other_busy_are_found_out() -> None:
    class Restless:
        settings = PortSettings()

        def start(self, at_ns: int) -> Out:
            return Out()

        receive = tick = flush = start

        def wake_at_ns(self) -> int | None:
            return 1

        def focus(self, antennas: tuple[int, ...]) -> None: ...

        def nothing(self, *_: object) -> bytes:
            return b""

    driver = Restless()
    wire = Wire(driver, type("Idle", (), {"wake_at_ns": lambda _: None, "tick": b"", "receive": b""})())  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="keep each other busy"):
        wire.advance(S)


def test_several_readers_give_their_events_in_the_order_of_time() -> None:
    field = table("abc")
    wires = Wires([wired(field, reader) for reader in "abc"])
    events = [event for event in wires.advance(3 * S) if isinstance(event, ScanRound)]
    assert [event.ended_ns for event in events] == sorted(event.ended_ns for event in events)
    assert {event.reader for event in events} == set("abc")
    assert wires.now_ns == 3 * S


def test_a_step_stops_at_the_next_events_so_that_a_move_or_focus_can_follow() -> None:
    field = table("ab")
    wires = Wires([wired(field, reader) for reader in "ab"])
    seen = []
    while wires.now_ns < 2 * S:
        events = wires.step(2 * S)
        seen += events
        assert not events or wires.now_ns <= 2 * S
    again = Wires([wired(table("ab"), reader) for reader in "ab"])
    assert seen == again.advance(2 * S)


def test_the_focus_goes_to_its_reader_and_is_lifted_from_the_others() -> None:
    field = table("ab")
    wires = Wires([wired(field, reader) for reader in "ab"])
    wires.advance(1 * S)
    wires.focus([("a", 2)])
    events = wires.advance(3 * S)
    of_a = [event.antenna for event in events if isinstance(event, ScanRound) and event.reader == "a"]
    assert of_a.count(2) >= len(of_a) / 2
    wires.focus([("b", 1)])
    events = wires.advance(5 * S)
    of_a = [event.antenna for event in events if isinstance(event, ScanRound) and event.reader == "a"]
    assert of_a.count(1) == pytest.approx(of_a.count(2), abs=2)


def test_no_readers_at_all_just_lets_time_pass() -> None:
    wires = Wires([])
    assert wires.advance(S) == []
    assert wires.now_ns == S
    assert NEVER_NS > 200 * 365 * 86400 * 100 * MS


SEATS = "ab"
HANDFUL = CHIPS[:6]
LAID = st.tuples(
    st.integers(5, 900),  # milliseconds later
    st.sets(st.sampled_from(HANDFUL), min_size=1),
    st.sampled_from([Place(zone, seat) for zone in (Zone.TRAY, Zone.SPOT, Zone.IN_HAND) for seat in (1, 2)]),
)


@settings(max_examples=25, derandomize=True, deadline=None)
@given(
    st.lists(LAID, max_size=8), st.sampled_from([0.0, 0.3]), st.sampled_from([0.0, 0.2]), st.sampled_from([1.0, 4.0])
)
def test_whatever_is_moved_a_round_tells_only_what_lay_there_or_near_and_misses_nothing_without_noise(
    moves: list[tuple[int, set[str], Place]], miss: float, stray: float, burst: float
) -> None:
    field = table(SEATS)
    radio = Radio(field, Noise(miss, stray, burst, seed=1))
    wires = Wires(Wire(catalog.make("tablelink", reader, (1, 2)), Tablelink(reader, radio), reader) for reader in SEATS)
    history: list[tuple[int, dict[str, Place]]] = [(0, {})]
    events = []
    for later_ms, tags, place in moves:
        events += wires.advance(wires.now_ns + later_ms * MS)
        field.lay(sorted(tags), place)
        history.append((wires.now_ns, history[-1][1] | dict.fromkeys(tags, place)))
    events += wires.advance(wires.now_ns + S)
    scans = [event for event in events if isinstance(event, ScanRound)]
    assert scans
    for scan in scans:
        places = lying_between(history, scan.began_ns, scan.ended_ns)
        antenna = (scan.reader, scan.antenna)
        looked_at = {field.antennas[antenna]}
        audible = looked_at | {field.antennas[near] for near in field.near(antenna) if stray}
        seen = {sighting.tag for sighting in scan.sightings}
        assert seen <= {tag for tag in HANDFUL if any(at.get(tag) in audible for at in places)}
        if not miss:
            assert seen >= {tag for tag in HANDFUL if all(at.get(tag) in looked_at for at in places)}


def lying_between(history: list[tuple[int, dict[str, Place]]], began_ns: int, ended_ns: int) -> list[dict[str, Place]]:
    """How everything lay at any time of an interval."""
    ends = [at_ns for at_ns, _ in history[1:]] + [NEVER_NS]
    return [lies for (at_ns, lies), until in zip(history, ends, strict=True) if at_ns <= ended_ns and until >= began_ns]
