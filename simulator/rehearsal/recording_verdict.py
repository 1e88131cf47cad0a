"""What playing a recording again has shown, as a value and in words. Pure."""

from collections.abc import Iterator
from typing import Literal, assert_never

import msgspec

from firmware_bridge.events import Value

SHOWN = 200  # characters of a value in a line of text
What = Literal["event", "reader", "sent", "core"]


class Difference(Value, frozen=True):
    """Where playing it again is not as recorded."""

    what: What
    number: int  # counted from 1: of the event, the reader's event, the line
    at_s: float  # since the first line
    where: str  # which field: "ruled.reading.total_to"
    recorded: object
    now: object


class Verdict(Value, frozen=True):
    file: str
    version: str  # that recorded it
    exact: bool | None  # None: nothing was recorded that could be compared
    seconds: float  # of play
    inputs: int  # that the core took
    rounds: int
    events: int  # recorded
    replayed: int  # events decided now
    differences: tuple[Difference, ...]
    notices: tuple[str, ...]
    elapsed_s: float


def printed(verdict: Verdict) -> Iterator[str]:
    """The verdict in words, a line each."""
    for notice in verdict.notices:
        yield f"{verdict.file}: notice: {notice}"
    for difference in verdict.differences:
        yield f"{verdict.file}: differs: {_words(difference)}"
    played = f"{verdict.rounds} rounds, {verdict.seconds} s of play in {verdict.elapsed_s} s"
    unrecorded = f"no events on record, the table decides {verdict.replayed} now"
    if verdict.exact and verdict.events:
        yield f"{verdict.file}: exact: {verdict.events} events decided as recorded; {played}"
    elif verdict.exact:
        yield f"{verdict.file}: exact: rounds decoded as recorded; {unrecorded}; {played}"
    elif verdict.exact is None:
        yield f"{verdict.file}: nothing to compare: {unrecorded}; {played}"
    else:
        counts = f"{verdict.events} events recorded by betline {verdict.version}, {verdict.replayed} now"
        yield f"{verdict.file}: {counts}; {played}"


def _words(difference: Difference) -> str:
    at = f"at {difference.at_s} s"
    recorded, now = _short(difference.recorded), _short(difference.now)
    match difference.what:
        case "event":
            return f"event {difference.number} {at}: {difference.where}: {recorded} recorded, {now} now"
        case "reader":
            return f"event {difference.number} of reader {difference.where} {at}: {recorded} recorded, {now} now"
        case "sent":
            return f"line {difference.number} {at}: sent to {difference.where}: {recorded} recorded, {now} now"
        case "core":
            return f"line {difference.number} {at}: {difference.where}: {now}"
        case _:
            assert_never(difference.what)


def _short(value: object) -> str:
    text = "nothing" if value is None else msgspec.json.encode(value).decode()
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


def unlike(before: object, after: object, where: str) -> Iterator[tuple[str, object, object]]:
    """Paths at which two documents differ."""
    if isinstance(before, dict) and isinstance(after, dict) and before.get("type") == after.get("type"):
        for key in {**before, **after}:
            yield from unlike(before.get(key), after.get(key), f"{where}.{key}")
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from unlike(one, other, f"{where}[{number}]")
    elif before != after:
        yield where, before, after
