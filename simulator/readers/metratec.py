"""A Metratec reader that speaks ASCII: one antenna or a multiplexer, CRC mode, continuous mode, sleep.

With its power it forgets everything: CRC mode, the standard, the field, the antenna. An inventory without a field is
answered NRF. Times are those of ISO 15693: an empty inventory takes 60 ms, each tag 7.5 ms more.
"""

from firmware_bridge.wire import metratec as wire
from firmware_bridge.wire.metratec import Text
from firmware_bridge.wire.rejected import Rejected
from simulator.radio import Radio

MS = 1_000_000
EMPTY_NS, TAG_NS, ANSWER_NS = 60 * MS, 7_500_000, 2 * MS
REVISION = "QUASAR_MX       0305"


class Metratec:
    """`asleep`: hears WAK alone; `continuous`: takes one inventory after the other for a host that died."""

    def __init__(
        self,
        reader: str,
        radio: Radio,
        *,
        crc: bool = False,
        asleep: bool = False,
        continuous: bool = False,
        speed: float = 1.0,
    ) -> None:
        self.reader = reader
        self.broken: str | None = None  # the error that every inventory ends with, until RST
        self.misrouted = False  # the multiplexer stays where it is
        self.told: list[str] = []  # commands that were obeyed
        self._numbers = radio.field.numbers(reader) or (1,)
        self._radio, self._speed = radio, speed
        self.power_cut()
        self._crc, self._asleep = crc, asleep
        self._continuous = self._field = continuous
        if continuous:
            self._begin("INV", 0)

    def power_cut(self) -> None:
        """Off and on again."""
        self._lines = wire.Lines()
        self._crc = self._asleep = self._continuous = self._field = self._report = False
        self._antenna = self._numbers[0]
        self._running: str | None = None
        self._due_ns = 0
        self._at_begin: tuple[str, ...] = ()

    def wake_at_ns(self) -> int | None:
        return self._due_ns if self._running else None

    def receive(self, data: bytes, at_ns: int) -> bytes:
        out = b""
        for item in self._lines.feed(data, at_ns):
            if not isinstance(item, Text):
                out += b"" if isinstance(item, Rejected) else self._say("UCO")
            elif self._crc and not item.checked:
                out += self._say("CCE")
            elif self._asleep and item.text != "WAK":
                continue
            else:  # outside CRC mode the digits of a CRC are one parameter too many
                out += self._begin(item.text if self._crc or not item.checked else item.text + " 0000", at_ns)
        return out

    def _begin(self, text: str, at_ns: int) -> bytes:
        self._running = text
        self._due_ns = at_ns + int(ANSWER_NS / self._speed)
        if text == "INV" and self._field:
            antenna = (self.reader, self._antenna)
            self._at_begin = self._radio.field.on(antenna)
            plain_ns = EMPTY_NS + TAG_NS * len(self._at_begin)
            self._due_ns = at_ns + int(plain_ns * self._radio.pace(antenna) / self._speed)
        return b""

    def tick(self, at_ns: int) -> bytes:
        text = self._running
        if text is None or at_ns < self._due_ns:
            return b""
        self._running = None
        out = self._inventory() if text == "INV" else self._obey(text)
        if self._continuous and self._running is None:
            self._begin("INV", at_ns)
        return out

    def _say(self, text: str) -> bytes:
        return wire.line(text, crc=self._crc)

    def _inventory(self) -> bytes:
        if not self._field or self.broken is not None:
            return self._say(self.broken or "NRF")
        heard = self._radio.scan((self.reader, self._antenna), self._at_begin)
        tags = tuple(tag for tag in heard.own + heard.stray if len(tag) == 16)
        return wire.inventory(tags, self._antenna if self._report else None, crc=self._crc)

    def _obey(self, text: str) -> bytes:
        self.told.append(text)
        match text.split(" "):
            case ["BRK"]:
                was, self._continuous = self._continuous, False
                return self._say("BRA" if was else "NCM")
            case ["WAK"]:
                was, self._asleep = self._asleep, False
                return self._say("GMO" if was else "DNS")
            case ["REV"]:
                return self._say(REVISION)
            case ["CNR", "INV"]:
                self._continuous = True
                return b""
            case ["RST"]:
                self.power_cut()
                self.broken = None
                return self._say("OK!")
            case ["CON" | "COF" as mode]:
                self._crc = mode == "CON"
                return self._say("OK!")
            case ["SAP", *rest]:
                return self._say(self._switch(rest))
            case ["SRI", "SS", "10" | "100"]:
                self._field = True
                return self._say("OK!")
            case ["MOD", "156" | "14A" | "14B"] | ["SET", "PWR", _] | ["HBT", _] | ["EOF"]:
                return self._say("OK!")
            case ["MOD" | "SET" | "SRI" | "INV" | "CNR" | "BRK" | "CON" | "COF" | "RST" | "WAK" | "REV", *_]:
                return self._say("UPA")
            case _:
                return self._say("UCO")

    def _switch(self, rest: list[str]) -> str:
        match rest:
            case ["ARP", "ON" | "OFF" as state]:
                self._report = state == "ON"
            case ["MAN", number] if number.isdigit():
                if int(number) not in self._numbers:
                    return "NOR"
                self._antenna = self._antenna if self.misrouted else int(number)
            case ["AUT", *_]:
                pass
            case _:
                return "UPA"
        return "OK!"
