"""`betline init`: whatever is answered, the file loads."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from betline.init.command import write
from betline.init.file import Answers, Reader, table_toml
from betline.init.interview import BACK, STOP, Interview, Stopped, draft_of
from betline.init.questions import OF_A_SEAT, OPTIONAL, questions
from controller.config.config import ReaderSection, load, place_of
from controller.places import Place, Zone
from controller.registry.registry import load as load_registry
from firmware_bridge.port_cures import address_fault
from simulator.field import Field
from simulator.models.radio import ModelledRadio
from simulator.radio import Noise
from simulator.readers import catalog
from simulator.terminals import Terminals

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
        "/dev/ttyACM7",
        "tablelnk",
        "tablelink",
        "9",
        "4",
        "y",
        "/dev/ttyACM7",
        "/dev/ttyUSB1",
        "pn532",  # under the pot lie chips
        "m100",
        "1",
        "http://localhost",
        "localhost:1884",
        "betline",
        "ru",
    ]
    done = init(tmp_path, typed="\n".join(typed) + "\n")
    assert done.returncode == 0, done.stdout + done.stderr
    config = load(tmp_path / "table.toml")
    assert (config.table.name, config.table.seats, config.table.profile.upper()) == ("club-2", 2, "RROP11")
    assert config.game.blinds == (100, 200)
    assert (config.mqtt.host, config.mqtt.port, config.mqtt.username) == ("localhost", 1884, "betline")
    assert config.screen.language == "ru"
    assert (tmp_path / "mqtt.password").stat().st_mode & 0o777 == 0o600
    assert [(reader.driver, reader.port) for reader in config.reader] == [
        ("tablelink", "/dev/ttyACM7"),
        ("m100", "/dev/ttyUSB1"),
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
    assert "A pn532 reads 2 tags at once: it is for cards, not for chips." in done.stdout
    assert "The name or address of a machine" in done.stdout


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
    text = table_toml(Interview(lambda _, shown: shown).run(lambda asks: questions(asks, 2, system=True)))
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


# ---------------------------------------------------------------- going back, stopping, going on
class Typing:
    """Somebody who types these answers; behind the last one he takes what is proposed."""

    def __init__(self, *typed: str) -> None:
        self.typed = list(typed)
        self.asked: list[str] = []

    def __call__(self, text: str, shown: str) -> str:
        self.asked.append(text)
        return self.typed.pop(0) if self.typed else shown


def test_the_sign_for_back_asks_the_question_before_again() -> None:
    typing = Typing("club", "4", BACK, BACK, "home-2", "5")
    answers = Interview(typing).run(lambda asks: questions(asks, None))
    assert (answers.name, answers.seats) == ("home-2", 5)
    assert [text.split()[0] for text in typing.asked[:6]] == ["Name", "Seats", "House", "Seats", "Name", "Seats"]


def test_back_at_the_first_question_asks_it_again() -> None:
    assert Interview(Typing(BACK, "club")).run(lambda asks: questions(asks, 2)).name == "club"


def test_who_goes_back_and_answers_otherwise_is_asked_what_follows_from_it() -> None:
    """No hole cards after all: the places behind them, and their readers, are asked about anew."""
    typing = Typing("club", "TDA2024", "1", "2", "n", "y", BACK, "n", "y")
    answers = Interview(typing).run(lambda asks: questions(asks, 2))
    zones = {place.zone for reader in answers.readers for place in reader.antennas}
    assert zones == {Zone.SPOT, Zone.BOARD}


def test_who_stops_goes_on_with_what_he_answered(tmp_path: Path) -> None:
    stopped = init(tmp_path, typed=f"club\n4\n{STOP}\n")
    assert stopped.returncode == 0
    assert "2 answers are kept in table.toml.draft" in stopped.stdout
    assert [file.name for file in tmp_path.iterdir()] == ["table.toml.draft"]
    gone_on = init(tmp_path, typed="RROP11\n" + "\n" * 20)
    assert "Going on after 2 answers" in gone_on.stdout
    assert "Name of the table" not in gone_on.stdout
    config = load(tmp_path / "table.toml")
    assert (config.table.name, config.table.seats, config.table.profile.upper()) == ("club", 4, "RROP11")
    assert not draft_of(tmp_path / "table.toml").exists()


def test_answers_that_no_longer_fit_are_asked_again() -> None:
    first = Interview(Typing("club", "5", STOP))
    with pytest.raises(Stopped):
        first.run(lambda asks: questions(asks, None))
    typing = Typing()
    answers = Interview(typing, first.given).run(lambda asks: questions(asks, 3))
    assert (answers.name, answers.seats) == ("club", 3)
    assert typing.asked[0].startswith("House rules")


def test_a_draft_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    draft_of(tmp_path / "table.toml").write_text("[{")
    assert "Going on" not in init(tmp_path, typed="club\n").stdout


# ---------------------------------------------------------------- fewer readers than places
def test_with_fewer_readers_the_table_gets_fewer_seats() -> None:
    """Four of nine seats have a reader under their spots; trays and all else come later."""
    typing = Typing("home", "9", "TDA2024", "1", "2", "n", "n", "n", "n", "n", "/dev/ttyACM0", "tablelink", "4", "n")
    answers = Interview(typing).run(lambda asks: questions(asks, None))
    assert answers.seats == 4
    assert [place.seat for reader in answers.readers for place in reader.antennas] == [1, 2, 3, 4]


def test_one_reader_for_one_spot_is_no_table_yet_and_nothing_is_lost(tmp_path: Path) -> None:
    typed = ["home", "2", "TDA2024", "1", "2", "n", "n", "n", "n", "n", "/dev/ttyUSB0", "m100", "1", "n"]
    done = init(tmp_path, typed="\n".join(typed) + "\n")
    assert done.returncode == 0
    assert "A table needs 2 seats with an antenna under the bet spot; there is 1." in done.stdout
    assert "answers are kept" in done.stdout
    assert not (tmp_path / "table.toml").exists()


def test_a_card_reader_gets_the_places_of_cards() -> None:
    typing = Typing("home", "TDA2024", "1", "2", "n", "n", "y", "n", "n", "/dev/ttyUSB0", "pn532", "1", "y")
    answers = Interview(typing).run(lambda asks: questions(asks, 2))
    assert answers.readers[0].antennas == (Place(Zone.BOARD),)
    assert answers.readers[1].antennas == (Place(Zone.SPOT, 1), Place(Zone.SPOT, 2))


# ---------------------------------------------------------------- who is at the ports
def test_readers_at_the_ports_are_asked_who_they_are(tmp_path: Path) -> None:
    """Two virtual readers on pseudo-terminals, and a port where nobody is."""
    radio = ModelledRadio(Field({}), Noise(), (), time.monotonic_ns)
    with Terminals(tmp_path) as terminals:
        for name, driver in (("west", "tablelink"), ("east", "m100")):
            section = ReaderSection(id=name, driver=driver, port=str(tmp_path / name))
            terminals.add(name, catalog.for_section(section, radio))
        ports = [str(tmp_path / name) for name in ("west", "east")]
        words = [word for port in (*ports, str(tmp_path / "nobody")) for word in ("--look", port)]
        done = init(tmp_path, *words, typed="home\n2\n\n\n\nn\nn\nn\nn\nn\n\n\n1\ny\n\n\n\n\n\n")
    assert f"{ports[0]}: a tablelink answers" in done.stdout
    assert f"{ports[1]}: a m100 answers" in done.stdout
    assert f"{tmp_path / 'nobody'}: no such port" in done.stdout
    config = load(tmp_path / "table.toml")
    assert [(reader.driver, reader.port) for reader in config.reader] == [("tablelink", ports[0]), ("m100", ports[1])]


def test_a_speed_that_is_not_the_usual_one_stands_in_the_file() -> None:
    reader = Reader("reader-1", "m100", "/dev/ttyUSB0", (Place(Zone.SPOT, 1),), 9600)
    assert "options = { baud = 9600 }" in table_toml(Answers(seats=2, readers=(reader,)))
