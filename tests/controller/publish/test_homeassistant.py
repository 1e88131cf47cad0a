"""Home Assistant discovery: what its MQTT integration documents of each field, and what automations may rely on.

`FIELDS` is that documentation, as far as the table uses it (home-assistant.io, "MQTT": device discovery, sensor, binary
sensor, event, button), with its abbreviations.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from controller.publish import homeassistant, topics
from controller.publish.public import TYPES
from controller.snapshot import ReaderView, SeatView
from controller.texts.languages import LANGUAGES
from tests.controller.publish.table import HEALTH, NAMES, snapshot

CLUB = topics.Topics("club-2", 10, tuple(f"reader-{number}" for number in range(8)))
TEXT = str
EVERY: dict[str, Any] = {
    "p": {"sensor", "binary_sensor", "event", "button"},
    "name": TEXT,
    "unique_id": TEXT,
    "def_ent_id": TEXT,  # from 2025.10
    "obj_id": TEXT,  # before
    "ic": re.compile(r"mdi:[a-z-]+"),
    "ent_cat": {"diagnostic", "config"},
}
READ: dict[str, Any] = {"stat_t": TEXT, "val_tpl": TEXT, "json_attr_t": TEXT}
FIELDS: dict[str, dict[str, Any]] = {
    "sensor": EVERY
    | READ
    | {
        "stat_cla": {"measurement", "total", "total_increasing"},
        "unit_of_meas": TEXT,
        "dev_cla": {"temperature", "data_size", "duration"},
        "exp_aft": int,
    },
    "binary_sensor": EVERY | READ | {"dev_cla": {"problem", "connectivity"}, "exp_aft": int},
    "event": EVERY | {"stat_t": TEXT, "evt_typ": list},
    "button": EVERY | {"cmd_t": TEXT},
}
NEEDED = {"sensor": {"stat_t"}, "binary_sensor": {"stat_t"}, "event": {"stat_t", "evt_typ"}, "button": {"cmd_t"}}
UNITS = {"temperature": {"°C"}, "data_size": {"MiB"}, "duration": {"s"}}  # that a device class allows, of those used


def documents(names: topics.Topics = CLUB, language: str = "en", *, buttons: bool = True) -> dict[str, dict[str, Any]]:
    found = homeassistant.documents(names, "0.1.0", language, with_buttons=buttons)
    return {topic: json.loads(payload) for topic, payload in found.items()}


def components(names: topics.Topics = CLUB, language: str = "en", *, buttons: bool = True) -> dict[str, dict[str, Any]]:
    every = [document["cmps"] for document in documents(names, language, buttons=buttons).values()]
    return {key: component for part in every for key, component in part.items()}


def fits(value: Any, allowed: Any) -> bool:
    if isinstance(allowed, type):
        return isinstance(value, allowed)
    return bool(allowed.fullmatch(value)) if isinstance(allowed, re.Pattern) else value in allowed


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_component_has_the_documented_fields_and_no_others(language: str) -> None:
    for key, component in components(language=language).items():
        fields = FIELDS[component["p"]]
        assert component.keys() <= fields.keys(), key
        assert component.keys() >= NEEDED[component["p"]], key
        assert [name for name, value in component.items() if not fits(value, fields[name])] == [], key
        if component["p"] == "sensor" and "dev_cla" in component:
            assert component["unit_of_meas"] in UNITS[component["dev_cla"]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [2, 10])
def test_each_document_is_of_one_device_and_no_broker_cuts_it(seats: int, language: str) -> None:
    names = topics.Topics("club-2", seats, CLUB.readers)
    for topic, payload in homeassistant.documents(names, "0.1.0", language, with_buttons=True).items():
        found = json.loads(payload)
        assert re.fullmatch(r"homeassistant/device/[a-zA-Z0-9_-]+/config", topic)
        assert found["dev"]["ids"] == ["betline_club-2"]
        assert (found["o"]["name"], found["avty_t"], found["qos"]) == ("betline", names.status, 1)
        assert len(payload) < topics.MAX_PAYLOAD


def test_the_topics_are_those_that_are_told() -> None:
    assert homeassistant.topics_of("club-2") == tuple(documents())


def test_names_are_in_the_language_of_the_table_and_entity_ids_in_none() -> None:
    english, russian = components(), components(language="ru")
    assert english.keys() == russian.keys()
    same = [key for key in english if english[key]["name"] == russian[key]["name"]]
    assert same == []
    for key, component in english.items():
        assert component["def_ent_id"] == russian[key]["def_ent_id"] == f"{component['p']}.betline_club_2_{key}"
        assert component["unique_id"] == russian[key]["unique_id"]
    assert len({component["unique_id"] for component in english.values()}) == len(english)


def test_numbers_draw_lines_and_are_kept_for_ever() -> None:
    numbers = {"pot", "to_call", "small_blind", "big_blind", "hand_number", "players", "alarms", "behind", "outbox"}
    numbers |= {"readers_up", "cpu_temp", "disk_free", "seat_1_stack", "seat_10_bet"}
    found = components()
    assert {key for key in numbers if found[key].get("stat_cla") != "measurement"} == set()
    assert {key for key, c in found.items() if c.get("unit_of_meas") == "chips"} >= {
        "pot",
        "seat_3_stack",
        "seat_3_bet",
    }


# ---------------------------------------------------------------- what the templates give
def rendered(template: str, payload: Mapping[str, Any]) -> str:
    """What Home Assistant would make of a template: those of the table are expressions of Python, too."""
    source = template.removeprefix("{{ ").removesuffix(" }}").replace(" ~ ", " + str_ + ")
    pieces = [f"str({piece})" if piece.startswith("value_json") else piece for piece in source.split(" + str_ + ")]
    return str(eval(" + ".join(pieces), {"value_json": Payload(payload), "str": str}))


class Payload:
    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.__dict__.update(fields)


def shown(names: topics.Topics, state: Any, language: str = "en") -> dict[str, str]:
    messages = {topic: json.loads(payload) for topic, payload in topics.state_messages(names, state, language).items()}
    messages[names.system] = json.loads(topics.system_message(HEALTH))
    found = components(names, language)
    return {
        key: rendered(component["val_tpl"], messages[component["stat_t"]])
        for key, component in found.items()
        if "val_tpl" in component and component["stat_t"] in messages
    }


def test_every_template_can_be_read_of_what_is_told() -> None:
    state = snapshot()
    seen = shown(NAMES, replace(state, readers=tuple(ReaderView(name, "up", {"en": "up"}) for name in NAMES.readers)))
    assert seen.keys() == {key for key, component in components(NAMES).items() if "val_tpl" in component}
    assert (seen["pot"], seen["seat_1_stack"], seen["asking"], seen["doubt"]) == ("300", "1900", "OFF", "OFF")
    assert {seen[f"reader_{name}"] for name in NAMES.readers} == {"ON"}


def test_doubt_is_a_state_of_its_own_for_automations() -> None:
    state = snapshot()
    doubtful = replace(state, seats=(replace(state.seats[0], known=False), *state.seats[1:]))
    seen = shown(NAMES, doubtful)
    assert (seen["doubt"], seen["seat_1_doubt"], seen["seat_2_doubt"]) == ("ON", "ON", "OFF")


def test_a_lost_reader_is_disconnected() -> None:
    lost = ReaderView(NAMES.readers[0], "lost", {"en": "lost: unplugged"})
    assert shown(NAMES, replace(snapshot(), readers=(lost,)))[f"reader_{NAMES.readers[0]}"] == "OFF"


def test_turn_and_winner_are_told_in_words_of_the_table() -> None:
    state = snapshot()
    won = replace(state, to_act=None, seats=(replace(state.seats[0], won=1200), SeatView(2, "", "in", won=300)))
    assert shown(NAMES, state)["turn"] == "Seat 1"
    assert shown(NAMES, state, "ru")["turn"] == "Место 1"
    assert (shown(NAMES, won)["turn"], shown(NAMES, won)["winner"]) == ("-", "Anna 1200, Seat 2 300")
    assert shown(NAMES, state)["winner"] == "-"


def test_events_are_all_declared() -> None:
    assert components()["events"]["evt_typ"] == list(TYPES)


def test_no_buttons_where_commands_are_not_obeyed() -> None:
    assert [key for key in components(buttons=False) if key.startswith("cmd_")] == []
    assert {"cmd_next", "cmd_pause", "cmd_resume"} <= components().keys()


def test_the_page_names_entities_that_there_are() -> None:
    page = (Path(__file__).parents[3] / "docs" / "home-assistant.md").read_text(encoding="utf-8")
    there = {c["def_ent_id"] for c in components(topics.Topics("home", 9, ("west",))).values()}
    named = set(re.findall(r"\b(?:sensor|binary_sensor|event|button)\.betline_home_\w+", page))
    assert len(named) > 10
    assert named <= there
    for topic in homeassistant.topics_of("home"):
        assert topic.removeprefix("homeassistant/device") in page.replace("...", "")
