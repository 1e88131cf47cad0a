"""A journal of a table that was killed in a hand, and then damaged: refused in one line, or whole; never shorter in silence."""

import os
import random
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from controller.errors import JournalError
from controller.journal import mark
from controller.journal.book import Journal
from controller.journal.copies import back_up, copy_of
from controller.journal.log import judged, log_of
from controller.journal.mark import mark_of
from controller.journal.renew import open_table, renew
from controller.table import events as e
from controller.table.evolve import evolve
from controller.table.state import State
from tests.controller.engine.played import Played, dealt
from tests.controller.journal.test_hands import to_the_end

FILES = ("journal.db", "journal.db-wal", "journal.db-mark")


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Played]:
    """The three files as SIGKILL leaves them: one hand is in the database, what came behind it in the log."""
    table, folder = to_the_end(dealt(3)), tmp_path_factory.mktemp("killed")
    state: State = table.engine.initial(3, table.game)
    journal = Journal.open(folder / "writing.db", boot="b")
    journal.replay(state)
    settled = len(table.log) // 2
    for number, event in enumerate(table.log):
        state = evolve(state, event)
        journal.append([(event, number, 1_000 + number)])
        if number == settled:
            journal.settle(state)
    for name in FILES:
        shutil.copyfile(folder / name.replace("journal", "writing"), folder / name)
    journal.close()
    return folder, table


@pytest.fixture
def path(killed: tuple[Path, Played], tmp_path: Path) -> Path:
    for name in FILES:
        shutil.copyfile(killed[0] / name, tmp_path / name)
    return tmp_path / "journal.db"


def written(killed: tuple[Path, Played]) -> list[object]:
    return [event for event in killed[1].log if type(event).__name__ != "Refused"]


def outcome(path: Path) -> list[object] | str:
    """All events of the journal as a start finds them, or the one line with which it is refused."""
    try:
        journal = Journal.open(path, create=False)
    except JournalError as error:
        return str(error)
    try:
        return [row.event for row in journal.events()]
    except JournalError as error:
        return str(error)
    finally:
        journal.close()


def seen(path: Path) -> list[str] | str:
    """What `betline journal verify` says."""
    try:
        with copy_of(path) as copy:
            return list(copy.verify().faults)
    except JournalError as error:
        return str(error)


# ---------------------------------------------------------------- what may happen to a file
def gone(file: Path) -> None:
    file.unlink()


def folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def cut(file: Path, keep: float, less: int = 0) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * keep) - less])


def kept(file: Path, many: int) -> None:
    file.write_bytes(file.read_bytes()[:many])


def flipped(file: Path, *places: float) -> None:
    data = bytearray(file.read_bytes())
    for place in places:
        data[int(len(data) * place)] ^= 1
    file.write_bytes(data)


def many_flipped(file: Path, many: int) -> None:
    flipped(file, *random.Random(many).sample([n / 997 for n in range(997)], many))


def filled(file: Path, byte: int | None, begin: float = 0, many: int | None = None) -> None:
    data = bytearray(file.read_bytes())
    at, end = int(len(data) * begin), len(data)
    end = end if many is None else at + many
    data[at:end] = random.Random(1).randbytes(end - at) if byte is None else bytes([byte]) * (end - at)
    file.write_bytes(data)


def longer(file: Path) -> None:
    file.write_bytes(file.read_bytes() + random.Random(2).randbytes(5000))


Damage = Callable[[Path], None]
ANY: dict[str, Damage] = {
    "gone": gone,
    "a folder": folder,
    "a pipe": pipe,
    "empty": partial(kept, many=0),
    "one byte": partial(kept, many=1),
    "its first 32 bytes": partial(kept, many=32),
    "cut by one byte": partial(cut, keep=1, less=1),
    "cut by ten bytes": partial(cut, keep=1, less=10),
    "cut by a page": partial(cut, keep=1, less=2048),
    "cut to half": partial(cut, keep=0.5),
    "cut to a tenth": partial(cut, keep=0.1),
    "all zero": partial(filled, byte=0),
    "all ones": partial(filled, byte=255),
    "garbage": partial(filled, byte=None),
    "first half zero": partial(filled, byte=0, many=4000),
    "a page of zeros": partial(filled, byte=0, begin=0.5, many=100),
    "a page of garbage": partial(filled, byte=None, begin=0.3, many=100),
    "garbage behind it": longer,
    "100 bits": partial(many_flipped, many=100),
    "20 bits": partial(many_flipped, many=20),
    **{f"a bit at {at}": (lambda file, at=at: flipped(file, at)) for at in (0.0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99)},
}  # fmt: skip
CASES = [(file, name) for file in FILES for name in ANY]


