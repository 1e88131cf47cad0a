"""From a configuration to the limit of the sequential test that its table plays with."""

from pathlib import Path

import pytest

from controller import build, config
from controller.config import AntennaSection, Config, ReaderSection, ReadingSection, TableSection
from controller.errors import ConfigError
from controller.places import Zone
from controller.tracking.rates import Noise, steps_for


def table(steps: "int | str", **noise: float) -> Config:
    spots = tuple(AntennaSection("w", seat, Zone.SPOT, seat, **(noise if seat == 1 else {})) for seat in (1, 2))
    reading = ReadingSection(steps="auto" if steps == "auto" else int(steps))
    return Config(
        table=TableSection(seats=2),
        reading=reading,
        reader=(ReaderSection("w", "tablelink", "/dev/x"),),
        antenna=spots,
    )


def test_auto_is_the_usual_limit_until_something_was_measured() -> None:
    assert build.layout(table("auto")).steps == build.DEFAULT_STEPS


@pytest.mark.parametrize(
    ("noise", "steps"),
    [
        ({"miss": 0.01, "stray": 0.001}, 3),
        ({"miss": 0.2, "stray": 0.05}, 6),
        ({"miss": 0.05, "stray": 0.01, "burst": 5.0}, 5),
        ({"miss": 0.1}, 4),
    ],
)
def test_auto_follows_from_what_the_worst_antenna_declares(noise: dict[str, float], steps: int) -> None:
    assert build.layout(table("auto", **noise)).steps == steps
    assert build.layout(table(4, **noise)).steps == 4


def test_an_antenna_beyond_trust_counts_as_one_at_the_limit_of_trust() -> None:
    assert build.layout(table("auto", miss=0.9, stray=0.5)).steps == steps_for(Noise(0.2, 0.05))


@pytest.mark.parametrize(("key", "value"), [("miss", 1.0), ("stray", -0.1), ("burst", 0.5)])
def test_noise_that_cannot_be_is_one_line_with_the_key(tmp_path: Path, key: str, value: float) -> None:
    file = tmp_path / "table.toml"
    file.write_text(
        '[table]\nseats = 2\n[[reader]]\nid = "w"\ndriver = "tablelink"\nport = "/dev/x"\n'
        f'[[antenna]]\nreader = "w"\nnumber = 1\nplace = "spot"\nseat = 1\n{key} = {value}\n'
        '[[antenna]]\nreader = "w"\nnumber = 2\nplace = "spot"\nseat = 2\n'
    )
    with pytest.raises(ConfigError, match=f"no. 1, key '{key}'"):
        config.load(file)
