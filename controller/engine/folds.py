"""Folds: the seat's cards in the muck, or a word. A fold always binds, in turn or not (TDA 2024 53-A)."""

from msgspec.structs import replace

from controller.engine.draft import Draft
from controller.engine.progress import advance, open_betting
from controller.engine.pushes import How, answer, ask
from controller.engine.situations import judge, settled
from controller.engine.waiting import note_substantial
from controller.hand.rounds import with_round
from controller.rulings.values import Reading, Ruling
from controller.table.events import Ruled
from controller.table.phases import BETTING
from controller.table.state import InHand


def fold(draft: Draft, seat: int, by: How, *, inferred: bool = False) -> None:
    open_betting(draft)
    player = draft.player(seat)
    if player is None or player.folded or draft.phase is not BETTING:
        return
    if player.all_in:
        draft.alarm("mucked_all_in", seat)
        return
    question = draft.hand.question
    if question is not None and question.seat == seat:
        _fold_in_question(draft, player)
    elif player.pulled and player.seat == draft.hand.to_act:
        _ask_after_pulling(draft, player)
    else:
        _fold(draft, player, by, inferred=inferred)


def _fold(draft: Draft, player: InHand, by: How, *, inferred: bool) -> None:
    reading = fold_of(draft, player)
    ruling, turn = Ruling(reading, "said_fold", {}), draft.hand.to_act
    folded = Ruled(player.seat, settled(draft, player, reading), ruling, (), inferred=inferred, by=by)
    draft.emit(with_round(draft.hand, folded))
    advance(draft, player.seat)
    if player.seat != turn:
        note_substantial(draft)


def fold_of(draft: Draft, player: InHand) -> Reading:
    rule = draft.setting.rules.profile.citations.get("said_fold", "fold")
    return Reading("fold", player.bet, 0, 0, reopens=False, all_in=False, rule=rule)


def _fold_in_question(draft: Draft, player: InHand) -> None:
    """The question may hold a fold that leaves chips in the pot."""
    question = draft.hand.question
    readings = question.ruling.readings if question is not None else ()
    folds = [reading for reading in readings if reading.action == "fold"]
    answer(draft, folds[0] if folds else fold_of(draft, player), "seat")


def _ask_after_pulling(draft: Draft, player: InHand) -> None:
    """Who took prior chips back must call or raise (TDA 2024 46-B): the floor decides."""
    ruling = judge(draft, player, (), None)
    ask(draft, player, replace(ruling, readings=(*ruling.readings, fold_of(draft, player))))
