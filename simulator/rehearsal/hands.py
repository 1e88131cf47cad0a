"""Goes through files of hands and plays each one: engine alone, or with virtual readers before it."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from multiprocessing import Pool
from pathlib import Path
from typing import Literal

from controller.errors import HistoryError
from controller.histories import phh as history
from controller.histories.phh import RecordedHand, Unreadable
from firmware_bridge.events import Value
from simulator.books import ante_of, unsupported
from simulator.director import script_of
from simulator.evenings import Evening
from simulator.models.models import Model
from simulator.models.people import as_people_do
from simulator.players import Dice, Style
from simulator.radio import Noise
from simulator.rehearsal.engine import ThroughEngine
from simulator.rehearsal.readers import Dealer, ThroughAnEvening, ThroughReaders
from simulator.rehearsal.report import Skipped
from simulator.rehearsal.verdict import Mismatch, Verdict
from simulator.script import Script

Outcome = Verdict | Skipped | Mismatch
Played = ThroughEngine | ThroughReaders | ThroughAnEvening
HANDS_A_WORKER = 4  # fewer are not worth a process
OTHER_GAME = "another game, or other antes, than the first hand: an evening is played at one table"
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
    evening: bool = False,
) -> Iterator[Outcome]:
    """One outcome a hand, in order. `evening`: all at one table, whose chips go on from hand to hand."""
    numbers = count() if limit is None else range(limit)
    jobs = (
        Job(hand, f"{seed}:{number}", noise, models, dealer)
        for number, hand in zip(numbers, _hands(files), strict=False)
    )
    if evening:
        yield from _one_evening(list(jobs))
        return
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
    dice = Dice(job.seed)
    return _unplayed(job.hand) or _played(job, table, partial(script_of, dice=dice, style=Style()), dice)


def _unplayed(hand: RecordedHand | Unreadable) -> Skipped | Mismatch | None:
    if isinstance(hand, Unreadable):
        return Mismatch(hand.name, hand.why)
    why = unsupported(hand)
    return None if why is None else Skipped(hand.name, why)


def _played(job: Job, table: Played, script: Callable[[RecordedHand], Script], dice: Dice) -> Outcome:
    hand = job.hand
    assert isinstance(hand, RecordedHand)
    try:
        made = as_people_do(script(hand), job.models)
    except HistoryError as error:
        return Mismatch(hand.name, str(error).removeprefix(f"{hand.name}: "))
    verdict = table.play(made, dice)
    if hand.in_parts and verdict.mismatch is None:
        return Skipped(hand.name, IN_PARTS)
    return verdict


def _one_evening(jobs: list[Job]) -> Iterator[Outcome]:
    hands = [job.hand for job in jobs if isinstance(job.hand, RecordedHand) and _unplayed(job.hand) is None]
    hands = [hand for hand in hands if _stakes(hand) == _stakes(hands[0])]
    if not hands:
        yield from (outcome for job in jobs if (outcome := _unplayed(job.hand)) is not None)
        return
    first = jobs[0]
    chips = Evening(hands)
    table = ThroughAnEvening(ThroughReaders(first.noise, first.models, first.dealer))
    for job in jobs:
        if job.hand in hands:
            dice = Dice(job.seed)
            yield _played(job, table, partial(chips.script, dice=dice, style=Style()), dice)
        else:
            yield _unplayed(job.hand) or Skipped(job.hand.name, OTHER_GAME)


def _stakes(hand: RecordedHand) -> tuple[object, ...]:
    """What a table cannot change between two hands."""
    return hand.variant, hand.big_bet, hand.spread, ante_of(hand)
