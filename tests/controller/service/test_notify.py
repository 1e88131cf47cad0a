"""The notify protocol on a real datagram socket, path and abstract."""

import contextlib
import os
import socket

import pytest

from controller.service.notify import Notify


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
        notify.alive(0)

        assert manager.recv(1000).decode() == "READY=1\nSTATUS=стол готов"
        assert manager.recv(1000) == b"WATCHDOG=1"
        assert notify.watchdog_s == 20.0


def test_the_watchdog_is_fed_four_times_in_its_interval_and_nobody_is_waited_for(tmp_path, monkeypatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "20000000")
        monkeypatch.delenv("WATCHDOG_PID", raising=False)
        notify = Notify()

        for turn in range(400):  # ten a second, forty seconds
            notify.alive(turn * 100_000_000)
        fed = 0
        with contextlib.suppress(BlockingIOError):
            while manager.recv(1000) == b"WATCHDOG=1":
                fed += 1
        assert fed == 8

        for turn in range(1000):  # far more than a socket that nobody reads can hold
            notify.alive(40_000_000_000 + turn * 5_000_000_000)


def test_no_watchdog_asked_for_is_none_fed(tmp_path, monkeypatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.delenv("WATCHDOG_USEC", raising=False)
        notify = Notify()
        notify.alive(0)
        notify.ready("x")
        assert manager.recv(1000).startswith(b"READY=1")
        with pytest.raises(BlockingIOError):
            manager.recv(1000)


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
