"""`betline run`: the controller service."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from controller.config.config import Config


def run(
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="table.toml; else the one here, else /etc/betline/table.toml.")
    ] = None,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Check table.toml and the files and ports it names, then end.")
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record", help="Also record bytes, inputs and events into this new .betrec file, or into a folder."
        ),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Also log what goes well.")] = False,
) -> None:
    """Run the table: read the readers, rule, keep the journal, feed screens and MQTT. Ctrl-C or SIGTERM ends it.

    Example: betline run --config table.toml
    """
    import logging
    import signal
    import sys

    from controller.config import config as settings
    from controller.recording.recorder import Recorder
    from controller.service.exposed import exposed
    from controller.service.service import Service
    from firmware_bridge.drivers import catalog

    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    path = settings.find(config)
    loaded = settings.load(path, tuple(catalog.DRIVERS))
    service = Service(loaded, path, recorder=Recorder(record) if record and not check else None)
    if check:
        service.check()
        for line in exposed(loaded, path):
            print(f"betline: {line}", file=sys.stderr)
        print(f"{path}: in order")
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: service.stop())
    service.run(lambda: _tell_open(path, loaded))


def _tell_open(path: Path, config: "Config") -> None:
    """What a beginner waits for; under systemd it is the first line of the log."""
    ports = ", ".join(f"{reader.id} ({reader.driver})" for reader in config.reader)
    given = f" --config {path}"
    print(f"table {config.table.name!r} is open: {config.table.seats} seats; readers: {ports}")
    print(f"  look    betline screen{given}")
    print(f"  speak   betline say{given} next        (first it counts all chips: that takes some seconds)")
    print("  stop    Ctrl-C", flush=True)
