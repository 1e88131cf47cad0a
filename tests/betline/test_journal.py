"""`betline journal`, as a process, on journals of hands that were played."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from controller.histories.phh import RecordedHand, read
from controller.journal.book import Journal
from controller.registry.registry import Item, format_chips
from tests.controller.engine.played import dealt
from tests.controller.journal.test_hands import to_the_end

ROOT = Path(__file__).parent.parent.parent


def betline(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from betline.main import main; main()", "journal", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table with its configuration, its chips, and a journal of one hand."""
    table = to_the_end(dealt(3))
    journal = Journal.open(tmp_path / "journal.db", boot="b")
    journal.append([(event, 1, 1_000) for event in table.log])
    journal.close()
    chips = [Item(name, f"{number:08X}", "chip", value) for number, (name, value) in enumerate(table.values.items())]
    (tmp_path / "chips.csv").write_text(format_chips(chips))
    configure(tmp_path, "TDA2024")
    return tmp_path


def configure(folder: Path, profile: str) -> None:
    places = [f'place = "spot"\nseat = {seat}' for seat in (1, 2, 3)] + [
        f'place = "tray"\nseat = {seat}' for seat in (1, 2, 3)
    ]
    antennas = "".join(f'[[antenna]]\nreader = "w"\nnumber = {n}\n{place}\n' for n, place in enumerate(places, 1))
    (folder / "table.toml").write_text(
        f'[table]\nname = "home"\nseats = 3\nprofile = "{profile}"\n[game]\nblinds = [50, 100]\n'
        f'[[reader]]\nid = "w"\ndriver = "tablelink"\nport = "/dev/null"\n{antennas}'
    )


def test_verify_says_that_all_is_in_order(folder: Path) -> None:
    done = betline(folder, "verify", "--rejudge")
    assert (done.returncode, done.stderr) == (0, "")
    first, last = done.stdout.splitlines()
    assert first.startswith("journal.db: in order: ")
    assert last == "0 rulings would differ under TDA2024 as it is today"


def test_verify_lists_rulings_that_other_rules_would_not_give(tmp_path: Path, folder: Path) -> None:
    table = dealt(3)
    table.push(1, 100, 100, 100)
    table.push(2, 100, 100, 100, 100)
    for left in folder.glob("journal.db*"):
        left.unlink()
    journal = Journal.open(folder / "journal.db", boot="b")
    journal.append([(event, 1, 1_000) for event in table.log])
    journal.close()
    configure(folder, "HOUSE_FULLRAISE")
    done = betline(folder, "verify", "--rejudge")
    assert done.returncode == 0
    assert "seat 2: was raise to " in done.stdout
    assert "today call to 300" in done.stdout
    assert "1 rulings would differ" in done.stdout


def test_verify_names_every_fault_and_fails(folder: Path) -> None:
    with sqlite3.connect(folder / "journal.db") as db:
        db.execute("UPDATE journal SET wall_ms = 5 WHERE seq IN (3, 7)")
    db.close()
    done = betline(folder, "verify", "--journal", "journal.db")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[0].startswith("journal.db: row 3: its hash does not fit")
    assert lines[1].startswith("journal.db: row 7: ")
    assert lines[2].startswith("betline: journal.db: 2 faults")


@pytest.mark.parametrize("what", ["cut", "empty", "other", "folder", "pipe", "device"])
def test_verify_never_says_in_order_of_what_is_no_whole_journal(folder: Path, what: str) -> None:
    path = folder / "journal.db"
    if what == "cut":
        with sqlite3.connect(path) as db:
            db.execute("DELETE FROM journal WHERE seq > 10")
        db.close()
    else:
        path.unlink()
    if what == "empty":
        path.touch()
    elif what == "other":
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE songs (name TEXT)")
        db.close()
    elif what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    name = "/dev/null" if what == "device" else "journal.db"
    for words in (("verify",), ("show",), ("export", "x.phhs")):
        done = betline(folder, *words, "--journal", name)
        assert done.returncode == 1
        assert "in order" not in done.stdout
        assert f"betline: {name}: " in done.stderr
        assert "Traceback" not in done.stderr
    assert not (folder / "x.phhs").exists()


