"""A reader and the person in front of it: rounds from the one, typed lines from the other, and what is told back."""

import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from controller.registry.enrolment import EnrolmentError, Settling
from firmware_bridge.drivers.catalog import make
from firmware_bridge.errors import OptionError, PortError
from firmware_bridge.events import ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound
from firmware_bridge.listener import Listener
from firmware_bridge.port import Port

if TYPE_CHECKING:
    from rich.progress import Progress

LOOK_S = 0.1  # how often typed lines are looked at while the reader is silent
ANSWER_S = 10.0  # a reader that said nothing for so long will say nothing: boards boot in 3 s
MOST_INCOMPLETE = 10  # rounds that were not complete, and none that was


class Lines:
    """Typed lines, read by a thread of its own, so that a reader can be watched meanwhile."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._waiting: deque[str] = deque()
        self._ended = False
        self._thread = threading.Thread(target=self._read, name="typed", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        for line in sys.stdin:
            self._queue.put(line.strip())
        self._queue.put(None)

    def _take(self, line: str | None) -> None:
        if line is None:
            self._ended = True
        else:
            self._waiting.append(line)

    def command(self, words: Iterable[str]) -> str | None:
        """The next line, if it is one of these words; other lines wait for their question."""
        while not self._queue.empty():
            self._take(self._queue.get())
        if self._waiting and self._waiting[0].lower() in words:
            return self._waiting.popleft().lower()
        return None

    def ask(self, question: str, default: str = "") -> str | None:
        """The answer, `default` for an empty one; None: there is nobody to answer."""
        sys.stdout.write(f"{question} [{default}]: " if default else f"{question}: ")
        sys.stdout.flush()
        while not self._waiting and not self._ended:
            self._take(self._queue.get())
        if not self._waiting:
            sys.stdout.write("\n")
            return None
        return self._waiting.popleft() or default


class Teller(Protocol):
    """How it goes, in words and as a share from 0 to 1; and what happened, a line each."""

    def progress(self, text: str, share: float) -> None: ...
    def line(self, text: str) -> None: ...
    def pause(self) -> None: ...


class Silent:
    """For scripts that read JSON."""

    def progress(self, text: str, share: float) -> None:
        pass

    def line(self, text: str) -> None:
        pass

    def pause(self) -> None:
        pass


class Plain:
    """Without a terminal: a line whenever the words change."""

    def __init__(self) -> None:
        self._told = ""

    def progress(self, text: str, share: float) -> None:
        del share
        if text != self._told:
            self.line(text)
        self._told = text

    def line(self, text: str) -> None:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def pause(self) -> None:
        self._told = ""


class Bar:
    """On a terminal: a progress bar that stays in place."""

    def __init__(self) -> None:
        self._live: Progress | None = None

    def progress(self, text: str, share: float) -> None:
        if self._live is None:
            self._live = _bar()
            self._live.start()
        self._live.update(self._live.task_ids[0], description=text, completed=share)
        self._live.refresh()

    def line(self, text: str) -> None:
        self.pause()
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def pause(self) -> None:
        """Give the terminal back, for a question."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def _bar() -> "Progress":
    from rich.progress import BarColumn, Progress, TextColumn

    text = TextColumn("{task.description}", markup=False)
    bar = Progress(BarColumn(20), text, auto_refresh=False, transient=True)
    bar.add_task("", total=1.0)
    return bar


def teller(*, quiet: bool) -> Teller:
    if quiet:
        return Silent()
    return Bar() if sys.stdout.isatty() else Plain()


class Desk:
    """One reader on its port. Use it with `with`; `rounds` gives what its antenna sees."""

    def __init__(self, port: str, driver: str, antenna: int | None, options: Iterable[str] = ()) -> None:
        numbers = (antenna,) if antenna is not None else ()
        self.port, self.driver, self.antenna = port, driver, antenna
        self._heard = Listener()
        self._line = Port(driver, port, make(driver, driver, numbers, dict(map(pair, options))), self._heard.put)
        self._answered = False
        self._guessed = False  # the antenna: the first that was heard
        self.trouble = ""

    def __enter__(self) -> Self:
        self._line.start()
        if self.antenna is not None:
            self._line.focus((self.antenna,))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._line.close()

    def forget(self) -> None:
        """Pass over the rounds that came while nobody looked."""
        self._heard.forget(self._look)

    def rounds(self) -> Iterator[ScanRound | None]:
        """Rounds of the antenna as they come, None when there is none for a while and after a loss.

        `PortError`: the port cannot be opened, or nobody answers there. `EnrolmentError`: which antenna?
        """
        began_s = time.monotonic()
        while True:
            event = self._heard.get(LOOK_S)
            seen = None if event is None else self._look(event)
            if not self._answered and time.monotonic() - began_s > ANSWER_S:
                raise PortError(self._mute())
            yield seen

    def _look(self, event: ReaderEvent) -> ScanRound | None:
        match event:
            case ScanRound():
                self._answered, self.trouble = True, ""
                return event if self._is_mine(event.antenna) else None
            case ReaderUp():
                self._answered = True
            case ReaderLost():
                if not self._line.was_open:
                    raise PortError(event.why)
                self.trouble = event.why
            case ReaderFault():
                self.trouble = f"{event.code}: {event.meaning}"
            case _:
                pass
        return None

    def _is_mine(self, antenna: int) -> bool:
        if self.antenna is None:
            self.antenna, self._guessed = antenna, True
        elif antenna != self.antenna and self._guessed:
            first, second = sorted((antenna, self.antenna))
            raise EnrolmentError(
                f"{self.port}: this reader has several antennas ({first}, {second} ...): choose one: --antenna {first}"
            )
        return antenna == self.antenna

    def _mute(self) -> str:
        return f"{self.port}: open, but no {self.driver} reader answered: is it the right driver, baud and cable?"

    def settle(self, settling: Settling, look: Callable[[Settling], bool], seconds: float | None) -> bool:
        """Take rounds until `look` says that it is enough; it is asked after each, and while none come.

        False: `seconds` are over.
        """
        end_s = time.monotonic() + seconds if seconds else float("inf")
        for scan in self.rounds():
            if scan is not None:
                settling.take(scan)
                self._check(settling)
            if look(settling):
                return True
            if time.monotonic() >= end_s:
                return False
        return False

    def _check(self, settling: Settling) -> None:
        if settling.incomplete >= MOST_INCOMPLETE and not settling.rounds:
            raise EnrolmentError(
                f"{self.port}: no round of antenna {self.antenna} is complete: put fewer on it at once"
            )


def pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise OptionError(f"-o {text}: write it as key=value, as in -o baud=57600")
    return key.strip(), value.strip()
