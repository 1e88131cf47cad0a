"""`betline replay FILE.betrec`: the bytes of a recording through drivers, tracking and core again, in virtual time.

What a service records is everything that its parts are given, so playing it again gives the same to the last field,
or today's betline differs from the one that recorded. The first difference of each kind is named: bytes sent to a
reader, events of a reader, events of the core. A recording without the core's timers (`betline record` alone) is
played with timers where they fall due.
"""

import time
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from controller.core import build
from controller.errors import RecordingError
from controller.journal.rows import kind_of
from controller.recording.file import SUFFIX, Given, Header, Line, Recording, Tick
from controller.registry.registry import Registry
from controller.rulings.profiles import ProfileError
from controller.rulings.rules import Rules
from controller.table import version_1
from controller.table.events import Event
from controller.table.inputs import Told
from firmware_bridge.events import ReaderEvent, ScanRound
from simulator.rehearsal.ports import GAP, Heard, RecordedPort, port_of, setups, time_of
from simulator.rehearsal.recording_verdict import Difference, Verdict, What, unlike

S = 1e9


def is_recording(path: Path) -> bool:
    return path.suffix == SUFFIX


def play_all(files: Sequence[Path]) -> Iterator[Verdict]:
    """A verdict a recording, in order."""
    hands = [path for path in files if not is_recording(path)]
    if hands:
        raise RecordingError(f"{hands[0]}: give hands or recordings, not both at once")
    yield from map(play, files)


def play(path: Path) -> Verdict:
    """Play one recording to its end."""
    began = time.perf_counter()
    with Recording(path) as recording:
        replay = Replay(recording.header, str(path))
        for line in recording.lines():
            if not replay.take(line):
                break
        replay.end(torn=recording.torn)
    return replay.verdict(time.perf_counter() - began)


def _rules(header: Header, source: str) -> Rules:
    name = header.table.table.profile
    if header.profile is not None:
        return Rules(header.profile)
    if name.endswith(".toml"):
        raise RecordingError(f"{source}: its table has a house profile, {name}, and the file does not hold it")
    try:
        return Rules.named(name)
    except ProfileError as error:
        raise RecordingError(f"{source}: [table], key 'profile': {error}") from error


