"""A controller that runs asks the boards that can for single chips, and what it asked is on record."""

from collections import Counter
from pathlib import Path

from controller.recording.file import Line, Recording
from firmware_bridge.events import ScanRound
from tests.betline.in_process import betline
from tests.controller.running import Running, in_a_hand
from tests.controller.service.test_service import ruled


def lines_of(table: Running, flashed: str) -> list[Line]:
    """A hand up to a raise by seat 1, and the recording of it."""
    dealer = table.start("--record", str(table.folder / f"{flashed}.betrec"))
    in_a_hand(table, dealer)
    table.push(1, 500, 100)
    dealer.sees(ruled(1, "raise"), "the raise")
    table.end()
    with Recording(table.folder / f"{flashed}.betrec") as recording:
        return list(recording.lines())


def test_the_board_of_the_seat_that_pushes_is_asked_for_its_chips_and_answers(tmp_path: Path) -> None:
    table = Running(tmp_path, flashed=("seat1",))
    try:
        lines = lines_of(table, "seat1")
    finally:
        table.close()
    asked = [line.ask for line in lines if line.ask and line.port == "seat1"]
    pushed = {table.registry.items[name].tag for name, place in table.where.items() if place.seat == 1}
    assert {tag for wanted in asked for tags in wanted.values() for tag in tags} <= pushed
    assert {antenna for wanted in asked for antenna in wanted} >= {1, 2}
    answers = [line.given for line in lines if isinstance(line.given, ScanRound) and line.given.absent]
    assert Counter(answer.reader for answer in answers).keys() == {"seat1"}
    assert all(not answer.complete for answer in answers)
    done = betline(["replay", tmp_path / "seat1.betrec"])
    assert (done.returncode, ": exact:" in done.stdout) == (0, True), done.stdout


def test_a_reader_that_cannot_is_sent_no_question(tmp_path: Path) -> None:
    table = Running(tmp_path)
    try:
        lines = lines_of(table, "none")
    finally:
        table.close()
    assert any(line.ask for line in lines), "the table would have liked to know"
    assert not [line for line in lines if line.tx and "0183" in line.tx]
    assert not [line for line in lines if isinstance(line.given, ScanRound) and line.given.absent]
