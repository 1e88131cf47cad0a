"""A 125 kHz reader with one coil: says the tag that lies there again and again, and hears nothing of the host.

Two tags on the coil answer over each other: it says nothing. Only tags of eight or ten hex digits are EM4100 to it.
"""

from typing import Literal

from firmware_bridge.wire import em4100 as wire
from simulator.radio import Radio

MS = 1_000_000
REPEAT_NS = 100 * MS  # 64 bits at 2 kbit/s are 33 ms; a frame on the line takes 15
Form = Literal["rdm6300", "id12", "em18"]


class Em4100:
    """`form`: whose frames it sends; `speed`: faster than life, for demos."""

    def __init__(self, reader: str, radio: Radio, *, form: Form = "rdm6300", speed: float = 1.0) -> None:
        self.reader = reader
        numbers = radio.field.numbers(reader)
        self._antenna = (reader, numbers[0] if numbers else 1)
        self._radio, self._form, self._speed = radio, form, speed
        self._due_ns: int | None = None

    def receive(self, data: bytes, at_ns: int) -> bytes:
        del data, at_ns
        return b""

    def wake_at_ns(self) -> int | None:
        return 0 if self._due_ns is None else self._due_ns

    def tick(self, at_ns: int) -> bytes:
        if self._due_ns is not None and at_ns < self._due_ns:
            return b""
        self._due_ns = at_ns + int(REPEAT_NS * self._radio.pace(self._antenna) / self._speed)
        heard = self._radio.scan(self._antenna, self._radio.field.on(self._antenna))
        tags = [tag for tag in heard.own + heard.stray if len(tag) in (8, 10)]
        return self._frame(f"{tags[0]:0>10}") if len(tags) == 1 else b""

    def _frame(self, digits: str) -> bytes:
        match self._form:
            case "rdm6300":
                return wire.pack(digits)
            case "id12":
                return wire.pack(digits, end=b"\r\n\x03")
            case "em18":
                return wire.pack(digits, begin=b"", end=b"")
