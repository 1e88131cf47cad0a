"""A journal that may be in use, read from a copy, and a copy that is kept: a backup."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from controller.errors import JournalError
from controller.journal import log, mark
from controller.journal.book import Journal
from controller.journal.file import check_kind, fingerprint, sync_folder


@contextlib.contextmanager
def copy_of(path: Path) -> Iterator[Journal]:
    """A journal that may be in use, from a copy. A checkpoint in the middle of copying makes it copy again.

    The mark is read first: whoever writes meanwhile goes on, and never back.
    """
    check_kind(path, create=False)
    with tempfile.TemporaryDirectory(prefix="betline-journal-") as folder:
        copy = Path(folder, "journal.db")
        try:
            for _ in range(5):
                log.check(path)  # a pipe would be waited for
                marked, before = mark.read(path), fingerprint(path)
                _copy(path, copy)
                if fingerprint(path) == before:
                    break
        except OSError as error:
            raise JournalError(f"{path}: {error.strerror or error}: mend its rights, or read it as root") from error
        found = mark.Beside(marked, log.look(copy))
        mark.check(path, found)
        journal = Journal.read(copy, path, found)
        try:
            yield journal
        finally:
            journal.close()


def _copy(path: Path, copy: Path) -> None:
    shutil.copyfile(path, copy)
    with contextlib.suppress(FileNotFoundError):  # no log: it was closed well
        shutil.copyfile(log.log_of(path), log.log_of(copy))


def back_up(path: Path, to: Path) -> int:
    """A whole copy in one file, while the table runs: how many events it holds.

    Where it is put back, it goes on as a journal of its own: no number is told twice for what was played since.
    """
    if to.exists():
        raise JournalError(f"{to}: is there already: take another name")
    made = Path(f"{to}.new")
    try:
        with copy_of(path) as journal:
            faults = journal.verify().faults
            if faults:
                raise JournalError(f"{path}: {faults[0]}: see betline journal verify; what is damaged is no backup")
            made.unlink(missing_ok=True)
            os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            shutil.copyfile(journal.become_copy(), made)
        with made.open("rb") as file:
            os.fsync(file.fileno())
        made.replace(to)
        sync_folder(to.parent)
    except OSError as error:
        raise JournalError(f"{to}: {error.strerror or error}: choose another place") from error
    return journal.last_seq
