"""Old and new go together: a host of the first day with a board of today, and a board of the first day with this host.

`tests/data/tablelink_1` is the code of both ends as it was before `ask`, `answers`, `health`, `can` and `maintain`.
"""

import sys
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from controller.places import Place, Zone
from firmware_bridge.drivers import catalog as drivers
from firmware_bridge.drivers.tablelink import Tablelink, TablelinkOptions
from firmware_bridge.errors import FrameError
from firmware_bridge.events import ReaderEvent, ReaderFault, ReaderUp, ScanRound
from firmware_bridge.wire import tablelink
from firmware_bridge.wire.tablelink import Cutter, Unknown, pack, stuff
from firmware_bridge.wire.tablelink_asking import Answers, Ask, Can, Health, Maintain
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import tablelink as today
from simulator.readers.flashed import Flashed
from simulator.wire import Wire

S, MS = 1_000_000_000, 1_000_000
OLD = Path(__file__).parents[1] / "data" / "tablelink_1"
TRAY, SPOT = Place(Zone.TRAY, 1), Place(Zone.SPOT, 1)
CHIPS = [f"E0040150{n:08X}" for n in range(1, 21)]


def old(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A file of the first day, on top of the old wire."""
    wire = loaded("wire")
    monkeypatch.setitem(sys.modules, "firmware_bridge.wire.tablelink", wire)
    return wire if name == "wire" else loaded(name)


def loaded(name: str) -> ModuleType:
    spec = spec_from_file_location(f"tablelink_1_{name}", OLD / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def table() -> Radio:
    field = Field({("w", 1): TRAY, ("w", 2): SPOT}, {("w", 1): 60, ("w", 2): 20})
    field.lay(CHIPS, TRAY)
    return Radio(field, Noise(uneven=0))


def absent_of(events: list[ReaderEvent]) -> list[tuple[str, ...]]:
    return [event.absent for event in events if isinstance(event, ScanRound) and event.absent]


def test_an_old_host_hears_a_flashed_board_and_is_told_of_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = old("driver", monkeypatch).Tablelink("w", (1, 2), TablelinkOptions())
    events = Wire(driver, Flashed("w", table()), "w").advance(25 * S)  # two times `health`
    counted = Counter(type(event) for event in events)
    assert counted[ReaderUp] == 1
    assert counted[ReaderFault] == 0
    seen = [event for event in events if isinstance(event, ScanRound) and event.antenna == 1 and event.complete]
    assert len(seen) > 100
    assert all(len(event.sightings) == 20 for event in seen)


def test_this_host_goes_on_with_an_old_board_and_does_not_ask_it(monkeypatch: pytest.MonkeyPatch) -> None:
    board = old("reader", monkeypatch).Tablelink("w", table())
    monkeypatch.undo()
    driver = drivers.make("tablelink", "w", (1, 2))
    assert isinstance(driver, Tablelink)
    wire = Wire(driver, board, "w")
    events = wire.advance(5 * S)
    driver.ask({1: tuple(CHIPS[:3])})
    events += wire.advance(10 * S)
    assert Counter(type(event) for event in events)[ReaderUp] == 1
    assert [event for event in events if isinstance(event, ReaderFault)] == []


@pytest.mark.parametrize("frame", [Ask(1, tuple(CHIPS[:3])), Maintain(0)])
def test_an_old_board_skips_what_it_does_not_know_and_counts_it_as_heard(
    frame: Ask | Maintain, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = old("reader", monkeypatch).Tablelink("w", table())
    board.tick(0)
    assert board.receive(pack(frame, 9), 1) == b""
    assert board._heard == 9
    assert board._rejected == 0


@pytest.mark.parametrize(
    "frame", [Answers(1, 0, 5, (), tuple(CHIPS[:2])), Health(1, 1, 2, 3, 4, 5, 6, hot=True), Can((1, 2))]
)
def test_an_old_host_skips_what_it_does_not_know(
    frame: Answers | Health | Can, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = old("wire", monkeypatch)
    found = wire.Cutter().feed(pack(frame, 3))
    assert [(number, type(one).__name__) for number, one in found] == [(3, "Unknown")]


def test_the_host_counts_the_absence_of_the_tags_that_it_asked_for_and_of_no_others() -> None:
    radio = table()
    driver = drivers.make("tablelink", "w", (1, 2))
    assert isinstance(driver, Tablelink)
    wire = Wire(driver, Flashed("w", radio), "w")
    wire.advance(3 * S)
    radio.field.lift(CHIPS[3:4])
    driver.ask({1: tuple(CHIPS[2:5])})
    events = [event for event in wire.advance(3 * S + 150 * MS) if isinstance(event, ScanRound)]
    answered = [event for event in events if event.absent and event.sightings]
    assert {event.absent for event in answered} == {(CHIPS[3],)}
    assert {seen.tag for seen in answered[0].sightings} == {CHIPS[2], CHIPS[4]}
    assert not answered[0].complete
    assert (answered[0].ended_ns - answered[0].began_ns) / MS <= 45


def questions(wire: Wire, until_ns: int) -> list[tuple[int, Ask]]:
    """What the board was asked, and when, in nanoseconds since now."""
    found: list[tuple[int, Ask]] = []
    began_ns, receive = wire.now_ns, wire.virtual.receive

    def listening(data: bytes, at_ns: int) -> bytes:
        frames = [item[1] for item in cutter.feed(data) if isinstance(item, tuple)]
        found.extend((at_ns - began_ns, frame) for frame in frames if isinstance(frame, Ask))
        return receive(data, at_ns)

    cutter = Cutter()
    cutter.feed(b"\0")
    wire.virtual.receive = listening  # type: ignore[method-assign]
    wire.advance(until_ns)
    return found


def test_what_is_wanted_is_asked_again_and_again_a_while_after_each_answer_until_nothing_is() -> None:
    wire = Wire(drivers.make("tablelink", "w", (1, 2)), Flashed("w", table()), "w")
    wire.driver.ask({1: tuple(CHIPS[:2])})  # before the board is up
    wire.advance(3 * S)
    asked = questions(wire, 4 * S)
    assert {frame for _, frame in asked} == {Ask(1, tuple(CHIPS[:2]))}
    assert 5 <= len(asked) <= 9
    wire.driver.ask({1: (), 2: tuple(CHIPS[5:6])})
    asked = questions(wire, 5 * S)
    assert {frame for _, frame in asked} == {Ask(2, tuple(CHIPS[5:6]))}
    wire.driver.ask({})
    assert questions(wire, 6 * S) == []


def test_a_board_says_by_itself_that_a_tag_is_gone_before_its_round_is_over() -> None:
    radio = table()
    wire = Wire(drivers.make("tablelink", "w", (1, 2)), Flashed("w", radio), "w")
    wire.advance(3 * S)
    radio.field.lift(CHIPS[3:4])
    events = [event for event in wire.advance(3500 * MS) if isinstance(event, ScanRound) and event.antenna == 1]
    (gone,) = (event for event in events if event.absent)
    assert (gone.absent, gone.sightings, gone.complete) == ((CHIPS[3],), (), False)
    first_round = next(event for event in events if event.complete and len(event.sightings) == 19)
    assert first_round.began_ns <= gone.began_ns < first_round.ended_ns


def test_an_antenna_that_the_board_refuses_to_ask_is_left_alone_and_told_of_once() -> None:
    wire = Wire(drivers.make("tablelink", "w", (1, 2)), Flashed("w", table(), cards=(2,)), "w")
    wire.advance(1 * S)
    wire.driver.ask({1: tuple(CHIPS[:1]), 2: tuple(CHIPS[:1])})
    events = wire.advance(3 * S)
    assert [event.code for event in events if isinstance(event, ReaderFault)] == ["refused"]
    assert {frame.antenna for _, frame in questions(wire, 5 * S)} == {1}


def test_the_health_of_each_antenna_is_kept() -> None:
    driver = drivers.make("tablelink", "w", (1, 2))
    assert isinstance(driver, Tablelink)
    Wire(driver, Flashed("w", table()), "w").advance(12 * S)
    assert set(driver.health) == {1, 2}
    assert driver.health[1].collisions > 0
    assert 100 <= driver.health[1].worst_us <= 150


def test_a_snapshot_of_a_flashed_board_says_that_it_is_confirmed_and_by_address() -> None:
    board = Flashed("w", table())
    data = b"".join(board.tick(n * 10 * MS) for n in range(200))
    told = [item[1] for item in Cutter().feed(data) if isinstance(item, tuple)]
    whole = [frame for frame in told if isinstance(frame, tablelink.Snapshot) and frame.complete]
    assert whole
    assert all(frame.confirmed and frame.by_address for frame in whole)
    assert isinstance(told[1], Can)


@pytest.mark.parametrize("kind", [5, 6, 7, 0x83, 0x84])
@pytest.mark.parametrize("body", [b"", b"\x00", b"\x01\x02", b"\x01\x00\x00\x00\x00\x01\x08\x01", b"\x01" * 30])
def test_a_body_that_cannot_be_is_refused(kind: int, body: bytes) -> None:
    packet = bytes((1, kind, 0)) + body
    packet += tablelink.crc16_ccitt_false(packet).to_bytes(2)
    found = Cutter().feed(b"\0" + stuff(packet) + b"\0")[0]
    if isinstance(found, tuple):  # some of these are bodies of another type
        assert not isinstance(found[1], Unknown)
        assert Cutter().feed(pack(found[1], 0)) == [found]


def test_what_does_not_fit_cannot_be_packed() -> None:
    for frame in (Ask(1, ("E004",) * 61), Ask(256, ()), Ask(1, ("",)), Maintain(-1), Can((256,)), Ask(1, ("no hex",))):
        with pytest.raises(FrameError):
            pack(frame, 0)


def test_todays_virtual_reader_ignores_what_it_has_no_answer_to() -> None:
    board = today.Tablelink("w", table())
    board.tick(0)
    assert board.receive(pack(Ask(1, tuple(CHIPS[:3])), 4), 1) == b""
