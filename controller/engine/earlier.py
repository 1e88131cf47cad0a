"""A wrong amount found after others have acted: put right until the next card (TDA 2024 52-A, 51).

The round is played again from that ruling on, on paper: those behind it who called owe the new amount, or get back what
is too much, and no call turns into a raise. Who folded has folded; a raise over it stands where it is still one.
"""

from msgspec.structs import replace

from controller.commands import By, Overrule
from controller.engine.choosing import chosen
from controller.engine.draft import Draft
from controller.engine.progress import close_round, sweep_if_empty
from controller.engine.pushes import ask_again
from controller.engine.situations import is_full, settled
from controller.hand.betting import alive, next_to_act, owes
from controller.hand.raises import of_this_round
from controller.hand.rounds import with_round
from controller.rulings.corrections import CALLS, WAGERS, called_total, may_correct, only_amount
from controller.rulings.values import Reading
from controller.table.choices import instead_of
from controller.table.events import Overruled, Said, TurnPassed
from controller.table.keys import RefusalKey
from controller.table.phases import Phase
from controller.table.state import InHand, RuledBefore

OPEN_TO_CORRECTION = (Phase.BETTING, Phase.SWEEPING, Phase.STREET_CARD, Phase.SHOWDOWN)


def named(draft: Draft, command: Overrule) -> RuledBefore | None:
    """The ruling of this round that a person means; None: the last one, or none."""
    found = [one for one in _of_this_round(draft) if command.seat in {None, one.event.seat}]
    if command.of is not None:
        found = [one for one in found if one.seq == command.of]
    elif command.seat is None and (draft.state.before_ruling is not None or draft.state.hand is None):
        return None
    return found[-1] if found else None


def _of_this_round(draft: Draft) -> list[RuledBefore]:
    hand = draft.state.hand
    return [] if hand is None else of_this_round(draft.state, hand)


def is_too_late(draft: Draft, command: Overrule) -> bool:
    """It was a ruling of an earlier street: the next card has been dealt."""
    hand = draft.state.hand
    return hand is not None and any(
        command.seat in {None, one.event.seat} and command.of in {None, one.seq} and one.hand.street != hand.street
        for one in draft.state.rulings
    )


def overrule(draft: Draft, record: RuledBefore, command: Overrule, by: By) -> None:
    seat = record.event.seat
    then = Draft(draft.setting, replace(draft.state, hand=record.hand))
    reading = chosen(then, instead_of(record.event), seat, command)
    player = then.player(seat)
    why = _cannot(draft, record, reading)
    if why is not None or reading is None or player is None:
        draft.refuse(why or "no_such_reading", seat)
        return
    later = [one for one in _of_this_round(draft) if draft.hand.rulings.index(one.seq) > _at(draft, record)]
    question, word = draft.hand.question, draft.hand.word
    draft.emit(with_round(then.hand, Overruled(record.seq, seat, settled(then, player, reading), by)))
    last = _follow(draft, later) or seat
    _pass_turn(draft, last)
    if word is not None and draft.hand.to_act == word[0]:
        draft.emit(Said(word[0], word[1], by))
    if question is not None:
        ask_again(draft, question)


def _at(draft: Draft, record: RuledBefore) -> int:
    return draft.hand.rulings.index(record.seq)


def _cannot(draft: Draft, record: RuledBefore, reading: Reading | None) -> RefusalKey | None:
    hand, profile = draft.hand, draft.setting.rules.profile
    shown = hand.phase is Phase.SHOWDOWN and (hand.awards or any(player.tabled for player in hand.players))
    if hand.phase not in OPEN_TO_CORRECTION or shown:
        return "next_card"
    if not may_correct(profile, next_card=False, round_over=hand.phase is not Phase.BETTING):
        return "round_over"
    if reading is not None and not only_amount(record.event.reading.action, reading.action):
        return "only_amounts"
    return None


# ---------------------------------------------------------------- what follows behind it
def _follow(draft: Draft, later: list[RuledBefore]) -> int | None:
    """The rulings behind it, by the new amount; the last seat that acted in turn."""
    last = None
    for record in later:
        event = record.event
        player = draft.player(event.seat)
        reading = None if player is None else _following(draft, player, event.reading)
        if player is None or reading is None:
            continue
        if record.hand.to_act == event.seat:
            last = event.seat
            if draft.hand.to_act != last:
                draft.emit(TurnPassed(last))
        reading = settled(draft, player, reading)
        same = reading.total_to == event.reading.total_to
        event = replace(event, reading=reading, by=event.by if same else "answer", head=False)
        draft.emit(with_round(draft.hand, event))
    return last


def _following(draft: Draft, player: InHand, was: Reading) -> Reading | None:
    """None: he has not answered the bet as it is now."""
    bet = draft.hand.current_bet
    if was.action == "fold":
        return was
    if was.action in WAGERS and was.total_to > bet:
        return replace(was, reopens=is_full(draft.setting, draft.state, draft.hand, player, was.total_to))
    if was.action not in CALLS and was.action not in WAGERS:
        return None if owes(draft.hand, player) else was
    everything = player.bet + player.stack
    total = called_total(bet, everything)
    return Reading("all_in_call" if total == everything else "call", total, 0, 0, False, total == everything, was.rule)


def _pass_turn(draft: Draft, seat: int) -> None:
    following = next_to_act(draft.hand, seat)
    if following is None or len(alive(draft.hand)) == 1:
        close_round(draft)
        if draft.phase is Phase.SWEEPING:
            sweep_if_empty(draft)
    elif following != draft.hand.to_act:
        draft.emit(TurnPassed(following))
