"""`betline demo` as people start it: whole hands on pseudo-terminals, and nothing left behind however it ends."""

import contextlib
import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from betline.demo import broker as demo_broker
from betline.demo import captions
from betline.demo import keys as demo_keys
from betline.demo import run as demo_run
from betline.demo import table as demo_table
from betline.demo.controller import Report, Reporter, spots_of
from betline.demo.people import People
from betline.demo.run import EVENING, Wishes, play
from controller.commands import Award, NextHand, NextStreet
from controller.config import config as settings
from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from controller.places import Place, Zone
from controller.rulings.values import Ruling
from controller.table import events as e
from controller.table.events import Event
from controller.texts.languages import tables
from display.labels import labels
from firmware_bridge.errors import BetlineError
from firmware_bridge.events import ReaderEvent, ScanRound
from simulator import acts
from simulator.director import evening
from simulator.players import Dice
from simulator.script import Script
from tests.betline.person import take_interrupts
from tests.controller.core_table import CoreTable, dealt, spot
from tests.controller.publish.broker import MOSQUITTO, Listener, eventually
from tests.controller.two_languages import both

PATIENCE_S = 150  # only a broken demo takes so long; two hands take some ten seconds
KEYS = (
    "hands",
    "exact",
    "wrong_rulings",
    "provisional_changed",
    "asked",
    "alarms",
    "rounds_to_final",
    "elapsed_s",
    "mismatches",
)


class Demo:
    """A demo in a session of its own, with a temporary folder of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "betline", "demo", "--headless", *options],
            env=os.environ | {"TMPDIR": str(folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=take_interrupts,  # noqa: PLW1509  -- the child alone, before it runs anything
        )

    def ended(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out, err

    def says(self, words: str) -> str:
        """Wait for a line on standard error; all up to it."""
        assert self.process.stderr is not None
        said = ""
        for line in self.process.stderr:
            said += line
            if words in line:
                return said
        raise AssertionError(f"it ended before it said {words!r}: {said}")

    def left(self) -> list[str]:
        """Command lines of processes of its session that still live."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = stat.read_text().rpartition(")")[2].split()
                if int(fields[3]) == self.process.pid and fields[0] != "Z":
                    found.append(stat.with_name("cmdline").read_text().replace("\0", " "))
        return found

    def files(self) -> list[Path]:
        return list(self.folder.iterdir())

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Demo]]:
    demos: list[Demo] = []

    def start_one(*options: str) -> Demo:
        demos.append(Demo(tmp_path, *options))
        return demos[-1]

    yield start_one
    for demo in demos:
        demo.close()


# ---------------------------------------------------------------- whole hands
@pytest.mark.parametrize("table", ["full", "spots-only"])
def test_two_hands_are_decided_as_they_were_played(start: Callable[..., Demo], table: str) -> None:
    demo = start("--hands", "2", "--seed", "7", "--speed", "50", "--json", "--table", table)
    status, out, err = demo.ended()
    assert (status, err) == (0, ""), out
    summary = json.loads(out)
    assert tuple(summary) == KEYS
    assert (summary["hands"], summary["exact"], summary["wrong_rulings"], summary["mismatches"]) == (2, 2, 0, [])
    assert summary["rounds_to_final"]["mean"] >= 3, "no ruling is final before the sequential test"
    assert summary["rounds_to_final"]["p99"] >= summary["rounds_to_final"]["mean"]
    eventually(lambda: demo.left() == [], "every process of it ends")
    assert demo.files() == []


def test_a_hand_is_played_with_radio_and_people_as_they_are(start: Callable[..., Demo]) -> None:
    words = ("--radio", "hand", "--radio", "muxed:readers=6", "--radio", "late-bytes:seconds=0.5")
    status, out, err = start("--hands", "1", "--seed", "7", "--speed", "20", "--json", *words).ended()
    assert (status, err) == (0, ""), out
    assert json.loads(out)["exact"] == 1


def test_a_model_that_there_is_not_is_one_line_before_anything_opens(start: Callable[..., Demo]) -> None:
    status, out, err = start("--radio", "blnd", "--json").ended()
    assert (status, out) == (1, "")
    assert err.startswith("betline: --radio blnd: no such model: one of blind, ")
    assert err.count("\n") == 1


# ---------------------------------------------------------------- ended by people
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_whoever_ends_it_gets_the_sum_and_nothing_is_left(start: Callable[..., Demo], number: signal.Signals) -> None:
    demo = start("--seed", "3", "--speed", "20")
    demo.says("screen")
    demo.process.send_signal(number)
    status, out, err = demo.ended()
    assert status == 0
    assert out.startswith("hands played: ")
    assert "Traceback" not in err
    eventually(lambda: demo.left() == [], "every process of it ends")
    assert demo.files() == []


