"""controller/topics.md is complete: every topic, key, event and field that goes out stands in it."""

import json
from pathlib import Path

import pytest

from controller.publish import public, topics
from controller.rows import Row, kind_of
from tests.controller.publish.table import NAMES, snapshot
from tests.controller.publish.test_topics import EVENTS

TEXT = (Path(__file__).parent.parent.parent.parent / "controller" / "topics.md").read_text()


def test_every_key_of_the_state_is_explained() -> None:
    for payload in topics.state_messages(NAMES, snapshot()).values():
        for key in json.loads(payload):
            assert f"`{key}`" in TEXT, key


def test_every_key_of_info_is_explained() -> None:
    about = topics.About("e", "b", "1")
    for key in json.loads(topics.info(NAMES, about)):
        assert f"`{key}`" in TEXT, key


@pytest.mark.parametrize("event", [event for event in EVENTS if kind_of(event) in public.TYPES], ids=kind_of)
def test_every_event_and_its_keys_are_explained(event: object) -> None:
    told = json.loads(topics.event_payload("e", Row(1, 1, "b", 1, 1, event, 1)))
    assert f"`{told['event_type']}`" in TEXT
    for key in told:
        assert f"`{key}`" in TEXT, key


def test_every_topic_is_listed() -> None:
    for topic in NAMES.owned() | {NAMES.events, NAMES.command("x"), NAMES.result("x"), NAMES.replay("x")}:
        generic = topic.replace("home", "<table>").replace("/x", "/<name>")
        generic = generic.replace("seat/1", "seat/<n>").replace("seat/2", "seat/<n>").replace("west", "<id>")
        assert f"`{generic.replace('replay/<name>', 'replay/<client>')}`" in TEXT, generic
