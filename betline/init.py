"""`betline init`: a first table.toml by asking what is there, in the long form: one section an antenna."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from controller.errors import ConfigError
from controller.places import Place, Zone
from controller.snapshot import Language
from controller.texts.languages import ENGLISH, LANGUAGES
from firmware_bridge.events import Value
from firmware_bridge.files import check_file, write_secret
from firmware_bridge.port_cures import address_fault

SYSTEM = ("etc", "betline")  # of the service; also under the folder where a package is built
BY_ID = Path("/dev/serial/by-id")
EXAMPLE_PORT = "/dev/ttyACM0"
TAGS = {Zone.TRAY: 60, Zone.SPOT: 20, Zone.HOLE: 2, Zone.BOARD: 5, Zone.MUCK: 10, Zone.POT: 60}
OF_A_SEAT = (Zone.TRAY, Zone.HOLE)
OPTIONAL: dict[Zone, str] = {
    Zone.TRAY: "an antenna under each chip tray",
    Zone.HOLE: "an antenna under each player's hole cards",
    Zone.BOARD: "one under the board",
    Zone.MUCK: "one under the muck",
    Zone.POT: "one under the pot",
}


class Reader(Value, frozen=True):
    id: str
    driver: str
    port: str
    antennas: tuple[Place, ...]  # antenna 1 lies at the first of them


class Answers(Value, frozen=True):
    """What is there."""

    name: str = "home"
    seats: int = 9
    profile: str = "TDA2024"
    small_blind: int = 100
    big_blind: int = 200
    readers: tuple[Reader, ...] = ()
    mqtt_host: str = ""
    language: Language = ENGLISH
    system: bool = False  # for the service: journal in /var/lib, sockets in /run


def run(
    file: Annotated[Path, typer.Argument(help="The file to write.")] = Path("table.toml"),
    seats: Annotated[int | None, typer.Option(min=2, max=10, help="Number of seats, instead of asking.")] = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing: take what is proposed.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write a first table.toml by asking what is there.

    Nothing is written over without --force. The file has one section for each antenna, so that you can move
    one by changing two numbers. An empty chips.csv, and deck.csv where cards are read, are put beside it.

    Example: betline init --yes --seats 6
    """
    check_file(file, ConfigError)
    if file.exists() and not force:
        raise ConfigError(f"{file}: is there already: take another name, or write over it with --force")
    try:
        answers = Asking(ask_nothing if yes else ask).all(seats, system=file.absolute().parts[-3:-1] == SYSTEM)
    except typer.Abort:
        if sys.stdin.isatty():
            raise  # Ctrl-C, or Ctrl-D
        raise ConfigError(f"{file}: the answers end too soon: take what is proposed with --yes") from None
    written = write(file, answers)
    print(f"written: {', '.join(str(path) for path in written)}")
    for reader in answers.readers:
        print(f"next: betline watch {reader.port} --driver {reader.driver}   (do its antennas see a chip?)")
    for reader in answers.readers[:1]:
        given = f"--port {reader.port} --driver {reader.driver} --antenna 1 --file {file.with_name('chips.csv')}"
        print(f"then: betline enroll chips {given}   (what is each chip worth?)")
    print(f"then: betline run --config {file}")


def write(file: Path, answers: Answers) -> list[Path]:
    """Write the configuration, proven to load, and the registries that are missing."""
    from controller.config.config import load

    written = [file]
    try:
        file.write_text(table_toml(answers), encoding="utf-8")
        for name, text in registries(answers):
            if not (file.parent / name).exists():
                write_secret(file.parent / name, text.encode())
                written.append(file.parent / name)
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror or error}: choose another folder") from error
    load(file)
    return written


def registries(answers: Answers) -> Iterator[tuple[str, str]]:
    """Name and text of each registry, empty but for its header."""
    from controller.registry.registry import format_cards, format_chips

    yield "chips.csv", format_chips([])
    if _has_cards(answers):
        yield "deck.csv", format_cards([])


# ---------------------------------------------------------------- questions
Ask = Callable[..., Any]  # text, default and perhaps a check -> the answer, of the default's type


