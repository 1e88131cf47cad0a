"""A journal put away: nothing is lost, the table goes on where it stood, and both files are one chain."""

import os
import sqlite3
from pathlib import Path

import pytest

from controller.errors import JournalError
from controller.journal import archive as journal_archive
from controller.journal.archive import archive, kept_as, opening
from controller.journal.book import Journal
from controller.journal.copies import copy_of
from controller.journal.mark import mark_of
from controller.rulings.profiles import load
from controller.table.events import Event
from controller.table.state import State
from tests.controller.engine.played import Played, dealt
from tests.controller.journal.test_hands import to_the_end

PROFILE = load("TDA2024")


@pytest.fixture
def table() -> Played:
    return to_the_end(dealt(3))


@pytest.fixture
def path(tmp_path: Path, table: Played) -> Path:
    return write(tmp_path / "journal.db", table.log)


def write(path: Path, events: list[Event]) -> Path:
    journal = Journal.open(path, boot="b")
    journal.append([(event, 1, 1_000) for event in events])
    journal.close()
    return path


def fresh(table: Played) -> State:
    return table.engine.initial(len(table.state.table.seats), table.game)


def put_away(path: Path, table: Played) -> Path:
    return archive(path, lambda old: opening(old.replay(fresh(table)), PROFILE))


def test_the_table_goes_on_as_it_stood(path: Path, table: Played) -> None:
    before = table.state
    put_away(path, table)
    with copy_of(path) as new:
        after = new.replay(fresh(table))
    assert [(s.stack, s.playing, s.name) for s in after.table.seats] == [
        (s.stack, s.playing, s.name) for s in before.table.seats
    ]
    assert after.places == before.places
    assert (after.table.small_blind, after.table.big_blind) == (before.table.small_blind, before.table.big_blind)
    assert after.hand is None


def test_the_button_of_the_next_hand_is_the_one_it_would_have_been(path: Path, table: Played) -> None:
    from controller.table.seats import next_places

    was = next_places(PROFILE, table.state.table)
    put_away(path, table)
    with copy_of(path) as new:
        now = next_places(PROFILE, new.replay(fresh(table)).table)
    assert was is not None
    assert now is not None
    assert now.button == was.button


def test_no_event_is_lost_and_the_two_files_are_one_chain(path: Path, table: Played) -> None:
    with copy_of(path) as old:
        rows, end = list(old.events()), old.end
    kept = put_away(path, table)
    assert kept == kept_as(path, end.epoch)
    with copy_of(kept) as old:
        assert (list(old.events()), old.verify().faults, old.end) == (rows, (), end)
    with copy_of(path) as new:
        verdict = new.verify()
        assert (verdict.faults, verdict.parent) == ((), end)
        assert verdict.epoch != end.epoch
        assert verdict.rows < 10
    assert not [left for left in path.parent.iterdir() if left not in {path, kept, mark_of(path)}]
    assert kept.stat().st_mode & 0o222 == 0


def test_the_chain_holds_over_many_archives_and_a_forged_link_is_found(path: Path, table: Played) -> None:
    for _ in range(3):
        put_away(path, table)
    assert len(list(path.parent.glob("*.db"))) == 4
    with sqlite3.connect(path) as db:
        db.execute("UPDATE meta SET parent_hash = x'00'")
    db.close()
    with copy_of(path) as new:
        assert any("row 1: its hash does not fit" in fault for fault in new.verify().faults)


def test_a_hand_that_is_played_is_never_cut_in_two(tmp_path: Path) -> None:
    table = dealt(3)
    path = write(tmp_path / "journal.db", table.log)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="hand 1 is not over"):
        put_away(path, table)
    assert path.read_bytes() == before
    assert {*tmp_path.iterdir()} == {path, mark_of(path)}


def test_a_damaged_journal_and_one_in_use_are_not_put_away(path: Path, table: Played) -> None:
    running = Journal.open(path)
    with pytest.raises(JournalError, match="is in use by another betline"):
        put_away(path, table)
    running.close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE journal SET wall_ms = 5 WHERE seq = 3")
    db.close()
    with pytest.raises(JournalError, match="what is damaged is not put away"):
        put_away(path, table)
    assert {*path.parent.iterdir()} == {path, mark_of(path)}


WHERE = {
    "before the new file is made": (os, "link"),
    "before the old one has its second name": (journal_archive, "also_called"),
    "before the new one has the name": (Path, "replace"),
}


@pytest.mark.parametrize("cut", WHERE)
def test_a_power_cut_leaves_a_whole_journal_and_the_next_attempt_succeeds(
    path: Path, table: Played, monkeypatch: pytest.MonkeyPatch, cut: str
) -> None:
    class PowerCutError(BaseException):
        pass

    def fail(*_: object) -> None:
        raise PowerCutError

    with monkeypatch.context() as patch:
        patch.setattr(*WHERE[cut], fail)
        with pytest.raises(PowerCutError):
            put_away(path, table)
    with copy_of(path) as journal:
        assert (journal.verify().faults, journal.verify().parent) == ((), None)
    kept = put_away(path, table)
    with copy_of(kept) as old, copy_of(path) as new:
        assert old.verify().faults == new.verify().faults == ()
        assert new.verify().parent == old.end


def test_the_new_journal_belongs_to_who_the_old_one_belonged_to(path: Path, table: Played) -> None:
    """Root may put it away; the table must be able to write on."""
    owner = (12345, 12346) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
    os.chown(path, *owner)
    path.chmod(0o640)
    put_away(path, table)
    status = path.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (*owner, 0o640)


def test_a_file_system_without_links_gets_a_copy(path: Path, table: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    kept = put_away(path, table)
    with copy_of(kept) as old, copy_of(path) as new:
        assert old.verify().faults == new.verify().faults == ()
        assert new.verify().parent == old.end
