"""The publisher and a real Mosquitto: nothing lost, nothing out of order, nothing stale, nothing secret."""

import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller import commands
from controller.authority import keys
from controller.authority.signing import Key, sign
from controller.authority.signing import payload as payload_of
from controller.errors import ConfigError
from controller.publish import homeassistant, mqtt, security, topics
from controller.publish.link import Endpoint, Link
from controller.publish.public import TYPES
from controller.snapshot import DealerSnapshot
from controller.table import events as e
from tests.controller.publish.broker import Broker, Listener, eventually
from tests.controller.publish.gate import Gate
from tests.controller.publish.table import HEALTH, MOVED, NAMES, RULED, Table, snapshot

Make = Callable[..., Table]
ROOT = Path(__file__).parent.parent.parent.parent


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt, "FIRST_DELAY_S", 0.02)
    monkeypatch.setattr(mqtt, "LAST_DELAY_S", 0.1)


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes tables whose journal lies in the test's folder, and ends them."""
    made: list[Table] = []

    def one(port: int, **settings: object) -> Table:
        made.append(Table(tmp_path, port, **settings))  # type: ignore[arg-type]
        made[-1].publisher.start()
        return made[-1]

    yield one
    for table in made:
        table.close()


def numbers(listener: Listener) -> list[int]:
    return [json.loads(payload)["n"] for payload in listener.payloads(NAMES.events)]


def first_sightings(found: list[int]) -> list[int]:
    return list(dict.fromkeys(found))


# ---------------------------------------------------------------- events
def test_public_events_arrive_in_order_with_gapless_numbers(broker: Broker, listener: Listener, make: Make) -> None:
    table = make(broker.port)
    for _ in range(60):
        table.append(MOVED, RULED, e.TurnPassed(5))
    table.pump(lambda: len(numbers(listener)) >= 120, "120 events")
    assert numbers(listener) == list(range(1, 121))
    table.pump(lambda: table.publisher._window.done == 120, "all acknowledged")
    table.publisher.exchange(table.journal)
    assert table.journal.published_n == 120
    first = json.loads(listener.payloads(NAMES.events)[0])
    assert (first["epoch"], first["event_type"], first["seat"]) == (table.journal.epoch, "ruled", 4)
    assert (first["ts"], first["mono_ms"], first["boot"]) == ("1970-01-01T00:00:01.000Z", 5, "b1")


def test_events_are_never_retained(broker: Broker, listener: Listener, make: Make) -> None:
    table = make(broker.port)
    table.append(RULED)
    table.pump(lambda: numbers(listener) == [1])
    late = Listener(broker.port)
    eventually(lambda: late.latest(NAMES.info))
    assert late.payloads(NAMES.events) == []
    late.close()


def test_no_secret_leaves_on_any_topic(broker: Broker, listener: Listener, make: Make) -> None:
    """Names of chips, tags and cards nobody tabled stay here; '#' shows it."""
    table = make(broker.port)
    hole = e.ItemsMoved((e.Moved("secret-card", e.Place("bank"), e.Place("hole", 1)),), "dealt")
    table.publisher.state(snapshot())
    table.append(
        MOVED,
        hole,
        RULED,
        e.PushHeld(2, ("secret-chip", "secret-chip-2")),
        e.Asked(7, 2, RULED.ruling, ("secret-chip",), "dispute"),
        e.Alarmed("card_twice", None, None, ("secret-card",)),
        e.PlacesCounted({"secret-chip": BANK}, ("secret-chip",)),
        e.Refused("not_your_turn", 2),
        e.HandsShown(2, ("As", "Ad")),
    )
    table.pump(lambda: len(numbers(listener)) == 5)
    assert not [topic for topic, payload, _ in listener.messages if b"secret" in payload]
    shown = json.loads(listener.payloads(NAMES.events)[-1])
    assert (shown["event_type"], shown["cards"]) == ("shown", ["As", "Ad"])


BANK = e.Place("bank")


