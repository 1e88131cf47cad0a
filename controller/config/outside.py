"""Sections of table.toml about those outside: the broker, and who may say what. Pure."""

import re
from typing import Literal

from controller.authority.roles import Trust
from controller.errors import ConfigError
from firmware_bridge.events import Value

LOOPBACK = ("localhost", "127.0.0.1", "::1")
_HOST = re.compile(
    r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*"
)  # or IPv6: two colons


class MqttSection(Value, frozen=True):
    host: str = ""  # "": no MQTT
    port: int = 1883  # 8883 with TLS, usually
    username: str = ""  # "": nobody has to name himself; Home Assistant's add-on wants one
    password_file: str = ""  # a file with nothing but the password in it
    tls: bool = False  # encrypted
    ca_file: str = ""  # "": the system's certificates
    discovery: bool = True  # Home Assistant
    # Who may use cmd/...: nobody; who signs with a key; or also, in this role, everybody whom the broker lets write.
    commands: Literal["none", "signed", "dealer", "floor"] = "signed"
    # The dealer's whole view under private/, with names of chips and cards; only over loopback, or with TLS and a user.
    private: bool = False


class AuthoritySection(Value, frozen=True):
    keys: str = "keys.toml"  # made by `betline key`
    socket: Trust = "owner"  # the role of who comes without a key and may open the dealer's socket
    buttons: Trust = "dealer"  # the role of who presses a button without a seat


def check_mqtt(mqtt: MqttSection) -> None:
    """Everything that types alone cannot say; the first fault ends it."""
    if not 1 <= mqtt.port <= 65_535:
        raise ConfigError(f"[mqtt], key 'port': {mqtt.port} is out of range: use 1 to 65535")
    if mqtt.host and not _HOST.fullmatch(mqtt.host):
        raise ConfigError(
            f"[mqtt], key 'host': {mqtt.host!r} is no name of a machine: write it alone, as in broker.local or "
            "192.168.1.5; its port is [mqtt] port, and mqtts is tls = true"
        )
    if mqtt.private and not _is_guarded(mqtt):
        raise ConfigError(
            "[mqtt], key 'private': the dealer's view needs a broker on this machine (host = \"localhost\"), or tls = "
            "true and a username; let its access list name who may read private/"
        )
    if mqtt.commands not in ("none", "signed") and not mqtt.username:
        raise ConfigError(
            f"[mqtt], key 'commands': {mqtt.commands!r} trusts whom the broker lets write, and a broker without "
            'user names lets everybody: add username (docs/broker.md), or use "signed"'
        )
    if mqtt.ca_file and not mqtt.tls:
        raise ConfigError("[mqtt], key 'ca_file': is of no use without tls: add tls = true, or remove it")
    if mqtt.password_file and not mqtt.username:
        raise ConfigError("[mqtt], key 'username': is empty but there is a password_file: add the user name")


def _is_guarded(mqtt: MqttSection) -> bool:
    """Whether what goes to the broker is for its listed readers alone."""
    return mqtt.host in LOOPBACK or (mqtt.tls and mqtt.username != "")
