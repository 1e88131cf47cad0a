"""Readers behind serial servers: every driver talks to its virtual reader through a real TCP socket, plain and RFC 2217."""

import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import serial
import serial.rfc2217

from controller.places import Place, Zone
from firmware_bridge.drivers.catalog import DRIVERS, make
from firmware_bridge.events import ReaderEvent, ReaderLost, ScanRound
from firmware_bridge.port import Port
from simulator.field import Field
from simulator.radio import Noise, Radio
from simulator.readers import catalog
from simulator.readers.base import VirtualReader

PATIENCE_S = 20.0
UHF = ("E2801160600002094C4C8B1A", "E2801160600002094C4C8B1B")
HF = ("E0040150954F02B1", "E0040150954F02B2")
CARDS = ("24D34F59", "04416D412B0289")
TAGS = {
    "chafon": UHF,
    "em4100": ("000414CD7E",),
    "feig": HF,
    "invelion": UHF,
    "m100": UHF,
    "metratec": HF,
    "pn532": CARDS,
    "tablelink": HF,
    "thingmagic": UHF,
    "uid-lines": CARDS[:1],
}
OPTIONS: dict[str, dict[str, str | int | bool]] = {
    "em4100": {"version": True, "round_ms": 200},
    "uid-lines": {"round_ms": 200},
}
Bytes = Callable[[bytes], bytes]


def virtual(driver: str) -> VirtualReader:
    field = Field({("far", 1): Place(Zone.SPOT, 1)})
    field.lay(TAGS[driver], Place(Zone.SPOT, 1))
    return catalog.make(driver, "far", Radio(field, Noise(uneven=0)), OPTIONS.get(driver))


def serve(peer: socket.socket, reader: VirtualReader, heard: Bytes, said: Bytes) -> None:
    """A serial server with one reader, until the host hangs up."""
    while True:
        now_ns = time.monotonic_ns()
        due_ns = reader.wake_at_ns()
        if due_ns is not None and due_ns <= now_ns:
            peer.sendall(said(reader.tick(now_ns)))
            continue
        peer.settimeout(1.0 if due_ns is None else max(0.001, (due_ns - now_ns) / 1e9))
        try:
            data = peer.recv(4096)
        except TimeoutError:
            continue
        if not data:
            return
        out = reader.receive(heard(data), time.monotonic_ns())
        peer.sendall(said(out))


@contextmanager
def behind(driver: str, scheme: str, far: Callable[[socket.socket], None]) -> Iterator[queue.Queue[ReaderEvent]]:
    """Events of a driver whose reader is behind a server; `far` serves its only visitor."""
    events: queue.Queue[ReaderEvent] = queue.Queue()

    def accept() -> None:
        peer, _ = server.accept()
        with peer:
            far(peer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        port = Port(
            "far",
            f"{scheme}://127.0.0.1:{server.getsockname()[1]}",
            make(driver, "far", (1,), OPTIONS.get(driver)),
            events.put,
        )
        port.start()
        try:
            yield events
        finally:
            assert port.close(PATIENCE_S)
            thread.join(PATIENCE_S)


def complete_rounds(events: queue.Queue[ReaderEvent], number: int) -> list[ScanRound]:
    found: list[ScanRound] = []
    while len(found) < number:
        event = events.get(timeout=PATIENCE_S)
        assert not isinstance(event, ReaderLost), event
        if isinstance(event, ScanRound) and event.complete and event.sightings:
            found.append(event)
    return found


@pytest.mark.parametrize("driver", DRIVERS)
def test_every_driver_reads_its_reader_through_a_socket(driver: str) -> None:
    reader = virtual(driver)
    with behind(driver, "socket", lambda peer: serve(peer, reader, bytes, bytes)) as events:
        for scan in complete_rounds(events, 2):
            assert {sighting.tag for sighting in scan.sightings} == set(TAGS[driver])


@pytest.mark.filterwarnings("ignore:set(Daemon|Name)")  # pyserial's own thread
@pytest.mark.parametrize(
    ("driver", "baud", "parity"), [("feig", 38400, "E"), ("chafon", 57600, "N"), ("m100", 115200, "N")]
)
def test_drivers_read_their_readers_through_rfc_2217_which_sets_the_far_line(
    driver: str, baud: int, parity: str
) -> None:
    """The server is pyserial's own; bytes of FF are escaped on the way, and a FEIG line gets its parity bit."""
    line = serial.serial_for_url("loop://", timeout=0)

    def far(peer: socket.socket) -> None:
        manager = serial.rfc2217.PortManager(line, Peer(peer))
        serve(
            peer,
            virtual(driver),
            lambda data: b"".join(manager.filter(data)),
            lambda data: b"".join(manager.escape(data)),
        )

    with line, behind(driver, "rfc2217", far) as events:
        (scan,) = complete_rounds(events, 1)
        assert {sighting.tag for sighting in scan.sightings} == set(TAGS[driver])
        assert (line.baudrate, line.parity) == (baud, parity)


class Peer:
    def __init__(self, peer: socket.socket) -> None:
        self.write = peer.sendall
