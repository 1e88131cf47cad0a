"""What people name as a file, looked at before it is opened: a pipe would be waited for, a device read without end.

And files that hold secrets: written for their owner alone whatever the umask, and who else may read one.
"""

import os
import stat
import tempfile
from pathlib import Path

from firmware_bridge.errors import BetlineError

SECRET = 0o600
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


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


def write_secret(path: Path, data: bytes, mode: int = SECRET) -> None:
    """Whole, then in its place: a power cut leaves the old file or the new one. OSError where it cannot be.

    Written by root it belongs to whom the file, or else its folder, belongs: the table runs as another user.
    """
    place = path.resolve() if path.is_symlink() else path
    handle, name = tempfile.mkstemp(dir=place.parent, prefix=".")  # 0600 from its first moment
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if os.geteuid() == 0:
                owner = (place if place.exists() else place.parent).stat()
                os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
            os.fchmod(file.fileno(), mode)
        Path(name).replace(place)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def open_to_others(path: Path) -> str | None:
    """Who else may read a secret, and the cure; None where nobody may, or where no such file is."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return None
    if not mode & _OTHERS or not stat.S_ISREG(mode):
        return None
    who = "everybody" if mode & stat.S_IRWXO else "its group"
    return f"{path}: {who} may read or write it (mode {stat.S_IMODE(mode):04o}): chmod 600 {path}"
