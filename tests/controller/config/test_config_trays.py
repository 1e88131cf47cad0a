"""Trays on readers that cannot say when a round is over: refused with the reason, all other places allowed."""

from pathlib import Path

import pytest

from controller.config import config
from controller.errors import ConfigError

TABLE = """
schema = 1
[table]
seats = 2
[[reader]]
id = "board"
driver = "{driver}"
port = "/dev/ttyACM0"
[[antenna]]
reader = "board"
number = 1
place = "spot"
seat = 1
[[antenna]]
reader = "board"
number = 2
place = "spot"
seat = 2
[[antenna]]
reader = "board"
number = 3
place = "{place}"
seat = 1
"""


def load(tmp_path: Path, driver: str, place: str) -> config.Config:
    file = tmp_path / "table.toml"
    file.write_text(TABLE.format(driver=driver, place=place), encoding="utf-8")
    return config.load(file)


@pytest.mark.parametrize("driver", ["em4100", "uid-lines"])
def test_a_tray_on_a_reader_that_ends_rounds_by_time_is_refused_with_the_reason(tmp_path: Path, driver: str) -> None:
    with pytest.raises(ConfigError) as error:
        load(tmp_path, driver, "tray")
    line = str(error.value)
    assert "[[antenna]] no. 3, key 'place'" in line
    assert f"a {driver} reader cannot say when it has read all chips" in line
    assert "another reader" in line
    assert "\n" not in line


@pytest.mark.parametrize(("driver", "place"), [("uid-lines", "hole"), ("tablelink", "tray")])
def test_other_places_and_other_readers_are_not(tmp_path: Path, driver: str, place: str) -> None:
    assert len(load(tmp_path, driver, place).antenna) == 3
