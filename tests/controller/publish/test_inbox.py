"""Commands over MQTT: which are obeyed and which are not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import commands
from controller.publish.inbox import REMEMBERED, Ignore, Inbound, Inbox, Obey, Replay, is_name
from controller.rulings.values import Word

NOW = 1_000_000.0


def take(name: str, payload: bytes = b"", inbox: Inbox | None = None, **more: bool) -> Obey | Replay | Ignore:
    return (inbox or Inbox("all")).take(Inbound(name, payload, **more), NOW)


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
    inbox = Inbox("all")
    assert isinstance(take("stack", b'{"id": "a", "args": "x 1"}', inbox), Ignore)
    assert isinstance(take("stack", b'{"id": "a", "args": "9 1"}', inbox), Obey)
    assert isinstance(take("stack", b'{"id": "a", "args": "9 1"}', inbox), Ignore)
    assert isinstance(take("undo", b'{"id": "b"}', inbox, again=True), Obey)  # its first was lost on the way


def test_remembering_ids_costs_bounded_memory() -> None:
    inbox = Inbox("all")
    for number in range(REMEMBERED * 2):
        assert isinstance(take("undo", b'{"id": "%d"}' % number, inbox), Obey)
    assert len(inbox._seen) == REMEMBERED


@pytest.mark.parametrize(
    ("allowed", "name", "obeyed"),
    [
        ("none", "pause", False),
        ("table", "pause", True),
        ("table", "undo", False),
        ("table", "stack", False),
        ("all", "undo", True),
    ],
)
def test_the_configuration_says_whose_commands_count(allowed: str, name: str, obeyed: bool) -> None:
    taken = take(name, b"5 1" if name == "stack" else b"", Inbox(allowed))  # type: ignore[arg-type]
    assert isinstance(taken, Obey) is obeyed


def test_saying_a_command_needs_the_same_authority_as_its_own_topic() -> None:
    assert isinstance(take("say", b"stack 5 1", Inbox("table")), Ignore)
    assert isinstance(take("say", b"next", Inbox("table")), Obey)


def test_with_a_key_only_those_who_know_it_are_obeyed() -> None:
    inbox = Inbox("all", "sesame")
    assert isinstance(take("undo", b"", inbox), Ignore)
    assert isinstance(take("undo", b'{"key": "Sesame"}', inbox), Ignore)
    assert isinstance(take("undo", b'{"key": "sesame"}', inbox), Obey)


def test_a_replay_needs_a_name_for_its_topic() -> None:
    assert take("replay", b'{"id": "panel-1", "after": 0}', Inbox("none", "sesame")) == Replay("panel-1", 0)
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
