"""Hands through the engine alone, beside PokerKit on the same hands.

Both sides get hands that were read before, and end each with the same stacks. PokerKit
applies the recorded actions; our engine gets what perfect antennas and keys give: chips that move, cards that rest,
words, the sweep, the change, the payout. So it takes about twice as many steps a hand.
"""

import gzip
import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import peers
from benchmarks.peers import MissingPeerError
from benchmarks.rows import Row, Size, Tell, times
from benchmarks.timing import interleaved
from controller.engine.engine import Engine
from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from controller.rulings.rules import Rules
from controller.table.events import HandEnded
from controller.table.inputs import Input, Told
from controller.table.setup import House
from controller.table.state import State
from firmware_bridge.events import Value
from simulator.books import unsupported
from simulator.director import script_of
from simulator.players import Dice, Style
from simulator.rehearsal.engine import MOST_SEATS, Stage, all_chips, answer, baseline, sensors
from simulator.rehearsal.verdict import Witness
from simulator.script import Script

GROUP = "hands"
ROOT = Path(__file__).parent.parent
FOLDER = Path(os.environ.get("BETLINE_HANDS", ROOT.parent / "shared" / "hands"))
REAL = FOLDER / "pluribus-3000.phhs.gz"
RANDOM = ROOT / "tests" / "data" / "random-nt.phhs"
MOST_ANSWERS = 3  # an answer may lead to another question, never to many


class Played(Value, frozen=True):
    """One hand as the engine gets it: the table before it, and all that is seen and said, answers included."""

    number: int  # in the text, from 0
    script: Script
    table: State
    inputs: tuple[Input, ...]


def rows(size: Size, tell: Tell) -> Iterator[Row]:
    for path in (REAL, RANDOM):
        if path.is_file():
            tell(f"players choose their chips: {path.name}")
            yield _row(path, size, tell)


def _row(path: Path, size: Size, tell: Tell) -> Row:
    text = some_hands(path, size.hands)
    engine = Engine(all_chips(), Rules.named("TDA2024"), House(), sensors(MOST_SEATS))
    played = [_rehearsed(engine, number, script) for number, script in _scripts(text, path.name)]
    sides: dict[str, Callable[[], object]] = {"ours": lambda: [final_stacks(engine, hand) for hand in played]}
    note = f"{sum(len(hand.inputs) for hand in played) / len(played):.0f} steps a hand"
    try:
        every = list(peers.pokerkit().HandHistory.load_all(io.BytesIO(text.encode())))
        theirs = [every[hand.number] for hand in played]
        assert sides["ours"]() == pokerkit_stacks(theirs), "PokerKit ends hands with other stacks than we do"
        sides["pokerkit"] = lambda: pokerkit_stacks(theirs)
    except MissingPeerError as missing:
        note = f"{note}; {missing}"
    tell(f"{len(played)} hands of {path.name}")
    taken = {name: len(played) / seconds for name, seconds in interleaved(sides, size.repetitions).items()}
    return Row(
        group=GROUP,
        what=f"no-limit hands of {path.name.partition('.')[0]}, engine alone",
        unit="hands/s",
        better="more",
        ours=taken["ours"],
        peer="pokerkit",
        theirs=taken.get("pokerkit"),
        aim=times(10),
        note=note,
    )


def some_hands(path: Path, count: int) -> str:
    """The text of so many hands of a .phhs file, from its begin to its end."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    hands = re.split(r"^(?=\[\d+\]$)", text, flags=re.MULTILINE)[1:]
    count = min(count, len(hands))
    return "".join(hands[number * len(hands) // count] for number in range(count))


def final_stacks(engine: Engine, hand: Played) -> list[int]:
    """Play a hand; the stacks that it ends with, from the seat left of the button on."""
    state = hand.table
    stacks: dict[int, int] = {}
    for given in hand.inputs:
        state, events = engine.step(state, given)
        for event in events:
            if isinstance(event, HandEnded):
                stacks = {share.seat: share.amount for share in event.stacks}
    return [stacks[seat] for seat in hand.script.setting.stacks]


def pokerkit_stacks(hands: Sequence[Any]) -> list[list[int]]:
    found = []
    for hand in hands:
        *_, end = hand
        found.append(list(end.stacks))
    return found


def _scripts(text: str, source: str) -> Iterator[tuple[int, Script]]:
    """Hands that both sides can end: no-limit hold'em, no pot split into parts of a chip."""
    for number, hand in enumerate(history.parse(text, source)):
        if isinstance(hand, RecordedHand) and unsupported(hand) is None and not hand.in_parts:
            yield number, script_of(hand, Dice(f"benchmark:{number}"), Style())


def _rehearsed(engine: Engine, number: int, script: Script) -> Played:
    """Play a hand once, to know which questions the engine asks and what the dealer answers."""
    stage, witness, table = Stage(), Witness(script), baseline(script)
    state = table
    inputs: list[Input] = []

    def give(given: Input) -> None:
        nonlocal state
        inputs.append(given)
        state, events = engine.step(state, given)
        witness.see(events)

    for cue in script.cues:
        for given in stage.inputs(cue):
            give(given)
            for _ in range(MOST_ANSWERS):
                question = state.hand.question if state.hand is not None else None
                if question is not None:
                    give(Told(stage.at_ns, answer(question, witness.expected(question.seat)), "dealer"))
    assert witness.verdict().mismatch is None, f"{witness.verdict().mismatch}"
    return Played(number, script, table, tuple(inputs))
