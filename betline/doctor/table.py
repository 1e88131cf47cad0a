"""What belongs to a table beside its readers: configuration, registry, house rules, journal, broker."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from betline.counts import counted
from betline.doctor.machine import Finding, Verdict
from controller.config.config import Config, beside, load
from controller.errors import ConfigError, JournalError
from controller.places import Place, Zone
from controller.registry.registry import Registry
from controller.rulings.rules import Rules
from controller.texts.languages import ENGLISH
from firmware_bridge.drivers import catalog
from firmware_bridge.errors import BetlineError

if TYPE_CHECKING:
    import ssl

    from controller.journal.book import Journal
    from controller.publish.link import Endpoint, Link

BROKER_S = 5.0  # for each of: greeting, acknowledgement
SOCKET_S = 2.0  # a running table shows itself at once
CHUNK = 65536
OF_CHIPS = (Zone.TRAY, Zone.SPOT, Zone.POT)


def configuration(path: Path) -> tuple[Config | None, Finding]:
    try:
        config = load(path)
    except ConfigError as error:
        return None, split("configuration", "fail", str(error))
    parts = ((config.table.seats, "seat"), (len(config.reader), "reader"), (len(config.antenna), "antenna"))
    text = f"{path}: " + ", ".join(counted(number, what) for number, what in parts)
    return config, Finding("configuration", "ok", text)


def registry(config: Config, path: Path) -> tuple[Registry, Iterator[Finding]]:
    """The registry, empty where it cannot be read, and what is to be said of it."""
    from controller.registry import registry as files

    table = config.table
    try:
        items = files.load(beside(path, table.chips), [beside(path, name) for name in table.cards])
    except ConfigError as error:
        return Registry([]), iter([split("registry", "fail", str(error))])
    return items, _of_registry(items)


def _of_registry(items: Registry) -> Iterator[Finding]:
    chips, cards = len(items.values), len(items.cards)
    if not chips:
        cure = "betline enroll chips --port ... --driver ..."
        yield Finding("registry", "warn", "no chips are enrolled: every tag is foreign", cure)
    else:
        yield Finding("registry", "ok", f"{chips} chips worth {sum(items.values.values()):,}, {cards} cards")


def house(config: Config, path: Path) -> tuple[Rules | None, Finding]:
    profile = config.table.profile
    try:
        rules = Rules.named(str(beside(path, profile)) if profile.endswith(".toml") else profile)
    except BetlineError as error:
        return None, split("house rules", "fail", str(error))
    return rules, Finding("house rules", "ok", rules.profile.name)


def journal(config: Config, path: Path, items: Registry, rules: Rules | None) -> tuple[dict[str, Place], Finding]:
    """Where everything lies by the journal, and whether the journal is whole."""
    from controller.journal.copies import copy_of
    from controller.journal.mark import mark_of

    file = beside(path, config.journal.path)
    try:
        if not file.exists() and not mark_of(file).exists():
            return {}, Finding("journal", "ok", f"{file}: not begun yet")
        with copy_of(file) as copy:
            verdict = copy.verify()
            if verdict.faults:
                cure = "betline journal verify lists them; restore a backup, or betline journal renew"
                return {}, Finding("journal", "fail", f"{file}: {len(verdict.faults)} faults", cure)
            places = _places(config, items, rules, copy) if rules is not None else {}
    except JournalError as error:
        return {}, split("journal", "fail", str(error))
    except OSError as error:
        return {}, Finding("journal", "warn", f"{file}: not looked at: {error.strerror}", "sudo betline doctor")
    return places, Finding("journal", "ok", f"{file}: {verdict.rows} events, whole")


def _places(config: Config, items: Registry, rules: Rules, copy: "Journal") -> dict[str, Place]:
    from controller.core import build

    fresh = build.engine(config, items, rules).initial(config.table.seats, config.game)
    return dict(copy.replay(fresh).places)


def card_readers(config: Config) -> Iterator[Finding]:
    """Readers that read a card or two, under stacks of chips."""
    drivers = {reader.id: reader.driver for reader in config.reader}
    for number, antenna in enumerate(config.antenna, 1):
        most = catalog.most_tags(drivers[antenna.reader])
        if most is not None and antenna.place in OF_CHIPS:
            text = f"[[antenna]] no. {number}: a {drivers[antenna.reader]} reads {most} at once, and there lie chips"
            yield Finding("antennas", "fail", text, "give it a reader for chips (hardware.md), and this one to cards")


def secrets(config: Config, path: Path) -> Iterator[Finding]:
    """The files that should be read by the table's user alone."""
    from controller.service.exposed import exposed

    found = exposed(config, path)
    yield from (split("secrets", "warn", line) for line in found)
    if not found:
        yield Finding("secrets", "ok", "password, keys, journal and registry are for their owner alone")


