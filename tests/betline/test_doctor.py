"""`betline doctor`: antennas by their rounds, a Pi's lines and disks, and whole runs on real terminals and a real broker."""

import json
import os
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import serial

from betline.counts import counted
from betline.doctor import readers as doctor_readers
from betline.doctor.antennas import Antennas
from betline.doctor.machine import Finding, Machine, pins
from controller.config.config import AntennaSection, ButtonSection, Config, ReaderSection, TableSection
from controller.errors import JournalError
from controller.journal.book import Journal
from controller.journal.copies import copy_of
from controller.places import Place, Zone
from controller.registry.registry import Item, Registry, format_chips
from controller.tracking.rates import Survey
from firmware_bridge.events import ScanRound, Sighting
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.base import VirtualReader
from simulator.terminals import Terminals
from tests.betline.in_process import betline
from tests.controller.publish.broker import MOSQUITTO, Broker, eventually, free_port

PATIENCE_S = 90.0  # a limit for a broken build on a busy machine
CHIPS = [f"E00401000000{number:04X}" for number in range(40)]
SPOT1, SPOT2, TRAY1, TRAY2 = Place(Zone.SPOT, 1), Place(Zone.SPOT, 2), Place(Zone.TRAY, 1), Place(Zone.TRAY, 2)
ROUNDS = 30


def verdicts(findings: Iterator[Finding]) -> dict[str, tuple[str, str]]:
    return {finding.check: (finding.verdict, finding.text) for finding in findings}


# ---------------------------------------------------------------- antennas, without a reader
TABLE = {1: TRAY1, 2: SPOT1, 3: TRAY2, 4: SPOT2}
ITEMS = Registry([*(Item(f"r100-{n:03d}", tag, "chip", 100, "red") for n, tag in enumerate(CHIPS))])


def antennas(
    shown: Mapping[int, list[list[str]]], places: Mapping[str, Place] | None = None, items: Registry = ITEMS
) -> dict[str, tuple[str, str]]:
    """Findings after `ROUNDS` rounds of each antenna, which shows its lists of tags in turn."""
    config = Config(
        table=TableSection(seats=2),
        reader=(ReaderSection("west", "tablelink", "/dev/x"),),
        antenna=tuple(AntennaSection("west", n, place.zone, place.seat, 20) for n, place in TABLE.items()),
    )
    survey = Survey([("west", number) for number in TABLE])
    for number in range(ROUNDS):
        for antenna, lists in shown.items():
            if lists:
                tags = tuple(Sighting(tag) for tag in lists[number % len(lists)])
                survey.take(ScanRound("west", antenna, number * 10**9, number * 10**9 + 1, True, tags))
    return verdicts(Antennas(config, survey, items, places or {}, {"west"}).findings())


def at(place: Place, *numbers: int) -> dict[str, Place]:
    return {f"r100-{number:03d}": place for number in numbers}


STILL: dict[int, list[list[str]]] = {1: [CHIPS[:5]], 2: [[]], 3: [CHIPS[10:15]], 4: [[]]}


def test_a_table_that_reads_as_the_journal_says_is_in_order() -> None:
    found = antennas(STILL, at(TRAY1, *range(5)) | at(TRAY2, *range(10, 15)))
    assert {verdict for verdict, _ in found.values()} == {"ok"}
    assert found["tray 1 (west 1)"][1].startswith("5 tags, 1.0 rounds a second, 0.0% missed")


def test_an_antenna_without_rounds_is_dead() -> None:
    assert antennas({**STILL, 4: []})["spot 2 (west 4)"] == (
        "fail",
        "dead: not one round, while its reader answers",
    )


def test_an_antenna_that_sees_nothing_where_chips_lie_is_deaf() -> None:
    found = antennas({**STILL, 3: [[]]}, at(TRAY2, *range(10, 15)))
    assert found["tray 2 (west 3)"] == ("fail", "deaf: 5 chips lie there by the journal, and it sees 0")


@pytest.mark.parametrize(("whole", "verdict"), [(9, "ok"), (5, "warn"), (1, "fail")])
def test_an_antenna_that_misses_its_chips_is_weak_or_deaf(whole: int, verdict: str) -> None:
    """Three rounds that show three chips of five: one miss in ten, in seven, in three."""
    found = antennas({**STILL, 1: [CHIPS[:5]] * whole + [CHIPS[:3]] * 3})
    assert found["tray 1 (west 1)"][0] == verdict


