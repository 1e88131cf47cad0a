"""Recordings survive kills, cuts and damage: whole lines are read, all else is one clear line."""

import gzip
import json
import subprocess
import sys
import threading
import zlib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.commands import SetButton
from controller.config.config import Config
from controller.errors import RecordingError
from controller.recording import recorder as recorders
from controller.recording.file import (
    LEAST_ZEROS,
    Header,
    Line,
    Recording,
    Tick,
    Writer,
    decode_header,
    decode_line,
    encode,
)
from controller.recording.recorder import Recorder, file_for, header_of
from controller.table import events as e
from controller.table.inputs import Told
from firmware_bridge.events import BadFrame, ReaderLost, ReaderUp, ScanRound, Sighting

ROOT = Path(__file__).parents[3]
HEADER = Header(1, "0.1.0", Config(), "2026-05-01T19:30:00Z", ("bytes", "calls", "rounds", "ticks", "events"))
SCAN = ScanRound("west", 2, 10, 20, True, (Sighting("E0040150954F02B1", -60), Sighting("E0040150954F02B2")))
LINES = (
    Line(1, "west", call="start"),
    Line(2, "west", tx="0203"),
    Line(3, "west", rx="bb0222"),
    Line(4, "west", focus=(2, 1)),
    Line(5, "west", focus=()),
    Line(6, given=SCAN),
    Line(6, given=BadFrame("west", 6, "noise", b"\x00\xff")),
    Line(7, given=ReaderUp("west", 7, "v1")),
    Line(8, given=ReaderLost("west", 8, "unplugged")),
    Line(9, given=Told(9, SetButton(3), "say")),
    Line(10, given=Tick(10)),
    Line(11, event=e.ButtonMoved(3)),
    Line(12, dropped=4),
)


def written(path: Path, lines: tuple[Line, ...] = LINES, header: Header = HEADER) -> Path:
    writer = Writer(path, header)
    writer.write(lines)
    writer.close()
    return path


def read(path: Path) -> tuple[list[Line], bool]:
    with Recording(path) as recording:
        return list(recording.lines()), recording.torn


def attempt(path: Path) -> tuple[list[Line], bool, str]:
    """What is read, or else the error."""
    try:
        return *read(path), ""
    except RecordingError as error:
        return [], False, str(error)


def test_every_kind_of_line_comes_back_as_it_was(tmp_path: Path) -> None:
    path = written(tmp_path / "a.betrec")
    with Recording(path) as recording:
        assert recording.header == HEADER
        assert tuple(recording.lines()) == LINES
        assert not recording.torn


def test_the_file_is_gzip_of_json_lines_as_documented(tmp_path: Path) -> None:
    first, *others = gzip.decompress(written(tmp_path / "a.betrec").read_bytes()).decode().splitlines()
    header = json.loads(first)
    assert header["betrec"] == 1
    assert set(header) >= {"betrec", "version", "table", "began"}
    assert json.loads(others[1]) == {"t": 2, "port": "west", "tx": "0203"}
    assert json.loads(others[2]) == {"t": 3, "port": "west", "rx": "bb0222"}
    assert json.loads(others[10]) == {"t": 10, "in": {"type": "tick", "at_ns": 10}}
    assert json.loads(others[11])["event"]["type"] == "button"


def test_a_header_of_four_fields_is_enough(tmp_path: Path) -> None:
    table = {"schema": 1, "reader": [{"id": "west", "driver": "m100", "port": "/dev/ttyUSB0"}]}
    text = json.dumps({"betrec": 1, "version": "x", "table": table, "began": "2026-05-01T19:30:00Z"})
    path = tmp_path / "hand-made.betrec"
    path.write_bytes(gzip.compress(f'{text}\n{{"t": 1, "port": "west", "rx": "AA"}}\n'.encode()))
    with Recording(path) as recording:
        assert recording.header.holds == ("bytes", "events")
        assert list(recording.lines()) == [Line(1, "west", rx="AA")]


def test_a_recording_is_for_the_eyes_of_its_owner(tmp_path: Path) -> None:
    assert written(tmp_path / "a.betrec").stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    path = written(tmp_path / "a.betrec")
    before = path.read_bytes()
    with pytest.raises(RecordingError, match="is there already"):
        Writer(path, HEADER)
    assert path.read_bytes() == before


def test_what_was_flushed_is_read_before_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.betrec"
    writer = Writer(path, HEADER)
    writer.write(LINES[:5])
    writer.flush()
    assert read(path) == (list(LINES[:5]), True)
    writer.abandon()


