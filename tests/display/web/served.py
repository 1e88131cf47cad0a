"""A site that is really served: its table is the table's own feeds, its server uvicorn on a port of its own."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from controller.commands import By, Command
from controller.publish.feeds import Feeds
from controller.publish.requests import Reply
from controller.snapshot import DealerSnapshot, Snapshot
from display.web.authority import Keys
from display.web.site import Settings, Site

PATIENCE_S = 10.0


def everybodys(dealers: DealerSnapshot) -> Snapshot:
    return Snapshot(**{name: getattr(dealers, name) for name in Snapshot.__struct_fields__})


class Table:
    """The table's own feeds; `show` tells all who listen."""

    def __init__(self, folder: Path) -> None:
        self.public, self.dealer = folder / "public.sock", folder / "dealer.sock"
        self.told: list[tuple[Command, int | None]] = []
        self.doors: list[By] = []
        self._open()

    def _open(self) -> None:
        self.feeds = Feeds(self.public, self.dealer, self._take)
        self.feeds.start()

    def _take(self, command: Command, by: By, reply: Reply, n: int | None = None, /) -> None:
        self.doors.append(by)
        self.told.append((command, n))
        reply(None)

    def show(self, snapshot: DealerSnapshot) -> None:
        self.feeds.show(everybodys(snapshot), snapshot)

    def go_away(self) -> None:
        self.feeds.stop()

    def come_back(self) -> None:
        self._open()


@contextmanager
def serving(table: Table, language: str = "en", keys: Keys | None = None) -> Iterator[str]:
    """The site on a free port; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with serving_at(port, table, language, keys):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def serving_at(port: int, table: Table, language: str = "en", keys: Keys | None = None) -> Iterator[None]:
    site = Site(Settings(str(table.public), language, (), str(table.dealer)), keys)
    server = uvicorn.Server(
        uvicorn.Config(site.app, "127.0.0.1", port, log_level="critical", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + PATIENCE_S
    while not server.started:
        assert time.monotonic() < end
        assert thread.is_alive()
        threading.Event().wait(0.01)
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)
