"""The controller: one core thread that owns state and journal, and everything around it.

    port threads --> queue --> core thread --> journal (committed first) --> feeds, MQTT, lights, focus
    feed, MQTT and pin threads --> queue --^

The core drains its queue, hands everything to the pure core, commits once per batch, and only then answers commands,
shows snapshots and wakes the outbox. Snapshots are made at most every `PICTURE_NS`.
"""

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from controller.commands import By, Command, NotAChip
from controller.config.config import Config, beside
from controller.core import build
from controller.core.core import Core
from controller.errors import ConfigError, JournalError
from controller.journal import file as journal_file
from controller.journal.book import Journal
from controller.picture import picture
from controller.publish import machine
from controller.publish.feeds import Feeds, check_place
from controller.publish.mqtt import Publisher
from controller.publish.requests import Reply
from controller.publish.security import Secrets
from controller.publish.topics import About, Topics
from controller.recording.file import Kind
from controller.recording.recorder import Recorder, header_of
from controller.registry import ignored, registry
from controller.rulings.profiles import ProfileError
from controller.rulings.rules import Rules
from controller.service.gpio import Panel, pin_factory
from controller.service.intake import Intake
from controller.service.notify import MEALS, Notify
from controller.service.reader_log import ReaderLog
from controller.snapshot import Text
from controller.table.events import Event, Refused
from controller.table.evolve import evolve
from controller.table.state import State
from controller.texts.sentences import sentence
from firmware_bridge.bridge import Bridge
from firmware_bridge.events import ReaderEvent, Value
from firmware_bridge.files import no_file
from firmware_bridge.port_cures import trouble_of

PICTURE_NS = 50_000_000  # 20 snapshots a second at most
IDLE_S = 1.0  # the core looks up at least so often: watchdog, stop
RECORDED: tuple[Kind, ...] = ("bytes", "calls", "rounds", "ticks", "events")
FAREWELL_S = 1.0  # for MQTT to say goodbye: whoever ends the table waits for it
MOST_AT_ONCE = 512  # items of one batch: bounds the time to the first commit under load
_LOG = logging.getLogger("betline")


class Told(Value, frozen=True):
    """A command on its way to the core."""

    at_ns: int
    command: Command
    by: By
    reply: Callable[[str | None], None]


class Observer(Protocol):
    """Somebody in the same process who sees what the core thread does, after each commit. Must not block."""

    def took(self, event: ReaderEvent) -> None: ...
    def committed(self, events: Sequence[Event], *, settling: bool) -> None: ...


