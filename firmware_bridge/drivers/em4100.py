"""Driver of 125 kHz readers that print EM4100 tags: RDM6300, ID-12LA, ID-20LA, EM-18. 9600 8N1.

On `Timed`: they speak by themselves, again and again while a tag lies there. Nothing resolves collisions: two tags on
one coil are silence, so this is a reader for a dealer button or a single card, not for stacks.
"""

from typing import Annotated

from msgspec import Meta

from firmware_bridge.drivers.timed import Timed, TimedOptions
from firmware_bridge.errors import OptionError
from firmware_bridge.wire.em4100 import Cutter


class Em4100Options(TimedOptions, frozen=True):
    baud: Annotated[int, Meta(ge=300, le=4_000_000)] = 9600
    version: bool = False  # true: tags have all ten digits, version byte first; false: the eight of the printed number


class Em4100(Timed[str]):
    """One coil. `antennas`: its number, 1 if there is none."""

    family = "EM4100 reader"
    most_tags = 1  # EM4100 has no anticollision: two tags garble each other

    def __init__(self, reader: str, antennas: tuple[int, ...], options: Em4100Options) -> None:
        if len(antennas) > 1:
            raise OptionError(f"{reader}: an em4100 reader has one coil, and {len(antennas)} antennas are configured")
        self._options = options
        super().__init__(reader, antennas or (1,), options)

    def _new_cutter(self) -> Cutter:
        return Cutter()

    def _take_item(self, item: str, at_ns: int) -> None:
        self._is_alive(self.family, at_ns)
        self._see(self._configured[0], item if self._options.version else item[2:], at_ns)
