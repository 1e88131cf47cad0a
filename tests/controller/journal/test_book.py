"""The journal: nothing committed is lost, nothing is changed unnoticed, one process writes."""

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import JournalError
from controller.journal import book as journal_module
from controller.journal.book import Journal
from controller.journal.copies import copy_of
from controller.journal.mark import mark_of
from controller.places import BANK, POT, Moved
from controller.rulings.values import Reading, Ruling
from controller.table import events as e

ROOT = Path(__file__).parents[3]
READING = Reading("call", 600, 400, 0, reopens=False, all_in=False, rule="TDA 2024 44")
MOVED = e.ItemsMoved((Moved("r100-001", BANK, POT),), "sweep")
RULED = e.Ruled(4, READING, Ruling(READING, "one_chip_call", {"change": 400}), ("y1000-001",))
BATCH = [(MOVED, 10, 1000), (RULED, 11, 1001), (e.TurnPassed(5), 12, 1002)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    opened = Journal.open(path, boot="b1")
    yield opened
    opened.close()


def test_events_come_back_as_they_were_written_with_both_numbers(journal: Journal) -> None:
    written = journal.append(BATCH)
    assert [(row.seq, row.n) for row in written] == [(1, None), (2, 1), (3, 2)]
    assert list(journal.events()) == written
    assert [(row.boot, row.at_ns, row.wall_ms) for row in written] == [
        ("b1", 10, 1000),
        ("b1", 11, 1001),
        ("b1", 12, 1002),
    ]


def test_replay_folds_the_events_by_evolve_alone(journal: Journal) -> None:
    journal.append(BATCH)
    assert tuple(row.event for row in journal.events()) == (MOVED, RULED, e.TurnPassed(5))


def test_numbers_and_hashes_go_on_after_reopening(path: Path) -> None:
    for boot in ("b1", "b2", "b3"):
        journal = Journal.open(path, boot=boot)
        journal.append(BATCH)
        journal.close()
    journal = Journal.open(path)
    verdict = journal.verify()
    rows = list(journal.events())
    journal.close()
    assert (verdict.rows, verdict.public, verdict.faults) == (9, 6, ())
    assert [row.boot for row in rows[::3]] == ["b1", "b2", "b3"]


def test_a_commit_is_on_disk_before_append_returns(journal: Journal) -> None:
    """WAL with synchronous=FULL (2): SQLite syncs the log at every commit."""
    assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_failed_batch_leaves_nothing_behind_and_the_journal_usable(journal: Journal) -> None:
    journal.append(BATCH)
    (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalError, match="the disk is full: free some space; nothing was announced"):
        journal.append(BATCH * 2000)
    assert journal.last_seq == 3
    journal._db.execute("PRAGMA max_page_count = 1000000")
    assert journal.append(BATCH)[0].seq == 4
    assert journal.verify().faults == ()


def test_an_acknowledgement_that_cannot_be_noted_ends_nothing(journal: Journal) -> None:
    journal.append(BATCH * 20)
    journal._db.execute("PRAGMA query_only = ON")
    journal.mark_published(30)
    assert journal.unpublished(1)[0].n == 31
    with pytest.raises(JournalError, match="may not be written"):
        journal.append(BATCH)
    journal._db.execute("PRAGMA query_only = OFF")
    journal.append(BATCH)
    assert journal._db.execute("SELECT published_n FROM meta").fetchone() == (30,)


def test_an_empty_batch_writes_nothing(journal: Journal) -> None:
    assert journal.append([]) == []
    assert journal.last_seq == 0


# ---------------------------------------------------------------- outbox
def test_the_outbox_gives_public_rows_in_order_until_they_are_acknowledged(journal: Journal) -> None:
    journal.append(BATCH * 3)
    assert [row.n for row in journal.unpublished(4)] == [1, 2, 3, 4]
    assert [row.n for row in journal.unpublished(10, after=4)] == [5, 6]
    journal.mark_published(2)
    assert [row.n for row in journal.unpublished(10)] == [3, 4, 5, 6]
    journal.mark_published(99)
    assert journal.unpublished(10) == []
    journal.mark_published(1)
    assert journal.published_n == 6


def test_what_was_acknowledged_is_kept_over_a_restart(path: Path) -> None:
    journal = Journal.open(path)
    journal.append(BATCH)
    journal.mark_published(1)
    journal.close()
    journal = Journal.open(path)
    assert [row.n for row in journal.unpublished(10)] == [2]
    journal.close()


def test_a_crash_repeats_events_and_never_skips_one(path: Path) -> None:
    journal = Journal.open(path)
    journal.append(BATCH * 20)
    for n in range(1, 36):
        journal.mark_published(n)
    journal._db.close()  # as a kill would: what was only in memory is gone
    journal = Journal.open(path)
    assert journal.published_n == 20
    assert journal.unpublished(1)[0].n == 21
    journal.close()


def test_a_correction_names_the_public_number_of_what_it_takes_back(journal: Journal) -> None:
    journal.append(BATCH * 2)
    undone, overruled = journal.append([(e.Undone(3, "dealer"), 1, 1), (e.Overruled(4, 4, READING, "dealer"), 1, 1)])
    assert (undone.before_n, overruled.before_n) == (3, 3)  # row 4 (state.seq 3) is private, row 5 is public event 3
    assert journal.unpublished(10)[-2].before_n == 3


# ---------------------------------------------------------------- damage
def spoil(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as db:
        db.execute(statement)
    db.close()


@pytest.mark.parametrize(
    ("statement", "part"),
    [
        (
            "UPDATE journal SET body = cast(replace(body, '600', '900') AS BLOB) WHERE seq = 2",
            "row 2: its hash does not fit",
        ),
        ("UPDATE journal SET wall_ms = 5 WHERE seq = 3", "row 3: its hash does not fit"),
        ("UPDATE journal SET n = 7 WHERE seq = 3", "row 3: its hash does not fit"),
        ("DELETE FROM journal WHERE seq = 2", "row 3: follows row 1"),
        ("UPDATE journal SET version = 99 WHERE seq = 2", "row 2: written by a newer betline (version 99)"),
    ],
)
def test_a_changed_or_missing_row_is_found(path: Path, statement: str, part: str) -> None:
    journal = Journal.open(path)
    journal.append(BATCH)
    journal.close()
    spoil(path, statement)
    journal = Journal.open(path)
    assert any(part in fault for fault in journal.verify().faults)
    with pytest.raises(JournalError, match="betline journal verify"):
        list(journal.events())
    journal.close()


def test_a_missing_end_is_found_where_it_was_already_told(path: Path) -> None:
    journal = Journal.open(path)
    journal.append(BATCH)
    journal.mark_published(2)
    journal.close()
    spoil(path, "DELETE FROM journal WHERE seq = 3")
    with pytest.raises(JournalError, match="its end is missing"):
        Journal.open(path)


@pytest.mark.parametrize(
    ("statement", "part"),
    [
        ("DELETE FROM journal WHERE seq > 4", "ends at event 4, but 6 were written: its end is missing"),
        ("DELETE FROM journal", "ends at event 0, but 6 were written: its end is missing"),
        ("INSERT INTO journal SELECT 7, NULL, boot, 1, 1, 1, kind, body, hash FROM journal WHERE seq = 4",
         "goes on to event 7, but only 6 were written: its end was slipped in"),
        ("UPDATE journal SET hash = x'00' WHERE seq = 6", "its last event 6 is not the one that was written"),
    ],
)  # fmt: skip
def test_an_end_that_is_not_the_one_written_is_found(path: Path, statement: str, part: str) -> None:
    """Also where no broker was told anything, and although every row that is left fits the one before it."""
    journal = Journal.open(path)
    journal.append(BATCH)
    journal.append(BATCH)
    journal.close()
    spoil(path, statement)
    with pytest.raises(JournalError, match="betline journal renew") as error:
        Journal.open(path)
    assert part in str(error.value)
    with copy_of(path) as copy:
        assert any(part in fault for fault in copy.verify().faults)
        with pytest.raises(JournalError):
            list(copy.events())


def test_the_mark_of_the_end_is_of_the_same_transaction(path: Path, journal: Journal) -> None:
    journal.append(BATCH)
    working, journal._db = journal._db, Refusing(journal._db)
    with pytest.raises(JournalError):
        journal.append(BATCH)
    journal._db = working
    with copy_of(path) as copy:
        assert (copy.verify().faults, copy.last_seq) == ((), 3)


class Refusing:
    """A connection whose disk fails at the commit."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.real = db

    def execute(self, statement: str, *values: object) -> object:
        if statement == "COMMIT":
            raise sqlite3.OperationalError("disk I/O error")
        return self.real.execute(statement, *values)

    def __getattr__(self, name: str) -> object:
        return getattr(self.real, name)


def as_of_schema_1(path: Path) -> None:
    """The file as the first betline left it."""
    spoil(path, "UPDATE meta SET schema = 1")
    spoil(path, "DROP TABLE kept")
    mark_of(path).unlink()
    for column in ("last_seq", "last_hash", "parent_epoch", "parent_seq", "parent_hash", "used"):
        spoil(path, f"ALTER TABLE meta DROP COLUMN {column}")


def test_a_journal_of_the_first_schema_is_read_and_marked_when_it_is_written(path: Path) -> None:
    journal = Journal.open(path)
    journal.append(BATCH)
    journal.close()
    as_of_schema_1(path)
    with copy_of(path) as copy:
        assert (copy.verify().faults, copy.verify().marked, len(list(copy.events()))) == ((), False, 3)
    journal = Journal.open(path)
    journal.close()
    with copy_of(path) as copy:
        assert (copy.verify().faults, copy.verify().marked) == ((), True)
    spoil(path, "DELETE FROM journal WHERE seq = 3")
    with pytest.raises(JournalError, match="ends at event 2, but 3 were written"):
        Journal.open(path)


def test_an_empty_file_is_no_journal_and_no_new_one(path: Path) -> None:
    """A disk that cut it to nothing must not look like a table that never played."""
    path.touch()
    for look in (lambda: Journal.open(path), lambda: copy_of(path).__enter__()):
        with pytest.raises(JournalError, match="is empty, and a journal never is: restore a backup"):
            look()
    assert path.stat().st_size == 0
    path.unlink()
    sqlite3.connect(path).execute("PRAGMA user_version = 1").connection.close()
    with pytest.raises(JournalError, match="is empty, and a journal never is"):
        Journal.open(path)


def test_what_is_no_plain_file_is_refused_at_once(tmp_path: Path) -> None:
    """A pipe would be waited for, for ever."""
    os.mkfifo(tmp_path / "pipe")
    for wrong in (tmp_path, tmp_path / "pipe", Path("/dev/null")):
        for look in (lambda wrong=wrong: Journal.open(wrong), lambda wrong=wrong: copy_of(wrong).__enter__()):
            with pytest.raises(JournalError, match=r"is a (folder|pipe or a device)"):
                look()


def test_a_start_that_was_cut_leaves_nothing_that_stops_the_next(path: Path) -> None:
    Path(f"{path}.new").write_bytes(b"half a database")
    Journal.open(path).close()
    assert not Path(f"{path}.new").exists()


def test_a_newer_schema_is_refused(path: Path) -> None:
    Journal.open(path).close()
    spoil(path, "UPDATE meta SET schema = 4")
    with pytest.raises(JournalError, match="written by a newer betline"):
        Journal.open(path)


def as_nobody(act: Callable[[], object]) -> str:
    """What an act ends with for a user without rights; in a child, because root may write everywhere."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setresgid(65534, 65534, 65534)
                os.setresuid(65534, 65534, 65534)
            os.write(tell, str(act()).encode())
        except BaseException as error:  # noqa: BLE001  -- whatever it is, the parent is told
            os.write(tell, str(error).encode())
        finally:
            os._exit(0)
    os.close(tell)
    os.waitpid(child, 0)
    with os.fdopen(told, "rb") as stream:
        return stream.read().decode()


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_folder_that_may_not_be_written_is_named_as_that() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, path = Path(name), Path(name, "journal.db")
        Journal.open(path).close()
        folder.chmod(0o555)
        for one in folder.iterdir():
            one.chmod(0o444)  # its mark too, which is for the owner alone
        assert "may not be written" in as_nobody(lambda: Journal.open(folder / "new.db"))
        assert "may not be written" in as_nobody(lambda: Journal.open(path))
        assert as_nobody(lambda: looked_at(path)) == "[]"  # looking is allowed
        folder.chmod(0o755)


def test_files_that_are_no_journal_are_refused_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("shopping list: more chips\n" * 100)
    with pytest.raises(JournalError, match="is no journal, or damaged"):
        Journal.open(text)
    assert text.read_text().startswith("shopping list")
    other = tmp_path / "other.db"
    spoil(other, "CREATE TABLE songs (name TEXT)")
    with pytest.raises(JournalError, match="no journal of betline"):
        Journal.open(other)
    with pytest.raises(JournalError, match=r"the folder .* is missing"):
        Journal.open(tmp_path / "absent" / "journal.db")
    with pytest.raises(JournalError, match="no such journal"):
        Journal.open(tmp_path / "absent.db", create=False)


def test_overwritten_pages_are_one_clear_line(path: Path) -> None:
    journal = Journal.open(path)
    journal.append(BATCH * 200)
    journal.close()
    data = bytearray(path.read_bytes())
    for page in range(3, len(data) // 4096):
        data[page * 4096 : page * 4096 + 2000] = os.urandom(2000)
    path.write_bytes(data)
    with pytest.raises(JournalError) as error:
        list(Journal.open(path).events())
    assert "\n" not in str(error.value)


def looked_at(path: Path) -> list[e.Event] | JournalError:
    """The events of a journal that may be damaged, or the one line about it."""
    try:
        with copy_of(path) as copy:
            faults = copy.verify().faults
            return JournalError(faults[0]) if faults else [row.event for row in copy.events()]
    except JournalError as error:
        return error


def test_any_damaged_byte_is_found_or_changes_nothing(path: Path) -> None:
    """In events, in the tables' own description, in the mark of the end: one line, or the same events."""
    journal = Journal.open(path)
    journal.append(BATCH)
    journal.close()
    whole = path.read_bytes()
    written = [event for event, _, _ in BATCH]
    draw = random.Random(7)
    described = range(whole.index(b"CREATE TABLE meta"), 4096)
    for at in (*draw.sample(described, 60), *draw.sample(range(len(whole)), 60)):
        for value in (0x22, 0xFF, whole[at] ^ 1):
            path.write_bytes(whole[:at] + bytes((value,)) + whole[at + 1 :])
            found = looked_at(path)
            assert str(found).isprintable() if isinstance(found, JournalError) else found == written, (at, value)


# ---------------------------------------------------------------- one writer
def test_a_second_process_gets_a_clear_error_and_reads_a_copy(path: Path, journal: Journal) -> None:
    journal.append(BATCH)
    code = (
        "import sys, pathlib; from controller.journal.book import Journal; from controller.journal.copies import copy_of; path = pathlib.Path(sys.argv[1])\n"
        "with copy_of(path) as copy: print(len(list(copy.events())), copy.epoch)\n"
        "Journal.open(path)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == f"3 {journal.epoch}\n"
    assert done.stderr.strip().splitlines()[-1].startswith("controller.errors.JournalError: ")
    assert "is in use by another betline: end that one first" in done.stderr
    journal.append(BATCH)  # neither of them disturbed the writer
    assert journal.verify().faults == ()


def test_a_copy_is_good_while_the_writer_checkpoints(path: Path, journal: Journal) -> None:
    for _ in range(5):
        journal.append(BATCH * 50)
        journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        journal.append(BATCH)
        with copy_of(path) as copy:
            assert copy.verify().faults == ()
            assert copy.last_seq == journal.last_seq
            assert copy.path == path


def test_a_missing_boot_id_still_names_the_boot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(journal_module, "BOOT_ID", tmp_path / "absent")
    assert len(journal_module.boot_id()) == 32


# ---------------------------------------------------------------- kill
def killed(tmp_path: Path, rounds: int, seed: int) -> str:
    command = [sys.executable, Path(__file__).with_name("journal_killer.py"), tmp_path / "j.db", str(rounds), str(seed)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    return done.stdout + done.stderr


def test_sigkill_at_any_point_loses_nothing_that_was_promised(tmp_path: Path) -> None:
    assert killed(tmp_path, rounds=12, seed=1) == "kept\n"


@pytest.mark.proof
def test_sigkill_thousands_of_times_loses_nothing_that_was_promised(tmp_path: Path) -> None:
    assert killed(tmp_path, rounds=3000, seed=2) == "kept\n"


# ---------------------------------------------------------------- laws
EVENTS = st.sampled_from(
    [MOVED, RULED, e.TurnPassed(1), e.Refused("not_your_turn"), e.Paused("dealer"), e.HandsShown(2, ("As",))]
)


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.lists(st.lists(st.tuples(EVENTS, st.integers(0, 2**62), st.integers(0, 2**45)), max_size=5), max_size=6))
def test_seq_and_n_never_have_a_gap(tmp_path_factory: pytest.TempPathFactory, batches: list[list]) -> None:
    journal = Journal.open(tmp_path_factory.mktemp("law") / "journal.db", boot="b")
    rows = [row for batch in batches for row in journal.append(batch)]
    journal.close()
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    public = [row.n for row in rows if row.n is not None]
    assert public == list(range(1, sum(e.is_public(row.event) for row in rows) + 1))
