"""Drivers by name, and options as table.toml or a command line gives them."""

from pathlib import Path

import pytest

from firmware_bridge.drivers.catalog import DRIVERS, ends_rounds, make, options_of
from firmware_bridge.errors import OptionError
from firmware_bridge.events import PortSettings

PAGES = Path(__file__).parents[2] / "docs" / "readers"


@pytest.mark.parametrize("name", DRIVERS)
def test_every_driver_is_made_without_options_and_starts(name: str) -> None:
    driver = make(name)
    assert driver.settings.baud >= 9600
    assert driver.start(0).send or not ends_rounds(name)


def test_options_may_be_text_as_on_a_command_line() -> None:
    text = make("pn532", options={"baud": "9600", "dtr": "false", "rts": "false"})
    typed = make("pn532", options={"baud": 9600, "dtr": False, "rts": False})
    assert text.settings == typed.settings == PortSettings(9600, "N", False, False)


def test_a_microcontroller_may_need_dtr_and_others_are_left_alone() -> None:
    assert make("tablelink").settings.dtr is True
    assert make("m100").settings.dtr is None


def test_an_unknown_driver_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(OptionError, match=r"west: no driver 'tablelnk': did you mean 'tablelink'\?"):
        make("tablelnk", "west")
    with pytest.raises(OptionError, match=r"there are .*m100, .*pn532, .*tablelink"):
        make("zzz", "west")


def test_an_unknown_option_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(OptionError, match=r"west: driver m100 has no option 'quite_ms': did you mean 'quiet_ms'\?"):
        make("m100", "west", options={"quite_ms": 4})


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        ("m100", "q", 16),
        ("m100", "q", "four"),
        ("m100", "region", "mars"),
        ("m100", "quiet_ms", 0),
        ("m100", "power_dbm", 40),
        ("pn532", "field_off", "maybe"),
        ("tablelink", "baud", 1),
    ],
)
def test_a_value_that_cannot_be_is_an_error_that_names_the_option(name: str, option: str, value: str | int) -> None:
    with pytest.raises(OptionError, match=f"west: driver {name}: .*option `{option}`"):
        make(name, "west", options={option: value})


def test_options_of_a_driver_can_be_listed() -> None:
    assert options_of("tablelink") == ("baud", "dtr", "rts")
    with pytest.raises(OptionError, match="did you mean 'm100'"):
        options_of("m10")


def test_focus_on_a_reader_with_one_antenna_changes_nothing() -> None:
    for name in ("m100", "pn532"):
        driver = make(name)
        driver.start(0)
        before = driver.wake_at_ns()
        driver.focus((1,))
        assert driver.wake_at_ns() == before


def test_readers_that_only_talk_end_rounds_by_time() -> None:
    assert [name for name in DRIVERS if not ends_rounds(name)] == ["em4100", "uid-lines"]
    with pytest.raises(OptionError, match="did you mean 'em4100'"):
        ends_rounds("em410")


@pytest.mark.parametrize("name", DRIVERS)
def test_every_driver_has_a_page_that_tells_its_options_and_its_traps(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text()
    assert page.startswith(f"# {name}: ")
    assert f'driver = "{name}"' in page
    assert [option for option in options_of(name) if f"`{option}`" not in page] == []
    assert "## Traps" in page
    assert f"](docs/readers/{name}.md)" in (PAGES.parents[1] / "hardware.md").read_text()