WHOLE = zlib.compressobj(wbits=31)
DATA = WHOLE.compress(b"".join(map(encode, (HEADER, *LINES)))) + WHOLE.flush()


@settings(max_examples=150, derandomize=True)
@given(cut=st.integers(0, len(DATA) - 1), zeros=st.sampled_from([0, LEAST_ZEROS, 70_000]))
def test_a_cut_anywhere_leaves_the_lines_before_it(
    tmp_path_factory: pytest.TempPathFactory, cut: int, zeros: int
) -> None:
    """A power cut may leave blocks of zeros behind the cut."""
    path = tmp_path_factory.getbasetemp() / "cut.betrec"
    path.write_bytes(DATA[:cut] + bytes(zeros))
    lines, torn, said = attempt(path)
    if said:
        assert any(word in said for word in ("stops before its first line", "is empty", "is no recording"))
    else:
        assert torn
        assert lines == list(LINES[: len(lines)])


@settings(max_examples=300, derandomize=True)
@given(place=st.integers(0, len(DATA) - 1), bit=st.integers(0, 7))
def test_a_flipped_bit_is_an_error_or_no_harm(tmp_path_factory: pytest.TempPathFactory, place: int, bit: int) -> None:
    """The checksum stands at the end, so lines may be told before it fails; they never pass as a whole recording."""
    damaged = bytearray(DATA)
    damaged[place] ^= 1 << bit
    path = tmp_path_factory.getbasetemp() / "bit.betrec"
    path.write_bytes(damaged)
    lines, torn, said = attempt(path)
    if said:
        assert said.startswith(str(path))
        assert "\n" not in said
    else:
        assert torn or lines == list(LINES)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"\x1f", "is no recording"),
        (b"hello\n", "is no recording"),
        (gzip.compress(b"", mtime=0), "stops before its first line"),
        (gzip.compress(b"hello\n", mtime=0), "its first line names no betrec version"),
        (gzip.compress(b"[1]\n", mtime=0), "its first line names no betrec version"),
        (gzip.compress(b"\xff\xfe\n", mtime=0), "its first line names no betrec version"),
        (gzip.compress(b'{"betrec": 3}\n', mtime=0), "format 3, this betline reads 2"),
        (
            gzip.compress(b'{"betrec": 1, "version": "9", "table": {"new": 1}, "began": ""}\n', mtime=0),
            "made by betline 9",
        ),
        (DATA + b"x", "something follows its end"),
        (DATA + DATA, "something follows its end"),
        (gzip.compress(encode(HEADER) + b'{"t": 1, "what": 2}\n', mtime=0), "line 2: is no line of a recording"),
        (
            gzip.compress(encode(HEADER) + b'{"t": 1, "port": "w", "rx": "abc"}\n', mtime=0),
            "line 2: is no line of a recording",
        ),
        (gzip.compress(encode(HEADER) + b"\n", mtime=0), "line 2: is no line of a recording"),
    ],
)
def test_what_is_no_recording_is_one_line_that_names_the_file(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "strange.betrec"
    path.write_bytes(data)
    with pytest.raises(RecordingError) as caught:
        read(path)
    assert says in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_file_that_claims_to_be_huge_takes_no_memory(tmp_path: Path) -> None:
    pack = zlib.compressobj(wbits=31)
    path = tmp_path / "bomb.betrec"
    path.write_bytes(b"".join(pack.compress(bytes(1 << 20)) for _ in range(40)) + pack.flush())
    with pytest.raises(RecordingError, match="longer than"):
        read(path)


def test_a_header_says_which_betline_can_read_it() -> None:
    with pytest.raises(RecordingError, match=r"made by betline 0\.9"):
        decode_header(b'{"betrec": 1, "version": "0.9", "table": {}, "began": "", "later": 1}', "x.betrec")


# ---------------------------------------------------------------- the recorder
def test_a_recorder_writes_what_it_is_told_in_order(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "a.betrec")
    recorder.begin(HEADER)
    tap = recorder.tap("west")
    tap(1, "start", b"")
    tap(2, "tx", b"\x02\x03")
    tap(3, "rx", b"\xbb")
    tap(4, "focus", bytes((2, 1)))
    tap(4, "ask", b'{"1":["E004"]}')
    tap(5, "tick", b"")
    tap(6, "end", b"")
    recorder.ticked(7)
    recorder.told(SetButton(3), "say", 8)
    recorder.close()
    lines, torn = read(tmp_path / "a.betrec")
    assert not torn
    assert lines == [
        Line(1, "west", call="start"),
        Line(2, "west", tx="0203"),
        Line(3, "west", rx="bb"),
        Line(4, "west", focus=(2, 1)),
        Line(4, "west", ask={1: ("E004",)}),
        Line(5, "west", call="tick"),
        Line(6, "west", call="end"),
        Line(7, given=Tick(7)),
        Line(8, given=Told(8, SetButton(3), "say")),
    ]


def test_a_slow_disk_costs_lines_that_are_counted_and_never_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorders, "MOST_LINES", 100)
    monkeypatch.setattr(recorders, "WRITE_S", 0.001)
    stuck, free = threading.Event(), threading.Event()

    def slow(line: Line) -> Line:
        stuck.set()
        assert free.wait(60)
        return line

    recorder = Recorder(tmp_path / "a.betrec", slow)
    recorder.begin(HEADER)
    recorder.ticked(0)
    assert stuck.wait(60)
    for at_ns in range(1, 301):
        recorder.ticked(at_ns)
    assert recorder.lost == 200
    free.set()
    while recorder._waiting:
        threading.Event().wait(0.001)
    recorder.ticked(301)
    recorder.close()
    lines, _ = read(tmp_path / "a.betrec")
    assert [line.given for line in lines if not line.dropped] == [Tick(at) for at in (*range(101), 301)]
    assert [(number, line.dropped) for number, line in enumerate(lines) if line.dropped] == [(101, 200)]


