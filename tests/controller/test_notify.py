"""The notify protocol on a real datagram socket, path and abstract."""

import os
import socket

import pytest

from controller.notify import Notify


@pytest.mark.parametrize("abstract", [False, True])
def test_ready_and_watchdog_reach_the_manager(tmp_path, monkeypatch, abstract) -> None:
    name = f"@betline-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("\0" + name[1:] if abstract else name)
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        monkeypatch.setenv("WATCHDOG_USEC", "20000000")
        monkeypatch.delenv("WATCHDOG_PID", raising=False)
        notify = Notify()

        notify.ready("стол готов")
        notify.alive()

        assert manager.recv(1000).decode() == "READY=1\nSTATUS=стол готов"
        assert manager.recv(1000) == b"WATCHDOG=1"
        assert notify.watchdog_s == 20.0


def test_without_a_manager_nothing_happens(monkeypatch) -> None:
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC"):
        monkeypatch.delenv(name, raising=False)

    notify = Notify()
    notify.ready("x")

    assert notify.watchdog_s is None


def test_a_watchdog_for_another_process_is_not_ours(monkeypatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "20000000")
    monkeypatch.setenv("WATCHDOG_PID", "1")

    assert Notify().watchdog_s is None
