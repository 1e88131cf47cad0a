"""A gate in front of a real broker: refuses MQTT 5 in one of the ways that old brokers do, or breaks connections."""

import contextlib
import socket
import threading
from collections.abc import Callable
from typing import Literal

How = Literal["passes", "v5_words", "v3_words", "closes", "closes_once", "garbage"]
ANSWERS: dict[How, bytes] = {
    "v5_words": bytes.fromhex("2003008400"),  # CONNACK, MQTT 5: 0x84 Unsupported Protocol Version
    "v3_words": bytes.fromhex("20020001"),  # CONNACK, MQTT 3.1.1: 0x01 unacceptable protocol version
    "closes": b"",
    "closes_once": b"",
    "garbage": b"\x00\xff\x13HTTP/1.1 400 Bad Request\r\n\r\n",
}


class Gate:
    def __init__(self, broker_port: int, how: How, cut: Callable[[bytes], bool] = lambda _: False) -> None:
        self._broker_port = broker_port
        self._how = how
        self._cut = cut  # ends the connection when the client sent this
        self.levels: list[int] = []  # protocol level of every CONNECT
        self.cuts = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                self._open.append(client)
                self._spawn(self._greet, client)

    def _spawn(self, target: Callable[..., None], *args: socket.socket) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _greet(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connect = client.recv(4096)
            level = connect[connect.index(b"MQTT") + 4]
            self.levels.append(level)
            if level == 5 and self._how in ANSWERS and not self._passes_v5():
                client.sendall(ANSWERS[self._how])
                client.shutdown(socket.SHUT_RDWR)
                return
            broker = socket.create_connection(("127.0.0.1", self._broker_port))
            self._open.append(broker)
            broker.sendall(connect)
            self._spawn(self._copy, broker, client)
            self._copy(client, broker)

    def _passes_v5(self) -> bool:
        """Some do it once and are good brokers afterwards."""
        return self._how in {"garbage", "closes_once"} and len(self.levels) > 1

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if self._cut(data):
                    self.cuts += 1
                    break
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for end in self._open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)
        for end in self._open:
            end.close()
