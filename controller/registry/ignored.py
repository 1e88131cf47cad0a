"""Tags that somebody called no chips: kept beside the journal, so that they are ignored for good."""

import json
from collections.abc import Iterable
from pathlib import Path

from controller.errors import ConfigError
from controller.registry.registry import Item, Registry
from firmware_bridge.files import check_file, write_secret


def file_for(journal: Path) -> Path:
    return journal.with_suffix(".ignored.json")


def load(path: Path) -> list[str]:
    """The ignored tags; none where the file is not there yet."""
    check_file(path, ConfigError)
    try:
        tags = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"{path}: cannot be read ({error}): remove it; ignored tags are then asked for again"
        ) from error
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise ConfigError(f"{path}: must hold a list of tags: remove it; ignored tags are then asked for again")
    return tags


def save(path: Path, tags: Iterable[str]) -> None:
    """Written whole, then moved into place: a power cut leaves the old file or the new one."""
    write_secret(path, json.dumps(sorted(tags)).encode())


def extend(registry: Registry, tags: Iterable[str]) -> Registry:
    """The registry with the ignored tags in it, so that tracking passes them over."""
    strangers = [Item(f"ignored-{tag}", tag, "marker", state="ignore") for tag in tags if tag not in registry.by_tag]
    return Registry([*registry.items.values(), *strangers])
