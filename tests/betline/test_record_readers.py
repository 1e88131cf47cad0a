"""Readers that are polled: what they say depends on time-outs and the focus, and is played again all the same."""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread

from msgspec.structs import replace

from betline.demo import table as demo_table
from controller.config.config import AntennaSection, Config, JournalSection, ReaderSection, ReadingSection, TableSection
from controller.core.core import Core
from controller.places import Place, Zone
from controller.recording.file import Recording
from controller.recording.recorder import Recorder
from controller.service.service import Service
from controller.table.events import Event, ItemsMoved, PlacesCounted
from firmware_bridge.events import ReaderEvent, ScanRound
from simulator.radio import Noise
from simulator.rehearsal.recording import play
from simulator.terminals import Terminals

PATIENCE_S = 60.0
CHIPS = {f"10-{number:03d}": 10 for number in range(16)}
READERS: dict[str, tuple[ReaderSection, tuple[Place, ...]]] = {
    "west": (
        ReaderSection("west", "feig", "", {"mux": "DD 00 {n-1}"}),
        (Place(Zone.TRAY, 1), Place(Zone.SPOT, 1)),
    ),
    "east": (ReaderSection("east", "invelion", ""), (Place(Zone.TRAY, 2), Place(Zone.SPOT, 2))),
    "pot": (ReaderSection("pot", "m100", ""), (Place(Zone.POT),)),
    "board": (ReaderSection("board", "pn532", ""), (Place(Zone.BOARD),)),
    "muck": (ReaderSection("muck", "metratec", ""), (Place(Zone.MUCK),)),
    "hole": (ReaderSection("hole", "thingmagic", ""), (Place(Zone.HOLE, 1), Place(Zone.HOLE, 2))),
}


def config(folder: Path) -> Config:
    return Config(
        table=TableSection("mixed", 2, chips="chips.csv", cards=("red-deck.csv",)),
        reading=ReadingSection(200, 300, 3),
        reader=tuple(replace(reader, port=str(folder / "ports" / name)) for name, (reader, _) in READERS.items()),
        antenna=tuple(
            AntennaSection(name, number, place.zone, place.seat)
            for name, (_, places) in READERS.items()
            for number, place in enumerate(places, 1)
        ),
        journal=JournalSection("journal.db"),
    )


class Seen:
    """What the service does, so that nobody waits longer than needed."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def took(self, event: ReaderEvent) -> None:
        del event

    def committed(self, events: Sequence[Event], core: Core) -> None:
        del core
        self.events += events


def test_readers_of_six_families_are_played_to_the_same_rounds_and_events(tmp_path: Path) -> None:
    (tmp_path / "ports").mkdir()
    table, path, seen = config(tmp_path), tmp_path / "mixed.betrec", Seen()
    file, registry = demo_table.write_files(tmp_path, table, CHIPS)
    tags = [registry.items[name].tag for name in CHIPS]
    with Terminals(tmp_path / "ports") as terminals:
        radio = demo_table.plug_in(terminals, table, Noise(miss=0.05, seed=3), 1)
        terminals.do(lambda: radio.field.lay(tags, Place(Zone.TRAY, 1)))
        service = Service(table, file, seen, Recorder(path))
        thread = Thread(target=service.run)
        thread.start()
        until(thread, lambda: any(isinstance(event, PlacesCounted) for event in seen.events))
        terminals.do(lambda: radio.field.lay(tags[:4], Place(Zone.SPOT, 1)))
        until(thread, lambda: any(isinstance(event, ItemsMoved) for event in seen.events))
        service.stop()
        thread.join(PATIENCE_S)
    with Recording(path) as recording:
        lines = list(recording.lines())
    heard = {line.given.reader for line in lines if isinstance(line.given, ScanRound)}
    assert heard == set(READERS)
    assert any(line.call == "tick" for line in lines), "a time-out was due"
    assert any(line.focus for line in lines), "a push was open"
    verdict = play(path)
    assert verdict.differences == ()
    assert (verdict.exact, verdict.events) == (True, len(seen.events))


def until(thread: Thread, condition: Callable[[], bool]) -> None:
    """Wait for something that another thread brings about."""
    for _ in range(int(PATIENCE_S / 0.02)):
        if condition():
            return
        thread.join(0.02)
        assert thread.is_alive()
    raise AssertionError("in vain")
