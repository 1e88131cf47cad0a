"""What runs on the microcontroller: makes the radios of `board.py`, and turns the loop until `maintain`.

The first frame of a host holds a byte 03, which MicroPython takes for Ctrl-C: that is switched off before the first
read, and switched on again when the loop is left. The watchdog starts ten seconds after the boot, or whoever wants to
flash a board would have no time.
"""

import os
import select
import sys
import time

import micropython

from firmware_bridge.firmware.pn532 import CardRadio
from firmware_bridge.firmware.pn5180 import Pn5180
from firmware_bridge.firmware.radio import ChipRadio
from firmware_bridge.firmware.station import NOT_LEAVING, Station

CTRL_C = 3
WATCHDOG_AFTER_US = 10_000_000
MOST_BYTES = 64
BOOTLOADER = 1

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CLOCK: "Any" = time  # its ticks are what the firmware counts in
STDIN: "Any" = sys.stdin.buffer


class UsbHost:
    """Standard input and output as bytes. A frame for a host that does not read is dropped: writing it would block."""

    def __init__(self) -> None:
        self._in, self._out = STDIN, sys.stdout.buffer
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)
        self._free = select.poll()
        self._free.register(sys.stdout, select.POLLOUT)
        self._one = bytearray(1)
        self._bytes = bytearray(MOST_BYTES)

    def read(self) -> "bytes | None":
        """What lies there now; one byte at a time, since `read` waits for all that it was asked for."""
        size = 0
        while size < MOST_BYTES and self._poll.poll(0):
            if not self._in.readinto(self._one):
                break
            self._bytes[size] = self._one[0]
            size += 1
        return bytes(self._bytes[:size]) if size else None

    def write(self, data: memoryview) -> bool:
        return bool(self._free.poll(0)) and bool(self._out.write(data))


def station_of(board: "Any", host: UsbHost) -> Station:
    chips = [
        ChipRadio(Pn5180(spi, nss, busy, rst, CLOCK), [(antenna, tags)], CLOCK)
        for antenna, tags, spi, nss, busy, rst in board.chips()
    ]
    antennas = [antenna for radio in chips for antenna in radio.antennas]
    for antenna in antennas:
        antenna.others = [other for other in antennas if other is not antenna]
    radios: list[ChipRadio | CardRadio] = list(chips)
    cards = board.cards()
    if cards is not None:
        radios.append(CardRadio(cards[1], cards[0], CLOCK))
    station = Station(radios, host, CLOCK, int.from_bytes(os.urandom(4), "big"), board.name())
    station.light = board.light()
    return station


def run(board: "Any") -> None:
    """Until `maintain`; fields are off then."""
    micropython.kbd_intr(-1)
    station = station_of(board, UsbHost())
    began = CLOCK.ticks_us()
    while station.leaving == NOT_LEAVING:
        station.turn()
        if station.feed is None and CLOCK.ticks_diff(CLOCK.ticks_us(), began) > WATCHDOG_AFTER_US:
            station.feed = board.watchdog().feed
    for radio in station.radios:
        if isinstance(radio, ChipRadio):
            radio.chip.asleep(True)
    micropython.kbd_intr(CTRL_C)
    if station.leaving == BOOTLOADER:
        board.bootloader()
