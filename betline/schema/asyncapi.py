"""The topics of a table as an AsyncAPI document, from the names that the controller itself uses."""

from typing import Any, Literal

import msgspec

from betline.schema.catalog import MADE, Schema, schema
from controller.publish.topics import Topics
from firmware_bridge.events import Value

VERSION = "3.0.0"
_NAMES = Topics("{table}", private=True)


class Channel(Value, frozen=True):
    """One topic, or topics that differ in a level."""

    address: str
    payloads: tuple[str, ...]  # names of schemas; none: plain text
    by: Literal["table", "others"]
    retained: bool
    about: str


CHANNELS: dict[str, Channel] = {
    "status": Channel(_NAMES.status, (), "table", retained=True, about="online or offline; also the last will"),
    "info": Channel(_NAMES.info, ("mqtt-info",), "table", retained=True, about="what this table is"),
    "state": Channel(_NAMES.state, ("mqtt-state",), "table", retained=True, about="the table as it is now"),
    "seat": Channel(_NAMES.seat("{seat}"), ("mqtt-seat",), "table", retained=True, about="one seat"),
    "reader": Channel(_NAMES.reader("{reader}"), ("mqtt-reader",), "table", retained=True, about="one reader"),
    "system": Channel(_NAMES.system, ("mqtt-system",), "table", retained=True, about="machine and controller"),
    "private": Channel(_NAMES.dealer, ("mqtt-private",), "table", retained=True, about="the dealer's view"),
    "events": Channel(
        _NAMES.events, ("mqtt-event",), "table", retained=False, about="all public events, in order of n"
    ),
    "replay": Channel(
        _NAMES.replay("{client}"),
        ("mqtt-event", "mqtt-replay-end"),
        "table",
        retained=False,
        about="events that a client missed",
    ),
    "command": Channel(
        _NAMES.command("{command}"),
        ("mqtt-command",),
        "others",
        retained=False,
        about="a command, as JSON or as plain text; never retained",
    ),
    "result": Channel(
        _NAMES.result("{command}"), ("mqtt-result",), "table", retained=False, about="the answer to a command"
    ),
}
_LEVELS = {
    "table": "[table] name of table.toml",
    "seat": "from 1",
    "reader": "id of a [[reader]]",
    "client": "the id that asked",
    "command": "as for betline say: next, undo, stack ...; say takes every other word",
}


def document(version: str) -> Schema:
    """The whole of it, schemas included."""
    used = sorted({name for channel in CHANNELS.values() for name in channel.payloads})
    return {
        "asyncapi": VERSION,
        "info": {
            "title": "betline: a poker table over MQTT",
            "version": version,
            "description": "MQTT 5 or 3.1.1, QoS 1. controller/topics.md says what each key means.",
        },
        "defaultContentType": "application/json",
        "channels": {name: _channel(channel) for name, channel in CHANNELS.items()},
        "operations": {name: _operation(name, channel) for name, channel in CHANNELS.items()},
        "components": {
            "messages": {name: _message(name) for name in used} | {"text": {"payload": {"type": "string"}}},
            "schemas": {name: _placed(MADE[name](), name) for name in used},
        },
    }


def _channel(channel: Channel) -> Schema:
    levels = {level: {"description": about} for level, about in _LEVELS.items() if f"{{{level}}}" in channel.address}
    messages = {name: {"$ref": f"#/components/messages/{name}"} for name in channel.payloads or ("text",)}
    return {
        "address": channel.address,
        "description": channel.about,
        "messages": messages,
        "parameters": levels,
        "bindings": {"mqtt": {"bindingVersion": "0.2.0"}},
    }


def _operation(name: str, channel: Channel) -> Schema:
    """As the table sees it: it sends what it says, and receives commands."""
    action = "send" if channel.by == "table" else "receive"
    bindings = {"mqtt": {"qos": 1, "retain": channel.retained, "bindingVersion": "0.2.0"}}
    return {"action": action, "channel": {"$ref": f"#/channels/{name}"}, "bindings": bindings}


def _message(name: str) -> Schema:
    return {"name": name, "contentType": "application/json", "payload": {"$ref": f"#/components/schemas/{name}"}}


def _placed(found: Any, name: str) -> Any:
    """A schema inside the document: what it refers to lies deeper."""
    if isinstance(found, list):
        return [_placed(one, name) for one in found]
    if not isinstance(found, dict):
        return found
    return {
        key: one.replace("#/$defs/", f"#/components/schemas/{name}/$defs/")
        if isinstance(one, str) and key == "$ref"
        else _placed(one, name)
        for key, one in found.items()
    }


def text_of(content: Schema) -> str:
    return msgspec.json.format(msgspec.json.encode(content)).decode() + "\n"


def files(version: str) -> dict[str, str]:
    """Name and text of every file that `betline schema` writes."""
    written = {f"{name}.schema.json": text_of(schema(name)) for name in MADE}
    return written | {"asyncapi.json": text_of(document(version))}
