"""The journal: every event of the table in SQLite, on disk before anybody hears of it.

`seq` counts all events from 1 without a gap; `n` counts the public ones, also without a gap, and is null for the
others. `hash` is SHA-256 over the hash before it and the row's content, so a row cannot be changed, removed or
slipped in unnoticed; the last one stands in `meta`, so the end cannot be cut off either. `epoch` names this journal:
public events are known by (epoch, n). `published_n` is the outbox: everything above it has not been acknowledged by
the broker yet. The tables stand in `controller/journal/file.py`.

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
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from controller.errors import JournalError
from controller.journal.file import TROUBLES, End, Meta, check_kind, connect, explain, fingerprint
from controller.journal.file import create as make_file
from controller.journal.rows import VERSION, Row, follow, kind_of
from controller.table.events import Event, Overruled, RoundRestarted, Undone, is_public
from controller.table.state import State
from controller.table.version_1 import named
from firmware_bridge.events import Value

MARK_EVERY = 20  # acknowledgements kept in memory: a crash repeats at most so many events, and the card is spared
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_GENESIS = b"betline"
_COLUMNS = "seq, n, boot, at_ns, wall_ms, version, kind, body, hash"
_Raw = tuple[int, int | None, str, int, int, int, str, bytes, bytes]
_CURE = "restore a backup, or move the file away to begin a new one"


class Verdict(Value, frozen=True):
    """What `verify` found."""

    epoch: str
    rows: int
    public: int
    published_n: int
    faults: tuple[str, ...]
    marked: bool = True  # False: an older betline wrote it, and rows cut from its end cannot be noticed
    parent: End | None = None  # the archived journal that this one continues


def boot_id() -> str:
    """Names this start of the machine; monotonic times of different boots do not compare."""
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return secrets.token_hex(16)


class Journal:
    """An open journal. Belongs to the thread that opened it."""

    def __init__(self, connection: sqlite3.Connection, meta: Meta, path: Path, boot: str) -> None:
        self._db = connection
        self._meta = meta
        self.path = path
        self.boot = boot
        self.epoch = meta.epoch
        self.published_n = self._marked = meta.published_n
        self._seq, self._hash, self._n = self._read_end()
        self.fault_at_end = self._check_end()

    def _read_end(self) -> tuple[int, bytes, int]:
        """Number and hash of the last event, and number of the last public one."""
        last = "SELECT seq, hash FROM journal UNION ALL SELECT 0, ? ORDER BY seq DESC LIMIT 1"
        found = (*self._one(last, (_genesis(self._meta),)), *self._one("SELECT coalesce(max(n), 0) FROM journal"))
        try:
            return msgspec.convert(found, tuple[int, bytes, int])
        except msgspec.ValidationError as error:
            raise JournalError(f"{self.path}: damaged: its end cannot be read ({error}); {_CURE}") from error

    def _check_end(self) -> str | None:
        """Why the end is not the one that was written; None where it is, or where nobody knows."""
        meta, told = self._meta, self._meta.published_n
        if meta.last_seq is not None and self._seq < meta.last_seq:
            return f"ends at event {self._seq}, but {meta.last_seq} were written: its end is missing"
        if told > self._n:
            return f"ends at public event {self._n}, but {told} was already told: its end is missing"
        if meta.last_seq is not None and self._seq > meta.last_seq:
            return f"goes on to event {self._seq}, but only {meta.last_seq} were written: its end was slipped in"
        if meta.last_seq and meta.last_hash != self._hash:
            return f"its last event {self._seq} is not the one that was written"
        return None

    # ------------------------------------------------------------------ open and close
    @classmethod
    def open(cls, path: Path, boot: str | None = None, *, create: bool = True) -> "Journal":
        """Open or make a journal and lock it; JournalError where it is locked, damaged, cut or of another kind."""
        check_kind(path, create=create)
        if not path.exists():
            make_file(path)
        journal = cls._opened(path, path, boot or boot_id(), writing=True)
        if journal.fault_at_end is not None:
            journal.close()
            raise JournalError(f"{path}: {journal.fault_at_end}; {_CURE}")
        return journal

    @classmethod
    def read(cls, path: Path, called: Path) -> "Journal":
        """Open a copy to look at it, whole or not; `called` is the name for errors."""
        return cls._opened(path, called, "", writing=False)

    @classmethod
    def _opened(cls, path: Path, called: Path, boot: str, *, writing: bool) -> "Journal":
        try:
            connection, meta = connect(path, called, writing=writing)
        except TROUBLES as error:
            explain(called, error)
        try:
            return cls(connection, meta, called, boot)
        except JournalError:
            connection.close()
            raise

    def close(self) -> None:
        """Note what was acknowledged and give the file back."""
        try:
            if self._marked != self.published_n:
                with contextlib.suppress(JournalError):
                    self._write([])
        finally:
            self._db.close()

    def fold(self) -> None:
        """Bring everything into the one file, without a log beside it. The lock stays."""
        if self._all("PRAGMA journal_mode = DELETE") != [("delete",)]:
            raise JournalError(f"{self.path}: its log cannot be folded in: end whoever reads it, and try again")

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
            last_seq, last_hash = (raws[-1][0], raws[-1][-1]) if raws else (self._seq, self._hash)
            values = (self.published_n, last_seq, last_hash)
            self._db.execute("UPDATE meta SET published_n = ?, last_seq = ?, last_hash = ?", values)
            self._db.execute("COMMIT")
        except TROUBLES as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            explain(self.path, error)
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
        if self.fault_at_end is not None:
            raise JournalError(f"{self.path}: {self.fault_at_end}; {_CURE}")

    @property
    def end(self) -> End:
        """Where it ends now."""
        return End(self.epoch, self._seq, self._hash)

    def replay(self, state: State) -> State:
        """The state that these events lead to; JournalError where one cannot follow. Judges nothing again."""
        for row in self.events():
            try:
                state = follow(state, row)
            except JournalError as error:
                raise JournalError(f"{self.path}: {error}") from error
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
        faults = [
            f"SQLite: {' '.join(line.split())}" for (line,) in self._all("PRAGMA integrity_check(20)") if line != "ok"
        ]
        rows = 0
        for _, fault in self._checked():
            rows += 1
            if fault is not None:
                faults.append(fault)
        if self.fault_at_end is not None:
            faults.append(self.fault_at_end)
        marked = self._meta.last_seq is not None
        return Verdict(self.epoch, rows, self._n, self.published_n, tuple(faults), marked, self._meta.parent)

    def _checked(self) -> Iterator[tuple[Row | None, str | None]]:
        """Every row with what is wrong about it."""
        seq, n, chain = 0, 0, _genesis(self._meta)
        try:
            for raw in self._db.execute(f"SELECT {_COLUMNS} FROM journal ORDER BY seq"):  # noqa: S608 -- a constant
                checked = _typed(raw)
                if checked is None:
                    yield None, f"row {raw[0]}: damaged: a value of another kind than was written"
                    seq, chain = raw[0], b""
                    continue
                row, fault = _check(checked, seq, n, chain)
                yield (self._with_before(row) if row is not None else None), fault
                seq, n, chain = checked[0], checked[1] or n, checked[-1]
        except TROUBLES as error:
            yield None, f"row {seq + 1}: cannot be read ({error})"

    def _with_before(self, row: Row) -> Row:
        if not isinstance(row.event, Undone | Overruled | RoundRestarted) or row.event.of is None:
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
        except TROUBLES as error:
            explain(self.path, error)


@contextlib.contextmanager
def copy_of(path: Path) -> Iterator[Journal]:
    """A journal that may be in use, read from a copy. A checkpoint in the middle of copying makes it copy again."""
    check_kind(path, create=False)
    with tempfile.TemporaryDirectory(prefix="betline-journal-") as folder:
        copy = Path(folder, "journal.db")
        try:
            for _ in range(5):
                before = fingerprint(path)
                _copy(path, copy)
                if fingerprint(path) == before:
                    break
        except OSError as error:
            raise JournalError(f"{path}: {error.strerror or error}: mend its rights, or read it as root") from error
        journal = Journal.read(copy, path)
        try:
            yield journal
        finally:
            journal.close()


def _copy(path: Path, copy: Path) -> None:
    shutil.copyfile(path, copy)
    with contextlib.suppress(FileNotFoundError):  # no log: it was closed well
        shutil.copyfile(f"{path}-wal", f"{copy}-wal")


# ---------------------------------------------------------------- rows
def _genesis(meta: Meta) -> bytes:
    """What the first hash stands on; the end of the journal before, where this one continues it."""
    return hashlib.sha256(_GENESIS + meta.epoch.encode() + (meta.parent_hash or b"")).digest()


def _raw(row: Row, chain: bytes) -> _Raw:
    body = msgspec.json.encode(row.event)
    head = (row.seq, row.n, row.boot, row.at_ns, row.wall_ms, VERSION, kind_of(row.event))
    return (*head, body, _hash(chain, head, body))


def _hash(chain: bytes, head: tuple[object, ...], body: bytes) -> bytes:
    return hashlib.sha256(chain + msgspec.json.encode(head) + body).digest()


_DECODER = msgspec.json.Decoder(Event)


def _row(raw: _Raw) -> Row:
    seq, n, boot, at_ns, wall_ms, version, _, body, _ = raw
    event = _DECODER.decode(body)
    return Row(seq, n, boot, at_ns, wall_ms, named(event) if version == 1 else event, version=version)


def _typed(raw: tuple[Any, ...]) -> _Raw | None:
    """The row as it was written; None where damage made something else of a value."""
    try:
        typed: _Raw = msgspec.convert(raw, _Raw)
    except msgspec.ValidationError:
        return None
    return typed


def _check(raw: _Raw, seq: int, n: int, chain: bytes) -> tuple[Row | None, str | None]:
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
        row = _row(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return None, f"{where}: its event cannot be read ({error})"
    if raw[6] != kind_of(row.event) or raw[1] != (n + 1 if is_public(row.event) else None):
        return row, f"{where}: kind {raw[6]!r} and public number {raw[1]} do not fit its event"
    return row, None