def test_antennas_with_each_others_chips_are_crossed() -> None:
    found = antennas(STILL, at(TRAY2, *range(5)) | at(TRAY1, *range(10, 15)))
    assert found["antennas"] == ("fail", "crossed: tray 1 (west 1) and tray 2 (west 3) each see the other's chips")


def test_chips_that_were_moved_while_the_table_was_off_are_no_crossing() -> None:
    found = antennas(STILL, at(SPOT1, *range(5)) | at(TRAY2, *range(10, 15)))
    assert found["spot 1 (west 2)"] == ("warn", "5 of 5 chips of it lie on tray 1 (west 1) now")
    assert "antennas" not in found


def test_two_antennas_that_see_the_same_tags_are_named_together() -> None:
    found = antennas({**STILL, 2: [CHIPS[:5]]})
    assert found["antennas"] == ("fail", "tray 1 (west 1) and spot 1 (west 2) see the same 5 tags")


def test_an_antenna_that_hears_its_neighbours_chips_is_shouting() -> None:
    found = antennas({**STILL, 2: [CHIPS[:5], [], [], [], []]})
    assert found["spot 1 (west 2)"][0] == "fail"
    assert found["spot 1 (west 2)"][1] == "shouting: it hears the tags of tray 1 (west 1) in 20% of its rounds"


def test_tags_that_nobody_confirms_are_ghosts() -> None:
    ghosts = [f"E0FF00000000{number:04X}" for number in range(ROUNDS)]
    found = antennas({**STILL, 4: [[ghost] for ghost in ghosts]})
    assert found["spot 2 (west 4)"] == (
        "warn",
        f"shouting: 30 tags that were hardly there at all, {ghosts[0]} among them",
    )


def test_a_chip_on_a_card_antenna_an_overfull_tray_and_strange_numbers_are_named() -> None:
    card = Registry([*ITEMS.items.values(), Item("As", "04AA", "card", 0, "red")])
    found = antennas({**STILL, 2: [["04AA"]], 3: [CHIPS[10:40]], 9: [["E2FF"]]}, items=card)
    assert found["spot 1 (west 2)"] == ("warn", "not made for what lies there: As")
    assert found["tray 2 (west 3)"] == ("warn", "30 tags lie there, more than it reads well")
    assert found["antennas"] == ("warn", "antenna 9 of west reads, and table.toml does not know it")
    assert found["tags"] == ("warn", "1 tag of no registry lies on the table, E2FF among them")


