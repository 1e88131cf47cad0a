"""A real Mosquitto on a free loopback port, and a client that hears everything it says."""

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

MOSQUITTO = shutil.which("mosquitto") or ("/usr/sbin/mosquitto" if Path("/usr/sbin/mosquitto").exists() else None)
PATIENCE_S = 20


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def eventually(wanted: Callable[[], object], what: str = "what should happen") -> None:
    """Wait for another thread or process; only a broken one makes this long."""
    until = time.monotonic() + PATIENCE_S
    while not wanted():
        assert time.monotonic() < until, f"did not come: {what}"
        time.sleep(0.005)


class Broker:
    """Mosquitto without persistence: a restart has lost everything, as after a power cut."""

    def __init__(self, folder: Path, *lines: str, port: int | None = None) -> None:
        self.port = port or free_port()
        self._config = folder / f"mosquitto-{self.port}.conf"
        anonymous = "" if any("allow_anonymous" in line for line in lines) else "allow_anonymous true\n"
        user = "user root\n" if os.geteuid() == 0 else ""  # else it could not read files of a test that runs as root
        self._config.write_text(f"{user}listener {self.port} 127.0.0.1\n{anonymous}" + "\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        assert MOSQUITTO is not None
        self._process = subprocess.Popen(
            [MOSQUITTO, "-c", self._config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        eventually(self._listens, "Mosquitto listens")

    def _listens(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, "Mosquitto ended at once"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Listener:
    """Subscribes to everything, in a thread of paho's; connects again by itself."""

    def __init__(self, port: int, pattern: str = "#", version: int = 5) -> None:
        self.messages: list[tuple[str, bytes, bool]] = []
        self._subscribed = threading.Event()
        self._pattern = pattern
        self.client = paho.Client(
            CallbackAPIVersion.VERSION2, client_id=f"listener-{id(self)}", protocol=MQTTProtocolVersion(version)
        )
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = lambda *_: self.client.subscribe(self._pattern, 1)
        self.client.on_subscribe = lambda *_: self._subscribed.set()
        self.client.on_message = self._on_message
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        assert self._subscribed.wait(PATIENCE_S)

    def _on_message(self, _client: paho.Client, _data: object, message: paho.MQTTMessage) -> None:
        self.messages.append((message.topic, message.payload, message.retain))

    def payloads(self, topic: str) -> list[bytes]:
        return [payload for found, payload, _ in list(self.messages) if found == topic]

    def latest(self, topic: str) -> bytes | None:
        found = self.payloads(topic)
        return found[-1] if found else None

    def publish(self, topic: str, payload: bytes | str, *, retain: bool = False, properties: object = None) -> None:
        self.client.publish(topic, payload, qos=1, retain=retain, properties=properties).wait_for_publish(PATIENCE_S)

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()
