"""Dealer and seat buttons, and a turn light per seat, through gpiozero.

The pin factory is chosen by configuration (`pin_factory`): lgpio, the older RPi.GPIO, or mock pins for tests. A line
belongs to one process, so pins are opened here and nowhere else, after any fork. Callbacks of gpiozero's threads only
call `press`, which queues. Buttons join a pin to ground; the internal pull-up is used.
"""

import os
from collections.abc import Callable
from typing import Any

from controller import commands
from controller.config.config import ButtonSection, Config
from controller.errors import ConfigError, WordsError
from controller.texts import said

BOUNCE_S = 0.03  # contacts of cheap arcade buttons rattle for 5 to 20 ms
Press = Callable[[commands.Command, commands.By], None]


def command_of(button: ButtonSection) -> commands.Command:
    """The command that a button gives: `says` in the words of `betline say`, for the button's seat."""
    try:
        command = said.command(button.says.split())
    except WordsError as error:
        raise ConfigError(f"[[button]] pin {button.pin}: {error}") from error
    if isinstance(command, commands.Say) and command.seat is None:
        return commands.Say(button.seat, command.word)
    return command


def pin_factory(name: str) -> Any:
    """A gpiozero pin factory; ConfigError where this machine has no such pins."""
    # lgpio writes notification pipes into the working directory; a read-only one would stop it.
    os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", "/tmp").split(":")[0])  # noqa: S108 -- a pipe, no data
    try:
        if name == "mock":
            from gpiozero.pins.mock import MockFactory, MockPWMPin  # noqa: PLC0415 -- one backend is loaded

            return MockFactory(pin_class=MockPWMPin)
        if name == "rpigpio":
            from gpiozero.pins.rpigpio import RPiGPIOFactory  # noqa: PLC0415 -- one backend is loaded

            return RPiGPIOFactory()
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 -- one backend is loaded

        return LGPIOFactory()
    except Exception as error:  # every backend raises its own kinds
        cure = "install python3-lgpio" if name == "lgpio" else "install RPi.GPIO"
        raise ConfigError(
            f"pin_factory = {name!r}: no pins on this machine ({error}); {cure}, or remove [[button]] and [[light]]"
        ) from error


class Panel:
    """All buttons and lights of a table. `close` gives the lines back."""

    def __init__(self, config: Config, press: Press, factory: Any) -> None:
        from gpiozero import LED, Button  # noqa: PLC0415 -- slow to load, and only tables with pins need it
        from gpiozero.exc import GPIOZeroError  # noqa: PLC0415 -- the same

        orders = [command_of(button) for button in config.button]  # before any pin is taken
        self._factory = factory
        self._buttons: list[Any] = []
        self._lights: dict[int, Any] = {}
        pin = None
        try:
            for button, order in zip(config.button, orders, strict=True):
                pin = button.pin
                device = Button(pin, pull_up=True, bounce_time=BOUNCE_S, pin_factory=factory)
                device.when_pressed = _presser(press, order, "seat" if button.seat else "dealer")
                self._buttons.append(device)
            for light in config.light:
                pin = light.pin
                self._lights[light.seat] = LED(pin, pin_factory=factory)
        except GPIOZeroError as error:
            self.close()
            raise ConfigError(f"pin {pin}: {error}: use another pin, or end the program that holds it") from error

    def show_turn(self, seat: int | None) -> None:
        """Light the lamp of the seat to act, and no other."""
        for number, light in self._lights.items():
            if number == seat:
                light.on()
            else:
                light.off()

    def close(self) -> None:
        for device in [*self._buttons, *self._lights.values()]:
            device.close()
        self._factory.close()


def _presser(press: Press, command: commands.Command, by: commands.By) -> Callable[[], None]:
    return lambda: press(command, by)
