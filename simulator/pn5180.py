"""A PN5180 as its SPI wires show it, with ISO 15693 tags in its field, in virtual time.

The judge of the firmware: it shares no line and no number with it. Times come from the standard (ISO/IEC 15693-3, in
parts of the carrier of 13.56 MHz); what one SPI transaction costs is given, since nobody has measured it on a board. A
command that is sent while a transmission goes on cuts it off, and tags hear nothing of it. Tags hear nothing either
while one of them speaks, and for t2 behind that. A tag without power forgets that it was silenced.
"""

TYPE_CHECKING = False  # MicroPython runs this file too, and knows neither `typing` nor `match`
if TYPE_CHECKING:
    from collections.abc import Callable

CARRIER_MHZ = 13.56
BYTE_US = 4096 / CARRIER_MHZ  # 1 of 4, and single subcarrier at high rate: the same both ways
REQUEST_SOF_US, REQUEST_EOF_US = 1024 / CARRIER_MHZ, 512 / CARRIER_MHZ
ANSWER_SOF_US = ANSWER_EOF_US = 2048 / CARRIER_MHZ
T1_US, T2_US = 4352 / CARRIER_MHZ, 4192 / CARRIER_MHZ
RAMP_US = 300.0  # the field goes on and off
WAKE_US = 1000.0  # a tag with power listens after at most 1 ms
FORGET_US = 3000.0  # and lives on what it has stored for so long
BOOT_US = 2500.0
WRAP = 1 << 30  # ticks of MicroPython

RX_DONE, TX_DONE, SOF, HOT, GENERAL_ERROR = 1 << 0, 1 << 1, 1 << 14, 1 << 16, 1 << 17
FLAW, COLLISION = 1 << 16, 1 << 18
LISTENS, SENDS_DATA = 3, 0x4C0  # transceive in SYSTEM_CONFIG; data and start symbols in TX_CONFIG
STANDARD_TX, STANDARD_RX = (0x0D, 0x0E), 0x8D

TROUBLES = (
    "busy high",  # it hangs
    "busy low",  # the wire fell off
    "ones",  # MISO reads FF
    "zeros",  # MISO reads 00
    "general error",
    "stale interrupts",  # an answer that nobody sent, for ever
    "cut off",  # no transmission ends
    "no field",
)
SHORT_COLLISIONS = "short collisions"  # of a collision no byte is received; no trouble, chips do that