def test_an_event_type_is_always_one_that_was_declared(broker: Broker, listener: Listener, make: Make) -> None:
    table = make(broker.port)
    table.append(RULED, e.Paused("dealer"), e.Undone(0, "dealer"))
    table.pump(lambda: len(numbers(listener)) == 3)
    declared = json.loads(listener.latest("homeassistant/device/betline_home/config") or b"")["cmps"]["events"][
        "evt_typ"
    ]
    told = [json.loads(payload) for payload in listener.payloads(NAMES.events)]
    assert {event["event_type"] for event in told} <= set(declared)
    assert declared == list(TYPES)
    assert told[2]["of_n"] == 1


# ---------------------------------------------------------------- brokers that are away
def test_a_broker_that_is_away_at_the_start_gets_all_events_and_only_the_latest_state(
    tmp_path: Path, broker: Broker, make: Make
) -> None:
    broker.kill()
    table = make(broker.port)
    for n in range(1, 301):
        table.append(RULED)
        table.publisher.state(snapshot(n))
    eventually(lambda: table.publisher.status == "down")
    assert "nobody listens there" in table.publisher.why
    assert len(table.publisher._rows) <= 20  # the rest stays on disk
    broker.start()
    listener = Listener(broker.port)
    table.pump(lambda: numbers(listener)[-1:] == [300], "the last event")
    found = numbers(listener)
    assert found[0] <= 21  # up to 20 may have gone before the listener came
    assert found == list(range(found[0], 301))
    assert {json.loads(state)["n"] for state in listener.payloads(NAMES.state)} == {300}
    assert table.publisher.status == "up"
    listener.close()


def test_a_broker_that_lost_its_store_has_all_retained_state_again(broker: Broker, make: Make) -> None:
    table = make(broker.port)
    table.publisher.state(snapshot(3))
    table.publisher.system(HEALTH)
    table.append(RULED)
    eventually(lambda: table.publisher.status == "up")
    before = retained(broker)
    broker.kill()
    eventually(lambda: table.publisher.status == "down")
    broker.start()
    eventually(lambda: table.publisher.status == "up")
    assert retained(broker) == before
    assert set(before) == {*NAMES.owned(), *homeassistant.topics_of("home")}
    assert before[NAMES.status] == b"online"


def retained(broker: Broker) -> dict[str, bytes]:
    """What a newcomer is told, once it is complete."""
    found: dict[str, bytes] = {}

    def complete() -> bool:
        newcomer = Listener(broker.port)
        eventually(lambda: newcomer.latest(NAMES.status))
        time.sleep(0.05)  # the broker sends all retained messages at once
        found.clear()
        found.update({topic: payload for topic, payload, kept in newcomer.messages if kept})
        newcomer.close()
        return len(found) >= 7

    eventually(complete, "all retained topics")
    return found


def test_events_survive_brokers_that_are_killed_again_and_again(broker: Broker, make: Make) -> None:
    table = make(broker.port)
    for kills in range(3):
        listener = Listener(broker.port)
        for _ in range(40):
            table.append(RULED, MOVED)
        table.pump(lambda heard=listener: len(numbers(heard)) > 10, "some events")
        broker.kill()
        heard = first_sightings(numbers(listener))
        assert heard == list(range(heard[0], heard[0] + len(heard)))
        listener.close()
        broker.start()
        assert table.journal.last_n == 40 * (kills + 1)
    table.pump(lambda: table.publisher._window.done == 120, "all acknowledged")


def test_what_was_not_acknowledged_is_told_again_after_a_restart_of_the_controller(
    broker: Broker, listener: Listener, tmp_path: Path
) -> None:
    for start in range(3):
        table = Table(tmp_path, broker.port)
        for _ in range(25):
            table.append(RULED)
        table.publisher.start()
        table.pump(lambda start=start: numbers(listener)[-1:] >= [25 * (start + 1) - 10], "most of them")
        table.journal._db.close()  # a kill: what was acknowledged lately is not noted
        table.publisher.stop()
    table = Table(tmp_path, broker.port)
    table.publisher.start()
    table.publisher.exchange(table.journal)
    table.pump(lambda: numbers(listener)[-1:] == [75], "the last one")
    table.close()
    assert first_sightings(numbers(listener)) == list(range(1, 76))


