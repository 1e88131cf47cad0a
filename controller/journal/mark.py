"""The mark beside a journal, `journal.db-mark`: how far it was written. It stands outside of what it guards.

A log that is lost takes the end of the journal with it, and so does a copy of yesterday: what is left is whole in
itself. So each commit is marked here as well, in place, 256 bytes. It is brought to the disk at each hand's end; within
a hand the system does that in some seconds. So a process that is killed leaves it exact, and a power cut leaves it a
little behind the journal, never before it.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from controller.errors import JournalError
from controller.journal import log
from firmware_bridge.events import Value
from firmware_bridge.files import no_file

SIZE = 256
CURE = "restore a backup, or go on from what is left: betline journal renew"


class Mark(Value, frozen=True):
    """The last event that was written."""

    epoch: str
    seq: int
    hash: bytes


def mark_of(path: Path) -> Path:
    return Path(f"{path}-mark")


def read(path: Path) -> Mark | None:
    """The mark of this journal; None: there is none. JournalError where it is damaged."""
    file = mark_of(path)
    fault = no_file(file)
    if fault is not None:
        raise JournalError(f"{file}: {fault}; a journal keeps its mark there")
    try:
        found: Mark = msgspec.json.decode(file.read_bytes(), type=Mark)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalError(f"{file}: {error.strerror or error}: mend its rights, or read it as root") from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise JournalError(f"{file}: damaged, so nobody knows how far {path.name} went: {CURE}") from error
    return found


def lenient(path: Path) -> Mark | None:
    """The mark; None also where it is damaged."""
    try:
        return read(path)
    except JournalError:
        return None


def is_damaged(path: Path) -> bool:
    return mark_of(path).exists() and lenient(path) is None


class Beside(Value, frozen=True):
    """What was found beside a journal before it was opened."""

    mark: Mark | None
    log: log.Log


def beside(path: Path) -> Beside:
    """JournalError where it is damaged for certain."""
    found = Beside(read(path), log.look(path))
    check(path, found)
    return found


def check(path: Path, found: Beside) -> None:
    if found.log == "damaged":
        raise JournalError(f"{log.log_of(path)}: damaged: events behind the damage would be lost; {CURE}")


class Marker:
    """Writes the mark of an open journal."""

    def __init__(self, path: Path) -> None:
        self._file = mark_of(path)
        with self._told():
            self._handle = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)

    def write(self, mark: Mark) -> None:
        line = msgspec.json.encode(mark)
        with self._told():
            os.pwrite(self._handle, line + b" " * (SIZE - 1 - len(line)) + b"\n", 0)

    def sync(self) -> None:
        with self._told():
            os.fdatasync(self._handle)

    def close(self) -> None:
        os.close(self._handle)

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise JournalError(
                f"{self._file}: {error.strerror or error}: check the disk and the rights; nothing was announced"
            ) from error
