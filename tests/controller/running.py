"""A controller that runs: `betline run` in a process of its own, virtual readers on real pseudo-terminals, real sockets."""

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from betline.demo.table import write_files
from controller import commands
from controller.commands import Command
from controller.config.config import Config, JournalSection, MqttSection, ReadingSection, SocketsSection, TableSection
from controller.places import BANK, Place, Zone
from controller.registry.registry import DECK
from controller.rulings.values import Word, WordKind
from controller.snapshot import DealerSnapshot
from controller.table.setup import House, Stakes
from simulator.field import field_of
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.flashed import Flashed
from simulator.tables import EVERY_ZONE, config_of
from simulator.terminals import Terminals
from tests.controller.core_table import CHIPS, HANDS, chip, hole, spot, tray

PATIENCE_S = 60.0  # only a broken one makes it that long; the machine may be busy
SPEED = 8.0  # readers and times of the table are so much faster than life


def eventually(wanted: Callable[[], object], what: str) -> None:
    until = time.monotonic() + PATIENCE_S
    while not wanted():
        assert time.monotonic() < until, f"did not come: {what}"
        time.sleep(0.01)


class Client:
    """Somebody at a socket of the table."""

    def __init__(self, path: Path) -> None:
        self.latest: DealerSnapshot | None = None
        self.lines: list[dict[str, object]] = []
        self.snapshots = 0  # how many came, changed or not
        self._answers: dict[str, dict[str, object]] = {}
        self._numbers = itertools.count(1)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        with self._socket.makefile("rb") as stream:
            try:
                for line in stream:
                    self._hear(line)
            except OSError:
                return

    def _hear(self, line: bytes) -> None:
        said = msgspec.json.decode(line)
        if "snapshot" in said:
            self.latest = msgspec.convert(said["snapshot"], DealerSnapshot)
            self.snapshots += 1
        elif "id" in said:
            self._answers[said["id"]] = said
        else:
            self.lines.append(said)

    def tell(self, command: Command) -> str | None:
        """The table's answer: None where it obeyed."""
        number = str(next(self._numbers))
        self.write(msgspec.json.encode({"id": number, "command": command}) + b"\n")
        eventually(lambda: number in self._answers, f"an answer to {command}")
        error = self._answers[number].get("error")
        return None if error is None else str(error)

    def say(self, seat: int | None, kind: WordKind, amount: int | None = None) -> str | None:
        return self.tell(commands.Say(seat, Word(kind, amount)))

    def write(self, data: bytes) -> None:
        self._socket.sendall(data)

    def sees(self, wanted: Callable[[DealerSnapshot], object], what: str) -> DealerSnapshot:
        """The first snapshot of which something is true."""
        found: list[DealerSnapshot] = []

        def look() -> bool:
            latest = self.latest
            if latest is not None and wanted(latest):
                found.append(latest)
            return bool(found)

        eventually(look, what)
        return found[0]

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE_S)
        self._socket.close()


