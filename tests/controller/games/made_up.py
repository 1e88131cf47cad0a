"""A game that is not in the package, for as long as a test needs it: "Twist", hold'em whose last two cards come at once."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.games import catalog

TWIST = """
title = "Twist"
seats = [2, 6]
codes = { NL = "_TW", FL = "_FTW" }
street = [
    { name = "preflop", down = 2, opens = "behind_blinds" },
    { name = "flop", board = 3, bets = "big" },
    { name = "river", board = 2, bets = "big" },
]
"""


@contextmanager
def twist(folder: Path) -> Iterator[None]:
    """The games of the package and Twist, whose file is written to this folder."""
    for path in catalog.FOLDER.glob("*.toml"):
        shutil.copy(path, folder)
    (folder / "twist.toml").write_text(TWIST)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalog, "FOLDER", folder)
        _read_anew()
        yield
    _read_anew()


def _read_anew() -> None:
    for cached in (catalog.names, catalog.game, catalog.variants):
        cached.cache_clear()
