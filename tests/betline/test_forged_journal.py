"""Journals whose hashes hold and whose rows are wrong all the same: every command says so in one line, none fails."""

import gzip
import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.config import config as settings
from controller.errors import JournalError
from controller.service.mailbox import Mailbox
from controller.service.opening import Opening
from tests.betline.in_process import betline

EVENINGS = Path(__file__).parents[1] / "data" / "journals_v1"
COMMANDS = (
    "journal verify",
    "journal verify --rejudge",
    "journal show",
    "journal show --public --json",
    "journal export --force x.phhs",
    "journal export --force x.jsonl",
    "journal archive",
)
Row = list[Any]
VERSION, KIND, BODY = 5, 6, 7


class Evening:
    """An evening of the test data, whose rows can be written anew, hashes and all."""

    def __init__(self, name: str, folder: Path) -> None:
        self.folder = shutil.copytree(EVENINGS / name, folder / name)
        self.file = self.folder / "journal.db"
        self.file.write_bytes(gzip.decompress((self.folder / "journal.db.gz").read_bytes()))

    def forge(self, edit: Callable[[list[Row]], None]) -> None:
        with closing(sqlite3.connect(self.file)) as db, db:
            rows = [list(row) for row in db.execute("SELECT * FROM journal ORDER BY seq")]
            edit(rows)
            (epoch,) = db.execute("SELECT epoch FROM meta").fetchone()
            chain = hashlib.sha256(b"betline" + epoch.encode()).digest()
            for row in rows:
                chain = row[-1] = hashlib.sha256(chain + msgspec.json.encode(tuple(row[:BODY])) + row[BODY]).digest()
            db.execute("DELETE FROM journal")
            db.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            db.execute("UPDATE meta SET last_seq = ?, last_hash = ?", (rows[-1][0], chain))

    def said(self, command: str) -> str:
        """What a command says where it fails: one line. Empty where it does not."""
        done = betline(command.split(), self.folder)
        assert (done.returncode != 0) == bool(done.stderr)
        assert "Traceback" not in done.stderr
        return done.stderr

    def opens(self) -> None:
        file = self.folder / "table.toml"
        with Opening(settings.load(file), file).opened(Mailbox()):
            pass


def body(kind: str, *, version: int = 1, **fields: object) -> Callable[[list[Row]], None]:
    """The first row of this kind with other fields, or of another version."""

    def edit(rows: list[Row]) -> None:
        row = next(row for row in rows if row[KIND] == kind)
        row[BODY] = json.dumps(json.loads(row[BODY]) | fields).encode()
        row[VERSION] = version

    return edit


def of_version(version: int) -> Callable[[list[Row]], None]:
    def edit(rows: list[Row]) -> None:
        for row in rows:
            row[VERSION] = version

    return edit


@pytest.mark.parametrize(
    ("name", "edit", "part"),
    [
        ("full", body("street", street="third"), "street 'third' is none of preflop, flop, turn, river"),
        ("full", of_version(0), "version 0, and no betline wrote such a one"),
        ("full", body("street", version=-1), "version -1, and no betline wrote such a one"),
        ("full", of_version(2), "(hand_started) does not fit this table, which has 5 seats: put [table] seats back"),
        ("full", body("hand_started", version=2), "(hand_started) does not fit this table"),
        ("full", body("posted", version=2), "(posted) does not fit this table"),
        ("full", body("ruled", version=2), "(ruled) does not fit this table"),
        ("full", body("swept", version=2), "(swept) does not fit this table"),
        ("full", body("street", version=2), "(street) does not fit this table"),
        ("full", body("awarded", version=2), "(awarded) does not fit this table"),
        ("full", body("ruled", seat=77), "(ruled) does not fit this table"),
        ("overrule", body("overruled", of=10**6), "(overruled) does not fit this table"),
    ],
)
def test_a_row_that_cannot_follow_is_one_line_and_opens_nothing(
    tmp_path: Path, name: str, edit: Callable[[list[Row]], None], part: str
) -> None:
    evening = Evening(name, tmp_path)
    before = sorted(path.name for path in evening.folder.iterdir())
    evening.forge(edit)

    for command in ("journal verify --rejudge", "journal archive"):
        assert part in evening.said(command)
    for command in COMMANDS:
        evening.said(command)
    with pytest.raises(JournalError) as failed:
        evening.opens()
    assert part in str(failed.value)
    assert str(failed.value).startswith(f"{evening.file}: ")
    beside = {"journal.db-mark"}  # how far the journal goes, noted when it was opened
    assert (
        sorted(path.name for path in evening.folder.iterdir() if path.stem != "x" and path.name not in beside) == before
    )


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        ("undo", body("undone", of=10**6)),
        ("undo", body("undone", of=-5)),
        ("overrule", body("overruled", of=10**6)),
        ("full", body("ruled", seat=77)),
        ("full", body("hand_started", version=2)),
    ],
)
def test_a_hand_that_such_a_row_breaks_is_not_exported(
    tmp_path: Path, name: str, edit: Callable[[list[Row]], None]
) -> None:
    evening = Evening(name, tmp_path)
    evening.forge(edit)
    assert "does not fit the hand before it: restore a backup" in evening.said("journal export x.phhs")
    assert not (evening.folder / "x.phhs").exists()


def test_other_seats_are_named_by_every_command_that_needs_them(tmp_path: Path) -> None:
    """The realistic one: somebody took seats away from table.toml."""
    evening = Evening("full", tmp_path)
    file = evening.folder / "table.toml"
    kept = [line for line in file.read_text().splitlines() if not any(f"seat{n}" in line for n in (4, 5))]
    file.write_text("\n".join(kept).replace("seats = 5", "seats = 3"))
    settings.load(file)
    for command in ("journal verify --rejudge", "journal archive"):
        assert "which has 3 seats: put [table] seats back" in evening.said(command)


def test_a_time_that_no_clock_shows_is_shown_as_unknown(tmp_path: Path) -> None:
    evening = Evening("full", tmp_path)

    def late(rows: list[Row]) -> None:
        rows[0][4] = 2**62

    evening.forge(late)
    first = betline(["journal", "show"], evening.folder).stdout.splitlines()[0]
    assert "????-??-?? ??:??:??" in first
