"""A virtual board that prints UIDs and its driver: banners, several readers on one board, sketches that say it once."""

import pytest

from controller.places import Place, Zone
from firmware_bridge.drivers import catalog as drivers
from firmware_bridge.events import ReaderEvent, ReaderUp, ScanRound
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.uid_lines import BANNER, UidLines
from simulator.wire import Wire

S = 1_000_000_000
HOLES = (Place(Zone.HOLE, 1), Place(Zone.HOLE, 2))
CARDS = ("24D34F59", "04416D412B0289")


def radio(*antennas: int) -> Radio:
    field = Field({("m", number): HOLES[n] for n, number in enumerate(antennas)})
    for card, place in zip(CARDS, HOLES[: len(antennas)], strict=False):
        field.lay((card,), place)
    return Radio(field, Noise(uneven=0))


def complete(events: list[ReaderEvent], antenna: int) -> list[list[str]]:
    found = [e for e in events if isinstance(e, ScanRound) and e.complete and e.antenna == antenna]
    return [[s.tag for s in e.sightings] for e in found]


@pytest.mark.parametrize("antennas", [(1,), (0, 1)], ids=["one reader", "two readers on one board"])
def test_a_driver_sees_each_card_on_its_antenna_in_every_round(antennas: tuple[int, ...]) -> None:
    wire = Wire(drivers.make("uid-lines", "m", antennas), catalog.make("uid-lines", "m", radio(*antennas)), "m")
    events = wire.advance(5 * S)
    assert [e.identity for e in events if isinstance(e, ReaderUp)] == [BANNER.strip()]
    assert not [e for e in events if not isinstance(e, ReaderUp | ScanRound)]
    for antenna, card in zip(antennas, CARDS, strict=False):
        assert len(complete(events, antenna)) >= 8
        assert all(tags == [card] for tags in complete(events, antenna))


def test_a_driver_sees_a_card_go() -> None:
    table = radio(0, 1)
    wire = Wire(drivers.make("uid-lines", "m", (0, 1)), UidLines("m", table), "m")
    wire.advance(2 * S)
    table.field.lift(CARDS[:1])
    wire.advance(3 * S)
    events = wire.advance(5 * S)
    assert complete(events, 0) == [[]] * 4
    assert complete(events, 1) == [[CARDS[1]]] * 4


def test_a_sketch_that_says_it_once_is_followed_by_the_option_and_nothing_is_ever_gone() -> None:
    options = {"repeats": False}
    table = radio(1)
    wire = Wire(drivers.make("uid-lines", "m", (1,), options), catalog.make("uid-lines", "m", table, options), "m")
    events = wire.advance(10 * S)
    assert complete(events, 1) == []
    assert [len(e.sightings) for e in events if isinstance(e, ScanRound)] == [1]


def test_chips_of_other_kinds_are_not_heard() -> None:
    field = Field({("m", 1): HOLES[0]})
    field.lay(("E2001D7315016521408F0001",), HOLES[0])
    assert UidLines("m", Radio(field)).tick(0) == BANNER.encode()
