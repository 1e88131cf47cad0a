"""`betline decode DRIVER FILE.betrec --port NAME`: what one reader of a recording sent, with the times of its table."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from betline.decode.lines import as_line
from controller.errors import RecordingError
from controller.recording.file import Header, Recording
from firmware_bridge.bridge import ReaderSetup
from simulator.rehearsal.ports import GAP, port_of, setups, time_of


def lines(driver: str, file: Path, port: str | None, options: Mapping[str, str]) -> Iterator[dict[str, object]]:
    """A line an event, as `decode` prints them, with `t`: nanoseconds of the clock of the table that recorded."""
    with Recording(file) as recording:
        setup = _setup(recording.header, file, port)
        decoder = port_of(setup, recording.header, driver, options)
        for line in recording.lines():
            if line.port == setup.id and line.tx is None:
                for event in decoder.take(line):
                    if event is not GAP:
                        yield {**as_line(event, ended=True), "t": time_of(event)}
        for event in decoder.end():
            if event is not GAP:
                yield {**as_line(event, ended=False), "t": time_of(event)}
        if recording.torn:
            print(f"betline: {file}: stops without its end mark: read up to its last whole line", file=sys.stderr)


def _setup(header: Header, file: Path, port: str | None) -> ReaderSetup:
    if "bytes" not in header.holds:
        raise RecordingError(
            f"{file}: holds decoded rounds and no bytes: there is nothing to decode; see betline replay"
        )
    known = setups(header)
    if port is None and len(known) == 1:
        return next(iter(known.values()))
    if port not in known:
        wrong = f"no port {port!r}" if port else "several readers"
        raise RecordingError(f"{file}: {wrong}: name one with --port: {', '.join(known)}")
    return known[port]
