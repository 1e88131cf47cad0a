"""Commands over MQTT: which are obeyed and which are not."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import commands
from controller.authority.gate import Gate
from controller.authority.signing import Key, sign
from controller.authority.signing import payload as payload_of
from controller.publish.inbox import Ignore, Inbound, Inbox, Obey, Replay, is_name
from controller.rulings.values import Word

NOW = 1_000_000.0
ANNA = Key("anna", "floor", "a" * 64)
BEN = Key("ben", "player", "b" * 64, 3)


def new(allowed: str = "signed") -> Inbox:
    keys = {key.name: key for key in (ANNA, BEN)}
    return Inbox(allowed, Gate("home", keys.get))  # type: ignore[arg-type]


def signed(words: str, key: Key = ANNA, time_s: int = int(NOW)) -> bytes:
    return msgspec.json.encode(payload_of(sign("home", key, words, "1", time_s)))


def take(name: str, payload: bytes = b"", inbox: Inbox | None = None, **more: bool) -> Obey | Replay | Ignore:
    return (inbox or new("owner")).take(Inbound(name, payload, **more), NOW)


@pytest.mark.parametrize(
    ("name", "payload", "command"),
    [
        ("next", b"", commands.NextHand()),
        ("next", b"PRESS", commands.NextHand()),
        ("pause", b"  ", commands.Pause()),
        ("say", b"4 raise to 600", commands.Say(4, Word("raise_to", 600))),
        ("stack", b"5 2000", commands.SetStack(5, 2000)),
        ("seat", b'{"args": "5 out"}', commands.SeatOut(5)),
        ("not_a_chip", b"spot 3", commands.NotAChip("spot", 3)),
        ("undo", b'{"id": "1", "expires": 1000000.5}', commands.Undo()),
        ("call", b"", commands.Say(None, Word("call"))),
        ("overrule", b"seat 2 to 600", commands.Overrule(total_to=600, seat=2)),
        ("out_of_turn", b"", commands.OutOfTurn()),
        ("out_of_turn", b"5 call", commands.OutOfTurn(5, Word("call"))),
    ],
)
def test_text_and_json_are_the_same_commands(name: str, payload: bytes, command: commands.Command) -> None:
    taken = take(name, payload)
    assert isinstance(taken, Obey)
    assert taken.command == command


@pytest.mark.parametrize(
    ("payload", "flags", "why"),
    [
        (b"", {"retained": True}, "retained"),
        (b"", {"again": True}, "repeated"),
        (b'{"expires": 999999}', {}, "expired"),
        (b'{"id": "%s"}' % (b"i" * 101), {}, "100 characters"),
        (b'{"idd": "1"}', {}, "unknown field `idd`"),
        (b'{"id": 1}', {}, "Expected `str | null`"),
        (b"\xff", {}, "cannot be read"),
        (b"now please", {}, "'undo now please'"),
    ],
)
def test_what_is_not_obeyed_is_answered_with_the_reason(payload: bytes, flags: dict[str, bool], why: str) -> None:
    taken = take("undo", payload, **flags)
    assert isinstance(taken, Ignore)
    if why != "'undo now please'":
        assert why in taken.why


def test_a_command_with_the_same_id_is_obeyed_once_but_a_refused_one_may_come_again() -> None:
    inbox = new("floor")
    assert isinstance(take("stack", b'{"id": "a", "args": "x 1"}', inbox), Ignore)
    assert isinstance(take("stack", b'{"id": "a", "args": "9 1"}', inbox), Obey)
    assert isinstance(take("stack", b'{"id": "a", "args": "9 1"}', inbox), Ignore)
    assert isinstance(take("undo", b'{"id": "b"}', inbox, again=True), Obey)  # its first was lost on the way


def test_by_default_nothing_is_obeyed_without_a_key() -> None:
    for name in ("next", "street", "pause", "undo", "call", "resume"):
        for message in (b"", b"PRESS", b'{"id": "1"}', b'{"key": "anna"}'):
            taken = take(name, message, new())
            assert isinstance(taken, Ignore)
            assert "without authority" in taken.why


def test_what_a_key_signed_is_obeyed_once() -> None:
    inbox = new()
    message = signed("stack 5 2000")
    assert take("say", message, inbox) == Obey(commands.SetStack(5, 2000), "1", None, "mqtt")
    assert "repeated" in getattr(take("say", message, inbox), "why", "")


def test_the_topic_is_part_of_what_is_signed() -> None:
    body = msgspec.json.decode(signed("stack 5 2000"))
    moved = msgspec.json.encode(body | {"args": "5 2000"})
    assert isinstance(take("stack", moved, new()), Obey)
    assert isinstance(take("say", moved, new()), Ignore)
    assert isinstance(take("button", msgspec.json.encode(body | {"args": "5"}), new()), Ignore)


def test_a_players_key_speaks_for_his_seat_as_its_button_does() -> None:
    assert take("say", signed("call", BEN), new()) == Obey(commands.Say(3, Word("call")), "1", None, "seat")
    for words in ("4 call", "pause", "undo", "overrule 2", "stack 3 9000", "out of turn 3 call"):
        assert isinstance(take("say", signed(words, BEN), new()), Ignore), words


@pytest.mark.parametrize(("missing"), ["id", "time"])
def test_a_signed_command_without_id_or_time_is_refused(missing: str) -> None:
    body = msgspec.json.decode(signed("undo"))
    del body[missing]
    assert "betline key sign" in getattr(take("say", msgspec.json.encode(body), new()), "why", "")


@pytest.mark.parametrize(
    ("allowed", "name", "obeyed"),
    [
        ("none", "pause", False),
        ("signed", "pause", False),
        ("dealer", "pause", True),
        ("dealer", "stack", False),
        ("floor", "stack", True),
    ],
)
def test_the_configuration_says_in_which_role_whom_the_broker_lets_write(allowed: str, name: str, obeyed: bool) -> None:
    assert isinstance(take(name, b"5 1" if name == "stack" else b"", new(allowed)), Obey) is obeyed
    assert isinstance(take("say", b"stack 5 1" if name == "stack" else name.encode(), new(allowed)), Obey) is obeyed


def test_none_is_none_for_keys_too() -> None:
    assert isinstance(take("say", signed("undo"), new("none")), Ignore)


def test_a_replay_needs_a_name_for_its_topic() -> None:
    assert take("replay", b'{"id": "panel-1", "after": 0}', new("none")) == Replay("panel-1", 0)
    for payload in (
        b"",
        b'{"id": "a/b", "after": 1}',
        b'{"id": "a", "after": -1}',
        b'{"after": 1}',
        b'{"id": "+", "after": 1}',
    ):
        assert isinstance(take("replay", payload), Ignore)


def test_only_plain_names_can_be_answered_on_a_topic() -> None:
    assert is_name("not_a_chip")
    assert not any(is_name(name) for name in ("", "+", "a b", "RESULT", "x" * 30))


@settings(max_examples=200, derandomize=True)
@given(
    st.sampled_from(["say", "next", "stack", "replay", "seat"]),
    st.binary(max_size=60) | st.text(max_size=40).map(str.encode),
)
def test_any_message_is_obeyed_answered_or_replayed(name: str, payload: bytes) -> None:
    taken = take(name, payload)
    assert not isinstance(taken, Ignore) or len(taken.why.splitlines()) == 1
