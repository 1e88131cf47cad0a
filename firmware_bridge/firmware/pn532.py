"""Two hole cards on a PN532 at its high speed UART, as one state machine of the loop.

It sleeps until it is woken: a run of 55 55 00 in front of the first command. Every command is acknowledged at once and
answered when it is done; by default a poll waits for ever, so the number of tries is set first. Between two polls the
field goes off: cards forget that they were halted. UM0701-02, 6.2.1 draws the frames, 7.3.5 the list of targets.
"""

from firmware_bridge.firmware import wire

WAKE = b"\x55\x55" + bytes(14)
ACK = b"\x00\x00\xff\x00\xff\x00"  # from the host it aborts what runs
SAM, RF, LIST = 0x14, 0x32, 0x4A
NORMAL, FINITE, FIELD_OFF, TWO_TYPE_A = b"\x01", b"\x05\x01\x00\x01", b"\x01\x00", b"\x02\x00"
HOST, CHIP = 0xD4, 0xD5
POLL_US, LOOK_US = 100_000, 1000  # ten rounds a second; how often the line is looked at
ANSWER_US = 300_000
WAKE_AGAIN_US, SILENT_PAUSE_US = 20_000, 500_000
MOST_TRIES = 3
CHIP_SILENT = 4
UID_SIZES = (4, 7, 10)
RANDOM_UID = 0x08  # first byte of four: a phone or a bank card, which has another one each time
LONGEST = 128

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_bridge.firmware.contacts import Clock, Steps, Uart


class DialogueError(Exception):
    """No answer, or one that cannot be."""


def command(code: int, data: bytes) -> bytes:
    body = bytes((HOST, code)) + data
    return b"\x00\x00\xff" + bytes((len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))


class Cards:
    """What the loop sees of this antenna: the same names as one for chips."""

    def __init__(self, number: int) -> None:
        self.number, self.tags = number, 2
        self.packet, self.answers = wire.Packet(64), wire.Packet(8)
        self.rounds = self.ended = self.answered = self.retries = 0


class CardRadio:
    """One PN532. A list of cards is a whole round: the chip itself tells two cards apart."""

    def __init__(self, uart: "Uart", number: int, clock: "Clock") -> None:
        self._uart, self._clock = uart, clock
        self.cards = Cards(number)
        self.antennas = [self.cards]
        self.due = clock.ticks_us()
        self.fault, self.why = 0, ""
        self._tries = 0
        self._buffer = bytearray(LONGEST)
        self._chunk = bytearray(32)
        self._size = 0
        self._poll = command(LIST, TWO_TYPE_A)
        self._off = command(RF, FIELD_OFF)
        self._work = self._run()

    def step(self) -> None:
        self.due = next(self._work)

    def _run(self) -> "Steps":
        while True:
            try:
                yield from self._wake()
                while True:
                    yield from self._round()
                    self._tries, self.fault, self.why = 0, 0, ""
            except DialogueError as error:
                self._failed(str(error))
            yield self._after(SILENT_PAUSE_US if self.fault else WAKE_AGAIN_US)

    def _failed(self, why: str) -> None:
        self._tries += 1
        self.cards.retries += 1
        if self._tries > MOST_TRIES:
            self.fault, self.why = CHIP_SILENT, why

    def _wake(self) -> "Steps":
        self._uart.write(ACK)
        yield self._after(LOOK_US)
        yield from self._say(WAKE + command(SAM, NORMAL), SAM)
        yield from self._say(command(RF, FINITE), RF)

    def _round(self) -> "Steps":
        began = self._clock.ticks_us()
        yield from self._say(self._poll, LIST)
        self._tell(began)
        yield from self._say(self._off, RF)
        yield self._clock.ticks_add(began, POLL_US)

    def _after(self, us: int) -> int:
        return self._clock.ticks_add(self._clock.ticks_us(), us)

    def _say(self, frame: bytes, code: int) -> "Steps":
        """One command, until its answer stands in the buffer."""
        self._size = 0
        self._uart.write(frame)
        late = self._after(ANSWER_US)
        while True:
            yield self._after(LOOK_US)
            self._listen()
            while (size := self._frame()) > 0:
                if self._buffer[5] == CHIP and self._buffer[6] == code + 1 and self._buffer[3]:
                    return
                self._shift(size)
            if self._clock.ticks_diff(self._clock.ticks_us(), late) > 0:
                raise DialogueError("the card reader does not answer")

    def _listen(self) -> None:
        size = self._uart.readinto(self._chunk) or 0
        size = min(size, LONGEST - self._size)
        self._buffer[self._size : self._size + size] = self._chunk[:size]
        self._size += size

    def _frame(self) -> int:
        """Bytes of the whole good frame that the buffer begins with; 0: none yet. What cannot begin one is dropped."""
        buffer = self._buffer
        while self._size >= 6:
            if buffer[0] or buffer[1] or buffer[2] != 0xFF:
                self._shift(1)
                continue
            length = buffer[3]
            if (length, buffer[4]) in ((0, 0xFF), (0xFF, 0)):
                return 6  # an acknowledgement, or a request to say it again
            size = length + 7
            if length + buffer[4] & 0xFF or length < 2 or size > LONGEST:
                self._shift(1)
            elif self._size < size:
                return 0
            elif sum(buffer[5 : size - 1]) & 0xFF:
                raise DialogueError("a damaged answer")
            else:
                return size
        return 0

    def _shift(self, size: int) -> None:
        self._size -= size
        self._buffer[: self._size] = self._buffer[size : size + self._size]

    def _tell(self, began: int) -> None:
        """The list of targets as a snapshot. `DialogueError`: it cannot be one."""
        cards, buffer = self.cards, self._buffer
        wire.begin_snapshot(cards.packet, cards.number, cards.rounds)
        end, at = 5 + buffer[3], 8
        for _ in range(buffer[7]):
            size = buffer[at + 4] if at + 4 < end else 0
            begin = at + 5
            at = begin + size
            if size not in UID_SIZES or at > end:
                cards.packet.size = 0
                raise DialogueError("a list of cards that cannot be")
            at += buffer[at] if buffer[begin - 2] & 0x20 else 0  # the card's answer to select, with its own length
            if not (size == 4 and buffer[begin] == RANDOM_UID):
                wire.add_tag(cards.packet, bytes(buffer[begin : begin + size]))
        cards.rounds += 1
        cards.ended = self._clock.ticks_us()
        length = self._clock.ticks_diff(cards.ended, began)
        wire.end_snapshot(cards.packet, -(-length // 1000), wire.COMPLETE)
