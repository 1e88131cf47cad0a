"""The demo's table: registry, table.toml and readers in a folder that goes away with the demo."""

import time
from collections.abc import Iterable
from pathlib import Path

import msgspec
import tomli_w
from msgspec.structs import replace

from controller.config.config import (
    Config,
    JournalSection,
    MqttSection,
    ReaderSection,
    ReadingSection,
    ScreenSection,
    SocketsSection,
    TableSection,
    place_of,
)
from controller.places import Place, Zone
from controller.registry.registry import DECK, Registry, format_cards, format_chips
from controller.snapshot import Language
from controller.table.setup import House, Stakes
from firmware_bridge.files import write_secret
from simulator.field import field_of
from simulator.models.models import Model
from simulator.models.radio import ModelledRadio
from simulator.models.wires import with_few_readers, with_late_bytes
from simulator.radio import Noise
from simulator.readers import catalog
from simulator.script import Setting
from simulator.tables import EVERY_ZONE, config_of, registry_of
from simulator.terminals import Terminals

SPOTS_ONLY = frozenset({Zone.SPOT})
TRAY_TAGS = 250  # a winner of the evening has most chips of the table
QUICKEST_QUIET_MS = 20  # of real time, however fast the demo runs


def configuration(folder: Path, setting: Setting, *, spots_only: bool, broker_port: int, language: Language) -> Config:
    """What table.toml says; the ports are pseudo-terminals in the folder."""
    game = Stakes(variant="NT", blinds=setting.blinds, ante=setting.ante, ante_by=setting.ante_by)
    house = House(fold="say", hand_start="say") if spots_only else House()
    config = config_of(setting.seats, game, house, SPOTS_ONLY if spots_only else EVERY_ZONE)
    return replace(
        config,
        table=TableSection(name="demo", seats=setting.seats, chips="chips.csv", cards=("red-deck.csv",)),
        antenna=tuple(replace(a, tags=TRAY_TAGS) if a.place is Zone.TRAY else a for a in config.antenna),
        reader=_plugged(folder, config),
        mqtt=MqttSection(host="127.0.0.1", port=broker_port),
        journal=JournalSection("journal.db"),
        sockets=SocketsSection("public.sock", "dealer.sock"),
        screen=ScreenSection(language),
    )


def behind_few_readers(folder: Path, config: Config, models: Iterable[Model]) -> Config:
    """The same table as a model may have it wired."""
    config = with_few_readers(config, models)
    return replace(config, reader=_plugged(folder, config))


def _plugged(folder: Path, config: Config) -> tuple[ReaderSection, ...]:
    return tuple(replace(reader, port=str(folder / "ports" / reader.id)) for reader in config.reader)


def hurried(config: Config, speed: float) -> Config:
    """The same table with times that fit a demo that runs faster than life."""
    reading = config.reading
    return replace(
        config,
        reading=ReadingSection(
            quiet_ms=max(QUICKEST_QUIET_MS, int(reading.quiet_ms / speed)),
            hold_ms=max(QUICKEST_QUIET_MS, int(reading.hold_ms / speed)),
            steps=reading.steps,
        ),
    )


def write_files(folder: Path, config: Config, values: dict[str, int]) -> tuple[Path, Registry]:
    """chips.csv, the deck and table.toml; the path of the latter."""
    registry = registry_of(values, DECK)
    items = registry.items.values()
    write_secret(folder / "chips.csv", format_chips(i for i in items if i.kind == "chip").encode())
    write_secret(folder / "red-deck.csv", format_cards(i for i in items if i.kind == "card").encode())
    path = folder / "table.toml"
    path.write_text(tomli_w.dumps(_document(config)), encoding="utf-8")
    return path, registry


def _document(config: Config) -> dict[str, object]:
    """The configuration as TOML can say it: without what is not set."""
    document = _without_none(msgspec.to_builtins(config))
    assert isinstance(document, dict)
    return document


def _without_none(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_none(one) for key, one in value.items() if one is not None}
    if isinstance(value, list | tuple):
        return [_without_none(one) for one in value]
    return value


def plug_in(
    terminals: Terminals, config: Config, noise: Noise, speed: float, models: tuple[Model, ...] = ()
) -> ModelledRadio:
    """Virtual readers on the ports that table.toml names; gives the radio, whose field people lay items on."""
    radio = ModelledRadio(field_of(config), noise, models, time.monotonic_ns)
    for section in config.reader:
        virtual = catalog.for_section(section, radio, speed=speed)
        terminals.add(section.id, with_late_bytes(virtual, section.id, models, noise.seed))
    return radio


def watched(config: Config) -> set[Place]:
    """Places where an antenna looks."""
    return {place_of(antenna) for antenna in config.antenna}
