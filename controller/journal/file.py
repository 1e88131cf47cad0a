"""The file of a journal: its tables, how one is made, opened, closed and copied, and what SQLite's errors mean.

    journal   seq  n  boot  at_ns  wall_ms  version  kind  body  hash
    kept      seq  kind  body  hash                            the table at the end of a hand (`kept.py`)
    meta      epoch  schema  published_n  last_seq  last_hash  parent_epoch  parent_seq  parent_hash  used

`used` says what the file is: "open" while a table writes it, so that one found so without its log was copied, or lost
it; "closed"; "copy", a backup, which goes on as a journal of its own. `last_seq` and `last_hash` are of the last row
when it was closed, or of an earlier one while it is open; how far it went then stands in its mark (`mark.py`).
A new file is made under another name and then gets its own, so a journal is never half made: one without tables was
emptied by somebody. `parent_...` is the end of the journal that this one continues.
"""

import contextlib
import os
import secrets
import sqlite3
from pathlib import Path
from typing import Any, Literal, NoReturn

import msgspec

from controller.errors import JournalError
from controller.journal import mark
from controller.journal.log import log_of
from firmware_bridge.events import Value
from firmware_bridge.files import check_file

SCHEMA = 3  # of the tables; 1 had no last_... and no parent_..., 2 no `used` and no kept states
PAGE_BYTES = 2048  # a commit writes whole pages, and an event is some 500 bytes
APPLICATION_ID = 0x6265746C  # "betl": tells our files from other databases
# SQLite's own, and that of its message about a damaged file where that quotes bytes that are no text.
TROUBLES = (sqlite3.Error, UnicodeDecodeError)
MAGIC = b"SQLite format 3\0"  # what a database begins with (sqlite.org/fileformat.html, section 1.3)
_CREATE = """
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY, n INTEGER NULL, boot TEXT NOT NULL, at_ns INTEGER NOT NULL, wall_ms INTEGER NOT NULL,
    version INTEGER NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE TABLE kept (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE TABLE meta (
    epoch TEXT NOT NULL, schema INTEGER NOT NULL, published_n INTEGER NOT NULL, last_seq INTEGER, last_hash BLOB,
    parent_epoch TEXT, parent_seq INTEGER, parent_hash BLOB, used TEXT) STRICT
"""
_ADDED = ("last_seq INTEGER", "last_hash BLOB", "parent_epoch TEXT", "parent_seq INTEGER", "parent_hash BLOB")
Used = Literal["closed", "open", "copy"]


class End(Value, frozen=True):
    """Where a journal ends: what the next one continues."""

    epoch: str
    seq: int
    hash: bytes


class Meta(Value, frozen=True):
    """The one row that says which journal this is and how far it goes."""

    epoch: str
    schema: int
    published_n: int  # the outbox: everything above it has not been acknowledged by the broker
    last_seq: int | None = None  # None: an older betline wrote it, nobody knows where it ended
    last_hash: bytes | None = None
    parent_epoch: str | None = None
    parent_seq: int | None = None
    parent_hash: bytes | None = None
    used: Used = "closed"

    @property
    def parent(self) -> End | None:
        if self.parent_epoch is None:
            return None
        return End(self.parent_epoch, self.parent_seq or 0, self.parent_hash or b"")


def create(path: Path, parent: End | None = None, called: Path | None = None) -> None:
    """Make an empty journal, whole or not at all; a file that is there already is left alone."""
    made = Path(f"{path}.new")
    try:
        made.unlink(missing_ok=True)  # left by a start that was cut
        os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # hole cards stand in it
        with contextlib.closing(sqlite3.connect(made, isolation_level=None)) as db:
            db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            db.execute("BEGIN IMMEDIATE")
            for statement in _CREATE.split(";"):
                db.execute(statement)
            end = (None, None, None) if parent is None else (parent.epoch, parent.seq, parent.hash)
            db.execute(
                "INSERT INTO meta VALUES (?, ?, 0, 0, NULL, ?, ?, ?, 'closed')", (secrets.token_hex(6), SCHEMA, *end)
            )
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute("COMMIT")
        _give_name(made, path)
    except TROUBLES as error:
        explain(called or path, error)
    except OSError as error:
        raise JournalError(f"{path}: {error.strerror or error}: check its folder's rights, and the disk") from error


