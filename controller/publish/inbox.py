"""Messages under cmd/ to commands: which are obeyed, which are not, and why. Pure.

A command is never obeyed when it is retained (it would come again at every connect), repeated (same `id`), expired, or
without authority: it is signed with a key (`controller/authority`), or [mqtt] `commands` trusts whom the broker lets
write, and in which role. Payload: plain text as for `betline say`, or JSON {"id", "args", "n", "expires"} and, signed,
{"time", "key", "sig"}; nothing or PRESS for a bare command.
"""

import re
from typing import Literal

import msgspec

from controller.authority.gate import Gate
from controller.authority.roles import Allowed, Grant, Judged, Refused, heard_as, judge, trusted
from controller.authority.signing import MAX_ID, Signed
from controller.commands import By, Command
from controller.errors import WordsError
from controller.texts.said import command as command_of
from firmware_bridge.events import Value

MAX_PAYLOAD = 1000  # bytes
REPLAY = "replay"
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
    time: int | None = None  # when it was signed, in seconds since 1970 UTC
    key: str = ""  # the name of the key
    sig: str = ""
    after: int | None = None  # of replay: the last event seen
    n: int | None = None  # of the state that its speaker saw; None: the table as it is


class Obey(Value, frozen=True):
    command: Command
    id: str | None
    n: int | None = None
    by: By = "mqtt"


class Replay(Value, frozen=True):
    """Somebody missed events: tell those above `after` on his own topic."""

    client: str
    after: int


class Ignore(Value, frozen=True):
    id: str | None
    why: str


class Inbox:
    """Takes messages in order."""

    def __init__(self, commands: Literal["none", "signed", "dealer", "floor"], gate: Gate) -> None:
        self._commands = commands
        self._gate = gate
        self._unsigned: Grant | None = None if commands == "signed" else trusted(commands)

    def take(self, message: Inbound, wall_s: float) -> Obey | Replay | Ignore:
        """What becomes of a message that arrived at `wall_s` (seconds since 1970 UTC)."""
        if message.retained:
            return Ignore(None, "a retained command is not obeyed: publish it without retain, and clear the topic")
        try:
            body = _body(message)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            return Ignore(None, f"cannot be read: {' '.join(str(error).split())}")
        why = _why_not(message, body, wall_s)
        if why is not None:
            return Ignore(body.id, why)
        if message.name == REPLAY:
            return self._replay(body)
        judged = self._judge(_words(message, body), body, wall_s)
        if isinstance(judged, Refused):
            return Ignore(body.id, judged.why)
        return Obey(judged.command, body.id, body.n, heard_as(judged.grant, "mqtt"))

    def _judge(self, said: str, body: Body, wall_s: float) -> Judged:
        if self._commands == "none":
            return Refused("not allowed over MQTT: table.toml says [mqtt] commands = 'none'")
        if body.sig:
            if body.id is None or body.time is None:
                return Refused('a signed command has an "id" and a "time": see betline key sign')
            return self._gate.signed(Signed(said, body.key, body.id, body.time, body.sig, body.n), wall_s)
        try:
            judged = judge(command_of([said]), self._unsigned)
        except WordsError as error:
            return Refused(str(error))
        if isinstance(judged, Allowed) and body.id is not None and (why := self._gate.once(body.id)) is not None:
            return Refused(why)
        return judged

    def _replay(self, body: Body) -> Replay | Ignore:
        if body.id is None or not _CLIENT.fullmatch(body.id) or body.after is None or body.after < 0:
            return Ignore(
                body.id, 'replay: send {"id": "your-name", "after": 17}; the answers come on replay/your-name'
            )
        return Replay(body.id, body.after)


def is_name(name: str) -> bool:
    """Whether a topic level can be the name of a command; else its result could not be told on a topic."""
    return bool(_NAME.fullmatch(name))


def _why_not(message: Inbound, body: Body, wall_s: float) -> str | None:
    if body.expires is not None and body.expires < wall_s:
        return "expired"
    if message.again and body.id is None:
        return "repeated: it may have been taken already, and has no id"
    if body.id is not None and len(body.id) > MAX_ID:
        return f"its id has more than {MAX_ID} characters"
    return None


def _words(message: Inbound, body: Body) -> str:
    return body.args if message.name == "say" else f"{message.name} {body.args}".strip()


def _body(message: Inbound) -> Body:
    if len(message.payload) > MAX_PAYLOAD:
        raise msgspec.ValidationError(f"more than {MAX_PAYLOAD} bytes")
    text = message.payload.decode().strip()
    if text.startswith("{"):
        return msgspec.json.decode(text, type=Body)
    return Body(args="" if text in _PRESS else text)
