"""A recording that may be shown to others: decoded rounds, with stable names in place of tags and players. Pure.

Bytes of readers are left out, for they spell tags. What a person or a device has named is replaced, always by the same
name: tags, players, chips, decks and sets, readers' identities, ports, the table. Faces of cards and values of chips
stay, because rulings rest on them. New names of items sort as the old ones did, so that playing the lines again gives
the same events. New tags are numbered by those names: nothing of the real tags is in them, not even their order, so
whoever hears the real deck through an antenna cannot tell from them which tag is which card.
"""

from collections.abc import Iterable, Mapping
from typing import Any, assert_never

import msgspec
from msgspec.structs import replace

from controller.config.config import Config, TableSection
from controller.places import Zone
from controller.recording.file import Given, Header, Line, Tick
from controller.registry.registry import DECK, Item, face
from controller.rulings.values import ACTIONS
from controller.table.inputs import Told
from firmware_bridge.events import BadFrame, ReaderFault, ReaderLost, ReaderUp, ScanRound, Sighting

# Fields of events, states and commands that hold text: names of items, names of players, and what a client may have
# written. All other text is one of betline's own words; a test knows the whole list.
ITEMS = frozenset(
    {
        "Moved.item",
        "Ruled.chips",
        "PushHeld.chips",
        "Asked.chips",
        "Asked.undecided",
        "PutInDoubt.missed",
        "PutInDoubt.second",
        "BoardChanged.board",
        "StreetOpened.board",
        "HandsShown.cards",
        "TurnedUp.cards",
        "UpCards.cards",
        "PlacesCounted.places",
        "PlacesCounted.differences",
        "Alarmed.items",
        "State.places",
        "State.spots",
        "State.cards",
        "State.board",
        "State.muck",
        "State.old_cards",
        "State.up",
        "State.perhaps_old",
        "State.differences",
        "InHand.counted",
        "InHand.stale",
        "InHand.pulled",
        "InHand.shown",
        "Hand.board",
    }
)
PLAYERS = frozenset({"SeatChanged.name", "Seat.name", "SeatIn.name"})
OPEN: Mapping[str, frozenset[str]] = {
    "Overrule.action": frozenset(ACTIONS),
    "Answer.action": frozenset(ACTIONS),
    "NotAChip.zone": frozenset(Zone),
}
KEPT = frozenset({"rounds", "ticks", "events"})
MOST_STRANGERS = 100_000  # tags of no item; a phone invents a new one at every look
_FOREIGN = 0x8000_0000


class Disguise:
    """Names for one recording. `header` is the new header; give `line` every line in order."""

    def __init__(self, header: Header) -> None:
        by_name = sorted(header.items, key=lambda item: item.name)
        self._tags = {item.tag: _tag(number) for number, item in enumerate(by_name, 1)}
        self._sets = _numbered("set", (item.set for item in header.items))
        self._items = _item_names(by_name, self._sets)
        self._players: dict[str, str] = {"": ""}
        self._identities: dict[str, str] = {}
        self.header = replace(
            header,
            table=_table(header.table),
            began="",
            holds=tuple(kind for kind in header.holds if kind in KEPT),
            items=tuple(self._item(item) for item in header.items),
            profile=replace(header.profile, name="house", title="house") if header.profile else None,
            state=self._disguised(header.state),
            anonymised=True,
        )

    def line(self, line: Line) -> Line | None:
        """The line as others may see it; None where it may not be seen at all."""
        if line.given is not None:
            return replace(line, given=self._given(line.given))
        if line.event is not None:
            return replace(line, event=self._disguised(line.event))
        return line if line.dropped else None

    # ------------------------------------------------------------------ parts of a line
    def _given(self, given: Given) -> Given:
        match given:
            case ScanRound():
                seen = tuple(sorted(map(self._sighting, given.sightings), key=_by_tag))
                return replace(given, sightings=seen, absent=tuple(sorted(map(self._seen, given.absent))))
            case ReaderUp():
                new = f"identity-{len(self._identities) + 1}"
                return replace(given, identity=self._identities.setdefault(given.identity, new))
            case ReaderLost():
                return replace(given, why="lost")
            case ReaderFault():
                return replace(given, meaning=given.code)
            case BadFrame():
                return replace(given, raw=b"")
            case Told():
                told: Told = self._disguised(given)
                return told
            case Tick():
                return given
            case _:
                assert_never(given)

    def _disguised(self, value: Any) -> Any:
        """The same value with other names in it."""
        if isinstance(value, msgspec.Struct):
            kind = type(value).__name__
            fields = value.__struct_fields__
            return replace(value, **{name: self._field(f"{kind}.{name}", getattr(value, name)) for name in fields})
        if isinstance(value, tuple):
            return tuple(map(self._disguised, value))
        return value

    def _field(self, where: str, value: Any) -> Any:
        if where in ITEMS:
            return self._named(value)
        if where in PLAYERS:
            return self._players.setdefault(value, f"player-{len(self._players)}")
        if where in OPEN:
            return value if value is None or value in OPEN[where] else "?"
        return self._disguised(value)

    def _named(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._items.get(value, "item-unknown")
        if isinstance(value, dict):
            return {self._named(name): place for name, place in value.items()}
        return tuple(map(self._named, value))

    def _sighting(self, sighting: Sighting) -> Sighting:
        return replace(sighting, tag=self._seen(sighting.tag))

    def _seen(self, tag: str) -> str:
        known = self._tags.get(tag)
        if known is None:
            known = _tag(_FOREIGN + min(len(self._tags), MOST_STRANGERS))
            if len(self._tags) < MOST_STRANGERS:
                self._tags[tag] = known
        return known

    def _item(self, item: Item) -> Item:
        return replace(item, name=self._items[item.name], tag=self._tags[item.tag], set=self._sets[item.set])


def _tag(number: int) -> str:
    """Six bytes: no reader family has tags of that length, so it cannot be taken for a real one."""
    return f"FACE{number:08X}"


def _by_tag(sighting: Sighting) -> str:
    """An inventory comes in the order of the real tags, which is nobody's business."""
    return sighting.tag


def _numbered(word: str, names: Iterable[str]) -> dict[str, str]:
    return {name: f"{word}-{number}" for number, name in enumerate(sorted(set(names)), 1)}


def _item_names(items: Iterable[Item], sets: Mapping[str, str]) -> dict[str, str]:
    """New names, for items in the order of their old ones. A card keeps its face, and "blue:As" its deck's new name."""
    names = {}
    for number, item in enumerate(items, 1):
        if item.kind == "card" and face(item.name) in DECK:
            names[item.name] = item.name if ":" not in item.name else f"{sets[item.set]}:{face(item.name)}"
        else:
            names[item.name] = f"item-{number:05d}"
    return names


def _table(config: Config) -> Config:
    """What the core needs to know of a table."""
    profile = config.table.profile
    return Config(
        table=TableSection(seats=config.table.seats, profile="house.toml" if profile.endswith(".toml") else profile),
        game=config.game,
        house=config.house,
        reading=config.reading,
        reader=tuple(
            replace(reader, port=f"port-{number}", options={}) for number, reader in enumerate(config.reader, 1)
        ),
        antenna=config.antenna,
    )
