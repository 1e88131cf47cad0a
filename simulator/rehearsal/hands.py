"""Goes through files of hands and plays each one: engine alone, or with virtual readers before it."""

import os
import signal
from collections.abc import Iterator, Sequence
from itertools import count
from multiprocessing import Pool
from pathlib import Path
from typing import Literal

from controller.errors import HistoryError
from controller.histories import phh as history
from controller.histories.phh import RecordedHand, Unreadable
from firmware_bridge.events import Value
from simulator.books import unsupported
from simulator.director import script_of
from simulator.models.models import Model
from simulator.players import Dice, Style
from simulator.radio import Noise
from simulator.rehearsal.engine import ThroughEngine
from simulator.rehearsal.readers import Dealer, ThroughReaders
from simulator.rehearsal.report import Skipped
from simulator.rehearsal.verdict import Mismatch, Verdict

Outcome = Verdict | Skipped | Mismatch
HANDS_A_WORKER = 4  # fewer are not worth a process
IN_PARTS = "recorded in half chips: the pot was split into parts of a chip, which no table can pay"


class Job(Value, frozen=True):
    """One hand to play. Its chances depend on the seed and its place alone, not on the hands before it."""

    hand: RecordedHand | Unreadable
    seed: str
    noise: Noise
    models: tuple[Model, ...] = ()
    dealer: Dealer = "oracle"


def play(
    files: Sequence[Path],
    through: Literal["engine", "readers"],
    limit: int | None,
    seed: int,
    noise: Noise,
    *,
    models: tuple[Model, ...] = (),
    dealer: Dealer = "oracle",
) -> Iterator[Outcome]:
    """One outcome a hand, in order."""
    numbers = count() if limit is None else range(limit)
    jobs = (
        Job(hand, f"{seed}:{number}", noise, models, dealer)
        for number, hand in zip(numbers, _hands(files), strict=False)
    )
    if through == "readers":
        yield from _side_by_side(list(jobs))
        return
    table = ThroughEngine()
    for job in jobs:
        yield outcome_of(job, table)


def _side_by_side(jobs: list[Job]) -> Iterator[Outcome]:
    """Through readers a hand takes a good part of a second: a process for each core."""
    workers = min(os.cpu_count() or 1, -(-len(jobs) // HANDS_A_WORKER))
    if workers <= 1:
        yield from map(_through_readers, jobs)
        return
    with Pool(workers, _leave_interrupts_to_the_parent) as pool:  # leaving it ends the workers at once
        yield from pool.imap(_through_readers, jobs)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _through_readers(job: Job) -> Outcome:
    return outcome_of(job, ThroughReaders(job.noise, job.models, job.dealer))


def _hands(files: Sequence[Path]) -> Iterator[RecordedHand | Unreadable]:
    for path in files:
        yield from history.read(path)


def outcome_of(job: Job, table: ThroughEngine | ThroughReaders) -> Outcome:
    hand, dice = job.hand, Dice(job.seed)
    if isinstance(hand, Unreadable):
        return Mismatch(hand.name, hand.why)
    why = unsupported(hand)
    if why is not None:
        return Skipped(hand.name, why)
    try:
        script = script_of(hand, dice, Style())
    except HistoryError as error:
        return Mismatch(hand.name, str(error).removeprefix(f"{hand.name}: "))
    verdict = table.play(script, dice)
    if hand.in_parts and verdict.mismatch is None:
        return Skipped(hand.name, IN_PARTS)
    return verdict