# ---------------------------------------------------------------- a table that runs
def running(config: Config, path: Path) -> dict[str, Any] | None:
    """The snapshot of the table's own socket; None where the table does not run."""
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(SOCKET_S)
            line.connect(str(beside(path, config.sockets.public)))
            return _first_snapshot(line)
    except (OSError, ValueError):  # nobody there, or something else listens there
        return None


def _first_snapshot(line: socket.socket) -> dict[str, Any]:
    end_s, data = time.monotonic() + SOCKET_S, b""
    while time.monotonic() < end_s and (more := line.recv(CHUNK)):
        data += more
        for text in data.split(b"\n")[:-1]:
            told = json.loads(text)
            if "snapshot" in told:
                snapshot: dict[str, Any] = told["snapshot"]
                return snapshot
    return {}


CURES = {  # for a reader of a table that runs
    "starting": "wait a moment",
    "lost": "plug it in, look at its cable and power; or stop the table: then betline doctor looks closer",
    "fault": "see the log (journalctl -u betline), and its page in docs/readers",
}


def of_running(snapshot: dict[str, Any]) -> Iterator[Finding]:
    """What a running table says of its readers."""
    for reader in snapshot.get("readers", ()):
        text = reader.get("text", {}).get(ENGLISH, reader["state"])
        verdict: Verdict = "ok" if reader["state"] == "up" else "warn" if reader["state"] == "starting" else "fail"
        cure = CURES.get(reader["state"], "")
        yield Finding(f"reader {reader['id']}", verdict, f"in use by the running table: {text}", cure)
    for notice in snapshot.get("notices", ()):
        if notice.get("level") in ("unknown", "alarm"):
            yield Finding("table", "warn", notice["text"][ENGLISH], "see the dealer's screen")
    text = "the table runs and has the readers: antennas were not measured"
    yield Finding("antennas", "warn", text, "sudo systemctl stop betline, then betline doctor")


# ---------------------------------------------------------------- broker
def broker(config: Config, path: Path) -> Finding:
    """Connect as the table does, and say one thing that nobody keeps."""
    from controller.publish import security
    from controller.publish.link import Endpoint

    mqtt = config.mqtt
    if not mqtt.host:
        return Finding("broker", "ok", "none is configured")
    where = f"{mqtt.host}:{mqtt.port}"
    topic = f"betline/{config.table.name}/doctor"
    try:
        password = security.secret(path.parent, mqtt.password_file, "password_file")
        context = security.tls(path.parent, mqtt.ca_file) if mqtt.tls else None
        name = f"betline-doctor-{time.time_ns() % 10**9}"
        return _talk(where, Endpoint(mqtt.host, mqtt.port, name, mqtt.username, password, topic, b""), context)
    except ConfigError as error:
        return split("broker", "fail", str(error))
    except ValueError as error:  # no name of a host can be like this
        return Finding("broker", "fail", f"{where}: {error}", "see [mqtt] host")
    except OSError as error:
        text, _, cure = security.explain(error).rpartition(": ")
        return Finding("broker", "fail", f"{where}: {text or cure}", cure if text else "see [mqtt] in table.toml")


def _talk(where: str, endpoint: "Endpoint", context: "ssl.SSLContext | None") -> Finding:
    """MQTT 5 first, 3.1.1 where the broker does not know it."""
    from controller.publish.link import Link

    why = ""
    versions: tuple[tuple[Literal[5, 4], str], ...] = ((5, "MQTT 5"), (4, "MQTT 3.1.1"))
    for version, called in versions:
        wake, other = socket.socketpair()
        with wake, other:
            link = Link(endpoint, version, wake, context)
            try:
                link.open()
                _until(link, partial(_connected, link))
                if link.connected:
                    return _heard(link, where, called, endpoint.will_topic)
                why = link.why or "the broker does not answer"
                if not link.wrong_protocol:
                    break
            finally:
                link.cut()
    return Finding("broker", "fail", f"{where}: {why}", "see [mqtt] username and password_file, and the broker's log")


def _connected(link: "Link") -> bool:
    return link.connected


def _heard(link: "Link", where: str, called: str, topic: str) -> Finding:
    link.publish(topic, b"")
    _until(link, lambda: bool(link.acks))
    refused = next((why for _, why in link.acks if why), None)
    if refused or not link.acks:
        text = f"{where}: connected, but {topic} is refused: {refused or 'no acknowledgement'}"
        return Finding("broker", "fail", text, "let this user write to betline/# (acl_file of Mosquitto)")
    link.close()
    return Finding("broker", "ok", f"{where}: {called}, may publish")


def _until(link: "Link", done: Callable[[], bool]) -> None:
    end_s = time.monotonic() + BROKER_S
    while not (done() or link.ended) and time.monotonic() < end_s:
        link.step(0.1)


def split(check: str, verdict: Verdict, message: str) -> Finding:
    """An error of one line as a finding: what stands behind the last colon is its cure."""
    text, _, cure = message.rpartition(": ")
    return Finding(check, verdict, text or cure, cure if text else "")
