"""table.toml as checked values. Every error is one line that names the file, the key and the cure."""

import os
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from controller import spoken as words
from controller.authority.roles import Grant, Refused, judge, trusted
from controller.config import before, sections
from controller.config import game as game_section
from controller.config.outside import AuthoritySection as AuthoritySection  # noqa: PLC0414  -- one door for all sections
from controller.config.outside import MqttSection as MqttSection  # noqa: PLC0414  -- the same
from controller.config.outside import check_mqtt
from controller.errors import ConfigError, WordsError
from controller.places import Place, Zone
from controller.rulings import profiles
from controller.snapshot import Language, ThemeName
from controller.table.setup import House, Sensors, Stakes
from controller.texts import said
from controller.texts.languages import ENGLISH, known
from firmware_bridge.drivers import catalog
from firmware_bridge.errors import BetlineError
from firmware_bridge.events import Value
from firmware_bridge.files import check_file
from firmware_bridge.port_cures import address_fault

DEFAULT_FILES = (Path("table.toml"), Path("/etc/betline/table.toml"))
SCHEMA = 1
PINS = range(28)  # BCM numbers of the 40-pin header
MAX_SOCKET_PATH = 107  # bytes: sun_path of Linux
_NAME = re.compile(r"[a-z0-9-]{1,40}")
_READER_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
_OF_A_SEAT = frozenset({Zone.TRAY, Zone.SPOT, Zone.HOLE, Zone.BUTTON})
_OF_THE_TABLE = frozenset({Zone.BOARD, Zone.MUCK, Zone.POT, Zone.BANK})


class TableSection(Value, frozen=True):
    name: str = "home"  # topics betline/home/...: lower-case letters, digits, hyphens
    seats: int = 9  # 2 to 10, numbered from the dealer's left
    profile: str = "TDA2024"  # a name, or a TOML file
    chips: str = "chips.csv"  # beside table.toml, unless absolute
    cards: tuple[str, ...] = ()  # files of decks


class ReadingSection(Value, frozen=True):
    quiet_ms: int = 1500  # a push is final no sooner after its last chip
    hold_ms: int = 4000  # how long a chip in the hand may keep a push open
    steps: int | Literal["auto"] = 4  # m of the sequential test


class ReaderSection(Value, frozen=True):
    id: str  # as antennas and messages name it: letters, digits, hyphens, underscores
    driver: str  # its family: docs/readers
    port: str  # /dev/serial/by-id/..., socket://host:port or rfc2217://host:port
    options: dict[str, str | int | bool] = msgspec.field(default_factory=dict)  # of its driver


class AntennaSection(Value, frozen=True):
    reader: str  # id of its [[reader]]
    number: int  # the reader's own, 0 to 255
    place: Zone  # what lies there
    seat: int | None = None  # of a tray, spot, hole cards or button
    tags: int = 60  # most that it reads well; beyond it a round is not complete
    # What was measured there (betline calibrate): [reading] steps = "auto" follows from it.
    miss: float | None = None  # share of rounds that do not show a tag that lies there
    stray: float | None = None  # share of rounds that show a given tag of a neighbour
    burst: float = 1.0  # rounds that a tag stays unread on average, once it was missed


class JournalSection(Value, frozen=True):
    path: str = "journal.db"  # on a disk that stays


class SocketsSection(Value, frozen=True):
    public: str = "public.sock"  # shows
    dealer: str = "dealer.sock"  # shows more, and takes commands: group betline


class ScreenSection(Value, frozen=True):
    language: Language = ENGLISH  # of the screen, MQTT and Home Assistant
    theme: ThemeName = "dark"  # "light": for a room with the sun in it; "colour-blind": red and green told apart
    buttons: bool = True  # for fingers, on the dealer's screen; false: he has a keyboard, and the table more room


class SpeechSection(Value, frozen=True):
    command: str = ""  # of `betline speak`, such as "espeak-ng -v ru"; the sentence comes behind it


class ButtonSection(Value, frozen=True):
    pin: int  # BCM number
    says: str  # call, raise, check, fold, all_in, confirm, undo, next ...
    seat: int | None = None  # whose button it is; none: the dealer's