def test_lines_lost_at_the_very_end_are_told_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorders, "MOST_LINES", 10)
    recorder = Recorder(tmp_path / "a.betrec")
    recorder.begin(HEADER)
    for at_ns in range(25):
        recorder.ticked(at_ns)
    recorder.close()
    lines, _ = read(tmp_path / "a.betrec")
    assert sum(line.dropped for line in lines) + sum(line.given is not None for line in lines) == 25
    assert recorder.lost == sum(line.dropped for line in lines) >= 5


FULL_DISK = """
import resource, sys, time
from pathlib import Path
from controller.config.config import Config
from controller.recording.recorder import Recorder
from controller.recording.file import (
    LEAST_ZEROS,
    Header,
    Line,
    Recording,
    Tick,
    Writer,
    decode_header,
    decode_line,
    encode,
)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
recorder = Recorder(Path(sys.argv[1]))
recorder.begin(Header(1, "x", Config(), ""))
tap = recorder.tap("west")
at = 0
while not recorder.failed:
    for _ in range(200):
        at += 1
        tap(at, "rx", at.to_bytes(8, "big") + hash((at, 1)).to_bytes(8, "big", signed=True))
    time.sleep(0.01)
recorder.close()
print(recorder.failed)
print(recorder.lost)
"""


def test_a_full_disk_ends_the_recording_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.betrec"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, cwd=ROOT, check=True, timeout=60
    )
    failed, lost = done.stdout.splitlines()
    assert "File too large: the recording ends here" in failed
    assert int(lost) > 0
    assert "Traceback" not in done.stderr
    lines, torn = read(path)
    assert torn
    assert [line.t for line in lines] == list(range(1, len(lines) + 1))


def test_a_recorder_that_cannot_write_there_says_so_at_once(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="choose another place"):
        Recorder(tmp_path / "nowhere" / "a.betrec").begin(HEADER)
    Recorder(tmp_path / "never-begun.betrec").close()


def test_in_a_folder_the_file_has_the_name_of_the_table(tmp_path: Path) -> None:
    assert file_for(tmp_path / "a.betrec", "home") == tmp_path / "a.betrec"
    named = file_for(tmp_path, "home")
    assert named.parent == tmp_path
    assert named.name.startswith("home-2")
    assert named.suffix == ".betrec"


def test_a_header_of_now_is_read_back_whole() -> None:
    header = header_of(Config(), (), ("bytes",))
    assert decode_header(msgspec.json.encode(header), "x") == header
    assert header.began.endswith("Z")


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    "state",
    ['{"hand": {"street": "third", "players": []}}', '{"street": "Vine", "players": 1}', "[" * 5000 + "]" * 5000],
)
def test_a_state_that_none_wrote_is_one_line(version: int, state: str) -> None:
    line = f'{{"betrec": {version}, "version": "0.9", "table": {{}}, "began": "", "state": {state}}}'
    with pytest.raises(RecordingError, match=r"^x\.betrec"):
        decode_header(line.encode(), "x.betrec")


def test_a_line_nested_too_deeply_is_none_of_a_recording() -> None:
    with pytest.raises(RecordingError, match="is no line of a recording"):
        decode_line(b'{"t": 1, "in": ' + b"[" * 5000 + b"]" * 5000 + b"}", "x.betrec, line 2")
