"""Models of radio and of people as they are: what each is called, its numbers, and what they are where nothing is said.

They are the simulator's: whoever judges the table's readings is never told which of them runs, and shares no number
with them. The page `hardware.md` says which real thing each stands for, and what to do about it.
"""

from typing import Annotated, Literal, get_args

from msgspec import Meta
from msgspec.structs import replace

from firmware_bridge.events import Value

Share = Annotated[float, Meta(ge=0, le=1)]
Seconds = Annotated[float, Meta(gt=0, le=600)]
Count = Annotated[int, Meta(ge=1, le=60)]
YesNo = Literal["no", "yes"]


# ---------------------------------------------------------------- what antennas hear
class Blind(Value, frozen=True, tag="blind"):
    """A chip that comes to a place is not read there at all for a while."""

    share: Share = 0.01  # of the chips that come
    seconds: Seconds = 60
    zone: Literal["spot", "tray", "both"] = "spot"


class Height(Value, frozen=True, tag="height"):
    """The higher a chip lies in its stack, the more often it is missed."""

    miss: Share = 0.1  # of the tenth chip, with the others in proportion; stacks of 20 at most


class Detuned(Value, frozen=True, tag="detuned"):
    """Many chips upon one another pull an antenna out of tune."""

    share: Share = 0.5  # of the stacks of ten chips and more
    read: Share = 0.45  # share of rounds in which a chip of such a stack is read


class ScanLoss(Value, frozen=True, tag="scan-loss"):
    """A scan that ends well and has lost half of the tags or more."""

    share: Share = 0.15


class Crosstalk(Value, frozen=True, tag="crosstalk"):
    """An antenna reads chips of its neighbour, the more the more lie there."""

    per10: Share = 0.01  # chance of each chip, for ten chips that lie next door


class Between(Value, frozen=True, tag="between"):
    """A chip of a push comes to lie between two spots, and both read it by turns."""

    share: Share = 0.25  # of the pushes


class Hand(Value, frozen=True, tag="hand"):
    """The hand that pushes covers the spot for a while: nothing is read through it."""

    seconds: tuple[Seconds, Seconds] = (1, 3)  # from, to
    tray: YesNo = "no"  # yes: the other hand covers the tray as long


class Dead(Value, frozen=True, tag="dead"):
    """Tags that break in play, and are never read again."""

    share: Share = 0.01
    seconds: Seconds = 120  # within so long


class Repeated(Value, frozen=True, tag="repeated"):
    """A reader tells a round once more as it was, in place of the one that it has just done."""

    share: Share = 0.2


class Late(Value, frozen=True, tag="late"):
    """A reader tells each round of an antenna when so many more of it have ended."""

    rounds: Count = 2


# ---------------------------------------------------------------- wires
class Muxed(Value, frozen=True, tag="muxed"):
    """All antennas of the table behind so few readers, which scan one after another."""

    readers: Count = 3


class LateBytes(Value, frozen=True, tag="late-bytes"):
    """Bytes wait now and then, as on a machine that is busy elsewhere."""

    seconds: Seconds = 2  # at most
    every: Seconds = 6  # so long a reader is heard at once between, on average


# ---------------------------------------------------------------- people
class Dribble(Value, frozen=True, tag="dribble"):
    """Chips of a push come one by one."""

    seconds: Seconds = 4  # from the first to the last


class CutOut(Value, frozen=True, tag="cut-out"):
    """A player brings too many chips forward, cuts his bet out, and takes the rest back."""

    chips: Count = 6  # too many
    seconds: Seconds = 1.2  # until he takes them back


Ear = Blind | Height | Detuned | ScanLoss | Crosstalk | Between | Hand | Dead | Repeated | Late
Model = Ear | Muxed | LateBytes | Dribble | CutOut
KINDS: dict[str, type[Model]] = {str(kind.__struct_config__.tag): kind for kind in get_args(Model)}
ALL_MILD = "all-mild"
MILD: tuple[Model, ...] = (
    Blind(share=0.002, seconds=20),
    Height(miss=0.03),
    Detuned(share=0.1, read=0.8),
    ScanLoss(share=0.03),
    Crosstalk(per10=0.002),
    Between(share=0.03),
    Hand(seconds=(0.3, 1)),
    Dead(share=0.001),
    Repeated(share=0.05),
    Late(rounds=1),
    Muxed(readers=6),
    LateBytes(seconds=0.5, every=10),
    Dribble(seconds=1),
    CutOut(chips=2, seconds=0.8),
)


def hurried(models: tuple[Model, ...], speed: float) -> tuple[Model, ...]:
    """The same at a table that runs so much faster than life; hands are hurried by whoever moves them."""
    return tuple(_hurried(model, speed) for model in models)


def _hurried(model: Model, speed: float) -> Model:
    match model:
        case Hand(seconds=(least, most)):
            return replace(model, seconds=(least / speed, most / speed))
        case LateBytes(seconds=seconds, every=every):
            return replace(model, seconds=seconds / speed, every=every / speed)
        case Blind(seconds=seconds) | Dead(seconds=seconds):
            return replace(model, seconds=seconds / speed)
        case _:
            return model
