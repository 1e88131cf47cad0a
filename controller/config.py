"""table.toml as checked values. Every error names the file, the key and the cure."""

from pathlib import Path
from typing import Literal

import msgspec

from controller.engine.setup import Game, House, Sensors
from controller.places import Place, Zone
from firmware_bridge.events import Value


class TableSection(Value, frozen=True):
    name: str = "home"  # topics betline/home/...: lower-case letters, digits, hyphens
    seats: int = 9
    profile: str = "TDA2024"  # a name, or a TOML file
    chips: str = "chips.csv"  # beside table.toml, unless absolute
    cards: tuple[str, ...] = ()


class ReadingSection(Value, frozen=True):
    quiet_ms: int = 1500  # a push is final no sooner after its last chip
    hold_ms: int = 4000  # how long a chip in the hand may keep a push open
    steps: int | Literal["auto"] = 4  # m of the sequential test


class ReaderSection(Value, frozen=True):
    id: str
    driver: str
    port: str
    options: dict[str, str | int | bool] = msgspec.field(default_factory=dict)


class AntennaSection(Value, frozen=True):
    reader: str
    number: int
    place: Zone
    seat: int | None = None
    tags: int = 60  # most that it reads well; beyond it a round is not complete


class MqttSection(Value, frozen=True):
    host: str = ""  # "": no MQTT
    port: int = 1883
    username: str = ""
    password_file: str = ""
    tls: bool = False
    discovery: bool = True  # Home Assistant


class JournalSection(Value, frozen=True):
    path: str = "journal.db"


class SocketsSection(Value, frozen=True):
    public: str = "public.sock"
    dealer: str = "dealer.sock"


class ScreenSection(Value, frozen=True):
    language: Literal["en", "ru"] = "en"


class ButtonSection(Value, frozen=True):
    pin: int
    says: str  # call, raise, check, fold, all_in, confirm, undo, next ...
    seat: int | None = None


class LightSection(Value, frozen=True):
    pin: int
    seat: int


class Config(Value, frozen=True):
    schema: int = 1
    table: TableSection = TableSection()
    game: Game = Game()
    house: House = House()
    reading: ReadingSection = ReadingSection()
    reader: tuple[ReaderSection, ...] = ()
    antenna: tuple[AntennaSection, ...] = ()
    mqtt: MqttSection = MqttSection()
    journal: JournalSection = JournalSection()
    sockets: SocketsSection = SocketsSection()
    screen: ScreenSection = ScreenSection()
    button: tuple[ButtonSection, ...] = ()
    light: tuple[LightSection, ...] = ()
    pin_factory: Literal["lgpio", "rpigpio", "mock"] = "lgpio"

    @property
    def sensors(self) -> Sensors:
        places = {place_of(antenna) for antenna in self.antenna}
        zones = {place.zone for place in places}
        return Sensors(
            trays=frozenset(p.seat for p in places if p.zone is Zone.TRAY and p.seat is not None),
            holes=frozenset(p.seat for p in places if p.zone is Zone.HOLE and p.seat is not None),
            pot=Zone.POT in zones,
            muck=Zone.MUCK in zones,
            board=Zone.BOARD in zones,
        )


def place_of(antenna: AntennaSection) -> Place:
    return Place(antenna.place, antenna.seat)


def beside(config_file: Path, name: str) -> Path:
    """A file named in table.toml: relative names lie beside it."""
    return config_file.parent / name
