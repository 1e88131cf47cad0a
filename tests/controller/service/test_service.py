"""The controller as it runs: real process, journal, sockets, pseudo-terminals, signals."""

import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller import commands
from controller.journal.copies import copy_of
from controller.places import BOARD, MUCK, POT
from controller.snapshot import DealerSnapshot
from controller.table.events import Ruled
from tests.betline.in_process import betline
from tests.controller.core_table import CHIPS, FLOP, HANDS, spot, tray
from tests.controller.running import Running, eventually, in_a_hand

FOREIGN = "E0049999AAAA0001"
STACK = sum(value * many for value, many in CHIPS.items())


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Running]:
    made = Running(tmp_path)
    yield made
    made.close()


def rulings(table: Running) -> list[tuple[int, str, int]]:
    """What the journal holds, read from a copy."""
    with copy_of(table.folder / "journal.db") as journal:
        events = [row.event for row in journal.events()]
    return [(e.seat, e.reading.action, e.reading.total_to) for e in events if isinstance(e, Ruled)]


def ruled(seat: int, action: str) -> Callable[[DealerSnapshot], bool]:
    def seen(snapshot: DealerSnapshot) -> bool:
        ruling = snapshot.ruling
        return ruling is not None and (ruling.seat, ruling.action) == (seat, action)

    return seen