class VirtualClock:
    """Microseconds that pass when something costs time. Ticks wrap as MicroPython's do."""

    def __init__(self, now_us: float = 0.0) -> None:
        self.now_us = now_us

    def ticks_us(self) -> int:
        return int(self.now_us) % WRAP

    def ticks_add(self, ticks: int, delta: int) -> int:
        return (ticks + delta) % WRAP

    def ticks_diff(self, later: int, earlier: int) -> int:
        return (later - earlier + WRAP // 2) % WRAP - WRAP // 2

    def sleep_us(self, us: int) -> None:
        self.now_us += us


class Tag:
    """`uid` as people print it, in hex."""

    def __init__(self, uid: str, *, miss: float = 0.0) -> None:
        self.uid, self.miss = uid, miss
        self.number = int(uid, 16)
        self.answer = bytes(2) + bytes(reversed(bytes.fromhex(uid)))
        self.silenced = False
        self.is_dim = False  # its answers arrive with errors
        self.wakes_us = 0.0


class Coil:
    """The field of one chip, and what lies in it."""

    def __init__(self) -> None:
        self.tags: list[Tag] = []
        self.is_on = False
        self.changed_us = 0.0

    def lay(self, tag: Tag, now_us: float) -> None:
        """A tag that comes from where no field is."""
        tag.silenced = False
        tag.wakes_us = now_us + WAKE_US
        self.tags.append(tag)

    def lift(self, tag: Tag) -> None:
        self.tags.remove(tag)
        tag.silenced = False

    def slide(self, tag: Tag, to: "Coil") -> None:
        """From field to field, without being anywhere else: it keeps its power, and stays silent."""
        self.tags.remove(tag)
        to.tags.append(tag)
        tag.silenced = tag.silenced and to.is_on

    def switch(self, *, on: bool, now_us: float) -> None:
        if on and not self.is_on:
            dark_us = now_us - self.changed_us
            for tag in self.tags:
                tag.wakes_us = now_us + WAKE_US
                tag.silenced = tag.silenced and dark_us < FORGET_US
        if on != self.is_on:
            self.is_on, self.changed_us = on, now_us


class Answer:
    """What comes back: when it begins and ends, and what the receiver makes of it.

    The receiver gives up in the middle of a collision; the tags speak on to their end.
    """

    def __init__(self, begins_us: float, body: bytes, status: int, size: int) -> None:
        self.begins_us, self.body, self.status = begins_us, body, status
        self.ends_us = begins_us + ANSWER_SOF_US + (size + 2) * BYTE_US + ANSWER_EOF_US
        self.done_us = begins_us + ANSWER_SOF_US + len(body) * BYTE_US if status & COLLISION else self.ends_us


class Pn5180:
    """The chip, its pins and its antenna.

    `draw`: a seeded source of numbers in [0, 1); `spi_us`: what one transaction costs; `capture`: share of collisions
    in which the chip hears one tag as if it were alone.
    """

    def __init__(
        self, clock: VirtualClock, draw: "Callable[[], float]", *, spi_us: float = 100.0, capture: float = 0.0
    ) -> None:
        self.clock, self.draw, self.spi_us, self.capture = clock, draw, spi_us, capture
        self.coil = Coil()
        self.trouble = ""  # one of TROUBLES
        self.reset_is_dead = False
        self.transactions = 0
        self._selected = self._in_reset = False
        self._busy_until_us: float | None = None
        self._command = b""
        self._quiet_from_us = 0.0  # tags hear again
        self._power_up()

    def _power_up(self) -> None:
        self._irq = self._state = self._rx_status = 0
        self._tx_config = SENDS_DATA
        self._rf: tuple[int, int] | None = None
        self._answer_bytes = b""
        self._received = b""
        self._sending: tuple[float, bytes, bool] | None = None  # ends, bytes, with data and start
        self._answer: Answer | None = None
        self._query: tuple[int, int, int] | None = None  # bits, mask, slot; -1: a single slot
        self.coil.switch(on=False, now_us=self.clock.now_us)

    # ------------------------------------------------------------ pins

    def nss(self, value: int | None = None) -> int | None:
        if value is None:
            return not self._selected
        if value == 0 and not self._selected:
            self._selected, self._command = True, b""
        elif value == 1 and self._selected:
            self._selected = False
            self._execute()
        return None

    def busy(self, value: int | None = None) -> int | None:
        """Reading it costs a little; while the chip is busy the clock runs on to its end at once."""
        del value
        now_us = self.clock.now_us
        if self.trouble in ("busy high", "busy low"):
            self.clock.now_us += 20
            return int(self.trouble == "busy high")
        if self._selected:
            return int(bool(self._command))
        if self._busy_until_us is not None:
            self.clock.now_us, self._busy_until_us = max(now_us, self._busy_until_us), None
        return 0

    def rst(self, value: int | None = None) -> int | None:
        if value is None or self.reset_is_dead:
            return None
        if value == 0:
            self._in_reset = True
            self._power_up()
        elif self._in_reset:
            self._in_reset = False
            self._busy_until_us = None
            self._boots_us = self.clock.now_us + BOOT_US
        return None

    # ------------------------------------------------------------ SPI

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._command += bytes(data)

    def readinto(self, data: bytearray | memoryview, fill: int = 0xFF) -> None:
        del fill
        self._command = b"read"
        answer = self._answer_bytes
        if self.trouble in ("ones", "zeros"):
            answer = (b"\xff" if self.trouble == "ones" else b"\0") * len(data)
        data[:] = (answer + b"\xff" * len(data))[: len(data)]

    def _execute(self) -> None:
        """NSS went high: the command begins, and has been done when BUSY falls."""
        self.transactions += 1
        self._busy_until_us = self.clock.now_us + self.spi_us
        command, self._command = self._command, b""
        if command == b"read" or not command or self._in_reset:
            return
        began_us, self.clock.now_us = self.clock.now_us, self._busy_until_us
        self._settle()
        self._do(command[0], command[1:])
        self.clock.now_us = began_us

    def _do(self, code: int, body: bytes) -> None:
        if code <= 0x02:
            self._change(body[0], code, int.from_bytes(body[1:5], "little"))
        elif code == 0x03:
            for at in range(0, len(body), 6):
                self._change(body[at], body[at + 1] - 1, int.from_bytes(body[at + 2 : at + 6], "little"))
        elif code in (0x04, 0x05):
            self._answer_bytes = b"".join([self._register(at).to_bytes(4, "little") for at in body])
        elif code == 0x07:
            self._answer_bytes = bytes.fromhex("040003059900")[: body[1]]
        elif code == 0x09:
            self._send(body[1:])
        elif code == 0x0A:
            self._answer_bytes = self._received
        elif code == 0x11:
            self._rf, self._tx_config = (body[0], body[1]), SENDS_DATA
        elif code in (0x16, 0x17):
            self.coil.switch(on=code == 0x16, now_us=self.clock.now_us + RAMP_US)
        else:
            self._irq |= GENERAL_ERROR

    def _change(self, register: int, how: int, value: int) -> None:
        if register == 0x03:
            self._irq &= ~value
        old = {0x00: self._state, 0x18: self._tx_config}.get(register, 0)
        new = (value, old | value, old & value)[how]
        if register == 0x18:
            self._tx_config = new
        elif register == 0x00:
            if new & 7 == 0:
                self._sending = self._answer = None  # what was under way is lost
            self._state = new

    def _register(self, register: int) -> int:
        stale = RX_DONE | SOF if self.trouble == "stale interrupts" else 0
        return {0x02: self._irq | stale, 0x13: self._rx_status, 0x1D: 0x0150, 0x18: self._tx_config}.get(register, 0)

    # ------------------------------------------------------------ the air

    def _send(self, data: bytes) -> None:
        field = self.coil.is_on and self.trouble != "no field"
        if self._state & 7 != LISTENS or not field or self.trouble == "general error":
            self._irq |= GENERAL_ERROR
            return
        whole = self._tx_config & SENDS_DATA == SENDS_DATA
        takes_us = REQUEST_SOF_US + (len(data) + 2) * BYTE_US + REQUEST_EOF_US if whole else REQUEST_EOF_US
        self._answer, self._rx_status, self._received = None, 0, b""
        began_us = self.clock.now_us
        heard = began_us >= self._quiet_from_us - 1
        self._sending = (began_us + takes_us, data if heard else b"", whole)
        if not heard:
            self._query = None

    def _settle(self) -> None:
        """What has happened on air until now."""
        now_us = self.clock.now_us
        if self._sending is not None and self._sending[0] <= now_us and self.trouble != "cut off":
            ended_us, data, whole = self._sending
            self._sending = None
            self._irq |= TX_DONE
            self._answer = self._answered(ended_us, data, whole=whole)
            if self._answer is not None:
                self._quiet_from_us = self._answer.ends_us + T2_US
                if self._rf is None or self._rf[1] != STANDARD_RX:
                    self._answer = None  # it spoke, and this receiver does not hear it
        answer = self._answer
        if answer is not None and answer.begins_us + ANSWER_SOF_US <= now_us:
            self._irq |= SOF
        if answer is not None and answer.done_us <= now_us:
            self._irq |= RX_DONE
            self._rx_status, self._received, self._answer = answer.status, answer.body, None

    def _answered(self, ended_us: float, data: bytes, *, whole: bool) -> Answer | None:
        if self._rf is None or self._rf[0] not in STANDARD_TX:
            return None
        if not whole:
            return self._next_slot(ended_us)
        self._query = None
        if len(data) < 3:
            return None
        flags, code = data[0], data[1]
        if flags & 0x04 and code == 0x01:
            bits = data[2]
            mask = int.from_bytes(data[3:], "little") & (1 << bits) - 1
            self._query = (bits, mask, -1 if flags & 0x20 else 0)
            return self._slot(ended_us)
        return self._addressed(ended_us, code, data[2:]) if flags & 0x20 else None

    def _next_slot(self, ended_us: float) -> Answer | None:
        if self._query is None or not 0 <= self._query[2] < 15:
            return None
        bits, mask, slot = self._query
        self._query = (bits, mask, slot + 1)
        return self._slot(ended_us)

    def _listening(self, at_us: float) -> list[Tag]:
        return [tag for tag in self.coil.tags if tag.wakes_us <= at_us and not (tag.miss and self.draw() < tag.miss)]

    def _slot(self, ended_us: float) -> Answer | None:
        bits, mask, slot = self._query or (0, 0, -1)
        if slot >= 0:
            bits, mask = bits + 4, mask | slot << bits
        low = (1 << bits) - 1
        said = [tag for tag in self._listening(ended_us) if not tag.silenced and tag.number & low == mask]
        if not said:
            return None
        begins_us = ended_us + T1_US
        if len(said) == 1 or (self.capture and self.draw() < self.capture):
            return Answer(begins_us, said[0].answer, len(said[0].answer), 10)
        size = 0 if self.trouble == SHORT_COLLISIONS else 3
        return Answer(begins_us, said[0].answer[:size], size | COLLISION, 10)

    def _addressed(self, ended_us: float, code: int, body: bytes) -> Answer | None:
        number = int.from_bytes(body[:8], "little")
        meant = [tag for tag in self._listening(ended_us) if tag.number == number]
        if code == 0x02:
            for tag in meant:
                tag.silenced = True
            return None
        if not meant or code != 0x20:
            return None
        return Answer(ended_us + T1_US, bytes(5), 5 | (FLAW if meant[0].is_dim else 0), 5)
