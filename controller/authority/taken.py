"""The ids that were taken, kept in a small file: a command that was heard once is never obeyed again, restart or not.

Of each key the `MOST` latest ids are remembered, by the time that was signed; what is not later than a forgotten one is
refused. So no clock that goes wrong, and no long time off, lets an old command in. One JSON line an id, on disk before
the command goes on.
"""

import contextlib
import os
import threading
from bisect import insort
from pathlib import Path

import msgspec

from controller.errors import ConfigError
from firmware_bridge.events import Value
from firmware_bridge.files import check_file, write_secret

MOST = 1000  # ids of a key: at one command a minute the last evening
SLACK = 2000  # lines more than that, and the file is written anew


class Line(Value, frozen=True):
    """Of one id; without one: everything up to this time is forgotten."""

    key: str  # "": no key, of whoever the broker lets in
    time: int
    id: str | None = None


class _OfKey:
    """What was taken of one key."""

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self.order: list[tuple[int, str]] = []
        self.floor: int | None = None  # time of the latest id that was forgotten

    @property
    def latest(self) -> int:
        return self.order[-1][0] if self.order else 0

    def knows(self, identity: str, time_s: int) -> bool:
        return identity in self.ids or (self.floor is not None and time_s <= self.floor)

    def note(self, identity: str, time_s: int) -> None:
        if identity in self.ids:
            return
        self.ids.add(identity)
        insort(self.order, (time_s, identity))
        if len(self.order) > MOST:
            forgotten, old = self.order.pop(0)
            self.ids.discard(old)
            self.floor = forgotten


class Taken:
    """`take` from any thread."""

    def __init__(self, path: Path | None = None) -> None:
        """`path` None: nothing is kept, as for a table of a test."""
        self._path = path
        self._lock = threading.Lock()
        self._keys: dict[str, _OfKey] = {}
        self._lines = 0
        if path is not None:
            self._load(path)

    def take(self, key: str, identity: str, time_s: int | None) -> str | None:
        """Note an id; why the command with it must not be obeyed, else None. `time_s` None: now, by the order alone."""
        with self._lock:
            known = self._keys.setdefault(key, _OfKey())
            time_s = known.latest + 1 if time_s is None else time_s
            if known.knows(identity, time_s):
                return "repeated: a command with this id was taken already"
            try:
                self._write(Line(key, time_s, identity))
            except OSError as error:
                return f"its id cannot be kept ({error.strerror}), so it could be repeated: make room on the disk"
            known.note(identity, time_s)
            return None

    # ------------------------------------------------------------------ the file
    def _load(self, path: Path) -> None:
        """Lines that were cut by a loss of power name commands that were never obeyed."""
        check_file(path, ConfigError)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror or error}: mend its rights") from error
        for text in data.splitlines():
            self._lines += 1
            with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError):
                self._recall(msgspec.json.decode(text, type=Line))

    def _recall(self, line: Line) -> None:
        known = self._keys.setdefault(line.key, _OfKey())
        if line.id is None:
            known.floor = line.time
        else:
            known.note(line.id, line.time)

    def _write(self, line: Line) -> None:
        if self._path is None:
            return
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(handle, msgspec.json.encode(line) + b"\n")
            os.fsync(handle)
        finally:
            os.close(handle)
        self._lines += 1
        if self._lines > sum(len(known.order) for known in self._keys.values()) + SLACK:
            self._renew(self._path)

    def _renew(self, path: Path) -> None:
        floors = [Line(key, known.floor) for key, known in self._keys.items() if known.floor is not None]
        ids = [Line(key, time_s, identity) for key, known in self._keys.items() for time_s, identity in known.order]
        lines = [*floors, *ids]
        write_secret(path, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        self._lines = len(lines)
