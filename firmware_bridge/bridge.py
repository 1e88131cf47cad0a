"""All readers of a table: opens their ports, hands their events on, and passes the focus down. Knows no protocol."""

from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Self

import msgspec

from firmware_bridge.drivers import catalog
from firmware_bridge.events import ReaderEvent, Value, Wanted
from firmware_bridge.port import Port, Tap

Antenna = tuple[str, int]  # [[reader]] id and the reader's own number


class ReaderSetup(Value, frozen=True):
    """One [[reader]] of table.toml, with the antennas that are configured for it."""

    id: str
    driver: str
    port: str
    antennas: tuple[int, ...] = ()
    options: dict[str, str | int | bool] = msgspec.field(default_factory=dict)


def by_reader(antennas: Iterable[Antenna]) -> dict[str, tuple[int, ...]]:
    """Antennas of each reader, in the order given."""
    found: dict[str, tuple[int, ...]] = {}
    for reader, number in antennas:
        found[reader] = (*found.get(reader, ()), number)
    return found


def of_reader(wanted: Mapping[Antenna, tuple[str, ...]], reader: str) -> Wanted:
    """Tags by this reader's own numbers."""
    return {number: tags for (name, number), tags in wanted.items() if name == reader}


class Bridge:
    """The readers of a table, each with a port and a thread of its own.

    `put` is called from those threads with every event: a queue's `put` is meant, and one that waits holds up its
    reader alone. `tap(reader)` gives a listener for the raw bytes of a reader, for recordings. An `OptionError` names
    a driver or option that is wrong; what is wrong with a port becomes an event, because it can be mended while the
    table goes on.
    """

    def __init__(
        self,
        readers: Iterable[ReaderSetup],
        put: Callable[[ReaderEvent], None],
        tap: Callable[[str], Tap] | None = None,
    ) -> None:
        made = [(one, catalog.make(one.driver, one.id, one.antennas, one.options)) for one in readers]
        self.ports = {
            setup.id: Port(setup.id, setup.port, driver, put, tap(setup.id) if tap else None) for setup, driver in made
        }

    def start(self) -> None:
        for port in self.ports.values():
            port.start()

    def focus(self, antennas: Iterable[Antenna]) -> None:
        """Scan these first, in turn; a reader with none of them scans all alike. Any thread may call it."""
        wanted = by_reader(antennas)
        for reader, port in self.ports.items():
            port.focus(wanted.get(reader, ()))

    def ask(self, wanted: Mapping[Antenna, tuple[str, ...]]) -> None:
        """Ask for these tags by address, where a reader can, until something else is wanted. Any thread may call it."""
        for reader, port in self.ports.items():
            port.ask(of_reader(wanted, reader))

    def close(self, timeout_s: float = 1.0) -> bool:
        """Give all ports back; False if one of them was still connecting and ends a little later."""
        for port in self.ports.values():
            port.end()
        ended = [port.close(timeout_s) for port in self.ports.values()]
        return all(ended)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