class LightSection(Value, frozen=True):
    pin: int  # BCM number
    seat: int  # lit while it is to act


class Config(Value, frozen=True):
    schema: int = 1
    table: TableSection = TableSection()
    game: Stakes = Stakes()
    house: House = House()
    reading: ReadingSection = ReadingSection()
    reader: tuple[ReaderSection, ...] = ()
    antenna: tuple[AntennaSection, ...] = ()
    mqtt: MqttSection = MqttSection()
    authority: AuthoritySection = AuthoritySection()
    journal: JournalSection = JournalSection()
    sockets: SocketsSection = SocketsSection()
    screen: ScreenSection = ScreenSection()
    speech: SpeechSection = SpeechSection()
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


def grant_of(button: ButtonSection, authority: AuthoritySection) -> Grant | None:
    """As whom a button speaks: the player of its seat, else whom [authority] buttons says."""
    return Grant("player", button.seat) if button.seat is not None else trusted(authority.buttons)


def beside(config_file: Path, name: str) -> Path:
    """A file named in table.toml: relative names lie beside it."""
    return config_file.parent / name


def find(given: Path | None) -> Path:
    """The configuration that a command uses: the one given, else table.toml here, else that of the system."""
    if given is not None:
        return given
    for path in DEFAULT_FILES:
        if path.exists():
            return path
    raise ConfigError("no table.toml here and none in /etc/betline: name one with --config, or make one: betline init")


def load(path: Path, drivers: Collection[str] = tuple(catalog.DRIVERS)) -> Config:
    """Read and check table.toml, also what it says to its drivers."""
    check_file(path, ConfigError)
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))  # editors of Windows begin with a mark
        config = sections.convert(before.as_now(document), Config)
        _check(config, path, drivers)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}: check --config, or make one: betline init") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text: save it again in UTF-8") from error
    except RecursionError as error:
        raise ConfigError(f"{path}: no TOML: nested too deeply: mend that place") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: no TOML: {error}: mend that place") from error
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    return config


def _check(config: Config, path: Path, drivers: Collection[str]) -> None:
    """Everything that types alone cannot say; the first fault ends it."""
    if config.schema != SCHEMA:
        raise ConfigError(
            f"key 'schema': {config.schema} is not {SCHEMA}: this betline reads {SCHEMA}; update one of them"
        )
    _check_table(config.table)
    _check_profile(config.table.profile, path)
    game_section.check(config.game, str(path.parent))
    game_section.check_seats(config.game, config.table.seats)
    _check_reading(config.reading)
    _check_readers(config.reader, drivers)
    _check_antennas(config)
    _check_trays(config)
    _check_options(config)
    _check_pins(config)
    _check_screen(config.screen)
    _check_outside(config, path)


def _check_table(table: TableSection) -> None:
    if not _NAME.fullmatch(table.name):
        raise ConfigError(
            f"[table], key 'name': {table.name!r} is part of MQTT topics: use 1 to 40 of a-z, 0-9 and hyphen"
        )
    _in_range(table.seats, 2, words.MAX_SEAT, "[table], key 'seats'")


def _check_profile(name: str, path: Path) -> None:
    try:
        profiles.load(str(beside(path, name)) if name.endswith(".toml") else name)
    except profiles.ProfileError as error:
        raise ConfigError(f"[table], key 'profile': {error}") from error


def _check_screen(screen: ScreenSection) -> None:
    try:
        known(screen.language)
    except ConfigError as error:
        raise ConfigError(f"[screen], key 'language': {error}") from error


def _check_reading(reading: ReadingSection) -> None:
    _in_range(reading.quiet_ms, 100, 60_000, "[reading], key 'quiet_ms'")
    _in_range(reading.hold_ms, 0, 60_000, "[reading], key 'hold_ms'")
    if reading.steps != "auto":
        _in_range(int(reading.steps), 2, 20, "[reading], key 'steps'")


