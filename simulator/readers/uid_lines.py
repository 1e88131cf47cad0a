"""An Arduino with an MFRC522 for each antenna and a sketch that prints UIDs; nothing listens to the host.

It says a banner when it boots (as opening the port makes it do), then looks at one antenna after the other and prints
the card that lies there, one a look: with several readers behind their number and a bar, with one as DumpInfo does.
"""

from simulator.radio import Radio

MS = 1_000_000
LOOK_NS = 60 * MS  # wake, anticollision, select, and 20 characters at 9600 baud
BANNER = "Scan PICC to see UID, SAK, type, and data blocks...\r\n"
UID_DIGITS = (8, 14, 16, 20)


class UidLines:
    """`once`: the sketch says a card when it comes and never again; `speed`: faster than life, for demos."""

    def __init__(self, reader: str, radio: Radio, *, once: bool = False, speed: float = 1.0) -> None:
        self.reader = reader
        self._numbers = radio.field.numbers(reader) or (1,)
        self._radio, self._once, self._speed = radio, once, speed
        self._next = 0
        self._said: dict[int, str] = {}  # by antenna, what lay there at the last look
        self._due_ns: int | None = None  # None: not booted yet

    def receive(self, data: bytes, at_ns: int) -> bytes:
        del data, at_ns
        return b""

    def wake_at_ns(self) -> int | None:
        return 0 if self._due_ns is None else self._due_ns

    def tick(self, at_ns: int) -> bytes:
        if self._due_ns is not None and at_ns < self._due_ns:
            return b""
        text = BANNER if self._due_ns is None else ""
        number = self._numbers[self._next]
        self._next = (self._next + 1) % len(self._numbers)
        self._due_ns = at_ns + int(LOOK_NS * self._radio.pace((self.reader, number)) / self._speed)
        return (text + self._look(number)).encode()

    def _look(self, number: int) -> str:
        antenna = (self.reader, number)
        heard = self._radio.scan(antenna, self._radio.field.on(antenna))
        card = next((tag for tag in heard.own + heard.stray if len(tag) in UID_DIGITS), "")
        known = self._once and card == self._said.get(number)
        self._said[number] = card
        return "" if not card or known else self._line(number, card)

    def _line(self, number: int, card: str) -> str:
        spaced = " ".join(card[at : at + 2] for at in range(0, len(card), 2))
        return f"Card UID: {spaced}\r\n" if len(self._numbers) == 1 else f"{number}| {spaced}\r\n"
