"""The middle of the table on a Pico or Pico 2: pot, muck and board on a PN5180 each.

Cards need tags of ISO 15693 here, and so their seats `seat_iso15693.py`. The third chip shares the bus of the second.
On a board this is `board.py`. Nobody has run it on hardware yet.
"""

CONTROLLER = "Pico or Pico 2"
SPI_BAUD = 5_000_000
CHIPS = (  # antenna, tags of a round, SPI, SCK, MOSI, MISO, NSS, BUSY, RST
    (1, 250, 0, 18, 19, 16, 17, 20, 21),
    (2, 60, 1, 10, 11, 12, 13, 14, 15),
    (3, 12, 1, 10, 11, 12, 9, 8, 7),
)
CARDS = None  # antenna, UART, TX, RX of a PN532
BUTTON, LIGHT = 2, "LED"  # to ground, held at reset: stay at the prompt; None: no light
PLACES = ("pot", "muck", "board")  # of the antennas, for the drawing