def test_archive_puts_the_journal_away_and_verify_follows_the_chain(folder: Path) -> None:
    epoch = betline(folder, "verify").stdout.split()[-1]
    kept = f"journal.{epoch}.db"
    assert betline(folder, "archive").stdout == f"{kept}: put away; journal.db goes on from its end\n"
    done = betline(folder, "verify", "--rejudge")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"journal.db: continues {kept} from event " in done.stdout
    assert betline(folder, "export", "old.phhs", "--journal", kept).stdout == "old.phhs: 1 hands\n"
    with sqlite3.connect(folder / "journal.db") as db:
        db.execute("UPDATE meta SET parent_seq = parent_seq - 1")
    db.close()
    done = betline(folder, "verify")
    assert done.returncode == 1
    assert "is not what this one continues" in done.stderr
    (folder / kept).unlink()
    assert "which is not kept beside it: not looked at" in betline(folder, "verify").stdout


def test_archive_leaves_events_behind_only_when_told_so(folder: Path) -> None:
    (folder / "table.toml").write_text((folder / "table.toml").read_text() + '[mqtt]\nhost = "localhost"\n')
    done = betline(folder, "archive")
    assert done.returncode == 1
    assert "events wait for the broker: run the table with it, or --force" in done.stderr
    assert not list(folder.glob("journal.*.db"))
    assert betline(folder, "archive", "--force").returncode == 0


def test_it_reads_while_the_table_runs(folder: Path) -> None:
    running = Journal.open(folder / "journal.db", boot="b")
    try:
        assert betline(folder, "verify").returncode == 0
        assert betline(folder, "show", "--hand", "1", "--public").returncode == 0
    finally:
        running.close()


def test_show_gives_one_line_an_event(folder: Path) -> None:
    done = betline(folder, "show", "--hand", "1", "--public")
    lines = done.stdout.splitlines()
    assert "hand_started" in lines[0]
    assert "1970-01-01 00:00:01" in lines[0]
    assert "hand_ended" in lines[-1]
    assert not [line for line in lines if "items_moved" in line]
    assert not [line for line in lines if "s1-" in line]  # names of chips
    assert "s1-" in betline(folder, "show", "--hand", "1").stdout
    public = betline(folder, "show", "--json", "--public").stdout
    assert "s1-" not in public
    as_json = betline(folder, "show", "--json").stdout.splitlines()
    assert [json.loads(line)["seq"] for line in as_json] == list(range(1, len(as_json) + 1))


def test_export_writes_hands_and_events(folder: Path) -> None:
    assert betline(folder, "export", "evening.phhs").stdout == "evening.phhs: 1 hands\n"
    (hand,) = read(folder / "evening.phhs")
    assert isinstance(hand, RecordedHand)
    assert hand.table == "home"
    assert betline(folder, "export", "events.jsonl").returncode == 0
    events = (folder / "events.jsonl").read_text().splitlines()
    assert json.loads(events[0])["seq"] == 1


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("export", "table.toml"), "end it with .phhs"),
        (("export", "evening.phhs"), "is there already"),
        (("export", "absent/x.phhs"), "choose another place"),
        (("verify", "--journal", "absent.db"), "check [journal] path"),
        (("verify", "--config", "absent.toml"), "betline init"),
        (("verify", "--journal", "chips.csv"), "is no journal, or damaged"),
    ],
)
def test_what_cannot_be_done_is_one_line(folder: Path, words: tuple[str, ...], part: str) -> None:
    (folder / "evening.phhs").write_text("mine")
    done = betline(folder, *words)
    assert done.returncode == 1
    assert part.lower() in done.stderr.lower()
    assert len(done.stderr.splitlines()) == 1
    assert (folder / "evening.phhs").read_text() == "mine"


def test_a_hand_that_did_not_end_is_no_history(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.db", boot="b")
    journal.append([(event, 1, 1_000) for event in dealt(3).log])
    journal.close()
    assert betline(tmp_path, "export", "x.phhs", "--journal", "journal.db").stdout == "x.phhs: 0 hands\n"
