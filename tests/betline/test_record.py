"""A table is recorded through the real service and real pseudo-terminals, and played again to the same events."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from betline.decode.lines import as_line
from controller.commands import SeatIn, SeatOut, SetButton, SetStack, Undo
from controller.core import build
from controller.core.core import Core
from controller.errors import RecordingError
from controller.recording.file import Header, Line, Recording, Writer, decode_header, encode
from controller.recording.recorder import Recorder
from controller.registry.registry import DECK, Registry
from controller.rulings.rules import Rules
from controller.table import events as e
from controller.table.evolve import evolve
from controller.table.inputs import Told
from firmware_bridge.drivers.tablelink import Tablelink
from firmware_bridge.events import Out, ReaderFault, ReaderLost, ScanRound
from simulator.rehearsal.ports import by_port
from simulator.rehearsal.recording import play
from tests.betline.recorded_table import Table, table

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0


class Evening:
    """What was recorded once for all tests here: a hand, and after a restart a few words at the same table."""

    def __init__(self, at: Table) -> None:
        self.table = at
        self.hand, self.restarted = at.folder / "hand.betrec", at.folder / "restarted.betrec"
        self.committed = at.play(Recorder(self.hand))
        (at.folder / "club.toml").write_text('title = "The club"\nextends = "TDA2024"\nsilent_raise = "full"\n')
        section = replace(at.config.table, profile="club.toml")
        at.config = replace(at.config, table=section)
        words = (SetStack(1, 5000), SetButton(2), SeatIn(3, "Zoltan Quux"), SeatOut(1), Undo())
        self.committed_later = at.say(Recorder(self.restarted), words)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    with table(tmp_path_factory.mktemp("table"), speed=40) as at:
        yield Evening(at)


def betline(*words: object, seed: int = 0) -> tuple[int, str, str]:
    """Exit status and output of a command in a process of its own, where sets have another order."""
    command = [sys.executable, "-c", "from betline.main import main; main()", *map(str, words)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def replayed(path: Path) -> dict[str, Any]:
    verdict = msgspec.to_builtins(play(path))
    assert isinstance(verdict, dict)
    return verdict


def read(path: Path) -> tuple[Header, list[Line], bool]:
    with Recording(path) as recording:
        lines = list(recording.lines())
        return recording.header, lines, recording.torn


def rewritten(path: Path, out: Path, change: Callable[[int, Line], Line | None]) -> Path:
    """A copy in which some lines are others."""
    header, lines, _ = read(path)
    writer = Writer(out, header)
    writer.write(new for number, line in enumerate(lines) if (new := change(number, line)) is not None)
    writer.close()
    return out


# ---------------------------------------------------------------- recorded and played again
def test_all_that_was_committed_is_on_record(evening: Evening) -> None:
    for path, committed in ((evening.hand, evening.committed), (evening.restarted, evening.committed_later)):
        _, lines, torn = read(path)
        assert not torn
        assert [line.event for line in lines if line.event is not None] == committed
        assert not any(line.dropped for line in lines)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_hand_is_played_again_to_the_same_events(evening: Evening, seed: int) -> None:
    status, out, error = betline("replay", evening.hand, "--json", seed=seed)
    assert (status, error) == (0, "")
    verdict = json.loads(out)
    assert (verdict["exact"], verdict["differences"], verdict["notices"]) == (True, [], [])
    assert verdict["events"] == verdict["replayed"] == len(evening.committed) > 50
    assert verdict["rounds"] > 1000
    assert any(isinstance(event, e.HandEnded) for event in evening.committed)


def test_what_follows_a_restart_is_played_from_the_state_that_the_journal_left(evening: Evening) -> None:
    header, lines, _ = read(evening.restarted)
    assert header.state is not None
    assert header.state.table.hand_number == 1
    assert header.profile is not None
    assert header.profile.silent_raise == "full"
    assert sum(isinstance(line.given, Told) for line in lines) == 5
    verdict = replayed(evening.restarted)
    assert (verdict["exact"], verdict["events"]) == (True, len(evening.committed_later))


def test_a_table_may_be_left_at_any_point_of_a_hand_and_the_header_has_it_whole(evening: Evening) -> None:
    header, _, _ = read(evening.hand)
    state = build.core(header.table, Registry(header.items), Rules.named("TDA2024")).state
    for event in evening.committed:
        state = evolve(state, event)
        assert decode_header(encode(replace(header, state=state)), "it").state == state
    assert state.past


def test_words_say_that_it_was_exact(evening: Evening) -> None:
    status, out, error = betline("replay", evening.hand, evening.restarted)
    assert (status, error) == (0, "")
    first, second = out.splitlines()
    assert first.startswith(f"{evening.hand}: exact: {len(evening.committed)} events decided as recorded")
    assert second.startswith(f"{evening.restarted}: exact: {len(evening.committed_later)} events")


def test_an_event_that_differs_is_named_to_the_field(evening: Evening, tmp_path: Path) -> None:
    _, lines, _ = read(evening.hand)
    events = [number for number, line in enumerate(lines) if line.event is not None]
    number, ruled = next((n, lines[n].event) for n in events if isinstance(lines[n].event, e.Ruled))
    assert isinstance(ruled, e.Ruled)
    wrong = replace(ruled, reading=replace(ruled.reading, total_to=ruled.reading.total_to + 7))
    path = rewritten(
        evening.hand, tmp_path / "wrong.betrec", lambda n, line: replace(line, event=wrong) if n == number else line
    )
    (difference,) = replayed(path)["differences"]
    assert (difference["what"], difference["number"]) == ("event", events.index(number) + 1)
    assert difference["where"] == "ruled.reading.total_to"
    assert (difference["recorded"], difference["now"]) == (wrong.reading.total_to, ruled.reading.total_to)
    status, out, _ = betline("replay", path)
    assert status == 1
    assert f"differs: event {events.index(number) + 1} at " in out


def test_an_event_that_is_missing_from_the_record_is_named(evening: Evening, tmp_path: Path) -> None:
    _, lines, _ = read(evening.hand)
    last = max(number for number, line in enumerate(lines) if line.event is not None)
    path = rewritten(evening.hand, tmp_path / "less.betrec", lambda n, line: None if n == last else line)
    (difference,) = replayed(path)["differences"]
    assert (difference["number"], difference["recorded"]) == (len(evening.committed), None)


def test_bytes_that_decode_to_another_round_are_named(evening: Evening, tmp_path: Path) -> None:
    """As with a driver that was changed: the rounds on record are not those that it gives now."""
    _, lines, _ = read(evening.hand)
    number = next(n for n, line in enumerate(lines) if n > len(lines) // 2 and line.rx is not None)
    damaged = replace(lines[number], rx="ff" + (lines[number].rx or "")[2:])
    path = rewritten(evening.hand, tmp_path / "damaged.betrec", lambda n, line: damaged if n == number else line)
    verdict = replayed(path)
    difference = next(one for one in verdict["differences"] if one["what"] == "reader")
    assert difference["where"] == lines[number].port
    assert difference["recorded"]["type"] == "round"


def test_other_bytes_to_a_reader_are_named(evening: Evening, tmp_path: Path) -> None:
    _, lines, _ = read(evening.hand)
    number = next(n for n, line in enumerate(lines) if line.tx is not None)
    path = rewritten(
        evening.hand, tmp_path / "tx.betrec", lambda n, line: replace(line, tx="00") if n == number else line
    )
    (difference,) = replayed(path)["differences"]
    assert (difference["what"], difference["number"], difference["recorded"]) == ("sent", number + 2, "00")


def test_lines_that_the_disk_lost_are_told(evening: Evening, tmp_path: Path) -> None:
    _, lines, _ = read(evening.hand)
    gap = Line(lines[500].t, dropped=1)
    path = rewritten(evening.hand, tmp_path / "gap.betrec", lambda n, line: gap if n == 500 else line)
    assert any("1 lines are missing at" in notice for notice in replayed(path)["notices"])


def failing(*_: object) -> Any:
    raise ZeroDivisionError("by design")


def test_a_core_that_fails_is_named_with_its_line(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """The very thing that a recording may have been sent for."""
    monkeypatch.setattr(Core, "command", failing)
    verdict = replayed(evening.hand)
    (difference,) = [one for one in verdict["differences"] if one["what"] == "core"]
    _, lines, _ = read(evening.hand)
    assert isinstance(lines[difference["number"] - 2].given, Told), "line 1 is the header"
    assert "ZeroDivisionError: by design (test_record.py:" in difference["now"]


def test_a_driver_that_fails_now_is_a_difference(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tablelink, "receive", failing)
    verdict = replayed(evening.hand)
    assert verdict["exact"] is False
    assert verdict["differences"][0]["what"] == "reader"


def test_a_reader_that_was_unplugged_and_a_driver_that_failed_are_played_as_they_were(
    evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a port says of its own, a loss or its driver's fault, is taken from the record; the rest is decoded."""
    receive = Tablelink.receive

    def sometimes(driver: Tablelink, data: bytes, at_ns: int) -> Out:
        return failing() if zlib.crc32(data) % 41 == 0 else receive(driver, data, at_ns)

    monkeypatch.setattr(Tablelink, "receive", sometimes)
    path = tmp_path / "lost.betrec"
    committed = evening.table.lose(Recorder(path), "seat3")
    _, lines, _ = read(path)
    given = [line.given for line in lines]
    assert any(isinstance(event, ReaderLost) and event.reader == "seat3" for event in given)
    assert any(isinstance(event, ReaderFault) and event.code == "driver" for event in given)
    assert sum(line.call == "start" for line in lines) > 10
    verdict = replayed(path)
    assert verdict["differences"] == ()
    assert (verdict["exact"], verdict["events"]) == (True, len(committed))


