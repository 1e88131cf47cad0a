"""tablelink as the microcontroller speaks it: packets into one buffer that is made once, frames out, bytes in.

`firmware_bridge/protocol.md` draws every byte. Written for MicroPython, which has no `struct.Struct`, `match` or
dataclass; CPython runs it too. What runs in every round makes nothing new beyond a slice.
"""

VERSION = 1
HELLO, SNAPSHOT, HEARTBEAT, FAULT, ANSWERS, HEALTH, CAN = 1, 2, 3, 4, 5, 6, 7
START, FOCUS, ASK, MAINTAIN = 0x81, 0x82, 0x83, 0x84
KNOWN_TYPES = bytes((HELLO, SNAPSHOT, HEARTBEAT, FAULT, ANSWERS, HEALTH, CAN, START, FOCUS, ASK, MAINTAIN))
COMPLETE, WITH_RSSI, CONFIRMED, BY_ADDRESS = 1, 2, 4, 8  # flags of a snapshot
AGE_AT, LENGTH_AT, FLAGS_AT = 6, 8, 10  # in a snapshot; age stands there in `answers` too
MOST_BODY = 2560  # 255 tags of 8 bytes and their heads
LONGEST_ORDER = 640  # bytes of a frame from the host: an `ask` for sixty tags
HEAD, CRC = 3, 2


def _crc_table() -> "list[int]":
    table = []
    for byte in range(256):
        crc = byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
        table.append(crc)
    return table


_TABLE = _crc_table()


def crc16(data: "bytes | bytearray", size: int) -> int:
    """CRC-16/CCITT-FALSE of the first `size` bytes; 0 over a packet with its own CRC behind it."""
    table, crc = _TABLE, 0xFFFF
    for at in range(size):
        crc = (crc << 8 & 0xFFFF) ^ table[crc >> 8 ^ data[at]]
    return crc


class Packet:
    """One packet that is filled from front to back; the sequence number and the CRC come when it is framed."""

    def __init__(self, most: int = MOST_BODY) -> None:
        self.data = bytearray(HEAD + most + CRC)
        self.size = 0  # 0: nothing to send

    def begin(self, kind: int) -> None:
        self.data[0], self.data[1] = VERSION, kind
        self.size = HEAD

    def byte(self, value: int) -> None:
        self.data[self.size] = value
        self.size += 1

    def word(self, value: int) -> None:
        self.byte(value >> 8 & 0xFF)
        self.byte(value & 0xFF)

    def put(self, data: "bytes | bytearray") -> None:
        end = self.size + len(data)
        self.data[self.size : end] = data
        self.size = end

    def text(self, text: str) -> None:
        data = text.encode()[:255]
        self.byte(len(data))
        self.put(data)

    def has_room(self, size: int) -> bool:
        return self.size + size + CRC <= len(self.data)

    def set_word(self, at: int, value: int) -> None:
        self.data[at], self.data[at + 1] = value >> 8 & 0xFF, value & 0xFF


def begin_snapshot(packet: Packet, antenna: int, number: int) -> None:
    """A snapshot without tags: the age is set when it is sent, length and flags when the round has ended."""
    packet.begin(SNAPSHOT)
    packet.byte(antenna)
    packet.word(number & 0xFFFF)
    packet.word(0)
    packet.word(0)
    packet.byte(0)
    packet.byte(0)


def add_tag(packet: Packet, tag: bytes) -> bool:
    """One tag more, as people print it; False: the count or the buffer is full."""
    count_at = FLAGS_AT + 1
    if packet.data[count_at] == 255 or not packet.has_room(len(tag) + 1):
        return False
    packet.byte(len(tag))
    packet.put(tag)
    packet.data[count_at] += 1
    return True


def end_snapshot(packet: Packet, length_ms: int, flags: int) -> None:
    packet.set_word(LENGTH_AT, min(length_ms, 0xFFFF))
    packet.data[FLAGS_AT] = flags


def hello(packet: Packet, boot_id: int, heartbeat_ms: int, antennas: "list[tuple[int, int]]", firmware: str) -> None:
    packet.begin(HELLO)
    packet.put(boot_id.to_bytes(4, "big"))
    packet.word(heartbeat_ms)
    packet.byte(len(antennas))
    for number, tags in antennas:
        packet.byte(number)
        packet.byte(tags)
    packet.text(firmware)


