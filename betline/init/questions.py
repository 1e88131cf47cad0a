"""What `betline init` asks, in order. Every answer is checked when it is given."""

import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from betline.init.file import Answers, Reader
from betline.init.interview import Check, Interview, Stopped
from betline.init.ports import Found
from controller.places import Place, Zone
from controller.texts.languages import ENGLISH, LANGUAGES
from firmware_bridge.drivers import catalog
from firmware_bridge.port_cures import address_fault

EXAMPLE_PORT = "/dev/ttyACM0"
OF_A_SEAT = (Zone.TRAY, Zone.HOLE)
OF_CARDS = (Zone.HOLE, Zone.BOARD, Zone.MUCK)
OPTIONAL: dict[Zone, str] = {
    Zone.TRAY: "an antenna under each chip tray",
    Zone.HOLE: "an antenna under each player's hole cards",
    Zone.BOARD: "one under the board",
    Zone.MUCK: "one under the muck",
    Zone.POT: "one under the pot",
}
LEAST_SEATS = 2
NONE = "-"
BROKER = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,252})(?::(\d{1,5}))?")


def questions(interview: Interview, seats: int | None, found: Sequence[Found] = (), *, system: bool = False) -> Answers:
    ask = interview.ask
    name = ask("Name of the table (part of MQTT topics)", "home", _name)
    seats = seats or ask("Seats", 9, _between(LEAST_SEATS, 10))
    profile = ask("House rules (betline profiles lists them)", "TDA2024", _profile)
    small = ask("Small blind", 100, _between(1, 10**9))
    big = ask("Big blind", min(2 * small, 10**9), _between(small, 10**9))
    readers = _readers(interview, _places(interview, seats), found)
    seats, readers = _seated(interview, seats, readers)
    host, port = _broker(ask("MQTT broker, perhaps with its port (- for none)", NONE, _broker_fault))
    user = ask("MQTT user (- for none; Home Assistant's broker wants one)", NONE, _user) if host else NONE
    language = ask(f"Language of the screen ({', '.join(LANGUAGES)})", ENGLISH, _one_of(LANGUAGES))
    user = "" if user == NONE else user
    return Answers(name, seats, profile, small, big, readers, host, port, user, language, system)


# ---------------------------------------------------------------- antennas and readers
def _places(interview: Interview, seats: int) -> list[Place]:
    """Every place that has an antenna, bet spots first: without them there is no betting to see."""
    interview.tell("Every seat has an antenna under its bet spot. What else is there?")
    places = [Place(Zone.SPOT, seat) for seat in range(1, seats + 1)]
    for zone, text in OPTIONAL.items():
        if interview.ask(f"  {text}?", zone is Zone.TRAY):
            places += [Place(zone, seat) for seat in range(1, seats + 1)] if zone in OF_A_SEAT else [Place(zone)]
    return places


def _readers(interview: Interview, places: list[Place], found: Sequence[Found]) -> tuple[Reader, ...]:
    """Readers until every place has an antenna, or until there are no more."""
    readers: list[Reader] = []
    answering = {one.port: one for one in found if one.driver}
    while places:
        reader = _reader(interview, places, answering, readers)
        readers.append(reader)
        places = [place for place in places if place not in reader.antennas]
        if places and not interview.ask(f"{len(places)} antennas to go. Another reader?", True):
            break
    return tuple(readers)


def _reader(interview: Interview, places: list[Place], answering: dict[str, Found], before: list[Reader]) -> Reader:
    number = len(before) + 1
    interview.tell(f"Reader {number}; {len(places)} antennas to go, the next is {_called(places[0])}.")
    taken = [reader.port for reader in before]
    port = interview.ask("  Port", _next_port(list(answering), taken), _unused(taken))
    there = answering.get(port, Found(port))
    driver = interview.ask("  Driver", there.driver or "tablelink", _driver(places))
    fit = _fit(driver, places)
    count = interview.ask("  Antennas on it", len(fit) if driver == "tablelink" else 1, _between(1, len(fit)))
    baud = there.baud if driver == there.driver else None
    return Reader(f"reader-{number}", driver, port, tuple(fit[:count]), baud)


def _seated(interview: Interview, seats: int, readers: tuple[Reader, ...]) -> tuple[int, tuple[Reader, ...]]:
    """As many seats as have a bet spot, and readers without the places of the others."""
    spots = {place.seat for reader in readers for place in reader.antennas if place.zone is Zone.SPOT}
    there = next((seat - 1 for seat in range(1, seats + 1) if seat not in spots), seats)
    if there == seats:
        return seats, readers
    if there < LEAST_SEATS:
        interview.tell(f"A table needs {LEAST_SEATS} seats with an antenna under the bet spot; there is {there}.")
        raise Stopped
    interview.tell(f"Bet spots of seats 1 to {there} have an antenna: the table gets {there} seats.")
    kept = (
        replace(reader, antennas=tuple(place for place in reader.antennas if (place.seat or 0) <= there))
        for reader in readers
    )
    return there, tuple(reader for reader in kept if reader.antennas)


def _fit(driver: str, places: list[Place]) -> list[Place]:
    """Places that a driver's reader may look at: one that reads few tags at once is for cards."""
    return places if catalog.most_tags(driver) is None else [place for place in places if place.zone in OF_CARDS]


def _next_port(ports: list[str], taken: list[str]) -> str:
    example = EXAMPLE_PORT.rstrip("0") + str(len(taken))
    return next((port for port in ports if port not in taken), example)


def _called(place: Place) -> str:
    return f"the {place.zone}" if place.seat is None else f"the {place.zone} of seat {place.seat}"


# ---------------------------------------------------------------- checks
def _name(text: str) -> str | None:
    fine = 0 < len(text) <= 40 and set(text) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    return None if fine else "Use 1 to 40 of a-z, 0-9 and hyphen."


def _between(least: int, most: int) -> Callable[[int], str | None]:
    return lambda number: None if least <= number <= most else f"A number from {least} to {most}, please."


def _one_of(choices: Sequence[str]) -> Check:
    return lambda text: None if text in choices else f"One of {', '.join(choices)}, please."


def _driver(places: list[Place]) -> Check:
    def fault(driver: str) -> str | None:
        if driver not in catalog.DRIVERS:
            return f"One of {', '.join(catalog.DRIVERS)}, please."
        most = catalog.most_tags(driver)
        if not _fit(driver, places):
            return f"A {driver} reads {most} {'tag' if most == 1 else 'tags'} at once: it is for cards, not for chips."
        return None

    return fault


def _unused(ports: list[str]) -> Check:
    def fault(port: str) -> str | None:
        if port in ports:
            return f"{port} belongs to another reader already."
        return address_fault(port) if port.isprintable() else "a port has no control characters in its name"

    return fault


def _profile(name: str) -> str | None:
    from controller.rulings import profiles

    known = {each.upper() for each in profiles.names()}
    return None if name.upper() in known else f"Known are {', '.join(profiles.names())}; your own file can come later."


def _broker_fault(text: str) -> str | None:
    matched = BROKER.fullmatch(text)
    if text == NONE or (matched and 0 < int(matched[2] or 1883) <= 65_535):
        return None
    return "The name or address of a machine, perhaps with its port, please: broker.local, 192.168.1.5:1884."


def _broker(text: str) -> tuple[str, int]:
    matched = BROKER.fullmatch(text)
    return ("", 1883) if text == NONE or matched is None else (matched[1], int(matched[2] or 1883))


def _user(text: str) -> str | None:
    return None if text and text.isprintable() and len(text) <= 100 else "1 to 100 letters, please."
