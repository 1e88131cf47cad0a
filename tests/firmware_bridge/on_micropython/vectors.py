"""Prints what the firmware packs, and what it cuts out of lines of hex from standard input."""

import sys

from firmware_bridge.firmware import wire


def show(packet, sequence):
    framer = wire.Framer()
    framer.frame(packet, sequence)
    print(bytes(framer.data[: framer.size]).hex())


packet = wire.Packet()
wire.hello(packet, 0x5EED0007, 1000, [(1, 60), (2, 20)], "west 1.0")
show(packet, 0)
for n in range(0, 256, 15):
    wire.begin_snapshot(packet, 2, n * 257)
    for tag in range(n):
        assert wire.add_tag(packet, bytes((tag, n, 0, 255 - tag, 4, 5, tag % 3, 0xE0)))
    wire.end_snapshot(packet, n, wire.COMPLETE)
    packet.set_word(wire.AGE_AT, n)
    show(packet, n)
orders = wire.Orders()
for line in sys.stdin:
    for byte in bytes.fromhex(line.strip()):
        if orders.take(byte):
            print(bytes(orders.packet[: orders.size]).hex())
print(orders.rejected)
