"""What the machine under the table says of itself, from files like those of a Pi."""

from pathlib import Path

from controller.publish.machine import measure


def test_a_pi_says_heat_room_time_and_clock(tmp_path: Path) -> None:
    zone = tmp_path / "sys/class/thermal/thermal_zone0"
    zone.mkdir(parents=True)
    (zone / "temp").write_text("51540\n")
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/uptime").write_text("86400.53 171000.10\n")
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    found = measure(tmp_path / "journal.db", tmp_path)
    assert (found.cpu_temp_c, found.uptime_s, found.clock_ok) == (51.5, 86400, False)
    assert found.disk_free_mb is not None
    assert found.disk_free_mb > 0
    (tmp_path / "run/systemd/timesync/synchronized").touch()
    assert measure(tmp_path / "journal.db", tmp_path).clock_ok is True


def test_what_a_machine_does_not_say_is_not_known(tmp_path: Path) -> None:
    """No thermal zone, nonsense in /proc, no time service, a folder that is gone: null, and no fault."""
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/uptime").write_text("\n")
    found = measure(tmp_path / "gone" / "journal.db", tmp_path)
    assert (found.cpu_temp_c, found.uptime_s, found.clock_ok, found.disk_free_mb) == (None, None, None, None)
