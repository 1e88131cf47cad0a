"""The journal: every event of the table in SQLite, on disk before anybody hears of it.

`seq` counts all events from 1 without a gap; `n` counts the public ones, also without a gap, and is null for the
others. `hash` (`chain.py`) is over the hash before it and the row's content, so a row cannot be changed, removed or
slipped in unnoticed; how far it goes stands outside, in the mark (`mark.py`), so the end cannot be cut off either.
`epoch` names this journal: public events are known by (epoch, n). `published_n` is the outbox: everything above it has
not been acknowledged by the broker yet. The tables stand in `controller/journal/file.py`. What was refused changed
nothing and is not written.

There is exactly one connection, in one thread. SQLite before 3.51.3 may lose committed pages when two connections write
and checkpoint at the same instant (sqlite.org/wal.html, section 11), so the file is locked while the service runs and
everybody else reads a copy (`copies.py`). WAL with synchronous=FULL: a commit survives a power cut. At each hand's end
`settle` brings the log into the file and keeps the state of the table, so a log holds one hand, and a start reads one.
"""

import contextlib
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from controller.errors import JournalError
from controller.journal import kept
from controller.journal.chain import COLUMNS, Raw, linked, raw_of
from controller.journal.file import TROUBLES, Meta, Used, check_kind, connect, explain
from controller.journal.file import create as make_file
from controller.journal.mark import CURE, Beside, Mark, Marker, beside
from controller.journal.rows import Row
from controller.journal.written import Written
from controller.table.events import Event, Refused, is_public
from controller.table.state import State

MARK_EVERY = 20  # acknowledgements kept in memory: a crash repeats at most so many events, and the card is spared
KEPT_STATES = 2  # the last, and one in reserve
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def boot_id() -> str:
    """Names this start of the machine; monotonic times of different boots do not compare."""
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return secrets.token_hex(16)


