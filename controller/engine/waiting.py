"""Chips and words that wait: out of turn, or brought before the next street is open (TDA 2024 53, 36)."""

from msgspec.structs import replace

from controller.engine.draft import Draft
from controller.engine.progress import infer_check
from controller.engine.situations import agreed, judge
from controller.hand.betting import owes
from controller.rulings.turn import ActKind, is_substantial, skipped_turn
from controller.rulings.values import Reading, Word
from controller.table.balance import unjudged
from controller.table.events import PushHeld, PushReleased
from controller.table.phases import Phase
from controller.table.state import Hand, InHand

NEEDS_CHIPS = ("raise", "bet", "number")
ACTS: dict[str, ActKind] = {"check": "check", "fold": "fold", "call": "call", "all_in_call": "call", "bet": "bet"}


def waits_for_chips(hand: Hand, word: Word) -> bool:
    """A word that says nothing without chips, or that was said behind chips which the table still reads.

    In fixed limit "bet" and "raise" say everything: there is one amount.
    """
    if word.form == "after_chips":
        return True
    needs = NEEDS_CHIPS if hand.limits.type != "FL" else ("number",)
    return word.kind in needs and word.amount is None


def hold(draft: Draft, seat: int, *, early: bool = False, word: Word | None = None) -> None:
    """Chips out of turn, or for the next street, are held back, and so is what was said out of turn."""
    player = draft.player(seat)
    if player is None:
        return
    chips = unjudged(draft.state, player)
    if early and chips:
        draft.emit(PushHeld(seat, chips, early=True, word=word or _said_before(draft, seat)))
    elif not early and (chips or word is not None):
        word = word or _said_before(draft, seat)
        reading = _meant(draft, player, chips, word)
        total = player.bet if reading is None else reading.total_to
        draft.emit(PushHeld(seat, chips, draft.hand.current_bet, act=_act(reading), total=total, word=word))
        note_substantial(draft)


def _said_before(draft: Draft, seat: int) -> Word | None:
    held = held_of(draft, seat)
    return None if held is None else held.word


def held_of(draft: Draft, seat: int) -> PushHeld | None:
    return next((push for push in draft.hand.held if push.seat == seat), None)


def _meant(draft: Draft, player: InHand, chips: tuple[str, ...], word: Word | None) -> Reading | None:
    """What it would have been in turn; what was said without chips and means a check stays one, whatever he owes."""
    if word is not None and not chips and word.kind in {"check", "tap"}:
        return Reading("check", player.bet, 0, 0, reopens=False, all_in=False, rule="")
    return agreed(judge(draft, player, (chips,) if chips else (), word))


def _act(reading: Reading | None) -> ActKind:
    return "call" if reading is None else ACTS.get(reading.action, "raise")


def recount_held(draft: Draft, seat: int) -> None:
    """Waiting chips were taken back, all or some."""
    held = held_of(draft, seat)
    if held is None:
        return
    chips = tuple(chip for chip in held.chips if chip in draft.state.spots[seat - 1])
    if not chips and (held.word is None or waits_for_chips(draft.hand, held.word)):
        draft.emit(PushReleased(seat, "taken_back"))
    elif chips != held.chips:
        draft.emit(_again(held, chips, binding=held.binding))


def _again(held: PushHeld, chips: tuple[str, ...], *, binding: bool) -> PushHeld:
    """What waits, with other chips or bound now."""
    return replace(held, chips=chips, binding=binding, sleeper=False, head=False)


# ---------------------------------------------------------------- the skipped player
def note_substantial(draft: Draft) -> None:
    """Where substantial action followed a skipped player, what was done out of turn binds, and he may lose his turn."""
    hand, profile = draft.hand, draft.setting.rules.profile
    acts: list[ActKind] = [push.act for push in hand.held if not push.early and not push.sleeper]
    acts += ["fold" for player in hand.players if player.out_of_turn]
    if hand.phase is not Phase.BETTING or hand.to_act is None or not is_substantial(profile, acts):
        return
    for held in hand.held:
        if not held.early and not held.binding and not held.sleeper:
            draft.emit(_again(held, held.chips, binding=True))
    skipped = draft.player(hand.to_act)
    if skipped is not None and skipped_turn(profile, acts, owes=owes(hand, skipped) > 0) == "checks":
        infer_check(draft, skipped.seat)
    else:
        draft.alarm("substantial_action", hand.to_act)
