"""`betline record`: everything that the readers of a table say, with times, in one file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from controller.config.config import Config
    from controller.recording.file import Header
    from controller.registry.registry import Item

LOOK_S = 0.2


def run(
    out: Annotated[Path, typer.Option("--out", "-o", help="The new file; in a folder one is named by table and time.")],
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="table.toml; else the one here, else /etc/betline/table.toml.")
    ] = None,
    *,
    anonymise: Annotated[
        bool, typer.Option("--anonymise", help="Only decoded rounds, with other names for tags, items and players.")
    ] = False,
    convert: Annotated[
        Path | None, typer.Option("--convert", metavar="IN", help="Do not record: anonymise this recording.")
    ] = None,
) -> None:
    """Record what the readers send and are sent, until Ctrl-C or SIGTERM. Replay, decode, or send it with a report.

    The readers must be free. While the table runs, the service records, and then rulings, words and keys as well:
    betline run --record evening.betrec. A recording shows hole cards; so does an anonymised one, but it names nobody.

    \b
    Examples:
      betline record --config table.toml --out evening.betrec
      betline replay evening.betrec
      betline record --convert evening.betrec --anonymise --out to-show.betrec
    """  # noqa: D301  -- \b keeps typer from joining the examples
    from controller.errors import RecordingError

    if convert is None:
        _record(config, out, anonymise=anonymise)
    elif anonymise:
        _convert(convert, out)
    else:
        raise RecordingError(f"--convert {convert}: say what to make of it: add --anonymise")


def _convert(source: Path, out: Path) -> None:
    import sys

    from betline.record.convert import anonymise
    from controller.recording.recorder import file_for

    target = file_for(out, f"{source.stem}-anonymised")
    if not anonymise(source, target):
        print(f"betline: {source}: stops without its end mark, and so does {target}", file=sys.stderr)
    print(f"{target}: anonymised")


def _record(config: Path | None, out: Path, *, anonymise: bool) -> None:
    from betline.record.disguise import Disguise
    from betline.record.live import Live
    from controller.config import config as settings
    from controller.errors import ConfigError
    from controller.recording.recorder import Recorder

    path = settings.find(config)
    loaded = settings.load(path)
    if not loaded.reader:
        raise ConfigError(f"{path}: has no [[reader]]: nothing to record; betline init adds them")
    header = _header(path, loaded)
    disguise = Disguise(header) if anonymise else None
    recorder = Recorder(out, disguise.line if disguise else None)
    with Live(loaded, recorder, disguise.header if disguise else header, with_bytes=not anonymise) as live:
        live.until_stopped(LOOK_S)
    print(live.summary())
    if recorder.lost:
        raise typer.Exit(1)


def _header(path: Path, loaded: "Config") -> "Header":
    from controller.config.config import beside
    from controller.recording.recorder import header_of
    from controller.rulings import profiles

    name = loaded.table.profile
    profile = profiles.load(str(beside(path, name))) if name.endswith(".toml") else None
    return header_of(loaded, _items(path, loaded), ("bytes", "calls", "rounds"), profile)


def _items(path: Path, loaded: "Config") -> "Sequence[Item]":
    """The registry, so that rulings can be replayed; readers may be recorded before anything was enrolled."""
    import sys

    from controller.config.config import beside
    from controller.errors import ConfigError
    from controller.registry import ignored, registry

    table = loaded.table
    try:
        known = registry.load(beside(path, table.chips), [beside(path, name) for name in table.cards])
        tags = ignored.load(ignored.file_for(beside(path, loaded.journal.path)))
    except ConfigError as error:
        print(f"betline: {error}; recording without it: no hand can be replayed", file=sys.stderr)
        return ()
    return tuple(ignored.extend(known, tags).items.values())
