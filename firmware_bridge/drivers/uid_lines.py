"""Driver of sketches that print UIDs as text: an Arduino or ESP32 with MFRC522, PN532 or PN5180.

On `Timed`: they speak by themselves. Lines without a UID (banners, SAK, types) say only that the board is alive.
"""

from typing import Annotated

from msgspec import Meta

from firmware_bridge.drivers.timed import Timed, TimedOptions
from firmware_bridge.wire.uid_lines import Cutter, Line

LONGEST_IDENTITY = 60
RANDOM = "08"  # the first byte of a UID of 4 bytes that changes at each power-up (ISO/IEC 14443-3)


class UidLinesOptions(TimedOptions, frozen=True):
    baud: Annotated[int, Meta(ge=300, le=4_000_000)] = 9600


class UidLines(Timed[Line]):
    """One board with one reader or several, told apart by the number that it prints."""

    family = "uid-lines"

    def __init__(self, reader: str, antennas: tuple[int, ...], options: UidLinesOptions) -> None:
        super().__init__(reader, antennas, options)

    def _new_cutter(self) -> Cutter:
        return Cutter()

    def _begin(self, at_ns: int) -> None:
        super()._begin(at_ns)
        self._held: str = ""  # UID of the first line, which may be half of a longer one
        self._first = True
        self._told_random = False

    def _take_item(self, item: Line, at_ns: int) -> None:
        self._is_alive(item.text[:LONGEST_IDENTITY] if not item.uid else self.family, at_ns)
        first, self._first = self._first, False
        if first and item.uid and not item.has_begin:
            self._held = item.uid
        elif item.uid:
            self._held = ""
            self._uid(item, at_ns)

    def _uid(self, line: Line, at_ns: int) -> None:
        antenna = line.antenna
        if antenna is None:
            antenna = self._configured[0] if self._configured else 1
        if not _is_random(line.uid):
            self._see(antenna, line.uid, at_ns)
        elif not self._told_random:
            self._told_random = True
            why = "a card with a random UID lies here (a phone, a bank card): it has no identity to read"
            self._fault(at_ns, "random_uid", why)

    def _at_end(self, at_ns: int) -> None:
        if self._held:
            self._uid(Line("", self._held), at_ns)
            self._held = ""


def _is_random(uid: str) -> bool:
    return len(uid) == 8 and uid.startswith(RANDOM)
