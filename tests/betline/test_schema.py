"""`betline schema`: what is published, said and kept is held to the schemas that others build on."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from betline.schema import asyncapi, catalog
from controller.authority import keys
from controller.authority.signing import Key, payload, sign
from controller.authority.taken import Taken
from controller.commands import By, Command
from controller.games import catalog as games
from controller.journal.book import Journal
from controller.journal.rows import Row, kind_of
from controller.picture import picture
from controller.publish import lines, topics
from controller.recording import file as recording
from controller.recording.recorder import header_of
from controller.registry import ignored
from controller.rulings import profiles
from controller.snapshot import DealerSnapshot
from controller.table.events import Ruled, is_public
from simulator.models.models import MILD
from simulator.radio import Noise
from simulator.rehearsal import readers
from simulator.rehearsal.hands import play
from simulator.rehearsal.human import HumanTable
from tests.betline.in_process import betline
from tests.controller.publish.table import HEALTH, RULED
from tests.controller.publish.test_topics import EVENTS, FULL
from tests.controller.publish.test_topics_md import TOPICS
from tests.controller.running import Running

ROOT = Path(__file__).parent.parent.parent
HANDS = 16
NAMES = topics.Topics("home", 9, (), private=True)


@cache
def validator(name: str) -> Draft202012Validator:
    found = catalog.schema(name)
    Draft202012Validator.check_schema(found)
    return Draft202012Validator(found)


def fits(name: str, data: bytes | str | object) -> None:
    value = json.loads(data) if isinstance(data, bytes | str) else data
    fault = next(validator(name).iter_errors(value), None) if not validator(name).is_valid(value) else None
    assert fault is None, f"{name}: {fault.message if fault else ''} in {json.dumps(value)[:600]}"


# ---------------------------------------------------------------- an evening
class Heard:
    """How much a table told, kept and was told, each held to its schema in that moment."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal.open(folder / "journal.db", boot="b")
        self.counts: Counter[str] = Counter()
        self.kinds: set[str] = set()

    def hold(self, name: str, data: bytes) -> None:
        fits(name, data)
        self.counts[name] += 1

    def rows(self, rows: list[Row]) -> None:
        for row in rows:
            self.hold("journal-row", msgspec.json.encode(row))
            self.hold("journal-event", msgspec.json.encode(row.event))
            self.hold("file-recording-line", recording.encode(recording.Line(row.at_ns, event=row.event)))
            if row.n is not None:
                self.hold("mqtt-event", topics.event_payload("e", row))
                self.kinds.add(kind_of(row.event))


HEARD: list[Heard] = []


class HeldTable(HumanTable):
    """A dealer at whose table everything is held to its schema, at the moment in which others would get it."""

    def saw(self, events: Any) -> None:
        super().saw(events)
        if not events:
            return
        heard = HEARD[0]
        heard.rows(heard.journal.append([(event, self.now_ns, 1_790_000_000_000) for event in events]))
        if any(isinstance(event, Ruled) for event in events):
            self.tell(heard)

    def tell(self, heard: Heard) -> None:
        outside = picture.Outside("home", "e", heard.journal.last_n)
        public, dealer = picture.pictures(self.core.seen(), outside)
        for name, shown in (("snapshot", public), ("dealer-snapshot", dealer)):
            heard.hold(name, msgspec.json.encode(shown))
            heard.hold("socket-out", lines.snapshot(shown))
        for topic, data in topics.state_messages(NAMES, public, "ru").items():
            level = topic.split("/")
            heard.hold("mqtt-" + (level[2] if len(level) > 3 else "state"), data)
        private = topics.dealer_message(dealer)
        if private is not None:
            heard.hold("mqtt-private", private)

    def command(self, command: Command, by: By = "dealer") -> Any:
        data = msgspec.json.encode(command)
        HEARD[0].hold("command", data)
        HEARD[0].hold("socket-in", msgspec.json.encode(lines.CommandLine("1", command, n=3)))
        return super().command(command, by)


