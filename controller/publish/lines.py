"""The lines of a local feed: newline-delimited JSON, both ways. Pure.

to the client    {"hello": 1, "view": "dealer"}      once, first
                 {"snapshot": {...}}                 in full, on each change, and the same again where nothing changed:
                                                     a line at least every 2 s while the table lives
                 {"id": "7", "ok": true}             answer to a command
                 {"id": "7", "error": "..."}
from the client  {"id": "7", "command": {"type": "undo"}}     dealer socket only; "by": "say" from the command line
                                                     "n": 17 of the snapshot that its speaker saw
                 "role": "player", "seat": 3         for whom a page speaks: no more than the socket's own role
                 {"id": "7f3a", "words": "undo", "key": "anna", "time": 1790000000, "sig": "..."}     signed
"""

from typing import Any, Literal

import msgspec

from controller.authority.gate import Gate
from controller.authority.roles import Judged, Role, Trust, judge, narrowed, trusted
from controller.authority.signing import Signed
from controller.commands import Command
from controller.snapshot import Snapshot
from firmware_bridge.events import Value

MAX_LINE = 16 * 1024  # bytes of one command; the longest real one has a few hundred
MAX_ID = 100  # characters
NO_ID = f'no command: write {{"id": "1", "command": {{"type": "undo"}}}}; an id has 1 to {MAX_ID} characters'
READ_ONLY = "this socket only shows the table: commands go to the dealer's socket"
View = Literal["public", "dealer"]


class CommandLine(Value, frozen=True):
    """One line of a client."""

    id: str
    command: Command | None = None  # None: the words, which a key has signed
    by: Literal["dealer", "say", "web"] = "dealer"
    n: int | None = None  # of the snapshot that its speaker saw; None: the table as it is
    role: Role | None = None  # of the person for whom a page speaks
    seat: int | None = None  # his, where he is a player
    words: str = ""
    key: str = ""  # name of the key
    time: int = 0
    sig: str = ""


class Fault(Value, frozen=True):
    """A line that is no command, and what to answer."""

    id: str | None
    error: str


class LineBuffer:
    """Chunks in, whole lines out; a line that never ends costs no memory."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._skipping = False

    def feed(self, chunk: bytes) -> list[bytes | None]:
        """Whole lines without their newline; None stands for one that was too long, told once."""
        lines: list[bytes | None] = []
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            self._add(piece, lines)
            if not self._skipping:
                lines.append(bytes(self._held))
            self._held.clear()
            self._skipping = False
        self._add(rest, lines)
        return lines

    def _add(self, piece: bytes, lines: list[bytes | None]) -> None:
        if self._skipping:
            return
        if len(self._held) + len(piece) > MAX_LINE:
            lines.append(None)
            self._held.clear()
            self._skipping = True
        else:
            self._held += piece


_COMMAND = msgspec.json.Decoder(CommandLine)


def read(line: bytes | None, view: View) -> CommandLine | Fault | None:
    """What a client's line means on this socket; None for an empty line."""
    if line is None:
        return Fault(None, f"a line of more than {MAX_LINE} bytes is no command")
    if not line.strip():
        return None
    identity = _id(line)
    if view == "public":
        return Fault(identity, READ_ONLY)
    if identity is None:
        return Fault(None, NO_ID)
    try:
        told = _COMMAND.decode(line)
        signed = told.sig or told.key
        return told if told.command is not None or signed else Fault(identity, "no command: `command` is missing")
    except msgspec.MsgspecError as error:
        return Fault(identity, f"no command: {' '.join(str(error).split())}")


def judged(told: CommandLine, trust: Trust, gate: Gate, wall_s: float) -> Judged:
    """What a line may do: by its signature, else as the socket trusts whoever may open it."""
    if told.sig or told.key:
        return gate.signed(Signed(told.words, told.key, told.id, told.time, told.sig, told.n), wall_s)
    assert told.command is not None, "a line without a signature has a command"
    return judge(told.command, narrowed(trusted(trust), told.role, told.seat))


def hello(view: View) -> bytes:
    return _line({"hello": 1, "view": view})


def answer(identity: str | None, error: str | None) -> bytes:
    return _line({"id": identity, "ok": True} if error is None else {"id": identity, "error": error})


def snapshot(shown: Snapshot) -> bytes:
    return _line({"snapshot": shown})


def _line(content: dict[str, Any]) -> bytes:
    return msgspec.json.encode(content) + b"\n"


def _id(line: bytes) -> str | None:
    try:
        found = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    identity = found.get("id") if isinstance(found, dict) else None
    return identity if isinstance(identity, str) and 0 < len(identity) <= MAX_ID else None
