"""What the public may hear of each event: no tags, no names of items, no card that nobody tabled.

A field is public only when it is named here; whatever an event gains later stays private until it is added.
"""

from typing import Any

import msgspec

from controller.places import Moved, Zone
from controller.rulings.values import Reading, Word
from controller.table import events as e

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
    match event:
        case e.Ruled():
            return {"seat": event.seat, **_reading(event.reading), **_judged(event)}
        case e.Asked():
            return {
                "seat": event.seat,
                "question": event.id,
                "why": event.why,
                **(_outcomes(event.worlds) if event.worlds else {"readings": _readings(event)}),
                **_word(event.word),
            }
        case e.Answered():
            return {"question": event.id, **_reading(event.reading), "by": event.by, "choice": event.world}
        case e.Overruled():
            return {"seat": event.seat, "of_n": before_n, **_reading(event.reading), "by": event.by}
        case e.Undone() | e.RoundRestarted():
            return {"of_n": before_n, "by": event.by}
        case e.Said():
            return {"seat": event.seat, "by": event.by, **_word(event.word)}
        case e.PushHeld():
            return {"seat": event.seat, "chips": len(event.chips), "early": event.early}
        case e.PutInDoubt():
            counts = {"missed": len(event.missed), "second": len(event.second)}
            return {"seat": event.seat, **counts, "changed": event.changed}
        case e.Alarmed():
            return {"seat": event.seat, "key": event.key, "amount": event.amount}
        case _:
            return _public_struct(event)


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


def _readings(asked: e.Asked) -> list[dict[str, Any]]:
    return [_reading(reading) for reading in asked.ruling.readings]


def _outcomes(worlds: tuple[e.Supposed, ...]) -> dict[str, Any]:
    """The likeliest outcomes, and what is behind them as one number: a broker carries no more."""
    rest = worlds[MOST_WORLDS:]
    told = [_world(world) for world in worlds[:MOST_WORLDS]]
    return {"readings": told, "more": len(rest), "more_chance": round(sum(world.chance for world in rest), 6)}


def _world(world: e.Supposed) -> dict[str, Any]:
    """What would be ruled, and the chips that would lie otherwise than seen: values and seats, never which chips."""
    chips = [
        {"value": value, "seat": _seat(move), "taken_back": move.target.zone is Zone.IN_HAND}
        for value, move in zip(world.values[:MOST_CHIPS], world.moves, strict=False)
    ]
    return {**_reading(world.reading), "chips": chips, "chip_count": len(world.moves), "chance": world.chance}


def _seat(move: Moved) -> int | None:
    """Whose bet spot the chip is asked about."""
    return move.origin.seat if move.target.zone is Zone.IN_HAND else move.target.seat


def _judged(event: e.Ruled) -> dict[str, Any]:
    doubts = [_world(world) for world in event.doubts[:MOST_DOUBTS]]
    told = {"why": event.ruling.why, "by": event.by, "inferred": event.inferred, **_word(event.word)}
    return {**told, "doubts": doubts, "doubt_count": len(event.doubts)}


def _word(word: Word | None) -> dict[str, Any]:
    return {"word": None if word is None else word.kind, "word_amount": None if word is None else word.amount}