def test_a_house_profile_that_is_not_in_the_file_is_asked_for(evening: Evening, tmp_path: Path) -> None:
    header, _, _ = read(evening.restarted)
    path = tmp_path / "no-profile.betrec"
    Writer(path, replace(header, profile=None)).close()
    status, out, error = betline("replay", path)
    assert (status, out, error.count("\n")) == (1, "", 1)
    assert "club.toml" in error


def test_a_recording_is_played_as_it_is(evening: Evening) -> None:
    status, out, error = betline("replay", evening.hand, "--miss", 0.1)
    assert (status, out) == (1, "")
    assert "--limit, --through, noise and people are for hands" in error


def test_hands_and_recordings_are_played_apart(evening: Evening) -> None:
    status, out, error = betline("replay", evening.hand, ROOT / "tests" / "data" / "random-nt.phhs")
    assert (status, out) == (1, "")
    assert "not both at once" in error


# ---------------------------------------------------------------- decode
def test_decode_gives_what_the_table_took_of_each_reader(evening: Evening) -> None:
    header, lines, _ = read(evening.hand)
    taken: dict[str, list[Any]] = {reader.id: [] for reader in header.table.reader}
    for line in lines:
        if line.given is not None and (reader := getattr(line.given, "reader", None)) and not by_port(line.given):  # type: ignore[arg-type]
            taken[reader].append(json.loads(msgspec.json.encode(as_line(line.given, ended=True))))  # type: ignore[arg-type]
    for reader in ("seat1", "middle"):
        status, out, error = betline("decode", "tablelink", evening.hand, "--port", reader)
        assert (status, error) == (0, "")
        decoded = [json.loads(text) for text in out.splitlines()]
        assert all(isinstance(one.pop("t"), int) for one in decoded)
        assert decoded[: len(taken[reader])] == taken[reader]
        assert len(taken[reader]) > 100


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "several readers: name one with --port: seat1, seat2"),
        (("--port", "west"), "no port 'west': name one with --port: seat1"),
    ],
)
def test_decode_asks_for_a_port_that_is_there(evening: Evening, words: tuple[str, ...], says: str) -> None:
    status, out, error = betline("decode", "tablelink", evening.hand, *words)
    assert (status, out, error.count("\n")) == (1, "", 1)
    assert says in error


