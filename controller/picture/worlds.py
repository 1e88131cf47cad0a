"""Questions of where chips lie, and doubts beside a ruling, as people read them: by the chip, not the theory. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from controller.picture.change import stack_of
from controller.picture.notices import place
from controller.places import Moved, Place, Zone
from controller.rulings.values import Reading
from controller.snapshot import ChoiceView, QuestionView, Text
from controller.table.balance import worth
from controller.table.events import Asked, Supposed
from controller.texts.sentences import joined, phrase, reading_label

Values = Mapping[str, int]
MOST_CHOICES = 9  # of a question: keys 1 to 9, and no more than a broker carries
MOST_DOUBTS = 2  # beside a ruling; more of them are a number


class _Kind(NamedTuple):
    """Chips that are asked about alike."""

    value: int
    place: Place  # the bet spot in question
    pulled: bool  # perhaps taken back from there, else perhaps there unread


Chips = Counter[_Kind]  # that would lie otherwise than they were seen


def question(asked: Asked, values: Values) -> QuestionView:
    """Is that chip there? A choice for each outcome, the likeliest first; nobody answers it by agreeing."""
    supposed = [_chips(world, values) for world in asked.worlds]
    labels = _labels(asked, supposed, values)
    choices = tuple(
        ChoiceView(number, label, _rule(world), stack_of(_items(world), values), _one_place(chips))
        for number, (world, chips, label) in enumerate(zip(asked.worlds, supposed, labels, strict=True), start=1)
    )
    text, pushed = _asks(asked, supposed), stack_of(asked.chips, values)
    more, choices = len(choices[MOST_CHOICES:]), choices[:MOST_CHOICES]
    return QuestionView(asked.id, asked.seat, text, choices, chips=pushed, must_choose=True, more=more)


def doubts(worlds: Sequence[Supposed], values: Values) -> tuple[Text, ...]:
    """What stands beside a ruling, the likeliest: "If a 100 lies on the bet spot of seat 4: raise to 600"."""
    return tuple(_doubt(world, values) for world in worlds[:MOST_DOUBTS])


def _doubt(world: Supposed, values: Values) -> Text:
    chips, action = _chips(world, values), _doubted(world)
    if not chips:
        return phrase("doubt_seen", action=action)
    there, gone = _there(chips), _gone(chips)
    if there and gone:
        return phrase("doubt_both", values=_listed(there, at=True), gone=_listed(gone, at=True), action=action)
    where = _one_place(chips)
    if where is None:
        return phrase("doubt_gone_at" if gone else "doubt_there_at", values=_listed(chips, at=True), action=action)
    return phrase("doubt_gone" if gone else "doubt_there", values=_listed(chips), place=where, action=action)


def _chips(world: Supposed, values: Values) -> Chips:
    return Counter(_kind(move, values) for move in world.moves)


def _kind(move: Moved, values: Values) -> _Kind:
    pulled = move.target.zone is Zone.IN_HAND
    return _Kind(values.get(move.item, 0), move.origin if pulled else move.target, pulled)


def _items(world: Supposed) -> tuple[str, ...]:
    return tuple(move.item for move in world.moves)


def _there(chips: Chips) -> Chips:
    return Counter({kind: count for kind, count in chips.items() if not kind.pulled})


def _gone(chips: Chips) -> Chips:
    return Counter({kind: count for kind, count in chips.items() if kind.pulled})


def _one_place(chips: Iterable[_Kind]) -> Text | None:
    places = {kind.place for kind in chips}
    return place(places.pop()) if len(places) == 1 else None


# ---------------------------------------------------------------- the question
def _in_question(supposed: Sequence[Chips]) -> Chips | None:
    """The chips that lie there or not, all of one kind, where nothing else is asked: yes or no."""
    found = [chips for chips in supposed if chips]
    return found[0] if len(supposed) == 2 and len(found) == 1 and len(found[0]) == 1 else None


def _are_read(asked: Asked) -> bool:
    """Whether the chips in question lie there for certain now: a ruling before them doubted it."""
    moves = {(move.item, move.target) for world in asked.worlds for move in world.moves}
    return bool(moves) and moves <= {(chip, Place(Zone.SPOT, asked.seat)) for chip in asked.chips}


def _asks(asked: Asked, supposed: Sequence[Chips]) -> Text:
    kinds = list(dict.fromkeys(kind for chips in supposed for kind in chips))
    if not kinds:
        return phrase("world_motion")
    chips, where = _in_question(supposed), _one_place(kinds)
    if chips is not None and where is not None and _are_read(asked):
        return phrase("world_lay_before", values=_listed(chips), place=where)
    if where is None:
        return phrase("world_where")
    if chips is None:
        return phrase("world_which", place=where)
    value, count = kinds[0].value, chips.total()
    if kinds[0].pulled:
        key = "world_still_there" if count == 1 else "world_are_still_there"
        return phrase(key, value=value, count=count, place=where)
    if asked.seat is not None and kinds[0].place.zone is Zone.SPOT and kinds[0].place.seat != asked.seat:
        return phrase("world_bet_before", seat=kinds[0].place.seat or 0, values=_listed(chips))
    return phrase("world_is_there" if count == 1 else "world_are_there", value=value, count=count, place=where)


def _labels(asked: Asked, supposed: Sequence[Chips], values: Values) -> list[Text]:
    """What each choice says. Of two in which all lies as seen, the likelier is that it was one motion."""
    whole, several = _in_question(supposed), _one_place(dict.fromkeys(k for one in supposed for k in one)) is None
    as_seen = [world.chance for world, chips in zip(asked.worlds, supposed, strict=True) if not chips]
    found = []
    for world, chips in zip(asked.worlds, supposed, strict=True):
        action = _action(world, worth(asked.chips, values))
        if whole is not None:
            is_there = bool(chips) is not any(kind.pulled for kind in whole)
            yes, no = ("world_before", "world_now") if _are_read(asked) else ("world_yes", "world_no")
            found.append(phrase(yes if is_there else no, count=whole.total(), action=action))
        elif chips:
            found.append(_with(chips, action, at=several))
        elif len(as_seen) > 1:
            key = "world_one_motion" if world.chance == max(as_seen) else "world_by_itself"
            found.append(phrase(key, action=action))
        else:
            found.append(phrase("world_as_seen", action=action))
    return found


def _with(chips: Chips, action: Text, *, at: bool) -> Text:
    there, gone = _there(chips), _gone(chips)
    if there and gone:
        return phrase("world_both", values=_listed(there, at=at), gone=_listed(gone, at=at), action=action)
    return phrase("world_without" if gone else "world_with", values=_listed(chips, at=at), action=action)


def _listed(chips: Chips, *, at: bool = False) -> Text:
    """Chips by value, with their place where it is not said elsewhere: "a 100, 2 × 25"."""
    return joined(_named(kind, count, at=at) for kind, count in sorted(chips.items(), key=lambda one: -one[0].value))


def _named(kind: _Kind, count: int, *, at: bool) -> Text:
    one = count == 1
    named = phrase("world_chip", value=kind.value) if one else phrase("world_chips", count=count, value=kind.value)
    return phrase("world_chip_at", chip=named, place=place(kind.place)) if at else named


# ---------------------------------------------------------------- what would be ruled
def _action(world: Supposed, pushed: int) -> Text:
    return phrase("world_nothing", value=pushed) if world.reading is None else reading_label(_settled(world.reading))


def _doubted(world: Supposed) -> Text:
    return phrase("doubt_nothing") if world.reading is None else reading_label(_settled(world.reading))


def _settled(reading: Reading) -> Reading:
    return replace(reading, change_due=0, must_add=0)


def _rule(world: Supposed) -> str:
    return "" if world.reading is None else world.reading.rule
