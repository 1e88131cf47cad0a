"""`betline web` as people and systemd start it."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest


@pytest.fixture
def free() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "betline", "web", *arguments]


def test_systemd_hears_that_it_is_ready_and_that_it_lives_and_ends_it(tmp_path: Path, free: int) -> None:
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.settimeout(20)
    manager.bind(str(tmp_path / "notify"))
    told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "2000000"}
    arguments = ("--socket", str(tmp_path / "public.sock"), "--port", str(free))
    served = subprocess.Popen(command(*arguments), env={**os.environ, **told}, stdout=subprocess.DEVNULL)
    try:
        first = manager.recv(1000)
        with urllib.request.urlopen(f"http://127.0.0.1:{free}/now/table", timeout=10) as answer:
            page = answer.read()
        later = [manager.recv(1000) for _ in range(3)]
    finally:
        served.send_signal(signal.SIGTERM)
        served.wait(15)
        manager.close()

    assert first.startswith(b"READY=1")
    assert b"Waiting for the table" in page
    assert later == [b"WATCHDOG=1"] * 3


def test_a_port_that_is_taken_is_one_line_with_the_cure(tmp_path: Path, free: int) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", free))
        taken.listen()

        done = subprocess.run(
            command("--socket", str(tmp_path / "x.sock"), "--port", str(free)),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    assert done.returncode == 1
    assert done.stderr == f"betline: 127.0.0.1 port {free}: Address already in use: choose another --host or --port\n"


def test_it_listens_on_this_machine_only_unless_told_otherwise() -> None:
    helped = subprocess.run(command("--help"), capture_output=True, text=True, timeout=60, check=False).stdout

    assert "127.0.0.1" in helped
