"""A bench for the firmware: its radio for chips on a simulated PN5180, in virtual time."""

import random
from collections.abc import Generator
from dataclasses import dataclass

from firmware_bridge.firmware import wire
from firmware_bridge.firmware.antenna import Antenna
from firmware_bridge.firmware.iso15693 import Air
from firmware_bridge.firmware.pn5180 import Pn5180 as Chip
from firmware_bridge.firmware.radio import ChipRadio
from simulator.pn5180 import WRAP, Pn5180, Tag, VirtualClock

MS = 1000.0


@dataclass(frozen=True)
class Told:
    """One snapshot as it left the radio."""

    number: int
    began_us: float
    at_us: float
    complete: bool
    tags: frozenset[str]

    @property
    def length_us(self) -> float:
        return self.at_us - self.began_us


def uids(count: int, seed: int = 1, how: str = "random") -> list[str]:
    """`count` serials of one maker: random, in sequence, or in pairs whose last 28 bits are the same."""
    draw = random.Random(seed)
    if how == "random":
        return [f"E0040150{number:08X}" for number in draw.sample(range(1 << 32), count)]
    if how == "sequence":
        return [f"E0040150{0x1234567 + n:08X}" for n in range(count)]
    return [f"E0040150{'AB'[n % 2]}{random.Random(f'{seed} {n // 2}').getrandbits(28):07X}" for n in range(count)]


class Unit:
    """One PN5180, the firmware's radio on it, and what lies there."""

    def __init__(self, clock: VirtualClock, number: int, seed: int, *, tags: int = 60, spi_us: float = 100.0, capture: float = 0.0) -> None:  # fmt: skip
        self.sim = Pn5180(clock, random.Random(seed).random, spi_us=spi_us, capture=capture)
        self.chip = Chip(self.sim, self.sim.nss, self.sim.busy, self.sim.rst, clock)
        self.radio = ChipRadio(self.chip, [(number, tags)], clock)
        self.told: list[Told] = []

    @property
    def antenna(self) -> Antenna:
        return self.radio.antennas[0]

    def collect(self, now_us: float) -> None:
        packet = self.antenna.packet
        if packet.size:
            self.told.append(read(packet, now_us))
            packet.size = 0


def read(packet: wire.Packet, now_us: float) -> Told:
    data, at, tags = packet.data, wire.FLAGS_AT + 2, []
    for _ in range(data[wire.FLAGS_AT + 1]):
        tags.append(bytes(data[at + 1 : at + 1 + data[at]]).hex().upper())
        at += 1 + data[at]
    length_us = (data[wire.LENGTH_AT] << 8 | data[wire.LENGTH_AT + 1]) * MS
    complete = bool(data[wire.FLAGS_AT] & wire.COMPLETE)
    return Told(data[4] << 8 | data[5], now_us - length_us, now_us, complete, frozenset(tags))


class Bench:
    """Radios of one controller, stepped as the loop of the firmware does it. Begins shortly before the ticks wrap."""

    def __init__(self, *, radios: int = 1, seed: int = 1, spi_us: float = 100.0, capture: float = 0.0) -> None:
        self.clock = VirtualClock(WRAP - 400 * MS)
        self.units = [Unit(self.clock, n + 1, seed * 10 + n, spi_us=spi_us, capture=capture) for n in range(radios)]
        for unit in self.units:
            unit.antenna.others = [other.antenna for other in self.units if other is not unit]

    def lay(self, tags: list[str], at: int = 0, *, miss: float = 0.0) -> list[Tag]:
        laid = [Tag(uid, miss=miss) for uid in tags]
        for tag in laid:
            self.units[at].sim.coil.lay(tag, self.clock.now_us)
        return laid

    def turn(self) -> None:
        clock = self.clock
        rest = min(clock.ticks_diff(unit.radio.due, clock.ticks_us()) for unit in self.units)
        clock.now_us += max(rest, 0)
        for unit in self.units:
            if clock.ticks_diff(unit.radio.due, clock.ticks_us()) <= 0:
                unit.radio.step()
                unit.collect(clock.now_us)

    def run(self, ms: float) -> list[Told]:
        """What all radios told in this time."""
        before, until = [len(unit.told) for unit in self.units], self.clock.now_us + ms * MS
        while self.clock.now_us < until:
            self.turn()
        return [told for unit, begin in zip(self.units, before, strict=True) for told in unit.told[begin:]]

    def settle(self) -> None:
        """Until each radio has told a complete round that holds all that lies there."""
        for unit in self.units:
            self.until(lambda unit=unit: unit.told and unit.told[-1].complete and len(unit.told[-1].tags) == len(unit.sim.coil.tags))  # type: ignore[misc]  # fmt: skip

    def until(self, happens: "object", most_ms: float = 20_000) -> float:
        """Milliseconds until it happens."""
        began = self.clock.now_us
        while not happens():  # type: ignore[operator]
            self.turn()
            assert self.clock.now_us < began + most_ms * MS, "it did not happen"
        return (self.clock.now_us - began) / MS


def air_of(count: int, *, seed: int = 1, how: str = "random", spi_us: float = 0.0, capture: float = 0.0) -> tuple[Air, Pn5180, list[str]]:  # fmt: skip
    """A chip that is ready, with its field on, and tags in it."""
    clock = VirtualClock()
    sim = Pn5180(clock, random.Random(seed).random, spi_us=spi_us, capture=capture)
    chip = Chip(sim, sim.nss, sim.busy, sim.rst, clock)
    chip.configure()
    air = Air(chip, clock)
    perform(air.switch_on(), clock)
    names = uids(count, seed, how)
    for uid in names:
        sim.coil.lay(Tag(uid), clock.now_us - 2000)
    return air, sim, names


def perform(steps: "Generator[int, None, object]", clock: VirtualClock) -> float:
    """Milliseconds that some work took."""
    began = clock.now_us
    for due in steps:
        clock.now_us += max(clock.ticks_diff(due, clock.ticks_us()), 0)
    return (clock.now_us - began) / MS
