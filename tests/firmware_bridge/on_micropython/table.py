"""A board made of software, for `main.run` under MicroPython: two simulated PN5180 with twenty and five tags."""

import random

from firmware_bridge.firmware import main
from simulator.pn5180 import Pn5180, Tag, VirtualClock


class Clock(VirtualClock):
    """Time passes by looking at it: a loop that waits costs what it costs."""

    def ticks_us(self):
        self.now_us += 25
        return VirtualClock.ticks_us(self)


clock = Clock()
main.CLOCK = clock
random.seed(7)


def chips():
    made = []
    for antenna, tags, lying in ((1, 60, 20), (2, 20, 5)):
        chip = Pn5180(clock, random.random)
        for _ in range(lying):
            chip.coil.lay(Tag("E0040150%08X" % random.getrandbits(30)), 0.0)
        made.append((antenna, tags, chip, chip.nss, chip.busy, chip.rst))
    return made


def cards():
    return None


def light():
    return None


def name():
    return "betline-fw 1 unix"


def watchdog():
    class Dog:
        def feed(self):
            pass

    return Dog()


def bootloader():
    print("bootloader")