def test_the_first_hand_has_named_people_and_a_question(start: Callable[..., Demo]) -> None:
    """And all that it says is in the language that it began in."""
    demo = start("--hands", "1", "--speed", "40", "--language", "ru")
    status, out, err = demo.ended()
    assert status == 0
    lines = err.splitlines()
    assert any("слово сказано поздно" in line for line in lines)
    assert "раздача 1: 14 действий, всё как записано" in lines
    assert out.startswith("раздач: 1, точно как записано: 1, неверных решений: 0, вопросов дилеру: 1, за ")
    commands = re.compile(r"[Mm]osquitto|betline|--headless")
    assert [line for line in lines if re.search(r"[a-z]{4,}", commands.split(line)[0])] == []


def test_everybody_at_the_demo_has_a_name() -> None:
    recorded = [one for one in history.read(EVENING) if isinstance(one, RecordedHand)]
    seats = {seat: name for hand in recorded for seat, name in zip(hand.seats or (), hand.players, strict=True)}
    assert len(set(seats.values())) == len(seats) == 6
    assert not [name for name in seats.values() if "Player" in name]


def test_an_evening_that_was_cut_short_is_no_success(start: Callable[..., Demo]) -> None:
    demo = start("--hands", "20", "--speed", "20")
    demo.says("screen")
    demo.process.send_signal(signal.SIGINT)
    assert demo.ended()[0] == 1


def test_the_controller_of_a_demo_that_was_killed_ends_by_itself(start: Callable[..., Demo]) -> None:
    demo = start("--speed", "20")
    demo.says("screen")
    assert any("spawn" in line for line in demo.left())
    demo.process.kill()
    demo.process.wait()
    eventually(lambda: not [line for line in demo.left() if "mosquitto" not in line], "the controller ends")


def test_it_tells_where_to_look_and_how_to_stop(start: Callable[..., Demo]) -> None:
    demo = start("--speed", "20")
    said = demo.says("screen")
    for words in ("Ctrl-C", "broker", "topics betline/demo/#", "betline say --config", "--headless"):
        assert words in said
    assert said.startswith("betline demo: a table made of software. Ctrl-C ends it.\n"), (
        "at once, before anything opens"
    )
    assert "  The antennas count every chip" in demo.says("The antennas"), "it lives before the first ruling"
    assert "  Hand 1, button at seat " in demo.says("Hand 1")
    assert "  Seat " in demo.says("Call "), "every ruling is told"


