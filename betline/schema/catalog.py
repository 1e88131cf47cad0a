"""Every payload, snapshot, command, event and file as JSON Schema, made from the types that write and read them."""

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Any, Literal, cast

import msgspec

from controller.authority import keys, taken
from controller.commands import Command
from controller.config.config import Config
from controller.games.game import Game
from controller.journal.mark import Mark
from controller.journal.rows import Row
from controller.publish import inbox, lines, payloads, public
from controller.recording import file as recording
from controller.rulings.switches import Profile
from controller.snapshot import DealerSnapshot, Snapshot
from controller.table import events
from controller.table.events import Event
from firmware_bridge.events import Value

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]


class Greeting(Value, frozen=True):
    hello: Literal[1]
    view: lines.View


class Answer(Value, frozen=True, omit_defaults=True):
    id: str | None
    ok: Literal[True] | None = None
    error: str | None = None


class EventHead(Value, frozen=True):
    """Of every public event."""

    v: payloads.Version
    epoch: str
    n: int
    event_type: str
    ts: str
    boot: str
    mono_ms: int
    seat: int | None


def public_events() -> list[type[Value]]:
    """A type for each public event, and for each of its forms, as MQTT tells it."""
    kinds = [kind for kind in Event.__args__ if kind not in events.PRIVATE]
    return [_told(kind, form, number) for kind in kinds for number, form in enumerate(public.types_of(kind))]


def _told(kind: type[Event], form: Iterable[tuple[str, Any]], number: int) -> type[Value]:
    tag = str(kind.__struct_config__.tag)
    head = {field.name: field.type for field in msgspec.structs.fields(EventHead)}
    shape = head | {"event_type": Literal[tag]} | dict(form)
    name = f"{tag}_event" + (f"_{number + 1}" if number else "")
    return cast("type[Value]", msgspec.defstruct(name, list(shape.items()), bases=(Value,), frozen=True))


def _one(kind: Any) -> Callable[[], Schema]:
    return lambda: msgspec.json.schema(kind)


def any_of(kinds: Iterable[type[Value]]) -> Schema:
    """One of several forms that no tag tells apart."""
    forms, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    return {"anyOf": list(forms), "$defs": parts}


def _snapshots() -> Schema:
    greeting, answer = (msgspec.json.schema(kind) for kind in (Greeting, Answer))
    (public_one, dealer), parts = msgspec.json.schema_components(
        (Snapshot, DealerSnapshot), ref_template="#/$defs/{name}"
    )
    told = {"type": "object", "properties": {"snapshot": {"anyOf": [public_one, dealer]}}, "required": ["snapshot"]}
    forms = [greeting["$defs"]["Greeting"], {**told, "additionalProperties": False}, answer["$defs"]["Answer"]]
    return {"anyOf": forms, "$defs": parts}


# Names stand in CHANGELOG.md and in other people's programs: they stay.
MADE: dict[str, Callable[[], Schema]] = {
    "mqtt-info": _one(payloads.Info),
    "mqtt-state": _one(payloads.State),
    "mqtt-seat": _one(payloads.Seat),
    "mqtt-reader": _one(payloads.Reader),
    "mqtt-system": _one(payloads.System),
    "mqtt-private": _one(payloads.Private),
    "mqtt-event": lambda: any_of((*public_events(), payloads.Withheld)),
    "mqtt-replay-end": _one(payloads.ReplayEnd),
    "mqtt-command": _one(inbox.Body),
    "mqtt-result": _one(payloads.Result),
    "snapshot": _one(Snapshot),
    "dealer-snapshot": _one(DealerSnapshot),
    "command": _one(Command),
    "socket-in": _one(lines.CommandLine),
    "socket-out": _snapshots,
    "journal-event": _one(Event),
    "journal-row": _one(Row),
    "file-table-toml": _one(Config),
    "file-keys-toml": _one(keys.Keys),
    "file-house-profile": _one(Profile),
    "file-game": _one(Game),
    "file-journal-mark": _one(Mark),
    "file-journal-taken": _one(taken.Line),
    "file-ignored-tags": _one(list[str]),
    "file-recording-header": _one(recording.Header),
    "file-recording-line": _one(recording.Line),
}


def schema(name: str) -> Schema:
    """One of `MADE`."""
    return {"$schema": DIALECT, "title": name, **MADE[name]()}


def fingerprint(name: str) -> str:
    """Eight digits that change with what the schema demands, and not with its descriptions."""
    text = json.dumps(bare(schema(name)), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def bare(part: Any) -> Any:
    """Without what is only for people. A property may be called so, too: its name is kept."""
    if isinstance(part, list):
        return [bare(one) for one in part]
    if not isinstance(part, dict):
        return part
    kept = {key: one for key, one in part.items() if not (key in {"description", "title"} and isinstance(one, str))}
    return {key: bare(one) for key, one in kept.items()}
