"""What the firmware touches of a board, for the type checker alone: this file never goes to a microcontroller.

A pin is called as MicroPython's are: with a value it is set, without one it is read.
"""

from collections.abc import Generator
from typing import Protocol

Steps = Generator[int, None, None]  # work of one radio: each step yields the time until which it has nothing to do


class Pin(Protocol):
    def __call__(self, value: int | None = None, /) -> int | None: ...


class Spi(Protocol):
    def write(self, data: bytes | bytearray | memoryview, /) -> None: ...
    def readinto(self, data: bytearray | memoryview, fill: int, /) -> None: ...


class Uart(Protocol):
    def write(self, data: bytes | bytearray | memoryview, /) -> int | None: ...
    def readinto(self, data: bytearray | memoryview, /) -> int | None: ...


class Clock(Protocol):
    """MicroPython's `time`: microseconds that begin again at 0, at 2**30 there; only differences mean anything."""

    def ticks_us(self) -> int: ...
    def ticks_add(self, ticks: int, delta: int, /) -> int: ...
    def ticks_diff(self, later: int, earlier: int, /) -> int: ...
    def sleep_us(self, us: int, /) -> None: ...


class Host(Protocol):
    """The port to the host. Neither call ever waits."""

    def read(self) -> bytes | None: ...
    def write(self, data: memoryview, /) -> bool: ...


class Radio(Protocol):
    """One state machine of the loop. `due` is when it wants to be stepped; `numbers` are its antennas."""

    due: int

    def step(self) -> None: ...
