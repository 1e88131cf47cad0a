"""A small core for MQTT tests: a real journal and a publisher, pumped as the service does it."""

import queue
from collections.abc import Callable
from pathlib import Path

from controller import commands
from controller.authority.gate import Gate
from controller.authority.keys import KeyFile
from controller.authority.taken import Taken
from controller.config.config import MqttSection
from controller.journal.book import Journal
from controller.places import BANK, POT, Moved
from controller.publish import topics
from controller.publish.machine import Health, Machine
from controller.publish.mqtt import Publisher
from controller.publish.requests import Reply
from controller.publish.security import Secrets
from controller.rulings.values import Reading, Ruling
from controller.snapshot import PotView, ReaderView, SeatView, Snapshot
from controller.table import events as e
from tests.controller.publish.broker import eventually

READING = Reading("call", 600, 400, 0, reopens=False, all_in=False, rule="TDA 2024 44")
RULED = e.Ruled(4, READING, Ruling(READING, "one_chip_call", {"change": 400}), ("secret-chip",))
MOVED = e.ItemsMoved((Moved("secret-chip", BANK, POT),), "sweep")
HEALTH = Health(Machine(51.5, 20_000, 86_400, 0.2, clock_ok=True), 3_600, 0, 1, 1, 0)
NAMES = topics.Topics("home", 2, ("west",))


def snapshot(n: int = 0, **fields: object) -> Snapshot:
    seats = (SeatView(1, "Anna", "in", 1900, 100, to_act=True), SeatView(2, "", "in", 1800, 200, button=True))
    shown: dict[str, object] = {
        "table": "home",
        "epoch": "e",
        "n": n,
        "seats": seats,
        "pots": (PotView(300, (1, 2)),),
        "pot_total": 300,
        "street": "flop",
        "board": ("As", "Kd", "7c"),
        "to_act": 1,
        "readers": (ReaderView("west", "up", {"en": "west is up"}),),
    }
    return Snapshot(**(shown | fields))  # type: ignore[arg-type]


class Table:
    def __init__(self, folder: Path, port: int, *, names: topics.Topics = NAMES, **settings: object) -> None:
        self.journal = Journal.open(folder / "journal.db", boot="b1")
        self.work: queue.SimpleQueue[None] = queue.SimpleQueue()
        self.told: list[tuple[commands.Command, str]] = []
        self.numbers: list[int | None] = []  # of the states that were seen
        self.error: str | None = None
        gate = Gate(names.table, KeyFile(folder / "keys.toml").find, Taken(folder / "journal.taken"))
        section = MqttSection(**({"host": "127.0.0.1", "port": port} | settings))  # type: ignore[arg-type]
        about = topics.About(self.journal.epoch, "b1", "0.1.0")
        self.publisher = Publisher(
            section,
            names,
            about,
            self.handle,
            lambda: self.work.put(None),
            secrets=Secrets.of(section, folder),
            gate=gate,
        )

    def handle(self, command: commands.Command, by: str, reply: Reply, n: int | None = None, /) -> None:
        self.told.append((command, by))
        self.numbers.append(n)
        reply(self.error)

    def append(self, *events: e.Event) -> None:
        self.journal.append([(event, 5_000_000, 1_000) for event in events])
        self.publisher.exchange(self.journal)

    def pump(self, wanted: Callable[[], object], what: str = "what should happen") -> None:
        """Be the core until something holds: exchange whenever the publisher wakes us."""

        def step() -> object:
            while not self.work.empty():
                self.work.get()
                self.publisher.exchange(self.journal)
            return wanted()

        eventually(step, what)

    def close(self) -> None:
        self.publisher.stop()
        assert not self.publisher._thread.is_alive()
        self.journal.close()
