"""What a key signs, and how: HMAC-SHA256 over table, key, id, time, n and words. Pure.

The signed text has seven lines, joined by a newline, without one behind the last:

    betline 1
    home                        [table] name
    anna                        the key's name
    7f3a                        id: new for each command
    1790000000                  whole seconds since 1970 UTC
    412                         n of the state that its speaker saw; empty where none is given
    stack 5 2000                the words, with single blanks

Whoever reads such a message learns nothing with which he could sign another one.
"""

import hmac
from typing import Any

from controller.authority.roles import Grant, Role
from firmware_bridge.events import Value

WINDOW_S = 60  # how far the clocks of speaker and table may differ, and how old a command may be
MAX_ID = 100  # characters


class Key(Value, frozen=True):
    """A person's key: whoever has its secret speaks in its role."""

    name: str
    role: Role
    secret: str
    seat: int | None = None  # of a player

    @property
    def grant(self) -> Grant:
        return Grant(self.role, self.seat, self.name)


class Signed(Value, frozen=True):
    """A command with its signature, as it comes through any door."""

    words: str
    key: str  # its name
    id: str
    time: int
    sig: str  # hex
    n: int | None = None


def signature(table: str, secret: str, said: Signed) -> str:
    """Of everything in `said` but `sig`."""
    lines = ("betline 1", table, said.key, said.id, said.time, "" if said.n is None else said.n, plain(said.words))
    text = "\n".join(str(line) for line in lines)
    return hmac.digest(secret.encode(), text.encode(), "sha256").hex()


def sign(table: str, key: Key, words: str, identity: str, time_s: int, *, n: int | None = None) -> Signed:
    said = Signed(words, key.name, identity, time_s, "", n)
    return Signed(words, key.name, identity, time_s, signature(table, key.secret, said), n)


def fault_of(table: str, key: Key | None, said: Signed, wall_s: float) -> str | None:
    """Why a signed command is not to be believed; None where it is. Whether it was taken before is not asked here."""
    right = signature(table, key.secret if key is not None else "", said)
    if not hmac.compare_digest(right.encode(), said.sig.encode()) or key is None:
        return "without authority: no key of this table has signed this"
    if not 0 < len(said.id) <= MAX_ID or "\n" in said.id:
        return f"its id must have 1 to {MAX_ID} characters"
    late_s = wall_s - said.time
    if abs(late_s) > WINDOW_S:
        early = "before" if late_s > 0 else "behind"
        return f"expired: signed {abs(late_s):.0f} s {early} this table's clock, more than {WINDOW_S}: set the clocks"
    return None


def payload(said: Signed) -> dict[str, Any]:
    """The JSON of it for `cmd/say`."""
    told = {"id": said.id, "args": said.words, "time": said.time, "key": said.key, "sig": said.sig}
    return told if said.n is None else {**told, "n": said.n}


def plain(words: str) -> str:
    return " ".join(words.split())
