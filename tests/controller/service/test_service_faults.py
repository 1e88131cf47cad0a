"""What keeps a controller from opening, or ends it: one clear line each, no traceback, nothing decided is lost."""

import contextlib
import json
import resource
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from controller import commands
from controller.config.config import AuthoritySection, JournalSection, MqttSection, SocketsSection, TableSection
from controller.core.core import Core
from controller.errors import ConfigError, FeedError, JournalError
from controller.journal.book import Journal
from controller.journal.copies import copy_of
from controller.registry import ignored
from controller.registry.registry import Item, Registry
from controller.service.service import Service
from controller.table.events import Event
from firmware_bridge.errors import BetlineError
from firmware_bridge.events import ReaderEvent
from tests.controller.core_table import spot
from tests.controller.running import Running, in_a_hand


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Running]:
    made = Running(tmp_path)
    yield made
    made.close()


def line_of(table: Running, kind: type[BetlineError], /, **sections: object) -> str:
    """The one line with which the service does not open."""
    service = Service(replace(table.config, **sections), table.path)
    with pytest.raises(kind) as caught:
        service.run()
    line = str(caught.value)
    assert "\n" not in line
    assert not service.ready.is_set()
    return line


# ---------------------------------------------------------------- does not open
def test_a_profile_that_is_not_known_is_an_error_of_the_configuration(table: Running) -> None:
    section = TableSection("test", 3, "TDA1999", "chips.csv", ("red-deck.csv",))
    assert "[table], key 'profile'" in line_of(table, ConfigError, table=section)


@pytest.mark.parametrize(
    "content", [None, "name,tag\n", "name,tag,value,kind,set,state\nx,ZZ,1,chip,a,in\n", "\xff\xfe"]
)
def test_a_registry_that_is_missing_or_damaged_is_named(table: Running, content: str | None) -> None:
    chips = table.folder / "chips.csv"
    chips.unlink()
    if content is not None:
        chips.write_bytes(content.encode("latin-1"))
    assert str(chips) in line_of(table, ConfigError)


def test_a_deck_that_is_missing_is_named(table: Running) -> None:
    (table.folder / "red-deck.csv").unlink()
    assert "red-deck.csv" in line_of(table, ConfigError)


def test_a_journal_that_another_betline_holds_is_named_and_left_alone(table: Running) -> None:
    other = Journal.open(table.folder / "journal.db")
    try:
        assert "in use by another betline" in line_of(table, JournalError)
    finally:
        other.close()


def test_a_journal_that_is_none_is_named_with_its_cure(table: Running) -> None:
    path = table.folder / "journal.db"
    path.write_bytes(b"This is no database. " * 500)
    assert "restore a backup, or go on from what is left" in line_of(table, JournalError)
    assert path.read_bytes().startswith(b"This is no database."), "left as it is"


def test_a_journal_that_was_changed_is_not_replayed(table: Running) -> None:
    dealer = table.start()
    in_a_hand(table, dealer)
    table.end()
    with sqlite3.connect(table.folder / "journal.db") as db:
        db.execute(
            "UPDATE journal SET body = CAST(replace(CAST(body AS TEXT), '100', '900') AS BLOB) WHERE seq = (SELECT max(seq) - 1 FROM journal)"
        )
    db.close()
    assert "see betline journal verify" in line_of(table, JournalError)


def test_a_journal_of_a_larger_table_says_so(table: Running) -> None:
    dealer = table.start()
    in_a_hand(table, dealer)
    table.end()
    smaller = replace(table.config.table, seats=2)
    assert "put [table] seats back" in line_of(table, JournalError, table=smaller)


def test_a_folder_of_the_journal_that_is_missing_is_named(table: Running) -> None:
    assert "the folder" in line_of(table, JournalError, journal=JournalSection("nowhere/journal.db"))


def test_a_socket_that_cannot_be_opened_is_named_and_the_journal_given_back(table: Running) -> None:
    sockets = SocketsSection("nowhere/public.sock", "dealer.sock")
    assert "nowhere/public.sock" in line_of(table, FeedError, sockets=sockets)
    Journal.open(table.folder / "journal.db").close()


def test_ignored_tags_that_are_damaged_are_named_with_their_cure(table: Running) -> None:
    (table.folder / "journal.ignored.json").write_text("{")
    assert "journal.ignored.json" in line_of(table, ConfigError)


