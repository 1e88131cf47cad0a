"""`betline run` as people start it: a process of its own, a table.toml, readers on real pseudo-terminals."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from benchmarks.fresh import environment
from benchmarks.steady import Steady
from betline.demo.table import write_files
from controller.config.config import Config, JournalSection, ReadingSection, SocketsSection, TableSection
from controller.places import Place
from controller.table.setup import House, Stakes
from firmware_bridge.errors import BetlineError
from simulator.field import Field, field_of
from simulator.radio import Radio
from simulator.tables import config_of, tag_of
from simulator.terminals import Terminals

PATIENCE_S = 30.0
TRAY_TAGS = 250
TICKS_S = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


class Served:
    """One running table. `writes`: when each reader sent rounds, in nanoseconds of the monotonic clock."""

    def __init__(self, folder: Path, config: Config, lies: Mapping[str, Place], values: Mapping[str, int]) -> None:
        self.config = replace(
            config,
            table=TableSection(name="bench", seats=config.table.seats, chips="chips.csv", cards=("red-deck.csv",)),
            antenna=tuple(replace(antenna, tags=TRAY_TAGS) for antenna in config.antenna),
            reader=tuple(replace(reader, port=str(folder / "ports" / reader.id)) for reader in config.reader),
            journal=JournalSection("journal.db"),
            sockets=SocketsSection("public.sock", "dealer.sock"),
        )
        self.folder = folder
        self.table_file, _ = write_files(folder, self.config, dict(values))
        self.field: Field = field_of(self.config)
        for item, place in lies.items():
            self.field.lay((tag_of(item),), place)
        self.writes: dict[str, list[int]] = {reader.id: [] for reader in self.config.reader}
        self.ready_s = 0.0  # from the start of the process
        (folder / "ports").mkdir()
        self.terminals = Terminals(folder / "ports")

    def plug_in(self) -> None:
        radio = Radio(self.field)
        for number, reader in enumerate(self.config.reader):
            self.terminals.add(reader.id, Steady(reader.id, radio, number * 7, self._stamp(reader.id)))

    def _stamp(self, reader: str) -> Callable[[], None]:
        writes = self.writes[reader]
        return lambda: writes.append(time.monotonic_ns())

    @contextlib.contextmanager
    def running(self) -> Iterator[int]:
        """Start the process and wait until it says that the table is open; gives its number, ends it in the end."""
        notified = self.folder / "notified"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
            listening.bind(str(notified))
            listening.settimeout(PATIENCE_S)
            began = time.monotonic()
            process = subprocess.Popen(
                [sys.executable, "-m", "betline", "run", "--config", str(self.table_file)],
                env={**environment(), "NOTIFY_SOCKET": str(notified)},
                cwd=Path(__file__).parent.parent,
                stderr=subprocess.DEVNULL,
            )
            try:
                while not listening.recv(1024).startswith(b"READY=1"):
                    pass
                self.ready_s = time.monotonic() - began
                listening.close()  # nobody reads it from here on, and it would fill
                yield process.pid
            finally:
                process.terminate()
                process.wait(PATIENCE_S)
                notified.unlink()


@contextlib.contextmanager
def served(
    seats: int, lies: Mapping[str, Place], values: Mapping[str, int], reading: ReadingSection | None = None
) -> Iterator[Served]:
    """A table with every antenna, its readers plugged in, not yet running."""
    config = config_of(seats, Stakes("NT", (100, 200)), House(confirm="never", hand_start="say"))
    with tempfile.TemporaryDirectory(prefix="betline-bench-") as folder:
        table = Served(Path(folder), replace(config, reading=reading or ReadingSection()), lies, values)
        with table.terminals:
            table.plug_in()
            yield table


class Feed:
    """The dealer's socket: snapshots with the time at which each came, and commands."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(PATIENCE_S)
        self._socket.connect(str(path))
        self._held = b""
        self._asked = 0

    def close(self) -> None:
        self._socket.close()

    def lines(self) -> Iterator[tuple[int, dict[str, object]]]:
        while True:
            data = self._socket.recv(1 << 20)
            at_ns = time.monotonic_ns()
            if not data:
                raise BetlineError("the table closed the connection")
            *ended, self._held = (self._held + data).split(b"\n")
            for line in ended:
                yield at_ns, msgspec.json.decode(line)

    def snapshots(self) -> Iterator[tuple[int, dict[str, object]]]:
        for at_ns, line in self.lines():
            if isinstance(shown := line.get("snapshot"), dict):
                yield at_ns, shown

    def command(self, **fields: object) -> None:
        """One command, and wait until it is done."""
        self._asked += 1
        told = {"id": str(self._asked), "command": fields}
        self._socket.sendall(msgspec.json.encode(told) + b"\n")
        for _, line in self.lines():
            if line.get("id") == str(self._asked):
                assert line.get("ok"), f"{fields}: {line}"
                return


def memory_mib(process: int) -> float:
    """Resident memory, shared libraries included."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE / 2**20


def processor_s(process: int) -> float:
    """User and system time that a process and its threads have taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_S