def killed_at_random(folder: Path, broker: Broker, times: int, seed: int) -> tuple[list[int], int]:
    """Kill a talking controller again and again; what was heard, and the last public number of its journal."""
    chance = random.Random(seed)
    listener = Listener(broker.port)
    talker = Path(__file__).with_name("talker.py")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for _ in range(times):
        heard = len(listener.messages)
        process = subprocess.Popen([sys.executable, talker, folder, str(broker.port)], env=environment)
        eventually(lambda heard=heard: len(listener.messages) > heard + chance.randint(5, 60), "it talks")
        process.kill()
        process.wait()
    table = Table(folder, broker.port)
    table.publisher.start()
    table.publisher.exchange(table.journal)
    last = table.journal.last_n
    table.pump(lambda: table.publisher._window is None or table.publisher._window.done == last)
    eventually(lambda: last in numbers(listener))
    assert table.journal.verify().faults == ()
    table.close()
    found = numbers(listener)
    listener.close()
    return found, last


def test_a_controller_killed_at_any_moment_leaves_no_gap(broker: Broker, tmp_path: Path) -> None:
    found, last = killed_at_random(tmp_path, broker, times=3, seed=1)
    assert first_sightings(found) == list(range(1, last + 1))


@pytest.mark.proof
def test_a_controller_killed_a_hundred_times_leaves_no_gap(broker: Broker, tmp_path: Path) -> None:
    found, last = killed_at_random(tmp_path, broker, times=100, seed=2)
    assert first_sightings(found) == list(range(1, last + 1))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_died_is_seen_by_the_watchdog(
    broker: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker.kill()

    def fault(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(mqtt.Publisher, "_afterwards", fault)
    table = Table(tmp_path, broker.port)
    table.publisher.start()
    eventually(lambda: not table.publisher.alive)
    table.close()


def test_the_last_will_says_offline_when_the_controller_is_killed(
    broker: Broker, listener: Listener, tmp_path: Path
) -> None:
    code = (
        "import sys, time, pathlib\n"
        "from tests.controller.publish.table import Table\n"
        "table = Table(pathlib.Path(sys.argv[1]), int(sys.argv[2])); table.publisher.start(); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, tmp_path, str(broker.port)], cwd=ROOT)
    eventually(lambda: listener.latest(NAMES.status) == b"online", "online")
    process.kill()
    process.wait()
    eventually(lambda: listener.latest(NAMES.status) == b"offline", "the last will")


def test_a_short_loss_says_nothing_and_a_long_one_offline(
    broker: Broker, listener: Listener, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MQTT 5's will delay: dashboards do not flap where the controller is back within three seconds."""
    breaking = threading.Event()
    gate = Gate(broker.port, "passes", lambda _: breaking.is_set())
    try:
        table = make(gate.port)
        eventually(lambda: listener.latest(NAMES.status) == b"online")
        for n in range(3):
            before, breaks = len(listener.payloads(NAMES.status)), gate.cuts
            breaking.set()
            table.publisher.state(snapshot(n + 1))
            eventually(lambda breaks=breaks: gate.cuts > breaks, "a cut")
            breaking.clear()
            eventually(lambda before=before: len(listener.payloads(NAMES.status)) > before, "told again")
        assert set(listener.payloads(NAMES.status)) == {b"online"}
        monkeypatch.setattr(mqtt, "FIRST_DELAY_S", 60.0)
        monkeypatch.setattr(mqtt, "LAST_DELAY_S", 60.0)
        table.publisher._delay_s = 60.0
        breaking.set()
        table.publisher.state(snapshot(9))
        eventually(lambda: listener.latest(NAMES.status) == b"offline", "the will, after its delay")
    finally:
        gate.close()


def test_a_new_process_never_takes_up_the_commands_of_the_one_before(
    broker: Broker, listener: Listener, make: Make
) -> None:
    """It cannot know which were obeyed: what waits in a session of another process is not for it."""
    wakes = socket.socketpair()
    before = Link(Endpoint("127.0.0.1", broker.port, "betline-home", "", "", NAMES.status, b"offline"), 5, wakes[0])
    before.open()
    while not before.connected:
        before.step(0.1)
    before.subscribe([NAMES.command("+")])
    for _ in range(5):
        before.step(0.1)
    before.cut()
    for end in wakes:
        end.close()
    listener.publish("betline/home/cmd/pause", b"")
    table = make(broker.port, commands="floor")
    eventually(lambda: table.publisher.status == "up")
    listener.publish("betline/home/cmd/resume", b"")
    eventually(lambda: table.told)
    assert [command for command, _ in table.told] == [commands.Resume()]


def test_the_dealers_view_is_told_only_where_it_is_switched_on(broker: Broker, listener: Listener, make: Make) -> None:
    shown = {field: getattr(snapshot(), field) for field in snapshot().__struct_fields__}
    dealer = DealerSnapshot(**shown, unseen=("secret-chip",))
    on = make(broker.port, names=replace(NAMES, private=True), private=True)
    on.publisher.state(snapshot(), dealer)
    eventually(lambda: b"secret-chip" in (listener.latest("betline/home/private/state") or b""))
    on.close()
    seen = len(listener.messages)
    off = make(broker.port)
    off.publisher.state(snapshot(), dealer)
    eventually(lambda: listener.latest("betline/home/private/state") == b"", "what was retained is cleared")
    eventually(lambda: NAMES.state in {topic for topic, _, _ in listener.messages[seen:]})
    assert not [topic for topic, payload, _ in listener.messages[seen:] if b"secret" in payload]


def test_a_stop_says_offline_itself_and_takes_less_than_two_seconds(
    broker: Broker, listener: Listener, tmp_path: Path
) -> None:
    table = Table(tmp_path, broker.port)
    table.publisher.start()
    eventually(lambda: listener.latest(NAMES.status) == b"online")
    table.close()  # fails where the thread does not end in time
    eventually(lambda: listener.latest(NAMES.status) == b"offline")


def test_a_stop_without_a_broker_ends_at_once(broker: Broker, tmp_path: Path) -> None:
    broker.kill()
    table = Table(tmp_path, broker.port)
    table.publisher.start()
    eventually(lambda: table.publisher.status == "down")
    table.close()


def test_without_a_host_there_is_no_mqtt_and_nothing_to_wait_for(make: Make) -> None:
    table = make(1, host="")
    table.publisher.state(snapshot())
    table.append(RULED)
    assert (table.publisher.status, table.publisher.alive) == ("off", True)
    assert table.journal.unpublished(10)[0].n == 1


# ---------------------------------------------------------------- commands
def say(listener: Listener, name: str, payload: str = "", **more: object) -> None:
    listener.publish(f"betline/home/cmd/{name}", payload, **more)  # type: ignore[arg-type]


def results(listener: Listener, name: str) -> list[dict]:
    return [json.loads(payload) for payload in listener.payloads(f"betline/home/cmd/{name}/result")]


def test_a_command_is_obeyed_and_answered(broker: Broker, listener: Listener, make: Make) -> None:
    table = make(broker.port, commands="floor")
    eventually(lambda: table.publisher.status == "up")
    say(listener, "say", "4 raise to 600")
    say(listener, "pause", "PRESS")
    say(listener, "stack", '{"id": "s1", "args": "5 2000"}')
    eventually(lambda: results(listener, "stack"))
    assert [command for command, _ in table.told] == [
        commands.Say(4, commands.Word("raise_to", 600)),
        commands.Pause(),
        commands.SetStack(5, 2000),
    ]
    assert {by for _, by in table.told} == {"mqtt"}
    assert results(listener, "stack") == [{"v": 1, "id": "s1", "ok": True, "error": None}]
    table.error = "Not now"
    say(listener, "undo")
    eventually(lambda: results(listener, "undo"))
    assert results(listener, "undo") == [{"v": 1, "id": None, "ok": False, "error": "Not now"}]


def test_retained_expired_and_repeated_commands_are_not_obeyed(broker: Broker, listener: Listener, make: Make) -> None:
    say(listener, "next", "PRESS", retain=True)
    table = make(broker.port, commands="floor")
    eventually(lambda: results(listener, "next"))
    assert "retained" in results(listener, "next")[0]["error"]
    say(listener, "undo", '{"id": "u", "expires": 1000}')
    say(listener, "redo", '{"id": "r"}')
    say(listener, "redo", '{"id": "r"}')
    eventually(lambda: len(results(listener, "redo")) == 2)
    assert results(listener, "undo")[0]["error"] == "expired"
    assert [result["ok"] for result in results(listener, "redo")] == [True, False]
    assert [command for command, _ in table.told] == [commands.Redo()]


def test_whoever_reads_the_broker_can_say_nothing(
    broker: Broker, listener: Listener, make: Make, tmp_path: Path
) -> None:
    """Default configuration: words without a key do nothing, nor does all that was overheard, also after a restart."""
    anna = Key("anna", "floor", "a" * 64)
    keys.save(tmp_path / "keys.toml", keys.Keys("home", (anna,)))
    table = make(broker.port)
    eventually(lambda: table.publisher.status == "up")
    overheard = msgspec.json.encode(payload_of(sign("home", anna, "stack 5 2000", "1", int(time.time())))).decode()
    for words in ("next", "street", "pause", "4 fold", '{"key": "anna", "args": "undo"}', overheard, overheard):
        say(listener, "say", words)
    eventually(lambda: len(results(listener, "say")) == 7)
    assert [result["ok"] for result in results(listener, "say")] == [False] * 5 + [True, False]
    assert table.told == [(commands.SetStack(5, 2000), "mqtt")]
    table.close()
    again = make(broker.port)
    eventually(lambda: again.publisher.status == "up")
    say(listener, "say", overheard)
    eventually(lambda: len(results(listener, "say")) == 8)
    assert "repeated" in results(listener, "say")[7]["error"]
    assert again.told == []
    assert not [topic for topic, data, _ in listener.messages if anna.secret.encode() in data]


def test_absurd_commands_are_answered_and_hurt_nobody(broker: Broker, listener: Listener, make: Make) -> None:
    table = make(broker.port, commands="floor")
    eventually(lambda: table.publisher.status == "up")
    for payload in (b"\xff\xfe", b"{", b'{"x": 1}', b"x" * 5000, b"[" * 900, b"stack x 1"):
        listener.publish("betline/home/cmd/say", payload)
    listener.publish("betline/home/cmd/No Such", b"")
    listener.publish("betline/home/cmd/dance", b"")
    eventually(lambda: results(listener, "dance"))
    assert len(results(listener, "say")) == 6
    assert not any(result["ok"] for result in results(listener, "say"))
    assert table.told == []
    assert table.publisher.status == "up"


def test_the_answer_also_goes_where_the_caller_wants_it(broker: Broker, listener: Listener, make: Make) -> None:
    """MQTT 5 response topic and correlation data; never onto topics of the table or the house."""
    table = make(broker.port, commands="dealer")
    eventually(lambda: table.publisher.status == "up")
    for topic in ("my/answers", "betline/home/status", "homeassistant/status", "$SYS/x"):
        properties = Properties(PacketTypes.PUBLISH)
        properties.ResponseTopic = topic
        properties.CorrelationData = b"42"
        say(listener, "pause", properties=properties)
    eventually(lambda: len(results(listener, "pause")) == 4)
    assert json.loads(listener.latest("my/answers") or b"")["ok"] is True
    assert listener.latest(NAMES.status) == b"online"
    assert listener.latest("homeassistant/status") is None


def test_who_missed_events_asks_for_them_again(broker: Broker, listener: Listener, make: Make) -> None:
    table = make(broker.port, commands="none")
    table.append(*[RULED] * 40)
    table.pump(lambda: len(numbers(listener)) == 40)
    say(listener, "replay", '{"id": "panel", "after": 12}')
    told = "betline/home/replay/panel"
    table.pump(lambda: b"replay_end" in (listener.latest(told) or b""))
    found = [json.loads(payload) for payload in listener.payloads(told)]
    assert [event["n"] for event in found[:-1]] == list(range(13, 41))
    assert (found[-1]["last_n"], found[-1]["more"]) == (40, False)
    say(listener, "replay", "everything")
    eventually(lambda: results(listener, "replay"))
    assert results(listener, "replay")[0]["ok"] is False


# ---------------------------------------------------------------- the house
def test_home_assistant_is_told_again_when_it_was_born(broker: Broker, listener: Listener, make: Make) -> None:
    table = make(broker.port)
    table.publisher.state(snapshot())
    discovery = "homeassistant/device/betline_home/config"
    eventually(lambda: listener.latest(discovery) and listener.latest(NAMES.state))
    listener.publish("homeassistant/status", b"online")
    eventually(lambda: len(listener.payloads(discovery)) == 2 and len(listener.payloads(NAMES.state)) == 2)


def test_seats_and_readers_that_the_table_has_no_more_are_cleared(
    broker: Broker, listener: Listener, make: Make
) -> None:
    listener.publish(NAMES.seat(9), b'{"seat": 9}', retain=True)
    listener.publish(NAMES.reader("old"), b"{}", retain=True)
    make(broker.port)
    eventually(lambda: listener.latest(NAMES.seat(9)) == b"" and listener.latest(NAMES.reader("old")) == b"")


def test_only_what_changed_is_told_again(broker: Broker, listener: Listener, make: Make) -> None:
    table = make(broker.port)
    table.publisher.state(snapshot(1))
    eventually(lambda: listener.latest(NAMES.seat(2)) and listener.latest(NAMES.state))
    table.publisher.state(snapshot(2))
    eventually(lambda: len(listener.payloads(NAMES.state)) == 2)
    assert len(listener.payloads(NAMES.seat(1))) == 1


# ---------------------------------------------------------------- rights
def test_a_wrong_password_is_said_and_tried_again(broker: Broker, tmp_path: Path, make: Make) -> None:
    (tmp_path / "passwords").write_text("")
    strict = Broker(tmp_path, "allow_anonymous false")
    strict.start()
    table = make(strict.port)
    eventually(lambda: table.publisher.status == "down")
    assert "the broker refuses the connection: Not authorized" in table.publisher.why
    strict.kill()


def test_a_broker_that_refuses_a_topic_is_named_and_nothing_is_lost(broker: Broker, tmp_path: Path, make: Make) -> None:
    """With MQTT 5 a denied publish is reported; 3.1.1 would drop it without a word."""
    (tmp_path / "acl").write_text("topic write betline/home/status\ntopic readwrite betline/home/state\n")
    strict = Broker(tmp_path, f"acl_file {tmp_path / 'acl'}")
    strict.start()
    table = make(strict.port)
    table.append(RULED)
    table.pump(lambda: "betline/home/events: Not authorized" in table.publisher.why)
    assert table.publisher.status == "up"
    assert table.journal.published_n == 0
    strict.kill()


def test_secrets_that_cannot_be_read_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'password_file'"):
        security.secret(tmp_path, "absent", "password_file")
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(ConfigError, match=r"'password_file': .* is empty"):
        security.secret(tmp_path, "empty", "password_file")
    (tmp_path / "notes").write_text("secret\nand what it is for\n")
    with pytest.raises(ConfigError, match=r"'password_file': .* has more than one line"):
        security.secret(tmp_path, "notes", "password_file")
    with pytest.raises(ConfigError, match="'ca_file'"):
        security.tls(tmp_path, "empty")


def test_info_describes_the_table(broker: Broker, listener: Listener, make: Make) -> None:
    table = make(broker.port)
    eventually(lambda: listener.latest(NAMES.info))
    found = json.loads(listener.latest(NAMES.info) or b"")
    assert (found["epoch"], found["boot"], found["version"]) == (table.journal.epoch, "b1", "0.1.0")
    assert (found["seats"], found["readers"], found["commands"]) == (2, ["west"], "signed")
    assert set(NAMES.owned()) <= set(found["topics"])


def test_names_of_topics_are_those_of_the_table() -> None:
    assert topics.Topics("club-2", 1).seat(1) == "betline/club-2/seat/1/state"