def ask(text: str, default: Any, check: Callable[[Any], str | None] = lambda _: None) -> Any:
    """Ask a person until the answer will do; a bool default asks yes or no."""
    while True:
        given = (
            typer.confirm(text, default)
            if isinstance(default, bool)
            else typer.prompt(text, default, type=type(default))
        )
        why_not = check(given)
        if why_not is None:
            return given
        typer.echo(why_not)


def ask_nothing(_text: str, default: Any, _check: Callable[[Any], str | None] = lambda _: None) -> Any:
    return default


class Asking:
    """The questions in order; answers are checked as they come."""

    def __init__(self, asks: Ask) -> None:
        self.ask = asks

    def all(self, seats: int | None, *, system: bool) -> Answers:
        name = self.ask("Name of the table (part of MQTT topics)", "home", _name)
        seats = seats or self.ask("Seats", 9, _between(2, 10))
        profile = self.ask("House rules (betline profiles lists them)", "TDA2024", _profile)
        small = self.ask("Small blind", 100, _between(1, 10**9))
        big = self.ask("Big blind", min(2 * small, 10**9), _between(small, 10**9))
        readers = self.readers(self.places(seats))
        host = self.ask("MQTT broker (- for none)", "-")
        language = self.ask(f"Language of the screen ({', '.join(LANGUAGES)})", ENGLISH, _one_of(LANGUAGES))
        return Answers(name, seats, profile, small, big, readers, "" if host == "-" else host, language, system)

    def places(self, seats: int) -> list[Place]:
        """Every place that has an antenna, bet spots first: without them there is no betting to see."""
        typer.echo("Every seat has an antenna under its bet spot. What else is there?")
        places = [Place(Zone.SPOT, seat) for seat in range(1, seats + 1)]
        for zone, text in OPTIONAL.items():
            if self.ask(f"  {text}?", zone is Zone.TRAY):
                places += [Place(zone, seat) for seat in range(1, seats + 1)] if zone in OF_A_SEAT else [Place(zone)]
        return places

    def readers(self, places: list[Place]) -> tuple[Reader, ...]:
        """Readers until every place has an antenna."""
        from firmware_bridge.drivers import catalog

        readers: list[Reader] = []
        ports = _ports()
        while places:
            number = len(readers) + 1
            typer.echo(f"Reader {number}; {len(places)} antennas to go, the next is {_called(places[0])}.")
            driver = self.ask("  Driver", "tablelink", _one_of(tuple(catalog.DRIVERS)))
            port = self.ask("  Port", _next_port(ports, readers), _unused([reader.port for reader in readers]))
            most = len(places) if driver == "tablelink" else 1
            count = self.ask("  Antennas on it", most, _between(1, len(places)))
            readers.append(Reader(f"reader-{number}", driver, port, tuple(places[:count])))
            places = places[count:]
        return tuple(readers)


def _ports() -> list[str]:
    """Serial ports that are plugged in, by names that stay."""
    if BY_ID.is_dir():
        return sorted(str(path) for path in BY_ID.iterdir())
    from serial.tools.list_ports import comports

    return sorted(port.device for port in comports() if "USB" in port.device or "ACM" in port.device)


def _next_port(ports: list[str], readers: list[Reader]) -> str:
    taken = {reader.port for reader in readers}
    example = EXAMPLE_PORT.rstrip("0") + str(len(readers))
    return next((port for port in ports if port not in taken), example)


def _name(text: str) -> str | None:
    fine = 0 < len(text) <= 40 and set(text) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    return None if fine else "Use 1 to 40 of a-z, 0-9 and hyphen."


def _between(least: int, most: int) -> Callable[[int], str | None]:
    return lambda number: None if least <= number <= most else f"A number from {least} to {most}, please."


def _one_of(choices: tuple[str, ...]) -> Callable[[str], str | None]:
    return lambda text: None if text in choices else f"One of {', '.join(choices)}, please."


def _unused(ports: list[str]) -> Callable[[str], str | None]:
    def fault(port: str) -> str | None:
        if port in ports:
            return f"{port} belongs to another reader already."
        return address_fault(port) if port.isprintable() else "a port has no control characters in its name"

    return fault


def _profile(name: str) -> str | None:
    from controller.rulings import profiles

    known = {each.upper() for each in profiles.names()}
    return None if name.upper() in known else f"Known are {', '.join(profiles.names())}; your own file can come later."


