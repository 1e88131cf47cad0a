"""What a flashed board tells of its radios, as doctor and calibrate show it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from betline import radios
from betline.doctor.readers import radios as findings
from controller.places import Place, Zone
from firmware_bridge.wire.tablelink_asking import Health
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers.flashed import Flashed
from simulator.terminals import Terminals
from tests.betline.in_process import betline
from tests.betline.test_calibrate import CHIPS

FIELD = {("west", 1): Place(Zone.TRAY, 1), ("west", 2): Place(Zone.SPOT, 1), ("west", 3): Place(Zone.SPOT, 2)}
WELL = Health(1, 12, 0, 3, 0, 336, 140, hot=False)
TEXT = """
schema = 1
[table]
seats = 2
[[reader]]
id = "west"
driver = "tablelink"
port = "PORT"
[[antenna]]
reader = "west"
number = 1
place = "tray"
seat = 1
tags = 60
[[antenna]]
reader = "west"
number = 2
place = "spot"
seat = 1
tags = 30
[[antenna]]
reader = "west"
number = 3
place = "spot"
seat = 2
tags = 30
[mqtt]
host = ""
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A seat with ten chips in the tray; a transaction of its board takes 140 us."""
    field = Field(FIELD, {("west", 1): 60, ("west", 2): 30})
    field.lay(CHIPS[:10], FIELD["west", 1])
    with Terminals(tmp_path) as terminals:
        path = terminals.add("west", Flashed("west", Radio(field, Noise(uneven=0)), spi_us=140.0))
        (tmp_path / "table.toml").write_text(TEXT.replace("PORT", path))
        yield tmp_path


def test_doctor_has_a_line_for_each_radio_that_a_board_tells_of(folder: Path) -> None:
    done = betline(["doctor", "--json", "--seconds", "6"], folder)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    lines = {one["check"]: one for one in told if one["check"].startswith("radio of")}
    assert lines.keys() == {f"radio of antenna {number} of west" for number in (1, 2, 3)}
    for line in lines.values():
        assert line["verdict"] == "ok"
        assert line["text"].startswith(("140 us a transaction", "141 us a transaction")), line
    rates = [one["text"] for one in told if one["check"].startswith(("tray 1", "spot"))]
    assert len(rates) == 3
    assert all("rounds a second" in text for text in rates)


def test_calibrate_shows_the_radio_of_each_antenna_beside_its_rounds_a_second(folder: Path) -> None:
    done = betline(["calibrate", "--json", "--rounds", "20", "--dry-run"], folder)
    assert done.returncode == 0, done.stderr
    rows = {row["antenna"]: row for row in json.loads(done.stdout)["antennas"]}
    assert rows["tray 1 (west 1)"]["radio"]["worst_us"] in (140, 141)
    assert rows["tray 1 (west 1)"]["a_second"] > 5
    shown = betline(["calibrate", "--yes", "--rounds", "20", "--dry-run"], folder).stdout
    assert "radio of tray 1 (west 1): 14" in shown
    assert "radio of spot 1 (west 2): 14" in shown


def test_doctor_names_what_is_wrong_with_a_radio_and_what_to_do() -> None:
    wrong = {
        "hot": replace(WELL, hot=True),
        "in vain": replace(WELL, lost=500),
        "told apart": replace(WELL, noise=900),
        "4000 us": replace(WELL, worst_us=4000),
    }
    for word, health in wrong.items():
        (finding,) = findings({("west", 1): health})
        assert (finding.verdict, word in finding.text, bool(finding.cure)) == ("warn", True, True)
    (finding,) = findings({("west", 1): WELL})
    assert (finding.verdict, finding.text) == ("ok", radios.figures(WELL))
