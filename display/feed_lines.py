"""The lines of a table's socket, as the screen reads and writes them. Pure.

from the table   {"hello": 1, "view": "dealer"}, {"snapshot": {...}}, {"id": "7", "ok": true}
                 {"id": "7", "error": "..."}
to the table     {"id": "7", "command": {"type": "undo"}, "n": 17}     dealer's socket only; n: of the snapshot seen
"""

from typing import Literal

import msgspec

from controller.commands import Command
from controller.snapshot import DealerSnapshot

LONGEST = 4 * 1024 * 1024  # bytes of one line; a snapshot of ten seats has about ten thousand
SPEAKS = 1  # version of the feed


class Hello(msgspec.Struct, frozen=True):
    view: str


class Snap(msgspec.Struct, frozen=True):
    snapshot: DealerSnapshot


class Reply(msgspec.Struct, frozen=True):
    id: str
    error: str  # "": done


class Strange(msgspec.Struct, frozen=True):
    """A line that this version of the screen cannot read."""

    why: str


Line = Hello | Snap | Reply | Strange


class _Wire(msgspec.Struct, frozen=True):
    hello: int | None = None
    view: Literal["public", "dealer"] | None = None
    snapshot: msgspec.Raw = msgspec.Raw(b"")
    id: str | None = None
    error: str | None = None


def read(line: bytes | None) -> Line:
    """What one line says. A public snapshot is read as a dealer's one that has nothing more to tell."""
    if line is None:
        return Strange(f"a line of more than {LONGEST} bytes")
    try:
        wire = msgspec.json.decode(line, type=_Wire)
        if bytes(wire.snapshot):
            return Snap(msgspec.json.decode(wire.snapshot, type=DealerSnapshot))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return Strange(" ".join(str(error).split()))
    if wire.hello is not None:
        return Hello(wire.view or "public") if wire.hello == SPEAKS else Strange(f"feed version {wire.hello}")
    if wire.id is not None or wire.error is not None:
        return Reply(wire.id or "", wire.error or "")
    return Strange("a line of no known kind")


def command_line(identity: str, command: Command, n: int | None = None, role: str = "") -> bytes:
    """`n`: of the snapshot that somebody saw who commands so; `role`: of the person for whom a page speaks."""
    seen = {} if n is None else {"n": n}
    page = {"by": "web", "role": role} if role else {}
    return msgspec.json.encode({"id": identity, "command": command, **seen, **page}) + b"\n"


class Splitter:
    """Chunks in, whole lines out; a line that never ends costs no memory."""

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._length = 0

    def feed(self, chunk: bytes) -> list[bytes | None]:
        """Whole lines that are not empty; None stands for one that was too long."""
        *ended, rest = chunk.split(b"\n")
        lines: list[bytes | None] = []
        for piece in ended:
            self._add(piece)
            if self._length > LONGEST:
                lines.append(None)
            elif self._length:
                lines.append(b"".join(self._held))
            self._held, self._length = [], 0
        self._add(rest)
        return lines

    def _add(self, piece: bytes) -> None:
        self._length += len(piece)
        if self._length > LONGEST:
            self._held = []
        elif piece:
            self._held.append(piece)
