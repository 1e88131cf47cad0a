"""Snapshots: what people see of the core's state."""

from msgspec.structs import replace

from controller import build, picture
from controller.engine.setup import Game, House
from controller.places import Place, Zone
from controller.rulings.rules import Rules
from controller.snapshot import SeatView
from simulator.tables import EVERY_ZONE, config_of, registry_of

VALUES = {"a": 100, "b": 500, "c": 25, "d": 25}


def seats(zones: frozenset[Zone], places: dict[str, Place]) -> tuple[SeatView, ...]:
    config = config_of(3, Game("NT", (1, 2)), House(), zones)
    core = build.core(config, registry_of(VALUES, ()), Rules.named("TDA2024"))
    core.state = replace(core.state, places=places)
    return picture.pictures(core, VALUES, picture.Outside("home", "epoch", 1))[0].seats


def test_chips_in_a_hand_are_told_at_the_seat_that_they_were_last_with() -> None:
    places = {
        "a": Place(Zone.HELD, 1),
        "b": Place(Zone.HELD, 1),
        "c": Place(Zone.HELD, 3),
        "d": Place(Zone.TRAY, 3),
        "As": Place(Zone.HELD, 3),  # a card has no value
    }
    assert [seat.in_hand_value for seat in seats(EVERY_ZONE, places)] == [600, 0, 25]


def test_without_a_tray_antenna_nobody_knows_what_is_in_a_hand() -> None:
    assert [seat.in_hand_value for seat in seats(frozenset({Zone.SPOT}), {})] == [None, None, None]
