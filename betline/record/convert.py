"""`betline record --convert IN --anonymise --out OUT`: a recording as others may see it."""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from betline.record.disguise import Disguise
from controller.errors import RecordingError
from controller.recording.file import Header, Line, Recording, Writer
from simulator.rehearsal.ports import GAP, port_of, setups, time_of


def anonymise(source: Path, out: Path) -> bool:
    """Write the disguised copy; False where the source was torn, and so is the copy."""
    with Recording(source) as recording:
        disguise = Disguise(_header(recording.header, source))
        writer = Writer(out, disguise.header)
        try:
            writer.write(line for line in map(disguise.line, _with_rounds(recording)) if line is not None)
            if recording.torn:
                writer.flush()
                writer.abandon()
            else:
                writer.close()
        except OSError as error:
            _drop(writer)
            raise RecordingError(f"{out}: {error.strerror or error}: make room, or choose another place") from error
        except BaseException:
            _drop(writer)
            raise
    return not recording.torn


def _drop(writer: Writer) -> None:
    writer.abandon()
    writer.path.unlink()


def _header(header: Header, source: Path) -> Header:
    if "rounds" in header.holds:
        return header
    if "bytes" not in header.holds:
        raise RecordingError(f"{source}: holds neither bytes nor rounds: nothing of it would be left")
    return replace(header, holds=("rounds", *header.holds))


def _with_rounds(recording: Recording) -> Iterator[Line]:
    """Its lines; where nobody recorded decoded rounds, the drivers decode them now."""
    header = recording.header
    if "rounds" in header.holds:
        yield from recording.lines()
        return
    ports = {name: port_of(setup, header) for name, setup in setups(header).items()}
    for line in recording.lines():
        if line.port in ports and line.tx is None:
            for event in ports[line.port].take(line):
                if event is not GAP:
                    yield Line(time_of(event), given=event)
        elif line.given is None:
            yield line
