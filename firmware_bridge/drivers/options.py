"""Options of a driver, as in `[[reader]] options` of table.toml and `-o key=value` of the command line.

Every driver has a struct of its own under `LineOptions`; msgspec checks names, types and ranges.
"""

from typing import Annotated

from msgspec import Meta

from firmware_bridge.events import PortSettings, Value

Ms = Annotated[int, Meta(ge=1, le=60_000)]
Numbers = Annotated[str, Meta(pattern=r"^(\d{1,3}(,\d{1,3})*)?$")]


class LineOptions(Value, frozen=True):
    """What any serial line may need.

    DTR and RTS have no value that is right everywhere: an RP2040 only sends while DTR is on, an FT232-based PN532 board
    only answers while both are off; null leaves them as they are.
    """

    baud: Annotated[int, Meta(ge=300, le=4_000_000)] = 115200
    dtr: bool | None = None
    rts: bool | None = None

    @property
    def settings(self) -> PortSettings:
        return PortSettings(baud=self.baud, dtr=self.dtr, rts=self.rts)


class SwitchedOptions(LineOptions, frozen=True):
    """Of a reader that switches between antennas.

    `often`: those with few tags (bet spots, cards), as in "2,4": they are scanned four times as often.
    """

    often: Numbers = ""
