"""keys.toml: who may speak to the table from outside. Made by `betline key`, read anew for each signed command.

    table = "home"

    [[key]]
    name = "anna"
    role = "player"             # player | dealer | floor | owner
    seat = 3                    # of a player
    secret = "..."

A file of one person has the same form. Whoever can read a secret can speak as its person: it is refused where anybody
but its owner can.
"""

import re
import tomllib
from pathlib import Path

import msgspec
import tomli_w

from controller.authority.roles import ROLES, Role
from controller.authority.signing import Key
from controller.errors import ConfigError
from firmware_bridge.events import Value
from firmware_bridge.files import check_file, open_to_others, write_secret

NAME = re.compile(r"[a-z0-9-]{1,40}")
LEAST_SECRET = 32  # characters: 128 bits in hexadecimal


class Keys(Value, frozen=True):
    """The content of such a file."""

    table: str
    key: tuple[Key, ...] = ()

    def named(self, name: str) -> Key | None:
        return next((key for key in self.key if key.name == name), None)

    def with_key(self, key: Key) -> "Keys":
        return Keys(self.table, (*self.key, key))

    def without(self, name: str) -> "Keys":
        return Keys(self.table, tuple(key for key in self.key if key.name != name))


def load(path: Path) -> Keys | None:
    """The keys; None where there is no file. ConfigError where it is no file of keys, or no secret."""
    check_file(path, ConfigError)
    try:
        if not path.exists():
            return None
        wide = open_to_others(path)
        if wide is not None:
            raise ConfigError(wide)
        keys = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Keys)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}: mend its rights, or [authority] keys") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: no file of keys ({' '.join(str(error).split())}): make one: betline key") from error
    fault = next((fault for key in keys.key if (fault := fault_of(key)) is not None), None)
    if fault is not None:
        raise ConfigError(f"{path}: {fault}")
    if len({key.name for key in keys.key}) != len(keys.key):
        raise ConfigError(f"{path}: two keys have one name: revoke one")
    return keys


def save(path: Path, keys: Keys) -> None:
    document = msgspec.to_builtins(keys)
    for key in document["key"]:
        if key["seat"] is None:
            del key["seat"]
    try:
        write_secret(path, tomli_w.dumps(document).encode())
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}: choose another place, or mend its rights") from error


def fault_of(key: Key) -> str | None:
    """What is wrong with a key, and the cure."""
    if not NAME.fullmatch(key.name):
        return f"{key.name!r} is no name of a key: use 1 to 40 of a-z, 0-9 and hyphen"
    if (key.role == "player") != (key.seat is not None):
        return f"key {key.name!r}: a player's key, and no other, has a seat: add or remove it"
    if len(key.secret) < LEAST_SECRET:
        return f"key {key.name!r}: its secret has less than {LEAST_SECRET} characters: make it by betline key"
    return None


class KeyFile:
    """Looks a key up, in the file as it is now: a key that was revoked is void at once."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def find(self, name: str) -> Key | None:
        keys = load(self._path)
        return None if keys is None else keys.named(name)


def role_of(text: str) -> Role | None:
    """A role as a person types it."""
    return next((role for role in ROLES if role == text), None)
