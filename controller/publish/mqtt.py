"""MQTT: one thread that tells the broker what happened, and takes commands. No broker never blocks anything.

The core hands over snapshots (`state`) and journal rows (`exchange`), and gets back what the broker acknowledged; the
thread owns the connection. MQTT 5 is tried first, 3.1.1 where the broker refuses it. On each connect commands are
subscribed, then `online`, `info`, discovery and all state are told again (that heals a broker that lost its store),
then the events that are not acknowledged, in order.
"""

import contextlib
import logging
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Literal, Protocol

import msgspec

from controller.authority.gate import Gate
from controller.config.config import MqttSection
from controller.journal.rows import Row
from controller.publish import homeassistant, inbox, security, topics
from controller.publish.link import Endpoint, Link, Message
from controller.publish.machine import Health
from controller.publish.requests import Handler, Reply
from controller.publish.window import SIZE, Retained, Window
from controller.snapshot import DealerSnapshot, Language, Snapshot
from controller.texts.languages import ENGLISH

Status = Literal["off", "connecting", "up", "down"]
CONNACK_S = 10.0  # a broker that says nothing for so long is none
FIRST_DELAY_S, LAST_DELAY_S = 1.0, 15.0  # between attempts: a table is never blind for long
STEP_S = 5.0  # how long a step waits at most; a quarter of the keep-alive
FAREWELL_S = 1.0  # for `offline` to be acknowledged
REPLAY_ROWS = 500  # answers to one request
_LOG = logging.getLogger("betline.mqtt")


class Outbox(Protocol):
    """The part of the journal that a publisher needs; used in the core's thread alone."""

    def unpublished(self, limit: int, after: int | None = None) -> list[Row]: ...
    def public(self, after: int, limit: int) -> list[Row]: ...
    def mark_published(self, n: int) -> None: ...


