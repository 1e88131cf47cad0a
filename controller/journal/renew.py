"""A journal that goes on from what is left, under a name of its own: after a loss, and from a backup.

Public events are known by (epoch, n), so a journal that was opened behind its own past must not go on under its old
name: what it would tell next was told before, with other content. The new one holds the same rows up to the loss,
chained anew; its `parent` says which journal they are of, and its numbers go on behind them. Nothing is thrown away.
"""

import itertools
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from controller.errors import JournalError
from controller.journal.archive import also_called, clear, kept_as
from controller.journal.book import Journal
from controller.journal.file import End, create, is_in_use, sync_folder
from controller.journal.log import log_of
from controller.journal.mark import Mark, is_damaged, lenient, mark_of
from firmware_bridge.events import Value
from firmware_bridge.files import no_file


class Renewed(Value, frozen=True):
    """What became of it."""

    kept: Path | None  # where what was there lies now; None: nothing was, or all of it goes on
    rows: int  # events that go on
    lost: int  # events that were written, and are not among them

    def __str__(self) -> str:
        lost = f"; {self.lost} events that were written behind them are lost" if self.lost else ""
        kept = f"; what was there is {self.kept}" if self.kept else ""
        return f"goes on from {self.rows} events as a journal of its own{lost}{kept}"


def open_table(path: Path) -> tuple[Journal, Renewed | None]:
    """Open or make the journal of a table. A backup that was put back goes on as a journal of its own."""
    renewed = renew(path) if _is_copy(path) else None
    return Journal.open(path), renewed


def _is_copy(path: Path) -> bool:
    if no_file(path) is not None or not path.exists():
        return False
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as db:
            found = db.execute("SELECT used FROM meta").fetchall()
    except sqlite3.Error:
        return False  # whoever opens it says what it is
    return bool(found == [("copy",)])


def renew(path: Path) -> Renewed:
    """Put away what is there, and begin a journal that goes on from what of it is whole.

    JournalError where a table writes it, or where nothing is wrong with it. A power cut at any moment leaves what was
    there, refused as before, or the new one.
    """
    marked, fresh = lenient(path), Path(f"{path}.next")
    clear(fresh)
    evidence = _log_aside(path)
    old = _opened(path)
    if old is None:
        end = None if marked is None else End(marked.epoch, 0, b"")
        create(fresh, end, path)
        Journal.open(fresh).close()
        kept = _put_away(path, end, evidence)
    else:
        with closing(old):
            end = _filled(fresh, old, path, marked)
        kept = None if old.used == "copy" else _put_away(path, end, evidence)
    fresh.replace(path)
    mark_of(fresh).replace(mark_of(path))
    sync_folder(path.parent)
    rows = 0 if end is None else end.seq
    return Renewed(kept, rows, _lost(marked, end))


def _opened(path: Path) -> Journal | None:
    """What is there, as far as it can be read."""
    if not path.exists():
        return None
    try:
        return Journal.read(path, path, None)
    except JournalError as error:
        if is_in_use(error):
            raise
        return None


def _filled(fresh: Path, old: Journal, path: Path, marked: Mark | None) -> End:
    """All rows of the old one that are whole, chained anew; what they end with there."""
    end = old.whole_end()
    goes_on = marked is None or marked == Mark(end.epoch, end.seq, end.hash)
    if end == old.end and old.used == "closed" and old.fault_at_end is None and goes_on and not is_damaged(path):
        raise JournalError(f"{path}: nothing is wrong with it: betline run goes on with it")
    create(fresh, end)
    with closing(Journal.open(fresh)) as new:
        rows = old.whole_rows()
        while chunk := list(itertools.islice(rows, 1_000)):
            new.adopt(chunk)
        new.mark_published(old.published_n)
    return end


def _log_aside(path: Path) -> Path | None:
    """A copy of its log, before SQLite takes from it what is whole and removes it."""
    if not log_of(path).exists() or no_file(log_of(path)) is not None:
        return None
    aside = Path(f"{path}.next-log")
    shutil.copyfile(log_of(path), aside)
    return aside


def _put_away(path: Path, end: End | None, evidence: Path | None) -> Path | None:
    """What was there gets a name of its own; the log that it still has must not lie beside the new one."""
    if evidence is None and not path.exists():
        return None
    name = kept_as(path, "damaged" if end is None else end.epoch)
    kept = next(each for n in itertools.count(1) if not (each := name.with_suffix(f".{n}{name.suffix}")).exists())
    if path.exists():
        also_called(path, kept)
    if evidence is not None:
        evidence.replace(log_of(kept))
    log_of(path).unlink(missing_ok=True)
    sync_folder(path.parent)
    return kept


def _lost(marked: Mark | None, end: End | None) -> int:
    if marked is None or (end is not None and marked.epoch != end.epoch):
        return 0
    return max(0, marked.seq - (end.seq if end else 0))
