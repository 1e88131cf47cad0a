"""What others may see of a recording: every text is known, replaced by a stable name, or betline's own word."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from betline.record.disguise import ITEMS, MOST_STRANGERS, OPEN, PLAYERS, Disguise
from controller.commands import NotAChip, Overrule, SeatIn
from controller.config.config import Config, JournalSection, MqttSection, ReaderSection, TableSection
from controller.places import Moved, Place, Zone
from controller.recording.file import Header, Line, Tick, encode
from controller.registry.registry import Item
from controller.rulings.switches import Profile
from controller.table import events as e
from controller.table.inputs import Told
from controller.table.state import Checkpoint, Seat, State, Table
from firmware_bridge.events import BadFrame, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound, Sighting

# Texts that betline itself writes: keys, kinds, rules, streets. Whoever adds a field decides here whether it may hold
# a name or a tag; then it belongs into the disguise.
OWN_WORDS = {
    "Game.name",
    "Game.title",
    "Game.codes",
    "Street.name",
    "Reading.rule",
    "Ruling.why",
    "Ruling.numbers",
    "Asked.why",
    "BettingClosed.street",
    "StreetOpened.street",
    "Refused.why",
    "Refused.numbers",
}
# Fields of readers' events; `Disguise.line` has a case for each of these types.
OF_READERS = {
    "Sighting.tag",
    "ScanRound.reader",
    "ScanRound.absent",
    "ReaderUp.reader",
    "ReaderUp.identity",
    "ReaderLost.reader",
    "ReaderLost.why",
    "ReaderFault.reader",
    "ReaderFault.code",
    "ReaderFault.meaning",
    "BadFrame.reader",
}

ITEMS_OF_TABLE = (
    Item("r100-017", "E0040150954F02B1", "chip", 100, "vegas"),
    Item("r100-003", "E0040150954F02FF", "chip", 100, "vegas"),
    Item("As", "E0040150954F0001", "card", 0, "red"),
    Item("2c", "E0040150954F0002", "card", 0, "red"),
    Item("blue:As", "E0040150954F0003", "card", 0, "blue"),
    Item("spare-joe", "E0040150954F0004", "card", 0, "red", "withdrawn"),
    Item("ignored-E0FF", "E0FF", "marker", state="ignore"),
)
SEATS = (Seat(1000, True, "Zoltan"), Seat(500, True, "Ada"))
STATE = State(
    places={"r100-017": Place(Zone.TRAY, 1), "As": Place(Zone.HOLE, 2)},
    table=Table(SEATS),
    spots=(("r100-003",), ()),
    past=(Checkpoint(3, Table(SEATS), None),),
)
CONFIG = Config(
    table=TableSection("joes-club", 2, "joes.toml", "/home/joe/chips.csv"),
    reader=(ReaderSection("west", "m100", "/dev/serial/by-id/usb-joe-if00", {"epc_crc": False}),),
    mqtt=MqttSection("broker.joe.example", username="joe"),
    journal=JournalSection("/home/joe/journal.db"),
)
HEADER = Header(
    1,
    "0.1.0",
    CONFIG,
    "2026-05-01T19:30:00Z",
    ("bytes", "calls", "rounds", "ticks", "events"),
    ITEMS_OF_TABLE,
    Profile("joes", "Joe's rules"),
    STATE,
)


def texts(kind: inspect.Type, where: str, seen: set[type]) -> Iterator[str]:
    """Every field under a type that can hold free text."""
    match kind:
        case inspect.StructType(cls=cls, fields=fields) if cls not in seen:
            seen.add(cls)
            for field in fields:
                yield from texts(field.type, f"{cls.__name__}.{field.name}", seen)
        case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
            for one in types:
                yield from texts(one, where, seen)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            yield from texts(item, where, seen)
        case inspect.DictType(key_type=key, value_type=value):
            yield from texts(key, where, seen)
            yield from texts(value, where, seen)
        case inspect.StrType():
            yield where
        case _:
            pass


def every_text(*kinds: Any) -> set[str]:
    seen: set[type] = set()
    return {where for kind in kinds for where in texts(inspect.type_info(kind), "", seen)}


def test_every_text_of_events_states_and_commands_is_known() -> None:
    assert every_text(e.Event, State, Told) == ITEMS | PLAYERS | set(OPEN) | OWN_WORDS


def test_every_text_of_readers_is_known() -> None:
    assert every_text(ReaderEvent) == OF_READERS


def test_the_header_keeps_nothing_that_somebody_named() -> None:
    text = encode(Disguise(HEADER).header).decode()
    for word in ("joe", "Joe", "E004", "E0FF", "Zoltan", "Ada", "vegas", '"red"', '"blue', "r100", "2026", "epc_crc"):
        assert word not in text, word


def test_the_header_keeps_what_rulings_rest_on() -> None:
    header = Disguise(HEADER).header
    assert header.anonymised
    assert header.holds == ("rounds", "ticks", "events")
    assert [(item.kind, item.value, item.state) for item in header.items] == [
        (item.kind, item.value, item.state) for item in ITEMS_OF_TABLE
    ]
    assert (header.table.antenna, header.table.game, header.table.house) == (CONFIG.antenna, CONFIG.game, CONFIG.house)
    assert header.state is not None
    assert [seat.stack for seat in header.state.table.seats] == [1000, 500]


def test_names_of_items_sort_as_before_and_faces_stay() -> None:
    names = {old.name: new.name for old, new in zip(ITEMS_OF_TABLE, Disguise(HEADER).header.items, strict=True)}
    assert (names["As"], names["2c"]) == ("As", "2c")
    assert names["blue:As"].endswith(":As")
    assert names["r100-003"] < names["r100-017"]


def test_the_same_is_called_the_same_everywhere() -> None:
    disguise = Disguise(HEADER)
    state, items = disguise.header.state, disguise.header.items
    assert state is not None
    assert set(state.places) == {items[0].name, "As"}
    assert state.spots == ((items[1].name,), ())
    assert state.past[0].table.seats == state.table.seats
    line = disguise.line(Line(1, event=e.SeatChanged(1, 1000, playing=True, name="Zoltan")))
    assert line is not None
    assert isinstance(line.event, e.SeatChanged)
    assert line.event.name == state.table.seats[0].name == "player-1"
    assert disguise.line(Line(1, given=Told(1, SeatIn(2, "Bea"), "say"))) == Line(
        1, given=Told(1, SeatIn(2, "player-3"), "say")
    )
    moved = e.ItemsMoved((Moved("r100-017", Place(Zone.TRAY, 1), Place(Zone.SPOT, 1)),), "push")
    assert disguise.line(Line(2, event=moved)) == Line(
        2, event=msgspec.structs.replace(moved, moves=(Moved(items[0].name, *_places(moved)),))
    )


def _places(moved: e.ItemsMoved) -> tuple[Place, Place]:
    return moved.moves[0].origin, moved.moves[0].target


def test_a_seat_without_a_name_stays_without() -> None:
    line = Line(1, event=e.SeatChanged(1, 0, playing=False))
    assert Disguise(HEADER).line(line) == line


def test_tags_that_were_asked_for_in_vain_are_disguised_as_those_that_were_seen() -> None:
    disguise = Disguise(HEADER)
    seen = disguise.line(Line(1, given=ScanRound("west", 2, 10, 20, False, (Sighting("E0040150954F02B1"),))))
    asked = disguise.line(Line(2, given=ScanRound("west", 2, 30, 40, False, (), ("E0040150954F02B1", "AABBCCDD"))))
    assert seen is not None
    assert asked is not None
    assert isinstance(seen.given, ScanRound)
    assert isinstance(asked.given, ScanRound)
    assert len(asked.given.absent) == 2
    assert seen.given.sightings[0].tag in asked.given.absent
    assert all(tag.startswith("FACE") for tag in asked.given.absent)


def test_rounds_keep_how_many_and_how_strong_but_no_tag() -> None:
    disguise = Disguise(HEADER)
    scan = ScanRound("west", 2, 10, 20, True, (Sighting("E0040150954F02B1", -60), Sighting("AABBCCDD", -70)))
    for _ in range(2):
        line = disguise.line(Line(1, given=scan))
        assert line is not None
        new = line.given
        assert isinstance(new, ScanRound)
        assert {(s.tag, s.rssi_dbm) for s in new.sightings} == {
            (disguise.header.items[0].tag, -60),
            ("FACE80000007", -70),  # a ski pass: always this one
        }
        assert (new.reader, new.antenna, new.began_ns, new.ended_ns, new.complete) == ("west", 2, 10, 20, True)


def test_tags_that_are_new_at_every_look_take_no_endless_memory() -> None:
    disguise = Disguise(HEADER)
    for number in range(MOST_STRANGERS + 10):
        disguise.line(Line(1, given=ScanRound("west", 1, 1, 2, True, (Sighting(f"{number:014X}"),))))
    assert len(disguise._tags) == MOST_STRANGERS


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        (BadFrame("west", 1, "checksum", b"\xe0\x04"), BadFrame("west", 1, "checksum", b"")),
        (ReaderUp("west", 1, "M100 serial 4711"), ReaderUp("west", 1, "identity-1")),
        (ReaderLost("west", 1, "/dev/ttyUSB0: unplugged"), ReaderLost("west", 1, "lost")),
        (ReaderFault("west", 1, "full", "E004 was not read"), ReaderFault("west", 1, "full", "full")),
        (Tick(1), Tick(1)),
        (Told(1, NotAChip("Joe's spot", 1), "mqtt"), Told(1, NotAChip("?", 1), "mqtt")),
        (Told(1, NotAChip("spot", 1), "mqtt"), Told(1, NotAChip("spot", 1), "mqtt")),
        (Told(1, Overrule(action="Joe"), "mqtt"), Told(1, Overrule(action="?"), "mqtt")),
        (Told(1, Overrule(action="call"), "mqtt"), Told(1, Overrule(action="call"), "mqtt")),
    ],
)
def test_what_devices_and_clients_write_is_left_out(given: Any, becomes: Any) -> None:
    assert Disguise(HEADER).line(Line(1, given=given)) == Line(1, given=becomes)


def test_a_reset_reader_is_still_seen_to_be_another() -> None:
    disguise = Disguise(HEADER)
    seen = [disguise.line(Line(1, given=ReaderUp("west", 1, boot))) for boot in ("boot 1", "boot 2", "boot 1")]
    assert seen[0] == seen[2] != seen[1]


@pytest.mark.parametrize(
    "line",
    [Line(1, "west", rx="e004"), Line(1, "west", tx="02"), Line(1, "west", call="tick"), Line(1, "west", focus=(1,))],
)
def test_bytes_and_calls_are_left_out(line: Line) -> None:
    assert Disguise(HEADER).line(line) is None


def test_lost_lines_are_still_told() -> None:
    assert Disguise(HEADER).line(Line(1, dropped=7)) == Line(1, dropped=7)
