"""The controller: one core thread that owns state and journal, and everything around it.

    port threads --> mailbox --> core thread --> journal (committed first) --> feeds, MQTT, lights, focus
    feed, MQTT and pin threads --> mailbox --^

The core empties its mailbox, hands everything to the pure core, commits once per batch, and only then answers commands,
shows snapshots and wakes the outbox. Snapshots are made at most every `PICTURE_NS`.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from controller.commands import OUTSIDE, NotAChip
from controller.config.config import Config
from controller.core.core import Core
from controller.picture import picture
from controller.publish import machine
from controller.publish.requests import Reply
from controller.recording.recorder import Recorder
from controller.registry import ignored
from controller.service.mailbox import Mailbox, Sent
from controller.service.notify import MEALS, Notify
from controller.service.opening import Opened, Opening
from controller.service.reader_log import ReaderLog
from controller.snapshot import Text
from controller.table.events import Event, HandEnded, Misdealt, Refused
from controller.texts.sentences import sentence
from firmware_bridge.events import ReaderEvent

PICTURE_NS = 50_000_000  # 20 snapshots a second at most
IDLE_S = 1.0  # the core looks up at least so often: watchdog, stop
_LOG = logging.getLogger("betline")


class Observer(Protocol):
    """Somebody in the same process who sees what the core thread does, after each commit. Must not block.

    The core is there to be looked at, during the call.
    """

    def took(self, event: ReaderEvent) -> None: ...
    def committed(self, events: Sequence[Event], core: Core) -> None: ...


class Service:
    """A table that runs. `run` blocks until `stop` is called, from any thread or signal handler."""

    def __init__(
        self, config: Config, config_file: Path, observer: Observer | None = None, recorder: Recorder | None = None
    ) -> None:
        self._config = config
        self._opening = Opening(config, config_file)
        self._observer = observer
        self._recorder = recorder
        self._mail = Mailbox()
        self.ready = threading.Event()

    def stop(self) -> None:
        self._mail.stop()

    def check(self) -> None:
        """Whether it would open, as far as can be seen without opening anything; BetlineError at the first fault."""
        self._opening.check()

    def run(self, when_open: Callable[[], None] = lambda: None) -> None:
        """Open everything, serve, close everything; BetlineError where something cannot be opened."""
        notify = Notify()
        with self._opening.opened(self._mail, self._recorder) as opened:
            loop = _Loop(self._config, opened, self._mail, notify, observer=self._observer, recorder=self._recorder)
            notify.ready(f"table {self._config.table.name} is open")
            self.ready.set()
            _LOG.info("table %s is open: %d seats", self._config.table.name, self._config.table.seats)
            when_open()
            try:
                while not self._mail.stopping:
                    loop.turn()
            finally:
                notify.stopping()


class _Loop:
    """What the core's thread does, one turn after the other. All else that is open is in `opened`."""

    def __init__(
        self,
        config: Config,
        opened: Opened,
        mail: Mailbox,
        notify: Notify,
        *,
        observer: Observer | None,
        recorder: Recorder | None,
    ) -> None:
        self._config = config
        self._opened = opened
        self._core, self._journal, self._publisher = opened.core, opened.journal, opened.publisher
        self._mail = mail
        self._notify = notify
        self._observer = observer
        self._recorder = recorder
        self._outcome: list[tuple[Event, int, int]] = []  # decided, not yet committed
        self._answers: list[tuple[Reply, str | None]] = []
        self._refusal: Text | None = None
        self._shown = (-1, "")  # version of the core and broker status of the last snapshot
        self._shown_ns = -PICTURE_NS
        self._opened_ns = time.monotonic_ns()
        self._measured_ns = -machine.EVERY_NS  # when the machine was looked at last
        self._focus: tuple[tuple[str, int], ...] = ()
        self._questions: Mapping[tuple[str, int], tuple[str, ...]] = {}
        self._reader_log = ReaderLog()
        self._steps = 0  # m of the sequential test, as it was logged last

    def turn(self) -> None:
        """One batch: everything that waits, one commit, then its effects."""
        for item in self._mail.batch(self._patience_s()):
            self._take(item)
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
        self._opened.feeds.beat()
        if self._publisher.alive and self._opened.feeds.alive:
            self._notify.alive(now_ns)

    def _log_steps(self) -> None:
        """A line for the m that the table begins with, and whenever the antennas need another."""
        steps = self._core.steps
        if steps != self._steps:
            change = f"; it was {self._steps}: the antennas have changed" if self._steps else ""
            _LOG.info("reading: %d scans must agree before a chip has moved (steps)%s", steps, change)
            self._steps = steps

    def _patience_s(self) -> float:
        now_ns = time.monotonic_ns()
        due = [self._core.wake_at_ns(), self._picture_due_ns(now_ns)]
        waits = [max(0, at_ns - now_ns) / 1e9 for at_ns in due if at_ns is not None]
        watchdog_s = self._notify.watchdog_s
        return min([IDLE_S, *waits] if watchdog_s is None else [IDLE_S, watchdog_s / MEALS, *waits])

    # ------------------------------------------------------------------ what comes in
    def _take(self, item: ReaderEvent | Sent) -> None:
        if isinstance(item, Sent):
            self._obey(item)
            return
        if self._recorder is not None:
            self._recorder.took(item)
        self._follow(self._core.take(item), time.monotonic_ns())
        if self._observer is not None:
            self._observer.took(item)

    def _obey(self, sent: Sent) -> None:
        if self._recorder is not None:
            self._recorder.told(sent.command, sent.by, sent.at_ns, sent.n)
        events = self._core.command(sent.command, sent.by, sent.at_ns, sent.n)
        refusal = refusal_of(events)
        if sent.by not in OUTSIDE:
            self._refusal = refusal
        self._note(events, sent.at_ns)
        self._answers.append((sent.reply, refusal[self._config.screen.language] if refusal else None))
        if isinstance(sent.command, NotAChip) and refusal is None:
            self._keep_ignored()

    def _keep_ignored(self) -> None:
        file = self._opened.ignored
        try:
            ignored.save(file, self._core.ignored)
        except OSError as error:
            _LOG.warning("%s: %s: the tag is asked for again after a restart", file, error.strerror)

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
            if any(isinstance(event, HandEnded | Misdealt) for event, _, _ in batch):
                self._journal.settle(self._core.state)
        if self._recorder is not None:
            self._recorder.committed([event for event, _, _ in batch])
        if self._observer is not None:
            self._observer.committed([event for event, _, _ in batch], self._core)

    # ------------------------------------------------------------------ effects
    def _release(self, now_ns: int) -> None:
        answers, self._answers = self._answers, []
        for reply, error in answers:
            reply(error)
        focus = self._core.focus()
        if focus != self._focus:
            self._focus = focus
            self._opened.bridge.focus(focus)
        questions = self._core.questions()
        if questions != self._questions:
            self._questions = questions
            self._opened.bridge.ask(questions)
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
            self._config.table.name,
            self._journal.epoch,
            self._journal.last_n,
            self._publisher.status,
            self._refusal,
            self._opened.chip_colours,
        )
        public, dealer = picture.pictures(self._core.seen(), outside)
        self._opened.feeds.show(public, dealer)
        self._publisher.state(public, dealer)
        if self._opened.panel is not None:
            self._opened.panel.show_turn(public.to_act)


def refusal_of(events: Iterable[Event]) -> Text | None:
    """Why something that was said is not legal now, in words."""
    refused = next((event for event in events if isinstance(event, Refused)), None)
    return sentence(refused.why, {**refused.numbers, "seat": refused.seat or 0}) if refused else None
