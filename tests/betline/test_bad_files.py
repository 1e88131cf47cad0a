"""Whatever a command takes as a file: a folder, a pipe, a device or nonsense there is one line, at once, and no traceback."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.betline.in_process import betline

NOWHERE = ("-p", "/dev/nowhere", "-d", "m100")
READ = {
    "calibrate": ("calibrate", "--config", "FILE"),
    "decode": ("decode", "m100", "FILE"),
    "decode --hex": ("decode", "m100", "FILE", "--hex"),
    "enroll chips": ("enroll", "chips", *NOWHERE, "--value", "100", "--file", "FILE"),
    "enroll deck": ("enroll", "deck", *NOWHERE, "--file", "FILE"),
    "enroll check": ("enroll", "check", "FILE", *NOWHERE),
    "journal verify": ("journal", "verify", "--journal", "FILE"),
    "journal verify --config": ("journal", "verify", "--config", "FILE"),
    "journal show": ("journal", "show", "--journal", "FILE"),
    "journal export": ("journal", "export", "x.phhs", "--journal", "FILE"),
    "profiles": ("profiles", "./FILE.toml"),
    "record --config": ("record", "--out", "x.betrec", "--config", "FILE"),
    "replay": ("replay", "FILE"),
    "replay readers": ("replay", "--through", "readers", "FILE"),
    "replay recording": ("replay", "FILE.betrec"),
    "rule --profile": ("rule", "--profile", "./FILE.toml"),
    "run": ("run", "--config", "FILE"),
    "run --check": ("run", "--check", "--config", "FILE"),
    "say --config": ("say", "undo", "--config", "FILE"),
    "say --socket": ("say", "undo", "--socket", "FILE"),
    "screen --config": ("screen", "--shot", "x.png", "--config", "FILE"),
    "screen --snapshot": ("screen", "--shot", "x.png", "--snapshot", "FILE"),
    "watch": ("watch", "./FILE", "-d", "m100", "--seconds", "1"),
    "watch --chips": ("watch", "/dev/nowhere", "-d", "m100", "--chips", "FILE"),
}
WRITTEN = {
    "init": ("init", "--yes", "--force", "FILE"),
    "journal export": ("journal", "export", "--force", "FILE.phhs", "--journal", "journal.db"),
}
NO_TEXT = {
    "latin": b"caf\xe9 \xff\xfe\n",
    "utf-16": "name,tag\n".encode("utf-16"),
    "nul": b"name,tag,value,kind,set,state\na\0b,E2,5,chip,x,in\n",
    "noise": bytes(range(256)) * 20,
    "prose": b"# A table\n\nSome words about it.\n",
    "empty": b"",
}
BYTES_ARE_ITS_FOOD = {"decode", "decode --hex"}


def is_content(command: str, content: str) -> bool:
    """An empty table.toml takes every default, an empty profile changes nothing, an empty register is a new one."""
    if command in BYTES_ARE_ITS_FOOD:
        return True
    settings = "--config" in READ[command] or "FILE.toml" in " ".join(READ[command])
    return (content in {"empty", "prose"} and settings) or (content == "empty" and command.startswith("enroll"))


WRONG = [(command, content) for command in READ for content in NO_TEXT if not is_content(command, content)]


@pytest.fixture(autouse=True)
def _never_wait() -> Iterator[None]:
    """A command that waits for a pipe fails here, not for ever."""
    signal.alarm(60)
    yield
    signal.alarm(0)


def lay(folder: Path, what: str) -> None:
    """Something that is no file, under every name that the commands above use."""
    for name in ("FILE", "FILE.toml", "FILE.betrec", "FILE.phhs"):
        match what:
            case "folder":
                (folder / name).mkdir()
            case "pipe":
                os.mkfifo(folder / name)
            case "device":
                (folder / name).symlink_to("/dev/null")
            case "loop":
                (folder / name).symlink_to(name)
            case content:
                (folder / name).write_bytes(NO_TEXT[content])


def refused(folder: Path, words: tuple[str, ...]) -> str:
    """The one line with which it ends."""
    done = betline(words, cwd=folder)
    assert done.returncode == 1, (done.stdout, done.stderr)
    (line,) = done.stderr.splitlines()
    assert line.startswith("betline: ")
    assert "FILE" in line or "/dev/nowhere" in line or "xxx" in line
    return line


@pytest.mark.parametrize("what", ["folder", "pipe", "device", "loop"])
@pytest.mark.parametrize("command", READ)
def test_what_is_no_file_is_one_line_at_once(tmp_path: Path, command: str, what: str) -> None:
    lay(tmp_path, what)
    refused(tmp_path, READ[command])


@pytest.mark.parametrize("what", ["folder", "pipe", "device", "loop"])
@pytest.mark.parametrize("command", WRITTEN)
def test_nothing_is_written_over_what_is_no_file(tmp_path: Path, command: str, what: str) -> None:
    lay(tmp_path, what)
    refused(tmp_path, WRITTEN[command])


@pytest.mark.parametrize(("command", "content"), WRONG)
def test_what_is_no_content_of_its_kind_is_one_line(tmp_path: Path, command: str, content: str) -> None:
    lay(tmp_path, content)
    refused(tmp_path, READ[command])


@pytest.mark.parametrize("command", [*READ, "init"])
def test_a_name_that_no_file_can_have_is_one_line(tmp_path: Path, command: str) -> None:
    words = (WRITTEN | READ)[command]
    refused(tmp_path, tuple(word.replace("FILE", "x" * 300) for word in words))


def test_a_recording_is_not_written_over_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "FILE")
    antennas = "".join(f'[[antenna]]\nreader = "w"\nnumber = {n}\nplace = "spot"\nseat = {n}\n' for n in (1, 2))
    (tmp_path / "table.toml").write_text(
        f'[table]\nseats = 2\n[[reader]]\nid = "w"\ndriver = "m100"\nport = "/dev/nowhere"\n{antennas}'
    )
    (tmp_path / "chips.csv").write_text("name,tag,value,kind,set,state\n")
    refused(tmp_path, ("record", "--out", "FILE"))
