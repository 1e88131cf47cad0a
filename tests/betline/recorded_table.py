"""A table to record: the demo's, with virtual readers on real pseudo-terminals and the real service in this process."""

import contextlib
import queue
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from betline import demo_table
from betline.demo_controller import Report
from betline.demo_people import People
from betline.demo_run import EVENING
from controller import history
from controller.commands import Command
from controller.config import Config, MqttSection
from controller.engine.events import Event
from controller.history import RecordedHand
from controller.recorder import Recorder
from controller.service import Service
from display.feed import Feed
from firmware_bridge.events import ReaderEvent, ScanRound
from simulator.director import evening
from simulator.performance import Performance
from simulator.players import Dice, Style
from simulator.radio import Noise
from simulator.script import Script
from simulator.terminals import Terminals
from simulator.theatre import Theatre

PATIENCE_S = 60.0
SHORT = 53  # a hand of the evening that is over in less than a minute, with a flop


class InProcess:
    """The service in a thread of this process, which reports like the demo's controller."""

    def __init__(self, config: Config, config_file: Path, recorder: Recorder | None) -> None:
        self.events: list[Event] = []
        self._reports: queue.SimpleQueue[Report] = queue.SimpleQueue()
        self._rounds: list[tuple[str, int, int]] = []
        self.service = Service(config, config_file, self, recorder)
        self._thread = threading.Thread(target=self.service.run)

    def took(self, event: ReaderEvent) -> None:
        if isinstance(event, ScanRound) and event.complete:
            self._rounds.append((event.reader, event.antenna, event.began_ns))

    def committed(self, events: Sequence[Event], *, settling: bool) -> None:
        self.events += events
        rounds, self._rounds = self._rounds, []
        self._reports.put(Report(tuple(events), tuple(rounds), settling))

    def report(self, timeout_s: float) -> Report | None:
        try:
            return self._reports.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def start(self) -> None:
        self._thread.start()
        assert self.service.ready.wait(PATIENCE_S)

    def stop(self) -> None:
        self.service.stop()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()


class Table:
    """A folder with table.toml and registry, readers plugged in, everything of the first hand laid out."""

    def __init__(self, folder: Path, terminals: Terminals, script: Script, speed: float, miss: float) -> None:
        (folder / "ports").mkdir()
        self.folder, self.speed, self.script, self.terminals = folder, speed, script, terminals
        made = demo_table.configuration(folder, script.setting, spots_only=False, broker_port=1, language="en")
        config = replace(made, mqtt=MqttSection())
        self.config = demo_table.hurried(config, speed)
        self.file, self.registry = demo_table.write_files(folder, config, script.layout.values)
        radio = demo_table.plug_in(terminals, self.config, Noise(miss=miss, seed=7), speed)
        tags = {name: item.tag for name, item in self.registry.items.items()}
        self.performance = Performance(radio.field, tags, Dice("hands"), speed)
        terminals.do(lambda: self.performance.lay_out(script.layout.lies))

    def play(self, recorder: Recorder | None) -> list[Event]:
        """The service runs, people play the hand; gives all that was committed."""
        with self._open(recorder) as (controller, feed, people):
            del feed
            people.prepare(self.script.setting, ledger=False)
            verdict = people.play(self.script, Theatre(self.performance, self.speed, sleep=people.sleep))
            assert verdict.mismatch is None, verdict.mismatch
        return controller.events

    def say(self, recorder: Recorder | None, commands: Sequence[Command]) -> list[Event]:
        """The service runs and is told something; gives all that was committed."""
        with self._open(recorder) as (controller, feed, people):
            for command in commands:
                told = len(controller.events)
                assert feed.send(command)
                while len(controller.events) == told:
                    people.sleep(0.01)
        return controller.events

    def lose(self, recorder: Recorder | None, reader: str) -> list[Event]:
        """The service runs while a reader is unplugged and plugged in again; gives all that was committed."""
        with self._open(recorder) as (controller, feed, people):
            del feed
            for step in (self.terminals.unplug, self.terminals.plug):
                step(reader)
                people.sleep(0.4)
        return controller.events

    @contextlib.contextmanager
    def _open(self, recorder: Recorder | None) -> Iterator[tuple[InProcess, Feed, People]]:
        controller = InProcess(self.config, self.file, recorder)
        feed = Feed(str(self.folder / "dealer.sock"))
        people = People(controller, feed, demo_table.antennas_at(self.config), self.speed)  # type: ignore[arg-type]
        controller.start()
        feed.start()
        try:
            feed.first(5.0)
            assert people.count_in(PATIENCE_S * self.speed)
            yield controller, feed, people
        finally:
            feed.stop()
            controller.stop()


@contextlib.contextmanager
def table(folder: Path, speed: float = 25.0, miss: float = 0.02) -> Iterator[Table]:
    hands = [one for one in history.read(EVENING) if isinstance(one, RecordedHand)]
    script = next(iter(evening(hands[SHORT:], Dice("table"), Style())))
    with Terminals(folder / "ports") as terminals:
        yield Table(folder, terminals, script, speed, miss)
