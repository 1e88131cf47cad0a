"""`betline decode`: reader bytes in, JSON lines out; every published frame of the readers that have a driver."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from betline.decode.command import LONGEST_LINE
from betline.main import app
from firmware_bridge.drivers.catalog import DRIVERS
from firmware_bridge.events import Sighting
from firmware_bridge.wire.tablelink import Fault, Hello, Snapshot, pack

ROOT = Path(__file__).parents[2]
NOTICE = "BB 02 22 00 11 C4 30 00 E2 00 00 1D 73 15 01 65 21 40 8F C6 B8 3E C2 7E"
NO_TAG = "BB 01 FF 00 01 15 16 7E"
TAG = "E200001D7315016521408FC6"


def decode(*arguments: str, given: str | bytes = b"") -> tuple[list[dict[str, Any]], int, str]:
    """Lines, exit status, and standard error, as a shell sees them."""
    command = [sys.executable, "-c", "from betline.main import main; main()", "decode", *arguments]
    data = given.encode() if isinstance(given, str) else given
    done = subprocess.run(command, input=data, capture_output=True, check=False, cwd=ROOT)
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode, done.stderr.decode()


def decoded(driver: str, hex_text: str, *options: str) -> list[dict[str, Any]]:
    done = CliRunner().invoke(app, ["decode", driver, "--hex", *options], input=hex_text)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def tags_of(lines: list[dict[str, Any]]) -> list[str]:
    return [tag for line in lines if line["event"] == "tags" for tag in line["tags"]]


def test_pending_tags_at_the_end_of_input_have_no_round_end() -> None:
    (line,) = decoded("m100", NOTICE)
    assert line == {
        "event": "tags",
        "tags": [TAG],
        "antenna": 1,
        "round_end": False,
        "complete": False,
        "rssi_dbm": [-60],
    }


def test_a_round_that_the_reader_ended_says_so() -> None:
    (line,) = decoded("m100", f"{NOTICE}\n{NO_TAG}\n")
    assert (line["tags"], line["round_end"], line["complete"]) == ([TAG], True, True)


def test_a_frame_may_lie_on_two_lines_and_two_frames_on_one() -> None:
    assert tags_of(decoded("m100", NOTICE[:30] + "\n" + NOTICE[30:])) == [TAG]
    assert tags_of(decoded("m100", NOTICE + NO_TAG + NOTICE + NO_TAG)) == [TAG, TAG]


def test_a_damaged_frame_yields_no_tag_and_costs_no_other() -> None:
    lines = decoded("m100", NOTICE.replace("E2 00", "E2 01") + NOTICE + NO_TAG)
    assert [line["event"] for line in lines] == ["bad_frame", "tags"]
    assert (lines[1]["tags"], lines[1]["complete"]) == ([TAG], False)


def test_options_reach_the_driver() -> None:
    wrong_crc = "BB 02 22 00 11 C4 30 00 E2 00 00 1D 73 15 01 65 21 40 8F C6 B8 3F C3 7E"
    assert tags_of(decoded("m100", wrong_crc)) == []
    assert tags_of(decoded("m100", wrong_crc, "-o", "epc_crc=false")) == [TAG]


def test_a_file_of_bytes_is_read_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "capture.bin"
    hello = Hello(7, 1000, (), "west 1.0")
    spot = Snapshot(2, 0, 1, 90, True, (Sighting("E0040150954F02B1"),))
    file.write_bytes(b"banner\r\n" + pack(hello, 0) + pack(spot, 1) + pack(Fault(2, 1, "no load"), 2))
    lines, status, errors = decode("tablelink", str(file))
    assert [line["event"] for line in lines] == ["bad_frame", "reader", "tags", "reader_error"]
    assert lines[1]["identity"] == "west 1.0 boot 00000007"
    assert lines[2] == {
        "event": "tags",
        "tags": ["E0040150954F02B1"],
        "antenna": 2,
        "round_end": True,
        "complete": True,
    }
    assert (status, errors) == (0, "")


def test_a_line_that_is_not_hex_is_named_and_passed_over() -> None:
    lines, status, errors = decode("m100", "--hex", given=f"{NO_TAG}\nBB 0\n\n# a note\nnothing\n{NO_TAG} # empty\n")
    assert len(lines) == 2
    assert status == 1
    assert [line.partition(":")[0] for line in errors.splitlines()] == ["betline", "betline"]
    assert "standard input, line 2: 'BB 0' is not hex" in errors
    assert "line 5: 'nothing'" in errors


def test_an_endless_line_is_named_and_passed_over() -> None:
    lines, status, errors = decode("m100", "--hex", given="B" * (3 * LONGEST_LINE) + "\n" + NO_TAG)
    assert (len(lines), status) == (1, 1)
    assert "line 1: longer than" in errors


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("m10",), "did you mean 'm100'?"),
        (("m100", "-o", "quite_ms=3"), "did you mean 'quiet_ms'?"),
        (("m100", "-o", "quiet_ms"), "key=value"),
        (("m100", "-o", "q=99"), "option `q`"),
        (("m100", "nowhere.bin"), "nowhere.bin: No such file"),
        (("m100", "."), ".: is a folder"),
    ],
)
def test_what_cannot_be_is_one_line_with_the_cure(arguments: tuple[str, ...], says: str) -> None:
    lines, status, errors = decode(*arguments)
    assert (lines, status, errors.count("\n")) == ([], 1, 1)
    assert errors.startswith("betline: ")
    assert says in errors


def test_each_line_is_there_before_the_input_ends() -> None:
    command = [sys.executable, "-c", "from betline.main import main; main()", "decode", "m100"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, bufsize=0, **pipes) as running:  # type: ignore[call-overload]
        running.stdin.write(bytes.fromhex(NO_TAG))
        assert json.loads(running.stdout.readline())["tags"] == []
        running.stdin.close()
        assert running.wait(20) == 0


@pytest.mark.parametrize("driver", DRIVERS)
def test_garbage_ends_well(driver: str) -> None:
    lines, status, errors = decode(driver, given=random.Random(7).randbytes(200_000))
    assert tags_of(lines) == []
    assert (status, errors) == (0, "")