class Service:
    """A table that runs. `run` blocks until `stop` is called, from any thread or signal handler."""

    def __init__(
        self, config: Config, config_file: Path, observer: Observer | None = None, recorder: Recorder | None = None
    ) -> None:
        self._observer = observer
        self._recorder = recorder
        self.config = config
        self._file = config_file
        self._queue: queue.SimpleQueue[ReaderEvent | Told | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._intake = Intake(self._queue.put, self._stopping.wait)
        self._notify = Notify()
        self._outcome: list[tuple[Event, int, int]] = []  # decided, not yet committed
        self._answers: list[tuple[Reply, str | None]] = []
        self._refusal: Text | None = None
        self._shown = (-1, "")  # version of the core and broker status of the last snapshot
        self._shown_ns = -PICTURE_NS
        self._opened_ns = time.monotonic_ns()
        self._measured_ns = -machine.EVERY_NS  # when the machine was looked at last
        self._focus: tuple[tuple[str, int], ...] = ()
        self._reader_log = ReaderLog()
        self._steps = 0  # m of the sequential test, as it was logged last
        self.ready = threading.Event()

    def stop(self) -> None:
        self._stopping.set()
        self._queue.put(None)

    def run(self) -> None:
        """Open everything, serve, close everything; BetlineError where something cannot be opened."""
        with contextlib.ExitStack() as stack:
            self._open(stack)
            self._notify.ready(f"table {self.config.table.name} is open")
            self.ready.set()
            _LOG.info("table %s is open: %d seats", self.config.table.name, self.config.table.seats)
            try:
                while not self._stopping.is_set():
                    self._turn()
            finally:
                self._notify.stopping()

    def check(self) -> None:
        """Read what `run` needs, and look at its ports without opening them; ConfigError at the first fault.

        `run` itself goes on without a port: a reader may be plugged in later.
        """
        path = beside(self._file, self.config.journal.path)
        self._load_registry(path)
        self._rules()
        journal_file.check_kind(path, create=True)
        for name in (self.config.sockets.public, self.config.sockets.dealer):
            check_place(beside(self._file, name))
        self._secrets()
        for number, reader in enumerate(self.config.reader, 1):
            trouble = trouble_of(reader.port)
            if trouble is not None:
                raise ConfigError(f"{self._file}: [[reader]] no. {number}, key 'port': {trouble}")

    def _secrets(self) -> Secrets:
        """What [mqtt] names beside table.toml: password, key, certificates."""
        try:
            return Secrets.of(self.config.mqtt, self._file.parent)
        except ConfigError as error:
            raise ConfigError(f"{self._file}: {error}") from error

    # ------------------------------------------------------------------ open and close
    def _load_registry(self, journal: Path) -> None:
        table = self.config.table
        self._check_names(journal)
        self._ignored_file = ignored.file_for(journal)
        tags = ignored.load(self._ignored_file)
        items = registry.load(beside(self._file, table.chips), [beside(self._file, name) for name in table.cards])
        self._registry = ignored.extend(items, tags)

    def _check_names(self, journal: Path) -> None:
        """The files that table.toml names are files, each under its key."""
        named = [("[table], key 'chips'", self.config.table.chips)]
        named += [("[table], key 'cards'", name) for name in self.config.table.cards]
        for where, name in named:
            path = beside(self._file, name)
            fault = no_file(path) if path.name else "is a folder: name a file in it"
            if fault is None and not path.exists():
                fault = "is not there: enrol it (betline enroll), or mend the name"
            if fault is not None:
                raise ConfigError(f"{self._file}: {where}: {path} {fault}")
        fault = no_file(journal)
        if fault is not None:
            raise ConfigError(f"{self._file}: [journal], key 'path': {journal} {fault}")

    def _open(self, stack: contextlib.ExitStack) -> None:
        config, table = self.config, self.config.table
        path = beside(self._file, config.journal.path)
        self._load_registry(path)
        rules = self._rules()
        self._journal = Journal.open(path)
        stack.callback(self._journal.close)
        state = self._recovered(rules, path)
        self._core = build.core(config, self._registry, rules, state)
        self._begin_recording(stack, rules, state)
        self._publisher = Publisher(
            config.mqtt,
            Topics(table.name, table.seats, tuple(reader.id for reader in config.reader), config.mqtt.private),
            About(self._journal.epoch, self._journal.boot, version("betline")),
            self._handle,
            self._wake,
            language=config.screen.language,
            secrets=self._secrets(),
        )
        self._feeds = Feeds(
            beside(self._file, config.sockets.public), beside(self._file, config.sockets.dealer), self._handle
        )
        self._feeds.start()
        stack.callback(self._feeds.stop)
        self._panel = self._open_panel()
        if self._panel is not None:
            stack.callback(self._panel.close)
        self._publisher.start()
        stack.callback(self._publisher.stop, FAREWELL_S)
        self._bridge = Bridge(build.readers(config), self._intake.put, self._recorder.tap if self._recorder else None)
        self._bridge.start()
        stack.callback(self._bridge.close)

    def _rules(self) -> Rules:
        """The house profile: a name that betline knows, or a TOML file beside table.toml."""
        profile = self.config.table.profile
        try:
            return Rules.named(str(beside(self._file, profile)) if profile.endswith(".toml") else profile)
        except ProfileError as error:
            raise ConfigError(f"{self._file}: [table], key 'profile': {error}") from error

    def _recovered(self, rules: Rules, path: Path) -> State | None:
        """The state that the journal left; None for a new one."""
        if not self._journal.last_seq:
            return None
        fresh = build.engine(self.config, self._registry, rules).initial(self.config.table.seats, self.config.game)
        try:
            state = self._journal.replay(evolve, fresh)
        except (IndexError, AssertionError) as error:
            raise JournalError(
                f"{path}: its events do not fit this table, which has {len(fresh.table.seats)} seats: "
                "put [table] seats back, or change [journal] path to begin a new one"
            ) from error
        _LOG.info("%s: %d events replayed", path, self._journal.last_seq)
        return state

    def _begin_recording(self, stack: contextlib.ExitStack, rules: Rules, state: State | None) -> None:
        if self._recorder is not None:
            profile = rules.profile if self.config.table.profile.endswith(".toml") else None
            items = tuple(self._registry.items.values())
            self._recorder.begin(header_of(self.config, items, RECORDED, profile, state))
            stack.callback(self._recorder.close)

    def _open_panel(self) -> Panel | None:
        config = self.config
        if not config.button and not config.light:
            return None
        return Panel(config, self._press, pin_factory(config.pin_factory))

    @property
    def core(self) -> Core:
        """The pure core, for an `Observer`: only in the core thread, and to look at."""
        return self._core

    # ------------------------------------------------------------------ for other threads
    def _handle(self, command: Command, by: By, reply: Reply) -> None:
        self._queue.put(Told(time.monotonic_ns(), command, by, reply))

    def _press(self, command: Command, by: By) -> None:
        self._handle(command, by, lambda error: _LOG.info("button: %s", error) if error else None)

    def _wake(self) -> None:
        self._queue.put(None)

    # ------------------------------------------------------------------ the core thread
    def _turn(self) -> None:
        """One batch: everything that waits, one commit, then its effects."""
        self._drain()
        now_ns = time.monotonic_ns()
        due_ns = self._core.wake_at_ns()
        if due_ns is not None and due_ns <= now_ns:
            if self._recorder is not None:
                self._recorder.ticked(now_ns)
            self._follow(self._core.tick(now_ns), now_ns)
        self._reader_log.look(self._core.known.readers, now_ns)
        self._log_steps()
        self._commit()
        self._release(now_ns)
        self._feeds.beat()
        if self._publisher.alive and self._feeds.alive:
            self._notify.alive(now_ns)

    def _log_steps(self) -> None:
        """A line for the m that the table begins with, and whenever the antennas need another."""
        steps = self._core.tracker.steps
        if steps != self._steps:
            change = f"; it was {self._steps}: the antennas have changed" if self._steps else ""
            _LOG.info("reading: %d scans must agree before a chip has moved (steps)%s", steps, change)
            self._steps = steps

    def _drain(self) -> None:
        try:
            item = self._queue.get(timeout=self._patience_s())
            for _ in range(MOST_AT_ONCE):
                self._take(item)
                item = self._queue.get_nowait()
            self._take(item)
        except queue.Empty:
            return

    def _patience_s(self) -> float:
        now_ns = time.monotonic_ns()
        due = [self._core.wake_at_ns(), self._picture_due_ns(now_ns)]
        waits = [max(0, at_ns - now_ns) / 1e9 for at_ns in due if at_ns is not None]
        watchdog_s = self._notify.watchdog_s
        return min([IDLE_S, *waits] if watchdog_s is None else [IDLE_S, watchdog_s / MEALS, *waits])

    def _take(self, item: ReaderEvent | Told | None) -> None:
        match item:
            case None:
                return
            case Told():
                self._obey(item)
            case _:
                self._intake.took(item)
                if self._recorder is not None:
                    self._recorder.took(item)
                self._follow(self._core.take(item), time.monotonic_ns())
                if self._observer is not None:
                    self._observer.took(item)

    def _obey(self, told: Told) -> None:
        if self._recorder is not None:
            self._recorder.told(told.command, told.by, told.at_ns)
        events = self._core.command(told.command, told.by, told.at_ns)
        refusal = refusal_of(events)
        if told.by != "mqtt":
            self._refusal = refusal
        self._note(events, told.at_ns)
        self._answers.append((told.reply, refusal[self.config.screen.language] if refusal else None))
        if isinstance(told.command, NotAChip) and refusal is None:
            self._keep_ignored()

    def _keep_ignored(self) -> None:
        try:
            ignored.save(self._ignored_file, self._core.tracker.ignored)
        except OSError as error:
            _LOG.warning("%s: %s: the tag is asked for again after a restart", self._ignored_file, error.strerror)

    def _follow(self, events: list[Event], at_ns: int) -> None:
        """What came of antennas and timers; a word that waited for a push may be refused by now."""
        self._refusal = refusal_of(events) or self._refusal
        self._note(events, at_ns)

    def _note(self, events: list[Event], at_ns: int) -> None:
        wall_ms = time.time_ns() // 1_000_000
        self._outcome += [(event, at_ns, wall_ms) for event in events]

    def _commit(self) -> None:
        """On disk before anybody hears of it. A disk that does not take it ends the service: nothing was announced."""
        batch, self._outcome = self._outcome, []
        if batch:
            self._journal.append(batch)
        if self._recorder is not None:
            self._recorder.committed([event for event, _, _ in batch])
        if self._observer is not None:
            self._observer.committed([event for event, _, _ in batch], settling=self._core.settling)

    # ------------------------------------------------------------------ effects
    def _release(self, now_ns: int) -> None:
        answers, self._answers = self._answers, []
        for reply, error in answers:
            reply(error)
        focus = self._core.focus()
        if focus != self._focus:
            self._focus = focus
            self._bridge.focus(focus)
        due_ns = self._picture_due_ns(now_ns)
        if due_ns is not None and due_ns <= now_ns:
            self._show(now_ns)
        if now_ns >= self._measured_ns + machine.EVERY_NS:
            self._measured_ns = now_ns
            self._publisher.system(self._health(now_ns))
        self._publisher.exchange(self._journal)

    def _health(self, now_ns: int) -> machine.Health:
        readers = self._core.known.readers.values()
        return machine.Health(
            machine.measure(self._journal.path),
            (now_ns - self._opened_ns) // 1_000_000_000,
            self._journal.last_n - self._journal.published_n,
            len(readers),
            sum(reader.state == "up" for reader in readers),
            sum(reader.bad_frames for reader in readers),
        )

    def _picture_due_ns(self, now_ns: int) -> int | None:
        if self._shown == (self._core.version, self._publisher.status):
            return None
        return max(now_ns, self._shown_ns + PICTURE_NS)

    def _show(self, now_ns: int) -> None:
        self._shown = (self._core.version, self._publisher.status)
        self._shown_ns = now_ns
        outside = picture.Outside(
            self.config.table.name, self._journal.epoch, self._journal.last_n, self._publisher.status, self._refusal
        )
        public, dealer = picture.pictures(self._core.seen(), outside)
        self._feeds.show(public, dealer)
        self._publisher.state(public, dealer)
        if self._panel is not None:
            self._panel.show_turn(public.to_act)


def refusal_of(events: Iterable[Event]) -> Text | None:
    """Why something that was said is not legal now, in words."""
    refused = next((event for event in events if isinstance(event, Refused)), None)
    return sentence(refused.why, {**refused.numbers, "seat": refused.seat or 0}) if refused else None
