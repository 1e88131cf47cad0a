"""Ports on real pseudo-terminals and real sockets: every trap of pyserial that readers meet."""

import fcntl
import grp
import os
import queue
import select
import socket
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import serial
import serial.rfc2217

from firmware_bridge.events import BadFrame, Out, PortSettings, ReaderEvent, ReaderFault, ReaderLost, Wanted
from firmware_bridge.port import Port
from firmware_bridge.port_cures import explain, holders

PATIENCE_S = 20.0  # a limit for a broken build on a busy machine; nothing waits this long when it works


class Line:
    """The reader's end of a pseudo-terminal, behind a path that stays when the device goes and comes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.master = -1

    def plug(self) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.path.symlink_to(os.ttyname(slave))
        os.close(slave)

    def unplug(self) -> None:
        self.path.unlink(missing_ok=True)
        if self.master >= 0:
            os.close(self.master)
        self.master = -1

    def send(self, data: bytes) -> None:
        os.write(self.master, data)

    def receive(self, size: int) -> bytes:
        """Exactly so many bytes from the host."""
        got = b""
        while len(got) < size:
            assert select.select([self.master], [], [], PATIENCE_S)[0], f"only {got!r} came"
            try:
                got += os.read(self.master, size - len(got))
            except OSError:  # EIO: nobody has opened the other end yet
                threading.Event().wait(0.005)
        return got


class Told:
    """A driver that tells what it is told: received chunks as BadFrame, calls as ReaderFault with the call's name."""

    def __init__(self, **settings: object) -> None:
        self.settings = PortSettings(**settings)  # type: ignore[arg-type]
        self.due: int | None = None
        self.pending = b""
        self.on_start = b"?"

    def start(self, at_ns: int) -> Out:
        return Out((ReaderFault("r", at_ns, "start", ""),), (self.on_start,))

    def receive(self, data: bytes, at_ns: int) -> Out:
        self.pending = data
        return Out((BadFrame("r", at_ns, "noise", data),))

    def tick(self, at_ns: int) -> Out:
        due, self.due = self.due, None
        return Out((ReaderFault("r", at_ns, "tick", str(at_ns - (due or 0))),), (b"tick", b"tock"))

    def wake_at_ns(self) -> int | None:
        return self.due

    def focus(self, antennas: tuple[int, ...]) -> None:
        self.due = 1
        self.pending = bytes(antennas)

    def ask(self, wanted: Wanted) -> None:
        self.due = 1
        self.pending = repr(wanted).encode()

    def flush(self, at_ns: int) -> Out:
        return Out((BadFrame("r", at_ns, "length", self.pending),))