# ---------------------------------------------------------------- machines
class Pi(Machine):
    """The files of a Raspberry Pi 4 with Raspberry Pi OS, below a folder."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.write("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
        self.write("/proc/cmdline", "console=tty1 root=PARTUUID=1-02 rootfstype=ext4 rootwait")
        self.write("/proc/1/comm", "systemd\n")
        self.write("/proc/mounts", "/dev/root / ext4 rw,noatime 0 0\ntmpfs /run tmpfs rw 0 0\n")
        for name in ("ttyS0", "ttyAMA0", "ttyUSB0", "tty1"):
            self.write(f"/dev/{name}", "")
        (root / "dev/serial0").symlink_to("ttyS0")
        (root / "dev/serial/by-id").mkdir(parents=True)
        (root / "dev/serial/by-id/usb-west").symlink_to("../../ttyUSB0")

    def write(self, path: str, text: str) -> None:
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def lines(pi: Pi, port: str, parity: str = "N") -> dict[str, tuple[str, str]]:
    return verdicts(pi.serial_lines({port: parity}))


def test_a_usb_adapter_on_a_quiet_pi_is_in_order(pi: Pi) -> None:
    assert lines(pi, "/dev/serial/by-id/usb-west") == {"ModemManager": ("ok", "not running")}


def test_the_mini_uart_is_named_behind_every_name_of_it(pi: Pi) -> None:
    """uart.adoc of the Pi: ttyS0 has no parity bit, and its speed follows the core clock."""
    assert lines(pi, "/dev/serial0")["mini-UART"][0] == "warn"
    assert lines(pi, "/dev/ttyS0", "E")["mini-UART"][0] == "fail"
    assert "mini-UART" not in lines(pi, "/dev/ttyAMA0", "E")
    pi.write("/proc/device-tree/model", "A board of another maker")
    assert "mini-UART" not in lines(pi, "/dev/ttyS0", "E")


def test_the_kernels_console_and_a_login_prompt_on_the_line_are_named(pi: Pi) -> None:
    pi.write("/proc/cmdline", "console=serial0,115200 console=tty1 root=PARTUUID=1-02")
    assert lines(pi, "/dev/ttyS0")["console"] == ("fail", "the kernel's console writes to /dev/ttyS0")
    assert "console" not in lines(pi, "/dev/ttyUSB0")
    pi.write("/proc/812/comm", "agetty\n")
    pi.write("/proc/812/cmdline", "/sbin/agetty\0-o\0-p -- \\u\0--noclear\0ttyUSB0\0vt102\0")
    assert lines(pi, "/dev/ttyUSB0")["console"][1] == "a login prompt (agetty, pid 812) reads from /dev/ttyUSB0"


def test_modem_manager_is_trouble_for_usb_readers_without_a_udev_rule(pi: Pi) -> None:
    pi.write("/proc/400/comm", "ModemManager\n")
    assert lines(pi, "/dev/ttyUSB0")["ModemManager"][0] == "warn"
    assert lines(pi, "/dev/ttyAMA0")["ModemManager"][0] == "ok"
    pi.write("/etc/udev/rules.d/99-betline.rules", 'ENV{ID_MM_DEVICE_IGNORE}="1"\n')
    assert lines(pi, "/dev/ttyUSB0")["ModemManager"][0] == "ok"


def test_the_clock_is_told_apart_from_a_guess(pi: Pi) -> None:
    assert pi.clock(0).verdict == "fail"
    assert pi.clock(1.8e9).verdict == "warn"
    pi.write("/run/systemd/timesync/synchronized", "")
    assert pi.clock(1.8e9).verdict == "ok"


def test_a_state_folder_that_does_not_outlive_power_is_named(pi: Pi, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    for kind, verdict in (("tmpfs", "warn"), ("overlay", "warn"), ("ext4", "ok")):
        pi.write("/proc/mounts", f"/dev/root / ext4 rw 0 0\nx {folder} {kind} rw 0 0\ny {folder}-2 tmpfs rw 0 0\n")
        found = verdicts(pi.disk(folder / "not" / "yet"))
        assert found["state"][0] == verdict
        assert found["disk"][0] == "ok"


def test_a_console_without_graphics_and_a_desktop_are_told_apart(pi: Pi) -> None:
    assert pi.screen({}).verdict == "warn"
    assert pi.screen({"WAYLAND_DISPLAY": "wayland-0"}).verdict == "ok"
    pi.write("/dev/dri/card1", "")
    assert pi.screen({}).verdict == "ok"
    if os.geteuid():
        (pi.root / "dev/dri/card1").chmod(0)
        assert "usermod -aG video,render,input" in pi.screen({}).cure


def test_pins_are_asked_for_only_where_there_are_buttons() -> None:
    assert pins(Config()).verdict == "ok"
    button = (ButtonSection(17, "call", 1),)
    assert pins(Config(button=button, pin_factory="mock")).verdict == "ok"
    if not Path("/dev/gpiochip0").exists():
        assert pins(Config(button=button)).verdict == "fail"


# ---------------------------------------------------------------- whole runs
FIELD = {("west", 1): SPOT1, ("west", 2): TRAY1, ("cards", 1): Place(Zone.HOLE, 1), ("east", 1): SPOT2}


class Slow:
    """A reader whose line runs at one speed: at every other it hears nothing and sends garbage."""

    def __init__(self, inner: VirtualReader, baud: int) -> None:
        self.inner, self.baud, self.terminals = inner, baud, None

    def _right(self) -> bool:
        assert self.terminals is not None
        return bool(termios.tcgetattr(self.terminals._terminals["east"].master)[5] == self.baud)

    def receive(self, data: bytes, at_ns: int) -> bytes:
        return self.inner.receive(data, at_ns) if self._right() else b""

    def tick(self, at_ns: int) -> bytes:
        said = self.inner.tick(at_ns)
        return said if self._right() else bytes(byte ^ 0x5A | 0x80 for byte in said)

    def wake_at_ns(self) -> int | None:
        return self.inner.wake_at_ns()


class Hall:
    """A folder with a table.toml, a registry and readers on real terminals."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.field = Field(FIELD)
        self.radio = Radio(self.field, Noise(uneven=0))
        self.terminals = Terminals(folder)
        self.terminals.start()
        self.ports: dict[str, str] = {}
        self.drivers = {"west": "tablelink", "cards": "pn532", "east": "tablelink"}
        self.options: dict[str, str] = {}
        self.mqtt = ""
        items = [Item(f"r100-{n:03d}", tag, "chip", 100, "red") for n, tag in enumerate(CHIPS)]
        (folder / "chips.csv").write_text(format_chips(items))
        self.field.lay(CHIPS[:6], TRAY1)

    def plug(self, reader: str, virtual: VirtualReader) -> None:
        self.ports[reader] = self.terminals.add(reader, virtual)

    def make(self, reader: str, driver: str = "") -> VirtualReader:
        return catalog.make(driver or self.drivers[reader], reader, self.radio, speed=5)

    def plug_all(self) -> None:
        for reader in self.drivers:
            self.plug(reader, self.make(reader))

    def write(self) -> None:
        text = ['[table]\nseats = 2\nchips = "chips.csv"', self.mqtt]
        for reader, driver in self.drivers.items():
            options = self.options.get(reader, "{}")
            text.append(f'[[reader]]\nid = "{reader}"\ndriver = "{driver}"\nport = "{self.ports[reader]}"')
            text.append(f"options = {options}")
        for (reader, number), place in FIELD.items():
            text.append(f'[[antenna]]\nreader = "{reader}"\nnumber = {number}\nplace = "{place.zone}"')
            text.append(f"seat = {place.seat}" if place.seat else "")
        (self.folder / "table.toml").write_text("\n".join(text))

    def doctor(self, *words: str) -> tuple[int, dict[str, tuple[str, str, str]]]:
        self.write()
        done = betline(["doctor", "--json", *words], self.folder)
        assert done.stderr == ""
        found = [json.loads(line) for line in done.stdout.splitlines()]
        return done.returncode, {f["check"]: (f["verdict"], f["text"], f.get("cure", "")) for f in found}


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr(doctor_readers, "QUESTION_S", 0.3)  # virtual readers answer sooner than real ones
    hall = Hall(tmp_path)
    yield hall
    hall.terminals.close()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    if MOSQUITTO is None:
        pytest.skip("Mosquitto is not installed (apt install mosquitto)")
    made = Broker(tmp_path)
    made.start()
    yield made
    made.kill()


