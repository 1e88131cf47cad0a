"""The journal: every event of the table in SQLite, on disk before anybody hears of it.

    journal   seq  n  boot  at_ns  wall_ms  version  kind  body  hash
    meta      epoch  schema  published_n

`seq` counts all events from 1 without a gap; `n` counts the public ones, also without a gap, and is null for the
others. `hash` is SHA-256 over the hash before it and the row's content, so a row cannot be changed, removed or
slipped in unnoticed. `epoch` names this journal: public events are known by (epoch, n). `published_n` is the outbox:
everything above it has not been acknowledged by the broker yet.

There is exactly one connection, in one thread. SQLite before 3.51.3 may lose committed pages when two connections write
and checkpoint at the same instant (sqlite.org/wal.html, section 11), so the file is locked while the service runs and
everybody else reads a copy (`copy_of`). WAL with synchronous=FULL: a commit survives a power cut.
"""

import contextlib
import hashlib
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import msgspec

from controller.engine.events import Event, Overruled, Undone, is_public
from controller.errors import JournalError
from controller.rows import Row, kind_of
from firmware_bridge.events import Value

SCHEMA = 1  # of the tables
VERSION = 1  # of the events' bodies
MARK_EVERY = 20  # acknowledgements kept in memory: a crash repeats at most so many events, and the card is spared
APPLICATION_ID = 0x6265746C  # "betl": tells our files from other databases
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
S = TypeVar("S")
_GENESIS = b"betline"
_CREATE = """
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY, n INTEGER NULL, boot TEXT NOT NULL, at_ns INTEGER NOT NULL, wall_ms INTEGER NOT NULL,
    version INTEGER NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX journal_n ON journal (n) WHERE n IS NOT NULL;
CREATE TABLE meta (epoch TEXT NOT NULL, schema INTEGER NOT NULL, published_n INTEGER NOT NULL) STRICT;
"""
_COLUMNS = "seq, n, boot, at_ns, wall_ms, version, kind, body, hash"
_Raw = tuple[int, int | None, str, int, int, int, str, bytes, bytes]


class Verdict(Value, frozen=True):
    """What `verify` found."""

    epoch: str
    rows: int
    public: int
    published_n: int
    faults: tuple[str, ...]


def boot_id() -> str:
    """Names this start of the machine; monotonic times of different boots do not compare."""
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return secrets.token_hex(16)


