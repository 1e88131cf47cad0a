"""The pins and antennas of this board: the only file that a builder edits. Raspberry Pi Pico and Pico 2.

Drawn for one seat: bet spot and tray on a PN5180 each, two hole cards on a PN532. Nobody has run it on hardware yet.

    spot   SPI0  SCK 18  MOSI 19  MISO 16  NSS 17  BUSY 20  RST 21
    tray   SPI1  SCK 10  MOSI 11  MISO 12  NSS 13  BUSY 14  RST 15
    cards  UART0 TX 0  RX 1       button to ground on 2, held at reset: stay at the prompt
"""

import machine

SPI_BAUD = 5_000_000
CHIPS = (  # antenna, tags of a round, SPI, SCK, MOSI, MISO, NSS, BUSY, RST
    (1, 60, 1, 10, 11, 12, 13, 14, 15),
    (2, 20, 0, 18, 19, 16, 17, 20, 21),
)
CARDS: "tuple[int, int, int, int] | None" = (3, 0, 0, 1)  # antenna, UART, TX, RX; None where there is no PN532
BUTTON, LIGHT = 2, "LED"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firmware_bridge.firmware.contacts import Pin, Spi, Uart


def chips() -> "list[tuple[int, int, Spi, Pin, Pin, Pin]]":
    """Of each PN5180: antenna, tags, SPI, NSS, BUSY, RST. All NSS go high first: an unselected chip must not speak."""
    for row in CHIPS:
        machine.Pin(row[6], machine.Pin.OUT, value=1)
    return [_chip(row) for row in CHIPS]


def _chip(row: "tuple[int, ...]") -> "tuple[int, int, Spi, Pin, Pin, Pin]":
    antenna, tags, spi, sck, mosi, miso, nss, busy, rst = row
    wires = machine.SPI(
        spi, SPI_BAUD, polarity=0, phase=0, sck=machine.Pin(sck), mosi=machine.Pin(mosi), miso=machine.Pin(miso)
    )
    out = machine.Pin.OUT
    return antenna, tags, wires, machine.Pin(nss, out), machine.Pin(busy, machine.Pin.IN), machine.Pin(rst, out)


def cards() -> "tuple[int, Uart] | None":
    if CARDS is None:
        return None
    antenna, uart, tx, rx = CARDS
    return antenna, machine.UART(uart, 115200, tx=machine.Pin(tx), rx=machine.Pin(rx), rxbuf=128)


def light() -> "Any":
    return machine.Pin(LIGHT, machine.Pin.OUT)


def stays_at_prompt() -> bool:
    return bool(machine.Pin(BUTTON, machine.Pin.IN, machine.Pin.PULL_UP)() == 0)


def name() -> str:
    return "betline-fw 1 " + "".join(["%02x" % byte for byte in machine.unique_id()])  # noqa: UP031  -- cheap there


def watchdog() -> "Any":
    """Four seconds; once it runs, nothing stops it."""
    return machine.WDT(timeout=4000)


def bootloader() -> None:
    machine.bootloader()
