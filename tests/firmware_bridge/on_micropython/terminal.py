"""The loop on a terminal that turns a 03 into an interrupt, as a board's USB port does until it is told otherwise.

`kbd_intr` does here what it does on a board, by the terminal's own setting. With the argument `deaf` it does nothing.
"""

import os
import sys

import table  # beside this file, as `board` is on a microcontroller

from firmware_bridge.firmware import main


class Interrupts:
    @staticmethod
    def kbd_intr(char):
        if "deaf" not in sys.argv:
            os.system("stty -isig" if char < 0 else "stty isig")


main.micropython = Interrupts
main.run(table)