class Journal:
    """An open journal. Belongs to the thread that opened it."""

    def __init__(self, connection: sqlite3.Connection, path: Path, boot: str) -> None:
        self._db = connection
        self.path = path
        self.boot = boot
        self.epoch: str
        self.published_n: int
        self._seq: int
        self._n: int
        self._hash: bytes
        self.epoch, schema, self.published_n = self._one("SELECT epoch, schema, published_n FROM meta")
        if schema > SCHEMA:
            raise JournalError(f"{path}: written by a newer betline (schema {schema}): update this one")
        self._marked = self.published_n
        self._seq, self._hash = self._one(
            "SELECT seq, hash FROM journal UNION ALL SELECT 0, ? ORDER BY seq DESC LIMIT 1", (_genesis(self.epoch),)
        )
        (self._n,) = self._one("SELECT coalesce(max(n), 0) FROM journal")
        if self.published_n > self._n:
            raise JournalError(
                f"{path}: ends at public event {self._n}, but {self.published_n} was already told: its end is missing; "
                "restore a backup, or move the file away to begin a new one"
            )

    # ------------------------------------------------------------------ open and close
    @classmethod
    def open(cls, path: Path, boot: str | None = None, *, create: bool = True, called: Path | None = None) -> "Journal":
        """Open or make a journal and lock it; JournalError where it is locked, damaged or of another kind.

        `called` is the name for errors, where the file is only a copy.
        """
        name = called or path
        if not create and not path.exists():
            raise JournalError(f"{path}: no such journal: check [journal] path in table.toml")
        if not path.parent.is_dir():
            raise JournalError(f"{path}: the folder {path.parent} is missing: make it, or change [journal] path")
        connection = None
        try:
            connection = sqlite3.connect(path, timeout=0, isolation_level=None)
            _set_up(connection, name)
            return cls(connection, name, boot or boot_id())
        except (sqlite3.Error, JournalError) as error:
            if connection is not None:
                connection.close()
            if isinstance(error, JournalError):
                raise
            _explain(name, error)

    def close(self) -> None:
        """Note what was acknowledged and give the file back."""
        try:
            if self._marked != self.published_n:
                with contextlib.suppress(JournalError):
                    self._write([])
        finally:
            self._db.close()

    # ------------------------------------------------------------------ writing
    def append(self, batch: Iterable[tuple[Event, int, int]]) -> list[Row]:
        """Write events with their times (at_ns, wall_ms) in one transaction; they are on disk when this returns.

        JournalError where that failed: then nothing of the batch was written and nothing of it may be announced.
        """
        rows: list[Row] = []
        raws: list[_Raw] = []
        seq, n, chain = self._seq, self._n, self._hash
        for event, at_ns, wall_ms in batch:
            seq += 1
            n += is_public(event)
            row = Row(seq, n if is_public(event) else None, self.boot, at_ns, wall_ms, event)
            raw = _raw(row, chain)
            chain = raw[-1]
            rows.append(row)
            raws.append(raw)
        if raws:
            self._write(raws)
            self._seq, self._n, self._hash = seq, n, chain
        return [self._with_before(row) for row in rows]

    def mark_published(self, n: int) -> None:
        """The broker has everything up to the public event `n`. On disk with the next batch, or every 20 events."""
        self.published_n = max(self.published_n, min(n, self._n))
        if self.published_n - self._marked >= MARK_EVERY:
            with contextlib.suppress(JournalError):  # costs repeats, no events; a full disk shows at the next batch
                self._write([])

    def _write(self, raws: list[_Raw]) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(f"INSERT INTO journal ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", raws)  # noqa: S608 -- a constant
            if self._marked != self.published_n:
                self._db.execute("UPDATE meta SET published_n = ?", (self.published_n,))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            _explain(self.path, error)
        self._marked = self.published_n

    # ------------------------------------------------------------------ reading
    @property
    def last_seq(self) -> int:
        return self._seq

    @property
    def last_n(self) -> int:
        return self._n

    def events(self) -> Iterator[Row]:
        """All rows in order, each checked against its hash; JournalError at the first that does not hold."""
        for row, fault in self._checked():
            if fault is not None:
                raise JournalError(
                    f"{self.path}: {fault}: see betline journal verify; restore a backup, or move it away"
                )
            assert row is not None
            yield row

    def replay(self, evolve: Callable[[S, Event], S], state: S) -> S:
        """The state that these events lead to. Judges nothing again."""
        for row in self.events():
            state = evolve(state, row.event)
        return state

    def unpublished(self, limit: int, after: int | None = None) -> list[Row]:
        """The next public rows for the broker: those above `after`, or above what it acknowledged."""
        return self.public(self.published_n if after is None else max(after, self.published_n), limit)

    def public(self, after: int, limit: int) -> list[Row]:
        """Public rows above the number `after`, in order."""
        if after >= self._n:
            return []
        raws = self._all(
            f"SELECT {_COLUMNS} FROM journal WHERE n > ? ORDER BY n LIMIT ?",  # noqa: S608 -- a constant
            (after, limit),
        )
        return [self._with_before(_row(raw)) for raw in raws]

    def verify(self) -> Verdict:
        """Check the whole file: SQLite's own structure, hashes, gaps, numbers and bodies."""
        faults = [f"SQLite: {line}" for (line,) in self._all("PRAGMA integrity_check(20)") if line != "ok"]
        rows = 0
        for _, fault in self._checked():
            rows += 1
            if fault is not None:
                faults.append(fault)
        return Verdict(self.epoch, rows, self._n, self.published_n, tuple(faults))

    def _checked(self) -> Iterator[tuple[Row | None, str | None]]:
        """Every row with what is wrong about it."""
        seq, n, chain = 0, 0, _genesis(self.epoch)
        try:
            for raw in self._db.execute(f"SELECT {_COLUMNS} FROM journal ORDER BY seq"):  # noqa: S608 -- a constant
                row, fault = _check(raw, seq, n, chain)
                yield (self._with_before(row) if row is not None else None), fault
                seq, n, chain = raw[0], raw[1] or n, raw[-1]
        except sqlite3.Error as error:
            yield None, f"row {seq + 1}: cannot be read ({error})"

    def _with_before(self, row: Row) -> Row:
        if not isinstance(row.event, Undone | Overruled):
            return row
        # `of` is `state.seq` before that event, which counts from 0.
        (n,) = self._one("SELECT min(n) FROM journal WHERE seq > ? AND n IS NOT NULL", (row.event.of,))
        return msgspec.structs.replace(row, before_n=n)

    def _one(self, query: str, values: tuple[object, ...] = ()) -> tuple[Any, ...]:
        found = self._all(query, values)
        if len(found) != 1:
            raise JournalError(f"{self.path}: damaged: its meta table has {len(found)} rows; restore a backup")
        row: tuple[Any, ...] = found[0]
        return row

    def _all(self, query: str, values: tuple[object, ...] = ()) -> list[Any]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            _explain(self.path, error)