# ---------------------------------------------------------------- one evening
def test_a_hand_by_chips_and_words_from_the_first_round_to_the_stacks(table: Running) -> None:
    """Ready is told to systemd, trays are counted, chips and words are ruled, SIGTERM ends it cleanly."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(table.folder / "notify"))
        manager.settimeout(60)
        env = {"NOTIFY_SOCKET": str(table.folder / "notify"), "WATCHDOG_USEC": "2000000"}
        dealer = table.start("--verbose", env=env)
        assert manager.recv(1000) == b"READY=1\nSTATUS=table test is open"
        in_a_hand(table, dealer)
        table.push(1, 500, 100)
        dealer.sees(ruled(1, "raise"), "the raise")
        assert dealer.say(2, "fold") is None
        table.push(3, 500)
        seen = dealer.sees(ruled(3, "call"), "the call")
        assert [seat.stack for seat in seen.seats] == [STACK - 600, STACK - 50, STACK - 600]
        table.move([n for n, w in table.where.items() if w in {spot(1), spot(2), spot(3)}], lambda _: POT)
        table.move(FLOP, lambda _: BOARD)
        dealer.sees(lambda seen: seen.street == "flop" and len(seen.board) == 3, "the flop")
        assert dealer.say(3, "check") is None
        table.push(1, 100)
        dealer.sees(ruled(1, "bet"), "the bet")
        table.move(HANDS[3], lambda _: MUCK)
        seen = dealer.sees(lambda seen: seen.seats[0].won > 0, "the pot goes to seat 1")
        assert seen.seats[0].won == 1250
        assert manager.recv(1000) == b"WATCHDOG=1"
        status, out, err = table.end()
        assert status == 0
        assert out.startswith("table 'test' is open: 3 seats; readers: "), "a beginner waits for this"
        assert "betline screen --config" in out
        assert "Traceback" not in err
        heard = [manager.recv(1000) for _ in range(1)]
        while heard[-1] == b"WATCHDOG=1":
            heard.append(manager.recv(1000))
        assert heard[-1] == b"STOPPING=1"
    assert [action for _, action, _ in rulings(table)] == ["raise", "fold", "call", "check", "bet", "fold"]
    assert not (table.folder / "dealer.sock").exists(), "the sockets are gone"


# ---------------------------------------------------------------- killed
def test_a_controller_killed_in_a_hand_goes_on_where_it_was(table: Running) -> None:
    """Count-in again; what was moved meanwhile is listed, and can be accepted; undo reaches over the restart."""
    dealer = table.start()
    in_a_hand(table, dealer)
    table.push(1, 100)
    before = dealer.sees(ruled(1, "call"), "the call")
    table.end(signal.SIGKILL)
    moved = ["s3-1000-0"]
    table.move(moved, lambda _: tray(1))
    dealer = table.start()
    first = dealer.sees(lambda seen: seen.phase == "counting_in", "it counts in again")
    assert first.epoch == before.epoch
    assert first.n >= before.n
    seen = dealer.sees(lambda seen: seen.phase == "betting", "the hand goes on")
    assert (seen.hand_number, seen.to_act) == (1, 2)
    differences = next(notice for notice in seen.notices if notice.key == "differences")
    assert moved[0] in differences.text["en"]
    assert dealer.tell(commands.AcceptDifferences()) is None
    dealer.sees(lambda seen: not [n for n in seen.notices if n.key == "differences"], "accepted")
    table.push(2, 50)
    dealer.sees(ruled(2, "call"), "the small blind calls")
    assert dealer.tell(commands.Undo()) is None
    dealer.sees(lambda seen: seen.to_act == 2, "the call is undone")
    table.end()
    with copy_of(table.folder / "journal.db") as journal:
        assert journal.verify().faults == ()


# ---------------------------------------------------------------- readers
def test_a_table_where_nothing_happens_is_told_again_and_again(table: Running) -> None:
    """Only so can a screen tell a quiet table from one that hangs."""
    dealer = table.start()
    dealer.sees(lambda seen: seen.phase == "between_hands", "the table is counted in")
    before, seen = dealer.snapshots, dealer.latest
    eventually(lambda: dealer.snapshots >= before + 3, "the same snapshot again")
    assert dealer.latest == seen


def test_an_unplugged_reader_is_shown_and_the_hand_goes_on_without_it(table: Running) -> None:
    dealer = table.start()
    in_a_hand(table, dealer)
    table.terminals.unplug("seat1")
    seen = dealer.sees(lambda seen: _reader(seen, "seat1") == "lost", "the reader is lost")
    assert "unplugged" in next(reader.text["en"] for reader in seen.readers if reader.id == "seat1")
    dealer.sees(lambda seen: not seen.seats[0].known, "its seat is not known")
    assert dealer.say(1, "call") is None
    table.push(2, 50)
    dealer.sees(ruled(2, "call"), "another seat's chips are ruled")
    table.terminals.plug("seat1")
    dealer.sees(lambda seen: _reader(seen, "seat1") == "up" and seen.seats[0].known, "the reader is back")
    table.push(1, 100)
    dealer.sees(lambda seen: seen.seats[0].missing == 0, "the chips of the call came")


def _reader(seen: DealerSnapshot, name: str) -> str:
    return next(reader.state for reader in seen.readers if reader.id == name)


def test_a_tag_that_is_no_chip_is_ignored_for_good(table: Running) -> None:
    table.lay_stray(FOREIGN, spot(2))
    dealer = table.start()
    dealer.sees(lambda seen: _has(seen, "foreign_tag"), "a foreign tag")
    assert dealer.tell(commands.NotAChip("tray", 2)) == "There is no unknown tag there."
    assert dealer.tell(commands.NotAChip("nonsense")) == "There is no unknown tag there."
    assert dealer.tell(commands.NotAChip("spot", 2)) is None
    dealer.sees(lambda seen: not _has(seen, "foreign_tag"), "nothing foreign")
    table.end(signal.SIGKILL)
    dealer = table.start()
    dealer.sees(lambda seen: seen.phase == "between_hands", "counted in")
    table.push(1, 100)
    seen = dealer.sees(lambda seen: seen.seats[0].front == 100, "rounds later")
    assert not _has(seen, "foreign_tag")


def _has(seen: DealerSnapshot, key: str) -> bool:
    return any(notice.key == key for notice in seen.notices)


# ---------------------------------------------------------------- the world outside
def test_a_table_goes_on_from_a_journal_that_was_put_away(table: Running) -> None:
    """Stacks, names and the place of every chip; the antennas find nothing that differs, and a hand can be played."""
    dealer = table.start()
    dealer.sees(lambda seen: seen.phase == "between_hands", "the table is counted in")
    assert dealer.tell(commands.SeatIn(2, "Anna")) is None
    assert dealer.tell(commands.SetStack(3, 777)) is None
    seen = dealer.sees(lambda seen: seen.seats[2].stack == 777, "the stack")
    table.end()
    assert betline(("journal", "archive", "--config", table.path)).returncode == 0
    dealer = table.start()
    again = dealer.sees(lambda seen: seen.phase == "between_hands" and all(s.known for s in seen.seats), "counted in")
    assert [(seat.name, seat.stack) for seat in again.seats] == [(seat.name, seat.stack) for seat in seen.seats]
    assert again.epoch != seen.epoch
    assert not [notice for notice in again.notices if "differ" in notice.key]
    in_a_hand(table, dealer)


def test_without_a_broker_the_table_plays_and_ends(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        table = Running(tmp_path, broker_port=closed.getsockname()[1])
        try:
            dealer = table.start()
            dealer.sees(lambda seen: seen.broker == "down", "no broker")
            in_a_hand(table, dealer)
            table.push(1, 100)
            dealer.sees(ruled(1, "call"), "the call")
            status, _, err = table.end()
            assert status == 0
            assert "Traceback" not in err
        finally:
            table.close()


def test_absurd_lines_on_the_dealers_socket_end_nothing(table: Running) -> None:
    dealer = table.start()
    in_a_hand(table, dealer)
    dealer.write(b"\x00\xff{]\n" + b"x" * 100_000 + b"\n" + b'{"id": "a", "command": {"type": "blow up"}}\n')
    dealer.write(b'{"id": "b", "command": {"type": "stack", "seat": 1e99, "stack": -1}}\n')
    assert dealer.tell(commands.SetStack(99, 10**15)) is not None
    assert dealer.tell(commands.Award(-5, (99,))) is not None
    assert dealer.say(99, "raise_to", -(10**12)) is not None
    seen = dealer.sees(lambda seen: seen.last_refusal is not None, "the refusal")
    assert seen.to_act == 1
    public = table.client("public")
    public.write(b'{"id": "1", "command": {"type": "undo"}}\n')
    assert public.sees(lambda seen: True, "a snapshot").to_act == 1
    assert dealer.say(1, "call") is None


def test_everybody_hears_which_colour_the_houses_chips_have(table: Running) -> None:
    """The set of chips.csv, where it is a colour; a set of another name stays in the house."""
    chips = table.folder / "chips.csv"
    rows = chips.read_text(encoding="utf-8").splitlines()
    coloured = [row.replace(",demo,", ",Red,") if ",500,chip," in row else row for row in rows]
    assert coloured != rows
    chips.write_text("\n".join(coloured) + "\n", encoding="utf-8")
    dealer = table.start()
    for client in (dealer, table.client("public")):
        assert client.sees(lambda seen: True, "a snapshot").chip_colours == ((500, "red"),)
