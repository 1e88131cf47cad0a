"""Tables to play at: which antennas there are and which reader serves them, and a registry for a script's items."""

from collections.abc import Iterable, Mapping
from hashlib import blake2b

from controller.config.config import AntennaSection, Config, ReaderSection, TableSection
from controller.places import Zone
from controller.registry.registry import Item, Registry
from controller.table.setup import House, Stakes

SEAT_ZONES: dict[Zone, int] = {Zone.TRAY: 60, Zone.SPOT: 30, Zone.HOLE: 8}  # most tags that each reads well
MIDDLE_ZONES: dict[Zone, int] = {Zone.POT: 250, Zone.MUCK: 60, Zone.BOARD: 12}
EVERY_ZONE = frozenset(SEAT_ZONES) | frozenset(MIDDLE_ZONES)


def config_of(
    seats: int, game: Stakes, house: House, zones: Iterable[Zone] = EVERY_ZONE, driver: str = "tablelink"
) -> Config:
    """A table of so many seats: one microcontroller a seat, and one in the middle for pot, muck and board."""
    there = set(zones)
    readers, antennas = [], []
    places = [(f"seat{seat}", SEAT_ZONES, seat) for seat in range(1, seats + 1)] + [("middle", MIDDLE_ZONES, None)]
    for reader, kinds, seat in places:
        mine = [
            AntennaSection(reader, number, zone, seat, tags)
            for number, (zone, tags) in enumerate(kinds.items(), 1)
            if zone in there
        ]
        antennas += mine
        if mine:
            readers.append(ReaderSection(reader, driver, f"/dev/null/{reader}"))
    return Config(
        table=TableSection(seats=seats), game=game, house=house, reader=tuple(readers), antenna=tuple(antennas)
    )


def registry_of(values: Mapping[str, int], cards: Iterable[str]) -> Registry:
    """Tags for every item, as they come from the factory: eight bytes of an ISO 15693 UID, no two alike."""
    chips = [Item(name, tag_of(name), "chip", value, "demo") for name, value in values.items()]
    return Registry([*chips, *(Item(card, tag_of(card), "card", 0, "red") for card in cards)])


def tag_of(name: str) -> str:
    """E0: the class of ISO 15693 tags; 04: a maker's code; six bytes of its number."""
    return "E004" + blake2b(name.encode(), digest_size=6).hexdigest().upper()
