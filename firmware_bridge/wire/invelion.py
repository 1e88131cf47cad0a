"""The bytes of the A0 family (Invelion, IND903, YR8900 and many others on Impinj's R2000), both directions.

    A0 | length | address | command | data | check       length: bytes behind it
     1     1        1          1               1

The check byte brings the sum of the whole frame to 0. Tags, the end of a round and errors answer one command, and only
their length tells which they are: seven bytes of data end a round, one or two are an error, a tag has an even number of
them (channel and antenna, PC, EPC, RSSI), as its EPC has whole words. The sum has eight bits only, so the length that
PC tells must fit as well. Frames are in `tests/data/frames.json`; the rest follows public drivers of the family.
"""

from typing import Any

from firmware_bridge.errors import FrameError
from firmware_bridge.events import Sighting, Value
from firmware_bridge.wire.checksums import complement8, sum8
from firmware_bridge.wire.rejected import Rejected
from firmware_bridge.wire.scanner import OVERSIZE, REFUSED, UNKNOWN, Scanner, remember

HEAD = 0xA0
EVERYBODY = 0xFF  # an address that every reader answers, with its own
RESET, VERSION, ANTENNA, SET_POWER, GET_POWER = 0x70, 0x72, 0x74, 0x76, 0x77
SET_REGION, GET_REGION = 0x78, 0x79
REAL_TIME, SWEEP, SESSION = 0x89, 0x8A, 0x8B
INVENTORIES = (REAL_TIME, SWEEP, SESSION)
AROUND = 2  # bytes that the length does not count
SHORTEST, LONGEST = 3, 100  # lengths: a command without data; a tag with the longest EPC has 69
PORTS = 4  # a sweep names four antennas, or eight
SKIP = 0xFF
RSSI_OFFSET = -129  # dBm of a raw value of 0

SUCCESS, FAILED = 0x10, 0x11
NO_ANTENNA = 0x22
ERRORS = {
    FAILED: "the command failed",
    0x20: "the processor of the reader could not be reset",
    0x21: "the carrier could not be switched on",
    NO_ANTENNA: "no antenna on this port",
    0x23: "the reader's flash cannot be written",
    0x24: "the reader's flash cannot be read",
    0x25: "the power could not be set",
    0x31: "the inventory failed",
    0x36: "no tag to work on",
    0x41: "a parameter that the reader does not take",
    0x46: "an address that cannot be",
    0x47: "the reader has no port of this number",
    0x48: "a power that the reader cannot give: change power_dbm",
    0x49: "a region that the reader does not know",
    0x4A: "a baud rate that the reader does not know",
    0x4F: "frequencies that are not of this region",
    0x52: "the frequency does not lock: the radio is broken, or its supply too weak",
    0x53: "the radio chip does not answer",
    0x54: "the power that was asked for is not reached: supply, or the antenna",
    0x56: "the region is not set, or wrong: set the option region",
    0x57: "the power is too low",
    0xEE: "the power that the antenna sends back cannot be measured",
}
REGIONS = {  # code, first and last channel: 865 MHz and half a MHz a channel, from channel 7 on 902 MHz
    "us": bytes((1, 7, 59)),
    "eu": bytes((2, 0, 6)),
    "cn": bytes((3, 43, 53)),
}


class Frame(Value, frozen=True):
    """Any good frame but a tag and an end; of either direction."""

    command: int
    data: bytes

    @property
    def error(self) -> int | None:
        """The code of an answer that is an error, as far as errors are known."""
        alone = len(self.data) == 1 and self.command != GET_POWER  # 17 dBm is no error 11
        at_antenna = len(self.data) == 2 and self.command == SWEEP
        return self.data[-1] if (alone or at_antenna) and self.data[-1] in ERRORS else None


class Tag(Value, frozen=True):
    """A tag was read in the round that goes on."""

    command: int
    antenna: int  # as printed on the reader, 1 to 8
    sighting: Sighting


class End(Value, frozen=True):
    """A round is over."""

    command: int
    antenna: int | None  # None: a sweep over several
    total: int  # reports of tags that it had


AnyFrame = Frame | Tag | End


def pack(code: int, data: bytes = b"", address: int = 1) -> bytes:
    """A frame of either direction."""
    length = len(data) + SHORTEST
    if length > LONGEST:
        raise FrameError(f"{len(data)} bytes of data are more than {LONGEST - SHORTEST}")
    frame = bytes((HEAD, length, address, code)) + data
    return frame + bytes((complement8(frame),))


