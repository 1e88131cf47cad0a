"""Buttons and lights on gpiozero's mock pins: the electrical side is driven, the commands are what comes out."""

import pytest

from controller import commands
from controller.config.config import ButtonSection, Config, LightSection
from controller.errors import ConfigError
from controller.rulings.values import Word
from controller.service import gpio

CONFIG = Config(
    pin_factory="mock",
    button=(ButtonSection(17, "call", 1), ButtonSection(27, "undo"), ButtonSection(22, "all_in", 2)),
    light=(LightSection(5, 1), LightSection(6, 2)),
)


@pytest.fixture
def pressed():
    return []


@pytest.fixture
def factory():
    return gpio.pin_factory("mock")


@pytest.fixture
def panel(pressed, factory):
    panel = gpio.Panel(CONFIG, lambda command, by: pressed.append((command, by)), factory)
    yield panel
    panel.close()


def test_a_seat_button_to_ground_says_the_word_of_its_seat(panel, pressed, factory) -> None:
    factory.pin(17).drive_low()

    assert pressed == [(commands.Say(1, Word("call")), "seat")]


def test_a_dealer_button_gives_its_key_once_per_press(panel, pressed, factory) -> None:
    factory.pin(27).drive_low()
    factory.pin(27).drive_high()

    assert pressed == [(commands.Undo(), "dealer")]


def test_only_the_seat_to_act_is_lit(panel, factory) -> None:
    panel.show_turn(2)
    assert (factory.pin(5).state, factory.pin(6).state) == (False, True)

    panel.show_turn(1)
    assert (factory.pin(5).state, factory.pin(6).state) == (True, False)

    panel.show_turn(None)
    assert (factory.pin(5).state, factory.pin(6).state) == (False, False)


@pytest.mark.parametrize(
    ("says", "command"),
    [
        ("call", commands.Say(3, Word("call"))),
        ("all_in", commands.Say(3, Word("all_in"))),
        ("raise to 600", commands.Say(3, Word("raise_to", 600))),
        ("confirm", commands.Confirm()),
        ("next", commands.NextHand()),
        ("out of turn", commands.OutOfTurn()),
    ],
)
def test_a_button_says_what_betline_say_says(says: str, command: commands.Command) -> None:
    assert gpio.command_of(ButtonSection(4, says, 3)) == command


def test_an_unknown_word_names_the_pin_and_the_nearest_word() -> None:
    with pytest.raises(ConfigError, match=r"pin 4: .*rais.*raise"):
        gpio.command_of(ButtonSection(4, "rais", 3))


def test_a_pin_used_twice_names_the_pin(factory) -> None:
    twice = Config(button=(ButtonSection(17, "call", 1), ButtonSection(17, "fold", 1)))

    with pytest.raises(ConfigError, match="pin 17"):
        gpio.Panel(twice, lambda command, by: None, factory)


def test_a_machine_without_pins_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"pin_factory = 'lgpio': no pins .* remove \[\[button\]\]"):
        gpio.pin_factory("lgpio")
