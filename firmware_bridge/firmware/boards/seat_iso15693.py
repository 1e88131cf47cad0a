"""A seat on a Pico or Pico 2, its cards with tags of ISO 15693 as its chips: three PN5180.

For tables whose board and muck are read by `middle.py`. The third chip shares the bus of the first. On a board this is
`board.py`. Nobody has run it on hardware yet.
"""

CONTROLLER = "Pico or Pico 2"
SPI_BAUD = 5_000_000
CHIPS = (  # antenna, tags of a round, SPI, SCK, MOSI, MISO, NSS, BUSY, RST
    (1, 60, 1, 10, 11, 12, 13, 14, 15),
    (2, 30, 0, 18, 19, 16, 17, 20, 21),
    (3, 4, 1, 10, 11, 12, 9, 8, 7),
)
CARDS = None  # antenna, UART, TX, RX of a PN532
BUTTON, LIGHT = 2, "LED"  # to ground, held at reset: stay at the prompt; None: no light
PLACES = ("tray", "bet spot", "hole cards")  # of the antennas, for the drawing
