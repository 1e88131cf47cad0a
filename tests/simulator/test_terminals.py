"""Virtual readers on real pseudo-terminals, opened by the real bridge with pyserial: nothing in between is a fake."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from controller.places import Place, Zone
from firmware_bridge.bridge import Bridge, ReaderSetup
from firmware_bridge.events import BadFrame, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.base import VirtualReader
from simulator.readers.tablelink import Tablelink
from simulator.terminals import Terminals

PATIENCE_S = 20.0  # a limit for a broken build on a busy machine; nothing waits this long when it works
TRAY, SPOT, HOLE, POT = Place(Zone.TRAY, 1), Place(Zone.SPOT, 1), Place(Zone.HOLE, 1), Place(Zone.POT)
PLACES = {("link", 1): TRAY, ("link", 2): SPOT, ("link", 3): Place(Zone.SPOT, 2), ("card", 1): HOLE, ("uhf", 1): POT}
CHIPS = tuple(f"E00401000000{n:04X}" for n in range(12))
CARDS = ("24D34F59", "04416D412B0289")
DRIVERS = {"link": "tablelink", "card": "pn532", "uhf": "m100"}


class Table:
    """Real terminals, a real bridge, and the events of it."""

    def __init__(self, folder: Path) -> None:
        self.field = Field(PLACES)
        self.radio = Radio(self.field, Noise(uneven=0))
        self.readers = {name: catalog.make(driver, name, self.radio, speed=10) for name, driver in DRIVERS.items()}
        self.terminals = Terminals(folder)
        self.events: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()
        self.seen: list[ReaderEvent] = []
        self.terminals.start()
        self.paths = {name: self.terminals.add(name, reader) for name, reader in self.readers.items()}

    def setups(self) -> list[ReaderSetup]:
        return [
            ReaderSetup(name, driver, self.paths[name], self.field.numbers(name)) for name, driver in DRIVERS.items()
        ]

    def until(self, wanted: Callable[[ReaderEvent], bool]) -> ReaderEvent:
        end = time.monotonic() + PATIENCE_S
        while not wanted(event := self.events.get(timeout=PATIENCE_S)):
            self.seen += [] if isinstance(event, ScanRound) else [event]
            assert time.monotonic() < end, f"it did not come; what came beside rounds: {self.seen}"
        return event

    def sees(self, reader: str, antenna: int, tags: tuple[str, ...]) -> None:
        """Wait for a complete round with exactly these tags."""
        self.until(
            lambda e: (
                isinstance(e, ScanRound)
                and (e.reader, e.antenna, e.complete) == (reader, antenna, True)
                and {s.tag for s in e.sightings} == set(tags)
            )
        )


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.terminals.close()


def test_all_three_drivers_see_what_is_laid_down_and_taken_up(table: Table) -> None:
    with Bridge(table.setups(), table.events.put):
        up: set[str] = set()
        while up != set(DRIVERS):
            up.add(table.until(lambda e: isinstance(e, ReaderUp)).reader)
        table.field.lay(CHIPS, TRAY)
        table.field.lay(CARDS, HOLE)
        table.field.lay(CHIPS[:1], POT)
        table.sees("link", 1, CHIPS[1:])
        table.sees("card", 1, CARDS)
        table.sees("uhf", 1, CHIPS[:1])
        table.field.lay(CHIPS[1:3], SPOT)
        table.sees("link", 2, CHIPS[1:3])
        table.field.lay(CARDS, Place(Zone.IN_HAND, 1))
        table.sees("card", 1, ())


def test_unplugging_and_plugging_in_again_loses_and_finds_the_reader(table: Table) -> None:
    table.field.lay(CHIPS, TRAY)
    with Bridge(table.setups(), table.events.put):
        table.sees("link", 1, CHIPS)
        table.terminals.unplug("link")
        lost = table.until(lambda e: isinstance(e, ReaderLost))
        assert isinstance(lost, ReaderLost)
        assert (lost.reader, lost.why.split(":")[1]) == ("link", " unplugged, or another program reads the same port")
        table.terminals.plug("link")
        table.until(lambda e: isinstance(e, ReaderUp) and e.reader == "link")
        table.sees("link", 1, CHIPS)


def test_the_other_readers_go_on_while_one_is_unplugged(table: Table) -> None:
    with Bridge(table.setups(), table.events.put):
        table.terminals.unplug("link")
        table.field.lay(CARDS, HOLE)
        table.sees("card", 1, CARDS)


class Wrapped:
    """A reader behind something that spoils what it says by itself."""

    def __init__(self, whole: VirtualReader, spoil: Callable[[bytes], bytes]) -> None:
        self.whole, self.spoil = whole, spoil
        self.receive, self.wake_at_ns = whole.receive, whole.wake_at_ns

    def tick(self, at_ns: int) -> bytes:
        return self.spoil(self.whole.tick(at_ns))


def test_a_reader_that_vanishes_in_the_middle_of_a_frame_leaves_a_cut_frame_and_a_loss(table: Table) -> None:
    armed, halved = threading.Event(), threading.Event()

    def half(data: bytes) -> bytes:
        if halved.is_set():
            return b""
        if armed.is_set() and len(data) > 40:
            halved.set()
            return data[: len(data) // 2]
        return data

    table.field.lay(CHIPS, TRAY)
    path = table.terminals.add("half", Wrapped(Tablelink("link", table.radio, heartbeat_ms=60), half))
    with Bridge([ReaderSetup("half", "tablelink", path, (1, 2))], table.events.put):
        table.sees("half", 1, CHIPS)
        armed.set()
        assert halved.wait(PATIENCE_S)
        table.until(lambda e: isinstance(e, ReaderLost) and "no frame" in e.why)  # its heartbeats are missed first
        table.terminals.unplug("half")
        cut = table.until(lambda e: isinstance(e, BadFrame))
        assert isinstance(cut, BadFrame)
        assert cut.reason == "length"
        table.until(lambda e: isinstance(e, ReaderLost) and "unplugged" in e.why)


def test_garbage_on_the_line_costs_no_round_that_comes_behind_it(table: Table) -> None:
    table.field.lay(CHIPS, TRAY)
    garbage = bytes(range(1, 40))
    path = table.terminals.add("noisy", Wrapped(Tablelink("link", table.radio, speed=10), lambda data: garbage + data))
    with Bridge([ReaderSetup("noisy", "tablelink", path, (1, 2))], table.events.put):
        table.until(lambda e: isinstance(e, BadFrame) and e.raw == garbage)
        for _ in range(5):
            table.sees("noisy", 1, CHIPS)


def test_a_focus_reaches_the_reader_through_the_port(table: Table) -> None:
    table.field.lay(CHIPS, TRAY)
    with Bridge(table.setups(), table.events.put) as bridge:
        table.sees("link", 2, ())
        bridge.focus([("link", 3)])
        order: list[int] = []
        while order[-6::2] != [3, 3, 3]:  # every second scan; without a focus it would be every third
            event = table.until(lambda e: isinstance(e, ScanRound) and e.reader == "link")
            assert isinstance(event, ScanRound)
            order.append(event.antenna)


def test_a_second_program_is_refused_while_the_bridge_has_the_port(table: Table) -> None:
    with Bridge(table.setups(), table.events.put):
        table.until(lambda e: isinstance(e, ReaderUp) and e.reader == "card")
        with pytest.raises(serial.SerialException):
            serial.Serial(table.paths["card"], exclusive=True)


def test_a_reset_of_the_reader_is_seen_by_its_boot_id(table: Table) -> None:
    reader = table.readers["link"]
    assert isinstance(reader, Tablelink)
    with Bridge(table.setups(), table.events.put):
        first = table.until(lambda e: isinstance(e, ReaderUp) and e.reader == "link")
        table.terminals.do(reader.reset)
        again = table.until(lambda e: isinstance(e, ReaderUp) and e.reader == "link")
        assert isinstance(first, ReaderUp)
        assert isinstance(again, ReaderUp)
        assert first.identity != again.identity
        table.terminals.do(lambda: reader.break_antenna(1))
        fault = table.until(lambda e: isinstance(e, ReaderFault) and e.code == "antenna_open")
        assert isinstance(fault, ReaderFault)
        assert fault.meaning == "antenna 1: no load"


class Counting:
    """Says numbers of ten digits as fast as it can, a thousand times as many as the byte that it was sent."""

    def __init__(self) -> None:
        self.said = self.last = 0
        self.enough = threading.Event()

    def receive(self, data: bytes, at_ns: int) -> bytes:
        self.last = self.said + 1000 * data[0]
        return b""

    def tick(self, at_ns: int) -> bytes:
        self.said += 1
        if self.said == self.last:
            self.enough.set()
        return f"{self.said:010}".encode()

    def wake_at_ns(self) -> int | None:
        return 0 if self.said < self.last else None


def test_what_a_slow_host_does_not_take_in_time_is_dropped_by_whole_writes(table: Table) -> None:
    counting = Counting()
    with serial.Serial(table.terminals.add("counting", counting), timeout=PATIENCE_S) as port:
        port.write(b"\x14")
        assert counting.enough.wait(PATIENCE_S)  # 200 kB were said and nothing was read
        first = port.read(60_000)
        assert [int(first[at : at + 10]) for at in range(0, 60_000, 10)] == list(range(1, 6001))
        port.write(b"\x01")
        numbers = [6000]
        while numbers[-1] < 21_000:
            numbers.append(int(port.read(10)))
    assert numbers == sorted(set(numbers))
    assert len(numbers) < 10_000


def test_closing_gives_everything_back(tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        table = Table(tmp_path)
        with Bridge(table.setups(), table.events.put):
            table.until(lambda e: isinstance(e, ScanRound))
        table.terminals.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert not list(tmp_path.iterdir())


class Hands:
    """Moves something at set times, and notes in which thread and when."""

    def __init__(self, *due_ns: int) -> None:
        self.due = list(due_ns)
        self.moved: list[tuple[int, str]] = []

    def due_ns(self) -> int | None:
        return self.due[0] if self.due else None

    def advance(self, to_ns: int) -> None:
        while self.due and self.due[0] <= to_ns:
            self.moved.append((self.due.pop(0), threading.current_thread().name))


def test_hands_move_in_the_thread_that_scans_and_wake_it_in_time(tmp_path: Path) -> None:
    """Between two chips of a motion no scan is longer delayed than the hands are."""
    now_ns = time.monotonic_ns()
    hands = Hands(now_ns, now_ns + 5_000_000, now_ns + 40_000_000)
    with Terminals(tmp_path) as terminals:
        terminals.attend(hands)
        until = time.monotonic() + 30
        while hands.due and time.monotonic() < until:
            time.sleep(0.005)
    assert [thread for _, thread in hands.moved] == ["terminals"] * 3
