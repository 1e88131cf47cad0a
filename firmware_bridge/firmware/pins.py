"""The pins of a board as the radios want them: made of the rows of `boards/`, one of which is `board.py` on a board."""

import machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firmware_bridge.firmware.contacts import Pin, Spi, Uart


class Pins:
    """`rows`: the module `board`."""

    def __init__(self, rows: "Any") -> None:
        self._rows = rows
        self._buses: dict[int, Spi] = {}

    def chips(self) -> "list[tuple[int, int, Spi, Pin, Pin, Pin]]":
        """Of each PN5180: antenna, tags, SPI, NSS, BUSY, RST. All NSS go high first: who is not selected is silent."""
        for row in self._rows.CHIPS:
            machine.Pin(row[6], machine.Pin.OUT, value=1)
        return [self._chip(row) for row in self._rows.CHIPS]

    def _chip(self, row: "tuple[int, ...]") -> "tuple[int, int, Spi, Pin, Pin, Pin]":
        antenna, tags, bus, sck, mosi, miso, nss, busy, rst = row
        if bus not in self._buses:  # chips may share one: each transaction is whole before the next begins
            wires = {"sck": machine.Pin(sck), "mosi": machine.Pin(mosi), "miso": machine.Pin(miso)}
            self._buses[bus] = machine.SPI(bus, self._rows.SPI_BAUD, polarity=0, phase=0, **wires)
        out = machine.Pin.OUT
        return (
            antenna,
            tags,
            self._buses[bus],
            machine.Pin(nss, out),
            machine.Pin(busy, machine.Pin.IN),
            machine.Pin(rst, out),
        )

    def cards(self) -> "tuple[int, Uart] | None":
        if self._rows.CARDS is None:
            return None
        antenna, uart, tx, rx = self._rows.CARDS
        return antenna, machine.UART(uart, 115200, tx=machine.Pin(tx), rx=machine.Pin(rx), rxbuf=128)

    def light(self) -> "Any":
        return None if self._rows.LIGHT is None else machine.Pin(self._rows.LIGHT, machine.Pin.OUT)

    def stays_at_prompt(self) -> bool:
        return bool(machine.Pin(self._rows.BUTTON, machine.Pin.IN, machine.Pin.PULL_UP)() == 0)

    def name(self) -> str:
        return "betline-fw 1 " + "".join(["%02x" % byte for byte in machine.unique_id()])  # noqa: UP031  -- cheap there

    def watchdog(self) -> "Any":
        """Four seconds; once it runs, nothing stops it."""
        return machine.WDT(timeout=4000)

    def bootloader(self) -> None:
        machine.bootloader()