# ---------------------------------------------------------------- anonymised
def text_of(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


def test_an_anonymised_recording_names_nothing_and_plays_to_the_same_verdict(evening: Evening, tmp_path: Path) -> None:
    players = {*evening.table.script.setting.names.values(), "Zoltan Quux"} - {""}
    items = evening.table.registry.items
    assert len(players) > 2
    for path in (evening.hand, evening.restarted):
        out = tmp_path / path.name
        status, said, error = betline("record", "--convert", path, "--anonymise", "--out", out)
        assert (status, said, error) == (0, f"{out}: anonymised\n", "")
        before, text = text_of(path), text_of(out)
        lower = text.lower()
        assert all(item.tag in before for item in items.values()), "the search would find what is there"
        assert not [item.name for item in items.values() if item.tag.lower() in lower]
        assert not [name for name in items if name not in DECK and f'"{name}"' in text]
        assert not [name for name in players if name in text]
        assert not [word for word in ("club", str(evening.table.folder), "5EED") if word in text]
        assert '"rx"' not in text
        assert '"tx"' not in text
        was, verdict = replayed(path), replayed(out)
        assert (verdict["exact"], verdict["differences"]) == (True, ())
        assert (verdict["events"], verdict["rounds"]) == (was["events"], was["rounds"])


def test_nothing_tells_which_tag_is_which_card(evening: Evening, tmp_path: Path) -> None:
    """Not the tags, and not their order, which an antenna under the table could match with tags that it heard."""
    out = tmp_path / "shown.betrec"
    betline("record", "--convert", evening.hand, "--anonymise", "--out", out)
    header, lines, _ = read(out)
    new = {item.name: item.tag for item in header.items}
    old = {card: evening.table.registry.items[card].tag for card in DECK}
    assert not {*new.values()} & {*old.values()}
    assert sorted(DECK, key=lambda card: new[card]) == sorted(DECK)
    assert sorted(DECK, key=lambda card: old[card]) != sorted(DECK)
    rounds = [line.given for line in lines if isinstance(line.given, ScanRound)]
    assert all(list(scan.sightings) == sorted(scan.sightings, key=lambda s: s.tag) for scan in rounds)


def test_an_anonymised_recording_has_no_bytes_to_decode(evening: Evening, tmp_path: Path) -> None:
    out = tmp_path / "shown.betrec"
    betline("record", "--convert", evening.hand, "--anonymise", "--out", out)
    status, _, error = betline("decode", "tablelink", out, "--port", "seat1")
    assert status == 1
    assert "holds decoded rounds and no bytes" in error


# ---------------------------------------------------------------- killed
def started(*words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from betline.main import main; main()", *map(str, words)]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def until_it_holds(path: Path, lines: int, process: subprocess.Popen[str]) -> None:
    """Waits for it; a process that does not get so far is ended, and holds nobody up behind it."""
    until = time.monotonic() + PATIENCE_S
    try:
        while lines_in(path) < lines:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until
            time.sleep(0.1)
    except BaseException:
        process.kill()
        raise


def lines_in(path: Path) -> int:
    """So far; a file is made before its first line is written, and is no recording until then."""
    try:
        return len(read(path)[1]) if path.exists() else 0
    except RecordingError:
        return 0


@pytest.mark.parametrize("way", [("run", "--record"), ("record", "--out")])
def test_a_killed_recorder_leaves_a_recording_that_plays_to_its_last_line(
    evening: Evening, tmp_path: Path, way: tuple[str, str]
) -> None:
    path = tmp_path / "killed.betrec"
    process = started(way[0], "--config", evening.table.file, way[1], path)
    until_it_holds(path, 500, process)
    process.kill()
    process.communicate()
    _, lines, torn = read(path)
    assert torn
    assert len(lines) >= 500
    verdict = replayed(path)
    assert verdict["exact"] is True
    assert (verdict["events"] > 0) is (way[0] == "run")
    (notice,) = verdict["notices"]
    assert notice == f"stops without its end mark, its recorder was killed: played {len(lines)} lines"
    out = tmp_path / "shown.betrec"
    status, _, error = betline("record", "--convert", path, "--anonymise", "--out", out)
    assert status == 0
    assert "stops without its end mark" in error
    assert replayed(out)["exact"] is (True if way[0] == "run" else None)


# ---------------------------------------------------------------- the readers on their own
@pytest.mark.parametrize("way", [(), ("--anonymise",)])
def test_readers_are_recorded_without_a_service_until_a_signal(
    evening: Evening, tmp_path: Path, way: tuple[str, ...]
) -> None:
    process = started("record", "--config", evening.table.file, "--out", tmp_path / "alone.betrec", *way)
    until_it_holds(tmp_path / "alone.betrec", 500, process)
    process.send_signal(signal.SIGTERM)
    out, error = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, error
    assert "10 readers" in out
    assert "seat1: betline-virtual 1 boot" in error
    header, lines, torn = read(tmp_path / "alone.betrec")
    assert not torn
    assert header.anonymised is bool(way)
    assert {line.port for line in lines if line.rx} == (set() if way else {reader.id for reader in header.table.reader})
    verdict = replayed(tmp_path / "alone.betrec")
    assert verdict["exact"] is (None if way else True)
    assert verdict["rounds"] > 100
    assert verdict["replayed"] > 0, "the table counts in: nobody recorded it, so it is decided now"


def test_readers_that_the_service_holds_are_told_as_lost(evening: Evening, tmp_path: Path) -> None:
    service = started("run", "--config", evening.table.file, "--record", tmp_path / "run.betrec")
    until_it_holds(tmp_path / "run.betrec", 100, service)
    process = started("record", "--config", evening.table.file, "--out", tmp_path / "second.betrec")
    until_it_holds(tmp_path / "second.betrec", 10, process)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=PATIENCE_S)
    service.terminate()
    service.communicate(timeout=PATIENCE_S)
    assert "seat1: lost: " in error
    assert replayed(tmp_path / "run.betrec")["exact"] is True
    assert replayed(tmp_path / "second.betrec")["rounds"] == 0


def test_a_file_that_is_there_stops_the_service_before_it_opens_anything(evening: Evening) -> None:
    before = evening.hand.read_bytes()
    status, _, error = betline("run", "--config", evening.table.file, "--record", evening.hand)
    assert status == 1
    assert error == f"betline: {evening.hand}: is there already: take another name\n"
    assert evening.hand.read_bytes() == before


# ---------------------------------------------------------------- what cannot be
REPLAY = ("replay", "FILE")


@pytest.mark.parametrize(
    ("words", "data", "says"),
    [
        (REPLAY, b"", "is empty"),
        (REPLAY, b"PK\x03\x04", "is no recording"),
        (REPLAY, gzip.compress(b"{}\n", mtime=0), "no betrec version"),
        (("decode", "m100", "FILE"), b"", "is empty"),
        (("record", "--convert", "FILE", "--anonymise", "--out", "OUT"), b"", "is empty"),
    ],
)
def test_what_is_no_recording_is_one_clear_line(tmp_path: Path, words: tuple[str, ...], data: bytes, says: str) -> None:
    path, out = tmp_path / "strange.betrec", tmp_path / "out.betrec"
    path.write_bytes(data)
    status, said, error = betline(*({"FILE": path, "OUT": out}.get(word, word) for word in words))
    assert (status, said, error.count("\n")) == (1, "", 1)
    assert error.startswith(f"betline: {path}: ")
    assert says in error
    assert not out.exists()


def test_damage_found_late_leaves_no_half_copy(evening: Evening, tmp_path: Path) -> None:
    path, out = tmp_path / "damaged.betrec", tmp_path / "out.betrec"
    data = bytearray(evening.hand.read_bytes())
    data[-6] ^= 1
    path.write_bytes(data)
    status, _, error = betline("record", "--convert", path, "--anonymise", "--out", out)
    assert (status, error.count("\n")) == (1, 1)
    assert "damaged" in error
    assert not out.exists()


def test_convert_without_anonymise_asks_what_for(evening: Evening, tmp_path: Path) -> None:
    status, _, error = betline("record", "--convert", evening.hand, "--out", tmp_path / "x.betrec")
    assert status == 1
    assert "add --anonymise" in error


def test_a_table_without_readers_has_nothing_to_record(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("schema = 1\n")
    status, _, error = betline("record", "--config", tmp_path / "table.toml", "--out", tmp_path / "x.betrec")
    assert (status, error.count("\n")) == (1, 1)
    assert error.startswith(f"betline: {tmp_path / 'table.toml'}: ")


def test_a_recording_of_bytes_alone_is_decoded_and_played(evening: Evening, tmp_path: Path) -> None:
    """As another program may write it, by the format: no calls, no rounds, no times of timers."""
    header, lines, _ = read(evening.hand)
    path = tmp_path / "foreign.betrec"
    writer = Writer(path, Header(1, "other", header.table, "", items=header.items))
    writer.write(line for line in lines if line.rx or line.tx)
    writer.close()
    verdict = replayed(path)
    assert verdict["exact"] is None
    assert verdict["rounds"] > 1000
    assert verdict["replayed"] > 0
    status, out, _ = betline("decode", "tablelink", path, "--port", "seat1")
    assert status == 0
    assert out.count('"event":"tags"') > 100
    shown = tmp_path / "shown.betrec"
    assert betline("record", "--convert", path, "--anonymise", "--out", shown)[0] == 0
    assert replayed(shown)["rounds"] == verdict["rounds"]
