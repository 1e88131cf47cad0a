"""Chips that a player pushed become an action, a question, or wait for their turn."""

from typing import Literal

from controller import commands
from controller.engine import doubts
from controller.engine.draft import Draft
from controller.engine.progress import advance, reach
from controller.engine.situations import agreed, everything, judge, settled
from controller.engine.waiting import hold
from controller.hand.rounds import with_round
from controller.moves.meanings import items_moved
from controller.places import Moved, Place, Zone
from controller.rulings.values import Reading, Ruling, Word
from controller.table.balance import Values, account, unjudged, worth
from controller.table.events import Answered, Asked, Ruled
from controller.table.meanings import Meaning
from controller.table.phases import BETTING
from controller.table.state import InHand

Names = tuple[str, ...]
How = Literal["chips", "word", "cards", "confirm", "answer", "inferred", "out_of_turn"]


def push(draft: Draft, seat: int, fresh: Names = (), splashed: Names = (), *, later: bool = False) -> None:
    """Chips of a seat in turn: `fresh` came now, others may lie there unjudged; `later`: a second trip (string bet)."""
    if draft.phase is not BETTING or draft.hand.to_act != seat:
        reach(draft, seat)
    player = draft.player(seat)
    if player is None or draft.hand.phase is not BETTING or draft.hand.to_act != seat:
        hold(draft, seat)
        return
    player, chips = pay_first(draft, player)
    chips = (*chips, *splashed)
    if not chips:
        return
    first = tuple([chip for chip in chips if chip not in fresh]) if later else ()
    rule_on(draft, player, (first, fresh) if first else (chips,))


def rule_on(draft: Draft, player: InHand, motions: tuple[Names, ...], *, said: Word | None = None) -> None:
    """A ruling or a question. What is not certain of the chips (`InHand.doubt`) makes it a question.

    Chips of a second trip within one motion are asked about where they change the ruling: whether it was one motion is
    the floor's to say.
    """
    seat = player.seat
    word = draft.hand.word[1] if draft.hand.word is not None and draft.hand.word[0] == seat else said
    doubtful = False
    if player.doubt is not None:
        motions, apart = parted(draft, player, motions, word)
        doubtful = player.doubtful or apart
    ruling = judge(draft, player, motions, word)
    chips = motions[0] if len(motions) == 1 else tuple([chip for motion in motions for chip in motion])
    if draft.named is not None:
        named, draft.named = draft.named, None
        act(draft, player, named, ruling, chips, word=word, by="answer")
    elif ruling.chosen is None:
        ask(draft, player, ruling, chips, word)
    elif doubtful or must_confirm(draft, player, ruling, motions, word):
        if draft.setting.house.confirm == "never":
            act(draft, player, ruling.chosen, ruling, chips, word=word)
        else:
            missed = player.doubt.missed if player.doubt is not None else ()
            draft.emit(Asked(draft.state.seq, seat, ruling, chips, "confirm", word, doubtful, missed))
    else:
        act(draft, player, ruling.chosen, ruling, chips, word=word, by="chips" if chips else "word")


def parted(
    draft: Draft, player: InHand, motions: tuple[Names, ...], word: Word | None
) -> tuple[tuple[Names, ...], bool]:
    """The motions with a second trip apart, where that changes the ruling; and whether it does."""
    second = player.doubt.second if player.doubt is not None else ()
    if len(motions) != 1 or not second:
        return motions, False
    [chips] = motions
    two = tuple(chip for chip in chips if chip not in second), tuple(chip for chip in chips if chip in second)
    if not all(two) or judge(draft, player, motions, word).chosen == judge(draft, player, two, word).chosen:
        return motions, False
    return two, True


def ask(draft: Draft, player: InHand, ruling: Ruling, chips: Names = (), word: Word | None = None) -> None:
    """The floor must choose; play stops."""
    missed = player.doubt.missed if player.doubt is not None else ()
    draft.emit(Asked(draft.state.seq, player.seat, ruling, chips, ruling.why, word, player.doubtful, missed))


def ask_again(draft: Draft, question: Asked) -> None:
    """What waited for an answer is judged anew, as it lies now."""
    player = draft.player(question.seat)
    if player is None or draft.phase is not BETTING or draft.hand.to_act != question.seat:
        return
    chips = unjudged(draft.state, player)
    if chips or question.word is not None:
        rule_on(draft, player, (chips,) if chips else (), said=question.word)


