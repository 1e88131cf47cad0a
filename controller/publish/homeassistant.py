"""Home Assistant discovery: retained documents that describe the table as one device with its entities. Pure.

They are three, for the table, its seats, and readers and machine: one alone would be longer than some brokers carry.

Rules of Home Assistant's MQTT integration that this keeps: `dev`, `o` and `cmps` are required, every component has a
platform `p` and a `unique_id`; a state has at most 255 characters; an event entity declares every `event_type` and
its topic is never retained; a number is drawn as a line only where it has a unit or a state class, and is kept for ever
only where it has a state class. Names are told in the language of the table, ids never, so that automations stay whole.
Device discovery needs Home Assistant 2024.11 or newer.
"""

from typing import Any

import msgspec

from controller.publish.public import TYPES
from controller.publish.topics import Topics
from controller.snapshot import Language
from controller.texts.languages import ENGLISH
from controller.texts.sentences import phrase

BIRTH_TOPIC = "homeassistant/status"  # "online" after a start of Home Assistant: everything is told again
EXPIRES_S = 120  # four times the period of system/state
PARTS = ("", "_seats", "_readers")  # of the table; Home Assistant joins them by the device
AT_LEAST_ONCE = 1  # MQTT's quality of service
Component = dict[str, Any]
_TABLE_COMMANDS = (("next", "mdi:cards-playing"), ("pause", "mdi:pause"), ("resume", "mdi:play"))


def topics_of(table: str) -> tuple[str, ...]:
    """Of all that a table publishes for discovery."""
    return tuple(_topic(table, part) for part in PARTS)


def documents(topics: Topics, version: str, language: Language = ENGLISH, *, with_buttons: bool) -> dict[str, bytes]:
    """Topic -> the entities of a part of the table; buttons only where [mqtt] commands lets them work."""
    words = Words(language)
    table = _table(topics, words) | _troubles(topics, words) | _events(topics, words)
    if with_buttons:
        table |= _buttons(topics, words)
    seats: dict[str, Component] = {}
    for seat in range(1, topics.seats + 1):
        seats |= _seat(topics, seat, words)
    readers = {f"reader_{_slug(reader)}": _reader(topics, reader, words) for reader in topics.readers}
    parts = zip(PARTS, (table, seats, readers | _system(topics, words)), strict=True)
    return {_topic(topics.table, part): _document(topics, version, found, words) for part, found in parts}


def _topic(table: str, part: str) -> str:
    return f"homeassistant/device/betline_{_slug(table)}{part}/config"


def _document(topics: Topics, version: str, components: dict[str, Component], words: "Words") -> bytes:
    named = {
        key: component
        | {"unique_id": f"betline_{topics.table}_{key}"}
        | _entity_id(component["p"], f"betline_{_slug(topics.table)}_{key}")
        for key, component in components.items()
    }
    return msgspec.json.encode(
        {
            "dev": {
                "ids": [f"betline_{topics.table}"],
                "name": words("device", table=topics.table),
                "mf": "betline",
                "mdl": words("model", seats=topics.seats),
                "sw": version,
            },
            "o": {"name": "betline", "sw": version},
            "avty_t": topics.status,
            "qos": AT_LEAST_ONCE,
            "cmps": named,
        }
    )