class Heard:
    """Events of a port, waited for one by one."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()
        self.put = self.queue.put

    def next(self) -> ReaderEvent:
        return self.queue.get(timeout=PATIENCE_S)

    def until(self, wanted: Callable[[ReaderEvent], bool]) -> ReaderEvent:
        end = time.monotonic() + PATIENCE_S
        while not wanted(event := self.next()):
            assert time.monotonic() < end, "it did not come"
        return event

    def lost(self) -> str:
        event = self.until(lambda e: isinstance(e, ReaderLost))
        assert isinstance(event, ReaderLost)
        return event.why

    def fault(self, code: str) -> ReaderFault:
        event = self.until(lambda e: isinstance(e, ReaderFault) and e.code == code)
        assert isinstance(event, ReaderFault)
        return event

    def bytes(self, size: int) -> bytes:
        got = b""
        while len(got) < size:
            event = self.next()
            assert not isinstance(event, ReaderLost), event
            if isinstance(event, BadFrame):
                got += event.raw
        return got


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    line = Line(tmp_path / "reader")
    line.plug()
    yield line
    line.unplug()


@contextmanager
def opened(url: object, driver: Told | None = None, **more: object) -> Iterator[tuple[Port, Heard]]:
    heard = Heard()
    port = Port("r", str(url), driver or Told(), heard.put, **more)  # type: ignore[arg-type]
    port.start()
    try:
        yield port, heard
    finally:
        assert port.close(PATIENCE_S), "the thread did not end"


def test_a_port_starts_its_driver_and_writes_what_it_sends(line: Line) -> None:
    with opened(line.path) as (_, heard):
        assert line.receive(1) == b"?"
        heard.fault("start")


def test_bytes_come_through_as_they_were_read_and_stamped_after_the_start(line: Line) -> None:
    with opened(line.path) as (_, heard):
        line.receive(1)
        started = heard.fault("start")
        line.send(b"\x00\xff\x11\x13\n\r\x03\x04")  # nothing is translated: no XON, no newline, no interrupt
        event = heard.next()
        assert isinstance(event, BadFrame)
        assert event.raw == b"\x00\xff\x11\x13\n\r\x03\x04"
        assert event.at_ns > started.at_ns


def test_a_flood_arrives_whole_and_in_order(line: Line) -> None:
    flood = bytes(i * 7 % 251 for i in range(200_000))
    with opened(line.path) as (_, heard):
        line.receive(1)
        sender = threading.Thread(target=lambda: [line.send(flood[i : i + 1000]) for i in range(0, len(flood), 1000)])
        sender.start()
        assert heard.bytes(len(flood)) == flood
        sender.join()


def test_a_driver_is_ticked_when_it_is_due_and_not_before(line: Line) -> None:
    driver = Told()
    with opened(line.path, driver) as (port, heard):
        line.receive(1)
        port.focus((7, 9))
        heard.fault("tick")
        assert line.receive(8) == b"ticktock"
        assert driver.pending == b"\x07\x09"


def test_tags_that_are_wanted_are_told_to_the_driver_and_again_after_a_reconnect(line: Line) -> None:
    driver = Told()
    with opened(line.path, driver) as (port, heard):
        line.receive(1)
        port.ask({7: ("E004",)})
        assert line.receive(8) == b"ticktock"
        assert driver.pending == b"{7: ('E004',)}"
        line.unplug()
        heard.lost()
        driver.pending = b""
        line.plug()
        assert line.receive(9) == b"?ticktock"
        assert driver.pending == b"{7: ('E004',)}"


def test_a_driver_that_is_always_due_does_not_starve_the_line(line: Line) -> None:
    class Eager(Told):
        def wake_at_ns(self) -> int | None:
            return 0

        def tick(self, at_ns: int) -> Out:
            return Out()

    with opened(line.path, Eager()) as (_, heard):
        line.receive(1)
        line.send(b"still heard")
        assert heard.bytes(11) == b"still heard"


def test_unplugging_flushes_the_driver_then_tells_the_loss_and_the_cure(line: Line) -> None:
    with opened(line.path) as (_, heard):
        line.receive(1)
        line.send(b"half a fra")
        assert heard.bytes(10) == b"half a fra"
        line.unplug()
        flushed = heard.next()
        assert isinstance(flushed, BadFrame)
        assert (flushed.reason, flushed.raw) == ("length", b"half a fra")
        assert heard.lost().startswith(f"{line.path}: unplugged")


def test_a_reader_that_comes_back_under_another_device_is_started_again(line: Line) -> None:
    with opened(line.path) as (_, heard):
        line.receive(1)
        line.send(b"one")
        assert heard.bytes(3) == b"one"
        line.unplug()
        heard.lost()
        line.plug()
        assert line.receive(1) == b"?"
        heard.fault("start")
        line.send(b"two")
        assert heard.bytes(3) == b"two"


def test_the_focus_is_told_again_after_a_reconnect(line: Line) -> None:
    driver = Told()
    with opened(line.path, driver) as (port, heard):
        line.receive(1)
        port.focus((4,))
        assert line.receive(8) == b"ticktock"
        line.unplug()
        heard.lost()
        driver.pending = b""
        line.plug()
        assert line.receive(9) == b"?ticktock"
        assert driver.pending == b"\x04"


def test_a_missing_port_is_told_once_and_opened_when_it_appears(tmp_path: Path) -> None:
    line = Line(tmp_path / "later")
    with opened(line.path) as (_, heard):
        assert f"{line.path}: no such port: there " in heard.lost()
        line.plug()
        assert line.receive(1) == b"?"
        event = heard.next()
        assert isinstance(event, ReaderFault), f"told twice: {event}"
    line.unplug()


def test_a_busy_port_names_its_holder_and_is_taken_when_it_is_free(line: Line) -> None:
    holder = serial.Serial(str(line.path), exclusive=True)
    with opened(line.path) as (_, heard):
        why = heard.lost()
        assert "busy" in why
        assert f"(pid {os.getpid()})" in why
        holder.close()
        assert line.receive(1) == b"?"


def test_a_second_exclusive_open_is_refused_while_the_port_runs(line: Line) -> None:
    with opened(line.path):
        line.receive(1)
        with pytest.raises(serial.SerialException, match="exclusively lock"):
            serial.Serial(str(line.path), exclusive=True)


def test_the_exclusive_mark_is_given_back_at_closing(line: Line) -> None:
    keeper = os.open(line.path, os.O_RDWR | os.O_NOCTTY)  # keeps the terminal alive between the two looks
    with opened(line.path):
        line.receive(1)
        assert exclusive_mark(keeper)
    assert not exclusive_mark(keeper)
    os.close(keeper)


def exclusive_mark(fd: int) -> bool:
    tiocgexcl = 0x80045440
    return fcntl.ioctl(fd, tiocgexcl, b"\0\0\0\0") != b"\0\0\0\0"


def test_line_settings_are_the_drivers_and_dtr_survives_closing(line: Line) -> None:
    keeper = os.open(line.path, os.O_RDWR | os.O_NOCTTY)
    with opened(line.path, Told(baud=57600)):
        line.receive(1)
        _, _, cflag, _, ispeed, ospeed, _ = termios.tcgetattr(keeper)
        assert (ispeed, ospeed) == (termios.B57600, termios.B57600)
        assert not cflag & termios.HUPCL
        assert cflag & termios.CS8
    os.close(keeper)


def test_dtr_held_low_keeps_the_hang_up_at_closing(line: Line) -> None:
    keeper = os.open(line.path, os.O_RDWR | os.O_NOCTTY)
    before = termios.tcgetattr(keeper)
    before[2] |= termios.HUPCL
    termios.tcsetattr(keeper, termios.TCSANOW, before)
    with opened(line.path, Told(dtr=False, rts=False)):
        line.receive(1)
        assert termios.tcgetattr(keeper)[2] & termios.HUPCL
    os.close(keeper)


def test_a_line_that_takes_no_bytes_counts_as_lost(line: Line) -> None:
    driver = Told()
    driver.on_start = bytes(200_000)  # more than any buffer of a terminal, and nobody reads
    with opened(line.path, driver) as (_, heard):
        assert "takes no bytes" in heard.lost()


def test_a_fault_of_a_driver_is_named_and_the_reader_started_again(line: Line) -> None:
    class Faulty(Told):
        def receive(self, data: bytes, at_ns: int) -> Out:
            if data == b"bang":
                raise KeyError(data)
            return super().receive(data, at_ns)

    with opened(line.path, Faulty()) as (_, heard):
        line.receive(1)
        line.send(b"bang")
        assert heard.fault("driver").meaning.startswith("KeyError: b'bang' (test_port.py:")
        assert "please report" in heard.lost()
        assert line.receive(1) == b"?"
        line.send(b"fine")
        assert heard.bytes(4) == b"fine"


def test_nothing_is_put_after_closing(line: Line) -> None:
    with opened(line.path) as (port, heard):
        line.receive(1)
        heard.fault("start")
        assert port.close(PATIENCE_S)
        port.focus((1,))  # a late wish is nobody's fault
        line.unplug()
        assert heard.queue.empty()


def test_a_port_that_was_never_started_closes() -> None:
    assert Port("r", "/dev/nowhere", Told(), print).close()


def test_the_tap_sees_all_that_the_driver_is_given_and_what_it_sends(line: Line) -> None:
    seen: list[tuple[str, bytes]] = []
    with opened(line.path, tap=lambda _at, way, data: seen.append((way, data))) as (_, heard):
        line.receive(1)
        line.send(b"abc")
        heard.bytes(3)
        assert [one for one in seen if one[0] != "tick"] == [("start", b""), ("tx", b"?"), ("rx", b"abc")]


def test_a_reader_behind_a_socket_works_like_a_port_and_reconnects() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        with opened(f"socket://127.0.0.1:{server.getsockname()[1]}") as (_, heard):
            peer, _ = server.accept()
            assert peer.recv(1) == b"?"
            peer.sendall(bytes(range(256)))
            assert heard.bytes(256) == bytes(range(256))
            peer.sendall(b"last words")
            peer.close()
            assert heard.bytes(10) == b"last words"
            assert "connection was lost" in heard.lost()
            again, _ = server.accept()
            assert again.recv(1) == b"?"
            again.close()


@pytest.mark.filterwarnings("ignore:set(Daemon|Name)")  # pyserial's own thread
def test_a_reader_behind_rfc2217_works_like_a_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        far = threading.Thread(target=rfc2217_echo, args=(server,))
        far.start()
        with opened(f"rfc2217://127.0.0.1:{server.getsockname()[1]}", Told(baud=57600)) as (_, heard):
            assert heard.bytes(1) == b"?"
        far.join(PATIENCE_S)


def rfc2217_echo(server: socket.socket) -> None:
    """A serial server whose line is a loop: what is sent comes back."""
    peer, _ = server.accept()
    with serial.serial_for_url("loop://", timeout=0) as far_line, peer:
        peer.settimeout(PATIENCE_S)
        manager = serial.rfc2217.PortManager(far_line, Telnet(peer))
        while data := peer.recv(1024):
            far_line.write(b"".join(manager.filter(data)))
            peer.sendall(b"".join(manager.escape(far_line.read(1024))))


class Telnet:
    def __init__(self, peer: socket.socket) -> None:
        self.write = peer.sendall


def test_a_line_without_a_descriptor_is_read_and_ticked_too() -> None:
    with opened("loop://") as (port, heard):
        assert heard.bytes(1) == b"?"
        port.focus((1,))
        heard.fault("tick")
        assert heard.bytes(8) == b"ticktock"


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("carrier-pigeon://roof", "no address of a port"),
        ("socket://somewhere", "socket://host:port"),
        ("socket://127.0.0.1:1", "Connection refused: is the serial server running"),
        ("", "no such port"),
    ],
)
def test_a_wrong_address_is_told_with_its_cure(url: str, told: str) -> None:
    with opened(url) as (_, heard):
        assert told in heard.lost()


def test_a_file_or_a_folder_is_no_serial_port(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("keep me")
    for path, kind in ((tmp_path, "a folder"), (file, "a file")):
        with opened(path) as (_, heard):
            assert heard.lost().startswith(f"{path}: {kind}, no serial port")
    assert file.read_text() == "keep me"


def test_missing_permission_names_the_group_and_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tty"
    path.touch()
    denied = PermissionError(13, "Permission denied")
    monkeypatch.setattr("firmware_bridge.port_cures.grp.getgrgid", lambda _: grp.struct_group(("root", "x", 0, [])))
    assert "a udev rule gives it to the group dialout" in explain(str(path), denied)
    monkeypatch.setattr("firmware_bridge.port_cures.grp.getgrgid", lambda _: grp.struct_group(("dialout", "x", 20, [])))
    why = explain(str(path), denied)
    assert why.startswith(f"{path}: no permission: sudo usermod -aG dialout ")
    assert why.endswith(", then log in again")


def test_holders_of_a_port_are_found_by_the_device_behind_the_link(line: Line) -> None:
    fd = os.open(line.path, os.O_RDWR | os.O_NOCTTY)
    assert any(f"(pid {os.getpid()})" in name for name in holders(str(line.path)))
    os.close(fd)
    assert not holders(str(line.path))
