"""`betline say`, as a process, against real dealer sockets."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller import commands
from controller import spoken as words
from controller.publish.feeds import Feeds
from controller.publish.requests import Reply
from controller.rulings.values import Word
from controller.snapshot import DealerSnapshot, Snapshot

BETLINE = [sys.executable, "-c", "from betline.main import main; main()", "say"]
ROOT = Path(__file__).parent.parent.parent


def say(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [*BETLINE, *words]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=60, check=False)


class Table:
    def __init__(self, folder: Path) -> None:
        self.dealer = folder / "dealer.sock"
        self.told: list[tuple[object, str]] = []
        self.numbers: list[int | None] = []  # of the snapshots that were seen
        self.error: str | None = None
        self.feeds = Feeds(folder / "public.sock", self.dealer, self.handle)

    def handle(self, command: object, by: str, reply: Reply, n: int | None = None, /) -> None:
        self.told.append((command, by))
        self.numbers.append(n)
        reply(self.error)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    made.feeds.start()
    made.feeds.show(Snapshot(table="home", epoch="e", n=1), DealerSnapshot(table="home", epoch="e", n=1))
    yield made
    made.feeds.stop()


def test_words_reach_the_table_as_a_command(table: Table) -> None:
    done = say("4", "raise", "to", "600", "--socket", str(table.dealer))
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")
    assert table.told == [(commands.Say(4, Word("raise_to", 600)), "say")]


def test_a_word_carries_the_number_of_the_snapshot_that_was_seen(table: Table) -> None:
    assert say("4", "call", "--seen", "17", "--socket", str(table.dealer)).stdout == "ok\n"
    assert say("4", "call", "--socket", str(table.dealer)).stdout == "ok\n"
    assert table.numbers == [17, None]


def test_what_the_table_refuses_is_one_line_and_status_1(table: Table) -> None:
    table.error = "Seat 4 is not to act"
    done = say("4", "fold", "--socket", str(table.dealer))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "betline: Seat 4 is not to act\n")


def test_the_socket_is_found_from_the_configuration(table: Table, tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(
        '[table]\nseats = 2\n[[reader]]\nid = "w"\ndriver = "tablelink"\nport = "/dev/null"\n'
        + "".join(f'[[antenna]]\nreader = "w"\nnumber = {n}\nplace = "spot"\nseat = {n}\n' for n in (1, 2))
    )
    assert say("undo", "--config", str(tmp_path / "table.toml")).stdout == "ok\n"
    assert say("redo", cwd=tmp_path).stdout == "ok\n"
    assert table.told == [(commands.Undo(), "say"), (commands.Redo(), "say")]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("abracadabra",), "betline: 'abracadabra' is not known: Say one of [SEAT] call"),
        (("stack", "5", "-1"), "betline: '-1' must be a whole number"),
        (("seat", "777", "out"), "betline: '777' is no seat: say its number"),
        (("4", "raise", "999999999999999999999"), "must be a whole number"),
    ],
)
def test_absurd_words_are_one_line_and_reach_nobody(table: Table, words: tuple[str, ...], part: str) -> None:
    done = say(*words, "--socket", str(table.dealer))
    assert done.returncode == 1
    assert part in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert table.told == []


def test_the_help_shows_every_form_of_words() -> None:
    """Whoever learns the words here learns all of them."""
    told = say("--help").stdout
    for head in words.FORMS[1:]:
        assert f"say {head.split()[0]}" in told or head.split()[0] in told, head
    assert "overrule seat 2 to 600" in told
    assert "out of turn 5 call" in told


def test_nobody_listening_is_one_line(tmp_path: Path) -> None:
    done = say("undo", "--socket", str(tmp_path / "absent.sock"))
    assert done.returncode == 1
    assert done.stderr.endswith("start betline run, or name the socket with --socket\n")


def test_a_table_that_does_not_answer_is_one_line(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as silent:
        silent.bind(str(tmp_path / "s.sock"))
        silent.listen()
        done = say("undo", "--socket", str(tmp_path / "s.sock"), "--timeout", "0.3")
        asked, _ = silent.accept()
        with asked, asked.makefile("rb") as lines:
            line = lines.readline()
    assert json.loads(line)["command"] == {"type": "undo"}
    assert done.returncode == 1
    assert "no answer in 0.3 s" in done.stderr
