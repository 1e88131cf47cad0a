"""What the machine under the table says of itself: heat, room on the disk, time. Small files of /proc and /sys."""

import os
import time
from pathlib import Path

from firmware_bridge.events import Value

EVERY_NS = 30_000_000_000  # often enough for a fan or a full disk, and a sign of life for dashboards
MEBI = 1 << 20


class Machine(Value, frozen=True):
    """None: this machine does not say."""

    cpu_temp_c: float | None  # thermal zone 0; a Pi slows down at 80 to 85
    disk_free_mb: int | None  # where the journal lies
    uptime_s: int | None  # of the machine
    load: float | None  # of the last minute, in busy cores
    clock_ok: bool | None  # set from the network; false: times of events are a guess


class Health(Value, frozen=True):
    """The machine and what the controller knows of its own work."""

    machine: Machine
    running_s: int  # since the controller opened
    outbox: int  # public events that the broker does not have yet
    readers: int
    readers_up: int
    bad_frames: int  # damaged since the start, of all readers


def measure(journal: Path, root: Path = Path("/")) -> Machine:
    """Takes microseconds; nothing here waits."""
    return Machine(_temperature(root), _free(journal), _uptime(root), _load(), _clock(root))


def _temperature(root: Path) -> float | None:
    milli = _number(root / "sys/class/thermal/thermal_zone0/temp")
    return None if milli is None else round(milli / 1000, 1)


def _free(journal: Path) -> int | None:
    try:
        found = os.statvfs(journal.parent)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize // MEBI


def _uptime(root: Path) -> int | None:
    seconds = _number(root / "proc/uptime")
    return None if seconds is None else int(seconds)


def _load() -> float | None:
    try:
        return round(os.getloadavg()[0], 2)
    except OSError:
        return None


def _clock(root: Path) -> bool | None:
    """As systemd-timesyncd notes it; None where nobody does, unless the year alone shows that it was never set."""
    if time.time() < 1_700_000_000:  # 2023: before there was a betline
        return False
    folder = root / "run/systemd/timesync"
    return (folder / "synchronized").exists() if folder.is_dir() else None


def _number(path: Path) -> float | None:
    try:
        return float(path.read_text(encoding="ascii").split()[0])
    except (OSError, ValueError, IndexError):
        return None