@pytest.mark.parametrize(("file", "name"), CASES, ids=[f"{file} {name}" for file, name in CASES])
def test_a_damage_is_named_or_harmless_and_verify_says_the_same(
    killed: tuple[Path, Played], path: Path, file: str, name: str
) -> None:
    damaged = path.with_name(file)
    if name.startswith(("a page", "first half")) and damaged.stat().st_size < 5000:
        pytest.skip("the file is too short for that")
    ANY[name](damaged)
    verdict = seen(path)
    found = outcome(path)
    if isinstance(found, str):
        assert "\n" not in found
        assert verdict, "verify calls it in order"
    else:
        assert found == written(killed)


BOTH: dict[str, tuple[Damage, ...]] = {
    "no log and no mark": (lambda p: gone(log_of(p)), lambda p: gone(mark_of(p))),
    "an empty log and no mark": (lambda p: kept(log_of(p), 0), lambda p: gone(mark_of(p))),
    "a log without a header and no mark": (lambda p: flipped(log_of(p), 0.0), lambda p: gone(mark_of(p))),
    "a bit in the log and no mark": (lambda p: flipped(log_of(p), 0.2), lambda p: gone(mark_of(p))),
    "zeros in the log and no mark": (lambda p: filled(log_of(p), 0, 0.2, 100), lambda p: gone(mark_of(p))),
    "no database and no mark": (gone, lambda p: gone(mark_of(p))),
    "no database and no log": (gone, lambda p: gone(log_of(p))),
    "garbage as a log beside no database": (gone, lambda p: filled(log_of(p), None), lambda p: gone(mark_of(p))),
    "a pipe as a log beside no database": (gone, lambda p: pipe(log_of(p)), lambda p: gone(mark_of(p))),
    "a mark of another journal": (lambda p: filled(mark_of(p), 32), lambda p: mark_of(p).write_text('{"epoch":"x","seq":1,"hash":"AA=="}')),
}  # fmt: skip


@pytest.mark.parametrize("name", BOTH)
def test_two_damages_at_once_are_named(path: Path, name: str) -> None:
    for damage in BOTH[name]:
        damage(path)
    assert seen(path)
    assert isinstance(outcome(path), str)


def test_a_power_cut_that_left_the_mark_behind_loses_nothing(killed: tuple[Path, Played], path: Path) -> None:
    """The mark may be some seconds old then; it may also be gone, with the log whole."""
    journal = Journal.open(path)
    (row,) = journal._all("SELECT hash FROM journal WHERE seq = 12")
    journal.close()
    for name in FILES:
        shutil.copyfile(killed[0] / name, path.with_name(name))
    marker = mark.Marker(path)
    marker.write(mark.Mark(journal.epoch, 12, row[0]))
    marker.close()
    assert outcome(path) == written(killed)
    for name in FILES[:2]:
        shutil.copyfile(killed[0] / name, path.with_name(name))
    mark_of(path).unlink()
    assert outcome(path) == written(killed)


# ---------------------------------------------------------------- going on
def test_what_is_left_goes_on_as_a_journal_of_its_own(killed: tuple[Path, Played], path: Path) -> None:
    with copy_of(path) as copy:
        epoch, whole = copy.epoch, copy.last_seq
    gone(log_of(path))
    assert isinstance(outcome(path), str)
    renewed = renew(path)
    assert renewed.rows + renewed.lost == whole
    assert renewed.lost > 10
    assert outcome(path) == written(killed)[: renewed.rows]
    with copy_of(path) as copy:
        verdict = copy.verify(killed[1].engine.initial(3, killed[1].game))
    assert verdict.faults == ()
    assert verdict.epoch != epoch
    assert verdict.parent is not None
    assert (verdict.parent.epoch, verdict.parent.seq) == (epoch, renewed.rows)
    assert renewed.kept is not None
    assert renewed.kept.exists()


