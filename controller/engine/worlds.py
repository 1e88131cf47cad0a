"""Where items may lie otherwise than they were seen: what would be ruled then, and the question that people are asked.

Which worlds are open, and how likely, the core says (`controller/core/worlds.py`); here they are judged.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from controller.commands import Answer, By
from controller.engine import pushes
from controller.engine.choosing import chosen
from controller.engine.draft import Draft
from controller.hand.betting import must_act
from controller.rulings.values import Reading, Ruling
from controller.table import inputs
from controller.table.balance import unjudged
from controller.table.events import Answered, Asked, Event, Overruled, Refused, Ruled, Supposed
from controller.table.phases import BETTING
from controller.table.state import State

Step = Callable[[State, inputs.Input], tuple[State, tuple[Event, ...]]]


class Outcome(NamedTuple):
    """What would be ruled; two worlds with equal `acts` are one for the rules.

    Change due and chips to add are no part of it: the account mends them by itself, whenever a chip is read.
    """

    acts: tuple[tuple[int, str, int], ...]  # seat, action and total of all that is ruled
    to_act: int | None
    asked: str  # why the table would ask
    reading: Reading | None  # of the seat in question, the last


def outcome(state: State, seat: int, given: Sequence[inputs.Input], step: Step) -> Outcome | None:
    """What would be ruled of these inputs, of which the last is an act of this seat."""
    events: list[Event] = []
    for one in given:
        state, more = step(state, one)
        if any(isinstance(event, Refused) for event in more):
            return None
        events += more
    acts = [(e.seat, e.reading.action, e.reading.total_to) for e in events if isinstance(e, Ruled | Overruled)]
    last = [e.reading for e in events if isinstance(e, Ruled | Overruled) and e.seat == seat and not _inferred(e)]
    asked = [e for e in events if isinstance(e, Asked)]
    reading = last[-1] if last else asked[-1].ruling.chosen if asked else None
    why = f"{asked[-1].why} {_named(reading)}" if asked else ""
    return Outcome(tuple(acts), None if state.hand is None else state.hand.to_act, why, reading)


def _inferred(event: Ruled | Overruled) -> bool:
    return isinstance(event, Ruled) and event.inferred


def _named(reading: Reading | None) -> str:
    return "" if reading is None else f"{reading.action} {reading.total_to}"


# ---------------------------------------------------------------- who may have acted unseen
def could_have_bet(draft: Draft, seat: int) -> tuple[int, ...]:
    """Seats that may have bet unseen before this act of `seat`.

    He owes nothing, and may have checked in silence before them; or they come between the seat to act and him.
    """
    player = draft.player(seat)
    if player is None or draft.phase is not BETTING or draft.hand.to_act is None:
        return ()
    if player.bet < draft.hand.current_bet:
        return ()
    return tuple([p.seat for p in draft.hand.players if p.seat != seat and must_act(draft.hand, p)])


# ---------------------------------------------------------------- asked, and answered
def ask(draft: Draft, given: inputs.Unsure) -> None:
    player = draft.player(given.seat)
    if player is None or draft.state.hand is None or draft.hand.question is not None:
        return
    readings = tuple([one.reading for one in given.worlds if one.reading is not None])
    ruling = Ruling(None, "worlds", {}, readings)
    draft.emit(Asked(draft.state.seq, given.seat, ruling, given.chips, "worlds", worlds=given.worlds))


def is_asked(draft: Draft) -> bool:
    """Whether people are asked where items lie."""
    question = draft.state.hand.question if draft.state.hand is not None else None
    return question is not None and question.why == "worlds"


def answered_by_antennas(draft: Draft) -> None:
    if is_asked(draft):
        draft.emit(Answered(pushes.question_of(draft).id, None, "table"))


def answer(draft: Draft, command: Answer, by: By) -> None:
    """One of the worlds shown, by its number or by what would be ruled in it.

    The core hands on what waits, as it lies then. Where the chips lie here already (after a restart) they are ruled on.
    """
    question = pushes.question_of(draft)
    at = _at(question, command)
    if at is None:
        _answer_freely(draft, question, command, by)
        return
    reading = question.worlds[at].reading
    player = draft.player(question.seat)
    draft.emit(Answered(question.id, reading, by, at + 1))
    lying = () if player is None else unjudged(draft.state, player)
    if player is not None and reading is not None and {*question.chips} & {*lying}:
        pushes.act(draft, player, reading, question.ruling, lying, by="answer")


def _answer_freely(draft: Draft, question: Asked, command: Answer, by: By) -> None:
    """An action and an amount that no world has: a person's word is enough."""
    reading = None if command.reading is not None else chosen(draft, question.ruling.readings, question.seat, command)
    if reading is None:
        draft.refuse("no_such_reading", question.seat)
    else:
        draft.emit(Answered(question.id, reading, by))


def _at(question: Asked, command: Answer) -> int | None:
    if command.reading is not None:
        return command.reading - 1 if 0 < command.reading <= len(question.worlds) else None
    for at, one in enumerate(question.worlds):
        if one.reading is not None and _fits(one, command):
            return at
    return None


def _fits(one: Supposed, command: Answer) -> bool:
    reading = one.reading
    if reading is None or (command.action is None and command.total_to is None):
        return False
    return command.action in (None, reading.action) and command.total_to in (None, reading.total_to)
