"""A virtual 125 kHz reader and its driver: one tag on the coil, and nothing when there are two."""

import pytest

from controller.places import Place, Zone
from firmware_bridge.drivers import catalog as drivers
from firmware_bridge.events import ReaderEvent, ReaderLost, ReaderUp, ScanRound
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.em4100 import Em4100, Form
from simulator.wire import Wire

S = 1_000_000_000
BUTTON = Place(Zone.BUTTON, 1)
TAG, OTHER = "0414CD7E", "C8F00800"


def radio(*tags: str) -> Radio:
    field = Field({("m", 3): BUTTON})
    field.lay(tags, BUTTON)
    return Radio(field, Noise(uneven=0))


def seen(events: list[ReaderEvent]) -> list[list[str]]:
    return [[s.tag for s in e.sightings] for e in events if isinstance(e, ScanRound) and e.complete]


@pytest.mark.parametrize("form", ["rdm6300", "id12", "em18"])
def test_a_driver_sees_its_tag_in_every_round_in_any_form(form: Form) -> None:
    events = Wire(drivers.make("em4100", "m", (3,)), Em4100("m", radio(TAG), form=form), "m").advance(5 * S)
    assert sum(isinstance(e, ReaderUp) for e in events) == 1
    assert not [e for e in events if not isinstance(e, ReaderUp | ScanRound)]
    assert len(seen(events)) >= 8
    assert all(tags == [TAG] for tags in seen(events))


def test_a_driver_sees_a_tag_go_and_another_come() -> None:
    table = radio(TAG)
    wire = Wire(drivers.make("em4100", "m", (3,)), catalog.make("em4100", "m", table), "m")
    wire.advance(2 * S)
    table.field.lift((TAG,))
    wire.advance(3 * S)
    assert seen(wire.advance(5 * S)) == [[]] * 4
    table.field.lay((OTHER,), BUTTON)
    assert seen(wire.advance(7 * S))[-1] == [OTHER]


def test_two_tags_on_one_coil_are_silence_and_so_is_any_other_kind_of_tag() -> None:
    assert not Em4100("m", radio(TAG, OTHER)).tick(0)
    assert not Em4100("m", radio("E2001D7315016521408F0001")).tick(0)


def test_a_coil_that_never_had_a_tag_is_not_known() -> None:
    events = Wire(drivers.make("em4100", "m", (3,)), catalog.make("em4100", "m", radio()), "m").advance(20 * S)
    assert [type(e) for e in events] == [ReaderLost]