def test_a_lost_database_goes_on_from_nothing_and_remembers_its_parent(path: Path) -> None:
    with copy_of(path) as copy:
        epoch, whole = copy.epoch, copy.last_seq
    gone(path)
    gone(log_of(path))
    renewed = renew(path)
    assert (renewed.rows, renewed.lost) == (0, whole)
    with copy_of(path) as copy:
        parent = copy.verify().parent
        assert parent is not None
        assert parent.epoch == epoch


def test_what_is_whole_is_not_renewed(path: Path) -> None:
    Journal.open(path).close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="nothing is wrong with it"):
        renew(path)
    assert path.read_bytes() == before


def test_a_backup_that_is_put_back_takes_no_number_twice(killed: tuple[Path, Played], path: Path) -> None:
    """A consumer that drops what it has seen by (epoch, n) must not drop what is played after it."""
    backup = path.with_name("evening.db")
    running = Journal.open(path)
    epoch, whole = running.epoch, running.last_seq
    assert back_up(path, backup) == whole
    running.close()
    assert backup.stat().st_mode & 0o077 == 0
    shutil.copyfile(backup, path)
    journal, renewed = open_table(path)
    assert renewed is not None
    assert (journal.epoch != epoch, journal.last_seq, renewed.lost) == (True, whole, 0)
    assert [row.event for row in journal.events()] == written(killed)
    journal.close()


def test_an_older_copy_of_the_files_is_refused(killed: tuple[Path, Played], path: Path) -> None:
    """Put back without its mark's consent: what was played since would be told again under the same numbers."""
    older = {name: path.with_name(name).read_bytes() for name in FILES[:2]}
    journal = Journal.open(path)
    journal.append([(killed[1].log[-1], 1, 1)])
    journal.close()
    for name, data in older.items():
        path.with_name(name).write_bytes(data)
    assert "were written: its log is lost or damaged, or it is old" in str(outcome(path))


# ---------------------------------------------------------------- the state that is kept
def test_a_start_reads_from_the_state_that_was_kept(killed: tuple[Path, Played], path: Path) -> None:
    """Rows before it are not read: one that is damaged there is found by verify."""
    table = killed[1]
    fresh = table.engine.initial(3, table.game)
    journal = Journal.open(path)
    assert journal.replay(fresh) == table.state
    journal._db.execute("UPDATE journal SET wall_ms = 5 WHERE seq = 3")
    assert journal.replay(fresh) == table.state
    assert any("row 3: its hash does not fit" in fault for fault in journal.verify().faults)
    journal.close()


def test_a_kept_state_that_was_changed_is_passed_over_and_named(killed: tuple[Path, Played], path: Path) -> None:
    table = killed[1]
    fresh = table.engine.initial(3, table.game)
    journal = Journal.open(path)
    journal._db.execute("UPDATE kept SET body = x'00'")
    assert journal.replay(fresh) == table.state
    assert any("was kept behind event" in fault for fault in journal.verify(fresh).faults)
    journal.close()


@pytest.mark.parametrize(
    "forged", [e.TurnPassed(-1), e.TurnPassed(9), e.LevelChanged(10**18, 5, 5), e.SeatChanged(-1, 5, playing=True)]
)
def test_a_forged_row_with_a_hash_that_fits_is_found(killed: tuple[Path, Played], path: Path, forged: e.Event) -> None:
    table = killed[1]
    fresh = table.engine.initial(3, table.game)
    journal = Journal.open(path)
    journal.append([(forged, 1, 1)])
    assert any("does not fit this table" in fault for fault in journal.verify(fresh).faults)
    with pytest.raises(JournalError, match="does not fit this table"):
        journal.replay(fresh)
    journal.close()


def test_what_was_refused_is_not_written(path: Path) -> None:
    journal = Journal.open(path)
    before = journal.last_seq
    assert journal.append([(e.Refused("not_your_turn"), 1, 1)]) == []
    assert journal.last_seq == before
    journal.close()


def test_a_log_tells_a_commit_that_was_cut_from_two_that_were_ended(path: Path) -> None:
    data = log_of(path).read_bytes()
    assert judged(data) == "whole"
    assert judged(data[:-1]) == "whole"
    assert judged(data[:5000] + bytes([data[5000] ^ 1]) + data[5001:]) == "damaged"
    assert judged(data[:20]) == judged(b"\0" + data[1:]) == "headless"
    assert judged(b"") == "empty"


def test_a_journal_may_be_closed_twice(path: Path) -> None:
    journal = Journal.open(path)
    journal.close()
    journal.close()
    assert seen(path) == []
