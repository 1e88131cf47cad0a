"""`betline doctor`: everything that a table needs, a line each: in order, or what is wrong and what to do."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:  # slow to load
    from betline.doctor.machine import Finding, Machine
    from controller.config.config import Config

SIGNS = {"ok": ("ok  ", "green"), "warn": ("warn", "yellow"), "fail": ("FAIL", "red")}


def run(
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="table.toml; else the one here, else /etc/betline/table.toml.")
    ] = None,
    *,
    seconds: Annotated[float, typer.Option(min=1, help="How long the readers are listened to, at most.")] = 8.0,
    json: Annotated[bool, typer.Option("--json", help="One JSON line a check.")] = False,
) -> None:
    """Look at configuration, registry, ports, readers, antennas, broker, pins, screen, clock, disk and journal.

    Each check is one line: ok, warn or FAIL, and behind an arrow what to do. A reader that does not answer is asked in
    the words of the other drivers and at other speeds; nothing is set by that. While the table runs it has the readers:
    then its own word about them is shown. Exit status 1 when something fails.

    Example: betline doctor --config table.toml
    """
    failed = False
    for finding in _everything(config, seconds):
        failed |= finding.verdict == "fail"
        _print(finding, json=json)
    if failed:
        raise typer.Exit(1)


def _everything(given: Path | None, seconds: float) -> Iterator["Finding"]:
    import os
    import time

    from betline.doctor import table as doctor_table
    from betline.doctor.machine import Finding, Machine, pins
    from controller.config.config import beside, find
    from controller.errors import ConfigError

    machine = Machine()
    config = None
    try:
        path = find(given)
        config, finding = doctor_table.configuration(path)
        yield finding
    except ConfigError as error:
        yield doctor_table.split("configuration", "fail", str(error))
    if config is not None:
        yield from _table(config, path, machine, seconds)
        yield pins(config)
        yield from machine.disk(beside(path, config.journal.path).absolute().parent)
    else:
        yield Finding("readers", "warn", "not looked at: there is no configuration that can be used", "mend it first")
    yield machine.screen(os.environ)
    yield machine.clock(time.time())


def _table(config: "Config", path: Path, machine: "Machine", seconds: float) -> Iterator["Finding"]:
    from betline.counts import counted
    from betline.doctor import table as doctor_table
    from betline.doctor.antennas import Antennas
    from betline.doctor.readers import Listening, findings, radios
    from betline.waiting import waiting
    from controller.core import build
    from firmware_bridge.drivers import catalog

    items, found = doctor_table.registry(config, path)
    yield from found
    rules, finding = doctor_table.house(config, path)
    yield finding
    places, finding = doctor_table.journal(config, path, items, rules)
    yield finding
    yield from doctor_table.card_readers(config)
    yield from doctor_table.secrets(config, path)
    setups = build.readers(config)
    drivers = {setup.port: catalog.make(setup.driver, setup.id, setup.antennas, setup.options) for setup in setups}
    yield from machine.serial_lines({port: driver.settings.parity for port, driver in drivers.items()})
    snapshot = doctor_table.running(config, path)
    if snapshot is not None:
        yield from doctor_table.of_running(snapshot)
    else:
        listening = Listening(setups)
        with waiting(f"listening to {counted(len(setups), 'reader')}, {seconds:g} s at most"):
            listening.run(seconds)
        yield from findings(listening)
        yield from radios(listening.radios)
        answering = {name for name, heard in listening.heard.items() if heard.answered}
        yield from Antennas(config, listening.survey, items, places, answering).findings()
    yield doctor_table.broker(config, path)


def _print(finding: "Finding", *, json: bool) -> None:
    import msgspec

    if json:
        line = msgspec.json.encode(finding).decode()
    else:
        sign, colour = SIGNS[finding.verdict]
        sign = typer.style(sign, fg=colour) if sys.stdout.isatty() else sign
        cure = f"  -> {finding.cure}" if finding.cure else ""
        line = f"{sign}  {finding.check}: {finding.text}{cure}"
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
