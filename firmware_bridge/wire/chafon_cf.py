"""The bytes of Chafon's `CF` readers (CF600, M-200, H103, UHF Prime): another language under the same brand.

    CF | address | command (2) | length | data... | CRC (2)                  from the host
    CF | address | command (2) | length | status | data... | CRC (2)         from the reader

The length counts status and data; the CRC is CRC-16/MCRF4XX over all before it, here with its **high** byte first. All
commands are below 0100, and no length-first frame has a command 00, so the third byte tells the two languages apart.
Sources: an H103 manual with a device log, and captures; frames are in `tests/data/frames.json`.
"""

from firmware_bridge.events import Sighting, Value
from firmware_bridge.wire.checksums import crc16_mcrf4xx
from firmware_bridge.wire.rejected import Rejected

HEAD = 0xCF
AROUND = 7  # bytes of a frame that its length does not count
INVENTORY, STOP, SET_POWER, INFORMATION, PARAMETERS = 0x0001, 0x0002, 0x0053, 0x0070, 0x0072
OK, NO_TAG = 0x00, 0x12
EVERYBODY = 0xFF


class CfFrame(Value, frozen=True):
    """`status` None: from the host."""

    address: int
    command: int
    status: int | None
    data: bytes = b""


class CfTag(Value, frozen=True):
    """A tag that the running inventory has read."""

    antenna: int
    sighting: Sighting


def pack(address: int, command: int, inner: bytes = b"") -> bytes:
    body = bytes((HEAD, address)) + command.to_bytes(2) + bytes((len(inner),)) + inner
    return body + crc16_mcrf4xx(body).to_bytes(2)


def report(epc: str, rssi_dbm: int = -50, antenna: int = 1, channel: int = 0) -> bytes:
    """A tag as the reader reports it."""
    raw = bytes.fromhex(epc)
    strength = (10 * rssi_dbm).to_bytes(2, signed=True)
    return pack(0, INVENTORY, bytes((OK,)) + strength + bytes((antenna, channel, len(raw))) + raw)


def is_head(data: bytes, begin: int) -> bool:
    return data[begin] == HEAD and data[begin + 2 : begin + 3] == b"\0"


def size(data: bytes, begin: int) -> int:
    """Bytes of the frame, 0 if its length has not come yet."""
    return data[begin + 4] + AROUND if len(data) - begin > 4 else 0


def read(raw: bytes) -> CfFrame | CfTag | Rejected:
    if crc16_mcrf4xx(raw[:-2]) != int.from_bytes(raw[-2:]):
        return Rejected("checksum", raw)
    address, command, rest = raw[1], int.from_bytes(raw[2:4]), raw[5:-2]
    if address == EVERYBODY or not rest:
        return CfFrame(address, command, None, rest)
    status, data = rest[0], rest[1:]
    if command != INVENTORY or status != OK or not data:
        return CfFrame(address, command, status, data)
    if len(data) < 5 or len(data) != 5 + data[4]:
        return Rejected("value", raw)
    strength = int.from_bytes(data[:2], signed=True)
    return CfTag(data[2], Sighting(data[5:].hex().upper(), round(strength / 10)))
