"""Who may command from a page: two keys in a file of its owner alone, one for the dealer, one for the floor.

The one seam between pages and authority: `role_of` a key, and what a role `may` say. Each order tells the table the
role too, which judges it by its own table of roles. Watching needs no key.
"""

import hmac
import os
import secrets
import tomllib
from pathlib import Path
from typing import Literal

from controller import commands
from controller.commands import Command
from display.errors import ScreenError

Role = Literal["dealer", "floor"]
ROLES: tuple[Role, ...] = ("dealer", "floor")
LEAST = 32  # characters of a key
FLOORS = (  # what only the floor may say: all that puts money, seats or rulings right
    commands.Overrule,
    commands.SetBets,
    commands.SetStack,
    commands.SetButton,
    commands.SetBlinds,
    commands.SeatIn,
    commands.SeatOut,
    commands.Misdeal,
    commands.NotAChip,
)
FLOORS_KEYS = frozenset("vB=dlimxX")  # of the dealer's desk, that begin one of these


def may(role: Role, command: Command) -> bool:
    return role == "floor" or not isinstance(command, FLOORS)


class Keys:
    """The keys of the pages, as their file says."""

    def __init__(self, keys: dict[Role, str]) -> None:
        self._keys = keys

    def of(self, role: Role) -> str:
        return self._keys[role]

    def role_of(self, key: str) -> Role | None:
        """Whose key this is; every one is compared whole, so that the time tells nothing."""
        found: Role | None = None
        for role, own in self._keys.items():
            if hmac.compare_digest(own.encode(), key.encode("utf-8", "replace")):
                found = role
        return found


def keys_in(path: Path) -> Keys:
    """The keys of a file, which is made where it is missing. ScreenError where others can read it."""
    try:
        if not path.exists():
            _make(path)
        if path.stat().st_mode & 0o077:
            raise ScreenError(f"{path}: others on this machine can read it: chmod 600 it")
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ScreenError(f"{path}: {error}: remove it, and keys are made anew") from error
    found: dict[Role, str] = {role: str(document.get(role, "")) for role in ROLES}
    if min(map(len, found.values())) < LEAST or len(set(found.values())) < len(ROLES):
        raise ScreenError(f"{path}: needs a key of {LEAST} characters for dealer and for floor: remove it")
    return Keys(found)


def _make(path: Path) -> None:
    text = "".join(f'{role} = "{secrets.token_urlsafe(30)}"\n' for role in ROLES)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:  # noqa: PTH123  -- its mode from the first moment on
        file.write(text)