class Running:
    """A table in a folder: readers that a test moves chips on, and the controller in front of them."""

    def __init__(
        self,
        folder: Path,
        *,
        broker_port: int | None = None,
        zones: Iterable[Zone] = EVERY_ZONE,
        flashed: Collection[str] = (),
    ) -> None:
        """`flashed`: readers that run the firmware itself, at life's speed."""
        self.folder = folder
        self.seats = 3
        config = config_of(self.seats, Stakes(blinds=(50, 100)), House(confirm="never"), zones)
        self.config: Config = replace(
            config,
            table=TableSection("test", self.seats, "TDA2024", "chips.csv", ("red-deck.csv",)),
            reader=tuple(replace(reader, port=str(folder / "ports" / reader.id)) for reader in config.reader),
            reading=ReadingSection(quiet_ms=int(1500 / SPEED), hold_ms=int(4000 / SPEED)),
            mqtt=MqttSection(host="127.0.0.1", port=broker_port) if broker_port else MqttSection(),
            journal=JournalSection("journal.db"),
            sockets=SocketsSection("public.sock", "dealer.sock"),
        )
        values = {
            chip(seat, value, n): value for seat in (1, 2, 3) for value, many in CHIPS.items() for n in range(many)
        }
        self.path, self.registry = write_files(folder, self.config, values)
        self.values = values
        (folder / "ports").mkdir()
        self.terminals = Terminals(folder / "ports")
        self.radio = Radio(field_of(self.config), Noise())
        for section in self.config.reader:
            runs_it = section.id in flashed
            made = Flashed(section.id, self.radio) if runs_it else catalog.for_section(section, self.radio, speed=SPEED)
            self.terminals.add(section.id, made)
        self.where: dict[str, Place] = {}
        self.move((name for name in values), lambda name: tray(int(name[1])))
        self.move(DECK, lambda _: BANK)
        self.terminals.start()
        self.process: subprocess.Popen[str] | None = None
        self._clients: list[Client] = []

    # ------------------------------------------------------------------ things
    def move(self, names: Iterable[str], to: Callable[[str], Place]) -> None:
        """Lift things and lay them down, between two looks of the readers."""
        moved = {name: to(name) for name in names}
        tags = {name: self.registry.items[name].tag for name in moved}

        def lay() -> None:
            for name, place in moved.items():
                self.radio.field.lay((tags[name],), place)

        self.terminals.do(lay)
        self.where |= moved

    def push(self, seat: int, *values: int) -> list[str]:
        names: list[str] = []
        for value in values:
            lying = (n for n, w in self.where.items() if w == tray(seat) and self.values.get(n) == value)
            names.append(next(name for name in lying if name not in names))
        self.move(names, lambda _: spot(seat))
        return names

    def deal(self) -> None:
        for seat in range(1, self.seats + 1):
            self.move(HANDS[seat], lambda _, seat=seat: hole(seat))  # type: ignore[misc]

    def lay_stray(self, tag: str, place: Place) -> None:
        self.terminals.do(lambda: self.radio.field.lay((tag,), place))

    # ------------------------------------------------------------------ the controller
    def start(
        self, *options: str, env: dict[str, str] | None = None, limit: Callable[[], None] | None = None
    ) -> Client:
        """Start it and wait until its dealer's socket answers."""
        self.launch(*options, env=env, limit=limit)
        return self.client()

    def launch(
        self, *options: str, env: dict[str, str] | None = None, limit: Callable[[], None] | None = None
    ) -> "subprocess.Popen[str]":
        self.process = subprocess.Popen(
            [sys.executable, "-m", "betline", "run", "--config", str(self.path), *options],
            env=os.environ | (env or {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=limit,  # noqa: PLW1509  -- a limit of the child alone; nothing else runs before exec
        )
        return self.process

    def client(self, view: str = "dealer") -> Client:
        path = self.folder / f"{view}.sock"
        found: list[Client] = []

        def connect() -> bool:
            assert self.process is not None
            assert self.process.poll() is None, f"it ended: {self.process.stderr.read() if self.process.stderr else ''}"
            try:
                found.append(Client(path))
            except OSError:
                return False
            return True

        eventually(connect, f"{view}.sock")
        self._clients.append(found[0])
        return found[0]

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """Send a signal and wait: exit status, standard output, standard error."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.ended()

    def ended(self) -> tuple[int, str, str]:
        assert self.process is not None
        out, err = self.process.communicate(timeout=PATIENCE_S)
        status, self.process = self.process.returncode, None
        return status, out, err

    def close(self) -> None:
        for client in self._clients:
            client.close()
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
        self.terminals.close()


def in_a_hand(table: Running, dealer: Client) -> None:
    """Counted in, the button at seat 1, blinds posted from chips and cards dealt: seat 1 to act."""
    dealer.sees(lambda seen: seen.phase == "between_hands", "the table is counted in")
    assert dealer.tell(commands.SetButton(1)) is None
    assert dealer.tell(commands.NextHand()) is None
    table.push(2, 50)
    table.push(3, 100)
    table.deal()
    dealer.sees(lambda seen: seen.phase == "betting" and seen.to_act == 1, "betting is open")
