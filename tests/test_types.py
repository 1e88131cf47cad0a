"""The type modules: every value is frozen, survives JSON, and refuses unknown fields."""

import inspect
import itertools

import msgspec
import pytest

from controller import commands, places, snapshot
from controller.rulings import values
from controller.table import events, inputs, state
from controller.tracking import events as tracking_events
from firmware_bridge import events as bridge_events

MODULES = (bridge_events, places, tracking_events, values, commands, inputs, events, state, snapshot)
STRUCTS = sorted(
    {
        struct
        for module in MODULES
        for _, struct in inspect.getmembers(module, inspect.isclass)
        if issubclass(struct, msgspec.Struct)
    },
    key=lambda struct: (struct.__module__, struct.__qualname__),
)
UNIONS = (
    bridge_events.ReaderEvent,
    tracking_events.TrackingEvent,
    commands.Command,
    inputs.Input,
    events.Event,
)


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda s: f"{s.__module__}.{s.__qualname__}")
def test_every_value_is_frozen_and_refuses_unknown_fields(struct: type[msgspec.Struct]) -> None:
    config = struct.__struct_config__
    assert config.frozen
    assert config.forbid_unknown_fields


@pytest.mark.parametrize("union", UNIONS, ids=str)
def test_a_union_can_be_decoded_by_its_tags(union: object) -> None:
    msgspec.json.Decoder(union)  # refuses a union whose tags clash
    for one, other in itertools.combinations(union.__args__, 2):
        assert one.__struct_config__.tag != other.__struct_config__.tag


def test_an_event_survives_the_journal() -> None:
    reading = values.Reading("call", 600, 400, 0, reopens=False, all_in=False, rule="TDA 2024 44")
    ruling = values.Ruling(reading, "one_chip_call", {"change": 400})
    event = events.Ruled(4, reading, ruling, ("y1000-001",))

    body = msgspec.json.encode(event)

    assert msgspec.json.decode(body, type=events.Event) == event
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(body[:-1] + b',"x":1}', type=events.Event)
