"""Rulings as people see them: the last one, the one that still settles, and what is asked. Pure."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from controller.commands import Overrule, Say
from controller.core.seen import Late, LateChoice, Preview, Seen
from controller.picture import worlds
from controller.picture.change import change_from, enough_of, stack_of
from controller.picture.notices import listed, place
from controller.places import Zone
from controller.rulings.values import Reading, Ruling
from controller.snapshot import ChoiceView, QuestionView, RulingView, Stack, Text
from controller.table.balance import worth
from controller.table.choices import instead_of, must_choose
from controller.table.events import Asked, Ruled
from controller.table.state import Hand
from controller.texts.sentences import phrase, reading_label, sentence, word_text
from firmware_bridge.events import Value

Values = Mapping[str, int]


class Judged(Value, frozen=True):
    """A ruling with the reading that counts, and the chips that it was judged on."""

    seat: int
    reading: Reading
    ruling: Ruling
    chips: tuple[str, ...]


# ---------------------------------------------------------------- final
def last_ruling(seen: Seen) -> RulingView | None:
    ruled = seen.state.hand.last_ruled if seen.state.hand else None
    if ruled is None:
        return None
    view = _view(seen, Judged(ruled.seat, ruled.reading, ruled.ruling, ruled.chips))
    doubts = () if _by_people(ruled.reading, ruled.ruling) else ruled.doubts
    told = worlds.doubts(doubts, seen.setting.values)
    view = replace(view, doubts=told, more_doubts=len(doubts) - len(told), readings=_choices(instead_of(ruled)))
    if not ruled.inferred:
        return view
    return replace(view, headline=phrase("inferred", action=view.headline), inferred=True)


def of_this_round(seen: Seen) -> tuple[RulingView, ...]:
    """Rulings of the running round that count, the first one first: for history. Other readings stand by the last."""
    hand = seen.state.hand
    if hand is None:
        return ()
    kept = {one.seq: one.event for one in seen.state.rulings}
    return tuple(_before(seen, kept[seq]) for seq in hand.rulings if seq in kept)


def _before(seen: Seen, ruled: Ruled) -> RulingView:
    view = _view(seen, Judged(ruled.seat, ruled.reading, ruled.ruling, ruled.chips))
    headline = phrase("inferred", action=view.headline) if ruled.inferred else view.headline
    return replace(view, headline=headline, inferred=ruled.inferred, readings=())


def _view(seen: Seen, judged: Judged) -> RulingView:
    seat, reading, ruling, values = judged.seat, judged.reading, judged.ruling, seen.setting.values
    said = reading_label(replace(reading, change_due=0, must_add=0))
    lying = dict.fromkeys((*seen.state.spots[seat - 1], *judged.chips))
    return RulingView(
        seat=seat,
        action=reading.action,
        total_to=reading.total_to,
        change_due=reading.change_due,
        change=_change(reading.change_due, lying, values),
        must_add=reading.must_add,
        reopens=reading.reopens,
        all_in=reading.all_in,
        rule=reading.rule,
        headline=phrase("ruling_headline", seat=seat, action=said),
        sentence=_reason(reading, ruling),
        chips=stack_of(judged.chips, values),
        readings=_choices(ruling.readings),
    )


def _reason(reading: Reading, ruling: Ruling) -> Text:
    """Why: by the rules, with the amounts as they were settled; or somebody has chosen otherwise.

    Nothing for a fold that leaves no bet: the headline says it all.
    """
    if reading.action == "fold" and not reading.total_to:
        return {}
    if _by_people(reading, ruling):
        return phrase("chosen_by_people")
    settled = {"total": reading.total_to, "change": reading.change_due, "add": reading.must_add}
    return sentence(ruling.why, ruling.numbers | {key: settled[key] for key in settled if key in ruling.numbers})


def _by_people(reading: Reading, ruling: Ruling) -> bool:
    chosen = ruling.chosen
    return chosen is None or (chosen.action, chosen.rule) != (reading.action, reading.rule)


def _change(amount: int, lying: Iterable[str], values: Values) -> Stack:
    """From the seat's own chips in front where they fit, else from the dealer's float; () where no chips make it."""
    if not amount:
        return ()
    own = change_from(amount, stack_of(lying, values))
    return own or change_from(amount, enough_of(amount, values.values())) or ()


def _choices(readings: Iterable[Reading]) -> tuple[ChoiceView, ...]:
    return tuple(
        ChoiceView(number, reading_label(reading), reading.rule) for number, reading in enumerate(readings, start=1)
    )


# ---------------------------------------------------------------- provisional
def provisional(seen: Seen) -> tuple[RulingView | None, RulingView | None]:
    """The push that is being settled, of the seat to act first, for the public and for the dealer, who reads names.

    Nothing where there is no reading to show.
    """
    preview = _shown(seen)
    ruling = preview.ruling if preview is not None else None
    if preview is None or ruling is None or ruling.chosen is None:
        return None, None
    view = _view(seen, Judged(preview.seat, ruling.chosen, ruling, _brought(preview)))
    view = replace(view, final=False)
    public, named = (_waits_for(seen, preview, named=named) for named in (False, True))
    return replace(view, waits_for=public), replace(view, waits_for=named)


def pushed(seen: Seen) -> dict[int, int]:
    """Value in front of seats whose push is not shown as provisional: it waits for the one that is."""
    shown = _shown(seen)
    waiting: dict[int, int] = {}
    for preview in seen.previews:
        if preview is not shown:
            waiting[preview.seat] = waiting.get(preview.seat, 0) + worth(_brought(preview), seen.setting.values)
    return waiting


def _shown(seen: Seen) -> Preview | None:
    return next((one for one in seen.previews if one.ruling is not None and one.ruling.chosen is not None), None)


def _brought(preview: Preview) -> tuple[str, ...]:
    """Chips that came forward, onto the spot or straight into the pot."""
    return tuple(move.item for move in preview.motion.moves if move.target.zone in {Zone.SPOT, Zone.POT})


def _waits_for(seen: Seen, preview: Preview, *, named: bool) -> Text:
    if preview.blocked:
        first = preview.blocked[0]
        return phrase("waits_place" if first in seen.known.unknown else "waits_foreign", place=place(first))
    doubtful = preview.motion.doubtful
    if not doubtful:
        return phrase("waits_settling")
    if named:
        return phrase("waits_chips_named", names=listed(doubtful))
    return phrase("waits_chips", count=len(doubtful), value=worth(doubtful, seen.setting.values))


# ---------------------------------------------------------------- asked
def question(seen: Seen, hand: Hand | None) -> QuestionView | None:
    """What the table waits to be told in this hand."""
    asked = hand.question if hand else None
    if asked is None:
        return None if seen.late is None else late_word(seen.late)
    if asked.why == "worlds":
        return worlds.question(asked, seen.setting.values)
    choices, chips = _choices(asked.ruling.readings), stack_of(asked.chips, seen.setting.values)
    if asked.why in ("confirm", "cards") and asked.ruling.chosen is not None:
        chosen = reading_label(asked.ruling.chosen)
        text = phrase("question_confirm", seat=asked.seat or 0, action=chosen)
        why = _why_confirm(seen, asked)
        return QuestionView(asked.id, asked.seat, text, choices, confirm=True, chips=chips, why=why)
    why = sentence(asked.ruling.why, asked.ruling.numbers)
    text, choose = phrase("question_floor", why=why), must_choose(asked)
    return QuestionView(asked.id, asked.seat, text, choices, chips=chips, must_choose=choose)


def late_word(late: Late) -> QuestionView:
    """What a word is worth whose turn is over."""
    word, seat = word_text(late.word), late.seat or 0
    if late.ruled is not None:
        text = phrase("question_ruled", word=word, seat=seat, action=reading_label(late.ruled))
    else:
        text = phrase("question_nobody" if late.seat is None else "question_over", word=word, seat=seat)
    choices = tuple(
        ChoiceView(number, _late_label(late, choice), "floor") for number, choice in enumerate(late.choices, start=1)
    )
    return QuestionView(late.id, late.seat, text, choices, must_choose=True)


def _late_label(late: Late, choice: LateChoice) -> Text:
    match choice.command:
        case Overrule() if choice.reading is not None:
            return phrase("late_correct", seat=late.seat or 0, action=reading_label(choice.reading))
        case Say():
            return phrase("late_present", seat=choice.command.seat or 0, word=word_text(late.word))
        case _:
            return phrase("late_nothing")


def _why_confirm(seen: Seen, asked: Asked) -> Text:
    """Why the dealer's agreement is asked: what is doubtful, what is disputed, the house, or what no antenna sees."""
    if asked.why == "cards":
        return phrase("confirm_cards")
    if asked.doubtful and not asked.undecided:
        second = "later_motion" in asked.ruling.numbers
        return phrase("confirm_second" if second else "confirm_changed")
    if asked.doubtful:
        return phrase("confirm_doubtful")
    if asked.ruling.disputed:
        return phrase("confirm_disputed")
    if seen.setting.house.confirm == "always":
        return phrase("confirm_always")
    return phrase("confirm_unseen", smallest=seen.setting.smallest)