@pytest.mark.parametrize("hands", [6, pytest.param(40, marks=pytest.mark.proof)])
def test_every_payload_of_an_evening_fits_its_schema(
    hands: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hands through readers under mild trouble of every model, with a dealer who corrects."""
    heard = Heard(tmp_path)
    HEARD[:] = [heard]
    monkeypatch.setitem(readers.TABLES, "human", HeldTable)
    files = [ROOT / "simulator" / "evening.phhs"]
    played = play(files, "readers", hands, 7, Noise(miss=0.03), models=MILD, dealer="human", evening=True)
    assert len(list(played)) == hands
    heard.journal.close()
    assert heard.counts["mqtt-event"] > 30 * hands
    assert min(heard.counts[f"mqtt-{name}"] for name in ("state", "seat", "reader", "private")) > 8 * hands
    assert min(heard.counts[name] for name in ("dealer-snapshot", "command", "socket-in", "socket-out")) > 5 * hands
    assert len(heard.kinds) > 15


# ---------------------------------------------------------------- what an evening does not bring
def test_an_event_of_every_kind_fits() -> None:
    for number, event in enumerate(EVENTS, 1):
        row = Row(number, number, "b", 5, 6, event, 1)
        fits("journal-row", msgspec.json.encode(row))
        fits("journal-event", msgspec.json.encode(event))
        if is_public(event):
            fits("mqtt-event", topics.event_payload("e", row))
            fits("mqtt-event", topics.stub_payload("e", row))


def test_what_is_told_beside_the_game_fits() -> None:
    info = topics.info(NAMES, topics.About("e", "b", "0.1.0", "signed"))
    fits("mqtt-info", info)
    fits("mqtt-system", topics.system_message(HEALTH))
    fits("mqtt-replay-end", topics.replay_end("e", 3, (), more=False))
    for error in (None, "no"):
        fits("mqtt-result", topics.result_payload("1", error))
        fits("socket-out", lines.answer("1", error))
    fits("socket-out", lines.hello("dealer"))
    for data in topics.state_messages(NAMES, FULL).values():
        assert any(validator(name).is_valid(json.loads(data)) for name in ("mqtt-state", "mqtt-seat", "mqtt-reader"))
    said = sign("home", Key("anna", "floor", "a" * 64), "undo", "1", 1_790_000_000)
    fits("mqtt-command", payload(said))
    signed = {"id": "1", "words": "undo", "key": "anna", "time": 1, "sig": "0"}
    fits("socket-in", signed)


def test_files_fit(tmp_path: Path) -> None:
    """As they are written: table.toml of the demo and of init, keys, ids, ignored tags, games, profiles, recordings."""
    table = Running(tmp_path)
    fits("file-table-toml", tomllib.loads(table.path.read_text()))
    header = header_of(table.config, tuple(table.registry.items.values()), ("events",))
    fits("file-recording-header", recording.encode(header))
    table.close()
    assert betline(["init", "--yes", tmp_path / "new.toml"]).returncode == 0
    fits("file-table-toml", tomllib.loads((tmp_path / "new.toml").read_text()))
    keys.save(tmp_path / "keys.toml", keys.Keys("home", (Key("anna", "player", "a" * 64, 3),)))
    fits("file-keys-toml", tomllib.loads((tmp_path / "keys.toml").read_text()))
    Taken(tmp_path / "t").take("anna", "1", 5)
    fits("file-journal-taken", (tmp_path / "t").read_bytes())
    ignored.save(tmp_path / "i", ["E004"])
    fits("file-ignored-tags", (tmp_path / "i").read_bytes())
    Journal.open(tmp_path / "new.db").close()
    fits("file-journal-mark", (tmp_path / "new.db-mark").read_bytes())
    for name in games.names():
        fits("file-game", msgspec.json.encode(games.game(name)))
    for name in profiles.names():
        fits("file-house-profile", msgspec.json.encode(profiles.load(name)))


def test_every_schema_is_one() -> None:
    for name in catalog.MADE:
        validator(name)


def samples() -> dict[str, dict[str, Any]]:
    """A payload of each kind, as it is told."""
    dealer = DealerSnapshot(table="home", epoch="e", n=1, seats=FULL.seats)
    ruled = topics.event_payload("e", Row(1, 1, "b", 5, 6, RULED))
    state = topics.state_messages(NAMES, FULL)
    told = {"mqtt-state": state[NAMES.state], "mqtt-seat": state[NAMES.seat(1)], "mqtt-event": ruled}
    told["mqtt-private"] = topics.dealer_message(dealer) or b""
    return {name: json.loads(data) for name, data in told.items()}


def test_a_schema_refuses_what_is_missing_more_or_of_another_type() -> None:
    for name, sample in samples().items():
        fits(name, sample)
        for key in sample:
            assert not validator(name).is_valid({k: v for k, v in sample.items() if k != key}), (name, key)
            assert not validator(name).is_valid(sample | {key: {"odd": 1}}), (name, key)
        assert not validator(name).is_valid(sample | {"tag": "E004"}), name


# ---------------------------------------------------------------- AsyncAPI
def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from (part["$ref"],) if isinstance(part.get("$ref"), str) else ()
        for one in part.values():
            yield from references(one)
    elif isinstance(part, list):
        for one in part:
            yield from references(one)


def test_the_document_of_mqtt_has_every_topic_and_all_that_it_refers_to() -> None:
    told = asyncapi.document("0.1.0")
    for reference in references(told):
        part: Any = told
        for step in reference.removeprefix("#/").split("/"):
            part = part[step.replace("~1", "/")]
    sent = {name for name, one in told["operations"].items() if one["action"] == "send"}
    level = re.compile(r"[{<][a-z]+[>}]")
    addresses = {level.sub("+", told["channels"][name]["address"]) for name in sent}
    assert addresses == {level.sub("+", topic) for topic in TOPICS if topic.startswith("betline/")}
    for name, one in told["operations"].items():
        topic = level.sub("+", told["channels"][name]["address"])
        kept = next((kept for known, kept in TOPICS.items() if level.sub("+", known) == topic), False)
        assert one["bindings"]["mqtt"]["retain"] == kept, name


def test_the_payloads_of_the_document_are_the_schemas_themselves() -> None:
    told = asyncapi.document("0.1.0")
    for name, sample in samples().items():
        whole = Draft202012Validator({**told, "$ref": f"#/components/schemas/{name}"})
        assert whole.is_valid(sample)
        assert not whole.is_valid(sample | {"tag": "E004"})


# ---------------------------------------------------------------- the command, and changes
def test_the_command_writes_lists_and_shows_them(tmp_path: Path) -> None:
    listed = betline(["schema"]).stdout.splitlines()
    assert [line.partition(" ")[0] for line in listed] == [*catalog.MADE, "asyncapi"]
    assert json.loads(betline(["schema", "mqtt-seat"]).stdout) == catalog.schema("mqtt-seat")
    assert json.loads(betline(["schema", "asyncapi"]).stdout)["asyncapi"] == "3.0.0"
    assert betline(["schema", "--out", tmp_path / "s"]).returncode == 0
    assert {path.name for path in (tmp_path / "s").iterdir()} == {
        *(f"{name}.schema.json" for name in catalog.MADE),
        "asyncapi.json",
    }
    wrong = betline(["schema", "nothing"])
    assert (wrong.returncode, len(wrong.stderr.splitlines())) == (1, 1)


@pytest.mark.parametrize("name", catalog.MADE)
def test_a_change_of_a_schema_is_named_in_the_changelog(name: str) -> None:
    """What others build on does not change unsaid: the line names the schema, and carries its present digits."""
    line = f"- `{name}` {catalog.fingerprint(name)}"
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()
    assert any(one.startswith(line) for one in lines), (
        f"the schema {name} has changed. Say in CHANGELOG.md, under its newest Schemas, what: {line}: ..."
    )


def test_digits_change_with_what_is_demanded_and_not_with_words() -> None:
    before = {"properties": {"title": {"type": "string"}}, "description": "a"}
    assert catalog.bare(before) == catalog.bare(before | {"description": "b"})
    assert catalog.bare(before) != catalog.bare({"properties": {"title": {"type": "integer"}}})
    assert catalog.bare(before) != catalog.bare({"properties": {"description": {"type": "string"}}})
