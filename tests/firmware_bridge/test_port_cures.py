"""What is wrong with a port, seen without opening it."""

import os
from pathlib import Path

import pytest

from firmware_bridge import port_cures
from firmware_bridge.port_cures import address_fault, trouble_of


def test_a_terminal_that_is_there_has_nothing_wrong() -> None:
    mine, other = os.openpty()
    try:
        assert trouble_of(os.ttyname(other)) is None
    finally:
        os.close(mine)
        os.close(other)


@pytest.mark.parametrize("url", ["socket://pi.local:4000", "rfc2217://[::1]:4000", "loop://", "spy:///dev/ttyUSB0"])
def test_a_server_is_not_called_to_see_whether_its_address_is_one(url: str) -> None:
    assert trouble_of(url) is None


@pytest.mark.parametrize(
    "url", ["foo://x", "://", "socket://", "socket://:4000", "rfc2217://pi", "socket://pi:x", " ", "a\0b"]
)
def test_what_can_never_be_a_port_is_told_at_once(url: str) -> None:
    fault = address_fault(url)
    assert fault is not None
    assert fault == trouble_of(url)
    assert "no address of a port: write /dev/..., socket://host:port or rfc2217://host:port" in fault
    assert fault.isprintable()


def test_a_port_that_may_come_later_is_no_fault_of_its_address() -> None:
    assert address_fault("/dev/serial/by-id/usb-nowhere") is None
    assert "no such port" in (trouble_of("/dev/serial/by-id/usb-nowhere") or "")


def test_files_folders_and_other_devices_are_no_ports(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    found = {name: trouble_of(str(tmp_path / name)) or "" for name in ("", "pipe", "file")}
    assert {name: text.split(": ")[1] for name, text in found.items()} == {
        "": "a folder, no serial port",
        "pipe": "a pipe, no serial port",
        "file": "a file, no serial port",
    }
    assert "a device of another kind, no serial port" in (trouble_of("/dev/null") or "")


def test_a_port_of_others_names_the_right_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    mine, other = os.openpty()
    monkeypatch.setattr(port_cures.os, "access", lambda *_: False)
    try:
        assert ": no permission: " in (trouble_of(os.ttyname(other)) or "")
    finally:
        os.close(mine)
        os.close(other)
