"""What people change: undo, redo, another reading, an answer, a check that was none, a misdeal."""

from msgspec.structs import replace

from controller.commands import Answer, By, Overrule
from controller.engine import earlier, pushes, worlds
from controller.engine.choosing import chosen
from controller.engine.draft import Draft, refused
from controller.engine.progress import advance, turn
from controller.engine.situations import agreed, judge, settled
from controller.engine.waiting import hold
from controller.hand.rounds import with_round
from controller.rulings.values import Reading, Ruling, Word
from controller.table.choices import instead_of, must_choose
from controller.table.events import Misdealt, Overruled, Refused, Ruled, Share, Undone
from controller.table.phases import Phase
from controller.table.state import Checkpoint


# ---------------------------------------------------------------- undo
def undo(draft: Draft, by: By) -> None:
    """Back to before the last cause; chips stay where they lie."""
    if draft.state.past:
        draft.emit(Undone(draft.state.past[-1].seq, by))
    else:
        draft.refuse("nothing_to_undo")


def redo(draft: Draft, by: By) -> None:
    if draft.state.future:
        draft.emit(Undone(draft.state.future[0].seq, by))
    else:
        draft.refuse("nothing_to_redo")


def out_of_turn(draft: Draft, by: By) -> None:
    """The last inferred check was none: who acted behind it acted out of turn, and his chips wait."""
    hand, past = draft.state.hand, draft.state.past
    if hand is None or hand.inferred_seq is None or not past or past[-1].seq > hand.inferred_seq:
        draft.refuse("no_inferred_check")
        return
    last = hand.last_ruled
    draft.emit(Undone(past[-1].seq, by))
    to_act = turn(draft)
    for player in draft.hand.players:
        if player.seat != to_act and not player.folded:
            word = last.word if last is not None and last.seat == player.seat else None
            hold(draft, player.seat, word=word)


# ---------------------------------------------------------------- questions
def confirm(draft: Draft, by: By) -> None:
    """Agrees with the one ruling that is shown; which of several it is, and where chips lie, is never agreed to."""
    question = draft.state.hand.question if draft.state.hand is not None else None
    if question is not None and must_choose(question):
        draft.refuse("choose_a_number", question.seat)
    elif question is None or agreed(question.ruling) is None:
        draft.refuse("nothing_to_confirm")
    else:
        pushes.agree(draft, by)


def answer(draft: Draft, command: Answer, by: By) -> None:
    question = draft.state.hand.question if draft.state.hand is not None else None
    if question is None or command.question not in {None, question.id}:
        draft.refuse("no_question")
        return
    if worlds.is_asked(draft):
        worlds.answer(draft, command, by)
        return
    reading = chosen(draft, question.ruling.readings, question.seat, command)
    if reading is None:
        draft.refuse("no_such_reading", question.seat)
    else:
        pushes.answer(draft, reading, by)


# ---------------------------------------------------------------- overruling
def overrule(draft: Draft, command: Overrule, by: By) -> None:
    """Another reading for the last ruling, or for an earlier one of this round."""
    record = earlier.named(draft, command)
    if record is not None and record.seq != draft.hand.last_ruled_seq:
        earlier.overrule(draft, record, command, by)
        return
    last, before = _last_ruling(draft)
    asked_for_one = command.seat is not None or command.of is not None
    if last is None or before is None or (asked_for_one and record is None):
        draft.refuse("next_card" if earlier.is_too_late(draft, command) else "nothing_to_overrule", command.seat)
        return
    then = Draft(draft.setting, replace(draft.state, table=before.table, hand=before.hand))
    reading = chosen(then, instead_of(last), last.seat, command)
    if reading is None:
        draft.refuse("no_such_reading")
    else:
        put_right(draft, then, reading, by)


def _last_ruling(draft: Draft) -> tuple[Ruled | None, Checkpoint | None]:
    hand = draft.state.hand
    last = None if hand is None else hand.last_ruled
    return (None, None) if last is None else (last, draft.state.before_ruling)


def correct(draft: Draft, word: Word, by: By) -> None:
    """A dealer's word for a push that was ruled without it: judged again as if said in time."""
    then, ruling = in_time(draft, word)
    if ruling.chosen is None:
        draft.emit(_no_reading(draft))
    else:
        put_right(draft, then, ruling.chosen, by)


def no_such_reading(draft: Draft, word: Word) -> Refused | None:
    """Why a word corrects nothing."""
    return _no_reading(draft) if in_time(draft, word)[1].chosen is None else None


def _no_reading(draft: Draft) -> Refused:
    return refused("no_such_reading", draft.hand.last_ruled.seat if draft.hand.last_ruled else None)


def in_time(draft: Draft, word: Word) -> tuple[Draft, Ruling]:
    """The table before the last ruling, and what is ruled there if the word was said in time."""
    before, last = draft.state.before_ruling, draft.hand.last_ruled
    assert before is not None
    assert last is not None
    then = Draft(draft.setting, replace(draft.state, table=before.table, hand=before.hand))
    player = then.player(last.seat)
    assert player is not None
    chips = tuple(chip for chip in last.chips if chip in draft.setting.values)
    return then, judge(then, player, (chips,) if chips else (), replace(word, form="before_chips"))


def said_in_time(draft: Draft, of: int, word: Word) -> Reading | None:
    """The same for a ruling of this round, by the number of its event."""
    record = earlier.named(draft, Overrule(of=of))
    then = None if record is None else Draft(draft.setting, replace(draft.state, hand=record.hand))
    player = None if record is None or then is None else then.player(record.event.seat)
    if record is None or then is None or player is None:
        return None
    if word.kind == "fold":
        return chosen(then, record.event.ruling.readings, player.seat, Overrule(action="fold"))
    chips = tuple(chip for chip in record.event.chips if chip in draft.setting.values)
    ruling = judge(then, player, (chips,) if chips else (), replace(word, form="before_chips"))
    return None if ruling.chosen is None else settled(then, player, ruling.chosen)


def put_right(draft: Draft, then: Draft, reading: Reading, by: By) -> None:
    """The last ruling with another reading, and what follows from that. `then` is the table before it."""
    last, seq = draft.hand.last_ruled, draft.hand.last_ruled_seq
    assert last is not None
    assert seq is not None
    player = then.player(last.seat)
    assert player is not None
    question = draft.hand.question
    draft.emit(with_round(then.hand, Overruled(seq, last.seat, settled(then, player, reading), by)))
    if draft.hand.player(last.seat) is not None and draft.phase is Phase.BETTING:
        advance(draft, last.seat)
    if question is not None and draft.hand.question is None and question.seat != last.seat:
        pushes.ask_again(draft, question)


# ---------------------------------------------------------------- misdeal
def misdeal(draft: Draft) -> None:
    if draft.running:
        hand, seats = draft.hand, enumerate(draft.state.table.seats, 1)
        small_place, big_place = hand.places_before
        draft.emit(
            Misdealt(
                hand.number,
                stacks=tuple(Share(number, seat.stack + seat.bought) for number, seat in seats),
                owed=hand.missed_before,
                small_place=small_place,
                big_place=big_place,
                killer=hand.killer,
            )
        )
    else:
        draft.refuse("no_hand")