def test_a_table_in_order_has_no_failure_and_status_0(hall: Hall, broker: Broker) -> None:
    hall.plug_all()
    hall.mqtt = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}'
    status, found = hall.doctor()
    assert [check for check, row in found.items() if row[0] == "fail"] == []
    assert status == 0
    assert found["tray 1 (west 2)"][1].startswith("6 tags, ")
    assert found["broker"][:2] == ("ok", f"127.0.0.1:{broker.port}: MQTT 5, may publish")
    assert found["registry"][1] == "40 chips worth 4,000, 0 cards"
    assert {"reader west", "reader cards", "reader east", "disk", "clock", "journal"} <= found.keys()


def test_missing_busy_and_mute_ports_each_name_their_cure(hall: Hall) -> None:
    class Mute:
        def receive(self, data: bytes, at_ns: int) -> bytes:
            return b""

        tick = receive

        def wake_at_ns(self) -> int | None:
            return None

    hall.ports["west"] = str(hall.folder / "ttyUSB9")
    hall.plug("cards", hall.make("cards"))
    hall.plug("east", Mute())  # type: ignore[arg-type]
    with serial.Serial(hall.ports["cards"], exclusive=True):
        status, found = hall.doctor("--seconds", "2")
    assert status == 1
    assert "no such port" in found["reader west"][1]
    assert f"(pid {os.getpid()}) has it open" in " ".join(found["reader cards"])
    assert found["reader east"][1].endswith("no tablelink answers: nothing comes")
    assert "TX goes to RX" in found["reader east"][2]


def test_readers_at_each_others_ports_are_told_as_crossed(hall: Hall) -> None:
    hall.plug("west", hall.make("cards", "pn532"))
    hall.plug("cards", hall.make("west", "tablelink"))
    hall.plug("east", hall.make("east"))
    status, found = hall.doctor("--seconds", "3")
    assert status == 1
    assert "but a pn532 does at 115200 baud" in found["reader west"][1]
    assert found["reader west"][2] == "the ports of 'west' and 'cards' are crossed: change them over"
    assert found["reader east"][0] == "ok"


def test_a_wrong_driver_and_a_wrong_speed_are_told_with_the_right_ones(hall: Hall) -> None:
    hall.plug("west", hall.make("west"))
    hall.plug("cards", hall.make("cards", "m100"))
    slow = Slow(hall.make("east"), termios.B9600)
    slow.terminals = hall.terminals
    hall.plug("east", slow)
    status, found = hall.doctor("--seconds", "3")
    assert status == 1
    assert found["reader cards"][2] == 'driver = "m100" in its [[reader]], or another port'
    assert found["reader east"][1].endswith("as configured, but one does at 9600 baud")
    assert found["reader east"][2] == "options = { baud = 9600 } in its [[reader]]"