class Publisher:
    """`start` once; `state` and `exchange` are for the core's thread.

    `handler` takes commands to the core; `wake` tells the core that `exchange` has work or that `status` changed.
    """

    def __init__(
        self,
        settings: MqttSection,
        names: topics.Topics,
        about: topics.About,
        handler: Handler,
        wake: Callable[[], None],
        *,
        language: Language = ENGLISH,
        secrets: security.Secrets | None = None,
        gate: Gate | None = None,
    ) -> None:
        self._settings = settings
        self._topics = names
        self._about = msgspec.structs.replace(about, commands=settings.commands)
        self._handler = handler
        self._wake_core = wake
        self._language = language
        secrets = secrets or security.Secrets()
        self._endpoint = Endpoint(
            settings.host,
            settings.port,
            f"betline-{names.table}",
            settings.username,
            secrets.password,
            names.status,
            topics.OFFLINE,
        )
        self._tls = secrets.tls
        self._inbox = inbox.Inbox(settings.commands, gate or Gate(names.table))
        self._retained = Retained()
        self._flying: dict[int, tuple[str, str | int]] = {}  # message id -> kind and topic or number
        self._version: Literal[5, 4] = 5
        self._was_up = False  # since the start of this process
        self._knows_5 = True  # False: the broker said that it does not
        self._delay_s = FIRST_DELAY_S
        self._status: Status = "connecting" if settings.host else "off"
        self._why = ""
        self._lock = threading.Lock()  # for what both threads touch: the eight below
        self._window: Window | None = None
        self._rows: dict[int, Row] = {}
        self._snapshot: Snapshot | None = None
        self._dealer: DealerSnapshot | None = None
        self._health: Health | None = None
        self._told: deque[tuple[str, bytes, bytes | None]] = deque()  # results: topic, payload, correlation
        self._asked: deque[inbox.Replay] = deque()
        self._replayed: deque[tuple[str, bytes]] = deque()
        self._stopping = threading.Event()
        self._wakes: tuple[socket.socket, socket.socket] | None = None  # out, in
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)

    # ------------------------------------------------------------------ for the core
    def start(self) -> None:
        """Begin to connect; with no host there is nothing to do."""
        if self._settings.host:
            self._wakes = socket.socketpair()
            self._wakes[0].setblocking(False)
            self._thread.start()

    def state(self, snapshot: Snapshot, dealer: DealerSnapshot | None = None) -> None:
        """The table as the public may see it, and under [mqtt] private the dealer's view. Only the latest is kept."""
        with self._lock:
            self._snapshot = snapshot
            self._dealer = dealer if self._topics.private else None
        self._wake()

    def system(self, health: Health) -> None:
        """How machine and readers do."""
        with self._lock:
            self._health = health
        self._wake()

    def exchange(self, journal: Outbox) -> None:
        """Note what the broker has, and hand over what fits. Call it after every commit and when woken."""
        if not self._settings.host:
            return
        with self._lock:
            window = self._window
            done, last, room = (window.done, window.last, window.room) if window else (0, None, SIZE)
            asked = list(self._asked)
            self._asked.clear()
        if done:
            journal.mark_published(done)
        rows = journal.unpublished(room, last) if room else []
        answers = [
            (self._topics.replay(one.client), payload) for one in asked for payload in self._answer(one, journal)
        ]
        if rows or answers:
            with self._lock:
                self._offer(rows)
                self._replayed.extend(answers)
            self._wake()

    @property
    def status(self) -> Status:
        """For the snapshot's `broker`."""
        return self._status

    @property
    def why(self) -> str:
        """Why the broker is not up, or what it refuses; "" where all is well."""
        return self._why

    @property
    def alive(self) -> bool:
        """False when the thread has ended by a fault of ours."""
        return not self._settings.host or self._thread.is_alive()

    def stop(self, timeout_s: float = 2.0) -> None:
        """Say `offline`, and end the thread. What is not acknowledged stays in the journal."""
        self._stopping.set()
        self._wake()
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        if self._wakes is not None and not self._thread.is_alive():
            for end in self._wakes:
                end.close()

    def _offer(self, rows: list[Row]) -> None:
        numbered = {row.n: row for row in rows if row.n is not None}
        if numbered and self._window is None:
            self._window = Window(min(numbered) - 1)
        if self._window is not None:
            self._window.offer((n, topics.event_payload(self._about.epoch, row)) for n, row in numbered.items())
            self._rows = {n: row for n, row in (self._rows | numbered).items() if n > self._window.done}

    def _answer(self, asked: inbox.Replay, journal: Outbox) -> list[bytes]:
        rows = journal.public(asked.after, REPLAY_ROWS)
        payloads = [topics.event_payload(self._about.epoch, row) for row in rows]
        return [*payloads, topics.replay_end(self._about.epoch, asked.after, rows, more=len(rows) == REPLAY_ROWS)]

    def _wake(self) -> None:
        if self._wakes is not None:
            with contextlib.suppress(OSError):  # full: it wakes anyway; closed: it has ended
                self._wakes[1].send(b"x", socket.MSG_DONTWAIT)

    def _become(self, status: Status, why: str) -> None:
        if (status, why) != (self._status, self._why):
            self._status, self._why = status, why
            _LOG.log(logging.INFO if status == "up" and not why else logging.WARNING, "broker is %s %s", status, why)
            self._wake_core()

    # ------------------------------------------------------------------ the thread
    def _run(self) -> None:
        assert self._wakes is not None
        while not self._stopping.is_set():
            link = Link(self._endpoint, self._version, self._wakes[0], self._tls)
            try:
                link.open(resume=self._was_up)
                self._converse(link)
            except OSError as error:  # refused, unreachable, unknown host, bad certificate
                link.why = security.explain(error)
            except Exception as error:  # noqa: BLE001 -- a fault of paho ends this connection, not the thread
                _LOG.exception("the connection is given up")
                link.why = f"the connection is given up: {error}"
            finally:
                link.cut()
            self._afterwards(link)

    def _converse(self, link: Link) -> None:
        """One connection from its opening to its end."""
        opened, greeted = time.monotonic(), False
        while not link.ended:
            link.step(STEP_S if link.connected else 0.5)
            if link.connected and not greeted:
                self._greet(link)
                greeted = True
            elif not link.connected and time.monotonic() - opened > CONNACK_S:
                link.why = "the broker does not answer"
                return
            self._take_acks(link)
            self._take_messages(link)
            if self._stopping.is_set():
                self._farewell(link)
                return
            if link.connected and not link.ended:
                self._send(link)

    def _greet(self, link: Link) -> None:
        names = self._topics
        subscribed = [names.command("+"), names.seat("+"), names.reader("+"), names.dealer]
        self._retained.want(names.status, topics.ONLINE)
        self._retained.want(names.info, topics.info(names, self._about))
        if self._settings.discovery:
            subscribed.append(homeassistant.BIRTH_TOPIC)
            buttons = self._settings.commands not in {"none", "signed"}  # its buttons cannot sign
            found = homeassistant.documents(names, self._about.version, self._language, with_buttons=buttons)
            for topic, payload in found.items():
                self._retained.want(topic, payload)
        link.subscribe(subscribed)
        self._delay_s = FIRST_DELAY_S
        self._was_up = True
        self._become("up", "")

    def _farewell(self, link: Link) -> None:
        """Tell `offline` ourselves; a normal goodbye makes the broker forget our last will."""
        mid = link.publish(self._topics.status, topics.OFFLINE, retain=True) if link.connected else None
        until = time.monotonic() + FAREWELL_S
        while mid is not None and not link.ended and time.monotonic() < until:
            link.step(0.1)
            if any(acked == mid for acked, _ in link.acks):
                mid = None
        link.close()

    def _afterwards(self, link: Link) -> None:
        """The connection has ended: what was on its way goes again; then wait, longer each time in vain."""
        with self._lock:
            if link.connected and self._window is not None and (cause := self._window.lost()) is not None:
                _LOG.error("event %d seems to end the connections: only its numbers are told", cause)
                self._window.replace(cause, topics.stub_payload(self._about.epoch, self._rows[cause]))
            self._told.clear()
            self._replayed.clear()
        self._flying.clear()
        self._retained.forget()
        if self._stopping.is_set():
            return
        self._become("down", link.why)
        wait_s = self._delay_s
        if link.wrong_protocol or (link.opened and not link.answered):
            self._knows_5 = self._version == 4 or not link.wrong_protocol
            self._version = 4 if self._version == 5 else 5
            wait_s = 0 if not self._knows_5 else wait_s
        elif link.connected and self._knows_5:
            self._version = 5  # 3.1.1 was a guess: the broker had closed without a word
        self._delay_s = min(self._delay_s * 2, LAST_DELAY_S)
        self._stopping.wait(wait_s)

    # ------------------------------------------------------------------ to the broker
    def _send(self, link: Link) -> None:
        self._want_state()
        while self._retained.flying < SIZE and (state := self._retained.take()) is not None:
            self._publish(link, *state, kind="state", key=state[0])
        with self._lock:
            while self._window is not None and (event := self._window.take()) is not None:
                self._publish(link, self._topics.events, event[1], kind="event", key=event[0])
            while self._told:
                topic, payload, correlation = self._told.popleft()
                link.publish(topic, payload, correlation=correlation)
            while self._replayed and sum(kind == "replay" for kind, _ in self._flying.values()) < SIZE:
                topic, payload = self._replayed.popleft()
                self._publish(link, topic, payload, kind="replay", key=topic)

    def _want_state(self) -> None:
        """The latest of everything that is retained."""
        names = self._topics
        with self._lock:
            snapshot, self._snapshot = self._snapshot, None
            dealer, self._dealer = self._dealer, None
            health, self._health = self._health, None
        if snapshot is not None:
            for topic, payload in topics.state_messages(names, snapshot, self._language).items():
                self._retained.want(topic, payload)
        if health is not None:
            self._retained.want(names.system, topics.system_message(health))
        private = None if dealer is None else topics.dealer_message(dealer)
        if private is not None:
            self._retained.want(names.dealer, private)

    def _publish(self, link: Link, topic: str, payload: bytes, *, kind: str, key: str | int) -> None:
        mid = link.publish(topic, payload, retain=kind == "state")
        if mid is not None:
            self._flying[mid] = (kind, key)

    def _take_acks(self, link: Link) -> None:
        moved = False
        for mid, refused in link.acks:
            kind, key = self._flying.pop(mid, ("", ""))
            topic = self._topics.events if kind == "event" else str(key)
            if refused is not None:
                self._become("up", f"the broker refuses {topic}: {refused}")
            if kind == "state":
                self._retained.ack(topic)
            elif kind == "event" and refused is None:
                with self._lock:
                    moved |= self._window is not None and self._window.ack(int(key))
        link.acks.clear()
        if moved:
            self._wake_core()

    # ------------------------------------------------------------------ from the broker
    def _take_messages(self, link: Link) -> None:
        messages, link.messages = link.messages, []
        for message in messages:
            if message.topic == homeassistant.BIRTH_TOPIC:
                if message.payload == topics.ONLINE and not message.retained:
                    self._retained.forget()
            elif message.topic.startswith(self._topics.command("")):
                self._command(message)
            elif message.retained and message.payload and message.topic not in self._topics.owned():
                self._retained.want(message.topic, b"")  # a seat or reader that the table has no more

    def _command(self, message: Message) -> None:
        name = message.topic.rpartition("/")[2]
        if not inbox.is_name(name):
            return
        inbound = inbox.Inbound(name, message.payload, message.retained, message.again)
        taken = self._inbox.take(inbound, time.time())
        reply = self._reply(name, getattr(taken, "id", None), message)
        match taken:
            case inbox.Obey():
                self._handler(taken.command, taken.by, reply, taken.n)
            case inbox.Replay():
                with self._lock:
                    self._asked.append(taken)
                self._wake_core()
            case inbox.Ignore():
                reply(taken.why)

    def _reply(self, name: str, identity: str | None, message: Message) -> Reply:
        def reply(error: str | None) -> None:
            payload = topics.result_payload(identity, error)
            with self._lock:
                self._told.append((self._topics.result(name), payload, None))
                if message.response_topic and self._topics.may_answer_on(message.response_topic):
                    self._told.append((message.response_topic, payload, message.correlation))
            self._wake()

        return reply
