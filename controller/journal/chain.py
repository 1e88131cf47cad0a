"""Rows as they are written and hashed, and whether one follows the row before it. Pure.

`hash` of a row is SHA-256 over the hash before it and the row's content. The first one stands on the name of the
journal, and on the end of the journal that this one continues.
"""

import hashlib
from typing import Any

import msgspec

from controller.journal.rows import VERSION, Row, kind_of
from controller.table.events import Event, is_public
from controller.table.version_1 import named

COLUMNS = "seq, n, boot, at_ns, wall_ms, version, kind, body, hash"
Raw = tuple[int, int | None, str, int, int, int, str, bytes, bytes]
_GENESIS = b"betline"
_DECODER = msgspec.json.Decoder(Event)


def genesis(epoch: str, parent_hash: bytes | None) -> bytes:
    """What the first hash stands on."""
    return hashlib.sha256(_GENESIS + epoch.encode() + (parent_hash or b"")).digest()


def raw_of(row: Row, chain: bytes) -> Raw:
    """The row as it is written behind one whose hash is `chain`."""
    body = msgspec.json.encode(row.event)
    head = (row.seq, row.n, row.boot, row.at_ns, row.wall_ms, VERSION, kind_of(row.event))
    return (*head, body, _hash(chain, head, body))


def linked(raw: Raw, chain: bytes) -> Raw:
    """The same row behind another one."""
    return (*raw[:8], _hash(chain, raw[:7], raw[7]))


def row_of(raw: Raw) -> Row:
    seq, n, boot, at_ns, wall_ms, version, _, body, _ = raw
    event = _DECODER.decode(body)
    return Row(seq, n, boot, at_ns, wall_ms, named(event) if version == 1 else event, version=version)


def typed(raw: tuple[Any, ...]) -> Raw | None:
    """The row as it was written; None where damage made something else of a value."""
    try:
        found: Raw = msgspec.convert(raw, Raw)
    except msgspec.ValidationError:
        return None
    return found


def checked(raw: Raw, seq: int, n: int, chain: bytes) -> tuple[Row | None, str | None]:
    """The row, and why it does not follow the one before it (None: it does)."""
    where = f"row {raw[0]}"
    if raw[5] > VERSION:
        return None, f"{where}: written by a newer betline (version {raw[5]}): update this one"
    if raw[5] < 1:
        return None, f"{where}: version {raw[5]}, and no betline wrote such a one: it was changed or damaged"
    if raw[0] != seq + 1:
        return None, f"{where}: follows row {seq}: rows between them are missing"
    if raw[-1] != _hash(chain, raw[:7], raw[7]):
        return None, f"{where}: its hash does not fit: it was changed or damaged"
    try:
        row = row_of(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return None, f"{where}: its event cannot be read ({error})"
    if raw[6] != kind_of(row.event) or raw[1] != (n + 1 if is_public(row.event) else None):
        return row, f"{where}: kind {raw[6]!r} and public number {raw[1]} do not fit its event"
    return row, None


def _hash(chain: bytes, head: tuple[object, ...], body: bytes) -> bytes:
    return hashlib.sha256(chain + msgspec.json.encode(head) + body).digest()
