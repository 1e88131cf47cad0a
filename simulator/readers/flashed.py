"""A microcontroller that runs the firmware itself: its loop under CPython, on simulated chips, in virtual time.

What a board sends, this sends: the firmware's own frames, of rounds that its chips heard over SPI. Each antenna for
chips is a PN5180 with its tags; one for cards of ISO 14443 a PN532 on a line of its own. The clock of the board is the
time that the reader is given, to the microsecond: nothing here waits. What the simulation does not know are shadows and
strays; of the radio's noise it takes the misses.
"""

from collections.abc import Iterable

from firmware_bridge.firmware.pn532 import CardRadio
from firmware_bridge.firmware.pn5180 import Pn5180 as ChipOnSpi
from firmware_bridge.firmware.radio import ChipRadio
from firmware_bridge.firmware.station import Station
from simulator.pn5180 import Pn5180, Tag, VirtualClock
from simulator.radio import Radio
from simulator.readers.pn532 import Pn532

US = 1000  # nanoseconds
LOOK_NS = 5_000_000  # how far the board is behind at most
TURN_US = 20.0  # what a turn of the loop costs where nothing is due: a guess
FIRST_BOOT = 0x5EED_1001
NAME = "betline-fw 1 virtual"


class Line:
    """The port to the host: what came and what goes."""

    def __init__(self) -> None:
        self.incoming, self.outgoing = b"", b""

    def read(self) -> bytes:
        data, self.incoming = self.incoming[:64], self.incoming[64:]
        return data

    def write(self, data: memoryview) -> bool:
        self.outgoing += bytes(data)
        return True


class Uart:
    """The line between board and PN532: bytes arrive at once."""

    def __init__(self, chip: Pn532, clock: VirtualClock) -> None:
        self.chip, self._clock, self._waiting = chip, clock, b""

    def write(self, data: bytes | bytearray | memoryview) -> int:
        self._waiting += self.chip.receive(bytes(data), self._now_ns())
        return len(data)

    def readinto(self, data: bytearray | memoryview) -> int | None:
        due = self.chip.wake_at_ns()
        if due is not None and due <= self._now_ns():
            self._waiting += self.chip.tick(self._now_ns())
        size = min(len(data), len(self._waiting))
        data[:size], self._waiting = self._waiting[:size], self._waiting[size:]
        return size or None

    def _now_ns(self) -> int:
        return int(self._clock.now_us * US)


class Flashed:
    """`cards`: antennas that are a PN532; `spi_us`: what one SPI transaction costs."""

    def __init__(
        self, reader: str, radio: Radio, *, cards: Iterable[int] = (), spi_us: float = 100.0, capture: float = 0.0
    ) -> None:
        self.reader = reader
        self._radio, self._cards, self._spi_us, self._capture = radio, frozenset(cards), spi_us, capture
        self._numbers = radio.field.numbers(reader)
        self._boot_id = FIRST_BOOT - 1
        self._clock = VirtualClock()
        self._began_ns: int | None = None
        self.reset()

    def reset(self) -> None:
        """What a watchdog or a loose plug does: the boot id is another one, and nobody is known any more."""
        self._boot_id += 1
        self._line = Line()
        self.chips: dict[int, Pn5180] = {}
        self._lying: dict[int, tuple[str, ...]] = {}
        self._tags: dict[int, dict[str, Tag]] = {}
        radios = [
            self._cards_on(number) if number in self._cards else self._chips_on(number) for number in self._numbers
        ]
        antennas = [antenna for radio in radios if isinstance(radio, ChipRadio) for antenna in radio.antennas]
        for antenna in antennas:
            antenna.others = [other for other in antennas if other is not antenna]
        self.station = Station(radios, self._line, self._clock, self._boot_id, NAME)

    def _chips_on(self, number: int) -> ChipRadio:
        chip = Pn5180(self._clock, self._radio.draw, spi_us=self._spi_us, capture=self._capture)
        self.chips[number], self._lying[number], self._tags[number] = chip, (), {}
        on_spi = ChipOnSpi(chip, chip.nss, chip.busy, chip.rst, self._clock)
        limit = min(self._radio.field.limit((self.reader, number)), 255)
        return ChipRadio(on_spi, [(number, limit)], self._clock)

    def _cards_on(self, number: int) -> CardRadio:
        chip = Pn532(self.reader, self._radio, antenna=number)
        return CardRadio(Uart(chip, self._clock), number, self._clock)

    # ------------------------------------------------------------ the wire

    def receive(self, data: bytes, at_ns: int) -> bytes:
        self._line.incoming += data
        return self.tick(at_ns)

    def wake_at_ns(self) -> int | None:
        """The next thing that the board has to do, but not for each slot of a radio alone."""
        if self._began_ns is None:
            return 0
        rest_us = max(self.station.rest_us(), LOOK_NS // US)
        return self._began_ns + int(self._clock.now_us + rest_us) * US

    def tick(self, at_ns: int) -> bytes:
        if self._began_ns is None:
            self._began_ns = at_ns - int(self._clock.now_us * US)
        self._lay()
        self._run((at_ns - self._began_ns) / US)
        said, self._line.outgoing = self._line.outgoing, b""
        return said

    def _run(self, until_us: float) -> None:
        clock, station = self._clock, self.station
        while clock.now_us < until_us:
            station.turn()
            clock.now_us = min(clock.now_us + max(station.rest_us(), TURN_US), max(until_us, clock.now_us))

    def _lay(self) -> None:
        """What hands did since: tags lie on the antennas of the simulated chips as they lie on the table."""
        for number, chip in self.chips.items():
            lying = self._radio.field.on((self.reader, number))
            if lying is self._lying[number]:
                continue
            tags, now = self._tags[number], dict.fromkeys(lying)
            for uid in [uid for uid in tags if uid not in now]:
                chip.coil.lift(tags.pop(uid))
            for uid in [uid for uid in now if uid not in tags and uid.startswith("E0") and len(uid) == 16]:
                tags[uid] = Tag(uid, miss=self._radio.noise.miss)
                chip.coil.lay(tags[uid], self._clock.now_us)
            self._lying[number] = lying
