"""The demo's evening: starts broker, readers, controller and screen, plays hands, sums up."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console

import simulator
from betline.demo import captions
from betline.demo import keys as demo_keys
from betline.demo import table as demo_table
from betline.demo.broker import broker
from betline.demo.controller import Controller
from betline.demo.late_word import LateWord
from betline.demo.people import People
from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from controller.snapshot import Language
from controller.table.events import Event
from controller.texts.sentences import phrase
from display.feed import Feed
from firmware_bridge.errors import BetlineError
from firmware_bridge.events import Value
from simulator import acts
from simulator.director import evening
from simulator.models.models import Model, hurried
from simulator.models.people import as_people_do, dribble_ms
from simulator.performance import Performance
from simulator.players import Dice, Style
from simulator.radio import Noise
from simulator.rehearsal.verdict import Verdict
from simulator.script import Script
from simulator.terminals import Terminals
from simulator.theatre import Theatre

FIRST_LOOK_S = 30.0  # of real time: the first snapshot, from a controller that is open
NAME_WIDTH = 8  # letters, of what stands before the lines that say where to look
STRAY_OF_MISS = 0.2  # strays are rarer than misses


PROGRAM = sys.argv[0] if sys.argv[0].endswith("betline") else "betline"  # as the user called it


class Wishes(Value, frozen=True):
    headless: bool
    hands: int | None
    seed: int
    speed: float
    spots_only: bool
    noise: float
    language: Language
    quiet: bool
    models: tuple[Model, ...] = ()  # radio and people as they are
    record: str = ""  # a new .betrec file


class Rounds(Value, frozen=True):
    mean: float
    p99: int


class Summary(Value, frozen=True):
    hands: int
    exact: int
    wrong_rulings: int
    provisional_changed: int
    asked: int
    alarms: int
    rounds_to_final: Rounds
    elapsed_s: float
    mismatches: tuple[str, ...] = ()


def play(wishes: Wishes) -> Summary:
    """An evening; Ctrl-C ends it after what was played so far."""
    began = time.monotonic()
    verdicts: list[Verdict] = []
    changed, late, tables = 0, 0, 0
    with suppress(KeyboardInterrupt):
        while wishes.hands is None or len(verdicts) < wishes.hands:
            with ExitStack() as stack:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="betline-demo-")))
                table = _Table(_next_record(wishes, tables), folder, stack, Dice(f"{wishes.seed}:{len(verdicts)}"))
                tables += 1
                try:
                    for verdict in table.evening():
                        verdicts.append(verdict)
                        table.tell(verdict, len(verdicts))
                        if len(verdicts) == wishes.hands:
                            break
                finally:
                    changed += table.people.changed if table.people else 0
                    late += table.people.late_told if table.people else 0
    return _sum_up(verdicts, changed, late, time.monotonic() - began)


def _next_record(wishes: Wishes, tables: int) -> Wishes:
    """Every table of a long evening has a recording of its own: evening.betrec, evening-2.betrec."""
    if not wishes.record or not tables:
        return wishes
    path = Path(wishes.record)
    return replace(wishes, record=str(path.with_stem(f"{path.stem}-{tables + 1}")))


class _Table:
    """One table: opened with its first hand, closed by the stack. When the recorded evening is over, another opens."""

    def __init__(self, wishes: Wishes, folder: Path, stack: ExitStack, dice: Dice) -> None:
        self.wishes, self.folder, self.stack, self.dice = wishes, folder, stack, dice
        self.out = Console(stderr=True, quiet=wishes.quiet and not sys.stderr.isatty(), highlight=False)
        self.people: People | None = None

    def evening(self) -> Iterator[Verdict]:
        recorded = [one for one in history.read(EVENING) if isinstance(one, RecordedHand)]
        style = demo_keys.STYLE if self.wishes.spots_only else Style()
        for plain in evening(recorded, self.dice, style):
            script = as_people_do(plain, self.wishes.models)
            if self.people is None:
                self._open(script)
            assert self.people is not None
            yield self.people.play(demo_keys.with_keys(script) if self.wishes.spots_only else script, self.theatre)

    # ------------------------------------------------------------------ opening
    def _open(self, script: Script) -> None:
        wishes, folder = self.wishes, self.folder
        (folder / "ports").mkdir()
        running = self.stack.enter_context(broker(folder))
        setting = script.setting
        config = demo_table.configuration(
            folder, setting, spots_only=wishes.spots_only, broker_port=running.port, language=wishes.language
        )
        models = hurried(wishes.models, wishes.speed)
        config = demo_table.behind_few_readers(folder, config, models)
        config_file, registry = demo_table.write_files(folder, config, script.layout.values)
        terminals = self.stack.enter_context(Terminals(folder / "ports"))
        noise = Noise(miss=wishes.noise, stray=wishes.noise * STRAY_OF_MISS, seed=wishes.seed)
        radio = demo_table.plug_in(terminals, config, noise, wishes.speed, models)
        tags = {name: item.tag for name, item in registry.items.items()}
        dribble = dribble_ms(models)
        performance = Performance(radio.field, tags, self.dice, wishes.speed, dribble_ms=dribble, began=radio.began)
        terminals.do(lambda: performance.lay_out(script.layout.lies))
        terminals.attend(performance)
        record = Path(wishes.record).absolute() if wishes.record else None
        controller = Controller(demo_table.hurried(config, wishes.speed), config_file, record)
        self.stack.callback(controller.stop)
        self._where_to_look(config_file, running.name, running.port)
        feed = Feed(str(folder / "dealer.sock"))
        watched = demo_table.watched(config)
        self.people = People(controller, feed, watched, wishes.speed, self._tell)
        self.theatre = Theatre(performance, wishes.speed, sleep=self.people.sleep, do=terminals.do)
        if not self.people.wait_ready():
            raise BetlineError("the controller did not open in time: end what keeps this machine busy, and try again")
        feed.start()
        self.stack.callback(feed.stop)
        self._sit_down(script, feed)

    def _sit_down(self, script: Script, feed: Feed) -> None:
        assert self.people is not None
        feed.first(FIRST_LOOK_S)
        if not self.people.count_in():
            raise BetlineError("the antennas were not counted in: less --noise, or a lower --speed")
        setting = script.setting
        self.people.prepare(setting, ledger=self.wishes.spots_only)

    def _where_to_look(self, config_file: Path, name: str, port: int) -> None:
        dealer = config_file.parent / "dealer.sock"
        where = phrase("demo_topics", name=name, port=str(port))[self.wishes.language]
        self._line("demo_broker", where)
        cure = "" if shutil.which("mosquitto_sub") else "   (sudo apt install mosquitto-clients)"
        self._line("", f"mosquitto_sub -p {port} -v -t 'betline/demo/#'{cure}")
        self._line("demo_words", f"{PROGRAM} say --config {config_file} confirm")
        if self._has_display() and not self.wishes.headless:
            self._start_screen(config_file)
            self._line("demo_screen", self._words("demo_window"))
        else:
            why = "--headless" if self.wishes.headless else self._words("demo_no_display")
            self._line("demo_screen", f"{why}:")
            self._line("", f"{PROGRAM} screen --socket {dealer} --shot now.png")
        if self.wishes.record:
            self._line("demo_record", f"{self.wishes.record}; {PROGRAM} replay {self.wishes.record}")
        self._line("demo_stop", "Ctrl-C")
        self.out.print(f"  {captions.counting()[self.wishes.language]}", style="dim")

    def _line(self, key: str, text: str) -> None:
        """A name, and what stands behind it; a line without a name belongs to the one before."""
        self.out.print(f"  {self._words(key) if key else '':<{NAME_WIDTH}} {text}", soft_wrap=True)

    def _words(self, key: str) -> str:
        return phrase(key)[self.wishes.language]

    def _has_display(self) -> bool:
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or Path("/dev/dri/card0").exists())

    def _start_screen(self, config_file: Path) -> None:
        command = [sys.executable, "-m", "betline", "screen", "--config", str(config_file)]
        process = self.stack.enter_context(subprocess.Popen(command))  # noqa: S603 -- our own program
        self.stack.callback(process.terminate)

    # ------------------------------------------------------------------ talking
    def _tell(self, event: Event | acts.DealHole | LateWord) -> None:
        line = captions.told(event)
        if line is not None:
            self.out.print(f"  {line[self.wishes.language]}", style="dim")

    def tell(self, verdict: Verdict, number: int) -> None:
        self.out.print(captions.played(verdict, number)[self.wishes.language])


EVENING = Path(simulator.__file__).parent / "evening.phhs"


def _sum_up(verdicts: list[Verdict], changed: int, late: int, elapsed_s: float) -> Summary:
    rounds = sorted(count for verdict in verdicts for count in verdict.rounds_to_final)
    mean = sum(rounds) / len(rounds) if rounds else 0.0
    return Summary(
        hands=len(verdicts),
        exact=sum(verdict.mismatch is None for verdict in verdicts),
        wrong_rulings=sum(verdict.wrong_rulings for verdict in verdicts),
        provisional_changed=changed,
        asked=sum(verdict.asked for verdict in verdicts) + late,
        alarms=sum(len(verdict.alarms) for verdict in verdicts),
        rounds_to_final=Rounds(round(mean, 2), rounds[int(0.99 * (len(rounds) - 1))] if rounds else 0),
        elapsed_s=round(elapsed_s, 2),
        mismatches=tuple(f"{v.mismatch.hand}: {v.mismatch.why}" for v in verdicts if v.mismatch is not None),
    )