def test_a_dead_antenna_and_a_faulty_one_are_told_apart(hall: Hall) -> None:
    hall.plug_all()
    hall.field.antennas.pop(("east", 1))
    hall.plug("east", catalog.make("tablelink", "east", Radio(Field({("east", 7): SPOT2}), Noise(uneven=0)), speed=5))
    _, found = hall.doctor("--seconds", "4")
    assert found["spot 2 (east 1)"][:2] == ("fail", "dead: not one round, while its reader answers")
    assert found["tray 1 (west 2)"][0] == "ok"


def test_a_broker_that_is_away_or_refuses_us_is_a_failure(hall: Hall, tmp_path: Path) -> None:
    hall.plug_all()
    hall.mqtt = f'[mqtt]\nhost = "127.0.0.1"\nport = {free_port()}'
    _, found = hall.doctor("--seconds", "3")
    assert found["broker"][0] == "fail"
    assert "nobody listens there" in found["broker"][1]
    if MOSQUITTO is None:
        return
    (tmp_path / "passwords").write_text("")
    closed = Broker(tmp_path, "allow_anonymous false", f"password_file {tmp_path}/passwords")
    closed.start()
    try:
        hall.mqtt = f'[mqtt]\nhost = "127.0.0.1"\nport = {closed.port}'
        _, found = hall.doctor("--seconds", "3")
    finally:
        closed.kill()
    assert found["broker"][0] == "fail"
    assert "ot authorized" in found["broker"][1]
    assert "username" in found["broker"][2]


def test_a_running_table_speaks_for_its_readers_and_its_journal_knows_what_is_missing_later(hall: Hall) -> None:
    hall.plug_all()
    hall.write()
    words = [sys.executable, "-c", "from betline.main import main; main()", "run"]
    table = subprocess.Popen(words, cwd=hall.folder)
    try:
        eventually(lambda: "r100-005" in journaled(hall.folder), "the tray's chips are in the journal")
        _, found = hall.doctor()
    finally:
        table.terminate()
        table.wait(PATIENCE_S)
    assert "in use by the running table" in found["reader west"][1]
    assert found["antennas"][:2] == ("warn", "the table runs and has the readers: antennas were not measured")
    assert "spot 1 (west 1)" not in found
    hall.field.lift(CHIPS[:6])
    status, found = hall.doctor("--seconds", "4")
    assert status == 1
    assert found["tray 1 (west 2)"][:2] == ("fail", "deaf: 6 chips lie there by the journal, and it sees 0")


def journaled(folder: Path) -> str:
    if not (folder / "journal.db").exists():
        return ""
    try:
        with copy_of(folder / "journal.db") as copy:
            return str([row.event for row in copy.events()])
    except JournalError:  # it is just being made
        return ""


def test_a_reader_that_only_talks_is_not_ill_while_no_tag_lies_there(hall: Hall) -> None:
    hall.drivers["cards"] = "em4100"
    hall.plug_all()
    status, found = hall.doctor("--seconds", "4")
    assert status == 0
    assert found["reader cards"][0] == "warn"
    assert "says nothing while no tag lies there" in found["reader cards"][1]


def test_a_configuration_that_cannot_be_read_still_has_its_machine_looked_at(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("[table]\nseets = 2\n")
    done = betline(["doctor"], tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    told = done.stdout.splitlines()
    assert told[0].startswith("FAIL  configuration: table.toml: ")
    assert "seats" in told[0]
    assert any(" clock: " in line for line in told)


def test_a_damaged_journal_and_registry_are_failures(hall: Hall) -> None:
    hall.plug_all()
    hall.write()
    Journal.open(hall.folder / "journal.db").close()
    (hall.folder / "journal.db").write_bytes(b"not a database, and long enough to be looked at" * 100)
    (hall.folder / "chips.csv").write_text("name,tag,value,kind,set,state\nr1,XYZ,1,chip,red,in\n")
    status, found = hall.doctor("--seconds", "3")
    assert status == 1
    assert found["journal"][0] == found["registry"][0] == "fail"
    assert "line 2" in found["registry"][1]


@pytest.mark.parametrize(("number", "told"), [(0, "0 readers"), (1, "1 reader"), (2, "2 readers"), (21, "21 readers")])
def test_one_of_a_kind_is_told_as_one(number: int, told: str) -> None:
    assert counted(number, "reader") == told
    assert counted(number, "tag lies", "tags lie").endswith("tag lies" if number == 1 else "tags lie")
