"""What older versions wrote into table.toml, as it is written now. Pure.

Until keys came, `[mqtt] commands` said table or all, and one secret in `key_file` stood for everybody.
"""

from collections.abc import Mapping
from typing import Any

from controller.errors import ConfigError

UNSIGNED = ("table", "all")  # who could reach the broker could say it; today who signs with a key


def as_now(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with today's keys and values. ConfigError where somebody must choose."""
    mqtt = document.get("mqtt")
    if not isinstance(mqtt, dict) or not ("key_file" in mqtt or mqtt.get("commands") in UNSIGNED):
        return dict(document)
    if mqtt.get("key_file"):
        raise ConfigError("[mqtt], key 'key_file': one secret for all is gone: remove it, and run betline key")
    now = {key: value for key, value in mqtt.items() if key != "key_file"}
    if now.get("commands") in UNSIGNED:
        now["commands"] = "signed"
    return {**document, "mqtt": now}
