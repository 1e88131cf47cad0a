"""A table to record: the demo's, with virtual readers on real pseudo-terminals and the real service in this process."""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from betline.demo import table as demo_table
from controller.commands import Command, Confirm, SeatIn, SetButton
from controller.config.config import Config, MqttSection, place_of
from controller.core.core import Core
from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from controller.places import Place
from controller.recording.recorder import Recorder
from controller.service.service import Service
from controller.table import events as e
from display.feed import Feed
from firmware_bridge.events import ReaderEvent, ScanRound
from simulator.director import evening
from simulator.performance import Performance, Spoken
from simulator.players import Dice, Style
from simulator.radio import Noise
from simulator.script import Script
from simulator.terminals import Terminals
from simulator.theatre import Theatre

EVENING = Path(__file__).parents[2] / "simulator" / "evening.phhs"
PATIENCE_S = 60.0
LOOK_S = 0.005
SHORT = 53  # a hand of the evening that is over in less than a minute, with a flop
SEEN_ROUNDS = 6  # of an antenna after which what was moved there is decided, nearly always


class Running:
    """The service in a thread of this process, and what it has done so far."""

    def __init__(self, config: Config, config_file: Path, recorder: Recorder | None) -> None:
        self.events: list[e.Event] = []
        self.settling = False
        self._rounds: dict[tuple[str, int], deque[int]] = {}
        self.service = Service(config, config_file, self, recorder)
        self._thread = threading.Thread(target=self.service.run)

    def took(self, event: ReaderEvent) -> None:
        if isinstance(event, ScanRound) and event.complete:
            self._rounds.setdefault((event.reader, event.antenna), deque(maxlen=SEEN_ROUNDS)).append(event.began_ns)

    def committed(self, events: Sequence[e.Event], core: Core) -> None:
        self.settling = core.settling
        self.events += events

    def has(self, kind: type[e.Event]) -> bool:
        return any(isinstance(event, kind) for event in self.events)

    def has_looked(self, antenna: tuple[str, int], since_ns: int) -> bool:
        began = self._rounds.get(antenna, ())
        return len(began) == SEEN_ROUNDS and began[0] >= since_ns

    def asked(self) -> bool:
        """Whether a question stands."""
        for event in reversed(self.events):
            if isinstance(event, e.Asked | e.Answered | e.HandEnded):
                return isinstance(event, e.Asked)
        return False

    def until(self, condition: Callable[[], bool], limit_s: float = PATIENCE_S) -> bool:
        until = time.monotonic() + limit_s
        while not condition():
            assert self._thread.is_alive(), "the service has ended"
            if time.monotonic() > until:
                return False
            self._thread.join(LOOK_S)
        return True

    def start(self) -> None:
        self._thread.start()
        assert self.until(self.service.ready.is_set)

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
        self._antennas: dict[Place, list[tuple[str, int]]] = {}
        for antenna in config.antenna:
            self._antennas.setdefault(place_of(antenna), []).append((antenna.reader, antenna.number))
        radio = demo_table.plug_in(terminals, self.config, Noise(miss=miss, seed=7), speed)
        tags = {name: item.tag for name, item in self.registry.items.items()}
        self.performance = Performance(radio.field, tags, Dice("hands"), speed)
        terminals.do(lambda: self.performance.lay_out(script.layout.lies))

    def play(self, recorder: Recorder | None) -> list[e.Event]:
        """The service runs, people play the hand as the script has it; gives all that was committed."""
        theatre = Theatre(self.performance, self.speed)
        with self._open(recorder) as (running, feed):

            def said(spoken: Spoken) -> None:
                feed.send(spoken.command)

            for seat, name in self.script.setting.names.items():
                feed.send(SeatIn(seat, name))
            feed.send(SetButton(self.script.setting.button))
            for cue in self.script.cues:
                theatre.perform(cue, said)
                since_ns = time.monotonic_ns()
                for antenna in {one for move in cue.act.moves for one in self._antennas.get(move.target, ())}:
                    running.until(lambda antenna=antenna, since=since_ns: running.has_looked(antenna, since))  # type: ignore[misc]
                if running.asked():
                    feed.send(Confirm())
                running.until(lambda: not running.settling, 0.3)
            assert running.until(lambda: running.has(e.HandEnded))
        return running.events

    def say(self, recorder: Recorder | None, commands: Sequence[Command]) -> list[e.Event]:
        """The service runs and is told something; gives all that was committed."""
        with self._open(recorder) as (running, feed):
            for command in commands:
                told = len(running.events)
                assert feed.send(command)
                assert running.until(lambda told=told: len(running.events) > told)  # type: ignore[misc]
        return running.events

    def lose(self, recorder: Recorder | None, reader: str) -> list[e.Event]:
        """The service runs while a reader is unplugged and plugged in again; gives all that was committed."""
        with self._open(recorder) as (running, _):
            for step in (self.terminals.unplug, self.terminals.plug):
                step(reader)
                running.until(lambda: False, 0.4)
        return running.events

    @contextlib.contextmanager
    def _open(self, recorder: Recorder | None) -> Iterator[tuple[Running, Feed]]:
        running = Running(self.config, self.file, recorder)
        feed = Feed(str(self.folder / "dealer.sock"))
        running.start()
        feed.start()
        try:
            assert running.until(lambda: feed.latest().snapshot is not None)
            assert running.until(lambda: running.has(e.PlacesCounted))
            yield running, feed
        finally:
            feed.stop()
            running.stop()


@contextlib.contextmanager
def table(folder: Path, speed: float = 25.0, miss: float = 0.02) -> Iterator[Table]:
    hands = [one for one in history.read(EVENING) if isinstance(one, RecordedHand)]
    script = next(iter(evening(hands[SHORT:], Dice("table"), Style())))
    with Terminals(folder / "ports") as terminals:
        yield Table(folder, terminals, script, speed, miss)