# ---------------------------------------------------------------- the command
def run(table: Running, *options: str) -> tuple[int, str, str]:
    table.launch(*options)
    return table.ended()


def test_check_reads_and_ends(table: Running) -> None:
    assert run(table, "--check") == (0, f"{table.path}: in order\n", "")
    assert not (table.folder / "journal.db").exists()


BAD_PORTS = {
    "foo://x": "no address of a port: write /dev/...",
    "socket://": "no address of a port: write /dev/...",
    "socket://pi.local": "no address of a port: write /dev/...",
    "socket://pi.local:99999": "no address of a port: write /dev/...",
    "/dev/serial/by-id/usb-nowhere": "no such port: there ",
    "FOLDER/chips.csv": "a file, no serial port: there ",
    "FOLDER": "a folder, no serial port: there ",
    "/dev/null": "a device of another kind, no serial port: there ",
    "ttyUSB0": "no such port: there ",
}


@pytest.mark.parametrize("port", BAD_PORTS)
def test_check_looks_at_the_port_of_every_reader(table: Running, port: str) -> None:
    named = port.replace("FOLDER", str(table.folder))
    readers = (replace(table.config.reader[0], port=named), *table.config.reader[1:])
    broken = replace(table.config, reader=readers)
    with pytest.raises(ConfigError) as error:
        Service(broken, table.path).check()
    assert str(error.value).startswith(f"{table.path}: [[reader]] no. 1, key 'port': {named}: {BAD_PORTS[port]}")
    assert "\n" not in str(error.value)


def test_check_opens_no_port(table: Running) -> None:
    """Opening resets many boards; a table that runs keeps its readers."""
    dealer = table.start()
    dealer.sees(lambda seen: seen.phase == "between_hands", "counted in")
    Service(table.config, table.path).check()
    assert dealer.latest is not None
    assert {reader.state for reader in dealer.latest.readers} == {"up"}


@pytest.mark.parametrize(
    ("sections", "part"),
    [
        ({"mqtt": MqttSection(host="x", username="u", password_file="absent")}, "key 'password_file'"),
        ({"authority": AuthoritySection(keys="ports")}, "is a folder: name a file"),
        ({"mqtt": MqttSection(host="x", tls=True, ca_file="chips.csv")}, "key 'ca_file'"),
        ({"sockets": SocketsSection("nowhere/p", "dealer.sock")}, "change [sockets]"),
        ({"sockets": SocketsSection("public.sock", "chips.csv")}, "change [sockets]"),
        ({"journal": JournalSection("nowhere/j.db")}, "change [journal] path"),
        ({"journal": JournalSection("ports")}, "is a folder: name a file"),
    ],
)
def test_check_looks_at_every_file_that_run_opens(table: Running, sections: dict[str, Any], part: str) -> None:
    """No one line less than `run` itself would end with."""
    broken = replace(table.config, **sections)
    with pytest.raises(BetlineError) as checked:
        Service(broken, table.path).check()
    assert part in str(checked.value)
    assert part in line_of(table, BetlineError, **sections)


@pytest.mark.parametrize("options", [("--check",), ()])
def test_a_wrong_configuration_is_one_line_and_status_1(table: Running, options: tuple[str, ...]) -> None:
    table.path.write_text(table.path.read_text().replace("seats = 3", "seets = 3"))
    status, out, err = run(table, *options)
    assert (status, out) == (1, "")
    assert err.startswith("betline: ")
    assert err.count("\n") == 1
    assert "seets" in err


def test_what_does_not_open_is_one_line_and_status_1(table: Running) -> None:
    (table.folder / "chips.csv").unlink()
    status, out, err = run(table)
    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert "chips.csv" in err


def test_ctrl_c_ends_it_as_sigterm_does(table: Running) -> None:
    table.start()
    status, _, err = table.end(signal.SIGINT)
    assert (status, err) == (0, "")


