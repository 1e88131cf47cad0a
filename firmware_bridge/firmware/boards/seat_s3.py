"""A seat on an ESP32-S3: tray and bet spot on a PN5180 each, two hole cards (ISO 14443A) on a PN532.

Pins that no module with 8 MB of PSRAM needs itself; look at yours. On a board this is `board.py`. Nobody has run it on
hardware yet.
"""

CONTROLLER = "ESP32-S3"
SPI_BAUD = 5_000_000
CHIPS = (  # antenna, tags of a round, SPI, SCK, MOSI, MISO, NSS, BUSY, RST
    (1, 60, 1, 12, 11, 13, 10, 9, 8),
    (2, 30, 2, 5, 6, 7, 4, 15, 16),
)
CARDS = (3, 1, 17, 18)  # antenna, UART, TX, RX; None where there is no PN532
BUTTON, LIGHT = 14, None  # to ground, held at reset: stay at the prompt; None: no light
PLACES = ("tray", "bet spot", "hole cards")  # of the antennas, for the drawing
