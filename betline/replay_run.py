"""Goes through files of hands and plays each one: engine alone, or with virtual readers before it."""

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Literal

from betline.replay_engine import ThroughEngine
from betline.replay_readers import ThroughReaders
from betline.replay_report import Skipped
from betline.replay_verdict import Mismatch, Verdict
from controller import history
from controller.errors import HistoryError
from controller.history import RecordedHand, Unreadable
from simulator.books import unsupported
from simulator.director import script_of
from simulator.players import Dice, Style
from simulator.radio import Noise

Outcome = Verdict | Skipped | Mismatch
IN_PARTS = "recorded in half chips: the pot was split into parts of a chip, which no table can pay"


def play(
    files: Sequence[Path], through: Literal["engine", "readers"], limit: int | None, seed: int, noise: Noise
) -> Iterator[Outcome]:
    """One outcome a hand, in order. A hand's chances depend on the seed and its place alone, not on what was before."""
    table = ThroughEngine() if through == "engine" else ThroughReaders(noise)
    for number, hand in zip(count() if limit is None else range(limit), _hands(files), strict=False):
        yield outcome_of(hand, table, Dice(f"{seed}:{number}"))


def _hands(files: Sequence[Path]) -> Iterator[RecordedHand | Unreadable]:
    for path in files:
        if path.suffix == ".betrec":
            raise HistoryError(f"{path}: recordings cannot be replayed yet: give hands in .phh or .phhs")
        yield from history.read(path)


def outcome_of(hand: RecordedHand | Unreadable, table: ThroughEngine | ThroughReaders, dice: Dice) -> Outcome:
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
