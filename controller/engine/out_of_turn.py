"""What becomes of chips and words out of turn when the turn reaches them (TDA 2024 53-A, and what houses do)."""

from msgspec.structs import replace

from controller.engine import straddles
from controller.engine.draft import Draft
from controller.engine.progress import advance
from controller.engine.pushes import act, ask, pay_first, push, rule_on
from controller.engine.situations import judge, situation_of
from controller.engine.waiting import held_of
from controller.hand.betting import must_act
from controller.hand.posts import posted
from controller.rulings.turn import ActKind, Held, held_action
from controller.rulings.values import Word
from controller.table.balance import unjudged
from controller.table.events import PushHeld, PushReleased
from controller.table.keys import ReleaseKey
from controller.table.phases import Phase


def judge_held(draft: Draft) -> None:
    """The turn has reached what waited: if the action did not change it binds, else the house says."""
    while (held := _in_turn(draft)) is not None:
        _follow(draft, held)
        if held in draft.hand.held and draft.hand.question is None:
            _release(draft, held, "taken_back")  # nothing of it was left to judge


def _in_turn(draft: Draft) -> PushHeld | None:
    hand = draft.state.hand
    if hand is None or not hand.held or hand.phase is not Phase.BETTING or hand.to_act is None:
        return None
    if hand.question is not None or draft.state.table.paused:
        return None
    return held_of(draft, hand.to_act)


def _follow(draft: Draft, held: PushHeld) -> None:
    if held.sleeper:
        straddles.wake(draft, held.seat)
        return
    match _fate(draft, held):
        case "binds":
            _bind(draft, held)
        case "released":
            _release(draft, held, "action_changed")
        case "call_or_fold":
            draft.emit(PushReleased(held.seat, "check_stands", may_raise=False))
        case "chips_stay":
            _stay(draft, held)
        case "min_wager":
            _least(draft, held)


def _fate(draft: Draft, held: PushHeld) -> Held:
    between: tuple[ActKind, ...] = ("raise",) if held.facing != draft.hand.current_bet else ()
    if held.early:
        return "released" if between else "binds"
    if between and held.binding and held.act != "check":
        return "chips_stay"
    return held_action(draft.setting.rules.profile, held.act, between)


def _release(draft: Draft, held: PushHeld, why: ReleaseKey) -> None:
    draft.emit(PushReleased(held.seat, why))


def _bind(draft: Draft, held: PushHeld) -> None:
    if held.word is None:
        push(draft, held.seat)
        return
    player = draft.player(held.seat)
    assert player is not None
    player, chips = pay_first(draft, player)
    rule_on(draft, player, (chips,) if chips else (), said=held.word)


def _stay(draft: Draft, held: PushHeld) -> None:
    """What he put in counts as his bet and he is to act; where it is more than the new bet it is judged as it lies."""
    player = draft.player(held.seat)
    assert player is not None
    bet = draft.hand.current_bet
    if player.doubt is not None or held.total > bet or (held.total == bet and held.word is None):
        _bind(draft, held)
        return
    _release(draft, held, "chips_stay")
    amount = min(held.total - player.bet, player.stack)
    if amount > 0:
        draft.emit(posted(draft.hand, draft.state.table, player, "out_of_turn", amount))
    player = draft.player(held.seat)
    if player is not None and not must_act(draft.hand, player):
        advance(draft, held.seat)


def _least(draft: Draft, held: PushHeld) -> None:
    """He is held to the smallest raise over the new bet."""
    player = draft.player(held.seat)
    assert player is not None
    if player.doubt is not None:
        _bind(draft, held)
        return
    chips = unjudged(draft.state, player)
    least = draft.setting.rules.min_raise_to(situation_of(draft.setting, draft.state, draft.hand, player, 0))
    ruling = judge(draft, player, (chips,) if chips else (), Word("raise_to", least))
    if ruling.chosen is None:
        ask(draft, player, ruling, chips, held.word)
        return
    ruling = replace(ruling, why="held_to_least", numbers={"total": ruling.chosen.total_to})
    assert ruling.chosen is not None
    act(draft, player, ruling.chosen, ruling, chips, word=held.word, by="out_of_turn")
