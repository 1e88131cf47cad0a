"""Home Assistant discovery: one retained document that describes the table as a device with its entities. Pure.

Rules of Home Assistant's MQTT integration that this keeps: `dev`, `o` and `cmps` are required, every component has a
platform `p` and a `unique_id`; a state has at most 255 characters; an event entity declares every `event_type` and
its topic is never retained.
"""

from typing import Any

import msgspec

from controller.publish.public import TYPES
from controller.publish.topics import Topics

BIRTH_TOPIC = "homeassistant/status"  # "online" after a start of Home Assistant: everything is told again
EXPIRES_S = 120  # four times the period of system/state
_TABLE_COMMANDS = (
    ("next", "Next hand", "mdi:cards-playing"),
    ("pause", "Pause", "mdi:pause"),
    ("resume", "Resume", "mdi:play"),
)


def topic(table: str) -> str:
    return f"homeassistant/device/betline_{table.replace('-', '_')}/config"


def document(topics: Topics, version: str, *, with_buttons: bool) -> bytes:
    """Pot, street, turn, ruling and seats as entities; buttons only where [mqtt] commands lets them work."""
    components = {**_table_sensors(topics), **_events(topics), **_system_sensors(topics)}
    for seat in range(1, topics.seats + 1):
        components.update(_seat_sensors(topics, seat))
    if with_buttons:
        components.update(_buttons(topics))
    for key, component in components.items():
        component["unique_id"] = f"betline_{topics.table}_{key}"
    return msgspec.json.encode(
        {
            "dev": {
                "ids": [f"betline_{topics.table}"],
                "name": f"Poker table {topics.table}",
                "mf": "betline",
                "mdl": f"{topics.seats} seats",
                "sw": version,
            },
            "o": {"name": "betline", "sw": version},
            "avty_t": topics.status,
            "cmps": components,
        }
    )


def _table_sensors(topics: Topics) -> dict[str, dict[str, Any]]:
    state = topics.state
    return {
        "pot": _sensor("Pot", state, "value_json.pot_total", "mdi:poker-chip") | {"json_attr_t": state},
        "street": _sensor("Street", state, "value_json.street", "mdi:cards"),
        "turn": _sensor("Turn", state, _seat_or_nobody("to_act"), "mdi:account-arrow-right"),
        "to_call": _sensor("To call", state, "value_json.to_call or 0", "mdi:cash"),
        "button": _sensor("Dealer button", state, _seat_or_nobody("button"), "mdi:alpha-d-circle"),
        "board": _sensor("Board", state, "value_json.board or '-'", "mdi:cards-outline"),
        "ruling": _sensor("Ruling", state, "value_json.ruling or '-'", "mdi:gavel"),
        "asking": {
            "p": "binary_sensor",
            "name": "Asks the floor",
            "stat_t": state,
            "val_tpl": "{{ 'ON' if value_json.asking else 'OFF' }}",
            "dev_cla": "problem",
        },
    }


def _system_sensors(topics: Topics) -> dict[str, dict[str, Any]]:
    """For who looks after the machine; they go unavailable when the controller falls silent."""
    system = topics.system
    found = {
        "cpu_temp": _sensor("CPU temperature", system, "value_json.cpu_temp_c", "mdi:thermometer")
        | {"unit_of_meas": "\u00b0C", "dev_cla": "temperature"},
        "disk_free": _sensor("Disk free", system, "value_json.disk_free_mb", "mdi:harddisk") | {"unit_of_meas": "MiB"},
        "outbox": _sensor("Events not told", system, "value_json.outbox", "mdi:tray-full"),
        "readers_up": _sensor("Readers up", system, "value_json.readers_up", "mdi:nfc-variant"),
    }
    return {key: sensor | {"ent_cat": "diagnostic", "exp_aft": EXPIRES_S} for key, sensor in found.items()}


def _seat_sensors(topics: Topics, seat: int) -> dict[str, dict[str, Any]]:
    state = topics.seat(seat)
    stack = _sensor(f"Seat {seat} stack", state, "value_json.stack", "mdi:poker-chip")
    return {
        f"seat_{seat}_state": _sensor(f"Seat {seat}", state, "value_json.state", "mdi:seat"),
        f"seat_{seat}_stack": stack | {"json_attr_t": state},
        f"seat_{seat}_bet": _sensor(f"Seat {seat} bet", state, "value_json.bet", "mdi:cash-plus"),
    }


def _events(topics: Topics) -> dict[str, dict[str, Any]]:
    return {
        "events": {"p": "event", "name": "Events", "stat_t": topics.events, "evt_typ": TYPES, "ic": "mdi:bell-ring"}
    }


def _buttons(topics: Topics) -> dict[str, dict[str, Any]]:
    return {
        f"cmd_{name}": {"p": "button", "name": label, "cmd_t": topics.command(name), "ic": icon}
        for name, label, icon in _TABLE_COMMANDS
    }


def _sensor(name: str, state_topic: str, value: str, icon: str) -> dict[str, Any]:
    return {"p": "sensor", "name": name, "stat_t": state_topic, "val_tpl": f"{{{{ {value} }}}}", "ic": icon}


def _seat_or_nobody(key: str) -> str:
    return f"'Seat ' ~ value_json.{key} if value_json.{key} else '-'"
