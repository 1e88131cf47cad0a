"""A broker for the demo, on this machine only: Mosquitto where it is installed, else the one in a wheel."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_bridge.errors import BetlineError

START_S = 20.0
STANDARD_PORT = 1883
EMBEDDED = """
id = 0
[router]
id = 0
max_connections = 100
max_outgoing_packet_count = 200
max_segment_size = 1048576
max_segment_count = 8
[v5.1]
name = "v5-1"
listen = "127.0.0.1:{port}"
next_connection_delay_ms = 1
[v5.1.connections]
connection_timeout_ms = 60000
max_payload_size = 1048576
max_inflight_count = 100
dynamic_filters = true
"""


class Running:
    """`port` on 127.0.0.1, and what answers there."""

    def __init__(self, name: str, port: int) -> None:
        self.name = name
        self.port = port


@contextmanager
def broker(folder: Path) -> Iterator[Running]:
    """A broker while the block runs. BetlineError where none can be had."""
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    with _mosquitto(program, folder) if program is not None else _embedded(folder) as running:
        yield running


@contextmanager
def _embedded(folder: Path) -> Iterator[Running]:
    try:
        from iotcore import Broker
    except ImportError as error:
        raise BetlineError(
            "no MQTT broker: install Mosquitto (sudo apt install mosquitto) or pip install 'betline[broker]'"
        ) from error
    port = _free_port()
    settings = folder / "broker.toml"
    settings.write_text(EMBEDDED.format(port=port), encoding="utf-8")
    with Broker(config_path=str(settings)):
        yield Running("iotcore", port)


@contextmanager
def _mosquitto(program: str, folder: Path) -> Iterator[Running]:
    """Another program may take the port between our look and Mosquitto's: then any other port will do."""
    process, port = _started(program, folder, _free_port())
    if process.poll() is not None:
        process, port = _started(program, folder, _free_port(standard=False))
    try:
        if process.poll() is not None:
            raise BetlineError(f"Mosquitto did not start on port {port}: see {program} -v, or remove Mosquitto")
        yield Running("Mosquitto", port)
    finally:
        process.terminate()
        process.wait(5)


def _started(program: str, folder: Path, port: int) -> tuple["subprocess.Popen[bytes]", int]:
    settings = folder / "mosquitto.conf"
    settings.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n", encoding="utf-8")
    process = subprocess.Popen(  # noqa: S603 -- the broker of this machine with our own configuration
        [program, "-c", str(settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _wait_for(process, port)
    return process, port


def _wait_for(process: "subprocess.Popen[bytes]", port: int) -> None:
    """Until it listens, or has ended. Whose port it is shows a moment later: one that cannot have it ends."""
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=0.2).close()
        except OSError:
            time.sleep(0.02)
        else:
            time.sleep(0.1)
            return
    if process.poll() is None:
        process.kill()
        process.wait()


def _free_port(*, standard: bool = True) -> int:
    """The standard port where it is free, so that every tool finds the demo; else any."""
    for port in (STANDARD_PORT, 0) if standard else (0,):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise BetlineError("no TCP port is free on 127.0.0.1: end some programs")
