"""A journal as it is written: its end, its events, the state that they lead to, what waits for the broker, its faults.

Belongs to whoever holds the connection: `book.py` writes, `copies.py` looks at copies.
"""

import contextlib
import sqlite3
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from controller.errors import JournalError
from controller.journal import kept
from controller.journal.chain import COLUMNS, Raw, checked, genesis, row_of, typed
from controller.journal.file import TROUBLES, End, Meta, Used, explain
from controller.journal.followed import Followed
from controller.journal.mark import CURE, Beside
from controller.journal.rows import Row, follow
from controller.table.events import Overruled, RoundRestarted, Undone
from controller.table.state import State
from firmware_bridge.events import Value

LAST_SEQ = (1 << 63) - 1  # the highest that SQLite can count
KEPT_SINCE = 3  # schema with kept states


class Verdict(Value, frozen=True):
    """What `verify` found."""

    epoch: str
    rows: int
    public: int
    published_n: int
    faults: tuple[str, ...]
    marked: bool = True  # False: an older betline wrote it, and rows cut from its end cannot be noticed
    parent: End | None = None  # the journal that this one continues
    used: str = "closed"


class Written:
    """What stands in a journal."""

    def __init__(self, connection: sqlite3.Connection, meta: Meta, path: Path, found: Beside | None) -> None:
        self._db = connection
        self._meta = meta
        self.path = path
        self.epoch = meta.epoch
        self.published_n = self._noted = meta.published_n
        self._genesis = genesis(meta.epoch, meta.parent_hash)
        self._kind = ""  # of the states to keep; "": nobody said what they depend on
        self._told_to = (0, 0)  # public number and number of the row that was read last for the broker
        self._seq, self._hash, self._n = self._read_end()
        self.fault_at_end = self._check_end() or self._check_beside(found)

    def _read_end(self) -> tuple[int, bytes, int]:
        """Number and hash of the last event, and number of the last public one."""
        last = "SELECT seq, hash FROM journal UNION ALL SELECT 0, ? ORDER BY seq DESC LIMIT 1"
        found = (*self._one(last, (self._genesis,)), self._public_at(None))
        try:
            return msgspec.convert(found, tuple[int, bytes, int])
        except msgspec.ValidationError as error:
            raise JournalError(f"{self.path}: damaged: its end cannot be read ({error}); {CURE}") from error

    def _check_end(self) -> str | None:
        """Why the end is not the one that the file itself remembers; None where it is, or where nobody knows."""
        meta, told = self._meta, self._meta.published_n
        if meta.last_seq is not None and self._seq < meta.last_seq:
            return f"ends at event {self._seq}, but {meta.last_seq} were written: its end is missing"
        if told > self._n:
            return f"ends at public event {self._n}, but {told} was already told: its end is missing"
        if meta.last_seq is not None and self._seq > meta.last_seq and meta.used != "open":
            return f"goes on to event {self._seq}, but only {meta.last_seq} were written: its end was slipped in"
        if meta.last_seq and meta.last_hash != self._hash_at(meta.last_seq):
            return f"its last event {meta.last_seq} is not the one that was written"
        return None

    def _check_beside(self, found: Beside | None) -> str | None:
        """Why it is not the journal that its mark and its log are of."""
        if found is None:
            return None
        mark = found.mark
        if mark is None or self._meta.used == "copy":
            if self._meta.used == "open" and found.log != "whole":
                return "a table was writing it, and its log (-wal) and its mark (-mark) are not there: it lacks its end"
            return None
        if mark.epoch == self._meta.parent_epoch:  # the start after a cut between the two
            return None
        if mark.epoch != self.epoch:
            return f"is another journal than the one that this table wrote last ({mark.epoch}, to event {mark.seq})"
        if mark.seq > self._seq:
            return f"ends at event {self._seq}, but {mark.seq} were written: its log is lost or damaged, or it is old"
        if mark.hash != self._hash_at(mark.seq):
            return f"its event {mark.seq} is not the one that was written"
        return None

    def _hash_at(self, seq: int) -> bytes:
        if not seq:
            return self._genesis
        found = self._all("SELECT hash FROM journal WHERE seq = ?", (seq,))
        return bytes(found[0][0]) if found else b""

    # ------------------------------------------------------------------ reading
    @property
    def last_seq(self) -> int:
        return self._seq

    @property
    def last_n(self) -> int:
        return self._n

    def events(self, after: int = 0) -> Iterator[Row]:
        """Rows in order, each checked against its hash; JournalError at the first that does not hold."""
        for row, fault in self._checked(after):
            if fault is not None:
                raise JournalError(f"{self.path}: {fault}: see betline journal verify; {CURE}")
            assert row is not None
            yield row
        if self.fault_at_end is not None:
            raise JournalError(f"{self.path}: {self.fault_at_end}; {CURE}")

    def whole_rows(self) -> Iterator[Raw]:
        """Rows from the first on, as they are written, as far as each follows the one before it."""
        seq, n, chain = 0, 0, self._genesis
        with contextlib.suppress(*TROUBLES):
            for raw in self._db.execute(f"SELECT {COLUMNS} FROM journal ORDER BY seq"):  # noqa: S608 -- a constant
                found = typed(raw)
                if found is None or checked(found, seq, n, chain)[1] is not None:
                    return
                yield found
                seq, n, chain = found[0], found[1] or n, found[-1]

    def whole_end(self) -> End:
        """Where its whole rows end."""
        last = next(iter(deque(self.whole_rows(), maxlen=1)), None)
        return End(self.epoch, 0, self._genesis) if last is None else End(self.epoch, last[0], last[-1])

    @property
    def end(self) -> End:
        """Where it ends now."""
        return End(self.epoch, self._seq, self._hash)

    @property
    def used(self) -> Used:
        return self._meta.used

    def replay(self, fresh: State) -> State:
        """The state that these events lead to; JournalError where one cannot follow. Judges nothing again.

        Begins at the last state that was kept, if that was of such a table; else at the first event.
        """
        self._kind = kept.kind_of(fresh)
        state = self._kept() or fresh
        for row in self.events(state.seq):
            try:
                state = follow(state, row)
            except JournalError as error:
                raise JournalError(f"{self.path}: {error}") from error
        return state

    def _kept(self) -> State | None:
        """The last state of such a table that fits its event."""
        for kind, seal, state in self._kept_states().values():
            if kind == self._kind and seal and state is not None:
                return state
        return None

    def _kept_states(self) -> dict[int, tuple[str, bool, State | None]]:
        """Of each event behind which a state was kept, the last one first: its kind, is it sealed, and the state."""
        if self._meta.schema < KEPT_SINCE:
            return {}
        found = {}
        for seq, kind, body, seal in self._all("SELECT seq, kind, body, hash FROM kept ORDER BY seq DESC"):
            state = kept.unpacked(body)
            fits = seal == kept.seal(self._hash_at(seq), kind, body) and (state is None or state.seq == seq)
            found[seq] = (kind, fits, state)
        return found

    def unpublished(self, limit: int, after: int | None = None) -> list[Row]:
        """The next public rows for the broker: those above `after`, or above what it acknowledged."""
        return self.public(self.published_n if after is None else max(after, self.published_n), limit)

    def public(self, after: int, limit: int) -> list[Row]:
        """Public rows above the number `after`, in order."""
        if after >= self._n:
            return []
        raws = self._all(
            f"SELECT {COLUMNS} FROM journal WHERE seq > ? AND n > ? ORDER BY seq LIMIT ?",  # noqa: S608 -- a constant
            (self._row_of(after), after, limit),
        )
        rows = [self._with_before(row_of(raw)) for raw in raws]
        if rows:
            self._told_to = (rows[-1].n or 0, rows[-1].seq)
        return rows

    def _row_of(self, n: int) -> int:
        """A row with no public number above `n` in it or before it, close to where they begin."""
        if self._told_to[0] == n:
            return self._told_to[1]
        low, high = 0, self._seq
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._public_at(middle) <= n else (low, middle)
        return low

    def _public_at(self, seq: int | None) -> Any:
        """The last public number at or before a row; None: of all."""
        found = self._all(
            "SELECT n FROM journal WHERE seq <= ? AND n IS NOT NULL ORDER BY seq DESC LIMIT 1",
            (LAST_SEQ if seq is None else seq,),
        )
        return found[0][0] if found else 0

    def verify(self, fresh: State | None = None) -> Verdict:
        """Check the whole file: SQLite's own structure, hashes, gaps, numbers and bodies.

        With the table before anything happened also whether each event can follow on it, and the states kept.
        """
        faults = [
            f"SQLite: {' '.join(line.split())}" for (line,) in self._all("PRAGMA integrity_check(20)") if line != "ok"
        ]
        rows, followed = 0, Followed(fresh, self._kept_states())
        for row, fault in self._checked(0):
            rows += 1
            found = fault or followed.fault(row)
            if found is not None:
                faults.append(found)
        if self.fault_at_end is not None:
            faults.append(self.fault_at_end)
        marked = self._meta.last_seq is not None
        end = self._meta.parent
        return Verdict(self.epoch, rows, self._n, self.published_n, tuple(faults), marked, end, self._meta.used)

    def _checked(self, after: int) -> Iterator[tuple[Row | None, str | None]]:
        """Every row behind that number with what is wrong about it."""
        seq, n, chain = after, self._public_at(after), self._hash_at(after)
        try:
            for raw in self._db.execute(f"SELECT {COLUMNS} FROM journal WHERE seq > ? ORDER BY seq", (after,)):  # noqa: S608 -- a constant
                found = typed(raw)
                if found is None:
                    yield None, f"row {raw[0]}: damaged: a value of another kind than was written"
                    seq, chain = raw[0], b""
                    continue
                row, fault = checked(found, seq, n, chain)
                yield (self._with_before(row) if row is not None else None), fault
                seq, n, chain = found[0], found[1] or n, found[-1]
        except TROUBLES as error:
            yield None, f"row {seq + 1}: cannot be read ({error})"

    def _with_before(self, row: Row) -> Row:
        if not isinstance(row.event, Undone | Overruled | RoundRestarted) or row.event.of is None:
            return row
        # `of` is `state.seq` before that event, which counts from 0.
        later = "SELECT n FROM journal WHERE seq > ? AND n IS NOT NULL ORDER BY seq LIMIT 1"
        found = self._all(later, (row.event.of,))
        return msgspec.structs.replace(row, before_n=found[0][0] if found else None)

    def _one(self, query: str, values: tuple[object, ...] = ()) -> tuple[Any, ...]:
        found = self._all(query, values)
        if len(found) != 1:
            raise JournalError(f"{self.path}: damaged: its meta table has {len(found)} rows; {CURE}")
        row: tuple[Any, ...] = found[0]
        return row

    def _all(self, query: str, values: tuple[object, ...] = ()) -> list[Any]:
        try:
            return self._db.execute(query, values).fetchall()
        except TROUBLES as error:
            explain(self.path, error)
