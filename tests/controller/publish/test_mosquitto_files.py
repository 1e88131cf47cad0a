"""The broker's files under systemd/mosquitto work as they stand: on a real Mosquitto, beside Debian's own settings."""

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from controller import commands
from controller.authority import keys
from controller.authority.signing import Key, payload, sign
from controller.publish import topics
from controller.snapshot import DealerSnapshot
from tests.controller.publish.broker import MOSQUITTO, PATIENCE_S, Broker, eventually, free_port
from tests.controller.publish.table import RULED, Table, snapshot

FILES = Path(__file__).parent.parent.parent.parent / "systemd" / "mosquitto"
PASSWD = shutil.which("mosquitto_passwd")
USERS = ("home", "guest", "people", "homeassistant", "addons", "neighbour")
ANNA = Key("anna", "floor", "a" * 64)
NAMES = topics.Topics("home", 2, ("west",), private=True)
DEBIAN = "persistence true\npersistence_location {folder}/\ninclude_dir {folder}/conf.d\n"

pytestmark = pytest.mark.skipif(MOSQUITTO is None or PASSWD is None, reason="Mosquitto is not installed")


class Shipped(Broker):
    """Mosquitto with a file of ours in its conf.d; only folders and the port are others."""

    def __init__(self, folder: Path, config: str, acl: str, *more: str) -> None:
        super().__init__(folder)
        (folder / "conf.d").mkdir()
        text = (FILES / config).read_text()
        for place in ("/etc/mosquitto", "/share/mosquitto"):
            text = text.replace(place, str(folder))
        text = text.replace("listener 1883", f"listener {self.port} 127.0.0.1")
        (folder / "conf.d" / "betline.conf").write_text("\n".join((text, *more)))
        shutil.copy(FILES / acl, folder / "betline.acl")
        passwords = folder / "betline.passwd"
        passwords.touch(0o600)
        for user in USERS:
            subprocess.run([str(PASSWD), "-b", passwords, user, f"{user}-secret"], check=True, capture_output=True)
        user = "user root\n" if folder.owner() == "root" else ""
        self._config.write_text(user + DEBIAN.format(folder=folder))


class Person:
    """Somebody at the broker, with or without a name."""

    def __init__(self, port: int, user: str | None) -> None:
        self.heard: dict[str, list[bytes]] = {}
        self.refused: list[str] = []
        self._acked: dict[int, bool] = {}
        self._client = paho.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        if user is not None:
            self._client.username_pw_set(user, f"{user}-secret")
        self.connected: bool | None = None
        self._subscribed = False
        self._client.on_connect = self._on_connect
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = lambda _c, _d, m: self.heard.setdefault(m.topic, []).append(m.payload)
        self._client.on_publish = lambda _c, _d, mid, code, _p: self._acked.__setitem__(mid, not code.is_failure)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        eventually(lambda: self.connected is not None and (self._subscribed or not self.connected))

    def _on_connect(self, _c: object, _d: object, _f: object, code: object, _p: object) -> None:
        self.connected = not code.is_failure  # type: ignore[attr-defined]
        if self.connected:
            self._client.subscribe("#", 1)

    def _on_subscribe(self, *_: object) -> None:
        self._subscribed = True

    def may_say(self, topic: str, message: str | bytes = "") -> bool:
        """Whether the broker took it (MQTT 5 says so)."""
        told = self._client.publish(topic, message, qos=1)
        told.wait_for_publish(PATIENCE_S)
        eventually(lambda: told.mid in self._acked)
        return self._acked[told.mid]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


class Hall:
    def __init__(self, folder: Path, broker: Broker, **settings: object) -> None:
        self.broker = broker
        (folder / "mqtt-password").write_text("home-secret\n")
        (folder / "mqtt-password").chmod(0o600)
        keys.save(folder / "keys.toml", keys.Keys("home", (ANNA,)))
        self.table = Table(
            folder, broker.port, names=NAMES, private=True, username="home", password_file="mqtt-password", **settings
        )
        self.people: list[Person] = []

    def open(self) -> None:
        self.table.publisher.start()
        eventually(lambda: self.table.publisher.status == "up")
        public = snapshot()
        shown = {field: getattr(public, field) for field in public.__struct_fields__}
        self.table.publisher.state(public, DealerSnapshot(**shown, unseen=("secret-chip",)))
        self.table.append(RULED)
        self.table.pump(lambda: self.table.journal.published_n == 1, "what it says is taken")

    def person(self, user: str | None) -> Person:
        self.people.append(Person(self.broker.port, user))
        return self.people[-1]

    def close(self) -> None:
        for person in self.people:
            person.close()
        self.table.close()
        self.broker.kill()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    broker = Shipped(tmp_path, "betline.conf", "betline.acl")
    broker.start()
    made = Hall(tmp_path, broker, commands="dealer")
    made.open()
    yield made
    made.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Hall]:
    """Home Assistant's add-on sets listener and users itself, and reads our file beside that."""
    port = free_port()
    users = (f"listener {port} 127.0.0.1", "allow_anonymous false", f"password_file {tmp_path}/betline.passwd")
    broker = Shipped(tmp_path, "homeassistant.conf", "homeassistant.acl", *users)
    broker.port = port
    broker.start()
    made = Hall(tmp_path, broker, commands="dealer")
    made.open()
    yield made
    made.close()


