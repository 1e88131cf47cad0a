"""How a command reaches the core from another thread, and how the answer comes back. Types only."""

from collections.abc import Callable

from controller.commands import By, Command

Reply = Callable[[str | None], None]
"""Called once by the core, from any thread: None when the command was done, else one line saying why it was not."""

Handler = Callable[[Command, By, Reply], None]
"""Takes a command to the core's queue. Called by feed and MQTT threads, so it must not block."""
