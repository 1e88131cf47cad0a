"""What people name as a file, looked at before it is opened: a pipe would be waited for, a device read without end."""

import stat
from pathlib import Path

from firmware_bridge.errors import BetlineError


def check_file(path: Path, kind: type[BetlineError]) -> None:
    """Raise an error of this kind where the name is no plain file; nothing where nothing is there yet."""
    fault = no_file(path)
    if fault is not None:
        raise kind(f"{path}: {fault}")


def no_file(path: Path) -> str | None:
    """Why this is no plain file, and the cure; None where it is one, or where nothing is there yet."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        return f"{getattr(error, 'strerror', None) or error}: check the path and its rights"
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISDIR(mode):
        return "is a folder: name a file in it"
    return "is a pipe or a device, no file: name a plain file"
