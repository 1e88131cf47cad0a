"""A PN5180 on four wires of SPI and two pins: one command is one time NSS low, and BUSY says when the chip is done.

NSS goes high between a command and its answer, or the chip never answers. BUSY must be seen to rise: a wire that fell
off reads as "always ready". A wait for BUSY that ends in vain raises NSS before anything else. The pin IRQ is not used:
each slot is judged by what the chip says of it, so that a loose wire never reads as an empty table. `worst_us` is the
slowest transaction of this board, until somebody asks for it.
PN5180A0XX data sheet, 11.4: the commands; 11.9: the registers.
"""

SYSTEM_CONFIG, IRQ_STATUS, IRQ_CLEAR, RX_STATUS, TX_CONFIG, RF_STATUS = 0x00, 0x02, 0x03, 0x13, 0x18, 0x1D
PRODUCT_VERSION = 0x10  # in the EEPROM, and the versions of firmware and EEPROM behind it
TX_26K_100, RX_26K = 0x0D, 0x8D  # ISO 15693, 100 % ASK and 26 kbit/s; 8E is 53 kbit/s and hears no usual inventory
RECEIVED, SENT, STARTED, TOO_HOT, REFUSED = 1 << 0, 1 << 1, 1 << 14, 1 << 16, 1 << 17  # in IRQ_STATUS
FLAWED = 0x7 << 16  # RX_STATUS: integrity, protocol, collision
BYTES = 0x1FF  # received, in RX_STATUS
AGC = 0x3FF  # in RF_STATUS
BUSY_US = 2000  # longest that a command may keep the chip busy; most are done in a tenth of a millisecond
RISE_US = 500
RESET_US, BOOT_US = 100, 5000

_ARM = bytes.fromhex("030301FFFF0F000003F8FFFFFF000203000000")  # clear IRQs, go idle, transceive
_IDLE = bytes.fromhex("0200F8FFFFFF")
_LOOK = bytes.fromhex("0502131D")
_MARKS_ONLY = bytes.fromhex("02183FFBFFFF")  # TX_CONFIG without data and start: what is sent next is an end of frame
_WHOLE_FRAMES = bytes.fromhex("0118C0040000")
_END_OF_FRAME = b"\x09\x00"
_READ = b"\x0a\x00"
_CONFIGURE = bytes((0x11, TX_26K_100, RX_26K))
_ON, _OFF = b"\x16\x00", b"\x17\x00"
_VERSIONS = bytes((0x07, PRODUCT_VERSION, 6))

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_bridge.firmware.contacts import Clock, Pin, Spi, Steps


class ChipError(Exception):
    """The chip does not do what it should; whose doing that is, the recovery finds out."""


class Pn5180:
    """Six wires: `spi` has three of them."""

    def __init__(self, spi: "Spi", nss: "Pin", busy: "Pin", rst: "Pin", clock: "Clock") -> None:
        self._spi, self._nss, self._busy, self._rst, self._clock = spi, nss, busy, rst, clock
        self._status = bytearray(12)
        self._received = bytearray(32)
        self.received = memoryview(self._received)
        self.versions = bytearray(6)
        self.worst_us = self.lost = 0  # transactions that ended in vain
        self.irq = self.rx = self.agc = 0  # as `look` saw them
        nss(1)
        rst(1)

    # ------------------------------------------------------------ one transaction

    def _until_busy_is(self, level: int, most_us: int) -> None:
        if self._busy() == level:
            return
        clock, began = self._clock, self._clock.ticks_us()
        while self._busy() != level:
            if clock.ticks_diff(clock.ticks_us(), began) > most_us:
                self._nss(1)  # before anything else: a chip that is selected cannot be reset cleanly
                self.lost += 1
                raise ChipError("BUSY stays " + ("low" if level else "high"))

    def _begin(self) -> int:
        self._until_busy_is(0, BUSY_US)
        began = self._clock.ticks_us()
        self._nss(0)
        return began

    def _end(self, began: int) -> None:
        self._until_busy_is(1, RISE_US)
        self._nss(1)
        self._until_busy_is(0, BUSY_US)
        took = self._clock.ticks_diff(self._clock.ticks_us(), began)
        self.worst_us = max(self.worst_us, took)

    def _write(self, data: "bytes | bytearray | memoryview") -> None:
        began = self._begin()
        self._spi.write(data)
        self._end(began)

    def _read(self, into: "bytearray | memoryview") -> None:
        began = self._begin()
        self._spi.readinto(into, 0xFF)
        self._end(began)

    # ------------------------------------------------------------ what a round needs

    def arm(self) -> None:
        """Old interrupts forgotten, and ready to transmit: from any other state SEND_DATA is refused."""
        self._write(_ARM)

    def send(self, command: "memoryview") -> None:
        """`command` has SEND_DATA and its bit count in front; the air is busy from the end of this call on."""
        self._write(command)

    def send_end_of_frame(self) -> None:
        self._write(_END_OF_FRAME)

    def only_marks(self, only: bool) -> None:
        """From now on what is sent is an end of frame alone. Forget to restore it, and nothing is heard any more."""
        self._write(_MARKS_ONLY if only else _WHOLE_FRAMES)

    def look(self) -> None:
        """The interrupts, the receiver, the level: `ChipError` unless the chip says that it has transmitted."""
        self._write(_LOOK)
        status = self._status
        self._read(status)
        self.irq = status[0] | status[1] << 8 | (status[2] & 0xF) << 16
        self.rx = status[4] | status[5] << 8 | status[6] << 16
        self.agc = (status[8] | status[9] << 8) & AGC
        if self.irq & REFUSED or not self.irq & SENT:
            raise ChipError("nothing was transmitted")

    def take(self, size: int) -> None:
        """What was received, into `received`."""
        self._write(_READ)
        self._read(self.received[:size])

    # ------------------------------------------------------------ the ladder: idle, field, reset

    def idle(self) -> None:
        self._write(_IDLE)

    def configure(self) -> None:
        """Loads the radio's settings: they are lost with every reset."""
        self._write(_CONFIGURE)

    def field(self, on: bool) -> None:
        self._write(_ON if on else _OFF)

    def reset(self) -> "Steps":
        clock = self._clock
        self._nss(1)
        self._rst(0)
        yield clock.ticks_add(clock.ticks_us(), RESET_US)
        self._rst(1)
        yield clock.ticks_add(clock.ticks_us(), BOOT_US)

    def identify(self) -> None:
        """Reads the versions. `ChipError` where that cannot be a chip: a silent line reads as all ones or all zeros."""
        self._write(_VERSIONS)
        self._read(self.versions)
        if self.versions[0] == self.versions[1] and self.versions[0] in (0, 0xFF):
            raise ChipError("no chip answers")

    def asleep(self, on: bool) -> None:
        """Holds the chip in reset: its field is off, whatever state it is in."""
        self._nss(1)
        self._rst(0 if on else 1)