def _give_name(made: Path, path: Path) -> None:
    try:
        os.link(made, path)  # never over a journal that another process made meanwhile
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        made.rename(path)
    made.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Names are on disk, too, when this returns."""
    with contextlib.suppress(OSError):  # some file systems cannot
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def check_kind(path: Path, *, create: bool) -> None:
    """Only a database in a plain file can be a journal; a pipe or a device would be waited for."""
    check_file(path, JournalError)
    if not path.exists():
        _check_never_was(path, create=create)
    if not path.parent.is_dir():
        raise JournalError(f"{path}: the folder {path.parent} is missing: make it, or change [journal] path")
    if create and not all(os.access(each, os.W_OK) for each in (path.parent, path) if each.exists()):
        raise JournalError(f"{path}: {_CURES[sqlite3.SQLITE_READONLY]}")
    if path.exists() and _begins(path) not in (b"", MAGIC):
        raise JournalError(f"{path}: {_CURES[sqlite3.SQLITE_NOTADB]}")


def _check_never_was(path: Path, *, create: bool) -> None:
    """What stands beside a journal says that there was one."""
    left = [str(each) for each in (mark.mark_of(path), log_of(path)) if each.exists()]
    if left:
        raise JournalError(f"{path}: is not there, but {left[0]} is: {mark.CURE}")
    if not create:
        raise JournalError(f"{path}: no such journal: check [journal] path in table.toml")


def _begins(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC))
    except OSError as error:
        raise JournalError(f"{path}: {error.strerror or error}: mend its rights, or read it as root") from error


def connect(path: Path, name: Path, *, writing: bool) -> tuple[sqlite3.Connection, Meta]:
    """Open and lock a journal. One that an older betline wrote is brought up to date, but not where it is only read."""
    connection = sqlite3.connect(path, timeout=0, isolation_level=None)
    connection.text_factory = _text
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        _check_ours(connection, name)  # before anything is written: others' files are left alone
        _set(connection, name)
        meta = read_meta(connection, name)
        if writing and meta.schema < SCHEMA:
            _update(connection, meta.schema)
            meta = read_meta(connection, name)
    except (*TROUBLES, JournalError):
        connection.close()
        raise
    return connection, meta


def _text(stored: bytes) -> str:
    """Damaged text is read, and its row's hash tells that it is damaged."""
    return stored.decode(errors="replace")


def _set(db: sqlite3.Connection, path: Path) -> None:
    (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise JournalError(f"{path}: this file system cannot keep a write-ahead log: use a local disk")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("BEGIN IMMEDIATE")  # takes the lock
    db.execute("COMMIT")


def _check_ours(db: sqlite3.Connection, path: Path) -> None:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables and application in {0, APPLICATION_ID}:
        raise JournalError(f"{path}: is empty, and a journal never is: {mark.CURE}")
    if application != APPLICATION_ID:
        raise JournalError(f"{path}: a database, but no journal of betline: name another, or change [journal] path")
    if not {"journal", "meta"} <= tables:
        raise JournalError(f"{path}: damaged: a table is missing; {mark.CURE}")


def read_meta(db: sqlite3.Connection, path: Path) -> Meta:
    cursor = db.execute("SELECT * FROM meta")
    names = [str(column[0]) for column in cursor.description]
    found: list[Any] = cursor.fetchall()
    if len(found) != 1:
        raise JournalError(f"{path}: damaged: its meta table has {len(found)} rows; {mark.CURE}")
    columns = dict(zip(names, found[0], strict=True))
    schema = columns.get("schema")
    if isinstance(schema, int) and schema > SCHEMA:
        raise JournalError(f"{path}: written by a newer betline (schema {schema}): update this one")
    try:
        return msgspec.convert(columns, Meta)
    except msgspec.ValidationError as error:
        raise JournalError(f"{path}: damaged: its meta table cannot be read ({error}); {mark.CURE}") from error


def _update(db: sqlite3.Connection, schema: int) -> None:
    """Bring the tables up to date; one of schema 1 gets its end marked where it is now."""
    db.execute("BEGIN IMMEDIATE")
    if schema < 2:
        for column in _ADDED:
            db.execute(f"ALTER TABLE meta ADD COLUMN {column}")
        db.execute(
            "UPDATE meta SET last_seq = (SELECT coalesce(max(seq), 0) FROM journal),"
            " last_hash = (SELECT hash FROM journal ORDER BY seq DESC LIMIT 1)"
        )
    db.execute("ALTER TABLE meta ADD COLUMN used TEXT")
    db.execute(next(statement for statement in _CREATE.split(";") if "TABLE kept" in statement))
    db.execute("DROP INDEX IF EXISTS journal_n")
    db.execute("UPDATE meta SET used = 'closed', schema = ?", (SCHEMA,))
    db.execute("COMMIT")


_CURES = {
    sqlite3.SQLITE_BUSY: "is in use by another betline: end that one first (systemctl stop betline)",
    sqlite3.SQLITE_NOTADB: "is no journal, or damaged: " + mark.CURE,
    sqlite3.SQLITE_CORRUPT: "is damaged: see betline journal verify; " + mark.CURE,
    sqlite3.SQLITE_READONLY: "may not be written: give the user of betline the right to write it and its folder",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: check its folder's rights",
    sqlite3.SQLITE_FULL: "the disk is full: free some space; nothing was announced",
    sqlite3.SQLITE_IOERR: "the disk reports an error: check it; nothing was announced",
}


def explain(path: Path, error: Exception) -> NoReturn:
    """One line, whatever SQLite quotes."""
    code = (
        getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT if isinstance(error, UnicodeDecodeError) else 0)
        & 0xFF
    )
    cure = _CURES.get(code, "SQLite refuses it: see betline journal verify")
    raise JournalError(f"{path}: {cure} ({' '.join(str(error).split())})") from error


def is_in_use(error: JournalError) -> bool:
    """Whether somebody else has the journal open."""
    return getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def fingerprint(path: Path) -> tuple[int, int, bytes]:
    """Changes when a checkpoint writes into the database or restarts the log, not when the log grows."""
    status = path.stat()
    try:
        with Path(f"{path}-wal").open("rb") as wal:
            return status.st_mtime_ns, status.st_size, wal.read(32)
    except OSError:
        return status.st_mtime_ns, status.st_size, b""
