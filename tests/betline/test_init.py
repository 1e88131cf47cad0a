"""`betline init`: whatever is answered, the file loads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from betline.init import OF_A_SEAT, OPTIONAL, Answers, Asking, Reader, ask_nothing, table_toml, write
from controller.config.config import load, place_of
from controller.places import Place, Zone
from controller.registry.registry import load as load_registry
from firmware_bridge.port_cures import address_fault

ROOT = Path(__file__).parent.parent.parent


def init(folder: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from betline.main import main; main()", "init", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=folder, env=environment, input=typed, capture_output=True, text=True, timeout=60, check=False
    )


def test_yes_takes_what_is_proposed_and_says_what_comes_next(tmp_path: Path) -> None:
    done = init(tmp_path, "--yes", "--seats", "4")
    assert (done.returncode, done.stderr) == (0, "")
    told = ["written: table.toml", "next: betline watch", "then: betline enroll chips", "then: betline run"]
    steps = [done.stdout.find(each) for each in told]
    assert steps == sorted(steps)
    assert -1 not in steps
    config = load(tmp_path / "table.toml")
    assert config.table.seats == 4
    assert sum(antenna.place is Zone.SPOT for antenna in config.antenna) == 4
    assert load_registry(tmp_path / "chips.csv", []).items == {}


@pytest.mark.parametrize(
    ("folder", "journal"), [("etc/betline", "/var/lib/betline/journal.db"), ("mine", "journal.db")]
)
def test_the_service_keeps_its_journal_where_it_may_write(tmp_path: Path, folder: str, journal: str) -> None:
    """Also in the folder where a package is built: `make install DESTDIR=...`."""
    (tmp_path / folder).mkdir(parents=True)
    assert init(tmp_path, "--yes", f"{folder}/table.toml").returncode == 0
    config = load(tmp_path / folder / "table.toml")
    assert config.journal.path == journal
    assert config.sockets.dealer.startswith("/run/betline/") is (journal != "journal.db")


def test_a_file_is_written_over_only_by_force(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("mine")
    (tmp_path / "chips.csv").write_text("name,tag,value,kind,set,state\nr1,E2,1,chip,a,in\n")
    done = init(tmp_path, "--yes")
    assert done.returncode == 1
    assert done.stderr == "betline: table.toml: is there already: take another name, or write over it with --force\n"
    assert (tmp_path / "table.toml").read_text() == "mine"
    assert init(tmp_path, "--yes", "--force").returncode == 0
    assert load(tmp_path / "table.toml").table.name == "home"
    assert "r1" in (tmp_path / "chips.csv").read_text()


@pytest.mark.parametrize("typed", ["", "club\n4\n"])
def test_answers_that_end_too_soon_leave_no_file_and_name_the_way_without_them(tmp_path: Path, typed: str) -> None:
    """In a script, or over ssh without a terminal."""
    done = init(tmp_path, typed=typed)
    assert done.returncode == 1
    assert done.stderr == "betline: table.toml: the answers end too soon: take what is proposed with --yes\n"
    assert not list(tmp_path.iterdir())


def test_answers_are_checked_as_they_come(tmp_path: Path) -> None:
    """Name, seats, rules, blinds, five kinds of antenna, readers, broker, language; wrong ones are asked again."""
    typed = ["Club!", "club-2", "1", "two", "2", "nothing", "rrop11", "100", "50", "200", "n", "y", "n", "n", "y"]
    typed += [
        "tablelnk",
        "tablelink",
        "/dev/ttyACM7",
        "9",
        "4",
        "pn532",
        "/dev/ttyACM7",
        "/dev/ttyUSB1",
        "1",
        "localhost",
        "ru",
    ]
    done = init(tmp_path, typed="\n".join(typed) + "\n")
    assert done.returncode == 0, done.stdout + done.stderr
    config = load(tmp_path / "table.toml")
    assert (config.table.name, config.table.seats, config.table.profile.upper()) == ("club-2", 2, "RROP11")
    assert config.game.blinds == (100, 200)
    assert (config.mqtt.host, config.screen.language) == ("localhost", "ru")
    assert [(reader.driver, reader.port) for reader in config.reader] == [
        ("tablelink", "/dev/ttyACM7"),
        ("pn532", "/dev/ttyUSB1"),
    ]
    found = [(antenna.reader, antenna.number, place_of(antenna)) for antenna in config.antenna]
    assert found == [
        ("reader-1", 1, Place(Zone.SPOT, 1)),
        ("reader-1", 2, Place(Zone.SPOT, 2)),
        ("reader-1", 3, Place(Zone.HOLE, 1)),
        ("reader-1", 4, Place(Zone.HOLE, 2)),
        ("reader-2", 1, Place(Zone.POT)),
    ]
    assert "Use 1 to 40 of a-z" in done.stdout
    assert "belongs to another reader already" in done.stdout


def test_an_end_of_input_writes_nothing(tmp_path: Path) -> None:
    done = init(tmp_path, typed="home\n")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = init(tmp_path, "absent/table.toml", "--yes")
    assert done.returncode == 1
    assert done.stderr == "betline: absent/table.toml: No such file or directory: choose another folder\n"


def test_a_system_wide_table_keeps_its_files_where_a_service_may_write() -> None:
    text = table_toml(Asking(ask_nothing).all(2, system=True))
    assert '"/var/lib/betline/journal.db"' in text
    assert '"/run/betline/dealer.sock"' in text


PORTS = st.text(min_size=1, max_size=12).filter(lambda port: port.isprintable() and address_fault(port) is None)
PLACES = st.sets(st.sampled_from(sorted(OPTIONAL)))


@pytest.mark.parametrize("language", ["en", "ru"])
@settings(max_examples=40, derandomize=True, deadline=None)
@given(seats=st.integers(2, 10), zones=PLACES, per_reader=st.integers(1, 40), port=PORTS)
def test_any_answers_give_a_file_that_loads(
    tmp_path_factory: pytest.TempPathFactory, language: str, seats: int, zones: set[Zone], per_reader: int, port: str
) -> None:
    places = [Place(Zone.SPOT, seat) for seat in range(1, seats + 1)]
    for zone in sorted(zones):
        places += [Place(zone, seat) for seat in range(1, seats + 1)] if zone in OF_A_SEAT else [Place(zone)]
    chunks = [tuple(places[at : at + per_reader]) for at in range(0, len(places), per_reader)]
    readers = tuple(Reader(f"r{n}", "tablelink", f"{port}{n}", chunk) for n, chunk in enumerate(chunks))
    file = tmp_path_factory.mktemp("init") / "table.toml"
    write(file, Answers(seats=seats, readers=readers, language=language))
    config = load(file)
    assert [place_of(antenna) for antenna in config.antenna] == places
    assert [reader.port for reader in config.reader] == [reader.port for reader in readers]
