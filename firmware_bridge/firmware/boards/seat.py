"""A seat on a Pico or Pico 2: tray and bet spot on a PN5180 each, two hole cards (ISO 14443A) on a PN532.

On a board this is `board.py`, the only file that a builder edits. Nobody has run it on hardware yet.
"""

CONTROLLER = "Pico or Pico 2"
SPI_BAUD = 5_000_000
CHIPS = (  # antenna, tags of a round, SPI, SCK, MOSI, MISO, NSS, BUSY, RST
    (1, 60, 1, 10, 11, 12, 13, 14, 15),
    (2, 30, 0, 18, 19, 16, 17, 20, 21),
)
CARDS = (3, 0, 0, 1)  # antenna, UART, TX, RX; None where there is no PN532
BUTTON, LIGHT = 2, "LED"  # to ground, held at reset: stay at the prompt; None: no light
PLACES = ("tray", "bet spot", "hole cards")  # of the antennas, for the drawing
