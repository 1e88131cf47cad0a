"""Questions of where chips lie, and doubts beside a ruling, as people read them: by the chip, not the theory. Pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from controller.picture.change import stack_of
from controller.picture.notices import place
from controller.places import Moved, Place, Zone
from controller.rulings.values import Reading
from controller.snapshot import ChoiceView, QuestionView, Text
from controller.table.events import Asked, Supposed
from controller.texts.sentences import joined, phrase, reading_label

Values = Mapping[str, int]
MOST_DOUBTS = 2  # beside a ruling


class _Kind(NamedTuple):
    """Chips that are asked about alike."""

    value: int
    place: Place  # the bet spot in question
    pulled: bool  # perhaps taken back from there, else perhaps there unread


def question(asked: Asked, values: Values) -> QuestionView:
    """Is that chip there? A choice for each outcome, the likeliest first; nobody answers it by agreeing."""
    kinds = list(dict.fromkeys([_kind(move, values) for world in asked.worlds for move in world.moves]))
    choices = tuple(
        ChoiceView(number, _choice(world, kinds, values), _rule(world), stack_of(_items(world), values))
        for number, world in enumerate(asked.worlds, start=1)
    )
    text, chips = _asks(kinds), stack_of(asked.chips, values)
    return QuestionView(asked.id, asked.seat, text, choices, chips=chips, must_choose=True)


def doubts(worlds: Sequence[Supposed], values: Values) -> tuple[Text, ...]:
    """What stands beside a ruling: "if a 100 lies on the bet spot of seat 4: raise to 600"."""
    found = [world for world in worlds if world.moves and world.reading is not None]
    return tuple(_doubt(world, values) for world in found[:MOST_DOUBTS])


def _doubt(world: Supposed, values: Values) -> Text:
    kinds = list(dict.fromkeys(_kind(move, values) for move in world.moves))
    key = "doubt_gone" if all(kind.pulled for kind in kinds) else "doubt_there"
    return phrase(key, values=_listed(kinds), place=place(kinds[0].place), action=_action(world))


def _kind(move: Moved, values: Values) -> _Kind:
    pulled = move.target.zone is Zone.IN_HAND
    return _Kind(values.get(move.item, 0), move.origin if pulled else move.target, pulled)


def _items(world: Supposed) -> tuple[str, ...]:
    return tuple(move.item for move in world.moves)


def _asks(kinds: Sequence[_Kind]) -> Text:
    if not kinds:
        return phrase("world_motion")
    if len(kinds) > 1:
        return phrase("world_which", place=place(kinds[0].place))
    key = "world_still_there" if kinds[0].pulled else "world_is_there"
    return phrase(key, value=kinds[0].value, place=place(kinds[0].place))


def _choice(world: Supposed, kinds: Sequence[_Kind], values: Values) -> Text:
    action = _action(world)
    if not kinds:
        return phrase("world_one_motion" if world.chance >= 0.5 else "world_by_itself", action=action)
    if len(kinds) == 1:
        moved = bool(world.moves)
        there = moved is not kinds[0].pulled
        return phrase("world_yes" if there else "world_no", action=action)
    if not world.moves:
        return phrase("world_as_seen", action=action)
    here = list(dict.fromkeys(_kind(move, values) for move in world.moves))
    key = "world_without" if all(kind.pulled for kind in here) else "world_with"
    return phrase(key, values=_listed(here), action=action)


def _listed(kinds: Sequence[_Kind]) -> Text:
    return joined(phrase("world_chip", value=kind.value) for kind in kinds)


def _action(world: Supposed) -> Text:
    return phrase("world_nothing") if world.reading is None else reading_label(_settled(world.reading))


def _settled(reading: Reading) -> Reading:
    return replace(reading, change_due=0, must_add=0)


def _rule(world: Supposed) -> str:
    return "" if world.reading is None else world.reading.rule