def must_confirm(draft: Draft, player: InHand, ruling: Ruling, motions: tuple[Names, ...], word: Word | None) -> bool:
    """House setting `confirm`. Fragile: a disputed rule, or one chip that nobody could see missing, would change it."""
    match draft.setting.house.confirm:
        case "never":
            return False
        case "always":
            return True
        case "fragile":
            return ruling.disputed or (
                player.seat not in draft.setting.sensors.trays and is_fragile(draft, player, ruling, motions, word)
            )


def is_fragile(draft: Draft, player: InHand, ruling: Ruling, motions: tuple[Names, ...], word: Word | None) -> bool:
    """One more chip of the smallest kind would make it another action."""
    if ruling.chosen is None:
        return True
    with_one_more = judge(draft, player, motions, word, draft.setting.smallest)
    return with_one_more.chosen is None or with_one_more.chosen.action != ruling.chosen.action


def act(
    draft: Draft,
    player: InHand,
    reading: Reading,
    ruling: Ruling,
    chips: Names = (),
    *,
    word: Word | None = None,
    by: How = "chips",
) -> None:
    """A reading counts: the only place where a push or a word becomes an action."""
    over = worth(chips, draft.setting.values) - everything(player) if chips else 0
    doubts, draft.doubts = draft.doubts if by == "chips" else (), ()
    ruled = Ruled(player.seat, settled(draft, player, reading), ruling, chips, word, by=by, doubts=doubts)
    draft.emit(with_round(draft.hand, ruled))
    if over > 0:
        draft.alarm("more_than_stack", player.seat, over)
    advance(draft, player.seat)


# ---------------------------------------------------------------- chips that are missing come first
def pay_first(draft: Draft, player: InHand) -> tuple[InHand, Names]:
    """Chips owed from an earlier round are paid out of the push before it is judged: the player then, and the rest."""
    chips = unjudged(draft.state, player)
    short = worth(chips, draft.setting.values) - account(draft.state, player)
    earlier = short - min(short, player.bet)
    if earlier <= 0:
        return player, chips
    paid = cover(chips, earlier, draft.setting.values)
    place = Place(Zone.SPOT, player.seat)
    draft.emit(items_moved(tuple(Moved(chip, place, place) for chip in paid), Meaning.PAID))
    now = draft.player(player.seat)
    assert now is not None
    return now, unjudged(draft.state, now)


def cover(chips: Names, amount: int, values: Values) -> Names:
    """Chips that make up an amount, the largest that fit first; the last may be worth more than is left."""
    taken = []
    for chip in sorted(chips, key=lambda chip: values.get(chip, 0), reverse=True):
        if values.get(chip, 0) <= amount:
            taken.append(chip)
            amount -= values.get(chip, 0)
    if amount > 0:
        over = [chip for chip in chips if chip not in taken]
        taken += sorted(over, key=lambda chip: values.get(chip, 0))[:1]
    return tuple(taken)


# ---------------------------------------------------------------- questions
def agree(draft: Draft, by: commands.By) -> None:
    """The dealer, or the next player's action, agrees with the reading that is shown first.

    Where chips came or went meanwhile (in a pause, before a restart) what lies there now is judged first.
    """
    question = question_of(draft)
    player = draft.player(question.seat)
    if player is not None and question.why == "confirm" and {*question.chips} != {*unjudged(draft.state, player)}:
        draft.emit(Answered(question.id, None, by))
        ask_again(draft, question)
        return
    reading = agreed(question.ruling)
    if reading is not None:
        answer(draft, reading, by)


def question_of(draft: Draft) -> Asked:
    question = draft.hand.question
    assert question is not None
    return question


def answer(draft: Draft, reading: Reading, by: commands.By) -> None:
    question = question_of(draft)
    draft.emit(Answered(question.id, reading, by))
    how: How = "confirm" if question.why == "confirm" else "answer"
    player = draft.player(question.seat)
    assert player is not None
    act(draft, player, reading, question.ruling, question.chips, word=question.word, by=how)


def withdrawn(draft: Draft, seat: int) -> None:
    """Chips in question were taken back: what is left is judged anew, and stays a question: they may have counted."""
    question = draft.hand.question
    if question is None or question.seat != seat or not question.chips:
        return
    draft.emit(Answered(question.id, None, "dealer"))
    doubts.taken_back(draft, seat)
    push(draft, seat)