def can(packet: Packet) -> None:
    packet.begin(CAN)
    packet.byte(len(KNOWN_TYPES))
    packet.put(KNOWN_TYPES)


def heartbeat(packet: Packet, boot_id: int, heard: int, rejected: int) -> None:
    packet.begin(HEARTBEAT)
    packet.put(boot_id.to_bytes(4, "big"))
    packet.byte(heard)
    packet.word(rejected & 0xFFFF)


def fault(packet: Packet, antenna: int, code: int, text: str) -> None:
    packet.begin(FAULT)
    packet.byte(antenna)
    packet.byte(code)
    packet.text(text)


class Framer:
    """Packets to frames: `data[:size]` is what goes to the port."""

    def __init__(self, most: int = MOST_BODY) -> None:
        self.data = bytearray(HEAD + most + CRC + most // 254 + 5)
        self.size = 0

    def frame(self, packet: Packet, sequence: int) -> None:
        packet.data[2] = sequence & 0xFF
        packet.set_word(packet.size, crc16(packet.data, packet.size))
        self.size = _stuff(packet.data, packet.size + CRC, self.data)


def _stuff(source: bytearray, size: int, out: bytearray) -> int:
    """`00 COBS 00` into `out`; how many bytes that are. A code in place of each zero says how far the next one is."""
    out[0] = 0
    code_at, at, code = 1, 2, 1
    for index in range(size):
        byte = source[index]
        if byte:
            out[at] = byte
            at += 1
            code += 1
        if not byte or (code == 255 and index + 1 < size):
            out[code_at] = code
            code_at, at, code = at, at + 1, 1
    out[code_at] = code
    out[at] = 0
    return at + 1


class Orders:
    """Bytes from the host to packets, in one buffer. `take` is given byte after byte and says when `packet` is one."""

    def __init__(self) -> None:
        self.packet = bytearray(LONGEST_ORDER)
        self.size = 0  # of the packet, without its CRC
        self.rejected = 0
        self._in_step = False  # no delimiter was seen yet, or what came is too long
        self._restart()

    def _restart(self) -> None:
        self._at = self._left = 0  # bytes taken; bytes until the next code
        self._owes_zero = False
        self._begun = False

    def take(self, byte: int) -> bool:
        """True: a whole good packet lies in `packet[:size]`, until the next call."""
        if not byte:
            return self._end()
        if not self._in_step:
            return False
        self._begun = True
        if self._left:
            self._left -= 1
            self._keep(byte)
        else:
            if self._owes_zero:
                self._keep(0)
            self._left = byte - 1
            self._owes_zero = byte < 255
        return False

    def _keep(self, byte: int) -> None:
        if self._at == LONGEST_ORDER:
            self._in_step = False
            self.rejected += 1
            return
        self.packet[self._at] = byte
        self._at += 1

    def _end(self) -> bool:
        begun, whole, size = self._begun and self._in_step, not self._left, self._at
        self._in_step = True
        self._restart()
        if not begun:
            return False
        if not whole or size < HEAD + CRC or crc16(self.packet, size):
            self.rejected += 1
            return False
        self.size = size - CRC
        return True

    @property
    def kind(self) -> int:
        """Type of the packet; 0 where it is of another version."""
        return self.packet[1] if self.packet[0] == VERSION else 0

    @property
    def sequence(self) -> int:
        return self.packet[2]

    def focus(self) -> "bytearray | None":
        """The antennas of a `focus`; None: its body cannot be."""
        if self.size <= HEAD or self.packet[HEAD] != self.size - HEAD - 1:
            return None
        return self.packet[HEAD + 1 : self.size]

    def asked(self) -> "tuple[int, list[bytes]] | None":
        """Antenna and tags of an `ask`; None: its body cannot be."""
        at, tags = HEAD + 2, []
        if self.size < at:
            return None
        for _ in range(self.packet[HEAD + 1]):
            end = at + 1 + self.packet[at] if at < self.size else 0
            if not at + 1 < end <= self.size:
                return None
            tags.append(bytes(self.packet[at + 1 : end]))
            at = end
        return (self.packet[HEAD], tags) if at == self.size else None