def anna(words: str) -> bytes:
    return msgspec.json.encode(payload(sign("home", ANNA, words, words, int(time.time()))))


def test_the_table_may_say_all_it_has_to_say(hall: Hall) -> None:
    assert (hall.table.publisher.status, hall.table.publisher.why) == ("up", "")


def test_nobody_without_a_name_gets_in(hall: Hall) -> None:
    assert hall.person(None).connected is False


def test_a_guest_reads_what_is_public_and_says_nothing(hall: Hall) -> None:
    guest = hall.person("guest")
    eventually(lambda: {NAMES.status, NAMES.info, NAMES.state, NAMES.seat(1)} <= set(guest.heard))
    assert not any("/private/" in topic or "/cmd/" in topic for topic in guest.heard)
    assert not any(b"secret-chip" in told for texts in guest.heard.values() for told in texts)
    for topic in (NAMES.state, NAMES.status, NAMES.events, NAMES.dealer, NAMES.seat(1), NAMES.result("next")):
        assert not guest.may_say(topic, "{}"), topic
    for name in ("next", "pause", "street", "say", "stack", "overrule"):
        assert not guest.may_say(NAMES.command(name), "PRESS"), name
    assert guest.may_say(NAMES.command("replay"), '{"id": "g", "after": 0}')
    hall.table.pump(lambda: NAMES.replay("g") in guest.heard)
    assert hall.table.told == []


def test_another_table_speaks_only_for_itself(hall: Hall) -> None:
    neighbour = hall.person("neighbour")
    assert not neighbour.may_say(NAMES.state, "{}")
    assert not neighbour.may_say(NAMES.command("next"), "PRESS")


def test_home_assistant_presses_its_three_buttons_and_no_more(hall: Hall) -> None:
    home = hall.person("homeassistant")
    assert [home.may_say(NAMES.command(name), "PRESS") for name in ("next", "pause", "resume")] == [True] * 3
    eventually(lambda: len(hall.table.told) == 3)
    for name in ("street", "say", "undo", "stack", "overrule", "bets"):
        assert not home.may_say(NAMES.command(name), "PRESS")
    eventually(lambda: NAMES.result("next") in home.heard)
    assert not any("/private/" in topic for topic in home.heard)
    assert [command for command, _ in hall.table.told] == [commands.NextHand(), commands.Pause(), commands.Resume()]


def test_people_speak_with_their_key(hall: Hall) -> None:
    person = hall.person("people")
    assert not person.may_say(NAMES.command("stack"), "2 900")
    assert person.may_say(NAMES.command("say"), anna("stack 2 900"))
    eventually(lambda: NAMES.result("say") in person.heard)
    assert json.loads(person.heard[NAMES.result("say")][0])["ok"] is True
    assert hall.table.told == [(commands.SetStack(2, 900), "mqtt")]


def test_on_home_assistants_broker_the_table_and_its_buttons_work(house: Hall) -> None:
    home, addon = house.person("homeassistant"), house.person("addons")
    assert home.may_say(NAMES.command("pause"), "PRESS")
    eventually(lambda: house.table.told)
    eventually(lambda: "homeassistant/device/betline_home/config" in home.heard and NAMES.state in addon.heard)
    assert not any("/private/" in topic for topic in [*home.heard, *addon.heard])
    assert not addon.may_say(NAMES.command("pause"), "PRESS")
    assert home.may_say("zigbee2mqtt/lamp/set", "on")
    assert not house.person("guest").may_say(NAMES.command("pause"), "PRESS")
    assert house.person(None).connected is False
