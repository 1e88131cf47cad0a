"""The text of a first table.toml, of what was answered: in the long form, one section an antenna. Pure."""

import json
from collections.abc import Iterator

from controller.places import Place, Zone
from controller.snapshot import Language
from controller.texts.languages import ENGLISH
from firmware_bridge.events import Value

TAGS = {Zone.TRAY: 60, Zone.SPOT: 20, Zone.HOLE: 2, Zone.BOARD: 5, Zone.MUCK: 10, Zone.POT: 60}
PASSWORD_FILE = "mqtt.password"  # noqa: S105  -- a name of a file


class Reader(Value, frozen=True):
    id: str
    driver: str
    port: str
    antennas: tuple[Place, ...]  # antenna 1 lies at the first of them
    baud: int | None = None  # where it answered at another speed than its family's usual one


class Answers(Value, frozen=True):
    """What is there."""

    name: str = "home"
    seats: int = 9
    profile: str = "TDA2024"
    small_blind: int = 100
    big_blind: int = 200
    readers: tuple[Reader, ...] = ()
    mqtt_host: str = ""
    mqtt_port: int = 1883
    mqtt_user: str = ""
    language: Language = ENGLISH
    system: bool = False  # for the service: journal in /var/lib, sockets in /run


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
cards = {'["deck.csv"]' if has_cards(answers) else "[]"}

[game]
variant = "NT"             # no-limit hold'em; `betline games` lists every code; or a file of your own, "mine.toml"
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
            f"options = {{{f' baud = {reader.baud} ' if reader.baud else ''}}}\n"
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
port = {answers.mqtt_port}
username = {_text(answers.mqtt_user)}              # Home Assistant's broker always wants one
password_file = {_text(PASSWORD_FILE if answers.mqtt_user else "")}         # a file with the password alone
# tls = true               # and ca_file = "ca.pem", where the broker's certificate is no public one
discovery = true           # for Home Assistant
commands = "signed"        # none | signed (betline key) | dealer, floor: whom the broker lets write (docs/broker.md)
private = false            # the dealer's view under private/; only over loopback, or with TLS and a user

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
theme = "dark"             # dark | light | colour-blind
buttons = true             # for the dealer's fingers; false: keys alone, and more room for the table"""


def has_cards(answers: Answers) -> bool:
    return bool(_zones(answers) & {Zone.HOLE, Zone.BOARD, Zone.MUCK})


def _zones(answers: Answers) -> set[Zone]:
    return {place.zone for reader in answers.readers for place in reader.antennas}


def _text(value: str) -> str:
    """A basic string of TOML; JSON's escapes are the same but for DEL."""
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
