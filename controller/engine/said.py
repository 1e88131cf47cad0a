"""Words of the dealer or of a seat's button: an action, a word that waits for its chips, or a correction."""

from typing import Literal, assert_never

from controller.commands import By, Say
from controller.engine import corrections, dealing, endings, straddles
from controller.engine.draft import Draft, refused
from controller.engine.folds import fold
from controller.engine.progress import in_turn, reach, turn
from controller.engine.pushes import act, ask, rule_on
from controller.engine.situations import MOST, judge
from controller.engine.waiting import held_of, hold, waits_for_chips
from controller.hand.betting import must_act, owes
from controller.rulings.values import Word
from controller.table.balance import unjudged
from controller.table.draws import draws_next, to_draw
from controller.table.events import Asked, Refused, Said
from controller.table.keys import RefusalKey
from controller.table.phases import BEFORE_ACTION, BETTING, SHOWDOWN, STREET_CARDS
from controller.table.state import InHand

NO_BET_YET = ("bet", "check")  # words for a round in which nobody has bet
OVER_A_BET = ("call", "raise", "raise_to", "raise_by")  # words that answer a bet
DRAWS = ("draw", "pat")  # words for a draw
Heard = Literal["fold", "straddle", "act", "early", "correction", "draw"]


def speaker(draft: Draft, command: Say) -> int | None:
    if command.seat is not None:
        return command.seat
    return to_draw(draft.state.hand) if command.word.kind in DRAWS else turn(draft)


def hear(draft: Draft, seat: int | None, word: Word, by: By) -> Heard | Refused:
    """What a word of a seat is now, or why it is refused: nothing of it is judged yet, and nothing happens."""
    player = draft.player(seat)
    if word.amount is not None and not 0 <= word.amount <= MOST:
        return refused("bad_amount", seat)
    if player is None or player.folded or not draft.running:
        return refused("not_in_hand" if draft.running else "no_hand", seat)
    if word.kind in DRAWS:
        why = cannot_draw(draft, word)
        return "draw" if why is None else refused(why, seat)
    if by != "seat" and not draft.open and (held := held_of(draft, player.seat)) is not None and held.early:
        return "early"
    if says_fold(word):
        why = cannot_fold(draft, player)
        return "fold" if why is None else refused(why, seat)
    if draft.phase in BEFORE_ACTION and straddles.is_said(draft, player.seat, word):
        return "straddle"
    if in_turn(draft, player.seat):
        return "act" if _reaches(draft, player.seat) else refused("betting_closed", seat)
    if _is_correction(draft, player, by) and not _is_of_another_turn(draft, player, word):
        return "correction"
    return refused("out_of_turn" if draft.open else "betting_closed", seat)


def _reaches(draft: Draft, seat: int) -> bool:
    """Whether the turn is his once the betting is open: blinds may leave nobody to bet."""
    if draft.phase is BETTING:
        return draft.hand.question is None or draft.hand.to_act == seat
    ahead = Draft(draft.setting, draft.state)
    reach(ahead, seat)
    return ahead.phase is BETTING and ahead.hand.to_act == seat


def say(draft: Draft, command: Say, by: By) -> None:
    seat = speaker(draft, command)
    heard = hear(draft, seat, command.word, by)
    if isinstance(heard, Refused):
        draft.emit(heard)
        return
    player = draft.player(seat)
    assert player is not None
    match heard:
        case "fold":
            say_fold(draft, player)
        case "draw":
            dealing.say_drew(draft, player.seat, _drawn(command.word))
        case "straddle":
            straddles.post(draft, player.seat, command.word.amount or 0)
        case "act":
            in_turn_word(draft, player, command.word, by)
        case "early":
            hold(draft, player.seat, early=True, word=command.word)
        case "correction":
            corrections.correct(draft, command.word, by)
        case _:
            assert_never(heard)


def says_fold(word: Word) -> bool:
    """Said behind his chips it folds nothing: the chips count (TDA 2024 40-A)."""
    return word.kind == "fold" and word.form != "after_chips"


