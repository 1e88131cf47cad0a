"""What the machine itself does to a table: serial lines, consoles, modem probing, clock, disk, screen, pins.

Everything is read below one folder, "/" in life, so that a Raspberry Pi can be looked at anywhere.
"""

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from controller.config.config import Config
from controller.errors import ConfigError
from firmware_bridge.events import Value

VOLATILE = ("tmpfs", "ramfs", "overlay", "aufs", "squashfs")
LOW_BYTES, LEAST_BYTES = 200_000_000, 20_000_000  # an evening's journal is some 10 MB
NO_CLOCK_S = 1_735_689_600  # 2025-01-01: before this program was made
PL011_CURE = "dtoverlay=disable-bt in /boot/firmware/config.txt gives the real UART back to the pins; or a USB adapter"
CONSOLE_CURE = "sudo raspi-config nonint do_serial_cons 1 (or take console= out of cmdline.txt), then restart"

Verdict = Literal["ok", "warn", "fail"]


class Finding(Value, frozen=True):
    """One check, one line."""

    check: str
    verdict: Verdict
    text: str
    cure: str = ""


class Machine:
    """A machine below `root`; `user` may open what it may open."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    def device(self, port: str) -> str:
        """The device behind a name of it: "ttyS0" behind /dev/serial0; "" for an address."""
        if "://" in port:
            return ""
        return self._at(port).resolve().name

    @property
    def is_pi(self) -> bool:
        return "Raspberry Pi" in self._text("/proc/device-tree/model")

    # ------------------------------------------------------------ serial lines
    def serial_lines(self, ports: Mapping[str, str]) -> Iterator[Finding]:
        """`ports`: parity by port, as its driver wants it."""
        for port, parity in ports.items():
            yield from self._mini_uart(port, parity)
            yield from self._console(port)
        yield from self._modem_manager(ports)

    def _mini_uart(self, port: str, parity: str) -> Iterator[Finding]:
        if not (self.is_pi and self.device(port) == "ttyS0"):
            return
        if parity != "N":
            text = f"{port} is the Pi's mini-UART, which has no parity bit, and this reader needs {parity}"
            yield Finding("mini-UART", "fail", text, PL011_CURE)
            return
        text = f"{port} is the Pi's mini-UART: its speed follows the core clock, and it loses bytes unnoticed"
        yield Finding("mini-UART", "warn", text, PL011_CURE)

    def _console(self, port: str) -> Iterator[Finding]:
        device = self.device(port)
        if not device:
            return
        words = self._text("/proc/cmdline").split()
        consoles = {word.partition("=")[2].partition(",")[0] for word in words if word.startswith("console=")}
        if device in {self.device(f"/dev/{name}") for name in consoles if name}:
            yield Finding("console", "fail", f"the kernel's console writes to {port}", CONSOLE_CURE)
        for pid, name in self._processes():
            if name in ("agetty", "getty") and device in self._text(f"/proc/{pid}/cmdline").split("\0"):
                cure = f"sudo systemctl disable --now serial-getty@{device}.service"
                yield Finding("console", "fail", f"a login prompt ({name}, pid {pid}) reads from {port}", cure)

    def _modem_manager(self, ports: Iterable[str]) -> Iterator[Finding]:
        usb = [port for port in ports if self.device(port).startswith(("ttyUSB", "ttyACM"))]
        running = any(name == "ModemManager" for _, name in self._processes())
        if not running:
            yield Finding("ModemManager", "ok", "not running")
        elif not usb or self._ignored_by_udev():
            yield Finding("ModemManager", "ok", "running, and leaves these readers alone")
        else:
            text = f"running: it sends AT commands to {', '.join(usb)} for half a minute after plugging in"
            cure = "sudo make install puts a udev rule in place; or sudo systemctl disable --now ModemManager"
            yield Finding("ModemManager", "warn", text, cure)

    def _ignored_by_udev(self) -> bool:
        rules = sorted(self._at("/etc/udev/rules.d").glob("*.rules"))
        return any("ID_MM_DEVICE_IGNORE" in self._text(f"/etc/udev/rules.d/{rule.name}") for rule in rules)

    # ------------------------------------------------------------ clock and disk
    def clock(self, now_s: float) -> Finding:
        if now_s < NO_CLOCK_S:
            return Finding(
                "clock", "fail", "this machine does not know what day it is", "sudo timedatectl set-ntp true"
            )
        synchronised = self._synchronised()
        if synchronised is None:
            return Finding("clock", "warn", "nobody says whether the clock is right", "sudo timedatectl set-ntp true")
        if synchronised:
            return Finding("clock", "ok", "synchronised")
        cure = "sudo timedatectl set-ntp true, or a battery for the clock: rulings do not need it, histories do"
        return Finding("clock", "warn", "not synchronised: times in the journal are only as good as it is", cure)

    def _synchronised(self) -> bool | None:
        if self._at("/run/systemd/timesync/synchronized").exists():
            return True
        if self.root != Path("/") or not (program := shutil.which("timedatectl")):
            return None
        words = [program, "show", "--property=NTPSynchronized", "--value"]
        try:
            said = subprocess.run(words, capture_output=True, text=True, timeout=5, check=False).stdout.strip()  # noqa: S603  -- a fixed command
        except (OSError, subprocess.TimeoutExpired):
            return None
        return {"yes": True, "no": False}.get(said)

    def disk(self, folder: Path) -> Iterator[Finding]:
        """Room and permanence of the folder where the journal lies."""
        there = next(path for path in (folder, *folder.parents) if os.access(path, os.F_OK))
        if not os.access(there, os.W_OK):
            yield _closed(folder, there)
        state = os.statvfs(there)
        free = state.f_bavail * state.f_frsize
        text = f"{folder}: {free // 1_000_000:,} MB free"
        if free < LOW_BYTES:
            verdict: Verdict = "fail" if free < LEAST_BYTES else "warn"
            yield Finding("disk", verdict, text, "make room: when it is full the table stops")
        else:
            yield Finding("disk", "ok", text)
        yield self._permanence(there.resolve())

    def _permanence(self, folder: Path) -> Finding:
        kind = self.file_system(folder)
        if kind in VOLATILE:
            text = f"{folder} is on {kind}: what is written there may be gone after the next start"
            return Finding("state", "warn", text, "put [journal] path on a disk that stays")
        return Finding("state", "ok", f"{folder} is on {kind or 'a disk'}")

    def file_system(self, folder: Path) -> str:
        """The kind of the file system that a folder lies on."""
        best = ("", "")
        for line in self._text("/proc/mounts").splitlines():
            fields = line.split(" ")
            point = fields[1].replace("\\040", " ") if len(fields) > 2 else ""
            if point and folder.is_relative_to(point) and len(point) >= len(best[0]):
                best = (point, fields[2])
        return best[1]

    # ------------------------------------------------------------ screen
    def screen(self, environment: Mapping[str, str]) -> Finding:
        if environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"):
            return Finding("screen", "ok", "a desktop is running")
        cards = sorted(self._at("/dev/dri").glob("card*"))
        if not cards:
            text = "no desktop and no graphics (/dev/dri): the pot screen cannot be shown by this machine"
            return Finding("screen", "warn", text, "none is needed where the screen is another machine's")
        closed = [path for path in (*cards, *sorted(self._at("/dev/input").glob("event*"))) if not _may_open(path)]
        if closed:
            text = f"no permission for {', '.join(path.name for path in closed[:3])}: no picture, or no keys"
            return Finding("screen", "warn", text, "sudo usermod -aG video,render,input $USER, then log in again")
        return Finding("screen", "ok", f"{len(cards)} graphics cards, on the console (KMSDRM)")

    # ------------------------------------------------------------ reading
    def _at(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def _text(self, path: str) -> str:
        try:
            return self._at(path).read_text(encoding="utf-8", errors="replace").strip("\0\n")
        except OSError:
            return ""

    def _processes(self) -> Iterator[tuple[str, str]]:
        for entry in sorted(self._at("/proc").glob("[0-9]*")):
            if name := self._text(f"/proc/{entry.name}/comm"):
                yield entry.name, name


def pins(config: Config) -> Finding:
    """Whether the pins of buttons and lights can be had."""
    from controller.service.gpio import pin_factory

    count = len(config.button) + len(config.light)
    if not count:
        return Finding("pins", "ok", "no buttons and no lights")
    try:
        pin_factory(config.pin_factory).close()
    except ConfigError as error:
        text, _, cure = str(error).rpartition("; ")
        return Finding("pins", "fail", text, cure)
    return Finding("pins", "ok", f"{count} pins through {config.pin_factory}")


def _closed(folder: Path, there: Path) -> Finding:
    """A folder that the table cannot write to; or only this user cannot, because it is the service's."""
    owner = there.stat().st_uid
    if owner in (0, os.getuid()):
        return Finding("disk", "fail", f"{folder} cannot be written to", "mend its rights, or [journal] path")
    return Finding("disk", "warn", f"{folder} belongs to another user", "sudo betline doctor looks at it as well")


def _may_open(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK)
