"""Hands through the engine alone, beside PokerKit on the same hands.

Both sides get hands that were read before, and end each with the same stacks. PokerKit applies the recorded actions.

    engine alone    our engine gets what perfect antennas and keys give: chips that move, cards that rest, words, the
                    sweep, the change, the payout: about twice as many steps a hand
    actions only    our engine gets what PokerKit gets: hole cards a seat at a time, a word an action, the board, and
                    who shows; no chip moves

A note tells the steps of a hand and the microseconds of each, on both sides.
"""

import gzip
import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import peers
from benchmarks.peers import MissingPeerError
from benchmarks.rows import Row, Size, Tell, times
from benchmarks.timing import interleaved
from controller.commands import Say, Show
from controller.engine.engine import Engine
from controller.histories import phh as history
from controller.histories.phh import RecordedHand
from controller.places import BOARD, Place, Zone
from controller.rulings.rules import Rules
from controller.rulings.values import Word
from controller.table.events import HandEnded
from controller.table.inputs import CardsRested, Input, Told
from controller.table.setup import House, Sensors
from controller.table.state import State
from firmware_bridge.events import Value
from simulator import acts
from simulator.books import Decision, unsupported
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
            text = some_hands(path, size.hands)
            scripts = list(_scripts(text, path.name))
            yield _row(path, text, _with_chips(scripts), size, tell)
            yield _row(path, text, _actions_only(scripts), size, tell)


class Side(NamedTuple):
    """Our side of a row."""

    what: str
    engine: Engine
    played: list[Played]


def _row(path: Path, text: str, side: Side, size: Size, tell: Tell) -> Row:
    what, engine, played = side
    sides: dict[str, Callable[[], object]] = {"ours": lambda: [final_stacks(engine, hand) for hand in played]}
    steps = {"ours": sum(len(hand.inputs) for hand in played) / len(played)}
    try:
        every = list(peers.pokerkit().HandHistory.load_all(io.BytesIO(text.encode())))
        theirs = [every[hand.number] for hand in played]
        assert sides["ours"]() == pokerkit_stacks(theirs), "PokerKit ends hands with other stacks than we do"
        sides["pokerkit"] = lambda: pokerkit_stacks(theirs)
        steps["pokerkit"] = sum(len(hand.actions) for hand in theirs) / len(theirs)
        missing = ""
    except MissingPeerError as error:
        missing = f"; {error}"
    tell(f"{len(played)} hands of {path.name}, {what}")
    taken = {name: len(played) / seconds for name, seconds in interleaved(sides, size.repetitions).items()}
    each = [f"{name} {steps[name]:.0f} steps of {1e6 / taken[name] / steps[name]:.0f} us" for name in taken]
    return Row(
        group=GROUP,
        what=f"no-limit hands of {path.name.partition('.')[0]}, {what}",
        unit="hands/s",
        better="more",
        ours=taken["ours"],
        peer="pokerkit",
        theirs=taken.get("pokerkit"),
        aim=times(1),
        note=", ".join(each) + missing,
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


def _with_chips(scripts: list[tuple[int, Script]]) -> Side:
    engine = Engine(all_chips(), Rules.named("TDA2024"), House(), sensors(MOST_SEATS))
    return Side("engine alone", engine, [_rehearsed(engine, number, script) for number, script in scripts])


# ---------------------------------------------------------------- actions only
def _actions_only(scripts: list[tuple[int, Script]]) -> Side:
    seen = Sensors(holes=frozenset(range(1, MOST_SEATS + 1)), board=True)
    engine = Engine({}, Rules.named("TDA2024"), House(), seen)
    played = [Played(number, script, baseline(script), tuple(_acts(script))) for number, script in scripts]
    return Side("actions only", engine, played)


def _acts(script: Script) -> Iterator[Input]:
    """What PokerKit is told of a hand, as inputs of the engine."""
    board = [move.item for cue in script.cues if isinstance(cue.act, acts.DealBoard) for move in cue.act.moves]
    for seat, cards in _hole_cards(script).items():
        yield CardsRested(0, Place(Zone.HOLE, seat), tuple(cards))
    street = 0
    for decision in script.decisions:
        if decision.street > street:
            street = decision.street
            yield CardsRested(0, BOARD, tuple(board[: street + 2]))
        yield Told(0, Say(decision.seat, _word(decision)), "dealer")
    for count in (3, 4, 5):
        if street + 2 < count <= len(board):  # a run-out
            yield CardsRested(0, BOARD, tuple(board[:count]))
    if len(script.setting.stacks) - sum(decision.kind == "fold" for decision in script.decisions) > 1:
        yield Told(0, Show(None), "dealer")


def _hole_cards(script: Script) -> dict[int, list[str]]:
    cards: dict[int, list[str]] = {}
    for cue in script.cues:
        for move in cue.act.moves if isinstance(cue.act, acts.DealHole) else ():
            cards.setdefault(move.target.seat or 0, []).append(move.item)
    return cards


def _word(decision: Decision) -> Word:
    match decision.kind:
        case "bet" | "raise":
            return Word("raise_to", decision.total)
        case "check" | "call" | "fold" as kind:
            return Word(kind)


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
