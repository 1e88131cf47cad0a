"""`betline decode`: bytes of a reader in, JSON lines of events out. No port, no clock, constant memory."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, BinaryIO

import msgspec
import typer

from betline.decode.lines import as_line
from firmware_bridge.errors import BetlineError, OptionError
from firmware_bridge.events import ReaderEvent
from firmware_bridge.files import no_file

STEP_NS = 1_000_000  # between two chunks: less than any silence that means something to a driver
CHUNK = 4096
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LONGEST_LINE = 1 << 20  # of hex: half a megabyte at one instant


def run(
    driver: Annotated[str, typer.Argument(help="The reader's family, as `driver` in table.toml: m100, pn532 ...")],
    file: Annotated[
        Path | None, typer.Argument(help="A file of bytes, or a recording (.betrec); standard input without it.")
    ] = None,
    hex_: Annotated[bool, typer.Option("--hex", help="Hex text: one line is one chunk, as it was received.")] = False,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="An option of the driver, as key=value.")
    ] = None,
    port: Annotated[str | None, typer.Option("--port", help="Of a recording: the id of the reader to decode.")] = None,
) -> None:
    """Decode what a reader sent: one JSON line an event, on standard output.

    \b
    tags          one round of one antenna. "round_end": false: the input ended
                  first; "complete": false: a tag of the round may be missing
    bad_frame     bytes that are no good frame, and why
    reader_error  what the reader complained of; tags named in it are not seen
    reader        the reader said who it is

    Frames that a host sends give no line. Bytes have no times here: chunks count as one millisecond apart, so silence
    ends nothing. A line that is not hex is named and passed over; the exit status is then 1 at the end.
    A recording has times, time-outs and the options of its table, so its rounds are those that the table had.

    \b
    Examples:
      echo "AA 01 FF 00 01 15 16 DD" | betline decode m100 --hex
      betline decode pn532 capture.bin
      betline decode m100 -o epc_crc=false < /dev/ttyUSB0
      betline decode tablelink evening.betrec --port west
    """  # noqa: D301  -- \b keeps typer from joining the examples
    from firmware_bridge.drivers.catalog import make

    if file is not None and file.suffix == ".betrec":
        _print_recorded(driver, file, port, dict(map(_pair, option or ())))
        return
    decoder = make(driver, driver, options=dict(map(_pair, option or ())))
    decoder.start(0)
    at_ns, failed = 0, False
    with ExitStack() as stack:
        source = str(file) if file else "standard input"
        stream = stack.enter_context(_opened(file)) if file else sys.stdin.buffer
        for chunk in _hex_chunks(stream, source) if hex_ else _chunks(stream):
            at_ns += STEP_NS
            if isinstance(chunk, str):
                print(f"betline: {chunk}", file=sys.stderr)
                failed = True
            else:
                _print(decoder.receive(chunk, at_ns).events, ended=True)
    _print(decoder.flush(at_ns).events, ended=False)
    if failed:
        raise typer.Exit(1)


def _print_recorded(driver: str, file: Path, port: str | None, options: dict[str, str]) -> None:
    from betline.decode import recorded

    for line in recorded.lines(driver, file, port, options):
        _write(line)


def _print(events: tuple[ReaderEvent, ...], *, ended: bool) -> None:
    for event in events:
        _write(as_line(event, ended=ended))


def _write(line: dict[str, object]) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise OptionError(f"-o {text}: write it as key=value, as in -o quiet_ms=40")
    return key.strip(), value.strip()


def _opened(file: Path) -> BinaryIO:
    fault = no_file(file)
    if fault is not None:
        raise BetlineError(f"{file}: {fault}, or leave it out and pipe into this")
    try:
        return file.open("rb")
    except OSError as error:
        raise BetlineError(f"{file}: {error.strerror or error}: check the path") from error


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    """What is there, as soon as it is there."""
    read = getattr(stream, "read1", stream.read)
    while chunk := read(CHUNK):
        yield chunk


def _hex_chunks(stream: BinaryIO, source: str) -> Iterator[bytes | str]:
    """Bytes of each line, or why they are none. Empty lines and what stands behind # are passed over."""
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            _skip_line(stream)
            yield f"{source}, line {number}: longer than {LONGEST_LINE} bytes: one line is one chunk of one read"
            continue
        text = line.removeprefix(BYTE_ORDER_MARK).partition(b"#")[0].decode("ascii", "replace").strip()
        try:
            chunk = bytes.fromhex(text)
        except ValueError:
            yield f"{source}, line {number}: {text[:40]!r} is not hex: write whole bytes, as in BB 02 22"
        else:
            if chunk:
                yield chunk


def _skip_line(stream: BinaryIO) -> None:
    while rest := stream.readline(LONGEST_LINE):
        if rest.endswith(b"\n"):
            return
