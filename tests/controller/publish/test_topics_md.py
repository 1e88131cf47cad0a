"""controller/topics.md says what a broker really gets: every topic, key, event and entity, no fewer and no more."""

import json
import re
from pathlib import Path

import pytest

from controller.journal.rows import kind_of
from controller.publish import homeassistant, topics
from controller.snapshot import DealerSnapshot
from tests.controller.publish.broker import Broker, Listener, eventually
from tests.controller.publish.table import HEALTH, Table, snapshot
from tests.controller.publish.test_topics import EVENTS

TEXT = (Path(__file__).parent.parent.parent.parent / "controller" / "topics.md").read_text()
NAMES = topics.Topics("home", 2, ("west",), private=True)
DISCOVERY = homeassistant.topics_of("home")


# ---------------------------------------------------------------- what the file says
def section(title: str) -> str:
    """The text under a heading, to the next one."""
    found = re.search(rf"^#+ {re.escape(title)}$(.*?)(?=^#|\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return found[1]


def rows(title: str) -> list[list[str]]:
    """Cells of the tables of a section, without their heads."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    heads = [number for number, line in enumerate([*lines[1:], ""]) if line.startswith("| ---")]
    body = [line for number, line in enumerate(lines) if number not in heads and not line.startswith("| ---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in body]


def ticked(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def keys(title: str) -> set[str]:
    return {key for row in rows(title) for key in ticked(row[0])}


def pattern(topic: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"<[a-z]+>", "[^/]+", topic))


TOPICS = {ticked(row[0])[0]: row[1] == "yes" for row in rows("What the table says")}


# ---------------------------------------------------------------- what a broker gets
Heard = dict[str, list[tuple[bytes, bool]]]  # topic -> payloads, and whether the broker keeps it


@pytest.fixture
def heard(broker: Broker, listener: Listener, tmp_path: Path) -> Heard:
    """Everything that a table says in its life, from connect to goodbye, on a real Mosquitto."""
    table = Table(tmp_path, broker.port, names=NAMES, commands="floor", private=True)
    table.publisher.start()
    eventually(lambda: table.publisher.status == "up", "a broker")
    public = snapshot()
    shown = {field: getattr(public, field) for field in public.__struct_fields__}
    table.publisher.state(public, DealerSnapshot(**shown, unseen=("r100-017",)))
    table.publisher.system(HEALTH)
    table.append(*EVENTS)
    listener.publish("betline/home/cmd/next", b"")
    last = table.journal.last_n
    table.pump(lambda: len(listener.payloads(NAMES.events)) == last, "all events")
    listener.publish("betline/home/cmd/replay", b'{"id": "panel", "after": 0}')
    table.pump(lambda: b"replay_end" in (listener.latest(NAMES.replay("panel")) or b""), "a replay")
    eventually(lambda: NAMES.owned() <= {topic for topic, _, _ in listener.messages}, "all of its topics")
    late = Listener(broker.port)
    eventually(lambda: {topic for topic, _, _ in late.messages} >= NAMES.owned() | set(DISCOVERY), "what is retained")
    kept = {topic for topic, _, retained in late.messages if retained}
    late.close()
    table.close()
    eventually(lambda: listener.latest(NAMES.status) == b"offline", "a goodbye")
    asked = re.compile("betline/home/cmd/[^/]+")
    found: Heard = {}
    for topic, payload, _ in listener.messages:
        if not asked.fullmatch(topic):  # what we sent ourselves
            found.setdefault(topic, []).append((payload, topic in kept))
    return found


def payload(heard: Heard, topic: str) -> dict[str, object]:
    told: dict[str, object] = json.loads(heard[topic][0][0])
    return told


def test_the_topics_of_the_file_are_those_of_the_broker(heard: Heard) -> None:
    """Also which of them are retained."""
    for topic, kept in ((topic, told[0][1]) for topic, told in heard.items()):
        named = [name for name in TOPICS if pattern(name).fullmatch(topic)]
        assert len(named) == 1, topic
        assert TOPICS[named[0]] == kept, topic
    missing = [name for name in TOPICS if not any(pattern(name).fullmatch(topic) for topic in heard)]
    assert missing == []


@pytest.mark.parametrize(
    ("title", "topic"),
    [
        ("`info`", NAMES.info),
        ("`state`", NAMES.state),
        ("`seat/<n>/state`", NAMES.seat(1)),
        ("`reader/<id>/state`", NAMES.reader("west")),
        ("`system/state`", NAMES.system),
        ("`private/state`", NAMES.dealer),
    ],
)
def test_the_keys_of_the_file_are_those_of_the_broker(heard: Heard, title: str, topic: str) -> None:
    assert keys(title) | {"v"} == set(payload(heard, topic))


def test_what_is_not_known_is_null(heard: Heard) -> None:
    """No empty text stands for "nobody" or "nothing"."""
    told = payload(heard, NAMES.state)
    assert [key for key, value in told.items() if value == ""] == []
    for key in ("ruling", "ruling_reason", "ruling_rule", "question", "notice"):
        assert told[key] is None
    nobody = json.loads(topics.state_messages(NAMES, snapshot(to_act=None, board=()))[NAMES.state])
    assert nobody["to_act_name"] is None
    assert [key for key, value in nobody.items() if value == ""] == ["board"]  # no card is known to lie there


HEAD = {"v", "epoch", "n", "event_type", "ts", "boot", "mono_ms", "seat"}  # of every event


def test_the_events_of_the_file_and_their_keys_are_those_of_the_broker(heard: Heard) -> None:
    table = rows("`events`")
    described = {kind: row[1] for row in table for kind in ticked(row[0])}
    assert {key for row in table for key in ticked(row[0])} >= HEAD - {"v"}
    for event in (json.loads(data) for data, _ in heard[NAMES.events]):
        assert set(event) >= HEAD
        text = described[event["event_type"]]
        text += described["ruled"] if "the reading" in text else ""
        assert [key for key in event if key not in HEAD and f"`{key}`" not in text] == [], event["event_type"]


def test_every_kind_of_event_was_told(heard: Heard) -> None:
    told = {json.loads(data)["event_type"] for data, _ in heard[NAMES.events]}
    assert told == {kind for kind in map(kind_of, EVENTS) if kind in payload(heard, NAMES.info)["event_types"]}  # type: ignore[operator]


def test_the_entities_of_the_file_are_those_of_home_assistant(heard: Heard) -> None:
    found = [one for topic in DISCOVERY for one in json.loads(heard[topic][0][0])["cmps"].items()]
    of_all = ((r"^seat_\d+", "seat_<n>"), (r"^reader_.*", "reader_<id>"))
    told = {(re.sub(*of_all[1], re.sub(*of_all[0], key)), component["p"]) for key, component in found}
    assert {(key, row[1].split(",")[0]) for row in rows("Home Assistant") for key in ticked(row[0])} == told