class Journal(Written):
    """An open journal. Belongs to the thread that opened it."""

    def __init__(self, connection: sqlite3.Connection, meta: Meta, path: Path, boot: str, found: Beside | None) -> None:
        super().__init__(connection, meta, path, found)
        self.boot = boot
        self._marker: Marker | None = None  # None: it is only read

    # ------------------------------------------------------------------ open and close
    @classmethod
    def open(cls, path: Path, boot: str | None = None, *, create: bool = True) -> "Journal":
        """Open or make a journal and lock it; JournalError where it is locked, damaged, cut or of another kind."""
        check_kind(path, create=create)
        if not path.exists():
            make_file(path)
        journal = cls._opened(path, path, boot or boot_id(), beside, writing=True)
        try:
            journal.begin()
        except JournalError:
            journal.close()
            raise
        return journal

    @classmethod
    def read(cls, path: Path, called: Path, found: Beside | None) -> "Journal":
        """Open it to look at it, whole or not; `called` is the name for errors.

        `found` is what lay beside it; None: that is not asked.
        """
        return cls._opened(path, called, "", lambda _: found, writing=False)

    @classmethod
    def _opened(
        cls, path: Path, called: Path, boot: str, look: Callable[[Path], Beside | None], *, writing: bool
    ) -> "Journal":
        """The log is looked at before SQLite passes over what of it is damaged."""
        try:
            found = look(path)
            connection, meta = connect(path, called, writing=writing)
        except TROUBLES as error:
            explain(called, error)
        try:
            return cls(connection, meta, called, boot, found)
        except JournalError:
            connection.close()
            raise

    def begin(self) -> None:
        """From now on a table writes it: that stands in the file itself before anything else does."""
        if self.fault_at_end is not None:
            raise JournalError(f"{self.path}: {self.fault_at_end}; {CURE}")
        if self._meta.used == "copy":
            raise JournalError(f"{self.path}: is a backup, and goes on as a journal of its own: betline journal renew")
        self._note("open")
        self._fold_log()
        self._marker = Marker(self.path)
        self._mark()
        self._marker.sync()

    def close(self) -> None:
        """Note what was acknowledged, mark the file as closed, and give it back."""
        try:
            marker, self._marker = self._marker, None
            if marker is not None:
                with contextlib.suppress(JournalError):
                    self._note("closed")
                    marker.sync()
                marker.close()
        finally:
            self._db.close()

    def fold(self) -> None:
        """Close it for good: everything in the one file, without a log beside it. The lock stays."""
        if self._marker is not None:
            self._note("closed")
            self._marker.close()
            self._marker = None
        if self._all("PRAGMA journal_mode = DELETE") != [("delete",)]:
            raise JournalError(f"{self.path}: its log cannot be folded in: end whoever reads it, and try again")

    def become_copy(self) -> Path:
        """Of a copy: it is a backup from now on, whole in its one file, which is returned."""
        self._note("copy")
        self.fold()
        return Path(self._all("PRAGMA database_list")[0][2])

    def settle(self, state: State) -> None:
        """At a hand's end: keep the state, which is that behind the last event, and bring the log into the file."""
        if state.seq != self._seq:
            return
        if self._kind:
            body = kept.packed(state)
            row = (self._seq, self._kind, body, kept.seal(self._hash, self._kind, body))
            with self._transaction():
                self._db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)", row)
                older = "DELETE FROM kept WHERE seq NOT IN (SELECT seq FROM kept ORDER BY seq DESC LIMIT ?)"
                self._db.execute(older, (KEPT_STATES,))
                self._note_end("open")
        self._fold_log()
        if self._marker is not None:
            self._marker.sync()

    def _fold_log(self) -> None:
        """A checkpoint: the log begins anew with the next commit."""
        self._all("PRAGMA wal_checkpoint(PASSIVE)")

    # ------------------------------------------------------------------ writing
    def append(self, batch: Iterable[tuple[Event, int, int]]) -> list[Row]:
        """Write events with their times (at_ns, wall_ms) in one transaction; they are on disk when this returns.

        JournalError where that failed: then nothing of the batch was written and nothing of it may be announced.
        """
        rows: list[Row] = []
        raws: list[Raw] = []
        seq, n, chain = self._seq, self._n, self._hash
        for event, at_ns, wall_ms in batch:
            if isinstance(event, Refused):
                continue
            seq += 1
            n += is_public(event)
            row = Row(seq, n if is_public(event) else None, self.boot, at_ns, wall_ms, event)
            raw = raw_of(row, chain)
            chain = raw[-1]
            rows.append(row)
            raws.append(raw)
        if raws:
            self._write(raws)
            self._seq, self._n, self._hash = seq, n, chain
            self._mark()
        return [self._with_before(row) for row in rows]

    def adopt(self, raws: Iterable[Raw]) -> None:
        """Rows of another journal, the next in order, chained anew."""
        chained: list[Raw] = []
        chain, n = self._hash, self._n
        for raw in raws:
            chained.append(linked(raw, chain))
            chain, n = chained[-1][-1], raw[1] or n
        self._write(chained)
        self._seq, self._n, self._hash = chained[-1][0], n, chain
        self._mark()

    def mark_published(self, n: int) -> None:
        """The broker has everything up to the public event `n`. On disk every 20 events."""
        self.published_n = max(self.published_n, min(n, self._n))
        if self.published_n - self._noted >= MARK_EVERY:
            with contextlib.suppress(JournalError):  # costs repeats, no events; a full disk shows at the next batch
                self._note("open")

    def _write(self, raws: list[Raw]) -> None:
        """Nothing but the rows, as a rule: each page more is written to the card."""
        with self._transaction():
            self._db.executemany(f"INSERT INTO journal ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", raws)  # noqa: S608 -- a constant
            if self.published_n - self._noted >= MARK_EVERY:
                self._db.execute("UPDATE meta SET published_n = ?", (self.published_n,))
        if self.published_n - self._noted >= MARK_EVERY:
            self._noted = self.published_n

    def _note(self, used: Used) -> None:
        with self._transaction():
            self._note_end(used)
        self._noted = self.published_n

    def _note_end(self, used: Used) -> None:
        values = (self.published_n, self._seq, self._hash if self._seq else None, used)
        self._db.execute("UPDATE meta SET published_n = ?, last_seq = ?, last_hash = ?, used = ?", values)

    def _mark(self) -> None:
        if self._marker is not None:
            self._marker.write(Mark(self.epoch, self._seq, self._hash))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except TROUBLES as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            explain(self.path, error)