def cannot_fold(draft: Draft, player: InHand) -> RefusalKey | None:
    if draft.phase is SHOWDOWN:
        return None
    if not draft.open:
        return "betting_closed"
    return "all_in_cannot_fold" if player.all_in else None


def cannot_draw(draft: Draft, word: Word) -> RefusalKey | None:
    """Of anybody whose cards of this draw may be changed: the discards of those before him may still be being read.

    The number may be put right until the street is open.
    """
    hand = draft.hand
    if draft.phase not in STREET_CARDS or not draws_next(hand):
        return "no_draw"
    if word.kind == "draw" and word.amount is None:
        return "bad_amount"  # nobody knows how many: that is not none
    street = hand.game.streets[hand.street + 1]
    return "too_many_drawn" if _drawn(word) > (street.draw or street.discard) else None


def _drawn(word: Word) -> int:
    return 0 if word.kind == "pat" or word.amount is None else word.amount


def say_fold(draft: Draft, player: InHand) -> None:
    why = cannot_fold(draft, player)
    if why is not None:
        draft.refuse(why, player.seat)
    elif draft.phase is SHOWDOWN:
        endings.muck_hand(draft, player.seat)
    else:
        fold(draft, player.seat, "word")


def _is_correction(draft: Draft, player: InHand, by: By) -> bool:
    """A dealer's word after a push was final corrects it; a seat's own word comes too late (TDA 2024 40-A)."""
    last = draft.hand.last_ruled
    ruled = last is not None and last.seat == player.seat and draft.state.before_ruling is not None
    return ruled and by != "seat" and draft.hand.question is None and not draft.state.table.paused


def _is_of_another_turn(draft: Draft, player: InHand, word: Word) -> bool:
    """Whether a word fits not the turn that was ruled: "bet" of who called one, "raise" of who had none before him.

    The first, said when all have acted, is of the next card; the second answers a bet that is still being read.
    """
    before = draft.state.before_ruling
    hand = None if before is None else before.hand
    then = None if hand is None else hand.player(player.seat)
    if hand is None or then is None:
        return False
    if word.kind in NO_BET_YET:
        return not draft.open and owes(hand, then) > 0
    return draft.open and word.kind in OVER_A_BET and hand.current_bet == 0


def said_out_of_turn(draft: Draft, seat: int, word: Word) -> None:
    """An action by word that a person heard out of turn: it waits as chips do; a fold binds at once."""
    player = draft.player(seat)
    if word.amount is not None and not 0 <= word.amount <= MOST:
        draft.refuse("bad_amount", seat)
    elif player is None or player.folded or not draft.running:
        draft.refuse("not_in_hand" if draft.running else "no_hand", seat)
    elif word.kind == "fold":
        say_fold(draft, player)
    elif draft.phase is not BETTING or not must_act(draft.hand, player):
        draft.refuse("betting_closed", seat)
    elif seat == draft.hand.to_act or (waits_for_chips(draft.hand, word) and not unjudged(draft.state, player)):
        draft.refuse("not_out_of_turn", seat)
    else:
        hold(draft, seat, word=word)


def in_turn_word(draft: Draft, player: InHand, word: Word, by: By) -> None:
    """A word in turn rules with the chips that lie there unjudged; "raise" without an amount waits for chips."""
    if draft.phase is not BETTING or draft.hand.to_act != player.seat:
        reach(draft, player.seat)
        now = draft.player(player.seat)
        assert now is not None
        player = now
    chips = unjudged(draft.state, player)
    if not chips and not player.pulled and waits_for_chips(draft.hand, word):
        draft.emit(Said(player.seat, word, by))
        return
    if player.doubt is not None and waits_for_chips(draft.hand, word):
        rule_on(draft, player, (chips,) if chips else (), said=word)
        return
    ruling = judge(draft, player, (chips,) if chips else (), word)
    if ruling.chosen is None:
        ask(draft, player, ruling, chips, word)
    elif by == "seat" and draft.setting.house.confirm == "always":
        draft.emit(Asked(draft.state.seq, player.seat, ruling, chips, "confirm", word))
    else:
        act(draft, player, ruling.chosen, ruling, chips, word=word, by="word")
