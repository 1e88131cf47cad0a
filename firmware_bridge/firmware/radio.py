"""A PN5180 and its antennas as one state machine of the loop, and the ladder that it climbs when the chip fails.

    idle  ->  field off and on  ->  reset  ->  `chip_silent`, and a reset twice a second until it answers

A round in which the chip failed is told as cut, with the tags that answered in it. While the chip is silent nothing is
told: that is unknown, and never an empty round. Each step is short, so that no chip stops the others.
"""

from firmware_bridge.firmware.antenna import Antenna
from firmware_bridge.firmware.iso15693 import Air
from firmware_bridge.firmware.plan import Plan
from firmware_bridge.firmware.pn5180 import TOO_HOT, ChipError, Pn5180

IDLE_RUNG, FIELD_RUNG, RESET_RUNG, LAST_RUNG = 1, 2, 3, 4
PAUSE_US, SILENT_PAUSE_US = 5000, 500_000
CHIP_SILENT, FULL, HOT = 4, 3, 5  # codes of `fault`

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_bridge.firmware.contacts import Clock, Steps


class ChipRadio:
    """`antennas`: (number, tags). `select` switches to one of several; with a single one there is nothing to switch."""

    def __init__(
        self,
        chip: Pn5180,
        antennas: "list[tuple[int, int]]",
        clock: "Clock",
        select: "Callable[[int], None] | None" = None,
    ) -> None:
        self.chip, self.air, self._clock, self._select = chip, Air(chip, clock), clock, select
        self.antennas = [Antenna(number, tags, self.air, clock) for number, tags in antennas]
        self.plan = Plan(antennas)
        self.due = clock.ticks_us()
        self.fault, self.why = 0, ""
        self._rung = RESET_RUNG  # a chip is reset before its first round
        self._on: Antenna | None = None  # whose field is on
        self._began = self.due
        self._work = self._run()

    def step(self) -> None:
        self.due = next(self._work)

    def _run(self) -> "Steps":
        while True:
            try:
                yield from self._climb()
                while True:
                    yield from self._scan()
            except ChipError as error:
                self._failed(str(error))
            pause = SILENT_PAUSE_US if self.fault == CHIP_SILENT else PAUSE_US
            yield self._clock.ticks_add(self._clock.ticks_us(), pause)

    def _failed(self, why: str) -> None:
        if self._on is not None and self.fault != CHIP_SILENT:
            self._on.cut(self._began)
        if self._rung >= LAST_RUNG:
            self.fault, self.why = CHIP_SILENT, why
        self._rung = min(self._rung + 1, LAST_RUNG)

    def _climb(self) -> "Steps":
        """What this rung asks for, and then the settings, which any of them may have lost."""
        if self._rung >= RESET_RUNG:
            self._lose_power()
            yield from self.chip.reset()
        self.chip.identify()
        self.chip.idle()
        self.chip.configure()
        if self._rung == FIELD_RUNG:
            yield from self.air.switch_off()
            self._lose_power()

    def _lose_power(self) -> None:
        for antenna in self.antennas:
            antenna.lost_power()
        self._on = None

    def _scan(self) -> "Steps":
        antenna = self._antenna(self.plan.next())
        if antenna is not self._on and self._on is not None:
            yield from self.air.switch_off()
            self._lose_power()
        if self._select is not None:
            self._select(antenna.number)
        self._on, self._began = antenna, self._clock.ticks_us()
        yield from antenna.round()
        self._rung = 0
        self.fault, self.why = self._trouble(antenna)

    def _trouble(self, antenna: Antenna) -> "tuple[int, str]":
        if antenna.is_full:
            return FULL, "more tags than there is room for"
        return (HOT, "the radio chip is too hot") if self.chip.irq & TOO_HOT else (0, "")

    def _antenna(self, number: int) -> Antenna:
        return next(antenna for antenna in self.antennas if antenna.number == number)
