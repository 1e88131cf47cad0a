"""`betline watch` as people run it: a process of its own, on real pseudo-terminals, with and without a terminal."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serial
from rich.console import Console

from betline.watch.command import Changes
from betline.watch.view import GONE_ROUNDS, HERE_ROUNDS, WRONG_DRIVER, Watched
from controller.places import Place, Zone
from controller.registry.registry import Item
from firmware_bridge.events import BadFrame, ReaderFault, ReaderLost, ReaderUp, ScanRound, Sighting
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.flashed import Flashed
from simulator.terminals import Terminals
from tests.betline.person import take_interrupts

PATIENCE_S = 60.0  # a limit for a broken build on a busy machine
TRAY, SPOT = Place(Zone.TRAY, 1), Place(Zone.SPOT, 1)
CHIPS = ("E004010000000001", "E004010000000002")
BETLINE = [sys.executable, "-c", "from betline.main import main; main()", "watch"]


@pytest.fixture
def path(tmp_path: Path) -> Iterator[str]:
    field = Field({("r", 1): TRAY, ("r", 2): SPOT})
    field.lay(CHIPS, TRAY)
    with Terminals(tmp_path) as terminals:
        yield terminals.add("reader", catalog.make("tablelink", "r", Radio(field, Noise(uneven=0)), speed=5))


def watch(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*BETLINE, *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False, **more)


def test_a_flashed_board_tells_what_a_transaction_costs(tmp_path: Path) -> None:
    field = Field({("r", 1): TRAY, ("r", 2): SPOT})
    field.lay(CHIPS, TRAY)
    with Terminals(tmp_path) as terminals:
        done = watch(
            terminals.add("seat", Flashed("r", Radio(field, Noise(uneven=0)))), "-d", "tablelink", "--seconds", "4"
        )
    lines = done.stdout.splitlines()
    assert any(line.startswith("up: betline-fw 1") for line in lines)
    told = [line for line in lines if line.startswith("radio of antenna")]
    assert sorted(line.split(":")[0][-1] for line in told) == ["1", "2"]
    assert all("100 us a transaction" in line or "101 us a transaction" in line for line in told), told


def test_json_prints_events_as_lines_and_ends_after_the_seconds(path: str) -> None:
    done = watch(path, "--driver", "tablelink", "--json", "--seconds", "2")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert any(line["event"] == "reader" and "betline-virtual" in line["identity"] for line in lines)
    seen = [line for line in lines if line["event"] == "tags" and line["antenna"] == 1 and line["complete"]]
    assert seen
    assert all(set(line["tags"]) == set(CHIPS) for line in seen)
    assert all(0 <= line["at_ms"] < PATIENCE_S * 1000 for line in lines)


def test_without_a_terminal_it_prints_changes_line_by_line(path: str) -> None:
    done = watch(path, "-d", "tablelink", "--seconds", "2")
    assert done.returncode == 0
    assert any(line.startswith("up: betline-virtual") for line in done.stdout.splitlines())
    assert f"antenna 1: 2 tags +{CHIPS[0]} +{CHIPS[1]}" in done.stdout.splitlines()
    assert "antenna 2: 0 tags" in done.stdout.splitlines()
    assert "\x1b" not in done.stdout


def test_on_a_terminal_it_shows_names_and_values_and_ctrl_c_is_a_good_end(path: str, tmp_path: Path) -> None:
    chips = tmp_path / "chips.csv"
    chips.write_text(f"name,tag,value,kind,set,state\nr100-001,{CHIPS[0]},100,chip,red,in\n")
    master, slave = os.openpty()
    words = [path, "-d", "tablelink", "--chips", str(chips)]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    process = subprocess.Popen(
        [*BETLINE, *words],
        stdout=slave,
        stderr=slave,
        env=environment,
        preexec_fn=take_interrupts,  # noqa: PLW1509  -- the child alone, before it runs anything
    )
    os.close(slave)
    shown = b""
    while b"r100-001" not in shown or b"up: betline-virtual" not in shown:
        shown += os.read(master, 4096)
    process.send_signal(signal.SIGINT)
    try:
        while more := os.read(master, 4096):
            shown += more
    except OSError:  # EIO: it has ended
        pass
    assert process.wait(PATIENCE_S) == 0
    assert b"100" in shown
    assert b"Traceback" not in shown
    os.close(master)


def test_a_missing_port_is_one_line_with_what_is_there(tmp_path: Path) -> None:
    done = watch(str(tmp_path / "ttyUSB9"), "-d", "m100")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(f"betline: {tmp_path}/ttyUSB9: no such port: there ")
    assert done.stderr.count("\n") == 1


def test_a_busy_port_names_who_has_it(path: str) -> None:
    with serial.Serial(path, exclusive=True):
        done = watch(path, "-d", "tablelink")
    assert done.returncode == 1
    assert f"(pid {os.getpid()}) has it open: stop that first" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("-d", "tablelnik"), "did you mean 'tablelink'?"),
        (("-d", "m100", "-o", "quiet=4"), "did you mean 'quiet_ms'?"),
        (("-d", "m100", "-o", "quiet"), "write it as key=value"),
        (("-d", "m100", "--chips", "/nowhere/chips.csv"), "/nowhere/chips.csv"),
    ],
)
def test_wrong_words_are_one_line_with_the_cure(words: tuple[str, ...], told: str) -> None:
    done = watch("/dev/null", *words)
    assert done.returncode == 1
    assert told in done.stderr
    assert done.stderr.startswith("betline: ")
    assert done.stderr.count("\n") == 1


def test_a_reader_that_never_answers_is_told_as_such_at_the_end(tmp_path: Path) -> None:
    class Mute:
        def receive(self, data: bytes, at_ns: int) -> bytes:
            return b""

        tick = receive

        def wake_at_ns(self) -> int | None:
            return None

    with Terminals(tmp_path) as terminals:
        done = watch(terminals.add("mute", Mute()), "-d", "tablelink", "--seconds", "0.5")  # type: ignore[arg-type]
    assert done.returncode == 1
    assert "no tablelink reader answered" in done.stderr
    assert "right driver, baud and cable" in done.stderr


class Stranger:
    """A reader of another family: eight bytes that no M100 would send, fifty times a second."""

    def __init__(self) -> None:
        self._next_ns = 0

    def receive(self, data: bytes, at_ns: int) -> bytes:
        del data, at_ns
        return b""

    def tick(self, at_ns: int) -> bytes:
        self._next_ns = at_ns + S // 50
        return bytes(range(1, 9))

    def wake_at_ns(self) -> int | None:
        return self._next_ns


def test_the_wrong_driver_is_hinted_at_and_floods_nothing(tmp_path: Path) -> None:
    with Terminals(tmp_path) as terminals:
        done = watch(terminals.add("stranger", Stranger()), "-d", "m100", "--seconds", "2.5")
    assert done.returncode == 1
    assert "no m100 reader answered" in done.stderr
    lines = done.stdout.splitlines()
    assert lines.count(WRONG_DRIVER) == 1
    damaged = [line for line in lines if line.startswith("damaged frame: ")]
    assert 2 <= len(damaged) <= 6, "the first of each reason, the counts before the hint and at the end"
    assert int(re.findall(r"\(x(\d+)\)$", damaged[-1])[0]) > 10
    assert len(lines) <= 10


# ---------------------------------------------------------------- what is counted

S = 1_000_000_000


def round_of(number: int, *tags: str, complete: bool = True) -> ScanRound:
    return ScanRound("r", 1, number * S, number * S + S // 2, complete, tuple(Sighting(tag, -50) for tag in tags))


def watched(*events: Any, names: dict[str, Item] | None = None) -> Watched:
    seen = Watched("/dev/x", "m100", names or {})
    for event in events:
        seen.take(event)
    return seen


def test_a_round_without_a_tag_is_a_miss_only_when_the_tag_is_seen_again() -> None:
    antenna = watched(round_of(1, "AA"), round_of(2), round_of(3, "AA"), round_of(4)).antennas[1]
    assert (antenna.tags["AA"].seen, antenna.tags["AA"].missed, antenna.tags["AA"].unseen) == (2, 1, 1)
    assert antenna.miss_share == pytest.approx(1 / 3)


def test_a_tag_lies_there_until_several_rounds_have_not_seen_it() -> None:
    rounds = [round_of(n, "AA") for n in range(1, 20)] + [round_of(20 + n) for n in range(HERE_ROUNDS + 1)]
    assert watched(*rounds[:-1]).antennas[1].here == ("AA",)
    assert watched(*rounds).antennas[1].here == ()


def test_a_tag_that_most_rounds_do_not_see_is_a_stray_and_spoils_no_figure() -> None:
    rounds = [round_of(n, "AA", *(["BB"] if n % 5 == 0 else [])) for n in range(1, 21)]
    antenna = watched(*rounds).antennas[1]
    assert antenna.tags["BB"].is_stray
    assert antenna.here == ("AA",)
    assert antenna.miss_share == 0


def test_a_round_that_is_not_complete_is_no_miss() -> None:
    antenna = watched(round_of(1, "AA"), round_of(2, complete=False), round_of(3, "AA")).antennas[1]
    assert (antenna.tags["AA"].missed, antenna.incomplete) == (0, 1)


def test_a_tag_that_stays_away_is_no_longer_listed() -> None:
    rounds = [round_of(2 + n) for n in range(GONE_ROUNDS + 1)]
    assert "AA" in watched(round_of(1, "AA"), *rounds[:-1]).antennas[1].tags
    assert "AA" not in watched(round_of(1, "AA"), *rounds).antennas[1].tags


def test_rounds_a_second_come_from_the_rounds_own_times() -> None:
    assert watched(*(round_of(n) for n in range(1, 11))).antennas[1].rate == pytest.approx(10 / 9.5)


def test_a_lost_reader_shows_no_tags_any_more() -> None:
    seen = watched(ReaderUp("r", 1, "M100"), round_of(1, "AA"), ReaderLost("r", 2, "unplugged"))
    assert seen.state == "lost: unplugged"
    assert seen.antennas[1].here == ()


def bad(at_ms: int, reason: Any = "noise") -> BadFrame:
    return BadFrame("r", at_ms * 1_000_000, reason, b"\1\2")


def told(capsys: pytest.CaptureFixture[str], *events: Any) -> list[str]:
    seen = watched()
    changes = Changes(seen)
    with changes.frame():
        for event in events:
            seen.take(event)
            changes.take(event)
    return capsys.readouterr().out.splitlines()


def test_damaged_frames_of_a_kind_are_one_line_and_their_number(capsys: pytest.CaptureFixture[str]) -> None:
    up = ReaderUp("r", 1, "M100 V1")
    frames = [bad(n, "noise" if n % 2 else "checksum") for n in range(70)]
    assert told(capsys, up, *frames, ReaderLost("r", 2, "unplugged")) == [
        "up: M100 V1",
        "damaged frame: checksum, 2 bytes",
        "damaged frame: noise, 2 bytes",
        "damaged frame: checksum (x35)",
        "damaged frame: noise (x35)",
        "lost: unplugged",
    ]


def test_damage_that_goes_on_is_told_again_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(capsys, ReaderUp("r", 1, "M100 V1"), *(bad(100 * n) for n in range(251)))
    assert lines[1:] == ["damaged frame: noise, 2 bytes", *(f"damaged frame: noise (x{n})" for n in (101, 201, 251))]


def test_only_a_second_of_nothing_but_damage_is_a_wrong_driver() -> None:
    assert not watched(bad(0), bad(999)).looks_wrong
    assert watched(bad(0), bad(500), bad(1000)).looks_wrong
    assert not watched(bad(0), ReaderUp("r", 1, "M100"), bad(1000)).looks_wrong
    assert not watched(bad(0), round_of(1, "AA"), bad(1000)).looks_wrong
    assert not watched(bad(0), ReaderFault("r", 2, "20", "no free channel"), bad(1000)).looks_wrong
    console = Console(width=120)
    with console.capture() as capture:
        console.print(watched(bad(0), bad(1000)).view())
    assert WRONG_DRIVER in capture.get()


def test_the_view_names_items_values_faults_and_damage() -> None:
    names = {"AA": Item("r100-001", "AA", "chip", 100), "BB": Item("r500-001", "BB", "chip", 500)}
    events = (
        ReaderUp("r", 1, "M100 V1"),
        ReaderFault("r", 2, "20", "no free channel"),
        BadFrame("r", 3, "checksum", b"\1"),
        round_of(4, "AA", "BB", "CC"),
    )
    console = Console(width=120)
    with console.capture() as capture:
        console.print(watched(*events, names=names).view())
    shown = capture.get()
    for text in ("m100 on /dev/x", "up: M100 V1", "20: no free channel", "damaged frames: 1", "600", "r500-001", "CC"):
        assert text in shown