class Replay:
    """Ports and core of the recorded table; `take` line after line, `end`, and ask for the `verdict`."""

    def __init__(self, header: Header, source: str) -> None:
        if not header.items:
            raise RecordingError(f"{source}: holds no chips or cards, so no table can be played: try betline decode")
        self._header, self._source = header, source
        self._holds = holds = frozenset(header.holds)
        self._ports: dict[str, RecordedPort] = {}
        if "bytes" in holds and ("calls" in holds or "rounds" not in holds):  # else the rounds are played as they are
            self._ports = {name: port_of(setup, header) for name, setup in setups(header).items()}
        self._heard = {port: Heard() for port in self._ports}
        self._core = build.core(header.table, Registry(header.items), _rules(header, source), header.state, header.n)
        self._decided: deque[Event] = deque()  # and not yet compared
        self._first_ns = self._last_ns = 0
        self._lines = self._inputs = self._rounds = self._events = self._replayed = 0
        self._of_reader: dict[str, int] = {}
        self._differences: dict[str, Difference] = {}
        self._notices: list[str] = []
        self._lost = 0

    def take(self, line: Line) -> bool:
        """One line; False where the core failed and nothing can follow."""
        self._lines += 1
        self._first_ns = self._first_ns or line.t
        self._last_ns = max(self._last_ns, line.t)
        try:
            self._one(line)
        except RecordingError:
            raise
        except Exception as error:  # the very thing that a recording may have been sent for
            place = traceback.extract_tb(error.__traceback__)[-1]
            meaning = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
            self._differ("core", self._lines + 1, "the core fails at this line", None, meaning)
            return False
        return True

    def _one(self, line: Line) -> None:
        match line:
            case Line(given=given) if given is not None:
                self._given(given)
            case Line(event=event) if event is not None:
                self._compare(event)
            case Line(dropped=lost) if lost:
                self._lost += lost
                self._notices.append(f"{lost} lines are missing at {self._at_s()} s: what follows may differ")
            case Line(port=port) if port:
                self._wire(line)

    def end(self, *, torn: bool) -> None:
        """The last line was taken."""
        if torn:
            self._notices.append(f"stops without its end mark, its recorder was killed: played {self._lines} lines")
        left = None if torn or self._lost or "events" not in self._holds else next(iter(self._decided), None)
        if left is not None and self._events:
            self._differ("event", self._events + 1, kind_of(left), None, msgspec.to_builtins(left))

    # ------------------------------------------------------------------ ports
    def _wire(self, line: Line) -> None:
        if not self._ports:
            return
        port = self._ports.get(line.port)
        if port is None:
            raise RecordingError(f"{self._source}: names port {line.port!r}, which its table does not have")
        if line.tx is not None:
            if (other := port.differs(line)) is not None:
                self._differ("sent", self._lines + 1, line.port, *other)
            return
        found = port.take(line)
        if "rounds" in self._holds:
            self._heard[line.port].add(found)
            return
        for event in found:
            if event is not GAP:
                self._feed(event)

    def _expected(self, recorded: ReaderEvent) -> Iterator[ReaderEvent]:
        """What the driver says now in the place of what its reader's port said when it was recorded."""
        self._of_reader[recorded.reader] = number = self._of_reader.get(recorded.reader, 0) + 1
        heard = self._heard.get(recorded.reader)
        if heard is None or heard.matches(recorded):
            yield recorded
            return
        now = msgspec.to_builtins(heard.first())
        self._differ("reader", number, recorded.reader, msgspec.to_builtins(recorded), now)
        yield from heard.due(time_of(recorded))

    # ------------------------------------------------------------------ core
    def _given(self, given: Given) -> None:
        match given:
            case Tick():
                self._inputs += 1
                self._decide(self._core.tick(given.at_ns))
            case Told():
                self._inputs += 1
                self._let_pass(given.at_ns)
                self._decide(self._core.command(given.command, given.by, given.at_ns, given.n))
            case _:
                for event in self._expected(given):
                    self._feed(event)

    def _feed(self, event: ReaderEvent) -> None:
        self._inputs += 1
        self._rounds += isinstance(event, ScanRound)
        self._let_pass(time_of(event))
        self._decide(self._core.take(event))

    def _let_pass(self, to_ns: int) -> None:
        """Timers of the core, where nobody recorded them."""
        if "ticks" in self._holds:
            return
        while (due_ns := self._core.wake_at_ns()) is not None and 0 < due_ns <= to_ns:
            self._decide(self._core.tick(due_ns))
            if self._core.wake_at_ns() == due_ns:
                return

    def _decide(self, events: Sequence[Event]) -> None:
        self._replayed += len(events)
        if "events" in self._holds:
            self._decided += events

    def _compare(self, recorded: Event) -> None:
        self._events += 1
        now = self._decided.popleft() if self._decided else None
        if now is not None and self._header.betrec == 1:
            now = version_1.as_written(now)
        if now == recorded:
            return
        before, after = msgspec.to_builtins(recorded), msgspec.to_builtins(now)
        found = next(unlike(before, after, kind_of(recorded)), None)
        if found is not None:
            self._differ("event", self._events, *found)

    # ------------------------------------------------------------------ verdict
    def _differ(self, what: What, number: int, where: str, recorded: object, now: object) -> None:
        self._differences.setdefault(what, Difference(what, number, self._at_s(), where, recorded, now))

    def _at_s(self) -> float:
        return round((self._last_ns - self._first_ns) / S, 3)

    def verdict(self, elapsed_s: float) -> Verdict:
        compared = self._events or (self._ports and "rounds" in self._holds)
        return Verdict(
            file=self._source,
            version=self._header.version,
            exact=not self._differences if compared or self._differences else None,
            seconds=self._at_s(),
            inputs=self._inputs,
            rounds=self._rounds,
            events=self._events,
            replayed=self._replayed,
            differences=tuple(self._differences.values()),
            notices=tuple(self._notices),
            elapsed_s=round(elapsed_s, 3),
        )
