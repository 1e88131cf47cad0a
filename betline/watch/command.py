"""`betline watch`: a live view of one reader, without any configuration."""

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol, assert_never

import msgspec
import typer

from betline.counts import counted
from betline.decode.lines import as_line
from firmware_bridge.errors import OptionError, PortError
from firmware_bridge.events import BadFrame, ReaderEvent, ReaderFault, ReaderLost, ReaderUp, ScanRound

if TYPE_CHECKING:
    from betline.watch.view import Watched
    from controller.registry.registry import Item
    from firmware_bridge.listener import Listener
    from firmware_bridge.port import Port

FRAME_S = 0.25  # four pictures a second are as many as an eye can read
MOST_ANTENNAS = 255
REPEAT_NS = 10_000_000_000  # damaged frames that go on are told again after so long


def run(
    port: Annotated[str, typer.Argument(help="/dev/serial/by-id/..., socket://host:port or rfc2217://host:port.")],
    *,
    driver: Annotated[str, typer.Option("--driver", "-d", help="The reader's family: tablelink, m100, pn532 ...")],
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="An option of the driver, as key=value.")
    ] = None,
    antennas: Annotated[
        int, typer.Option(min=0, max=MOST_ANTENNAS, help="Antennas 1 to N; 0: whatever the reader has.")
    ] = 0,
    chips: Annotated[Path | None, typer.Option(help="A chips.csv: shows names and values of chips.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.1, help="End after so long; else with Ctrl-C.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON line an event instead of the view.")] = False,
) -> None:
    """Show live what one reader sees: tags on each antenna, rounds, misses, and the state of the reader.

    Put a chip down: it appears. A chip that lies still and is missed in more than a few percent of the rounds lies
    badly for this antenna. Needs no table.toml; stop `betline run` first, since a port has one owner.

    \b
    Examples:
      betline watch /dev/ttyACM0 --driver tablelink
      betline watch /dev/ttyUSB0 -d m100 -o q=6 --chips chips.csv
      betline watch socket://pi.local:4000 -d pn532 --json --seconds 10

    The exit status is 1 when the port cannot be opened, or when no reader answered until the end.
    """  # noqa: D301  -- \b keeps typer from joining the examples
    from betline.watch.view import Watched
    from firmware_bridge.drivers.catalog import make
    from firmware_bridge.drivers.tablelink import Tablelink
    from firmware_bridge.listener import Listener
    from firmware_bridge.port import Port

    made = make(driver, driver, tuple(range(1, antennas + 1)), dict(map(_pair, option or ())))
    watched = Watched(port, driver, _names(chips), made.health if isinstance(made, Tablelink) else None)
    heard = Listener()
    line = Port(driver, port, made, heard.put)
    line.start()
    try:
        _show(_events(line, heard, seconds), watched, _sink(watched, json=json))
    finally:
        line.close()
    if not watched.answered:
        why = watched.state.removeprefix("lost: ").removeprefix(f"{port}: ")
        raise PortError(
            f"{port}: open, but no {driver} reader answered ({why}): is it the right driver, baud and cable?"
        )


class Sink(Protocol):
    """Where events become visible."""

    def take(self, event: ReaderEvent) -> None: ...

    def refresh(self) -> None: ...

    def frame(self) -> AbstractContextManager[object]: ...


class JsonLines:
    """One line an event, as `betline decode` prints it, with the milliseconds since the start."""

    def __init__(self) -> None:
        self._began_ns = time.monotonic_ns()

    def take(self, event: ReaderEvent) -> None:
        at_ns = event.ended_ns if isinstance(event, ScanRound) else event.at_ns
        line = as_line(event, ended=True) | {"at_ms": (at_ns - self._began_ns) // 1_000_000}
        sys.stdout.write(msgspec.json.encode(line).decode() + "\n")
        sys.stdout.flush()

    def refresh(self) -> None:
        pass

    def frame(self) -> AbstractContextManager[object]:
        return nullcontext()


class Picture:
    """A picture that stays in place on a terminal."""

    def __init__(self, watched: "Watched") -> None:
        from rich.live import Live

        self._watched = watched
        self._live = Live(auto_refresh=False, vertical_overflow="crop")

    def take(self, event: ReaderEvent) -> None:
        del event  # all that is shown is in `watched`

    def refresh(self) -> None:
        self._live.update(self._watched.view(), refresh=True)

    def frame(self) -> AbstractContextManager[object]:
        return self._live


class Changes:
    """A line for every change, where there is no terminal: what came, what went, what the reader said.

    A damaged frame is told when it is the first of its kind; how many came is told before the next line, every ten
    seconds, and at the end.
    """

    def __init__(self, watched: "Watched") -> None:
        self._watched = watched
        self._before: dict[int, tuple[str, ...]] = {}
        self._damaged: dict[str, int] = {}  # frames by reason
        self._untold: dict[str, None] = {}  # reasons whose count has grown since it was told
        self._told_ns = 0
        self._hinted = False
        self._radios: dict[int, str] = {}

    def take(self, event: ReaderEvent) -> None:
        match event:
            case ReaderUp() | ReaderLost():
                self._say(self._watched.state)
            case ReaderFault():
                self._say(f"fault {self._watched.fault}")
            case ScanRound():
                self._compare(event.antenna)
            case BadFrame():
                self._damage(event)
            case _:
                assert_never(event)

    def _compare(self, antenna: int) -> None:
        before, now = self._before.get(antenna, ()), self._watched.antennas[antenna].here
        changed = [f"+{tag}" for tag in now if tag not in before] + [f"-{tag}" for tag in before if tag not in now]
        if changed or antenna not in self._before:
            self._say(f"antenna {antenna}: {counted(len(now), 'tag')} {' '.join(changed)}".rstrip())
        self._before[antenna] = now
        radio = self._watched.radio(antenna)
        if radio and antenna not in self._radios:
            self._say(radio)
            self._radios[antenna] = radio

    def _damage(self, event: BadFrame) -> None:
        from betline.watch.view import WRONG_DRIVER

        count = self._damaged.get(event.reason, 0) + 1
        self._damaged[event.reason] = count
        if count == 1:
            self._say(f"damaged frame: {event.reason}, {len(event.raw)} bytes")
            self._told_ns = event.at_ns
        else:
            self._untold[event.reason] = None
        if event.at_ns - self._told_ns >= REPEAT_NS:
            self._tell_counts()
            self._told_ns = event.at_ns
        if self._watched.looks_wrong and not self._hinted:
            self._hinted = True
            self._say(WRONG_DRIVER)

    def _tell_counts(self) -> None:
        for reason in self._untold:
            _print(f"damaged frame: {reason} (x{self._damaged[reason]})")
        self._untold.clear()

    def _say(self, text: str) -> None:
        self._tell_counts()
        _print(text)

    def refresh(self) -> None:
        pass

    @contextmanager
    def frame(self) -> Iterator[None]:
        yield
        self._tell_counts()


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _sink(watched: "Watched", *, json: bool) -> Sink:
    if json:
        return JsonLines()
    return Picture(watched) if sys.stdout.isatty() else Changes(watched)


def _show(events: Iterator[ReaderEvent | None], watched: "Watched", sink: Sink) -> None:
    """Until the time is over or Ctrl-C, which is the usual end."""
    shown_s = 0.0
    with sink.frame():
        with suppress(KeyboardInterrupt):
            for event in events:
                if event is not None:
                    watched.take(event)
                    sink.take(event)
                if time.monotonic() - shown_s >= FRAME_S:
                    sink.refresh()
                    shown_s = time.monotonic()
        sink.refresh()


def _events(port: "Port", heard: "Listener", seconds: float | None) -> Iterator[ReaderEvent | None]:
    """Events as they come, None when there is none for a while. `PortError`: the port cannot be opened at all."""
    end_s = time.monotonic() + seconds if seconds else float("inf")
    while (left_s := end_s - time.monotonic()) > 0:
        event = heard.get(min(FRAME_S, left_s))
        if isinstance(event, ReaderLost) and not port.was_open:
            raise PortError(event.why)
        yield event


def _names(chips: Path | None) -> Mapping[str, "Item"]:
    if chips is None:
        return {}
    from controller.registry.registry import load

    return load(chips, ()).by_tag


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise OptionError(f"-o {text}: write it as key=value, as in -o baud=57600")
    return key.strip(), value.strip()