@contextlib.contextmanager
def copy_of(path: Path) -> Iterator[Journal]:
    """A journal that may be in use, read from a copy. A checkpoint in the middle of copying makes it copy again."""
    if path.is_dir():
        raise JournalError(f"{path}: is a folder: name the journal's file, or the table's --config")
    with tempfile.TemporaryDirectory(prefix="betline-journal-") as folder:
        for _ in range(5):
            before = _fingerprint(path)
            copy = Path(folder, "journal.db")
            shutil.copyfile(path, copy)
            wal = Path(f"{path}-wal")
            if wal.exists():
                shutil.copyfile(wal, f"{copy}-wal")
            if _fingerprint(path) == before:
                break
        journal = Journal.open(copy, create=False, called=path)
        try:
            yield journal
        finally:
            journal.close()


def _fingerprint(path: Path) -> tuple[int, int, bytes]:
    """Changes when a checkpoint writes into the database or restarts the log, not when the log grows."""
    try:
        status = path.stat()
    except OSError as error:
        raise JournalError(f"{path}: {error.strerror}: check [journal] path in table.toml") from error
    try:
        with Path(f"{path}-wal").open("rb") as wal:
            return status.st_mtime_ns, status.st_size, wal.read(32)
    except OSError:
        return status.st_mtime_ns, status.st_size, b""


# ---------------------------------------------------------------- rows
def _genesis(epoch: str) -> bytes:
    return hashlib.sha256(_GENESIS + epoch.encode()).digest()


def _raw(row: Row, chain: bytes) -> _Raw:
    body = msgspec.json.encode(row.event)
    head = (row.seq, row.n, row.boot, row.at_ns, row.wall_ms, VERSION, kind_of(row.event))
    return (*head, body, _hash(chain, head, body))


def _hash(chain: bytes, head: tuple[object, ...], body: bytes) -> bytes:
    return hashlib.sha256(chain + msgspec.json.encode(head) + body).digest()


_DECODER = msgspec.json.Decoder(Event)


def _row(raw: _Raw) -> Row:
    seq, n, boot, at_ns, wall_ms, _, _, body, _ = raw
    return Row(seq, n, boot, at_ns, wall_ms, _DECODER.decode(body))


def _check(raw: _Raw, seq: int, n: int, chain: bytes) -> tuple[Row | None, str | None]:
    """The row, and why it does not follow the one before it (None: it does)."""
    where = f"row {raw[0]}"
    if raw[5] > VERSION:
        return None, f"{where}: written by a newer betline (version {raw[5]}): update this one"
    if raw[0] != seq + 1:
        return None, f"{where}: follows row {seq}: rows between them are missing"
    if raw[-1] != _hash(chain, raw[:7], raw[7]):
        return None, f"{where}: its hash does not fit: it was changed or damaged"
    try:
        row = _row(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        return None, f"{where}: its event cannot be read ({error})"
    if raw[6] != kind_of(row.event) or raw[1] != (n + 1 if is_public(row.event) else None):
        return row, f"{where}: kind {raw[6]!r} and public number {raw[1]} do not fit its event"
    return row, None


# ---------------------------------------------------------------- SQLite
def _set_up(db: sqlite3.Connection, path: Path) -> None:
    """Lock, set and, where the file is new, make the tables."""
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise JournalError(f"{path}: this file system cannot keep a write-ahead log: use a local disk")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("BEGIN IMMEDIATE")
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (application or tables):
        raise JournalError(f"{path}: a database, but no journal of betline: change [journal] path")
    if not tables:
        for statement in _CREATE.split(";"):
            db.execute(statement)
        db.execute("INSERT INTO meta VALUES (?, ?, 0)", (secrets.token_hex(6), SCHEMA))
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute("COMMIT")


_CURES = {
    sqlite3.SQLITE_BUSY: "is in use by another betline: end that one first (systemctl stop betline)",
    sqlite3.SQLITE_NOTADB: "is no journal, or damaged: restore a backup, or move it away to begin a new one",
    sqlite3.SQLITE_CORRUPT: "is damaged: see betline journal verify; restore a backup, or move it away to begin anew",
    sqlite3.SQLITE_READONLY: "may not be written: give the user of betline the right to write it",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: check its folder's rights",
    sqlite3.SQLITE_FULL: "the disk is full: free some space; nothing was announced",
    sqlite3.SQLITE_IOERR: "the disk reports an error: check it; nothing was announced",
}


def _explain(path: Path, error: sqlite3.Error) -> NoReturn:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    cure = _CURES.get(code, "SQLite refuses it: see betline journal verify")
    raise JournalError(f"{path}: {cure} ({error})") from error