def select(antenna: int) -> bytes:
    """Data of ANTENNA; antennas as printed on the reader."""
    return bytes((antenna - 1,))


def session(number: int, rounds: int = 1) -> bytes:
    """Data of SESSION: tags of target A in this session, so many inventory rounds of the reader."""
    return bytes((number, 0, rounds))


def sweep(antennas: tuple[int, ...], stay: int = 1, ports: int = PORTS) -> bytes:
    """Data of SWEEP: antennas in this order, so many rounds on each, no pause between, once."""
    pairs = [(antenna - 1, stay) for antenna in antennas] + [(SKIP, 0)] * (ports - len(antennas))
    return bytes(byte for pair in pairs for byte in pair) + bytes((0, 1))


def tag(epc: bytes, rssi_dbm: int = -60, antenna: int = 1, code: int = SESSION, address: int = 1) -> bytes:
    """A report as the reader sends it; the fifth antenna and those behind it show in the top bit of RSSI."""
    if len(epc) % 2 or len(epc) > 62:
        raise FrameError(f"EPC {epc.hex().upper()} must have whole words of 16 bits, 31 at most")
    raw = max(0, min(0x7F, rssi_dbm - RSSI_OFFSET)) | (0x80 if antenna > 4 else 0)
    data = bytes((0x04 | (antenna - 1) & 3,)) + (len(epc) // 2 << 11).to_bytes(2) + epc + bytes((raw,))
    return pack(code, data, address)


def end(total: int, antenna: int = 1, code: int = SESSION, address: int = 1) -> bytes:
    """The end of a round: antenna, tags a second, reports; of a sweep: reports, milliseconds."""
    if code == SWEEP:
        return pack(code, total.to_bytes(3) + (100).to_bytes(4), address)
    return pack(code, bytes((antenna - 1,)) + bytes(2) + total.to_bytes(4), address)


class Grammar:
    """A frame that lost a byte A0 takes that of the next head instead, and its sum is right: the head counts twice."""

    idle = b""
    shared = 1

    def find(self, data: bytes, begin: int) -> int:
        return data.find(HEAD, begin)

    def size(self, data: bytes, begin: int) -> int:
        if len(data) < begin + 2:
            return UNKNOWN
        length = data[begin + 1]
        if length < SHORTEST:
            return REFUSED
        return OVERSIZE if length > LONGEST else length + AROUND

    def read(self, raw: bytes) -> AnyFrame | Rejected:
        if sum8(raw):
            return Rejected("checksum", raw)
        code, data = raw[3], raw[4:-1]
        if code not in INVENTORIES or len(data) < 4 or (code == SWEEP and _is_sweep(data)):
            return Frame(code, data)
        if len(data) == 7:
            return _end(code, data)
        return _tag(code, data) or Rejected("value", raw)

    def take(self, data: bytes, begin: int, known: dict[bytes, AnyFrame], found: list[Any]) -> int:
        """Known and good new frames, one right behind the other."""
        at, last, recall = begin, len(data) - AROUND - SHORTEST, known.get
        while at <= last:
            length = data[at + 1]
            raw = data[at : at + AROUND + length]
            frame = recall(raw)
            if frame is None:
                if data[at] != HEAD or not SHORTEST <= length <= LONGEST or len(raw) < AROUND + length:
                    break
                read = self.read(raw)
                if isinstance(read, Rejected):
                    break
                frame = read
                remember(known, raw, frame)
            found.append(frame)
            at += AROUND + length
        return at


def scanner() -> Scanner[AnyFrame]:
    return Scanner(Grammar())


def _is_sweep(data: bytes) -> bool:
    """The command itself, not its answer: pairs of an antenna and its rounds, a pause and a count."""
    antennas = data[:-2:2]
    return len(data) in (10, 18) and all(antenna < 8 or antenna == SKIP for antenna in antennas) and data[-1] > 0


def _end(code: int, data: bytes) -> End:
    if code == SWEEP:
        return End(code, None, int.from_bytes(data[:3]))
    return End(code, data[0] + 1, int.from_bytes(data[3:]))


def _tag(code: int, data: bytes) -> Tag | None:
    """None: PC does not fit. Behind RSSI there may be a phase, two bytes."""
    size = 2 * (data[1] >> 3)  # of the EPC, by the upper five bits of PC
    if len(data) - size not in (4, 6):
        return None
    epc, raw = data[3 : 3 + size], data[3 + size]
    antenna = (data[0] & 3) + (4 if raw & 0x80 else 0) + 1
    return Tag(code, antenna, Sighting(epc.hex().upper(), (raw & 0x7F) + RSSI_OFFSET))
