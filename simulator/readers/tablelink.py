"""A microcontroller with many antennas that speaks tablelink, as protocol.md says its firmware should.

It scans one antenna after the other with each of its radios, in the order of a scan plan, and sends every round when it
ends. Times are those of ISO 15693 (26.48 kbit/s and 16 slots: 140 tags a second at most, by arithmetic): an empty round
takes 60 ms and each tag 7.5 ms more, so that 20 chips on a bet spot make five rounds a second and 60 in a tray two.
"""

from functools import lru_cache

from firmware_bridge.events import Sighting, Value
from firmware_bridge.scan_plan import ScanPlan, shares_of
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.tablelink import (
    AntennaLimit,
    Cutter,
    Fault,
    Focus,
    Frame,
    Heartbeat,
    Hello,
    Snapshot,
    Start,
    pack,
)
from simulator.radio import Radio

MS = 1_000_000
EMPTY_ROUND_NS = 60 * MS
TAG_NS = 7_500_000
FAULT_AGAIN_NS = 60_000 * MS  # protocol.md: a fault is told once a minute while it lasts
FIRST_BOOT = 0x5EED_0001


class Scan(Value, frozen=True):
    """A round that goes on."""

    antenna: int
    began_ns: int
    ends_ns: int
    at_begin: tuple[str, ...]  # what lay in the field then


class Tablelink:
    """`radios`: antennas that are scanned at once; `speed`: how much faster than life, for demos."""

    def __init__(
        self, reader: str, radio: Radio, *, radios: int = 1, speed: float = 1.0, heartbeat_ms: int = 1000
    ) -> None:
        self.reader = reader
        self._radio, self._radios, self._speed = radio, radios, speed
        self._heartbeat_ms = heartbeat_ms
        self._limits = {number: radio.field.limit((reader, number)) for number in radio.field.numbers(reader)}
        self._boot_id = FIRST_BOOT - 1
        self._broken: dict[int, tuple[int, str]] = {}
        self._fault_at_ns: int | None = None
        self.reset()

    def reset(self) -> None:
        """What a watchdog or a loose plug does: everything is forgotten, and the boot id is another one."""
        self._boot_id += 1
        self._plan = ScanPlan(shares_of(self._limits))
        self._cutter = Cutter()
        self._sequence = self._rejected = 0
        self._heard = 0xFF
        self._rounds = dict.fromkeys(self._limits, 0)
        self._scans: list[Scan] = []
        self._heartbeat_at_ns: int | None = None  # None: not booted yet

    def break_antenna(self, number: int, code: int = 1, text: str = "no load") -> None:
        """From now on this antenna has a fault, by its code of protocol.md; its rounds are not complete."""
        self._broken[number] = (code, text)
        self._fault_at_ns = 0

    def mend_antenna(self, number: int) -> None:
        self._broken.pop(number, None)

    def wake_at_ns(self) -> int | None:
        if self._heartbeat_at_ns is None:
            return 0
        due = self._heartbeat_at_ns
        for scan in self._scans:
            due = min(due, scan.ends_ns)
        return due if self._fault_at_ns is None else min(due, self._fault_at_ns)

    def receive(self, data: bytes, at_ns: int) -> bytes:
        del at_ns
        answer = b""
        for item in self._cutter.feed(data):
            if isinstance(item, Rejected):
                self._rejected += 1
            else:
                self._heard, frame = item
                answer += self._obey(frame)
        return answer

    def _obey(self, frame: Frame) -> bytes:
        match frame:
            case Start():
                self._plan.focus(())
                return self._hello()
            case Focus(antennas):
                self._plan.focus(antennas)
                return b""
            case _:
                return b""

    def tick(self, at_ns: int) -> bytes:
        out = b"" if self._heartbeat_at_ns is not None else self._boot(at_ns)
        for scan in [scan for scan in self._scans if scan.ends_ns <= at_ns]:
            self._scans.remove(scan)
            out += self._finish(scan, at_ns)
        self._begin_scans(at_ns)
        if self._heartbeat_at_ns is not None and at_ns >= self._heartbeat_at_ns:
            self._heartbeat_at_ns = at_ns + self._heartbeat_ms * MS
            out += self._say(Heartbeat(self._boot_id, self._heard, self._rejected))
        if self._fault_at_ns is not None and at_ns >= self._fault_at_ns:
            out += self._tell_faults(at_ns)
        return out

    def _boot(self, at_ns: int) -> bytes:
        self._heartbeat_at_ns = at_ns + self._heartbeat_ms * MS
        return self._hello()

    def _hello(self) -> bytes:
        antennas = tuple(AntennaLimit(number, min(limit, 255)) for number, limit in self._limits.items())
        return self._say(Hello(self._boot_id, self._heartbeat_ms, antennas, "betline-virtual 1"))

    def _begin_scans(self, at_ns: int) -> None:
        while len(self._scans) < self._radios:
            number = self._plan.next(frozenset(scan.antenna for scan in self._scans))
            if number is None:
                return
            antenna = (self.reader, number)
            lying = self._radio.field.on(antenna)
            plain_ns = EMPTY_ROUND_NS + TAG_NS * len(lying)
            takes_ns = int(plain_ns * self._radio.pace(antenna) / self._speed)
            self._scans.append(Scan(number, at_ns, at_ns + takes_ns, lying))

    def _finish(self, scan: Scan, at_ns: int) -> bytes:
        number = self._rounds[scan.antenna]
        self._rounds[scan.antenna] = number + 1
        length_ms = -(-(at_ns - scan.began_ns) // MS)  # rounded up: the interval told holds the true one
        if scan.antenna in self._broken:
            return self._say(Snapshot(scan.antenna, number, 0, length_ms, complete=False, sightings=()))
        heard = self._radio.scan((self.reader, scan.antenna), scan.at_begin)
        sightings = _sightings(heard.own) + _sightings(heard.stray)
        return self._say(Snapshot(scan.antenna, number, 0, length_ms, complete=heard.complete, sightings=sightings))

    def _tell_faults(self, at_ns: int) -> bytes:
        self._fault_at_ns = at_ns + FAULT_AGAIN_NS if self._broken else None
        return b"".join(self._say(Fault(number, code, text)) for number, (code, text) in self._broken.items())

    def _say(self, frame: Frame) -> bytes:
        data = pack(frame, self._sequence)
        self._sequence = (self._sequence + 1) & 0xFF
        return data


@lru_cache(maxsize=1024)  # chips lie still: the same heaps are heard round after round
def _sightings(tags: tuple[str, ...]) -> tuple[Sighting, ...]:
    return tuple(Sighting(tag) for tag in tags)