def _check_readers(readers: tuple[ReaderSection, ...], drivers: Collection[str]) -> None:
    ports: dict[str, str] = {}
    ids: set[str] = set()
    for number, reader in enumerate(readers, 1):
        where = f"[[reader]] no. {number}"
        if not _READER_ID.fullmatch(reader.id):
            raise ConfigError(f"{where}, key 'id': {reader.id!r}: use 1 to 40 letters, digits, hyphens and underscores")
        if reader.id in ids:
            raise ConfigError(f"{where}, key 'id': {reader.id!r} is used twice: give each reader an id of its own")
        ids.add(reader.id)
        if reader.driver not in drivers:
            hint = sections.near(reader.driver, drivers)
            raise ConfigError(
                f"{where}, key 'driver': no driver {reader.driver!r}: {hint}Known are {', '.join(drivers)}"
            )
        if not reader.port:
            raise ConfigError(f"{where}, key 'port': is empty: name the port, as in /dev/ttyUSB0")
        fault = address_fault(reader.port)
        if fault is not None:
            raise ConfigError(f"{where}, key 'port': {fault}")
        other = ports.setdefault(_device(reader.port), reader.id)
        if other != reader.id:
            raise ConfigError(f"{where}, key 'port': {reader.port} is also the port of {other!r}: one port, one reader")


def _device(port: str) -> str:
    """The device behind a name: /dev/serial/by-id/... and /dev/ttyUSB0 may be the same."""
    return os.path.realpath(port) if port.startswith("/") else port


def _check_antennas(config: Config) -> None:
    readers = [reader.id for reader in config.reader]
    seen: dict[tuple[str, int], int] = {}
    places: dict[Place, int] = {}
    for number, antenna in enumerate(config.antenna, 1):
        where = f"[[antenna]] no. {number}"
        if antenna.reader not in readers:
            hint = sections.near(antenna.reader, readers)
            raise ConfigError(f"{where}, key 'reader': no [[reader]] has the id {antenna.reader!r}: {hint}Add it")
        _in_range(antenna.number, 0, 255, f"{where}, key 'number'")
        _in_range(antenna.tags, 1, 10_000, f"{where}, key 'tags'")
        _check_noise(antenna, where)
        _check_seat(antenna, config.table.seats, where)
        other = seen.setdefault((antenna.reader, antenna.number), number)
        if other != number:
            both = f"antenna {antenna.number} of {antenna.reader!r}"
            raise ConfigError(
                f"{where}, key 'number': {both} is already no. {other}: one of the two has another number"
            )
        other = places.setdefault(place_of(antenna), number)
        if other != number and antenna.place in _OF_A_SEAT:
            place = f"the {antenna.place} of seat {antenna.seat}"
            raise ConfigError(f"{where}, key 'place': {place} is already no. {other}: give each antenna its own place")
    missing = [seat for seat in range(1, config.table.seats + 1) if Place(Zone.SPOT, seat) not in places]
    if missing:
        listed = ", ".join(str(seat) for seat in missing)
        raise ConfigError(
            f'[[antenna]]: no bet spot for seat {listed}: each seat needs one (place = "spot"), or fewer seats'
        )


def _check_noise(antenna: AntennaSection, where: str) -> None:
    for key, share in (("miss", antenna.miss), ("stray", antenna.stray)):
        if share is not None and not 0 <= share < 1:
            raise ConfigError(f"{where}, key '{key}': {share} is no share of rounds: use 0 to 1, as in 0.05")
    if not 1 <= antenna.burst <= 1000:
        raise ConfigError(f"{where}, key 'burst': {antenna.burst} is out of range: use 1 to 1000 rounds")


def _check_trays(config: Config) -> None:
    """A tray's chips count one by one, and a chip that is gone decides rulings: only a whole round may say so."""
    by_time = {reader.id: reader.driver for reader in config.reader if not catalog.ends_rounds(reader.driver)}
    for number, antenna in enumerate(config.antenna, 1):
        if antenna.place is Zone.TRAY and antenna.reader in by_time:
            driver = by_time[antenna.reader]
            raise ConfigError(
                f"[[antenna]] no. {number}, key 'place': a {driver} reader cannot say when it has read all chips, so a "
                "tray on it would lose chips that still lie there: leave the tray out, or give it another reader"
            )


