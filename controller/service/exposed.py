"""Which secrets of a table others on its machine can read: the password, keys, journal, registry."""

from collections.abc import Iterator
from pathlib import Path

from controller.config.config import Config, beside
from controller.publish.security import place_of
from firmware_bridge.files import open_to_others


def secrets_of(config: Config, file: Path) -> Iterator[Path]:
    """Every file of this table that should be read by its user alone; not each must be there."""
    if config.mqtt.password_file:
        yield place_of(file.parent, config.mqtt.password_file)
    yield beside(file, config.authority.keys)
    journal = beside(file, config.journal.path)
    yield from (journal, Path(f"{journal}-wal"))
    yield beside(file, config.table.chips)
    yield from (beside(file, name) for name in config.table.cards)


def exposed(config: Config, file: Path) -> list[str]:
    """A line for each that others can read or write, with its cure."""
    return [line for path in secrets_of(config, file) if (line := open_to_others(path)) is not None]
