"""Two hundred rounds of sixty tags; prints the free bytes behind round 100 and 200."""

import gc
import random

from firmware_bridge.firmware import wire
from firmware_bridge.firmware.pn5180 import Pn5180 as Chip
from firmware_bridge.firmware.radio import ChipRadio
from simulator.pn5180 import Pn5180, Tag, VirtualClock

clock = VirtualClock()
sim = Pn5180(clock, random.random)
for n in range(60):
    sim.coil.lay(Tag("E0040150%08X" % (n * 7919)), 0.0)
radio = ChipRadio(Chip(sim, sim.nss, sim.busy, sim.rst, clock), [(1, 60)], clock)
antenna, framer = radio.antennas[0], wire.Framer()
rounds = 0
while rounds < 200:
    clock.now_us += max(clock.ticks_diff(radio.due, clock.ticks_us()), 0)
    radio.step()
    if antenna.packet.size:
        assert antenna.packet.data[wire.FLAGS_AT + 1] == 60
        framer.frame(antenna.packet, rounds)
        antenna.packet.size = 0
        rounds += 1
        if rounds % 100 == 0:
            gc.collect()
            print(gc.mem_free())
