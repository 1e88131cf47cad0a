"""What the public may hear of each event: no tags, no names of items, no card that nobody tabled.

A field is public only when it is named here; whatever an event gains later stays private until it is added.
"""

from typing import Any, cast

import msgspec
from msgspec.structs import fields

from controller.places import Moved, Zone
from controller.publish import payloads as p
from controller.rulings.values import Reading, Word
from controller.table import events as e
from firmware_bridge.events import Value

TYPES = tuple(
    sorted(str(kind.__struct_config__.tag) for kind in e.Event.__args__ if kind not in e.PRIVATE)
)  # the closed vocabulary of `event_type`

MOST_WORLDS = 12  # outcomes that a question tells; those behind them are told as one number
MOST_CHIPS = 12  # of one outcome, likewise
MOST_DOUBTS = 8  # readings of doubts that are told beside a ruling; the count is of all


def public_fields(event: e.Event, before_n: int | None = None) -> dict[str, Any] | None:
    """The public content of an event, None where it has none.

    Corrections name an older event by its private number; `before_n` is the public number of the first event that it
    takes back or changes.
    """
    if not e.is_public(event):
        return None
    told = _told(event, before_n)
    return _public_struct(event) if told is None else cast("dict[str, Any]", msgspec.to_builtins(told))


def _told(event: e.Event, before_n: int | None) -> Value | None:
    """What is told of an event whose own fields are not for everybody; None: see `_WHOLE`."""
    match event:
        case e.Ruled():
            return _ruled(event)
        case e.Asked():
            return _asked(event)
        case e.Answered():
            return p.AnsweredTold(**_reading(event.reading), question=event.id, by=event.by, choice=event.world)
        case e.Overruled():
            return p.OverruledTold(**_reading(event.reading), seat=event.seat, of_n=before_n, by=event.by)
        case e.Undone() | e.RoundRestarted():
            return p.TakenBackTold(before_n, event.by)
        case e.Said():
            return p.SaidTold(seat=event.seat, by=event.by, **_word(event.word))
        case e.PushHeld():
            return p.HeldTold(event.seat, len(event.chips), event.early)
        case e.PutInDoubt():
            return p.InDoubtTold(event.seat, len(event.missed), len(event.second), event.changed)
        case e.Alarmed():
            return p.AlarmedTold(event.seat, event.key, event.amount)
        case _:
            return None


TOLD: dict[type, tuple[type[Value], ...]] = {
    e.Ruled: (p.RuledTold,),
    e.Asked: (p.AskedTold, p.WorldsAskedTold),
    e.Answered: (p.AnsweredTold,),
    e.Overruled: (p.OverruledTold,),
    e.Undone: (p.TakenBackTold,),
    e.RoundRestarted: (p.TakenBackTold,),
    e.Said: (p.SaidTold,),
    e.PushHeld: (p.HeldTold,),
    e.PutInDoubt: (p.InDoubtTold,),
    e.Alarmed: (p.AlarmedTold,),
}  # what `_told` makes of each, for who describes payloads


def types_of(kind: type) -> list[tuple[tuple[str, Any], ...]]:
    """Names and types of the public fields of an event of this kind, for each form that it may have."""
    if kind in TOLD:
        return [tuple((field.name, field.type) for field in fields(shape)) for shape in TOLD[kind]]
    named = _WHOLE.get(kind, ())
    return [tuple((field.name, field.type) for field in fields(kind) if field.name in named)]


# Of these the named fields are public; of a kind that is not named, nothing but its name.
_WHOLE: dict[type, tuple[str, ...]] = {
    e.HandStarted: ("number", "button", "players", "posts", "min_bet", "limits"),
    e.Posted: ("seat", "kind", "amount", "all_in"),
    e.DealingEnded: ("to_act",),
    e.TurnedUp: ("seat", "cards"),
    e.OpenerSeen: ("seat", "by"),
    e.Drew: ("seat", "cards"),
    e.TurnPassed: ("to",),
    e.PushReleased: ("seat", "why"),
    e.BettingClosed: ("street",),
    e.UncalledReturned: ("seat", "amount"),
    e.BetsSwept: ("pots",),
    e.StreetOpened: ("street", "board", "to_act"),
    e.BoardChanged: ("board",),
    e.HandsShown: ("seat", "cards"),
    e.Mucked: ("seat",),
    e.PotAwarded: ("pot", "shares", "why", "parts"),
    e.PotPaid: ("seat", "amount"),
    e.HandEnded: ("number", "stacks"),
    e.Misdealt: ("number",),
    e.SeatChanged: ("seat", "stack", "playing", "bought", "name"),
    e.ButtonMoved: ("seat",),
    e.KillTold: ("seat",),
    e.LevelChanged: ("small", "big", "ante"),
    e.Cleared: ("key", "seat"),
    e.Paused: ("by",),
    e.Resumed: ("by",),
}


def _public_struct(event: e.Event) -> dict[str, Any]:
    return {name: msgspec.to_builtins(getattr(event, name)) for name in _WHOLE.get(type(event), ())}


def _reading(reading: Reading | None) -> dict[str, Any]:
    return {
        "action": None if reading is None else reading.action,
        "total_to": None if reading is None else reading.total_to,
        "change_due": None if reading is None else reading.change_due,
        "must_add": None if reading is None else reading.must_add,
        "reopens": None if reading is None else reading.reopens,
        "all_in": None if reading is None else reading.all_in,
        "rule": None if reading is None else reading.rule,
    }


def _ruled(event: e.Ruled) -> p.RuledTold:
    return p.RuledTold(
        **_reading(event.reading),
        seat=event.seat,
        why=event.ruling.why,
        by=event.by,
        inferred=event.inferred,
        **_word(event.word),
        doubts=tuple(_world(world) for world in event.doubts[:MOST_DOUBTS]),
        doubt_count=len(event.doubts),
    )


def _asked(event: e.Asked) -> Value:
    """Of many outcomes the likeliest, and what is behind them as one number: a broker carries no more."""
    head = {"seat": event.seat, "question": event.id, "why": event.why, **_word(event.word)}
    if not event.worlds:
        return p.AskedTold(**head, readings=tuple(p.ReadingTold(**_reading(one)) for one in event.ruling.readings))
    rest = event.worlds[MOST_WORLDS:]
    told = tuple(_world(world) for world in event.worlds[:MOST_WORLDS])
    chance = round(sum(world.chance for world in rest), 6)
    return p.WorldsAskedTold(**head, readings=told, more=len(rest), more_chance=chance)


def _world(world: e.Supposed) -> p.WorldTold:
    """What would be ruled, and the chips that would lie otherwise than seen: values and seats, never which chips."""
    chips = tuple(
        p.ChipTold(value, _seat(move), move.target.zone is Zone.IN_HAND)
        for value, move in zip(world.values[:MOST_CHIPS], world.moves, strict=False)
    )
    return p.WorldTold(**_reading(world.reading), chips=chips, chip_count=len(world.moves), chance=world.chance)


def _seat(move: Moved) -> int | None:
    """Whose bet spot the chip is asked about."""
    return move.origin.seat if move.target.zone is Zone.IN_HAND else move.target.seat


def _word(word: Word | None) -> dict[str, Any]:
    return {"word": None if word is None else word.kind, "word_amount": None if word is None else word.amount}
