"""Messages under cmd/ to commands: which are obeyed, which are not, and why. Pure.

A command is never obeyed when it is retained (it would come again at every connect), repeated (same `id`), expired, or
without authority: [mqtt] `commands` says whose are taken at all, and with a `key_file` a command must carry the key.
Payload: plain text as for `betline say`, or JSON {"id", "args", "n", "expires", "key"}; nothing or PRESS for
a bare command.
"""

import hmac
import re
from collections import deque
from typing import Literal

import msgspec

from controller import commands
from controller.commands import Command
from controller.errors import WordsError
from controller.texts import said
from firmware_bridge.events import Value

MAX_PAYLOAD = 1000  # bytes
REMEMBERED = 1000  # ids: at one command a second the last quarter of an hour
REPLAY = "replay"
_OF_THE_TABLE = (commands.NextHand, commands.NextStreet, commands.Pause, commands.Resume)
_NAME = re.compile(r"[a-z_]{1,20}")
_CLIENT = re.compile(r"[A-Za-z0-9_-]{1,40}")
_PRESS = ("", "PRESS")  # what a button of Home Assistant sends


class Inbound(Value, frozen=True):
    """One message of the broker."""

    name: str  # the last level of the topic
    payload: bytes
    retained: bool = False
    again: bool = False  # the broker's DUP flag


class Body(Value, frozen=True):
    """The JSON form of a command."""

    id: str | None = None
    args: str = ""
    expires: float | None = None  # seconds since 1970 UTC
    key: str = ""
    after: int | None = None  # of replay: the last event seen
    n: int | None = None  # of the state that its speaker saw; None: the table as it is


class Obey(Value, frozen=True):
    command: Command
    id: str | None
    n: int | None = None


class Replay(Value, frozen=True):
    """Somebody missed events: tell those above `after` on his own topic."""

    client: str
    after: int


class Ignore(Value, frozen=True):
    id: str | None
    why: str


class Inbox:
    """Takes messages in order; remembers the ids of the commands that it let through."""

    def __init__(self, allowed: Literal["none", "table", "all"], key: str = "") -> None:
        self._allowed = allowed
        self._key = key
        self._seen: set[str] = set()
        self._order: deque[str] = deque()

    def take(self, message: Inbound, wall_s: float) -> Obey | Replay | Ignore:
        """What becomes of a message that arrived at `wall_s` (seconds since 1970 UTC)."""
        if message.retained:
            return Ignore(None, "a retained command is not obeyed: publish it without retain, and clear the topic")
        try:
            body = _body(message)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            return Ignore(None, f"cannot be read: {' '.join(str(error).split())}")
        why = self._why_not(message, body, wall_s)
        if why is not None:
            return Ignore(body.id, why)
        if message.name == REPLAY:
            return self._replay(body)
        try:
            command = said.command([body.args] if message.name == "say" else [message.name, body.args])
        except WordsError as error:
            return Ignore(body.id, str(error))
        if not self._may(command):
            return Ignore(body.id, f"not allowed over MQTT: table.toml says [mqtt] commands = {self._allowed!r}")
        self._remember(body.id)
        return Obey(command, body.id, body.n)

    def _why_not(self, message: Inbound, body: Body, wall_s: float) -> str | None:
        if body.expires is not None and body.expires < wall_s:
            return "expired"
        if body.id in self._seen or (message.again and body.id is None):
            return "repeated: a command with this id was taken already"
        if body.id is not None and len(body.id) > 100:
            return "its id has more than 100 characters"
        if self._key and message.name != REPLAY and not hmac.compare_digest(body.key.encode(), self._key.encode()):
            return 'without authority: send JSON with the right "key"'
        return None

    def _may(self, command: Command) -> bool:
        return self._allowed == "all" or (self._allowed == "table" and isinstance(command, _OF_THE_TABLE))

    def _replay(self, body: Body) -> Replay | Ignore:
        if body.id is None or not _CLIENT.fullmatch(body.id) or body.after is None or body.after < 0:
            return Ignore(
                body.id, 'replay: send {"id": "your-name", "after": 17}; the answers come on replay/your-name'
            )
        return Replay(body.id, body.after)

    def _remember(self, identity: str | None) -> None:
        if identity is None:
            return
        self._seen.add(identity)
        self._order.append(identity)
        if len(self._order) > REMEMBERED:
            self._seen.discard(self._order.popleft())


def is_name(name: str) -> bool:
    """Whether a topic level can be the name of a command; else its result could not be told on a topic."""
    return bool(_NAME.fullmatch(name))


def _body(message: Inbound) -> Body:
    if len(message.payload) > MAX_PAYLOAD:
        raise msgspec.ValidationError(f"more than {MAX_PAYLOAD} bytes")
    text = message.payload.decode().strip()
    if text.startswith("{"):
        return msgspec.json.decode(text, type=Body)
    return Body(args="" if text in _PRESS else text)
