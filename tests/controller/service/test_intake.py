"""A reader that floods waits, alone; the log of readers is no flood."""

import logging
import queue
import threading

import pytest

from controller.core.reader_states import ReaderState
from controller.service.intake import MOST_WAITING, Intake
from controller.service.reader_log import EVERY_NS, ReaderLog
from firmware_bridge.events import BadFrame, ReaderEvent


def bad(reader: str) -> BadFrame:
    return BadFrame(reader, 1, "noise", b"\x01")


def test_a_reader_that_floods_waits_until_the_core_has_caught_up() -> None:
    """Memory is bounded, nothing is lost, and each reader's events keep their order."""
    events: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()
    intake = Intake(events.put, threading.Event().wait)
    sent = [BadFrame("noisy", number, "noise", b"") for number in range(4 * MOST_WAITING)]

    def spout() -> None:
        for event in sent:
            intake.put(event)

    flood = threading.Thread(target=spout)
    flood.start()
    taken: list[ReaderEvent] = []
    while len(taken) < len(sent):
        assert intake.waiting("noisy") <= MOST_WAITING + 1
        taken.append(events.get(timeout=60))
        intake.took(taken[-1])
    flood.join(60)
    assert taken == sent


def test_the_other_readers_do_not_wait_for_it() -> None:
    events: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()

    def pause(_: float) -> bool:
        raise TimeoutError

    intake = Intake(events.put, pause)
    for _ in range(MOST_WAITING):
        intake.put(bad("noisy"))
    with pytest.raises(TimeoutError):
        intake.put(bad("noisy"))
    intake.put(bad("west"))
    assert (intake.waiting("noisy"), intake.waiting("west")) == (MOST_WAITING + 1, 1)


def test_a_table_that_ends_holds_no_port_up() -> None:
    events: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()
    intake = Intake(events.put, lambda _: True)
    for _ in range(2 * MOST_WAITING):
        intake.put(bad("noisy"))


# ---------------------------------------------------------------- the log
def fault(count: int) -> ReaderState:
    return ReaderState("fault", f"{count} frames were lost")


def test_a_fault_that_counts_is_a_line_now_and_then(caplog: pytest.LogCaptureFixture) -> None:
    log = ReaderLog()
    with caplog.at_level(logging.WARNING, "betline"):
        for count in range(1000):
            log.look({"west": fault(count)}, count * EVERY_NS // 400)
    assert [record.getMessage() for record in caplog.records] == [
        f"reader west: fault: {count} frames were lost" for count in (0, 400, 800)
    ]


def test_another_state_and_the_same_fault_after_it_was_well_are_told_at_once(caplog: pytest.LogCaptureFixture) -> None:
    log = ReaderLog()
    states = [fault(1), ReaderState("lost", "unplugged"), ReaderState("up"), ReaderState("lost", "unplugged"), fault(1)]
    with caplog.at_level(logging.WARNING, "betline"):
        for state in states:
            log.look({"west": state}, 5)
            log.look({"west": state}, 6)
    assert [record.getMessage().split(": ")[1] for record in caplog.records] == [
        "fault",
        "lost",
        "up again",
        "lost",
        "fault",
    ]
