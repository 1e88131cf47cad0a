"""Health of each reader, as people need it. Pure: event times are all the time it knows.

A fault stays on show for `FAULT_SHOWN_NS` after it was told last, although rounds go on: a microcontroller tells the
fault of one antenna once a minute and scans the others all the while.
"""

from typing import Literal, assert_never

from msgspec.structs import replace

from firmware_bridge.events import BadFrame, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound, Value

FAULT_SHOWN_NS = 10_000_000_000  # long enough to be read; what depends on the antenna is named by its place


class ReaderState(Value, frozen=True):
    state: Literal["starting", "up", "lost", "fault"] = "starting"
    why: str = ""
    bad_frames: int = 0
    fault_ns: int = 0  # of the last fault


def after(old: ReaderState, event: ReaderEvent) -> ReaderState:
    """What a reader's event makes of its state."""
    match event:
        case ReaderUp():
            return ReaderState("up", "", old.bad_frames)
        case ReaderLost(why=why):
            return ReaderState("lost", why, old.bad_frames)
        case ReaderFault(meaning=meaning, at_ns=at_ns):
            return ReaderState("fault", meaning, old.bad_frames, at_ns)
        case BadFrame():
            return replace(old, bad_frames=old.bad_frames + 1)
        case ScanRound(ended_ns=ended_ns):
            if old.state == "up" or (old.state == "fault" and ended_ns < old.fault_ns + FAULT_SHOWN_NS):
                return old
            return ReaderState("up", "", old.bad_frames)
        case _:
            assert_never(event)
