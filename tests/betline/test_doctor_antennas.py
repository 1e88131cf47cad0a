"""`betline doctor` on real terminals: deaf, weak, shouting and crossed antennas, and a port that may not be opened."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from betline.doctor import readers as doctor_readers
from controller.journal.book import Journal
from controller.places import Place
from controller.table.events import PlacesCounted
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from tests.betline.in_process import betline
from tests.betline.test_doctor import CHIPS, SPOT1, TRAY1, Hall

NOBODY = 65534


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr(doctor_readers, "QUESTION_S", 0.3)
    hall = Hall(tmp_path)
    yield hall
    hall.terminals.close()


def plug(hall: Hall, noise: Noise) -> None:
    """All readers; the one of seat 1 hears with noise, and often enough that its shares are far from every limit."""
    hall.plug("west", catalog.make("tablelink", "west", Radio(hall.field, noise), speed=20))
    for reader in ("cards", "east"):
        hall.plug(reader, hall.make(reader))


@pytest.mark.parametrize(("miss", "verdict", "word"), [(0.5, "fail", "deaf: "), (0.0, "ok", "")])
def test_an_antenna_that_misses_half_of_its_chips_is_deaf(hall: Hall, miss: float, verdict: str, word: str) -> None:
    hall.field.lay(CHIPS[6:20], TRAY1)
    plug(hall, Noise(miss=miss, uneven=0, seed=1))
    status, found = hall.doctor("--seconds", "6")
    assert (found["tray 1 (west 2)"][0], status) == (verdict, int(verdict == "fail"))
    assert found["tray 1 (west 2)"][1].startswith(word)


def test_an_antenna_that_misses_some_is_weak(hall: Hall) -> None:
    hall.field.lay(CHIPS[6:30], TRAY1)
    plug(hall, Noise(miss=0.15, uneven=0, seed=2))
    _, found = hall.doctor("--seconds", "6")
    assert found["tray 1 (west 2)"][0] == "warn"
    assert found["tray 1 (west 2)"][1].startswith("weak: ")
    assert "betline calibrate" in found["tray 1 (west 2)"][2]


def test_an_antenna_that_hears_the_tray_beside_it_is_shouting(hall: Hall) -> None:
    hall.field.lay(CHIPS[6:20], TRAY1)
    plug(hall, Noise(stray=0.25, uneven=0, seed=3))
    status, found = hall.doctor("--seconds", "6")
    assert status == 1
    told = re.fullmatch(
        r"shouting: it hears the tags of tray 1 \(west 2\) in (\d+)% of its rounds", found["spot 1 (west 1)"][1]
    )
    assert told is not None
    assert int(told[1]) == pytest.approx(25, abs=10)
    assert "less power" in found["spot 1 (west 1)"][2]


def test_antennas_with_each_others_cables_are_told_as_crossed(hall: Hall) -> None:
    """By the journal six chips lie in the tray and six on the spot; each antenna sees the other's."""
    hall.field.lift(CHIPS[:6])
    hall.field.lay(CHIPS[:6], SPOT1)
    hall.field.lay(CHIPS[6:12], TRAY1)
    plug(hall, Noise(uneven=0))
    lies: dict[str, Place] = {f"r100-{n:03d}": TRAY1 if n < 6 else SPOT1 for n in range(12)}
    journal = Journal.open(hall.folder / "journal.db")
    journal.append([(PlacesCounted(lies), 1, 1)])
    journal.close()
    status, found = hall.doctor("--seconds", "6")
    assert status == 1
    assert found["antennas"][1] == "crossed: spot 1 (west 1) and tray 1 (west 2) each see the other's chips"
    assert "change their numbers over" in found["antennas"][2]


def test_a_port_that_may_not_be_opened_is_told_with_the_command(hall: Hall) -> None:
    """Closed to its owner; root, whom that does not stop, asks as nobody, who belongs to no group."""
    plug(hall, Noise(uneven=0))
    device = hall.ports["west"] = os.path.realpath(hall.ports["west"])
    hall.doctor("--seconds", "1")  # loads all that nobody may not read
    Path(device).chmod(0o600 if os.getuid() == 0 else 0)
    with TemporaryDirectory() as folder:  # one that everybody may look into
        Path(folder).chmod(0o755)
        for name in ("table.toml", "chips.csv"):
            shutil.copy(hall.folder / name, folder)
        with chdir(folder):
            try:
                if os.getuid() == 0:
                    os.seteuid(NOBODY)
                done = betline(["doctor", "--json", "--seconds", "2"])
            finally:
                os.seteuid(os.getuid())
    found = {row["check"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert (done.returncode, done.stderr) == (1, "")
    assert found["reader west"]["text"].startswith(f"{device}: no permission")
    assert "dialout" in found["reader west"]["cure"] or "usermod" in found["reader west"]["cure"]
