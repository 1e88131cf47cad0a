"""How a command reaches the core from another thread, and how the answer comes back. Types only."""

from collections.abc import Callable
from typing import Protocol

from controller.commands import By, Command

Reply = Callable[[str | None], None]
"""Called once by the core, from any thread: None when the command was done, else one line saying why it was not."""


class Handler(Protocol):
    """Takes a command to the core's queue. Called by feed and MQTT threads, so it must not block.

    `n`: of the snapshot that its speaker saw; None: the table as it is.
    """

    def __call__(self, command: Command, by: By, reply: Reply, n: int | None = None, /) -> None: ...
