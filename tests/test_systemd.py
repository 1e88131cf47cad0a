"""The units hold: systemd itself verifies them against a root with stub programs, and rates their exposure."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
UNITS = ("betline.service", "betline-screen.service", "betline-web.service")

pytestmark = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A file tree with our units and stub programs, so that `verify` can resolve what ExecStart names."""
    units = tmp_path / "etc/systemd/system"
    units.mkdir(parents=True)
    for unit in UNITS:
        shutil.copy(ROOT / "systemd" / unit, units)
    program = tmp_path / "opt/betline/.venv/bin/betline"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    library = tmp_path / "usr/lib/systemd/system"
    library.mkdir(parents=True)
    targets = (
        "sysinit",
        "basic",
        "shutdown",
        "multi-user",
        "network",
        "time-sync",
        "sockets",
        "timers",
        "paths",
        "slices",
    )
    for target in targets:
        (library / f"{target}.target").write_text(f"[Unit]\nDescription={target}\nDefaultDependencies=no\n")
    for service in ("mosquitto", "systemd-user-sessions"):
        (library / f"{service}.service").write_text("[Service]\nExecStart=/opt/betline/.venv/bin/betline\n")
    return tmp_path


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=60, check=False)


def verify(root: Path, unit: str) -> str:
    """What `systemd-analyze verify` says about one of our units."""
    result = analyze("verify", f"--root={root}", "--man=no", f"/etc/systemd/system/{unit}")
    return "\n".join(line for line in (result.stdout + result.stderr).splitlines() if unit in line)


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_accepts_every_line(root: Path, unit: str) -> None:
    assert verify(root, unit) == ""


def test_verify_would_name_a_wrong_line(root: Path) -> None:
    unit = root / "etc/systemd/system/betline.service"
    unit.write_text(unit.read_text().replace("ProtectHome=yes", "ProtectHome=perhaps"))

    assert "protect home" in verify(root, "betline.service")


def test_verify_would_name_a_missing_program(root: Path) -> None:
    (root / "opt/betline/.venv/bin/betline").unlink()

    assert "not executable" in verify(root, "betline.service")


@pytest.mark.parametrize("unit", UNITS)
def test_the_exposure_is_at_most_two(root: Path, unit: str) -> None:
    result = analyze("security", "--offline=true", f"--root={root}", "--threshold=20", unit)

    found = re.search(r"Overall exposure level for .*: ([0-9.]+)", result.stdout)
    assert found, result.stdout + result.stderr
    assert float(found[1]) <= 2.0


def test_all_units_are_of_type_notify_with_a_watchdog() -> None:
    for unit in UNITS:
        text = (ROOT / "systemd" / unit).read_text()
        assert "Type=notify" in text
        assert re.search(r"^WatchdogSec=\d+$", text, re.MULTILINE)


@pytest.mark.skipif(shutil.which("udevadm") is None, reason="udevadm is not installed")
def test_udev_accepts_the_rules() -> None:
    result = subprocess.run(
        ["udevadm", "verify", str(ROOT / "systemd/99-betline.rules")], capture_output=True, text=True, check=False
    )
    if "Unknown command" in result.stderr + result.stdout:
        pytest.skip("this udevadm is older than 254 and cannot verify rules")
    assert result.returncode == 0, result.stdout + result.stderr
