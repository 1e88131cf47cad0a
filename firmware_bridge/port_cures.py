"""What is wrong with a port, and what to do about it, in one line. Looks at /dev and /proc; opens no port."""

import errno
import getpass
import grp
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

DEVICES = ("serial/by-id/*", "serial/by-path/*", "ttyUSB*", "ttyACM*", "ttyAMA*", "serial0")
BUSY = (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK)
GONE = (errno.ENOENT, errno.ENODEV, errno.ENXIO)
UNPLUGGED = (errno.EIO, errno.EBADF, *GONE)


SERVERS = ("socket", "rfc2217")
URLS = (*SERVERS, "loop", "spy", "alt", "hwgrep")  # what pyserial opens
TTY_PAIRS = "/dev/pts/"  # pseudo-terminals stand nowhere in /sys


def trouble_of(url: str) -> str | None:
    """What would be wrong with this port now, as far as can be seen without opening it; None: nothing.

    A port is not opened to try it: that resets many boards, and takes bytes from whoever reads there.
    """
    fault = address_fault(url)
    if fault is not None or "://" in url:
        return fault
    try:
        Path(url).stat()
    except OSError as error:
        return explain(url, error)
    if _kind_of(url):
        return explain(url, OSError(errno.ENOTTY, "no device"))
    if not os.access(url, os.R_OK | os.W_OK):
        return explain(url, PermissionError(errno.EACCES, "permission denied"))
    return None


def address_fault(url: str) -> str | None:
    """Why this can never be a port, whatever is plugged in; None: it may be one."""
    if "\0" in url or not url.strip():
        return f"{url!r}: no address of a port: write /dev/..., socket://host:port or rfc2217://host:port"
    if "://" not in url:
        return None
    scheme = url.partition("://")[0].lower()
    if scheme not in URLS or (scheme in SERVERS and not _has_server(url)):
        return _explain_url(url, ValueError(), was_open=False)
    return None


def _has_server(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname and parts.port)
    except ValueError:
        return False


def _kind_of(url: str) -> str:
    """What is there, where it can be no serial port; "" where it may be one, or is not there."""
    try:
        found = Path(url).stat()
    except (OSError, ValueError):
        return ""
    if stat.S_ISCHR(found.st_mode):
        return "" if _is_terminal(url, found.st_rdev) else "a device of another kind"
    return "a folder" if stat.S_ISDIR(found.st_mode) else "a file" if stat.S_ISREG(found.st_mode) else "a pipe"


def _is_terminal(url: str, device: int) -> bool:
    subsystem = Path(f"/sys/dev/char/{os.major(device)}:{os.minor(device)}/subsystem")
    if os.path.realpath(url).startswith(TTY_PAIRS) or not subsystem.exists():
        return True
    return subsystem.resolve().name == "tty"


def explain(url: str, error: BaseException, *, was_open: bool = False) -> str:
    """One line that names the port, the trouble and the cure. `was_open`: it worked until now."""
    code = _errno_of(error)
    if "://" in url:
        return _explain_url(url, error, was_open=was_open)
    if was_open and (code in UNPLUGGED or code is None):
        return f"{url}: unplugged, or another program reads the same port: waiting for it to come back"
    if code in GONE:
        return f"{url}: no such port: {_what_is_there()}"
    if code in (errno.EACCES, errno.EPERM):
        return f"{url}: no permission: {_permission_cure(url)}"
    if code in BUSY:
        return f"{url}: busy: {_busy_cure(url)}"
    kind = _kind_of(url)
    if kind:
        return f"{url}: {kind}, no serial port: {_what_is_there()}"
    if code in (errno.ENOTTY, errno.EISDIR, errno.EINVAL) or isinstance(error, ValueError):
        return f"{url}: no serial port, or it cannot be set up this way ({_first_line(error)}): {_what_is_there()}"
    return f"{url}: {_first_line(error)}: check the cable, the power and the name of the port"


def present() -> tuple[str, ...]:
    """Serial ports that are there now, stable names first; a device is named once."""
    names: dict[str, str] = {}
    for pattern in DEVICES:
        for path in sorted(Path("/dev").glob(pattern)):
            names.setdefault(os.path.realpath(path), str(path))
    return tuple(names.values())


def holders(url: str) -> tuple[str, ...]:
    """Programs that hold the port open, as "name (pid 123)"; another user's are seen only by root."""
    device = os.path.realpath(url)
    return tuple(f"{_name_of(pid)} (pid {pid.name})" for pid in _processes() if _holds(pid, device))


def _explain_url(url: str, error: BaseException, *, was_open: bool) -> str:
    if was_open:
        return f"{url}: the connection was lost: connecting again"
    code = _errno_of(error)
    if code is not None:
        return f"{url}: {os.strerror(code)}: is the serial server running and reachable?"
    if isinstance(error, ValueError) or "expected a string" in str(error) or "not supported between" in str(error):
        return f"{url}: no address of a port: write /dev/..., socket://host:port or rfc2217://host:port"
    return f"{url}: {_first_line(error)}: write /dev/..., socket://host:port or rfc2217://host:port"


def _errno_of(error: BaseException) -> int | None:
    """Its number, or that of what it was made from: pyserial often hides the first error in a text."""
    step: BaseException | None = error
    while step is not None:
        code = getattr(step, "errno", None)
        if code is None and step.args and isinstance(step.args[0], int):
            code = step.args[0]  # termios.error
        if isinstance(code, int):
            return code
        step = step.__cause__ or step.__context__
    return None


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _what_is_there() -> str:
    ports = present()
    if ports:
        return f"there are {', '.join(ports)}"
    return "there is none at all: is the reader plugged in, and does its cable carry data?"


def _permission_cure(url: str) -> str:
    try:
        group = grp.getgrgid(Path(url).stat().st_gid).gr_name
    except (OSError, KeyError):
        group = "dialout"
    if group == "root":
        return "it belongs to root alone: a udev rule gives it to the group dialout, as in systemd/"
    try:
        user = getpass.getuser()
    except (OSError, KeyError):
        user = "$USER"
    return f"sudo usermod -aG {group} {user}, then log in again"


def _busy_cure(url: str) -> str:
    names = holders(url)
    if names:
        return f"{', '.join(names)} has it open: stop that first"
    return f"another program has it open: sudo fuser -v {url} shows which"


def _processes() -> Iterator[Path]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            yield entry


def _holds(pid: Path, device: str) -> bool:
    try:
        return any(str(fd.readlink()) == device for fd in (pid / "fd").iterdir())
    except OSError:  # gone meanwhile, or another user's
        return False


def _name_of(pid: Path) -> str:
    try:
        return (pid / "comm").read_text().strip()
    except OSError:
        return "a program"