# ---------------------------------------------------------------- ends
def test_a_disk_that_takes_no_more_ends_it_with_one_line_and_loses_nothing(table: Running) -> None:
    """Files may not grow beyond a limit, as on a full disk. What the dealer was shown is in the journal."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))

    dealer = table.start(limit=limit)
    in_a_hand(table, dealer)
    with contextlib.suppress(OSError):  # it ends in the middle of a line
        while table.process is not None and table.process.poll() is None:
            pair = (b'{"id": "x", "command": {"type": "%s"}}\n' % word for word in (b"pause", b"resume"))
            dealer.write(b"".join(pair) * 20)
            time.sleep(0.02)
    status, _, err = table.ended()
    assert status == 1
    assert err.startswith("betline: ")
    assert err.count("\n") == 1
    assert "journal.db" in err
    assert "nothing was announced" in err
    assert dealer.latest is not None
    announced = dealer.latest
    with copy_of(table.folder / "journal.db") as journal:
        assert journal.verify().faults == ()
        assert journal.last_n >= announced.n
    dealer = table.start()
    seen = dealer.sees(lambda seen: seen.phase == "betting", "the hand goes on")
    assert (seen.hand_number, seen.to_act) == (1, 1)


def test_ignored_tags_that_cannot_be_kept_end_nothing(table: Running) -> None:
    table.lay_stray("E0049999AAAA0001", spot(2))
    dealer = table.start()
    dealer.sees(lambda seen: any(n.key == "foreign_tag" for n in seen.notices), "a foreign tag")
    (table.folder / "journal.ignored.json").mkdir()
    assert dealer.tell(commands.NotAChip("spot", 2)) is None
    dealer.sees(lambda seen: not seen.notices, "nothing foreign")
    status, _, err = table.end()
    assert status == 0
    assert "is asked for again after a restart" in err
    assert "Traceback" not in err


# ---------------------------------------------------------------- stuck
class Stuck:
    """An observer that blocks the core's thread, as a fault of ours would."""

    def __init__(self) -> None:
        self.blocking = threading.Event()
        self.free = threading.Event()

    def took(self, event: ReaderEvent) -> None:
        if self.blocking.is_set():
            self.free.wait(60)

    def committed(self, events: Sequence[Event], core: Core) -> None: ...


def hear_it_fed(manager: socket.socket) -> None:
    while True:
        assert manager.recv(1000) == b"WATCHDOG=1"


def test_the_watchdog_starves_while_the_core_is_stuck(table: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(table.folder / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(table.folder / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "200000")
        monkeypatch.delenv("WATCHDOG_PID", raising=False)
        stuck = Stuck()
        service = Service(table.config, table.path, stuck)
        thread = threading.Thread(target=service.run)
        thread.start()
        try:
            manager.settimeout(60)
            assert manager.recv(1000).startswith(b"READY=1")
            assert [manager.recv(1000) for _ in range(3)] == [b"WATCHDOG=1"] * 3
            stuck.blocking.set()
            manager.settimeout(1.0)  # five times the interval
            with pytest.raises(TimeoutError):
                hear_it_fed(manager)
            stuck.blocking.clear()
            stuck.free.set()
            manager.settimeout(60)
            assert manager.recv(1000) == b"WATCHDOG=1"
        finally:
            stuck.free.set()
            service.stop()
            thread.join(60)
        assert not thread.is_alive()


# ---------------------------------------------------------------- ignored tags
def test_ignored_tags_are_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    path = ignored.file_for(tmp_path / "journal.db")
    assert ignored.load(path) == []
    ignored.save(path, ["E004B", "E004A"])
    assert ignored.load(path) == ["E004A", "E004B"]
    path.with_suffix(".new").write_text("half of a fi")  # what a power cut leaves
    assert ignored.load(path) == ["E004A", "E004B"]


@pytest.mark.parametrize("content", ["", "{}", "[1]", "[", '"E004"', "\x00"])
def test_damaged_ignored_tags_are_an_error_with_a_cure(tmp_path: Path, content: str) -> None:
    path = tmp_path / "journal.ignored.json"
    path.write_text(content)
    with pytest.raises(ConfigError, match="remove it"):
        ignored.load(path)


def test_ignored_tags_are_strangers_no_more() -> None:
    registry = Registry([Item("r100-1", "E004AA", "chip", 100)])
    extended = ignored.extend(registry, ["E004BB", "E004AA"])
    assert extended.by_tag["E004BB"].state == "ignore"
    assert extended.by_tag["E004AA"].name == "r100-1"
    assert extended.values == registry.values


def test_a_file_of_ignored_tags_is_a_list_that_people_can_read(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    ignored.save(path, {"B", "A"})
    assert json.loads(path.read_text()) == ["A", "B"]
