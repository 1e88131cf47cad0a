"""A table opens whole or not at all: whatever step fails, all that was opened before it is closed again."""

import importlib.util
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from betline.demo.table import write_files
from controller import commands
from controller.config.config import (
    ButtonSection,
    Config,
    JournalSection,
    LightSection,
    MqttSection,
    SocketsSection,
    TableSection,
)
from controller.errors import ConfigError, FeedError, JournalError, RecordingError
from controller.journal.book import Journal
from controller.recording.file import Recording
from controller.recording.recorder import Recorder
from controller.service.mailbox import Mailbox
from controller.service.opening import Opening
from controller.service.service import Service
from controller.table.events import SeatChanged
from controller.table.setup import House, Stakes
from firmware_bridge.errors import BetlineError, OptionError
from simulator.tables import config_of

VALUES = {"s1-100-0": 100, "s2-100-0": 100}
REASON = "whoever runs it gave up"


@pytest.fixture(scope="module", autouse=True)
def pins() -> None:
    """Loaded once, so that what it keeps open is no leak of a table."""
    from controller.service.gpio import pin_factory

    pin_factory("mock").close()


@pytest.fixture
def nobody() -> Iterator[int]:
    """A TCP port at which nobody listens: a broker that is always looked for."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@pytest.fixture
def config(nobody: int) -> Config:
    """A table that opens everything there is: both sockets, pins, a broker, readers that are not plugged in."""
    return replace(
        config_of(2, Stakes(blinds=(50, 100)), House(confirm="never")),
        table=TableSection("test", 2, "TDA2024", "chips.csv", ("red-deck.csv",)),
        journal=JournalSection("journal.db"),
        sockets=SocketsSection("public.sock", "dealer.sock"),
        mqtt=MqttSection(host="127.0.0.1", port=nobody),
        pin_factory="mock",
        button=(ButtonSection(17, "call", 1),),
        light=(LightSection(5, 1),),
    )


def opening(folder: Path, config: Config) -> Opening:
    file, _ = write_files(folder, config, VALUES)
    return Opening(config, file)


def held() -> tuple[set[str], int]:
    """Threads of this process, and how many files and sockets it has open."""
    return {thread.name for thread in threading.enumerate()}, len(list(Path("/proc/self/fd").iterdir()))


def assert_free(folder: Path) -> None:
    """Nobody holds the journal, and no socket is left behind."""
    Journal.open(folder / "journal.db").close()
    assert [path.name for path in folder.glob("*.sock")] == []


# ---------------------------------------------------------------- a step fails
def a_journal_of_another_kind(folder: Path, config: Config) -> Config:
    (folder / "journal.db").write_bytes(b"This is no database. " * 500)
    return config


def a_journal_of_a_larger_table(folder: Path, config: Config) -> Config:
    journal = Journal.open(folder / "journal.db")
    journal.append([(SeatChanged(7, 1000, playing=True), 1, 1)])
    journal.close()
    return config


def as_it_is(_: Path, config: Config) -> Config:
    return config


def sockets(public: str, dealer: str) -> Callable[[Path, Config], Config]:
    return lambda _, config: replace(config, sockets=SocketsSection(public, dealer))


def one_pin_twice(_: Path, config: Config) -> Config:
    return replace(config, light=(LightSection(17, 1),))


def a_button_that_says_nothing(_: Path, config: Config) -> Config:
    return replace(config, button=(*config.button, ButtonSection(27, "rais", 2)))


def an_option_that_no_reader_has(_: Path, config: Config) -> Config:
    *others, last = config.reader
    return replace(config, reader=(*others, replace(last, options={"colour": "red"})))


RECORDED = "evening.betrec"
STEPS: dict[str, tuple[Callable[[Path, Config], Config], str, type[BetlineError], str]] = {
    "the journal": (a_journal_of_another_kind, RECORDED, JournalError, "journal.db"),
    "its replay": (a_journal_of_a_larger_table, RECORDED, JournalError, "put [table] seats back"),
    "the recording": (as_it_is, "nowhere/evening.betrec", RecordingError, "nowhere"),
    "the public socket": (sockets("nowhere/public.sock", "dealer.sock"), RECORDED, FeedError, "nowhere"),
    "the dealer's socket": (sockets("public.sock", "nowhere/dealer.sock"), RECORDED, FeedError, "nowhere"),
    "a pin": (one_pin_twice, RECORDED, ConfigError, "pin 17"),
    "a button": (a_button_that_says_nothing, RECORDED, ConfigError, "pin 27"),
    "a reader": (an_option_that_no_reader_has, RECORDED, OptionError, "colour"),
}
AFTER_THE_RECORDING = list(STEPS)[3:]


def failed(folder: Path, config: Config, step: str) -> None:
    """Open a table of which one step fails, with its own error."""
    break_it, recording, kind, said = STEPS[step]
    table = opening(folder, break_it(folder, config))
    with pytest.raises(kind) as error, table.opened(Mailbox(), Recorder(folder / recording)):
        pytest.fail("it opened")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("step", STEPS)
def test_what_was_opened_before_a_step_that_fails_is_closed(tmp_path: Path, config: Config, step: str) -> None:
    before = held()
    failed(tmp_path, config, step)
    assert held() == before
    if step == "the journal":
        for left in tmp_path.glob("journal.db*"):
            left.unlink()
    assert_free(tmp_path)


@pytest.mark.parametrize("step", AFTER_THE_RECORDING)
def test_a_recording_that_had_begun_has_its_end(tmp_path: Path, config: Config, step: str) -> None:
    failed(tmp_path, config, step)
    with Recording(tmp_path / RECORDED) as recording:
        assert list(recording.lines()) == []
        assert not recording.torn


@pytest.mark.parametrize("step", STEPS)
def test_once_it_is_mended_it_opens(tmp_path: Path, config: Config, step: str) -> None:
    failed(tmp_path, config, step)
    for left in tmp_path.glob("journal.db*"):
        left.unlink()
    (tmp_path / RECORDED).unlink(missing_ok=True)
    with opening(tmp_path, config).opened(Mailbox(), Recorder(tmp_path / RECORDED)) as opened:
        assert opened.feeds.alive
        assert opened.publisher.alive
    assert_free(tmp_path)


# ---------------------------------------------------------------- files come first
@pytest.mark.parametrize("key", ["password_file", "ca_file"])
def test_nothing_is_opened_before_every_file_is_read(tmp_path: Path, config: Config, key: str) -> None:
    before = held()
    mqtt = replace(config.mqtt, username="table", tls=True, **{key: "missing.txt"})
    with pytest.raises(ConfigError, match=key), opening(tmp_path, replace(config, mqtt=mqtt)).opened(Mailbox()):
        pytest.fail("it opened")
    assert held() == before
    assert not (tmp_path / "journal.db").exists()


# ---------------------------------------------------------------- open
def test_all_of_it_is_open_inside_and_closed_behind(tmp_path: Path, config: Config) -> None:
    before = held()
    with opening(tmp_path, config).opened(Mailbox(), Recorder(tmp_path / RECORDED)) as opened:
        with pytest.raises(JournalError, match="in use by another betline"):
            Journal.open(tmp_path / "journal.db")
        assert sorted(path.name for path in tmp_path.glob("*.sock")) == ["dealer.sock", "public.sock"]
        assert {"feeds", "mqtt", "recorder"} <= held()[0]
        assert opened.panel is not None
        assert set(opened.bridge.ports) == {"seat1", "seat2", "middle"}
        assert len(opened.core.state.table.seats) == 2
    assert held() == before
    assert_free(tmp_path)


def test_whatever_ends_the_block_closes_all(tmp_path: Path, config: Config) -> None:
    before = held()
    with pytest.raises(RuntimeError, match=REASON), opening(tmp_path, config).opened(Mailbox()):
        raise RuntimeError(REASON)
    assert held() == before
    assert_free(tmp_path)


def test_a_table_goes_on_from_its_journal(tmp_path: Path, config: Config) -> None:
    with opening(tmp_path, config).opened(Mailbox()) as opened:
        events = opened.core.command(commands.SetStack(2, 777), "dealer", 1)
        opened.journal.append([(event, 1, 1) for event in events])
    with opening(tmp_path, config).opened(Mailbox()) as opened:
        assert opened.core.state.table.seats[1].stack == 777


# ---------------------------------------------------------------- the service
def test_a_service_is_whole_from_its_birth(tmp_path: Path, config: Config) -> None:
    """Neither looking nor an opening that fails leaves anything behind in it."""
    file, _ = write_files(tmp_path, config, VALUES)
    service = Service(replace(config, sockets=SocketsSection("public.sock", "nowhere/dealer.sock")), file)
    born = dict(vars(service))
    for try_it in (service.check, service.run):
        with pytest.raises(FeedError):
            try_it()
        assert vars(service) == born
    assert not service.ready.is_set()
    assert_free(tmp_path)


def test_a_check_finds_pins_that_this_machine_has_not_as_a_run_would(tmp_path: Path, config: Config) -> None:
    file, _ = write_files(tmp_path, config, VALUES)
    missing = replace(config, pin_factory="lgpio" if importlib.util.find_spec("lgpio") is None else "rpigpio")
    service = Service(missing, file)
    for try_it in (service.check, service.run):
        with pytest.raises(ConfigError, match="no pins on this machine"):
            try_it()


def test_a_service_says_when_it_is_open(tmp_path: Path, config: Config) -> None:
    file, _ = write_files(tmp_path, config, VALUES)
    service, said = Service(config, file), list[str]()

    def opened() -> None:
        said.append("open")
        service.stop()

    service.run(opened)
    assert said == ["open"]