def test_a_demo_that_was_recorded_can_be_replayed(start: Callable[..., Demo], tmp_path: Path) -> None:
    file = tmp_path.parent / f"{tmp_path.name}.betrec"
    demo = start("--hands", "1", "--seed", "7", "--speed", "50", "--record", str(file))
    assert f"betline replay {file}" in demo.says("replay")
    assert demo.ended()[0] == 0
    replayed = subprocess.run(
        [sys.executable, "-m", "betline", "replay", str(file)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (replayed.returncode, replayed.stderr) == (0, "")
    assert "decided as recorded" in replayed.stdout


def test_a_recording_is_never_written_over(start: Callable[..., Demo], tmp_path: Path) -> None:
    file = tmp_path.parent / f"{tmp_path.name}.betrec"
    file.write_bytes(b"precious")
    status, _, err = start("--hands", "1", "--record", str(file)).ended()
    assert status == 1
    assert err.splitlines()[-1] == f"betline: {file}: is there already: take another name"
    assert file.read_bytes() == b"precious"


def test_every_table_of_a_long_evening_has_a_recording_of_its_own() -> None:
    first = wishes(record="/x/evening.betrec")
    assert [demo_run._next_record(first, tables).record for tables in (0, 1, 2)] == [
        "/x/evening.betrec",
        "/x/evening-2.betrec",
        "/x/evening-3.betrec",
    ]
    assert demo_run._next_record(wishes(), 1).record == ""


ASKED = e.Asked(1, 4, Ruling(None, "option_ask", {}), (), "confirm")


@pytest.mark.parametrize(
    ("event", "en", "ru"),
    [
        (
            e.PlacesCounted({"r1": spot(1), "As": Place(Zone.BANK)}),
            "Counted: 2 chips and cards lie still",
            "Сосчитано: на месте 2",
        ),
        (e.HandStarted(7, 3, (), (), 100), "Hand 7, button at seat 3", "Раздача 7, баттон у места 3"),
        (e.Posted(2, "small_blind", 50, all_in=False), "Seat 2: posts 50", "Место 2: ставит 50"),
        (e.Posted(2, "ante", 25_000, all_in=True), "Seat 2: posts 25000", "Место 2: ставит 25000"),
        (acts.DealHole(2, "As"), "The dealer deals ...", "Дилер сдаёт ..."),
        (e.DealingEnded(4), "Cards are out", "Карты розданы"),
        (ASKED, "Seat 4: the table asks the dealer", "Место 4: вопрос дилеру"),
        (e.StreetOpened("flop", ("red:As", "Td", "7c"), 3), "Flop  As Td 7c", "Флоп  As Td 7c"),
        (e.StreetOpened("turn", (), None), "Turn", "Тёрн"),
        (
            e.PotAwarded(0, (e.Share(2, 600), e.Share(5, 600)), "best_hand"),
            "Seat 2 wins 600, Seat 5 wins 600",
            "Место 2 выигрывает 600, Место 5 выигрывает 600",
        ),
    ],
)
def test_a_hand_is_told_as_people_speak_of_it(event: Event, en: str, ru: str) -> None:
    assert both(captions.told(event)) == {"en": en, "ru": ru}


def test_the_first_look_of_the_antennas_is_told() -> None:
    assert both(captions.counting()) == {
        "en": "The antennas count every chip ...",
        "ru": "Антенны считают все фишки ...",
    }


def test_every_text_of_the_demo_is_used() -> None:
    source = "".join(file.read_text(encoding="utf-8") for file in Path(captions.__file__).parent.glob("*.py"))
    streets = {f"demo_{street}" for street in labels("en").streets}
    assert [key for key in tables("en")["demo"] if f'"{key}"' not in source and key not in streets] == []


def test_what_nobody_speaks_of_is_not_told() -> None:
    assert captions.told(e.TurnPassed(3)) is None
    assert captions.told(e.ItemsMoved((), "push")) is None


# ---------------------------------------------------------------- brokers
def wishes(**changed: object) -> Wishes:
    plain = {"headless": True, "hands": 1, "seed": 1, "speed": 50.0, "spots_only": False, "noise": 0.0}
    return Wishes(**(plain | {"language": "en", "quiet": True} | changed))  # type: ignore[arg-type]


def test_without_any_broker_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    monkeypatch.setitem(sys.modules, "iotcore", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with pytest.raises(BetlineError, match="no MQTT broker: install Mosquitto"):
        play(wishes())
    assert list(tmp_path.iterdir()) == []
    assert multiprocessing.active_children() == []


def test_the_broker_in_a_wheel_takes_the_place_of_mosquitto(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("iotcore", reason="the embedded broker is not installed (pip install 'betline[broker]')")
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with demo_broker.broker(tmp_path) as running:
        assert running.name == "iotcore"
        listener = Listener(running.port)
        listener.publish("betline/demo/turn", b"4", retain=True)
        eventually(lambda: listener.latest("betline/demo/turn") == b"4", "the message")
        listener.close()


@pytest.mark.skipif(MOSQUITTO is None, reason="Mosquitto is not installed (apt install mosquitto)")
def test_a_port_that_somebody_took_meanwhile_is_left_to_him(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    free_port = demo_broker._free_port
    with demo_broker.broker(tmp_path) as first:
        monkeypatch.setattr(demo_broker, "_free_port", lambda *, standard=True: first.port if standard else free_port())
        other = tmp_path / "other"
        other.mkdir()
        with demo_broker.broker(other) as second:
            assert second.port != first.port
            assert [running.name for running in (first, second)] == ["Mosquitto"] * 2


# ---------------------------------------------------------------- the poorest table
def scripts(count: int) -> list[Script]:
    recorded = [one for one in history.read(EVENING) if isinstance(one, RecordedHand)]
    found = evening(recorded, Dice(3), demo_keys.STYLE)
    return [next(found) for _ in range(count)]


def test_keys_say_what_no_antenna_shows() -> None:
    for script in scripts(12):
        keyed = demo_keys.with_keys(script)
        made = [cue.act for cue in keyed.cues]
        commands = [act.command for act in made if isinstance(act, acts.Key)]
        assert commands[0] == NextHand()
        assert not any(isinstance(act, (*demo_keys.UNSEEN, acts.Muck, acts.DealBoard)) for act in made)
        streets = sum(isinstance(cue.act, acts.DealBoard) for cue in script.cues)
        assert commands.count(NextStreet()) == streets
        folds = [act.seat for act in made if isinstance(act, acts.Say) and act.word.kind == "fold"]
        assert folds == [decision.seat for decision in script.decisions if decision.kind == "fold"], "each said once"
        first_pay = next(number for number, act in enumerate(made) if isinstance(act, acts.Pay))
        last_award = [n for n, a in enumerate(made) if isinstance(a, acts.Key) and isinstance(a.command, Award)]
        assert all(number < first_pay for number in last_award)
        moved = {move.item for act in made for move in act.moves}
        assert all(not item[0].isalpha() and item[1] not in "cdhs" for item in moved), "no card is moved"


def test_a_hand_that_one_player_won_unseen_needs_no_award() -> None:
    for script in scripts(12):
        alive = set(script.setting.stacks) - {d.seat for d in script.decisions if d.kind == "fold"}
        awards = [
            cue.act.command
            for cue in demo_keys.with_keys(script).cues
            if isinstance(cue.act, acts.Key) and isinstance(cue.act.command, Award)
        ]
        assert bool(awards) == (len(alive) > 1)


# ---------------------------------------------------------------- its table
@pytest.mark.parametrize("spots_only", [False, True])
def test_the_table_that_it_writes_is_read_back_as_it_is(tmp_path: Path, spots_only: bool) -> None:
    (script,) = scripts(1)
    config = demo_table.configuration(tmp_path, script.setting, spots_only=spots_only, broker_port=1883, language="ru")
    path, registry = demo_table.write_files(tmp_path, config, script.layout.values)
    assert settings.load(path) == config
    assert registry.values == script.layout.values
    assert (Zone.TRAY in {place.zone for place in demo_table.watched(config)}) != spots_only


def test_a_demo_in_a_hurry_has_shorter_times_and_the_same_tests() -> None:
    config = settings.Config()
    hurried = demo_table.hurried(config, 50)
    assert hurried.reading.quiet_ms == config.reading.quiet_ms // 50
    assert hurried.reading.steps == config.reading.steps
    assert demo_table.hurried(config, 10_000).reading.quiet_ms == demo_table.QUICKEST_QUIET_MS


# ---------------------------------------------------------------- reports
class Watched(CoreTable):
    """A core whose events also go to a reporter, as the service's do."""

    reporter: Reporter | None = None

    def take(self, event: ReaderEvent) -> list[Event]:
        events = super().take(event)
        if self.reporter is not None:
            self.reporter.took(event)
            self.reporter.committed(events, self.core)
        return events


def test_rounds_to_the_final_ruling_count_from_the_first_sighting() -> None:
    """However long the chips were on their way, and whatever the spot was scanned before."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    table = Watched()
    table.__dict__.update(dealt().__dict__)
    table.reporter = Reporter(theirs, spots_of(table.config))
    table.run(5000)
    table.push(1, 500, 100)
    rounds: list[ScanRound] = []
    take = table.take
    table.take = lambda event: (rounds.append(event), take(event))[1]  # type: ignore[method-assign, assignment, return-value, arg-type]
    table.still()
    while ours.poll(0):
        report = msgspec.msgpack.decode(ours.recv_bytes(), type=Report)
        if report.finals:
            break
    spot_rounds = [r for r in rounds if (r.reader, r.antenna) == ("seat1", 2)]
    ruled_by = next(n for n, r in enumerate(spot_rounds, 1) if r.ended_ns >= table.core.first_ns(1) + 1_500_000_000)
    assert report.finals == (ruled_by,)
    assert dict(report.lies) == {}
    assert report.events


def test_a_report_tells_what_tracking_decided_once() -> None:
    ours, theirs = multiprocessing.Pipe(duplex=False)
    table = Watched()
    table.__dict__.update(dealt().__dict__)
    table.reporter = Reporter(theirs, spots_of(table.config))
    table.run(100)
    while ours.poll(0):
        ours.recv_bytes()
    (name,) = table.push(1, 500)
    table.run(1000)
    told: list[tuple[str, Place]] = []
    while ours.poll(0):
        told += msgspec.msgpack.decode(ours.recv_bytes(), type=Report).lies
    assert told == [(name, spot(1))]


# ---------------------------------------------------------------- the dealer's key
REFUSED = e.Refused("nothing_to_confirm")


def test_agreement_that_came_a_moment_too_late_is_no_alarm_and_any_other_refusal_is_one() -> None:
    people = People(SimpleNamespace(), SimpleNamespace(), (), 1.0)  # type: ignore[arg-type]
    assert not people._came_too_late(REFUSED), "nobody agreed to anything"
    people._confirms = 1
    assert not people._came_too_late(e.Answered(7, None, "seat"))
    assert not people._came_too_late(e.Refused("no_question"))
    assert people._came_too_late(REFUSED)
    assert not people._came_too_late(REFUSED), "one key, one refusal"
    people._confirms = 1
    assert not people._came_too_late(e.Answered(8, None, "dealer")), "the key did it"
    assert not people._came_too_late(REFUSED)
