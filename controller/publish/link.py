"""One connection to a broker, from TCP to its end, driven by the thread that made it.

paho runs no thread of its own here: `step` waits for traffic, lets paho read and write, and leaves what came in lists.
Callbacks run inside `step` and only note things. A link is used once; after its end a new one is made, so nothing that
paho keeps in RAM survives a connection. MQTT 5 or 3.1.1, as `version` says.
"""

import contextlib
import selectors
import socket
import ssl
from typing import Any, Literal

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from firmware_bridge.events import Value

KEEPALIVE_S = 20
WILL_DELAY_S = 3  # who is back so soon after a loss was never away (MQTT 5)
CONNECT_S = 5.0  # for TCP and TLS
_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class Endpoint(Value, frozen=True):
    """Where and as whom to connect, and what the broker says for us when we vanish."""

    host: str
    port: int
    client_id: str
    username: str
    password: str
    will_topic: str
    will_payload: bytes


class Message(Value, frozen=True):
    """What the broker sent."""

    topic: str
    payload: bytes
    retained: bool
    again: bool  # DUP: it may have come before
    response_topic: str | None = None  # MQTT 5: where the sender wants the answer
    correlation: bytes | None = None


class Link:
    """`open`, then `step` until `ended`; in between `publish` and `subscribe`; `close` at last."""

    def __init__(
        self, endpoint: Endpoint, version: Literal[5, 4], wake: socket.socket, tls: ssl.SSLContext | None = None
    ) -> None:
        self.version = version
        self.opened = False  # somebody took the connection
        self.connected = False  # the broker said yes
        self.ended = False
        self.answered = False  # it said anything
        self.wrong_protocol = False
        self.why = ""
        self.acks: list[tuple[int, str | None]] = []  # message id, and why the broker refused it
        self.messages: list[Message] = []
        self._endpoint = endpoint
        self._wake = wake
        self._client = self._make(tls)
        self._selector = selectors.DefaultSelector()
        self._selector.register(wake, _READ)
        self._socket: Any = None

    def _make(self, tls: ssl.SSLContext | None) -> paho.Client:
        five = self.version == 5
        client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=self._endpoint.client_id,
            clean_session=None if five else True,
            protocol=paho.MQTTv5 if five else paho.MQTTv311,
            reconnect_on_failure=False,
        )
        client.connect_timeout = CONNECT_S
        client.max_inflight_messages_set(0)  # our window limits what is on its way
        delay = Properties(PacketTypes.WILLMESSAGE) if five else None  # type: ignore[no-untyped-call]  # paho's lack
        if delay is not None:
            delay.WillDelayInterval = WILL_DELAY_S
        client.will_set(self._endpoint.will_topic, self._endpoint.will_payload, qos=1, retain=True, properties=delay)
        if self._endpoint.username:
            client.username_pw_set(self._endpoint.username, self._endpoint.password or None)
        if tls is not None:
            client.tls_set_context(tls)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_publish = self._on_publish
        client.on_message = self._on_message
        return client

    # ------------------------------------------------------------------ life
    def open(self, *, resume: bool = False) -> None:
        """Connect by TCP (and TLS) and greet the broker. Blocks for `CONNECT_S` at most; OSError where nobody is.

        `resume` takes up the session of a connection that was lost, so that nobody hears of the loss. Only who made
        that session may: he knows which commands he has obeyed, and the broker may tell the last ones again.
        """
        five: Any = {}
        if self.version == 5:
            session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho's lack
            session.SessionExpiryInterval = WILL_DELAY_S  # the will is said when the session ends, be the delay longer
            five = {"clean_start": not resume, "properties": session}
        self._client.connect(self._endpoint.host, self._endpoint.port, KEEPALIVE_S, **five)
        self._socket = self._client.socket()
        self.opened = True
        if self._socket is None:
            self.ended = True
        else:
            self._selector.register(self._socket, _READ | _WRITE)

    def step(self, timeout_s: float) -> None:
        """Wait for traffic or for a wake-up, and let paho do its part."""
        if self._client.want_write():
            self._selector.modify(self._socket, _READ | _WRITE)
        else:
            self._selector.modify(self._socket, _READ)
        for key, mask in self._selector.select(0 if self._pending() else timeout_s):
            if key.fileobj is self._wake:
                self._drain()
            elif mask & _WRITE:
                self._client.loop_write()
        self._client.loop_read()  # also where select saw nothing: TLS may hold bytes of its own
        self._client.loop_misc()
        if self._client.socket() is None:
            self.ended = True

    def close(self) -> None:
        """Take leave of the broker, so that it does not speak our last will."""
        self._client.on_disconnect = None
        self._client.disconnect()
        for _ in range(20):
            if not self._client.want_write():
                break
            self._client.loop_write()
        self.cut()

    def cut(self) -> None:
        """End the connection without a word."""
        self.ended = True
        self._selector.close()
        if self._socket is not None:
            self._socket.close()

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, correlation: bytes | None = None
    ) -> int | None:
        """Send with QoS 1; the message id that `acks` will name, or None where the connection is gone."""
        properties = None
        if correlation is not None and self.version == 5:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # paho's lack
            properties.CorrelationData = correlation
        sent = self._client.publish(topic, payload, qos=1, retain=retain, properties=properties)
        return sent.mid if sent.rc == paho.MQTT_ERR_SUCCESS else None

    def subscribe(self, topics: list[str]) -> None:
        self._client.subscribe([(topic, 1) for topic in topics])

    def _pending(self) -> bool:
        return isinstance(self._socket, ssl.SSLSocket) and self._socket.pending() > 0

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._wake.recv(4096)

    # ------------------------------------------------------------------ paho's callbacks: note, nothing more
    def _on_connect(self, _client: paho.Client, _data: object, _flags: object, reason: ReasonCode, _p: object) -> None:
        self.answered = True
        self.connected = not reason.is_failure
        if reason.is_failure:
            self.wrong_protocol = reason.getName() == "Unsupported protocol version"
            self.why = f"the broker refuses the connection: {reason}"

    def _on_disconnect(self, _client: paho.Client, _data: object, flags: Any, reason: ReasonCode, _p: object) -> None:
        self.ended = True
        if flags.is_disconnect_packet_from_server:
            self.why = f"the broker ended the connection: {reason}"
        self.why = self.why or "connection lost"

    def _on_publish(self, _client: paho.Client, _data: object, mid: int, reason: ReasonCode, _p: object) -> None:
        self.acks.append((mid, str(reason) if reason.is_failure else None))

    def _on_message(self, _client: paho.Client, _data: object, message: paho.MQTTMessage) -> None:
        properties = message.properties
        self.messages.append(
            Message(
                message.topic,
                bytes(message.payload),
                message.retain,
                message.dup,
                getattr(properties, "ResponseTopic", None),
                getattr(properties, "CorrelationData", None),
            )
        )
