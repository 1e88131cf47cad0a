"""Lines of the socket: read whatever comes, write what the table understands."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.commands import Answer, Say, Undo, Word
from controller.publish import lines as table
from controller.snapshot import Snapshot
from display.feed_lines import LONGEST, Hello, Reply, Snap, Splitter, Strange, command_line, read
from tests.display.samples import SAMPLES


@pytest.mark.parametrize("name", SAMPLES)
def test_what_the_table_writes_the_screen_reads(name: str) -> None:
    line = table.snapshot(SAMPLES[name])
    assert read(line) == Snap(SAMPLES[name])


def test_a_public_snapshot_is_read_as_one_with_nothing_more_to_tell() -> None:
    told = read(table.snapshot(Snapshot(table="home", epoch="e", n=3)))
    assert isinstance(told, Snap)
    assert (told.snapshot.table, told.snapshot.n, told.snapshot.unseen) == ("home", 3, ())


def test_greetings_and_answers_of_the_table_are_read() -> None:
    assert read(table.hello("dealer")) == Hello("dealer")
    assert read(table.hello("public")) == Hello("public")
    assert read(table.answer("7", None)) == Reply("7", "")
    assert read(table.answer("7", "no hand is open")) == Reply("7", "no hand is open")
    assert read(table.answer(None, "no command")) == Reply("", "no command")


@pytest.mark.parametrize("command", [Undo(), Say(4, Word("raise_to", 600)), Answer(question=3, reading=1)])
def test_what_the_screen_writes_the_table_reads(command: object) -> None:
    told = table.read(command_line("9", command).rstrip(), "dealer")  # type: ignore[arg-type]
    assert isinstance(told, table.CommandLine)
    assert (told.id, told.command, told.by) == ("9", command, "dealer")


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b"\xff\xfe",
        b'{"hello": 2}',
        b'{"hello": "1"}',
        b'{"snapshot": 5}',
        b'{"snapshot": {"table": "home"}}',
        b'{"snapshot": {"table": "home", "epoch": "e", "n": 1, "colour": "red"}}',
        b'{"snapshot": ' + b"[" * 5000 + b"]" * 5000 + b"}",
        None,
    ],
    ids=lambda line: str(line)[:40],
)
def test_a_line_that_cannot_be_read_is_told_in_one_line_and_never_raises(line: bytes | None) -> None:
    told = read(line)
    assert isinstance(told, Strange)
    assert told.why
    assert "\n" not in told.why


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.lists(st.binary(max_size=30).map(lambda b: b.replace(b"\n", b"")), max_size=8), st.integers(1, 40))
def test_lines_come_out_whole_however_they_are_chopped(sent: list[bytes], step: int) -> None:
    data = b"".join(line + b"\n" for line in sent)
    splitter = Splitter()
    got = [line for i in range(0, len(data), step) for line in splitter.feed(data[i : i + step])]
    assert got == [line for line in sent if line]


def test_a_line_without_end_costs_no_memory_and_the_next_one_is_read() -> None:
    splitter = Splitter()
    chunk = b"x" * (1 << 20)
    got = [line for _ in range(LONGEST // len(chunk) + 2) for line in splitter.feed(chunk)]
    assert got == []
    assert splitter.feed(b"\n" + msgspec.json.encode({"hello": 1}) + b"\n") == [None, b'{"hello":1}']
