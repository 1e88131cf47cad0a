"""Secrets are for their owner alone, whatever the umask; and where others can read one, it is named with its cure."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from betline.enroll.files import write_whole
from controller.authority import keys
from controller.config.config import MqttSection
from controller.publish import security
from controller.registry import ignored
from controller.service.exposed import exposed, secrets_of
from tests.betline.in_process import betline
from tests.controller.running import Running, in_a_hand


@pytest.fixture
def open_umask() -> Iterator[None]:
    mask = os.umask(0)
    yield
    os.umask(mask)


@pytest.fixture
def table(open_umask: None, tmp_path: Path) -> Iterator[Running]:
    made = Running(tmp_path)
    yield made
    made.close()


def wide(folder: Path) -> list[str]:
    """Names of plain files that others can read."""
    return sorted(
        path.name for path in folder.rglob("*") if path.is_file() and stat.S_IMODE(path.stat().st_mode) & 0o077
    )


def test_what_a_running_table_writes_is_for_its_user_alone(table: Running) -> None:
    """The hole cards of the hand that is on stand in its journal, its log and its recording."""
    dealer = table.start("--record", str(table.folder / "evening.betrec"))
    in_a_hand(table, dealer)
    assert (table.folder / "journal.db-wal").stat().st_size > 0
    assert wide(table.folder) == ["table.toml"]


def test_what_people_write_is_for_them_alone(open_umask: None, tmp_path: Path) -> None:
    assert betline(["init", "--yes", tmp_path / "table.toml"]).returncode == 0
    write_whole(tmp_path / "more.csv", "x")
    ignored.save(tmp_path / "journal.ignored.json", ["E004"])
    keys.save(tmp_path / "keys.toml", keys.Keys("home"))
    assert wide(tmp_path) == ["table.toml"]
    (tmp_path / "more.csv").chmod(0o640)
    write_whole(tmp_path / "more.csv", "y")  # whose house wants its group to read it may have it so
    assert stat.S_IMODE((tmp_path / "more.csv").stat().st_mode) == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_root_writes_belongs_to_whom_the_folder_belongs(tmp_path: Path) -> None:
    """sudo betline key, sudo betline enroll: the table, which is another user, reads it."""
    os.chown(tmp_path, 12345, 12345)
    keys.save(tmp_path / "keys.toml", keys.Keys("home"))
    assert ((tmp_path / "keys.toml").stat().st_uid, (tmp_path / "keys.toml").stat().st_gid) == (12345, 12345)
    os.chown(tmp_path / "keys.toml", 777, 777)
    keys.save(tmp_path / "keys.toml", keys.Keys("home"))
    assert (tmp_path / "keys.toml").stat().st_uid == 777


def test_check_and_doctor_name_each_secret_that_others_can_read(table: Running) -> None:
    table.start().sees(lambda seen: seen.phase == "between_hands", "counted in")
    table.end()
    password = table.folder / "password"
    password.write_text("sesame\n")
    config = replace(table.config, mqtt=MqttSection(host="", username="u", password_file="password"))
    text = table.path.read_text().replace("[mqtt]", '[mqtt]\nusername = "u"\npassword_file = "password"')
    table.path.write_text(
        "\n".join(line for line in text.splitlines() if line not in {'username = ""', 'password_file = ""'})
    )
    for name in ("journal.db", "chips.csv", "red-deck.csv"):
        (table.folder / name).chmod(0o644)
    told = exposed(config, table.path)
    assert [line.partition(":")[0] for line in told] == [
        str(table.folder / n) for n in ("password", "journal.db", "chips.csv", "red-deck.csv")
    ]
    checked = betline(["run", "--check", "--config", table.path])
    assert checked.stderr.splitlines() == [f"betline: {line}" for line in told]
    for line in told:
        assert line.endswith(f"chmod 600 {line.partition(':')[0]}")
    found = betline(["doctor", "--seconds", "1", "--config", table.path]).stdout
    assert found.count("secrets: ") == len(told)
    for path in secrets_of(config, table.path):
        if path.exists():
            path.chmod(0o600)
    assert betline(["run", "--check", "--config", table.path]).stderr == ""
    assert "ok    secrets: " in betline(["doctor", "--seconds", "1", "--config", table.path]).stdout


def test_the_password_may_be_a_credential_of_systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given, beside = tmp_path / "credentials", tmp_path / "etc"
    given.mkdir()
    beside.mkdir()
    (beside / "mqtt-password").write_text("old")
    (given / "mqtt-password").write_text("sesame\n")
    assert security.secret(beside, "mqtt-password", "password_file") == "old"
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(given))
    assert security.secret(beside, "mqtt-password", "password_file") == "sesame"
    assert security.secret(beside, "./mqtt-password", "password_file") == "old"
    (given / "mqtt-password").unlink()
    assert security.secret(beside, "mqtt-password", "password_file") == "old"
