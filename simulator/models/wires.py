"""Models of what lies between antennas and the table: bytes that wait, and few readers for many antennas."""

from collections.abc import Iterable

from msgspec.structs import replace

from controller.config.config import Config, ReaderSection
from simulator.models.models import LateBytes, Model, Muxed
from simulator.players import Dice
from simulator.readers.base import VirtualReader

S = 1_000_000_000
LEAST_S = 0.1  # a shorter wait is none


def with_few_readers(config: Config, models: Iterable[Model]) -> Config:
    """The same table with its antennas behind as many readers as the models say."""
    for model in models:
        if isinstance(model, Muxed):
            config = _muxed(config, model.readers)
    return config


def _muxed(config: Config, readers: int) -> Config:
    each = -(-len(config.antenna) // readers)
    antennas = tuple(
        replace(antenna, reader=f"mux{at // each + 1}", number=at % each + 1)
        for at, antenna in enumerate(config.antenna)
    )
    first = config.reader[0]
    names = dict.fromkeys(antenna.reader for antenna in antennas)
    sections = tuple(ReaderSection(name, first.driver, f"{_folder(first.port)}/{name}") for name in names)
    return replace(config, reader=sections, antenna=antennas)


def _folder(port: str) -> str:
    return port.rpartition("/")[0]


def with_late_bytes(virtual: VirtualReader, reader: str, models: Iterable[Model], seed: int) -> VirtualReader:
    """The same reader, heard as late as the models say; every reader has times of its own."""
    for model in models:
        if isinstance(model, LateBytes):
            virtual = LateReader(virtual, model, Dice(f"{seed}{reader}"))
    return virtual


class LateReader:
    """What the reader sends while the machine is busy comes all at once when it no longer is."""

    def __init__(self, virtual: VirtualReader, model: LateBytes, dice: Dice) -> None:
        self._virtual, self._model, self._dice = virtual, model, dice
        self._held = b""
        self._busy_ns: int | None = None  # from when on; None: no time has passed yet
        self._free_ns = 0

    def receive(self, data: bytes, at_ns: int) -> bytes:
        return self._through(self._virtual.receive(data, at_ns), at_ns)

    def tick(self, at_ns: int) -> bytes:
        wake = self._virtual.wake_at_ns()
        return self._through(self._virtual.tick(at_ns) if wake is not None and wake <= at_ns else b"", at_ns)

    def wake_at_ns(self) -> int | None:
        wake = self._virtual.wake_at_ns()
        if not self._held:
            return wake
        return self._free_ns if wake is None else min(wake, self._free_ns)

    def _through(self, data: bytes, at_ns: int) -> bytes:
        self._held += data
        if self._is_busy(at_ns):
            return b""
        data, self._held = self._held, b""
        return data

    def _is_busy(self, at_ns: int) -> bool:
        while self._busy_ns is None or at_ns >= self._free_ns:
            start_ns = at_ns if self._busy_ns is None else self._free_ns
            self._busy_ns = start_ns + int(self._dice.expovariate(1 / self._model.every) * S)
            least_s = min(LEAST_S, self._model.seconds)
            self._free_ns = self._busy_ns + int(self._dice.uniform(least_s, self._model.seconds) * S)
        return at_ns >= self._busy_ns