def _check_options(config: Config) -> None:
    for number, reader in enumerate(config.reader, 1):
        antennas = tuple(antenna.number for antenna in config.antenna if antenna.reader == reader.id)
        try:
            catalog.make(reader.driver, reader.id, antennas, reader.options)
        except BetlineError as error:
            raise ConfigError(f"[[reader]] no. {number}, key 'options': {error}") from error


def _check_seat(antenna: AntennaSection, seats: int, where: str) -> None:
    if antenna.place in _OF_A_SEAT:
        if antenna.seat is None:
            raise ConfigError(f"{where}, key 'seat': a {antenna.place} belongs to a seat: add seat = 1")
        _in_range(antenna.seat, 1, seats, f"{where}, key 'seat'")
    elif antenna.place not in _OF_THE_TABLE:
        raise ConfigError(
            f"{where}, key 'place': '{antenna.place}' has no antenna: it is where chips go that none sees"
        )
    elif antenna.seat is not None:
        raise ConfigError(f"{where}, key 'seat': the {antenna.place} belongs to no seat: remove it")


def _check_pins(config: Config) -> None:
    parts: tuple[tuple[str, tuple[ButtonSection | LightSection, ...]], ...] = (
        ("button", config.button),
        ("light", config.light),
    )
    for name, items in parts:
        for number, item in enumerate(items, 1):
            where = f"[[{name}]] no. {number}"
            _in_range(item.pin, PINS.start, PINS.stop - 1, f"{where}, key 'pin' (BCM)")
            if item.seat is not None:
                _in_range(item.seat, 1, config.table.seats, f"{where}, key 'seat'")
    for number, button in enumerate(config.button, 1):
        where = f"[[button]] no. {number}, key 'says'"
        try:
            command = said.command([button.says])
        except WordsError as error:
            raise ConfigError(f"{where}: {error}") from error
        for seat in words.seats_of(command):
            _in_range(seat, 1, config.table.seats, f"{where}: seat")
        judged = judge(command, grant_of(button, config.authority))
        if isinstance(judged, Refused):
            raise ConfigError(f"{where}: {judged.why}: see [authority] buttons")
    pins = Counter(item.pin for _, items in parts for item in items)
    for pin, uses in pins.items():
        if uses > 1:
            raise ConfigError(f"[[button]] and [[light]]: pin {pin} is used {uses} times: give each its own pin")


def _check_outside(config: Config, path: Path) -> None:
    check_mqtt(config.mqtt)
    for where, name in _files(config):
        if not name:
            raise ConfigError(f"{where}: is empty: name a file")
    for key, name in (("public", config.sockets.public), ("dealer", config.sockets.dealer)):
        length = len(os.fsencode(beside(path, name)))
        if length > MAX_SOCKET_PATH:
            raise ConfigError(f"[sockets], key {key!r}: {length} bytes, and Linux takes {MAX_SOCKET_PATH}: shorten it")
    if config.sockets.public == config.sockets.dealer:
        raise ConfigError("[sockets]: public and dealer are the same file: only the dealer's may take commands")
    _check_own_files(config, path)


def _files(config: Config) -> Iterator[tuple[str, str]]:
    yield "[table], key 'chips'", config.table.chips
    yield "[journal], key 'path'", config.journal.path
    yield "[authority], key 'keys'", config.authority.keys
    yield "[sockets], key 'public'", config.sockets.public
    yield "[sockets], key 'dealer'", config.sockets.dealer


def _check_own_files(config: Config, path: Path) -> None:
    """Each file is one thing; SQLite writes beside the journal, too."""
    seen = {os.path.realpath(path): "table.toml itself"}
    cards = [("[table], key 'cards'", name) for name in config.table.cards]
    for where, name in (*_files(config), *cards):
        for end in ("", "-wal", "-shm", "-journal") if name == config.journal.path else ("",):
            other = seen.setdefault(os.path.realpath(beside(path, name)) + end, where)
            if other != where:
                raise ConfigError(f"{where}: {name} is also {other}: give each a file of its own")


def _in_range(value: int, least: int, most: int, where: str) -> None:
    if not least <= value <= most:
        raise ConfigError(f"{where}: {value} is out of range: use {least} to {most}")
