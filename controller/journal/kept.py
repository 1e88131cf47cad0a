"""The state of the table, kept in the journal at a hand's end, so that a start reads the last hand and not years. Pure.

It is no second truth: the events stay, and a state that does not fit, or that another betline or another table.toml
would see otherwise, is passed over. Then a start reads the events from the beginning, as if none had been kept.
"""

import hashlib
import zlib

import msgspec

from controller.table.state import State

MOST = 64 * 1024 * 1024  # bytes of a state unpacked: a damaged one must not fill the memory
_DECODER = msgspec.json.Decoder(State)


def kind_of(fresh: State) -> str:
    """Names what a state depends on beside the events: its own fields, and the table before anything happened."""
    shape = msgspec.json.encode(msgspec.json.schema(State), order="sorted")
    return hashlib.sha256(shape + msgspec.json.encode(fresh, order="sorted")).hexdigest()[:16]


def packed(state: State) -> bytes:
    return zlib.compress(msgspec.json.encode(state), 6)


def unpacked(body: bytes) -> State | None:
    """The state; None where it cannot be read."""
    try:
        return _DECODER.decode(zlib.decompressobj().decompress(body, MOST))
    except (zlib.error, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def seal(chain: bytes, kind: str, body: bytes) -> bytes:
    """Binds a kept state to the event behind which it was kept."""
    return hashlib.sha256(b"state" + chain + kind.encode() + body).digest()