def _called(place: Place) -> str:
    return f"the {place.zone}" if place.seat is None else f"the {place.zone} of seat {place.seat}"


# ---------------------------------------------------------------- the file
def table_toml(answers: Answers) -> str:
    """The text of table.toml, with a word about each value."""
    return "\n".join([*_head(answers), *_readers(answers), *_tail(answers)]) + "\n"


def _head(answers: Answers) -> Iterator[str]:
    zones = _zones(answers)
    yield f"""\
# A table for betline. Check it after a change: betline run --check --config THIS_FILE
schema = 1

[table]
name = {_text(answers.name)}            # topics betline/{answers.name}/...
seats = {answers.seats}
profile = {_text(answers.profile)}      # house rules: a name of `betline profiles`, or a TOML file beside this one
chips = "chips.csv"
cards = {'["deck.csv"]' if _has_cards(answers) else "[]"}

[game]
variant = "NT"             # hold'em: NT no limit, FT fixed limit, PT pot limit, HT half pot, ST spread limit
blinds = [{answers.small_blind}, {answers.big_blind}]
ante = 0
ante_by = "none"           # none | each | big_blind | button
# big_bet = {4 * answers.big_blind}           # FT: bet of turn and river, where it is not twice the big blind
# spread = [{answers.big_blind}, {5 * answers.big_blind}]  # ST: smallest and largest bet, perhaps that of the river
# kill = "full"            # half | full: what a kill does to blinds and bets
# kill_when = "two_pots"   # told: betline say kill SEAT | two_pots: also who wins two pots in a row

[house]
check = "infer"            # infer: nothing owed and the next player acts | say
fold = "{"muck" if Zone.MUCK in zones else "say"}"              # muck | say
hand_start = "{"cards" if Zone.HOLE in zones else "say"}"       # cards: first card on a hole antenna | say
confirm = "fragile"        # never | fragile | always: whose rulings wait for the dealer
ask_above = 0.005          # chance of another ruling, from which the table asks where a chip lies; 0: always

[reading]
quiet_ms = 1500            # a push is final no sooner after its last chip
hold_ms = 4000             # how long a chip in the hand may keep a push open
steps = "auto"             # scans that must agree; auto: from measured misses
"""


def _readers(answers: Answers) -> Iterator[str]:
    for reader in answers.readers:
        yield (
            f"[[reader]]\nid = {_text(reader.id)}\ndriver = {_text(reader.driver)}\nport = {_text(reader.port)}\n"
            "options = {}\n"
        )
        for number, place in enumerate(reader.antennas, 1):
            seat = f"seat = {place.seat}\n" if place.seat is not None else ""
            yield (
                f"[[antenna]]\nreader = {_text(reader.id)}\nnumber = {number}\nplace = {_text(place.zone)}\n{seat}"
                f"tags = {TAGS[place.zone]}\n"
            )


def _tail(answers: Answers) -> Iterator[str]:
    journal = "/var/lib/betline/journal.db" if answers.system else "journal.db"
    sockets = "/run/betline/" if answers.system else ""
    yield f"""\
[mqtt]
host = {_text(answers.mqtt_host)}                  # empty: no MQTT
port = 1883
commands = "signed"        # none | signed (betline key) | dealer, floor: whom the broker lets write (docs/broker.md)

[authority]
keys = "keys.toml"         # who may speak from outside: betline key
socket = "owner"           # none | dealer | floor | owner: the role of who may open dealer.sock
buttons = "dealer"         # of buttons without a seat

[journal]
path = {_text(journal)}

[sockets]
public = {_text(sockets + "public.sock")}
dealer = {_text(sockets + "dealer.sock")}

[screen]
language = {_text(answers.language)}
buttons = true             # for the dealer's fingers; false: keys alone, and more room for the table"""


def _has_cards(answers: Answers) -> bool:
    return bool(_zones(answers) & {Zone.HOLE, Zone.BOARD, Zone.MUCK})


def _zones(answers: Answers) -> set[Zone]:
    return {place.zone for reader in answers.readers for place in reader.antennas}


def _text(value: str) -> str:
    """A basic string of TOML; JSON's escapes are the same but for DEL."""
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
