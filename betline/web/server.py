"""The server of the pages, and what it tells systemd: that it answers, and that its loop still turns."""

import socket
import time

import uvicorn

from controller.service.notify import Notify
from display.web.headers import App


class Server(uvicorn.Server):
    """uvicorn, which feeds the watchdog from the loop that answers: one that hangs is started again."""

    def __init__(self, app: App, host: str, port: int) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                host,
                port,
                log_level="error",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=1,
            )
        )
        self._notify = Notify()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._notify.ready("pages are served")

    async def on_tick(self, counter: int) -> bool:
        self._notify.alive(time.monotonic_ns())
        return await super().on_tick(counter)