class Words:
    """Names of entities in one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def __call__(self, key: str, **parts: str | int) -> str:
        return phrase(f"ha_{key}", **parts)[self._language]


# ---------------------------------------------------------------- the table
def _table(topics: Topics, words: Words) -> dict[str, Component]:
    state = topics.state
    found = {
        "pot": _chips("value_json.pot_total", "mdi:poker-chip", words) | {"json_attr_t": state},
        "to_call": _chips("value_json.to_call or 0", "mdi:cash", words),
        "small_blind": _chips("value_json.small_blind", "mdi:poker-chip", words),
        "big_blind": _chips("value_json.big_blind", "mdi:poker-chip", words),
        "hand_number": _number("value_json.hand_number", "mdi:counter"),
        "players": _number("value_json.players", "mdi:account-group"),
        "street": _sensor("value_json.street", "mdi:cards"),
        "phase": _sensor("value_json.phase", "mdi:state-machine"),
        "turn": _sensor(_seat_or_nobody("to_act", words), "mdi:account-arrow-right"),
        "button": _sensor(_seat_or_nobody("button", words), "mdi:alpha-d-circle"),
        "board": _sensor("value_json.board or '-'", "mdi:cards-outline"),
        "ruling": _sensor("value_json.ruling or '-'", "mdi:gavel"),
        "winner": _sensor("value_json.winner or '-'", "mdi:trophy"),
        "paused": _binary("value_json.paused", "mdi:pause-circle"),
    }
    return {key: component | {"name": words(key), "stat_t": state} for key, component in found.items()}


def _troubles(topics: Topics, words: Words) -> dict[str, Component]:
    """What an automation may call somebody for."""
    found = {
        "asking": _problem("value_json.asking"),
        "question": _sensor("value_json.question or '-'", "mdi:help-circle"),
        "doubt": _problem("not value_json.known"),
        "alarm": _problem("value_json.alarms > 0"),
        "alarms": _number("value_json.alarms", "mdi:alert"),
        "notice": _sensor("value_json.notice or '-'", "mdi:information"),
        "behind": _number("value_json.behind_s", "mdi:timer-sand") | {"unit_of_meas": "s", "dev_cla": "duration"},
    }
    return {key: component | {"name": words(key), "stat_t": topics.state} for key, component in found.items()}


def _seat(topics: Topics, seat: int, words: Words) -> dict[str, Component]:
    state = topics.seat(seat)
    found = {
        "state": _sensor("value_json.state", "mdi:seat"),
        "stack": _chips("value_json.stack", "mdi:poker-chip", words) | {"json_attr_t": state},
        "bet": _chips("value_json.bet", "mdi:cash-plus", words),
        "doubt": _problem("not value_json.known"),
    }
    return {
        f"seat_{seat}_{key}": component | {"name": words(f"seat_{key}", seat=seat), "stat_t": state}
        for key, component in found.items()
    }


def _events(topics: Topics, words: Words) -> dict[str, Component]:
    event = {"p": "event", "name": words("events"), "stat_t": topics.events, "evt_typ": TYPES, "ic": "mdi:bell-ring"}
    return {"events": event}


def _buttons(topics: Topics, words: Words) -> dict[str, Component]:
    return {
        f"cmd_{name}": {"p": "button", "name": words(f"cmd_{name}"), "cmd_t": topics.command(name), "ic": icon}
        for name, icon in _TABLE_COMMANDS
    }


# ---------------------------------------------------------------- readers and machine
def _reader(topics: Topics, reader: str, words: Words) -> Component:
    state = topics.reader(reader)
    about = {"name": words("reader", reader=reader), "stat_t": state, "json_attr_t": state, "ent_cat": "diagnostic"}
    return _binary("value_json.state == 'up'", "mdi:nfc-variant") | {"dev_cla": "connectivity"} | about


def _system(topics: Topics, words: Words) -> dict[str, Component]:
    """For who looks after the machine; they go unavailable when the controller falls silent."""
    temperature = {"unit_of_meas": "\u00b0C", "dev_cla": "temperature"}
    disk = {"unit_of_meas": "MiB", "dev_cla": "data_size"}
    found = {
        "cpu_temp": _number("value_json.cpu_temp_c", "mdi:thermometer") | temperature,
        "disk_free": _number("value_json.disk_free_mb", "mdi:harddisk") | disk,
        "outbox": _number("value_json.outbox", "mdi:tray-full"),
        "readers_up": _number("value_json.readers_up", "mdi:nfc-variant"),
    }
    about: Component = {"stat_t": topics.system, "ent_cat": "diagnostic", "exp_aft": EXPIRES_S}
    return {key: component | {"name": words(key)} | about for key, component in found.items()}


# ---------------------------------------------------------------- kinds of entities
def _sensor(value: str, icon: str) -> Component:
    return {"p": "sensor", "val_tpl": f"{{{{ {value} }}}}", "ic": icon}


def _number(value: str, icon: str) -> Component:
    return _sensor(value, icon) | {"stat_cla": "measurement"}


def _chips(value: str, icon: str, words: Words) -> Component:
    return _number(value, icon) | {"unit_of_meas": words("chips")}


def _binary(value: str, icon: str) -> Component:
    return {"p": "binary_sensor", "val_tpl": f"{{{{ 'ON' if {value} else 'OFF' }}}}", "ic": icon}


def _problem(value: str) -> Component:
    return {"p": "binary_sensor", "val_tpl": f"{{{{ 'ON' if {value} else 'OFF' }}}}", "dev_cla": "problem"}


def _seat_or_nobody(key: str, words: Words) -> str:
    """A template: "Seat 4" in the language of the table, or "-"."""
    before, after = words("seat", seat="#").split("#")
    return f"'{before}' ~ value_json.{key} ~ '{after}' if value_json.{key} else '-'"


def _entity_id(platform: str, name: str) -> Component:
    """What it is called in automations, in every language: as Home Assistant wants it since 2025.10, and before."""
    return {"def_ent_id": f"{platform}.{name}", "obj_id": name}


def _slug(name: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in name.lower())
